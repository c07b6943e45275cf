"""Fine points of Seven Minutes at the table: what might be taken for something else, and what is said of it."""

from __future__ import annotations

from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import MOVE
from referee.layout import REFERENCE_MAT_MM
from referee.seven_minutes.layout import row_spot
from referee.table import Unread
from referee.verdict import Accepted, CantSee
from rules.cards import Card
from rules.seven_minutes.moves import Flip, Roll, Stop
from tests.referee.seven_minutes.test_at_the_table import Table, code, dice, struck
from tests.soak.any_game import Game


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


def test_up_takes_back_a_roll_that_struck_even_after_hands_were_seen() -> None:
    table = Table()
    struck(table)
    table.dice = ()
    assert table.see() == []
    assert table.session.screen().put_back
    table.session.press(Button.UP)
    assert table.session.position.rolls == ()
    assert table.session.position.phase == "judgement"
    assert table.session.position.row.cards


def test_up_once_more_takes_back_the_stop_that_a_bumped_die_told() -> None:
    table = Table()
    table.flip("H3", "S9")
    table.dice = dice(5, 6)
    assert table.see() == [Stop(1), Roll(1, (5, 6))]
    table.session.press(Button.UP)
    table.session.press(Button.UP)
    assert table.session.position.may_stop
    table.flip("C10")
    assert table.session.position.row.length == 3


def test_up_takes_back_the_roll_that_ended_the_game() -> None:
    game = Game("seven_minutes", 7200, misread=0.0)
    game.play()
    session = game.session
    assert session.over
    session.press(Button.UP)
    assert session.over, "its cards have been taken"
    last = max(number for number, entry in enumerate(session.entries) if entry.kind == MOVE)
    again = Session.resume(session.history.header, session.entries[: last + 1], game.layout)
    assert again.over
    again.press(Button.UP)
    assert not again.over
    assert again.position.phase == "judgement"


def test_up_opens_the_menu_once_the_cards_are_taken() -> None:
    table = Table()
    struck(table)
    table.row, table.piles = [["C10"]], [(1, "back")]
    assert isinstance(table.confirm(), Accepted)
    table.session.press(Button.UP)
    assert table.session.position.points == (-2, 0)
    assert table.session.screen().choices


def test_a_stop_soon_after_a_flip_that_settled_is_no_second_press() -> None:
    table = Table()
    struck(table)
    table.row, table.piles = [["C10"]], [(1, "back")]
    table.see()
    taken = table.session.press(Button.CONFIRM, pressed_s=10.0)
    assert isinstance(taken, Accepted)
    table.flip("B4")
    verdict = table.session.press(Button.CONFIRM, pressed_s=11.5)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Stop(2)
