"""Which suit a SEVEN card is of by the colour of its ink, held against the other cards on the same table.

Against the deck as it was learnt in another light colour says little (``vision.likeness``). But on one table the light
is one: in most decks that training never saw an ink differs there from the same suit's other cards by a degree or less,
and from other suits' by four to twenty. So once some cards are surely named, the rank alone tells the suits whose inks
differ, though the next card lies on the mark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.decode import Claim
from vision.networks import Floats

SURE = 0.99
"""Cards named with this probability by all else show what a suit's ink looks like on this table."""
MOST = 6.0
"""Log odds against an ink that is surely another one: print under glare or another card's edge may look like any."""
_SAME_DEG = 2.0
"""Suits whose enrolled inks differ by no more than this are printed in one."""
_LEAST_KNOWN = 6
"""With fewer cards to go by nothing is said."""
_LEAST_DEG, _MEDIAN = 0.7, 1.18
"""Inks stray by no less than this, and a half of them by no more than so many times their deviation."""


def by_ink(found: Sequence[Claim], inks: Floats, deck: Deck) -> list[Claim]:
    """The claims once their inks were compared.

    Args:
        found: the cards on the mat by all else.
        inks: for each end that their ``ends`` number the direction (3,) in which its ink differs from the ground, as
            ``vision.deck.ink_direction`` has it; 0 where none was seen.
        deck: the enrolled deck.
    """
    suits, own = _enrolled(deck)
    of_claim = [int(suits[int(claim.chance.argmax())]) if claim.nothing < 0.5 else -1 for claim in found]
    rows = [(k, n) for k, claim in enumerate(found) if of_claim[k] >= 0 for n in claim.ends if inks[n].any()]
    if not rows or len(own) < 2:
        return list(found)
    card, seen = np.array([k for k, _ in rows]), inks[[n for _, n in rows]]
    ink = np.array(of_claim)[card]
    sure = np.array([float(found[k].chance.max()) > SURE for k in card])
    known = [np.flatnonzero(sure & (ink == each)) for each in range(len(own))]
    ends = {k: np.flatnonzero(card == k) for k in {*card.tolist()}}
    besides = {k: known[ink[at[0]]][card[known[ink[at[0]]]] != k] for k, at in ends.items() if sure[at[0]]}
    theirs = {k: _common(seen[some]) for k, some in besides.items() if len(some)}
    strays = [_degrees(seen[ends[k]], direction) for k, direction in theirs.items()]
    if sum(len(each) for each in strays) < _LEAST_KNOWN:
        return list(found)
    off = max(_LEAST_DEG, float(np.median(np.concatenate(strays))) / _MEDIAN)
    off_learnt = math.hypot(off, float(np.median(_degrees(seen[sure], own[ink[sure]]))) / _MEDIAN)

    def spread(some: NDArray[np.intp]) -> float:
        return off * math.sqrt(1 + 1 / len({*card[some].tolist()})) if len(some) else off_learnt

    common = np.stack([_common(seen[some]) if len(some) else own[each] for each, some in enumerate(known)])
    away = _degrees(seen[:, None], common[None]) / [spread(some) for some in known]
    for k, some in besides.items():  # a card is not held against itself
        at, own_ink = ends[k], ink[ends[k][0]]
        away[at, own_ink] = _degrees(seen[at], theirs.get(k, own[own_ink])) / spread(some)
    fits = -2 * np.log1p(np.square(away) / 2)  # Student's t of two degrees of freedom
    out = list(found)
    for k, at in ends.items():
        odds = fits[at].mean(axis=0)
        odds = np.maximum(odds - odds.max(), -MOST)
        logs = np.log(np.maximum(found[k].chance, 1e-12)) + np.where(suits < 0, 0.0, odds[suits])
        chance = np.exp(logs - logs.max())
        out[k] = replace(found[k], chance=np.asarray(chance / chance.sum(), np.float32))
    return out


def _enrolled(deck: Deck) -> tuple[NDArray[np.intp], Floats]:
    """Which of a deck's inks each of its cards has (-1: a paper or a back), and the inks (n, 3) as they were learnt."""
    suits = np.array(
        [name[0] if kind == "seven" else "" for name, kind in zip(deck.names, deck.kinds[0::2], strict=True)]
    )
    upper = np.array([own.ink for own in deck.prints[0::2]])
    numbers = np.full(len(suits), -1, np.intp)
    inks: list[Floats] = []
    for suit in sorted({*suits.tolist()} - {""}):
        ink = _unit(upper[suits == suit].mean(axis=0))
        same = next((n for n, other in enumerate(inks) if _degrees(ink, other) < _SAME_DEG), len(inks))
        inks += [ink] if same == len(inks) else []
        numbers[suits == suit] = same
    return numbers, np.array(inks, np.float32).reshape(-1, 3)


def _common(inks: Floats) -> Floats:
    """The direction (3,) that some (n, 3) have in common."""
    return _unit(np.median(inks, axis=0))


def _unit(direction: Floats) -> Floats:
    return np.asarray(direction / max(float(np.linalg.norm(direction)), 1e-6), np.float32)


def _degrees(one: Floats, other: Floats) -> NDArray[np.float64]:
    """The angles between unit directions (…, 3) and others (…, 3)."""
    return np.asarray(np.degrees(np.arccos(np.clip((one * other).sum(axis=-1, dtype=np.float64), -1, 1))))
