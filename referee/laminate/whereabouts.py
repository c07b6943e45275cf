"""Where each SEVEN card lay in the agreed position, and where it lies now."""

from __future__ import annotations

from collections.abc import Iterable

from referee.laminate.expected_layout import Agreed, expect_table, paper_place
from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.table import TableView
from referee.table import Sighting
from rules.cards import Card


class Whereabouts:
    """Where cards lie now, against where they lay.

    ``was`` and ``now`` give places as in ``referee.verdict.Mend``; what ``now`` lacks is in a hand or out of sight.
    ``new_paper`` are cards in papers that were not there, ``headless`` agreed papers that are gone while a paper card
    of their kind lies loose, by kind.
    """

    def __init__(self, agreed: Agreed, view: TableView, layout: PaperLayout) -> None:
        self._layout = layout
        papers = expect_table(agreed).papers
        self.was: dict[Card, str] = {card: paper_place(*key) for key, cards in papers.items() for card in cards}
        self.was |= {card: "discard" for card in (*agreed.discards, *agreed.peeping) if card is not None}
        self.now: dict[Card, str] = {}
        self.new_paper: set[Card] = set()
        pile = view.discard_under if view.discard_top is None else (view.discard_top, *view.discard_under)
        self.now |= dict.fromkeys(pile, "discard")
        for paper in view.papers:
            for card in paper.cards:
                self.now[card] = paper_place(paper.seat, paper.kind)
                if (paper.seat, paper.kind) not in papers:
                    self.new_paper.add(card)
        there = {(paper.seat, paper.kind) for paper in view.papers}
        loose_kinds = {sighting.name.partition("/")[0] for sighting in view.loose if "/" in sighting.name}
        self.headless = {
            kind: paper_place(seat, kind) for seat, kind in papers if (seat, kind) not in there and kind in loose_kinds
        }
        for sighting in view.loose:
            if "/" not in sighting.name and sighting.name != "back":
                self.now[Card.parse(sighting.name)] = self.find_spot(sighting)

    def find_spot(self, sighting: Sighting) -> str:
        """Return the spot or area on which a loose card lies, ``table`` where it lies on none."""
        return self._layout.spot_at(sighting.x, sighting.y) or "table"

    def has_taken(self, cards: Iterable[Card]) -> bool:
        """Tell whether these cards went into a hand, or from there into a new paper, as far as one can see."""
        return all(card not in self.now or card in self.new_paper for card in cards)

    def from_hand(self, cards: Iterable[Card]) -> bool:
        """Tell whether these cards were not on the table before."""
        return not any(card in self.was for card in cards)
