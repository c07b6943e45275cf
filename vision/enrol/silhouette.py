"""How a card lies by where it differs from the mat round it: to a tenth of a degree, whatever is printed on it.

An outline found by edges may follow a frame that stands out more than the card's own edge. What is not the mat is the
card, so each side is looked for bit by bit, and a straight line laid through what is found.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, Picture
from vision.config import CONFIG
from vision.enrol.outline import OutlineFit
from vision.mat import Mat

_SILHOUETTE = CONFIG.enrol.silhouette


def lay_exactly(
    picture: Picture, mat: Mat, place: tuple[float, float], fit: OutlineFit, size_mm: tuple[float, float]
) -> OutlineFit | None:
    """Lay a card's outline found near a place (mm) exactly; return ``None`` where it hardly differs from the mat.

    Args:
        picture: (h, w, 3) BGR uint8.
        mat: where the mat lies in it.
        place: where the card was thought to lie, upright, as for ``fit_outline``.
        fit: how it lies from there by its edges.
        size_mm: its width and height.
    """
    exact = fit
    for _ in range(_SILHOUETTE.rounds):
        better = _refine_fit(picture, mat, place, exact, size_mm)
        if better is None:
            return None
        exact = better
    near = math.hypot(exact.right - fit.right, exact.down - fit.down) <= _SILHOUETTE.most_mm
    if not near or abs(exact.turned - fit.turned) > _SILHOUETTE.most_deg:
        return None
    # A shadow beside the card looks like no mat either, so a clear edge tells better how far it goes.
    return fit._replace(turned=exact.turned) if fit.clear >= _SILHOUETTE.clear_edges else exact


def _refine_fit(
    picture: Picture, mat: Mat, place: tuple[float, float], fit: OutlineFit, size_mm: tuple[float, float]
) -> OutlineFit | None:
    """Lay the outline through the card's four sides; return ``None`` where they are not clear."""
    around, px = _SILHOUETTE.around_mm, _SILHOUETTE.px_per_mm
    centre = (place[0] + fit.right, place[1] + fit.down)
    shown = mat.cut_patch(picture, centre, fit.turned, (size_mm[0] + 2 * around, size_mm[1] + 2 * around), px)
    strange = _measure_strangeness(np.asarray(cv2.GaussianBlur(shown, (0, 0), 1.0), np.float32))
    lines = [_find_side(turned) for turned in (strange.T, strange.T[::-1], strange, strange[::-1])]
    if any(line is None for line in lines):
        return None
    (left, tilt_l), (right, tilt_r), (top, tilt_t), (bottom, tilt_b) = (line for line in lines if line is not None)
    # A side found farther in moves the middle away from it; going along it, it leaves the frame as the card is turned.
    turns = np.degrees(np.arctan([-tilt_l, tilt_r, tilt_t, -tilt_b]))
    width, height = size_mm
    turned = float(turns[:2].mean() * height + turns[2:].mean() * width) / (width + height)
    if float(np.ptp(turns)) > _SILHOUETTE.most_skew_deg:
        return None
    across, down = (left - right) / (2 * px), (top - bottom) / (2 * px)
    a = math.radians(fit.turned)
    dx, dy = across * math.cos(a) - down * math.sin(a), across * math.sin(a) + down * math.cos(a)
    return OutlineFit(fit.right + dx, fit.down + dy, fit.turned + turned, fit.clear)


def _measure_strangeness(shown: Floats) -> Floats:
    """Measure how much each point (h, w) differs from the mat at the rim, in that one's spreads, up to a few."""
    rim = round(_SILHOUETTE.rim_mm * _SILHOUETTE.px_per_mm)
    inner = np.ones(shown.shape[:2], bool)
    inner[rim:-rim, rim:-rim] = False
    ground = shown[inner]
    usual = np.median(ground, axis=0)
    spread = np.maximum(1.4826 * np.median(np.abs(ground - usual), axis=0), _SILHOUETTE.least_spread)
    away = (np.abs(shown - usual) / spread).max(axis=2)
    return np.asarray(np.minimum(away, _SILHOUETTE.most_spreads), np.float32)


def _find_side(strange: Floats) -> tuple[float, float] | None:
    """Find how far in from the frame the upper side lies at its middle (px), and how much farther for each px right.

    ``None`` where too few parts of it are clear.
    """
    px = _SILHOUETTE.px_per_mm
    expected, rim = _SILHOUETTE.around_mm * px, round(_SILHOUETTE.rim_mm * px)
    wide, corner = round(_SILHOUETTE.part_mm * px), round((_SILHOUETTE.around_mm + _SILHOUETTE.corner_mm) * px)
    rows = strange[: round((2 * _SILHOUETTE.around_mm) * px)]
    at, found = [], []
    for begin in range(corner, strange.shape[1] - corner - wide + 1, wide):
        profile = rows[:, begin : begin + wide].mean(axis=1)
        step = _find_step(profile, rim)
        if step is not None:
            at.append(begin + wide / 2 - strange.shape[1] / 2)
            found.append(step - expected)
    parts = (strange.shape[1] - 2 * corner) // wide
    if len(at) < _SILHOUETTE.least_parts * parts:
        return None
    x, y = np.array(at), np.array(found)
    pairs = np.triu_indices(len(x), 1)
    slope = float(np.median((y[pairs[1]] - y[pairs[0]]) / (x[pairs[1]] - x[pairs[0]])))
    return float(np.median(y - slope * x)), slope


def _find_step(profile: Doubles | Floats, rim: int) -> float | None:
    """Find where a profile, mat first, steps up to the card, in px; ``None`` where it does not clearly."""
    sums = np.concatenate([[0.0], np.cumsum(profile)])
    cuts = np.arange(rim, len(profile) - rim)
    before, after = sums[cuts] / cuts, (sums[-1] - sums[cuts]) / (len(profile) - cuts)
    explained = cuts * (len(profile) - cuts) * np.square(after - before)
    best = int(explained.argmax())
    rise = float(after[best] - before[best])
    if rise < _SILHOUETTE.least_rise:
        return None
    return float(cuts[best])
