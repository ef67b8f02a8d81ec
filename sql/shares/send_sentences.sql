-- Purpose: the distinct sentences of a task's share of the notes, on their way to the tasks that judge them: every text goes to one task, in
--          whatever context it stands.
-- Input:   sentences (sentences.sql).
-- Parameters: {task}, the number of the task; {tasks}, how many there are.
-- Output:  receiver, share, sentence_hash, route, text, before, after; in the order of receivers.
SELECT
    task_of(text, {tasks}) AS receiver,
    {task} AS share,
    sentence_hash,
    route,
    text,
    before,
    after
FROM sentences
ORDER BY receiver
