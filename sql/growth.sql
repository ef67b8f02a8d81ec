-- Purpose: how many sentences each document brought that no document before it had.
-- Input:   counts (count.sql).
-- Output:  document, new_sentences; in the order of documents. A document that brought none is left out.
SELECT first_document AS document, count(*) AS new_sentences
FROM counts
GROUP BY first_document
ORDER BY first_document
