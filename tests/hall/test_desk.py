"""The table's end of the hall: what it shows is told, the director called, and nobody at the table waits."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.app.navigator import CALLED, COMING
from device.app.plan import Plan
from device.hardware.buttons import Button
from device.session.session import Session
from device.speech import Language
from device.table_state import TableState
from hall.messages import Call
from hall.table_end.desk import HallDesk
from hall.table_end.folders import HallFolders
from tests.cli.test_games import played
from tests.device.at_the_table import PLAYERS
from tests.device.house import House
from tests.device.openings import opening
from tests.hall.mosquitto import wait_for
from ui.screen import draw
from ui.screen_state import Mood, NoticeScreen, ScreenState


@pytest.fixture
def folders(tmp_path: Path) -> HallFolders:
    (tmp_path / "memory").mkdir()
    return HallFolders(tmp_path / "memory", tmp_path / "memory")


@pytest.fixture
def desk(tmp_path: Path, folders: HallFolders) -> Iterator[HallDesk]:
    made = HallDesk(tmp_path, folders)
    yield made
    made.close()


def screen(words: str) -> ScreenState:
    return NoticeScreen(Language.JA, Mood.NOTICE, words)


def told(folders: HallFolders) -> str:
    state = folders.told().get("state")
    return state["headline"] if state else ""


def test_the_newest_is_told_and_a_call_outlasts_the_program(tmp_path: Path, folders: HallFolders) -> None:
    desk = HallDesk(tmp_path, folders)
    for number in range(200):
        desk.show(screen(f"{number}"), None)
    wait_for(lambda: told(folders) == "199", "the newest")
    desk.call("two players disagree")
    assert desk.called
    wait_for(lambda: (folders.told()["call"] or {}).get("why") == "two players disagree", "the call")
    desk.show(screen("last"), None)
    desk.close()
    assert told(folders) == "last"
    again = HallDesk(tmp_path, folders)
    assert again.called
    again.take_back()
    again.close()
    assert folders.told()["call"] is None
    assert not HallDesk(tmp_path, folders).called


@pytest.mark.slow  # tests/hall/test_board.py answers calls
def test_a_call_that_the_hall_has_answered_is_over_and_another_one_is_not(
    tmp_path: Path, folders: HallFolders, desk: HallDesk
) -> None:
    desk.call("two players disagree")
    wait_for(lambda: folders.told().get("call") is not None, "the call")
    assert not desk.coming
    folders.say(None, folders.told()["call"]["since"])
    wait_for(lambda: not desk.called, "somebody comes")
    assert desk.coming
    wait_for(lambda: folders.told()["call"] is None, "that is told")
    desk.call("once more")
    assert not desk.coming
    time.sleep(1.2)
    assert desk.called
    assert HallDesk(tmp_path, folders).called


def test_a_call_that_is_damaged_on_the_disk_is_none(tmp_path: Path, folders: HallFolders) -> None:
    (tmp_path / "hall-call.json").write_bytes(b"\xff{")
    desk = HallDesk(tmp_path, folders)
    assert not desk.called
    desk.close()


@pytest.mark.slow  # make bench measures it too
def test_showing_costs_the_table_next_to_nothing_whatever_becomes_of_it(desk: HallDesk, folders: HallFolders) -> None:
    shown = screen("x" * 1000)
    for blocked in (False, True):
        if blocked:
            # Whoever writes there stands still until somebody reads.
            os.mkfifo(folders.table / "table.new")
        began, cpu = time.monotonic(), time.thread_time()
        for _ in range(1000):
            desk.show(shown, None)
            desk.called  # noqa: B018 - the screen asks that
        assert (time.thread_time() - cpu) / 1000 < 50e-6
        assert (time.monotonic() - began) / 1000 < 2e-3
        time.sleep(0.6)
    handle = os.open(folders.table / "table.new", os.O_RDWR | os.O_NONBLOCK)
    (folders.table / "table.new").unlink(missing_ok=True)  # whoever stood still may be quicker
    desk.call("all the same")
    assert desk.called
    os.close(handle)


def test_what_the_table_shows_in_a_game_is_what_a_hall_takes(tmp_path: Path, folders: HallFolders) -> None:
    game = opening(("ヒルベルト", "Banach", "Noether"), 2)
    session = Session.resume(game.header, played(3, 6), game.layout, Language.JA)
    desk = HallDesk(tmp_path, folders)
    desk.show(session.make_screen(), session.history)
    desk.close()
    state = TableState.of_bytes(json.dumps(folders.told()["state"]).encode())
    assert [one.name for one in state.players] == ["ヒルベルト", "Banach", "Noether"]
    assert (state.game, state.turn, state.over, state.language) == ("laminate", 6, False, "ja")


def test_the_director_is_called_from_a_games_menu_until_somebody_comes(tmp_path: Path, folders: HallFolders) -> None:
    house = House(tmp_path, plan=Plan("laminate", PLAYERS, {"first_seat": 1}, "mine"))
    house.hall = HallDesk(tmp_path, folders)
    with house:
        house.mood(Mood.WAITING)
        house.press(Button.CONFIRM, long=True)
        house.mood(Mood.MENU)
        house.choose("Call the director")
        menu = house.says("Why is the director called?")
        assert "The hall can't be reached" in menu.details[0], "no relay runs here"
        folders.say(None)
        house.choose("Back")
        house.mood(Mood.WAITING)
        house.press(Button.CONFIRM, long=True)
        house.choose("Call the director")
        menu = house.says("Why is the director called?")
        assert menu.details == ()
        house.choose("A question about the rules")
        called = house.says(CALLED.said(Language.EN))
        assert called.mood is Mood.WAITING, "the game goes on"
        wait_for(lambda: (folders.told()["call"] or {}).get("why") == "A question about the rules", "it is told")
        assert Call.of_bytes(json.dumps(folders.told()["call"]).encode()).since is not None
        house.set_up()
        house.press(Button.CONFIRM, long=True)
        house.choose("No longer needed")
        house.until(lambda screen: CALLED.said(Language.EN) not in screen.details)
        wait_for(lambda: folders.told()["call"] is None, "that is told too")


@pytest.mark.parametrize("in_menu", [False, True], ids=["in the game", "in its menu"])
def test_that_the_director_comes_is_said_for_a_while(tmp_path: Path, folders: HallFolders, in_menu: bool) -> None:
    now_s = [0.0]
    house = House(tmp_path, plan=Plan("laminate", PLAYERS, {"first_seat": 1}, "mine"))
    house.hall = HallDesk(tmp_path, folders, clock=lambda: now_s[0])
    with house:
        house.mood(Mood.WAITING)
        house.hall.call("why")
        house.says(CALLED.said(Language.EN))
        if in_menu:
            house.press(Button.CONFIRM, long=True)
            assert CALLED.said(Language.EN) in house.mood(Mood.MENU).details
        wait_for(lambda: folders.told().get("call") is not None, "the call")
        folders.say(None, folders.told()["call"]["since"])
        shown = house.says(COMING.said(Language.EN))
        assert shown.mood is (Mood.MENU if in_menu else Mood.WAITING)
        assert CALLED.said(Language.EN) not in shown.details
        assert COMING.said(Language.EN) in [one.text for one in draw(shown).texts]
        now_s[0] = 299.0
        house.says(COMING.said(Language.EN))
        now_s[0] = 300.0
        house.until(lambda screen: COMING.said(Language.EN) not in screen.details)
        if in_menu:
            house.press(Button.BACK)
        house.set_up()
        house.press(Button.CONFIRM, long=True)
        assert "Call the director" in house.mood(Mood.MENU).choices


def test_a_game_without_a_hall_has_no_director_to_call(tmp_path: Path) -> None:
    with House(tmp_path, plan=Plan("laminate", PLAYERS, {"first_seat": 1}, "mine")) as house:
        house.mood(Mood.WAITING)
        house.press(Button.CONFIRM, long=True)
        assert not any("director" in line for line in house.mood(Mood.MENU).choices)
