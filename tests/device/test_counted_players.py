"""How many play is counted by what lies on a finished table, and never wrongly without a fault being said."""

from __future__ import annotations

import random

import pytest

from device.errors import DeviceError
from device.scoring.table import Table, count_players, countable
from referee.registry import load_scorings
from referee.table import Detections
from tests.referee.finished.finals import MAT, in_blocks, tables
from tools.soak.any_game import as_sightings


def test_a_finished_table_says_how_many_play() -> None:
    right = 0
    for seed, position, table in tables(range(12)):
        for cards in (tuple(table), in_blocks(position, random.Random(seed))):
            if cards is None:
                continue
            seen = Detections(as_sightings(cards), ())
            counted = count_players("laminate", seen, MAT, None, {})
            right += counted == len(position.players)
            if counted != len(position.players):
                assert Table.set_up("laminate", counted).score(seen, MAT).faults, seed
    assert right >= 16


def test_where_nothing_tells_how_many_play_it_is_asked() -> None:
    assert countable(load_scorings()["seven_wonders"], 1) == ()
    with pytest.raises(DeviceError, match="how many play"):
        count_players("seven_wonders", Detections((), ()), MAT, None, {})


@pytest.mark.parametrize("game", [name for name, scoring in load_scorings().items() if len(countable(scoring, 1)) > 1])
def test_an_empty_table_has_no_result_for_any_number(game: str) -> None:
    counted = count_players(game, Detections((), ()), MAT, None, {})
    assert Table.set_up(game, counted).score(Detections((), ()), MAT).winners is None
