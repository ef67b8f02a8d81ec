-- Purpose: the shapes in which identifiers are written, the commonest first: `DOB: {B-DATE:full}…`. Candidates for --templates.
-- Input:   documents (--notes), whatever the columns are called. Detects anew: it takes as long as `detect`.
-- Parameters: patients, the least number of patients: a shape of one patient may hold what nobody has found in it.
-- Output:  patients, occurrences, sentences (distinct ones of that shape), shape. Confidential: words outside the tags are the notes'.
-- Run:     plainsight sql --key-file key.hex --notes examples/warehouse/notes --ensemble fast \
--              -f sql/queries/sentence_shapes.sql
WITH parameters AS (
    SELECT 3 AS patients
), occurrences AS (
    SELECT patient, unnest(sentences(text))['text'] AS sentence
    FROM documents
), shaped AS (
    SELECT patient, sentence, ner_template(sentence) AS shape
    FROM occurrences
)
SELECT count(DISTINCT patient) AS patients, count(*) AS occurrences, count(DISTINCT sentence) AS sentences, shape
FROM shaped
WHERE shape <> sentence
GROUP BY shape
HAVING count(DISTINCT patient) >= (SELECT patients FROM parameters)
ORDER BY patients DESC, occurrences DESC, shape
LIMIT 100
