"""What is cut out of a picture at a corner or of a card, and how well it can be seen there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Picture
from vision.config import CONFIG
from vision.geometry import CROP_MARGIN_PX, CROP_SHAPE, CropWindow

_SEARCH = CONFIG.reading.search
_QUALITY = CONFIG.reading.quality


def _list_nearby_offsets() -> list[tuple[int, int]]:
    far = _SEARCH.nearby_px
    return [(x, y) for x in (-far, 0, far) for y in (-far, 0, far) if x or y]


CROP_CENTRE_MM = CropWindow.with_margin().middle_mm
"""A crop's centre in its corner's frame."""
WIDE = CropWindow.with_margin(CROP_MARGIN_PX)
"""A crop with its margin."""
FAR = CropWindow.with_margin(CROP_MARGIN_PX + CONFIG.identify.open_set.evidence.displaced_px)
"""What is cut where a corner may lie elsewhere than it was found."""
AROUND = CropWindow.with_margin(_SEARCH.nearby_px)
"""What is cut where a corner is searched beside its place."""
BESIDE = _list_nearby_offsets()
"""It is searched this many px (of a crop) right and down."""
BLOOM = np.ones((_QUALITY.bloom_px, _QUALITY.bloom_px), np.uint8)
"""What lies so near to a clipped point is no ground either."""


def narrow_crop(wide: Picture) -> Picture:
    """Cut the embedder's window (56, 160, 3) out of a wide crop."""
    return wide[CROP_MARGIN_PX:-CROP_MARGIN_PX, CROP_MARGIN_PX:-CROP_MARGIN_PX]


def cut_windows_beside(around: Picture) -> list[Picture]:
    """Cut out the embedder's windows (56, 160, 3) at each place beside the middle of what is cut with 12 px more."""
    (h, w), far = CROP_SHAPE[:2], _SEARCH.nearby_px
    return [around[far + down : far + down + h, far + right : far + right + w] for right, down in BESIDE]


def find_clipped(raw: Picture) -> NDArray[np.bool_]:
    """Find where (h, w) a picture (h, w, 3) is at the camera's upper end."""
    return np.asarray(raw.min(axis=2) >= _QUALITY.clipped)


def clipped_share(crop: Picture) -> float:
    """Measure the share of a raw crop at the camera's upper end, where glare has washed out what is printed."""
    return float(find_clipped(crop).mean())


def measure_sharpness(crop: Picture) -> float:
    """Measure how steep the steepest edges of a crop are, in grey levels of a well lit card; in focus 20 to 80."""
    grey = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    bright = max(float(np.percentile(grey, 90)), _QUALITY.darkest)
    return float(np.percentile(np.abs(cv2.Laplacian(grey, cv2.CV_32F)), 99)) * _QUALITY.well_lit / bright
