"""The whole program with people's hands on its buttons, and with every fault that an evening can bring."""

from __future__ import annotations

import errno
import fcntl
import os
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from device.app.app import App
from device.app.equipment import Equipment, StartOptions
from device.app.notify import Notifier
from device.app.plan import Plan
from device.app.services.decks import Decks
from device.app.signals import Signals
from device.capture import table_reader as seeing
from device.errors import DeviceError
from device.hardware import steady
from device.hardware.buttons import Button, ButtonFault, ButtonTrouble
from device.hardware.camera import Picture
from device.hardware.steady import CameraState, CameraTrouble, SteadyCamera
from device.session.session import Session
from device.settings.values import RecordingSettings, SignalSettings
from device.speech import Language
from device.storage import game_file, journal
from device.storage.journal import Journal
from device.storage.recorder import Recorder
from models import checksums
from referee.laminate.simulated.game import SimulatedGame
from rules.cards import Card
from rules.text import Text
from simulator.camera import SimulatedCamera
from simulator.players import PlayersPace, SimulatedPlayers
from tests.device.at_the_table import LAYOUT, PLAYERS, Watched, quick_app, view_of
from tests.device.house import House, with_decks
from ui.screen_state import Mood, PadScreen
from vision.errors import MatError


@pytest.fixture
def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., House]]:
    monkeypatch.setattr(steady, "_SOONEST_S", 0.1)
    monkeypatch.setattr(steady, "_LETTING_GO_S", 0.1)
    monkeypatch.setattr(steady, "_FLAWED_S", 0.3)
    houses: list[House] = []

    def begin(unfit: DeviceError | None = None, environment: dict[str, str] | None = None, **wishes: object) -> House:
        house = House(tmp_path, **wishes)
        house.unfit, house.environment = unfit, environment or {}
        houses.append(house)
        house.start()
        return house

    yield begin
    for house in houses:
        house.stop()


@pytest.fixture
def playing(begin: Callable[..., House]) -> House:
    house = begin(plan=Plan("laminate", PLAYERS, {"first_seat": 1}, "mine"))
    house.set_up()
    return house


# The menus


def test_without_a_deck_one_must_be_learnt_first(begin: Callable[..., House]) -> None:
    house = begin()
    screen = house.mood(Mood.MENU)
    assert house.screens[0].mood is Mood.NOTICE
    assert [line for line in screen.choices if "New game" in line] == ["New game with the printed deck"]
    assert "No deck is known" in screen.details[0]


def test_the_printed_deck_is_played_with_without_learning(begin: Callable[..., House], tmp_path: Path) -> None:
    house = begin(names=("Ada", "Emmy"))
    house.mood(Mood.MENU)
    house.choose("New game with the printed deck")
    house.says("Which game?")
    house.choose("Laminate Rummy")
    house.says("How many play?")
    house.choose("3 players")
    house.says("seat 1")


def test_a_game_is_begun_left_and_taken_up_again_with_four_buttons(begin: Callable[..., House], tmp_path: Path) -> None:
    with_decks(tmp_path, "mine", "yours")
    house = begin(names=("Ada", "Emmy"))
    house.mood(Mood.MENU)
    house.choose("New game")
    house.choose("Laminate Rummy")
    house.says("How many play?")
    house.choose("3 players")
    house.says("seat 1")
    house.choose("Emmy")
    house.says("seat 2")
    house.choose("Ada")
    house.says("seat 3")
    house.press(Button.BACK)
    house.says("seat 2")
    house.choose("Ada")
    house.says("seat 3")
    house.choose("Player 3")
    house.says("Which deck?")
    house.choose("yours")
    house.says("Who begins?")
    house.choose("Ada")
    house.go_on()
    assert [player.name for player in house.mood(Mood.WAITING).players] == ["Emmy", "Ada", "Player 3"]
    house.set_up()
    house.press(Button.CONFIRM, long=True)
    house.choose("Leave the game")
    assert house.says("What would you like to do?").choices[:2] == (
        "Go on: Emmy, Ada, Player 3",
        "New game: Emmy, Ada, Player 3",
    )
    house.choose("Go on")
    assert house.until(lambda screen: screen.to_move == "Ada")
    with Journal.open(tmp_path) as kept:
        assert [game.opening.deck for game in kept.list_games()] == ["yours"]


