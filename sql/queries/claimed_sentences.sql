-- Purpose: the sentences in which detectors claim something, the most frequent first: candidates for templates, and where one wrong
--          claim is wrong a thousand times.
-- Input:   sentences and claims (--work, of a `run` or `detect` with the same --work). Nothing is detected again.
-- Parameters: patients, the least number of patients.
-- Output:  occurrences, patients, classes and detectors (of all claims in the sentence), least_score, text. Confidential.
-- Run:     plainsight sql --key-file key.hex --work work -f sql/queries/claimed_sentences.sql
WITH parameters AS (
    SELECT 2 AS patients
), claimed AS (
    SELECT sentence_hash, unnest(answer['claims']) AS claim
    FROM claims
), of_sentences AS (
    SELECT
        sentence_hash,
        array_to_string(array_sort(array_agg(DISTINCT claim['class'])), ', ') AS classes,
        array_to_string(array_sort(array_agg(DISTINCT claim['detector'])), ', ') AS detectors,
        round(min(claim['score']), 2) AS least_score
    FROM claimed
    GROUP BY sentence_hash
)
SELECT occurrences, patients, classes, detectors, least_score, text
FROM of_sentences JOIN sentences ON sentences.sentence_hash = of_sentences.sentence_hash
WHERE patients >= (SELECT patients FROM parameters)
ORDER BY occurrences DESC, sentences.sentence_hash
LIMIT 50
