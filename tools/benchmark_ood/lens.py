"""From the light that a path tracer gives to what a cheap camera would write: lens, sensor, processing."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

Picture = np.ndarray


@dataclass(frozen=True)
class Lens:
    """A camera's faults.

    ``k1`` is radial distortion per squared half diagonal, ``vignette`` the light lost in the corners, ``defocus`` the
    blur in px, ``stops`` the exposure against a right one, ``cast`` how the white balance errs (red, blue gains),
    ``electrons`` a pixel's full well, ``sharpen`` the processor's unsharp mask, ``quality`` of the JPEG.
    """

    k1: float
    vignette: float
    defocus: float
    stops: float
    cast: tuple[float, float]
    electrons: float
    sharpen: float
    contrast: float
    quality: int


_SPARE = 1.06
"""The tracer's picture is this much larger than the camera's, so that distortion finds light beyond the edge."""


def traced_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return the width and height to trace for a picture of this width and height."""
    return 2 * round(size[0] * _SPARE / 2), 2 * round(size[1] * _SPARE / 2)


def photograph(light: Picture, size: tuple[int, int], white: Picture, lens: Lens, rng: np.random.Generator) -> Picture:
    """Photograph the light as the camera writes it, (h, w, 3) BGR uint8.

    Args:
        light: the traced picture, linear RGB (h, w, 3), of ``traced_size``.
        size: width and height of the photograph.
        white: the light that white paper gives back, linear RGB (3,).
        lens: the camera's faults.
        rng: for the noise.
    """
    w, h = size
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    half = np.hypot(w, h) / 2
    dx, dy = (x - (w - 1) / 2) / half, (y - (h - 1) / 2) / half
    r2 = dx * dx + dy * dy
    bend = 1 - lens.k1 * r2
    cx, cy = (light.shape[1] - 1) / 2, (light.shape[0] - 1) / 2
    map_x, map_y = ((c + d * bend * half).astype(np.float32) for c, d in ((cx, dx), (cy, dy)))
    seen = cv2.remap(light.astype(np.float32), map_x, map_y, cv2.INTER_CUBIC)
    seen = np.maximum(seen, 0)
    if lens.defocus > 0.2:
        seen = cv2.GaussianBlur(seen, (0, 0), lens.defocus)
    seen *= (1 - lens.vignette * r2)[..., None]
    balance = np.array([lens.cast[0], 1.0, lens.cast[1]]) * white.mean() / (0.35 * white.mean() + 0.65 * white)
    seen = seen * (balance * 0.6 * 2**lens.stops / white.mean()).astype(np.float32)
    return _develop(_expose(seen, lens, rng), lens)


def _expose(seen: Picture, lens: Lens, rng: np.random.Generator) -> Picture:
    """Expose: shot and read noise under a Bayer mosaic, then demosaicked; linear RGB 0…1."""
    h, w = seen.shape[:2]
    mosaic = np.empty((h, w), np.float32)
    mosaic[0::2, 0::2] = seen[0::2, 0::2, 2]
    mosaic[0::2, 1::2] = seen[0::2, 1::2, 1]
    mosaic[1::2, 0::2] = seen[1::2, 0::2, 1]
    mosaic[1::2, 1::2] = seen[1::2, 1::2, 0]
    noise = rng.standard_normal((h, w), np.float32)
    mosaic += noise * np.sqrt(np.maximum(mosaic, 0) / lens.electrons + (6 / lens.electrons) ** 2)
    raw = np.round(np.clip(mosaic, 0, 1) * 16383).astype(np.uint16)
    return cv2.cvtColor(raw, cv2.COLOR_BayerRG2BGR).astype(np.float32)[..., ::-1] / 16383


def _develop(linear: Picture, lens: Lens) -> Picture:
    curve = np.linspace(0, 1, 4096)
    tone = np.where(curve < 0.0031308, 12.92 * curve, 1.055 * np.maximum(curve, 1e-6) ** (1 / 2.4) - 0.055)
    tone = tone + lens.contrast * (tone - 0.5) * tone * (1 - tone) * 2
    table = np.clip(tone * 255, 0, 255).astype(np.float32)
    shown = table[np.minimum((linear * 4095 + 0.5).astype(np.int32), 4095)]
    if lens.sharpen:
        shown = shown + lens.sharpen * (shown - cv2.GaussianBlur(shown, (0, 0), 1.2))
    return np.ascontiguousarray(np.clip(shown[..., ::-1] + 0.5, 0, 255).astype(np.uint8))
