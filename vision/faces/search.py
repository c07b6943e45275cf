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
from vision.faces.strips import Strips, soften, unit_rows

_SEARCH = CONFIG.faces.search
Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a strip may lie: its middle in mat mm, degrees clockwise, how like (−1 to 1), and the likeliest strips.

    ``off`` is by how many grey levels (RMS) what always shows there is off the nearest of these.
    """

    x: float
    y: float
    angle: float
    likeness: float
    strips: tuple[int, ...]
    off: float


def find_places(small: Picture, strips: Strips, changed: Picture | None = None) -> list[Place]:
    """Find places that are like some strip in the mat's picture (h, w, 3) at the search's scale, likeliest first.

    Of places near to each other the likeliest stays. With ``changed`` (h, w), 255 there, only strips that touch it.
    """
    if changed is not None and not changed.any():
        return []
    soft, near = soften(small, _SEARCH.blur_px), _find_likely(small, strips, changed)
    tops = [(upside, *_find_tops(soft, strips, upside, near)) for upside in (0, 1)]
    found = [place for each in tops if len(each[-1]) for place in _turn_places(soft, strips, *each)]
    kept: dict[tuple[int, int, bool], list[Place]] = {}
    some = []
    for place in sorted(found, key=lambda place: -place.likeness):
        if not any(_is_near(place, other) for key in _list_cells(place, 1) for other in kept.get(key, ())):
            some.append(place)
            for key in _list_cells(place, 0):
                kept.setdefault(key, []).append(place)
    return some


def _list_cells(place: Place, beside: int) -> list[tuple[int, int, bool]]:
    """List the cell of the mat in which a place lies, and its neighbours."""
    x, y = (int(at // _SEARCH.apart_mm) for at in (place.x, place.y))
    upside = math.cos(math.radians(place.angle)) < 0
    steps = range(-beside, beside + 1)
    return [(x + dx, y + dy, upside) for dx in steps for dy in steps]


def _is_near(one: Place, other: Place) -> bool:
    return math.hypot(one.x - other.x, one.y - other.y) < _SEARCH.apart_mm


def _find_tops(soft: Floats, strips: Strips, upside: int, near: NDArray[np.bool_]) -> tuple[Floats, Floats, Indices]:
    """Find where a strip, upright or upside down, is likelier than beside it, its middle being ``near`` (2, h, w).

    Gives x and y (k,) of their middles, between pixels as the likeness beside says, and the likeliest (k, names).
    """
    wide, high = strips.coarse_size
    energy = _measure_spread(soft, (wide, high))
    rows, columns = energy.shape
    there = near[upside, high // 2 :, wide // 2 :][:rows, :columns]
    r, c = np.nonzero(there & (energy > 3 * wide * high * _SEARCH.min_spread**2))
    half = len(strips.cards)
    each = _multiply_rows(soft, (wide, high), (r, c), strips.coarse[upside * half : (upside + 1) * half])
    like = np.full((rows, columns), -1, np.float32)
    like[r, c] = each.max(axis=1, initial=-1) / np.sqrt(energy[r, c])
    tops = (like >= _SEARCH.min_likeness) & (like == cv2.dilate(like, np.ones((3, 3), np.uint8)))
    at = np.flatnonzero(tops[r, c])
    r, c, around = r[at], c[at], np.pad(like, 1, constant_values=-1)
    y, x = (
        at
        + (side - 1) / 2
        + _find_peak(around[r + 1 - down, c + 1 - right], like[r, c], around[r + 1 + down, c + 1 + right])
        for at, side, down, right in ((r, high, 1, 0), (c, wide, 0, 1))
    )
    return x, y, np.argsort(-each[at], axis=1)[:, : _SEARCH.same_names]


def _find_peak(before: Floats, here: Floats, after: Floats) -> Floats:
    """Find the peak of the parabola through three values, of which the middle is the most; −1 is unknown."""
    known = (before > -1) & (after > -1)
    return np.where(known, (after - before) / np.maximum(2 * (2 * here - before - after), 1e-6), np.float32(0))


def _turn_places(soft: Floats, strips: Strips, upside: int, x: Floats, y: Floats, names: Indices) -> Iterator[Place]:
    """Turn places with their middles there as is likeliest."""
    wide, high = strips.coarse_size
    turns = np.array(_SEARCH.turns_deg)
    c, s = (f(np.radians(turns + 180.0 * upside))[:, None, None] for f in (np.cos, np.sin))
    down, across = np.mgrid[0:high, 0:wide] + np.array([(1 - high) / 2, (1 - wide) / 2])[:, None, None]
    maps = [
        np.asarray(at[:, None, None, None] + off, np.float32).reshape(len(at), -1)
        for at, off in ((x, across * c - down * s), (y, across * s + down * c))
    ]
    seen = np.asarray(cv2.remap(soft, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
    seen = seen.reshape(len(x) * len(turns), high * wide, 3)
    each = unit_rows(seen).reshape(len(x), len(turns), -1) @ strips.coarse[names].transpose(0, 2, 1)
    turn = each.max(axis=2).argmax(axis=1)
    every = np.arange(len(x))
    like = each[every, turn]
    order = np.argsort(-like, axis=1)
    seen = seen.reshape(len(x), len(turns), high, wide, 3)[every, turn]
    off = _measure_error(seen, strips, names)
    for k in np.flatnonzero(like.max(axis=1) >= _SEARCH.min_likeness).tolist():
        angle = float(turns[turn[k]]) + 180.0 * upside
        scale = _SEARCH.px_per_mm
        likeliest = tuple(names[k, order[k]].tolist())
        yield Place((x[k] + 0.5) / scale, (y[k] + 0.5) / scale, angle, float(like[k].max()), likeliest, float(off[k]))


def _measure_error(seen: Floats, strips: Strips, names: Indices) -> Floats:
    """Measure by how many grey levels (RMS) what always shows of strips seen (k, h, w, 3) is off the nearest face."""
    rows = round(CONFIG.faces.shown.shown_mm * _SEARCH.px_per_mm)
    heads, seen = (np.stack([each[:, :rows], each[:, -rows:]]) for each in (strips.coarse_pictures, seen))
    faces = heads[strips.lower[names].astype(int), names, :, 1:-1]  # (k, names, rows, w, 3)
    shown = seen[strips.lower[names].astype(int), np.arange(len(names))[:, None], :, 1:-1]
    most = CONFIG.faces.shown.most_gain
    gains = np.clip((faces * shown).sum(axis=(2, 3)) / np.maximum(np.square(faces).sum(axis=(2, 3)), 1), 1 / most, most)
    errors = np.square(shown - faces * gains[:, :, None, None]).mean(axis=(2, 3, 4))
    return np.asarray(np.sqrt(errors.min(axis=1, initial=1e9)), np.float32)


def _find_likely(small: Picture, strips: Strips, changed: Picture | None) -> NDArray[np.bool_]:
    """Find where (2, h, w) the middle of a strip may lie, upright and upside down, by a picture of half that scale.

    With ``changed`` (h, w), only where such a strip touches it.
    """
    h, w = small.shape[:2]
    soft = np.asarray(cv2.resize(small, (w // 2, h // 2), interpolation=cv2.INTER_AREA), np.float32)
    wide, high = strips.coarser_size
    energy = _measure_spread(soft, (wide, high))
    if changed is not None:
        half = cv2.resize(changed, soft.shape[1::-1], interpolation=cv2.INTER_AREA)
        touched = cv2.boxFilter(np.asarray(half > 0, np.float32), -1, (wide, wide))[high // 2 :, wide // 2 :]
        energy[touched[: len(energy), : energy.shape[1]] <= 0] = 0
    r, c = np.nonzero(energy > 3 * wide * high * _SEARCH.min_spread**2)
    products = _multiply_rows(soft, (wide, high), (r, c), strips.coarser).reshape(len(r), 2, len(strips.cards))
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


def _multiply_rows(soft: Floats, size: tuple[int, int], at: tuple[Indices, Indices], strips: Floats) -> Floats:
    """Multiply the windows whose upper left corners lie there with each strip's row, (k, n)."""
    wide, high = size
    each = strips.reshape(len(strips), high * wide, 3)
    products = np.zeros((len(at[0]), len(strips)), np.float32)
    for channel in range(3):
        windows = sliding_window_view(np.ascontiguousarray(soft[..., channel]), (high, wide))
        products += windows[at].reshape(len(at[0]), high * wide) @ each[..., channel].T
    return products


def _measure_spread(soft: Floats, size: tuple[int, int]) -> Floats:
    """Compute the squared distance of each window of that width and height from its mean colour, (h', w')."""
    sums, squares = (
        cv2.boxFilter(each, -1, size, normalize=False, anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
        for each in (soft, soft * soft)
    )
    whole = np.maximum((squares - sums * sums / (size[0] * size[1])).sum(axis=2), 0)
    return np.asarray(whole[: len(soft) - size[1] + 1, : soft.shape[1] - size[0] + 1], np.float32)
