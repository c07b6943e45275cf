"""How the cards of a page lie, by what they have in common: one size, one rim, one layout.

On a dark mat a dark rim hardly ends anywhere, and a frame printed inside stands out more than the card's own edge. But
edge and frame run at the same distances on every card. So each card is turned until what runs along its sides is
steepest, the cards are laid over each other until their sides agree, and where they end is seen on all of them at once.
Then each card's own outline is looked for from there: what is found twice is sure.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.arrays import Doubles, Floats, Picture
from vision.config import CONFIG
from vision.enrol.outline import OutlineFit, fit_outline
from vision.enrol.silhouette import lay_exactly
from vision.mat import Mat

_ALIGN, _END, _SURE = CONFIG.enrol.alignment.search, CONFIG.enrol.alignment.end, CONFIG.enrol.alignment.sure
_PX = _ALIGN.px_per_mm
_REACH = round(_ALIGN.reach_mm * _PX)
_LAGS = np.append(np.arange(-_REACH, _REACH), _REACH)
_OUTSIDE, _DEEP = round(_ALIGN.outside_mm * _PX), round((_ALIGN.outside_mm + _ALIGN.inside_mm) * _PX)
_FINER_DEG = np.array(_ALIGN.finer_deg)
_FURTHER_MM = np.linspace(-_ALIGN.reach_mm, _ALIGN.reach_mm, _END.steps)


class Lie(NamedTuple):
    """How a card lies from its place, upright: so far right and down on the mat (mm), and turned (degrees clockwise).

    ``sure`` where that is found twice, or by many cards that look alike.
    """

    right: float
    down: float
    turned: float
    sure: bool


def align_cards(
    picture: Picture,
    mat: Mat,
    places: Sequence[tuple[float, float]],
    size_mm: tuple[float, float],
    backs: Collection[int] = (),
) -> list[Lie]:
    """Find how the cards of a page lie near their places.

    Args:
        picture: (h, w, 3) BGR uint8.
        mat: where the mat lies in it.
        places: where the cards were to lie, upright, mat mm.
        size_mm: their width and height.
        backs: which of them lie face down, and so may look like no other.
    """
    cards = [_Card(picture, mat, place, size_mm) for place in places]
    lies, like = _lay_over_each_other(cards)
    for k in np.flatnonzero(like < _SURE.another_design * np.median(like)).tolist():
        alone = _lay_over_each_other(cards[k : k + 1])[0][0]
        if k not in backs:  # a face has the page's design, so how it lies alone is to be how it lies among the others
            apart = math.hypot(alone.right - lies[k].right, alone.down - lies[k].down)
            lies[k] = alone._replace(sure=alone.sure and apart < _SURE.near_mm)
        elif alone.sure:
            lies[k] = alone
    return lies


class _Card:
    """What shows round a card's place, and how it changes across the card's sides at any turn."""

    def __init__(self, picture: Picture, mat: Mat, place: tuple[float, float], size_mm: tuple[float, float]) -> None:
        self._picture, self._mat, self._place, self._size_mm = picture, mat, place, size_mm
        around = (_REACH + _OUTSIDE + 1) / _PX
        shown = mat.cut_patch(picture, place, 0.0, (size_mm[0] + 2 * around, size_mm[1] + 2 * around), _PX)
        # a step is as large in the dark as in the light
        self._shown = np.log(shown.astype(np.float32) + np.float32(_ALIGN.dark_levels))
        self._half = [round((side / 2 - _ALIGN.corner_mm) * _PX) for side in size_mm]
        self._seen: dict[float, tuple[Floats, Floats]] = {}

    def measure_steepness(self, turn: float) -> tuple[Floats, Floats]:
        """Measure how the means along its upright and its level sides change at a turn, (w, 3) and (h, 3)."""
        turn = round(turn, 2)
        if turn not in self._seen:
            h, w = self._shown.shape[:2]
            warp = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), turn, 1.0)
            upright = cv2.warpAffine(self._shown, warp, (w, h), borderMode=cv2.BORDER_REPLICATE)
            across = upright[h // 2 - self._half[1] : h // 2 + self._half[1]].mean(axis=0)
            down = upright[:, w // 2 - self._half[0] : w // 2 + self._half[0]].mean(axis=1)
            self._seen[turn] = _change(across), _change(down)
        return self._seen[turn]

    def find_upright(self) -> float:
        """Find the turn at which what runs along its sides, edge or frame, is steepest."""
        reach, best = _REACH + _DEEP, 0.0

        def measure_at(turn: float) -> float:
            ends = (end for one in self.measure_steepness(turn) for end in (one[_OUTSIDE:reach], one[-reach:-_OUTSIDE]))
            return sum(float(np.square(end).sum()) for end in ends)

        for step, most in _ALIGN.turns_deg:
            turns = best + np.arange(-most, most + step / 2, step)
            best = _find_peak(turns, np.array([measure_at(turn) for turn in turns.tolist()]))
        return best

    def find_outline(self, right: float, down: float, turn: float) -> tuple[OutlineFit, bool]:
        """Find how it lies by its own outline, from about how it lies, and whether its four sides show its turn."""
        x, y = self._place
        off = _SURE.off_mm, _SURE.off_deg
        fit = fit_outline(self._picture, self._mat, (x + right, y + down), turn, *off, self._size_mm)
        across, along = _turn_point(fit.right, fit.down, turn)
        fit = OutlineFit(right + across, down + along, turn + fit.turned, fit.clear)
        straight = lay_exactly(self._picture, self._mat, self._place, fit, self._size_mm)
        return straight or fit, straight is not None


def _lay_over_each_other(cards: Sequence[_Card]) -> tuple[list[Lie], Doubles]:
    """Lay cards over each other: how they lie, and how alike each one's sides are to the others', −1 to 1, (n,)."""
    begun = turns = np.array([card.find_upright() for card in cards])
    upright = [card.measure_steepness(turn) for card, turn in zip(cards, turns.tolist(), strict=True)]
    lags = np.stack([_find_lags([steep[axis] for steep in upright]) for axis in (0, 1)], axis=1)
    several = len(cards) >= _SURE.several
    for _ in range(_ALIGN.rounds if several else 0):
        turns, lags = _refine(cards, turns, lags)
    at_mm = (lags / _PX).tolist()
    poses = [(*_turn_point(x, y, turn), turn) for (x, y), turn in zip(at_mm, turns.tolist(), strict=True)]
    outlines = [card.find_outline(*pose) for card, pose in zip(cards, poses, strict=True)]
    away = np.array(
        [_turn_point(o.right - p[0], o.down - p[1], -p[2]) for (o, _), p in zip(outlines, poses, strict=True)]
    )
    sides = _all_sides(cards, turns, lags)
    like = np.min(
        [_measure_likeness(np.linalg.norm(sides[axis], axis=3).reshape(len(cards), -1)) for axis in (0, 1)], axis=0
    )
    of_one = like >= _SURE.another_design * np.median(like)
    ends = [_end(sides[axis][of_one], float(lags[of_one, axis].mean()) / _PX, away[of_one, axis]) for axis in (0, 1)]
    (across, down), rival = (end[0] for end in ends), max(end[1] for end in ends)
    lies = []
    for k, ((outline, straight), (x, y, turn)) in enumerate(zip(outlines, poses, strict=True)):
        more = _turn_point(across, down, turn)
        right, low = x + more[0], y + more[1]
        twice = math.hypot(outline.right - right, outline.down - low) < _SURE.near_mm
        by_all = several and like[k] > _SURE.alike
        other = outline.turned if straight else float(begun[k])
        agree = abs(turn - other) < _SURE.near_deg
        sure = (straight or (by_all and agree)) and (twice or by_all)
        if twice:
            right, low = (right + outline.right) / 2, (low + outline.down) / 2
        turned = (turn + other) / 2 if agree else other
        lies.append(Lie(right, low, turned, sure and rival < (_SURE.rival if several else _SURE.rival_alone)))
    return lies, like


def _turn_point(x: float, y: float, degrees: float) -> tuple[float, float]:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return x * c - y * s, x * s + y * c


def _change(profile: Floats) -> Floats:
    return np.pad(profile[2:] - profile[:-2], ((1, 1), (0, 0)))


def _find_peak(at: Doubles, height: Doubles) -> float:
    """Find where a curve of even samples is highest, between them."""
    k = int(height.argmax())
    if not 0 < k < len(at) - 1:
        return float(at[k])
    before, top, after = height[k - 1 : k + 2].tolist()
    bend = before - 2 * top + after
    return float(at[k] + (at[1] - at[0]) * (0.5 * (before - after) / bend if bend < 0 else 0.0))


def _normalise(values: Doubles) -> Doubles:
    away = values - values.mean(axis=-1, keepdims=True)
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9))


# The sides of the cards


def _sides_at(steep: Floats, lag: float) -> Doubles:
    """Return how steep it is over both sides, from outside inwards, (2, k, 3), of a card that lies ``lag`` px on."""
    at, begin = np.arange(len(steep)), _REACH + 1 + np.arange(_DEEP)
    ends = (steep, begin + lag), (steep[::-1], begin - lag)
    return np.stack([np.stack([np.interp(x, at, one[:, c]) for c in range(3)], axis=1) for one, x in ends])


def _all_sides(cards: Sequence[_Card], turns: Doubles, lags: Doubles) -> Doubles:
    """Do the same for all cards along both axes, (2, n, 2, k, 3)."""
    each = list(zip(cards, turns.tolist(), lags.tolist(), strict=True))
    return np.stack(
        [[_sides_at(card.measure_steepness(turn)[axis], lag[axis]) for card, turn, lag in each] for axis in (0, 1)]
    )


def _at_all_lags(steep: Floats) -> Floats:
    """Return how steep (w,) it is over both sides at every lag, (lags, 2k)."""
    ends = (steep, _LAGS), (steep[::-1], -_LAGS)
    return np.concatenate([sliding_window_view(one, _DEEP)[_REACH + 1 + lags] for one, lags in ends], axis=1)


def _find_lags(steep: Sequence[Floats]) -> Doubles:
    """Find the lags (n,) in px at which the sides of cards look most alike, from coarse to fine."""
    lags = np.zeros(len(steep), int)
    rare = _ALIGN.rare * np.square(_LAGS / _REACH)
    for soft in _ALIGN.soft_mm:
        blurred = [cv2.GaussianBlur(np.linalg.norm(one, axis=1)[:, None], (0, 0), soft * _PX).ravel() for one in steep]
        looks = np.stack([_normalise(_at_all_lags(one).astype(np.float64)) for one in blurred])
        for _ in range(2):
            common = _normalise(np.median(looks[np.arange(len(lags)), lags + _REACH], axis=0))
            lags = _LAGS[(looks @ common - rare).argmax(axis=1)]
    return lags.astype(np.float64)


def _refine(cards: Sequence[_Card], turns: Doubles, lags: Doubles) -> tuple[Doubles, Doubles]:
    """Refine the turns (n,) and lags (n, 2) of cards on what they have in common: what varies little counts much."""
    shown = np.linalg.norm(_all_sides(cards, turns, lags), axis=4).reshape(2, len(cards), -1)
    common, spread = np.median(shown, axis=1), shown.std(axis=1)
    noise = np.square(spread) + np.square(_ALIGN.least_spread * common)
    weight = 1 / (noise + np.square(np.median(spread, axis=1, keepdims=True)))
    nearer, farther = turns.copy(), lags.copy()
    for k, card in enumerate(cards):
        tried = turns[k] + _FINER_DEG
        sharp, best = np.zeros(len(tried)), np.zeros((len(tried), 2))
        for n, turn in enumerate(tried.tolist()):
            for axis, steep in enumerate(card.measure_steepness(turn)):
                looks = _at_all_lags(np.linalg.norm(steep, axis=1))
                unlike = np.square(looks - common[axis]) @ weight[axis]
                best[n, axis] = _find_peak(_LAGS.astype(np.float64), -unlike)
                sharp[n] += np.square(looks[unlike.argmin()] * common[axis]) @ weight[axis]
        nearer[k], farther[k] = _find_peak(tried, sharp), best[sharp.argmax()]
    return nearer, farther


def _measure_likeness(shown: Doubles) -> Doubles:
    """Measure how much each card's sides (n, k) look like those of most, (n,)."""
    looks = _normalise(shown)
    return np.asarray(looks @ _normalise(np.median(looks, axis=0)))


