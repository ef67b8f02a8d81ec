"""The case of words, which uncased vocabularies do not see: one number for each word piece, added as an embedding.

    "Dr Lee\\nhb 12g"   Dr 3+8, Lee 3, hb 2+8, 12g 8

0 special piece; else the kind of the maximal run of letters and digits that holds the piece's first character: 1 no letter or
digit, 2 lower case, 3 first upper, 4 all upper, 5 one upper letter, 6 other mixed, 7 digits, 8 letters and digits; and 8 more where
the run is the first visible thing of its line. The engine computes the same in `detect/neural/shapes.rs`; both read the vectors in
`shapes.json` beside it as a test.
"""

import re

COUNT = 17
_RUN = re.compile(r"[^\W_]+", re.UNICODE)


def _kind(run):
    letters = [character for character in run if character.isalpha()]
    digits = any(character.isnumeric() for character in run)
    if not letters:
        return 7 if digits else 1
    if digits:
        return 8
    # Letters without case (CJK, Arabic) are neither upper nor lower: "other mixed" keeps them apart from both.
    upper = [character.isupper() for character in run]
    lower = [character.islower() for character in run]
    if all(lower):
        return 2
    if all(upper):
        return 5 if len(run) == 1 else 4
    if upper[0] and all(lower[1:]):
        return 3
    return 6


def of_characters(text):
    """The shape of each character of the text, as its run has it."""
    shapes = [1] * len(text)
    for run in _RUN.finditer(text):
        kind = _kind(run.group())
        shapes[run.start():run.end()] = [kind] * (run.end() - run.start())
    first = True
    index = 0
    while index < len(text):
        character = text[index]
        if character == "\n":
            first = True
        elif not character.isspace() and first:
            end = index + 1
            if character.isalnum():
                while end < len(text) and text[end].isalnum():
                    end += 1
            for at in range(index, end):
                shapes[at] += 8
            index = end - 1
            first = False
        index += 1
    return shapes


def of_pieces(text, offsets):
    """The shapes of word pieces by their character offsets in the text; special pieces have the empty offset (0, 0)."""
    characters = of_characters(text)
    return [0 if start == end else characters[start] for start, end in offsets]
