"""How well each of several templates fits at every place near its own: many correlations for the price of a few.

The coefficients are those of ``cv2.matchTemplate`` with ``TM_CCOEFF_NORMED``, which transforms the crop anew for every
template and every template anew for every crop. Here a crop is transformed once for all templates, a template once and
for ever. As only the nearest places are asked for, the transforms are products with a few rows of Fourier's matrices,
which is quicker than a fast transform of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.config import CONFIG

_CANDIDATES = CONFIG.identify.candidates

Spectrum = NDArray[np.complex64]


def compute_spectrum(enrolled: Floats, more_px: int) -> Spectrum:
    """Prepare a template (h, w, 3) for ``correlate``, to compare with what is ``more_px`` higher and wider."""
    h, w = enrolled.shape[:2]
    away = _level_planes(enrolled)
    away /= max(float(np.linalg.norm(away)), 1e-6)
    return np.conj(_Fourier.for_size(h, w, more_px).transform(away))


def correlate(
    arounds: Sequence[Floats], spectra: Sequence[Sequence[Spectrum] | Spectrum], more_px: int
) -> list[Floats]:
    """Correlate templates of one size (h, w, 3) with each place in what is seen, (h + more, w + more, 3).

    Args:
        arounds: what is seen, each of the same size.
        spectra: for each of these n templates, as ``compute_spectrum`` makes them.
        more_px: by how much what is seen is higher and wider than a template.

    Returns:
        For each from −1 to 1, (n, more + 1, more + 1); a place without contrast has 0.
    """
    h, w = (side - more_px for side in arounds[0].shape[:2])
    fourier = _Fourier.for_size(h, w, more_px)
    level = _level_planes(np.stack(arounds))
    seen = fourier.transform(level)
    bounds = np.cumsum([0, *map(len, spectra)])
    shared = np.empty((int(bounds[-1]), *seen.shape[2:]), np.complex64)
    for own, one, first, last in zip(spectra, seen, bounds, bounds[1:], strict=False):
        np.sum(np.asarray(own) * one, axis=1, out=shared[first:last])
    laid = fourier.transform_back(shared)
    sums, squares = sum_windows(level, h, w), sum_windows(np.einsum("kcyx,kcyx->kyx", level, level), h, w)
    spread = squares - np.einsum("kcyx,kcyx->kyx", sums, sums) / np.float32(h * w)
    spread = np.sqrt(np.maximum(spread, np.float32(_CANDIDATES.min_variance * h * w)))
    return [laid[first:last] / far for far, first, last in zip(spread, bounds, bounds[1:], strict=False)]


def _level_planes(values: Floats) -> Floats:
    """Return pictures (…, h, w, 3) as planes (…, 3, h, w), each less its mean."""
    planes = np.ascontiguousarray(np.moveaxis(values, -1, -3))
    return np.asarray(planes - planes.mean(axis=(-2, -1), keepdims=True), np.float32)


@dataclass(frozen=True, slots=True)
class _Fourier:
    """Fourier's matrices for templates of h × w px and so many places more each way.

    Complex numbers that meet real ones are stored as pairs, so that one product of real numbers does.
    """

    down: NDArray[np.complex64]
    across: Floats
    up: NDArray[np.complex64]
    real_back: Floats

    @classmethod
    @lru_cache(maxsize=64)
    def for_size(cls, h: int, w: int, more_px: int) -> _Fourier:
        """Make the matrices for templates of that size."""
        tall, wide, places = h + more_px, w + more_px, more_px + 1
        half = np.arange(wide // 2 + 1)
        # a real picture's other half of columns is the mirror of these
        twice = np.where((half == 0) | (2 * half == wide), 1, 2) / (tall * wide)
        across = np.exp(-2j * np.pi / wide * np.outer(np.arange(wide), half))
        down = np.exp(-2j * np.pi / tall * np.outer(np.arange(tall), np.arange(tall)))
        back = np.conj(across[:places].T) * twice[:, None]
        return cls(
            np.asarray(down, np.complex64),
            np.ascontiguousarray(np.stack([across.real, across.imag], axis=-1).reshape(wide, -1), np.float32),
            np.asarray(np.conj(down[:places]), np.complex64),
            np.ascontiguousarray(np.stack([back.real, -back.imag], axis=1).reshape(-1, places), np.float32),
        )

    def transform(self, planes: Floats) -> Spectrum:
        """Transform planes (…, h, w) to their spectra, taken to be 0 beyond their right and lower edges."""
        *n, h, w = planes.shape
        along = (planes.reshape(-1, w) @ self.across[:w]).view(np.complex64).reshape(*n, h, -1)
        return np.asarray(self.down[:, :h] @ along, np.complex64)

    def transform_back(self, spectra: Spectrum) -> Floats:
        """Transform spectra (n, …) back, at the first places only."""
        places = len(self.up)
        along = np.ascontiguousarray(self.up @ spectra)
        return (along.view(np.float32).reshape(len(spectra) * places, -1) @ self.real_back).reshape(-1, places, places)


def sum_windows(planes: Floats, h: int, w: int) -> Floats:
    """Sum up each window of h × w in planes (…, h + more, w + more); (…, more + 1, more + 1)."""
    rows, _ = _window_masks(h, planes.shape[-2] - h)
    _, columns = _window_masks(w, planes.shape[-1] - w)
    return np.asarray(rows @ planes @ columns, np.float32)


@lru_cache(maxsize=256)
def _window_masks(side: int, more_px: int) -> tuple[Floats, Floats]:
    """Mask which pixels of a row lie in each window of so many, (more + 1, side + more), and the other way."""
    first, at = np.arange(more_px + 1)[:, None], np.arange(side + more_px)
    inside = np.asarray((first <= at) & (at < first + side), np.float32)
    return inside, inside.T.copy()
