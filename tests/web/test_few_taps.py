"""From an empty folder to a kept score with a phone alone, and once more: counted in taps and pictures."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

from device.storage.scored import ScoredTables
from tests.decks import page as enrolment_page
from tests.device.test_score import pictured
from tests.web.test_browser import CHROMIUM, SIZES, browser, visit  # noqa: F401 - a fixture
from tools.bench.score import a_table

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
_SEED = 203
_PATIENCE_MS = 120_000


class Thumb:
    """A thumb that counts what it taps; a picture that is chosen is one tap as well."""

    def __init__(self, page: Any) -> None:
        self.page, self.taps, self.pictures = page, 0, 0

    def look(self) -> None:
        """Find nothing wrong with the page, and nothing too wide for it in letters twice as large."""
        from axe_playwright_python.sync_playwright import Axe

        self.page.wait_for_load_state("load")
        found = Axe().run(self.page)
        assert found.violations_count == 0, f"{self.page.url}: {found.generate_report()}"
        self.page.evaluate("document.documentElement.style.fontSize = '200%'")
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= SIZES[0][0], f"{self.page.url}: {wide} px wide"
        self.page.evaluate("document.documentElement.style.fontSize = ''")

    def tap(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=True).tap()
        self.taps += 1

    def photograph(self, picture: bytes) -> None:
        file = {"name": "picture.jpg", "mimeType": "image/jpeg", "buffer": picture}
        self.page.locator(".shot input[type=file]").wait_for(state="attached")
        self.page.wait_for_load_state("load")  # nobody is as quick as a script
        self.page.locator(".shot input[type=file]").set_input_files(file)
        self.taps, self.pictures = self.taps + 1, self.pictures + 1


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where a phone comes in to a page whose folder is empty."""
    command = [sys.executable, "-m", "cli.main", "web", "127.0.0.1:0", "--state", str(tmp_path), "--language", "en"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    yield server.stdout.readline().removeprefix("page ").strip()
    server.terminate()
    server.wait(10)


@pytest.mark.slow  # test_learn_by_pictures.py and test_score_page.py, by HTTP
def test_an_empty_folder_and_a_phone_come_to_a_kept_score(address: str, tmp_path: Path, browser: Any) -> None:  # noqa: F811
    page = visit(browser, address, SIZES[0], "en", bypass_csp=True)
    page.set_default_timeout(_PATIENCE_MS)
    thumb = Thumb(page)
    thumb.look()
    thumb.tap("link", "Teach your deck: three pictures")
    page.wait_for_url("**/learn")
    thumb.look()
    thumb.tap("button", "Begin")
    for number, name in enumerate(("seven", "review", "complete"), 1):
        thumb.photograph(cv2.imencode(".jpg", enrolment_page(name))[1].tobytes())
        if number < 3:
            page.locator(f"input[name=page]:not([value={name}])").first.wait_for(state="attached")
            thumb.look()
    page.get_by_role("button", name="Yes, keep the deck").wait_for()
    thumb.look()
    thumb.tap("button", "Yes, keep the deck")
    thumb.tap("link", "Score a finished table")
    thumb.tap("link", "Laminate Rummy")
    _score_and_keep(thumb, 1)
    assert thumb.taps <= 14, thumb.taps
    assert thumb.pictures == 4
    final = ScoredTables(tmp_path).read_table(1).data["final"]
    assert list(final) == list(a_table(_SEED)[0].points), "of as many players as play"

    again = Thumb(page)
    page.goto(address)
    _score_and_keep(again, 2)
    assert again.taps <= 3
    assert page.said == []
    page.context.close()


def _score_and_keep(thumb: Thumb, number: int) -> None:
    thumb.photograph(pictured(_SEED))
    thumb.page.wait_for_url("**/score/*")
    thumb.look()
    thumb.page.locator("form[action$=keep] button.main").tap()
    thumb.taps += 1
    thumb.page.wait_for_url(f"**/games/s{number}")
    thumb.look()
