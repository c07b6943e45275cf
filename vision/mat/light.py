"""The light on the table, measured on the markers' white borders: white balance and fall-off.

A camera's values are about a power of the light, so whatever scales the light scales the values too, and one gain a
channel and place sets white paper right. Between the four corners the gain's logarithm is taken as a plane with a
slight dome on it, since lenses (and lamps above a table) leave the corners a little darker than the middle.

Nothing is whiter than paper. What comes out whiter lies under a veil of glare, which adds light rather than scaling it:
it is taken off again, or the print in it would be washed out though the camera saw it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from rules.text import Text
from vision.arrays import Doubles, Floats, Picture
from vision.config import CONFIG
from vision.errors import LightError
from vision.mat.markers import FoundMarker
from vision.mat.model import Mat

_BORDER = CONFIG.mat.border
_LIGHT = CONFIG.mat.light
_VEIL = CONFIG.mat.veil


def _evaluate_dome(place: NDArray[np.floating]) -> Doubles:
    """Evaluate the dome at places (…, d) in half sides off the middle; the sum over d of its share along each."""
    return np.asarray(_LIGHT.dome * (0.5 - place**2 / 2).sum(axis=-1))


@dataclass(frozen=True, slots=True)
class Border:
    """One marker's white border and black frame as the camera gave them, (blue, green, red) each 0 to 255.

    ``saturated`` is the share of the border's samples at the camera's upper end, where nothing can be measured.
    """

    marker: int
    white: tuple[float, float, float]
    black: tuple[float, float, float]
    saturated: float


@dataclass(frozen=True, slots=True)
class Light:
    """The camera's value of white paper all over the mat.

    ``planes`` holds for blue, green and red the logarithm of white at the mat's middle and its change to the right
    and to the lower edge of the mat. ``borders`` are those it was measured on.
    """

    mat_size_mm: tuple[float, float]
    planes: tuple[tuple[float, float, float], ...]
    borders: tuple[Border, ...]

    @classmethod
    def measure(cls, picture: Picture, mat: Mat) -> Light:
        """Measure the light in a picture (h, w, 3) blue green red in which the mat is known.

        Markers that are covered do not count.

        Raises:
            LightError: no marker's border can be measured.
        """
        if picture.ndim != 3:
            raise ValueError("the light is measured in a colour picture (h, w, 3)")
        borders = [border for marker in mat.markers if (border := _measure_border(picture, marker, mat)) is not None]
        if not borders:
            raise LightError(
                Text(
                    "The white borders of the markers can't be seen: uncover the markers, make more light, "
                    "and keep glare off them."
                )
            )
        return cls(mat.size_mm, _fit_planes(borders, mat), tuple(borders))

    def white_at(self, points_mm: ArrayLike) -> Doubles:
        """Return what the camera gives for white paper at mat points (…, 2) mm; (…, 3) blue green red."""
        points = np.asarray(points_mm, dtype=np.float64)
        middle = np.array(self.mat_size_mm) / 2
        place = np.clip((points - middle) / middle, -_LIGHT.edge, _LIGHT.edge)
        planes = np.array(self.planes)
        return np.asarray(np.exp(planes[:, 0] + place @ planes[:, 1:].T + _evaluate_dome(place)[..., None]))

    def gain_at(self, points_mm: ArrayLike) -> Doubles:
        """Return what to multiply camera values by so that white paper comes out at 235; (…, 3) blue green red."""
        return np.minimum(_LIGHT.paper_white / self.white_at(points_mm), _LIGHT.max_gain)

    def correct_patch(self, patch: Picture, centre_mm: tuple[float, float]) -> Picture:
        """Set white paper to 235 in a small patch (h, w, 3) around a mat point, with one gain for the whole of it.

        A veil of glare over it is taken off.
        """
        gain = self.gain_at(centre_mm)
        veil = _find_veil(_average_cells(patch, _VEIL.patch_cell_px) * gain, _VEIL.patch_reach_cells)
        if veil is None:
            steps = np.arange(256)[:, None] * gain[None]
            table = np.clip(steps + 0.5, 0, 255).astype(np.uint8).reshape(1, 256, 3)
            return np.asarray(cv2.LUT(patch, table), dtype=np.uint8)
        bright = np.multiply(patch, gain, dtype=np.float32)
        added = cv2.cvtColor(cv2.resize(veil, patch.shape[1::-1]), cv2.COLOR_GRAY2BGR)
        return np.asarray(cv2.subtract(bright, added, dtype=cv2.CV_8U), np.uint8)

    def veil_over(self, patch: Picture, centre_mm: tuple[float, float]) -> float:
        """Measure how much glare adds on average over a patch (h, w, 3) round a mat point, where white paper is 235."""
        veil = _find_veil(_average_cells(patch, _VEIL.patch_cell_px) * self.gain_at(centre_mm), _VEIL.patch_reach_cells)
        return 0.0 if veil is None else float(veil.mean())

    def correct_mat(self, rectified: Picture, px_per_mm: float, origin_px: tuple[int, int] = (0, 0)) -> Picture:
        """Set white paper to 235 everywhere on the rectified mat (h, w, 3), as ``Mat.rectify`` gives it.

        Veils of glare are taken off.
        ``origin_px`` says where in the whole (x, y) the rectified part begins.
        """
        h, w = rectified.shape[:2]
        xs = (np.arange(w) + origin_px[0] + 0.5) / px_per_mm
        ys = (np.arange(h) + origin_px[1] + 0.5) / px_per_mm
        # the exponent is a sum of what goes across and what goes down, so the gain is a product
        across = self._gain_along(xs, 0)
        down = self._gain_along(ys, 1)
        # the colours side by side as one: OpenCV multiplies three channels many times more slowly
        each = np.zeros((3, w, 3), np.float32)
        for channel in range(3):
            each[channel, :, channel] = across[:, channel]
        spread = each.reshape(3, 3 * w)
        bounded = float((down.max(axis=0) * across.max(axis=0)).max()) <= _LIGHT.max_gain
        out = np.empty_like(rectified)
        cells = _average_cells(rectified, _VEIL.mat_cell_px)
        r, c = (
            np.minimum(np.arange(n) * _VEIL.mat_cell_px + _VEIL.mat_cell_px // 2, len(g) - 1)
            for n, g in zip(cells.shape[:2], (down, across), strict=True)
        )
        cell_gains = down[r, None] * across[c]
        veil = _find_veil(cells * np.minimum(cell_gains, np.float32(_LIGHT.max_gain)), _VEIL.mat_reach_cells)
        veiled = None if veil is None else cv2.resize(veil, (w, h))
        band_rows = 32
        for top in range(0, h, band_rows):  # band by band, as a float copy of the whole mat is large
            rows = slice(top, min(top + band_rows, h))
            gains = down[rows] @ spread
            if not bounded:
                gains = np.minimum(gains, np.float32(_LIGHT.max_gain))
            values, corrected = (np.reshape(flat[rows], (-1, 3 * w)) for flat in (rectified, out))
            if veiled is None or not veiled[rows].any():
                cv2.multiply(values, gains, dst=corrected, dtype=cv2.CV_8U)
            else:
                bright = cv2.multiply(values, gains, dtype=cv2.CV_32F)
                added = cv2.cvtColor(veiled[rows], cv2.COLOR_GRAY2BGR).reshape(-1, 3 * w)
                cv2.subtract(bright, added, dst=corrected, dtype=cv2.CV_8U)
        return out

    def _gain_along(self, mm: NDArray[np.floating], axis: int) -> Floats:
        """Return the gain's factor (n, 3) along x or y; the one along x holds the whole level."""
        half = self.mat_size_mm[axis] / 2
        planes = np.array(self.planes)
        place = np.clip((mm - half) / half, -_LIGHT.edge, _LIGHT.edge)[:, None]
        level = math.log(_LIGHT.paper_white) - planes[:, 0] if axis == 0 else 0.0
        return np.asarray(
            np.exp(level - place * planes[:, 1 + axis] - _evaluate_dome(place)[:, None]), dtype=np.float32
        )

    @property
    def black(self) -> float:
        """How bright the markers' black is once white is set to 235; above about 120 the picture is hazy or glares."""
        return float(np.median([_LIGHT.paper_white * b / w for border in self.borders for b, w in _list_pairs(border)]))

    @property
    def saturated(self) -> float:
        """Share of the borders at the camera's upper end: well above 0.5 the picture is overexposed."""
        return float(np.mean([border.saturated for border in self.borders]))

    @property
    def evenness(self) -> float:
        """The darkest corner's white as a share of the brightest's, 0 to 1."""
        w, h = self.mat_size_mm
        green = self.white_at(np.array([[0, 0], [w, 0], [w, h], [0, h]]))[:, 1]
        return float(green.min() / green.max())


