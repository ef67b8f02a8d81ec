-- Purpose: every distinct sentence once, with its text and the way it goes: listed, template or remainder.
-- Input:   documents; first_sentences(document, text) looks each sentence up in the counts (count.sql, by hash in a file that is
--          mapped) and gives those that stand first in this document.
-- Output:  sentence_hash, occurrences, notes, patients, route, text, before, after (the context of a fragment, else empty).
-- No table is joined and no text is shuffled, so memory does not grow with the corpus.
SELECT
    sentence['sentence_hash'] AS sentence_hash,
    sentence['occurrences'] AS occurrences,
    sentence['notes'] AS notes,
    sentence['patients'] AS patients,
    sentence_route(sentence['text'], sentence['before'], sentence['after']) AS route,
    sentence['text'] AS text,
    sentence['before'] AS before,
    sentence['after'] AS after
FROM (
    SELECT unnest(first_sentences(document, text)) AS sentence
    FROM documents
)
