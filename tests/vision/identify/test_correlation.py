"""Correlations by way of spectra are those that OpenCV finds place by place."""

import cv2
import numpy as np
import pytest

from vision.identify.correlation import compute_spectrum, correlate

MORE = 10


def picture(h: int, w: int, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return some crop, as softened as templates are compared."""
    raw = np.random.default_rng(seed).integers(0, 256, (h, w, 3)).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(raw, (0, 0), 0.8), np.float32)


@pytest.mark.parametrize(("h", "w", "more"), [(37, 43, 10), (24, 43, 10), (43, 144, 10), (38, 37, 10), (21, 72, 5)])
def test_they_are_those_of_opencv(h: int, w: int, more: int) -> None:
    arounds = [picture(h + more, w + more, seed) for seed in (1, 6)]
    found = [np.ascontiguousarray(around[3 : 3 + h, 4 : 4 + w]) * 0.7 + 20 for around in arounds]
    templates = [[picture(h, w, 2), found[0], picture(h, w, 3)], [found[1]]]
    both = correlate(arounds, [[compute_spectrum(one, more) for one in some] for some in templates], more)
    for around, some, laid in zip(arounds, templates, both, strict=True):
        theirs = [cv2.matchTemplate(around, one, cv2.TM_CCOEFF_NORMED) for one in some]
        assert laid.shape == (len(some), more + 1, more + 1)
        assert laid == pytest.approx(np.stack(theirs), abs=1e-4)
    for laid in (both[0][1], both[1][0]):
        assert np.unravel_index(laid.argmax(), laid.shape) == (3, 4)
        assert laid.max() == pytest.approx(1, abs=1e-4)


def test_what_has_no_contrast_fits_nowhere() -> None:
    h, w = 37, 43
    flat = np.full((h + MORE, w + MORE, 3), 120, np.float32)
    (laid,) = correlate([flat], [[compute_spectrum(picture(h, w, 4), MORE)]], MORE)
    assert np.abs(laid).max() < 0.01
    blank = compute_spectrum(np.full((h, w, 3), 90, np.float32), MORE)
    (laid,) = correlate([picture(h + MORE, w + MORE, 5)], [[blank]], MORE)
    assert np.abs(laid).max() < 0.01
