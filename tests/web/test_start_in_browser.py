"""A game begun by touch in a real browser, at the whole program with its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.storage.journal import Journal
from device.storage.opening import Opening
from rules.text import Language
from tests.device.house import with_decks
from tests.web.house_page import PagedHouse
from tests.web.test_browser import CHROMIUM, SIZES, WAYS, browser, visit  # noqa: F401 - the fixture
from ui.screen_state import CameraScreen, Mood

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")

PRINTED = "Sevenmat printed deck"
LEFT = Opening("laminate", ("Hilbert", "Banach", "Noether"), {"first_seat": 2}, PRINTED)
WONDERS = "/start?game=seven_wonders&seats=3"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PagedHouse]:
    """Open a table at its first menu, with a game that was left."""
    with Journal.open(tmp_path) as journal:
        journal.begin(LEFT, Language.EN)
    with_decks(tmp_path, "mine", "yours")
    with PagedHouse(tmp_path, names=("Ada", "Emmy")) as house:
        house.mood(Mood.MENU)
        yield house


def seated(house: PagedHouse) -> None:
    house.until(lambda screen: isinstance(screen, CameraScreen))
    house.begins()


@pytest.mark.slow  # test_browser.py measures the frame of all pages
@pytest.mark.parametrize(("size", "language", "scheme"), WAYS)
def test_the_page_fits_and_is_accessible(
    size: tuple[int, int],
    language: str,
    scheme: str,
    browser: Any,  # noqa: F811
    house: PagedHouse,
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = visit(browser, house.address, size, language, scheme, bypass_csp=True)
    base = house.address.partition("/?")[0]

    def fits(what: str) -> None:
        assert page.locator("html").get_attribute("lang") == language
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], what
        found = Axe().run(page)
        assert found.violations_count == 0, f"{what}: {found.generate_report()}"
        small = page.evaluate(
            "[...document.querySelectorAll('button, select, input:not([type=hidden])')]"
            ".filter(one => one.offsetParent).filter(one => one.getBoundingClientRect().height < 24)"
            ".map(one => one.outerHTML)"
        )
        assert not small, f"{what}: too small for a thumb"

    for address in ("/start", "/start?game=laminate", WONDERS):
        page.goto(base + address)
        fits(address)
    for number in (1, 2):
        page.locator("[name=player]").nth(number).fill("Ada")
    page.locator("form[data-start]").evaluate("form => { form.noValidate = true; }")
    page.locator("form[data-start] button.main").click()
    page.locator("[id='fault-player.2']").wait_for()
    fits("with faults")
    assert [words for words in page.said if "400" not in words] == []
    page.context.close()


@pytest.mark.slow  # test_start_page.py sends the form
def test_a_game_is_begun_by_touch(browser: Any, house: PagedHouse, tmp_path: Path) -> None:  # noqa: F811
    page = visit(browser, house.address, SIZES[0], "en")
    page.get_by_role("link", name="Start").tap()
    page.get_by_role("link", name="Laminate Rummy").tap()
    page.get_by_label("Player 1", exact=True).fill("Zoë")
    page.get_by_role("button", name="Emmy").tap()
    page.get_by_label("How many play?").select_option("3")
    page.wait_for_url("**seats=3**")
    assert "Zo" not in page.url, "no name stands in an address"
    assert page.get_by_label("Player 1", exact=True).input_value() == "Zoë", "nothing that was typed is lost"
    assert page.get_by_label("Player 2", exact=True).input_value() == "Emmy", "a tap on a name fills the next place"
    assert not page.get_by_role("button", name="Emmy").is_visible(), "who sits is offered no more"
    page.get_by_label("Player 3", exact=True).fill("Emmy")
    page.get_by_label("Which deck?").select_option(PRINTED)
    page.wait_for_load_state()
    page.get_by_label("Who begins?").select_option(label="Zoë")
    page.get_by_role("button", name="Begin").tap()
    page.get_by_text("Emmy sits at the table already.").wait_for()
    page.get_by_label("Player 3").fill("Cy")
    page.get_by_role("button", name="Begin").tap()
    page.wait_for_url("**/aim")
    seated(house)
    page.get_by_text("A game is being played").wait_for()
    page.get_by_role("link", name="To the table").tap()
    page.wait_for_url(house.address.partition("?")[0])
    with Journal.open(tmp_path) as journal:
        assert journal.read_game(2).opening == Opening("laminate", ("Zoë", "Emmy", "Cy"), {"first_seat": 1}, PRINTED)
    page.goto(f"{house.address.partition('?')[0]}start")
    page.get_by_role("button", name="Go on: Hilbert").tap()
    page.get_by_role("alert").wait_for()
    assert "A game is being played by Zoë, Emmy and Cy" in page.get_by_role("alert").inner_text()
    page.get_by_role("button", name="Leave it and go on").tap()
    page.wait_for_url(house.address.partition("?")[0])
    house.until(lambda screen: [one.name for one in screen.players] == list(LEFT.players))
    page.context.close()


@pytest.mark.slow  # test_browser.py: without scripts all of it works; test_start_page.py sends the form
def test_without_scripts_it_works_too(browser: Any, house: PagedHouse, tmp_path: Path) -> None:  # noqa: F811
    page = visit(browser, house.address, SIZES[0], "en", java_script_enabled=False)
    page.goto(f"{house.address.partition('?')[0]}start?game=seven_euchre")
    page.get_by_label("Player 1", exact=True).fill("Ada")
    page.get_by_label("Which deck?").select_option("mine")
    page.get_by_role("button", name="Change").click()
    page.wait_for_load_state()
    assert "Ada" not in page.url
    assert page.get_by_label("Player 1", exact=True).input_value() == "Ada"
    page.get_by_label("Who deals first?").select_option("4")
    page.get_by_role("button", name="Begin").click()
    seated(house)
    names = ("Ada", *(f"Player {seat}" for seat in (2, 3, 4)))
    with Journal.open(tmp_path) as journal:
        assert journal.read_game(2).opening == Opening("seven_euchre", names, {"dealer": 4, "target": 100}, "mine")
    page.context.close()
