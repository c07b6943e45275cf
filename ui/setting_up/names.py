"""Which names the display can show: letters that its font has, and no more of them than find room."""

from __future__ import annotations

import unicodedata
from functools import cache

import pygame

from rules.plain import is_plain
from rules.text import Text
from ui.fonts import open_font

MOST_LETTERS = 20
"""A name has no more letters …"""
MOST_WIDE = 16
"""… and no more where all are as wide as they are high."""
_PROBE_PX = 24
_NO_LETTER = "\U0001fffe"
"""No font has it."""


def width_of(name: str) -> int:
    """Measure how wide a name is, in halves of a full-width letter."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name)


def name_fault(name: str) -> Text | None:
    """Say what keeps a name from being shown whole; return ``None`` where nothing does.

    >>> name_fault("J. Hilbert"), name_fault("ヒルベルト")
    (None, None)
    >>> print(name_fault("Ada 🎲"))
    The display can't show “🎲”: write the name without it.
    """
    written = name.strip()
    if not written:
        return Text("A name needs a letter.")
    if len(written) > MOST_LETTERS or width_of(written) > 2 * MOST_WIDE:
        return Text(
            "At most {letters} letters, or {wide} wide ones as in Japanese.",
            letters=MOST_LETTERS,
            wide=MOST_WIDE,
        )
    if not is_plain(written):
        return Text("A name is one line of letters.")
    unknown = find_undrawable(written)
    if unknown:
        return Text("The display can't show “{letter}”: write the name without it.", letter=unknown)
    return None


def find_undrawable(text: str) -> str:
    """Find the first letter that the display's font lacks, or that can't be seen; empty where it has all."""
    return next((letter for letter in text if not letter.isspace() and not _is_drawn(letter)), "")


@cache
def _is_drawn(letter: str) -> bool:
    try:
        return _render_letter(letter) != _render_letter(_NO_LETTER)
    except pygame.error:  # it has no width
        return False


def _render_letter(letter: str) -> bytes:
    # The font's own metrics tell nothing: they are those of its sign for a missing letter.
    return pygame.image.tobytes(open_font(_PROBE_PX).render(letter, True, (255, 255, 255)), "RGBA")
