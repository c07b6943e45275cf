"""Cards that lie beneath others: what can't be read there is not needed where known cards explain it.

A pile is untidy, so its lower cards peep out, and the little that shows of one is named wrongly or not at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from referee.layout import CARD_MM
from referee.table import COVERS_MM, Sighting, Unread

WHOLE = 0.9
"""From this visible share on a card may be the top of a pile."""
SAME_SHOWN = 0.03
"""Two cards of a pile that show alike to within this share: neither is surely the top one."""
_PEEPING_MM = 30.0
"""The middle of what peeps out from under a card lies no farther beside it."""

Size = tuple[float, float]


def is_beneath(mark: Unread, cards: Iterable[Sighting], card_mm: Size = CARD_MM) -> bool:
    """Whether a card that is read, and shows more of itself, lies on the middle of one that can't be read.

    Of what looks like no card only what peeps out is told, so its middle lies beside the card on it.
    """
    shown, beside = mark.visible, 0.0
    if mark.covers:
        shown, beside = len(mark.covers) * COVERS_MM**2 / (card_mm[0] * card_mm[1]), _PEEPING_MM
    if shown >= WHOLE - SAME_SHOWN:
        return False
    return any(card.visible > shown + SAME_SHOWN and _holds(card, mark, beside, card_mm) for card in cards)


def _holds(card: Sighting, mark: Unread, beside: float, card_mm: Size) -> bool:
    """Whether the middle of a mark lies within a card's outline, or no farther than so many mm beside it."""
    dx, dy = mark.x - card.x, mark.y - card.y
    c, s = math.cos(math.radians(card.angle)), math.sin(math.radians(card.angle))
    across, down = abs(dx * c + dy * s), abs(dy * c - dx * s)
    return across <= card_mm[0] / 2 + beside and down <= card_mm[1] / 2 + beside
