-- Purpose: how many sentences go which way, and how many of them differ in their text: the others differ in their context alone.
-- Input:   sentences (sentences.sql).
-- Output:  route, distinct_sentences, distinct_texts, occurrences. (A text that goes two ways is counted in both.)
-- In two steps: a grouping can go to disk, the set of a count(DISTINCT) cannot.
SELECT
    route,
    sum(distinct_sentences) AS distinct_sentences,
    count(*) AS distinct_texts,
    sum(occurrences) AS occurrences
FROM (
    SELECT route, sentence_hash(text) AS text_hash, count(*) AS distinct_sentences, sum(occurrences) AS occurrences
    FROM sentences
    GROUP BY route, sentence_hash(text)
)
GROUP BY route
ORDER BY route
