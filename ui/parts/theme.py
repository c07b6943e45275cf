"""The colours of the screens, dark and light.

The five verdicts differ for people who lack one kind of cones as well (``tests/ui/test_colours.py`` computes it), and
every text has a contrast of at least 4.5 : 1 to what it stands on.
"""

from __future__ import annotations

from dataclasses import dataclass

from ui.screen_state import Mood

Colour = tuple[int, int, int]

BLACK: Colour = (12, 15, 20)
WHITE: Colour = (250, 248, 242)
GOLD: Colour = (246, 200, 84)
FLAG_CLOTH: Colour = (146, 6, 18)


@dataclass(frozen=True, slots=True)
class Theme:
    """Ground, panels, lines and letters; ``gold`` are golden letters on the ground."""

    ground: Colour
    panel: Colour
    raised: Colour
    line: Colour
    ink: Colour
    dim: Colour
    gold: Colour


DARK = Theme((15, 19, 24), (25, 31, 38), (48, 57, 68), (70, 80, 92), (244, 241, 234), (172, 182, 192), GOLD)
LIGHT = Theme(
    (244, 241, 234), (232, 228, 219), (212, 208, 198), (150, 148, 140), (22, 26, 32), (74, 80, 88), (118, 76, 0)
)

ACCEPTED: Colour = (10, 156, 122)
REFUSED: Colour = (146, 6, 18)
QUESTION: Colour = (24, 62, 176)
CANT_SEE: Colour = (236, 208, 12)
OUT_OF_STEP: Colour = (202, 199, 245)
_PLAIN: Colour = (52, 64, 78)

BANDS: dict[Mood, Colour] = {
    Mood.NOTICE: _PLAIN,
    Mood.WAITING: _PLAIN,
    Mood.HANDS: _PLAIN,
    Mood.READING: _PLAIN,
    Mood.PREVIEW: (10, 88, 96),
    Mood.FAULT: (122, 66, 26),
    Mood.ACCEPTED: ACCEPTED,
    Mood.REFUSED: REFUSED,
    Mood.QUESTION: QUESTION,
    Mood.CANT_SEE: CANT_SEE,
    Mood.OUT_OF_STEP: OUT_OF_STEP,
    Mood.CHECK: (92, 62, 140),
    Mood.MENU: QUESTION,
    Mood.PAUSED: _PLAIN,
    Mood.BLIND: CANT_SEE,
    Mood.FINISHED: (92, 70, 16),
}
"""The ground of the band at the top."""


def compute_luminance(colour: Colour) -> float:
    """Compute relative luminance, 0 to 1, as WCAG 2 has it."""
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def compute_contrast(one: Colour, other: Colour) -> float:
    """Compute the contrast of two colours as WCAG 2 has it, 1 to 21.

    >>> compute_contrast((0, 0, 0), (255, 255, 255))
    21.0
    """
    low, high = sorted((compute_luminance(one), compute_luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(ground: Colour) -> Colour:
    """Choose the letters that stand out more on a ground: dark or light ones."""
    return BLACK if compute_contrast(BLACK, ground) > compute_contrast(WHITE, ground) else WHITE
