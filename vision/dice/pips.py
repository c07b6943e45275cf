"""Counting pips without a network: blobs on a face that stand out from its body and lie as pips lie.

A check of the face reader by other means: where the blobs make another value, neither is believed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Picture
from vision.config import CONFIG

_PIPS = CONFIG.dice.pips
_SITES = CONFIG.dice.sites
_LATTICE = CONFIG.dice.lattice

_FACES = ("o  |   |  o", "o  | o |  o", "o o|   |o o", "o o| o |o o", "ooo|   |ooo")


def _marks_on(face: str) -> Doubles:
    """Return where pips lie on a face drawn in three rows, in steps from its middle: (n, 2), x and y."""
    rows = face.split("|")
    middle = len(rows) // 2
    marks = [
        (2 * column / (len(row) - 1) - 1, number - middle)
        for number, row in enumerate(rows)
        for column, mark in enumerate(row)
        if mark == "o"
    ]
    return np.array(marks, np.float64)


_LATTICES = {face.count("o"): _marks_on(face) for face in _FACES}
"""Where a value's pips lie, in steps from the face's middle."""


def _list_directions(step_deg: int) -> NDArray[np.complex128]:
    """Return unit steps in all directions, that many degrees apart."""
    return np.asarray(np.exp(1j * np.radians(np.arange(0, 360, step_deg))), np.complex128)


def _half_round(step_deg: int) -> NDArray[np.complex128]:
    """Keep those of half a turn: turned farther, every face's pips lie as they did."""
    return _list_directions(step_deg)[: 180 // step_deg]


def _list_pip_places() -> NDArray[np.complex128]:
    """List where any face's pips lie, and places between them, in steps from its middle."""
    return np.concatenate([_as_complex(_marks_on("ooo|ooo|ooo")), _list_directions(90) / 2])


def _as_complex(places: Doubles) -> NDArray[np.complex128]:
    """Return places (n, 2) as complex numbers."""
    return np.asarray(places @ np.array([1, 1j]), np.complex128)


_PLACES = _list_pip_places()
_ROUND = _list_directions(_LATTICE.round_deg)
_TURNS = _half_round(_LATTICE.turn_deg)


@dataclass(frozen=True, slots=True)
class Count:
    """What the pips of a face make: a value, and how much closer they lie one way than the other, 1 where not at all.

    Of fewer than four pips the latter can't be found.
    """

    value: int
    level: float = 1.0


def count_pips(crop: Picture, edge_px: float) -> Count | None:
    """Count the pips that blobs round a crop's middle make, for a face of about that edge.

    ``None`` where they make no value, or another one at another threshold.
    """
    h, w = crop.shape[:2]
    y, x = np.mgrid[:h, :w]
    place = ((x - (w - 1) / 2) + 1j * (y - (h - 1) / 2)) / edge_px
    away = np.abs(place)
    face = away < _PIPS.face_share
    smooth = cv2.GaussianBlur(crop, (0, 0), _PIPS.blur_px).astype(np.float32)
    differs = np.linalg.norm(smooth - np.median(smooth[face], axis=0), axis=2)
    most = float(np.percentile(differs[face], _PIPS.most_percentile))
    if most < _PIPS.min_contrast:
        return None
    tried = [_count((differs > share * most).astype(np.uint8), place, edge_px) for share in _PIPS.thresholds]
    counts = [count for count in tried if count is not None]
    if len({count.value for count in counts}) != 1:
        return None
    return counts[len(counts) // 2]


def find_pips(likely: Floats, edge_px: float) -> NDArray[np.complex128]:
    """Find where pips are likely in a map (h, w) with a face of that edge in its middle: (n,), in edges from there."""
    high = (likely >= _PIPS.likely) & (likely == cv2.dilate(likely, np.ones((3, 3), np.uint8)))
    points = []
    for row, column in zip(*(indices.tolist() for indices in np.nonzero(high)), strict=True):
        y0, x0 = max(0, row - 1), max(0, column - 1)
        part = likely[y0 : row + 2, x0 : column + 2]
        y, x = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
        at = complex(float((x * part).sum()), float((y * part).sum())) / float(part.sum())
        points.append((at - complex(likely.shape[1] - 1, likely.shape[0] - 1) / 2) / edge_px)
    return np.array(points, np.complex128)


def do_stand_out(crop: Picture, points: NDArray[np.complex128], edge_px: float) -> bool:
    """Tell whether marks lie at these points (n,), which make a value, and at no other place where a pip could lie."""
    fit = _fit(points)
    if fit is None:
        return False
    middle = points.mean()
    if fit.value == 1:
        free = middle + _SITES.ring * _ROUND
    else:
        places = middle + fit.step * _PLACES
        away = np.abs(places[:, None] - points[None]).min(axis=1)
        free = places[away > _SITES.apart * abs(fit.step)]
    smooth = cv2.GaussianBlur(crop, (0, 0), _SITES.blur_px).astype(np.float32)
    marks, body = _sample_colours(smooth, points, edge_px), _sample_colours(smooth, free, edge_px)
    base = np.median(body, axis=0)
    ink = np.median(marks, axis=0) - base
    contrast = float(np.linalg.norm(ink))
    if contrast < _SITES.min_contrast:
        return False
    shares = [(colours - base) @ ink / contrast**2 for colours in (marks, body)]
    return float(shares[0].min()) > _SITES.inked and float(shares[1].max()) < _SITES.clean


def _sample_colours(smooth: Floats, points: NDArray[np.complex128], edge_px: float) -> Floats:
    """Sample a crop's colours (n, 3) at points (n,)."""
    h, w = smooth.shape[:2]
    x = (points.real * edge_px + (w - 1) / 2).astype(np.float32)
    y = (points.imag * edge_px + (h - 1) / 2).astype(np.float32)
    drawn = cv2.remap(smooth, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(drawn[0], np.float32)


def _count(mask: NDArray[np.uint8], place: NDArray[np.complex128], edge_px: float) -> Count | None:
    """Count the pips in a mask's blobs; ``place`` is each pixel's, in edges from the face's middle."""
    mask[np.abs(place) >= _PIPS.reach_share] = 0
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    points, areas = [], []
    for label, (left, top, width, height, pixels) in enumerate(np.asarray(stats)[:count].tolist()):
        area = pixels / edge_px**2
        if label == 0 or area < _PIPS.min_area:
            continue
        part = slice(top, top + height), slice(left, left + width)
        own = place[part][np.asarray(labels)[part] == label]
        middle = complex(own.mean())
        if abs(middle) > _PIPS.pip_reach or float(np.abs(own).max()) > _PIPS.reach_share - 1 / edge_px:
            continue
        # A round blob fills the circle of its own spread.
        spread = float(np.sqrt((np.abs(own - middle) ** 2).mean()))
        if area > _PIPS.max_area or area < _PIPS.min_roundness * 2 * math.pi * spread**2:
            return None
        points.append(middle)
        areas.append(area)
    if not points or max(areas) > _PIPS.alike * min(areas):
        return None
    return find_lattice(np.array(points))


@dataclass(frozen=True, slots=True)
class _Fit:
    """A value's lattice as points lie: one step of it in edges, turned as they are; and ``level`` as in a count."""

    value: int
    step: complex
    level: float


def find_lattice(points: NDArray[np.complex128]) -> Count | None:
    """Find the value whose lattice these points (n,) make, in edges from the face's middle."""
    fit = _fit(points)
    return None if fit is None else Count(fit.value, fit.level)


def _fit(points: NDArray[np.complex128]) -> _Fit | None:
    value = len(points)
    if not value or value > 6 or abs(points.mean()) > _PIPS.off_middle:
        return None
    middle = points.mean()
    if value == 1:
        return _Fit(1, 0.0, 1.0)
    lattice = _as_complex(_LATTICES[value])
    step = float(np.abs(points - middle).mean() / np.abs(lattice).mean())
    if not _LATTICE.min_step < step < _LATTICE.max_step:
        return None
    turned = step * lattice[None] * _TURNS[:, None]
    apart = np.abs((points - middle)[None, :, None] - turned[:, None, :])
    misfit = np.maximum(apart.min(axis=1).max(axis=1), apart.min(axis=2).max(axis=1))
    best = int(misfit.argmin())
    if float(misfit[best]) >= _LATTICE.max_misfit:
        return None
    level = _measure_fit(points - middle, lattice[apart[best].argmin(axis=1)]) if value >= 4 else 1.0
    return _Fit(value, step * complex(_TURNS[best]), level)


def _measure_fit(points: NDArray[np.complex128], lattice: NDArray[np.complex128]) -> float:
    """Measure how much closer points (n,) lie one way than the other, if they were such a lattice."""
    plane, seen = (np.stack([values.real, values.imag], axis=-1) for values in (lattice, points))
    move = np.linalg.lstsq(plane, seen, rcond=None)[0]
    long, short = np.linalg.svd(move, compute_uv=False)
    return float(short / long)
