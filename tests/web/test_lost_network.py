"""A phone in a real browser that loses its network, its table's page, or its way in, and comes back."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.web.test_browser import CHROMIUM, SIZES, browser, visit  # noqa: F401 - the fixture
from tests.web.test_table_page import STATE, Table, now, table_apart, until  # noqa: F401 - a fixture
from web.table_end.address import PageKey

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def watching(browser: Any, table: Table, **more: Any) -> Any:  # noqa: F811
    page = visit(browser, table.entrance, SIZES[0], "en", **more)
    said(page, STATE["headline"]).wait_for()
    return page


def said(page: Any, headline: str) -> Any:
    """Return what the table says now, by its words."""
    return page.locator("section[data-said]").get_by_text(headline, exact=True)


@pytest.mark.slow  # test_tabs.py: hidden tabs show the newest once seen
def test_a_phone_that_was_out_of_reach_shows_the_newest(browser: Any, table: Table) -> None:  # noqa: F811
    page = watching(browser, table)
    page.context.set_offline(True)
    page.get_by_text("The network is gone").wait_for()
    page.get_by_role("button", name="Yes").tap()
    assert table.asked == []
    table.page.show(now("Ada lays heart 7."))
    page.context.set_offline(False)
    said(page, "Ada lays heart 7.").wait_for(timeout=10_000)
    page.get_by_text("The network is gone").wait_for(state="hidden")
    page.context.close()


@pytest.mark.slow  # test_table_page.py kills it
def test_a_phone_whose_page_was_started_again_shows_the_newest(browser: Any, table_apart: Table) -> None:  # noqa: F811
    page = watching(browser, table_apart)
    assert table_apart.page._process is not None
    table_apart.page._process.kill()
    table_apart.page.show(now("Still here."))
    said(page, "Still here.").wait_for(timeout=30_000)
    page.context.close()


@pytest.mark.slow  # test_table_page.py: a new key ends what is watched
def test_a_new_key_leads_an_open_phone_to_the_code(browser: Any, table: Table) -> None:  # noqa: F811
    page = watching(browser, table)
    PageKey(table.state).renew()
    table.page.show(now("secret"))
    page.get_by_text("Scan the code on the table's display").wait_for(timeout=30_000)
    assert "secret" not in page.content()
    page.context.close()


@pytest.mark.slow  # tests/web/test_pressed_at_once.py
def test_the_slower_of_two_is_told(browser: Any, table: Table) -> None:  # noqa: F811
    page = watching(browser, table)
    table.same = False
    page.get_by_role("button", name="Yes").tap()
    page.get_by_text("The question is no longer the same").wait_for()
    (asked,) = table.asked
    assert asked == ("answer", {"choice": 0, "of": ["Yes", "No"], "headline": "What was done?"})
    page.context.close()


@pytest.mark.slow  # test_adversary.py: names made of markup stay names
def test_names_made_of_markup_do_nothing_in_a_browser(browser: Any, table: Table) -> None:  # noqa: F811
    page = watching(browser, table)
    evil = "</script><img src=x id=evil onerror=document.title='evil'><svg onload=document.title='evil'>"
    shown = now(evil)
    for one in shown["said"].values():
        one["state"] |= {"choices": [evil, f'"]{evil}'], "last": {"who": evil, "words": evil}, "details": [evil]}
    table.page.show(shown)
    page.get_by_role("button", name="onerror").first.wait_for()
    assert page.locator("#evil").count() == 0
    assert page.title() != "evil"
    page.get_by_role("button", name="onerror").first.tap()
    until(lambda: bool(table.asked))
    assert table.asked[0][1]["of"] == shown["said"]["en"]["state"]["choices"]
    page.context.close()


FORM = """<form method=post action="{place}/{what}" enctype="{kind}"><input name=button value=confirm>
<input name='{{"button":"confirm","x":"' value='"}}'></form><script>document.forms[0].submit()</script>"""


@pytest.mark.slow  # test_guard.py
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"])
def test_another_pages_form_presses_nothing(kind: str, browser: Any, table: Table, tmp_path: Path) -> None:  # noqa: F811
    place = f"http://127.0.0.1:{table.port}"
    folder = tmp_path / "evil"
    folder.mkdir()
    (folder / "index.html").write_text(FORM.format(place=place, what="press", kind=kind))
    serving = partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    elsewhere = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serving)
    threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
    try:
        page = watching(browser, table)
        page.goto(f"http://127.0.0.1:{elsewhere.server_port}/index.html")
        page.get_by_text("sent by another page").wait_for()
        framed = f"<iframe src='{place}/'></iframe><img src='{place}/games/s1.jpg'>"
        (folder / "index.html").write_text(framed)
        page.goto(f"http://127.0.0.1:{elsewhere.server_port}/index.html")
        inside = page.frames[-1]
        assert "What was done?" not in inside.content(), "it stands in no frame of another page"
        page.context.close()
    finally:
        elsewhere.shutdown()
        elsewhere.server_close()
    assert table.asked == []
