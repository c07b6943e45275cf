"""The table on phones: a page process beside a table that is made up, as the referee runs it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from device.app.page.address import PageKey, listening
from device.app.page.process import PageProcess
from device.web.guard import COOKIE

NOW = {
    "state": {
        "game": "laminate", "language": "en", "mood": "question", "headline": "What was done?", "details": [],
        "players": [{"name": "Ada <b>", "points": 3, "to_move": True, "notes": []}], "last": None,
        "choices": ["Yes", "No"], "chosen": 0, "ending": {"turns_left": None, "flag_due": False}, "turn": 3,
        "over": False, "at": "2026-01-01T00:00:00+00:00",
    },
    "kind": "QuestionScreen",
    "screen": {"tiles": [], "picture": None},
}  # fmt: skip


def now(headline: str) -> dict[str, Any]:
    return {**NOW, "state": {**NOW["state"], "headline": headline}}  # type: ignore[dict-item]


class Table:
    """A table whose loop answers what phones ask, and remembers it."""

    def __init__(self, state: Path, may: str = "all") -> None:
        (state / "settings.toml").write_text(f'[web]\nmay = "{may}"\n')
        self.state, self.asked, self.same = state, list[tuple[str, Any]](), True
        self.sock = listening("127.0.0.1", 0)
        self.port = self.sock.getsockname()[1]
        self.page = PageProcess(state, self.sock)
        PageKey(state).value()
        self.page.show(NOW)
        self._ended = False
        self._thread = threading.Thread(target=self._round, daemon=True)
        self._thread.start()

    def _round(self) -> None:
        while not self._ended:
            for ask in self.page.asks():
                self.asked.append((ask.what, dict(ask.data)))
                ask.reply({"same": self.same})
            time.sleep(0.01)

    def close(self) -> None:
        self._ended = True
        self._thread.join()
        self.page.close()
        self.sock.close()

    @property
    def entrance(self) -> str:
        """What a phone scans."""
        return f"http://127.0.0.1:{self.port}/?key={PageKey(self.state).value()}"

    def get(self, address: str, **headers: str) -> Any:
        return self.send("GET", address, None, **headers)

    def send(self, method: str, address: str, told: Any, **headers: str) -> Any:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        host = f"127.0.0.1:{self.port}"
        body = json.dumps(told) if told is not None else None
        cookie = f"{COOKIE}={PageKey(self.state).value()}"
        own = {"Cookie": cookie, "Origin": f"http://{host}", "Content-Type": "application/json", **headers}
        line.request(method, address, body, own)
        return line.getresponse()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def until(true: Callable[[], bool], within_s: float = 20.0) -> None:
    end = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_newest_state_is_told_at_once_and_by_events(table: Table) -> None:
    assert json.load(table.get("/state.json")) == NOW["state"]
    events = table.get("/events")
    assert events.headers["content-type"].startswith("text/event-stream")
    assert json.loads(events.readline().removeprefix(b"data: ")) == NOW["state"]
    assert events.readline() == b"\n"
    began = time.monotonic()
    table.page.show(now("Ada lays heart 7."))
    assert b"Ada lays heart 7." in events.readline()
    assert time.monotonic() - began < 0.2
    page = table.get("/", Accept="text/html").read().decode()
    assert "Ada lays heart 7." in page
    assert "Ada &lt;b&gt;" in page


def test_presses_and_answers_come_to_the_table(table: Table) -> None:
    assert table.send("POST", "/press", {"button": "back", "long": True}).status == 200
    assert table.send("POST", "/answer", {"choice": 1, "of": ["Yes", "No"]}).status == 200
    table.same = False
    assert table.send("POST", "/answer", {"choice": 1, "of": ["Yes", "No"]}).status == 409
    assert table.asked[:2] == [
        ("press", {"button": "back", "long": True}),
        ("answer", {"choice": 1, "of": ["Yes", "No"]}),
    ]


@pytest.mark.parametrize(
    "told", [{}, [], {"button": "fire"}, {"button": "up", "long": 1}, {"button": ["up"]}, "x" * 200_000]
)
def test_what_is_no_press_is_refused(told: Any, table: Table) -> None:
    assert table.send("POST", "/press", told).status == 400
    assert table.asked == []


@pytest.mark.parametrize("may", ["watch", "help"])
def test_the_buttons_stay_at_the_table_unless_all_is_allowed(may: str, tmp_path: Path) -> None:
    table = Table(tmp_path, may)
    try:
        assert table.send("POST", "/press", {"button": "confirm"}).status == 403
        assert table.send("POST", "/answer", {"choice": 0, "of": ["Yes"]}).status == 403
        assert b"data-press" not in table.get("/", Accept="text/html").read()
        assert table.asked == []
    finally:
        table.close()


def test_a_new_key_ends_what_is_watched(table: Table) -> None:
    events = table.get("/events")
    events.readline()
    events.readline()
    PageKey(table.state).renew()
    table.page.show(now("secret"))
    assert b"secret" not in events.read()


def test_a_killed_page_comes_back_with_the_newest_state(table: Table) -> None:
    assert table.get("/state.json").status == 200
    assert table.page._process is not None
    killed = table.page._process.pid
    os.kill(killed, signal.SIGKILL)
    table.page.show(now("still here"))
    until(lambda: table.page._process is not None and table.page._process.pid != killed)
    assert json.load(table.get("/state.json"))["headline"] == "still here"


def test_a_hung_page_holds_nobody_up(table: Table) -> None:
    assert table.get("/state.json").status == 200
    assert table.page._process is not None
    os.kill(table.page._process.pid, signal.SIGSTOP)
    began = time.monotonic()
    for number in range(2000):
        table.page.show(now(f"{number} " + "x" * 2000))
    assert time.monotonic() - began < 1.0
    os.kill(table.page._process.pid, signal.SIGCONT)
    until(lambda: json.load(table.get("/state.json"))["headline"].startswith("1999 "))


def test_the_page_ends_with_its_table(tmp_path: Path) -> None:
    table = Table(tmp_path)
    assert table.get("/state.json").status == 200
    process = table.page._process
    assert process is not None
    table.close()
    assert process.wait(10) is not None
