"""The director called from a phone, where the table is in a hall."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.settings.settings_file import change_setting
from tests.web.phone import phone
from tests.web.test_table_page import NOW, Table, until


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path, "help")
    yield made
    made.close()


def page(table: Table) -> str:
    return table.get("/", Accept="text/html").read().decode()  # type: ignore[no-any-return]


def test_the_director_is_called_with_a_reason_and_no_longer_needed(table: Table) -> None:
    table.page.show({**NOW, "called": False})
    until(lambda: "Call the director" in page(table))
    assert table.send("POST", "/call", {"call": True, "why": " two <b> players "}).status == 200
    table.page.show({**NOW, "called": True})
    until(lambda: "No longer needed" in page(table))
    assert table.send("POST", "/call", {"call": False}).status == 200
    assert table.send("POST", "/call", {}).status == 200
    assert [data for what, data in table.asked if what == "call"] == [
        {"call": True, "why": "two <b> players"},
        {"call": False, "why": ""},
        {"call": True, "why": ""},
    ]


def test_a_table_in_no_hall_and_phones_that_only_watch_call_nobody(table: Table) -> None:
    table.page.show({**NOW, "called": None})
    until(lambda: "Ada" in page(table))
    assert "Call the director" not in page(table)
    change_setting(table.state, "web.may", "watch")
    table.page.show({**NOW, "called": False})
    assert table.send("POST", "/call", {"call": True}).status == 403
    assert "Call the director" not in page(table)
    assert table.asked == []


@pytest.mark.few(2)
@pytest.mark.parametrize("told", [{"call": 1}, {"why": 7}, {"why": "x" * 201}, {"why": "a\nb"}, {"why": "\u202e"}, []])
def test_what_is_no_call_is_refused(told: Any, table: Table) -> None:
    assert table.send("POST", "/call", told).status == 400
    assert table.asked == []


def test_no_phone_sees_the_password_or_sets_where_the_table_sends(tmp_path: Path) -> None:
    change_setting(tmp_path, "web.may", "all")
    change_setting(tmp_path, "hall.password", "not for phones")
    with phone(tmp_path) as there:
        assert "not for phones" not in there.get("/settings").text + there.get("/settings.json").text
        assert there.post("/settings", data={"key": "hall.broker", "value": "mqtt://elsewhere"}).status_code == 400
