"""The page in a real browser: every page in both languages and sizes, by touch, without scripts, accessible."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_games import state, whole_game, written  # noqa: F401 - fixtures

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
SIZES = ((360, 640), (1280, 800))
WAYS = ((SIZES[0], "en", "light"), (SIZES[0], "ja", "dark"), (SIZES[1], "en", "dark"), (SIZES[1], "ja", "light"))
"""Every size in every language; what is wrong in one scheme alone is wrong in its colours, whatever is said in them."""
WONDERS = "/score?game=seven_wonders&seats=3"
PAGES = (
    *("/score?game=other", "/score?game=laminate", WONDERS, "/learn", "/learn/papers", "/print"),
    *("/games", "/games/1", "/players", "/settings", "/nothing"),
)


@pytest.fixture(scope="module")
def page_at(tmp_path_factory: pytest.TempPathFactory, written: Path) -> Iterator[str]:  # noqa: F811
    """Run a server as people start it; yield its address with its key."""
    folder = tmp_path_factory.mktemp("browser") / "state"
    shutil.copytree(written, folder)
    command = [sys.executable, "-m", "cli.main", "web", "127.0.0.1:0", "--state", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    line = server.stdout.readline()
    assert line.startswith("page http://127.0.0.1:")
    yield line.removeprefix("page ").strip()
    server.terminate()
    assert server.wait(10) in (0, -15)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


def visit(browser: Any, address: str, size: tuple[int, int], language: str, scheme: str = "light", **more: Any) -> Any:
    """Visit as a fresh phone that has scanned the code; gather what its console says."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale=language, color_scheme=scheme, has_touch=width < 700, **more
    )
    page = context.new_page()
    page.said = []
    page.on("console", lambda message: page.said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.goto(address)
    return page


@pytest.mark.few(1)
@pytest.mark.parametrize(("size", "language", "scheme"), WAYS)
def test_every_page_fits_and_is_accessible(
    size: tuple[int, int], language: str, scheme: str, browser: Any, page_at: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    base = page_at.partition("/?")[0]
    page = visit(browser, page_at, size, language, scheme, bypass_csp=True)
    for address in PAGES:
        page.goto(base + address)
        assert page.locator("html").get_attribute("lang") == language
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], address
        found = Axe().run(page)
        assert found.violations_count == 0, f"{address}: {found.generate_report()}"
        small = page.evaluate(
            "[...document.querySelectorAll('a, button, select, input:not([type=hidden])')]"
            ".filter(one => one.offsetParent && !one.closest('td, p, .skip'))"
            ".filter(one => one.getBoundingClientRect().height < 24).map(one => one.outerHTML)"
        )
        assert not small, f"{address}: too small for a thumb"
    assert [words for words in page.said if "404" not in words] == []
    page.context.close()


def test_nothing_is_loaded_from_elsewhere_and_little_of_it(browser: Any, page_at: str) -> None:
    page = visit(browser, page_at, SIZES[0], "en")
    weight: list[int] = []
    hosts: set[str] = set()

    def came(answer: Any) -> None:
        hosts.add(answer.url.split("/")[2])
        weight.append(len(answer.body()))

    page.on("response", came)
    page.goto(f"{page_at.partition('/?')[0]}/score?game=laminate")
    page.wait_for_load_state("networkidle")
    assert hosts == {page_at.split("/")[2]}
    assert 0 < sum(weight) < 250_000
    assert page.said == []
    page.context.close()


def test_a_game_is_chosen_by_touch_and_the_players_counted(browser: Any, page_at: str) -> None:
    page = visit(browser, page_at, SIZES[0], "en")
    page.get_by_role("link", name="Laminate Rummy").tap()
    page.wait_for_url("**game=laminate")
    page.get_by_text("Players, and what no camera sees").tap()
    players = page.locator("select[name=seats]")
    assert players.input_value() == "", "as the picture shows"
    players.select_option("5")
    page.goto(f"{page_at.partition('/?')[0]}{WONDERS}")
    players.select_option("5")
    page.wait_for_url("**seats=5")
    assert page.get_by_label("Seat 5", exact=True).is_visible()
    page.context.close()


@pytest.mark.slow  # test_every_page_fits_and_is_accessible
def test_a_long_game_is_read_with_one_thumb(browser: Any, page_at: str) -> None:
    page = visit(browser, page_at, SIZES[0], "en")
    page.goto(f"{page_at.partition('/?')[0]}/games/1")
    narrow = page.evaluate("[...document.querySelectorAll('.turns li')].filter(one => one.clientWidth < 250).length")
    assert narrow == 0, "no column of single letters"
    turns = page.locator(".turns li").count()
    assert turns > 50
    assert page.evaluate("document.documentElement.scrollHeight") < turns * 150
    page.locator("a.jump").last.tap()
    page.wait_for_function("document.querySelector('.turns li:target .changed').getBoundingClientRect().top < 640")
    page.context.close()


@pytest.mark.slow  # test_score_page.py: what is no picture is said
def test_an_upload_that_is_no_picture_is_said_on_the_form(browser: Any, page_at: str) -> None:
    page = visit(browser, page_at, SIZES[0], "ja")
    page.goto(f"{page_at.partition('/?')[0]}/score?game=laminate&seats=4")
    page.locator("details").evaluate("one => { one.open = true; }")
    page.locator("select[name=seats]").select_option("5")
    page.locator("input[type=file]").set_input_files({"name": "note.jpg", "mimeType": "image/jpeg", "buffer": b"no"})
    page.locator("[data-status].fault").wait_for(timeout=60_000)
    assert "note.jpg" in page.locator("[data-status]").inner_text()
    assert page.locator("select[name=seats]").input_value() == "5", "nothing that was entered is lost"
    page.context.close()


@pytest.mark.slow  # test_score_page.py and test_start_page.py send forms
def test_without_scripts_all_of_it_works(browser: Any, page_at: str) -> None:
    page = visit(browser, page_at, SIZES[0], "en", java_script_enabled=False)
    base = page_at.partition("/?")[0]
    page.goto(base + WONDERS)
    page.locator("select[name=seats]").select_option("5")
    page.get_by_role("button", name="Change").click()
    assert "seats=5" in page.url
    page.goto(f"{base}/score?game=laminate&seats=4")
    page.locator("input[type=file]").set_input_files({"name": "note.jpg", "mimeType": "image/jpeg", "buffer": b"no"})
    page.get_by_role("button", name="Score it").click(timeout=60_000)
    assert "note.jpg" in page.get_by_role("alert").inner_text()
    page.get_by_role("button", name="日本語").click()
    assert page.locator("html").get_attribute("lang") == "ja"
    page.context.close()


@pytest.mark.slow  # test_adversary.py: names made of markup stay names
def test_a_name_made_of_markup_stays_a_name(browser: Any, page_at: str, tmp_path: Path) -> None:
    page = visit(browser, page_at, SIZES[0], "en")
    base = page_at.partition("/?")[0]
    page.goto(f"{base}/settings")
    form = page.locator("form[id='game.names']")
    form.locator("input[name=value]").fill('<img src=x id=evil>, "><b id=evil>')
    with page.expect_navigation():
        form.get_by_role("button").tap()
    page.goto(f"{base}/score?game=laminate")
    assert page.locator("#evil").count() == 0
    page.context.close()
