"""From ends and their likeness to claims: what each card on the mat could be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.detect.corners import Corner, corner_of_card, has_partner
from vision.detect.pairing import OPPOSITE_DEG, ROUGHLY_MM, lies_on, pair_corners, pose_of
from vision.identify.similarity import NOTHING

_AGREE, FAINTER = 0.05, 0.6
"""Two ends whose names agree with less than this probability contradict each other; one is far fainter than the other
with less than this share of its score."""
_MISLED, _FAR_BETTER = 0.003, 3.0
"""So often an end does not show its card though it seems to. The more it fits worse (log odds) than the card's other
end, by more than the second, the likelier it is that one; the less likely the other. Of two that fit about as well and
contradict each other neither decides."""
_HALF_MISLED, _FADING, _HARDLY_SEEN = 47.0, 2.0, 0.5
"""Ends that fit no card better than the first (log odds) are as often misled as not, and e times less often for each of
the second above: as counted of 1741 among decks that training never saw. So is an end alone that is fainter than the
third."""
FAINT, UNCLEAR, HARDLY = 0.3, 0.45, 0.02
"""A back's end fainter than this, alone or among clear cards, is its pattern's repeat: a fan of backs is counted. It
has to reach the second where it shows nothing with more than this probability, as lines on a mat may cross like a
corner, and where it would lie through a far clearer card."""
SHOWS_WELL = 5e-5
"""An end alone, though nothing lies on the card's other end, has to show its card so well (its ``p_nothing`` is below
this) or to be clear: of the lines of a mat that meet like a corner some look like a back or a paper's print as well.
So has a card of which the detector hardly saw the one end and nothing of the other, whatever lies there."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A card on the mat before it has its name.

    ``probabilities`` gives the probability of each name of the deck, ``turned`` whether, under each name, the card's
    upper end is the second one, and ``p_nothing`` the probability that no end shows anything of this deck. ``whole``
    says that both ends show, ``opposite_empty`` that nothing of the deck shows where the other end should lie open. """

    corners: tuple[int, ...]
    x: float
    y: float
    angle: float
    probabilities: Floats
    turned: NDArray[np.bool_]
    p_nothing: float
    score: float
    whole: bool
    opposite_empty: bool = False


def form_hypotheses(
    corners: Sequence[Corner],
    odds: Floats,
    opposite_odds: Mapping[int, Floats] | None = None,
    distinctness: Floats | None = None,
) -> list[Hypothesis]:
    """What each card could be.

    Args:
        ends: the ends found.
        odds: their log odds (n, m) to the deck's ends (upper, lower, upper, …).
        behind: for ends found without their opposite end, the log odds (m) of what lies where that should be. It
            counts where it bears out what the found end says or fits a card far better; else another may lie there.
        apart: how far the deck's ends (m, m) are apart, 0 alike to 1 distinct (``Deck.distinctness``); all distinct if
            absent.
    """
    out = []
    for pair in pair_corners(corners):
        seen = [corner_probabilities(odds[k], distinctness) for k in pair]
        group = _without_suit_mark(pair, corners, seen)
        seen = [seen[pair.index(k)] for k in group]
        fits = [float(odds[k].max()) for k in group]
        whole = len(group) == 2 and all(p_nothing < 0.5 for _, p_nothing in seen)
        opposite_empty = False
        if len(group) == 1 and opposite_odds and group[0] in opposite_odds:
            other = corner_probabilities(opposite_odds[group[0]], distinctness)
            partner = has_partner(corners[group[0]], corners, ROUGHLY_MM, OPPOSITE_DEG)
            opposite_empty = other[1] > 0.5 and not partner and not _under_another(group[0], corners, odds)
            better = float(opposite_odds[group[0]].max()) - fits[0]
            alike = other[1] < 0.5 and _best(other[0]) == _best(seen[0][0])
            if seen[0][1] < 0.5 and (alike or (other[1] < HARDLY and better > _FAR_BETTER)):
                seen.append(other)
                fits.append(fits[0] + better)
                whole = True
        each = [probabilities for probabilities, _ in seen]
        if len(each) == 2:
            better = fits[0] - fits[1]
            each = [_tempered(each[0], fits[0], better), _tempered(each[1], fits[1], -better)]
        elif corners[group[0]].score < _HARDLY_SEEN:
            each = [_tempered(each[0], fits[0])]
        up, low = np.log(each[0][0::2]), np.log(each[0][1::2])
        for probabilities in each[1:]:
            up, low = up + np.log(probabilities[1::2]), low + np.log(probabilities[0::2])
        both = np.logaddexp(up, low)
        probabilities = np.exp(both - both.max())
        x, y, angle = pose_of([corners[k] for k in group])
        out.append(
            Hypothesis(
                group,
                x,
                y,
                angle,
                np.asarray(probabilities / probabilities.sum(), np.float32),
                low > up,
                float(np.prod([p_nothing for _, p_nothing in seen])),
                max(corners[k].score for k in group),
                whole,
                opposite_empty,
            )
        )
    return out


def _under_another(number: int, corners: Sequence[Corner], odds: Floats) -> bool:
    """Whether the other corner of an end's card lies under a card of which an end shows (log odds (n, m))."""
    corner = corners[number]
    far_corner = corner_of_card(*corner.centre, corner.angle + 180)
    return any(
        row.max() > NOTHING
        and other is not corner
        and lies_on(other, corner)
        and other.holds(far_corner.x, far_corner.y)
        for other, row in zip(corners, odds, strict=True)
    )


