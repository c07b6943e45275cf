"""The mat: from four ArUco markers in a picture to millimetres on the table, and back.

Frame: millimetres, origin at the outer corner of marker 0, x right, y down (TABLE.md, "Mat and markers").
Pixels: a pixel's centre has whole coordinates, as in OpenCV.

Model: a homography from the mat to an ideal picture, then one radial coefficient about the picture's centre,
``p = c + (u - c)(1 + k1 r²)`` with ``r`` in half diagonals of the picture (the first term of the Brown-Conrady
model, D. C. Brown, "Close-range camera calibration", 1971). It is fitted to the 16 marker corners by
Levenberg-Marquardt; each marker may lie a little askew about its outer corner, because people lay them by hand,
and overexposed white may have eaten into all black squares alike.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import MatError

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]
Coordinates = NDArray[np.float32]

MARKER_MM = 50.0
MOVED_MM = 1.0
"""A visible marker farther than this from where it was means that it, or the camera, was moved."""
KEPT_MM = 0.25
"""Closer than this a new measurement says nothing new, and the old one is kept."""
SIZE_ERROR = 0.05
SIZE_WARNING = 0.02
CONSISTENT_MM = 6.0
"""Largest RMS error of the corners with which four markers still pass for the corners of one mat."""
MAT_SIDES_MM = (300.0, 2000.0)

_STANDS_SHARE = 0.8
"""A side that has moved less than this share of ``KEPT_MM`` keeps its marker's corners within it."""
_DETECT_PX = (750, 1500, 3000)
"""About the longest sides on which codes are looked for, and then the whole, until all four are found."""
_SEEN_TWICE_PX = 0.3
"""Two finds of one id closer than this share of its side are the same marker."""
_TRUST_ROUNDS = 5
_ASKEW_SIGMA = math.radians(1.5)
_K1_SIGMA = 0.1
_BLEED_SIGMA_MM = (0.03, 1.0)
"""How far overexposed white may eat into the black; a mat of unknown size can't be told from much bleeding."""
_CORNER_SIGMA_PX = 0.15

_WORDS = (
    ("top left", "左上"),
    ("top right", "右上"),
    ("bottom right", "右下"),
    ("bottom left", "左下"),
)


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """One marker seen in a picture: its id and its four corners in px, its own top left first, clockwise."""

    id: int
    corners_px: tuple[tuple[float, float], ...]

    @property
    def array(self) -> Floats:
        """The corners as (4, 2)."""
        return np.array(self.corners_px)


