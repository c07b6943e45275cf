"""The table of Laminate Rummy as it is drawn from above: papers in columns, the piles, thanks on payment spots."""

from __future__ import annotations

from collections.abc import Iterator

from referee.arrangement import Stack, fit_pitch, lay_pile
from referee.laminate.expected_layout import Agreed, paper_place
from referee.laminate.view.layouts import PaperLayout
from referee.table import BACK
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Paper

STRIP_MM = 21.0
"""So much of each card shows from under the next one."""
_SPREAD_MM, _PITCH_MM = 4.0, 76.0
_FAN_MM = 42.0
_HEAD_MM = 84.0
"""How far the paper cards' middles lie from the inner edge of their player's area."""


def arrange_table(state: Agreed, layout: PaperLayout) -> Iterator[Stack]:
    """Arrange the piles, the thanks that lie on payment spots, and each player's papers, heads in a row."""
    position = state.position
    yield lay_pile("draw", layout.draw, position.draw_count)
    shown = tuple(BACK if card is None else str(card) for card in state.discards[-3:])
    yield Stack("discard", *layout.discard, shown, (_SPREAD_MM, 0.0), count=len(state.discards))
    for seat, area in enumerate(position.areas.papers, 1):
        x, y = layout.locate_payment(seat)
        fan = -_FAN_MM if x < layout.mat_mm[0] / 2 else _FAN_MM
        yield Stack(f"payment:{seat}", x, y, (BACK,) * state.thanks.get(seat, 0), (fan, 0.0))
        x0, y0, x1, y1 = layout.seat_rect(seat)
        turned, pitch = layout.faces_down(seat), fit_pitch(len(area), x1 - x0, _PITCH_MM)
        head, down = (y1 - _HEAD_MM, -STRIP_MM) if turned else (y0 + _HEAD_MM, STRIP_MM)
        for number, paper in enumerate(area):
            middle = (x0 + x1) / 2 + (number - (len(area) - 1) / 2) * pitch
            yield Stack(paper_place(seat, paper.kind), middle, head, _name_cards(paper), (0.0, down), turned)


def _name_cards(paper: Paper) -> tuple[str, ...]:
    """Return a paper's cards as they lie: the paper card at the head, then the SEVEN cards."""
    complete = paper.complete or paper.kind == END_FLAG
    return f"{paper.kind}/{'complete' if complete else 'review'}", *map(str, paper.cards)
