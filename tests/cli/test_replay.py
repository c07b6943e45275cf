"""Replay: a recording's confirms go through session and referee, with a reader that makes no mistakes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from cli.replay import Confirmed, make_final_json, play
from device.errors import DeviceError
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.session.session import Session
from device.storage.recording import Recording, RecordingWriter
from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import TableView
from referee.verdict import Accepted, Question
from rules.cards import DECK, Card
from rules.text import Language, Text
from tests.device.openings import begun, header
from tests.device.seeing import perfect_view
from ui.screen_state import Mood
from vision.errors import MatError

PLAYERS = ("Hilbert", "Banach", "Noether")
LAYOUT = layout_for(3)


def cards(names: str) -> list[Card]:
    return [Card.parse(name) for name in names.split()]


class Eye:
    """Knows each picture by its grey level."""

    def __init__(self, views: Sequence[TableView | MatError]) -> None:
        self.views = views
        self.looks = 0

    def __call__(self, picture: Picture) -> TableView:
        self.looks += 1
        seen = self.views[round(float(picture.mean()) / 8)]
        if isinstance(seen, MatError):
            raise seen
        return seen


def jpeg(number: int) -> bytes:
    done, data = cv2.imencode(".jpg", np.full((480, 640, 3), number * 8, np.uint8))
    assert done
    return data.tobytes()


class Table:
    """Writes a recording while cards are moved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cards = SimulatedTable(LAYOUT, random.Random(5))
        self.views: list[TableView | MatError] = []
        self.t = 0.0
        self.writer = RecordingWriter(folder, header(PLAYERS, 1), LAYOUT)

    def frame(self, seen: MatError | None = None) -> None:
        self.t += 1
        self.writer.write_frame(self.t, jpeg(len(self.views)))
        self.views.append(seen or perfect_view(self.cards, LAYOUT, peeping=False))

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.t += 1
            self.writer.write_button(self.t, button)

    def played(self) -> tuple[list[Confirmed], Session, Eye]:
        self.writer.close()
        recording = Recording.load(self.folder)
        session, eye = begun(PLAYERS, 1, LAYOUT), Eye(self.views)
        return list(play(recording, eye, session)), session, eye


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.cards.stack_draw(39)
    table.cards.lay_discard(Card.parse("T8"))
    table.frame()
    table.press(Button.CONFIRM)
    return table


def test_accepted_and_refused_lines(table: Table) -> None:
    table.cards.lay_discard(Card.parse("H7"))
    table.frame()
    table.press(Button.CONFIRM, Button.CONFIRM)
    confirmed, session, eye = table.played()
    lines = [line.to_json() for line in confirmed]
    assert lines[0] == {"t": 2.0, "verdict": "accepted", "move": {"do": "setup", "discard": "T8"}}
    move = {"seat": 1, "do": "research", "source": "deck", "discard": "H7"}
    assert lines[1] == {"t": 4.0, "verdict": "accepted", "move": move}
    assert (lines[2]["verdict"], lines[2]["code"], lines[2]["also"]) == ("refused", "pass_not_allowed", [])
    assert "Banach" in lines[2]["text"]
    assert "Banach" in lines[2]["text_ja"]
    assert make_final_json(session) == {"final": [0, 0, 0], "winners": None}
    assert eye.looks == 2, "an unchanged picture is read once"


def test_several_faults_go_into_also(table: Table) -> None:
    table.cards.lay_paper(1, "three", cards("H7 O7 B7 C6"), True)
    table.frame()
    table.press(Button.CONFIRM)
    confirmed, _, _ = table.played()
    line = confirmed[1].to_json()
    assert line["code"] == "card_not_in_hand", "a hand of three holds no four cards"
    assert {"not_a_meld", "turn_the_paper"} <= set(line["also"])


def test_a_mat_that_is_lost_is_cannot_see_and_the_game_goes_on(table: Table) -> None:
    table.frame(MatError(Text("Marker 2 is hidden.")))
    table.press(Button.CONFIRM)
    table.cards.take_discard()
    table.frame()
    table.press(Button.CONFIRM)
    confirmed, _, _ = table.played()
    lines = [line.to_json() for line in confirmed]
    assert (lines[1]["verdict"], lines[1]["code"], lines[1]["text"]) == ("refused", "cannot_see", "Marker 2 is hidden.")
    assert lines[2]["move"] == {"seat": 1, "do": "research", "source": "discard", "keep": "T8"}


