-- Purpose: what the second pass found, patient by patient, to be looked up.
-- Input:   second_pass (second_pass.sql).
-- Output:  patient_hash, label, text; in the order of all three, so that the same values give the same dictionary.
SELECT sentence_hash(patient) AS patient_hash, label, text
FROM second_pass
ORDER BY patient_hash, label, text
