-- Purpose: the notes of those patients in whose notes a drug or disease is mentioned, de-identified, each patient's together and in
--          the order of time.
-- Input:   notes (--notes), and the patients' records (--patients).
-- Parameters: mention, a regular expression; \b is the edge of a word.
-- Output:  cohort.parquet: patient_id, note_id (pseudonyms, as in what `run` writes with that key), place (first, second, … note of
--          the patient), note_datetime (shifted), note_type, mentioned (in this note), text (de-identified). Printed: how many notes.
-- Each note is read by itself: what other notes of a patient tell of him (the second pass of `run`) is not looked for. For a release
-- take the notes from what `run` wrote: FROM 'deidentified/', with its own columns, and without the four functions below.
-- Run:     plainsight sql --key-file key.hex --notes examples/warehouse/notes --patients examples/warehouse/patients --ensemble fast \
--              -f sql/queries/cohort.sql
COPY (
    WITH parameters AS (
        SELECT '\b(metformin|glucophage)\b' AS mention
    ), read AS (
        SELECT notes.*, regexp_like(text, mention, 'i') AS mentioned
        FROM notes CROSS JOIN parameters
    )
    SELECT
        pseudonym('patient', patient_id) AS patient_id,
        pseudonym('note_id', note_id) AS note_id,
        row_number() OVER (PARTITION BY patient_id ORDER BY note_datetime, note_id) AS place,
        shift_date(note_datetime, patient_id) AS note_datetime,
        note_type,
        mentioned,
        deidentify(text, patient_id) AS text
    FROM read
    WHERE patient_id IN (SELECT patient_id FROM read WHERE mentioned)
    ORDER BY 1, 3
) TO 'cohort.parquet'
