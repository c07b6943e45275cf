"""What of an end's strip lies under other cards, as far as their ends were found.

A corner that shows within another card's outline lies on that card, and so does the whole card that it belongs to: in a
column each card covers what is below the strip of the one before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from referee.layouts import CARD_MM
from vision.decode import SAME_PLACE_MM
from vision.networks import ANCHOR_MM, STRIP_PX_PER_MM, End, Picture

_SURE = 0.35
_SLACK_PX = 2
_INDEX_MM = (9.0, 10.5)
"""No card covers this point of one whose end was found; what seems to is a second look at the same card."""

_OUTLINE = np.array([(0.0, 0.0), (CARD_MM[0], 0.0), CARD_MM, (0.0, CARD_MM[1])])


def covered(
    ends: Sequence[End], over: Sequence[End], corner_mm: tuple[float, float], size: tuple[int, int]
) -> list[Picture | None]:
    """Where other cards lie on the strips of ends.

    Args:
        ends: the ends whose strips are asked for.
        over: all ends found on the mat.
        corner_mm: the strips' upper left corner in the ends' frame.
        size: the strips' width and height, px at ``STRIP_PX_PER_MM``.

    Returns:
        For each end (height, width), 255 where covered; None where nothing is.
    """
    sure = [end for end in over if end.score >= _SURE]
    places = np.array([(end.x, end.y) for end in sure]).reshape(-1, 2)
    masks: list[Picture | None] = []
    for end in ends:
        mask: Picture | None = None
        c, s = math.cos(math.radians(end.angle)), math.sin(math.radians(end.angle))
        away = places - (end.x, end.y)
        across, down = ANCHOR_MM[0] + away @ (c, s), ANCHOR_MM[1] + away @ (-s, c)
        on = (across > 0) & (across < CARD_MM[0]) & (down > 0) & (down < CARD_MM[1])
        for k in np.flatnonzero(on):
            if math.dist(sure[k].centre, end.centre) < SAME_PLACE_MM:
                continue
            turn = math.radians(sure[k].angle - end.angle)
            tc, ts = math.cos(turn), math.sin(turn)
            corners = (_OUTLINE - ANCHOR_MM) @ np.array([(tc, ts), (-ts, tc)])
            outline = np.asarray(corners + np.array([across[k], down[k]]), np.float32)
            if cv2.pointPolygonTest(outline, _INDEX_MM, False) >= 0:
                continue
            mask = np.zeros(size[::-1], np.uint8) if mask is None else mask
            px = (outline - corner_mm) * STRIP_PX_PER_MM
            cv2.fillConvexPoly(mask, np.round(px).astype(np.int32), 255)
        masks.append(mask if mask is not None and mask.any() else None)
    return masks


def free_rows(mask: Picture | None, x: int, y: int, width: int, height: int) -> int:
    """How many of a box's rows (px of the strip) show before another card begins; all without a mask."""
    if mask is None:
        return height
    hidden = np.count_nonzero(mask[y : y + height, x : x + width], axis=1) > width // 4
    return max(0, int(hidden.argmax()) - _SLACK_PX) if hidden.any() else height
