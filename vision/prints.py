"""Prints laid over each other: to a fraction of a pixel, in one light, and as sharp as each other.

A strip is softer or sharper than an enrolled print as focus, distance and movement have it, and lies a little askew.
Small marks of one or two pixels' width look alike or unlike by these alone, so all three are made equal before anything
is compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from vision.cover import free_rows
from vision.likeness import MARGIN_PX
from vision.networks import Floats, Picture

Y0, Y1, X0, X1 = 5, 50, 6, 154
"""The part of a strip (px) that is surely card, as far down as an index reaches."""
OPEN_Y1 = 42
"""The next card of a column begins below this."""
SLACK_PX = 3
"""How far a part of a print may lie from where the whole says."""
_APART_PX, _MOST_TURN = 4, 0.06
_STEPS, _QUICK_STEPS = ((cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, *s) for s in ((20, 1e-4), (8, 1e-3)))
_WHITE, _GRAIN_PX, _FRINGE_PX = 200.0, 0.5, 2.5
_GREY = np.full((1, 3), 1 / 3, np.float32)
_BLURS = (0.0, 0.5, 0.8)
_SHARPNESS = ((0.5, 0.5), (0.0, 0.5), (0.5, 0.0), (0.8, 0.5), (0.5, 0.8))
"""By how much (px) a strip and the enrolled prints are softened: of these pairs the one that fits best counts. Much
softer would fit even better, as it takes off noise, and hide what little tells prints apart."""
_LEAST_SLOPE, _MOST_SLOPE, _LITTLE = 0.5, 1.5, 0.002
_ALL_COLOURS = 0.5
"""How much the three colours' mean counts in each one's slope: the light's colour is known but roughly, and where two
inks differ the hue is what tells them apart. Of 0 to 3 this named most held-out strips right."""
_CHI2_MEDIAN = 0.455
"""The median of what has one degree of freedom, as a share of its mean."""
_GRAIN, _MOST_GRAIN = 2.0, 1 / 3
"""Prints differ where they are further apart than twice what they are on the whole, which is noise; prints that differ
nearly everywhere, by a third of the most."""
_FAINTEST = 0.05
_MOSTLY, _SLIGHTLY = 0.3, 0.1
_MOST_BOXES = 5
_CORNER_PX = 8
_BLOT_PX = 7
_UNEVEN = 0.15
"""Uneven light makes no more difference than this (1 is white)."""

Box = tuple[int, int, int, int]


def _inside() -> Floats:
    """1 inside the part compared, 0 in its corners, which are round and show the mat."""
    mask = np.ones((Y1 - Y0, X1 - X0), np.float32)
    for k in range(_CORNER_PX):
        mask[k, : _CORNER_PX - k] = mask[k, k - _CORNER_PX :] = 0
    return mask


_INSIDE = _inside()
_POINTS = np.flatnonzero(_INSIDE)[::5]
"""Enough of the points inside to measure light and noise by."""
_POINTS_OF = {True: _POINTS, False: _POINTS[_POINTS < (OPEN_Y1 - Y0) * (X1 - X0)]}
"""All of them, and those that no card of a column covers."""
_PLANE = np.stack(
    [part.ravel() for part in (np.ones_like(_INSIDE), *np.mgrid[-1 : 1 : (Y1 - Y0) * 1j, -1 : 1 : (X1 - X0) * 1j])],
    axis=1,
).astype(np.float32)
"""1, how far down and how far across each point lies."""


@dataclass(frozen=True)
class _Sampled:
    """Points (n, 3) of a print less their medians, those medians (3), and the points' sums of squares (3)."""

    points: Floats
    medians: Floats
    squares: Floats

    @classmethod
    def of(cls, whole: Floats, points: np.ndarray[tuple[int], np.dtype[np.int64]]) -> _Sampled:
        """Sample a print (h, w, 3) at those of its points, numbered row by row."""
        values = whole.reshape(-1, 3)[points]
        medians = np.asarray(np.median(values, axis=0), np.float32)
        away = np.asarray(values - medians, np.float32)
        return cls(away, medians, np.asarray(np.square(away).sum(axis=0), np.float32))


