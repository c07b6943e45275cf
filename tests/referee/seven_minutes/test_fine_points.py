"""Fine points of Seven Minutes at the table: what might be taken for something else, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

from device.hardware.buttons import Button
from referee.layout import REFERENCE_MAT_MM
from referee.seven_minutes.layout import row_spot
from referee.table import Die, Unread
from referee.verdict import Accepted, CantSee, Question, Refused
from rules.cards import Card
from rules.seven_minutes.moves import Flip, Roll, Stop
from tests.referee.seven_minutes.test_at_the_table import Table, code, dice, struck


def unread_at(place: int) -> tuple[Unread, ...]:
    return (Unread(*row_spot(place, 0, REFERENCE_MAT_MM), 0.0, "glare"),)


def test_no_roll_tells_a_stop_while_a_flipped_card_may_lie_there_unread() -> None:
    table = Table()
    table.flip("C5", "F9")
    table.unread, table.dice = unread_at(2), dice(6, 5)
    assert table.see() == []
    assert isinstance(table.confirm(), CantSee)
    table.row, table.unread = [["C5"], ["F9"], ["F7"]], ()
    assert table.see() == [Flip(1, Card.parse("F7")), Roll(1, (6, 5))]


def test_cards_taken_face_down_leave_the_face_up_pile_in_view() -> None:
    table = Table()
    for seat in (1, 2):
        table.flip(("C5", "F9")[seat - 1])
        table.dice = dice(1, 1, 40.0 * seat)
        assert table.see() == [Stop(seat), Roll(seat, (1, 1))]
        table.piles.append((seat, table.row.pop()[0]))
        assert isinstance(table.confirm(), Accepted)
    table.flip("B4")
    table.dice = dice(2, 2, 120.0)
    assert table.see() == [Stop(1), Roll(1, (2, 2))]
    table.row, table.piles = [], [(1, "back"), (2, "F9")]
    verdict = table.confirm()
    assert code(verdict) == "table_disturbed"
    assert "face-up pile" in verdict.text.en
    table.piles.append((1, "C5"))
    assert isinstance(table.confirm(), Accepted)
    assert table.session.position.points == (0, 1)


def test_cards_taken_face_up_leave_the_face_down_pile_in_view() -> None:
    table = Table()
    for seat in (1, 2):
        table.flip(("C5", "F9")[seat - 1])
        table.dice = dice(1 + 3 * (seat == 1), 1, 40.0 * seat)
        table.see()
        table.piles.append((seat, "back" if seat == 1 else "F9"))
        table.row = []
        assert isinstance(table.confirm(), Accepted)
    table.flip("B4")
    table.dice = dice(1, 1, 120.0)
    assert table.see() == [Stop(1), Roll(1, (1, 1))]
    table.row, table.piles = [], [(1, "B4"), (2, "F9")]
    assert code(table.confirm()) == "table_disturbed"
    table.piles.append((1, "back"))
    assert isinstance(table.confirm(), Accepted)
