"""Aligning templates and crops: to a fraction of a pixel, in one light, and as sharp as each other.

A crop is softer or sharper than a template as focus, distance and movement have it, and lies a little askew. Small
marks one or two pixels wide look alike or unlike by these alone, so all of it is made equal before anything is
compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.detect.occlusion import count_visible_rows
from vision.geometry import CROP_MARGIN_PX
from vision.identify.aligner import (
    Steps,
    cut_under,
    find_likest_place,
    find_nearest_place,
    from_point,
    lie_at,
    limit_steps,
    refine_lie,
)
from vision.identify.deck import upper_medians

_PART = CONFIG.identify.part
_ALIGNMENT = CONFIG.identify.alignment
_LIGHT_FIT = CONFIG.identify.light_fit
_DIFFERENCE = CONFIG.identify.difference

_FINE = limit_steps(_ALIGNMENT.fine_steps, _ALIGNMENT.fine_epsilon)
_QUICK = limit_steps(_ALIGNMENT.quick_steps, _ALIGNMENT.quick_epsilon)
_GREY = np.full((1, 3), 1 / 3, np.float32)
_CHI2_MEDIAN = 0.455
"""The median of what has one degree of freedom, as a share of its mean."""

Box = tuple[int, int, int, int]


def _mask_rounded() -> Floats:
    """Mask the part compared with 1, its corners, which are round and show the mat, with 0."""
    mask = np.ones((_PART.height_px, _PART.width_px), np.float32)
    for k in range(_PART.round_corner_px):
        mask[k, : _PART.round_corner_px - k] = mask[k, k - _PART.round_corner_px :] = 0
    return mask


def _make_plane() -> Floats:
    """Make for each point (n, 3) of the part 1, how far down and how far across it lies, −1 to 1."""
    down, across = np.mgrid[-1 : 1 : _PART.height_px * 1j, -1 : 1 : _PART.width_px * 1j]
    return np.stack([np.ones(down.size), down.ravel(), across.ravel()], axis=1).astype(np.float32)


INSIDE = _mask_rounded()
"""1 inside the part compared (h, w), 0 in its corners, which are round and show the mat."""
_POINTS = np.flatnonzero(INSIDE)[:: _PART.sample_step]
"""The points in which light and noise are measured."""
_POINTS_OF = {depth: _POINTS[depth * _PART.width_px > _POINTS] for depth in _PART.depths_px}
_PLANE = _make_plane()


@dataclass(frozen=True)
class _Sampled:
    """Points (3, n) of a template less their medians, those medians (3), and the points' sums of squares (3)."""

    points: Floats
    medians: Floats
    squares: Floats

    @classmethod
    def from_whole(cls, whole: Floats, points: np.ndarray[tuple[int], np.dtype[np.int64]]) -> _Sampled:
        """Sample a template (h, w, 3) at those of its points, numbered row by row."""
        values = np.ascontiguousarray(whole.reshape(-1, 3)[points].T)
        medians = upper_medians(values)
        away = np.asarray(values - medians[:, None], np.float32)
        return cls(away, medians, np.vecdot(away, away))


@dataclass(frozen=True)
class TemplatePart:
    """The part of a template that is compared, and what was sampled of it.

    Hundreds are kept, so they are stored as halves: the last place is a fifth of a grey level at most.
    """

    _halves: NDArray[np.float16]
    _samples: dict[tuple[float, int], _Sampled] = field(default_factory=dict, repr=False)

    @classmethod
    def from_values(cls, values: Floats) -> TemplatePart:
        """Make one of a part's values (h, w, 3)."""
        return cls(values.astype(np.float16))

    @property
    def values(self) -> Floats:
        """Its values (h, w, 3)."""
        return self._halves.astype(np.float32)

    def soften_box(self, box: Box, blur_px: float) -> Floats:
        """Return its values (h, w, 3) in a box, blurred by that much."""
        x, y, w, h = box
        left, top = min(x, _LIGHT_FIT.blur_reach_px), min(y, _LIGHT_FIT.blur_reach_px)
        near = self._halves[y - top : y + h + _LIGHT_FIT.blur_reach_px, x - left : x + w + _LIGHT_FIT.blur_reach_px]
        return _blur(near.astype(np.float32), blur_px)[top : top + h, left : left + w]

    def sample_depth(self, blur_px: float, depth: int) -> _Sampled:
        """Sample its points, blurred by that much, down to one of ``depths_px``."""
        if (blur_px, depth) not in self._samples:
            self._samples[blur_px, depth] = _Sampled.from_whole(_blur(self.values, blur_px), _POINTS_OF[depth])
        return self._samples[blur_px, depth]


