"""Simulated players at a table with dice, before a display that they read; and what the camera sees of the dice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.session.session import Session
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Tray
from referee.registry import load_referees
from referee.table import Die
from rules.record import Header
from simulator.camera import OnTheMat, SimulatedCamera
from simulator.dice import EDGE_MM
from simulator.truth import TruthWriter
from tests.device.evening_room import Room
from ui.screen_state import Mood

PLAYERS = ("Ada", "Emmy")
REFEREE = load_referees()["seven_minutes"]
HEADER = Header("seven_minutes", PLAYERS, {"first_seat": 2})


@pytest.mark.slow  # test_evening_told.py plays so
def test_nobody_presses_at_the_last_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the last roll leaves to be taken nobody judges any more, and the press for it would leave the game."""
    press = Session.press

    def pressed(session: Session, *what: Any) -> None:
        assert session.make_screen().mood is not Mood.FINISHED
        press(session, *what)

    monkeypatch.setattr(Session, "press", pressed)
    Room(REFEREE, HEADER, tmp_path, seed=11).play(40_000)


@pytest.mark.slow  # tests/vision/dice/test_reader.py reads them
def test_dice_are_painted_where_they_lie_in_a_tray_that_they_stand_out_from() -> None:
    camera = SimulatedCamera(REFERENCE_MAT_MM, 1)
    tray = Tray((1060.0, 310.0, 1180.0, 530.0), (Die(1100.0, 360.0, 1, "brown"), Die(1130.0, 470.0, 6, "black")))
    camera.show((), tray)
    flat = camera._painter.paint(OnTheMat((), tray), camera.eye)

    def at(x: float, y: float) -> float:
        place = (slice(round(camera._painter._to_px(y)), None), slice(round(camera._painter._to_px(x)), None))
        return float(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)[place][0, 0])

    ground = at(1075.0, 330.0)
    assert at(1100.0, 360.0) > 200, "the one pip of the brown die"
    assert at(1130.0, 470.0) < ground / 2, "a six has no pip in its middle"
    assert at(1130.0 + EDGE_MM, 470.0 + EDGE_MM) == pytest.approx(ground, abs=12)
    bare = camera._painter.paint(OnTheMat(), camera.eye)
    left = round(camera._painter._to_px(1000.0))
    assert np.array_equal(bare[:, :left], flat[:, :left])


def test_what_the_truth_tells_of_dice_and_of_confirms_without_a_move(tmp_path: Path) -> None:
    truth = TruthWriter(tmp_path, REFERENCE_MAT_MM)
    tray = Tray((0.0, 0.0, 1.0, 1.0), (Die(10.04, 20.0, 4, "brown"), Die(30.0, 40.0, None, "black", cause="cocked")))
    truth.write_frame(1.0, "frames/000.jpg", (), tray)
    truth.write_expected(2.0, None, None, "confirm")
    truth.close()
    frame, confirm = map(json.loads, (tmp_path / "truth.jsonl").read_text(encoding="utf-8").splitlines())
    assert frame["dice"] == [
        {"x": 10.0, "y": 20.0, "value": 4, "colour": "brown", "cocked": False, "visible": 1.0},
        {"x": 30.0, "y": 40.0, "value": None, "colour": "black", "cocked": True, "visible": 1.0},
    ]
    assert confirm == {"t": 2.0, "by": "confirm", "expect": "accepted"}
