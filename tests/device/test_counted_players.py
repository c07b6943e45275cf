"""How many play is counted by what lies on a finished table, and never wrongly without a fault being said."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from device.scoring.table import Table, choose_tables, list_countable
from referee.registry import load_scorings
from referee.table import Detections
from tests.referee.finished.finals import MAT, in_blocks, tables
from tools.soak.any_game import as_sightings


def count_players(game: str, seen: Detections) -> list[int]:
    numbers = list_countable(load_scorings()[game], 1)
    return [len(one.players) for one in choose_tables([Table.set_up(game, number) for number in numbers], seen, MAT)]


def test_a_finished_table_says_how_many_play() -> None:
    right = 0
    for seed, position, table in tables(range(12)):
        for cards in (tuple(table), in_blocks(position, random.Random(seed))):
            if cards is None:
                continue
            seen = Detections(as_sightings(cards), ())
            counted = count_players("laminate", seen)
            right += counted == [len(position.players)]
            if counted != [len(position.players)] and len(counted) == 1:
                assert Table.set_up("laminate", counted[0]).score(seen, MAT).faults, seed
    assert right >= 16


def test_a_picture_of_a_game_in_whole_faces_does_not_tell_how_many_play() -> None:
    assert list_countable(load_scorings()["seven_wonders"], 1) == ()


def test_where_several_numbers_would_do_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "score", lambda *_: SimpleNamespace(faults=()))
    assert len(count_players("laminate", Detections((), ()))) > 1


@pytest.mark.parametrize("game", ["laminate", "seven_minutes", "wild_seven"])
def test_an_empty_table_has_no_result_for_any_number(game: str) -> None:
    for counted in count_players(game, Detections((), ())):
        assert Table.set_up(game, counted).score(Detections((), ()), MAT).winners is None
