"""What is cut out of a picture at a corner or of a card, and how well it can be seen there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Picture
from vision.config import CONFIG
from vision.geometry import CROP_BOX_MM, CROP_MARGIN_PX, CROP_PX_PER_MM, CROP_SHAPE

_SEARCH = CONFIG.reading.search
_QUALITY = CONFIG.reading.quality

_LEFT_MM, _TOP_MM, _RIGHT_MM, _BOTTOM_MM = CROP_BOX_MM
_MARGIN_MM = CROP_MARGIN_PX / CROP_PX_PER_MM
_FAR_MARGIN_MM = CONFIG.identify.open_set.evidence.displaced_px / CROP_PX_PER_MM


def _wide_mm() -> tuple[float, float]:
    return _RIGHT_MM - _LEFT_MM + 2 * _MARGIN_MM, _BOTTOM_MM - _TOP_MM + 2 * _MARGIN_MM


def _crop_px(size_mm: tuple[float, float]) -> tuple[int, int]:
    width, height = size_mm
    return round(width * CROP_PX_PER_MM), round(height * CROP_PX_PER_MM)


def _nearby() -> list[tuple[int, int]]:
    far = _SEARCH.nearby_px
    return [(x, y) for x in (-far, 0, far) for y in (-far, 0, far) if x or y]


def _around_mm() -> tuple[float, float]:
    height, width, _ = CROP_SHAPE
    more = 2 * _SEARCH.nearby_px
    return (width + more) / CROP_PX_PER_MM, (height + more) / CROP_PX_PER_MM


def _far_mm() -> tuple[float, float]:
    width, height = _wide_mm()
    return width + 2 * _FAR_MARGIN_MM, height + 2 * _FAR_MARGIN_MM


def _centre_mm() -> tuple[float, float]:
    return (_LEFT_MM + _RIGHT_MM) / 2, (_TOP_MM + _BOTTOM_MM) / 2


CROP_CENTRE_MM = _centre_mm()
"""A crop's centre in its corner's frame."""
WIDE_MM = _wide_mm()
"""Width and height of a crop with its margin."""
WIDE_ORIGIN_MM = (_LEFT_MM - _MARGIN_MM, _TOP_MM - _MARGIN_MM)
"""Its upper left corner in the frame of the card's corner."""
WIDE_PX = _crop_px(WIDE_MM)
FAR_MM = _far_mm()
"""Width and height of what is cut where a corner may lie elsewhere than it was found."""
FAR_ORIGIN_MM = (_LEFT_MM - _MARGIN_MM - _FAR_MARGIN_MM, _TOP_MM - _MARGIN_MM - _FAR_MARGIN_MM)
"""Its upper left corner in the frame of the card's corner."""
FAR_PX = _crop_px(FAR_MM)
"""Its width and height in px."""
BESIDE = _nearby()
"""Corners are searched so many px (of a crop) beside their place, nearly 5 mm."""
AROUND_MM = _around_mm()
"""Width and height of what is cut for that."""
BLOOM = np.ones((_QUALITY.bloom_px, _QUALITY.bloom_px), np.uint8)
"""What lies so near to a clipped point is no ground either."""


def narrow_crop(wide: Picture) -> Picture:
    """The embedder's window (56, 160, 3) in a wide crop."""
    return wide[CROP_MARGIN_PX:-CROP_MARGIN_PX, CROP_MARGIN_PX:-CROP_MARGIN_PX]


def windows_beside(around: Picture) -> list[Picture]:
    """The embedder's windows (56, 160, 3) at each place beside the one in the middle of what is cut with 12 px more."""
    h, w = CROP_SHAPE[:2]
    return [
        around[
            _SEARCH.nearby_px + down : _SEARCH.nearby_px + down + h,
            _SEARCH.nearby_px + right : _SEARCH.nearby_px + right + w,
        ]
        for right, down in BESIDE
    ]


def clipped(raw: Picture) -> NDArray[np.bool_]:
    """Where (h, w) a picture (h, w, 3) is at the camera's upper end."""
    return np.asarray(raw.min(axis=2) >= _QUALITY.clipped)


def clipped_share(crop: Picture) -> float:
    """Share of a raw crop at the camera's upper end, where glare has washed out what is printed."""
    return float(clipped(crop).mean())


def sharpness(crop: Picture) -> float:
    """How steep the steepest edges of a crop are, in grey levels of a well lit card; one in focus gives 20 to 80."""
    grey = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    bright = max(float(np.percentile(grey, 90)), _QUALITY.darkest)
    return float(np.percentile(np.abs(cv2.Laplacian(grey, cv2.CV_32F)), 99)) * _QUALITY.well_lit / bright
