"""Which suit a SEVEN card is of, by its ink colour against those of the other cards on the same table.

Against the deck, learnt in another light, colour says little (``identify.similarity``). On one table the light is one:
in most decks unseen in training an ink differs there from the same suit's other cards by a degree or less, and from
other suits' by four to twenty. So once some cards are surely named, the rank alone tells the suits whose inks differ,
though the next card lies on the mark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.assign.hypotheses import Hypothesis, with_log_odds
from vision.config import CONFIG
from vision.identify.deck import Deck, measure_degrees_between, normalise

_INK_COLOUR = CONFIG.assign.ink_colour


def by_ink_colour(found: Sequence[Hypothesis], ink_colours: Floats, deck: Deck) -> list[Hypothesis]:
    """Compare the hypotheses' ink colours and return the hypotheses with what that says added.

    Args:
        found: the cards on the mat by all else.
        ink_colours: for each corner that their ``corners`` number the direction (3,) in which its ink differs from the
            ground, as ``identify.similarity.compare`` has it; 0 where none was seen.
        deck: the enrolled deck.
    """
    suits, own = deck.ink_colours
    of_claim = [
        int(suits[int(hypothesis.probabilities.argmax())]) if hypothesis.p_nothing < 0.5 else -1 for hypothesis in found
    ]
    rows = [
        (k, n)
        for k, hypothesis in enumerate(found)
        if of_claim[k] >= 0
        for n in hypothesis.corners
        if ink_colours[n].any()
    ]
    if not rows or len(own) < 2:
        return list(found)
    card, seen = np.array([k for k, _ in rows]), ink_colours[[n for _, n in rows]]
    ink = np.array(of_claim)[card]
    sure = np.array([float(found[k].probabilities.max()) > _INK_COLOUR.sure for k in card])
    known = [np.flatnonzero(sure & (ink == each)) for each in range(len(own))]
    corners = {k: np.flatnonzero(card == k) for k in {*card.tolist()}}
    besides = {k: known[ink[at[0]]][card[known[ink[at[0]]]] != k] for k, at in corners.items() if sure[at[0]]}
    theirs = {k: _find_common(seen[some]) for k, some in besides.items() if len(some)}
    strays = [measure_degrees_between(seen[corners[k]], direction) for k, direction in theirs.items()]
    if sum(len(each) for each in strays) < _INK_COLOUR.min_known:
        return list(found)
    off = max(_INK_COLOUR.min_deg, float(np.median(np.concatenate(strays))) / _INK_COLOUR.median_share)
    off_learnt = math.hypot(
        off, float(np.median(measure_degrees_between(seen[sure], own[ink[sure]]))) / _INK_COLOUR.median_share
    )

    def measure_spread(some: NDArray[np.intp]) -> float:
        return off * math.sqrt(1 + 1 / len({*card[some].tolist()})) if len(some) else off_learnt

    common = np.stack([_find_common(seen[some]) if len(some) else own[each] for each, some in enumerate(known)])
    away = measure_degrees_between(seen[:, None], common[None]) / [measure_spread(some) for some in known]
    for k, some in besides.items():  # a card is not held against itself
        at, own_ink = corners[k], ink[corners[k][0]]
        away[at, own_ink] = measure_degrees_between(seen[at], theirs.get(k, own[own_ink])) / measure_spread(some)
    fits = -2 * np.log1p(np.square(away) / 2)  # Student's t of two degrees of freedom
    out = list(found)
    for k, at in corners.items():
        odds = fits[at].mean(axis=0)
        odds = np.maximum(odds - odds.max(), -_INK_COLOUR.max_odds)
        out[k] = with_log_odds(found[k], np.where(suits < 0, 0.0, odds[suits]).astype(np.float32))
    return out


def _find_common(ink_colours: Floats) -> Floats:
    """Find the direction (3,) that several directions (n, 3) have in common."""
    return normalise(np.median(ink_colours, axis=0))
