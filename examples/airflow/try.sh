#!/usr/bin/env bash
# Runs the DAG for one day, as `airflow dags test` does it: a real Airflow, a database of its own, no scheduler.
# Needs the programs `plainsight` and Python 3.11 on the PATH. Installing Airflow takes a minute, once.
set -euo pipefail

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
environment=${XDG_CACHE_HOME:-$HOME/.cache}/plainsight-airflow
place=$(mktemp -d "${TMPDIR:-/tmp}/plainsight-airflow.XXXXXX")
trap 'rm -rf "$place"' EXIT

if [[ ! -e $environment/installed ]]; then
    python3.11 -m venv "$environment"
    "$environment/bin/pip" install --quiet --requirement "$folder/requirements.txt" --constraint "$folder/constraints.txt"
    touch "$environment/installed"
fi

# A day of notes, as a warehouse would hold them. The day before has none.
sample=$folder/../warehouse
mkdir -p "$place/notes/day=2026-11-20"
cp "$sample"/notes/*.parquet "$place/notes/day=2026-11-20/"
plainsight key new "$place/key.hex" >"$place/key.id"

export AIRFLOW_HOME=$place/airflow
export AIRFLOW__CORE__DAGS_FOLDER=$folder AIRFLOW__CORE__LOAD_EXAMPLES=False AIRFLOW__LOGGING__LOGGING_LEVEL=WARNING
export AIRFLOW_VAR_PLAINSIGHT_NOTES=$place/notes AIRFLOW_VAR_PLAINSIGHT_PATIENTS=$sample/patients AIRFLOW_VAR_PLAINSIGHT_OUT=$place/out
AIRFLOW_CONN_PLAINSIGHT=$(printf '{"conn_type": "generic", "password": "%s"}' "$(tr -d '\n' <"$place/key.hex")")
export AIRFLOW_CONN_PLAINSIGHT

airflow() {
    PYTHONDONTWRITEBYTECODE=1 "$environment/bin/airflow" "$@"
}

# `dags test` takes the end of the interval: the 21st at midnight for the notes of the 20th.
states() {
    airflow dags test plainsight_daily "$1" >"$place/log" 2>&1 || { cat "$place/log" >&2; return 1; }
    airflow tasks states-for-dag-run plainsight_daily "$1T00:00:00+00:00" --output plain 2>/dev/null |
        awk -v day="$1" 'NR > 1 { printf "interval ending %s  %-10s  %s\n", day, $3, $4 }'
}

airflow db migrate >"$place/log" 2>&1 || { cat "$place/log" >&2; exit 1; }
states 2026-11-21
states 2026-11-20
(cd "$place/out" && find . -type f | sort)
