"""The table on phones: a page process beside a table that is made up, as the referee runs it."""

from __future__ import annotations

import html
import http.client
import json
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from PIL import Image

from device.public_state import page_state
from rules.text import Language
from tests.web.house_page import ThreadedPage
from ui.screen_state import CloseUp, Mood, PlayerLine, QuestionScreen, Standing, TableScreen, Thumbnail
from web.guard import COOKIE
from web.table_end.address import PageKey, listening
from web.table_end.page import TablePage


def now(headline: str = "What was done?", choices: tuple[str, str] = ("Yes", "No")) -> dict[str, Any]:
    """Return what a table shows that asks something, in English and in Japanese."""
    ja = {"Yes": "はい", "No": "いいえ"}

    def asked(language: Language) -> QuestionScreen:
        said = tuple(word if language is Language.EN else ja[word] for word in choices)
        lines = (PlayerLine("Ada <b>", 3, to_move=True), PlayerLine("Bob", 2))
        title = headline if language is Language.EN else f"「{headline}」"
        return QuestionScreen(language, Mood.QUESTION, title, standing=Standing(lines), choices=said)

    return page_state([asked(Language.EN), asked(Language.JA)], None)


NOW = now()
STATE = NOW["said"]["en"]["state"]


class Table:
    """A table whose loop answers what phones ask, and remembers it."""

    def __init__(self, state: Path, may: str = "all", shown: bool = True, page: type[TablePage] = ThreadedPage) -> None:
        (state / "settings.toml").write_text(f'[web]\nmay = "{may}"\n')
        self.state, self.asked, self.same = state, list[tuple[str, Any]](), True
        self.answers: dict[str, Mapping[str, Any]] = {}
        """What is answered to what is asked, where that is more than that it was heard."""
        self.sock = listening("127.0.0.1", 0)
        self.port = self.sock.getsockname()[1]
        self.page = page(state, self.sock)
        PageKey(state).value()
        if shown:
            self.page.show(NOW)
        self._ended = False
        self._thread = threading.Thread(target=self._round, daemon=True)
        self._thread.start()

    def _round(self) -> None:
        while not self._ended:
            for ask in self.page.take_asks():
                self.asked.append((ask.what, dict(ask.data)))
                ask.reply(self.answers.get(ask.what, {"same": self.same}))
            time.sleep(0.01)

    def pause(self) -> None:
        """Answer nothing more."""
        self._ended = True
        self._thread.join()

    def close(self) -> None:
        self.pause()
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
        cookie = f"{COOKIE}_{self.port}={PageKey(self.state).value()}"
        own = {"Cookie": cookie, "Origin": f"http://{host}", "Content-Type": "application/json", **headers}
        line.request(method, address, body, own)
        return line.getresponse()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


@pytest.fixture
def table_apart(tmp_path: Path) -> Iterator[Table]:
    """Run a table whose page is a process of its own, as it is in use."""
    made = Table(tmp_path, page=TablePage)
    yield made
    made.close()


def until(true: Callable[[], bool], within_s: float = 20.0) -> None:
    end = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_newest_state_is_told_at_once_and_by_events(table: Table) -> None:
    assert json.load(table.get("/state.json")) == STATE
    events = table.get("/events")
    assert events.headers["content-type"].startswith("text/event-stream")
    assert json.loads(events.readline().removeprefix(b"data: ")) == STATE
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
        ("answer", {"choice": 1, "of": ["Yes", "No"], "headline": None}),
    ]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "told", [{}, [], {"button": "fire"}, {"button": "up", "long": 1}, {"button": ["up"]}, "x" * 200_000]
)
def test_what_is_no_press_is_refused(told: Any, table: Table) -> None:
    assert table.send("POST", "/press", told).status == 400
    assert table.asked == []


@pytest.mark.few(1)
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


@pytest.mark.slow  # test_link.py, test_the_page_ends_with_its_table
def test_a_killed_page_comes_back_with_the_newest_state(table_apart: Table) -> None:
    assert table_apart.get("/state.json").status == 200
    assert table_apart.page._process is not None
    killed = table_apart.page._process.pid
    os.kill(killed, signal.SIGKILL)
    table_apart.page.show(now("still here"))
    until(lambda: table_apart.page._process is not None and table_apart.page._process.pid != killed)
    assert json.load(table_apart.get("/state.json"))["headline"] == "still here"


def test_a_hung_page_holds_nobody_up(table_apart: Table) -> None:
    assert table_apart.get("/state.json").status == 200
    assert table_apart.page._process is not None
    os.kill(table_apart.page._process.pid, signal.SIGSTOP)
    told = [now(f"{number} " + "x" * 10_000) for number in range(300)]
    began = time.monotonic()
    for one in told:
        table_apart.page.show(one)
    assert time.monotonic() - began < 3.0
    os.kill(table_apart.page._process.pid, signal.SIGCONT)
    until(lambda: json.load(table_apart.get("/state.json"))["headline"].startswith("299 "))


def test_the_page_ends_with_its_table(tmp_path: Path) -> None:
    table = Table(tmp_path, page=TablePage)
    assert table.get("/state.json").status == 200
    process = table.page._process
    assert process is not None
    table.close()
    assert process.wait(10) is not None