@dataclass(frozen=True, slots=True)
class Mat:
    """Where the mat lies in the picture: a value, equal to another when the geometry is.

    ``homography`` maps the mat (mm) to the ideal picture (half diagonals about the centre), row by row.
    ``markers`` are the four as measured. ``residual_px`` is the RMS distance of the 16 corners from the model.
    ``warnings`` are (English, Japanese) sentences for the owner.
    """

    size_mm: tuple[float, float]
    picture_size: tuple[int, int]
    """Width and height of the picture in px."""
    homography: tuple[float, ...]
    k1: float
    markers: tuple[FoundMarker, ...]
    residual_px: float
    marker_mm: float = MARKER_MM
    warnings: tuple[tuple[str, str], ...] = ()

    def to_px(self, points_mm: ArrayLike) -> Floats:
        """Mat millimetres (…, 2) to picture pixels (…, 2)."""
        half, centre = _lens(self.picture_size)
        points = np.asarray(points_mm, dtype=np.float64)
        return _project(np.reshape(self.homography, (3, 3)), self.k1, points) * half + centre

    def to_mm(self, points_px: ArrayLike) -> Floats:
        """Picture pixels (…, 2) to mat millimetres (…, 2)."""
        half, centre = _lens(self.picture_size)
        ideal = _undistort((np.asarray(points_px, dtype=np.float64) - centre) / half, self.k1)
        return _apply(np.linalg.inv(np.reshape(self.homography, (3, 3))), ideal)

    @property
    def corners_px(self) -> Floats:
        """The mat's corners in px, (4, 2): top left, top right, bottom right, bottom left."""
        w, h = self.size_mm
        return self.to_px(_outer(w, h))

    @property
    def marker_corners_px(self) -> Floats:
        """The markers' corners as measured in px, (4, 4, 2): by id, then top left first, clockwise."""
        return np.array([m.corners_px for m in self.markers])

    def scale_at(self, points_mm: ArrayLike) -> Floats:
        """Pixels of the picture per millimetre at the points (…, 2); (…,)."""
        points = np.asarray(points_mm, dtype=np.float64)
        right, down = np.array([0.5, 0.0]), np.array([0.0, 0.5])
        dx = self.to_px(points + right) - self.to_px(points - right)
        dy = self.to_px(points + down) - self.to_px(points - down)
        return np.asarray(np.sqrt(np.abs(dx[..., 0] * dy[..., 1] - dx[..., 1] * dy[..., 0])))

    @property
    def px_per_mm(self) -> float:
        """Mean scale over the mat."""
        return float(_scales(self).mean())

    @property
    def min_px_per_mm(self) -> float:
        """Scale where the mat is farthest from the camera."""
        return float(_scales(self).min())

    @property
    def residual_mm(self) -> float:
        """RMS distance of the 16 marker corners from the model, in mm on the mat."""
        return self.residual_px / self.px_per_mm

    def patch(
        self,
        picture: Picture,
        centre_mm: tuple[float, float],
        angle_deg: float,
        size_mm: tuple[float, float],
        px_per_mm: float,
    ) -> Picture:
        """A turned rectangle of the mat, upright, straight from the picture; (h, w, 3) or (h, w) as the picture.

        ``angle_deg`` is clockwise in the picture: a card lying at that angle comes out upright. The patch is
        ``round(size_mm * px_per_mm)`` pixels; pixel (c, r) shows the point ((c + ½) / px_per_mm, (r + ½) / px_per_mm)
        from the patch's top left corner. What lies outside the picture is black.
        """
        return self.patches(picture, [(centre_mm, angle_deg)], size_mm, px_per_mm)[0]

    def patches(
        self,
        picture: Picture,
        places: Sequence[tuple[tuple[float, float], float]],
        size_mm: tuple[float, float],
        px_per_mm: float,
    ) -> list[Picture]:
        """Several patches of one size, each given by its centre (mm) and angle (degrees); see ``patch``."""
        self._check(picture)
        if not places:
            return []
        w, h = (max(1, round(side * px_per_mm)) for side in size_mm)
        centres = np.array([centre for centre, _ in places], dtype=np.float64)
        turns = np.radians([angle for _, angle in places])[:, None, None]
        cos, sin = np.cos(turns), np.sin(turns)

        def place(x: Floats, y: Floats) -> Floats:
            dx = (x + 0.5 - w / 2) / px_per_mm
            dy = (y + 0.5 - h / 2) / px_per_mm
            turned = np.stack([dx * cos - dy * sin, dx * sin + dy * cos], axis=-1)
            return self.to_px(centres[:, None, None] + turned)

        nodes = place(*_nodes(w, h)).astype(np.float32)
        scales = px_per_mm / self.scale_at(centres)
        return [_patch(picture, own, w, h, float(shrink)) for own, shrink in zip(nodes, scales, strict=True)]

    def rectify(
        self,
        picture: Picture,
        px_per_mm: float,
        margin_mm: float = 0.0,
        part: tuple[int, int, int, int] | None = None,
    ) -> Picture:
        """The whole mat seen straight from above, with a margin round it; (h, w, 3) or (h, w) as the picture.

        Pixel (c, r) shows the mat at ((c + ½) / px_per_mm − margin_mm, (r + ½) / px_per_mm − margin_mm). Where that
        is coarser than the picture, the picture is averaged down first, so nothing aliases. With ``part``
        (x0, y0, x1, y1 px of the whole) only that part is made, just as it is in the whole.
        """
        self._check(picture)
        shrink = px_per_mm / self.px_per_mm
        size = picture.shape[:2]
        parts = _parts(size, shrink)
        whole, fraction = _whole_maps(self, px_per_mm, margin_mm, parts)
        if part is None:
            return _sample(_shrunk(picture, shrink, parts), whole, fraction, cv2.INTER_LINEAR)
        x0, y0, x1, y1 = part
        at = whole[y0:y1, x0:x1]
        rim = np.concatenate([at[0], at[-1], at[:, 0], at[:, -1]])
        most = np.array([size[1] // parts, size[0] // parts])
        low = np.clip(rim.min(axis=0) - _BLUR_PX, 0, most - 1)
        high = np.clip(rim.max(axis=0) + 2 + _BLUR_PX, low + 1, most)
        cut = picture[low[1] * parts : high[1] * parts, low[0] * parts : high[0] * parts]
        near, fraction = (np.ascontiguousarray(v) for v in (at - low.astype(np.int16), fraction[y0:y1, x0:x1]))
        return _sample(_shrunk(cut, shrink, parts), near, fraction, cv2.INTER_LINEAR)

    def _check(self, picture: Picture) -> None:
        if (picture.shape[1], picture.shape[0]) != self.picture_size:
            raise ValueError(
                f"the mat was measured in a picture of {self.picture_size}, not {picture.shape[1::-1]}: find it anew"
            )


def find_mat(
    picture: Picture,
    mat_mm: tuple[float, float] | None = None,
    previous: Mat | None = None,
    marker_mm: float = MARKER_MM,
) -> Mat:
    """Measure the mat in a picture (h, w, 3) blue green red, or (h, w) luma.

    With ``mat_mm`` absent the mat's size is measured too, from the markers' known side. With ``previous``, markers
    may be hidden: what was measured last stays (the very same value) until the visible ones are seen to have moved. One
    marker pushed while the three others stand still changes nothing either: the camera and the mat are where they were.

    Raises:
        MatError: markers are missing, do not form one mat, contradict ``mat_mm``, or were moved while some are hidden.
    """
    size = (picture.shape[1], picture.shape[0])
    if previous is not None and not _comparable(previous, size, mat_mm, marker_mm):
        previous = None
    if previous is not None and _stands(picture, previous):
        return previous
    luma = _luma(picture)
    found = _find_near(luma, previous) if previous is not None else find_markers(luma)
    if previous is not None:
        kept = _keep(previous, found)
        if kept is not None:
            return kept
    missing = [n for n in range(4) if not any(m.id == n for m in found)]
    if missing:
        raise _missing_error(missing)
    free = _likeliest(found, size, mat_mm, marker_mm)
    if free is None:
        raise MatError(
            "The four markers do not lie like the corners of a rectangle: lay marker 0 top left, 1 top right, "
            "2 bottom right and 3 bottom left, all upright, and take any other markers out of the picture.",
            "4つのマーカーが長方形の角になっていません。0を左上、1を右上、2を右下、3を左下に、"
            "すべて正しい向きに置き、ほかのマーカーは画面から外してください。",
        )
    if previous is not None and _disturbed(free, previous):
        return previous
    if mat_mm is None:
        return free
    ratio = max(abs(free.size_mm[i] / mat_mm[i] - 1) for i in (0, 1))
    en, ja = _size_words(free.size_mm, mat_mm, marker_mm)
    if ratio > SIZE_ERROR:
        raise MatError(en, ja)
    warnings = ((en, ja),) if ratio > SIZE_WARNING else ()
    return _fit(free.marker_corners_px, size, mat_mm, marker_mm, warnings)


def find_markers(luma: Picture) -> tuple[FoundMarker, ...]:
    """All markers 0 to 3 in a luma picture (h, w), corners to a fraction of a pixel; several of one id if there are.

    Codes are looked for on a reduced picture; then each side of each black square is measured in the full one.
    """
    coarse: list[tuple[int, Floats]] = []
    for parts in sorted({max(1, round(max(luma.shape) / target)) for target in _DETECT_PX} | {1}, reverse=True):
        for number, corners in _detect(luma, parts):
            if not any(number == n and _same_place(corners, c) for n, c in coarse):
                coarse.append((number, corners))
        if {n for n, _ in coarse} == {0, 1, 2, 3}:
            break
    return tuple(_measured(luma, number, corners) for number, corners in coarse)


def refine_corners(luma: Picture, corners_px: Floats) -> Floats:
    """Move a marker's corners (4, 2) px to where its measured sides meet; (4, 2) px.

    Each side is cut across at many places; where light crosses halfway between the black square and its white border
    lies the edge, and a line through these points, without those that a shadow or a finger bent away, is the side.
    Measured on half-width light (not the picture's gamma-coded values), as a lens blurs light. A side that can't be
    measured keeps its coarse place.
    """
    corners = np.array(corners_px, dtype=np.float64)
    for _ in range(2):
        better = _meeting(corners, *_crossings(luma, corners))
        side = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())
        shift = np.linalg.norm(better - corners, axis=1)
        corners = np.where((shift < 0.12 * side + 2.0)[:, None], better, corners)
    return corners


def _measured(luma: Picture, number: int, coarse: Floats) -> FoundMarker:
    return FoundMarker(number, tuple((float(x), float(y)) for x, y in refine_corners(luma, coarse)))


def _luma(picture: Picture) -> Picture:
    return picture if picture.ndim == 2 else _pixels(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))


