"""The demo: a whole game agrees with the table's truth, and a referee's fault would not go unnoticed."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.main import main
from cli.replay import play, start_session
from device.app.equipment import Look
from device.errors import DeviceError
from device.hardware.buttons import Button, Press
from device.hardware.display import FolderDisplay
from device.speech import Language
from device.storage.opening import Opening
from device.storage.recording import ButtonPressed, FrameShown, Recording, RecordingWriter
from referee.laminate.simulated.game import same_move
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import TableView
from referee.placing import Placed
from referee.registry import load_referees
from referee.simulation import Attempt
from referee.table import Detections, Sighting
from referee.verdict import Accepted, Refused
from rules.cards import Card
from rules.laminate.moves import Citation, Publish
from rules.text import Text
from simulator import demo as demo_module
from simulator.camera import Lens
from simulator.demo import DEFAULT_SEED, Demo, Hands, Shown
from simulator.opening import PLAYERS
from simulator.players import SimulatedPlayers
from simulator.truth import measure_visible_shares
from tests.device.seeing import perfect_view
from ui.screen_state import LeafScreen, ScreenState
from web.table_end.address import PageKey, listening

LAYOUT = layout_for(3)
TINY = Lens(size=(640, 480))

OpenLook = Callable[[Opening, SimulatedPlayers], Look]


def perfect(lies_from: int | None = None) -> OpenLook:
    """Read the simulated table's truth; lie about the top discard from a given look on."""

    def open_look(opening: Opening, evening: SimulatedPlayers) -> Look:
        looks = 0

        def look(picture: object) -> TableView:
            nonlocal looks
            looks += 1
            view = perfect_view(evening.pictured.cards, LAYOUT)
            if lies_from is not None and looks >= lies_from and view.discard_top is not None:
                wrong = next(c for c in map(Card.parse, ("H2", "O3")) if c != view.discard_top)
                return replace(view, discard_top=wrong)
            return view

        return look

    return open_look


class Truthful:
    """Replays a recording with what its truth says lay there."""

    def __init__(self, folder: Path) -> None:
        self.rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
        self.tables = iter([row["cards"] for row in self.rows if "frame" in row])

    def __call__(self, picture: object) -> TableView:
        lying = [Placed(card["card"], card["x"], card["y"], card["angle"]) for card in next(self.tables)]
        return perfect_view(lying, LAYOUT)


@pytest.mark.slow  # make demo; test_told_and_settled_moves_are_refereed_and_recorded
def test_a_whole_game_is_refereed_shown_and_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    screens, folder = FolderDisplay(tmp_path / "screens"), tmp_path / "recording"
    demo = Demo(DEFAULT_SEED, Shown([screens]), Language.EN, folder, TINY, open_look=perfect())
    assert demo.run() == 0
    said = capsys.readouterr().out
    assert "End Flag" in said
    assert "42 moves accepted, 7 mistakes on purpose refused, 0 questions" in said
    assert "0 disagreements" in said
    moods = {path.stem.split("-")[1] for path in (tmp_path / "screens").glob("*.png")}
    assert {"waiting", "hands", "reading", "preview", "fault", "accepted", "refused", "finished"} <= moods
    recording = Recording.load(folder)
    assert recording.header.players == PLAYERS
    truth = Truthful(folder)
    wanted = {row["t"]: row for row in truth.rows if "expect" in row}
    presses = [event.t for event in recording.events if isinstance(event, ButtonPressed)]
    assert len(presses) == len(wanted) == 49
    assert sum(isinstance(event, FrameShown) for event in recording.events) == len([*truth.tables])
    assert truth.rows[-1]["winners"] == [2]
    # Thanks that nobody confirms are taken between two presses, so that every look must be where it was.
    session = start_session(recording, Language.EN)
    for answered in play(recording, Truthful(folder), session):
        row = wanted[round(answered.t, 3)]
        assert isinstance(answered.outcome, Accepted if row["expect"] == "accepted" else Refused)
    outcome = session.position.outcome
    assert outcome is not None
    assert [*outcome.points] == truth.rows[-1]["final"]


