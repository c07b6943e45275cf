"""What no fault of ours may do: end the evening, accept a move, lose one, or let presses run through other screens."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from device.app import playing as playing_module
from device.app.plan import Plan
from device.capture.capture import Blind, Lookout
from device.enrol.learning import PageLearner
from device.hardware.buttons import Button, Press
from device.hardware.steady import SteadyCamera
from device.session.judge import Judge
from device.session.presenter import Presenter
from device.storage.deck_store import DeckShelf
from rules.cards import Card
from tests.device.at_the_table import PLAYERS
from tests.device.house import House, Sketch
from tests.device.test_setting_up import Learnt, take
from ui.screen_state import Mood, ScreenState

PLAN = Plan("laminate", PLAYERS, {"first_seat": 1}, "mine")


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., House]]:
    with ExitStack() as houses:
        yield lambda **wishes: houses.enter_context(House(tmp_path, **wishes))


def stumble(*_: object, **__: object) -> Any:
    raise ZeroDivisionError("what is this?")


def discards(house: House, name: str) -> None:
    """Discard a card, whatever the display shows."""
    house.table.lay_discard(Card.parse(name))
    house.camera.show(house.table)


def test_a_screen_that_can_not_be_made_ends_nothing(
    begin: Callable[..., House], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house = begin(plan=PLAN)
    house.set_up()
    with monkeypatch.context() as broken:
        broken.setattr(Presenter, "_show_table", stumble)
        discards(house, "H7")
        house.says("can't be shown")
        time.sleep(0.05)
        assert caplog.text.count("ZeroDivisionError: what is this?") == 1, "rounds are many, the fault is one"
        assert "Traceback" in caplog.text
        house.press(Button.CONFIRM, long=True)
        house.mood(Mood.MENU)
        house.press(Button.BACK)
        house.says("can't be shown")
    house.mood(Mood.PREVIEW)
    house.press(Button.CONFIRM)
    house.mood(Mood.ACCEPTED)
    assert house.moves() == 2


def test_a_menu_that_can_not_be_shown_is_closed(begin: Callable[..., House], monkeypatch: pytest.MonkeyPatch) -> None:
    house = begin(plan=PLAN)
    house.set_up()
    with monkeypatch.context() as broken:
        broken.setattr("device.session.screens.Screens.show_menu", stumble)
        house.press(Button.CONFIRM, long=True)
        house.until(lambda screen: screen.mood is Mood.ACCEPTED and "can't be shown" in house.screens[-2].headline)
    assert house.app.session is not None
    assert house.app.session.over_it is None


def test_a_screen_that_can_not_be_drawn_ends_nothing(
    begin: Callable[..., House], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house = begin(plan=PLAN)
    house.set_up()
    show = house.show

    def draw(state: ScreenState) -> None:
        if state.mood is Mood.PREVIEW:
            stumble()
        show(state)

    monkeypatch.setattr(house, "show", draw)
    discards(house, "H7")
    house.says("can't be shown")
    assert "ZeroDivisionError: what is this?" in caplog.text
    house.press(Button.CONFIRM)
    house.mood(Mood.ACCEPTED)


@pytest.mark.parametrize("asked", ["verdict", "comparison"])
def test_a_referee_that_stumbles_accepts_nothing_and_loses_nothing(
    begin: Callable[..., House], monkeypatch: pytest.MonkeyPatch, asked: str, tmp_path: Path
) -> None:
    monkeypatch.setattr(playing_module, "TRY_AGAIN_S", 0.02)
    house = begin(plan=PLAN)
    house.set_up()
    with monkeypatch.context() as broken:
        broken.setattr(Judge, asked, property(stumble))
        discards(house, "H7")
        house.says("not foreseen")
        house.press(Button.CONFIRM)
        house.press(Button.CONFIRM, long=True)
        house.mood(Mood.MENU)
        time.sleep(0.05)
        house.mood(Mood.MENU)  # which stays, however often the table is judged again
        house.stop()
        assert house.moves() == 1
        (tmp_path / "playing").touch()  # as the service finds it when it was killed
        again = begin()
        again.table, again.look = house.table, house.look
        again.camera.show(again.table)
        again.until(lambda screen: "not foreseen" in screen.headline)
    again.mood(Mood.PREVIEW)
    again.press(Button.CONFIRM)
    again.mood(Mood.ACCEPTED)
    assert again.moves() == 2


def test_presses_made_while_something_takes_long_are_dropped(
    begin: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.enrol.learning.look_alikes", lambda deck: [])
    saving, saved = threading.Event(), threading.Event()

    def save(shelf: DeckShelf, name: str, deck: object) -> None:
        saving.set()
        assert saved.wait(20)

    monkeypatch.setattr(DeckShelf, "save", save)
    house = begin()
    house.learner = PageLearner(Learnt())
    for line in ("Learn a deck", "A new deck", "3 pages"):
        take(house, line)
    for number in (1, 2, 3):
        house.says(f"page {number} of 3")
        house.press(Button.CONFIRM)
    house.says("Right?")
    house.press(Button.CONFIRM)
    assert saving.wait(20)
    house.says("being saved")
    house.presses += [Press(Button.CONFIRM, at_s=time.monotonic()) for _ in range(3)]
    saved.set()
    house.says("is known now")
    time.sleep(0.05)
    assert "is known now" in house.screens[-1].headline
    house.press(Button.CONFIRM)
    house.says("What would you like to do?")


def test_a_camera_that_takes_long_to_start_is_said_to_be_starting() -> None:
    class Slow(Sketch):
        def take_preview(self) -> Any:
            self.release.wait(0.5)
            return super().take_preview()

    camera, told = Slow(), threading.Event()
    lookout = Lookout(SteadyCamera(lambda: camera, preview_timeout_s=0.05), lambda: lambda picture: "seen", told)
    lookout.start()
    try:
        assert told.wait(20)
        time.sleep(0.3)
        blind = [news for news in lookout.take_news() if isinstance(news, Blind)]
        assert [(str(news.why), news.mood) for news in blind] == [("The camera is starting.", Mood.NOTICE)]
    finally:
        camera.release.set()
        lookout.stop()
