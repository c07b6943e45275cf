"""What a whole card shows between its two ends, asked where these leave a doubt about its name.

An index may be tiny, worn or under glare at both ends, while the number, the pips or the text in the middle is plain to
see. A middle is compared with the enrolled middles of the likeliest names alone, and only where two of these differ, so
what all cards of a deck have in common says nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layouts import CARD_MM
from vision.arrays import Floats, Picture
from vision.assign.hypotheses import Hypothesis, with_log_odds
from vision.geometry import CROP_PX_PER_MM
from vision.identify.deck import CENTRE_CROP_SHAPE, Deck

CENTRE_CROP_MARGIN_PX = 5
"""How much more is cut all round on the table; the middle is looked for within that."""
WIDE_CENTRE_CROP_SHAPE = (
    CENTRE_CROP_SHAPE[0] + 2 * CENTRE_CROP_MARGIN_PX,
    CENTRE_CROP_SHAPE[1] + 2 * CENTRE_CROP_MARGIN_PX,
    3,
)
WIDE_CENTRE_CROP_MM = (WIDE_CENTRE_CROP_SHAPE[1] / CROP_PX_PER_MM, WIDE_CENTRE_CROP_SHAPE[0] / CROP_PX_PER_MM)
"""Width and height of what is cut on the table."""
CENTRE_CROP_ORIGIN_MM = ((CARD_MM[0] - WIDE_CENTRE_CROP_MM[0]) / 2, (CARD_MM[1] - WIDE_CENTRE_CROP_MM[1]) / 2)
"""Its upper left corner, from the card's."""

WEIGHT = 11.0
"""Log odds of a middle that is surely the one and not the other: as many as a duel's. Among decks that training never
saw, 76 of 132 middles spoke for the card's name and 2 against it, both hardly."""
_NO_DOUBT = 0.999
"""A card that is surer by its ends is not asked, unless another one claims the same name."""
_LEAST_RIVALS, _MOST_RIVALS, _FAINTEST, _NEGLIGIBLE = 3, 15, 1e-5, 0.005
"""A middle is compared with so many of the likeliest names, of some chance each, and with more where all others taken
together are not negligible."""
MOST = 8
"""So many middles are asked in one reading, the most doubtful first."""

_WHITE, _SOFT_PX = 200.0, 1.0
_SLACK_PX = 3
"""How far two enrolled middles may lie apart, and one from where the whole fits best."""
_BLOT_PX = 7
_GRAIN, _FAINTEST_PRINT, _SLIGHTLY = 2.0, 0.08, 0.1
"""Two middles differ where they are further apart than twice what they are on the whole, which is noise, than the
faintest of prints, and than a tenth of the most."""
_LEAST_PX = 60
_LEAST_SLOPE, _MOST_SLOPE, _LITTLE = 0.6, 1.4, 0.01
_CLEAR = 10.0
"""Middles that differ by this much (squared, summed up; 1 is white) are fully told apart."""
_LEAST_FIT, _NEITHER = 0.6, 0.7
"""What fits both worse than this correlation, or is as far from both as this share of what they are apart, is neither:
the card lies elsewhere, or under another whose end was not found."""
_FREE = 0.5
"""Where other cards leave less than this share of a middle, or of what two of them differ in, nothing is said."""


def shows_enough(occluded: Picture | None) -> bool:
    """Whether enough of a card's middle shows to be compared, where other cards hide this (130, 146) of it."""
    return occluded is None or bool(np.count_nonzero(occluded) < (1 - _FREE) * occluded.size)


def narrow_centre_crop(wide: Picture) -> Picture:
    """The middle (120, 136, 3) in what was cut with a margin, (130, 146, 3)."""
    return np.ascontiguousarray(
        wide[CENTRE_CROP_MARGIN_PX:-CENTRE_CROP_MARGIN_PX, CENTRE_CROP_MARGIN_PX:-CENTRE_CROP_MARGIN_PX]
    )


