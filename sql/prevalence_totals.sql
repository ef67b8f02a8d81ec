-- Purpose: what all sentences come to, by how many patients share them.
-- Input:   counts (count.sql).
-- Output:  patients (the least number of the band: 1, 2, 3, 10, 100, 1000), distinct_sentences, occurrences.
SELECT
    CASE
        WHEN patients >= 1000 THEN 1000
        WHEN patients >= 100 THEN 100
        WHEN patients >= 10 THEN 10
        WHEN patients >= 3 THEN 3
        ELSE patients
    END AS patients,
    count(*) AS distinct_sentences,
    sum(occurrences) AS occurrences
FROM counts
GROUP BY 1
ORDER BY 1
