"""What a camera makes of linear light: shadows and glare, blur, exposure and tint, noise, JPEG."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.dice.render import Floats


def photograph(picture: Floats, size: int, own_px: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Photograph a linear picture with a camera of ``own_px`` px across, and bring it to ``size`` px."""
    if own_px < picture.shape[0]:
        picture = cv2.resize(picture, (own_px, own_px), interpolation=cv2.INTER_AREA)
    side = picture.shape[0]
    across, down = np.meshgrid(np.linspace(-1, 1, side, dtype=np.float32), np.linspace(-1, 1, side, dtype=np.float32))
    if rng.random() < 0.3:
        # The edge of a shadow.
        a, far = rng.uniform(0, 6.3), rng.uniform(-0.6, 0.6)
        edge = (across * math.cos(a) + down * math.sin(a) - far) * rng.uniform(2, 25)
        picture = picture * (1 - np.float32(rng.uniform(0.15, 0.65)) / (1 + np.exp(-np.clip(edge, -30, 30))))[..., None]
    if rng.random() < 0.22:
        # A lamp's mirror image, or its glare.
        at, wide = rng.uniform(-0.6, 0.6, 2), rng.uniform(0.04, 0.3, 2)
        glow = np.exp(-(((across - at[0]) / wide[0]) ** 2) - ((down - at[1]) / wide[1]) ** 2)
        picture = picture + np.float32(rng.uniform(0.03, 0.45)) * glow[..., None]
    picture = picture * (1 + rng.uniform(-0.3, 0.3) * across + rng.uniform(-0.3, 0.3) * down)[..., None]
    unit = side / size
    blur = rng.uniform(0.15, 1.0) if rng.random() < 0.7 else rng.uniform(0.8, 2.2) * max(unit, 0.7)
    picture = cv2.GaussianBlur(picture, (0, 0), blur)
    if rng.random() < 0.12:
        k = int(rng.integers(2, max(4, round(7 * unit))))
        line = np.zeros((2 * k + 1, 2 * k + 1), np.float32)
        a = rng.uniform(0, math.pi)
        d = (k * math.cos(a) * 0.5, k * math.sin(a) * 0.5)
        cv2.line(line, (round(k - d[0]), round(k - d[1])), (round(k + d[0]), round(k + d[1])), 1.0, 1)
        picture = cv2.filter2D(picture, -1, line / line.sum())
    level = float(np.sort(picture[::4, ::4], axis=None)[-picture[::4, ::4].size // 10])
    wanted = rng.uniform(0.12, 1.3) if rng.random() < 0.85 else rng.uniform(0.03, 2.0)
    picture = picture * np.float32(wanted / max(level, 0.02)) if rng.random() < 0.75 else picture * np.float32(wanted)
    picture = picture * np.exp(rng.normal(0, 0.13, 3)).astype(np.float32)
    code = cv2.pow(np.clip(picture, 0, 1), 1 / rng.uniform(1.7, 2.6))
    if rng.random() < 0.3:
        code = code * np.float32(rng.uniform(0.6, 1.0)) + np.float32(rng.uniform(0, 0.15))
    noise = rng.standard_normal(code.shape, np.float32)
    if rng.random() < 0.3:
        noise = 2.2 * cv2.GaussianBlur(noise, (0, 0), 0.8)
    code += np.float32(rng.uniform(0.002, 0.03) if rng.random() < 0.85 else rng.uniform(0.03, 0.07)) * noise
    photo = (np.clip(code, 0, 1) * 255 + 0.5).astype(np.uint8)
    if rng.random() < 0.65:
        coded = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 97))])[1]
        photo = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    if side != size:
        way = cv2.INTER_AREA if side > size else cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC
        photo = np.asarray(cv2.resize(photo, (size, size), interpolation=way), np.uint8)
    return photo
