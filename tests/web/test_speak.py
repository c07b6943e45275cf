"""The table read aloud once somebody has tapped: turn, verdict and steps, in the page's language, nothing twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rules.text import Language
from tests.web.test_browser import CHROMIUM, SIZES, browser, visit  # noqa: F401 - a fixture
from tests.web.test_table_in_browser import Shown, on_the_page, shown  # noqa: F401 - a fixture

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
STUB = """
window.spoken = [];
class Said { constructor(text) { this.text = text; } }
const voice = { speak: (one) => window.spoken.push([one.text, one.lang]), cancel() {}, getVoices: () => [] };
Object.defineProperty(window, "speechSynthesis", { value: voice });
Object.defineProperty(window, "SpeechSynthesisUtterance", { value: Said });
"""


@pytest.fixture(params=Language.all(), ids=lambda one: one.code)
def phone(browser: Any, shown: Shown, request: pytest.FixtureRequest) -> Iterator[Any]:  # noqa: F811
    language: Language = request.param
    page = visit(browser, shown.address, SIZES[0], language.code)
    page.add_init_script(STUB)
    page.reload()
    yield page
    page.context.close()


def taken(page: Any) -> list[str]:
    """Return what was spoken since, in the page's language."""
    spoken = page.evaluate("window.spoken.splice(0)")
    assert {language for _, language in spoken} <= {page.evaluate("document.documentElement.lang")}
    return [words for words, _ in spoken]


def test_what_is_new_is_spoken_and_nothing_twice(phone: Any, shown: Shown) -> None:  # noqa: F811
    on_the_page(phone, shown, "waiting")
    assert taken(phone) == [], "nobody has tapped"
    phone.locator("[data-speak]").click()
    turn = phone.locator("#table h1").inner_text()
    assert taken(phone)[0] == turn
    on_the_page(phone, shown, "refused, two cards")
    said = taken(phone)
    headline = phone.locator("#table .headline").inner_text()
    steps = phone.locator("#table .steps li").all_inner_texts()
    assert headline in said
    assert len(steps) == 2
    for step in steps:
        assert sum(words in step for words in said[-2:]) == 1
    assert len(said) == len(set(said))
    for name in ("refused, hands", "refused, two cards"):
        on_the_page(phone, shown, name)
        assert taken(phone) == [], "hands that mend the table have heard it"
    on_the_page(phone, shown, "menu")
    assert taken(phone) == [], "a menu is read, not heard"
    on_the_page(phone, shown, "accepted, points")
    assert any(phone.locator("#table .headline").inner_text() == words for words in taken(phone))
    phone.locator("[data-speak]").click()
    on_the_page(phone, shown, "end flag, taken")
    assert taken(phone) == [], "one tap ends it"


def test_a_browser_without_a_voice_offers_none(browser: Any, shown: Shown) -> None:  # noqa: F811
    page = visit(browser, shown.address, SIZES[0], "en")
    page.add_init_script('Object.defineProperty(window, "speechSynthesis", { value: undefined });')
    page.reload()
    on_the_page(page, shown, "waiting")
    assert page.locator("[data-speak]").is_hidden()
    page.context.close()
