"""How cities are laid out: which column a building goes to, and the table as it is drawn from above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

from referee.arrangement import Stack, lay_pile
from referee.layout import REFERENCE_MAT_MM
from referee.seven_wonders.cards import back_of
from referee.seven_wonders.layout import (
    BOARD,
    BOARD_V_MM,
    CITY,
    COLUMNS,
    IN_COLUMN,
    PILE,
    SPOT,
    STEP_MM,
    WONDER,
    Layout,
)
from referee.seven_wonders.look import on_the_pile
from referee.seven_wonders.state import WondersState
from rules.seven_wonders.cards import AGES, Building
from rules.seven_wonders.effects import Colour

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


def arrange_table(state: WondersState, layout: Layout) -> Iterator[Stack]:
    """Arrange each board over its staged cards, each city's columns, the discard spots and the pile.

    A board is named ``board/`` and its id.
    """
    position = state.position
    for seat, city in enumerate(position.cities, 1):
        stages = len(city.board.stages)
        for number, age in enumerate(state.staged[seat - 1]):
            at = layout.stage_spot(seat, min(number, stages - 1), stages)
            yield Stack(f"{WONDER}:{seat}", *at, (back_of(age),))
        board = layout.locate_point(seat, 0.0, BOARD_V_MM)
        yield Stack(f"{WONDER}:{seat}", *board, (f"{BOARD}{city.board}",))
        columns: list[list[str]] = [[] for _ in range(COLUMNS)]
        for card in city.cards:
            columns[choose_column(card, [*map(len, columns)])].append(card.id)
        for column, cards in enumerate(columns):
            ends = (layout.city_spot(seat, column, number) for number in (0, max(0, len(cards) - 1)))
            x, y = min(ends, key=itemgetter(1))
            yield Stack(f"{CITY}:{seat}", x, y, tuple(cards), (0.0, STEP_MM * layout.mat_mm[1] / REFERENCE_MAT_MM[1]))
        lying = [one for one in state.ungathered if one.seat == seat]
        backs = (back_of(max(1, position.age)),) * len(lying)
        yield Stack(f"{SPOT}:{seat}", *layout.discard_spot(seat), backs)
    newest = max((age for age in AGES if position.pile_ages[age - 1]), default=1)
    yield lay_pile(PILE, layout.pile, max(0, on_the_pile(state)), back_of(newest))
