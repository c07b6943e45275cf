"""The position of Seven Minutes set by hand, through the session's menu."""

from __future__ import annotations

from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.seven_minutes.layout import row_spot
from referee.table import Unread
from referee.verdict import Accepted
from rules.cards import Card
from rules.record import Header, check_record
from rules.seven_minutes.moves import Flip, Roll
from rules.seven_minutes.row import Row
from tests.referee.seven_minutes.test_at_the_table import LAYOUT, PLAYERS, Table, dice, struck


def choose(table: Table, words: str) -> None:
    """Take the line of the menu that has these words."""
    choices = table.session.make_screen().choices
    number = next((k for k, line in enumerate(choices) if words in line), None)
    assert number is not None, (words, choices)
    while table.session.make_screen().chosen != number:
        table.session.press(Button.DOWN)
    table.session.press(Button.CONFIRM)


def begin(table: Table) -> None:
    table.see()
    table.session.press(Button.CONFIRM, held=True)
    choose(table, "Set the position")


def test_who_has_taken_what_is_gone_and_whose_turn_it_is() -> None:
    table = Table()
    table.flip("S9", "H3", "C10")
    table.row, table.piles = [["C10"]], [(2, "back")]
    begin(table)
    assert "star 9 and heart 3" in table.session.make_screen().headline
    choose(table, "Banach, face down")
    choose(table, "Hilbert, who has yet to flip")
    position = table.session.position
    assert (position.points, position.seat, position.row) == ((0, -2), 1, Row.from_cards([Card.parse("C10")]))
    assert table.see() == []
    assert not table.session.checking
    table.flip("B4")
    *verdicts, final = check_record(table.session.history.write_record())
    assert all(verdict["verdict"] == "accepted" for verdict in verdicts)
    assert final["final"] == [0, -2]
    header = Header("seven_minutes", PLAYERS, {"first_seat": 1})
    again = Session.resume(header, [Entry.from_json(entry.to_json()) for entry in table.kept], LAYOUT)
    assert again.position == table.session.position


def test_flips_of_the_turn_stay_flips() -> None:
    table = Table()
    table.flip("S9", "FK")
    table.row = [["S9"], ["FK"], ["C4"]]
    begin(table)
    choose(table, "Hilbert, who has flipped star 9, coffin K and coin 4")
    assert table.session.position.king_left == 2
    table.flip("B5")


def test_a_row_that_a_seven_ended_comes_to_judgement_again() -> None:
    table = Table()
    table.flip("S9", "O7")
    table.dice = dice(1, 1)
    assert table.see() == [Roll(1, (1, 1))]
    begin(table)
    choose(table, "Hilbert, who has flipped")
    assert table.session.position.rolls_left == 2
    assert table.see() == [], "the dice that lie there are no roll"
    table.dice = dice(1, 1, 90.0)
    assert table.see() == [Roll(1, (1, 1))]


def test_cards_may_be_back_in_the_draw_pile_or_back_in_the_row() -> None:
    table = Table()
    struck(table)
    table.row, table.piles = [["C10"]], [(1, "back")]
    assert isinstance(table.confirm(), Accepted)
    table.row, table.piles = [["H3"]], [(1, "back")]
    begin(table)
    choose(table, "draw pile again")
    choose(table, "Banach, who has yet to flip")
    position = table.session.position
    assert position.points == (-1, 0)
    assert position.may_be_next(Card.parse("C10"))
    table.flip("C10")


def test_nothing_is_offered_to_which_the_rules_can_not_lead() -> None:
    table = Table()
    table.flip("S9")
    table.row = [["H3"]]
    begin(table)
    choose(table, "Hilbert, face up")
    # Only what was taken face down leaves a row behind, so the heart 3 was flipped in this turn.
    assert table.session.make_screen().choices == (
        "Hilbert, who has flipped heart 3",
        "Banach, who has flipped heart 3",
    )
    choose(table, "Banach")
    assert table.session.position.points == (1, 0)
    assert table.see() == []


def test_what_can_not_be_set_says_what_to_do_first() -> None:
    table = Table()
    table.flip("S9", "H3")
    table.row = [["S9", "H3"]]
    begin(table)
    assert "one rank lie on one place" in table.session.make_screen().headline
    choose(table, "Back")
    table.session.press(Button.BACK)
    table.row = [["S9", "H3"], ["C10"]]
    begin(table)
    assert "one rank lie on one place" in table.session.make_screen().headline
    choose(table, "Back")
    table.session.press(Button.BACK)
    table.row, table.unread = [["S9"]], (Unread(*row_spot(1, 0, REFERENCE_MAT_MM), 0.0, "glare"),)
    begin(table)
    assert table.session.make_screen().headline == "Which card lies here: the row?"
    assert table.session.position.flips == (Card.parse("S9"), Card.parse("H3"))
    assert Flip(1, Card.parse("H3")) in table.session.history.moves
