"""A reader that makes no mistakes: table views straight from the simulated table, for tests of everything after it."""

from __future__ import annotations

from collections.abc import Iterable

from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.observing import table_view
from referee.laminate.view.table import TableView
from referee.placing import Placed
from referee.table import Sighting


def sightings(table: Iterable[Placed], layout: PaperLayout, peeping: bool = True) -> list[Sighting]:
    """Every card on the table; ``peeping`` is False where the discards lie so neatly that only the top one shows."""
    cards = list(table)
    seen = []
    for number, card in enumerate(cards):
        covered = any(abs(card.x - o.x) < 20 and abs(card.y - o.y) < 20 for o in cards[number + 1 :])
        if covered and not peeping and card.name != "back" and layout.spot_at(card.x, card.y) == "discard":
            continue
        seen.append(Sighting(card.name, card.x, card.y, card.angle % 360, visible=0.1 if covered else 1.0))
    return seen


def perfect_view(table: Iterable[Placed], layout: PaperLayout, peeping: bool = True) -> TableView:
    """Return the table view that a reader without fault would give."""
    return table_view(sightings(table, layout, peeping), (), layout)
