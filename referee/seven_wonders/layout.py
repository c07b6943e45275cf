"""Where things lie on the mat in Seven Wonders: a block for each city, and the discard pile.

Source: the game's page, "Table". A block is measured as its player sees it: ``u`` mm to the right of its middle line,
``v`` mm from the player's edge of the mat. On a mat of another size all of it grows or shrinks with the mat.
Frame: millimetres on the mat, as in ``referee.layout``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from types import MappingProxyType

from referee.arrangement import CardStack, lay_pile
from referee.layout import REFERENCE_MAT_MM, Area, Zone
from referee.layout import TableLayout as AnyLayout
from referee.seven_wonders.cards import back_of
from referee.seven_wonders.state import WondersState
from referee.table import COVERS_MM
from rules.seven_wonders.cards import AGES, Building
from rules.seven_wonders.effects import Colour
from rules.text import Text

WONDER, CITY, SPOT, PILE = "wonder", "city", "discard", "pile"
"""Places: the first three with a seat behind a colon, ``city:2``; a seat's hand is ``hand:2``."""
BOARD = "board/"
"""Before a board's id, where it is drawn."""

COLUMNS, IN_COLUMN = 4, 7
PITCH_MM, STEP_MM = 72.0, 25.0
"""From one column of a city to the next, and from a card of a column to the next one on top of it."""
BOARD_MM = (250.0, 95.0)
BOARD_V_MM, BOARD_OFF_MM = 100.0, 6.0
"""A board's middle, and by how much it may lie off."""
STAGE_APART_MM = 67.0
STAGED_V_MM = 65.0
"""The middle of a staged card, half of which lies under the board."""
BOARD_FROM_MM = 92.0
"""What has its middle farther from the player's edge lies on the board, and counts for nothing."""

_BLOCKS: Mapping[str, tuple[float, float, float, float]] = MappingProxyType(
    {
        WONDER: (-135.0, 135.0, 5.0, 150.0),
        CITY: (-190.0, 105.0, 160.0, 410.0),
        SPOT: (120.0, 190.0, 160.0, 270.0),
    }
)
"""u0, u1, v0, v1 of a city's zones."""
_WIDE, _DEEP = 190.0, 410.0
_HEADS_V, _HALF_HIGH = 410.0, 50.0
_CITY_U = (-190.0 + 105.0) / 2
_PILE_HALF = 75.0

_TITLES = {
    WONDER: Text("Wonder"),
    CITY: Text("City"),
    SPOT: Text("+3"),
}
_PILE_TITLE = Text("Discard pile")

_BOTTOM, _TOP = False, True
_MIDDLES: Mapping[int, tuple[tuple[float, bool], ...]] = MappingProxyType(
    {
        3: ((594.0, _BOTTOM), (297.0, _TOP), (892.0, _TOP)),
        4: ((297.0, _BOTTOM), (297.0, _TOP), (892.0, _TOP), (892.0, _BOTTOM)),
        5: ((297.0, _BOTTOM), (198.0, _TOP), (594.0, _TOP), (991.0, _TOP), (892.0, _BOTTOM)),
    }
)
"""The x of each seat's middle line, and whether it sits at the top."""
_PILES = MappingProxyType({3: (1011.0, 631.0), 4: (594.0, 421.0), 5: (594.0, 631.0)})

TABLE_SEATS = tuple(_MIDDLES)
"""How many can play at the table."""


