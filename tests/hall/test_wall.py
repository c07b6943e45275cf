"""The wall: one screen for a whole hall, read from metres away."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from PIL import Image

from device.table_state import StatePlayer
from hall.messages import NO_CALL, Call, Online
from rules.text import Language
from tests.hall.gallery import WALL, WALLS, Board, file_of, open_wall, shot, wall_of
from tests.hall.messages_of import state
from tests.ui.gallery import difference
from tests.web.gallery import DIFFERS, chromium
from tests.web.test_browser import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
LEAST = {1: (18.5, 12.3), 6: (7.9, 5.2), 12: (5.5, 3.6), 30: (3.2, 2.1), 60: (3.5, 2.3)}
"""By the number of tables: how high a table's and a player's letters (em) are at least, in hundredths of the screen."""
ALL_SEEN = "[...document.querySelectorAll('.tile')].every(one => one.getBoundingClientRect().bottom <= innerHeight)"
CALL = 5
"""So high, in hundredths of the screen, are the minutes of a call at any number of tables."""


@pytest.fixture(scope="module", params=[6, pytest.param(60, marks=pytest.mark.slow)])
def board(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    with wall_of(tmp_path_factory.mktemp("wall"), request.param) as running:
        yield running


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("fonts")) as running:
        yield running


def measure_letters(page: Any, what: str) -> float:
    """Return how high the letters of something are, in hundredths of the screen's height."""
    script = f"parseFloat(getComputedStyle(document.querySelector({what!r})).fontSize) / innerHeight * 100"
    return float(page.evaluate(script))


@pytest.mark.parametrize("count", [*(pytest.param(one, marks=pytest.mark.slow) for one in (1, 12, 30)), 6, 60])
def test_letters_are_as_high_as_the_number_of_tables_allows(count: int, browser: Any, tmp_path: Any) -> None:
    with wall_of(tmp_path, count) as board:
        page = open_wall(browser, board)
        name, player = LEAST[count]
        assert measure_letters(page, ".tile h2") >= name
        assert measure_letters(page, ".tile .now") >= player
        assert count < 5 or measure_letters(page, ".calls b") >= CALL
        cut = (
            "[...document.querySelectorAll('.tile, .tile > *')]"
            ".filter(one => one.scrollHeight > 1.3 * one.clientHeight).map(one => one.outerHTML)"
        )
        assert page.evaluate(cut) == [], "nothing of a tile is cut off"
        assert page.evaluate(ALL_SEEN), "every table is on the screen"
        assert page.said == []
        page.context.close()


@pytest.mark.parametrize(("language", "scheme"), [("ja", "dark"), pytest.param("en", "light", marks=pytest.mark.slow)])
def test_a_wall_is_accessible_and_has_nothing_to_press(language: str, scheme: str, browser: Any, board: Board) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for size in (WALL, (360, 640)):
        page = open_wall(browser, board, language, size, color_scheme=scheme, bypass_csp=True)
        assert page.locator("html").get_attribute("lang") == language
        assert page.locator("a, button, input, select, nav").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        page.context.close()


def test_calls_stand_on_top_with_their_minutes_until_somebody_comes(browser: Any, board: Board) -> None:
    page = open_wall(browser, board)
    assert page.locator(".calls li").first.inner_text().split() == ["T5", "7", "min"]
    assert page.locator('[data-name="T5"] .waits').inner_text() == "7 min"
    call = board.tables.get("T5").call  # type: ignore[union-attr]
    board.tables.hear("T5", NO_CALL, False)
    page.locator('[data-name="T5"] .waits').wait_for(state="detached", timeout=1500)
    assert page.locator(".calls li strong").all_inner_texts() == (["T17"] if board.tables.get("T17") else [])
    assert call is not None
    board.tables.hear("T5", Call(call.since, call.why), True)
    page.locator('[data-name="T5"] .waits').wait_for(timeout=1500)
    page.context.close()


def test_a_change_is_on_the_wall_within_a_second_and_a_new_table_finds_room(browser: Any, board: Board) -> None:
    page = open_wall(browser, board)
    page.wait_for_timeout(500)
    before = state(players=(StatePlayer("Ada", 1, True, ()),))
    page.evaluate("window.kept = document.querySelector('[data-name=T3] .tile')")
    board.tables.hear("T2", state(players=(StatePlayer("Newcomer", 77, True, ()),), turn=99), False)
    page.locator('[data-name="T2"]').get_by_text("Newcomer").wait_for(timeout=1000)
    assert page.evaluate("window.kept.isConnected"), "a table that has not changed is not drawn again"
    board.tables.hear("T2", before, False)
    for number in range(3):
        board.tables.hear(f"A{number}", Online(True), False)
    page.locator('[data-name="A2"]').wait_for(timeout=1000)
    assert page.evaluate(ALL_SEEN)
    page.context.close()


def test_who_wants_no_motion_gets_none(browser: Any, board: Board) -> None:
    moves = "getComputedStyle(document.querySelector('.called')).animationName"
    for wish, name in (("no-preference", "calls"), ("reduce", "none")):
        page = open_wall(browser, board, reduced_motion=wish)
        assert page.evaluate(moves) == name
        page.context.close()


@pytest.mark.parametrize(
    ("count", "every"), [(6, 3), *(pytest.param(count, 1, marks=pytest.mark.slow) for count in WALLS)]
)
def test_walls_look_as_approved(count: int, every: int, browser: Any, tmp_path: Any) -> None:
    with wall_of(tmp_path, count) as board:
        for scheme, language in list(product(WALLS[count], Language.all()))[::every]:
            page = open_wall(browser, board, language.code, color_scheme=scheme)
            path = file_of(count, scheme, language)
            assert path.is_file(), f"make screens takes {path.name}"
            away = difference(shot(page), np.asarray(Image.open(path).convert("RGB")))
            assert away <= DIFFERS, f"{path} differs by {away:.0f}: look at it, then make screens"
            page.context.close()
