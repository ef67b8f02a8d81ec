-- Purpose: the notes, de-identified: what `run` writes.
-- Input:   notes (__note, __patient, the columns of the source); note_spans joins claims back to a text.
-- Parameters, made from the roles of the columns:
--   {claims}   for each text column: note_spans("text", __patient) AS "__claims text"
--   {columns}  for each column that is not dropped, by role:
--                text           replace_spans("text", __patient, "__claims text") AS "text"
--                date           shift_date("date", __patient) AS "date"
--                id, note,      pseudonym('namespace', "id") AS "id"
--                  patient
--                keep           "column"
-- Output:  the columns, in the order of the source; the claims, which the writer counts and leaves out.
SELECT {columns}
FROM (
    SELECT *, {claims}
    FROM notes
)