def at_the_reshuffle(table: SimulatedTable) -> Session:
    """Play until one card is left in the draw pile: an unchanged mat may then be a draw, so it is asked."""
    session = begun(PLAYERS, 1, LAYOUT)
    table.stack_draw(39)
    table.lay_discard(Card.parse("T8"))
    assert isinstance(session.confirm(perfect_view(table, LAYOUT, peeping=False)), Accepted)
    for card in [card for card in DECK if card != Card.parse("T8")][:19]:
        table.lay_discard(card)
        assert isinstance(session.confirm(perfect_view(table, LAYOUT, peeping=False)), Accepted)
    assert session.position.draw_count == 1
    return session


UP, DOWN = Button.UP, Button.DOWN


@pytest.mark.few(2)
@pytest.mark.parametrize("presses", [(), (DOWN,), (UP,), (DOWN, UP), (UP, UP)])
def test_buttons_choose_the_answer_to_a_question(tmp_path: Path, presses: tuple[Button, ...]) -> None:
    table = Table(tmp_path)
    session = at_the_reshuffle(table.cards)
    table.frame()
    table.press(Button.CONFIRM, *presses, Button.CONFIRM)
    table.writer.close()
    eye = Eye(table.views)
    asked, answered = play(Recording.load(tmp_path), eye, session)
    line = asked.to_json()
    assert line["verdict"] == "question"
    assert len(line["choices"]) >= 2
    assert line["text"]
    question = asked.outcome
    assert isinstance(question, Question)
    step = sum({Button.UP: -1, Button.DOWN: 1}[button] for button in presses) % len(question.choices)
    assert answered.outcome is question.choices[step].verdict
    assert eye.looks == 1


def test_back_takes_a_question_off_and_confirm_asks_anew(tmp_path: Path) -> None:
    table = Table(tmp_path)
    session = at_the_reshuffle(table.cards)
    table.frame()
    table.press(Button.CONFIRM, Button.DOWN, Button.BACK, Button.CONFIRM)
    table.writer.close()
    asked, again = play(Recording.load(tmp_path), Eye(table.views), session)
    assert isinstance(asked.outcome, Question)
    assert isinstance(again.outcome, Question)


def test_a_question_is_dropped_when_the_table_has_changed(tmp_path: Path) -> None:
    table = Table(tmp_path)
    session = at_the_reshuffle(table.cards)
    table.frame()
    table.press(Button.CONFIRM)
    table.cards.lay_paper(2, "three", cards("C7 S7 T7"), False)
    table.frame()
    table.press(Button.CONFIRM)
    table.writer.close()
    asked, judged = play(Recording.load(tmp_path), Eye(table.views), session)
    assert isinstance(asked.outcome, Question)
    assert isinstance(judged.outcome, Accepted)
    assert judged.to_json()["move"]["paper"] == "three"


def test_menus_and_long_presses_are_played_again(table: Table) -> None:
    table.cards.lay_discard(Card.parse("H7"))
    table.frame()
    table.press(Button.CONFIRM)
    table.cards.take_discard()
    table.t += 1
    table.writer.write_button(table.t, Button.BACK, held=True)
    table.frame()
    table.press(Button.CONFIRM, Button.UP, Button.UP, Button.CONFIRM, Button.DOWN)
    confirmed, session, _ = table.played()
    assert [line.to_json()["verdict"] for line in confirmed] == ["accepted", "accepted"]
    assert session.history.future
    assert not session.checking
    assert session.make_screen().language is Language.JA


def test_what_the_display_showed_can_be_kept(table: Table) -> None:
    table.cards.lay_discard(Card.parse("H7"))
    table.frame()
    table.press(Button.CONFIRM)
    table.writer.close()
    shown: list[Mood] = []
    session, eye = begun(PLAYERS, 1, LAYOUT), Eye(table.views)
    list(play(Recording.load(table.folder), eye, session, lambda screen: shown.append(screen.mood)))
    assert shown == [Mood.PREVIEW, Mood.ACCEPTED] * 2


def test_a_confirm_before_any_frame(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.press(Button.CONFIRM)
    table.frame()
    with pytest.raises(DeviceError, match="before the first frame"):
        table.played()


def test_a_frame_that_is_no_picture(table: Table) -> None:
    (table.folder / "frames" / "000.jpg").write_bytes(b"half a picture")
    with pytest.raises(DeviceError, match="can't be played"):
        table.played()
