-- Purpose: who has notes in a share, and what the second pass found of them, on their way to the tasks that answer for these patients.
-- Input:   documents; second_pass (second_pass.sql).
-- Parameters: {task}, the number of the task; {tasks}, how many there are.
-- Output:  receiver, share, patient_hash, label, text (both null where it only says that the patient has notes there); in the order of
--          receivers.
SELECT
    task_of(patient, {tasks}) AS receiver,
    {task} AS share,
    sentence_hash(patient) AS patient_hash,
    label,
    text
FROM (
    SELECT patient, label, text
    FROM second_pass
    UNION ALL
    SELECT DISTINCT patient, NULL AS label, NULL AS text
    FROM documents
)
ORDER BY receiver
