"""Where the other corner of a card must lie of which one was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.layout import CARD_MM
from vision.detect.corners import Corner, corner_of_card
from vision.detect.pairing import is_on_card, pair_corners
from vision.geometry import ANCHOR_MM


def opposite_corners(corners: Sequence[Corner]) -> dict[int, Corner]:
    """Find where the other corner should be for each corner found without it; by the corner's number.

    Left out are those that surely lie under another card: most of a column's do, and looking there is in vain.
    """
    opposite = {}
    for k in (group[0] for group in pair_corners(corners) if len(group) == 1):
        corner = replace(opposite_of(corners[k]), score=1.0)
        if not is_hidden(corner, corners[k], corners):
            opposite[k] = corner
    return opposite


def is_hidden(opposite: Corner, corner: Corner, corners: Sequence[Corner]) -> bool:
    """Tell whether the other corner of a corner's card surely lies under another of the cards with these corners."""
    return any(is_on_card(other, corner) and _covers_side(other, opposite) for other in corners if other is not corner)


def opposite_of(corner: Corner) -> Corner:
    """Return the other corner of the same card, with the same score and kind."""
    return corner_of_card(*corner.centre, corner.angle + 180, corner.score, corner.kind)


def _covers_side(upper: Corner, lower: Corner) -> bool:
    """Tell whether a card covers a corner and the middle of that side."""
    return upper.covers(lower.x, lower.y) and upper.covers(*lower.to_mat(CARD_MM[0] / 2, ANCHOR_MM[1]))