def test_what_a_deck_is_learnt_for_is_asked_where_it_may_be_learnt_from_different_pages(
    begin: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = begin()
    learnt: list[tuple[str, tuple[str, ...]]] = []
    monkeypatch.setattr(Decks, "learn", lambda self, name, pages: learnt.append((name, pages)))
    house.mood(Mood.MENU)
    house.choose("Learn a deck")
    house.says("Which deck shall be learnt?")
    house.choose("A new deck")
    shown = house.says("For which games?")
    assert "Laminate Rummy, " in shown.choices[0], "the fuller deck is good for the other games as well"
    assert "Wild Seven" in shown.choices[0]
    assert "Laminate Rummy" not in shown.choices[1]
    house.choose("2 pages")
    house.says("What would you like to do?")
    assert learnt == [("deck 1", ("seven", "back"))]


def test_the_language_is_switched_and_kept(begin: Callable[..., House], tmp_path: Path) -> None:
    with_decks(tmp_path, "mine")
    house = begin()
    house.choose("日本語")
    assert house.says("何をしますか").language is Language.JA
    house.choose("English")
    house.choose("New game")
    house.choose("Laminate Rummy")
    house.choose("3 players")
    for seat in (1, 2, 3):
        house.choose(f"Player {seat}")
    house.choose("Player 1")
    house.go_on()
    house.mood(Mood.WAITING)
    house.press(Button.CONFIRM, long=True)
    house.choose("日本語")
    house.until(lambda screen: screen.language is Language.JA)
    house.stop()
    with Journal.open(tmp_path) as kept:
        assert kept.list_games()[0].language is Language.JA
    again = begin()
    again.mood(Mood.MENU)
    again.choose("Go on")
    again.until(lambda screen: screen.language is Language.JA)


def test_switching_off_asks_first_and_a_refusal_is_said(begin: Callable[..., House]) -> None:
    house = begin()
    house.choose("Switch off")
    house.says("Switch the table off?")
    house.choose("No")
    house.says("What would you like to do?")

    def refuse() -> None:
        raise DeviceError(Text("Polkit says no."))

    house.switch_off = refuse  # type: ignore[method-assign]
    house.choose("Switch off")
    house.choose("Yes")
    house.says("Polkit says no.")
    house.press(Button.CONFIRM)
    house.says("What would you like to do?")
    house.switch_off = lambda: None  # type: ignore[method-assign]
    house.choose("Switch off")
    house.choose("Yes")
    house.thread.join(10)
    assert not house.thread.is_alive()


@pytest.mark.slow  # test_a_power_cut_goes_straight_back_into_the_game; test_killing.py
def test_a_power_cut_between_the_last_move_and_the_result_costs_neither(
    begin: Callable[..., House], tmp_path: Path
) -> None:
    app, _, _ = quick_app(tmp_path, 577)
    app.run()
    with Journal.open(tmp_path) as kept:
        whole = kept.read_game(1)
        cut_off = kept.begin(whole.opening, whole.language, kept.read_entries(1)).game
        assert kept.read_game(cut_off).result is None
    house = begin(game=cut_off)
    house.mood(Mood.FINISHED)
    with Journal.open(tmp_path) as kept:
        assert kept.read_game(cut_off).result == whole.result
        assert kept.going_on is None


@pytest.mark.slow  # tests/web/test_start_page.py: once more by one tap
def test_the_same_players_play_once_more_from_the_end(begin: Callable[..., House], tmp_path: Path) -> None:
    app, _, _ = quick_app(tmp_path, 577)
    app.run()
    with Journal.open(tmp_path) as kept:
        played = kept.read_game(1).opening
    with_decks(tmp_path, played.deck, "another")
    house = begin(game=1)
    house.mood(Mood.FINISHED)
    house.press(Button.CONFIRM, long=True)
    house.mood(Mood.MENU)
    house.choose("Once more, same players")
    house.says("Who begins?")
    house.choose(played.players[1])
    house.go_on()
    assert [player.name for player in house.mood(Mood.WAITING).players] == list(played.players)
    house.press(Button.CONFIRM, long=True)
    assert "Once more, same players" not in house.mood(Mood.MENU).choices


def test_a_power_cut_goes_straight_back_into_the_game(begin: Callable[..., House], tmp_path: Path) -> None:
    house = begin(plan=Plan("laminate", PLAYERS, {"first_seat": 1}, "mine"))
    house.set_up()
    assert (tmp_path / "playing").exists()
    house.stop()
    assert not (tmp_path / "playing").exists(), "stopped on purpose"
    (tmp_path / "playing").touch()
    again = begin()
    again.until(lambda screen: screen.to_move == "Hilbert")
    again.stop()
    (tmp_path / "playing").unlink(missing_ok=True)
    menu = begin()
    assert "Go on" in menu.mood(Mood.MENU).choices[0]


# Faults while it runs


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("stalls", "gives no pictures"),
        ("raises", "has failed"),
        ("black", "take the cap off"),
        ("torn", "incomplete"),
        ("smaller", "smaller pictures than before"),
    ],
)
def test_a_camera_s_fault_is_said_and_the_game_goes_on_by_itself(playing: House, fault: str, words: str) -> None:
    playing.camera.fault = fault
    if fault in ("torn", "smaller"):
        playing.lay(lambda table: table.lay_discard(Card.parse("H7")))
    else:
        playing.table.lay_discard(Card.parse("H7"))
        playing.camera.show(playing.table)
    assert words in playing.mood(Mood.BLIND).headline
    playing.press(Button.CONFIRM)
    assert playing.moves() == 1, "nothing is judged blindly"
    playing.camera.fault = ""
    playing.camera.release.set()
    playing.until(lambda screen: screen.mood in (Mood.PREVIEW, Mood.ACCEPTED))
    if playing.screens[-1].mood is Mood.PREVIEW:
        playing.press(Button.CONFIRM)
    playing.until(lambda screen: screen.mood is Mood.ACCEPTED and "heart 7" in screen.headline)


