"""A corpus in brat standoff as marked notes for `train.py --gold`, its labels by a map of `src/evaluate/label_maps`.

    python brat.py meddocan/train/brat ../../src/evaluate/label_maps/meddocan.toml meddocan.jsonl

Where the corpus has one type for towns and postal codes, what is digits only is a postal code.
"""

import json
import sys
import tomllib
from pathlib import Path


def notes(folder, labels):
    for path in sorted(folder.glob("*.txt")):
        text, spans = path.read_bytes().decode("utf-8"), []
        for line in path.with_suffix(".ann").read_text(encoding="utf-8").splitlines():
            if line.startswith("T"):
                kind, start, end = line.split("\t")[1].split(";")[0].split(" ")
                label = labels[kind]
                start, end = int(start), int(end)
                if label == "CITY" and text[start:end].strip().isdigit():
                    label = "ZIP"
                if label:
                    spans.append([start, end, label])
        yield {"text": text, "spans": sorted(spans)}


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    labels = tomllib.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))["labels"]
    with open(sys.argv[3], "w", encoding="utf-8") as out:
        for note in notes(Path(sys.argv[1]), labels):
            out.write(json.dumps(note) + "\n")
