"""From ends and their looks to cards: which ends are one card, what each card is, and which can't be told.

The table is decoded as a whole: every SEVEN card exists once and every paper kind in a known number, so a name goes to
the card that claims it best, and a card that loses its name is reported as doubtful rather than given its second best.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.layouts import CARD_MM
from referee.table import Sighting, Unread
from vision.deck import BACK, SEVEN_NAMES, Deck
from vision.networks import End, Floats

SURE = 0.90
"""A name is given from this probability on."""
LIKE = 0.42
"""Below this likeness to every card of the deck, what was found is none of its cards."""
_SLIP = 0.02
"""Share of ends that show something else than they should (glare, a finger, a neighbour); keeps one end from ruling."""
_SAME_PLACE_MM = 9.0
_OPPOSITE_DEG = 14.0


@dataclass(frozen=True, slots=True)
class Claim:
    """A card on the mat before it has its name.

    ``chance`` gives the probability of each name of the deck, ``like`` the best likeness of its ends, and ``turned``
    whether, under each name, the card's upper end is the second one.
    """

    ends: tuple[int, ...]
    x: float
    y: float
    angle: float
    chance: Floats
    like: Floats
    turned: NDArray[np.bool_]
    score: float


def _apart(a: float, b: float) -> float:
    """Angle between two directions, 0 to 180 degrees."""
    return abs((a - b + 180) % 360 - 180)


def pair_ends(ends: Sequence[End]) -> list[tuple[int, ...]]:
    """Put the two ends of one whole card together; what stays alone is a covered card's only end."""
    options = []
    for i, a in enumerate(ends):
        for j in range(i + 1, len(ends)):
            b = ends[j]
            gap = math.dist(a.centre, b.centre)
            off = 180 - _apart(a.angle, b.angle)
            if gap < _SAME_PLACE_MM and off < _OPPOSITE_DEG:
                options.append((gap + off / 3, i, j))
    taken: set[int] = set()
    groups: list[tuple[int, ...]] = []
    for _, i, j in sorted(options):
        if i not in taken and j not in taken:
            groups.append((i, j))
            taken |= {i, j}
    groups += [(i,) for i in range(len(ends)) if i not in taken]
    return groups


def claims(ends: Sequence[End], odds: Floats, like: Floats) -> list[Claim]:
    """What each card could be, from its ends' log odds (n, m) and likeness (n, m) to the deck's ends."""
    if not ends:
        return []
    upper, lower = like[:, 0::2], like[:, 1::2]
    sure = _robust(odds)
    out = []
    for group in pair_ends(ends):
        first = group[0]
        up, low = sure[first, 0::2], sure[first, 1::2]
        if len(group) == 2:
            other = sure[group[1]]
            up, low = up + other[1::2], low + other[0::2]
        both = np.logaddexp(up, low)
        chance = np.exp(both - both.max())
        chance /= chance.sum()
        best = np.maximum(upper[list(group)], lower[list(group)]).max(0)
        x, y, angle = _pose([ends[k] for k in group])
        out.append(
            Claim(
                group,
                x,
                y,
                angle,
                chance.astype(np.float32),
                best.astype(np.float32),
                low > up,
                max(ends[k].score for k in group),
            )
        )
    return out


def _robust(odds: Floats) -> Floats:
    """Log probability of each of the deck's ends (m) for each end seen (n), as (n, m)."""
    p = np.exp(odds - odds.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    return np.asarray(np.log((1 - _SLIP) * p + _SLIP / p.shape[1]), np.float32)


def _pose(ends: Sequence[End]) -> tuple[float, float, float]:
    if len(ends) == 1:
        (x, y), angle = ends[0].centre, ends[0].angle
        return x, y, angle
    a, b = ends
    # Each end errs in its angle; the line between the two anchors, 70 mm apart along the card, errs far less.
    width, height = CARD_MM[0] - 18, CARD_MM[1] - 18
    angle = math.degrees(math.atan2(b.y - a.y, b.x - a.x) - math.atan2(height, width)) % 360
    return (a.x + b.x) / 2, (a.y + b.y) / 2, angle


def decode(
    found: Sequence[Claim], deck: Deck, copies: dict[str, int], causes: Sequence[str]
) -> tuple[list[Sighting], list[Unread]]:
    """Give every card its name or say that it can't be read.

    Args:
        found: the cards on the mat.
        deck: the enrolled deck.
        copies: how many there are of each paper kind; SEVEN cards are single, backs without number.
        causes: for each card, why it would be hard to read (``glare``, ``covered`` …), or ``doubtful``.
    """
    names = deck.names
    seven = set(SEVEN_NAMES)
    order = sorted(range(len(found)), key=lambda k: -float(found[k].chance.max()))
    left: dict[str, int] = {}
    sightings: list[Sighting] = []
    unread: list[Unread] = []
    for k in order:
        card = found[k]
        best = int(card.chance.argmax())
        name = names[best]
        sure = float(card.chance[best])
        if float(card.like[best]) < LIKE:
            if card.score > 0.75 and len(card.ends) == 2:
                unread.append(_unread(card, names, causes[k]))
            continue
        key = name.split("/")[0]
        twin = next((s for s in sightings if s.name == name and _same_card(s, card, name in seven)), None)
        if twin is not None:
            continue
        if sure < SURE:
            unread.append(_unread(card, names, causes[k]))
            continue
        stock = 1 if name in seven else copies.get(key, len(found))
        if name != BACK and left.setdefault(key, stock) <= 0:
            unread.append(_unread(card, names, "doubtful"))
            continue
        left[key] = left.get(key, stock) - 1
        angle = card.angle
        if bool(card.turned[best]) and (key != name or (name in seven and not _symmetric(deck, best))):
            angle = (angle + 180) % 360
        visible = 1.0 if len(card.ends) == 2 else 0.4
        sightings.append(Sighting(name, card.x, card.y, angle, sure, visible))
    return sightings, [
        u for u in unread if not any(math.hypot(u.x - s.x, u.y - s.y) < _SAME_PLACE_MM for s in sightings)
    ]


def _symmetric(deck: Deck, k: int) -> bool:
    pair = deck.looks.embedding[2 * k : 2 * k + 2]
    return float(pair[0] @ pair[1]) > 0.7


def _same_card(seen: Sighting, card: Claim, seven: bool) -> bool:
    gap = math.hypot(seen.x - card.x, seen.y - card.y)
    if seven:
        return gap < 30.0
    return gap < _SAME_PLACE_MM and min(_apart(seen.angle, card.angle), 180 - _apart(seen.angle, card.angle)) < 25


def _unread(card: Claim, names: Sequence[str], cause: str) -> Unread:
    best = np.argsort(-card.chance)[:3]
    likely = tuple(names[int(k)] for k in best if card.chance[k] > 0.02)
    return Unread(card.x, card.y, card.angle, cause, likely, 1.0 if len(card.ends) == 2 else 0.4)
