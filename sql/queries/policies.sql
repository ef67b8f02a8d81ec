-- Purpose: what each policy would keep of what was found, before one is chosen.
-- Input:   'spans.parquet', what `detect` found: it marks everything, whatever the policy, with all claims on a span.
-- Output:  label, found, kept_by_a, kept_by_b, kept_by_c, kept_by_d (spans). No text: counts only.
-- A span is replaced if any claim on it is of a class that the policy removes. The classes that A keeps stand below, with the
-- first policy that removes each; every other class is removed by all four.
-- Run:     plainsight sql -f sql/queries/policies.sql
WITH kept_by_a(class, removed_by) AS (
    VALUES
        ('DOCTOR', 'B'), ('USERNAME', 'B'), ('STATE', 'B'),
        ('HOSPITAL', 'C'), ('LOCATION-OTHER:unit', 'C'), ('COUNTRY', 'C'),
        ('PROFESSION', 'D'), ('DATE:holiday', 'D'), ('DATE:weekday', 'D'),
        ('AGE:up-to-89', 'none'), ('TIME', 'none')
), spans AS (
    SELECT row_number() OVER () AS span, label, claims
    FROM 'spans.parquet'
), claimed AS (
    SELECT span, label, unnest(claims)['class'] AS class
    FROM spans
), decided AS (
    SELECT span, label, min(coalesce(removed_by, 'A')) AS removed_by
    FROM claimed LEFT JOIN kept_by_a ON kept_by_a.class = claimed.class
    GROUP BY span, label
)
SELECT
    label,
    count(*) AS found,
    count(*) FILTER (WHERE removed_by > 'A') AS kept_by_a,
    count(*) FILTER (WHERE removed_by > 'B') AS kept_by_b,
    count(*) FILTER (WHERE removed_by > 'C') AS kept_by_c,
    count(*) FILTER (WHERE removed_by > 'D') AS kept_by_d
FROM decided
GROUP BY label
ORDER BY kept_by_a DESC, found DESC, label
