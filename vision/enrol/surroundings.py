"""What lies round the cards of a page: the bare mat, or something that lies beside or over them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Doubles, Floats, Picture
from vision.config import CONFIG
from vision.mat import Mat
from vision.mat.light import Light

_ROUND = CONFIG.enrol.surroundings
_PX = _ROUND.px_per_mm


def strange_round(
    picture: Picture,
    mat: Mat,
    light: Light,
    lies: Sequence[tuple[tuple[float, float], float]],
    size_mm: tuple[float, float],
) -> Doubles:
    """How much what is seen along a side of each card differs from the mat round most, (n,), in the mat's spreads.

    The side that differs most counts, by what is usual along it. What is darker may be the card's shadow.

    Args:
        picture: (h, w, 3) BGR uint8.
        mat: where the mat lies in it.
        light: how light falls on it.
        lies: where the cards lie (mm), and how they are turned (degrees clockwise).
        size_mm: their width and height.
    """
    wide, high = (side + 2 * _ROUND.to_mm for side in size_mm)
    patches = mat.patches(picture, lies, (wide, high), _PX)
    corrected = [light.correct_patch(patch, place) for patch, (place, _) in zip(patches, lies, strict=True)]
    cards = [_sides(np.log(patch.astype(np.float32) + np.float32(_ROUND.dark_levels))) for patch in corrected]
    seen = np.concatenate([side.reshape(-1, 3) for sides in cards for side in sides])
    usual = np.median(seen, axis=0)
    spread = np.maximum(1.4826 * np.median(np.abs(seen - usual), axis=0), _ROUND.least_spread)
    return np.array([max(_strange(side - usual, spread) for side in sides) for sides in cards])


def _sides(patch: Floats) -> list[Floats]:
    """What shows outside a card's four sides, (rows, parts, 3) each, of a patch round it."""
    return [_side(turned) for turned in (patch, patch[::-1], patch.transpose(1, 0, 2), patch.transpose(1, 0, 2)[::-1])]


def _side(patch: Floats) -> Floats:
    """What shows along the upper side, in rows of a millimetre and parts of some, (rows, parts, 3)."""
    rows, wide = round(_ROUND.to_mm - _ROUND.from_mm), round(_ROUND.part_mm * _PX)
    corner = round((_ROUND.to_mm + _ROUND.corner_mm) * _PX)
    parts = (patch.shape[1] - 2 * corner) // wide
    cells = patch[: rows * _PX, corner : corner + parts * wide].reshape(rows, _PX, parts, wide, 3)
    return np.asarray(np.median(cells, axis=(1, 3)), np.float32)


def _strange(away: Floats, spread: Floats) -> float:
    """How many spreads (3,) a side (rows, parts, 3) usually is away from the mat's colour, but for shade."""
    darker = np.clip(away.mean(axis=2, keepdims=True), -_ROUND.shade, 0.0)
    return float(np.median((np.abs(away - darker) / spread).max(axis=(0, 2))))
