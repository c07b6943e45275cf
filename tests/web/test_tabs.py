"""Many tabs of one browser: all open, all follow the table, and what is not seen keeps no connection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.test_browser import CHROMIUM, SIZES, browser, visit  # noqa: F401 - the fixture
from tests.web.test_table_page import STATE, Table, now

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
TABS = 8
HIDE = "hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true}); document.dispatchEvent(new Event('visibilitychange')); }"  # fmt: skip  # noqa: E501


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    made = Table(tmp_path_factory.mktemp("tabs"))
    yield made
    made.close()


@pytest.fixture(params=["shared worker", "none"])
def first(request: pytest.FixtureRequest, browser: Any, table: Table) -> Iterator[Any]:  # noqa: F811
    """Return the first tab of a browser that has shared workers, or none."""
    table.page.show(now())
    page = visit(browser, table.entrance, SIZES[0], "en")
    if request.param == "none":
        page.context.add_init_script("delete globalThis.SharedWorker")
        page.reload()
    says(page, STATE["headline"])
    yield page
    page.context.close()


def says(page: Any, headline: str) -> None:
    page.locator("section[data-said]").get_by_text(headline, exact=True).wait_for(timeout=10_000)


def opened(page: Any, count: int) -> list[Any]:
    """So many tabs of the same browser, each at the table."""
    tabs = [page]
    while len(tabs) < count:
        tabs.append(page.context.new_page())
        tabs[-1].goto(page.url, timeout=10_000)
    return tabs


@pytest.mark.parametrize("first", ["shared worker"], indirect=True)
def test_eight_tabs_open_and_all_of_them_follow(first: Any, table: Table) -> None:
    tabs = opened(first, TABS)
    table.page.show(now("Ada lays heart 7."))
    for tab in tabs:
        says(tab, "Ada lays heart 7.")
    assert first.evaluate("fetch('/state.json').then(answer => answer.status)") == 200
    tabs[0].close()
    table.page.show(now("Bob lays onion 8."))
    for tab in tabs[1:]:
        says(tab, "Bob lays onion 8.")


@pytest.mark.slow  # test_eight_tabs_open_and_all_of_them_follow
def test_hidden_tabs_let_go_and_show_the_newest_once_seen(first: Any, table: Table) -> None:
    tabs = [first]
    while len(tabs) < TABS:
        tabs[-1].evaluate(HIDE, True)
        tabs = opened(tabs[-1], 2) if len(tabs) == 1 else [*tabs, opened(tabs[-1], 2)[1]]
    table.page.show(now("Ada lays heart 7."))
    says(tabs[-1], "Ada lays heart 7.")
    assert all("Ada lays" not in tab.content() for tab in tabs[:-1])
    first.evaluate(HIDE, False)
    says(first, "Ada lays heart 7.")


@pytest.mark.few(1)
def test_each_tab_speaks_its_own_language(first: Any, table: Table) -> None:
    other = opened(first, 2)[1]
    other.get_by_role("button", name="日本語").click()
    other.wait_for_load_state()
    table.page.show(now("Ada lays heart 7."))
    says(other, "「Ada lays heart 7.」")
    says(first, "Ada lays heart 7.")
