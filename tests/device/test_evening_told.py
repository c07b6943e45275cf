"""Simulated players at a table whose moves are told by buttons or settle by themselves."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from device.errors import DeviceError
from referee.history import MOVE
from referee.layout import REFERENCE_MAT_MM
from referee.registry import load_referees
from referee.table import Detections, Sighting
from rules.record import Header
from tests.device.evening_room import Room

PLAYERS = ("Ada", "Emmy", "Sofia", "Mary")
REFEREE = load_referees()["seven_euchre"]
LAYOUT = REFEREE.make_layout(4, REFERENCE_MAT_MM)
HEADER = Header("seven_euchre", PLAYERS, {"dealer": 1, "target": 20})


def test_a_whole_game_is_told_and_played_by_players_who_read_the_display(tmp_path: Path) -> None:
    room = Room(REFEREE, HEADER, tmp_path, seed=4)
    room.play(20_000, random.Random(3), stops=0.01)
    assert room.session.over
    assert room.session.position.points == room.evening.game.position.points


@pytest.mark.slow  # tests/referee/seven_euchre
@pytest.mark.parametrize("seed", [7, pytest.param(22, marks=pytest.mark.slow)])
def test_players_take_a_way_out_of_a_revoke_that_lies_there_with_the_card_before_it(seed: int, tmp_path: Path) -> None:
    room = Room(REFEREE, HEADER, tmp_path, seed=seed)
    room.play(20_000)
    told = [entry.data["move"]["do"] for entry in room.kept if entry.kind == MOVE]
    assert {"annul", "back_to"} & {*told}
    assert room.session.position.points == room.evening.game.position.points


@pytest.mark.slow  # it tells that the evenings can fail
def test_a_referee_that_understands_another_card_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(REFEREE, HEADER, tmp_path, seed=4)
    honest = REFEREE.observe

    def lies(seen: Detections, layout: object) -> object:
        cards = (one if one.name == "back" else Sighting("H7", one.x, one.y, 0.0) for one in seen.sightings)
        return honest(Detections(tuple(cards)), LAYOUT)

    monkeypatch.setattr(REFEREE, "observe", lies)
    with pytest.raises(DeviceError, match="the referee said"):
        room.rounds(20_000)
