-- Purpose: in which types of notes detection misses most: what `evaluate` tells by label, by note type here.
-- Input:   notes (--notes); 'examples/warehouse/gold/', spans set by people; 'spans.parquet', what `detect` found.
-- Output:  note_type, gold (spans), exact (found with the same edges and label), touched (found at least in part, whatever the label),
--          missed, share_missed, predicted (spans), beside (that touch no gold span). No text: counts only.
-- Decoys and times of day do not count, as in `evaluate`.
-- Run:     plainsight sql --notes examples/warehouse/notes -f sql/queries/gold_by_note_type.sql
WITH gold AS (
    SELECT row_number() OVER () AS span, note_id, start, "end", label
    FROM 'examples/warehouse/gold/'
    WHERE label NOT IN ('NOT-PHI', 'TIME')
), predicted AS (
    SELECT row_number() OVER () AS span, note_id, start, "end", label
    FROM 'spans.parquet'
    WHERE label <> 'TIME'
), pairs AS (
    SELECT
        gold.span AS gold,
        predicted.span AS predicted,
        gold.start = predicted.start AND gold."end" = predicted."end" AND gold.label = predicted.label AS exact
    FROM gold JOIN predicted ON predicted.note_id = gold.note_id AND predicted.start < gold."end" AND gold.start < predicted."end"
), of_gold AS (
    SELECT note_id, count(*) AS gold, count(found) AS touched, count(*) FILTER (WHERE exact) AS exact
    FROM gold LEFT JOIN (SELECT gold AS found, bool_or(exact) AS exact FROM pairs GROUP BY gold) AS met ON met.found = gold.span
    GROUP BY note_id
), of_predicted AS (
    SELECT note_id, count(*) AS predicted, count(*) - count(found) AS beside
    FROM predicted LEFT JOIN (SELECT DISTINCT predicted AS found FROM pairs) AS met ON met.found = predicted.span
    GROUP BY note_id
)
SELECT
    note_type,
    sum(gold) AS gold,
    sum(exact) AS exact,
    sum(touched) AS touched,
    sum(gold) - sum(touched) AS missed,
    round(1.0 * (sum(gold) - sum(touched)) / sum(gold), 3) AS share_missed,
    sum(predicted) AS predicted,
    sum(beside) AS beside
FROM notes
LEFT JOIN of_gold ON of_gold.note_id = notes.note_id
LEFT JOIN of_predicted ON of_predicted.note_id = notes.note_id
GROUP BY note_type
ORDER BY share_missed DESC, note_type