def _stands(picture: Picture, previous: Mat) -> bool:
    """Whether all sides of all four markers are plainly where they were: then no code needs to be read."""
    limit = _STANDS_SHARE * KEPT_MM * previous.min_px_per_mm
    for marker in previous.markers:
        corners = marker.array
        margin = 0.1 * math.sqrt(_area(corners)) + 4
        x0, y0 = (max(0, int(v)) for v in corners.min(axis=0) - margin)
        x1, y1 = (max(0, int(v)) for v in corners.max(axis=0) + margin)
        if x1 <= x0 or y1 <= y0:
            return False
        crossed, clear = _crossings(_luma(picture[y0:y1, x0:x1]), corners - np.array([x0, y0]))
        if (clear.sum(axis=1) < 0.75 * clear.shape[1]).any():
            return False
        if any(abs(float(np.median(row[sure]))) > limit for row, sure in zip(crossed, clear, strict=True)):
            return False
    return True


def _find_near(luma: Picture, previous: Mat) -> tuple[FoundMarker, ...]:
    """The markers, looked for first where they were: a hidden one must not cost a search of the whole picture."""
    found: list[FoundMarker] = []
    for before in previous.markers:
        quad = before.array
        reach = 0.8 * math.sqrt(_area(quad))
        x0, y0 = (max(0, int(v)) for v in quad.min(axis=0) - reach)
        x1, y1 = (max(0, int(v)) for v in quad.max(axis=0) + reach)
        cut = luma[y0:y1, x0:x1]
        parts = max(1, round(reach / 40))
        for number, corners in _detect(cut, parts) if min(cut.shape) > 40 else []:
            if number == before.id:
                found.append(_measured(luma, number, corners + np.array([x0, y0])))
                break
    if len(found) == 4 or (found and all(_shift_mm(previous, marker) <= MOVED_MM for marker in found)):
        return tuple(found)
    return find_markers(luma)


