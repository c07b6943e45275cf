"""Breaking Japanese and English text into lines that fit a width in px.

English breaks at spaces. Japanese breaks where a phrase is likely to end: after punctuation, and where hiragana is
followed by something else, so that words, names and numbers stay whole; a phrase too long for a line breaks anywhere
except where a line would begin with a closing mark or end with an opening one (kinsoku).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

Measure = Callable[[str], int]
"""Width in px of a piece of text."""

_NO_START = frozenset("、。，．・：；？！）」』】〉》〕］｝ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々…—,.:;?!)]}%'’”")
_NO_END = frozenset("（「『【〈《〔［｛([{‘“")
_CLOSING = frozenset("、。，．：；？！）」』】〉》〕］｝")
_HONORIFIC = frozenset("おご")
ELLIPSIS = "…"


def _is_hiragana(char: str) -> bool:
    return "\u3041" <= char <= "\u309f"


def _is_wide(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\uff01" <= char <= "\uff60"


def _phrase_ends(before: str, after: str) -> bool:
    """Whether a line may end between what was written so far and the next character."""
    last = before[-1]
    if last == " ":
        return after != " "
    if after in _NO_START or last in _NO_END or after == " ":
        return False
    if last in _CLOSING or after in _NO_END:
        return _is_wide(last) or _is_wide(after)
    # お礼, ご参加: the honorific belongs to what follows.
    return _is_hiragana(last) and not _is_hiragana(after) and last not in _HONORIFIC


def _may_break(before: str, after: str) -> bool:
    """Whether a line may be broken here at need."""
    last = before[-1]
    return (_is_wide(after) or _is_wide(last)) and after not in _NO_START and last not in _NO_END


def _pieces(text: str, ends: Callable[[str, str], bool]) -> Iterator[str]:
    piece = ""
    for char in text:
        if piece and ends(piece, char):
            yield piece
            piece = ""
        piece += char
    if piece:
        yield piece


def _chopped(piece: str, width: int, measure: Measure) -> Iterator[str]:
    """A piece too wide for any line, cut where it must be."""
    part = ""
    for small in _pieces(piece, _may_break):
        if part and measure(part + small) > width:
            yield part
            part = ""
        for char in small:
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
    >>> wrap("研究ができるので、パスできません。", 9, len)
    ['研究ができるので、', 'パスできません。']
    >>> wrap("できませんできません。", 6, len)
    ['できませんで', 'きません。']
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for piece in _pieces(paragraph, _phrase_ends):
            if measure((line + piece).rstrip()) <= width:
                line += piece
                continue
            if measure(piece.rstrip()) > width:
                # No line holds it: it may as well begin on this one.
                *full, line = _chopped(line + piece, width, measure)
                lines.extend(part.rstrip() for part in full)
                continue
            if line.strip():
                lines.append(line.rstrip())
            line = piece
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
