"""Carries out what a refusal says to put right, to see whether it leads back to a table that can be judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.table import PaperSeen, TableView
from referee.table import Sighting
from referee.verdict import Mend
from rules.cards import Card


@dataclass
class _Paper:
    seat: int
    kind: str
    complete: bool
    cards: list[Card]


@dataclass
class MendedTable:
    """The table as plain lists, on which mends are carried out one by one."""

    layout: PaperLayout
    papers: list[_Paper]
    discards: list[str]
    draw: list[str]
    payments: dict[int, int]
    loose: list[Sighting] = field(default_factory=list)
    _going: set[str] = field(default_factory=set)

    @classmethod
    def from_table(cls, table: SimulatedTable) -> MendedTable:
        papers = [_Paper(seat, c.paper, c.complete_side, list(c.cards)) for (seat, _), c in table.columns.items()]
        loose = [Sighting(card.name, card.x, card.y, card.angle) for card in table.astray]
        layout = table.layout
        backs = [name for name in table.discards if name == "back"]
        loose += [Sighting("back", *layout.discard, 0.0) for _ in backs]
        faces = [name for name in table.draw_pile if name != "back"]
        loose += [Sighting(name, *layout.draw, 0.0) for name in faces]
        return cls(
            layout,
            papers,
            [name for name in table.discards if name != "back"],
            [name for name in table.draw_pile if name == "back"],
            dict(table.count_payments()),
            loose,
        )

    def look_at(self) -> TableView:
        """Return what an eye without fault would see."""
        pile = [Card.parse(name) for name in self.discards]
        # A face-up or face-down card that lies on a pile hides its top.
        hidden = any(self.layout.spot_at(s.x, s.y) == "discard" for s in self.loose)
        return TableView(
            self.layout.mat_mm,
            tuple(PaperSeen(p.seat, p.kind, p.complete, tuple(p.cards)) for p in self.papers),
            len(self.draw),
            pile[-1] if pile and not hidden else None,
            (),
            {seat: count for seat, count in self.payments.items() if count},
            tuple(self.loose),
        )

    def carry_out(self, mends: Iterable[Mend]) -> bool:
        """Do what the mends say; False where one leaves the card to the player."""
        mends = tuple(mends)
        self._going = {mend.item for mend in mends if mend.target.startswith("hand:")}
        for mend in mends:
            if mend.item == "back" and mend.target == "discard":
                return False
            for _ in range(mend.count):
                self._take(mend)
                self._put(mend)
        return True

    def _take(self, mend: Mend) -> None:
        spot, _, kind = mend.source.partition("/")
        if "/" in mend.item:
            paper = mend.item.partition("/")[0]
            if mend.source == mend.target:
                return
            here = [p for p in self.papers if (f"seat:{p.seat}", p.kind) == (spot, paper)]
            # Of two of a kind the one that is to go is named by the cards that go with it.
            here.sort(key=lambda p: sum(str(card) in self._going for card in p.cards))
            if here and kind:
                gone = here[-1]
                self.papers.remove(gone)
                self.loose += [Sighting(str(card), 10.0, 10.0, 0.0) for card in gone.cards]
            else:
                self._lift(mend.item)
        elif mend.item == "back":
            if spot.startswith("payment:") and self.payments.get(int(spot[8:]), 0):
                self.payments[int(spot[8:])] -= 1
            elif spot == "draw" and self.draw:
                self.draw.pop()
            else:
                self._lift("back")
        else:
            self._lift(mend.item)
            if mend.item in self.discards:
                self.discards.remove(mend.item)
            for paper_there in self.papers:
                paper_there.cards = [card for card in paper_there.cards if str(card) != mend.item]

    def _lift(self, name: str) -> None:
        for sighting in self.loose:
            if sighting.name == name or ("/" in name and sighting.name.partition("/")[0] == name.partition("/")[0]):
                self.loose.remove(sighting)
                return

    def _put(self, mend: Mend) -> None:
        spot, _, kind = mend.target.partition("/")
        if "/" in mend.item:
            name, _, side = mend.item.partition("/")
            if mend.source == mend.target:
                for paper in self.papers:
                    if (f"seat:{paper.seat}", paper.kind) == (spot, kind):
                        paper.complete = side == "complete"
            elif kind:
                self.papers.append(_Paper(int(spot[5:]), name, side == "complete", []))
        elif mend.item == "back":
            if spot.startswith("payment:"):
                self.payments[int(spot[8:])] = self.payments.get(int(spot[8:]), 0) + 1
            elif spot == "draw":
                self.draw.append("back")
        elif spot == "discard":
            self.discards.append(mend.item)
        elif kind:
            paper_for = next((p for p in self.papers if (f"seat:{p.seat}", p.kind) == (spot, kind)), None)
            if paper_for is not None:
                paper_for.cards.append(Card.parse(mend.item))
