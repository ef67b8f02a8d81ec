"""What hands, scanners and transcription do to a sentence, with its spans moved along.

Each change maps a text to a list of (new text, old start, old end) stretches, so that spans follow whatever is inserted or dropped.
"""

import re

_OCR = {"l": "1", "I": "l", "1": "l", "O": "0", "0": "O", "S": "5", "5": "S", "B": "8", "e": "c", "rn": "m", "m": "rn"}


def noisy(text, spans, rng):
    """The sentence as it would come from another hand; most stay as they are."""
    chance = rng.random()
    if chance < .06:
        return text.upper() if len(text.upper()) == len(text) else text, spans
    if chance < .14:
        return text.lower() if len(text.lower()) == len(text) else text, spans
    if chance < .17:
        return _lower_identifiers(text, spans, rng)
    if chance < .20:
        return _rewritten(text, spans, _scanned(text, rng))
    if chance < .235:
        return _rewritten(text, spans, _without_spaces(text, rng))
    if chance < .265:
        return _rewritten(text, spans, _mistyped(text, rng))
    if chance < .285:
        return _rewritten(text, spans, [("\n" if text[i] == " " and rng.random() < .1 else text[i], i, i + 1) for i in range(len(text))])
    return text, spans


def _lower_identifiers(text, spans, rng):
    for start, end, _ in spans:
        lower = text[start:end].lower()
        if len(lower) == end - start and rng.random() < .8:
            text = text[:start] + lower + text[end:]
    return text, spans


def _scanned(text, rng):
    return [(_OCR[c] if c in _OCR and rng.random() < .12 else c, i, i + 1) for i, c in enumerate(text)]


def _without_spaces(text, rng):
    return [("" if c == " " and rng.random() < .12 else c, i, i + 1) for i, c in enumerate(text)]


def _mistyped(text, rng):
    written = []
    for index, character in enumerate(text):
        chance = rng.random() if character.isalpha() else 1
        if chance < .012:
            written.append(("", index, index + 1))
        elif chance < .024:
            written.append((character * 2, index, index + 1))
        elif chance < .036 and index + 1 < len(text) and text[index + 1].isalpha():
            written.append((text[index + 1], index, index + 1))
        else:
            written.append((character, index, index + 1))
    return written


def _rewritten(text, spans, written):
    """Joins the stretches; a span that is left without a visible character goes."""
    starts, ends, out = {}, {}, ""
    for new, start, end in written:
        starts[start] = len(out)
        out += new
        ends[end] = len(out)
    moved = [(starts[start], ends[end], label) for start, end, label in spans if start in starts and end in ends]
    return out, [(start, end, label) for start, end, label in moved if re.search(r"\w", out[start:end])]
