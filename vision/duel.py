"""Which of two cards that look alike it is, asked only where their prints differ.

A band along the top, a frame or one ink for all suits makes cards alike in nearly every point; what tells them apart is
then a small mark anywhere in the strip, which an overall likeness hardly weighs. A duel lays both enrolled strips over
the one seen, and compares only the boxes in which the two differ, each box where it fits best.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from vision.cover import free_rows
from vision.deck import Deck
from vision.likeness import MARGIN_PX
from vision.networks import Floats, Picture

WEIGHT, SHARE = 11.0, 0.7
"""Log odds of a duel that is won clearly, and the share that the likeness as a whole keeps beside it. A logistic fit
over decks that training never saw gives 9 to 11 and 0.6 to 0.7: where prints differ, they say the most."""
CLOSE = 9.0
"""Rivals within these log odds of the likeliest card are asked to a duel."""
RIVALS = 5
"""So many cards at the most."""
_ROUNDS = 3
"""Who beats the likeliest meets the others in a further round, so often at the most."""

Y0, Y1, X0, X1 = 5, 50, 6, 154
"""The part of a strip (px) that is surely card, as far down as an index reaches."""
OPEN_Y1 = 42
"""The next card of a column begins below this."""
_SLACK_PX = 3
_LEAST_ROWS = 3
_APART_PX = 4
_MOST_TURN = 0.06
_STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 1e-4)
_QUICK_STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 8, 1e-3)
_BLURS = (0.0, 0.5, 0.8)
_SHARPNESS = ((0.5, 0.5), (0.0, 0.5), (0.5, 0.0), (0.8, 0.5), (0.5, 0.8))
_GRAIN = 2.0
"""So much less sharp (px) a strip may be than the enrolled print."""
_NOISE = 1.0
_CHI2_MEDIAN = 0.455
_MUCH = 0.5
"""Where more than this of a box is covered, what differs slightly elsewhere is asked too."""
_WHITE, _GRAIN_PX, _FRINGE_PX = 200.0, 0.5, 2.5
_GREY = np.full((1, 3), 1 / 3, np.float32)
_FAINTEST = 0.05
_MOSTLY, _SLIGHTLY = 0.3, 0.1
_MOST_BOXES = 5
_CORNER_PX = 8
_CLEAR = 1.0
"""Prints that differ by this much (squared, summed over the boxes) or more are fully told apart."""

_MOST_VEIL = 0.25
"""Glare and blur may brighten or darken a box as a whole by so much (1 is white); a hue differs by more."""
_BLOT_PX = 7
_HIDDEN = 0.8
_REMEMBERED = 240

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class _Sampled:
    """Points (n, 3) of a print less their medians, those medians (3), and the points' sums of squares (3)."""

    points: Floats
    medians: Floats
    squares: Floats

    @classmethod
    def of(cls, points: Floats) -> _Sampled:
        medians = np.median(points, axis=0)
        away = np.asarray(points - medians, np.float32)
        return cls(away, np.asarray(medians, np.float32), np.square(away).sum(axis=0))


@dataclass(frozen=True)
class Pair:
    """Two enrolled strips laid over each other: prints (h, w, 3), and boxes (x, y, w, h px) in which they differ.

    ``boxes`` are where they differ most; where a card hides these, ``slight`` is asked.
    """

    one: Floats
    other: Floats
    boxes: tuple[Box, ...]

    @cached_property
    def soft(self) -> dict[bool, tuple[_Sampled, ...]]:
        """What both have in common, less and less sharp as ``_BLURS`` says: of the open part, and of all."""
        middle = np.asarray((self.one + self.other) / 2, np.float32)
        softer = [_blurred(middle, blur).reshape(-1, 3) for blur in _BLURS]
        return {whole: tuple(_Sampled.of(each[points]) for each in softer) for whole, points in _POINTS_OF.items()}

    @cached_property
    def slight(self) -> tuple[Box, ...]:
        """Boxes round all that the two differ in."""
        return tuple(_boxes(self.one, self.other, _SLIGHTLY))

    @classmethod
    def of(cls, one: Picture, other: Picture) -> Pair:
        """Lay the second strip (56, 160, 3) over the first, to a fraction of a pixel where they are alike enough."""
        a = np.ascontiguousarray(print_of(one)[Y0:Y1, X0:X1])
        whole = print_of(other)
        around = whole[Y0 - _APART_PX : Y1 + _APART_PX, X0 - _APART_PX : X1 + _APART_PX]
        x, y = cv2.minMaxLoc(cv2.matchTemplate(np.ascontiguousarray(around), a, cv2.TM_SQDIFF))[2]
        lie = np.array([[1, 0, x + X0 - _APART_PX], [0, 1, y + Y0 - _APART_PX]], np.float32)
        grey, over = (cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) for part in (a, whole))
        try:
            _, found = cv2.findTransformECC(grey, over, lie.copy(), cv2.MOTION_EUCLIDEAN, _STEPS)
            if np.abs(found - lie)[:, 2].max() < _APART_PX and abs(found[1, 0]) < _MOST_TURN:
                lie = np.asarray(found, np.float32)
        except cv2.error:  # it did not converge
            pass
        # whatever blurs one of the two makes it the likelier in every blurred picture
        how = cv2.INTER_LANCZOS4 | cv2.WARP_INVERSE_MAP
        b = np.asarray(
            cv2.warpAffine(whole, lie, a.shape[1::-1], flags=how, borderMode=cv2.BORDER_REPLICATE), np.float32
        )
        b = _in_the_light_of(a, b)
        return cls(a, b, tuple(_boxes(a, b, _MOSTLY)))


