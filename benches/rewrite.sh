#!/usr/bin/env bash
# benches/rewrite.sh PROGRAM NOTES ENSEMBLE: statements over a column, rewritten over its distinct sentences and not, three times in turn. What is not
# rewritten shares sentences among the 8,192 rows that a function is given at once; with one row at once it shares those of a note alone.
set -euo pipefail

program=$(realpath "${1:?usage: benches/rewrite.sh PROGRAM NOTES ENSEMBLE}")
notes=${2:?usage: benches/rewrite.sh PROGRAM NOTES ENSEMBLE}
ensemble=${3:?usage: benches/rewrite.sh PROGRAM NOTES ENSEMBLE}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$program" key new key >/dev/null
"$program" generate --notes "$notes" --out wh 2>/dev/null

now() { date +%s.%N; }
# measured SETTINGS STATEMENT: its seconds; what it answers must be what it answered before.
measured() {
    local begun
    begun=$(now)
    "$program" sql --key-file key --ensemble "$ensemble" --format csv -c "$1 SELECT $2 FROM 'wh/notes/'" >answer
    seconds=$(echo "$(now) - $begun" | bc)
    [ -e expected ] || cp answer expected
    cmp answer expected
}

whole='SET plainsight.distinct_detection = false;'
for statement in 'sum(cardinality(phi_spans(text)))' 'sum(length(deidentify(text, patient_id)))'; do
    rm -f expected
    for round in 1 2 3; do
        measured '' "$statement"
        rewritten=$seconds
        measured "$whole" "$statement"
        shared=$seconds
        measured "$whole SET datafusion.execution.batch_size = 1;" "$statement"
        echo "$notes notes, $ensemble, $statement: rewritten $rewritten s; not, 8,192 rows at once $shared s," \
            "$(echo "scale=2; $shared / $rewritten" | bc) times; one row at once $seconds s, $(echo "scale=2; $seconds / $rewritten" | bc) times"
    done
done
