-- Purpose: what the ensemble claims in candidates for the inclusion list, so that those with claims are set apart.
-- Input:   candidates (inclusion_candidates.sql).
-- Output:  occurrences, notes, patients, text, before, after, why, answer (as in claims.sql).
SELECT occurrences, notes, patients, text, before, after, why, sentence_answer(text, before, after) AS answer
FROM candidates
