-- Purpose: the counts in the order of their hashes, to be looked up.
-- Input:   counts (count.sql).
-- Output:  its columns.
SELECT sentence_hash, occurrences, notes, patients, first_document
FROM counts
ORDER BY sentence_hash
