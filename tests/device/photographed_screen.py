"""A picture shown on a screen and photographed from there: red, green and blue stripes, gaps between rows, bands."""

from __future__ import annotations

import math

import cv2
import numpy as np

from device.hardware.camera import Picture

_GAP = 0.35


def photographed(picture: Picture, screen: tuple[int, int], photo: tuple[int, int], turn: float = 1.3) -> Picture:
    """Take a photo (width, height) of a screen (width, height, px) that shows a picture, turned by some degrees."""
    (width, height), (across, down) = screen, photo
    shown = cv2.resize(picture, screen, interpolation=cv2.INTER_AREA).astype(np.float32)
    pixel = np.zeros((3, 3, 3), np.float32)
    for column, channel in enumerate((2, 1, 0)):
        pixel[:, column, channel] = 1
    pixel[2] *= _GAP
    lit = cv2.resize(shown, (3 * width, 3 * height), interpolation=cv2.INTER_NEAREST)
    lit = cv2.GaussianBlur(lit * np.tile(pixel, (height, width, 1)) * 2.5, (0, 0), 1.0)
    scale, angle = 0.9 * across / (3 * width), math.radians(turn)
    c, s = scale * math.cos(angle), scale * math.sin(angle)
    move = np.array([[c, -s, 0.06 * across], [s, c, 0.03 * down]], np.float32)
    seen = cv2.warpAffine(lit, move, photo, flags=cv2.INTER_AREA, borderValue=(20, 20, 20))
    return np.clip(seen, 0, 255).astype(np.uint8)