# --- finding the codes ------------------------------------------------------------------------------------------


@cache
def _detector() -> cv2.aruco.ArucoDetector:
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


def _detect(luma: Picture, parts: int) -> list[tuple[int, Floats]]:
    """Markers 0 to 3 in the picture reduced to one part in so many; ids and corners (4, 2) in full px."""
    quads, ids, _ = _detector().detectMarkers(_reduced(luma, parts))
    # OpenCV 4 gives ids as (n, 1) or None, OpenCV 5 as (n,)
    numbers = [int(n) for n in np.ravel(ids)] if len(quads) else []
    return [
        (number, (np.asarray(quad, dtype=np.float64).reshape(4, 2) + 0.5) * parts - 0.5)
        for number, quad in zip(numbers, quads, strict=True)
        if 0 <= number <= 3
    ]


def _same_place(a: Floats, b: Floats) -> bool:
    side = float(np.linalg.norm(a[1] - a[0]))
    return float(np.linalg.norm(a.mean(axis=0) - b.mean(axis=0))) < _SEEN_TWICE_PX * side


def _crossings(luma: Picture, corners: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Where a marker's four sides are crossed from black to white: px outward of the line between its corners (4, 2).

    Both (4, 48): from top, right, bottom and left the places along the side, and whether the crossing there is clear.
    """
    along, outward, length = _sides(corners)
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
    clear = (last_low < len(offsets) - 1) & (step > 0.5 * usual) & (usual >= _LEAST_STEP)
    index = np.minimum(last_low, len(offsets) - 2)
    lo, hi = (np.take_along_axis(values, i[..., None], axis=2)[..., 0] for i in (index, index + 1))
    return offsets[index] + 0.5 * (middle - lo) / np.where(hi > lo, hi - lo, 1.0), clear


def _sides(corners: Floats) -> tuple[Floats, Floats, Floats]:
    """The four sides' directions (4, 2), the directions outward (4, 2), from black to white, and lengths (4,)."""
    along = np.roll(corners, -1, axis=0) - corners
    length = np.linalg.norm(along, axis=1)
    along = along / length[:, None]
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    inward = ((corners.mean(axis=0) - corners) * outward).sum(axis=1) > 0
    return along, np.where(inward[:, None], -outward, outward), length


def _meeting(corners: Floats, crossed: Floats, clear: NDArray[np.bool_]) -> Floats:
    """The corners (4, 2) where lines through the clear crossings meet; a side with too few keeps its place."""
    along, outward, length = _sides(corners)
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
    measured = (clear.sum(axis=1) >= _LEAST_CROSSINGS)[:, None]
    points = np.where(measured, corners + level * outward, corners)
    directions = np.where(measured, along + slope * outward, along)
    return np.array([_meet((points[i - 1], directions[i - 1]), (points[i], directions[i])) for i in range(4)])


_LIGHT = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)
_SHARES = np.linspace(0.1, 0.9, 48)
_LEAST_STEP = 0.004
_LEAST_CROSSINGS = 12


def _meet(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    (p, d), (q, e) = one, other
    cross = float(d[0] * e[1] - d[1] * e[0])
    if abs(cross) < 1e-6:
        return np.asarray(q, dtype=np.float64)
    t = float((q[0] - p[0]) * e[1] - (q[1] - p[1]) * e[0]) / cross
    return np.asarray(p + t * d, dtype=np.float64)


# --- choosing four of them --------------------------------------------------------------------------------------


def _likeliest(
    found: Sequence[FoundMarker], size: tuple[int, int], mat_mm: tuple[float, float] | None, marker_mm: float
) -> Mat | None:
    """The mat of the four markers that can be one mat's corners: nearest the given size, else the largest; or None."""
    by_id = [sorted((m for m in found if m.id == n), key=lambda m: -_area(m.array))[:4] for n in range(4)]
    fits: list[tuple[int, float, Mat]] = []
    for four in itertools.product(*by_id):
        quad = np.array([m.array[m.id] for m in four])
        sides = [math.sqrt(_area(m.array)) for m in four]
        if not (_convex(quad) and max(sides) < 2.5 * min(sides) and _aligned(four, quad)):
            continue
        trial = _fit(np.array([m.corners_px for m in four]), size, None, marker_mm)
        w, h = trial.size_mm
        if not all(MAT_SIDES_MM[0] <= side <= MAT_SIDES_MM[1] for side in (w, h)):
            continue
        if trial.residual_mm > CONSISTENT_MM:
            continue
        off = 0.0 if mat_mm is None else max(abs(w / mat_mm[0] - 1), abs(h / mat_mm[1] - 1))
        fits.append((round(off / SIZE_ERROR), -_area(quad), trial))
    return min(fits, key=lambda fit: fit[:2])[2] if fits else None


def _aligned(four: Sequence[FoundMarker], quad: Floats) -> bool:
    """Whether each marker's outer sides run, within 20 degrees, along the mat's sides."""
    for i, marker in enumerate(four):
        corners = marker.array
        for after in (1, -1):
            own, mat = corners[(i + after) % 4] - corners[i], quad[(i + after) % 4] - quad[i]
            if float(own @ mat) < math.cos(math.radians(20)) * float(np.linalg.norm(own) * np.linalg.norm(mat)):
                return False
    return True


def _area(quad: Floats) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) / 2