@dataclass(frozen=True)
class Enrolled:
    """An enrolled strip as prints are compared: ``whole`` (56, 160, 3), and the ``part`` (h, w, 3) that is compared."""

    whole: Floats
    part: Floats

    @classmethod
    def of(cls, strip: Picture) -> Enrolled:
        """Of a strip (56, 160, 3)."""
        whole = print_of(strip)
        return cls(whole, np.ascontiguousarray(whole[Y0:Y1, X0:X1]))


@dataclass(frozen=True)
class Pair:
    """Two enrolled strips laid over each other: prints (h, w, 3), and boxes (x, y, w, h px) in which they differ.

    ``boxes`` are where they differ most; where a card hides these, ``slight`` is asked.
    """

    one: Floats
    other: Floats
    boxes: tuple[Box, ...]
    _common: dict[tuple[float, bool], _Sampled] = field(default_factory=dict, repr=False)

    @cached_property
    def slight(self) -> tuple[Box, ...]:
        """Boxes round all that the two differ in."""
        return tuple(_boxes(self.one, self.other, _SLIGHTLY))

    @classmethod
    def of(cls, one: Enrolled, other: Enrolled) -> Pair:
        """Lay the second strip over the first, to a fraction of a pixel where they are alike enough."""
        a = one.part
        around = other.whole[Y0 - _APART_PX : Y1 + _APART_PX, X0 - _APART_PX : X1 + _APART_PX]
        x, y = cv2.minMaxLoc(cv2.matchTemplate(np.ascontiguousarray(around), a, cv2.TM_SQDIFF))[2]
        lie = _finer(a, other.whole, (x + X0 - _APART_PX, y + Y0 - _APART_PX), _STEPS)
        # whatever blurs one of the two makes it the likelier in every blurred picture
        how = cv2.INTER_LANCZOS4 | cv2.WARP_INVERSE_MAP
        b = np.asarray(
            cv2.warpAffine(other.whole, lie, a.shape[1::-1], flags=how, borderMode=cv2.BORDER_REPLICATE), np.float32
        )
        b = _in_the_light_of(a, b)
        return cls(a, b, tuple(_boxes(a, b, _MOSTLY)))

    def common(self, blur_px: float, open_: bool) -> _Sampled:
        """Points of what both have in common, so blurred: of all of it, or of what no next card covers."""
        if (blur_px, open_) not in self._common:
            middle = _softened(np.asarray((self.one + self.other) / 2, np.float32), blur_px)
            self._common[blur_px, open_] = _Sampled.of(middle, _POINTS_OF[open_])
        return self._common[blur_px, open_]


@dataclass(frozen=True)
class Match:
    """A strip and a pair of prints made alike in all but what tells the two apart.

    ``around`` is the strip's part (h + 6, w + 6, 3) with 3 px all round, ``one`` and ``other`` are the prints (h, w, 3)
    as sharp as it; ``slope`` and ``offset`` (3) bring them to its light. ``noise`` is how far (squared) a value strays.
    """

    around: Floats
    one: Floats
    other: Floats
    slope: Floats
    offset: Floats
    noise: float

    def parts(self, box: Box) -> tuple[Floats, Floats, Floats]:
        """What is seen round a box of the prints, and the two prints there in its light."""
        x, y, w, h = box
        around = np.ascontiguousarray(self.around[y : y + h + 2 * SLACK_PX, x : x + w + 2 * SLACK_PX])
        a, b = (whole[y : y + h, x : x + w] * self.slope + self.offset for whole in (self.one, self.other))
        return around, a, b