@dataclass(frozen=True, slots=True)
class Layout(AnyLayout):
    """The table's layout; ``middles`` are x of each middle line on the reference mat, and whether it is at the top."""

    middles: tuple[tuple[float, bool], ...] = ()

    @property
    def pile(self) -> tuple[float, float]:
        """The middle of the discard pile in mm."""
        (x, y), (w, h) = _PILES[len(self.middles)], self.mat_mm
        return x * w / REFERENCE_MAT_MM[0], y * h / REFERENCE_MAT_MM[1]

    def locate_point(self, seat: int, u: float, v: float) -> tuple[float, float]:
        """Return the point (mm) at ``u``, ``v`` of a seat's block."""
        middle, top = self.middles[seat - 1]
        x, y = (middle - u, v) if top else (middle + u, REFERENCE_MAT_MM[1] - v)
        return x * self.mat_mm[0] / REFERENCE_MAT_MM[0], y * self.mat_mm[1] / REFERENCE_MAT_MM[1]

    def in_block(self, seat: int, x: float, y: float) -> tuple[float, float]:
        """Return ``u`` and ``v`` of a point (mm) in a seat's block."""
        middle, top = self.middles[seat - 1]
        x, y = x * REFERENCE_MAT_MM[0] / self.mat_mm[0], y * REFERENCE_MAT_MM[1] / self.mat_mm[1]
        return (middle - x, y) if top else (x - middle, REFERENCE_MAT_MM[1] - y)

    def on_board(self, x: float, y: float) -> bool:
        """Tell whether a point (mm) lies on a board rather than where staged cards stick out."""
        kind, _, seat = self.place_at(x, y).partition(":")
        return kind == WONDER and self.in_block(int(seat), x, y)[1] > BOARD_FROM_MM

    def within_board(self, x: float, y: float) -> bool:
        """Tell whether a point (mm) lies where a board lies, its lower part on staged cards too."""
        kind, _, seat = self.place_at(x, y).partition(":")
        if kind != WONDER:
            return False
        u, v = self.in_block(int(seat), x, y)
        half, low = BOARD_MM[0] / 2 + BOARD_OFF_MM, BOARD_V_MM - BOARD_MM[1] / 2 - BOARD_OFF_MM
        return abs(u) <= half and v >= low

    def beside_board(self, x: float, y: float) -> bool:
        """Tell whether a square of ``COVERS_MM`` about a point (mm) lies where no board reaches, however it is laid."""
        for seat in range(1, len(self.middles) + 1):
            u, v = self.in_block(seat, x, y)
            away = BOARD_OFF_MM + COVERS_MM / 2
            if abs(u) < BOARD_MM[0] / 2 + away and abs(v - BOARD_V_MM) < BOARD_MM[1] / 2 + away:
                return False
        return True

    def below_board(self, x: float, y: float) -> bool:
        """Tell whether a square about a point (mm) lies where staged cards stick out from under a board."""
        kind, _, seat = self.place_at(x, y).partition(":")
        return kind == WONDER and self.in_block(int(seat), x, y)[1] < BOARD_V_MM and self.beside_board(x, y)

    def city_spot(self, seat: int, column: int, number: int) -> tuple[float, float]:
        """Return the middle (mm) of a card of a city by its column and its number in it, both from 0."""
        u = _CITY_U + (column - (COLUMNS - 1) / 2) * PITCH_MM
        return self.locate_point(seat, u, _HEADS_V - _HALF_HIGH - number * STEP_MM)

    def stage_spot(self, seat: int, number: int, of: int) -> tuple[float, float]:
        """Return the middle (mm) of a staged card by its number, from 0, where the board has ``of`` stages."""
        apart = max(STAGE_APART_MM, 200.0 / of)
        return self.locate_point(seat, (number - (of - 1) / 2) * min(apart, STAGE_APART_MM + 5.0), STAGED_V_MM)

    def middle_of(self, kind: str, seat: int) -> tuple[float, float]:
        """Return the middle (mm) of a zone of a city."""
        u0, u1, v0, v1 = _BLOCKS[kind]
        return self.locate_point(seat, (u0 + u1) / 2, (v0 + v1) / 2)

    def discard_spot(self, seat: int) -> tuple[float, float]:
        """Return the middle (mm) of a seat's discard spot."""
        return self.middle_of(SPOT, seat)


