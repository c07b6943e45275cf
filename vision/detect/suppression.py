"""Ends that are but a second look at a surer one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from vision.detect.corners import Corner, degrees_apart

_NEAR_MM = 7.0
_FAINT, _FAINT_SHARE = 0.5, 0.65
_RADIUS_MM, _RADIUS_DEG = 17.0, 12.0
_MARK_MM, _MARK_SCORE = 13.5, 0.62
"""A suit mark stands no farther than this from its card's anchor; an end that near, and no surer, is the mark."""
_STEP_MM, _BESIDE_MM = 13.0, 4.0
"""In a column the next card comes no sooner than this, straight below; a suit mark there may look like a clear end."""
SEEN, FAINTEST = 0.2, 0.1


def unsuppressed(corners: Iterable[Corner]) -> list[Corner]:
    """The ends that are no echoes."""
    return [corner for corner in corners if not corner.suppressed]


def suppress_non_maxima(corners: Iterable[Corner]) -> list[Corner]:
    """The ends best first, then those that may be but a second look at a surer one; without those that surely are."""
    kept: list[Corner] = []
    suppressed: list[Corner] = []
    for corner in sorted(corners, key=lambda corner: -corner.score):
        if not any(_is_non_maximum(corner, surer) for surer in kept):
            kept.append(replace(corner, suppressed=False))
        elif corner.score >= SEEN and all(
            math.dist((corner.x, corner.y), (o.x, o.y)) > _NEAR_MM for o in (*kept, *suppressed)
        ):
            suppressed.append(replace(corner, suppressed=True))
    return kept + suppressed


def _is_non_maximum(corner: Corner, surer: Corner) -> bool:
    """Whether an end is but a second look at a surer one: on its corner, or on the suit mark below its rank."""
    gap = math.hypot(corner.x - surer.x, corner.y - surer.y)
    if gap < _NEAR_MM:
        return True
    if gap > _RADIUS_MM or degrees_apart(corner.angle, surer.angle) > _RADIUS_DEG:
        return False
    turn = math.radians(surer.angle)
    beside = (corner.x - surer.x) * math.cos(turn) + (corner.y - surer.y) * math.sin(turn)
    if gap < _STEP_MM and abs(beside) < _BESIDE_MM:
        return True
    return corner.score < (_MARK_SCORE if gap < _MARK_MM else min(_FAINT, _FAINT_SHARE * surer.score))
