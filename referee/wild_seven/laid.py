"""What must lie where in a game of Wild Seven, and how a look differs from it.

Places are ``wanted``, ``seat:SEAT`` and, for anywhere else, ``table``; a hand is ``hand:SEAT``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.table import Sighting, Unread
from referee.wild_seven.state import WildState
from referee.zones import BACK, Expected, ZoneView
from rules.wild_seven.moves import Play, Turn
from rules.wild_seven.position import Position

WANTED = "wanted"
Places = Mapping[str, Expected]


@dataclass(frozen=True)
class Off:
    """A face-up card that lies in ``found`` and belongs to ``home``; ``None`` is nowhere."""

    card: str
    found: str | None
    home: str | None


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
    return [*_faces_off(places, view), *_piles_off(places, view)]


def _faces_off(places: Places, view: ZoneView) -> Iterator[Off]:
    homes = {card: place for place, one in places.items() for card in one.faces}
    seen = {place: Counter(view.faces(place)) for place in view.cards}
    everywhere = {card for cards in seen.values() for card in cards}
    for place in dict.fromkeys((*places, *seen)):
        for card, count in seen.get(place, Counter[str]()).items():
            home = homes.get(card)
            if home != place:
                yield Off(card, place, home if home is None or card not in seen.get(home, ()) else None)
            elif count > 1:
                yield Off(card, place, None)
    for card, home in sorted(homes.items()):
        if card not in everywhere:
            yield Off(card, None, home)


def _piles_off(places: Places, view: ZoneView) -> Iterator[Pile]:
    for place in dict.fromkeys((*places, *view.cards)):
        least, most = places[place].backs if place in places else (0, 0)
        count = view.backs(place)
        if count > most:
            yield Pile(place, False, count - most)
        elif count < least:
            yield Pile(place, True, least - count)


# Cards that can't be read


def both(one: Places, other: Places) -> dict[str, Expected]:
    """What lies where in both: it stayed there."""
    return {
        place: Expected(one[place].faces & other[place].faces, (0, min(one[place].backs[1], other[place].backs[1])))
        for place in one
    }


def stood_for(view: ZoneView, stays: Places, place_at: Mapping[Unread, str]) -> ZoneView:
    """The look with unread cards taken for those that stayed in their place and are read nowhere.

    As many unread cards must lie in a place as can be one of them each; whatever else is unread stays so.
    """
    cards, unread = dict(view.cards), list(view.unread)
    everywhere = {card for place in view.cards for card in view.faces(place)}
    for place, one in stays.items():
        marks = [mark for mark in view.unread if place_at[mark] == place]
        room = one.backs[1] - view.backs(place)
        for mark in marks:
            if mark.candidates[:1] == (BACK,) and one.backs[1]:
                unread.remove(mark)
                if room > 0:
                    cards[place] = (*cards.get(place, ()), Sighting(BACK, mark.x, mark.y, mark.angle))
                    room -= 1
        faces = [mark for mark in marks if mark in unread]
        for mark, card in _matched(faces, sorted(one.faces - everywhere)).items():
            unread.remove(mark)
            cards[place] = (*cards.get(place, ()), Sighting(card, mark.x, mark.y, mark.angle))
    return ZoneView(cards, tuple(unread))


def _matched(marks: Sequence[Unread], cards: Sequence[str]) -> dict[Unread, str]:
    """A card for as many unread ones as possible, each one that it may be."""
    of_card: dict[str, Unread] = {}

    def find(mark: Unread, tried: set[str]) -> bool:
        for card in cards:
            if card in tried or not may_be(mark, card):
                continue
            tried.add(card)
            if card not in of_card or find(of_card[card], tried):
                of_card[card] = mark
                return True
        return False

    for mark in marks:
        find(mark, set())
    return {mark: card for card, mark in of_card.items()}


def may_be(mark: Unread, card: str) -> bool:
    """Whether an unread card can be that one."""
    return not mark.candidates or card in mark.candidates
