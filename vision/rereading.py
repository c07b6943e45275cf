"""Reading a table again and again: only what changed since the last still picture is looked at anew.

What is kept is the straightened, light-corrected small picture of the mat, the ends found in it, and how like each end
is to the deck's. In the next picture the finder sees only the changed places with some of their surroundings, and only
ends that are new, or whose strip changed, are cut out and weighed. The table is decoded as a whole each time. Where
the camera or the light changed, or more than half of the mat, everything is read anew.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.deck import Deck
from vision.light import Light
from vision.mat import Mat
from vision.networks import FINDER_PX_PER_MM, STRIP_BOX_MM, End, Floats, Picture, without_echoes
from vision.reader import Reader, Reading

LEAST_CHANGE = 12.0
"""Grey levels (of 255, white at 235) by which a point of the small picture must change to count, however little noise
there is: the faintest index marks differ from their ground by some 30."""
NOISES = 3.0
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
_STRIP_POINTS_MM = np.stack(
    np.meshgrid(np.arange(STRIP_BOX_MM[0] - 2, STRIP_BOX_MM[2] + 3, 3.0), np.arange(STRIP_BOX_MM[1] - 2, 24.0, 3.0)), -1
).reshape(-1, 2)
"""Points all over an end's wide strip, in the end's frame."""


@dataclass(frozen=True, slots=True)
class _Box:
    """A place in the small picture, in px; the right and lower edges do not belong to it."""

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

    def of(self, picture: Picture) -> Picture:
        """That part of a picture."""
        return picture[self.y0 : self.y1, self.x0 : self.x1]


@dataclass
class _Memory:
    """What the last reading left: each part of ``flat`` is as it was when it was last looked at."""

    mat: Mat
    light: Light
    flat: Picture
    ends: list[End]
    odds: dict[End, Floats] = field(default_factory=dict)


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
        flat = light.correct_mat(mat.rectify(picture, FINDER_PX_PER_MM), FINDER_PX_PER_MM)
        memory = self._taken_up(mat, light, flat) or self._begun(mat, light, flat)
        self._memory = memory
        before, memory.odds = memory.odds, {}

        def weigh(ends: Sequence[End]) -> Floats:
            new = [end for end in ends if end not in before and end not in memory.odds]
            weighed = self.reader.weigh(picture, mat, light, self.deck, new, memory.ends)
            memory.odds.update(zip(new, weighed, strict=True))
            memory.odds.update((end, before[end]) for end in ends if end in before)
            return np.array([memory.odds[end] for end in ends], np.float32).reshape(len(ends), weighed.shape[1])

        return self.reader.name(picture, mat, self.deck, memory.ends, weigh)

    def forget(self) -> None:
        """Read everything anew the next time."""
        self._memory = None

    def _begun(self, mat: Mat, light: Light, flat: Picture) -> _Memory:
        self.looked = 1.0
        return _Memory(mat, light, flat, self.reader.networks.find_ends(flat))

    def _taken_up(self, mat: Mat, light: Light, flat: Picture) -> _Memory | None:
        """The memory with what changed looked at anew; None where all of it must be."""
        memory = self._memory
        if memory is None or memory.mat != mat or _other_light(light, memory.light):
            return None
        changed = changed_points(memory.flat, flat)
        if changed is None:
            return None
        h, w = changed.shape[:2]
        cores = _boxes(changed)
        shown = [core.grown(_AROUND_PX, w, h) for core in cores]
        self.looked = sum(box.area for box in shown) / (w * h)
        if self.looked > MOST_CHANGED:
            return None
        ends = [end for end in memory.ends if not any(core.holds(end) for core in cores)]
        for core, box in zip(cores, shown, strict=True):
            there = self.reader.networks.find_ends(box.of(flat))
            moved = (box.x0 / FINDER_PX_PER_MM, box.y0 / FINDER_PX_PER_MM)
            near = core.grown(_DRIFT_PX, w, h)
            ends += [at for end in there if near.holds(at := replace(end, x=end.x + moved[0], y=end.y + moved[1]))]
            core.of(memory.flat)[:] = core.of(flat)
        memory.ends = without_echoes(ends)
        memory.odds = {end: odds for end, odds in memory.odds.items() if not _touched(end, changed)}
        return memory


def changed_points(before: Picture, now: Picture) -> Picture | None:
    """Where two small pictures (h, w, 3) of a mat differ, in which colour, as 255; None where they differ all over."""
    apart = cv2.blur(np.asarray(cv2.absdiff(before, now)), (3, 3))
    usual = float(np.median(apart[::8, ::8]))
    if usual > MOST_NOISE:
        return None
    return np.asarray(cv2.threshold(apart, max(LEAST_CHANGE, NOISES * usual), 255, cv2.THRESH_BINARY)[1], np.uint8)


def _boxes(changed: Picture) -> list[_Box]:
    """The changed places with all that the finder may see otherwise for it; those that then meet are one."""
    h, w = changed.shape[:2]
    whole = np.asarray(cv2.copyMakeBorder(changed, 0, -h % _ALIGN_PX, 0, -w % _ALIGN_PX, cv2.BORDER_CONSTANT))
    size = (whole.shape[1] // _ALIGN_PX, whole.shape[0] // _ALIGN_PX)
    # a single point of 255 is just enough for its cell's mean not to be 0
    cells = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA)).max(axis=2)
    reach = 2 * (_REACH_PX // _ALIGN_PX) + 1
    near = cv2.dilate((cells > 0).astype(np.uint8), np.ones((reach, reach), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(near)
    px = np.asarray(stats)[1:, :4] * _ALIGN_PX
    return [_Box(x, y, min(w, x + bw), min(h, y + bh)) for x, y, bw, bh in px.tolist()]


def _touched(end: End, changed: Picture) -> bool:
    """Whether anything changed in an end's strip."""
    c, s = math.cos(math.radians(end.angle)), math.sin(math.radians(end.angle))
    x0, y0 = end.at(0.0, 0.0)
    xs = x0 + _STRIP_POINTS_MM[:, 0] * c - _STRIP_POINTS_MM[:, 1] * s
    ys = y0 + _STRIP_POINTS_MM[:, 0] * s + _STRIP_POINTS_MM[:, 1] * c
    h, w = changed.shape[:2]
    columns = np.clip(xs * FINDER_PX_PER_MM, 0, w - 1).astype(int)
    rows = np.clip(ys * FINDER_PX_PER_MM, 0, h - 1).astype(int)
    return bool(changed[rows, columns].any())


def _other_light(now: Light, before: Light) -> bool:
    w, h = before.mat_size_mm
    places = np.array([[0, 0], [w, 0], [w / 2, h / 2], [w, h], [0, h]])
    change = np.log(now.white_at(places) / before.white_at(places))
    return bool(np.abs(change).max() > LIGHT_CHANGE)