def layout_of(players: int, mat_mm: tuple[float, float] = REFERENCE_MAT_MM) -> Layout:
    """Return the layout for 3, 4 or 5 players on a mat of that size (mm).

    Raises:
        ValueError: it is another number of players.
    """
    if players not in _MIDDLES:
        raise ValueError(f"no layout for {players} players; there is one for 3 to 5")
    middles = _MIDDLES[players]
    bare = Layout((), REFERENCE_MAT_MM, (), middles)
    seats = range(1, players + 1)
    zones = [
        Zone(f"{kind}:{seat}", _make_area(bare, seat, *block), _TITLES[kind])
        for seat in seats
        for kind, block in _BLOCKS.items()
    ]
    (x, y), (w, h) = _PILES[players], REFERENCE_MAT_MM
    pile = Area((x - _PILE_HALF) / w, (x + _PILE_HALF) / w, (y - _PILE_HALF) / h, (y + _PILE_HALF) / h)
    areas = tuple(_make_area(bare, seat, -_WIDE, _WIDE, 0.0, _DEEP) for seat in seats)
    return Layout(areas, mat_mm, (*zones, Zone(PILE, pile, _PILE_TITLE)), middles)


def _make_area(layout: Layout, seat: int, u0: float, u1: float, v0: float, v1: float) -> Area:
    """Return a part of a block, in shares of the mat."""
    (xa, ya), (xb, yb) = layout.locate_point(seat, u0, v0), layout.locate_point(seat, u1, v1)
    w, h = REFERENCE_MAT_MM
    return Area(min(xa, xb) / w, max(xa, xb) / w, min(ya, yb) / h, max(ya, yb) / h)


_COLUMN = {
    Colour.BROWN: 0,
    Colour.GREY: 0,
    Colour.BLUE: 1,
    Colour.GREEN: 1,
    Colour.RED: 2,
    Colour.YELLOW: 3,
    Colour.PURPLE: 3,
}


def choose_column(card: Building, high: Sequence[int]) -> int:
    """Return the column, from 0, into which a building is laid where the columns hold so many."""
    column = _COLUMN[card.colour]
    return min(range(COLUMNS), key=high.__getitem__) if high[column] == IN_COLUMN else column


def arrange_table(state: WondersState, layout: Layout) -> Iterator[CardStack]:
    """Arrange each board over its staged cards, each city's columns, the discard spots and the pile.

    A board is named ``board/`` and its id.
    """
    position = state.position
    for seat, city in enumerate(position.cities, 1):
        stages = len(city.board.stages)
        for number, age in enumerate(state.staged[seat - 1]):
            at = layout.stage_spot(seat, min(number, stages - 1), stages)
            yield CardStack(f"{WONDER}:{seat}", *at, (back_of(age),))
        board = layout.locate_point(seat, 0.0, BOARD_V_MM)
        yield CardStack(f"{WONDER}:{seat}", *board, (f"{BOARD}{city.board}",))
        columns: list[list[str]] = [[] for _ in range(COLUMNS)]
        for card in city.cards:
            columns[choose_column(card, [*map(len, columns)])].append(card.id)
        for column, cards in enumerate(columns):
            ends = (layout.city_spot(seat, column, number) for number in (0, max(0, len(cards) - 1)))
            x, y = min(ends, key=itemgetter(1))
            yield CardStack(
                f"{CITY}:{seat}", x, y, tuple(cards), (0.0, STEP_MM * layout.mat_mm[1] / REFERENCE_MAT_MM[1])
            )
        lying = [one for one in state.ungathered if one.seat == seat]
        backs = (back_of(max(1, position.age)),) * len(lying)
        yield CardStack(f"{SPOT}:{seat}", *layout.discard_spot(seat), backs)
    newest = max((age for age in AGES if position.pile_ages[age - 1]), default=1)
    yield lay_pile(PILE, layout.pile, max(0, state.on_pile), back_of(newest))
