"""An eye for the soak that only sorts what lies there, with a real reader's noise."""

from __future__ import annotations

import random

from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.observing import table_view
from referee.laminate.view.table import TableView
from referee.placing import Placed
from referee.table import Sighting, Unread
from rules.cards import DECK
from rules.laminate.papers import LAMINATE
from simulator.truth import measure_visible_shares

_SHOWS = 0.1
"""A card of which less shows has no index to be read by."""
_CAUSES = ("glare", "covered", "blurred", "doubtful")
_NAMES = [
    *map(str, DECK),
    "back",
    *(f"{kind.name}/{side}" for kind in LAMINATE.kinds for side in ("review", "complete")),
]


class SortingEye:
    """Sorts the cards that lie there as the reader does, a little off their places, some of them unread."""

    def __init__(self, layout: PaperLayout, rng: random.Random, unread: float = 0.002) -> None:
        self.layout = layout
        self._rng = rng
        self._unread = unread

    def look(self, table: SimulatedTable) -> TableView:
        return self._look(table, self._unread)

    def look_clearly(self, table: SimulatedTable) -> TableView:
        return self._look(table, 0.0)

    def _look(self, table: SimulatedTable, unread: float) -> TableView:
        rng = self._rng
        placed = list(table)
        shown: list[Sighting] = []
        marks: list[Unread] = []
        for card, share in zip(placed, measure_visible_shares(placed, self.layout.mat_mm, 0.5), strict=True):
            if share < _SHOWS * rng.uniform(0.7, 1.3):
                continue
            x, y, angle = card.x + rng.gauss(0, 1.2), card.y + rng.gauss(0, 1.2), (card.angle + rng.gauss(0, 1)) % 360
            if rng.random() < unread:
                marks.append(Unread(x, y, angle, rng.choice(_CAUSES), self._guess_candidates(card), share))
            else:
                shown.append(Sighting(card.name, x, y, angle, rng.uniform(0.9, 1.0), share))
        rng.shuffle(shown)
        return table_view(shown, marks, self.layout)

    def _guess_candidates(self, card: Placed) -> tuple[str, ...]:
        """Guess what a reader may think of a card that it can't name: nothing, or the right name among others."""
        rng = self._rng
        if rng.random() < 0.25:
            return ()
        same_sort = [name for name in _NAMES if ("/" in name) == ("/" in card.name)]
        some = [card.name, *rng.sample(same_sort, 2)]
        if rng.random() < 0.3:
            rng.shuffle(some)
        return tuple(dict.fromkeys(some))
