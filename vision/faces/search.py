"""Where on the mat cards of a deck may lie: every strip is correlated with the mat everywhere, coarsely."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.faces.strips import Strips, softened

_SEARCH = CONFIG.faces.search


@dataclass(frozen=True, slots=True)
class Place:
    """Where a strip may lie: its middle in mat mm, degrees clockwise, how like (−1 to 1), and the likeliest strips."""

    x: float
    y: float
    angle: float
    likeness: float
    strips: tuple[int, ...]


def places(small: Picture, strips: Strips, changed: Picture | None = None) -> list[Place]:
    """Places that are like some strip in the mat's picture (h, w, 3) at the search's scale, likeliest first.

    Of places near to each other the likeliest stays. With ``changed`` (h, w), 255 there, only strips that touch it.
    """
    if changed is not None and not changed.any():
        return []
    found = [place for turn in _SEARCH.turns_deg for place in _at_turn(small, strips, turn, changed)]
    kept: dict[tuple[int, int, bool], list[Place]] = {}
    some = []
    for place in sorted(found, key=lambda place: -place.likeness):
        if not any(_near(place, other) for key in _cells(place, 1) for other in kept.get(key, ())):
            some.append(place)
            for key in _cells(place, 0):
                kept.setdefault(key, []).append(place)
    return some


def _cells(place: Place, beside: int) -> list[tuple[int, int, bool]]:
    """The cell of the mat in which a place lies, and its neighbours."""
    x, y = (int(at // _SEARCH.apart_mm) for at in (place.x, place.y))
    upside = math.cos(math.radians(place.angle)) < 0
    steps = range(-beside, beside + 1)
    return [(x + dx, y + dy, upside) for dx in steps for dy in steps]


def _near(one: Place, other: Place) -> bool:
    return math.hypot(one.x - other.x, one.y - other.y) < _SEARCH.apart_mm


def _at_turn(small: Picture, strips: Strips, turn: float, changed: Picture | None) -> Iterator[Place]:
    """The places of strips that lie turned by this, or by this and 180 degrees."""
    h, w = small.shape[:2]
    warp = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), turn, 1.0)
    turned = small if turn == 0 else cv2.warpAffine(small, warp, (w, h), borderMode=cv2.BORDER_REPLICATE)
    back = cv2.invertAffineTransform(warp)
    soft = softened(np.asarray(turned, np.uint8), _SEARCH.blur_px)
    wide, high = strips.coarse_size
    windows = sliding_window_view(soft, (high, wide), axis=(0, 1))
    half = len(strips.cards)
    where = None if changed is None else np.asarray(cv2.warpAffine(changed, warp, (w, h)), np.uint8)
    for upside, like in enumerate(_likeness(soft, windows, strips, where)):
        tops = (like >= _SEARCH.min_likeness) & (like == cv2.dilate(like, np.ones((3, 3), np.uint8)))
        rows, columns = np.nonzero(tops)
        if not len(rows):
            continue
        vectors = windows[rows, columns].transpose(0, 2, 3, 1).reshape(len(rows), -1)
        each = vectors @ strips.coarse[upside * half : (upside + 1) * half].T
        likeliest = np.argsort(-each, axis=1)[:, : _SEARCH.same_names]
        for r, c, names in zip(rows.tolist(), columns.tolist(), likeliest.tolist(), strict=True):
            x, y = back @ (c + (wide - 1) / 2, r + (high - 1) / 2, 1.0)
            scale = _SEARCH.px_per_mm
            yield Place((x + 0.5) / scale, (y + 0.5) / scale, turn + 180.0 * upside, float(like[r, c]), tuple(names))


def _likeness(soft: Floats, windows: Floats, strips: Strips, changed: Picture | None) -> Floats:
    """The best correlation of each window with the strips upright, and with them turned; (2, h', w').

    Only of windows in which something ``changed`` (h, w) where that is given.
    """
    wide, high = strips.coarse_size
    rows, columns = windows.shape[:2]
    best = np.full((2, rows, columns), -1, np.float32)
    count = wide * high
    sums, squares = (
        cv2.boxFilter(each, -1, (wide, high), normalize=False, anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
        for each in (soft, soft * soft)
    )
    spread = np.maximum((squares - sums * sums / count).sum(axis=2), 0)[:rows, :columns]
    if changed is not None:
        touched = cv2.boxFilter(np.asarray(changed > 0, np.float32), -1, (wide, high), anchor=(0, 0))
        spread[touched[:rows, :columns] <= 0] = 0
    half, turned = len(strips.cards), np.ascontiguousarray(strips.coarse.T)
    for top in range(0, rows, _SEARCH.rows_at_once):
        part = slice(top, min(rows, top + _SEARCH.rows_at_once))
        r, c = np.nonzero(spread[part] > 3 * count * _SEARCH.min_spread**2)
        if len(r):
            vectors = windows[part][r, c].transpose(0, 2, 3, 1).reshape(len(r), -1)
            likeness = vectors @ turned / np.sqrt(spread[part][r, c])[:, None]
            for upside in (0, 1):
                best[upside, part][r, c] = likeness[:, upside * half : (upside + 1) * half].max(axis=1)
    return best
