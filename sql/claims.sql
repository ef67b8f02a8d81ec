-- Purpose: what the ensemble claims on every distinct sentence: nothing on listed ones, slots on templates, and the
--          detectors' claims on the remainder. The only stage that pays for detection, once a distinct sentence.
-- Input:   sentences (sentences.sql).
-- Output:  sentence_hash, claims (start, end in bytes of the sentence; class, detector, score).
SELECT sentence_hash, sentence_claims(text) AS claims
FROM sentences
