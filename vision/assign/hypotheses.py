"""From corners and their similarities to hypotheses: what each card on the mat could be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.config import CONFIG
from vision.detect.corners import Corner, corner_of_card, has_partner
from vision.detect.pairing import is_on_card, pair_corners, pose_of

_PAIRING = CONFIG.detect.pairing
_SIMILARITY = CONFIG.identify.similarity
_HYPOTHESIS = CONFIG.assign.hypothesis


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A card on the mat before it has its name.

    ``probabilities`` are those of each name of the deck, ``turned`` says whether, under each name, the card's upper
    corner is the second one, and ``p_nothing`` is the probability that no corner shows anything of this deck. ``whole``
    says that both corners show, ``opposite_empty`` that nothing of the deck shows where the other one should lie open.
    ``foreign`` is the name (its number in the deck) that it seems to have and has not: then all names are as likely.
    """

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
    foreign: int | None = None


def form_hypotheses(
    corners: Sequence[Corner], odds: Floats, opposite_odds: Mapping[int, Floats] | None = None
) -> list[Hypothesis]:
    """Work out what each card could be.

    Args:
        corners: the corners found.
        odds: their log odds (n, m) to the deck's corners (upper, lower, upper, …).
        opposite_odds: for corners found without the card's other one, the log odds (m) of what lies where that should
            be. It counts where it bears out what the found corner says or fits a card far better; else another may lie
            there.
    """
    out = []
    for pair in pair_corners(corners):
        seen = [corner_probabilities(odds[k]) for k in pair]
        group = _drop_suit_mark(pair, corners, seen)
        seen = [seen[pair.index(k)] for k in group]
        fits = [float(odds[k].max()) for k in group]
        whole = len(group) == 2 and all(p_nothing < 0.5 for _, p_nothing in seen)
        opposite_empty = False
        if len(group) == 1 and opposite_odds and group[0] in opposite_odds:
            other = corner_probabilities(opposite_odds[group[0]])
            partner = has_partner(corners[group[0]], corners, _PAIRING.rough_centre_mm, _PAIRING.facing_deg)
            opposite_empty = other[1] > 0.5 and not partner and not _is_under_another(group[0], corners, odds)
            better = float(opposite_odds[group[0]].max()) - fits[0]
            alike = other[1] < 0.5 and _find_best(other[0]) == _find_best(seen[0][0])
            if seen[0][1] < 0.5 and (
                alike or (other[1] < _HYPOTHESIS.max_nothing and better > _HYPOTHESIS.far_better_odds)
            ):
                seen.append(other)
                fits.append(fits[0] + better)
                whole = True
        each = [probabilities for probabilities, _ in seen]
        if len(each) == 2:
            better = fits[0] - fits[1]
            each = [_temper(each[0], fits[0], better), _temper(each[1], fits[1], -better)]
        elif corners[group[0]].score < _HYPOTHESIS.hardly_seen_score:
            each = [_temper(each[0], fits[0])]
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


def _is_under_another(number: int, corners: Sequence[Corner], odds: Floats) -> bool:
    """Tell whether the other corner of a corner's card lies under a card of which a corner shows (log odds (n, m))."""
    corner = corners[number]
    far_corner = corner_of_card(*corner.centre, corner.angle + 180)
    return any(
        row.max() > _SIMILARITY.nothing_odds
        and other is not corner
        and is_on_card(other, corner)
        and other.covers(far_corner.x, far_corner.y)
        for other, row in zip(corners, odds, strict=True)
    )


def _drop_suit_mark(
    pair: tuple[int, ...], corners: Sequence[Corner], seen: Sequence[tuple[Floats, float]]
) -> tuple[int, ...]:
    """Return the one of two corners opposite each other alone, where the other is a suit mark seen upside down.

    That one is far fainter, and shows another card or none.
    """
    if len(pair) == 1:
        return pair
    clear, faint = sorted(pair, key=lambda k: -corners[k].score)
    if corners[faint].score >= _HYPOTHESIS.fainter_share * corners[clear].score:
        return pair
    (one, p_nothing), (other, none_either) = (seen[pair.index(k)] for k in (clear, faint))
    if p_nothing > 0.5:
        return pair
    agree = float((one[0::2] + one[1::2]) @ (other[0::2] + other[1::2]))
    return (clear,) if none_either > 0.5 or agree < _HYPOTHESIS.contradiction else pair