def _convex(quad: Floats) -> bool:
    edge = np.roll(quad, -1, axis=0) - quad
    after = np.roll(edge, -1, axis=0)
    return bool(np.all(edge[:, 0] * after[:, 1] - edge[:, 1] * after[:, 0] > 0))


# --- fitting the model ------------------------------------------------------------------------------------------


def _lens(size: tuple[int, int]) -> tuple[float, Floats]:
    """Half diagonal (px) and centre (px) of the picture."""
    w, h = size
    return math.hypot(w, h) / 2, np.array([(w - 1) / 2, (h - 1) / 2])


def _apply(homography: Floats, points: Floats) -> Floats:
    """Map points (…, 2) by a homography (3, 3), or by several (b, 3, 3) at once where the points are (b, …, 2)."""
    h = homography if homography.ndim == 2 else homography.T.swapaxes(0, 1).reshape(3, 3, -1, *[1] * (points.ndim - 2))
    x, y = points[..., 0], points[..., 1]
    scale = 1.0 / (h[2, 0] * x + h[2, 1] * y + h[2, 2])
    return np.stack(
        [(h[0, 0] * x + h[0, 1] * y + h[0, 2]) * scale, (h[1, 0] * x + h[1, 1] * y + h[1, 2]) * scale], axis=-1
    )


def _project(homography: Floats, k1: float | Floats, points_mm: Floats) -> Floats:
    ideal = _apply(homography, points_mm)
    return np.asarray(ideal * (1.0 + k1 * (ideal**2).sum(axis=-1, keepdims=True)))


def _undistort(points: Floats, k1: float) -> Floats:
    """Solve ``u (1 + k1 u²) = |p|`` by Newton; beyond the model's turning point the nearest sensible radius."""
    radius = np.sqrt((points**2).sum(axis=-1, keepdims=True))
    u = radius.copy()
    for _ in range(6):
        u = u - (u * (1 + k1 * u * u) - radius) / np.maximum(1 + 3 * k1 * u * u, 0.2)
    return np.asarray(points * np.where(radius > 1e-12, u / np.maximum(radius, 1e-12), 1.0))


def _outer(width: float, height: float) -> Floats:
    return np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])


_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
_FROM_OUTER = _SQUARE[None] - _SQUARE[:, None]
"""Each marker's corners (4, 4, 2) seen from its outer corner, in sides."""
_INWARD = 1.0 - 2.0 * _SQUARE


def _model_corners(sizes: Floats, askew: Floats, bleed: Floats, marker: float) -> Floats:
    """The 16 corners (b, 4, 4, 2) of mats of ``sizes`` (b, 2).

    The markers are turned by ``askew`` (b, 4) rad, and white bleeds ``bleed`` (b, 1) into their black squares.
    """
    cos, sin = np.cos(askew)[..., None], np.sin(askew)[..., None]
    local = _FROM_OUTER * marker + _INWARD * bleed[:, None, None]
    x, y = local[..., 0], local[..., 1]
    turned = np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1)
    return np.asarray(turned + (_SQUARE * sizes[:, None])[:, :, None])