def test_a_mat_that_is_not_found_is_said_until_it_is(playing: House) -> None:
    def hidden(picture: Picture) -> object:
        raise MatError(Text("Marker 2 is hidden: uncover it."))

    seen, playing.look = playing.look, hidden
    playing.discards("H7")
    playing.says("Marker 2 is hidden")
    playing.look = seen
    playing.app._navigator.activity._lookout._look_again_s = 0.05  # type: ignore[union-attr]
    assert "heart 7" in playing.mood(Mood.PREVIEW).headline


def test_a_locked_journal_accepts_nothing_until_it_is_free(playing: House, tmp_path: Path) -> None:
    playing.discards("H7")
    playing.mood(Mood.PREVIEW)
    other = os.open(tmp_path / "journal", os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    playing.press(Button.CONFIRM)
    screen = playing.mood(Mood.FAULT)
    assert screen.to_move == "Hilbert", "what is not written is not agreed"
    assert not any(shown.mood is Mood.ACCEPTED and "heart 7" in shown.headline for shown in playing.screens)
    os.close(other)
    playing.press(Button.CONFIRM)
    playing.until(lambda shown: shown.mood is Mood.ACCEPTED and "heart 7" in shown.headline)
    assert playing.moves() == 2


def test_a_full_disk_accepts_nothing_until_there_is_room(playing: House, monkeypatch: pytest.MonkeyPatch) -> None:
    playing.discards("H7")
    playing.mood(Mood.PREVIEW)
    with monkeypatch.context() as full:
        full.setattr(game_file, "add", no_room)
        playing.press(Button.CONFIRM)
        assert "full" in playing.mood(Mood.FAULT).headline
        assert playing.moves() == 1
    playing.press(Button.CONFIRM)
    playing.until(lambda shown: shown.mood is Mood.ACCEPTED and "heart 7" in shown.headline)
    assert playing.moves() == 2


def no_room(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_journal_that_is_damaged_under_the_game_is_told_of_and_written_anew(playing: House, tmp_path: Path) -> None:
    playing.discards("H7")
    playing.mood(Mood.PREVIEW)
    (tmp_path / "journal" / "00001.jsonl").unlink()
    playing.press(Button.CONFIRM)
    told = playing.mood(Mood.NOTICE)
    assert "The journal was damaged and is kept as journal-damaged" in told.headline
    playing.press(Button.CONFIRM)
    playing.until(lambda shown: shown.mood is Mood.ACCEPTED and "heart 7" in shown.headline)
    assert playing.moves() == 2


def test_a_stuck_button_is_said_and_can_be_put_up_with(playing: House) -> None:
    playing.broken = (ButtonFault(Button.UP, ButtonTrouble.STUCK),)
    playing.says("The up button is stuck")
    playing.press(Button.CONFIRM)
    playing.mood(Mood.ACCEPTED)
    playing.broken = ()
    playing.discards("H7")
    playing.broken = (ButtonFault(Button.UP, ButtonTrouble.STUCK),)
    playing.says("The up button is stuck")
    playing.broken = ()
    playing.mood(Mood.PREVIEW)
    playing.press(Button.CONFIRM)
    playing.until(lambda shown: shown.mood is Mood.ACCEPTED and "heart 7" in shown.headline)


def test_a_model_that_was_altered_is_said_and_can_be_mended(
    begin: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checksums, "list_altered", lambda folder: ["embedder.onnx"])
    with pytest.raises(DeviceError) as missing:
        seeing.sound_reader()
    monkeypatch.undo()
    house = begin(missing.value, plan=Plan("laminate", PLAYERS, {"first_seat": 1}, "mine"))
    assert "embedder.onnx" in house.mood(Mood.BLIND).headline
    house.unfit = None
    house.press(Button.CONFIRM)
    house.until(lambda screen: screen.mood is not Mood.BLIND)


@pytest.mark.slow  # test_watching.py and test_evening.py have clocks of their own
def test_clocks_may_jump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jumps = cycle((1.0, 4e9))
    monkeypatch.setattr(time, "time", lambda: next(jumps))
    monkeypatch.setattr(journal, "_stamp_now", lambda: datetime.fromtimestamp(next(jumps), UTC).isoformat())
    app, evening, display = quick_app(tmp_path, 31)
    app.run()
    assert evening.over
    assert display.shown[-1].mood is Mood.FINISHED


def test_an_unforeseen_fault_of_the_session_ends_no_evening(
    playing: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    session = playing.app.session
    assert session is not None
    seen = session.see

    def stumble(view: object) -> None:
        raise ZeroDivisionError("what is this?")

    session.see = stumble  # type: ignore[method-assign]
    playing.discards("H7")
    playing.says("not foreseen")
    session.see = seen  # type: ignore[method-assign]
    playing.mood(Mood.PREVIEW)
    assert "ZeroDivisionError" in caplog.text


def test_a_game_that_can_not_be_opened_keeps_no_other_from_being_played(
    begin: Callable[..., House], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begin(plan=Plan("laminate", PLAYERS, {"first_seat": 1}, "mine")).stop()
    (tmp_path / "playing").touch()

    def stumble(*_: object) -> None:
        raise ZeroDivisionError("what is this?")

    with monkeypatch.context() as broken:
        broken.setattr(Session, "resume", stumble)
        house = begin()
        house.says("not foreseen")
        assert "ZeroDivisionError" in caplog.text
        assert not (tmp_path / "playing").exists(), "or every start would end here"
        house.press(Button.CONFIRM)
        house.mood(Mood.MENU)
    house.choose("Go on")
    house.mood(Mood.WAITING)


def test_a_journal_that_can_not_be_opened_is_said_and_tried_again(begin: Callable[..., House], tmp_path: Path) -> None:
    (tmp_path / "journal").touch()
    house = begin(plan=Plan("laminate", PLAYERS, {"first_seat": 1}, "mine"))
    house.until(lambda screen: screen.mood is Mood.NOTICE and screen.headline != "Starting…")
    (tmp_path / "journal").unlink()
    house.press(Button.CONFIRM)
    house.mood(Mood.WAITING)


# systemd, and what it costs


def test_the_service_manager_hears_what_it_needs(
    begin: Callable[..., House], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(10)
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "20000"}
        house = begin(environment=environment, plan=Plan("laminate", PLAYERS, {"first_seat": 1}, "mine"))
        assert manager.recv(200) == "STATUS=Starting…".encode()
        assert manager.recv(200) == b"READY=1"
        assert house.screens, "ready means that a screen is shown"
        while manager.recv(2000) != b"WATCHDOG=1":
            pass
        hangs = CameraTrouble.from_cause(CameraState.HANGING)
        monkeypatch.setattr(SteadyCamera, "take_preview", lambda self: hangs)
        house.says("switch the device off and on")
        house.app._watchdog._patience["camera"] = 0.03
        time.sleep(0.05)
        manager.setblocking(False)
        hear(manager)
        time.sleep(0.05)
        assert b"WATCHDOG=1" not in hear(manager), "a camera that hangs for good must end in a restart"


def test_the_watchdog_is_fed_while_a_name_is_written_and_the_camera_rests(
    begin: Callable[..., House], tmp_path: Path
) -> None:
    with_decks(tmp_path, "mine")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(10)
        house = begin(environment={"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "20000"})
        house.mood(Mood.MENU)
        house.app._watchdog._patience["camera"] = 0.03
        for line in ("New game", "Laminate Rummy", "3 players", "Write a name"):
            house.choose(line)
        house.until(lambda screen: isinstance(screen, PadScreen))
        time.sleep(0.05)
        manager.setblocking(False)
        hear(manager)
        manager.settimeout(10)
        assert manager.recv(2000) == b"WATCHDOG=1"


def hear(manager: socket.socket) -> list[bytes]:
    heard = []
    while True:
        try:
            heard.append(manager.recv(2000))
        except BlockingIOError:
            return heard


@pytest.mark.slow  # make bench measures it too
def test_an_idle_table_costs_little(tmp_path: Path) -> None:
    evening = SimulatedPlayers(
        SimulatedGame(PLAYERS, LAYOUT, random.Random(1)),
        lambda: SimulatedCamera(LAYOUT.mat_mm, 1),
        pace=PlayersPace(0.2, 1e9),
    )
    display = Watched(evening)

    def nothing(*_: object) -> Any:
        raise AssertionError

    equipment = Equipment(
        lambda: SteadyCamera(lambda: evening, preview_timeout_s=20.0),
        evening,
        display,
        Signals(SignalSettings(), nothing),
        Recorder(tmp_path / "rec", RecordingSettings()),
        lambda opening: lambda picture: view_of(evening.lying, LAYOUT),
        nothing,
        nothing,
    )
    app = App(
        equipment,
        tmp_path,
        StartOptions(Language.EN, plan=Plan("laminate", PLAYERS, {"first_seat": 1}, "mine")),
        Notifier({}),
    )
    evening.session = lambda: app.session
    thread = threading.Thread(target=app.run)
    thread.start()
    try:
        deadline = time.monotonic() + 60
        while not display.shown or display.shown[-1].mood is not Mood.PREVIEW:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        cpu, wall = time.process_time(), time.monotonic()
        time.sleep(3.0)
        share = (time.process_time() - cpu) / (time.monotonic() - wall)
    finally:
        app.stop()
        thread.join(30)
    print(f"idle: {share:.1%} of one core", os.getloadavg())
    assert share <= 0.15