def _end(sides: Doubles, laid: float, seen: Doubles) -> tuple[float, float]:
    """Find how many mm farther on cards lie whose ``sides`` (n, 2, k, 3) look alike, and how near the next best is.

    They are as far apart as a card is wide where both are steep, and most so where it is the same on every card.
    Darker in all colours may be a shadow. ``laid`` is how many mm from their places they were found, ``seen`` how many
    farther on each one's outline (n,).
    """
    inwards = np.array([1.0, -1.0])[:, None]
    darker = np.minimum(sides.mean(axis=3) * inwards, 0.0) * inwards
    sides = sides - _END.shadow * darker[..., None]
    steep = np.linalg.norm(sides, axis=3).mean(axis=0)
    spread = np.sqrt(sides.var(axis=0).sum(axis=2) + np.square(_ALIGN.least_spread * steep))
    edge = steep * np.hypot(1.0, np.linalg.norm(sides.mean(axis=0), axis=2) / np.maximum(spread, 1e-9))
    edge = np.maximum(edge - np.median(edge[:, : _OUTSIDE // 2], axis=1, keepdims=True), 0.0)
    at = (np.arange(_DEEP) - _OUTSIDE) / _PX
    fit = np.sqrt(np.interp(_FURTHER_MM, at, edge[0]) * np.interp(-_FURTHER_MM, at, edge[1]))
    fit *= np.exp(-0.5 * np.square((_FURTHER_MM + laid) / _END.usual_mm))
    near = np.exp(-0.5 * np.square((_FURTHER_MM[:, None] - seen) / _END.seen_mm))
    fit *= _END.unseen + near.mean(axis=1)
    best = _find_peak(_FURTHER_MM, fit)
    rivals = fit[np.abs(_FURTHER_MM - best) > _END.apart_mm]
    return best, float(rivals.max() / max(fit.max(), 1e-9))
