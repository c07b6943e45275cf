"""Which two corners belong to one card."""

from __future__ import annotations

import math
from collections.abc import Sequence

from referee.layout import CARD_MM
from vision.config import CONFIG
from vision.detect.corners import Corner, degrees_apart
from vision.geometry import ANCHOR_MM

_PAIRING = CONFIG.detect.pairing

(_WIDTH_MM, _HEIGHT_MM), (_ACROSS_MM, _DOWN_MM) = CARD_MM, ANCHOR_MM
_BETWEEN_MM = (_WIDTH_MM - 2 * _ACROSS_MM, _HEIGHT_MM - 2 * _DOWN_MM)
"""From one anchor of a card to the other, across and down."""
_DIAGONAL_MM = math.hypot(*_BETWEEN_MM)


def pair_corners(corners: Sequence[Corner]) -> list[tuple[int, ...]]:
    """Put the two corners of each whole card together; what stays alone is the only corner that shows of its card."""
    options = []
    centres = [corner.centre for corner in corners]
    for i, a in enumerate(corners):
        for j in range(i + 1, len(corners)):
            gap = math.dist(centres[i], centres[j])
            if (
                gap < _PAIRING.same_centre_mm
                and (off := 180 - degrees_apart(a.angle, corners[j].angle)) < _PAIRING.facing_deg
            ):
                options.append((gap + off / 3, i, j))
    pairs = _choose_best_pairs(options)
    alone = sorted({*range(len(corners))} - {i for pair in pairs for i in pair})
    pairs += _pair_askew(corners, alone)
    taken = {i for pair in pairs for i in pair}
    return [*pairs, *((i,) for i in alone if i not in taken)]


def _choose_best_pairs(options: Sequence[tuple[float, int, int]]) -> list[tuple[int, int]]:
    """Choose of pairs, each with how badly it fits, those that fit best, so that none is in two of them."""
    pairs: list[tuple[int, int]] = []
    taken: set[int] = set()
    for _, i, j in sorted(options):
        if not taken & {i, j}:
            pairs.append((i, j))
            taken |= {i, j}
    return pairs


def _pair_askew(corners: Sequence[Corner], alone: Sequence[int]) -> list[tuple[int, int]]:
    """Find pairs among the corners left alone, each detected some degrees askew; by their numbers.

    In a fan the next card leaves half of a corner free. Its angle then errs, and puts the card's centre far off. Where
    the two anchors lie is found well, and how far apart they are is known.
    """
    options = []
    for n, i in enumerate(alone):
        for j in alone[n + 1 :]:
            a, b = corners[i], corners[j]
            gap = abs(math.dist((a.x, a.y), (b.x, b.y)) - _DIAGONAL_MM)
            if gap > _PAIRING.diagonal_mm or 180 - degrees_apart(a.angle, b.angle) > _PAIRING.askew_deg:
                continue
            angle = pose_of([a, b])[2]
            askew = max(degrees_apart(angle, a.angle), degrees_apart(angle + 180, b.angle))
            if askew < _PAIRING.askew_deg:
                options.append((gap + askew / 3, i, j))
    return _choose_best_pairs(options)


def is_on_card(upper: Corner, lower: Corner) -> bool:
    """Tell whether a corner lies on another one's card, and the two face about the same way, as in a column."""
    return degrees_apart(upper.angle, lower.angle) < _PAIRING.column_deg and lower.covers(upper.x, upper.y)


def pose_of(corners: Sequence[Corner]) -> tuple[float, float, float]:
    """Find where the card with this corner, or these two, lies: its centre (x, y mm) and angle (degrees clockwise)."""
    if len(corners) == 1:
        (x, y), angle = corners[0].centre, corners[0].angle
        return x, y, angle
    a, b = corners
    # Each corner errs in its angle; the line between the two anchors, 70 mm apart along the card, errs far less.
    angle = math.degrees(math.atan2(b.y - a.y, b.x - a.x) - math.atan2(*_BETWEEN_MM[::-1])) % 360
    return (a.x + b.x) / 2, (a.y + b.y) / 2, angle
