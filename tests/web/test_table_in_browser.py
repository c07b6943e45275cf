"""The table's page in a real browser: every kind of screen, in both languages and sizes, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.app.name_picker import NamePicker
from device.public_state import page_state
from rules.text import Language, Text
from tests.ui.gallery import gallery
from tests.ui.states import states
from tests.web.house_page import ThreadedPage
from tests.web.test_browser import CHROMIUM, SIZES, browser, visit  # noqa: F401 - a fixture
from ui.screen_state import (
    CameraScreen,
    CameraView,
    CardsScreen,
    Leaf,
    LeafScreen,
    LearntCard,
    Mood,
    PicturePair,
    ScreenState,
    SeatOutline,
    Thumbnail,
)
from web.table_end.address import PageKey, address_of, listening

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")


def shown_in(language: Language) -> dict[str, ScreenState]:
    """Screens with pictures, and a name that is being written."""
    seen = Thumbnail((160, 120), bytes(range(256)) * 225)
    seat = SeatOutline(((0.1, 0.6), (0.9, 0.6), (0.9, 0.9), (0.1, 0.9)), "Kovalevskaya")
    mat = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    view = CameraView(seen, mat, (seat,), (("1189 × 841 mm", True), ("!", False)))
    leaf = Leaf("3/9", ("…",), pairs=(PicturePair(seen, seen),), captions=("1", "2"))
    return {
        "camera": CameraScreen(language, Mood.NOTICE, "3/9", view=view),
        "no mat": CameraScreen(language, Mood.BLIND, "", view=CameraView(seen, checks=(("!", False),))),
        "pairs": LeafScreen(language, Mood.MENU, "3/9", leaf=leaf),
        "cards": CardsScreen(language, Mood.QUESTION, "1/13", cards=(LearntCard("A", seen),) * 4),
        "name": NamePicker.begin(Text("Who sits at seat {seat}?", seat=2), language).make_screen(),
    }


class Shown:
    """A page, and the screens that can be put on it."""

    def __init__(self, state: Path) -> None:
        (state / "settings.toml").write_text('[web]\nmay = "all"\n')
        self.screens: dict[str, list[ScreenState]] = {}
        for language in (Language.EN, Language.JA):
            for name, screen in {**states(language), **gallery(language)}.items():
                self.screens.setdefault(name, []).append(screen)
            for name, screen in shown_in(language).items():
                self.screens.setdefault(name, []).append(screen)
        self.sock = listening("127.0.0.1", 0)
        self.page = ThreadedPage(state, self.sock)
        self.address = address_of(self.sock, PageKey(state).value())
        self.put("notice")

    def put(self, name: str) -> None:
        """Show a screen on phones."""
        self.page.show(page_state(self.screens[name], None))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    made = Shown(tmp_path_factory.mktemp("table"))
    yield made
    made.page.close()
    made.sock.close()


def on_the_page(page: Any, shown: Shown, name: str) -> None:
    """Wait until a screen has come to the phone by itself."""
    page.evaluate("document.querySelector('#table .who').remove()")
    shown.put(name)
    page.locator("#table .who").wait_for()


@pytest.mark.parametrize(
    ("size", "language", "scheme", "every"),
    [
        (SIZES[0], "en", "light", False),
        *(
            pytest.param(*way, True, marks=pytest.mark.slow)
            for way in ((SIZES[0], "ja", "dark"), (SIZES[1], "ja", "light"), (SIZES[1], "en", "dark"))
        ),
    ],
)
def test_every_kind_of_screen_fits_and_is_accessible(
    size: tuple[int, int],
    language: str,
    scheme: str,
    every: bool,
    browser: Any,  # noqa: F811
    shown: Shown,
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = visit(browser, shown.address, size, language, scheme, bypass_csp=True)
    page.locator("#table .who").wait_for()
    looked: set[tuple[type[ScreenState], Mood]] = set()
    for name, (screen, _) in shown.screens.items():
        new = (type(screen), screen.mood) not in looked
        if not (every or new):
            continue
        on_the_page(page, shown, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], name
        if new:
            looked.add((type(screen), screen.mood))
            found = Axe().run(page)
            assert found.violations_count == 0, f"{name}: {found.generate_report()}"
        broken = page.evaluate("[...document.images].filter(one => one.complete && !one.naturalWidth).length")
        assert broken == 0, f"{name}: a picture is missing"
    assert page.said == []
    page.context.close()


@pytest.mark.slow  # test_screenshots.py draws it
def test_whose_turn_it_is_can_be_read_from_afar(browser: Any, shown: Shown) -> None:  # noqa: F811
    page = visit(browser, shown.address, SIZES[0], "en")
    page.locator("#table .who").wait_for()
    on_the_page(page, shown, "waiting")
    title = page.locator("#table h1")
    assert title.inner_text() == "Hilbert's turn"
    assert title.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 32
    assert title.evaluate("one => one.getBoundingClientRect().bottom") < SIZES[0][1] / 2
    assert page.locator("tr.to-move th").inner_text().split() == ["▶", "to", "move:", "Hilbert"]
    assert page.locator("[data-read]").inner_text().startswith("Hilbert's turn"), "and is read aloud"
    page.context.close()


@pytest.mark.slow  # test_screenshots.py draws them
def test_steps_to_mend_are_numbered_as_their_arrows(browser: Any, shown: Shown) -> None:  # noqa: F811
    page = visit(browser, shown.address, SIZES[0], "en")
    page.locator("#table .who").wait_for()
    on_the_page(page, shown, "out of step")
    steps = page.locator(".step-count").all_inner_texts()
    assert steps == page.locator(".map .step-number").all_text_contents() != []
    boxes = [one.bounding_box() for one in page.locator(".map .step-dot").all()]
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            apart = ((one["x"] - other["x"]) ** 2 + (one["y"] - other["y"]) ** 2) ** 0.5
            assert apart >= one["width"] * 0.95, "no number covers another"
    page.context.close()


@pytest.mark.slow  # test_table_page.py: a picture of the screen is got by its key
def test_a_close_up_is_a_picture_of_its_own(browser: Any, shown: Shown) -> None:  # noqa: F811
    page = visit(browser, shown.address, SIZES[0], "ja")
    page.locator("#table .who").wait_for()
    on_the_page(page, shown, "question, close-up")
    image = page.locator(".close-up img")
    image.evaluate("one => one.decode()")
    assert image.evaluate("one => one.naturalWidth") > 0
    assert image.get_attribute("alt") == "カメラから見た、読み取れないカード"
    page.context.close()
