-- Purpose: what the ensemble claims on every distinct sentence: nothing on listed ones, slots on templates, and the
--          detectors' claims on the remainder. The only stage that pays for detection, once a distinct sentence.
-- Input:   sentences (sentences.sql); sentence_answer asks the span cache first, where there is one.
-- Output:  sentence_hash, answer: claims (start, end in bytes of the sentence; class, detector, score), and fresh (by member, the
--          answers that were not in the cache; none without a cache).
-- The answer is one column, for the engine would call the function once for each field that is taken out of it here.
SELECT sentence_hash, sentence_answer(text, before, after) AS answer
FROM sentences
