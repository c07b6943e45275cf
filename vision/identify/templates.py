"""Prints laid over each other: to a fraction of a pixel, in one light, and as sharp as each other.

A crop is softer or sharper than an enrolled print as focus, distance and movement have it, and lies a little askew.
Small marks of one or two pixels' width look alike or unlike by these alone, so all three are made equal before anything
is compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Picture
from vision.detect.occlusion import visible_rows
from vision.geometry import CROP_MARGIN_PX
from vision.identify.deck import upper_medians

Y0, Y1, X0, X1 = 5, 50, 6, 154
"""The part of a crop (px) that is surely card, as far down as an index reaches."""
OPEN_Y1 = 42
"""The next card of a column begins below this."""
_DEPTHS = (Y1 - Y0, OPEN_Y1 - Y0, 32, 27, 22)
"""Prints are compared down to one of these rows: the deepest that no other card covers, or the last."""
SLACK_PX = 3
"""How far a part of a print may lie from where the whole says."""
_APART_PX, _MOST_TURN = 4, 0.06
_STEPS, _QUICK_STEPS = ((cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, *s) for s in ((20, 1e-4), (8, 1e-3)))
_WHITE, _GRAIN_PX, _FRINGE_PX = 200.0, 0.5, 2.5
_GREY = np.full((1, 3), 1 / 3, np.float32)
_BLURS = (0.0, 0.5, 0.8)
_BLUR_REACH_PX = 4
"""No blur of these reaches further."""
_SHARPNESS = ((0.5, 0.5), (0.0, 0.5), (0.5, 0.0), (0.8, 0.5), (0.5, 0.8))
"""By how much (px) a crop and the enrolled prints are softened: of these pairs the one that fits best counts. Much
softer would fit even better, as it takes off noise, and hide what little tells prints apart."""
_LEAST_SLOPE, _MOST_SLOPE, _LITTLE = 0.5, 1.5, 0.002
_ALL_COLOURS = 0.5
"""How much the three colours' mean counts in each one's slope: the light's colour is known but roughly, and where two
inks differ the hue is what tells them apart. From 0 to 5 held-out crops hardly tell; this misread the fewest."""
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
_POINTS_OF = {depth: _POINTS[depth * (X1 - X0) > _POINTS] for depth in _DEPTHS}
_PLANE = np.stack(
    [part.ravel() for part in (np.ones_like(_INSIDE), *np.mgrid[-1 : 1 : (Y1 - Y0) * 1j, -1 : 1 : (X1 - X0) * 1j])],
    axis=1,
).astype(np.float32)
"""1, how far down and how far across each point lies."""


@dataclass(frozen=True)
class _Sampled:
    """Points (3, n) of a print less their medians, those medians (3), and the points' sums of squares (3)."""

    points: Floats
    medians: Floats
    squares: Floats

    @classmethod
    def of(cls, whole: Floats, points: np.ndarray[tuple[int], np.dtype[np.int64]]) -> _Sampled:
        """Sample a print (h, w, 3) at those of its points, numbered row by row."""
        values = np.ascontiguousarray(whole.reshape(-1, 3)[points].T)
        medians = upper_medians(values)
        away = np.asarray(values - medians[:, None], np.float32)
        return cls(away, medians, np.vecdot(away, away))


@dataclass(frozen=True)
class TemplatePart:
    """The part of a print that is compared, and what was sampled of it.

    Hundreds are remembered, so they are kept as halves: their last place is a fifth of a grey level at most.
    """

    _halves: NDArray[np.float16]
    _samples: dict[tuple[float, int], _Sampled] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, values: Floats) -> TemplatePart:
        """Of its values (h, w, 3)."""
        return cls(values.astype(np.float16))

    @property
    def values(self) -> Floats:
        """Its values (h, w, 3)."""
        return self._halves.astype(np.float32)

    def softened(self, box: Box, blur_px: float) -> Floats:
        """Its values (h, w, 3) in a box, so blurred."""
        x, y, w, h = box
        left, top = min(x, _BLUR_REACH_PX), min(y, _BLUR_REACH_PX)
        near = self._halves[y - top : y + h + _BLUR_REACH_PX, x - left : x + w + _BLUR_REACH_PX]
        return _softened(near.astype(np.float32), blur_px)[top : top + h, left : left + w]

    def sampled(self, blur_px: float, depth: int) -> _Sampled:
        """Points of it, so blurred, down to one of ``_DEPTHS``."""
        if (blur_px, depth) not in self._samples:
            self._samples[blur_px, depth] = _Sampled.of(_softened(self.values, blur_px), _POINTS_OF[depth])
        return self._samples[blur_px, depth]


