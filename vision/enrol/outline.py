"""Where a whole card lies, by its outline: the detector goes by what is printed near a corner, an edge is exact.

A card's size is known, so its four sides are searched together: both long ones at one shift and turn, both short ones
at one shift and the same turn. A frame or a band printed inside never fits at the card's size.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np

from referee.layout import CARD_MM
from vision.arrays import Doubles, Floats, Picture
from vision.config import CONFIG
from vision.mat import Mat

_OUTLINE = CONFIG.enrol.outline


_FINER_DEG = np.array(_OUTLINE.finer_deg)
_NEAR_PX = np.array(_OUTLINE.near_px)


class OutlineFit(NamedTuple):
    """How a card lies, seen from where it was thought to lie: further right and down on it (mm), and turned.

    ``turned`` is in degrees clockwise. ``clear`` is how much its outline stands out, in standard deviations of what
    lies about: bare mats stay below 16, and of cards all but one in fifty are above 12.
    """

    right: float
    down: float
    turned: float
    clear: float


def fit_outline(
    picture: Picture,
    mat: Mat,
    centre: tuple[float, float],
    angle: float,
    off_mm: float,
    off_deg: float | None = None,
    card_mm: tuple[float, float] = CARD_MM,
) -> OutlineFit:
    """Find how a whole card lies by its outline, seen from about where it lies; just there where none stands out.

    Args:
        picture: (h, w, 3) BGR uint8.
        mat: where the mat lies in it.
        centre: the card's centre as far as known, mat mm.
        angle: its angle as far as known, degrees clockwise.
        off_mm: by how much that usually is wrong.
        off_deg: by how much the angle usually is wrong; by as many degrees as the place by mm if absent.
        card_mm: its width and height.
    """
    off_deg = off_mm if off_deg is None else off_deg
    around = _OUTLINE.reach * off_mm + _OUTLINE.around_mm + 1.0
    size = (card_mm[0] + 2 * around, card_mm[1] + 2 * around)
    patch = mat.cut_patch(picture, centre, angle, size, _OUTLINE.px_per_mm)
    soft = np.asarray(cv2.GaussianBlur(patch, (0, 0), 1.0), np.uint8)
    beside, below = _measure_steepness(soft, True), _measure_steepness(soft, False)
    most = min(_OUTLINE.reach * off_deg, _OUTLINE.max_turn_deg)
    turns = np.arange(-(most // _OUTLINE.step_deg) * _OUTLINE.step_deg, most + 0.1, _OUTLINE.step_deg)
    steps = round(_OUTLINE.reach * off_mm / _OUTLINE.step_mm)
    shifts = np.linspace(-steps, steps, 2 * steps + 1) * _OUTLINE.step_mm
    sides = (
        _Sides(beside, *card_mm, shifts, turns),
        _Sides(np.ascontiguousarray(below.T), *card_mm[::-1], shifts, -turns),
    )
    unusual = 0.5 * np.square(shifts / off_mm)
    still = sum(float(side.measure_fits(0.0)[len(shifts) // 2]) for side in sides)
    best, placed = still + _OUTLINE.min_gain, OutlineFit(0.0, 0.0, 0.0, still)
    for several in (turns, _FINER_DEG):
        for turn in (several + placed.turned).tolist():
            across, down = sides[0].measure_fits(turn) - unusual, sides[1].measure_fits(-turn) - unusual
            k, n = int(across.argmax()), int(down.argmax())
            fit = float(across[k] + down[n]) - 0.5 * (turn / off_deg) ** 2
            if fit > best:
                best, placed = fit, OutlineFit(float(shifts[k]), float(shifts[n]), turn, fit)
    if placed.clear < _OUTLINE.exact:
        return placed
    return placed._replace(
        right=sides[0].find_peak(placed.turned, placed.right), down=sides[1].find_peak(-placed.turned, placed.down)
    )


def _measure_steepness(soft: Picture, across: bool) -> Floats:
    """Measure how steep a picture is across or down, grey levels a pixel in the colour that changes most; (h, w)."""
    slope = np.abs(cv2.Sobel(soft, cv2.CV_32F, int(across), int(not across), scale=1 / 8)).max(axis=2)
    return np.asarray(slope, np.float32)


class _Sides:
    """Two parallel upright sides of a card, searched in how steep a picture is across, (h, w)."""

    def __init__(self, steep: Floats, width_mm: float, height_mm: float, shifts_mm: Doubles, turns: Doubles) -> None:
        h, w = steep.shape
        reach = round((height_mm - 2 * _OUTLINE.round_corner_mm) / 2 * _OUTLINE.px_per_mm)
        self._steep, self._capped = steep, np.minimum(steep, np.float32(_OUTLINE.max_slope))
        self._rows = slice(h // 2 - reach, h // 2 + reach)
        self._middle, self._half = w / 2 - 0.5, width_mm / 2 * _OUTLINE.px_per_mm
        self._shifts = shifts_mm
        about = np.linspace(shifts_mm[0] - _OUTLINE.around_mm, shifts_mm[-1] + _OUTLINE.around_mm, 80)
        fits = np.stack([self._measure_raw(turn, about) for turn in turns.tolist()])
        self._usual = float(np.median(fits))
        self._spread = max(1.4826 * float(np.median(np.abs(fits - self._usual))), 1e-6)

    def measure_fits(self, turn: float) -> Doubles:
        """Measure how well they fit at a turn, by each of the shifts, in standard deviations of what is round it."""
        return np.asarray((self._measure_raw(turn, self._shifts) - self._usual) / self._spread)

    def find_peak(self, turn: float, shift_mm: float) -> float:
        """Find the shift (mm) near this one, at this turn, at which the picture is steepest along both sides.

        To ``measure_fits`` a steep edge is as good for a millimetre round it; its middle is sought here.
        """
        sums = self._shear_upright(self._steep, turn).mean(axis=0)
        for _ in range(2):
            left, right = self._sample_sides(sums, shift_mm * _OUTLINE.px_per_mm + _NEAR_PX)
            both = np.sqrt(left * right)
            top = np.maximum(both - _OUTLINE.top_share * both.max(), 1e-9)
            shift_mm += float(top @ _NEAR_PX / top.sum()) / _OUTLINE.px_per_mm
        return shift_mm

    def _measure_raw(self, turn: float, shifts_mm: Doubles) -> Doubles:
        sums = np.sqrt(self._shear_upright(self._capped, turn).mean(axis=0))
        left, right = self._sample_sides(sums, shifts_mm * _OUTLINE.px_per_mm)
        # both sides must fit: a printed frame's inner edge is often steeper than the card's own
        return np.asarray(np.minimum(left, right) + (left + right) / 4)

    def _sample_sides(self, sums: Floats, shifts_px: Doubles) -> tuple[Doubles, Doubles]:
        """Look up the columns' ``sums`` (w,) along the left and the right side, by each of the shifts; (n,) each."""
        at, columns = self._middle + shifts_px, np.arange(len(sums))
        return np.interp(at - self._half, columns, sums), np.interp(at + self._half, columns, sums)

    def _shear_upright(self, steep: Floats, turn: float) -> Floats:
        """Shear the rows (n, w) that the sides run through so that sides at this turn stand upright."""
        slope = math.tan(math.radians(turn))
        h, w = steep.shape
        warp = np.array([[1.0, -slope, slope * (h - 1) / 2], [0.0, 1.0, 0.0]], np.float32)
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        upright = np.asarray(cv2.warpAffine(steep, warp, (w, h), flags=how, borderMode=cv2.BORDER_REPLICATE))
        return np.asarray(upright[self._rows], np.float32)
