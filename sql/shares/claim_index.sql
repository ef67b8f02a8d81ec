-- Purpose: the claims on the sentences of a share in the order of their hashes, to be looked up: the way back to its notes.
-- Input:   received (send_claims.sql of every task).
-- Output:  sentence_hash, claims.
SELECT sentence_hash, claims
FROM received
ORDER BY sentence_hash
