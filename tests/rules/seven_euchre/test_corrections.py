"""Positions set by hand: what a game comes to is taken, whatever can't come up is refused at once."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from rules.record import Header
from rules.seven_euchre.correction import MOST_DEALS, MOST_MOVES
from rules.seven_euchre.moves import Annul
from rules.seven_euchre.position import Position
from rules.seven_euchre.rules import RULES
from tests.rules.seven_euchre.table import NAMES, START, played, public_game, random_game
from tests.rules.test_set_by_hand import taken

PLAY = played("deal C8 - - - x H3 F8 H4 H5 H6")
LONG = played("deal C8 - - - x", Position.start(NAMES, 4, 200))
CALLS = played("deal - - - - B7 - 8")
GAME = public_game(6, 150)[0]
OVER = GAME[-1]
BETWEEN = next(position for position in GAME if position.deals and position.phase == "deal")


def restored(data: object, of: Position = PLAY) -> Position | None:
    """Return the position that a correction in that position's game sets; ``None`` where it is refused."""
    return taken(RULES, data, Header(RULES.name, of.players, {"dealer": of.first_dealer, "target": of.target}))


def is_refused(data: object, of: Position = PLAY) -> bool:
    return restored(data, of) is None


def changed(position: Position, **changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(position.to_json()), **changes}


def test_after_annul_and_after_going_back_too() -> None:
    for words in ({"do": "annul"}, {"do": "back_to", "trick": 2}, {"do": "back_to", "trick": 1}):
        position = PLAY.do(RULES.read_move(words))
        assert restored(position.to_json()) == position


def test_only_public_positions_after_the_first_deal_are_set_by_hand() -> None:
    assert is_refused(START.to_json())
    for position in random_game(6)[0][:20]:
        assert is_refused(position.to_json(), position)
    dealt = random_game(6)[0][1].to_json()
    assert is_refused({**dealt, "full": False}, GAME[0])


def test_the_longest_deal_there_is_is_taken() -> None:
    """Three passes, every bid with two passes after it, an exchange and 48 cards."""
    position = played("deal - - -")
    while position.bids:
        position = position.do(position.bids[0])
        if position.bids:
            position = played("- -", position)
    position = played("x", position)
    chance = Random(1)
    while position.phase == "play":
        last, position = position, position.do(RULES.random_move(position, chance))
    assert len(last.to_json()["moves"]) == MOST_MOVES - 1
    assert len(position.to_json()["moves"]) == MOST_MOVES
    for one in (last, position):
        assert not is_refused(one.to_json())


IMPOSSIBLE: dict[str, tuple[Position, Callable[[dict[str, Any]], object]]] = {
    "another game": (PLAY, lambda data: data.update(game="laminate")),
    "other players": (PLAY, lambda data: data.update(players=["A", "B", "C", "D"])),
    "fewer players": (PLAY, lambda data: data["players"].pop()),
    "another first dealer": (PLAY, lambda data: data.update(dealer=1)),
    "another target": (PLAY, lambda data: data.update(target=77)),
    "no such dealer": (PLAY, lambda data: data.update(dealt_by=5)),
    "points before the first deal": (PLAY, lambda data: data.update(points=[1, 0])),
    "a deal without points": (PLAY, lambda data: data.update(deals=1)),
    "too few points": (PLAY, lambda data: data.update(deals=2, points=[20, 5])),
    "too many points": (LONG, lambda data: data.update(deals=1, points=[157, 0])),
    "negative points": (PLAY, lambda data: data.update(deals=1, points=[-1, 30])),
    "three sides": (PLAY, lambda data: data.update(deals=1, points=[10, 10, 10])),
    "a game that was won before": (PLAY, lambda data: data.update(deals=3, points=[100, 40])),
    "a target that was reached before": (PLAY, lambda data: data.update(deals=3, points=[40, 100])),
    "more deals than anybody plays": (PLAY, lambda data: data.update(deals=MOST_DEALS + 1, points=[10**5] * 2)),
    "no deal": (PLAY, lambda data: data["moves"].pop(0)),
    "a card twice": (PLAY, lambda data: data["moves"][-1].update(card="H3")),
    "out of turn": (PLAY, lambda data: data["moves"][-1].update(seat=1)),
    "a revoke": (PLAY, lambda data: data["moves"].append({"seat": 2, "do": "play", "card": "HA"})),
    "no exchange": (PLAY, lambda data: data["moves"].pop(5)),
    "a bid that is too low": (CALLS, lambda data: data["moves"][-1].update(tricks=6)),
    "a deal that is over and another": (OVER, lambda data: data["moves"].append({"do": "deal"})),
    "two deals": (BETWEEN, lambda data: data["moves"].append({"do": "deal"})),
    "an annulled deal": (PLAY, lambda data: data["moves"].append({"do": "annul"})),
    "a deal taken back": (PLAY, lambda data: data["moves"].append({"do": "back_to", "trick": 1})),
    "a deal that everybody passed": (
        CALLS,
        lambda data: data["moves"].__setitem__(slice(6, None), [{"seat": s, "do": "pass"} for s in (1, 2, 3, 4)]),
    ),
}


@pytest.mark.parametrize("name", list(IMPOSSIBLE))
def test_a_position_that_can_t_come_up_is_refused(name: str) -> None:
    position, change = IMPOSSIBLE[name]
    data = changed(position)
    assert restored(data, position) == position
    change(data)
    assert is_refused(data, position)


def test_points_that_can_be_are_believed() -> None:
    for deals, points in ((1, [13, 0]), (1, [0, 99]), (2, [99, 99]), (2, [100, 100]), (7, [500, 500]), (4, [99, 0])):
        found = restored(changed(PLAY, deals=deals, points=points))
        assert (found.deals, list(found.points)) == (deals, points)
    assert restored(changed(PLAY, dealt_by=4)).dealer == 4
    assert restored(changed(LONG, deals=1, points=[156, 0]), LONG).points == (156, 0)


def test_a_game_that_was_won_has_its_last_deal() -> None:
    annulled = PLAY.do(Annul())
    assert not is_refused(changed(annulled, deals=3, points=[40, 99]))
    assert not is_refused(changed(annulled, deals=3, points=[100, 100]))
    assert is_refused(changed(annulled, deals=3, points=[40, 100]))