def _average_cells(picture: Picture, size: int) -> Floats:
    """Average a picture (h, w, 3) over cells of so many pixels each way; what is over at the edges is left out."""
    h, w = (max(side // size, 1) for side in picture.shape[:2])
    whole = picture[: h * size, : w * size]
    return np.asarray(cv2.resize(whole, (w, h), interpolation=cv2.INTER_AREA), np.float32)


def _find_veil(corrected: Floats | Doubles, reach: int) -> Floats | None:
    """Measure how much glare adds in each cell (h, w) of a corrected picture (h, w, 3); None where there is none."""
    blue, green, red = cv2.split(np.asarray(corrected, np.float32))
    top = cv2.max(cv2.max(blue, green), red)
    if top.max() <= _VEIL.whitest:
        return None
    around = cv2.blur(cv2.dilate(top, np.ones((reach, reach), np.uint8)), (reach, reach))
    return np.asarray(np.maximum(around - _VEIL.whitest, 0), np.float32)


def _list_pairs(border: Border) -> list[tuple[float, float]]:
    return list(zip(border.black, border.white, strict=True))


def _measure_border(picture: Picture, marker: FoundMarker, mat: Mat) -> Border | None:
    """Measure one marker's border; None where it is covered, outside the picture or in deep shadow."""
    corners = marker.array
    outside = _sample_picture(picture, _list_ring_points(corners, (_BORDER.border_near_mm, _BORDER.border_far_mm), mat))
    inside = _sample_picture(picture, _list_ring_points(corners, (-_BORDER.ink_near_mm, -_BORDER.ink_far_mm), mat))
    if len(outside) < 100 or len(inside) < 100:
        return None
    bright = outside.max(axis=1)
    clear = outside[bright < _BORDER.saturated]
    # a border that is all at the upper end still says that white is at least that
    usable = clear if len(clear) >= 0.25 * len(outside) else outside
    white = np.median(usable, axis=0)
    black = np.percentile(inside, 25, axis=0)  # glare brightens ink, nothing darkens it
    near = usable[np.abs(usable - white).max(axis=1) < _BORDER.max_spread * white.max()]
    if len(near) < 0.5 * len(usable) or white.max() < 8:
        return None
    white = near.mean(axis=0)
    if white.mean() < _BORDER.min_contrast * black.mean():
        return None
    return Border(
        marker.id,
        (float(white[0]), float(white[1]), float(white[2])),
        (float(black[0]), float(black[1]), float(black[2])),
        float((bright >= _BORDER.saturated).mean()),
    )


def _list_ring_points(corners_px: Doubles, band_mm: tuple[float, float], mat: Mat) -> Doubles:
    """List points (n, 2) px along a marker's four sides, from and to so many mm outside (negative: inside) of them."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
    homography = cv2.getPerspectiveTransform(square, corners_px.astype(np.float32))
    ideal = _list_band_points(band_mm[0] / mat.marker_mm, band_mm[1] / mat.marker_mm) @ homography.T
    return np.asarray(ideal[:, :2] / ideal[:, 2:])


@lru_cache(maxsize=8)
def _list_band_points(nearest: float, farthest: float) -> Doubles:
    """List points (n, 3), homogeneous, along the sides of a unit square, so far outside (negative: inside) of them."""
    along = np.linspace(0.06, 0.94, 40)
    points = []
    for distance in np.linspace(nearest, farthest, 5):
        low, high = np.full_like(along, -distance), np.full_like(along, 1 + distance)
        points += [np.stack(pair, axis=-1) for pair in ((along, low), (high, along), (along, high), (low, along))]
    flat = np.concatenate(points)
    return np.concatenate([flat, np.ones((len(flat), 1))], axis=1)


def _sample_picture(picture: Picture, points_px: Doubles) -> NDArray[np.float64]:
    """Sample the picture (n, 3) at those points that lie in it, each a mean over a few pixels against noise."""
    h, w = picture.shape[:2]
    at = np.rint(points_px).astype(int)
    at = at[(at[:, 0] >= 1) & (at[:, 1] >= 1) & (at[:, 0] < w - 1) & (at[:, 1] < h - 1)]
    if not len(at):
        return np.zeros((0, 3))
    # cut first: numbers of points in one small array are looked up many times more quickly
    low, high = at.min(axis=0) - 1, at.max(axis=0) + 2
    cut = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
    wide = cut.shape[1]
    middle = (at[:, 1] - low[1]) * wide + at[:, 0] - low[0]
    near = np.concatenate([middle, middle - 1, middle + 1, middle - wide, middle + wide])
    return np.asarray(cut.reshape(-1, 3)[near].reshape(5, -1, 3).mean(axis=0), dtype=np.float64)


def _fit_planes(borders: list[Border], mat: Mat) -> tuple[tuple[float, float, float], ...]:
    """Fit each channel's plane to the borders; with fewer than three it stays near level where nothing tells."""
    half = np.array(mat.size_mm) / 2
    middles = mat.to_mm(np.array([mat.marker_px(border.marker).mean(axis=0) for border in borders]))
    place = (middles - half) / half
    design = np.concatenate([np.ones((len(borders), 1)), place], axis=1)
    prior = np.array([0.0, 1.0, 1.0]) * (_LIGHT.white_sigma / _LIGHT.slope_sigma) ** 2
    planes = []
    for channel in range(3):
        white = np.log([border.white[channel] + 0.5 for border in borders]) - _evaluate_dome(place)
        normal = design.T @ design + np.diag(prior)
        a, b, c = np.linalg.solve(normal, design.T @ white)
        planes.append((float(a), float(b), float(c)))
    return tuple(planes)
