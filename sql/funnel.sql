-- Purpose: how many sentences go which way.
-- Input:   sentences (sentences.sql).
-- Output:  route, distinct_sentences, occurrences.
SELECT route, count(*) AS distinct_sentences, sum(occurrences) AS occurrences
FROM sentences
GROUP BY route
ORDER BY route
