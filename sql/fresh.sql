-- Purpose: the answers that one member gave in this run, in the order of hashes: a segment of its span cache.
-- Input:   claims (claims.sql).
-- Parameters: {member}, its number among those of the ensemble, from 1.
-- Output:  sentence_hash, answer.
SELECT sentence_hash, answer['fresh'][{member}] AS answer
FROM claims
WHERE answer['fresh'][{member}] IS NOT NULL
ORDER BY sentence_hash