def _fit(
    corners_px: Floats,
    size: tuple[int, int],
    mat_mm: tuple[float, float] | None,
    marker_mm: float,
    warnings: tuple[tuple[str, str], ...] = (),
) -> Mat:
    """Fit the model to 16 corners (4, 4, 2) px; with ``mat_mm`` absent, the mat's size too."""
    half, centre = _lens(size)
    seen = (corners_px - centre) / half
    # unit of length on the mat while fitting: one metre, so that all unknowns are about 1
    unit = 1000.0
    if mat_mm is None:
        sides = [math.sqrt(max(_area(quad), 1e-9)) for quad in corners_px]
        outer = np.array([corners_px[i, i] for i in range(4)])
        lengths = np.linalg.norm(np.roll(outer, -1, axis=0) - outer, axis=1)
        around = [(sides[i] + sides[(i + 1) % 4]) / 2 for i in range(4)]
        ratios = [marker_mm * lengths[i] / around[i] / unit for i in range(4)]
        guess = ((ratios[0] + ratios[2]) / 2, (ratios[1] + ratios[3]) / 2)
    else:
        guess = (mat_mm[0] / unit, mat_mm[1] / unit)
    outer_seen = np.array([seen[i, i] for i in range(4)])
    start = cv2.getPerspectiveTransform(_outer(*guess).astype(np.float32), outer_seen.astype(np.float32))
    x = np.concatenate([(start / start[2, 2]).ravel()[:8], [0.0], np.zeros(5), guess if mat_mm is None else []])
    sigma = _CORNER_SIGMA_PX / half
    bleed_sigma = _BLEED_SIGMA_MM[mat_mm is not None] / unit

    trust = np.ones((4, 4, 1))

    def errors(params: Floats) -> Floats:
        """Errors (b, 38) in their standard deviations, of several sets of unknowns (b, n) at once."""
        count = len(params)
        sizes = params[:, 14:16] if mat_mm is None else np.tile(guess, (count, 1))
        model = _model_corners(sizes, params[:, 9:13], params[:, 13:14], marker_mm / unit)
        homographies = np.concatenate([params[:, :8], np.ones((count, 1))], axis=1).reshape(count, 3, 3)
        off = _project(homographies, params[:, 8].reshape(-1, 1, 1, 1), model) - seen
        fit = (off * (trust / sigma)).reshape(count, -1)
        prior = [params[:, 8:9] / _K1_SIGMA, params[:, 9:13] / _ASKEW_SIGMA, params[:, 13:14] / bleed_sigma]
        return np.concatenate([fit, *prior], axis=1)

    for _ in range(_TRUST_ROUNDS):
        x = _levenberg_marquardt(errors, x)
        off_px = errors(x[None])[0, :32].reshape(4, 4, 2) * (sigma * half) / trust
        distance = np.linalg.norm(off_px, axis=-1, keepdims=True)
        usual = max(float(np.median(distance)), _CORNER_SIGMA_PX)
        if distance.max() < 4 * usual:
            break
        # a finger or a shine at one corner: trust it less, the others hold the mat
        trust = 1.0 / (1.0 + (distance / (3 * usual)) ** 2)
    width, height = (float(x[14]), float(x[15])) if mat_mm is None else guess
    homography = np.append(x[:8], 1.0).reshape(3, 3) @ np.diag([1 / unit, 1 / unit, 1.0])
    return Mat(
        size_mm=(width * unit, height * unit) if mat_mm is None else (float(mat_mm[0]), float(mat_mm[1])),
        picture_size=size,
        homography=tuple(float(v) for v in homography.ravel()),
        k1=float(x[8]),
        markers=tuple(FoundMarker(i, tuple((float(a), float(b)) for a, b in corners_px[i])) for i in range(4)),
        residual_px=float(np.sqrt((distance**2).mean())),
        marker_mm=marker_mm,
        warnings=warnings,
    )


def _levenberg_marquardt(errors: Callable[[Floats], Floats], start: Floats) -> Floats:
    """Least squares from ``start`` (n,); ``errors`` takes several sets of unknowns (b, n) and gives (b, m)."""
    x, damping, step = start, 1e-3, 1e-6
    now = errors(x[None])[0]
    cost = float(now @ now)
    for _ in range(30):
        jacobian = (errors(x + step * np.eye(len(x))) - now).T / step
        normal, slope = jacobian.T @ jacobian, jacobian.T @ now
        while damping < 1e8:
            trial = x - np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), slope)
            after = errors(trial[None])[0]
            gain = cost - float(after @ after)
            if gain > 0:
                break
            damping *= 10
        else:
            break
        x, now, cost, damping = trial, after, cost - gain, max(damping / 10, 1e-9)
        if gain < 1e-6 * cost + 1e-6:
            break
    return x


# --- keeping the mat while markers are hidden -------------------------------------------------------------------


def _comparable(previous: Mat, size: tuple[int, int], mat_mm: tuple[float, float] | None, marker_mm: float) -> bool:
    same_size = mat_mm is None or previous.size_mm == (float(mat_mm[0]), float(mat_mm[1]))
    return previous.picture_size == size and previous.marker_mm == marker_mm and same_size


def _shift_mm(previous: Mat, marker: FoundMarker) -> float:
    """How far a marker is from where it was, by most of its corners."""
    distances = np.linalg.norm(marker.array - previous.markers[marker.id].array, axis=1)
    # the middle one: a finger at one corner may disturb that, but a moved marker moves them all
    return float(np.median(distances)) / previous.min_px_per_mm


