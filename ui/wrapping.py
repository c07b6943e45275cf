"""Breaking Japanese and English text into lines that fit a width in px.

Japanese may break between any two characters except where a line would begin with a closing mark or end with an
opening one (kinsoku); words in Latin letters, numbers and names of papers such as ``100+`` stay whole where they can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

Measure = Callable[[str], int]
"""Width in px of a piece of text."""

_NO_START = frozenset("、。，．・：；？！）」』】〉》〕］｝ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々…—,.:;?!)]}%'’”")
_NO_END = frozenset("（「『【〈《〔［｛([{‘“")
ELLIPSIS = "…"


def _is_wide(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\uff01" <= char <= "\uff60"


def _pieces(text: str) -> Iterator[str]:
    """The smallest parts that a line may be broken between."""
    piece = ""
    for char in text:
        if piece:
            last = piece[-1]
            free = last == " " or _is_wide(char) or _is_wide(last)
            if free and char not in _NO_START and char != " " and last not in _NO_END:
                yield piece
                piece = ""
        piece += char
    if piece:
        yield piece


def _chopped(piece: str, width: int, measure: Measure) -> Iterator[str]:
    """A piece too wide for any line, cut where it must be."""
    part = ""
    for char in piece:
        if part and measure(part + char) > width:
            yield part
            part = ""
        part += char
    if part:
        yield part


def wrap(text: str, width: int, measure: Measure) -> list[str]:
    """Break text into lines no wider than ``width`` px; a line feed always breaks.

    >>> wrap("one two three", 7, len)
    ['one two', 'three']
    >>> wrap("引用は、できません。", 4, len)
    ['引用は、', 'できませ', 'ん。']
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for piece in _pieces(paragraph):
            if measure((line + piece).rstrip()) <= width:
                line += piece
                continue
            if line.strip():
                lines.append(line.rstrip())
            *full, line = _chopped(piece, width, measure) if measure(piece.rstrip()) > width else [piece]
            lines.extend(full)
        lines.append(line.rstrip())
    return lines


def wrap_evenly(text: str, width: int, measure: Measure) -> list[str]:
    """Like ``wrap``, with the same number of lines, but leaves no stub of a last line where that can be helped."""
    best = wrap(text, width, measure)
    for percent in range(96, 66, -4):
        if len(best) < 2 or measure(best[-1]) * 3 >= width:
            return best
        lines = wrap(text, width * percent // 100, measure)
        if len(lines) > len(best):
            return best
        best = lines
    return best


def shorten(text: str, width: int, measure: Measure) -> str:
    """The text itself where it fits into ``width`` px, otherwise its beginning and an ellipsis."""
    if measure(text) <= width:
        return text
    while text and measure(text.rstrip() + ELLIPSIS) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS
