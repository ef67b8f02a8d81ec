-- Purpose: what is known of the patients of a share, patient by patient, to be looked up.
-- Input:   received (send_dictionaries.sql of every task).
-- Output:  patient_hash, label, text; in the order of all three, so that the same values give the same dictionary.
SELECT patient_hash, label, text
FROM received
ORDER BY patient_hash, label, text
