-- Purpose: a leak check: which values of a patient's record still stand in that patient's notes after `run`.
-- Input:   'examples/warehouse/patients/', the records; 'deidentified/', what `run` wrote with this key.
-- Parameters: characters, the least length of a value: short ones are found everywhere.
-- Output:  field, known (values of all patients), left (those that stand in a note of the patient), notes (in how many), by_chance
--          (values that stand in the notes of the next patient in the list: no leak, for surrogates are names and towns as well).
--          More left than by chance is for a person to look at. No value is shown.
-- Case, punctuation and spaces are made alike on both sides, and only whole words count: (507) 284-2511 is found as 507.284.2511.
-- Run:     plainsight sql --key-file key.hex -f sql/queries/records_left.sql
WITH parameters AS (
    SELECT 4 AS characters
), listed AS (
    SELECT *, coalesce(lead(patient_id) OVER (ORDER BY patient_id), min(patient_id) OVER ()) AS next_patient
    FROM 'examples/warehouse/patients/'
), fields AS (
    SELECT patient_id, next_patient, 'given_name' AS field, given_name AS value FROM listed
    UNION ALL SELECT patient_id, next_patient, 'middle_name', middle_name FROM listed
    UNION ALL SELECT patient_id, next_patient, 'family_name', family_name FROM listed
    UNION ALL SELECT patient_id, next_patient, 'maiden_name', maiden_name FROM listed
    UNION ALL SELECT patient_id, next_patient, 'street', street FROM listed
    UNION ALL SELECT patient_id, next_patient, 'city', city FROM listed
    UNION ALL SELECT patient_id, next_patient, 'email', email FROM listed
    UNION ALL SELECT patient_id, next_patient, 'mrn', mrn FROM listed
    UNION ALL SELECT patient_id, next_patient, 'ssn', ssn FROM listed
    UNION ALL SELECT patient_id, next_patient, 'health_plan_id', health_plan_id FROM listed
    UNION ALL SELECT patient_id, next_patient, 'employer', employer FROM listed
    UNION ALL SELECT patient_id, next_patient, 'aliases', unnest(aliases) FROM listed
    UNION ALL SELECT patient_id, next_patient, 'phones', unnest(phones) FROM listed
    UNION ALL SELECT patient_id, next_patient, 'other_ids', unnest(other_ids) FROM listed
    UNION ALL SELECT patient_id, next_patient, 'kin', unnest(kin) FROM listed
    UNION ALL SELECT patient_id, next_patient, 'providers', unnest(providers) FROM listed
), known AS (
    SELECT field, patient_id, next_patient, ' ' || trim(regexp_replace(lower(value), '[^\pL\pN]+', ' ', 'g')) || ' ' AS words
    FROM fields
    WHERE character_length(value) >= (SELECT characters FROM parameters)
), output AS (
    SELECT note_id, patient_id, ' ' || regexp_replace(lower(text), '[^\pL\pN]+', ' ', 'g') || ' ' AS words
    FROM 'deidentified/'
), found AS (
    SELECT known.field, known.words, output.patient_id, output.note_id, 'own' AS whose
    FROM known JOIN output ON output.patient_id = pseudonym('patient', known.patient_id)
    WHERE contains(output.words, known.words)
    UNION ALL
    SELECT known.field, known.words, output.patient_id, output.note_id, 'next' AS whose
    FROM known JOIN output ON output.patient_id = pseudonym('patient', known.next_patient)
    WHERE contains(output.words, known.words)
), totals AS (
    SELECT
        field,
        count(DISTINCT CASE WHEN whose = 'own' THEN patient_id || words END) AS left,
        count(DISTINCT CASE WHEN whose = 'own' THEN note_id END) AS notes,
        count(DISTINCT CASE WHEN whose = 'next' THEN patient_id || words END) AS by_chance
    FROM found
    GROUP BY field
)
SELECT
    known.field,
    count(*) AS known,
    coalesce(min(totals.left), 0) AS left,
    coalesce(min(totals.notes), 0) AS notes,
    coalesce(min(by_chance), 0) AS by_chance
FROM known LEFT JOIN totals ON totals.field = known.field
GROUP BY known.field
ORDER BY left DESC, known.field
