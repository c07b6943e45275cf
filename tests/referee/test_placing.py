"""Cards that go astray on simulated tables of any game."""

from __future__ import annotations

import random

import pytest

from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed, find_bounds
from referee.registry import load_referees
from referee.simulation.table import CardTable, NoRoomError, Slot
from referee.simulation.zones import ZoneSimulation
from referee.zones import ZoneReferee

REFEREE = load_referees()["wild_seven"]
LAYOUT = REFEREE.make_layout(3, REFERENCE_MAT_MM)


def place(card: Placed) -> str:
    return LAYOUT.place_at(card.x, card.y)


def table_of(seed: int, *cards: Placed) -> CardTable:
    table = CardTable(LAYOUT, random.Random(seed))
    for card in cards:
        table.put(card.name, Slot("somewhere", card.x, card.y, card.angle, 0.0, 0.0))
    return table


def test_one_face_up_card_goes_to_an_area_where_it_did_not_lie() -> None:
    cards = [Placed("back", 100.0, 750.0, 0.0), Placed("H3", 600.0, 750.0, 10.0), Placed("C5", 300.0, 100.0, 180.0)]
    found = set()
    for seed in range(60):
        table = table_of(seed, *cards)
        table.push_astray(("seat:3",))
        (gone,) = set(cards) - set(table)
        (new,) = set(table) - set(cards)
        assert (new.name, new.angle) == (gone.name, gone.angle)
        assert gone.name != "back"
        assert place(new) not in (place(gone), "seat:3")
        found.add((new.name, place(new)))
    assert found == {("H3", "seat:2"), ("C5", "seat:1")}


def test_bounds_are_those_of_the_cards_own_size() -> None:
    card, board = Placed("H3", 300.0, 200.0, 90.0), Placed("board", 100.0, 100.0, 0.0, (160.0, 100.0), card=False)
    assert find_bounds([card]) == pytest.approx((256.0, 168.5, 344.0, 231.5))
    assert find_bounds([board]) == pytest.approx((20.0, 50.0, 180.0, 150.0))
    assert find_bounds([card, board]) == pytest.approx((20.0, 50.0, 344.0, 231.5))


@pytest.mark.parametrize(
    ("card", "but"),
    [(Placed("back", 100.0, 750.0, 0.0), ()), (Placed("H3", 600.0, 750.0, 0.0), ("seat:1", "seat:2", "seat:3"))],
)
def test_where_no_card_can_go_astray_none_does(card: Placed, but: tuple[str, ...]) -> None:
    with pytest.raises(NoRoomError):
        table_of(1, card).push_astray(but)


def test_cards_stay_where_they_lie_unless_they_are_to_lie_elsewhere() -> None:
    table = table_of(1)
    near, far, pile = Slot("row:1", 200.0, 400.0), Slot("row:2", 300.0, 400.0), Slot("pile", 600.0, 400.0)
    table.arrange([("H3", near), ("back", pile), ("back", pile)])
    lay = list(table)
    table.arrange([("H3", near), ("C5", far)], "row")
    assert list(table)[:3] == [*lay[1:], lay[0]]
    assert [one.card.name for one in table.list_in("row")] == ["H3", "C5"]
    before = table.take_snapshot()
    table.arrange([("back", pile)])
    assert list(table) == lay[1:2]
    table.restore(before)
    table.tidy(table.list_in("row"), 0.0, 0.0)
    assert [(card.x, card.y) for card in list(table)[2:]] == [(200.0, 400.0), (300.0, 400.0)]
    assert list(table)[:2] == lay[1:]


def test_games_in_zones_have_cards_go_astray_and_put_back() -> None:
    assert isinstance(REFEREE, ZoneReferee)
    names = ("Ada", "Emmy", "Sofia")
    start = REFEREE.rules.start(names, {})
    game = ZoneSimulation(REFEREE, start, LAYOUT, random.Random(3), careless=0.5)
    slips = moves = 0
    before: tuple[Placed, ...] = ()
    for attempt in game.play_game():
        if attempt.code is None:
            before, moves = game.lying, moves + 1
            continue
        assert (attempt.code, attempt.mistake) == ("table_disturbed", "astray")
        slips += 1
        assert len(set(before) - set(game.lying)) == len(set(game.lying) - set(before)) == 1
    assert moves > 10
    assert slips > 3
    none = ZoneSimulation(REFEREE, start, LAYOUT, random.Random(3), careless=0.0)
    assert all(attempt.code is None for attempt in none.play_game())