def cards_in_doubt(found: Sequence[Hypothesis], deck: Deck) -> dict[int, list[int]]:
    """The cards (by number, the most doubtful first) whose two ends leave a doubt, and the names that each may have.

    The names are numbers in the deck, the likeliest first. Of a card with one end another may hide the middle without
    being known to lie there.
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
            or (float(hypothesis.probabilities.max()) > _NO_DOUBT and not twice)
        ):
            continue
        order = np.argsort(-hypothesis.probabilities, kind="stable")
        far = 1 + int(np.count_nonzero(1 - np.cumsum(hypothesis.probabilities[order]) > _NEGLIGIBLE))
        some = [int(name) for name in order[: min(max(far, _LEAST_RIVALS + 1), _MOST_RIVALS + 1)]]
        names = [
            name
            for name in some
            if hypothesis.probabilities[name] > _FAINTEST and deck.cards[name].centre_crop is not None
        ]
        if len(names) > 1 and names[0] == best[k]:
            asked[k] = names
    return asked


def odds_by_centre_crop(
    hypothesis: Hypothesis, deck: Deck, names: Sequence[int], wide: Picture, occluded: Picture | None = None
) -> dict[int, float]:
    """Log odds of the names that a card may have, by its middle: 0 for the one that beats the others, down to −11.

    Args:
        claim: what the card is by its ends.
        deck: the enrolled deck.
        names: the names (numbers in the deck) that it may have, the likeliest first.
        wide: the card's middle with a margin of 5 px all round, (130, 146, 3) BGR uint8.
        hidden: where (130, 146) other cards lie on it, or glare has burnt it out: white there is no ground.
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
    """The claim once log odds of some names (numbers in the deck) are added to what its ends say."""
    all_odds = np.zeros_like(hypothesis.probabilities)
    for name, added in odds.items():
        all_odds[name] = added
    return with_log_odds(hypothesis, all_odds)


def normalised_centre_crop(crop: Picture) -> Floats:
    """A middle (h, w, 3) as middles are compared: about 1 where white, noise and the finest print softened."""
    return np.asarray(cv2.GaussianBlur(crop, (0, 0), _SOFT_PX) / np.float32(_WHITE), np.float32)


def odds_between(
    seen: Floats, enrolled: Mapping[int, Sequence[Floats]], visible_area: NDArray[np.bool_] | None = None
) -> dict[int, float]:
    """Log odds of names for a card by its middle: 0 for the one that beats the others, down to −11.

    Args:
        seen: the print of the card's middle with its margin (130, 146, 3).
        enrolled: for each name that it may have, the likeliest first, the enrolled middle's print (120, 136, 3), both
            ways up where the card may lie either way.
        free: where (130, 146) no other card lies on it; everywhere if absent.
    """
    placements = {name: max((_Placement.of(seen, way) for way in ways), key=_fit) for name, ways in enrolled.items()}
    ahead = next(iter(placements))
    met: set[int] = set()
    while ahead not in met:  # who beats the likeliest has to beat the others too
        met.add(ahead)
        won = {
            name: 0.0 if name == ahead else _won(seen, placements[ahead], placements[name], visible_area)
            for name in placements
        }
        ahead = min(won, key=lambda name: (won[name], name != ahead))
    return {name: -WEIGHT * share for name, share in won.items()}


@dataclass(frozen=True)
class _Placement:
    """An enrolled middle's print where it fits best in what is seen: its corner (px) there, and how well it fits."""

    crop: Floats
    x: int
    y: int
    fit: float

    @classmethod
    def of(cls, seen: Floats, crop: Floats) -> _Placement:
        _, fit, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(seen, crop, cv2.TM_CCOEFF_NORMED))
        return cls(crop, x, y, fit)


