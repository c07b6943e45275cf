"""Which suit a SEVEN card is of by the colour of its ink, held against the other cards on the same table.

Against the deck as it was learnt in another light colour says little (``vision.likeness``). But on one table the light
is one: among decks that training never saw, an ink differs there from the same suit's other cards by a degree or less,
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
    mine = [[k for k in claim.ends if inks[k].any()] for claim in found]
    of_ink = [int(suits[int(claim.chance.argmax())]) if claim.nothing < 0.5 else -1 for claim in found]
    known: list[list[int]] = [[] for _ in own]  # the claims whose ink is surely this
    for k, claim in enumerate(found):
        if of_ink[k] >= 0 and mine[k] and float(claim.chance.max()) > SURE:
            known[of_ink[k]].append(k)
    usual = [_median(inks, mine, some) for some in known]
    besides = {k: _median(inks, mine, [n for n in some if n != k]) for some in known for k in some}
    strays = [_degrees(inks[n], away) for k, away in besides.items() if away is not None for n in mine[k]]
    if len(own) < 2 or len(strays) < _LEAST_KNOWN:
        return list(found)
    off = max(_LEAST_DEG, float(np.median(strays)) / _MEDIAN)
    learnt = [_degrees(inks[n], own[of_ink[k]]) for k in besides for n in mine[k]]
    off_learnt = math.hypot(off, float(np.median(learnt)) / _MEDIAN)
    out = []
    for k, claim in enumerate(found):
        if of_ink[k] < 0 or not mine[k]:
            out.append(claim)
            continue
        odds = np.zeros(len(own))
        for ink, (enrolled, seen) in enumerate(zip(own, usual, strict=True)):
            here = besides[k] if k in besides and of_ink[k] == ink else seen
            many = len(known[ink]) - (k in known[ink])
            spread = off_learnt if here is None else off * math.sqrt(1 + 1 / many)
            away = np.array([_degrees(inks[n], enrolled if here is None else here) for n in mine[k]])
            odds[ink] = float((-2 * np.log1p(np.square(away / spread) / 2)).mean())  # Student's t of two degrees
        odds = np.maximum(odds - odds.max(), -MOST)
        added = np.where(suits < 0, 0.0, odds[suits])
        logs = np.log(np.maximum(claim.chance, 1e-12)) + added
        chance = np.exp(logs - logs.max())
        out.append(replace(claim, chance=np.asarray(chance / chance.sum(), np.float32)))
    return out


def _enrolled(deck: Deck) -> tuple[NDArray[np.intp], list[Floats]]:
    """Which of a deck's inks each of its cards has (-1: a paper or a back), and the inks (3,) as they were learnt."""
    suits = np.array(
        [name[0] if kind == "seven" else "" for name, kind in zip(deck.names, deck.kinds[0::2], strict=True)]
    )
    upper = np.array([own.ink for own in deck.prints[0::2]])
    numbers = np.full(len(suits), -1, np.intp)
    inks: list[Floats] = []
    for suit in sorted({*suits} - {""}):
        ink = np.asarray(upper[suits == suit].mean(axis=0), np.float32)
        same = next((n for n, other in enumerate(inks) if _degrees(ink, other) < _SAME_DEG), len(inks))
        inks += [ink] if same == len(inks) else []
        numbers[suits == suit] = same
    return numbers, inks


def _median(inks: Floats, mine: Sequence[Sequence[int]], some: Sequence[int]) -> Floats | None:
    """What the inks of some claims have in common; None without any."""
    rows = [n for k in some for n in mine[k]]
    return np.asarray(np.median(inks[rows], axis=0), np.float32) if rows else None


def _degrees(one: Floats, other: Floats) -> float:
    """The angle between two directions (3,)."""
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return math.degrees(math.acos(float(np.clip(one @ other / max(lengths, 1e-6), -1, 1))))