def _without_suit_mark(
    pair: tuple[int, ...], corners: Sequence[Corner], seen: Sequence[tuple[Floats, float]]
) -> tuple[int, ...]:
    """Of two ends opposite each other the one alone that is a card's, where the other is a mark seen upside down.

    That one is far fainter, and shows another card or none.
    """
    if len(pair) == 1:
        return pair
    clear, faint = sorted(pair, key=lambda k: -corners[k].score)
    if corners[faint].score >= FAINTER * corners[clear].score:
        return pair
    (one, p_nothing), (other, none_either) = (seen[pair.index(k)] for k in (clear, faint))
    if p_nothing > 0.5:
        return pair
    agree = float((one[0::2] + one[1::2]) @ (other[0::2] + other[1::2]))
    return (clear,) if none_either > 0.5 or agree < _AGREE else pair


def with_log_odds(hypothesis: Hypothesis, added: Floats) -> Hypothesis:
    """The claim once log odds (n) of the deck's names are added to what its ends say."""
    logs = np.log(np.maximum(hypothesis.probabilities, 1e-12)) + added
    probabilities = np.exp(logs - logs.max())
    return replace(hypothesis, probabilities=np.asarray(probabilities / probabilities.sum(), np.float32))


def _best(probabilities: Floats) -> int:
    return int((probabilities[0::2] + probabilities[1::2]).argmax())


def corner_probabilities(odds: Floats, distinctness: Floats | None = None) -> tuple[Floats, float]:
    """Probability of each of the deck's ends (m) from one end seen, and of its showing nothing of the deck.

    Between two of the deck's ends that hardly differ, a difference seen on the table is mostly noise, and counts as
    little as they differ: blank lower ends say nothing of which card it is, and look-alikes stay doubtful.
    """
    if distinctness is not None:
        best = int(odds.argmax())
        odds = odds[best] - (odds[best] - odds) * distinctness[best]
    top = max(float(odds.max()), NOTHING)
    p = np.exp(odds - top)
    p_nothing = math.exp(NOTHING - top)
    total = float(p.sum()) + p_nothing
    return np.asarray((p + p_nothing / len(p)) / total, np.float32), p_nothing / total


def _tempered(probabilities: Floats, fit: float, better: float = -math.inf) -> Floats:
    """An end's probabilities (m) as it may mislead.

    Args:
        chance: what it shows.
        fit: how well it fits the card that it fits best (log odds).
        better: by how much better than the card's other end does, negative where it fits worse; absent if none shows.
    """
    far = math.copysign(max(abs(better) - _FAR_BETTER, 0.0), better)
    most = max(_MISLED, math.exp((_HALF_MISLED - fit) / _FADING))
    odds = min(_MISLED * math.exp(-far), most)
    misled = odds / (1 + odds)
    return np.asarray((1 - misled) * probabilities + misled / len(probabilities), np.float32)


def shows_no_card(card: Hypothesis) -> bool:
    """Whether a claim shows nothing of the deck, or little at one end and nothing where the other should lie open."""
    return card.p_nothing >= 0.5 or (card.opposite_empty and card.p_nothing > SHOWS_WELL)


def too_faint_for_a_back(card: Hypothesis) -> bool:
    """Whether what shows a back's print is seen so faintly that it may be the pattern's repeat."""
    return len(card.corners) == 1 and card.score < (FAINT if card.p_nothing < HARDLY else UNCLEAR)
