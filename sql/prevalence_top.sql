-- Purpose: how often the commonest sentences occur.
-- Input:   counts (count.sql).
-- Output:  occurrences, the most first.
SELECT occurrences
FROM counts
ORDER BY occurrences DESC
LIMIT 1000000
