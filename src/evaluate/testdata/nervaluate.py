"""Writes nervaluate.json: seeded synthetic spans, and the strict figures that nervaluate and seqeval give for them.

    pip install nervaluate==1.2.1 seqeval==1.2.2
    python nervaluate.py > nervaluate.json

nervaluate's ends are inclusive where ours are not; each note is one of its documents. Spans of a note do not overlap, and one
note in ten has none on one side, so that the libraries need not agree on what they leave open.
"""

import json
import random
import sys
import warnings

sys.path.pop(0)  # This file is named like the package that it wants.
warnings.filterwarnings("ignore")

from nervaluate.evaluator import Evaluator  # noqa: E402
from seqeval.metrics import classification_report  # noqa: E402
from seqeval.scheme import IOB2  # noqa: E402

LABELS = ["PATIENT", "DOCTOR", "HOSPITAL", "CITY", "AGE", "DATE", "PHONE", "MEDICALRECORD"]
RANDOM = random.Random(20260711)


def gold_spans():
    spans, at = [], 0
    for _ in range(RANDOM.randint(0, 12)):
        start = at + RANDOM.randint(0, 15)
        end = start + RANDOM.randint(1, 14)
        spans.append([start, end, RANDOM.choice(LABELS)])
        at = end
    return spans


def predicted_spans(gold):
    spans, at = [], 0
    for start, end, label in gold:
        fate = RANDOM.random()
        if fate < 0.12:
            continue
        if fate < 0.24:
            label = RANDOM.choice(LABELS)
        if fate > 0.85:
            start, end = start + RANDOM.randint(-2, 2), end + RANDOM.randint(-2, 2)
        start = max(start, at)
        if end > start:
            spans.append([start, end, label])
            at = end
    for _ in range(RANDOM.choice([0, 0, 0, 1, 2])):
        start = at + RANDOM.randint(1, 20)
        at = start + RANDOM.randint(1, 9)
        spans.append([start, at, RANDOM.choice(LABELS)])
    return spans


def note(number):
    gold = gold_spans()
    predicted = predicted_spans(gold)
    if number % 10 == 4:
        gold = []
    if number % 10 == 7:
        predicted = []
    return {"note_id": f"note-{number}", "gold": gold, "predicted": predicted}


def documents(notes, side):
    return [[{"label": label, "start": start, "end": end - 1} for start, end, label in note[side]] for note in notes]


def tags(spans, length):
    """One IOB2 tag a character."""
    row = ["O"] * length
    for start, end, label in spans:
        row[start] = f"B-{label}"
        row[start + 1 : end] = [f"I-{label}"] * (end - start - 1)
    return row


def averages(notes):
    ends = [max((end for side in ("gold", "predicted") for _, end, _ in note[side]), default=1) for note in notes]
    rows = [[tags(note[side], end) for note, end in zip(notes, ends)] for side in ("gold", "predicted")]
    report = classification_report(*rows, mode="strict", scheme=IOB2, output_dict=True)
    names = {"precision": "precision", "recall": "recall", "f1": "f1-score"}
    return {
        average: {ours: float(report[f"{average} avg"][theirs]) for ours, theirs in names.items()}
        for average in ("micro", "macro")
    }


def figures(strict):
    return {name: getattr(strict, name) for name in ("correct", "possible", "actual", "precision", "recall", "f1")}


def main():
    notes = [note(number) for number in range(60)]
    evaluator = Evaluator(documents(notes, "gold"), documents(notes, "predicted"), tags=LABELS, loader="dict")
    results = evaluator.evaluate()
    strict = {
        "overall": figures(results["overall"]["strict"]),
        "labels": {label: figures(results["entities"][label]["strict"]) for label in LABELS},
    }
    lines = ",\n  ".join(json.dumps(note) for note in notes)
    references = {"nervaluate_strict": strict, "seqeval_strict": averages(notes)}
    tables = ",\n".join(f'"{name}": {json.dumps(table, indent=1)}' for name, table in references.items())
    print(f'{{"notes": [\n  {lines}\n],\n{tables}}}')


if __name__ == "__main__":
    main()
