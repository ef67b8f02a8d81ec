-- Purpose: how many sentences go which way, and how many of them differ in their text: the others differ in their context alone.
-- Input:   sentences (sentences.sql).
-- Output:  route, distinct_sentences, distinct_texts, occurrences. (A text that goes two ways is counted in both.)
SELECT
    route,
    count(*) AS distinct_sentences,
    count(DISTINCT sentence_hash(text)) AS distinct_texts,
    sum(occurrences) AS occurrences
FROM sentences
GROUP BY route
ORDER BY route
