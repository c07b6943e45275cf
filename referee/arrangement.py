"""How a table is drawn from above: the cards that everybody knows to lie there, stack by stack, as players lay them.

Frame: millimetres on the mat (see ``referee.layout``). What is drawn follows from what is confirmed, not from a
picture: it is tidy, and the same for a game that is played, looked back at, or read from a record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.layout import CARD_MM, TableLayout
from referee.table import BACK, Expected

_APART_MM = 8.0
_SIDE_BY_SIDE_MM = CARD_MM[0] + _APART_MM
_FROM_EDGE_MM = 6.0
_HAND_MM = 20.0


@dataclass(frozen=True, slots=True)
class CardStack:
    """Cards that lie together, the lowest first, or a spot on which cards may lie.

    ``place`` is its name as in ``Mend``; (``x``, ``y``) is the middle of the lowest card, ``step`` the way from one
    card's middle to the next one's. ``count`` says how many cards lie there, where more do than are drawn. Cards are
    named as the reader names them, face-down ones by their backs; a die is ``die:VALUE``.

    Every card is drawn upright, so that each step leads down or sideways: what lies at a seat at the top of the picture
    shows what its own player sees, the other way up.
    """

    place: str
    x: float
    y: float
    cards: tuple[str, ...] = ()
    step: tuple[float, float] = (0.0, 0.0)
    count: int | None = None

    def locate_card(self, number: int) -> tuple[float, float]:
        """Return the middle of a card by its number, from 0; the number of cards gives where the next one would lie."""
        return self.x + number * self.step[0], self.y + number * self.step[1]


def lay_pile(place: str, at: tuple[float, float], count: int, back: str = BACK) -> CardStack:
    """Return a pile of so many face-down cards, of which at most three are drawn."""
    return CardStack(place, *at, (back,) * min(count, 3), (1.5, -2.5), count)


def lay_row(
    place: str,
    cards: Sequence[str],
    box: tuple[float, float, float, float],
    y: float,
    pitch_mm: float = _SIDE_BY_SIDE_MM,
) -> CardStack:
    """Return cards side by side about the middle of a box (x0, y0, x1, y1 in mm), closer where it is narrow."""
    x0, _, x1, _ = box
    pitch = fit_pitch(len(cards), x1 - x0, pitch_mm)
    return CardStack(place, (x0 + x1) / 2 - (len(cards) - 1) / 2 * pitch, y, tuple(cards), (pitch, 0.0))


def fit_pitch(count: int, width_mm: float, pitch_mm: float = _SIDE_BY_SIDE_MM) -> float:
    """Return how far so many cards may lie apart within a width, ``pitch_mm`` at most."""
    room = width_mm - CARD_MM[0] - 2 * _FROM_EDGE_MM
    return min(pitch_mm, room / (count - 1)) if count > 1 else pitch_mm


def arrange_places(places: Mapping[str, Expected], layout: TableLayout) -> Iterator[CardStack]:
    """Arrange what must lie in zones and seats' areas in rows: for games that say no more of how cards lie."""
    for place, expected in places.items():
        spot, _, seat = place.partition(":")
        zone = next((zone for zone in layout.zones if zone.name == place), None)
        if zone is None and (spot != "seat" or not seat.isdecimal()):
            continue
        box = layout.zone_rect(zone) if zone is not None else layout.seat_rect(int(seat))
        least, most = expected.backs
        cards = [*sorted(expected.faces), *[BACK] * max(least, min(1, most))]
        across = max(1, int((box[2] - box[0]) // _SIDE_BY_SIDE_MM))
        rows = [cards[at : at + across] for at in range(0, len(cards), across)] or [[]]
        down = min(CARD_MM[1] + _APART_MM, (box[3] - box[1]) / len(rows))
        for number, row in enumerate(rows):
            y = (box[1] + box[3]) / 2 + (number - (len(rows) - 1) / 2) * down
            yield lay_row(place, row, box, y)


def locate_place(place: str, item: str, stacks: Sequence[CardStack], layout: TableLayout) -> tuple[float, float]:
    """Find where on the drawn table a card of a step lies, or has to lie, by the place's name as in ``Mend``.

    Hands lie at their player's edge, what has no place of its own in the middle of the mat.
    """
    there = [stack for stack in stacks if stack.place == place]
    for stack in there:
        if item in stack.cards:
            return stack.locate_card(stack.cards.index(item))
    if there:
        return there[0].locate_card(len(there[0].cards))
    w, h = layout.mat_mm
    spot, _, seat = place.partition("/")[0].partition(":")
    zone = next((zone for zone in layout.zones if zone.name == place), None)
    if zone is None and not seat.isdecimal():
        return w / 2, h / 2
    x0, y0, x1, y1 = layout.zone_rect(zone) if zone is not None else layout.seat_rect(int(seat))
    if spot == "hand":
        return (x0 + x1) / 2, _HAND_MM if layout.faces_down(int(seat)) else h - _HAND_MM
    return (x0 + x1) / 2, (y0 + y1) / 2
