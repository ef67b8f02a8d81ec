"""Excerpts of notes with marked identifiers, filled with values.

    per [[DOCTOR|$last]], hold {{Foley}} till [[DATE|$weekday]]      in excerpts/*.txt, excerpts separated by empty lines
    per Okonkwo, hold Foley till Tuesday                              filled: 4..11 DOCTOR, 29..36 DATE
"""

import re
import zlib
from collections import defaultdict
from pathlib import Path

from .labels import learned

HERE = Path(__file__).resolve().parent.parent
_MARK = re.compile(r"\[\[([A-Z-]+)\|(.*?)\]\]", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+|\d+")
_SLOT = re.compile(r"\$([A-Za-z]+(?:_(?:lower|upper))?)")
#: Where a line may be cut into sentences: the engine's segmenter does about the same.
_CUT = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!Dr\.)(?<!Mr\.)(?<!Ms\.)(?<!Mrs\.)(?<!St\.)(?<!No\.)\s+(?=[A-Z(\"])")


def held_out(excerpt):
    """Whether an excerpt is kept for validation: one in twelve, by hash."""
    return zlib.crc32(excerpt.encode()) % 12 == 0


def read(validation=False, files=None):
    """The English excerpts with identifiers and those without, of one split; of all files, or of those that are called so."""
    paths = lambda kind: [path for path in sorted((HERE / kind).glob("*.txt")) if files is None or path.stem in files]
    return tuple([block for path in paths(kind) for block in _blocks(kind, path, validation)] for kind in ("excerpts", "negatives"))


def read_abroad(validation=False):
    """The same of other languages, each with the language's code, by which its file is called."""
    return tuple([(path.stem, block) for path in sorted((HERE / kind / "abroad").glob("*.txt")) for block in _blocks(kind, path, validation)] for kind in ("excerpts", "negatives"))


def _blocks(kind, path, validation):
    blocks = path.read_text(encoding="utf-8").split("\n\n" if kind == "excerpts" else "\n")
    return [block.strip("\n") for block in blocks if block.strip() and held_out(block) == validation]


class Literals:
    """What authors wrote out in their marks, by label and form: `jkm` beside `abt`, `Night Heron` beside `Blue Spruce`.

    A value that always stands in the same words teaches those words. Now and then another of its label and form takes its place.
    """

    def __init__(self, excerpts, share, rng):
        self.share, self.rng, lists = share, rng, defaultdict(set)
        for excerpt in excerpts:
            for mark in _MARK.finditer(excerpt):
                if "$" not in mark.group(2):
                    lists[mark.group(1), _form(mark.group(2))].add(mark.group(2))
        self.lists = {key: sorted(listed) for key, listed in lists.items()}

    def changed(self, label, value):
        """The value, or another that could stand in its place."""
        if "$" in value or self.rng.random() >= self.share:
            return value
        return self.rng.choice(self.lists.get((label, _form(value)), [value]))


def _form(value):
    """A value's words by case, those of up to three letters by their length too, digits one by one: `L. Pfennig` is `A1. Aa`."""
    return _WORD.sub(lambda word: _word_form(word.group()), value)


def _word_form(word):
    if word.isdigit():
        return "0" * len(word)
    case = "A" if word.isupper() else "a" if word.islower() else "Aa"
    return f"{case}{len(word)}" if len(word) < 4 else case


def fill(excerpt, values, literals=None):
    """The text of an excerpt with fresh values, and its spans as (start, end, label)."""
    text, spans, at = "", [], 0
    for mark in _MARK.finditer(excerpt):
        text += excerpt[at:mark.start()].replace("{{", "").replace("}}", "")
        value = literals.changed(mark.group(1), mark.group(2)) if literals else mark.group(2)
        value = _SLOT.sub(lambda slot: values.fill(slot.group(1)), value)
        spans.append((len(text), len(text) + len(value), learned(mark.group(1))))
        text += value
        at = mark.end()
    return text + excerpt[at:].replace("{{", "").replace("}}", ""), spans


def changed(text, spans, literals):
    """A text with some of its values changed, and its spans of learned labels; mentions of one value stay alike."""
    now = {}

    def value(label, old):
        if (label, old) not in now:
            now[label, old] = literals.changed(label, old)
        return now[label, old]

    text, spans = rewritten(text, spans, value)
    return text, [(start, end, learned(label)) for start, end, label in spans]


def rewritten(text, spans, value):
    """A text with other values in its spans, told by label and old value, and the spans where they are now."""
    fresh, moved, at = "", [], 0
    for start, end, label in spans:
        new = value(label, text[start:end])
        fresh += text[at:start]
        moved.append((len(fresh), len(fresh) + len(new), label))
        fresh += new
        at = end
    return fresh + text[at:], moved


def pieces(text, spans, rng, whole=.15):
    """The sentences of a text with their spans, as the engine would see them; some lines stay whole, for segmenters differ."""
    cuts = {0, len(text)}
    for line in re.finditer(r"\n", text):
        cuts.add(line.end())
    cuts |= {cut.end() for cut in _CUT.finditer(text) if rng.random() > whole}
    cuts = sorted(cut for cut in cuts if not any(start < cut < end for start, end, _ in spans))
    for start, end in zip(cuts, cuts[1:]):
        sentence = text[start:end]
        stripped = sentence.strip()
        if stripped:
            start += len(sentence) - len(sentence.lstrip())
            yield stripped, [(s - start, e - start, label) for s, e, label in spans if start <= s and e <= start + len(stripped)]
