"""Incremental reading: only what changed since the last still picture is detected and compared anew.

Kept are a straightened, light-corrected picture of the mat at a quarter of the detector's pixels, the corners found,
and how like each is to the deck's. In the next picture the detector sees only the changed places with some of their
surroundings, and only corners that are new, or whose crop changed, are cut out and compared. Names are assigned for the
table as a whole each time. Where the camera or the light changed, or more than half of the mat, everything is read
anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_MM
from referee.table import Detections
from vision.arrays import Floats, Picture
from vision.assign.centre_crop import WIDE_CENTRE_CROP
from vision.config import CONFIG
from vision.detect.corners import Corner
from vision.detect.pairing import pair_corners
from vision.detect.suppression import list_unsuppressed, suppress_non_maxima
from vision.faces.reading import FaceReader, Memory
from vision.faces.table import FlatMat
from vision.geometry import CROP_BOX_MM, CROP_PX_PER_MM, DETECTOR_PX_PER_MM
from vision.identify.deck import Deck
from vision.identify.similarity import Similarity
from vision.mat import Mat
from vision.mat.light import Light
from vision.names import CachedEvidence
from vision.reader import Reader
from vision.scene import Scene

_BACK = CONFIG.assign.back
_INCREMENTAL = CONFIG.reading.incremental

CHANGE_PX_PER_MM = DETECTOR_PX_PER_MM / 2
"""How finely changes are searched: a point is the mean of 1.6 mm of the mat each way."""

_ALIGN_PX = 16
"""The detector's coarsest cell: places looked at alone fall on the same cells as in the whole picture."""
_FINER = round(DETECTOR_PX_PER_MM / CHANGE_PX_PER_MM)


def _spread_points(x0: float, y0: float, x1: float, y1: float, step: float) -> NDArray[np.float64]:
    """Spread points (k, 2) all over a rectangle, in mm of a corner's frame."""
    return np.stack(np.meshgrid(np.arange(x0, x1, step), np.arange(y0, y1, step)), -1).reshape(-1, 2)


def _crop_points(far: float = 0.0) -> NDArray[np.float64]:
    """Return the points of a corner's wide crop, or of one that lies so far (mm) from where it was found."""
    left, top, right, _ = CROP_BOX_MM
    return _spread_points(left - far - 2, top - far - 2, right + far + 3, 24.0 + far, _INCREMENTAL.crop_step_mm)


def _centre_crop_points() -> NDArray[np.float64]:
    """Return the points of a card's centre crop, the same from either corner."""
    (left, top), (width, height) = WIDE_CENTRE_CROP.origin_mm, CARD_MM
    return _spread_points(left, top, width - left, height - top, _INCREMENTAL.crop_step_mm)


def _face_points() -> NDArray[np.float64]:
    """Return the points of the place that is searched for a back's face."""
    reach, (width, height) = _BACK.reach_mm, CARD_MM
    return _spread_points(-reach, -reach, width + reach, height + reach, _INCREMENTAL.face_step_mm)


_CROP_POINTS_MM = _crop_points()
_FAR_POINTS_MM = _crop_points(CONFIG.identify.open_set.evidence.displaced_px / CROP_PX_PER_MM)
_CENTRE_CROP_POINTS_MM, _FACE_POINTS_MM = _centre_crop_points(), _face_points()


