"""Where on the mat cards of a deck may lie: every strip is correlated with the mat everywhere, coarsely."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.faces.strips import Strips, softened

_SEARCH = CONFIG.faces.search
Indices = NDArray[np.intp]


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
    soft, near = softened(small, _SEARCH.blur_px), _likely(small, strips, changed)
    found = [place for turn in _SEARCH.turns_deg for place in _at_turn(soft, strips, turn, near)]
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


def _at_turn(soft: Floats, strips: Strips, turn: float, near: NDArray[np.bool_]) -> Iterator[Place]:
    """The places of strips that lie turned by this, and 180 degrees further, with their middles ``near`` (2, h, w)."""
    h, w = soft.shape[:2]
    warp = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), turn, 1.0)
    turned = np.asarray(cv2.warpAffine(soft, warp, (w, h), borderMode=cv2.BORDER_REPLICATE), np.float32)
    back = cv2.invertAffineTransform(warp)
    wide, high = strips.coarse_size
    energy = _spread(turned, (wide, high))
    rows, columns = energy.shape
    half = len(strips.cards)
    for upside, there in enumerate(near):
        there = cv2.warpAffine(np.asarray(there, np.uint8), warp, (w, h), flags=cv2.INTER_NEAREST)
        there = there[high // 2 :, wide // 2 :][:rows, :columns] > 0
        r, c = np.nonzero(there & (energy > 3 * wide * high * _SEARCH.min_spread**2))
        if not len(r):
            continue
        each = _products(turned, (wide, high), (r, c), strips.coarse[upside * half : (upside + 1) * half])
        like = np.full((rows, columns), -1, np.float32)
        like[r, c] = each.max(axis=1) / np.sqrt(energy[r, c])
        tops = (like >= _SEARCH.min_likeness) & (like == cv2.dilate(like, np.ones((3, 3), np.uint8)))
        at = np.flatnonzero(tops[r, c])
        likeliest = np.argsort(-each[at], axis=1)[:, : _SEARCH.same_names]
        for k, names in zip(at.tolist(), likeliest.tolist(), strict=True):
            x, y = back @ (c[k] + (wide - 1) / 2, r[k] + (high - 1) / 2, 1.0)
            scale = _SEARCH.px_per_mm
            angle = turn + 180.0 * upside
            yield Place((x + 0.5) / scale, (y + 0.5) / scale, angle, float(like[r[k], c[k]]), tuple(names))


def _likely(small: Picture, strips: Strips, changed: Picture | None) -> NDArray[np.bool_]:
    """Where (2, h, w) the middle of a strip may lie, upright and upside down, by a picture of half that scale.

    With ``changed`` (h, w), only where such a strip touches it.
    """
    h, w = small.shape[:2]
    soft = np.asarray(cv2.resize(small, (w // 2, h // 2), interpolation=cv2.INTER_AREA), np.float32)
    wide, high = strips.coarser_size
    energy = _spread(soft, (wide, high))
    if changed is not None:
        half = cv2.resize(changed, soft.shape[1::-1], interpolation=cv2.INTER_AREA)
        touched = cv2.boxFilter(np.asarray(half > 0, np.float32), -1, (wide, wide))[high // 2 :, wide // 2 :]
        energy[touched[: len(energy), : energy.shape[1]] <= 0] = 0
    r, c = np.nonzero(energy > 3 * wide * high * _SEARCH.min_spread**2)
    if not len(r):
        return np.zeros((2, h, w), bool)
    products = _products(soft, (wide, high), (r, c), strips.coarser).reshape(len(r), 2, -1)
    likeness = products.max(axis=2) / np.sqrt(energy[r, c])[:, None]
    whole = np.zeros((2, *soft.shape[:2]), np.float32)
    whole[:, r + high // 2, c + wide // 2] = likeness.T
    beside = np.ones((3, 3), np.uint8)
    either = whole.max(axis=0) - _SEARCH.coarser_turned
    tops = []
    for each in whole:
        least = np.maximum(either, cv2.dilate(each, beside) - _SEARCH.coarser_within)
        tops.append(each >= np.maximum(least, _SEARCH.coarser_likeness))
    fine = [cv2.resize(np.asarray(each, np.uint8), (w, h), interpolation=cv2.INTER_NEAREST) for each in tops]
    return np.stack([cv2.dilate(each, np.ones((5, 5), np.uint8)) > 0 for each in fine])


def _products(soft: Floats, size: tuple[int, int], at: tuple[Indices, Indices], strips: Floats) -> Floats:
    """The products of the windows with their upper left corners there with each strip's row, (k, n)."""
    wide, high = size
    each = strips.reshape(len(strips), high * wide, 3)
    products = np.zeros((len(at[0]), len(strips)), np.float32)
    for channel in range(3):
        windows = sliding_window_view(np.ascontiguousarray(soft[..., channel]), (high, wide))
        products += windows[at].reshape(len(at[0]), -1) @ each[..., channel].T
    return products


def _spread(soft: Floats, size: tuple[int, int]) -> Floats:
    """The squared distance of each window of that width and height from its mean colour, (h', w')."""
    sums, squares = (
        cv2.boxFilter(each, -1, size, normalize=False, anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
        for each in (soft, soft * soft)
    )
    whole = np.maximum((squares - sums * sums / (size[0] * size[1])).sum(axis=2), 0)
    return np.asarray(whole[: len(soft) - size[1] + 1, : soft.shape[1] - size[0] + 1], np.float32)