@dataclass(frozen=True)
class EnrolledTemplate:
    """An enrolled crop as templates are compared: ``whole`` (56, 160, 3), and the ``part`` that is compared."""

    _crop: Picture
    part: TemplatePart

    @property
    def whole(self) -> Floats:
        """The whole crop, normalised."""
        return normalise_crop(self._crop)

    @classmethod
    def from_crop(cls, crop: Picture) -> EnrolledTemplate:
        """Make one of a crop (56, 160, 3)."""
        return cls(crop, TemplatePart.from_values(part_of(crop)))


@dataclass(frozen=True)
class TemplatePair:
    """Two templates aligned to each other, and boxes (x, y, w, h px) in which they differ.

    ``boxes`` are where they differ most; where a card hides these, ``find_differences`` is asked.
    """

    one: TemplatePart
    other: TemplatePart
    boxes: tuple[Box, ...]

    def find_differences(self, free: NDArray[np.bool_]) -> list[Box]:
        """Find boxes round all that the two differ in where they are ``free`` (h, w)."""
        return _find_boxes(self.one.values, self.other.values, _DIFFERENCE.slight_share, free)

    @classmethod
    def align(cls, one: EnrolledTemplate, other: EnrolledTemplate) -> TemplatePair:
        """Align the second template to the first, to a fraction of a pixel where they are alike enough."""
        a = one.part.values
        whole = other.whole
        around = whole[
            _PART.top_px - _ALIGNMENT.max_shift_px : _PART.bottom_px + _ALIGNMENT.max_shift_px,
            _PART.left_px - _ALIGNMENT.max_shift_px : _PART.right_px + _ALIGNMENT.max_shift_px,
        ]
        x, y = find_nearest_place(np.ascontiguousarray(around), a)
        place = x + _PART.left_px - _ALIGNMENT.max_shift_px, y + _PART.top_px - _ALIGNMENT.max_shift_px
        # whatever blurs one of the two makes it the likelier in every blurred picture
        b = cut_under(whole, _find_lie(a, whole, place, _FINE), a.shape[1::-1], cv2.INTER_LANCZOS4)
        b = _bring_to_light(a, b)
        return cls(one.part, TemplatePart.from_values(b), tuple(_find_boxes(a, b, _DIFFERENCE.box_share)))


@dataclass(frozen=True)
class _LightFit:
    """How a template fits a crop: ``slope`` (3) brings it to the crop's light, ``off`` is what is left, squared."""

    enrolled: _Sampled
    seen: _Sampled
    slope: Floats
    off: float

    @classmethod
    def of_each(cls, pairs: Sequence[tuple[_Sampled, _Sampled]]) -> list[_LightFit]:
        """Fit the points of templates to those of crops, all in one go."""
        little = _LIGHT_FIT.slope_prior * pairs[0][1].points.shape[1]
        shared = np.array([np.vecdot(enrolled.points, seen.points) for enrolled, seen in pairs])
        squares, crops = (np.array([each.squares for each in side]) for side in zip(*pairs, strict=True))
        along, own = shared + little, squares + little
        mean_along, mean_own = (_LIGHT_FIT.shared_slope * each.mean(axis=1, keepdims=True) for each in (along, own))
        slopes = np.clip((along + mean_along) / (own + mean_own), _LIGHT_FIT.min_slope, _LIGHT_FIT.max_slope)
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
    """A crop and a pair of templates made alike in all but what tells the two apart.

    ``around`` is the crop's part (h + 6, w + 6, 3) with 3 px all round. The templates are made as sharp as it, each in
    the light in which it fits best. ``noise`` is how far (squared) a value strays.
    """

    around: Floats
    noise: float
    _pair: TemplatePair
    _blur_px: float
    _fits: tuple[_LightFit, _LightFit]

    def cut_parts(self, box: Box) -> tuple[Floats, Floats]:
        """Return what is seen round a box of the templates, and the two templates there (2, h, w, 3)."""
        x, y, w, h = box
        templates = np.empty((2, h, w, 3), np.float32)
        for part, fit, made in zip((self._pair.one, self._pair.other), self._fits, templates, strict=True):
            np.multiply(part.soften_box(box, self._blur_px), fit.slope, out=made)
            made += fit.offset
        return self.around[y : y + h + 2 * _ALIGNMENT.slack_px, x : x + w + 2 * _ALIGNMENT.slack_px], templates


