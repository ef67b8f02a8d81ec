-- Purpose: how much of each note type an inclusion list spares, and which types it does nothing for.
-- Input:   notes (--notes); the list (--inclusion).
-- Output:  note_type, sentences, listed (how many of them are on the list), share, notes,
--          wholly_listed (notes of listed sentences alone). No text: counts only.
-- Run:     plainsight sql --key-file key.hex --notes examples/warehouse/notes --inclusion list.txt \
--              -f sql/queries/inclusion_coverage.sql
WITH occurrences AS (
    SELECT note_type, note_id, unnest(sentences(text))['text'] AS sentence
    FROM notes
), of_notes AS (
    SELECT note_type, note_id, count(*) AS sentences, count(*) FILTER (WHERE is_included(sentence)) AS listed
    FROM occurrences
    GROUP BY note_type, note_id
)
SELECT
    note_type,
    sum(sentences) AS sentences,
    sum(listed) AS listed,
    round(1.0 * sum(listed) / sum(sentences), 3) AS share,
    count(*) AS notes,
    count(*) FILTER (WHERE listed = sentences) AS wholly_listed
FROM of_notes
GROUP BY note_type
ORDER BY share DESC, note_type
