-- Purpose: the sentences that would spare the most work if they were read and listed: the most prevalent, and of the others the most
--          prevalent that hold a disease, drug or procedure term (Murugadoss et al. 2021). Prevalence is told by patients: a
--          sentence of many patients is less likely to be about one of them.
-- Input:   sentences (sentences.sql).
-- Parameters: {patients}, the least number of patients; {prevalent} and {medical}, how many of each.
-- Output:  sentence_hash, occurrences, notes, patients, text, before, after, why (prevalent, medical).
WITH ranked AS (
    SELECT *, row_number() OVER (ORDER BY patients DESC, occurrences DESC, sentence_hash) AS rank
    FROM sentences
    WHERE patients >= {patients} AND route = 'remainder'
)
SELECT sentence_hash, occurrences, notes, patients, text, before, after, 'prevalent' AS why
FROM ranked
WHERE rank <= {prevalent}
UNION ALL
SELECT sentence_hash, occurrences, notes, patients, text, before, after, 'medical' AS why
FROM (
    SELECT *
    FROM ranked
    WHERE rank > {prevalent} AND is_medical(text)
    ORDER BY rank
    LIMIT {medical}
)
