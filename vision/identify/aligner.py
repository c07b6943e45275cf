"""Laying a template over a picture: roughly where it is likest, then exactly by a shift and a turn.

A lie is an affine map (2, 3), float32, from points of the template to those of the picture.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats

Steps = tuple[int, int, float]
"""When a search ends, as OpenCV has it."""


def limit_steps(most: int, epsilon: float) -> Steps:
    """Limit the steps to ``most``, and stop once the correlation gains less than ``epsilon``."""
    return cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, most, epsilon


def find_likest_place(seen: Floats, template: Floats) -> tuple[float, int, int]:
    """Find the best correlation of a template with any place of a picture, and that place (x, y px)."""
    _, like, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(seen, template, cv2.TM_CCOEFF_NORMED))
    return like, x, y


def find_nearest_place(seen: Floats, template: Floats) -> tuple[int, int]:
    """Find where (x, y px) a picture differs least from a template in all its levels."""
    x, y = cv2.minMaxLoc(cv2.matchTemplate(seen, template, cv2.TM_SQDIFF))[2]
    return x, y


def lie_at(x: float, y: float) -> Floats:
    """Return the lie of a template whose corner lies there (px)."""
    return np.array([[1, 0, x], [0, 1, y]], np.float32)


def from_point(lie: Floats, x: float, y: float) -> Floats:
    """Return how what begins at a point (px) of the template lies."""
    moved = lie.copy()
    moved[:, 2] += moved[:, :2] @ np.array([x, y], np.float32)
    return moved


def refine_lie(template: Floats, seen: Floats, rough: Floats, end: Steps) -> tuple[float, Floats] | None:
    """Find how a grey template (h, w) lies in a grey picture near a rough lie, and how well it fits (a correlation).

    None where the search leads nowhere.
    """
    try:
        fit, lie = cv2.findTransformECC(template, seen, rough.copy(), cv2.MOTION_EUCLIDEAN, end)
    except cv2.error:
        return None
    return float(fit), np.asarray(lie, np.float32)


def cut_under(picture: Floats, lie: Floats, size: tuple[int, ...], how: int) -> Floats:
    """Cut out what lies under a template of that size (w, h) that lies so; ``how`` is OpenCV's interpolation."""
    flags = how | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(picture, lie, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)
