"""What tables begin with, and how they get their names."""

from __future__ import annotations

from collections.abc import Callable

from referee.laminate.expected_layout import Agreed
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import TableView
from rules.cards import DECK, Card
from rules.laminate.moves import Citation, Publish, Research
from rules.laminate.position import Phase, Position
from tests.referee.tables import cards, show, started
from tests.referee.test_every_code import TABLES as ONE_FOR_EACH_CODE
from tests.referee.test_refusals import (
    after,
    banach_may_cite,
    drawn,
    review,
    under_review,
    until,
)

Case = tuple[Agreed, TableView]
LAYOUT = layout_for(3)
TABLES: dict[str, Callable[[], Case]] = {f"code {code}": case for code, case in ONE_FOR_EACH_CODE.items()}


def table(make: Callable[[], Case]) -> Callable[[], Case]:
    """Add a table under its function's name."""
    TABLES[make.__name__.replace("_", " ")] = make
    return make


def card(name: str) -> Card:
    return Card.parse(name)


def two_papers() -> Agreed:
    """Hilbert's and Banach's threes are under review; Noether is to move."""
    agreed = started(discard="T12")
    return after(agreed, Publish(1, "three", cards("C6 S6 T6")), Publish(2, "three", cards("B7 O7 H7")))


def two_complete() -> Agreed:
    """Hilbert and Banach have a complete three each, T6 and H7, and Banach a complete AK; Noether is to move."""
    agreed = after(two_papers(), review(3, 1, "three", "C6"), review(1, 1, "three", "S6"), review(2, 2, "three", "B7"))
    agreed = after(agreed, review(3, 2, "three", "O7"), drawn(1, "H4"), drawn(2, "H5"), drawn(3, "O5"), drawn(1, "O4"))
    agreed = after(agreed, drawn(2, "O3"), drawn(3, "O2"), drawn(1, "B3"), Publish(2, "ace_king", cards("HA FK")))
    return after(agreed, review(3, 2, "ace_king", "HA"), drawn(1, "B4"), drawn(2, "B5"))


def two_thanked() -> Agreed:
    """Noether has thanked Hilbert with one card and Banach with two; these still lie there; Hilbert is to move."""
    cite = (Citation(1, "three"), Citation(2, "three"), Citation(2, "ace_king"))
    return after(two_complete(), Publish(3, "sum49", cards("F12 S11"), cite, {1: 1, 2: 2}))


def flag_due() -> tuple[Agreed, Position]:
    return until(Phase.FLAG)


def disturbed(make: Callable[[TableView], TableView]) -> Case:
    """Banach has drawn and laid H5, and something else is amiss."""
    agreed = banach_may_cite()
    return agreed, make(show(agreed.position.do(drawn(2, "H5"))))


def due_to_banach() -> Agreed:
    """As ``under_review``, with a discard more, and the End Flag is Banach's to take."""
    data = after(under_review(), drawn(2, "H4"), drawn(3, "H5"), drawn(1, "O5")).position.to_json()
    return Agreed(Position.from_json({**data, "phase": "flag", "met": True, "flag_seat": 2}))


def drawn_down_beside_a_paper(players: int, left: int) -> Agreed:
    """Hilbert's three is under review, and so many cards are left in the draw pile; all that was discarded is known."""
    agreed = after(started(players), Publish(1, "three", cards("C6 S6 T6")))
    names = iter(card for card in DECK if str(card) not in ("FK", "C6", "S6", "T6"))
    while agreed.position.draw_count > left:
        agreed = after(agreed, Research(agreed.position.to_move or 0, "deck", None, next(names)))
    return agreed


def take_the_top(agreed: Agreed, left: int) -> Agreed:
    """Everybody takes the top discard until so many are left."""
    while len(agreed.position.discards) > left:
        agreed = after(agreed, Research(agreed.position.to_move or 0, "discard", agreed.position.discards[-1]))
    return agreed
