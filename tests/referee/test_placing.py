"""Cards that go astray on simulated tables of any game."""

from __future__ import annotations

import random

import pytest

from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed, astray, bounds
from referee.registry import referees
from referee.zone_simulation import ZoneSimulation
from referee.zones import ZoneReferee

REFEREE = referees()["wild_seven"]
LAYOUT = REFEREE.layout(3, REFERENCE_MAT_MM)


def place(card: Placed) -> str:
    return LAYOUT.place_at(card.x, card.y)


def test_one_face_up_card_goes_to_an_area_where_it_did_not_lie() -> None:
    cards = [Placed("back", 100.0, 750.0, 0.0), Placed("H3", 600.0, 750.0, 10.0), Placed("C5", 300.0, 100.0, 180.0)]
    found = set()
    for seed in range(60):
        moved = astray(cards, LAYOUT, random.Random(seed), ("seat:3",))
        assert moved is not None
        (gone,) = set(cards) - set(moved)
        (new,) = set(moved) - set(cards)
        assert (new.name, new.angle) == (gone.name, gone.angle)
        assert gone.name != "back"
        assert place(new) not in (place(gone), "seat:3")
        found.add((new.name, place(new)))
    assert found == {("H3", "seat:2"), ("C5", "seat:1")}


def test_bounds_are_those_of_the_cards_own_size() -> None:
    card, board = Placed("H3", 300.0, 200.0, 90.0), Placed("board", 100.0, 100.0, 0.0, (160.0, 100.0), card=False)
    assert bounds([card]) == pytest.approx((256.0, 168.5, 344.0, 231.5))
    assert bounds([board]) == pytest.approx((20.0, 50.0, 180.0, 150.0))
    assert bounds([card, board]) == pytest.approx((20.0, 50.0, 344.0, 231.5))


def test_where_no_card_can_go_astray_none_does() -> None:
    assert astray([Placed("back", 100.0, 750.0, 0.0)], LAYOUT, random.Random(1)) is None
    everywhere = ("seat:1", "seat:2", "seat:3")
    assert astray([Placed("H3", 600.0, 750.0, 0.0)], LAYOUT, random.Random(1), everywhere) is None


def test_games_in_zones_have_cards_go_astray_and_put_back() -> None:
    assert isinstance(REFEREE, ZoneReferee)
    names = ("Ada", "Emmy", "Sofia")
    start = REFEREE.rules.start(names, {})
    game = ZoneSimulation(REFEREE.rules, start, LAYOUT, random.Random(3), REFEREE._lying, careless=0.5)
    slips = moves = 0
    before: tuple[Placed, ...] = ()
    for attempt in game.attempts():
        if attempt.code is None:
            before, moves = game.lying, moves + 1
            continue
        assert (attempt.code, attempt.mistake) == ("table_disturbed", "astray")
        slips += 1
        assert len(set(before) - set(game.lying)) == len(set(game.lying) - set(before)) == 1
    assert moves > 10
    assert slips > 3
    none = ZoneSimulation(REFEREE.rules, start, LAYOUT, random.Random(3), REFEREE._lying, careless=0.0)
    assert all(attempt.code is None for attempt in none.attempts())
