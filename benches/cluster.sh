#!/usr/bin/env bash
# benches/cluster.sh PROGRAM NOTES: one executor of two slots beside two of one slot each, on this machine: what it costs to spread a run and a
# statement. The outputs must be the same. As many processors work in both cases, so this shows what it costs, not what it gains.
set -euo pipefail

program=$(realpath "${1:?usage: benches/cluster.sh PROGRAM NOTES}")
notes=${2:?usage: benches/cluster.sh PROGRAM NOTES}
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
"$program" key new key >/dev/null
"$program" generate --notes "$notes" --out wh 2>/dev/null
common=(--key-file key --patients wh/patients --ensemble knowledge)

now() { date +%s.%N; }
# listening LOG: waits until a member says that it is ready.
ready() { until grep -q ' for df://\| on df://' "$1" 2>/dev/null; do sleep 0.1; done; }

# cluster NAME SLOTS…: a scheduler and an executor for each number of slots.
cluster() {
    local name=$1 port=$((42000 + RANDOM % 1000 * 10)) number=0
    shift
    "$program" cluster scheduler --listen "127.0.0.1:$port" >"$name.scheduler" 2>&1 &
    ready "$name.scheduler"
    for slots in "$@"; do
        number=$((number + 1))
        "$program" cluster executor --scheduler "127.0.0.1:$port" --listen "127.0.0.1:$((port + number))" --slots "$slots" \
            --work "$name.$number" "${common[@]}" >"$name.executor.$number" 2>&1 &
        ready "$name.executor.$number"
    done
    address="df://127.0.0.1:$port"
}

# measured NAME: seconds of a run, and of a statement, by the cluster at $address.
measured() {
    local name=$1 begun
    begun=$(now)
    "$program" run --notes wh/notes "${common[@]}" --out "$name" --cluster "$address" --tasks 2 --exchange "$name.exchange" >/dev/null 2>&1
    run=$(echo "$(now) - $begun" | bc)
    begun=$(now)
    "$program" sql "${common[@]}" --cluster "$address" --format json -c "SELECT count(*) AS notes, sum(length(deidentify(text, patient_id))) AS length
        FROM 'wh/notes/'" >"$name.json"
    statement=$(echo "$(now) - $begun" | bc)
}

# most_of FOLDER…: the most bytes of files that they have held as yet, told whenever there are more.
most_of() {
    local most=0 bytes
    while :; do
        bytes=$({ find "$@" -type f -path '*shuffle*' -printf '%s\n' 2>/dev/null || true; } | awk '{ sum += $1 } END { printf "%.0f", sum }')
        if ((bytes > most)); then most=$bytes && echo "$most"; fi
        sleep 0.2
    done
}

cluster one 2
measured one
one=$run one_statement=$statement
kill $(jobs -p)
wait
cluster two 1 1
# What is handed on lies there until its statement ends.
most_of two.1 two.2 >handed_on &
measured two
handed_on=$(tail -n 1 handed_on)
cmp one/_plainsight/manifest.json two/_plainsight/manifest.json
cmp one.json two.json

python3 - "$one" "$run" "$one_statement" "$statement" "$handed_on" "$notes" <<'END'
import json, sys
one, two, one_statement, two_statement, handed_on, notes = (float(value) for value in sys.argv[1:])
sentences = json.load(open("two/_plainsight/run.json"))["sentences"]["occurrences"]
print(f"{notes:.0f} notes, {sentences} sentences")
print(f"run: one executor of two slots {one:.1f} s, two of one slot {two:.1f} s; ratio {two / one:.2f}")
print(f"deidentify in SQL: {one_statement:.1f} s, {two_statement:.1f} s; ratio {two_statement / one_statement:.2f}")
print(f"handed on by the statement: {handed_on / 1e6:.1f} MB, {handed_on / sentences:.1f} bytes a sentence")
END
