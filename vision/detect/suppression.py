"""Non-maximum suppression: detections that are a second one of a surer corner, or a mark of its card."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from vision.config import CONFIG
from vision.detect.corners import Corner, degrees_apart
from vision.detect.fans import find_missed_in_fans

_DETECTION = CONFIG.detect.detection
_SUPPRESSION = CONFIG.detect.suppression


def list_unsuppressed(corners: Iterable[Corner]) -> list[Corner]:
    """List the corners that are not suppressed."""
    return [corner for corner in corners if not corner.suppressed]


def suppress_non_maxima(corners: Iterable[Corner]) -> list[Corner]:
    """List the corners best first, then those that may be a mark of a surer one's card; drop those that surely are."""
    kept: list[Corner] = []
    suppressed: list[Corner] = []
    for corner in sorted((corner for corner in corners if corner.score), key=lambda corner: -corner.score):
        if not any(_is_non_maximum(corner, surer) for surer in kept):
            kept.append(replace(corner, suppressed=False))
        elif corner.score >= _DETECTION.min_score and all(
            math.dist((corner.x, corner.y), (o.x, o.y)) > _SUPPRESSION.same_corner_mm for o in (*kept, *suppressed)
        ):
            suppressed.append(replace(corner, suppressed=True))
    return [*kept, *suppressed, *find_missed_in_fans([*kept, *suppressed])]


def _is_non_maximum(corner: Corner, surer: Corner) -> bool:
    """Tell whether a corner is a second detection of a surer one, or the suit mark below its rank."""
    gap = math.hypot(corner.x - surer.x, corner.y - surer.y)
    if gap < _SUPPRESSION.same_corner_mm:
        return True
    if gap > _SUPPRESSION.radius_mm or degrees_apart(corner.angle, surer.angle) > _SUPPRESSION.radius_deg:
        return False
    turn = math.radians(surer.angle)
    beside = (corner.x - surer.x) * math.cos(turn) + (corner.y - surer.y) * math.sin(turn)
    if gap < _SUPPRESSION.column_step_mm and abs(beside) < _SUPPRESSION.column_beside_mm:
        return True
    return corner.score < (
        _SUPPRESSION.mark_score
        if gap < _SUPPRESSION.mark_mm
        else min(_SUPPRESSION.score, _SUPPRESSION.score_share * surer.score)
    )
