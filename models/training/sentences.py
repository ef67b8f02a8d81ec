"""Sentences of the mixture as annotated notes, for `plainsight train crf`.

    python sentences.py CORPORA background.jsonl found.jsonl 120000 notes.jsonl gold.jsonl [marked.jsonl …]
    plainsight train crf --notes notes.jsonl --gold gold.jsonl --iterations 60 --out ../crf-phi/model.crf

Marked notes (as of `train.py --gold`) make a quarter of the sentences, if there are any. General named-entity corpora are left out: the
CRF learns one label a word, and they leave most of ours open. So are the labels that have a form of their own: the patterns know them, and
with a third of the tags gone training takes half the time.
"""

import itertools
import json
import sys

from recipe.mixture import Mixture

OF_PATTERNS = {"DATE", "TIME", "PHONE", "AGE", "URL", "ZIP", "IDNUM"}


#: The share of marked notes, where there are any.
OF_NOTES = .25


def main(corpora, background, found, count, notes, gold, *marked):
    mixture = Mixture(11, corpora, background, found).beside(marked, OF_NOTES)
    sentences = ((text, spans) for text, spans, general in mixture if not general and text.strip())
    with open(notes, "w", encoding="utf-8") as texts, open(gold, "w", encoding="utf-8") as marks:
        for number, (text, spans) in enumerate(itertools.islice(sentences, int(count))):
            note = f"s{number:06}"
            texts.write(json.dumps({"note_id": note, "text": text}) + "\n")
            for start, end, label in (span for span in spans if span[2] not in OF_PATTERNS):
                marks.write(json.dumps({"note_id": note, "start": start, "end": end, "label": label}) + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 7:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
