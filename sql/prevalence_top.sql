-- Purpose: how many sentences occur how often, from which the share of the commonest follows.
-- Input:   counts (count.sql).
-- Output:  occurrences, the most first; sentences that occur so often.
SELECT occurrences, count(*) AS sentences
FROM counts
GROUP BY occurrences
ORDER BY occurrences DESC
