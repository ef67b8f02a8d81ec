"""The notes of `tests/notes` that models may learn from, as marked notes for `train.py --gold` and `sentences.py`.

    python handwritten.py ../../tests/notes handwritten.jsonl

A `[[LABEL|value]]` is an identifier, a `{{word}}` is none. Halves that are kept back are never read; nor is any note of the sets of
`MEASURED`, whose authors nobody has learned from: they tell what the models find in the notes of new authors, and thresholds are
chosen on their halves of development.
"""

import json
import re
import sys
from pathlib import Path

#: The sets that are kept for measuring, both halves of them.
MEASURED = {"audit", "community", "daily", "encounters", "exam", "feeds", "field", "forms", "mixed", "ordinary", "outpatients", "rough", "safetynet", "teaching", "typed"}
#: Notes in other languages that rules were developed on.
LANGUAGES = {1, 3, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 25, 27, 29}
_MARK = re.compile(r"\[\[([A-Z-]+)\|(.*?)\]\]|\{\{(.*?)\}\}", re.DOTALL)


def notes(folder):
    """The marked texts that may be learned from, in the order of their files."""
    for path in sorted(folder.rglob("*.txt")):
        of = path.relative_to(folder).parts[0]
        if of in MEASURED or not _developed(of, path):
            continue
        parts = re.split(r"^---$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        # A note of a patient with a record has a header.
        yield from parts[2:] if of == "development" else parts


def _developed(of, path):
    if of in ("names", "clean"):
        return int(path.stem[:2]) % 2 == 1
    if of == "languages":
        return int(path.stem[:2]) in LANGUAGES
    return of == "development" or path.stem == "told-development"


def marked(raw):
    """A note and its spans."""
    text, spans, at = "", [], 0
    for mark in _MARK.finditer(raw):
        text += raw[at:mark.start()]
        value = mark.group(2) if mark.group(1) else mark.group(3)
        if mark.group(1):
            spans.append((len(text), len(text) + len(value), mark.group(1)))
        text += value
        at = mark.end()
    return {"text": text + raw[at:], "spans": spans}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        for note in notes(Path(sys.argv[1])):
            if note.strip():
                out.write(json.dumps(marked(note), ensure_ascii=False) + "\n")
