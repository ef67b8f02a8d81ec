-- Purpose: in which units of the source each patient has notes, to tell which parts of an output must be written again.
-- Input:   documents.
-- Parameters: {unit}, how many documents a unit's numbers span.
-- Output:  patient_hash, patient, unit; each once, in no order.
SELECT sentence_hash(patient) AS patient_hash, patient, unit
FROM (
    SELECT DISTINCT patient, document / {unit} AS unit
    FROM documents
)
