-- Purpose: the shapes of sentences with claims.
-- Input:   tagged (template_sentences.sql).
-- Output:  sentence_hash, occurrences, syntax, ner; sentences of which no template can be made are left out.
SELECT
    sentence_hash,
    occurrences,
    syntax_template(text, answer['claims']) AS syntax,
    ner_template(text, answer['claims']) AS ner
FROM tagged
WHERE cardinality(answer['claims']) > 0
