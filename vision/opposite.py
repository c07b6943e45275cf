"""Where the other end of a card must lie of which one end was found."""

from __future__ import annotations

import math
from collections.abc import Sequence

from referee.layouts import CARD_MM
from vision.decode import pair_ends
from vision.networks import ANCHOR_MM, End, end_of_card

_SAME_WAY_DEG = 60.0
_MIDDLE_MM = (CARD_MM[0] / 2, ANCHOR_MM[1])


def opposite_ends(ends: Sequence[End]) -> dict[int, End]:
    """For each end found without its opposite one, where that should be; by the end's number.

    Left out are those that surely lie under another card: in a column most do, and looking there is in vain.
    """
    opposite = {}
    for k in (group[0] for group in pair_ends(ends) if len(group) == 1):
        end = end_of_card(*ends[k].centre, ends[k].angle + 180, kind=ends[k].kind)
        if not any(_lies_on(other, ends[k]) and _hides(other, end) for other in ends if other is not ends[k]):
            opposite[k] = end
    return opposite


def _lies_on(upper: End, lower: End) -> bool:
    """Whether a corner that shows lies on another card, and the two face about the same way, as in a column."""
    turned = abs((upper.angle - lower.angle + 180) % 360 - 180)
    return turned < _SAME_WAY_DEG and _in_card(lower, upper.x, upper.y)


def _hides(upper: End, lower: End) -> bool:
    """Whether a card covers the corner and the middle of an end."""
    return _in_card(upper, lower.x, lower.y) and _in_card(upper, *lower.at(*_MIDDLE_MM))


def _in_card(end: End, x: float, y: float) -> bool:
    """Whether a point of the mat lies on the end's card."""
    dx, dy = x - end.x, y - end.y
    c, s = math.cos(math.radians(end.angle)), math.sin(math.radians(end.angle))
    across, down = ANCHOR_MM[0] + dx * c + dy * s, ANCHOR_MM[1] - dx * s + dy * c
    return 0 <= across <= CARD_MM[0] and 0 <= down <= CARD_MM[1]
