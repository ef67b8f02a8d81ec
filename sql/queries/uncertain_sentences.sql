-- Purpose: the sentences about which the ensemble is least sure, the most frequent first: what a person's verdict settles for the most
--          notes. What is an identifier goes into a dictionary or template, what is none onto the inclusion list.
-- Input:   sentences (--work, of a `run` or `detect` with the same --work). Detects those of at least patients patients once more.
-- Parameters: patients, the least number of patients; above and below, between which scores a sentence is doubtful.
-- Output:  occurrences, patients, score (of the surest identifier in it), text. Confidential.
-- Run:     plainsight sql --work work --key-file key.hex --ensemble fast \
--              -f sql/queries/uncertain_sentences.sql
WITH parameters AS (
    SELECT 2 AS patients, 0.0 AS above, 0.7 AS below
), judged AS (
    SELECT occurrences, patients, phi_score(text) AS score, text
    FROM sentences
    WHERE route = 'remainder' AND patients >= (SELECT patients FROM parameters)
)
SELECT occurrences, patients, round(score, 2) AS score, text
FROM judged
WHERE score > (SELECT above FROM parameters) AND score < (SELECT below FROM parameters)
ORDER BY occurrences DESC, text
LIMIT 100
