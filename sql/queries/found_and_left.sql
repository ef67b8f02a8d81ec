-- Purpose: a leak check: of what `detect` found in a note, how much still stands in what `run` made of that note.
-- Input:   notes (--notes); 'spans.parquet', what `detect` found in them; 'deidentified/', what `run` wrote with this key.
-- Output:  label, found (spans of four characters or more), left (spans whose characters stand in the output of the same note), share.
--          No value is shown. What the policy keeps (AGE up to 89, TIME, PROFESSION with C) is left wholly; of the others, a few by
--          chance: a year, a weekday, a name that is also a word.
-- Run:     plainsight sql --key-file key.hex --notes examples/warehouse/notes -f sql/queries/found_and_left.sql
WITH found AS (
    SELECT label, pseudonym('note_id', notes.note_id) AS note_id, substr(text, start + 1, "end" - start) AS value
    FROM notes JOIN 'spans.parquet' AS spans ON spans.note_id = notes.note_id
    WHERE "end" - start >= 4
), looked_for AS (
    SELECT label, contains(text, value) AS stands
    FROM found JOIN 'deidentified/' AS output ON output.note_id = found.note_id
)
SELECT
    label,
    count(*) AS found,
    count(*) FILTER (WHERE stands) AS left,
    round(1.0 * count(*) FILTER (WHERE stands) / count(*), 3) AS share
FROM looked_for
GROUP BY label
ORDER BY share DESC, label
