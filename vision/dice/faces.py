"""What the face reader is shown: a crop round a top face, and which way the camera is."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Doubles, Picture
from vision.config import CONFIG

CROP_PX = 72
"""Side of a crop: 24 mm."""
_FACE = CONFIG.dice.face


def lean_channel(base: Doubles | None) -> Picture:
    """A channel (72, 72) with a line from the middle to ``base``, an offset (2,) in px.

    There the bottom face of a die that lies flat would show, were the die of glass. It is empty where that is unknown.
    """
    channel = np.zeros((CROP_PX, CROP_PX), np.uint8)
    if base is not None:
        unit, middle = 1 << _FACE.lean_shift, CROP_PX / 2 - 0.5
        ends = [tuple(round(float(v) * unit) for v in (middle + offset)) for offset in (np.zeros(2), base)]
        cv2.line(channel, ends[0], ends[1], 255, _FACE.lean_line_px, cv2.LINE_AA, _FACE.lean_shift)
    return channel


def shown(crop: Picture, base: Doubles | None) -> Picture:
    """The crop (72, 72, 3) with that channel, (72, 72, 4)."""
    return np.dstack([crop, lean_channel(base)])
