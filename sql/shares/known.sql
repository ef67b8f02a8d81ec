-- Purpose: of how many patients that a task answers for the second pass knows something, and how much.
-- Input:   received (send_values.sql of every task).
-- Output:  patients, known.
SELECT count(*) AS patients, sum(known) AS known
FROM (
    SELECT patient_hash, count(*) AS known
    FROM (
        SELECT DISTINCT patient_hash, label, text
        FROM received
        WHERE label IS NOT NULL
    )
    GROUP BY patient_hash
)
