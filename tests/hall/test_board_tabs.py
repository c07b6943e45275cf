"""Many tabs of one browser at a hall's board, each at another table: all of them follow, by turns."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hall.messages_of import state
from tests.hall.test_board_browser import CHROMIUM, SIZES, Hall, browser, hall, visit  # noqa: F401 - fixtures

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
TABS = 8


@pytest.mark.slow  # tests/web/test_tabs.py
@pytest.mark.parametrize("hall", [10], indirect=True)
def test_eight_tabs_at_eight_tables_all_follow(browser: Any, hall: Hall) -> None:  # noqa: F811
    board = visit(browser, hall, SIZES[0])
    tabs = [board.context.new_page() for _ in range(TABS)]
    for number, tab in enumerate(tabs, 1):
        tab.goto(f"{hall.base}/tables/Table%20{number}", timeout=10_000)
    for number in range(1, TABS + 1):
        hall.tables.hear(f"Table {number}", state(headline=f"News of {number}."), False)
    for number, tab in enumerate(tabs, 1):
        tab.get_by_role("heading", name=f"News of {number}.").wait_for(timeout=15_000)
    board.get_by_role("link", name="Table 1").first.wait_for()
    board.context.close()
