"""Where corners may lie that the detector missed: between two of a tight fan, where they run into each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.config import CONFIG
from vision.detect.corners import Corner, degrees_apart

_FAN = CONFIG.detect.fan


def find_missed_in_fans(corners: Sequence[Corner]) -> list[Corner]:
    """Find where SEVEN cards may lie in the gaps of fans: suppressed corners without a score, yet to show a card.

    Narrow as they show, the detector takes many a SEVEN card of a fan for a paper.
    """
    faces = [corner for corner in corners if corner.kind != "back" and corner.score >= _FAN.min_score]
    missed = []
    for left in faces:
        abreast = [(beside, right) for right in faces if (beside := _measure_step(left, right)) > 0]
        gap, right = min(abreast, default=(0.0, left), key=lambda each: each[0])
        for cards in range(math.ceil(gap / _FAN.max_step_mm), math.floor(gap / _FAN.min_step_mm) + 1):
            missed += [_interpolate(left, right, k / cards) for k in range(1, cards)]
    return [
        corner
        for n, corner in enumerate(missed)
        if all(math.dist((corner.x, corner.y), (o.x, o.y)) > _FAN.apart_mm for o in (*corners, *missed[:n]))
    ]


def _measure_step(left: Corner, right: Corner) -> float:
    """Measure how far (mm) to the right of a corner another one of its fan lies; 0 where it is none."""
    turn = math.radians(left.angle)
    dx, dy = right.x - left.x, right.y - left.y
    beside, below = dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn)
    one = degrees_apart(left.angle, right.angle) <= _FAN.max_turn_deg
    return beside if one and abs(below) < beside / 2 and beside <= _FAN.max_gap_mm else 0.0


def _interpolate(left: Corner, right: Corner, share: float) -> Corner:
    """Return the pose that lies this share of the way from one corner to the other."""
    turn = (right.angle - left.angle + 180) % 360 - 180
    return replace(
        left,
        x=left.x + share * (right.x - left.x),
        y=left.y + share * (right.y - left.y),
        angle=(left.angle + share * turn) % 360,
        score=0.0,
        kind="seven",
        suppressed=True,
    )
