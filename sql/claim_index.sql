-- Purpose: the claims in the order of their hashes, to be looked up: the way back to notes.
-- Input:   claims (claims.sql).
-- Output:  sentence_hash, claims.
SELECT sentence_hash, answer['claims'] AS claims
FROM claims
ORDER BY sentence_hash
