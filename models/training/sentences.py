"""Sentences of the mixture as annotated notes, for `plainsight train crf`.

    python sentences.py CORPORA background.jsonl found.jsonl 40000 notes.jsonl gold.jsonl
    plainsight train crf --notes notes.jsonl --gold gold.jsonl --gold-labels plainsight --out ../crf-en.crf

General named-entity corpora are left out: the CRF learns one label a word, and they leave most of ours open.
"""

import itertools
import json
import sys

from recipe.mixture import Mixture


def main(corpora, background, found, count, notes, gold):
    sentences = ((text, spans) for text, spans, general in Mixture(11, corpora, background, found) if not general and text.strip())
    with open(notes, "w", encoding="utf-8") as texts, open(gold, "w", encoding="utf-8") as marks:
        for number, (text, spans) in enumerate(itertools.islice(sentences, int(count))):
            note = f"s{number:06}"
            texts.write(json.dumps({"note_id": note, "text": text}) + "\n")
            for start, end, label in spans:
                marks.write(json.dumps({"note_id": note, "start": start, "end": end, "label": label}) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 7:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
