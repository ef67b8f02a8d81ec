"""The mixture that a model learns from, as an endless stream of sentences.

    excerpts .34   filled excerpts of several authors, a fifth of them with measurements beside
    negatives .16  lines without identifiers that deceive, a third of them with measurements beside or nothing else
    abroad .20     filled excerpts in other languages, and lines that deceive there, one language as often as the square root of its excerpts
    background .11 clinical sentences in which the engine found nothing and nothing looks like a name
    refilled .11   clinical sentences whose found identifiers are replaced by fresh values
    general .08    general named-entity corpora, learned as sets of labels
"""

import json
import random
import re

from . import excerpts
from .labels import GENERAL, learned
from .measurements import beside, telegram
from .noise import noisy
from .values import ABROAD, Values

WEIGHTS = {"excerpts": .34, "negatives": .16, "abroad": .20, "background": .11, "refilled": .11, "general": .08}
#: Of the values that authors wrote out, those that give way to another of their label and form.
SWAPPED = .6
#: Of the sentences in other languages, those that hold no identifier.
SILENT_ABROAD = .35
_CAPITAL = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")
_REFILL = {
    "PATIENT": ["last", "first", "full"], "DOCTOR": ["last", "last", "full"], "HOSPITAL": ["hospital"], "ORGANIZATION": ["org"], "CITY": ["city"], "STATE": ["state"],
    "COUNTRY": ["country"], "AGE": ["age"], "PROFESSION": ["job"], "LOCATION-OTHER": ["place"], "STREET": ["street"], "PHONE": ["phone"],
}


class Mixture:
    """Sentences as (text, spans, general): spans of (start, end, label), of a general corpus the kinds of `GENERAL`."""

    def __init__(self, seed, corpora, background, background_spans, newest=(), share_of_newest=0):
        """Of excerpts and lines without identifiers, `share_of_newest` is drawn from the files of `newest`: few new authors among many others."""
        self.rng = random.Random(seed)
        self.values = Values(seed + 1, corpora=corpora)
        self.excerpts, self.negatives = excerpts.read()
        self.newest = dict(zip(("excerpts", "negatives"), excerpts.read(files=set(newest))))
        self.share_of_newest = share_of_newest
        self.literals = excerpts.Literals(self.excerpts, SWAPPED, self.rng)
        self.background, self.refilled = _background(background, background_spans, self.values)
        self.general = list(_general(corpora))
        self.abroad = Abroad(seed + 2)

    def sizes(self):
        return {kind: len(getattr(self, kind)) for kind in WEIGHTS}

    def __iter__(self):
        kinds, weights = list(WEIGHTS), list(WEIGHTS.values())
        while True:
            kind = self.rng.choices(kinds, weights)[0]
            if kind == "abroad":
                for sentence, inside in self.abroad.drawn():
                    yield *noisy(sentence, inside, self.rng), False
                continue
            newest = self.newest.get(kind)
            chosen = self.rng.choice(newest if newest and self.rng.random() < self.share_of_newest else getattr(self, kind))
            if kind == "excerpts":
                text, spans = excerpts.fill(chosen, self.values, self.literals)
                for sentence, inside in excerpts.pieces(text, spans, self.rng):
                    if self.rng.random() < .2:
                        sentence, inside = beside(sentence, inside, self.rng)
                    yield *noisy(sentence, inside, self.rng), False
            elif kind == "negatives":
                line, chance = chosen.replace("{{", "").replace("}}", ""), self.rng.random()
                if chance < .3:
                    line = telegram(self.rng) if chance < .15 else beside(line, [], self.rng)[0]
                yield *noisy(line, [], self.rng), False
            elif kind == "background":
                yield *noisy(chosen, [], self.rng), False
            elif kind == "refilled":
                yield *noisy(*excerpts.rewritten(*chosen, self._fresh), self.rng), False
            else:
                yield *chosen, True

    def beside(self, files, share):
        """The mixture with sentences of marked notes among it; of sentences without a mark as many as with (Liu 2022, balanced).

        A note is a JSON object a line: `text`, and `spans` as [start, end, label] in code points, in order. Now and then a value in them
        gives way to another of its label and form.
        """
        marked, unmarked = [], []
        for file in files:
            with open(file, encoding="utf-8") as lines:
                for note in map(json.loads, lines):
                    for sentence, inside in excerpts.pieces(note["text"], [tuple(span) for span in note["spans"]], self.rng):
                        (marked if inside else unmarked).append((sentence, inside))
        sentences = iter(self)
        while True:
            if files and self.rng.random() < share:
                text, spans = self.rng.choice((marked if self.rng.random() < .5 else unmarked) or marked or unmarked)
                yield *noisy(*excerpts.changed(text, spans, self.literals), self.rng), False
            else:
                yield next(sentences)

    def _fresh(self, label, old):
        """A value for one that the engine found."""
        if label not in _REFILL:
            return old
        value = self.values.fill(self.rng.choice(_REFILL[label]))
        return value.upper() if old.isupper() and len(old) > 3 else value


