"""Two turns on the table before anybody pressed confirm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.laminate.expected_layout import Agreed
from referee.laminate.readings import propose_readings
from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.table import TableView
from referee.verdict import Accepted, Question, Reading
from referee.zones import ZoneReferee
from rules.laminate.moves import Move, Research
from rules.laminate.position import Phase

Turns = tuple[Accepted, Accepted]


def two_turns(referee: ZoneReferee, agreed: Agreed, view: TableView, layout: PaperLayout) -> Turns | None:
    """Return the two legal turns, one after the other, that
    explain the table; ``None`` unless just one such pair does.
    """
    if agreed.position.phase is not Phase.PLAY:
        return None
    found: list[Turns] = []
    for move, after in _first_turns(agreed, view, layout):
        second = referee.judge(after, view, layout)
        if isinstance(second, Question):
            return None
        if isinstance(second, Accepted) and all(second.after != other.after for _, other in found):
            found.append((referee.accept_reading(agreed, Reading(move, after)), second))
    return found[0] if len(found) == 1 else None


def _first_turns(agreed: Agreed, view: TableView, layout: PaperLayout) -> Iterator[tuple[Move, Agreed]]:
    """Yield legal moves that explain a part of what has changed, and what is confirmed after each of them."""
    # Thank-you cards that lie there are the second turn's: those of the first would have had to be taken by then.
    for reading in propose_readings(agreed, replace(view, payments={}), layout):
        if reading.after is not None and not reading.fits:
            yield reading.move, reading.after
    position = agreed.position
    if position.to_move is None or position.draw_count < 2:
        return
    # The first turn's discard may lie under the second one's.
    known = {*agreed.discards, *agreed.peeping}
    for card in view.discard_under:
        move = Research(position.to_move, "deck", None, card)
        if card not in known and position.is_legal(move):
            yield move, replace(agreed, position=position.do(move), thanks={})