@pytest.mark.slow  # test_evening_told.py
def test_told_and_settled_moves_are_refereed_and_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def open_look(opening: Opening, evening: SimulatedPlayers) -> Look:
        def look(picture: object) -> object:
            cards = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in evening.pictured.cards)
            return opening.referee.observe(Detections(cards), opening.layout)

        return look

    demo = Demo(8, Shown([]), Language.EN, tmp_path, TINY, "seven_euchre", open_look)
    hear = demo._reporter.note_answer
    heard: list[Attempt] = []

    def answered(attempt: Attempt, text: Text) -> None:
        hear(attempt, text)
        heard.append(attempt)
        if len(heard) == 40:
            raise KeyboardInterrupt

    monkeypatch.setattr(demo._reporter, "note_answer", answered)
    with pytest.raises(KeyboardInterrupt):
        demo.run()
    rows = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text("utf-8").splitlines()]
    answers = [row for row in rows if "expect" in row]
    assert {row["by"] for row in answers} == {"confirm", "told", "look"}
    assert len(answers) == 40
    frames = [event.t for event in Recording.load(tmp_path).events if isinstance(event, FrameShown)]
    assert {row["t"] for row in answers if row["by"] == "look"} <= set(frames)
    # What was chosen with the buttons is told again by them in a replay.
    recording = Recording.load(tmp_path)
    tables = iter([row["cards"] for row in rows if "frame" in row])

    class Again:
        def __call__(self, picture: object) -> object:
            cards = tuple(Sighting(one["card"], one["x"], one["y"], one["angle"]) for one in next(tables))
            return load_referees()["seven_euchre"].observe(Detections(cards), recording.layout)

    replayed = [answer.to_json() for answer in play(recording, Again(), start_session(recording, Language.EN))]
    told = [row["move"] for row in answers if row["by"] == "told"]
    assert [line["move"] for line in replayed if line.get("move") in told][: len(told)] == told
    assert len(replayed) == len(answers)


def test_a_game_that_teaches_is_played_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def open_look(opening: Opening, evening: SimulatedPlayers) -> Look:
        def look(picture: object) -> object:
            cards = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in evening.pictured.cards)
            return opening.referee.observe(Detections(cards), opening.layout)

        return look

    class Seen:
        def __init__(self) -> None:
            self.states: list[ScreenState] = []

        def show(self, state: ScreenState) -> None:
            self.states.append(state)

        def close(self) -> None: ...

    seen = Seen()
    demo = Demo(8, Shown([seen]), Language.EN, None, TINY, "seven_euchre", open_look, teach=True)
    hear, heard = demo._reporter.note_answer, list[Attempt]()

    def answered(attempt: Attempt, text: Text) -> None:
        hear(attempt, text)
        heard.append(attempt)
        if len(heard) == 30:
            raise KeyboardInterrupt

    monkeypatch.setattr(demo._reporter, "note_answer", answered)
    with pytest.raises(KeyboardInterrupt):
        demo.run()
    assert any(isinstance(state, LeafScreen) for state in seen.states), "its aim"
    said = {words for state in seen.states for words in state.details}
    assert {"Lead any card.", "Or pass."} & said
    assert any(words.startswith("With a trump suit all seven 7s are trumps") for words in said)


@pytest.mark.slow  # test_evening.py: what is never noticed is a disagreement
def test_a_misread_card_ends_the_demo_loudly(capsys: pytest.CaptureFixture[str]) -> None:
    demo = Demo(DEFAULT_SEED, Shown([]), Language.EN, lens=TINY, open_look=perfect(lies_from=2))
    assert demo.run() == 1
    said = capsys.readouterr()
    assert "sevenmat: DISAGREEMENT between referee and table: On the simulated table lies the move" in said.err
    assert "disagreements" not in said.out


def test_a_recording_that_can_not_be_written_ends_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise DeviceError(Text("The disk is full."))

    (tmp_path / "file").write_text("")
    with pytest.raises(DeviceError, match="can't be written"):
        Demo(DEFAULT_SEED, Shown([]), Language.EN, tmp_path / "file" / "recording", TINY, open_look=perfect())
    demo = Demo(DEFAULT_SEED, Shown([]), Language.EN, tmp_path / "recording", TINY, open_look=perfect())
    monkeypatch.setattr(RecordingWriter, "write_frame", full)
    with pytest.raises(DeviceError, match="The disk is full"):
        demo.run()


def test_a_game_that_is_not_known_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--game", "whist", "--headless", "--language", "en"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("sevenmat: There is no game 'whist'. There are: laminate, ")


class Keys:
    """A keyboard on which keys are pressed at given looks."""

    wants_to_quit = False

    def __init__(self, *presses: list[Button]) -> None:
        self.presses = list(presses)

    def take_presses(self) -> list[Press]:
        return [Press(button) for button in self.presses.pop(0)] if self.presses else []


class Players:
    """Who press confirm every time."""

    over = False

    def take_presses(self) -> list[Press]:
        return [Press(Button.CONFIRM)]


def hands(*presses: list[Button]) -> Hands:
    made = Hands(Keys(*presses), lambda: None)  # type: ignore[arg-type]
    made.players = Players()  # type: ignore[assignment]
    return made


