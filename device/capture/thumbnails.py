"""Pictures in small, for the display: a full picture is never kept for it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from device.hardware.camera import Picture
from ui.screen_state import Thumbnail

_WIDTH = 320
"""px. Enough for the mat's outline on a small panel."""
_CHANGED_LEVELS = 12.0
"""A cell of a thumbnail that differs by so much has changed; less is noise and the lamp's flicker."""
_CELL_PX = 8


def make_thumbnail(picture: Picture) -> Thumbnail:
    """Reduce a picture (h, w, 3) BGR to a thumbnail."""
    height, width = picture.shape[:2]
    across = min(_WIDTH, width)
    size = across, max(1, round(across * height / width))
    return as_thumbnail(np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8))


def as_thumbnail(picture: Picture) -> Thumbnail:
    """Return a small picture (h, w, 3) BGR for the display."""
    height, width = picture.shape[:2]
    return Thumbnail((width, height), cv2.cvtColor(picture, cv2.COLOR_BGR2RGB).tobytes())


def are_alike(one: Thumbnail, other: Thumbnail) -> bool:
    """Whether two thumbnails show the same but for noise."""
    if one.size != other.size:
        return False
    return float(np.abs(_average_cells(one) - _average_cells(other)).max()) < _CHANGED_LEVELS


def _average_cells(shown: Thumbnail) -> npt.NDArray[np.float32]:
    width, height = shown.size
    pixels = np.frombuffer(shown.rgb, np.uint8).reshape(height, width, 3)
    size = max(1, width // _CELL_PX), max(1, height // _CELL_PX)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.float32)