@dataclass(frozen=True, slots=True)
class _Tile:
    """A place in the detector's picture, in px; the right and lower edges do not belong to it."""

    x0: int
    y0: int
    x1: int
    y1: int

    def grow(self, px: int, w: int, h: int) -> _Tile:
        """Grow the tile by ``px`` all round, within a picture of w × h."""
        return _Tile(max(0, self.x0 - px), max(0, self.y0 - px), min(w, self.x1 + px), min(h, self.y1 + px))

    def is_over(self, corner: Corner) -> bool:
        """Tell whether a corner's anchor lies in it."""
        x, y = corner.x * DETECTOR_PX_PER_MM, corner.y * DETECTOR_PX_PER_MM
        return self.x0 <= x < self.x1 and self.y0 <= y < self.y1

    @property
    def area(self) -> int:
        return (self.x1 - self.x0) * (self.y1 - self.y0)

    def cut_from(self, small: Picture) -> Picture:
        """Cut out the part of the picture in which changes are searched."""
        n = _FINER
        return small[self.y0 // n : -(-self.y1 // n), self.x0 // n : -(-self.x1 // n)]


@dataclass
class _ByCorners:
    """The table as it was read last by its cards' corners: each part of ``small`` is as when it was looked at."""

    reader: Reader
    deck: Deck
    detected_share: float = field(default=0.0, init=False)
    _lit: tuple[Mat, Light] | None = field(default=None, init=False)
    _small: Picture = field(init=False)
    _corners: list[Corner] = field(init=False)
    _similarities: dict[Corner, tuple[Floats, Floats]] = field(init=False)
    _cached: CachedEvidence = field(init=False)

    def read(self, scene: Scene) -> Detections:
        """Read what lies there; detect and compare anew only what changed."""
        small = scene.straighten(CHANGE_PX_PER_MM)
        if not self._is_still_known(scene, small):
            self.detected_share, self._small, self._lit = 1.0, small, (scene.mat, scene.light)
            self._corners, self._similarities, self._cached = self.reader.detect(scene), {}, CachedEvidence()
        scene = replace(scene, found=list_unsuppressed(self._corners))
        comparer, namer = self.reader.get_stages(self.deck)
        before, now = self._of_whole_cards(scene.found), dict[Corner, tuple[Floats, Floats]]()
        self._similarities = now

        def similarity_of(corners: Sequence[Corner]) -> Similarity:
            new = [corner for corner in corners if corner not in before and corner not in now]
            odds, ink_colours = comparer.measure_similarity(scene, new, self._cached.wide)
            now.update(zip(new, zip(odds, ink_colours, strict=True), strict=True))
            now.update((corner, before[corner]) for corner in corners if corner in before)
            both = [now[corner] for corner in corners]
            return Similarity(
                np.array([row for row, _ in both], np.float32).reshape(-1, odds.shape[1]),
                np.array([ink for _, ink in both], np.float32).reshape(-1, 3),
            )

        return namer.name_cards(scene, self._corners, similarity_of, self._cached)

    def _of_whole_cards(self, clear: Sequence[Corner]) -> dict[Corner, tuple[Floats, Floats]]:
        """Return what is known of corners; of two of one card only both, as one may tell where the other lies."""
        known = self._similarities
        pairs = ([clear[k] for k in pair] for pair in pair_corners(clear))
        torn = {corner for both in pairs if any(corner not in known for corner in both) for corner in both}
        return {corner: each for corner, each in known.items() if corner not in torn}

    def _is_still_known(self, scene: Scene, small: Picture) -> bool:
        """Tell whether what was known still holds, once what changed is detected anew and what lay there forgotten."""
        if self._lit is None or self._lit[0] != scene.mat or _other_light(scene.light, self._lit[1]):
            return False
        changed = find_changes(self._small, small)
        if changed is None or not self._detect_again(scene, small, changed):
            return False
        gone = _find_touched(self._similarities, changed, _CROP_POINTS_MM)
        self._similarities = {corner: each for corner, each in self._similarities.items() if corner not in gone}
        self._forget_evidence(changed)
        return True

    def _detect_again(self, scene: Scene, small: Picture, changed: Picture) -> bool:
        """Detect anew where the mat changed; False where that is most of it."""
        w, h = (round(side * DETECTOR_PX_PER_MM) for side in scene.mat.size_mm)
        cores = _list_tiles(changed, w, h)
        shown = [core.grow(_INCREMENTAL.around_px, w, h) for core in cores]
        self.detected_share = sum(tile.area for tile in shown) / (w * h)
        if self.detected_share > _INCREMENTAL.max_share:
            return False
        corners = [corner for corner in self._corners if not any(core.is_over(corner) for core in cores)]
        for core, tile in zip(cores, shown, strict=True):
            near = core.grow(_INCREMENTAL.drift_px, w, h)
            there = self.reader.detect(scene, (tile.x0, tile.y0, tile.x1, tile.y1))
            corners += [corner for corner in there if near.is_over(corner)]
            core.cut_from(self._small)[:] = core.cut_from(small)
        self._corners = suppress_non_maxima(corners)
        return True

    def _forget_evidence(self, changed: Picture) -> None:
        """Keep what was measured of cards of which nothing changed, at their corners or where they were looked at."""

        def is_same(corners: Sequence[Corner]) -> bool:
            return all(corner in self._similarities for corner in corners)

        cached = self._cached
        centres = _find_touched((card[0] for card in cached.centre_crops), changed, _CENTRE_CROP_POINTS_MM)
        faces = _find_touched((card[0] for card in cached.faces), changed, _FACE_POINTS_MM)
        foreign = (corner for (card, _), left in cached.unexplained.items() if left >= 1 for corner in card)
        near = _find_touched(foreign, changed, _FAR_POINTS_MM)
        self._cached = CachedEvidence(
            {card: odds for card, odds in cached.centre_crops.items() if card[0] not in centres and is_same(card)},
            {card: places for card, places in cached.faces.items() if card[0] not in faces},
            {card: left for card, left in cached.unexplained.items() if near.isdisjoint(card[0]) and is_same(card[0])},
            {card: found for card, found in cached.identified.items() if is_same(card)},
        )


@dataclass
class _ByFaces:
    """The table as it was read last by its cards' whole faces; ``small`` is the mat at the search's scale."""

    reader: FaceReader
    detected_share: float = field(default=0.0, init=False)
    _last: tuple[Picture, FlatMat, Memory] | None = field(default=None, init=False)

    def read(self, scene: Scene) -> Detections:
        """Read what lies there; straighten and search anew only the tiles that changed."""
        small = scene.straighten(CONFIG.faces.search.px_per_mm)
        changed = self._find_changes(scene, small)
        if self._last is None or changed is None:
            self.detected_share = 1.0
            flat = FlatMat.from_picture(scene.picture, scene.mat, scene.light)
            seen = self.reader.read(flat)
        else:
            before, flat, seen = self._last
            # what has not changed is as it was when it was last searched
            before[changed > 0] = small[changed > 0]
            small, self.detected_share = before, 0.0
            if changed.any():
                near = np.ones(2 * (CONFIG.faces.search.near_px,), np.uint8)
                changed = np.asarray(cv2.dilate(changed, near), np.uint8)
                self.detected_share = float((changed > 0).mean())
                flat = flat.bring_up_to(scene.picture, changed)
                seen = self.reader.read(flat, seen, changed)
        self._last = small, flat, seen
        return Detections(seen.sightings, seen.unread)

    def _find_changes(self, scene: Scene, small: Picture) -> Picture | None:
        """Find where the mat changed since; None where all is to be read."""
        if self._last is None:
            return None
        before, flat, _ = self._last
        if flat.mat != scene.mat or _other_light(scene.light, flat.light):
            return None
        return find_changes(before, small)


class IncrementalReader:
    """Reads one table with one deck, picture after picture; each reading is as if the whole were read."""

    def __init__(self, reader: Reader, deck: Deck) -> None:
        self._reader, self.deck = reader, reader.up_to_date(deck)
        self.forget()

    @property
    def detected_share(self) -> float:
        """How large a share of the mat was searched for the last reading, from 0 to 1."""
        return self._table.detected_share

    def read(self, picture: Picture, mat: Mat) -> Detections:
        """Read a picture (h, w, 3) BGR uint8 in which the mat is known.

        Raises:
            LightError: the light can't be measured.
        """
        return self._table.read(Scene.from_picture(picture, mat))

    def forget(self) -> None:
        """Read everything anew the next time."""
        faces = self.deck.faces
        self._table = (
            _ByCorners(self._reader, self.deck) if faces is None else _ByFaces(self._reader.face_reader(faces))
        )


def find_changes(before: Picture, now: Picture) -> Picture | None:
    """Find where two pictures (h, w, 3) of a mat differ, as (h, w), 255 there; None where they differ all over."""
    apart = np.asarray(cv2.absdiff(before, now))
    if float(np.median(apart[::4, ::4])) > _INCREMENTAL.max_noise:
        return None
    most = np.asarray(cv2.max(cv2.max(apart[..., 0], apart[..., 1]), apart[..., 2]))
    usual = float(np.median(most[::4, ::4]))
    return np.asarray(
        cv2.threshold(most, max(_INCREMENTAL.min_change, _INCREMENTAL.noise_factor * usual), 255, cv2.THRESH_BINARY)[1],
        np.uint8,
    )


def _list_tiles(changed: Picture, w: int, h: int) -> list[_Tile]:
    """List the changed places with all that the detector may see otherwise for it, merging those that then meet.

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


def _find_touched(corners: Iterable[Corner], changed: Picture, points_mm: NDArray[np.float64]) -> set[Corner]:
    """Find those of the corners in whose frames anything changed at these points (k, 2)."""
    asked = list(corners)
    turns = np.radians([corner.angle for corner in asked])
    c, s = np.cos(turns)[:, None], np.sin(turns)[:, None]
    origins = np.array([corner.to_mat(0.0, 0.0) for corner in asked]).reshape(-1, 2)
    across, down = points_mm[:, 0], points_mm[:, 1]
    h, w = changed.shape[:2]
    columns = ((origins[:, :1] + across * c - down * s) * CHANGE_PX_PER_MM).astype(int).clip(0, w - 1)
    rows = ((origins[:, 1:] + across * s + down * c) * CHANGE_PX_PER_MM).astype(int).clip(0, h - 1)
    return {corner for corner, there in zip(asked, changed[rows, columns].any(axis=1), strict=True) if there}


def _other_light(now: Light, before: Light) -> bool:
    w, h = before.mat_size_mm
    places = np.array([[0, 0], [w, 0], [w / 2, h / 2], [w, h], [0, h]])
    change = np.log(now.white_at(places) / before.white_at(places))
    return bool(np.abs(change).max() > _INCREMENTAL.light_change)
