-- Purpose: all that is known of each patient, on its way to every task in whose share the patient has notes.
-- Input:   received (send_values.sql of every task).
-- Output:  receiver, patient_hash, label, text; in the order of receivers.
SELECT patients.share AS receiver, known.patient_hash, known.label, known.text
FROM (
    SELECT DISTINCT share, patient_hash
    FROM received
    WHERE label IS NULL
) AS patients
JOIN (
    SELECT DISTINCT patient_hash, label, text
    FROM received
    WHERE label IS NOT NULL
) AS known ON patients.patient_hash = known.patient_hash
ORDER BY receiver