@dataclass(frozen=True)
class _Pair:
    """Two enrolled middles' prints (h, w, 3), the second laid over the first, and where (h, w) they differ.

    ``box`` (x, y, w, h px) is round all of that.
    """

    one: Floats
    other: Floats
    apart: NDArray[np.bool_]
    box: tuple[int, int, int, int]

    @classmethod
    def of(cls, one: Floats, other: Floats) -> _Pair:
        m = _SLACK_PX
        x, y = cv2.minMaxLoc(cv2.matchTemplate(other, one[m:-m, m:-m], cv2.TM_SQDIFF))[2]
        moved = np.array([[1, 0, x - m], [0, 1, y - m]], np.float32)
        how = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        laid = cv2.warpAffine(other, moved, one.shape[1::-1], flags=how, borderMode=cv2.BORDER_REPLICATE)
        laid = laid + np.median((one - laid)[::4, ::4].reshape(-1, 3), axis=0).astype(np.float32)
        away = np.square(one - laid)
        most = cv2.max(cv2.max(away[..., 0], away[..., 1]), away[..., 2])
        energy = np.asarray(cv2.blur(most, (_BLOT_PX, _BLOT_PX)))
        grain = _GRAIN * float(np.median(energy[::2, ::2]))
        apart = np.asarray(energy > max(_FAINTEST_PRINT**2, grain, _SLIGHTLY * float(energy.max())))
        x, y, w, h = cv2.boundingRect(apart.astype(np.uint8))
        return cls(one, np.asarray(laid, np.float32), apart, (x, y, w, h))


def _fit(placement: _Placement) -> float:
    return placement.fit


def _won(seen: Floats, one: _Placement, other: _Placement, visible_area: NDArray[np.bool_] | None) -> float:
    """From −1, the other middle, to 1, the one; 0 where they do not differ, or what is seen is like neither."""
    if max(one.fit, other.fit) < _LEAST_FIT:
        return 0.0
    pair = _Pair.of(one.crop, other.crop)
    h, w = pair.apart.shape
    there = slice(one.y, one.y + h), slice(one.x, one.x + w)
    visible = np.ones((h, w), np.bool_) if visible_area is None else visible_area[there]
    apart = pair.apart & visible
    if np.count_nonzero(apart) < max(_LEAST_PX, _FREE * np.count_nonzero(pair.apart)):
        return 0.0
    few = (visible & ~pair.apart)[::3, ::3]
    slope, offset = _light_on((pair.one + pair.other)[::3, ::3][few] / np.float32(2), seen[there][::3, ::3][few])
    x, y, w, h = pair.box
    inside = slice(y, y + h), slice(x, x + w)
    x0, y0 = max(one.x + x - _SLACK_PX, 0), max(one.y + y - _SLACK_PX, 0)
    around = np.ascontiguousarray(seen[y0 : one.y + y + h + _SLACK_PX, x0 : one.x + x + w + _SLACK_PX])
    mask = apart[inside].astype(np.float32)
    a, b = (np.asarray(crop[inside] * slope + offset, np.float32) for crop in (pair.one, pair.other))
    level = np.asarray(cv2.matchTemplate(np.square(around).sum(axis=2), mask, cv2.TM_CCORR), np.float32)
    off_one, off_other = (_misfit(around, level, crop, mask) for crop in (a, b))
    differ = float((np.square(a - b).sum(axis=2) * mask).sum())
    if min(off_one, off_other) > _NEITHER * differ:
        return 0.0
    won = (off_other - off_one) / max(differ, off_other + off_one)
    return won * math.sqrt(min(differ / _CLEAR, 1.0))


def _misfit(around: Floats, level: Floats, enrolled: Floats, mask: Floats) -> float:
    """By how much (squared, summed up) an enrolled part (h, w, 3) misfits under a mask (h, w) where it fits best.

    ``level`` is what the squares of ``around`` come to under the mask at each place: the square of the difference is
    worked out in its three terms, which is several times as quick as OpenCV's own masked comparison.
    """
    masked = enrolled * mask[..., None]
    off = level - 2 * cv2.matchTemplate(around, masked, cv2.TM_CCORR) + float((masked * enrolled).sum())
    return max(0.0, float(off.min()))


def _light_on(enrolled: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """Slope and offset (3) that bring enrolled points (n, 3) to the light in which the same points are seen."""
    if len(enrolled) < _LEAST_PX:
        return np.ones(3, np.float32), np.zeros(3, np.float32)
    own, theirs = (np.median(points, axis=0) for points in (enrolled, seen))
    little = _LITTLE * len(enrolled)
    slope = (((enrolled - own) * (seen - theirs)).sum(axis=0) + little) / (
        np.square(enrolled - own).sum(axis=0) + little
    )
    slope = np.clip(slope, _LEAST_SLOPE, _MOST_SLOPE)
    return np.asarray(slope, np.float32), np.asarray(theirs - slope * own, np.float32)