@dataclass(frozen=True)
class Laid:
    """A strip's print laid over an enrolled one.

    ``around`` is its part with 3 px all round (h + 6, w + 6, 3). The part lies at ``x``, ``y`` px of the strip with its
    margin; ``open_`` says that no card covers it.
    """

    around: Floats
    x: int
    y: int
    open_: bool
    _as_sharp: list[tuple[float, float]] = field(default_factory=list, repr=False)

    @classmethod
    def over(cls, seen: Floats, enrolled: Floats, covered: Picture | None = None) -> Laid:
        """Lay a strip's print (66, 170, 3) over an enrolled one (h, w, 3) by what other cards (66, 170) leave free."""
        h, w = enrolled.shape[:2]
        open_ = free_rows(covered, X0 + MARGIN_PX, Y0 + MARGIN_PX, w, h) == h
        free = enrolled if open_ else enrolled[: OPEN_Y1 - Y0]
        x, y = place_of(seen, free)
        lie = _finer(free, seen, (x, y), _QUICK_STEPS)
        lie[:, 2] -= lie[:, :2] @ np.full(2, SLACK_PX, np.float32)
        size = (w + 2 * SLACK_PX, h + 2 * SLACK_PX)
        how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        around = np.asarray(cv2.warpAffine(seen, lie, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.float32)
        return cls(around, x, y, open_)

    @cached_property
    def _softer(self) -> dict[float, tuple[Floats, _Sampled]]:
        """For each blur the part with its surroundings, and points of the part."""
        made = {}
        for blur in _BLURS:
            around = _softened(self.around, blur)
            inner = np.ascontiguousarray(around[SLACK_PX:-SLACK_PX, SLACK_PX:-SLACK_PX])
            made[blur] = around, _Sampled.of(inner, _POINTS_OF[self.open_])
        return made

    def match(self, pair: Pair) -> Match:
        """Bring strip and prints to one light and sharpness, judged by what the two prints have in common.

        How sharp the strip is, the first pair tells for all.
        """
        fits = []
        for own, theirs in self._as_sharp or _SHARPNESS:
            seen, enrolled = self._softer[own][1], pair.common(theirs, self.open_)
            little = _LITTLE * len(seen.points)
            along = (enrolled.points * seen.points).sum(axis=0) + little
            squares = enrolled.squares + little
            slope = (along + _ALL_COLOURS * along.mean()) / (squares + _ALL_COLOURS * squares.mean())
            slope = np.asarray(np.clip(slope, _LEAST_SLOPE, _MOST_SLOPE), np.float32)
            away = np.square(seen.points - slope * enrolled.points)
            fits.append((float(away.sum()), own, theirs, slope, away))
        _, own, theirs, slope, away = min(fits, key=lambda fit: fit[0])
        self._as_sharp[:] = [(own, theirs)]
        around, seen = self._softer[own]
        offset = np.asarray(seen.medians - slope * pair.common(theirs, self.open_).medians, np.float32)
        one, other = _softened(pair.one, theirs), _softened(pair.other, theirs)
        return Match(around, one, other, slope, offset, float(np.median(away)) / _CHI2_MEDIAN)


def print_of(strip: Picture) -> Floats:
    """A strip (h, w, 3) as prints are compared, about 1 where white: the worst noise taken off, not the small marks.

    Its colour is softened far more than its lines: fine colour is a lens's fringes and a sensor's noise, not ink.
    """
    fine = np.asarray(cv2.GaussianBlur(strip, (0, 0), _GRAIN_PX) / np.float32(_WHITE), np.float32)
    grey = cv2.transform(fine, _GREY)[..., None]
    return np.asarray(grey + cv2.GaussianBlur(fine - grey, (0, 0), _FRINGE_PX), np.float32)


def place_of(seen: Floats, enrolled: Floats) -> tuple[int, int]:
    """Where (x, y px) an enrolled print (h, w, 3) fits best in a strip with its margin."""
    around = seen[Y0 : Y0 + len(enrolled) + 2 * MARGIN_PX, X0 : X1 + 2 * MARGIN_PX]
    x, y = cv2.minMaxLoc(cv2.matchTemplate(around, enrolled, cv2.TM_CCOEFF_NORMED))[3]
    return x + X0, y + Y0


def lie_near(
    enrolled: Floats, seen: Floats, place: tuple[int, int], steps: tuple[int, int, float]
) -> tuple[float, Floats] | None:
    """How a print lies in another, near a place (x, y px) that is known roughly.

    Returns:
        How well it fits (a correlation) and the affine map (2, 3) from the one to the other, a shift and a turn; None
        where the search does not converge in so many steps.
    """
    rough = np.array([[1, 0, place[0]], [0, 1, place[1]]], np.float32)
    grey, over = (cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) for part in (enrolled, seen))
    try:
        fit, found = cv2.findTransformECC(grey, over, rough, cv2.MOTION_EUCLIDEAN, steps)
    except cv2.error:
        return None
    return float(fit), np.asarray(found, np.float32)


