-- Purpose: of how many patients there are sentences of each syntax template.
-- Input:   shapes (template_shapes.sql), documents.
-- Parameters: {sentences}, the least number of distinct sentences of a syntax template.
-- Output:  syntax, patients.
WITH frequent AS (
    SELECT syntax
    FROM shapes
    WHERE syntax IS NOT NULL AND ner IS NOT NULL
    GROUP BY syntax
    HAVING count(*) >= {sentences}
),
shaped AS (
    SELECT shapes.sentence_hash, shapes.syntax
    FROM frequent
    JOIN shapes ON frequent.syntax = shapes.syntax
)
SELECT syntax, count(*) AS patients
FROM (
    SELECT DISTINCT shaped.syntax, seen.patient_number
    FROM shaped
    JOIN (
        SELECT patient_number, sentence['sentence_hash'] AS sentence_hash
        FROM (
            SELECT patient_number(patient) AS patient_number, unnest(sentence_counts(text)) AS sentence
            FROM documents
        )
    ) AS seen
    ON shaped.sentence_hash = seen.sentence_hash
)
GROUP BY syntax
