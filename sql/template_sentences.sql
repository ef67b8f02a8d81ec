-- Purpose: every distinct sentence of a sample with what the ensemble claims on it, and the shapes of those in which it claims
--          something: what is claimed replaced by runs of letters and digits (syntax), or by tags (ner; Murugadoss et al. 2021).
-- Input:   sentences (sentences.sql).
-- Output:  sentence_hash, occurrences, text, answer (as in claims.sql).
SELECT sentence_hash, occurrences, text, sentence_answer(text, before, after) AS answer
FROM sentences
WHERE route = 'remainder'
