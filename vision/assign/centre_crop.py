"""What a whole card shows between its two corners, compared where these leave a doubt about its name.

An index may be tiny, worn or under glare at both corners, while the number, the pips or the text in the centre is plain
to see. A centre crop is compared with the enrolled ones of the likeliest names alone, and only where two of these
differ, so what all cards of a deck have in common says nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_MM
from vision.arrays import Floats, Picture
from vision.assign.hypotheses import Hypothesis, with_log_odds
from vision.config import CONFIG
from vision.geometry import CENTRE_CROP_SHAPE, CROP_PX_PER_MM, CropWindow
from vision.identify.aligner import cut_under, find_likest_place, find_nearest_place, lie_at
from vision.identify.deck import Deck

_CENTRE_CROP = CONFIG.assign.centre_crop
_CENTRE_PRINT = CONFIG.assign.centre_print


def _with_margin() -> CropWindow:
    height, width, _ = CENTRE_CROP_SHAPE
    size = tuple((side + 2 * _CENTRE_CROP.margin_px) / CROP_PX_PER_MM for side in (width, height))
    (w, h), (card_w, card_h) = size, CARD_MM
    return CropWindow(((card_w - w) / 2, (card_h - h) / 2), (w, h))


WIDE_CENTRE_CROP = _with_margin()
"""What is cut of a card on the table."""


def shows_enough(occluded: Picture | None) -> bool:
    """Tell whether enough of a centre crop shows to be compared, where other cards hide this (130, 146) of it."""
    return occluded is None or bool(np.count_nonzero(occluded) < (1 - _CENTRE_CROP.min_visible) * occluded.size)


def narrow_centre_crop(wide: Picture) -> Picture:
    """Cut out the centre crop (120, 136, 3) in what was cut with a margin, (130, 146, 3)."""
    return np.ascontiguousarray(
        wide[_CENTRE_CROP.margin_px : -_CENTRE_CROP.margin_px, _CENTRE_CROP.margin_px : -_CENTRE_CROP.margin_px]
    )


def find_cards_in_doubt(found: Sequence[Hypothesis], deck: Deck) -> dict[int, list[int]]:
    """Find the cards (by number, most doubtful first) whose two corners leave a doubt, and the names each may have.

    The names are numbers in the deck, the likeliest first. A card with one corner is left out: another may hide its
    centre without being known to lie there.
    """
    best = [int(hypothesis.probabilities.argmax()) for hypothesis in found]
    claimed = Counter(best)
    asked = {}
    for k in sorted(range(len(found)), key=lambda k: float(found[k].probabilities.max())):
        hypothesis = found[k]
        twice = claimed[best[k]] > 1 and deck.kinds[2 * best[k]] == "seven"
        if (
            len(hypothesis.corners) < 2
            or hypothesis.p_nothing > 0.5
            or (float(hypothesis.probabilities.max()) > _CENTRE_CROP.no_doubt and not twice)
        ):
            continue
        order = np.argsort(-hypothesis.probabilities, kind="stable")
        far = 1 + int(np.count_nonzero(1 - np.cumsum(hypothesis.probabilities[order]) > _CENTRE_CROP.negligible))
        some = [int(name) for name in order[: min(max(far, _CENTRE_CROP.min_rivals + 1), _CENTRE_CROP.max_rivals + 1)]]
        names = [
            name
            for name in some
            if hypothesis.probabilities[name] > _CENTRE_CROP.min_probability
            and deck.cards[name].centre_crop is not None
        ]
        if len(names) > 1 and names[0] == best[k]:
            asked[k] = names
    return asked


def odds_by_centre_crop(
    hypothesis: Hypothesis, deck: Deck, names: Sequence[int], wide: Picture, occluded: Picture | None = None
) -> dict[int, float]:
    """Log odds of the names that a card may have, by its centre crop: 0 for the one that beats the others, down to −11.

    Args:
        hypothesis: what the card is by its corners.
        deck: the enrolled deck.
        names: the names (numbers in the deck) that it may have, the likeliest first.
        wide: the centre crop with a margin of 5 px all round, (130, 146, 3) BGR uint8.
        occluded: where (130, 146) other cards lie on it, or glare has clipped it: white there is no ground.
    """
    enrolled: dict[int, list[Floats]] = {}
    for name in names:
        crop = deck.cards[name].centre_crop
        if crop is not None:
            upright = normalised_centre_crop(crop)
            ways = [upright, np.ascontiguousarray(upright[::-1, ::-1])]
            enrolled[name] = ways if deck.symmetric[name] else [ways[int(hypothesis.turned[name])]]
    return odds_between(normalised_centre_crop(wide), enrolled, None if occluded is None else occluded == 0)


def with_odds(hypothesis: Hypothesis, odds: Mapping[int, float]) -> Hypothesis:
    """Return the hypothesis with log odds of some names (numbers in the deck) added to what its corners say."""
    all_odds = np.zeros_like(hypothesis.probabilities)
    for name, added in odds.items():
        all_odds[name] = added
    return with_log_odds(hypothesis, all_odds)


def normalised_centre_crop(crop: Picture) -> Floats:
    """Bring a centre crop (h, w, 3) to the compared form: about 1 where white, noise and the finest print softened."""
    return np.asarray(
        cv2.GaussianBlur(crop, (0, 0), _CENTRE_PRINT.blur_px) / np.float32(_CENTRE_PRINT.white), np.float32
    )


def odds_between(
    seen: Floats, enrolled: Mapping[int, Sequence[Floats]], visible_area: NDArray[np.bool_] | None = None
) -> dict[int, float]:
    """Log odds of names for a card by its centre crop: 0 for the one that beats the others, down to −11.

    Args:
        seen: the normalised centre crop with its margin (130, 146, 3).
        enrolled: for each name that it may have, the likeliest first, the enrolled one, normalised (120, 136, 3), both
            ways up where the card may lie either way.
        visible_area: where (130, 146) no other card lies on it; everywhere if absent.
    """
    placements = {
        name: max((_Placement.from_crops(seen, way) for way in ways), key=_fit) for name, ways in enrolled.items()
    }
    ahead = next(iter(placements))
    met: set[int] = set()
    while ahead not in met:  # who beats the likeliest has to beat the others too
        met.add(ahead)
        won = {
            name: 0.0 if name == ahead else _compare_pair(seen, placements[ahead], placements[name], visible_area)
            for name in placements
        }
        ahead = min(won, key=lambda name: (won[name], name != ahead))
    return {name: -_CENTRE_CROP.weight * share for name, share in won.items()}


@dataclass(frozen=True)
class _Placement:
    """An enrolled centre crop where it fits best in what is seen: its corner (px) there, and how well it fits."""

    crop: Floats
    x: int
    y: int
    fit: float

    @classmethod
    def from_crops(cls, seen: Floats, crop: Floats) -> _Placement:
        fit, x, y = find_likest_place(seen, crop)
        return cls(crop, x, y, fit)


@dataclass(frozen=True)
class _Pair:
    """Two enrolled centre crops (h, w, 3), the second aligned to the first, and where (h, w) they differ.

    ``box`` (x, y, w, h px) is round all of that.
    """

    one: Floats
    other: Floats
    apart: NDArray[np.bool_]
    box: tuple[int, int, int, int]

    @classmethod
    def from_crops(cls, one: Floats, other: Floats) -> _Pair:
        m = _CENTRE_PRINT.slack_px
        x, y = find_nearest_place(other, one[m:-m, m:-m])
        laid = cut_under(other, lie_at(x - m, y - m), one.shape[1::-1], cv2.INTER_NEAREST)
        laid = laid + np.median((one - laid)[::4, ::4].reshape(-1, 3), axis=0).astype(np.float32)
        away = np.square(one - laid)
        most = cv2.max(cv2.max(away[..., 0], away[..., 1]), away[..., 2])
        energy = np.asarray(cv2.blur(most, (_CENTRE_PRINT.blot_px, _CENTRE_PRINT.blot_px)))
        grain = _CENTRE_PRINT.noise_factor * float(np.median(energy[::2, ::2]))
        apart = np.asarray(
            energy > max(_CENTRE_PRINT.min_difference**2, grain, _CENTRE_PRINT.min_share * float(energy.max()))
        )
        x, y, w, h = cv2.boundingRect(apart.astype(np.uint8))
        return cls(one, laid, apart, (x, y, w, h))


def _fit(placement: _Placement) -> float:
    return placement.fit


def _compare_pair(seen: Floats, one: _Placement, other: _Placement, visible_area: NDArray[np.bool_] | None) -> float:
    """Compare the two: from −1, the other one, to 1, the one; 0 where they are alike or it is like neither."""
    if max(one.fit, other.fit) < _CENTRE_CROP.min_fit:
        return 0.0
    pair = _Pair.from_crops(one.crop, other.crop)
    h, w = pair.apart.shape
    there = slice(one.y, one.y + h), slice(one.x, one.x + w)
    visible = np.ones((h, w), np.bool_) if visible_area is None else visible_area[there]
    apart = pair.apart & visible
    if np.count_nonzero(apart) < max(_CENTRE_PRINT.min_px, _CENTRE_CROP.min_visible * np.count_nonzero(pair.apart)):
        return 0.0
    few = (visible & ~pair.apart)[::3, ::3]
    slope, offset = _find_light((pair.one + pair.other)[::3, ::3][few] / np.float32(2), seen[there][::3, ::3][few])
    x, y, w, h = pair.box
    inside = slice(y, y + h), slice(x, x + w)
    x0, y0 = max(one.x + x - _CENTRE_PRINT.slack_px, 0), max(one.y + y - _CENTRE_PRINT.slack_px, 0)
    around = np.ascontiguousarray(
        seen[y0 : one.y + y + h + _CENTRE_PRINT.slack_px, x0 : one.x + x + w + _CENTRE_PRINT.slack_px]
    )
    mask = apart[inside].astype(np.float32)
    a, b = (np.asarray(crop[inside] * slope + offset, np.float32) for crop in (pair.one, pair.other))
    level = np.asarray(cv2.matchTemplate(np.square(around).sum(axis=2), mask, cv2.TM_CCORR), np.float32)
    off_one, off_other = (_measure_misfit(around, level, crop, mask) for crop in (a, b))
    differ = float((np.square(a - b).sum(axis=2) * mask).sum())
    if min(off_one, off_other) > _CENTRE_CROP.neither_share * differ:
        return 0.0
    won = (off_other - off_one) / max(differ, off_other + off_one)
    return won * math.sqrt(min(differ / _CENTRE_CROP.clear_misfit, 1.0))


def _measure_misfit(around: Floats, level: Floats, enrolled: Floats, mask: Floats) -> float:
    """Measure how much (squared, summed up) an enrolled part (h, w, 3) misfits under a mask (h, w) at its best place.

    ``level`` is what the squares of ``around`` come to under the mask at each place. The square of the difference is
    worked out in its three terms, which is several times as quick as OpenCV's own masked comparison.
    """
    masked = enrolled * mask[..., None]
    off = level - 2 * cv2.matchTemplate(around, masked, cv2.TM_CCORR) + float((masked * enrolled).sum())
    return max(0.0, float(off.min()))


def _find_light(enrolled: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """Find the slope and offset (3) that bring enrolled points (n, 3) to the light in which they are seen."""
    if len(enrolled) < _CENTRE_PRINT.min_px:
        return np.ones(3, np.float32), np.zeros(3, np.float32)
    own, theirs = (np.median(points, axis=0) for points in (enrolled, seen))
    little = _CENTRE_PRINT.slope_prior * len(enrolled)
    slope = (((enrolled - own) * (seen - theirs)).sum(axis=0) + little) / (
        np.square(enrolled - own).sum(axis=0) + little
    )
    slope = np.clip(slope, _CENTRE_PRINT.min_slope, _CENTRE_PRINT.max_slope)
    return np.asarray(slope, np.float32), np.asarray(theirs - slope * own, np.float32)
