"""A confirm that waits for a look does what was chosen when it was pressed, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from device.app.playing import Playing
from device.capture.capture import Moving, ReadingStarted, Seen
from device.hardware.buttons import Button, Press
from device.session.session import Session
from referee.menu import Menu
from referee.table import REST
from tests.device.ready_tables import Watched, auction, turn

CONFIRM, BACK, UP, DOWN = Button.CONFIRM, Button.BACK, Button.UP, Button.DOWN


class Table:
    """A game being played; its players' hands lie over the mat until they are gone."""

    def __init__(self, session: Session, seen: Any, hands: bool = True) -> None:
        self.session, self.seen, self.now = session, seen, 0.0
        self.watched: Any = Watched()
        nothing = self.watched.nothing
        self.playing = Playing(session, self.watched, self.watched, self.watched, nothing, nothing, lambda: self.now)
        self.hear(ReadingStarted(), Seen(session.judge.look.raw))
        if hands:
            self.hear(Moving(frozenset({REST})))
        self.turns = len(session.history.past)

    def hear(self, *news: Any) -> None:
        self.now += 0.2
        self.watched.looked_s = self.now
        self.watched.unheard += news
        self.playing.run_round()

    def press(self, *buttons: Button, long: bool = False) -> None:
        for button in buttons:
            self.now += 0.05
            self.playing.press(Press(button, long))

    def still(self) -> list[Any]:
        """Take the hands away and read the table; return what was entered since, as a record's lines."""
        self.hear(ReadingStarted(), Seen(self.seen))
        self.hear()
        return [step.move.to_json() for step in self.session.history.past[self.turns :] if step.move]


PASS = {"seat": 1, "do": "pass"}


@pytest.mark.parametrize("passed", [0, 4], ids=["first auction", "second auction"])
@pytest.mark.parametrize("hands", [True, False])
def test_what_is_told_stays_what_it_was_and_the_next_player_chooses_for_himself(passed: int, hands: bool) -> None:
    table = Table(*auction(passed), hands=hands)
    table.press(CONFIRM, DOWN)
    assert table.still() == [PASS]
    table = Table(*auction(passed), hands=hands)
    table.press(CONFIRM, DOWN, CONFIRM)
    first, *others = table.still()
    assert first == PASS
    question = table.session.judge.question
    assert others == [{"seat": 2, "do": "bid", "tricks": 7}] or str(question.text).startswith("E bids 7")


def test_a_question_is_not_asked_behind_hands_that_hide_it() -> None:
    table = Table(*auction())
    table.press(DOWN, CONFIRM, DOWN, CONFIRM)
    assert table.session.judge.question is None
    assert table.still() == []
    question = table.session.judge.question
    assert str(question and question.text) == "N bids 8: with which trumps?"


def test_two_presses_of_confirm_are_one_and_back_leaves_what_is_told() -> None:
    table = Table(*auction())
    table.press(CONFIRM, CONFIRM)
    assert table.still() == [PASS]
    table = Table(*auction())
    table.press(CONFIRM, BACK)
    assert table.still() == []


def test_a_phones_answer_takes_the_place_of_a_confirm_that_waits() -> None:
    table = Table(*auction(4))
    table.press(CONFIRM)
    table.playing.choose(1)
    table.press(CONFIRM)
    assert table.still() == [{"seat": 1, "do": "bid", "tricks": 7}]
    table = Table(*auction(4))
    table.playing.choose(1)
    table.press(CONFIRM)
    table.press(UP)
    assert table.still() == [{"seat": 1, "do": "bid", "tricks": 7}], "an arrow at the table changes no answer"


@pytest.mark.parametrize(
    "after",
    [
        lambda table: table.press(BACK),
        lambda table: table.press(UP),
        lambda table: table.press(DOWN),
        lambda table: table.playing.choose(0),
        lambda table: (table.press(CONFIRM, long=True), table.press(DOWN)),
        lambda table: (table.press(CONFIRM, long=True), table.press(BACK)),
    ],
    ids=["back", "up", "down", "an answer", "a menu", "a menu that was left"],
)
def test_any_other_press_ends_a_confirm_of_what_lies_there(after: Callable[[Table], object]) -> None:
    for laid in ((), ((1, "H6"),)):
        table = Table(*turn(laid))
        table.press(CONFIRM)
        after(table)
        over = table.session.over_it
        assert table.still() == []
        assert len(table.session.history.past) == table.turns
        assert table.session.over_it is over, "a menu stays as it is"
        assert not isinstance(over, Menu) or table.session.over_it.chosen == over.chosen


def test_a_confirm_of_what_lies_there_settles_what_the_first_look_shows() -> None:
    table = Table(*turn([(1, "H6")]))
    table.press(CONFIRM)
    assert len(table.still()) == 1


def test_what_was_confirmed_of_a_turn_taken_back_is_no_confirm_of_the_next_one() -> None:
    """The cards are back before the look: that settles by itself, and whoever pressed has not passed for the next."""
    session, seen = turn([(1, "H6")])
    session.see(seen)
    session.press(CONFIRM)
    turns = len(session.history.past)
    session.press(BACK, held=True)
    assert session.checking
    before = turn()[1]
    table = Table(session, before)
    table.press(CONFIRM)
    assert table.still() == []
    assert len(session.history.past) == turns - 1


def test_an_answer_is_no_answer_to_another_question_with_the_same_words() -> None:
    session, seen = auction()
    table = Table(session, seen)
    table.press(DOWN, CONFIRM)
    table.hear(ReadingStarted(), Seen(seen))
    table.hear()
    assert session.judge.question is not None
    table.hear(Moving(frozenset({REST})))
    table.press(CONFIRM)
    for button in (BACK, DOWN, CONFIRM):
        session.press(button)
    assert session.judge.question is not None, "asked anew"
    assert table.still() == []