def with_log_odds(hypothesis: Hypothesis, added: Floats) -> Hypothesis:
    """Return the hypothesis with log odds (n) of the deck's names added to what its corners say."""
    logs = np.log(np.maximum(hypothesis.probabilities, 1e-12)) + added
    probabilities = np.exp(logs - logs.max())
    return replace(hypothesis, probabilities=np.asarray(probabilities / probabilities.sum(), np.float32))


def as_foreign(hypothesis: Hypothesis) -> Hypothesis:
    """Turn the hypothesis into that of a card that only looks like the one it was likeliest to be."""
    n = len(hypothesis.probabilities)
    likeliest = int(hypothesis.probabilities.argmax())
    return replace(hypothesis, probabilities=np.full(n, 1 / n, np.float32), foreign=likeliest)


def as_named(hypothesis: Hypothesis, name: int, sure: float) -> Hypothesis:
    """Form the hypothesis of a card that is as surely that one, a number in the deck; all others are as likely."""
    probabilities = np.full(len(hypothesis.probabilities), (1 - sure) / (len(hypothesis.probabilities) - 1), np.float32)
    probabilities[name] = sure
    return replace(hypothesis, probabilities=probabilities, foreign=None)


def _find_best(probabilities: Floats) -> int:
    return int((probabilities[0::2] + probabilities[1::2]).argmax())


def corner_probabilities(odds: Floats, distinctness: Floats | None = None) -> tuple[Floats, float]:
    """Compute the probability of each of the deck's corners (m) from one corner seen, and of its showing nothing.

    Between two of the deck's corners that hardly differ, a difference seen on the table is mostly noise, and counts as
    little as they differ: blank lower corners say nothing of which card it is, and look-alikes stay doubtful.
    """
    if distinctness is not None:
        best = int(odds.argmax())
        odds = odds[best] - (odds[best] - odds) * distinctness[best]
    top = max(float(odds.max()), _SIMILARITY.nothing_odds)
    p = np.exp(odds - top)
    p_nothing = math.exp(_SIMILARITY.nothing_odds - top)
    total = float(p.sum()) + p_nothing
    return np.asarray((p + p_nothing / len(p)) / total, np.float32), p_nothing / total


def _temper(probabilities: Floats, fit: float, better: float = -math.inf) -> Floats:
    """Temper a corner's probabilities (m) by how far it may mislead.

    Args:
        probabilities: what it shows.
        fit: how well it fits the card that it fits best (log odds).
        better: by how much better than the card's other corner does, negative where it fits worse; absent if none
            shows.
    """
    far = math.copysign(max(abs(better) - _HYPOTHESIS.far_better_odds, 0.0), better)
    most = max(_HYPOTHESIS.misled, math.exp((_HYPOTHESIS.half_misled_odds - fit) / _HYPOTHESIS.misled_decay_odds))
    odds = min(_HYPOTHESIS.misled * math.exp(-far), most)
    misled = odds / (1 + odds)
    return np.asarray((1 - misled) * probabilities + misled / len(probabilities), np.float32)


def shows_no_card(card: Hypothesis) -> bool:
    """Tell whether a card shows nothing of the deck, or little at one corner and nothing at an open other one."""
    return card.p_nothing >= 0.5 or (card.opposite_empty and card.p_nothing > _HYPOTHESIS.max_nothing_alone)


def is_too_faint_for_a_back(card: Hypothesis) -> bool:
    """Tell whether what shows a back is seen so faintly that it may be its pattern's repeat."""
    return len(card.corners) == 1 and card.score < (
        _HYPOTHESIS.faint_score if card.p_nothing < _HYPOTHESIS.max_nothing else _HYPOTHESIS.unclear_score
    )
