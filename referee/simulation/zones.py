"""A simulated game whose cards lie in zones and seats' areas: legal moves by chance, laid out as the referee expects.

Now and then a card ends up where it does not belong, as at any table. Each place has slots for cards side by side; a
card that stays keeps its slot. A game with more to it, such as mistakes of its own or moves entered by buttons, has a
simulation of its own, ``referee/<game>/simulated.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from referee.layout import CARD_MM, TableLayout
from referee.placing import Placed, find_bounds, has_gap
from referee.simulation.game import ASTRAY, Attempt, Simulation
from referee.simulation.table import NoRoomError, Slot
from referee.zones import BACK, ZoneReferee, ZoneState

_GAP_MM = 8.0
CARELESS = 0.05
"""How often a card goes astray before a move."""


class ZoneSimulation(Simulation):
    """A game of players who move by chance."""

    def __init__(
        self, referee: ZoneReferee, start: Any, layout: TableLayout, rng: Random, careless: float = CARELESS
    ) -> None:
        super().__init__(start, layout, rng, careless)
        self._referee, self._public = referee, start

    def play_game(self) -> Iterator[Attempt]:
        """Play one legal move after the other, and now and then have a card go astray.

        Raises:
            SimulationError: a place can't hold its cards.
        """
        while self.position.outcome is None:
            yield from self._try_mistakes(ASTRAY)
            move = self._referee.rules.random_move(self.position, self._rng)
            seen = self._referee.rules.make_public(move)
            after = self._public.do(seen)
            self.table.arrange(self._lay_out(after))
            yield Attempt(getattr(move, "seat", None), seen)
            self.position, self._public = self.position.do(move), after

    def _lay_out(self, position: Any) -> Iterator[tuple[str, Slot]]:
        """Yield the cards that a public position lays, and their
        slots: what lies in its place already keeps the one it has.

        Of a pile whose count nobody sees there is one back.
        """
        for place, expected in self._referee.expect_places(ZoneState(position)).items():
            if place.startswith("hand:"):
                continue
            backs = max(expected.backs[0], min(1, expected.backs[1]))
            missing, kept = [*sorted(expected.faces), *[BACK] * backs], set()
            for one in self.table.list_in(place):
                if one.slot.place == place and one.card.name in missing:
                    missing.remove(one.card.name)
                    kept.add(one.slot)
                    yield one.card.name, one.slot
            free = (slot for slot in self._list_slots(place) if slot not in kept)
            for name in missing:
                slot = next(free, None)
                if slot is None:
                    raise NoRoomError(place)
                yield name, slot

    def _list_slots(self, place: str) -> Iterator[Slot]:
        """Yield the slots of a place, from its middle outwards."""
        x0, y0, x1, y1 = box = self.table.find_box(place)
        across, down = CARD_MM[0] + _GAP_MM, CARD_MM[1] + _GAP_MM
        columns, rows = (max(1, int((b - a) // step)) for a, b, step in ((x0, x1, across), (y0, y1, down)))
        middle = (x0 + x1) / 2, (y0 + y1) / 2
        slots = [
            (middle[0] + (column - (columns - 1) / 2) * across, middle[1] + (row - (rows - 1) / 2) * down)
            for column in range(columns)
            for row in range(rows)
        ]
        slots.sort(key=lambda slot: (abs(slot[1] - middle[1]), abs(slot[0] - middle[0])))
        others = [
            *self.table.list_markers(),
            *(zone for one in self.table.layout.zones if (zone := self.table.find_box(one.name)) != box),
        ]
        seat = place.removeprefix("seat:")
        angle = self.table.find_upright(int(seat)) if seat.isdecimal() else 0.0
        for x, y in slots:
            own = find_bounds([Placed("", x, y, 0.0)])
            if self.table.layout.place_at(x, y) == place and all(has_gap(own, other, 0.0) for other in others):
                yield Slot(place, x, y, angle)