def _finer(enrolled: Floats, seen: Floats, place: tuple[int, int], steps: tuple[int, int, float]) -> Floats:
    """The affine map (2, 3) from a print to where it lies in another; the rough place where that leads nowhere."""
    lies = lie_near(enrolled, seen, place, steps)
    rough = np.array([[1, 0, place[0]], [0, 1, place[1]]], np.float32)
    if lies is not None:
        found = lies[1]
        if np.abs(found - rough)[:, 2].max() < _APART_PX and abs(found[1, 0]) < _MOST_TURN:
            return found
    return rough


def _softened(whole: Floats, sigma_px: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(whole, (0, 0), sigma_px), np.float32) if sigma_px else whole


def _middle(part: Floats) -> Floats:
    return np.asarray(np.median(part[::2, ::2].reshape(-1, 3), axis=0), np.float32)


def _in_the_light_of(one: Floats, other: Floats) -> Floats:
    """The other print (h, w, 3) as it would be in the light of the one.

    On an enrolment page each card lies in light that falls off differently, and may be brighter on one side. Only
    points where the two nearly agree say how light falls; the other is brightened by a plane through these.
    """
    other = other + (_middle(one) - _middle(other))
    away = (one - other).reshape(-1, 3)[_POINTS].mean(axis=1)
    near = np.abs(away) < _UNEVEN
    if np.count_nonzero(near) < len(_POINTS) / 2:
        return other
    plane = np.linalg.lstsq(_PLANE[_POINTS][near], away[near], rcond=None)[0]
    return np.asarray(other + np.asarray(_PLANE @ plane, np.float32).reshape(*other.shape[:2], 1), np.float32)


def _boxes(one: Floats, other: Floats, share: float) -> list[Box]:
    """Boxes round where two prints (h, w, 3) are apart, at least by this share of the most; the weightiest first."""
    blue, green, red = cv2.split(np.square(one - other))
    most_apart = np.asarray(cv2.max(cv2.max(blue, green), red))
    energy = np.asarray(cv2.blur(most_apart * _INSIDE, (_BLOT_PX, _BLOT_PX)))
    grain = min(_GRAIN * float(np.median(energy.ravel()[_POINTS])), _MOST_GRAIN * float(energy.max()))
    energy = np.maximum(energy - grain, 0)
    most = float(energy.max())
    if most < _FAINTEST**2:
        return []
    on = cv2.dilate((energy > max(_FAINTEST**2 / 2, share * most)).astype(np.uint8), np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(on)
    found: list[tuple[float, Box]] = []
    for k in range(1, count):
        x, y, w, h = (int(v) for v in stats[k][:4])
        found.append((float(energy[y : y + h, x : x + w].sum()), (x, y, w, h)))
    return [box for _, box in sorted(found, reverse=True)[:_MOST_BOXES]]