def _keep(previous: Mat, found: Iterable[FoundMarker]) -> Mat | None:
    """The previous mat where nothing says otherwise; None where all four markers can be measured anew.

    Raises:
        MatError: markers were moved, and hidden ones keep the mat from being measured anew.
    """
    shifts: dict[int, float] = {}
    for marker in found:
        shifts[marker.id] = min(_shift_mm(previous, marker), shifts.get(marker.id, math.inf))
    moved = [n for n, shift in shifts.items() if shift > MOVED_MM]
    hidden = [n for n in range(4) if n not in shifts]
    if len(moved) == 1 and not hidden:
        # three stand still, so the camera does too: somebody pushed this one, and the mat lies where it lay
        return previous
    if not hidden:
        return previous if all(shift <= KEPT_MM for shift in shifts.values()) else None
    if not moved:
        return previous
    en, ja = _names(hidden)
    if len(moved) < len(shifts):
        moved_en, moved_ja = _names(sorted(moved))
        raise MatError(
            f"{_capital(moved_en)} moved on the table while {en} can't be seen: uncover all four markers.",
            f"{ja}が見えない間に{moved_ja}が動きました。4つのマーカーがすべて見えるようにしてください。",
        )
    raise MatError(
        f"The camera moved, and {en} can't be seen: uncover it so that the mat can be measured again.",
        f"カメラが動きましたが、{ja}が見えません。マットを測り直せるよう、覆いを取ってください。",
    )


def _disturbed(now: Mat, previous: Mat) -> bool:
    """Whether nothing really moved and something (a finger on a marker's border) only spoilt the new measurement."""
    moved = any(_shift_mm(previous, marker) > MOVED_MM for marker in now.markers)
    return not moved and now.residual_px > 2 * previous.residual_px + 0.1


# --- words ------------------------------------------------------------------------------------------------------


def _names(ids: Sequence[int]) -> tuple[str, str]:
    """``marker 2 (bottom right)`` or ``markers 0 (top left) and 2 (bottom right)``, and the same in Japanese."""
    parts = [f"{n} ({_WORDS[n][0]})" for n in ids]
    words = parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
    return (
        ("marker " if len(ids) == 1 else "markers ") + words,
        "マーカー" + "・".join(f"{n}（{_WORDS[n][1]}）" for n in ids),
    )


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _missing_error(missing: Sequence[int]) -> MatError:
    if len(missing) == 4:
        return MatError(
            "No markers found: lay the four markers at the mat's corners and point the camera so that all are in "
            "the picture, in enough light.",
            "マーカーが見つかりません。マットの四隅に4つのマーカーを置き、明るい所ですべてが写るようにしてください。",
        )
    en, ja = _names(missing)
    it = "it" if len(missing) == 1 else "them"
    return MatError(
        f"{_capital(en)} can't be seen: uncover {it} or move the camera so that all four markers are in the picture.",
        f"{ja}が見えません。覆いを取るか、4つのマーカーがすべて写るようにカメラを動かしてください。",
    )


def _size_words(measured: tuple[float, float], given: tuple[float, float], marker_mm: float) -> tuple[str, str]:
    seen = f"{measured[0]:.0f} × {measured[1]:.0f} mm"
    said = f"{given[0]:.0f} × {given[1]:.0f} mm"
    return (
        f"The markers measure the mat as about {seen}, not {said}: set the mat's right size, and print the markers so "
        f"that their black squares are {marker_mm:.0f} mm.",
        f"マーカーで測るとマットは約{seen}で、設定の{said}と合いません。マットの大きさを正しく設定し、"
        f"マーカーの黒い四角が{marker_mm:.0f} mmになるように印刷してください。",
    )


# --- sampling ---------------------------------------------------------------------------------------------------

_CELL = 16
_BAND = 8
_BLUR_PX = 2
"""How far a reduced picture's blur reaches."""


