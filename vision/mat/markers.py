"""The ArUco markers in a picture, their corners to a fraction of a pixel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Picture
from vision.config import CONFIG
from vision.mat.sampling import as_picture, average_down

_MARKERS = CONFIG.mat.markers


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """One marker seen in a picture: its id and its four corners in px, its own top left first, clockwise."""

    id: int
    corners_px: tuple[tuple[float, float], ...]

    @property
    def array(self) -> Doubles:
        """The corners as (4, 2)."""
        return np.array(self.corners_px)


def find_markers(luma: Picture) -> tuple[FoundMarker, ...]:
    """Find all markers 0 to 3 in a luma picture (h, w), corners to a fraction of a pixel; all of one id if several.

    Codes are looked for on a reduced picture; then each side of each black square is measured in the full one.
    """
    coarse: list[tuple[int, Doubles]] = []
    for parts in search_parts(luma):
        for number, corners in detect_codes(luma, parts):
            if not any(number == n and _is_same_place(corners, c) for n, c in coarse):
                coarse.append((number, corners))
        if {n for n, _ in coarse} == {0, 1, 2, 3}:
            break
    return tuple(measure_marker(luma, number, corners) for number, corners in coarse)


def search_parts(luma: Picture) -> list[int]:
    """List by how much a picture (h, w) is reduced where codes are searched, the most first."""
    sides = _MARKERS.search_sides_px
    return sorted({max(1, round(max(luma.shape) / side)) for side in sides} | {1}, reverse=True)


def refine_corners(luma: Picture, corners_px: Doubles) -> Doubles:
    """Move a marker's corners (4, 2) px to where its measured sides meet; (4, 2) px.

    Each side is cut across at many places; where light crosses halfway between the black square and its white border
    lies the edge, and a line through these points, without those that a shadow or a finger bent away, is the side.
    Measured on half-width light (not the picture's gamma-coded values), as a lens blurs light. A side that can't be
    measured keeps its coarse place.
    """
    corners = np.array(corners_px, dtype=np.float64)
    for _ in range(2):
        better = _intersect_sides(corners, *find_edge_crossings(luma, corners))
        side = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())
        shift = np.linalg.norm(better - corners, axis=1)
        corners = np.where((shift < 0.12 * side + 2.0)[:, None], better, corners)
    return corners


def measure_marker(luma: Picture, number: int, coarse: Doubles) -> FoundMarker:
    """Measure the marker of that id whose corners lie about there, (4, 2) px in a luma picture (h, w)."""
    return FoundMarker(number, tuple((float(x), float(y)) for x, y in refine_corners(luma, coarse)))


def luma_of(picture: Picture) -> Picture:
    """Return the luma (h, w) of a picture (h, w, 3) or (h, w)."""
    return picture if picture.ndim == 2 else as_picture(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))


@cache
def _get_detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    parameters.adaptiveThreshWinSizeMin = 5
    parameters.adaptiveThreshWinSizeMax = 35
    parameters.adaptiveThreshWinSizeStep = 15
    parameters.minMarkerPerimeterRate = 0.04
    parameters.maxMarkerPerimeterRate = 1.0
    # OpenCV's own 0.125 takes a narrow white border's outline and the black square's for one and may drop the latter
    parameters.minMarkerDistanceRate = 0.05
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def detect_codes(luma: Picture, parts: int) -> list[tuple[int, Doubles]]:
    """Detect markers 0 to 3 in the picture reduced to one part in ``parts``; ids and corners (4, 2) in full px."""
    quads, ids, _ = _get_detector().detectMarkers(average_down(luma, parts))
    # OpenCV 4 gives ids as (n, 1) or None, OpenCV 5 as (n,)
    numbers = [int(n) for n in np.ravel(ids)] if len(quads) else []
    return [
        (number, (np.asarray(quad, dtype=np.float64).reshape(4, 2) + 0.5) * parts - 0.5)
        for number, quad in zip(numbers, quads, strict=True)
        if 0 <= number <= 3
    ]


def _is_same_place(a: Doubles, b: Doubles) -> bool:
    side = float(np.linalg.norm(a[1] - a[0]))
    return float(np.linalg.norm(a.mean(axis=0) - b.mean(axis=0))) < _MARKERS.same_share * side


def find_edge_crossings(luma: Picture, corners: Doubles) -> tuple[Doubles, NDArray[np.bool_]]:
    """Find where a marker's sides are crossed from black to white: px outward of the line between corners (4, 2).

    Both (4, 48): from top, right, bottom and left the places along the side, and whether the crossing there is clear.
    """
    along, outward, length = _measure_sides(corners)
    reach = max(0.07 * float(length.mean()), 3.0)
    offsets = np.arange(-reach, reach + 1e-6, 0.5)
    run = (_SHARES * length[:, None])[..., None, None] * along[:, None, None]
    points = corners[:, None, None] + run + offsets[:, None] * outward[:, None, None]
    rim = points[:, :: len(_SHARES) - 1, :: len(offsets) - 1].reshape(-1, 2)  # the outermost ones
    low = np.floor(rim.min(axis=0)).astype(int) - 1
    high = np.ceil(rim.max(axis=0)).astype(int) + 2
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    cut = luma[y0 : max(y0, int(high[1])), x0 : max(x0, int(high[0]))]
    shape = points.shape[:3]
    if cut.size == 0:
        return np.zeros(shape[:2]), np.zeros(shape[:2], bool)
    across, down = (points[..., i].reshape(-1, shape[2]).astype(np.float32) - np.float32((x0, y0)[i]) for i in (0, 1))
    light = cv2.LUT(cut, _LIGHT)
    values = np.asarray(cv2.remap(light, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    values = values.reshape(shape)
    ends = max(2, len(offsets) // 5)
    black, white = values[..., :ends].mean(axis=2), values[..., -ends:].mean(axis=2)
    step = white - black
    usual = np.median(step, axis=1, keepdims=True)
    # first crossing of the middle coming from the outside
    middle = (black + white) / 2
    last_low = len(offsets) - 1 - np.argmax(values[..., ::-1] <= middle[..., None], axis=2)
    clear = (last_low < len(offsets) - 1) & (step > 0.5 * usual) & (usual >= _MARKERS.min_contrast)
    index = np.minimum(last_low, len(offsets) - 2)
    lo, hi = (np.take_along_axis(values, i[..., None], axis=2)[..., 0] for i in (index, index + 1))
    return offsets[index] + 0.5 * (middle - lo) / np.where(hi > lo, hi - lo, 1.0), clear


def _measure_sides(corners: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """Return the four sides' directions (4, 2), their directions outward (4, 2), black to white, and lengths (4,)."""
    along = np.roll(corners, -1, axis=0) - corners
    length = np.linalg.norm(along, axis=1)
    along = along / length[:, None]
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    inward = ((corners.mean(axis=0) - corners) * outward).sum(axis=1) > 0
    return along, np.where(inward[:, None], -outward, outward), length


def _intersect_sides(corners: Doubles, crossed: Doubles, clear: NDArray[np.bool_]) -> Doubles:
    """Intersect lines through the clear crossings at the corners (4, 2); a side with too few keeps its place."""
    along, outward, length = _measure_sides(corners)
    s = _SHARES * length[:, None]
    weight = clear.astype(np.float64)
    level = slope = np.zeros((4, 1))
    count = np.maximum(clear.sum(axis=1), 1)
    rows = np.arange(4)
    for _ in range(4):
        total = np.maximum(weight.sum(axis=1, keepdims=True), 1e-9)
        ms, mt = ((weight * v).sum(axis=1, keepdims=True) / total for v in (s, crossed))
        spread = np.maximum((weight * (s - ms) ** 2).sum(axis=1, keepdims=True), 1e-9)
        slope = (weight * (s - ms) * (crossed - mt)).sum(axis=1, keepdims=True) / spread
        level = mt - slope * ms
        error = np.abs(crossed - level - slope * s)
        ordered = np.sort(np.where(clear, error, np.inf), axis=1)
        usual = (ordered[rows, (count - 1) // 2] + ordered[rows, count // 2])[:, None] / 2
        usual = np.maximum(1.4826 * np.where(np.isfinite(usual), usual, 0.0), 0.05)
        weight = clear / (1.0 + (error / (2 * usual)) ** 2) ** 2  # Geman-McClure
    measured = (clear.sum(axis=1) >= _MARKERS.min_crossings)[:, None]
    points = np.where(measured, corners + level * outward, corners)
    directions = np.where(measured, along + slope * outward, along)
    return np.array([_meet((points[i - 1], directions[i - 1]), (points[i], directions[i])) for i in range(4)])


_LIGHT = ((np.arange(256) / 255.0) ** _MARKERS.gamma).astype(np.float32)
_SHARES = np.linspace(_MARKERS.side_from, _MARKERS.side_to, _MARKERS.side_samples)


def _meet(one: tuple[Doubles, Doubles], other: tuple[Doubles, Doubles]) -> Doubles:
    (p, d), (q, e) = one, other
    cross = float(d[0] * e[1] - d[1] * e[0])
    if abs(cross) < 1e-6:
        return np.asarray(q, dtype=np.float64)
    t = float((q[0] - p[0]) * e[1] - (q[1] - p[1]) * e[0]) / cross
    return np.asarray(p + t * d, dtype=np.float64)


def measure_quad_area(quad: Doubles) -> float:
    """Compute the area of a quadrilateral (4, 2), clockwise as seen in the picture."""
    x, y = quad[:, 0], quad[:, 1]
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) / 2
