"""A simulated table of Wild Seven: legal moves by chance, the wanted in columns by suit, captured cards in piles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from referee.layout import CARD_MM, Layout, Zone
from referee.placing import Placed, tossed
from referee.simulation import Attempt
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


class WildSimulation:
    """Players who move by chance and make no mistakes."""

    def __init__(self, start: Position, layout: Layout, rng: Random) -> None:
        self.position = start
        self._layout, self._rng = layout, rng
        # A randomness of its own: how cards happen to lie must not change how the game goes.
        self._hands = Random(rng.getrandbits(64))
        self._mm = 2.0
        self._laid: dict[tuple[str, float, float], Placed] = {}

    @property
    def lying(self) -> tuple[Placed, ...]:
        """Every card on the mat now, bottom to top."""
        return tuple(self._laid.values())

    def attempts(self) -> Iterator[Attempt]:
        """One legal move after the other; after the reveal the cards join the wanted without a press."""
        while self.position.outcome is None:
            move = random_move(self.position, self._rng)
            after = self.position.do(move)
            if isinstance(move, Reveal):
                self._lay(self.position, dict(enumerate(map(str, move.cards), 1)))
                yield Attempt(None, move)
                self.position = after
                self._lay(after)
                yield Attempt(None, unconfirmed=True)
                continue
            self._lay(after)
            yield Attempt(getattr(move, "seat", None), as_seen(move))
            self.position = after

    def straighten(self) -> None:
        """Lay every card straighter where it lies."""
        self._mm = 0.5
        self._laid = {
            (name, x, y): self._put(name, x, y, 180.0 if 90 < old.angle % 360 < 270 else 0.0)
            for (name, x, y), old in self._laid.items()
        }

    def same(self, move: Move, other: Move) -> bool:
        """Whether two moves are equal; the wanted of a set-up have no order."""
        return _key(move) == _key(other)

    def has_noticed(self, state: Any) -> bool:
        """Whether the revealed cards have been seen among the wanted."""
        return not state.joining

    def _lay(self, position: Position, revealed: Mapping[int, str] | None = None) -> None:
        """Lay out a position; a card that has its place already stays as it lies."""
        laid = {}
        for name, x, y, angle in self._wanted(position):
            laid[name, x, y] = self._laid.get((name, x, y)) or self._put(name, x, y, angle)
        for seat in range(1, len(position.players) + 1):
            x0, y0, x1, y1 = self._layout.seat_rect(seat)
            top = self._layout.faces_down(seat)
            middle, y = (x0 + x1) / 2, y1 - _FROM_EDGE_MM if top else y0 + _FROM_EDGE_MM
            front = position.in_front(seat)
            shown = (revealed or {}).get(seat) or (None if front is None else str(front))
            found = [] if shown is None else [(shown, middle + _FRONT_MM)]
            found += [(BACK, middle + _PILE_MM)] if position.captured_count(seat) else []
            for card, x in found:
                laid[card, x, y] = self._laid.get((card, x, y)) or self._put(card, x, y, 180.0 if top else 0.0)
        self._laid = laid

    def _wanted(self, position: Position) -> Iterator[tuple[str, float, float, float]]:
        zone: Zone = self._layout.zones[0]
        x0, y0, x1, y1 = self._layout.zone_rect(zone)
        pitch = min(_COLUMN_MM, (x1 - x0) / len(Suit))
        longest = CARD_MM[1] + (_SUIT_SIZE - 1) * _STRIP_MM
        top = y0 + (y1 - y0 - longest) / 2 + CARD_MM[1] / 2
        for column, suit in enumerate(Suit):
            x = (x0 + x1) / 2 + (column - (len(Suit) - 1) / 2) * pitch
            for row, card in enumerate(card for card in position.wanted if card.suit is suit):
                yield str(card), x, top + row * _STRIP_MM, 0.0

    def _put(self, name: str, x: float, y: float, angle: float) -> Placed:
        return tossed(self._hands, name, x, y, angle, self._mm, self._mm)


def _key(move: Move) -> dict[str, Any]:
    line = move.to_json()
    return {**line, "wanted": sorted(line["wanted"])} if "wanted" in line else line
