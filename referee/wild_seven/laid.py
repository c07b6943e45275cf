"""What must lie where in a game of Wild Seven.

Places are ``wanted``, ``seat:SEAT`` and, for anywhere else, ``table``; a hand is ``hand:SEAT``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter

from referee.arrangement import CardStack, fit_pitch, lay_pile
from referee.layout import TableLayout
from referee.wild_seven.state import WildState
from referee.zones import Expected, ZoneView
from rules.cards import Suit
from rules.wild_seven.moves import Play, Turn
from rules.wild_seven.position import Position

WANTED = "wanted"


def places_of(position: Position) -> dict[str, Expected]:
    """Return what must lie where in a position, once all revealed cards have joined the wanted."""
    places = {WANTED: Expected(frozenset(map(str, position.wanted)))}
    for seat in range(1, len(position.players) + 1):
        front, captured = position.in_front(seat), position.captured_count(seat)
        faces = frozenset() if front is None else frozenset({str(front)})
        places[f"seat:{seat}"] = Expected(faces, (min(1, captured), captured))
    return places


def agreed_places(state: WildState, view: ZoneView) -> dict[str, Expected]:
    """Return what must lie where in a state; a revealed card that has yet to join the wanted may still lie in front."""
    places = places_of(state.position)
    for card, place in state.to_join.items():
        if card in view.list_faces(place) and card not in view.list_faces(WANTED):
            places[WANTED] = replace(places[WANTED], faces=places[WANTED].faces - {card})
            places[place] = replace(places[place], faces=places[place].faces | {card})
    return places


def places_after(position: Position, move: Turn) -> dict[str, Expected]:
    """Return what would lie where after a move that need not be legal."""
    places, own = places_of(position.suppose_move(move)), f"seat:{move.seat}"
    front, moved = position.in_front(move.seat), frozenset() if move.card is None else frozenset({str(move.card)})
    for place in (WANTED,) if isinstance(move, Play) else tuple(places):
        # Wherever the card has come from, it does not lie there any more.
        places[place] = replace(places[place], faces=places[place].faces - moved)
    if isinstance(move, Play) and front is not None:
        # Laid beside one that lies in front it leaves both.
        places[own] = replace(places[own], faces=places[own].faces | {str(front)})
    return places


_COLUMN_MM, _STRIP_MM = 75.0, 20.0
_FROM_EDGE_MM, _ASIDE_MM = 90.0, 65.0


def arrange_table(position: Position, layout: TableLayout) -> Iterator[CardStack]:
    """Arrange the wanted in columns by suit, and before each player the card in front beside the captured pile."""
    x0, y0, x1, y1 = box = layout.zone_rect(layout.zones[0])
    pitch = fit_pitch(len(Suit), x1 - x0, _COLUMN_MM)
    for column, suit in enumerate(Suit):
        x = (box[0] + box[2]) / 2 + (column - (len(Suit) - 1) / 2) * pitch
        cards = tuple(str(card) for card in sorted(position.wanted, key=attrgetter("index")) if card.suit is suit)
        yield CardStack(WANTED, x, (y0 + y1) / 2 - (len(cards) - 1) / 2 * _STRIP_MM, cards, (0.0, _STRIP_MM))
    for seat in range(1, len(position.players) + 1):
        x0, y0, x1, y1 = layout.seat_rect(seat)
        x, y = (x0 + x1) / 2, y1 - _FROM_EDGE_MM if layout.faces_down(seat) else y0 + _FROM_EDGE_MM
        front = position.in_front(seat)
        yield CardStack(f"seat:{seat}", x - _ASIDE_MM, y, () if front is None else (str(front),))
        yield lay_pile(f"seat:{seat}", (x + _ASIDE_MM, y), position.captured_count(seat))
