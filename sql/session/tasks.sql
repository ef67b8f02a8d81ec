-- Purpose: the tasks of a run on a cluster, done by whichever executors are free.
-- Input:   tasks (run, task): what the run is, and those of its tasks that are not done yet, a partition each.
-- Output:  task, outcome: how each has ended.
SELECT task, run_task(run, task) AS outcome
FROM tasks
