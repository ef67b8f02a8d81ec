-- Purpose: notes to be read by a person before anything is released: some of each type, the text beside what `run` made of it, and
--          what was found in it.
-- Input:   notes (--notes); 'deidentified/', what `run` wrote of them; 'spans.parquet', what `detect` found in them. All three with
--          one key: the note's pseudonym leads from the one to the other.
-- Parameters: notes, how many notes of each type; seed, another word draws other notes. The same key and seed draw the same
--          notes again, whatever their order, and nobody without the key can tell which.
-- Output:  note_type, note_id, before, after, found (label and value, in the order of the text; what the policy keeps is among them).
--          A note in which nothing was found has an empty list: read it first. Confidential.
-- Run:     plainsight sql --key-file key.hex --notes examples/warehouse/notes --format json \
--              -f sql/queries/audit_sample.sql
WITH parameters AS (
    SELECT 2 AS notes, 'first audit' AS seed
), drawn AS (
    SELECT note_id
    FROM (
        SELECT
            note_id,
            row_number() OVER (PARTITION BY note_type ORDER BY encode(sentence_hash(seed || ' ' || note_id), 'hex')) AS place
        FROM notes CROSS JOIN parameters
    )
    WHERE place <= (SELECT notes FROM parameters)
), found AS (
    SELECT notes.note_id, array_agg(label || ': ' || substr(text, start + 1, "end" - start) ORDER BY start) AS found
    FROM notes JOIN 'spans.parquet' AS spans ON spans.note_id = notes.note_id
    WHERE notes.note_id IN (SELECT note_id FROM drawn)
    GROUP BY notes.note_id
)
SELECT notes.note_type, notes.note_id, notes.text AS before, output.text AS after, coalesce(found, make_array()) AS found
FROM notes
JOIN drawn ON drawn.note_id = notes.note_id
LEFT JOIN 'deidentified/' AS output ON output.note_id = pseudonym('note_id', notes.note_id)
LEFT JOIN found ON found.note_id = notes.note_id
ORDER BY notes.note_type, notes.note_id
