"""A game looked back on in a browser: turn by turn, on the page and in its one file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.storage import journal
from device.storage.opening import Result
from rules.text import Language
from tests.cli.test_games import played
from tests.device.openings import opening
from tests.web.test_browser import CHROMIUM, SIZES, browser, visit  # noqa: F401 - the fixture
from tests.web.test_table_page import Table, until

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
PLAYERS = ("Hilbert", "Banach", "Noether")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with journal.Journal.open(tmp_path) as games:
        log = games.begin(opening(PLAYERS, 2, "ours"), Language.EN, played(3, None))
        log.end(Result((14, 20, 20), (2,)))
    shown = Table(tmp_path)
    yield shown
    shown.close()


def look_through(page: Any) -> None:
    """Go through a game by buttons, slider and the course of points; the table follows."""
    page.locator("#felt .stack").first.wait_for()
    count = page.locator("[data-player=count]")
    last = int(count.inner_text().split(" / ")[1])
    assert count.inner_text() == f"{last} / {last}"

    def shown() -> int:
        return int(count.inner_text().split(" / ")[0])

    papers = page.locator("#felt .card-paper").count()
    said = page.locator("[data-player=words]").inner_text()
    page.locator("[data-player=before]").tap()
    until(lambda: shown() == last - 1)
    assert page.locator("[data-player=words]").inner_text() != said
    page.locator("[data-player=slider]").fill("0")
    until(lambda: shown() == 1)
    page.locator("#felt .face").first.wait_for()
    assert page.locator("#felt .card-paper").count() == 0 < papers, "nobody has published at the set-up"
    assert page.locator("[data-player=before]").is_disabled()
    page.locator("svg.course").tap()
    until(lambda: 1 < shown() < last)


def test_a_game_is_looked_through_on_its_page(table: Table, browser: Any) -> None:  # noqa: F811
    from axe_playwright_python.sync_playwright import Axe

    page = visit(browser, table.entrance, SIZES[0], "en", bypass_csp=True)
    page.goto(table.entrance.partition("?")[0] + "games/1")
    look_through(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[0][0]
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.get_by_role("link", name="Rematch").wait_for()
    assert page.said == []
    page.context.close()


def test_the_one_file_has_the_same_player(table: Table, browser: Any, tmp_path: Path) -> None:  # noqa: F811
    page = visit(browser, table.entrance, SIZES[0], "en")
    kept = tmp_path / "game.html"
    kept.write_bytes(page.request.get(table.entrance.partition("?")[0] + "games/1.html").body())
    page.context.set_offline(True)
    page.goto(f"file://{kept}")
    look_through(page)
    assert page.said == []
    page.context.close()
