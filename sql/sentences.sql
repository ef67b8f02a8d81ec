-- Purpose: every distinct sentence once, with its text and the way it goes: listed, template or remainder.
-- Input:   counts (count.sql), documents.
-- Output:  sentence_hash, occurrences, route, text.
-- The counts are the small side and are broadcast; the text of a sentence is taken where it stands first, so that no text is
-- shuffled or grouped.
SELECT counts.sentence_hash, counts.occurrences, sentence_route(cut.text) AS route, cut.text
FROM counts
JOIN (
    SELECT document, sentence['sentence_hash'] AS sentence_hash, sentence['text'] AS text
    FROM (
        SELECT document, unnest(sentence_counts(text, true)) AS sentence
        FROM documents
    )
) AS cut
ON counts.first_document = cut.document AND counts.sentence_hash = cut.sentence_hash
