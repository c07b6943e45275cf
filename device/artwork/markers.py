"""The bit patterns of the four markers, from OpenCV's own dictionary."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

BORDER_MM = 10.0
"""White round a marker: the table standard asks for 8 mm at least, and scissors slip."""


def marker_bits(number: int) -> npt.NDArray[np.bool_]:
    """Return the 6 × 6 cells of a marker of DICT_4X4_50, black border included, top row first; ``True`` is white."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    bits: npt.NDArray[np.bool_] = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, 6)) > 127
    return bits
