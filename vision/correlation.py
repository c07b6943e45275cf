"""How well each of several prints fits at every place near its own: many correlations for the price of a few.

The coefficients are those of ``cv2.matchTemplate`` by ``TM_CCOEFF_NORMED``, which transforms the strip anew for every
print and every print anew for every strip. Here a strip is transformed once for all, a print once and for ever.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import Floats

Spectrum = NDArray[np.complex64]

_FLAT = 1e-3
"""A place that varies by less than this (grey levels squared, a point and colour) counts as if by so much."""


def spectrum_of(enrolled: Floats, slack_px: int) -> Spectrum:
    """What ``coefficients`` asks of a print (h, w, 3) that is laid over places so many px round its own."""
    h, w = enrolled.shape[:2]
    away = _levelled(enrolled)
    away /= max(float(np.linalg.norm(away)), 1e-6)
    return np.conj(_transformed(away, _size(h, w, slack_px)))


def coefficients(around: Floats, spectra: Sequence[Spectrum], slack_px: int) -> Floats:
    """The correlation of n prints of one size (h, w, 3) with each place in ``around`` (h + 2 s, w + 2 s, 3).

    Args:
        around: what is seen, with ``slack_px``, s, more all round than a print has.
        spectra: the prints, as ``spectrum_of`` makes them.
        slack_px: how far a print may lie from the middle.

    Returns:
        From −1 to 1, (n, 2 s + 1, 2 s + 1); a place without contrast has 0.
    """
    places = 2 * slack_px + 1
    h, w = (side - 2 * slack_px for side in around.shape[:2])
    size = _size(h, w, slack_px)
    level = _levelled(around)
    seen = _transformed(level, size)
    shared = np.empty((len(spectra), *seen.shape[1:]), np.complex64)
    for own, together in zip(spectra, shared, strict=True):
        np.multiply(own[0], seen[0], out=together)
        together += own[1] * seen[1]
        together += own[2] * seen[2]
    laid = np.fft.irfft2(shared, s=size)[:, :places, :places]
    spread = sum(_spread(plane, h, w, places) for plane in level)
    return np.asarray(laid / np.sqrt(np.maximum(spread, _FLAT * h * w)), np.float32)


def _levelled(values: Floats) -> Floats:
    """A picture (h, w, 3) as planes (3, h, w), each less its mean."""
    planes = np.ascontiguousarray(values.transpose(2, 0, 1))
    return np.asarray(planes - planes.mean(axis=(1, 2), keepdims=True), np.float32)


def _size(h: int, w: int, slack_px: int) -> tuple[int, int]:
    return cv2.getOptimalDFTSize(h + 2 * slack_px), 2 * cv2.getOptimalDFTSize((w + 2 * slack_px + 1) // 2)


def _transformed(planes: Floats, size: tuple[int, int]) -> Spectrum:
    return np.asarray(np.fft.rfft2(planes, s=size), np.complex64)


def _spread(plane: Floats, h: int, w: int, places: int) -> NDArray[np.float64]:
    """By how much (squared, in all) the values vary in each window of h × w of a plane; (places, places)."""
    sums, squares = cv2.integral2(plane)

    def inside(upto: NDArray[np.float64]) -> NDArray[np.float64]:
        below, above = upto[h : h + places], upto[:places]
        return np.asarray(below[:, w : w + places] - above[:, w : w + places] - below[:, :places] + above[:, :places])

    return np.asarray(inside(np.asarray(squares)) - np.square(inside(np.asarray(sums))) / (h * w))
