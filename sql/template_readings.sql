-- Purpose: how the sentences of each syntax template read.
-- Input:   shapes (template_shapes.sql).
-- Parameters: {sentences}, the least number of distinct sentences of a syntax template.
-- Output:  syntax, ner, sentences, occurrences; the readings of one syntax template follow each other.
WITH frequent AS (
    SELECT syntax
    FROM shapes
    WHERE syntax IS NOT NULL AND ner IS NOT NULL
    GROUP BY syntax
    HAVING count(*) >= {sentences}
)
SELECT shapes.syntax, shapes.ner, count(*) AS sentences, sum(shapes.occurrences) AS occurrences
FROM frequent
JOIN shapes ON frequent.syntax = shapes.syntax
GROUP BY shapes.syntax, shapes.ner
ORDER BY shapes.syntax, shapes.ner
