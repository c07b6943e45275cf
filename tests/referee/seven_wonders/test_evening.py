"""Simulated players of Seven Wonders who read the display, press the buttons, and answer question after question."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee.seven_wonders.referee import REFEREE
from rules.record import Header, check_record
from tests.device.evening_room import Room
from tests.referee.seven_wonders.table import PLAYERS

BOARDS = ("halikarnassos/b", "babylon/b", "olympia/a")
HEADER = Header("seven_wonders", PLAYERS[:3], {"boards": list(BOARDS)})


@pytest.mark.slow  # tests/device/test_evening_told.py; test_at_the_table.py
@pytest.mark.parametrize("stopped", [False, True])
def test_a_whole_game_is_played_by_players_who_read_the_display(stopped: bool, tmp_path: Path) -> None:
    room = Room(REFEREE, HEADER, tmp_path, seed=5, step_s=0.2)
    room.play(5_000, random.Random(3), stops=0.02 if stopped else 0.0)
    *verdicts, final = check_record(room.session.history.write_record())
    assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}
    assert final["reason"] == "three_ages"
