"""The simulated table: which card lies in which slot, how hands toss it there, straighten it and put it back.

Lengths are mm in the mat's frame, angles degrees clockwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from referee.layout import CARD_MM, MARKER_MM, TableLayout
from referee.placing import Box, Placed, find_bounds, has_gap, toss_card
from rules.text import SaidError, Text

_ASTRAY_GAP_MM = 4.0
_TRIES = 40
_INSIDE_MM = 50.0
"""A card lies so far within an area, that it belongs to it whatever its angle."""
_BESIDE_MARKERS_MM = 10.0


class SimulationError(SaidError):
    """The simulated game can't go on, and why."""


class NoRoomError(SimulationError):
    """A place can't hold another card."""

    def __init__(self, place: str) -> None:
        super().__init__(Text("The simulated table has no room left for another card: {place}.", place=place))


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a card belongs: its place by name, its middle and its angle, and how far off either hands lay it there."""

    place: str
    x: float
    y: float
    angle: float = 0.0
    mm: float = 3.0
    degrees: float = 3.0
    size_mm: tuple[float, float] = CARD_MM


@dataclass(frozen=True, slots=True)
class InSlot:
    """A card in its slot, as it happens to lie."""

    slot: Slot
    card: Placed

    def push_by(self, x_mm: float, y_mm: float) -> InSlot:
        """Return the card pushed aside by that much."""
        return replace(self, card=replace(self.card, x=self.card.x + x_mm, y=self.card.y + y_mm))


class CardTable:
    """The cards on the mat, bottom to top, and what hands do with them; how they happen to lie follows from ``rng``."""

    def __init__(self, layout: TableLayout, rng: Random) -> None:
        self.layout = layout
        self._rng = rng
        self._lying: tuple[InSlot, ...] = ()

    def __iter__(self) -> Iterator[Placed]:
        return (one.card for one in self._lying)

    def list_in(self, *places: str) -> tuple[InSlot, ...]:
        """Return what lies in these places, and in parts of them as ``trick:2`` of ``trick``."""
        parts = tuple(f"{place}:" for place in places)
        lying = ((one, one.slot.place) for one in self._lying)
        return tuple(one for one, place in lying if place in places or place.startswith(parts))

    def take_snapshot(self) -> tuple[InSlot, ...]:
        """Return everything that lies here, to be put back by ``restore``."""
        return self._lying

    def restore(self, snapshot: tuple[InSlot, ...]) -> None:
        """Put everything back as it lay."""
        self._lying = snapshot

    def put(self, name: str, slot: Slot) -> None:
        """Lay a card into a slot, on top."""
        self._lying += (self._toss(name, slot),)

    def take(self, *places: str) -> None:
        """Take up all that lies in these places."""
        self.remove(*self.list_in(*places))

    def remove(self, *cards: InSlot) -> None:
        """Take up these cards."""
        gone = set(map(id, cards))
        self._lying = tuple(one for one in self._lying if id(one) not in gone)

    def exchange(self, cards: Mapping[InSlot, Iterable[InSlot]]) -> None:
        """Have other cards lie where these do, over and under the same ones."""
        self._lying = tuple(new for one in self._lying for new in cards.get(one, (one,)))

    def put_back(self, *cards: InSlot) -> None:
        """Lay cards as they lay before, on top."""
        self._lying += cards

    def arrange(self, wanted: Iterable[tuple[str, Slot]], *places: str) -> None:
        """Lay these cards into their slots and have nothing else in these places, or anywhere where none is named.

        What lies in its slot already stays as it lies.
        """
        lying, there = defaultdict(list), self.list_in(*places) if places else self._lying
        for one in there:
            lying[one.card.name, one.slot].append(one)
        laid = [lying[one].pop(0) if lying[one] else self._toss(*one) for one in wanted]
        self.remove(*there)
        self._lying += tuple(laid)

    def tidy(self, cards: Iterable[InSlot], mm: float, degrees: float) -> None:
        """Lay these anew into their slots, off by no more than this."""
        slots = {one: replace(one.slot, mm=mm, degrees=degrees) for one in cards}
        self.exchange({one: [replace(self._toss(one.card.name, slots[one]), slot=one.slot)] for one in slots})

    def push_astray(self, but: Collection[str] = ()) -> None:
        """Push a card that lies face up into the area of a seat where it did not lie, to none of the places ``but``.

        Raises:
            NoRoomError: no card has room in another area.
        """
        shown = [one for one in self._lying if not one.card.name.startswith("back")]
        if shown:
            gone = self._rng.choice(shown)
            others = [one for one in self._lying if one is not gone]
            lay = self.layout.place_at(gone.card.x, gone.card.y)
            seats = [seat for seat in range(1, len(self.layout.seats) + 1) if f"seat:{seat}" not in (lay, *but)]
            for _ in range(_TRIES if seats else 0):
                x0, y0, x1, y1 = self.layout.seat_rect(self._rng.choice(seats))
                x = self._rng.uniform(x0 + _INSIDE_MM, x1 - _INSIDE_MM)
                y = self._rng.uniform(y0 + _INSIDE_MM, y1 - _INSIDE_MM)
                moved = replace(gone.card, x=x, y=y)
                free = (has_gap(find_bounds([moved]), find_bounds([one.card]), _ASTRAY_GAP_MM) for one in others)
                if self.layout.place_at(x, y).startswith("seat:") and all(free):
                    self._lying = (*others, InSlot(gone.slot, moved))
                    return
        raise NoRoomError("seat")

    def find_box(self, place: str) -> Box:
        """Return a zone's or a seat's area, in mm."""
        zone = next((zone for zone in self.layout.zones if zone.name == place), None)
        return self.layout.zone_rect(zone) if zone else self.layout.seat_rect(int(place.removeprefix("seat:")))

    def find_upright(self, seat: int) -> float:
        """Return the angle of a card that its seat's player sees upright."""
        return 180.0 if self.layout.faces_down(seat) else 0.0

    def list_markers(self) -> Iterator[Box]:
        """Yield the mat's markers, with some room round them."""
        (w, h), side = self.layout.mat_mm, MARKER_MM + _BESIDE_MARKERS_MM
        for x in (0.0, w - side):
            for y in (0.0, h - side):
                yield x, y, x + side, y + side

    def _toss(self, name: str, slot: Slot) -> InSlot:
        card = toss_card(self._rng, name, slot.x, slot.y, slot.angle, slot.mm, slot.degrees)
        return InSlot(slot, card if slot.size_mm == CARD_MM else replace(card, size_mm=slot.size_mm))
