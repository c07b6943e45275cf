"""The table of Laminate Rummy as it is drawn from above: papers in columns, the piles, thanks on payment spots."""

from __future__ import annotations

from collections.abc import Iterator

from referee.arrangement import CardStack, fit_pitch, lay_pile
from referee.laminate.expected_layout import Agreed, paper_place
from referee.laminate.view.layouts import PaperLayout
from referee.table import BACK
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Paper

STRIP_MM = 21.0
"""So much of each card shows from under the next one."""
_SPREAD_MM, _PITCH_MM = 4.0, 76.0
_FAN_MM = 42.0
_FROM_INNER_MM, _FROM_OUTER_MM = 84.0, 150.0
"""How far the paper cards' middles lie from the inner edge of an area at the top, from the outer one at the bottom."""


def arrange_table(state: Agreed, layout: PaperLayout) -> Iterator[CardStack]:
    """Arrange the piles, the thanks that lie on payment spots, and each player's papers in a row.

    A paper card lies on its SEVEN cards, which show above it.
    """
    position = state.position
    yield lay_pile("draw", layout.draw, position.draw_count)
    shown = tuple(BACK if card is None else str(card) for card in state.discards[-3:])
    yield CardStack("discard", *layout.discard, shown, (_SPREAD_MM, 0.0), count=len(state.discards))
    for seat, area in enumerate(position.areas.papers, 1):
        x, y = layout.locate_payment(seat)
        fan = -_FAN_MM if x < layout.mat_mm[0] / 2 else _FAN_MM
        yield CardStack(f"payment:{seat}", x, y, (BACK,) * state.thanks.get(seat, 0), (fan, 0.0))
        x0, _, x1, y1 = layout.seat_rect(seat)
        pitch = fit_pitch(len(area), x1 - x0, _PITCH_MM)
        head = y1 - (_FROM_INNER_MM if layout.faces_down(seat) else _FROM_OUTER_MM)
        for number, paper in enumerate(area):
            middle = (x0 + x1) / 2 + (number - (len(area) - 1) / 2) * pitch
            lowest = head - len(paper.cards) * STRIP_MM
            yield CardStack(paper_place(seat, paper.kind), middle, lowest, _name_cards(paper), (0.0, STRIP_MM))


def _name_cards(paper: Paper) -> tuple[str, ...]:
    """Return a paper's cards as they are drawn: the SEVEN cards, and the paper card on them."""
    complete = paper.complete or paper.kind == END_FLAG
    return *map(str, reversed(paper.cards)), f"{paper.kind}/{'complete' if complete else 'review'}"
