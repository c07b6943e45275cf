"""Reading a table again and again: only what changed since the last still picture is looked at anew.

What is kept is a straightened, light-corrected picture of the mat, a quarter of what the finder sees, the ends found,
and how like each end is to the deck's. In the next picture the finder sees only the changed places with some of their
surroundings, and only ends that are new, or whose strip changed, are cut out and weighed. The table is decoded as a
whole each time. Where the camera or the light changed, or more than half of the mat, everything is read anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layouts import CARD_MM
from vision.arrays import Floats, Picture
from vision.assign.backs import REACH_MM
from vision.assign.centre_crop import CORNER_MM
from vision.detect.corners import End
from vision.detect.pairing import pair_ends
from vision.detect.suppression import with_echoes_marked, without_echoes
from vision.geometry import FINDER_PX_PER_MM, STRIP_BOX_MM
from vision.identify.deck import Deck
from vision.identify.similarity import Compared
from vision.mat import Mat
from vision.mat.light import Light
from vision.reader import Reader, Reading, Told

CHANGE_PX_PER_MM = FINDER_PX_PER_MM / 2
"""How finely changes are looked for: a point is the mean of 1.6 mm of the mat each way."""
LEAST_CHANGE = 12.0
"""Grey levels (of 255, white at 235) by which a point must change to count, however little noise there is: the faintest
index marks differ from their ground by some 30, and fill a third of a point and more."""
NOISES = 4.0
"""It counts from so many times the usual difference on, since most of a mat stays as it was."""
MOST_NOISE = 8.0
"""With a usual difference above this the light or the camera changed, not the cards."""
LIGHT_CHANGE = 0.1
"""White paper that has become so much brighter or darker (logarithm), or another colour, means another light."""
MOST_CHANGED = 0.5
"""Looking at more than this share of the mat again costs as much as reading all of it."""

_REACH_PX = 32
"""How far from a change the finder may see ends otherwise: what it goes by lies within a strip's height."""
_AROUND_PX = 64
"""How much round that the finder is shown, so that it sees what it would see in the whole picture."""
_DRIFT_PX = 4
"""How far an end's anchor drifts from one look to the next: one that was just inside may now be just outside."""
_ALIGN_PX = 16
"""The finder's coarsest cell: places looked at alone fall on the same cells as in the whole picture."""
_FINER = round(FINDER_PX_PER_MM / CHANGE_PX_PER_MM)


def _points(x0: float, y0: float, x1: float, y1: float, step: float) -> NDArray[np.float64]:
    """Points (k, 2) all over a rectangle, in mm of an end's frame."""
    return np.stack(np.meshgrid(np.arange(x0, x1, step), np.arange(y0, y1, step)), -1).reshape(-1, 2)


_STRIP_POINTS_MM = _points(STRIP_BOX_MM[0] - 2, STRIP_BOX_MM[1] - 2, STRIP_BOX_MM[2] + 3, 24.0, 3.0)
"""Those of an end's wide strip."""
_MIDDLE_POINTS_MM = _points(*CORNER_MM, CARD_MM[0] - CORNER_MM[0], CARD_MM[1] - CORNER_MM[1], 3.0)
"""Those of a card's middle, the same from either end."""
_FACE_POINTS_MM = _points(-REACH_MM, -REACH_MM, CARD_MM[0] + REACH_MM, CARD_MM[1] + REACH_MM, 5.0)
"""Those of the place where a back is looked for by its face."""


