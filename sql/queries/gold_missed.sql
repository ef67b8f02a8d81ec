-- Purpose: what was missed, in its words: the gold spans that no found span touches, grouped by label and value.
-- Input:   notes (--notes); 'examples/warehouse/gold/', spans set by people; 'spans.parquet', what `detect` found.
-- Output:  label, times, notes, value, example (thirty characters before and after, once). Confidential: it quotes the notes.
-- Decoys and times of day do not count, as in `evaluate`.
-- Run:     plainsight sql --notes examples/warehouse/notes -f sql/queries/gold_missed.sql
WITH missed AS (
    SELECT gold.note_id, gold.start, gold."end", gold.label
    FROM 'examples/warehouse/gold/' AS gold
    LEFT ANTI JOIN 'spans.parquet' AS spans
        ON spans.note_id = gold.note_id AND spans.start < gold."end" AND gold.start < spans."end"
    WHERE gold.label NOT IN ('NOT-PHI', 'TIME')
), quoted AS (
    SELECT
        label,
        notes.note_id,
        substr(text, start + 1, "end" - start) AS value,
        regexp_replace(substr(text, greatest(start - 29, 1), "end" - greatest(start - 30, 0) + 30), '\s+', ' ', 'g') AS example
    FROM missed JOIN notes ON notes.note_id = missed.note_id
)
SELECT label, count(*) AS times, count(DISTINCT note_id) AS notes, value, min(example) AS example
FROM quoted
GROUP BY label, value
ORDER BY times DESC, label, value
LIMIT 100
