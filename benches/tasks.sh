#!/usr/bin/env bash
# benches/tasks.sh PROGRAM NOTES [TASKS]: one run by one process, and by several tasks on this machine with as many workers in all: what the
# exchange costs in time, and how much goes through it. The outputs must be the same.
set -euo pipefail

program=$(realpath "${1:?usage: benches/tasks.sh PROGRAM NOTES [TASKS]}")
notes=${2:?usage: benches/tasks.sh PROGRAM NOTES [TASKS]}
tasks=${3:-2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$program" key new key >/dev/null
"$program" generate --notes "$notes" --out wh 2>/dev/null
common=(run --notes wh/notes --patients wh/patients --key-file key --ensemble knowledge)

now() { date +%s.%N; }
begun=$(now)
"$program" "${common[@]}" --partitions "$tasks" --out alone >/dev/null 2>&1
alone=$(echo "$(now) - $begun" | bc)
begun=$(now)
for task in $(seq "$tasks"); do
    "$program" "${common[@]}" --partitions 1 --out together --task "$task/$tasks" --exchange exchange >"$task.log" 2>&1 &
done
for _ in $(seq "$tasks"); do wait -n || { cat ./*.log >&2; exit 1; }; done
together=$(echo "$(now) - $begun" | bc)
cmp alone/_plainsight/manifest.json together/_plainsight/manifest.json

python3 - "$alone" "$together" "$tasks" "$notes" <<'END'
import json, sys
alone, together, tasks, notes = float(sys.argv[1]), float(sys.argv[2]), sys.argv[3], sys.argv[4]
report = json.load(open("together/_plainsight/run.json"))
exchanged, sentences = report["tasks"]["exchanged_bytes"], report["sentences"]
print(f"{notes} notes, {sentences['occurrences']} sentences, {sentences['distinct']} distinct")
print(f"one process, {tasks} workers: {alone:.1f} s; {tasks} tasks of one worker: {together:.1f} s; ratio {together / alone:.2f}")
print(f"exchanged: {exchanged / 1e6:.1f} MB, {exchanged / sentences['occurrences']:.1f} bytes a sentence, "
      f"{exchanged / sentences['distinct']:.1f} a distinct one")
END
