"""Correlations by way of spectra are those that OpenCV finds place by place."""

import cv2
import numpy as np
import pytest

from vision.correlation import coefficients, spectrum_of

MORE = 10


def picture(h: int, w: int, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Some print, as softened as prints are compared."""
    raw = np.random.default_rng(seed).integers(0, 256, (h, w, 3)).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(raw, (0, 0), 0.8), np.float32)


@pytest.mark.parametrize(("h", "w", "more"), [(37, 43, 10), (24, 43, 10), (43, 144, 10), (38, 37, 10), (21, 72, 5)])
def test_they_are_those_of_opencv(h: int, w: int, more: int) -> None:
    around = picture(h + more, w + more, 1)
    prints = [picture(h, w, 2), np.ascontiguousarray(around[3 : 3 + h, 4 : 4 + w]) * 0.7 + 20, picture(h, w, 3)]
    laid = coefficients(around, [spectrum_of(one, more) for one in prints], more)
    theirs = [cv2.matchTemplate(around, one, cv2.TM_CCOEFF_NORMED) for one in prints]
    assert laid.shape == (3, more + 1, more + 1)
    assert laid == pytest.approx(np.stack(theirs), abs=1e-4)
    assert np.unravel_index(laid[1].argmax(), laid[1].shape) == (3, 4)
    assert laid[1].max() == pytest.approx(1, abs=1e-4)


def test_what_has_no_contrast_fits_nowhere() -> None:
    h, w = 37, 43
    flat = np.full((h + MORE, w + MORE, 3), 120, np.float32)
    assert np.abs(coefficients(flat, [spectrum_of(picture(h, w, 4), MORE)], MORE)).max() < 0.01
    blank = spectrum_of(np.full((h, w, 3), 90, np.float32), MORE)
    assert np.abs(coefficients(picture(h + MORE, w + MORE, 5), [blank], MORE)).max() < 0.01
