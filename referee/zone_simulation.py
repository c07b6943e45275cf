"""A simulated table for games whose cards lie in zones and seats' areas: legal moves by chance.

Now and then a card ends up where it does not belong, as at any table (``referee.placing.astray``).
Each place has slots for cards side by side; a card that stays keeps its slot.
A game with more to it, such as mistakes of its own or moves told by buttons, has a simulation of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from referee.layout import CARD_MM, MARKER_MM, Layout
from referee.placing import Box, Placed, apart, astray, bounds, tossed
from referee.simulation import Attempt, SimulationError, disturbed
from rules.game import Rules
from rules.text import Text

_GAP_MM = 8.0
CARELESS = 0.05
"""How often a card goes astray before a move."""

Faces = Mapping[str, tuple[str, ...]]
"""The cards that lie in each place, by name."""


class ZoneSimulation:
    """A game of players who move by chance; ``faces`` gives the cards that a public position lays in each place."""

    def __init__(
        self,
        rules: Rules,
        start: Any,
        layout: Layout,
        rng: Random,
        faces: Callable[[Any], Faces],
        careless: float = CARELESS,
    ) -> None:
        self.position = start
        self._careless = careless
        self._rules, self._layout, self._rng, self._faces = rules, layout, rng, faces
        self._public = start
        # A randomness of its own: how cards happen to lie must not change how the game goes.
        self._hands = Random(rng.getrandbits(64))
        self._laid: dict[str, dict[tuple[float, float], Placed]] = {}
        self._astray: list[Placed] | None = None

    @property
    def lying(self) -> tuple[Placed, ...]:
        """Every card on the mat now."""
        if self._astray is not None:
            return tuple(self._astray)
        return tuple(card for cards in self._laid.values() for card in cards.values())

    def attempts(self) -> Iterator[Attempt]:
        """One legal move after the other, and now and then a card that goes astray.

        Raises:
            SimulationError: a place can't hold its cards.
        """
        while self.position.outcome is None:
            if self._hands.random() < self._careless:
                self._astray = astray(self.lying, self._layout, self._hands)
                if self._astray is not None:
                    yield disturbed()
                self._astray = None
            move = self._rules.random_move(self.position, self._rng)
            seen = self._rules.public(move)
            after = self._public.do(seen)
            self._lay(self._faces(after))
            yield Attempt(getattr(move, "seat", None), seen)
            self.position, self._public = self.position.do(move), after

    def straighten(self) -> None:
        """Lay every card straight on its slot."""
        for place, cards in self._laid.items():
            for slot, card in cards.items():
                cards[slot] = self._put(place, slot, card.name, 1.0)

    def same(self, move: Any, other: Any) -> bool:
        """Whether two moves are equal."""
        return bool(move == other)

    def has_noticed(self, state: Any) -> bool:
        """Nothing is done without confirm."""
        return True

    def _lay(self, wanted: Faces) -> None:
        """Take away what must not lie there any more, and lay what must."""
        for place in dict.fromkeys((*self._laid, *wanted)):
            missing = list(wanted.get(place, ()))
            kept = {}
            for slot, card in self._laid.get(place, {}).items():
                if card.name in missing:
                    missing.remove(card.name)
                    kept[slot] = card
            free = (slot for slot in self._slots(place) if slot not in kept)
            for name in missing:
                place_for = next(free, None)
                if place_for is None:
                    raise SimulationError(
                        Text("The simulated table has no room left for another card: {place}.", place=place)
                    )
                kept[place_for] = self._put(place, place_for, name, 3.0)
            self._laid[place] = kept

    def _put(self, place: str, slot: tuple[float, float], name: str, sloppy: float) -> Placed:
        seat = place.removeprefix("seat:")
        turned = seat.isdecimal() and self._layout.faces_down(int(seat))
        return tossed(self._hands, name, *slot, 180.0 if turned else 0.0, sloppy, sloppy)

    def _slots(self, place: str) -> Iterator[tuple[float, float]]:
        """Where the centres of a place's cards may lie, from its middle outwards."""
        x0, y0, x1, y1 = box = self._box(place)
        across, down = CARD_MM[0] + _GAP_MM, CARD_MM[1] + _GAP_MM
        columns, rows = (max(1, int((b - a) // step)) for a, b, step in ((x0, x1, across), (y0, y1, down)))
        middle = (x0 + x1) / 2, (y0 + y1) / 2
        slots = [
            (middle[0] + (column - (columns - 1) / 2) * across, middle[1] + (row - (rows - 1) / 2) * down)
            for column in range(columns)
            for row in range(rows)
        ]
        slots.sort(key=lambda slot: (abs(slot[1] - middle[1]), abs(slot[0] - middle[0])))
        others = [*self._markers(), *(other for zone in self._layout.zones if (other := self._box(zone.name)) != box)]
        for x, y in slots:
            own = bounds([Placed("", x, y, 0.0)])
            if self._layout.place_at(x, y) == place and all(apart(own, other, 0.0) for other in others):
                yield x, y

    def _box(self, place: str) -> Box:
        """A zone or a seat's area, in mm."""
        w, h = self._layout.mat_mm
        for zone in self._layout.zones:
            if zone.name == place:
                return zone.area.x0 * w, zone.area.y0 * h, zone.area.x1 * w, zone.area.y1 * h
        return self._layout.seat_rect(int(place.removeprefix("seat:")))

    def _markers(self) -> Iterator[Box]:
        w, h = self._layout.mat_mm
        side = MARKER_MM + 10.0
        for x in (0.0, w - side):
            for y in (0.0, h - side):
                yield x, y, x + side, y + side
