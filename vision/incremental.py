"""Incremental reading: only what changed since the last still picture is detected and compared anew.

Kept are a straightened, light-corrected picture of the mat at a quarter of the detector's pixels, the corners found,
and how like each is to the deck's. In the next picture the detector sees only the changed places with some of their
surroundings, and only corners that are new, or whose crop changed, are cut out and compared. Names are assigned for the
table as a whole each time. Where the camera or the light changed, or more than half of the mat, everything is read
anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_MM
from referee.table import Detections
from vision.arrays import Floats, Picture
from vision.assign.centre_crop import CENTRE_CROP_ORIGIN_MM
from vision.cached_evidence import CachedEvidence
from vision.config import CONFIG
from vision.detect.corners import Corner
from vision.detect.pairing import pair_corners
from vision.detect.suppression import suppress_non_maxima, unsuppressed
from vision.faces.reading import Memory
from vision.faces.table import FlatMat
from vision.geometry import CROP_BOX_MM, CROP_PX_PER_MM, DETECTOR_PX_PER_MM
from vision.identify.deck import Deck
from vision.identify.faces import Faces
from vision.identify.similarity import Similarity
from vision.mat import Mat
from vision.mat.light import Light
from vision.reader import Reader

_BACK = CONFIG.assign.back
_INCREMENTAL = CONFIG.reading.incremental

CHANGE_PX_PER_MM = DETECTOR_PX_PER_MM / 2
"""How finely changes are searched: a point is the mean of 1.6 mm of the mat each way."""

_ALIGN_PX = 16
"""The detector's coarsest cell: places looked at alone fall on the same cells as in the whole picture."""
_FINER = round(DETECTOR_PX_PER_MM / CHANGE_PX_PER_MM)


def _points(x0: float, y0: float, x1: float, y1: float, step: float) -> NDArray[np.float64]:
    """Points (k, 2) all over a rectangle, in mm of a corner's frame."""
    return np.stack(np.meshgrid(np.arange(x0, x1, step), np.arange(y0, y1, step)), -1).reshape(-1, 2)


def _crop_points() -> NDArray[np.float64]:
    """Those of a corner's wide crop."""
    left, top, right, _ = CROP_BOX_MM
    return _points(left - 2, top - 2, right + 3, 24.0, _INCREMENTAL.crop_step_mm)


def _far_points() -> NDArray[np.float64]:
    """Those of the crop of a corner that lies near where it was found."""
    left, top, right, _ = CROP_BOX_MM
    far = CONFIG.identify.open_set.evidence.displaced_px / CROP_PX_PER_MM
    return _points(left - far - 2, top - far - 2, right + far + 3, 24.0 + far, _INCREMENTAL.crop_step_mm)


def _centre_crop_points() -> NDArray[np.float64]:
    """Those of a card's centre crop, the same from either corner."""
    (left, top), (width, height) = CENTRE_CROP_ORIGIN_MM, CARD_MM
    return _points(left, top, width - left, height - top, _INCREMENTAL.crop_step_mm)


def _face_points() -> NDArray[np.float64]:
    """Those of the place that is searched for a back's face."""
    reach, (width, height) = _BACK.reach_mm, CARD_MM
    return _points(-reach, -reach, width + reach, height + reach, _INCREMENTAL.face_step_mm)


_CROP_POINTS_MM, _FAR_POINTS_MM = _crop_points(), _far_points()
_CENTRE_CROP_POINTS_MM, _FACE_POINTS_MM = _centre_crop_points(), _face_points()


