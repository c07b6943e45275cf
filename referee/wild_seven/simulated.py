"""A simulated table of Wild Seven: legal moves by chance, the wanted in columns by suit, captured cards in piles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from referee.layout import TableLayout
from referee.simulation.game import Attempt, Simulation
from referee.simulation.table import Slot
from referee.zones import BACK
from rules.cards import Suit
from rules.wild_seven.moves import Move, Reveal, as_seen
from rules.wild_seven.play import random_move
from rules.wild_seven.position import Position

_STRIP_MM = 20.0
_COLUMN_MM = 75.0
_SUIT_SIZE = 7
_FROM_EDGE_MM = 90.0
_FRONT_MM, _PILE_MM = -55.0, 75.0
"""How far right of an area's middle its player's card in front and captured pile lie."""
_SLOPPY = 2.0


class WildSimulation(Simulation):
    """Players who move by chance and make no mistakes."""

    def __init__(self, start: Position, layout: TableLayout, rng: Random) -> None:
        super().__init__(start, layout, rng, careless=0.0)

    def play_game(self) -> Iterator[Attempt]:
        """Play one legal move after the other; after the reveal the cards join the wanted without a press."""
        while self.position.outcome is None:
            move = random_move(self.position, self._rng)
            after = self.position.do(move)
            if isinstance(move, Reveal):
                self.table.arrange(self._lay_out(self.position, dict(enumerate(map(str, move.cards), 1))))
                yield Attempt(None, move)
                self.position = after
                self.table.arrange(self._lay_out(after))
                yield Attempt(None, unconfirmed=True)
                continue
            self.table.arrange(self._lay_out(after))
            yield Attempt(getattr(move, "seat", None), as_seen(move))
            self.position = after

    def is_same(self, move: Move, other: Move) -> bool:
        """Tell whether two moves are equal; the wanted of a set-up have no order."""
        return _sort_key(move) == _sort_key(other)

    def has_noticed(self, state: Any) -> bool:
        """Tell whether the revealed cards have been seen among the wanted."""
        return not state.joining

    def _lay_out(self, position: Position, revealed: Mapping[int, str] | None = None) -> Iterator[tuple[str, Slot]]:
        """Lay a position out: the columns of the wanted, and before each player a card in front and a pile."""
        layout = self.table.layout
        x0, y0, x1, y1 = layout.zone_rect(layout.zones[0])
        pitch = min(_COLUMN_MM, (x1 - x0) / len(Suit))
        top = (y0 + y1 - (_SUIT_SIZE - 1) * _STRIP_MM) / 2
        for column, suit in enumerate(Suit):
            x = (x0 + x1) / 2 + (column - (len(Suit) - 1) / 2) * pitch
            for row, card in enumerate(card for card in position.wanted if card.suit is suit):
                yield str(card), Slot("wanted", x, top + row * _STRIP_MM, 0.0, _SLOPPY, _SLOPPY)
        for seat in range(1, len(position.players) + 1):
            x0, y0, x1, y1 = layout.seat_rect(seat)
            y = y1 - _FROM_EDGE_MM if layout.faces_down(seat) else y0 + _FROM_EDGE_MM
            front = (revealed or {}).get(seat) or position.in_front(seat)
            found = [] if front is None else [(str(front), _FRONT_MM)]
            found += [(BACK, _PILE_MM)] if position.captured_count(seat) else []
            for name, right in found:
                x, angle = (x0 + x1) / 2 + right, self.table.find_upright(seat)
                yield name, Slot(f"seat:{seat}", x, y, angle, _SLOPPY, _SLOPPY)


def _sort_key(move: Move) -> dict[str, Any]:
    line = move.to_json()
    return {**line, "wanted": sorted(line["wanted"])} if "wanted" in line else line


SIMULATION = WildSimulation
