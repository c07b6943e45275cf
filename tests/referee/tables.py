"""Table views for tests, built from positions as an eye that misses nothing would see them."""

from __future__ import annotations

from collections.abc import Mapping

from referee.laminate.expected_layout import Agreed
from referee.laminate.referee import REFEREE
from referee.laminate.view.layouts import PaperLayout, layout_for
from referee.laminate.view.table import PaperSeen, TableView
from referee.verdict import Verdict
from referee.zones import ZoneReferee
from rules.cards import Card
from rules.laminate.moves import Publish, Setup
from rules.laminate.position import Position

MAT = (1189.0, 841.0)


def cards(names: str) -> tuple[Card, ...]:
    return tuple(Card.parse(name) for name in names.split())


def judge(agreed: Agreed, view: TableView, layout: PaperLayout | None = None) -> Verdict:
    """Return what a fresh judge says of a look, whatever a test has put in its place."""
    layout = layout or layout_for(len(agreed.position.players), view.mat_mm)
    return ZoneReferee.judge(REFEREE, agreed, view, layout)


def show(position: Position, thanks: Mapping[int, int] | None = None, peeping: int = 0) -> TableView:
    """Return the table of a position; ``peeping`` discards show under the top one."""
    layout = layout_for(len(position.players), MAT)
    papers = []
    places: dict[int, int] = {}
    for paper in position.papers:
        x0, y0, x1, y1 = layout.seat_rect(paper.seat)
        number = places.get(paper.seat, 0)
        places[paper.seat] = number + 1
        x = x0 + 40 + 72 * number % (x1 - x0 - 40)
        y = y1 - 50 if layout.faces_down(paper.seat) else y0 + 50
        papers.append(PaperSeen(paper.seat, paper.kind, paper.complete, paper.cards, x, y))
    discards = [card for card in position.discards if card is not None]
    return TableView(
        MAT,
        tuple(papers),
        min(3, position.draw_count),
        discards[-1] if discards else None,
        tuple(discards[:-1][-peeping:]) if peeping else (),
        {seat: count for seat, count in (thanks or {}).items() if count},
    )


def started(players: int = 3, discard: str = "FK", first_seat: int = 1) -> Agreed:
    """Set up a game, as everybody knows it."""
    names = ("Hilbert", "Banach", "Noether", "Galois", "Gauss")[:players]
    return Agreed(Position.start(names, first_seat).do(Setup(Card.parse(discard))))


def thanks_of(move: object) -> dict[int, int]:
    """Return the thank-you cards that a move leaves on the payment spots."""
    if not isinstance(move, Publish):
        return {}
    return {seat: n if isinstance(n, int) else len(n) for seat, n in move.pay.items()}