@dataclass(frozen=True)
class Laid:
    """A strip's print laid over an enrolled one: to a fraction of a pixel, in its light, and as sharp.

    ``around`` is the part compared with 3 px all round, (h + 6, w + 6, 3), which begins at ``x``, ``y`` px of the strip
    but for these; ``noise`` how far (squared) a value strays from a print that is its own.
    """

    around: Floats
    x: int
    y: int
    whole: bool

    @classmethod
    def over(cls, seen: Floats, enrolled: Floats, covered: Picture | None = None) -> Laid:
        """Lay a strip's print (66, 170, 3) over an enrolled one (h, w, 3), by what is not covered."""
        h, w = enrolled.shape[:2]
        whole = free_rows(covered, X0 + MARGIN_PX, Y0 + MARGIN_PX, w, h) == h
        unhidden = enrolled if whole else enrolled[: OPEN_Y1 - Y0]
        x, y = place_of(seen, unhidden)
        lie = np.array([[1, 0, x], [0, 1, y]], np.float32)
        grey, over = (cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) for part in (unhidden, seen))
        try:
            _, found = cv2.findTransformECC(grey, over, lie.copy(), cv2.MOTION_EUCLIDEAN, _QUICK_STEPS)
            if np.abs(found - lie)[:, 2].max() < _APART_PX and abs(found[1, 0]) < _MOST_TURN:
                lie = np.asarray(found, np.float32)
        except cv2.error:  # it did not converge
            pass
        lie[:, 2] -= lie[:, :2] @ np.full(2, _SLACK_PX, np.float32)
        size = (w + 2 * _SLACK_PX, h + 2 * _SLACK_PX)
        how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        around = np.asarray(cv2.warpAffine(seen, lie, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.float32)
        return cls(around, x, y, whole)

    @cached_property
    def softer(self) -> dict[float, tuple[Floats, _Sampled]]:
        """The part round the print less and less sharp as ``_BLURS`` says, and the points compared of each."""
        made = {}
        for blur in _BLURS:
            around = _blurred(self.around, blur)
            inner = around[_SLACK_PX:-_SLACK_PX, _SLACK_PX:-_SLACK_PX]
            made[blur] = around, _Sampled.of(inner.reshape(-1, 3)[_POINTS_OF[self.whole]])
        return made

    def light_on(self, pair: Pair) -> _Match:
        """How two enrolled prints come to the strip's light and sharpness, by what both have in common."""
        soft = dict(zip(_BLURS, pair.soft[self.whole], strict=True))
        fits = []
        for own, theirs in _SHARPNESS:
            seen, print_ = self.softer[own][1], soft[theirs]
            little = 0.002 * len(seen.points)
            slope = ((print_.points * seen.points).sum(axis=0) + little) / (print_.squares + little)
            slope = np.asarray(np.clip(slope, 0.5, 1.5), np.float32)
            away = np.square(seen.points - slope * print_.points)
            fits.append((float(away.sum()), own, theirs, slope, seen.medians - slope * print_.medians, away))
        _, own, theirs, slope, offset, away = min(fits, key=lambda fit: fit[0])
        return _Match(self.softer[own][0], theirs, slope, offset, float(np.median(away)) / _CHI2_MEDIAN)


@dataclass(frozen=True)
class _Match:
    """Slope and offset (3) of a strip's light, how much less sharp it is, and how far (squared) its values stray."""

    around: Floats
    blur: float
    slope: Floats
    offset: Floats
    noise: float


def _blurred(enrolled: Floats, sigma: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(enrolled, (0, 0), sigma), np.float32) if sigma else enrolled


@dataclass
class Duels:
    """Duels between cards of one deck; the pairs that met last are remembered."""

    deck: Deck
    _pairs: dict[tuple[int, int], Pair] = field(default_factory=dict, repr=False)

    def settle(self, wide: Sequence[Picture], odds: Floats, covered: Sequence[Picture | None] = ()) -> Floats:
        """Log odds (n, m) of ends once their likeliest cards have fought it out.

        Args:
            wide: the ends' strips with a margin of 5 px all round, (66, 170, 3) BGR uint8.
            odds: what ``vision.likeness.compare`` says of them. Between enrolled ends that hardly differ for the namer,
                a difference in it is mostly noise and counts as little as they differ.
            covered: for each strip (66, 170) where other cards lie on it.
        """
        settled = odds.copy()
        for n, strip in enumerate(wide):
            mask = covered[n] if covered else None
            seen: Floats | None = None
            level, met = float(odds[n].max()), set[int]()
            best = int(odds[n].argmax())
            while best not in met and len(met) < _ROUNDS:
                met.add(best)
                behind = (odds[n, best] - odds[n]) * self.deck.apart[best]
                if len(met) == 1:
                    settled[n] = level - behind
                nearer = behind.reshape(-1, 2).argmin(axis=1) + np.arange(0, len(behind), 2)
                order = nearer[np.argsort(behind[nearer])]
                rivals = [int(m) for m in order if m // 2 != best // 2 and behind[m] < CLOSE][:RIVALS]
                if rivals:
                    seen = print_of(strip) if seen is None else seen
                    laid = Laid.over(seen, self._pair(best, rivals[0]).one, mask)
                for rival in rivals:
                    won = self.fight(laid, best, rival, mask)
                    both = [rival, rival ^ 1] if self.deck.symmetric[rival // 2] else [rival]
                    settled[n, both] = level - SHARE * behind[both] - WEIGHT * won
                # who has beaten the likeliest has not met the others yet, but beating them too makes it no likelier
                best = int(settled[n].argmax())
                if len(met) == 1:
                    level = float(settled[n, best])
                settled[n] += level - settled[n, best]
        return settled

    def fight(self, laid: Laid, one: int, other: int, covered: Picture | None = None) -> float:
        """From −1, the other card's print, to 1, the one's, for a strip laid over the one's; rows of ``deck.looks``."""
        pair = self._pair(one, other)
        if not pair.boxes:
            return 0.0
        match = laid.light_on(pair)
        prints = _blurred(pair.one, match.blur), _blurred(pair.other, match.blur)
        nearer = apart = strange = 0.0
        rows = [free_rows(covered, laid.x + x, laid.y + y, w, h) for x, y, w, h in pair.boxes]
        hidden = any(free < h * _MUCH for free, (_, _, _, h) in zip(rows, pair.boxes, strict=True))
        for x, y, w, height in pair.slight if hidden else pair.boxes:
            h = free_rows(covered, laid.x + x, laid.y + y, w, height)
            if h < _LEAST_ROWS:
                continue
            around = np.ascontiguousarray(match.around[y : y + h + 2 * _SLACK_PX, x : x + w + 2 * _SLACK_PX])
            a, b = (whole[y : y + h, x : x + w] * match.slope + match.offset for whole in prints)
            off_one, off_other = _misfit(around, a), _misfit(around, b)
            differ = float(np.square(a - b).sum())
            if min(off_one, off_other) > _HIDDEN * differ:  # like neither: another card or a finger lies there
                continue
            nearer += off_other - off_one
            strange += max(0.0, off_other + off_one - 2 * _NOISE * match.noise * a.size)
            apart += differ
        won = nearer / max(apart, strange, 1e-6)  # what is like neither decides nothing
        return won * math.sqrt(min(apart / _CLEAR, 1.0))

    def _pair(self, one: int, other: int) -> Pair:
        pair = self._pairs.get((one, other))
        if pair is None:
            if len(self._pairs) >= _REMEMBERED:
                del self._pairs[next(iter(self._pairs))]
            strips = [self.deck.cards[row // 2].strips[row % 2] for row in (one, other)]
            pair = self._pairs[one, other] = Pair.of(*strips)
        return pair


def print_of(strip: Picture) -> Floats:
    """A strip (h, w, 3) as duels compare it, about 1 where white: the worst noise taken off, not the small marks.

    Its colour is softened far more than its lines: fine colour is a lens's fringes and a sensor's noise, not ink.
    """
    fine = np.asarray(cv2.GaussianBlur(strip, (0, 0), _GRAIN_PX) / np.float32(_WHITE), np.float32)
    grey = cv2.transform(fine, _GREY)[..., None]
    return np.asarray(grey + cv2.GaussianBlur(fine - grey, (0, 0), _FRINGE_PX), np.float32)


def _middle(part: Floats) -> Floats:
    return np.asarray(np.median(part[::2, ::2].reshape(-1, 3), axis=0), np.float32)


def _in_the_light_of(one: Floats, other: Floats) -> Floats:
    """The other print (h, w, 3) as it would be in the light of the one.

    On an enrolment page each card lies in light that falls off differently, and may be brighter on one side. Only
    points where the two nearly agree say how light falls; the other is brightened by a plane through these.
    """
    other = other + (_middle(one) - _middle(other))
    away = (one - other).mean(axis=2).ravel()[_POINTS]
    near = np.abs(away) < _UNEVEN
    if np.count_nonzero(near) < len(_POINTS) / 2:
        return other
    plane = np.linalg.lstsq(_PLANE[_POINTS][near], away[near], rcond=None)[0]
    return np.asarray(other + np.asarray(_PLANE @ plane, np.float32).reshape(*other.shape[:2], 1), np.float32)


def _inside() -> Floats:
    """1 inside the part compared, 0 in its corners, which are round and show the mat."""
    mask = np.ones((Y1 - Y0, X1 - X0), np.float32)
    for k in range(_CORNER_PX):
        mask[k, : _CORNER_PX - k] = mask[k, k - _CORNER_PX :] = 0
    return mask


_INSIDE = _inside()
_POINTS = np.flatnonzero(_INSIDE)[::5]
"""Enough of the points inside to measure the light by."""
_POINTS_OF = {True: _POINTS, False: _POINTS[_POINTS < (OPEN_Y1 - Y0) * (X1 - X0)]}
_PLANE = np.stack(
    [part.ravel() for part in (np.ones_like(_INSIDE), *np.mgrid[-1 : 1 : (Y1 - Y0) * 1j, -1 : 1 : (X1 - X0) * 1j])],
    axis=1,
).astype(np.float32)
"""1, how far down and how far across each point lies."""
_UNEVEN = 0.15
"""Uneven light makes no more difference than this (1 is white)."""


def _boxes(one: Floats, other: Floats, share: float) -> list[Box]:
    """Boxes round where two prints (h, w, 3) are apart, at least by this share of the most; the weightiest first."""
    energy = np.asarray(cv2.blur(np.square(one - other).max(axis=2) * _INSIDE, (_BLOT_PX, _BLOT_PX)))
    grain = float(np.median(energy.ravel()[_POINTS]))
    energy = np.maximum(energy - min(_GRAIN * grain, float(energy.max()) / 3), 0)
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


def place_of(seen: Floats, enrolled: Floats) -> tuple[int, int]:
    """Where (x, y px) an enrolled print fits best in a strip with its margin."""
    around = seen[Y0 : Y0 + len(enrolled) + 2 * MARGIN_PX, X0 : X1 + 2 * MARGIN_PX]
    x, y = cv2.minMaxLoc(cv2.matchTemplate(around, enrolled, cv2.TM_CCOEFF_NORMED))[3]
    return x + X0, y + Y0


def _misfit(around: Floats, enrolled: Floats) -> float:
    """By how much an enrolled part (h, w, 3) misfits where it fits best, but for a veil of light over all of it."""
    h, w = enrolled.shape[:2]
    x, y = cv2.minMaxLoc(cv2.matchTemplate(around, enrolled, cv2.TM_SQDIFF))[2]
    away = around[y : y + h, x : x + w] - enrolled
    veil = np.clip(away.mean(), -_MOST_VEIL, _MOST_VEIL)
    return float(np.square(away - veil).sum())