def _nodes(w: int, h: int) -> tuple[Floats, Floats]:
    """The pixels x and y, every 16, at which a map of w × h is computed exactly."""
    nx, ny = -(-w // _CELL), -(-h // _CELL)
    # cv2.resize takes node i for the centre of cell i; one node more all round, as it does not extrapolate
    xs = (np.arange(-1, nx + 1) + 0.5) * _CELL - 0.5
    ys = (np.arange(-1, ny + 1) + 0.5) * _CELL - 0.5
    x, y = np.meshgrid(xs, ys)
    return x, y


def _fine_maps(
    nodes: Coordinates, w: int, h: int, parts: int, low: tuple[int, int] = (0, 0)
) -> tuple[Coordinates, Coordinates]:
    """The source's x and y for each pixel (h, w) from those at the nodes: linear between (off by some 1/1000 px).

    ``low`` is where the source begins in the picture, ``parts`` how many pixels each way it has made one.
    """
    size = (nodes.shape[1] * _CELL, nodes.shape[0] * _CELL)
    fine = np.asarray(cv2.resize(nodes, size, interpolation=cv2.INTER_LINEAR))
    within = fine[_CELL : _CELL + h, _CELL : _CELL + w]
    # each as a plane: numpy is slow on pairs
    x, y = (np.array(within[..., axis], np.float32, order="C") for axis in (0, 1))
    return _in_parts(x, low[0], parts), _in_parts(y, low[1], parts)


def _patch(picture: Picture, nodes: Coordinates, w: int, h: int, shrink: float) -> Picture:
    """A patch of w × h px whose nodes lie at those pixels of the picture, ``shrink`` times as fine as the picture."""
    # cut first: everything after is quicker on a small source
    low, cut = _cut(picture, nodes.reshape(-1, 2), math.ceil(2 / shrink) + 3)
    if cut.size == 0:
        return np.zeros((h, w, *picture.shape[2:]), np.uint8)
    source, parts = _smoothed(cut, shrink)
    interpolation = cv2.INTER_CUBIC if parts == 1 else cv2.INTER_LINEAR
    return _sample(source, *_fine_maps(nodes, w, h, parts, low), interpolation)


def _cut(picture: Picture, points: Coordinates, margin: int) -> tuple[tuple[int, int], Picture]:
    """The part of a picture around points (n, 2), and where in the picture it begins."""
    x0, y0 = (max(0, math.floor(v) - margin) for v in points.min(axis=0).tolist())
    x1, y1 = (max(0, math.ceil(v) + margin + 1) for v in points.max(axis=0).tolist())
    return (x0, y0), picture[y0:y1, x0:x1]


def _reduced(picture: Picture, parts: int) -> Picture:
    """The picture with each ``parts`` × ``parts`` pixels averaged to one; pixels left over at the ends are dropped."""
    if parts == 1:
        return picture
    if parts == 4:  # OpenCV averages two by two many times more quickly
        return _reduced(_reduced(picture, 2), 2)
    h, w = (side // parts for side in picture.shape[:2])
    return _pixels(cv2.resize(picture[: h * parts, : w * parts], (w, h), interpolation=cv2.INTER_AREA))


def _in_parts(coordinates: Coordinates, low: int, parts: int) -> Coordinates:
    """Where pixel coordinates lie in a reduced picture that begins at ``low``; in place."""
    coordinates -= np.float32(low)
    if parts > 1:
        coordinates += np.float32(0.5)
        coordinates /= np.float32(parts)
        coordinates -= np.float32(0.5)
    return coordinates


def _smoothed(picture: Picture, shrink: float) -> tuple[Picture, int]:
    """The picture ready to be sampled ``shrink`` times as finely without aliasing, and by how much it was reduced.

    Whole parts are averaged away, which is quick; what then is left to shrink (less than half) is blurred away.
    """
    parts = _parts(picture.shape[:2], shrink)
    return _shrunk(picture, shrink, parts), parts


def _parts(size: tuple[int, ...], shrink: float) -> int:
    """How many pixels each way of a picture (h, w) are averaged to one."""
    parts = max(1, math.floor(1 / shrink + 0.05))
    return parts if min(size) >= parts else 1


def _shrunk(picture: Picture, shrink: float, parts: int) -> Picture:
    rest = shrink * parts
    source = _reduced(picture, parts)
    if rest < 0.85:
        blur = 2 * _BLUR_PX + 1
        source = _pixels(cv2.GaussianBlur(source, (blur, blur), 0.5 * math.sqrt(1 / rest**2 - 1)))
    return source


@lru_cache(maxsize=2)
def _whole_maps(
    mat: Mat, px_per_mm: float, margin_mm: float, parts: int
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    w, h = (max(1, round((side + 2 * margin_mm) * px_per_mm)) for side in mat.size_mm)

    def place(x: Floats, y: Floats) -> Floats:
        return mat.to_px(np.stack([(x + 0.5) / px_per_mm - margin_mm, (y + 0.5) / px_per_mm - margin_mm], axis=-1))

    nodes = place(*_nodes(w, h)).astype(np.float32)
    # whole numbers and 1/32 px: half the memory, and quicker to use again and again
    whole, part = np.empty((h, w, 2), np.int16), np.empty((h, w), np.uint16)
    for top in range(0, h, _BAND * _CELL):  # band by band, as the maps of the whole leave no room in the cache
        first, rows = top // _CELL, min(_BAND * _CELL, h - top)
        x, y = _fine_maps(nodes[first : first + _BAND + 2], w, rows, parts)
        cv2.convertMaps(x, y, cv2.CV_16SC2, whole[top : top + rows], part[top : top + rows])
    return whole, part


@lru_cache(maxsize=8)
def _scales(mat: Mat) -> Floats:
    w, h = mat.size_mm
    return mat.scale_at(np.stack(np.meshgrid(np.linspace(0, w, 9), np.linspace(0, h, 9)), axis=-1))


def _sample(source: Picture, map_x: NDArray[Any], map_y: NDArray[Any], interpolation: int) -> Picture:
    return _pixels(cv2.remap(source, map_x, map_y, interpolation, borderMode=cv2.BORDER_CONSTANT))


def _pixels(image: object) -> Picture:
    return np.asarray(image, dtype=np.uint8)