def test_a_phone_is_spoken_to_in_its_language_and_data_in_the_panels(table: Table) -> None:
    assert "「What was done?」" in table.get("/", Accept="text/html", **{"Accept-Language": "ja"}).read().decode()
    english = table.get("/", Accept="text/html", **{"Accept-Language": "en"}).read().decode()
    assert "What was done?" in english
    assert "「" not in english
    drawn = table.get("/events?html", **{"Accept-Language": "ja"})
    assert "「What was done?」" in json.loads(drawn.readline().removeprefix(b"data: "))
    assert json.load(table.get("/state.json", **{"Accept-Language": "ja"}))["language"] == "en"
    asked = json.load(table.get("/state.json?language=ja"))
    assert (asked["language"], asked["choices"]) == ("ja", ["はい", "いいえ"])
    told = table.get("/events?language=ja")
    assert json.loads(told.readline().removeprefix(b"data: ")) == asked


@pytest.mark.few(1)
@pytest.mark.parametrize("address", ["/state.json?language=xx", "/events?language=", "/state.json?language=%00"])
def test_a_language_that_is_not_spoken_is_refused(address: str, table: Table) -> None:
    answer = table.get(address)
    assert answer.status == 400
    assert json.load(answer)["error"]["en"] == "There is no such language."


def test_a_language_that_the_table_has_no_words_of_is_answered_in_the_panels(table: Table) -> None:
    told = now("only so")
    table.page.show({**told, "said": {"en": told["said"]["en"]}})
    until(lambda: json.load(table.get("/state.json"))["headline"] == "only so")
    assert json.load(table.get("/state.json?language=ja"))["headline"] == "only so"


def test_a_picture_of_the_screen_is_got_by_its_key_as_long_as_it_may_be_shown(table: Table) -> None:
    seen = Thumbnail((4, 2), bytes(range(24)))
    screen = TableScreen(Language.EN, Mood.CANT_SEE, "?", picture=CloseUp(seen, None))
    told = page_state([screen], None)
    ((key, _),) = told["pictures"].items()
    assert "rgb" not in json.dumps(told["said"])
    table.page.show(told)
    page = ""
    while key not in page:
        page = table.get("/", Accept="text/html").read().decode()
    answer = table.get(f"/pictures/{key}.jpg")
    assert answer.headers["content-type"] == "image/jpeg"
    assert Image.open(answer).size == (4, 2)
    for number in range(40):
        other = replace(screen, picture=CloseUp(Thumbnail((1, 1), bytes([number] * 3)), None))
        table.page.show(page_state([replace(other, headline=str(number))], None))
        until(lambda number=number: json.load(table.get("/state.json"))["headline"] == str(number))  # type: ignore[misc]
    assert table.get(f"/pictures/{key}.jpg").status == 404
    assert table.get("/pictures/nothing.jpg").status == 404


@pytest.mark.few(1)
@pytest.mark.parametrize(("may", "buttons"), [("watch", 0), ("help", 0), ("all", 2)])
def test_answers_are_buttons_only_where_phones_may_press(may: str, buttons: int, tmp_path: Path) -> None:
    table = Table(tmp_path, may)
    try:
        page = table.get("/", Accept="text/html").read().decode()
        assert page.count('action="/answer"') == buttons
        assert ("This is answered at the table." in page) is (not buttons)
        assert "Yes" in page
    finally:
        table.close()


@pytest.mark.slow  # test_the_newest_state_is_told_at_once_and_by_events
def test_a_table_that_says_nothing_yet_is_waited_for_and_then_told_of(tmp_path: Path) -> None:
    table = Table(tmp_path, shown=False)
    try:
        answer = table.get("/state.json")
        assert answer.status == 400
        assert "does not answer" in json.load(answer)["error"]["en"]
        assert table.get("/", Accept="text/html").status == 400
    finally:
        table.close()


def test_a_page_that_ends_lets_go_of_who_waits_for_the_table(table: Table) -> None:
    table.get("/state.json")
    table.pause()
    answers: list[Any] = []
    phone = threading.Thread(target=lambda: answers.append(table.get("/aim.json")))
    phone.start()
    until(lambda: bool(table.page.take_asks()))
    table.page.close()
    phone.join(2.5)  # the page would give whoever it cuts off 3 s
    assert [(answer.status, json.load(answer)["error"]["en"]) for answer in answers] == [
        (400, "The table does not answer: try again.")
    ]


def test_without_scripts_an_answer_comes_as_a_form(table: Table) -> None:
    page = table.get("/", Accept="text/html", **{"Accept-Language": "ja"}).read().decode()
    sent = dict(re.findall(r'name="(choice|of|headline)" value="([^"]*)"', page.split('data-answer="1"')[1]))
    told = urlencode({name: html.unescape(value) for name, value in sent.items()})
    line = http.client.HTTPConnection("127.0.0.1", table.port, timeout=30)
    host = f"127.0.0.1:{table.port}"
    headers = {"Cookie": f"{COOKIE}={PageKey(table.state).value()}", "Origin": f"http://{host}", "Accept": "text/html"}
    line.request("POST", "/answer", told, {**headers, "Content-Type": "application/x-www-form-urlencoded"})
    answer = line.getresponse()
    assert (answer.status, answer.headers["location"]) == (303, "/")
    ((what, data),) = table.asked
    assert what == "answer"
    assert data == {"choice": 1, "of": ["はい", "いいえ"], "headline": "「What was done?」"}
