#!/usr/bin/env bash
# The main job on the sample warehouse beside this script: de-identify its notes, show some before and after, and score what was
# found against the gold spans. Needs a Rust toolchain and nothing else. The first build compiles the query engine and takes minutes.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
sample=examples/warehouse
result=$(mktemp -d "${TMPDIR:-/tmp}/plainsight-quickstart.XXXXXX")

heading() {
    if [[ -t 1 ]]; then printf '\n\033[1m%s\033[0m\n\n' "$1"; else printf '\n%s\n\n' "$1"; fi
}

plainsight() {
    cargo run --quiet -- "$@"
}

# One note by its place in the file: the output has the same rows in the same order, under pseudonyms.
before_and_after() {
    plainsight sql -c "
        SELECT before.text AS before, after.text AS after
        FROM (SELECT text, row_number() OVER () AS place FROM '$sample/notes/part-000000.parquet') AS before
        JOIN (SELECT text, row_number() OVER () AS place FROM '$result/out/part-000000.parquet') AS after ON before.place = after.place
        WHERE before.place = $1"
}

heading "Build"
cargo build

heading "De-identify 60 notes of 6 patients"
echo "id of the new key: $(plainsight key new "$result/key.hex")"
plainsight run --notes "$sample/notes" --patients "$sample/patients" --key-file "$result/key.hex" --out "$result/out"

heading "Before and after: two notes of one patient, and one of another"
for place in 54 18 22; do
    before_and_after "$place"
done

heading "What was found, against the gold spans"
plainsight detect --notes "$sample/notes" --patients "$sample/patients" --key-file "$result/key.hex" \
    --out "$result/spans.parquet" >"$result/detect.log" 2>&1 || { cat "$result/detect.log" >&2; exit 1; }
plainsight evaluate --gold "$sample/gold" --predicted "$result/spans.parquet"

heading "Where it lies"
cat <<END
$result/out/part-000000.parquet     the notes, de-identified
$result/out/_plainsight/run.json    the report
$result/spans.parquet               where the identifiers stand: confidential
$result/key.hex                     the key: confidential
END
