-- Purpose: what was found with confidence in any note of a patient, to be looked for in all of them (Dehghan et al. 2015).
-- Input:   documents; confident_values(text) joins the claims of known sentences back and keeps the sure, telling ones.
-- Output:  patient, label, text: each value once a patient. Text is never gathered, only these values are.
SELECT DISTINCT patient, value['label'] AS label, value['text'] AS text
FROM (
    SELECT patient, unnest(confident_values(text)) AS value
    FROM documents
)