@dataclass(frozen=True)
class AlignedCrop:
    """A normalised crop aligned to a template.

    ``around`` is its part with 3 px all round (h + 6, w + 6, 3). The part lies at ``x``, ``y`` px of the crop with its
    margin, and was aligned by its first ``depth`` rows, which no card covers if that many show.
    """

    around: Floats
    x: int
    y: int
    depth: int
    _as_sharp: list[tuple[float, float]] = field(default_factory=list, repr=False)
    _own_fits: dict[tuple[float, float], _LightFit] = field(default_factory=dict, repr=False)

    @classmethod
    def align_to(cls, seen: Floats, enrolled: Floats, occluded: Picture | None = None) -> AlignedCrop:
        """Align a normalised crop (66, 170, 3) to a template (h, w, 3) by what other cards (66, 170) leave free."""
        h, w = enrolled.shape[:2]
        depth = visible_depth(occluded)
        free = enrolled[:depth]
        x, y = find_best_place(convert_to_grey(seen), convert_to_grey(free))
        slack = _ALIGNMENT.slack_px
        lie = from_point(_find_lie(free, seen, (x, y), _QUICK), -slack, -slack)
        return cls(cut_under(seen, lie, (w + 2 * slack, h + 2 * slack), cv2.INTER_CUBIC), x, y, depth)

    def find_free(self, occluded: Picture | None) -> NDArray[np.bool_]:
        """Find where the part (h, w) shows under what covers the crop with its margin."""
        h, w = (n - 2 * _ALIGNMENT.slack_px for n in self.around.shape[:2])
        if occluded is None:
            return np.ones((h, w), np.bool_)
        return np.asarray(occluded[self.y : self.y + h, self.x : self.x + w] == 0)

    @cached_property
    def _softer(self) -> dict[float, tuple[Floats, _Sampled]]:
        """For each blur the part with its surroundings, and points of the part."""
        made = {}
        for blur in _LIGHT_FIT.blurs_px:
            around = _blur(self.around, blur)
            narrow_centre_crop = np.ascontiguousarray(
                around[_ALIGNMENT.slack_px : -_ALIGNMENT.slack_px, _ALIGNMENT.slack_px : -_ALIGNMENT.slack_px]
            )
            made[blur] = around, _Sampled.from_whole(narrow_centre_crop, _POINTS_OF[self.depth])
        return made

    def match(self, pair: TemplatePair) -> MatchedPair:
        """Bring crop and templates to one light and sharpness; the pair's first template is the one it was aligned to.

        Each template counts in the light in which it fits best: what the two have in common would be too pale for the
        one and too dark for the other. How sharp the crop is, the first pair tells for all.
        """
        asked = self._as_sharp or _LIGHT_FIT.sharpness_px
        if not self._own_fits:
            self._own_fits.update(zip(asked, self._fit_blurs(pair.one, asked), strict=True))
        ones, others = [self._own_fits[sharp] for sharp in asked], self._fit_blurs(pair.other, asked)
        best = min(range(len(asked)), key=lambda k: min(ones[k].off, others[k].off))
        (own, theirs), each = asked[best], (ones[best], others[best])
        self._as_sharp[:] = [(own, theirs)]
        return MatchedPair(self._softer[own][0], min(each, key=lambda fit: fit.off).noise, pair, theirs, each)

    def _fit_blurs(self, part: TemplatePart, sharp: Sequence[tuple[float, float]]) -> list[_LightFit]:
        """Fit the template for each of these pairs of blurs (px): the crop's and its own."""
        return _LightFit.of_each(
            [(part.sample_depth(theirs, self.depth), self._softer[own][1]) for own, theirs in sharp]
        )


def normalise_crop(crop: Picture) -> Floats:
    """Bring a crop (h, w, 3) to how templates are compared, about 1 where white: without the worst noise, marks kept.

    Its colour is softened far more than its lines: fine colour is a lens's fringes and a sensor's noise, not ink.
    """
    fine = np.asarray(cv2.GaussianBlur(crop, (0, 0), _LIGHT_FIT.grain_px) / np.float32(_LIGHT_FIT.white), np.float32)
    grey = cv2.transform(fine, _GREY)[..., None]
    return np.asarray(grey + cv2.GaussianBlur(fine - grey, (0, 0), _LIGHT_FIT.fringe_px), np.float32)


def convert_to_grey(crop: Floats) -> Floats:
    """Convert a normalised crop (h, w, 3) to grey, (h, w)."""
    return np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), np.float32)


def part_of(crop: Picture) -> Floats:
    """Cut out and normalise the part of a crop (56, 160, 3) that is compared."""
    return normalise_crop(crop)[_PART.top_px : _PART.bottom_px, _PART.left_px : _PART.right_px]


