-- Purpose: the notes, de-identified: what `run` writes.
-- Input:   notes (__note, __patient, the columns of the source); note_spans joins claims back to a text.
-- Parameters, made from the roles of the columns:
--   {claims}   for each text column: note_spans("text", __patient) AS "__claims text"
--   {columns}  for each column that is not dropped, by role:
--                text           replace_spans("text", __patient, "__claims text") AS "text"
--                                 with --anchor-column: replace_spans(…, NULL, NULL, "anchor")
--                date           shift_date("date", __patient) AS "date"
--                id, note,      pseudonym('namespace', "id") AS "id"
--                  patient
--                mapped         mapped_value('LABEL', "column", __patient) AS "column"
--                keep           "column"
--              with --map-offsets, for each text column: replaced_spans(…) AS "__offsets text"; and the note's own name
--              for each date and mapped column: "column" IS NOT NULL AS "__given column"
-- Output:  the columns, in the order of the source; the claims and values given, which the writer counts, and the offsets, which it writes elsewhere.
SELECT {columns}
FROM (
    SELECT *, {claims}
    FROM notes
)
