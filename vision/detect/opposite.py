"""Where the other end of a card must lie of which one end was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.layouts import CARD_MM
from vision.detect.corners import End, end_of_card
from vision.detect.pairing import lies_on, pair_ends
from vision.geometry import ANCHOR_MM

_MIDDLE_MM = (CARD_MM[0] / 2, ANCHOR_MM[1])


def opposite_ends(ends: Sequence[End]) -> dict[int, End]:
    """For each end found without its opposite one, where that should be; by the end's number.

    Left out are those that surely lie under another card: in a column most do, and looking there is in vain.
    """
    opposite = {}
    for k in (group[0] for group in pair_ends(ends) if len(group) == 1):
        end = replace(opposite_of(ends[k]), score=1.0)
        if not hidden(end, ends[k], ends):
            opposite[k] = end
    return opposite


def hidden(opposite: End, end: End, ends: Sequence[End]) -> bool:
    """Whether the other end of an end's card surely lies under another of the cards with these ends."""
    return any(lies_on(other, end) and _hides(other, opposite) for other in ends if other is not end)


def opposite_of(end: End) -> End:
    """The other end of the same card, as clear and of the same kind."""
    return end_of_card(*end.centre, end.angle + 180, end.score, end.kind)


def _hides(upper: End, lower: End) -> bool:
    """Whether a card covers the corner and the middle of an end."""
    return upper.holds(lower.x, lower.y) and upper.holds(*lower.at(*_MIDDLE_MM))
