"""Corrections by hand in a record: a saved position is played on from, and one that can't come up is refused."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from rules.cards import Card
from rules.laminate.moves import Publish, Research, Review, Setup
from rules.laminate.position import Position
from rules.laminate.rules import RULES
from rules.record import Header
from tests.rules.test_set_by_hand import taken

NAMES = ("Hilbert", "Banach", "Noether", "Gauss")
HEADER = Header("laminate", tuple(NAMES), {"first_seat": 2})


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, names.split()))


def played() -> Position:
    """One set-up discard was never seen, Banach has a complete three and Noether one under review; Hilbert is next."""
    position = Position.start(NAMES, 2).do(Setup(Card.parse("FK")))
    for move in (
        Publish(2, "three", cards("C6 S6 T6")),
        Review(3, 2, "three", Card.parse("C6")),
        Review(4, 2, "three", Card.parse("S6")),
        Research(1, "deck", None, Card.parse("H4")),
        Research(2, "deck", None, Card.parse("H5")),
        Publish(3, "three", cards("B7 O7 H7")),
        Research(4, "deck", None, Card.parse("H3")),
    ):
        position = position.do(move)
    return position


SAVED = played().to_json()


def saved(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(SAVED), **changes}


def restored(data: Any) -> Position | None:
    return taken(RULES, data, HEADER)


def areas(*papers: tuple[int, str, str]) -> list[list[dict[str, Any]]]:
    """Areas with these papers: seat, kind and cards."""
    return [
        [{"paper": kind, "cards": names.split()} for seat, kind, names in papers if seat == place]
        for place in range(1, 5)
    ]


def start_of(counts: list[int], unseen: list[str]) -> list[Any]:
    return [["start", counts, unseen], *SAVED["known"][1:]]


def hidden(place: int) -> list[Any]:
    """Knowledge by which T6, which lies in a paper, is hidden at that place in place of H2."""
    return [*SAVED["known"], ["leave", place, ["H2"]], ["enter", place, ["T6"]]]


COUNTS, UNSEEN = SAVED["known"][0][1:]
THREES = ((2, "three", "T6"), (3, "three", "B7 O7 H7"))

WRONG: dict[str, dict[str, Any]] = {
    "other players": saved(players=["Hilbert", "Banach", "Noether", "Euler"]),
    "another first seat": saved(first_seat=3),
    "before the set-up": saved(phase="setup"),
    "no such phase": saved(phase="tea"),
    "hands in the open": saved(hands=[["H2"]] * 4, draw=[]),
    "a discard twice": saved(discards=[None, "FK", "FK", "H5", "H3"]),
    "a card of a paper among the discards": saved(discards=[None, "FK", "T6", "H5", "H3"]),
    "a discard too few": saved(discards=[None, "FK", "H4", "H5"]),
    "an unseen discard too many": saved(discards=[None, None, "FK", "H4", "H5", "H3"]),
    "no unseen discard": saved(discards=["H2", "FK", "H4", "H5", "H3"]),
    "a card more in the draw pile": saved(draw_count=SAVED["draw_count"] + 1),
    "a card less in the draw pile": saved(draw_count=SAVED["draw_count"] - 1),
    "a draw pile of text": saved(draw_count="29"),
    "hands that changed places": saved(sizes=[5, 1, 1, 4]),
    "a hand too few": saved(sizes=[4, 1, 1]),
    "an area too few": saved(areas=SAVED["areas"][:3]),
    "an area too many": saved(areas=[*SAVED["areas"], []]),
    "seat 0 to move": saved(seat=0),
    "seat 5 to move": saved(seat=5),
    "true to move": saved(seat=True),
    "less than no passes": saved(passes=-1),
    "half a pass": saved(passes=0.5),
    "a truth for passes": saved(passes=False),
    "a number for what is met": saved(met=1),
    "less than no turns left": saved(turns_left=-1),
    "half a turn left": saved(turns_left=0.5),
    "a truth for turns left": saved(turns_left=True),
    "the flag with seat 0": saved(flag_seat=0),
    "the flag with seat 5": saved(flag_seat=5),
    "over without an end": saved(phase="over"),
    "an end without being over": saved(ending="passes"),
    "no such end": saved(ending="rain"),
    "an unknown paper": saved(areas=areas((2, "royal", "T6"), THREES[1])),
    "two papers of a kind": saved(areas=areas((2, "three", "T6"), (2, "three", "B7 O7 H7"))),
    "more papers than the supply has": saved(areas=areas((2, "ace_king", "T6"), (3, "ace_king", "B7 O7 H7"))),
    "a paper without cards": saved(areas=areas(*THREES, (1, "five", ""))),
    "a card too many": saved(areas=areas(*THREES, (1, "five", "H2"))),
    "a card too few": saved(areas=areas(THREES[0], (3, "three", "B7 O7"))),
    "no such card": saved(areas=areas((2, "three", "T5"), THREES[1])),
    "nothing known": saved(known=[]),
    "knowledge without its start": saved(known=SAVED["known"][1:]),
    "knowledge that fits nothing": saved(known=[*SAVED["known"], ["leave", 1, ["FK"]]]),
    "knowledge of fewer hands": saved(known=start_of([COUNTS[0] + COUNTS[1], *COUNTS[2:]], UNSEEN)),
    "knowledge of more hands": saved(known=[["start", [*COUNTS, 0], UNSEEN], *SAVED["known"][1:]]),
    **{f"a card of a paper hidden at place {place}": saved(known=hidden(place)) for place in (0, 1, 4, 5)},
    "something missing": {key: value for key, value in SAVED.items() if key != "passes"},
}


@pytest.mark.parametrize("name", WRONG)
def test_a_position_that_can_not_come_up_is_refused(name: str) -> None:
    assert restored(SAVED) == played()
    assert restored(WRONG[name]) is None


def test_whoever_is_to_move_may_be_set() -> None:
    for seat in range(1, 5):
        position = restored(saved(seat=seat, passes=0))
        assert position is not None
        assert position.to_move == seat
