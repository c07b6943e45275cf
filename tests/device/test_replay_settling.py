"""Replay of a game whose moves settle by themselves or are told: each line at the time of what brought it about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from cli.replay import play, replay
from device.errors import DeviceError
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.session.session import Session
from device.storage.recording import Recording, RecordingWriter
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.registry import load_referees
from referee.table import Detections, Sighting
from rules.record import Header
from rules.text import Language
from simulator.camera import SimulatedCamera
from tests.decks import reference_deck

REFEREE = load_referees()["seven_euchre"]
LAYOUT = REFEREE.make_layout(4, REFERENCE_MAT_MM)
HEADER = Header("seven_euchre", ("Ada", "Emmy", "Sofia", "Mary"), {"dealer": 1, "target": 77})


class Eye:
    """Knows each picture by its grey level."""

    def __init__(self) -> None:
        self.views: list[Any] = []

    def __call__(self, picture: Picture) -> Any:
        return self.views[round(float(picture.mean()) / 8)]


class Tape:
    """A recording that is written while cards are laid."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.eye, self.t = folder, Eye(), 0.0
        self.writer = RecordingWriter(folder, HEADER, LAYOUT)

    def frame(self, stays_s: float = 2.0, **cards: str) -> None:
        seen = []
        for place, name in cards.items():
            x, y = LAYOUT.locate_spot(place.replace("_", ":"))
            seen.append(Sighting(name, x, y, 0.0))
        grey = np.full((480, 640, 3), 8 * len(self.eye.views), np.uint8)
        self.writer.write_frame(self.t, cv2.imencode(".jpg", grey)[1].tobytes())
        self.eye.views.append(REFEREE.observe(Detections(tuple(seen)), LAYOUT))
        self.t += stays_s

    def press(self, button: Button) -> None:
        self.writer.write_button(self.t, button)
        self.t += 1

    def tell(self, **move: Any) -> None:
        self.writer.write_entered(self.t, move)
        self.t += 1

    def lines(self) -> list[tuple[float, Any]]:
        self.writer.close()
        session = Session(REFEREE, HEADER, LAYOUT)
        found = []
        for confirmed in play(Recording.load(self.folder), self.eye, session):
            line = confirmed.to_json()
            found.append((line["t"], line.get("move") or line.get("code")))
        return found


def test_what_a_frame_shows_is_said_whether_a_button_a_frame_or_nothing_follows(tmp_path: Path) -> None:
    tape = Tape(tmp_path)
    tape.frame(middle="back")
    tape.press(Button.CONFIRM)
    tape.tell(seat=2, do="bid", trump="C", tricks=8)
    tape.tell(seat=3, do="bid", trump="C", tricks=8)
    for seat in (3, 4, 1):
        tape.tell(seat=seat, do="pass")
    tape.frame(aside="back")
    tape.frame(aside="back", trick_3="H4")
    tape.frame(stays_s=0.1, aside="back", trick_2="S9")
    tape.frame(aside="back", trick_2="H3")
    tape.tell(seat=3, do="pass")
    tape.frame(aside="back", trick_2="H3", trick_3="H4", trick_4="H5")
    assert tape.lines() == [
        (2.0, {"do": "deal"}),
        (3.0, {"seat": 2, "do": "bid", "trump": "C", "tricks": 8}),
        (4.0, "bid_too_low"),
        (5.0, {"seat": 3, "do": "pass"}),
        (6.0, {"seat": 4, "do": "pass"}),
        (7.0, {"seat": 1, "do": "pass"}),
        (8.0, {"seat": 2, "do": "exchange"}),
        (10.0, "out_of_turn"),
        # What lies there for a tenth of a second is no still picture.
        (12.1, {"seat": 2, "do": "play", "card": "H3"}),
        (14.1, "play_due"),
        (15.1, {"seat": 3, "do": "play", "card": "H4"}),
        (15.1, {"seat": 4, "do": "play", "card": "H5"}),
    ]


def test_buttons_tell_as_they_are_recorded(tmp_path: Path) -> None:
    tape = Tape(tmp_path)
    tape.frame(middle="back")
    tape.press(Button.CONFIRM)
    tape.t += 2
    tape.press(Button.CONFIRM)
    tape.press(Button.DOWN)
    tape.press(Button.CONFIRM)
    tape.press(Button.CONFIRM)
    assert tape.lines() == [
        (2.0, {"do": "deal"}),
        (5.0, {"seat": 2, "do": "pass"}),
        (8.0, {"seat": 3, "do": "bid", "trump": "F", "tricks": 7}),
    ]


@pytest.mark.slow  # test_replay.py
def test_the_points_of_sides_end_a_replay_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    camera = SimulatedCamera(REFERENCE_MAT_MM, seed=1)
    folder = tmp_path / "game"
    writer = RecordingWriter(folder, HEADER, LAYOUT)
    camera.show([Placed("back", *LAYOUT.locate_spot("middle"), 0.0)])
    writer.write_frame(0.0, camera.jpeg().tobytes())
    writer.write_button(2.0, Button.CONFIRM)
    writer.write_entered(3.0, {"seat": 2, "do": "pass"})
    writer.close()
    assert replay(Recording.load(folder), reference_deck(), as_json=False, language=Language.EN) == 0
    assert [line.strip() for line in capsys.readouterr().out.splitlines()] == [
        "2.0  ✓ Ada has dealt.",
        "3.0  ✓ Emmy passes.",
        "0 : 0",
    ]


def test_a_recording_of_too_few_players_says_how_many(tmp_path: Path) -> None:
    RecordingWriter(tmp_path, HEADER, LAYOUT).close()
    header = json.loads((tmp_path / "recording.json").read_text())
    header |= {"players": ["Ada", "Emmy", "Sofia"], "seats": 3}
    (tmp_path / "recording.json").write_text(json.dumps(header))
    with pytest.raises(DeviceError, match="'players' must be 4 different names"):
        Recording.load(tmp_path)
