"""Nothing that comes by itself takes a control from under a finger: every tap is told, and of what was tapped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.test_browser import CHROMIUM, SIZES, browser, visit  # noqa: F401 - the fixture
from tests.web.test_table_page import STATE, Table, now, until

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
TAP_MS = 40


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


@pytest.fixture
def phone(browser: Any, table: Table) -> Iterator[Any]:  # noqa: F811
    page = visit(browser, table.entrance, SIZES[0], "en")
    headline(page, STATE["headline"]).wait_for()
    yield page
    page.context.close()


def headline(page: Any, words: str) -> Any:
    return page.locator("section[data-said]").get_by_text(words, exact=True)


def middle(where: Any) -> tuple[float, float]:
    """Where a control lies now: the first event of a page that was just opened draws it anew."""
    while (box := where.bounding_box()) is None:
        where.page.wait_for_timeout(10)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Mouse:
    """A mouse's button, which is down for a while."""

    def __init__(self, page: Any) -> None:
        self._mouse = page.mouse

    def down(self, where: Any) -> None:
        self._mouse.move(*middle(where))
        self._mouse.down()

    def up(self) -> None:
        self._mouse.up()


class Finger:
    """A finger, which lies on the glass for a while."""

    def __init__(self, page: Any) -> None:
        self._page, self._session = page, page.context.new_cdp_session(page)

    def down(self, where: Any) -> None:
        x, y = middle(where)
        self._touch("touchStart", [{"x": x, "y": y}])

    def up(self) -> None:
        self._touch("touchEnd", [])

    def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("hand", [Finger, Mouse])
def test_no_tap_is_lost_to_what_comes_meanwhile(hand: type[Finger | Mouse], phone: Any, table: Table) -> None:
    finger, taps = hand(phone), 10
    for number in range(taps):
        finger.down(phone.locator("[data-press=back]"))
        table.page.show(now(f"Look {number}."))
        phone.wait_for_timeout(TAP_MS)
        finger.up()
        headline(phone, f"Look {number}.").wait_for()
    until(lambda: len(table.asked) == taps)
    assert {what for what, _ in table.asked} == {"press"}


def test_a_tap_answers_what_was_asked_when_it_began(phone: Any, table: Table) -> None:
    finger = Finger(phone)
    finger.down(phone.get_by_role("button", name="Yes"))
    table.page.show(now("Is the game over?", ("No", "Yes")))
    phone.wait_for_timeout(TAP_MS)
    assert headline(phone, STATE["headline"]).is_visible(), "nothing moves under a finger"
    finger.up()
    headline(phone, "Is the game over?").wait_for()
    until(lambda: bool(table.asked))
    assert table.asked == [("answer", {"choice": 0, "of": ["Yes", "No"], "headline": STATE["headline"]})]


def test_the_space_bar_is_a_finger(phone: Any, table: Table) -> None:
    phone.locator("[data-press=back]").focus()
    phone.keyboard.down(" ")
    table.page.show(now("Ada lays heart 7."))
    phone.wait_for_timeout(TAP_MS)
    phone.keyboard.up(" ")
    headline(phone, "Ada lays heart 7.").wait_for()
    until(lambda: bool(table.asked))
    (what, pressed), *more = table.asked
    assert (what, pressed["button"], pressed["long"], more) == ("press", "back", False, [])


def test_a_finger_that_slides_away_holds_nothing_up(phone: Any, table: Table) -> None:
    finger = Finger(phone)
    finger.down(phone.locator("[data-press=back]"))
    finger._touch("touchMove", [{"x": 10, "y": 200}])
    table.page.show(now("Ada lays heart 7."))
    finger.up()
    headline(phone, "Ada lays heart 7.").wait_for(timeout=2000)
    assert table.asked == []
