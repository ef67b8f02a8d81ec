-- Purpose: every distinct sentence that a task judges, once, from whichever share it comes first.
-- Input:   received (send_sentences.sql of every task).
-- Output:  sentence_hash, occurrences (none: they were counted where they occur), route, text, before, after.
-- Sorted, not grouped: a sort can go to disk, texts that are carried through a grouping cannot.
SELECT sentence_hash, CAST(0 AS BIGINT UNSIGNED) AS occurrences, route, text, before, after
FROM (
    SELECT *, row_number() OVER (PARTITION BY sentence_hash ORDER BY share) AS place
    FROM received
)
WHERE place = 1
