"""What the face reader is shown: a crop round a top face, brought to one size by the edge that was found."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Picture

CROP_PX = 80
"""Side of a crop (px)."""
CROP_EDGE_PX = 36
"""A top face's edge in it (px)."""


def crop_round(region: Picture, x: float, y: float, edge: float) -> Picture:
    """Crop (80, 80, 3) round a point of a region for an edge of that many px; its rim is repeated beyond it."""
    zoom = CROP_EDGE_PX / edge
    middle = CROP_PX / 2 - 0.5
    move = np.array([[zoom, 0, middle - zoom * x], [0, zoom, middle - zoom * y]], np.float64)
    drawn = cv2.warpAffine(region, move, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(drawn, np.uint8)
