"""Breaking Japanese and English text into lines that fit a width in px.

English breaks at spaces, but not between a number and its unit, nor between a suit and its rank; a word too long for a
line is hyphenated. Japanese breaks where a reader would (BudouX); a phrase too long for a line breaks anywhere except
where a line would begin with a closing mark or end with an opening one (kinsoku).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

import budoux
from pyphen import Pyphen

from rules.cards import Suit

Measure = Callable[[str], int]
"""Width in px of a piece of text."""

_NO_START = frozenset("、。，．・：；？！）」』】〉》〕］｝ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々…—,.:;?!)]}%'’”")
_NO_END = frozenset("（「『【〈《〔［｛([{‘“")
_GLUED = re.compile(
    rf"(\b(?:{'|'.join(str(suit.text) for suit in Suit)})) (?=(?:\d+|A|K)\b)|(\d) (?=[A-Za-z%])|(→) (?=\S)"
)
"""Spaces at which no line ends: within a number and its unit, within the name of a card, and after an arrow."""
_SOFT = "\u00a0"
HYPHEN = "-"
"""Stands where a word is parted."""
_WORD = re.compile(r"[^\W\d_]+")


def _is_wide(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\uff01" <= char <= "\uff60"


@cache
def _load_parser() -> budoux.Parser:
    return budoux.load_default_japanese_parser()


@lru_cache(maxsize=1024)
def split_phrases(text: str) -> tuple[str, ...]:
    """Split a paragraph into the pieces that stay together on a line, blanks at their ends.

    >>> split_phrases("3 cards are left of heart 7.")
    ('3 cards ', 'are ', 'left ', 'of ', 'heart 7.')
    >>> split_phrases("カード3枚を置いてください。")
    ('カード3枚を', '置いてください。')
    """
    pieces: list[str] = []
    glued = _GLUED.sub(lambda found: found[0][:-1] + _SOFT, text)
    for word in re.findall("[^ ]+ *|^ +", glued):
        parts = _load_parser().parse(word) if any(map(_is_wide, word)) else [word]
        for number, part in enumerate(parts):
            before = pieces[-1] if number else ""
            if before and not _may_part_here(before, part):
                pieces[-1] += part
            else:
                pieces.append(part)
    return tuple(piece.replace(_SOFT, " ") for piece in pieces)


def _may_part_here(before: str, after: str) -> bool:
    """Tell whether a line may end between two pieces: never after a figure nor within a name, and as kinsoku has it."""
    narrow = not _is_wide(before[-1]) and not _is_wide(after[0])
    return not narrow and not before[-1].isdigit() and after[0] not in _NO_START and before[-1] not in _NO_END


def _may_break(before: str, after: str) -> bool:
    """Tell whether a line may be broken here at need."""
    last = before[-1]
    wide = _is_wide(after) or _is_wide(last)
    return last in (" ", HYPHEN) or (wide and after not in _NO_START and last not in _NO_END)


@cache
def _load_syllables() -> Pyphen:
    """Load the places where English words may be parted, as books part them."""
    return Pyphen(lang="en_US")


def _chop(piece: str, width: int, measure: Measure) -> Iterator[str]:
    """Cut a piece too wide for any line where it must be: best between syllables, a word never without a hyphen."""
    while len(piece) > 1 and measure(piece.rstrip()) > width:
        syllables = {
            found.start() + at for found in _WORD.finditer(piece) for at in _load_syllables().positions(found[0])
        }
        ways = [(False, 1, piece[:1])]
        for end in range(1, len(piece)):
            before, after = piece[end - 1], piece[end]
            word = before.isalpha() and after.isalpha() and not _is_wide(before) and not _is_wide(after)
            part = piece[:end] + HYPHEN * word
            if measure(part) <= width:
                ways.append((end in syllables if word else _may_break(before, after), end, part))
        _, end, part = max(ways)
        yield part
        piece = piece[end:]
    yield piece


def wrap(text: str, width: int, measure: Measure) -> list[str]:
    """Break text into lines no wider than ``width`` px; a line feed always breaks.

    >>> wrap("one two three", 7, len)
    ['one two', 'three']
    >>> wrap("研究ができるので、パスできません。", 9, len)
    ['研究ができるので、', 'パスできません。']
    >>> wrap("ラマヌジャンラマヌジャン", 7, len)
    ['ラマヌジャンラ', 'マヌジャン']
    >>> wrap("the lumber yard", 5, len)
    ['the', 'lum-', 'ber', 'yard']
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for piece in split_phrases(paragraph):
            if measure((line + piece).rstrip()) <= width:
                line += piece
                continue
            if measure(piece.rstrip()) > width:
                # No line holds it: it may as well begin on this one.
                *full, line = _chop(line + piece, width, measure)
                lines.extend(part.rstrip() for part in full)
                continue
            if line.strip():
                lines.append(line.rstrip())
            line = piece
        lines.append(line.rstrip())
    return lines


def wrap_evenly(text: str, width: int, measure: Measure) -> list[str]:
    """Wrap like ``wrap``, with the same number of lines, but leave no stub of a last line where that can be helped."""
    best = wrap(text, width, measure)
    for percent in range(96, 66, -4):
        if len(best) < 2 or measure(best[-1]) * 3 >= width:
            return best
        lines = wrap(text, width * percent // 100, measure)
        if len(lines) > len(best):
            return best
        best = lines
    return best
