"""Phones beside the panel of the whole program: in their own language, at once, and with the same question."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from device.hardware.buttons import Button
from device.outward import Answer, Ask
from referee.menu import Menu
from rules.text import Language
from tests.device.house import House, with_decks
from ui.screen_state import Mood, ScreenState
from web.guard import COOKIE
from web.table_end.address import PageKey, listening
from web.table_end.page import TablePage
from web.table_end.process import Now

VERDICTS = 6
PHONE_S = 0.2
"""So soon after the panel a phone shows a verdict."""
NAMES = ("Ada", "Emmy", "Sofia")


class Phones:
    """What phones are told and what they ask, without a page between."""

    def __init__(self) -> None:
        self.told: list[Now] = []
        self.waiting: list[Ask] = []

    def show(self, now: Now) -> None:
        self.told.append(now)

    def take_asks(self) -> list[Ask]:
        asked, self.waiting = self.waiting, []
        return asked

    def make_answers(self, _: object) -> dict[str, Answer]:
        return {}

    def open_menu(self, *_: object) -> Menu:
        raise AssertionError("nobody opens it")

    def close(self) -> None:
        pass

    def wait(self) -> None:
        pass

    def beside(self, shown: ScreenState) -> Any:
        """Return what they are told of what the panel shows, by language."""
        while (said := self.told[-1]["said"])["en"]["state"]["choices"] != list(shown.choices):
            time.sleep(0.002)
        return said

    def answer(self, choice: int, of: list[str]) -> bool:
        came = threading.Event()
        replies: list[Any] = []

        def reply(data: Any) -> None:
            replies.append(data)
            came.set()

        self.waiting.append(Ask("answer", {"choice": choice, "of": of}, reply))
        assert came.wait(20)
        same: bool = replies[0]["same"]
        return same


class Watched(House):
    """A house with phones, that notes when the panel has shown what."""

    def __init__(self, state: Path, page: Phones) -> None:
        super().__init__(state, names=NAMES)
        self.page = page
        self.at: dict[str, float] = {}

    def show(self, state: ScreenState) -> None:
        super().show(state)
        if state.mood is Mood.ACCEPTED:
            self.at.setdefault(state.headline, time.monotonic())

    def to_the_game(self) -> None:
        self.mood(Mood.MENU)
        for line in ("New game", "Laminate Rummy", "3 players", *NAMES, NAMES[0]):
            self.until(lambda screen, line=line: any(line in words for words in screen.choices))  # type: ignore[misc]
            self.choose(line)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    with_decks(tmp_path, "mine")
    return tmp_path


def test_a_japanese_phone_beside_an_english_panel_answers_in_japanese(state: Path) -> None:
    phones = Phones()
    with Watched(state, phones) as house:
        house.mood(Mood.MENU)
        for line in ("New game", "Laminate Rummy", "3 players", *NAMES):
            shown = house.until(lambda screen, line=line: any(line in words for words in screen.choices))  # type: ignore[misc]
            said = phones.beside(shown)
            spoken = said["ja"]["state"]["choices"]
            number = next(number for number, words in enumerate(shown.choices) if line in words)
            assert phones.answer(number, spoken)
            assert not phones.answer(number, [*spoken, "さらに"])
        said = phones.beside(house.says("Who begins?"))
        assert said["ja"]["state"]["headline"] == "誰から始めますか？"
    assert {now["language"] for now in phones.told} == {"en"}, "the panel goes on in its own language"


def test_phones_are_told_when_the_panel_changes_and_not_before(state: Path) -> None:
    phones = Phones()
    with Watched(state, phones) as house:
        house.mood(Mood.MENU)
        time.sleep(0.3)
        told = len(phones.told)
        assert told <= len(house.screens)
        time.sleep(0.3)
        assert len(phones.told) == told, "a round in which nothing happens tells nothing"
        house.press(Button.DOWN)
        assert len(phones.told) == told + 1


@pytest.fixture
def page(state: Path) -> Iterator[tuple[TablePage, int]]:
    sock = listening("127.0.0.1", 0)
    made = TablePage(state, sock)
    yield made, sock.getsockname()[1]
    made.close()
    sock.close()


@pytest.mark.slow  # test_phones_are_told_when_the_panel_changes_and_not_before
def test_a_verdict_stands_on_the_phone_as_soon_as_on_the_panel(
    state: Path, page: tuple[TablePage, int], capsys: pytest.CaptureFixture[str]
) -> None:
    process, port = page
    came: dict[str, float] = {}
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with Watched(state, process) as house:
        house.mood(Mood.MENU)
        headers = {"Cookie": f"{COOKIE}={PageKey(state).value()}", "Accept-Language": "ja"}
        line.request("GET", "/events?html", headers=headers)
        events = line.getresponse()

        def read() -> None:
            for told in events:
                if told.startswith(b"data: "):
                    drawn, now = json.loads(told.removeprefix(b"data: ")), time.monotonic()
                    came.setdefault(drawn, now)

        threading.Thread(target=read, daemon=True).start()
        house.to_the_game()
        house.go_on()
        house.mood(Mood.WAITING)
        house.set_up()
        for card in ("C10", "H3", "O4", "B5", "S6", "T9")[: VERDICTS - 1]:
            house.discards(card)
            house.mood(Mood.PREVIEW)
            house.press(Button.CONFIRM)
            house.mood(Mood.ACCEPTED)
        time.sleep(1.0)
        spoken = [house.app.session.make_screen(Language.JA).headline] if house.app.session is not None else []
    assert len(house.at) == VERDICTS
    verdicts = [at for drawn, at in came.items() if 'class="band accepted"' in drawn]
    late = [min((at - shown for at in verdicts if at >= shown), default=60.0) for shown in house.at.values()]
    usual, worst = median(late) * 1000, max(late) * 1000
    told = f"a verdict on the phone after the panel: median {usual:.0f} ms, at most {worst:.0f} ms"
    with capsys.disabled():
        print(f"\n{told}")
    assert median(late) < PHONE_S, told
    assert any(words in drawn for drawn in came for words in spoken), "and in the phone's language"
