"""What must lie where in a game of Wild Seven, and how a look differs from it.

Places are ``wanted``, ``seat:SEAT`` and, for anywhere else, ``table``; a hand is ``hand:SEAT``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from referee.wild_seven.state import WildState
from referee.zones import Expected, Off, ZoneView, faces_off
from rules.wild_seven.moves import Play, Turn
from rules.wild_seven.position import Position

WANTED = "wanted"
Places = Mapping[str, Expected]


@dataclass(frozen=True)
class Pile:
    """A captured pile that must show (``missing``), or backs that must not lie there."""

    place: str
    missing: bool
    count: int


Difference = Off | Pile


def places_of(position: Position) -> dict[str, Expected]:
    """What must lie where in a position, once all revealed cards have joined the wanted."""
    places = {WANTED: Expected(frozenset(map(str, position.wanted)))}
    for seat in range(1, len(position.players) + 1):
        front, captured = position.in_front(seat), position.captured_count(seat)
        faces = frozenset() if front is None else frozenset({str(front)})
        places[f"seat:{seat}"] = Expected(faces, (min(1, captured), captured))
    return places


def agreed_places(state: WildState, view: ZoneView) -> dict[str, Expected]:
    """What must lie where in a state; a revealed card that has yet to join the wanted may still lie in front."""
    places = places_of(state.position)
    for card, place in state.to_join.items():
        if card in view.faces(place) and card not in view.faces(WANTED):
            places[WANTED] = replace(places[WANTED], faces=places[WANTED].faces - {card})
            places[place] = replace(places[place], faces=places[place].faces | {card})
    return places


def places_after(position: Position, move: Turn) -> dict[str, Expected]:
    """What would lie where after a move that need not be legal."""
    places = places_of(position)
    own = f"seat:{move.seat}"

    def put(place: str, add: frozenset[str] = frozenset(), take: frozenset[str] = frozenset()) -> None:
        places[place] = replace(places[place], faces=(places[place].faces - take) | add)

    if isinstance(move, Play):
        bumped = position.bumped_by(move.seat, move.card)
        put(WANTED, frozenset(str(card) for _, card in bumped), frozenset({str(move.card)}))
        for seat, card in bumped:
            put(f"seat:{seat}", take=frozenset({str(card)}))
        put(own, add=frozenset({str(move.card)}))
        return places
    taken = frozenset() if move.card is None else frozenset({str(move.card)})
    for place in places:
        put(place, take=taken)
    front = position.in_front(move.seat)
    joins = frozenset() if front is None else frozenset({str(front)})
    put(WANTED, add=joins)
    captured = position.captured_count(move.seat) + len(taken)
    places[own] = Expected(places[own].faces - joins, (min(1, captured), captured))
    return places


def differences(places: Places, view: ZoneView) -> list[Difference]:
    """How a look differs from what must lie where; cards that can't be read count as nothing."""
    homes = {card: place for place, one in places.items() for card in sorted(one.faces)}
    return [*faces_off(homes, view), *_piles_off(places, view)]


def _piles_off(places: Places, view: ZoneView) -> Iterator[Pile]:
    for place in dict.fromkeys((*places, *view.cards)):
        least, most = places[place].backs if place in places else (0, 0)
        count = view.backs(place)
        if count > most:
            yield Pile(place, False, count - most)
        elif count < least:
            yield Pile(place, True, least - count)


def both(one: Places, other: Places) -> dict[str, Expected]:
    """What lies where in both: it stayed there."""
    return {
        place: Expected(here.faces & other[place].faces, (min(a, c), min(b, d)))
        for place, here in one.items()
        for (a, b), (c, d) in [(here.backs, other[place].backs)]
    }
