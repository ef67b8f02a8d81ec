-- Purpose: which sentences many patients share, and how much of the corpus the commonest are: what an inclusion list would spare.
-- Input:   documents (--notes), whatever the columns are called.
-- Parameters: patients, the least number of patients. A sentence of few is likely to be about one of them.
-- Output:  patients, notes, occurrences, share_so_far (of all sentences, this one and those above it), before (the line before, where
--          a fragment is counted with it), text. Confidential: a sentence of many patients may still name somebody who works there.
-- Run:     plainsight sql --key-file key.hex --notes examples/warehouse/notes \
--              -f sql/queries/sentence_prevalence.sql
WITH parameters AS (
    SELECT 3 AS patients
), occurrences AS (
    SELECT document, patient, unnest(sentences(text)) AS sentence
    FROM documents
), counted AS (
    SELECT
        sentence['sentence_hash'] AS sentence_hash,
        count(DISTINCT patient) AS patients,
        count(DISTINCT document) AS notes,
        count(*) AS occurrences,
        min(sentence['before']) AS before,
        min(sentence['text']) AS text
    FROM occurrences
    GROUP BY sentence['sentence_hash']
), ranked AS (
    SELECT
        *,
        sum(occurrences) OVER (ORDER BY patients DESC, occurrences DESC, sentence_hash ROWS UNBOUNDED PRECEDING) AS so_far,
        sum(occurrences) OVER () AS of_all
    FROM counted
)
SELECT patients, notes, occurrences, round(1.0 * so_far / of_all, 3) AS share_so_far, before, text
FROM ranked
WHERE patients >= (SELECT patients FROM parameters)
ORDER BY patients DESC, occurrences DESC, sentence_hash
LIMIT 100
