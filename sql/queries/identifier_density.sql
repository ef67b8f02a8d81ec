-- Purpose: how dense identifiers are, by note type and year: what to read first, and what has changed over the years.
-- Input:   notes (--notes), and the patients' records (--patients), which are matched too. Detects anew: it takes as long as `detect`.
-- Parameters: notes, the least number of notes of a type and year.
-- Output:  note_type, year, notes, characters, identifiers, of_1000 (identifiers for each 1,000 characters). No text: counts only.
-- Run:     plainsight sql --notes examples/warehouse/notes --patients examples/warehouse/patients --ensemble fast \
--              -f sql/queries/identifier_density.sql
WITH parameters AS (
    SELECT 2 AS notes
), of_notes AS (
    SELECT
        note_type,
        date_part('year', note_datetime) AS year,
        character_length(text) AS characters,
        cardinality(phi_spans(text, patient_id)) AS identifiers
    FROM notes
)
SELECT
    note_type,
    year,
    count(*) AS notes,
    sum(characters) AS characters,
    sum(identifiers) AS identifiers,
    round(1000.0 * sum(identifiers) / sum(characters), 1) AS of_1000
FROM of_notes
GROUP BY note_type, year
HAVING count(*) >= (SELECT notes FROM parameters)
ORDER BY of_1000 DESC, note_type, year
