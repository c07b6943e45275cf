"""How far the end of a game has come, and what can't be (RULINGS.md, Laminate Rummy 2 and 3)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.laminate.ending import End, find_contradiction, repair_end
from rules.laminate.game import as_seen
from rules.laminate.moves import Move
from rules.laminate.papers import END_FLAG
from rules.laminate.play import deal, random_move
from rules.laminate.position import Phase, Position
from tests.words import en, ja

NAMES = ("Hilbert", "Banach", "Noether")
OPEN = End(NAMES, (9, 3, 0), (4, 4, 4), 2)
"""Nobody has 15 points; it is Banach's turn."""
REACHED = replace(OPEN, points=(15, 3, 0))
"""Hilbert has them."""


def test_no_position_of_play_contradicts_itself() -> None:
    """Every position that random games come to, with full and with public information."""
    seen = set()
    for seed in range(60):
        chance = Random(seed)
        full = Position.start(("A", "B", "C", "D", "E")[: 3 + seed % 3], 1 + seed % 3)
        public = full if seed < 10 else None
        move: Move = deal(len(full.players), chance)
        while True:
            full = full.do(move)
            public = public.do(as_seen(move)) if public is not None else None
            for position in (full, public):
                if position is not None:
                    assert find_contradiction(position) is None, (seed, position)
                    assert repair_end(position) is position
            seen.add((full.phase, full.turns_left is None, full.flag_seat is None))
            if full.to_move is None:
                break
            move = random_move(full, chance)
    assert len(seen) >= 5


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (REACHED, "Hilbert has just ended a turn with 15 points"),
        (replace(OPEN, flag=1), "Hilbert has only 9 points without the End Flag"),
        (replace(REACHED, flag=1), "the countdown runs"),
        (replace(REACHED, seat=1, flag=1, flag_due=True), "taken already"),
        (replace(REACHED, seat=1, flag_due=True, turns_left=3), "taken already"),
        (replace(REACHED, seat=2, flag_due=True), "Banach has not got the 15 points"),
        (replace(REACHED, seat=1, flag_due=True, hands=(0, 4, 4)), "Hilbert has no card to lay"),
        (replace(REACHED, turns_left=0), "5 turns at most"),
        (replace(REACHED, turns_left=6), "5 turns at most"),
        (replace(OPEN, turns_left=1), "With 1 turn left the countdown began with Noether"),
        (replace(REACHED, turns_left=4), "With 4 turns left the countdown began with Noether, who has not got 15"),
        (replace(REACHED, points=(15, 3, 15), flag=1, turns_left=4), "Noether, who has not got the End Flag"),
        (replace(REACHED, turns_left=5), "Hilbert has a card to lay to the End Flag"),
    ],
)
def test_what_can_not_be_is_said_why(end: End, told: str) -> None:
    assert end.contradiction is not None
    assert told in en(end.contradiction)
    assert ja(end.contradiction).endswith("。")


@pytest.mark.parametrize(
    ("end", "possible"),
    [
        (OPEN, (None,)),
        (replace(REACHED, seat=1), (None, 3)),
        (replace(REACHED, seat=3), (None, 1, 4)),
        (REACHED, (2,)),
        (replace(REACHED, hands=(0, 4, 4)), (2, 5)),
        (replace(REACHED, flag=1), (2, 5)),
        (replace(REACHED, flag=1, seat=1), (3,)),
        (replace(REACHED, points=(15, 15, 15), flag=2), (3,)),
        (replace(REACHED, points=(15, 15, 15), seat=3), (1, 2, 3, 4)),
        (replace(OPEN, flag=1), ()),
    ],
)
def test_what_can_be_of_the_countdown(end: End, possible: tuple[int | None, ...]) -> None:
    assert end.possible == possible


def test_3_from_an_empty_hand_the_countdown_starts_at_once() -> None:
    due = replace(REACHED, seat=3, points=(0, 0, 15), flag_due=True)
    assert due.settled == due
    empty = replace(due, hands=(4, 4, 0))
    assert empty.settled == replace(empty, seat=1, flag_due=False, turns_left=5)
    assert empty.settled.contradiction is None


def _position(**changed: object) -> Position:
    """Hilbert has 15 points and Banach moves; whatever else is changed in the saved position."""
    position = Position.start(NAMES).do(deal(3, Random(1)))
    areas = [[{"paper": "straight11", "cards": ["HA"]}, {"paper": "sum100", "cards": ["H2"]}], [], []]
    return Position.from_json({**position.to_json(), "seat": 2, "areas": areas, **changed})


def test_a_position_says_how_far_its_end_has_come() -> None:
    position = _position(seat=3, met=True, turns_left=4)
    assert End.from_position(position) == End(NAMES, (15, 0, 0), (3, 3, 3), 3, None, False, 4)
    flag = {"paper": END_FLAG, "cards": ["H3"]}
    areas = position.to_json()["areas"]
    with_flag = _position(seat=3, met=True, turns_left=4, flag_seat=1, areas=[[*areas[0], flag], [], []])
    assert End.from_position(with_flag) == End(NAMES, (15, 0, 0), (3, 3, 3), 3, 1, False, 4)
    assert find_contradiction(with_flag) is None
    two_cards = {"paper": END_FLAG, "cards": ["H3", "H4"]}
    for spoilt in ([[*areas[0], two_cards], [], []], [[*areas[0], flag], [flag], []]):
        position = _position(seat=3, met=True, turns_left=4, flag_seat=1, areas=spoilt)
        assert find_contradiction(position) is not None


@pytest.mark.parametrize(
    "changed", [{"met": True}, {"seat": 3, "flag_seat": 1}, {"seat": 3, "turns_left": 4}, {"phase": "flag", "seat": 1}]
)
def test_what_a_saved_position_says_of_its_end_goes_together(changed: dict[str, object]) -> None:
    why = find_contradiction(_position(**changed))
    assert why is not None
    assert "does not go with" in en(why)


def test_a_position_that_lost_its_end_or_can_not_be_left_is_mended() -> None:
    lost = _position(met=True)
    assert not repair_end(lost).met
    assert repair_end(lost) == _position()
    stuck = _position(phase="flag", seat=1, met=True, flag_seat=1, sizes=[0, 3, 3])
    after = repair_end(stuck)
    assert (after.phase, after.to_move, after.turns_left, after.flag_seat) == (Phase.PLAY, 2, 5, None)
    assert find_contradiction(after) is None
    odd = _position(met=True, turns_left=4)
    assert find_contradiction(odd) is not None
    assert repair_end(odd) is odd, "it can be played to its end"
