-- Purpose: the notes with the most identifiers and the densest ones: face sheets, referral letters, copied messages. They are read
--          first, or left out of a release.
-- Input:   notes (--notes); 'spans.parquet', what `detect` found in them.
-- Parameters: notes, how many by number, and how many by density.
-- Output:  note_id, note_type, characters, identifiers, of_1000 (for each 1,000 characters), labels (how often which).
--          Confidential: ids of notes.
-- Run:     plainsight sql --notes examples/warehouse/notes -f sql/queries/notes_with_most_identifiers.sql
WITH parameters AS (
    SELECT 10 AS notes
), labels AS (
    SELECT note_id, label, count(*) AS spans
    FROM 'spans.parquet'
    GROUP BY note_id, label
), of_notes AS (
    SELECT note_id, sum(spans) AS identifiers, string_agg(label || ' ' || spans, ', ' ORDER BY spans DESC, label) AS labels
    FROM labels
    GROUP BY note_id
), ranked AS (
    SELECT
        notes.note_id,
        note_type,
        character_length(text) AS characters,
        identifiers,
        round(1000.0 * identifiers / character_length(text), 1) AS of_1000,
        labels,
        row_number() OVER (ORDER BY identifiers DESC, notes.note_id) AS by_number,
        row_number() OVER (ORDER BY 1.0 * identifiers / character_length(text) DESC, notes.note_id) AS by_density
    FROM notes JOIN of_notes ON of_notes.note_id = notes.note_id
)
SELECT note_id, note_type, characters, identifiers, of_1000, labels
FROM ranked
WHERE least(by_number, by_density) <= (SELECT notes FROM parameters)
ORDER BY identifiers DESC, note_id