@dataclass(frozen=True, slots=True)
class _Box:
    """A place in the finder's picture, in px; the right and lower edges do not belong to it."""

    x0: int
    y0: int
    x1: int
    y1: int

    def grown(self, px: int, w: int, h: int) -> _Box:
        """With so many px more all round, within a picture of w × h."""
        return _Box(max(0, self.x0 - px), max(0, self.y0 - px), min(w, self.x1 + px), min(h, self.y1 + px))

    def holds(self, end: End) -> bool:
        """Whether an end's anchor lies in it."""
        x, y = end.x * FINDER_PX_PER_MM, end.y * FINDER_PX_PER_MM
        return self.x0 <= x < self.x1 and self.y0 <= y < self.y1

    @property
    def area(self) -> int:
        return (self.x1 - self.x0) * (self.y1 - self.y0)

    def of(self, small: Picture) -> Picture:
        """That part of a picture in which changes are looked for."""
        n = _FINER
        return small[self.y0 // n : -(-self.y1 // n), self.x0 // n : -(-self.x1 // n)]


@dataclass
class _Memory:
    """What the last reading left: each part of ``small`` is as it was when it was last looked at."""

    mat: Mat
    light: Light
    small: Picture
    ends: list[End]
    weighed: dict[End, tuple[Floats, Floats]] = field(default_factory=dict)
    told: Told = field(default_factory=Told)


@dataclass
class Rereader:
    """Reads one table with one deck, picture after picture; each reading is as if the whole were read.

    ``looked`` says how large a share of the mat the finder was shown for the last reading, from 0 to 1.
    """

    reader: Reader
    deck: Deck
    looked: float = field(default=0.0, init=False)
    _memory: _Memory | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.deck = self.reader.up_to_date(self.deck)

    def read(self, picture: Picture, mat: Mat) -> Reading:
        """Read a picture (h, w, 3) BGR uint8 in which the mat is known.

        Raises:
            LightError: the light can't be measured.
        """
        light = Light.measure(picture, mat)
        small = light.correct_mat(mat.rectify(picture, CHANGE_PX_PER_MM), CHANGE_PX_PER_MM)
        memory = self._taken_up(picture, mat, light, small)
        if memory is None:
            self.looked = 1.0
            memory = _Memory(mat, light, small, self.reader.find(picture, mat, light))
        self._memory = memory
        before, memory.weighed = memory.weighed, {}
        clear = without_echoes(memory.ends)
        for pair in pair_ends(clear):  # one end of a whole card may tell where the other lies
            both = [clear[k] for k in pair]
            if any(end not in before for end in both):
                for end in both:
                    before.pop(end, None)

        def weigh(ends: Sequence[End]) -> Compared:
            new = [end for end in ends if end not in before and end not in memory.weighed]
            odds, inks = self.reader.weigh(picture, mat, light, self.deck, new, clear)
            memory.weighed.update(zip(new, zip(odds, inks, strict=True), strict=True))
            memory.weighed.update((end, before[end]) for end in ends if end in before)
            both = [memory.weighed[end] for end in ends]
            return Compared(
                np.array([row for row, _ in both], np.float32).reshape(-1, odds.shape[1]),
                np.array([ink for _, ink in both], np.float32).reshape(-1, 3),
            )

        return self.reader.name(picture, mat, light, self.deck, memory.ends, weigh, memory.told)

    def forget(self) -> None:
        """Read everything anew the next time."""
        self._memory = None

    def _taken_up(self, picture: Picture, mat: Mat, light: Light, small: Picture) -> _Memory | None:
        """The memory with what changed looked at anew; None where all of it must be."""
        memory = self._memory
        if memory is None or memory.mat != mat or _other_light(light, memory.light):
            return None
        changed = changed_points(memory.small, small)
        if changed is None:
            return None
        w, h = (round(side * FINDER_PX_PER_MM) for side in mat.size_mm)
        cores = _boxes(changed, w, h)
        shown = [core.grown(_AROUND_PX, w, h) for core in cores]
        self.looked = sum(box.area for box in shown) / (w * h)
        if self.looked > MOST_CHANGED:
            return None
        ends = [end for end in memory.ends if not any(core.holds(end) for core in cores)]
        for core, box in zip(cores, shown, strict=True):
            there = self.reader.find(picture, mat, light, (box.x0, box.y0, box.x1, box.y1))
            near = core.grown(_DRIFT_PX, w, h)
            ends += [end for end in there if near.holds(end)]
            core.of(memory.small)[:] = core.of(small)
        memory.ends = with_echoes_marked(ends)
        touched = _touched([*memory.weighed], changed, _STRIP_POINTS_MM)
        memory.weighed = {
            end: each for (end, each), gone in zip(memory.weighed.items(), touched, strict=True) if not gone
        }
        middles, faces = memory.told.middles, memory.told.faces
        touched = _touched([card[0] for card in middles], changed, _MIDDLE_POINTS_MM)
        same = [card for card, gone in zip(middles, touched, strict=True) if not gone]
        middles = {card: middles[card] for card in same if all(end in memory.weighed for end in card)}
        touched = _touched([card[0] for card in faces], changed, _FACE_POINTS_MM)
        memory.told = Told(middles, {c: faces[c] for c, gone in zip(faces, touched, strict=True) if not gone})
        return memory


def changed_points(before: Picture, now: Picture) -> Picture | None:
    """Where two pictures (h, w, 3) of a mat differ, as (h, w), 255 there; None where they differ all over."""
    apart = np.asarray(cv2.absdiff(before, now))
    if float(np.median(apart[::4, ::4])) > MOST_NOISE:
        return None
    most = np.asarray(cv2.max(cv2.max(apart[..., 0], apart[..., 1]), apart[..., 2]))
    usual = float(np.median(most[::4, ::4]))
    return np.asarray(cv2.threshold(most, max(LEAST_CHANGE, NOISES * usual), 255, cv2.THRESH_BINARY)[1], np.uint8)


def _boxes(changed: Picture, w: int, h: int) -> list[_Box]:
    """The changed places with all that the finder may see otherwise for it; those that then meet are one.

    ``w`` and ``h`` are the size of the finder's picture.
    """
    cell = _ALIGN_PX // _FINER
    rows, columns = changed.shape[:2]
    whole = np.asarray(cv2.copyMakeBorder(changed, 0, -rows % cell, 0, -columns % cell, cv2.BORDER_CONSTANT))
    # a single point of 255 is just enough for its cell's mean not to be 0
    cells = np.asarray(
        cv2.resize(whole, (whole.shape[1] // cell, whole.shape[0] // cell), interpolation=cv2.INTER_AREA)
    )
    reach = 2 * (_REACH_PX // _ALIGN_PX) + 1
    near = cv2.dilate((cells > 0).astype(np.uint8), np.ones((reach, reach), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(near)
    px = np.asarray(stats)[1:, :4] * _ALIGN_PX
    return [_Box(x, y, min(w, x + bw), min(h, y + bh)) for x, y, bw, bh in px.tolist()]


def _touched(ends: Sequence[End], changed: Picture, points_mm: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether anything changed at these points (k, 2) in the frames of n ends; (n,)."""
    turns = np.radians([end.angle for end in ends])
    c, s = np.cos(turns)[:, None], np.sin(turns)[:, None]
    corners = np.array([end.at(0.0, 0.0) for end in ends]).reshape(-1, 2)
    across, down = points_mm[:, 0], points_mm[:, 1]
    h, w = changed.shape[:2]
    columns = ((corners[:, :1] + across * c - down * s) * CHANGE_PX_PER_MM).astype(int).clip(0, w - 1)
    rows = ((corners[:, 1:] + across * s + down * c) * CHANGE_PX_PER_MM).astype(int).clip(0, h - 1)
    return np.asarray(changed[rows, columns].any(axis=1))


def _other_light(now: Light, before: Light) -> bool:
    w, h = before.mat_size_mm
    places = np.array([[0, 0], [w, 0], [w / 2, h / 2], [w, h], [0, h]])
    change = np.log(now.white_at(places) / before.white_at(places))
    return bool(np.abs(change).max() > LIGHT_CHANGE)
