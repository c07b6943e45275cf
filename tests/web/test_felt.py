"""The table as phones draw it, in a browser: every card of the public state, what is tapped, what glides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from device.hardware.buttons import Button
from device.session.session import Session
from referee.registry import load_referees
from tests.web.moments import reach, tell_phones
from tests.web.test_browser import CHROMIUM, SIZES, browser, visit  # noqa: F401 - the fixture
from tests.web.test_table_page import Table
from ui.screen_state import LeafScreen, Mood, TableScreen

GAMES = sorted(load_referees())
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")


def show(table: Table, session: Session) -> Any:
    """Show a session's moment on phones, and return its public table."""
    told = tell_phones(session)
    table.page.show(told)
    return told["said"]["en"]["state"]["table"]


@pytest.fixture
def table(tmp_path: Any) -> Iterator[Table]:
    shown = Table(tmp_path)
    yield shown
    shown.close()


@pytest.mark.parametrize("game", GAMES)
def test_every_card_of_the_state_is_drawn(game: str, table: Table, browser: Any) -> None:  # noqa: F811
    from axe_playwright_python.sync_playwright import Axe

    page = visit(browser, table.entrance, SIZES[0], "en", bypass_csp=True)
    told = show(table, reach(game, Mood.PREVIEW))
    page.locator("#felt .stack").first.wait_for()
    cards = [card for stack in told["stacks"] for card in stack["cards"]]
    assert page.locator("#felt .stack .face").count() == len(cards)
    assert page.locator("#felt .face.new").count() == sum(card["new"] for card in cards)
    assert page.locator("#felt .plate").count() == len(told["seats"])
    box = page.locator("#felt svg.felt").bounding_box()
    assert box["width"] <= SIZES[0][0], "it fits the phone"
    assert box["height"] <= 0.65 * SIZES[0][1], "there is room below it"
    page.locator("#felt .stack").first.press("Enter")
    assert page.locator("#felt dialog .large").count() == len(told["stacks"][0]["cards"] or told["stacks"][1]["cards"])
    page.locator("#felt dialog button").tap()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[0][0], "letters twice as large break nothing"
    assert page.said == []
    page.context.close()


def test_a_refusal_has_its_arrows(table: Table, browser: Any) -> None:  # noqa: F811
    page = visit(browser, table.entrance, SIZES[0], "en")
    session = reach("seven_minutes", Mood.REFUSED)
    told = show(table, session)
    page.locator("#felt .arrow").first.wait_for()
    screen = session.make_screen()
    assert isinstance(screen, TableScreen)
    numbers = page.locator("#felt .arrow-number").all_text_contents()
    assert (
        numbers
        == [str(number + 1) for number in range(len(screen.steps))]
        == page.locator(".step-count").all_text_contents()
    )
    assert len(told["arrows"]) == len(screen.steps)
    page.context.close()


def test_a_tap_on_a_paper_says_who_has_cited_it(table: Table, browser: Any) -> None:  # noqa: F811
    page = visit(browser, table.entrance, SIZES[0], "en")
    told = show(table, reach("laminate", Mood.PREVIEW, 160))
    noted = [number for number, one in enumerate(one for one in told["stacks"] if one["cards"]) if one["notes"]]
    assert noted, "a paper was cited"
    page.locator("#felt .stack").nth(noted[0]).locator(".face").last.tap()
    page.locator("#felt dialog").get_by_text("Cited by").wait_for()
    page.context.close()


def test_what_the_buttons_do_is_on_them(table: Table, browser: Any) -> None:  # noqa: F811
    page = visit(browser, table.entrance, SIZES[0], "en")
    session = reach("wild_seven", Mood.PREVIEW)
    show(table, session)
    who = session.make_screen().to_move
    page.get_by_role("button", name=f"Confirm {who}'s move").tap()
    page.get_by_role("button", name="Take back").tap()
    page.wait_for_timeout(200)
    assert [(told["button"], told["long"]) for _, told in table.asked] == [("confirm", False), ("back", True)]
    session.press(Button.CONFIRM, held=True)
    show(table, session)
    page.get_by_role("button", name="Back to the game").wait_for()
    assert page.locator("[data-press=up], [data-press=down]").count() == 0, "a list is tapped"
    page.context.close()


def test_what_is_looked_up_has_the_page_for_itself(table: Table, browser: Any) -> None:  # noqa: F811
    page = visit(browser, table.entrance, SIZES[0], "en")
    session = reach("laminate", Mood.PREVIEW, 80)
    session.press(Button.CONFIRM, held=True)
    for _ in range(session.make_screen().choices.index("今、何ができますか？")):
        session.press(Button.DOWN)
    session.press(Button.CONFIRM)
    assert isinstance(session.make_screen(), LeafScreen)
    told = tell_phones(session)
    table.page.show(told)
    words = page.get_by_text(told["said"]["en"]["screen"]["leaf"]["words"][0])
    words.wait_for()
    assert page.locator("#felt svg:visible").count() == 0, "no plates without names above it"
    buttons = page.locator(".buttons button")
    assert buttons.all_text_contents() == ["Back to the game", "Back"], "a button that does nothing is not there"
    assert words.bounding_box()["y"] < buttons.first.bounding_box()["y"]
    page.context.close()


def test_a_phone_on_its_side_shows_the_table_beside_the_words(table: Table, browser: Any) -> None:  # noqa: F811
    page = visit(browser, table.entrance, (844, 390), "en")
    show(table, reach("laminate", Mood.PREVIEW, 160))
    page.locator("#felt .stack").first.wait_for()
    felt, said = (page.locator(where).bounding_box() for where in ("#felt svg.felt", ".say"))
    confirm, bar = (page.locator(where).first.bounding_box() for where in (".buttons button.main", "nav.bar"))
    assert felt["x"] + felt["width"] <= said["x"]
    assert felt["y"] + felt["height"] <= bar["y"], "all of the table is seen"
    assert confirm["y"] < bar["y"], "and what is to be pressed"
    page.context.close()


def test_a_long_name_and_long_words_are_not_squeezed_or_cut(table: Table, browser: Any) -> None:  # noqa: F811
    page = visit(browser, table.entrance, SIZES[0], "en")
    state = tell_phones(reach("seven_wonders", Mood.PREVIEW, 15))
    state["said"]["en"]["state"]["players"][0]["name"] = "Maximiliane-Louise"
    table.page.show(state)
    name = page.locator("#felt .plate-name").first
    name.wait_for()
    assert name.text_content().startswith("Maximil"), name.text_content()
    assert page.locator("#felt .plate-name[textLength]").count() == 0
    words = {card["words"] for stack in state["said"]["en"]["state"]["table"]["stacks"] for card in stack["cards"]}
    assert {"glassworks", "marketplace"} <= words
    drawn = page.locator("#felt .face-words").all_text_contents()
    assert {"glassworks", "marketplace"} <= set(drawn), "no letter has a line of its own"
    page.context.close()