@dataclass(frozen=True, slots=True)
class _Tile:
    """A place in the detector's picture, in px; the right and lower edges do not belong to it."""

    x0: int
    y0: int
    x1: int
    y1: int

    def grown(self, px: int, w: int, h: int) -> _Tile:
        """With so many px more all round, within a picture of w × h."""
        return _Tile(max(0, self.x0 - px), max(0, self.y0 - px), min(w, self.x1 + px), min(h, self.y1 + px))

    def holds(self, corner: Corner) -> bool:
        """Whether a corner's anchor lies in it."""
        x, y = corner.x * DETECTOR_PX_PER_MM, corner.y * DETECTOR_PX_PER_MM
        return self.x0 <= x < self.x1 and self.y0 <= y < self.y1

    @property
    def area(self) -> int:
        return (self.x1 - self.x0) * (self.y1 - self.y0)

    def of(self, small: Picture) -> Picture:
        """That part of the picture in which changes are searched."""
        n = _FINER
        return small[self.y0 // n : -(-self.y1 // n), self.x0 // n : -(-self.x1 // n)]


@dataclass
class _Memory:
    """What the last reading left: each part of ``small`` is as it was when it was last looked at."""

    mat: Mat
    light: Light
    small: Picture
    corners: list[Corner]
    similarities: dict[Corner, tuple[Floats, Floats]] = field(default_factory=dict)
    cached: CachedEvidence = field(default_factory=CachedEvidence)


@dataclass(frozen=True, slots=True)
class _FaceMemory:
    """What the last reading of whole faces left; ``small`` is the mat at the search's scale."""

    small: Picture
    flat: FlatMat
    seen: Memory


@dataclass
class IncrementalReader:
    """Reads one table with one deck, picture after picture; each reading is as if the whole were read.

    ``detected_share`` says how large a share of the mat the detector was shown for the last reading, from 0 to 1.
    """

    reader: Reader
    deck: Deck
    detected_share: float = field(default=0.0, init=False)
    _memory: _Memory | None = field(default=None, init=False, repr=False)
    _faces: _FaceMemory | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.deck = self.reader.up_to_date(self.deck)

    def read(self, picture: Picture, mat: Mat) -> Detections:
        """Read a picture (h, w, 3) BGR uint8 in which the mat is known.

        Raises:
            LightError: the light can't be measured.
        """
        if self.deck.faces is not None:
            return self._read_faces(self.deck.faces, picture, mat)
        light = Light.measure(picture, mat)
        small = light.correct_mat(mat.rectify(picture, CHANGE_PX_PER_MM), CHANGE_PX_PER_MM)
        memory = self._brought_up_to_date(picture, mat, light, small)
        if memory is None:
            self.detected_share = 1.0
            memory = _Memory(mat, light, small, self.reader.detect(picture, mat, light))
        self._memory = memory
        before, memory.similarities = memory.similarities, {}
        clear = unsuppressed(memory.corners)
        for pair in pair_corners(clear):  # one corner of a whole card may tell where the other lies
            both = [clear[k] for k in pair]
            if any(corner not in before for corner in both):
                for corner in both:
                    before.pop(corner, None)

        def similarity_of(corners: Sequence[Corner]) -> Similarity:
            new = [corner for corner in corners if corner not in before and corner not in memory.similarities]
            odds, ink_colours = self.reader.similarity(picture, mat, light, self.deck, new, clear, memory.cached.wide)
            memory.similarities.update(zip(new, zip(odds, ink_colours, strict=True), strict=True))
            memory.similarities.update((corner, before[corner]) for corner in corners if corner in before)
            both = [memory.similarities[corner] for corner in corners]
            return Similarity(
                np.array([row for row, _ in both], np.float32).reshape(-1, odds.shape[1]),
                np.array([ink for _, ink in both], np.float32).reshape(-1, 3),
            )

        return self.reader.assign(picture, mat, light, self.deck, memory.corners, similarity_of, memory.cached)

    def _read_faces(self, faces: Faces, picture: Picture, mat: Mat) -> Detections:
        """The same with a deck that is read by its whole faces."""
        light = Light.measure(picture, mat)
        px = CONFIG.faces.search.px_per_mm
        small = light.correct_mat(mat.rectify(picture, px), px)
        before, changed = self._faces, None
        if before is not None and before.flat.mat == mat and not _other_light(light, before.flat.light):
            changed = changed_points(before.small, small)
        if before is None or changed is None:
            self.detected_share = 1.0
            flat = FlatMat.of(picture, mat, light)
            seen = self.reader.face_reader(faces).read(flat)
        elif not changed.any():
            self.detected_share = 0.0
            return Detections(before.seen.sightings, before.seen.unread)
        else:  # what has not changed is as it was when it was last searched
            before.small[changed > 0] = small[changed > 0]
            small = before.small
            near = np.ones(2 * (CONFIG.faces.search.near_px,), np.uint8)
            changed = np.asarray(cv2.dilate(changed, near), np.uint8)
            self.detected_share = float((changed > 0).mean())
            flat = before.flat.brought_up_to(picture, changed)
            seen = self.reader.face_reader(faces).read(flat, before.seen, changed)
        self._faces = _FaceMemory(small, flat, seen)
        return Detections(seen.sightings, seen.unread)

    def forget(self) -> None:
        """Read everything anew the next time."""
        self._memory = self._faces = None

    def _brought_up_to_date(self, picture: Picture, mat: Mat, light: Light, small: Picture) -> _Memory | None:
        """The memory with what changed detected anew; None where everything must be."""
        memory = self._memory
        if memory is None or memory.mat != mat or _other_light(light, memory.light):
            return None
        changed = changed_points(memory.small, small)
        if changed is None:
            return None
        w, h = (round(side * DETECTOR_PX_PER_MM) for side in mat.size_mm)
        cores = _tiles(changed, w, h)
        shown = [core.grown(_INCREMENTAL.around_px, w, h) for core in cores]
        self.detected_share = sum(tile.area for tile in shown) / (w * h)
        if self.detected_share > _INCREMENTAL.max_share:
            return None
        corners = [corner for corner in memory.corners if not any(core.holds(corner) for core in cores)]
        for core, tile in zip(cores, shown, strict=True):
            there = self.reader.detect(picture, mat, light, (tile.x0, tile.y0, tile.x1, tile.y1))
            near = core.grown(_INCREMENTAL.drift_px, w, h)
            corners += [corner for corner in there if near.holds(corner)]
            core.of(memory.small)[:] = core.of(small)
        memory.corners = suppress_non_maxima(corners)
        touched = _touched([*memory.similarities], changed, _CROP_POINTS_MM)
        memory.similarities = {
            corner: each for (corner, each), gone in zip(memory.similarities.items(), touched, strict=True) if not gone
        }
        centre_crops, faces = memory.cached.centre_crops, memory.cached.faces
        touched = _touched([card[0] for card in centre_crops], changed, _CENTRE_CROP_POINTS_MM)
        same = [card for card, gone in zip(centre_crops, touched, strict=True) if not gone]
        centre_crops = {
            card: centre_crops[card] for card in same if all(corner in memory.similarities for corner in card)
        }
        touched = _touched([card[0] for card in faces], changed, _FACE_POINTS_MM)
        faces = {c: faces[c] for c, gone in zip(faces, touched, strict=True) if not gone}
        unexplained = memory.cached.unexplained
        foreign = [corner for (corners, _), left in unexplained.items() if left >= 1 for corner in corners]
        touched = _touched(foreign, changed, _FAR_POINTS_MM)
        gone_near = {corner for corner, gone in zip(foreign, touched, strict=True) if gone}
        unexplained = {
            card: left
            for card, left in unexplained.items()
            if all(corner in memory.similarities and corner not in gone_near for corner in card[0])
        }
        memory.cached = CachedEvidence(centre_crops, faces, unexplained)
        return memory


def changed_points(before: Picture, now: Picture) -> Picture | None:
    """Where two pictures (h, w, 3) of a mat differ, as (h, w), 255 there; None where they differ all over."""
    apart = np.asarray(cv2.absdiff(before, now))
    if float(np.median(apart[::4, ::4])) > _INCREMENTAL.max_noise:
        return None
    most = np.asarray(cv2.max(cv2.max(apart[..., 0], apart[..., 1]), apart[..., 2]))
    usual = float(np.median(most[::4, ::4]))
    return np.asarray(
        cv2.threshold(most, max(_INCREMENTAL.min_change, _INCREMENTAL.noise_factor * usual), 255, cv2.THRESH_BINARY)[1],
        np.uint8,
    )


def _tiles(changed: Picture, w: int, h: int) -> list[_Tile]:
    """The changed places with all that the detector may see otherwise for it; those that then meet are one.

    ``w`` and ``h`` are the size of the detector's picture.
    """
    cell = _ALIGN_PX // _FINER
    rows, columns = changed.shape[:2]
    whole = np.asarray(cv2.copyMakeBorder(changed, 0, -rows % cell, 0, -columns % cell, cv2.BORDER_CONSTANT))
    # a single point of 255 is just enough for its cell's mean not to be 0
    cells = np.asarray(
        cv2.resize(whole, (whole.shape[1] // cell, whole.shape[0] // cell), interpolation=cv2.INTER_AREA)
    )
    reach = 2 * (_INCREMENTAL.reach_px // _ALIGN_PX) + 1
    near = cv2.dilate((cells > 0).astype(np.uint8), np.ones((reach, reach), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(near)
    px = np.asarray(stats)[1:, :4] * _ALIGN_PX
    return [_Tile(x, y, min(w, x + bw), min(h, y + bh)) for x, y, bw, bh in px.tolist()]


def _touched(corners: Sequence[Corner], changed: Picture, points_mm: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether anything changed at these points (k, 2) in the frames of n corners; (n,)."""
    turns = np.radians([corner.angle for corner in corners])
    c, s = np.cos(turns)[:, None], np.sin(turns)[:, None]
    origins = np.array([corner.at(0.0, 0.0) for corner in corners]).reshape(-1, 2)
    across, down = points_mm[:, 0], points_mm[:, 1]
    h, w = changed.shape[:2]
    columns = ((origins[:, :1] + across * c - down * s) * CHANGE_PX_PER_MM).astype(int).clip(0, w - 1)
    rows = ((origins[:, 1:] + across * s + down * c) * CHANGE_PX_PER_MM).astype(int).clip(0, h - 1)
    return np.asarray(changed[rows, columns].any(axis=1))


def _other_light(now: Light, before: Light) -> bool:
    w, h = before.mat_size_mm
    places = np.array([[0, 0], [w, 0], [w / 2, h / 2], [w, h], [0, h]])
    change = np.log(now.white_at(places) / before.white_at(places))
    return bool(np.abs(change).max() > _INCREMENTAL.light_change)
