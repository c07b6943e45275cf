"""The board in a real browser: six tables, sixty and a thousand, live, found, answered, accessible."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from device.public_state import table_state
from device.table_state import StatePlayer, TableState
from hall.board.live import LiveTables
from hall.board.server import build_board_app, build_board_server, serve_board
from hall.messages import NO_CALL, Call, Online
from hall.store.store import HallStore
from rules.text import Text
from tests.hall.messages_of import result, state
from tests.web.moments import reach
from ui.screen_state import Mood
from web.table_end.address import PageKey, address_of, listening

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
SIZES = ((360, 640), (1280, 800), (1920, 1080))
WAITED = r"\b([7-9]|[1-9][0-9]) min"
"""Seven minutes, or what a slow test makes of them."""
PAGES = ("/", "/?show=called", "/tables/Table%205", "/results", "/standings", "/nothing")


@dataclass
class Hall:
    """A board that runs, of so many tables."""

    address: str
    tables: LiveTables
    came: list[str] = field(default_factory=list)

    @property
    def base(self) -> str:
        return self.address.partition("/?")[0]


def fill(tables: LiveTables, count: int) -> None:
    moods = ("waiting", "preview", "refused", "cant_see", "finished", "question")
    for number in range(1, count + 1):
        name = f"Table {number}"
        tables.hear(name, Online(number % 30 != 4), False)
        players = tuple(StatePlayer(who, number % 20, who == "Ada", ()) for who in ("Ada", "健太", f"Player {number}"))
        tables.hear(name, state(mood=moods[number % len(moods)], players=players), False)
    for number in (5, 4):
        tables.hear(f"Table {number}", Call(datetime.now(UTC), "A card is missing."), False)


@pytest.fixture(scope="module", params=[6, 60, 1000])
def hall(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("board")
    store = HallStore.open(f"sqlite:///{folder}/hall.db", "Café")
    store.take([(f"Table {number % 7}", result(number)) for number in range(1, 30)])
    began = datetime.now(UTC) - timedelta(minutes=7)
    tables, key = LiveTables([], lambda: began), PageKey(folder)  # whom a slow test does not hear for long is here
    fill(tables, request.param)
    with listening("127.0.0.1", 0) as sock:
        here = Hall(address_of(sock, key.value()), tables)

        def somebody_comes(name: str) -> None:
            here.came.append(name)
            tables.hear(name, NO_CALL, False)

        server = build_board_server(build_board_app("Café", key, tables, store, somebody_comes))
        tables.is_over = lambda: server.should_exit
        running = threading.Thread(target=serve_board, args=(server, sock), daemon=True)
        running.start()
        yield here
        server.should_exit = True
        running.join(10)
    store.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


def visit(
    browser: Any,
    hall: Hall,
    size: tuple[int, int],
    language: str = "en",
    scheme: str = "light",
    clock_ahead_min: int = 0,
    **more: Any,
) -> Any:
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale=language, color_scheme=scheme, **more
    )
    page = context.new_page()
    if clock_ahead_min:
        page.add_init_script(f"const now = Date.now; Date.now = () => now() + {clock_ahead_min} * 60000;")
    page.said = []
    page.on("console", lambda message: page.said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.goto(hall.address)
    return page


def until(page: Any, holds: str) -> None:
    """Wait until a script's condition holds; the page's own policy lets no other one wait for it."""
    for _ in range(100):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(50)
    raise AssertionError(holds)


@pytest.mark.few(1)
@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("ja", "dark")])
def test_every_page_fits_and_is_accessible(language: str, scheme: str, browser: Any, hall: Hall) -> None:
    from axe_playwright_python.sync_playwright import Axe

    few = len(hall.tables.list_all()) < 20
    hall.tables.note_trouble("broker", Text("The broker can't be reached now: try again."))
    hall.tables.drop("payload")
    hall.tables.see_clock("Table 5", datetime(1970, 1, 2, tzinfo=UTC), is_right=False)
    page = visit(browser, hall, SIZES[0], language, scheme, bypass_csp=True)
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for address in PAGES if few else PAGES[:1]:
            page.goto(hall.base + address)
            if address.startswith("/?") or address == "/":
                page.wait_for_selector("#grid[data-size]")
            assert page.locator("html").get_attribute("lang") == language
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], address
            small = page.evaluate(
                "[...document.querySelectorAll('a, button, select, input:not([type=hidden])')]"
                ".filter(one => one.offsetParent && !one.closest('td, p, .skip'))"
                ".filter(one => one.getBoundingClientRect().height < 24).map(one => one.outerHTML)"
            )
            assert not small, f"{address}: too small for a thumb"
            if size == SIZES[0] or (few and scheme == "dark"):
                found = Axe().run(page)
                assert found.violations_count == 0, f"{address} {size}: {found.generate_report()}"
    assert [words for words in page.said if "404" not in words] == []
    hall.tables.note_well("broker")
    hall.tables.see_clock("Table 5", datetime.now(UTC), is_right=True)
    page.context.close()


@pytest.mark.slow  # test_every_page_fits_and_is_accessible
def test_all_tables_stand_on_one_wall_screen(browser: Any, hall: Hall) -> None:
    for name in ("Table 4", "Table 5"):
        hall.tables.hear(name, NO_CALL, False)
    page = visit(browser, hall, (1920, 1080))
    page.wait_for_selector("#grid[data-size]")
    assert page.locator("#grid li").count() == len(hall.tables.list_all())
    assert page.evaluate("document.querySelector('#grid').getBoundingClientRect().bottom") <= 1.15 * 1080
    page.context.close()


@pytest.mark.few(1)
def test_a_change_is_on_the_board_within_a_second(browser: Any, hall: Hall) -> None:
    page = visit(browser, hall, SIZES[1])
    page.wait_for_selector("#grid[data-size]")
    page.wait_for_timeout(500)
    tile = page.locator('#grid li[data-name="Table 2"]')
    page.evaluate("window.kept = document.querySelector('#grid li[data-name=\"Table 3\"] a')")
    players = (StatePlayer("Newcomer", 77, True, ()),)
    hall.tables.hear("Table 2", state(players=players, turn=99), False)
    tile.get_by_text("Newcomer").wait_for(state="attached", timeout=1000)
    assert page.evaluate("window.kept.isConnected"), "a table that has not changed is not drawn again"
    hall.tables.hear("Table 01", Online(True), False)
    page.locator('#grid li[data-name="Table 01"]').wait_for(state="attached", timeout=1000)
    names = page.evaluate("[...document.querySelectorAll('#grid li')].map(one => one.dataset.name)")
    assert names[:2] == ["Table 01", "Table 1"] or names[:2] == ["Table 1", "Table 01"]
    assert names[2:4] == ["Table 2", "Table 3"]
    assert page.said == []
    page.context.close()


@pytest.mark.few(1)
def test_standings_come_anew_when_a_game_has_ended(browser: Any, hall: Hall) -> None:
    page = visit(browser, hall, SIZES[1])
    page.goto(f"{hall.base}/standings")
    page.wait_for_timeout(800)
    page.evaluate("window.before = true")
    hall.tables.hear("Table 2", state(turn=100), False)
    page.wait_for_timeout(500)
    assert page.evaluate("window.before"), "nothing has ended"
    with page.expect_navigation():
        hall.tables.note_results()
    assert not page.evaluate("window.before")
    page.context.close()


@pytest.mark.slow  # test_board.py finds and answers
def test_a_table_is_found_while_typing_and_a_call_is_answered(browser: Any, hall: Hall) -> None:
    hall.came.clear()
    hall.tables.hear("Table 5", Call(datetime.now(UTC), "A card is missing."), False)
    # A phone's own clock may be wrong.
    page = visit(browser, hall, SIZES[0], clock_ahead_min=-600)
    until(page, f"/{WAITED}/.test(document.querySelector('.calls').innerText)")
    page.get_by_role("searchbox").fill("player 6")
    some = f"document.querySelectorAll('#grid li').length < {len(hall.tables.list_all())}"
    until(page, some)
    found = [one.name for one in hall.tables.list_all() if one.state and "Player 6" in one.state.players[-1].name]
    assert page.locator("#grid li").count() == len(found)
    assert "find=player+6" in page.url
    page.reload()
    assert page.get_by_role("searchbox").input_value() == "player 6"
    page.get_by_role("button", name="Somebody comes").click()
    until(page, "!document.querySelector('.calls')")
    assert hall.came == ["Table 5"]
    assert page.locator("#grid li").count() == len(found)
    page.context.close()


@pytest.mark.slow  # test_board.py finds and answers
def test_without_scripts_it_is_found_and_answered_too(browser: Any, hall: Hall) -> None:
    hall.came.clear()
    hall.tables.hear("Table 5", Call(datetime.now(UTC), "A card is missing."), False)
    page = visit(browser, hall, SIZES[0], java_script_enabled=False)
    assert re.search(WAITED, page.locator(".calls").inner_text())
    page.get_by_role("searchbox").fill("table 5")
    page.get_by_role("button", name="Find").click()
    assert page.locator('#grid li[data-name="Table 5"]').count() == 1
    assert page.locator('#grid li[data-name="Table 2"]').count() == 0
    page.get_by_role("button", name="Somebody comes").click()
    assert hall.came == ["Table 5"]
    assert page.locator(".calls").count() == 0
    page.context.close()


@pytest.mark.slow  # test_every_page_fits_and_is_accessible opens them
def test_the_first_picture_is_light(browser: Any, hall: Hall) -> None:
    page = visit(browser, hall, SIZES[1])
    weights = page.evaluate(
        "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
        ".map(one => one.transferSize)"
    )
    assert 0 < sum(weights) < 250_000
    page.context.close()


def test_a_table_of_a_game_is_drawn_as_its_own_page_draws_it(hall: Hall, browser: Any) -> None:
    session = reach("laminate", Mood.PREVIEW, 160)
    shown = table_state(session.make_screen(), session.history, datetime.now(UTC), session.previewed)
    page = visit(browser, hall, SIZES[0])
    page.goto(f"{hall.base}/tables/Table%201")
    page.locator("[data-said]").wait_for(state="attached")
    assert page.locator("#felt svg").count() == 0, "a table that has sent no drawing has none"
    hall.tables.hear("Table 1", TableState.of_bytes(shown.to_bytes()), False)
    page.locator("#felt .stack").first.wait_for()
    assert shown.table is not None
    assert page.locator("#felt .face").count() == sum(len(stack.cards) for stack in shown.table.stacks)
    assert page.said == []
    page.context.close()
