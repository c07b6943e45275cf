"""What of a corner's crop lies under other cards, as far as their corners were found.

A corner that shows within another card's outline lies on that card, and so does its whole card: in a column each card
covers what is below the strip of the one before. In a fan that leans left the next card's corner lies beside the card
that it covers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_MM
from vision.arrays import Picture
from vision.config import CONFIG
from vision.detect.corners import Corner, degrees_apart, has_partner
from vision.geometry import ANCHOR_MM, CROP_PX_PER_MM
from vision.mat.model import outer_corners

_PAIRING = CONFIG.detect.pairing
_OCCLUSION = CONFIG.detect.occlusion


_OUTLINE = outer_corners(*CARD_MM)
"""A card's corners (4, 2) from the upper left one."""


def mask_occluded(
    corners: Sequence[Corner], over: Sequence[Corner], origin_mm: tuple[float, float], size: tuple[int, int]
) -> list[Picture | None]:
    """Mask where other cards lie on the crops of corners.

    Args:
        corners: the corners whose crops are asked for.
        over: all corners found on the mat.
        origin_mm: the crops' upper left corner in the corners' frame.
        size: the crops' width and height, px at ``CROP_PX_PER_MM``.

    Returns:
        For each corner (height, width), 255 where covered; None where nothing is.
    """
    sure = [corner for corner in over if corner.score >= _OCCLUSION.min_score]
    places = _place_anchors(sure)
    masks: list[Picture | None] = []
    for corner in corners:
        mask: Picture | None = None
        for other, across, down in _list_lying_on(corner, sure, places):
            turn = math.radians(other.angle - corner.angle)
            tc, ts = math.cos(turn), math.sin(turn)
            vertices = (_OUTLINE - ANCHOR_MM) @ np.array([(tc, ts), (-ts, tc)])
            outline = np.asarray(vertices + np.array([across, down]), np.float32)
            if cv2.pointPolygonTest(outline, _OCCLUSION.index_mm, False) >= 0:
                continue
            mask = np.zeros(size[::-1], np.uint8) if mask is None else mask
            px = (outline - origin_mm) * CROP_PX_PER_MM
            cv2.fillConvexPoly(mask, np.round(px).astype(np.int32), 255)
        masks.append(mask if mask is not None and mask.any() else None)
    return masks


def find_occluders(corners: Sequence[Corner], over: Sequence[Corner]) -> list[Corner]:
    """Find those of all corners found on the mat, ``over``, that lie on the cards of ``corners``, each once."""
    sure = [corner for corner in over if corner.score >= _OCCLUSION.min_score]
    places = _place_anchors(sure)
    lying = {other for corner in corners for other, _, _ in _list_lying_on(corner, sure, places)}
    return [other for other in sure if other in lying]


def _place_anchors(corners: Sequence[Corner]) -> NDArray[np.float64]:
    """Place the anchors of n corners, (n, 2)."""
    return np.array([(corner.x, corner.y) for corner in corners]).reshape(-1, 2)


def _list_lying_on(
    corner: Corner, others: Sequence[Corner], places: NDArray[np.float64]
) -> list[tuple[Corner, float, float]]:
    """List the others, at those places, whose cards lie on a corner's card, each with its anchor in that card's frame.

    In a fan that leans left the next card's corner lies beside the card that it covers, unless that is whole.
    """
    c, s = math.cos(math.radians(corner.angle)), math.sin(math.radians(corner.angle))
    away = places - (corner.x, corner.y)
    across, down = ANCHOR_MM[0] + away @ (c, s), ANCHOR_MM[1] + away @ (-s, c)
    on = (across > -_OCCLUSION.beside_mm) & (across < CARD_MM[0]) & (down > 0) & (down < CARD_MM[1])
    centre = corner.centre

    def is_whole() -> bool:
        return has_partner(
            corner,
            (other for other in others if other.score >= _OCCLUSION.clear_score),
            _PAIRING.same_centre_mm,
            _OCCLUSION.fan_deg,
        )

    lying = []
    for k in np.flatnonzero(on).tolist():
        if math.dist(others[k].centre, centre) < _PAIRING.same_centre_mm:
            continue
        if across[k] <= 0:
            below = _OCCLUSION.fan_min_step_mm < down[k] - ANCHOR_MM[1] < _OCCLUSION.fan_max_step_mm
            if not below or degrees_apart(others[k].angle, corner.angle) > _OCCLUSION.fan_deg or is_whole():
                continue
        lying.append((others[k], float(across[k]), float(down[k])))
    return lying


def count_visible_rows(mask: Picture | None, x: int, y: int, width: int, height: int) -> int:
    """Count the rows (px of the crop) of a box that show before another card begins; all without a mask."""
    if mask is None:
        return height
    hidden = np.count_nonzero(mask[y : y + height, x : x + width], axis=1) > width // 4
    return max(0, int(hidden.argmax()) - _OCCLUSION.slack_px) if hidden.any() else height