def count_part_rows(occluded: Picture | None) -> int:
    """Count the rows of the compared part that show under what covers a crop with its margin (66, 170)."""
    x, y = _PART.left_px + CROP_MARGIN_PX, _PART.top_px + CROP_MARGIN_PX
    return count_visible_rows(occluded, x, y, _PART.width_px, _PART.height_px)


def visible_depth(occluded: Picture | None) -> int:
    """Return how far down the crop shows, as one of ``depths_px``; the last one where hardly anything shows."""
    rows = count_part_rows(occluded)
    return next((depth for depth in _PART.depths_px if depth <= rows), _PART.depths_px[-1])


def find_best_place(seen: Floats, enrolled: Floats) -> tuple[int, int]:
    """Find where (x, y px) a template (h, w) fits best in a crop with its margin, both in grey."""
    around = seen[
        _PART.top_px : _PART.top_px + len(enrolled) + 2 * CROP_MARGIN_PX,
        _PART.left_px : _PART.right_px + 2 * CROP_MARGIN_PX,
    ]
    _, x, y = find_likest_place(around, enrolled)
    return x + _PART.left_px, y + _PART.top_px


def _find_lie(enrolled: Floats, seen: Floats, place: tuple[int, int], end: Steps) -> Floats:
    """Find how a template lies in another picture near a place; there, where the search leads nowhere or far away."""
    rough = lie_at(*place)
    exact = refine_lie(convert_to_grey(enrolled), convert_to_grey(seen), rough, end)
    if exact is None:
        return rough
    lie = exact[1]
    near = np.abs(lie - rough)[:, 2].max() < _ALIGNMENT.max_shift_px and abs(lie[1, 0]) < _ALIGNMENT.max_turn
    return lie if near else rough


def _blur(whole: Floats, sigma_px: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(whole, (0, 0), sigma_px), np.float32) if sigma_px else whole


def _middle_of(part: Floats) -> Floats:
    return np.asarray(np.median(part[::2, ::2].reshape(-1, 3), axis=0), np.float32)


def _bring_to_light(one: Floats, other: Floats) -> Floats:
    """Bring the other template (h, w, 3) to the light of the one.

    On an enrolment page each card lies in light that falls off differently, and may be brighter on one side. Only
    points where the two nearly agree tell how light falls; the other is brightened by a plane through these.
    """
    other = other + (_middle_of(one) - _middle_of(other))
    away = (one - other).reshape(-1, 3)[_POINTS].mean(axis=1)
    near = np.abs(away) < _LIGHT_FIT.uneven
    if np.count_nonzero(near) < len(_POINTS) / 2:
        return other
    plane = np.linalg.lstsq(_PLANE[_POINTS][near], away[near], rcond=None)[0]
    return np.asarray(other + np.asarray(_PLANE @ plane, np.float32).reshape(*other.shape[:2], 1), np.float32)


def _find_boxes(one: Floats, other: Floats, share: float, free: NDArray[np.bool_] | None = None) -> list[Box]:
    """Find boxes where two templates (h, w, 3) differ by at least this share of the most; the weightiest first.

    With ``free`` (h, w) as if there were nothing but what shows there.
    """
    blue, green, red = cv2.split(np.square(one - other))
    most_apart = np.asarray(cv2.max(cv2.max(blue, green), red))
    energy = np.asarray(cv2.blur(most_apart * INSIDE, (_DIFFERENCE.blot_px, _DIFFERENCE.blot_px)))
    grain = min(
        _DIFFERENCE.noise_factor * float(np.median(energy.ravel()[_POINTS])),
        _DIFFERENCE.max_noise_share * float(energy.max()),
    )
    energy = np.maximum(energy - grain, 0)
    energy = energy if free is None else np.where(free, energy, np.float32(0))
    most = float(energy.max())
    if most < _DIFFERENCE.min_difference**2:
        return []
    on = cv2.dilate(
        (energy > max(_DIFFERENCE.min_difference**2 / 2, share * most)).astype(np.uint8), np.ones((3, 3), np.uint8)
    )
    count, _, stats, _ = cv2.connectedComponentsWithStats(on)
    found: list[tuple[float, Box]] = []
    for k in range(1, count):
        x, y, w, h = (int(v) for v in stats[k][:4])
        found.append((float(energy[y : y + h, x : x + w].sum()), (x, y, w, h)))
    return [box for _, box in sorted(found, reverse=True)[: _DIFFERENCE.max_boxes]]
