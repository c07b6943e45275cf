"""The colour of a die's body, and its name."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.config import CONFIG

_COLOUR = CONFIG.dice.colour
_HUES = ((8, "red"), (22, "orange"), (35, "yellow"), (85, "green"), (130, "blue"), (165, "purple"), (181, "red"))
"""Names of hues up to so many half degrees."""


def body_colour(crop: Picture, radius_px: float) -> Floats:
    """Measure the body's colour (3,) BGR, 0 to 1, round the middle of a crop: pips cover less than half of a face."""
    h, w = crop.shape[:2]
    y, x = np.ogrid[:h, :w]
    near = (x - w / 2 + 0.5) ** 2 + (y - h / 2 + 0.5) ** 2 <= radius_px**2
    colours = crop[near].astype(np.float32)
    # What lies far from the median is pips and their rims.
    away = np.linalg.norm(colours - np.median(colours, axis=0), axis=1)
    return np.asarray(np.median(colours[away <= np.median(away)], axis=0) / 255, np.float32)


def measure_brightness(colour: Floats) -> float:
    """Measure how bright a colour (3,) BGR is, 0 to 1."""
    return float(colour @ np.array([0.114, 0.587, 0.299], np.float32))


def name_colour(colour: Floats) -> str:
    """Name a colour (3,) BGR, 0 to 1, in a plain word."""
    hue, saturation, value = cv2.cvtColor((colour * 255).astype(np.uint8).reshape(1, 1, 3), cv2.COLOR_BGR2HSV)[0, 0]
    saturation, value = saturation / 255, value / 255
    grey = saturation < _COLOUR.grey
    if value < (_COLOUR.dark_grey if grey else _COLOUR.black):
        return "black"
    if grey:
        return "white" if value > _COLOUR.white else "grey"
    name = next(name for most, name in _HUES if hue < most)
    brown = name in ("red", "orange") and value < _COLOUR.brown and saturation < _COLOUR.dull
    return "brown" if brown else name
