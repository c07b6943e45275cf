"""Pages of a screen: down reads on, up goes back, back leaves; and what is read is never of another table."""

from __future__ import annotations

from device.hardware.buttons import Button
from device.session.session import Session
from rules.text import Language
from tests.referee.tables import show
from tests.referee.test_refusals import drawn, under_review
from tests.referee.told.given import TABLES
from tests.ui.real import session_at
from ui.screen import count_pages
from ui.screen_state import Mood

BACK, CONFIRM, DOWN, UP = Button.BACK, Button.CONFIRM, Button.DOWN, Button.UP


def refused() -> Session:
    agreed, view = TABLES["code took_two_cards"]()
    session = session_at(agreed, Language.EN)
    session.see(view)
    session.press(CONFIRM)
    assert session.make_screen().mood is Mood.REFUSED
    return session


def test_down_reads_on_and_comes_round() -> None:
    session = refused()
    count = count_pages(session.make_screen())
    assert count >= 2
    pages = []
    for _ in range(count + 1):
        session.press(DOWN)
        pages.append(session.make_screen().page)
    assert pages == [*range(1, count + 1), 0]


def test_up_goes_back_and_from_the_far_screen_opens_the_menu() -> None:
    session = refused()
    session.press(DOWN)
    session.press(DOWN)
    session.press(UP)
    assert session.make_screen().page == 1
    session.press(UP)
    assert session.make_screen().page == 0
    assert session.make_screen().mood is Mood.REFUSED
    session.press(UP)
    assert session.make_screen().mood is Mood.MENU


def test_back_leaves_the_pages_first_and_then_takes_the_answer_off() -> None:
    session = refused()
    session.press(DOWN)
    session.press(BACK)
    assert session.make_screen().page == 0
    assert session.make_screen().mood is Mood.REFUSED
    session.press(BACK)
    assert session.make_screen().mood is not Mood.REFUSED


def test_the_page_stays_over_hands_and_a_table_that_nobody_touched() -> None:
    session = refused()
    _, view = TABLES["code took_two_cards"]()
    session.press(DOWN)
    session.note_watching(Mood.HANDS)
    assert session.make_screen().page == 1
    session.see(view)
    assert session.make_screen().page == 1


def test_another_table_is_shown_from_its_first_page() -> None:
    session = session_at(under_review(), Language.EN)
    position = session.position
    session.see(show(position.do(drawn(2, "H5"))))
    session.press(DOWN)
    assert session.make_screen().page == 1
    session.see(show(position.do(drawn(2, "H4"))))
    assert session.make_screen().page == 0


def test_the_display_says_how_many_pages_there_are() -> None:
    session = refused()
    session.pages = lambda state: 1
    session.press(DOWN)
    session.press(DOWN)
    assert session.make_screen().page == 0


def test_in_a_question_up_and_down_choose() -> None:
    agreed, view = TABLES["thanks that may be old"]()
    session = session_at(agreed, Language.EN)
    session.see(view)
    session.press(CONFIRM)
    assert session.make_screen().choices
    session.press(DOWN)
    assert (session.make_screen().chosen, session.make_screen().page) == (1, 0)