@dataclass(frozen=True)
class EnrolledTemplate:
    """An enrolled crop as prints are compared: ``whole`` (56, 160, 3), and the ``part`` that is compared."""

    _crop: Picture
    part: TemplatePart

    @property
    def whole(self) -> Floats:
        """Its print."""
        return normalised_crop(self._crop)

    @classmethod
    def of(cls, crop: Picture) -> EnrolledTemplate:
        """Of a crop (56, 160, 3)."""
        return cls(crop, TemplatePart.of(normalised_crop(crop)[Y0:Y1, X0:X1]))


@dataclass(frozen=True)
class TemplatePair:
    """Two enrolled crops laid over each other, and boxes (x, y, w, h px) in which they differ.

    ``boxes`` are where they differ most; where a card hides these, ``slight`` is asked.
    """

    one: TemplatePart
    other: TemplatePart
    boxes: tuple[Box, ...]

    def slight(self, free: NDArray[np.bool_]) -> list[Box]:
        """Boxes round all that the two differ in where they are ``free`` (h, w)."""
        return _boxes(self.one.values, self.other.values, _SLIGHTLY, free)

    @classmethod
    def of(cls, one: EnrolledTemplate, other: EnrolledTemplate) -> TemplatePair:
        """Lay the second crop over the first, to a fraction of a pixel where they are alike enough."""
        a = one.part.values
        whole = other.whole
        around = whole[Y0 - _APART_PX : Y1 + _APART_PX, X0 - _APART_PX : X1 + _APART_PX]
        x, y = cv2.minMaxLoc(cv2.matchTemplate(np.ascontiguousarray(around), a, cv2.TM_SQDIFF))[2]
        warp = _finer(a, whole, (x + X0 - _APART_PX, y + Y0 - _APART_PX), _STEPS)
        # whatever blurs one of the two makes it the likelier in every blurred picture
        how = cv2.INTER_LANCZOS4 | cv2.WARP_INVERSE_MAP
        b = np.asarray(
            cv2.warpAffine(whole, warp, a.shape[1::-1], flags=how, borderMode=cv2.BORDER_REPLICATE), np.float32
        )
        b = _in_the_light_of(a, b)
        return cls(one.part, TemplatePart.of(b), tuple(_boxes(a, b, _MOSTLY)))


@dataclass(frozen=True)
class _LightFit:
    """How a print fits a crop: ``slope`` (3) brings it to its light, ``off`` is what is left in all, squared."""

    enrolled: _Sampled
    seen: _Sampled
    slope: Floats
    off: float

    @classmethod
    def of_each(cls, pairs: Sequence[tuple[_Sampled, _Sampled]]) -> list[_LightFit]:
        """Fit the points of prints to those of crops, all in one go."""
        little = _LITTLE * pairs[0][1].points.shape[1]
        shared = np.array([np.vecdot(enrolled.points, seen.points) for enrolled, seen in pairs])
        squares, crops = (np.array([each.squares for each in side]) for side in zip(*pairs, strict=True))
        along, own = shared + little, squares + little
        mean_along, mean_own = (_ALL_COLOURS * each.mean(axis=1, keepdims=True) for each in (along, own))
        slopes = np.clip((along + mean_along) / (own + mean_own), _LEAST_SLOPE, _MOST_SLOPE)
        off = (crops - slopes * (2 * shared - slopes * squares)).sum(axis=1).tolist()
        return [cls(*pair, slope, left) for pair, slope, left in zip(pairs, slopes, off, strict=True)]

    @property
    def noise(self) -> float:
        """How far (squared) a value strays."""
        away = np.square(self.seen.points - self.slope[:, None] * self.enrolled.points)
        return float(upper_medians(away.reshape(1, -1))[0]) / _CHI2_MEDIAN

    @property
    def offset(self) -> Floats:
        """What is added (3) once its values are brought to the crop's light by the slope."""
        return np.asarray(self.seen.medians - self.slope * self.enrolled.medians, np.float32)


