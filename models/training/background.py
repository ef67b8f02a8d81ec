"""Clinical text nearly free of identifiers, as notes for `plainsight detect`: what the engine finds in them is replaced by fresh
values in training, and sentences where something may have been missed are left out (recipe/mixture.py).

    python background.py CORPORA background.jsonl
"""

import csv
import json
import sys
from pathlib import Path


def notes(corpora):
    csv.field_size_limit(1 << 24)
    for path in sorted((corpora / "aci_bench/data/challenge_data").glob("*.csv")):
        if not path.stem.endswith("metadata"):
            for row in _rows(path):
                yield f"aci-{path.stem}-{row['encounter_id']}", row["note"]
    for path in sorted((corpora / "mts_dialog/Main-Dataset").glob("*.csv")):
        for row in _rows(path):
            yield f"mts-{path.stem}-{row['ID']}", row["section_text"]


def _rows(path):
    with path.open(encoding="utf-8", errors="replace", newline="") as lines:
        yield from csv.DictReader(lines)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        for note_id, text in notes(Path(sys.argv[1])):
            out.write(json.dumps({"note_id": note_id, "patient_id": note_id, "text": text}) + "\n")