def test_confirm_holds_the_demo_until_it_is_pressed_again() -> None:
    held = hands([], [Button.CONFIRM], [], [Button.CONFIRM], [])
    assert len(held.take_presses()) == 1
    assert held.take_presses() == []
    stood = held.read_clock()
    assert held.take_presses() == []
    assert held.read_clock() == stood, "the players' patience does not run out meanwhile"
    assert len(held.take_presses()) == 1
    assert len(held.take_presses()) == 1
    assert held.read_clock() > stood


def test_back_and_the_close_box_end_the_demo() -> None:
    with pytest.raises(KeyboardInterrupt):
        hands([Button.BACK]).take_presses()
    closed = hands()
    assert closed._keyboard is not None
    closed._keyboard.wants_to_quit = True  # type: ignore[misc]
    with pytest.raises(KeyboardInterrupt):
        closed.take_presses()


def test_a_window_keeps_the_last_screen_until_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("simulator.demo.time.monotonic", lambda: now)
    last = hands([], [], [Button.BACK])
    assert last.players is not None
    last.players.over = True

    def has_quit() -> bool:
        last.take_presses()
        return last.wants_to_quit

    assert not has_quit()
    now += 1
    assert not has_quit()
    assert has_quit(), "back is enough"
    waited = hands()
    assert waited.players is not None
    waited.players.over = True
    assert not waited.wants_to_quit
    now += 3.1
    assert waited.wants_to_quit


def test_moves_are_the_same_whatever_the_order_of_their_cards() -> None:
    a, b = Card.parse("H7"), Card.parse("O7")
    move = Publish(1, "three", (a, b), (Citation(2, "three"),), {2: 1})
    assert same_move(move, Publish(1, "three", (b, a), (Citation(2, "five"),), {2: 1, 3: 0}))
    assert not same_move(move, Publish(1, "three", (a, b), (), {}))
    assert not same_move(move, Publish(2, "three", (a, b), (), {2: 1}))


def test_visible_shares_follow_what_lies_on_top() -> None:
    cards = [Placed("H7", 200, 200, 0), Placed("O7", 200, 220, 0), Placed("B7", 500, 500, 30)]
    shares = measure_visible_shares(cards, (1189.0, 841.0))
    assert shares[0] == pytest.approx(20 / 88, abs=0.02)
    assert shares[1:] == [pytest.approx(1, abs=0.01)] * 2


def test_the_last_screen_stays_for_phones_until_the_demo_is_ended() -> None:
    def over(keyboard: Keys | None, stays: bool) -> Hands:
        made = Hands(keyboard, lambda: None, stays)  # type: ignore[arg-type]
        made.players = SimpleNamespace(over=True, take_presses=list)  # type: ignore[assignment]
        return made

    assert over(None, stays=False).wants_to_quit
    staying = over(None, stays=True)
    assert [staying.wants_to_quit for _ in range(3)] == [False] * 3
    closed = over(Keys([], [Button.BACK]), stays=True)
    closed.take_presses()
    assert not closed.wants_to_quit
    closed.take_presses()
    assert closed.wants_to_quit


def test_phones_see_a_demo_at_a_persons_pace() -> None:
    at_once, followed = (Demo(1, Shown([]), Language.EN, web=web).players._pace for web in (None, ("127.0.0.1", 0)))
    assert at_once.hands_s + at_once.thinks_s == 0
    assert followed.hands_s + followed.thinks_s >= 2, "a turn is read on a phone"


@pytest.mark.slow
def test_the_page_of_a_demo_is_there_after_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo_module, "_FOLLOWED", demo_module._HEADLESS)
    demo = Demo(DEFAULT_SEED, Shown([]), Language.EN, None, TINY, open_look=perfect(), web=("127.0.0.1", 0))
    keyboard = SimpleNamespace(take_presses=list, wants_to_quit=False)
    demo._hands._keyboard = keyboard  # type: ignore[assignment]
    addresses = []
    monkeypatch.setattr(demo_module, "open_page", lambda page, *place: addresses.append(opened(page, *place)))

    def opened(page: Any, host: str, port: int) -> Any:
        page.open(sock := listening(host, port))
        return sock.getsockname(), PageKey(page.state).value()

    def look_on() -> dict[str, Any]:
        try:
            while not demo.players.over:
                time.sleep(0.05)
            (host, port), key = addresses[0]
            line = http.client.HTTPConnection(host, port, timeout=30)
            line.request("GET", "/state.json", headers={"Cookie": f"sevenmat_key_{port}={key}"})
            return dict(json.load(line.getresponse()))
        finally:
            keyboard.wants_to_quit = True

    with ThreadPoolExecutor(1) as onlooker:
        seen = onlooker.submit(look_on)
        assert demo.run() == 0
    assert seen.result()["over"] is True
    assert "The page stays open" in capsys.readouterr().out
