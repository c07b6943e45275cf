"""A first evening by touch, before the simulated table as people start it; two phones, in two languages."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.storage.deck_store import DeckShelf
from rules.registry import load_games
from rules.text import Language
from tests.device.test_score import pictured, reference_deck
from tests.web.test_browser import CHROMIUM, SIZES, browser, visit  # noqa: F401 - a fixture
from tests.web.test_table_page import until
from tools.bench.score import a_table

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
_SEED = 203
PLAYERS = ("Zoë", "Bo", "Cy", "Dee")
_PATIENCE_MS = 120_000
"""A simulated table is painted and read in the same two cores as Chromium draws in."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where phones come in to a simulated table whose phones may do all."""
    (tmp_path / "settings.toml").write_text('[web]\nmay = "all"\n')
    DeckShelf(tmp_path).save("reference", reference_deck())
    command = [sys.executable, "-m", "cli.main", "run", "--simulated", "--headless", "--language", "en"]
    more = ["--web", "127.0.0.1:0", "--state", str(tmp_path)]
    table = subprocess.Popen([*command, *more], stdout=subprocess.PIPE, text=True)
    assert table.stdout is not None
    yield table.stdout.readline().removeprefix("page ").strip()
    table.terminate()
    assert table.wait(30) == 0


@pytest.mark.slow  # test_start_in_browser.py begins a game, test_browser.py scores
def test_a_first_evening_by_touch(address: str, browser: Any) -> None:  # noqa: F811
    base = address.partition("/?")[0]
    ours, theirs = visit(browser, address, SIZES[0], "en"), visit(browser, address, SIZES[0], "ja")
    for page in (ours, theirs):
        page.set_default_timeout(_PATIENCE_MS)

    def told() -> Any:
        return ours.request.get(f"{base}/state.json").json()

    ours.get_by_role("link", name="Play", exact=True).tap()
    ours.get_by_role("link", name="Wild Seven").tap()
    for seat, name in enumerate(PLAYERS, 1):
        ours.get_by_label(f"Player {seat}", exact=True).fill(name)
    if ours.get_by_label("Leave what is at the table now").count():
        ours.get_by_label("Leave what is at the table now").check()
    ours.get_by_role("button", name="Begin").tap()
    until(lambda: [one["name"] for one in told()["players"]] == [*PLAYERS], 120)
    until(lambda: told()["turn"] >= 2, 120)
    ours.goto(base)
    theirs.goto(base)
    ours.locator(".standing-table").get_by_text("Zoë").wait_for()
    theirs.locator(".standing-table").get_by_text("Zoë").wait_for()
    assert theirs.locator("html").get_attribute("lang") == "ja"
    assert {told()["language"], theirs.locator("[data-said]").count()} == {"en", 1}

    theirs.context.set_offline(True)
    before = told()["turn"]
    until(lambda: told()["turn"] > before, 120)
    theirs.context.set_offline(False)
    newest = ours.request.get(f"{base}/state.json?language=ja").json
    until(lambda: newest()["headline"] in theirs.locator("#table").inner_text(), 60)

    theirs.get_by_role("link", name="採点").tap()
    theirs.get_by_role("link", name=load_games()["laminate"].title.said(Language.EN.following)).tap()
    theirs.locator("select[name=seats]").select_option(str(len(a_table(_SEED)[0].players)))
    theirs.locator("details").evaluate("one => { one.open = true; }")
    theirs.locator("select[name=deck]").select_option("reference")
    theirs.locator("input[type=file]").set_input_files(
        {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": pictured(_SEED)}
    )
    theirs.wait_for_url("**/score/*")
    theirs.locator("form[action$=keep] button").tap()
    theirs.wait_for_url("**/games/s1")
    ours.get_by_role("link", name="More", exact=True).tap()
    ours.get_by_role("link", name="Games").tap()
    ours.wait_for_url("**/games")
    ours.get_by_text("Zoë").first.wait_for()
    assert told()["turn"] > before, "the game went on meanwhile"
    assert [words for page in (ours, theirs) for words in page.said if "ERR_INTERNET_DISCONNECTED" not in words] == []
    for page in (ours, theirs):
        page.context.close()
