-- Purpose: what kinds of identifiers stand in which types of notes.
-- Input:   notes (--notes); 'spans.parquet', what `detect` found in them.
-- Output:  note_type, label, spans, notes (with one at least), share (of the notes of that type), of_a_note (spans a note of the
--          type). No text: counts only.
-- Run:     plainsight sql --notes examples/warehouse/notes -f sql/queries/labels_by_note_type.sql
WITH types AS (
    SELECT note_type, count(*) AS notes
    FROM notes
    GROUP BY note_type
), labels AS (
    SELECT note_type, label, count(*) AS spans, count(DISTINCT notes.note_id) AS notes
    FROM notes JOIN 'spans.parquet' AS spans ON spans.note_id = notes.note_id
    GROUP BY note_type, label
)
SELECT
    labels.note_type,
    label,
    spans,
    labels.notes,
    round(1.0 * labels.notes / types.notes, 2) AS share,
    round(1.0 * spans / types.notes, 1) AS of_a_note
FROM labels JOIN types ON types.note_type = labels.note_type
ORDER BY labels.note_type, spans DESC, label