class Abroad:
    """Sentences of other languages."""

    def __init__(self, seed, validation=False):
        self.rng = random.Random(seed)
        marked, silent = excerpts.read_abroad(validation)
        self.marked, self.silent = ({language: [block for of, block in blocks if of == language] for language, _ in blocks} for blocks in (marked, silent))
        self.values = {language: Values(seed, validation, language=language) for language in ABROAD if language in self.marked}
        self.literals = {language: excerpts.Literals(blocks, 0 if validation else SWAPPED, self.rng) for language, blocks in self.marked.items()}

    def __len__(self):
        return sum(len(blocks) for blocks in self.marked.values())

    def drawn(self):
        """The sentences of one excerpt, or one line without identifiers."""
        blocks = self.silent if self.rng.random() < SILENT_ABROAD else self.marked
        language = self.rng.choices(list(blocks), [len(each) ** .5 for each in blocks.values()])[0]
        chosen = self.rng.choice(blocks[language])
        if blocks is self.silent:
            return [(chosen, [])]
        return list(excerpts.pieces(*excerpts.fill(chosen, self.values[language], self.literals[language]), self.rng))


def _background(notes, found, values):
    """Sentences without a find, and sentences with; where a capitalised word may be a name that was missed, neither."""
    known = {name for lists in values.names.values() for choice, _ in lists[:1] for name in choice.values[:20000]}
    spans = {}
    with open(found, encoding="utf-8") as lines:
        for line in lines:
            span = json.loads(line)
            spans.setdefault(span["note_id"], []).append((span["start"], span["end"], learned(span["label"])))
    nothing, something = [], []
    with open(notes, encoding="utf-8") as lines:
        for line in lines:
            note = json.loads(line)
            for sentence, inside in excerpts.pieces(note["text"], sorted(spans.get(note["note_id"], [])), random.Random(0), whole=0):
                covered = lambda at: any(start <= at < end for start, end, _ in inside)
                if len(sentence) > 700 or any(name.group() in known and not covered(name.start()) for name in _CAPITAL.finditer(sentence)):
                    continue
                (something if inside else nothing).append((sentence, inside) if inside else sentence)
    return nothing, something


_KINDS = {"PER": "person", "LOC": "location", "ORG": "organization", "person": "person", "location": "location", "corporation": "organization", "group": "organization"}


def _general(corpora):
    """Sentences of the general corpora with spans of (start, end, kind); kinds that we do not know are `None`: anything goes."""
    folder = f"{corpora}/general_ner/data"
    files = [(f"{folder}/wikigold/CONLL-format/data/wikigold.conll.txt", " "), (f"{folder}/SEC-filings/CONLL-format/data/train/FIN5.txt", " ")]
    import glob
    files += [(path, "\t") for path in sorted(glob.glob(f"{folder}/BTC/**/*.conll", recursive=True))] + [(f"{corpora}/wnut17/wnut17train.conll", "\t")]
    for path, separator in files:
        words = []
        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                parts = line.rstrip("\n").split(separator)
                if len(parts) < 2 or not parts[0].strip():
                    if 2 < len(words) < 80:
                        yield _joined(words)
                    words = []
                elif parts[0] != "-DOCSTART-":
                    words.append((parts[0], parts[-1].strip()))


def _joined(words):
    text, spans = "", []
    last = "O"
    for word, tag in words:
        glued = not text or word in ".,;:!?)'%" or word.startswith("'") or text.endswith(("(", "#", "@"))
        text += ("" if glued else " ")
        start = len(text)
        text += word
        if tag != "O":
            kind = _KINDS.get(tag.split("-", 1)[-1])
            if spans and last != "O" and not tag.startswith("B-") and spans[-1][2] == kind:
                spans[-1] = (spans[-1][0], len(text), kind)
            else:
                spans.append((start, len(text), kind))
        last = tag
    return text, spans


assert set(_KINDS.values()) == set(GENERAL)