@dataclass(frozen=True)
class MatchedPair:
    """A crop and a pair of prints made alike in all but what tells the two apart.

    ``around`` is the crop's part (h + 6, w + 6, 3) with 3 px all round, the prints are made as sharp as it, each in
    the light in which it fits best. ``noise`` is how far (squared) a value strays.
    """

    around: Floats
    noise: float
    _pair: TemplatePair
    _blur_px: float
    _fits: tuple[_LightFit, _LightFit]

    def parts(self, box: Box) -> tuple[Floats, Floats]:
        """What is seen round a box of the prints, and the two prints there (2, h, w, 3)."""
        x, y, w, h = box
        templates = np.empty((2, h, w, 3), np.float32)
        for part, fit, made in zip((self._pair.one, self._pair.other), self._fits, templates, strict=True):
            np.multiply(part.softened(box, self._blur_px), fit.slope, out=made)
            made += fit.offset
        return self.around[y : y + h + 2 * SLACK_PX, x : x + w + 2 * SLACK_PX], templates


@dataclass(frozen=True)
class AlignedCrop:
    """A crop's print laid over an enrolled one.

    ``around`` is its part with 3 px all round (h + 6, w + 6, 3). The part lies at ``x``, ``y`` px of the crop with its
    margin, and was laid by its first ``depth`` rows, which no card covers if that many show.
    """

    around: Floats
    x: int
    y: int
    depth: int
    _as_sharp: list[tuple[float, float]] = field(default_factory=list, repr=False)
    _own_fits: dict[tuple[float, float], _LightFit] = field(default_factory=dict, repr=False)

    @classmethod
    def over(cls, seen: Floats, enrolled: Floats, occluded: Picture | None = None) -> AlignedCrop:
        """Lay a crop's print (66, 170, 3) over an enrolled one (h, w, 3) by what other cards (66, 170) leave free."""
        h, w = enrolled.shape[:2]
        depth = visible_depth(occluded)
        free = enrolled[:depth]
        x, y = best_place(seen, free)
        warp = _finer(free, seen, (x, y), _QUICK_STEPS)
        warp[:, 2] -= warp[:, :2] @ np.full(2, SLACK_PX, np.float32)
        size = (w + 2 * SLACK_PX, h + 2 * SLACK_PX)
        how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        around = np.asarray(cv2.warpAffine(seen, warp, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.float32)
        return cls(around, x, y, depth)

    def free(self, occluded: Picture | None) -> NDArray[np.bool_]:
        """Where the part (h, w) shows under what covers the crop with its margin."""
        h, w = (n - 2 * SLACK_PX for n in self.around.shape[:2])
        if occluded is None:
            return np.ones((h, w), np.bool_)
        return np.asarray(occluded[self.y : self.y + h, self.x : self.x + w] == 0)

    @cached_property
    def _softer(self) -> dict[float, tuple[Floats, _Sampled]]:
        """For each blur the part with its surroundings, and points of the part."""
        made = {}
        for blur in _BLURS:
            around = _softened(self.around, blur)
            narrow_centre_crop = np.ascontiguousarray(around[SLACK_PX:-SLACK_PX, SLACK_PX:-SLACK_PX])
            made[blur] = around, _Sampled.of(narrow_centre_crop, _POINTS_OF[self.depth])
        return made

    def match(self, pair: TemplatePair) -> MatchedPair:
        """Bring crop and prints to one light and sharpness; the pair's first print is the one that it was laid over.

        Each print counts in the light in which it fits best: what the two have in common would be too pale for the one
        and too dark for the other. How sharp the crop is, the first pair tells for all.
        """
        asked = self._as_sharp or _SHARPNESS
        if not self._own_fits:
            self._own_fits.update(zip(asked, self._fits(pair.one, asked), strict=True))
        ones, others = [self._own_fits[sharp] for sharp in asked], self._fits(pair.other, asked)
        best = min(range(len(asked)), key=lambda k: min(ones[k].off, others[k].off))
        (own, theirs), each = asked[best], (ones[best], others[best])
        self._as_sharp[:] = [(own, theirs)]
        return MatchedPair(self._softer[own][0], min(each, key=lambda fit: fit.off).noise, pair, theirs, each)

    def _fits(self, part: TemplatePart, sharp: Sequence[tuple[float, float]]) -> list[_LightFit]:
        """How an enrolled part fits, for each of these pairs of blurs (px): the crop's and its own."""
        return _LightFit.of_each([(part.sampled(theirs, self.depth), self._softer[own][1]) for own, theirs in sharp])


def normalised_crop(crop: Picture) -> Floats:
    """A crop (h, w, 3) as prints are compared, about 1 where white: the worst noise taken off, not the small marks.

    Its colour is softened far more than its lines: fine colour is a lens's fringes and a sensor's noise, not ink.
    """
    fine = np.asarray(cv2.GaussianBlur(crop, (0, 0), _GRAIN_PX) / np.float32(_WHITE), np.float32)
    grey = cv2.transform(fine, _GREY)[..., None]
    return np.asarray(grey + cv2.GaussianBlur(fine - grey, (0, 0), _FRINGE_PX), np.float32)


def visible_depth(occluded: Picture | None) -> int:
    """How many rows of the part that is compared show under what covers a crop with its margin (66, 170).

    It is one of a few numbers; where hardly anything shows, more than that.
    """
    rows = visible_rows(occluded, X0 + CROP_MARGIN_PX, Y0 + CROP_MARGIN_PX, X1 - X0, Y1 - Y0)
    return next((depth for depth in _DEPTHS if depth <= rows), _DEPTHS[-1])


def best_place(seen: Floats, enrolled: Floats) -> tuple[int, int]:
    """Where (x, y px) an enrolled print (h, w, 3) fits best in a crop with its margin."""
    around = seen[Y0 : Y0 + len(enrolled) + 2 * CROP_MARGIN_PX, X0 : X1 + 2 * CROP_MARGIN_PX]
    grey, over = (cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) for part in (enrolled, around))
    x, y = cv2.minMaxLoc(cv2.matchTemplate(over, grey, cv2.TM_CCOEFF_NORMED))[3]
    return x + X0, y + Y0


def align_near(
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
    aligned = align_near(enrolled, seen, place, steps)
    rough = np.array([[1, 0, place[0]], [0, 1, place[1]]], np.float32)
    if aligned is not None:
        found = aligned[1]
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


def _boxes(one: Floats, other: Floats, share: float, free: NDArray[np.bool_] | None = None) -> list[Box]:
    """Boxes round where two prints (h, w, 3) are apart, at least by this share of the most; the weightiest first.

    With ``free`` (h, w) as if there were nothing but what shows there.
    """
    blue, green, red = cv2.split(np.square(one - other))
    most_apart = np.asarray(cv2.max(cv2.max(blue, green), red))
    energy = np.asarray(cv2.blur(most_apart * _INSIDE, (_BLOT_PX, _BLOT_PX)))
    grain = min(_GRAIN * float(np.median(energy.ravel()[_POINTS])), _MOST_GRAIN * float(energy.max()))
    energy = np.maximum(energy - grain, 0)
    energy = energy if free is None else np.where(free, energy, np.float32(0))
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
