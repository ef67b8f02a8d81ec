-- Purpose: how often every distinct sentence occurs, in how many notes, of how many patients; and where it stands first.
-- Input:   documents (document, note_id, patient, text_column, text): one row a note and text column.
-- Output:  sentence_hash, occurrences, notes (a text column counts by itself), patients, first_document.
-- Two steps, within a patient and then across, so that distinct patients are exact without a set for each sentence. Only
-- fixed-width values are grouped; the text is fetched by first_document for the sentences that need it. A patient is a keyed
-- hash of 64 bits: of ten million patients no two share one, but once in three hundred thousand corpora.
SELECT
    sentence_hash,
    sum(occurrences) AS occurrences,
    sum(notes) AS notes,
    count(*) AS patients,
    min(first_document) AS first_document
FROM (
    SELECT
        sentence['sentence_hash'] AS sentence_hash,
        patient_number,
        sum(sentence['occurrences']) AS occurrences,
        count(*) AS notes,
        min(document) AS first_document
    FROM (
        SELECT document, patient_number(patient) AS patient_number, unnest(sentence_counts(text)) AS sentence
        FROM documents
    )
    GROUP BY sentence['sentence_hash'], patient_number
)
GROUP BY sentence_hash
