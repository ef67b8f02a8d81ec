-- Purpose: what the ensemble claims on the sentences of each share, on its way back to the task of that share.
-- Input:   received (send_sentences.sql of every task), claims (claims.sql).
-- Output:  receiver, sentence_hash, claims; in the order of receivers.
SELECT received.share AS receiver, claims.sentence_hash, claims.answer['claims'] AS claims
FROM received
JOIN claims ON received.sentence_hash = claims.sentence_hash
ORDER BY receiver
