-- Purpose: the identifiers of every note, as users see them.
-- Input:   documents; note_spans(text, patient) joins the claims of known sentences back and matches the patient's record.
-- Output:  note_id, text_column, start, end (half-open, in code points), label, claims, score; one row an identifier.
SELECT
    note_id,
    text_column,
    span['start'] AS start,
    span['end'] AS "end",
    span['label'] AS label,
    span['claims'] AS claims,
    span['score'] AS score
FROM (
    SELECT note_id, text_column, unnest(located_spans(text, note_spans(text, patient))) AS span
    FROM documents
)
