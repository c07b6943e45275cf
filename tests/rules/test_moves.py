"""Moves as lines of a record and as text, and what a line may hold."""

from __future__ import annotations

from typing import Any

import pytest

from rules.cards import Card
from rules.laminate.moves import Citation, Deal, EndFlag, Move, Pass, Publish, Research, Review, Setup, move_from_json
from rules.parsing import BadRecordError, is_text, quote_value
from tests.words import ja


def card(name: str) -> Card:
    return Card.parse(name)


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, names.split()))


MOVES: list[tuple[Move, dict[str, Any], str]] = [
    (
        Deal((cards("HA H2"), cards("O2 O3")), cards("T8 T9")),
        {"do": "deal", "hands": [["HA", "H2"], ["O2", "O3"]], "discard": ["T8", "T9"]},
        "deal HA H2 | O2 O3 discard T8 T9",
    ),
    (Setup(card("T8")), {"do": "setup", "discard": "T8"}, "set-up shows T8"),
    (
        Research(1, "deck", card("FK"), card("F7")),
        {"seat": 1, "do": "research", "source": "deck", "keep": "FK", "discard": "F7"},
        "1 research deck keep FK discard F7",
    ),
    (Research(2, "deck"), {"seat": 2, "do": "research", "source": "deck"}, "2 research deck"),
    (
        Research(2, "deck", None, card("F7")),
        {"seat": 2, "do": "research", "source": "deck", "discard": "F7"},
        "2 research deck discard F7",
    ),
    (
        Research(3, "discard", card("FK")),
        {"seat": 3, "do": "research", "source": "discard", "keep": "FK"},
        "3 research discard keep FK",
    ),
    (
        Publish(3, "three", cards("B6 O6"), (Citation(1, "three"), Citation(2, "five")), {1: cards("C9"), 2: 1}),
        {
            "seat": 3,
            "do": "publish",
            "paper": "three",
            "cards": ["B6", "O6"],
            "cite": [{"seat": 1, "paper": "three"}, {"seat": 2, "paper": "five"}],
            "pay": {"1": ["C9"], "2": 1},
        },
        "3 publish three B6 O6 cite 1:three 2:five pay 1 C9 pay 2 1",
    ),
    (
        Publish(1, "three", cards("B6 O6 C6")),
        {"seat": 1, "do": "publish", "paper": "three", "cards": ["B6", "O6", "C6"], "cite": [], "pay": {}},
        "1 publish three B6 O6 C6",
    ),
    (
        Review(1, 3, "three", card("O6")),
        {"seat": 1, "do": "review", "of": 3, "paper": "three", "take": "O6"},
        "1 review 3:three take O6",
    ),
    (
        Review(1, 3, "three", card("O6"), cards("B6 C6")),
        {"seat": 1, "do": "review", "of": 3, "paper": "three", "take": ["O6", "B6", "C6"]},
        "1 review 3:three take O6 B6 C6",
    ),
    (Pass(1), {"seat": 1, "do": "pass"}, "1 pass"),
    (EndFlag(1, card("S8")), {"seat": 1, "do": "end_flag", "card": "S8"}, "1 end_flag S8"),
]


@pytest.mark.parametrize(("move", "line", "text"), MOVES, ids=lambda value: str(value)[:30])
def test_a_move_is_written_read_and_told(move: Move, line: dict[str, Any], text: str) -> None:
    assert move.to_json() == line
    assert str(move) == text
    assert move_from_json(line) == move
    assert hash(move_from_json(line)) == hash(move)


def test_publications_are_equal_however_their_payments_are_ordered() -> None:
    one = Publish(1, "three", cards("B6"), (), {2: 1, 3: cards("C9")})
    other = Publish(1, "three", cards("B6"), (), {3: cards("C9"), 2: 1})
    assert one == other
    assert hash(one) == hash(other)


def test_what_a_publication_leaves_out_is_nothing() -> None:
    assert move_from_json({"seat": 1, "do": "publish", "paper": "three", "cards": ["B6"]}) == Publish(
        1, "three", cards("B6")
    )


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("", True),
        ("カード", True),
        ("\ud7ff", True),
        ("\ud800", False),
        ("\udfff".ljust(2), False),
        ("\ue000", True),
        ("😀", True),
    ],
)
def test_half_a_pair_of_surrogates_is_no_text(text: str, held: bool) -> None:
    assert is_text(text) == held
    assert is_text("a" + text) == held


@pytest.mark.parametrize(
    ("key", "seat"),
    [
        ("1", 1),
        ("12", 12),
        ("999", 999),
        ("0", None),
        ("01", None),
        ("1000", None),
        ("-1", None),
        ("１", None),
        ("", None),
    ],
)
def test_payments_name_a_seat_by_a_plain_number(key: str, seat: int | None) -> None:
    line = {"seat": 1, "do": "publish", "paper": "three", "cards": ["B6"], "pay": {key: 0}}
    if seat is None:
        with pytest.raises(BadRecordError, match="names no seat") as caught:
            move_from_json(line)
        assert "席番号" in ja(caught.value)
    else:
        assert move_from_json(line) == Publish(1, "three", cards("B6"), (), {seat: 0})


@pytest.mark.parametrize(
    ("whole", "cut"),
    [
        (10**39, 10**40),
        ("x" * 58, "x" * 59),
        (["x" * 58], ["x" * 59]),
        ([[[1]]], [[[[1]]]]),
        (1.5, {"x": [[["y"]]]}),
    ],
    ids=["40 digits", "60 letters, quotes included", "in a list", "three deep", "deep in an object"],
)
def test_a_value_is_told_whole_where_it_is_short(whole: object, cut: object) -> None:
    assert quote_value(whole) == repr(whole)
    assert quote_value(cut) != repr(cut)
    assert "..." in quote_value(cut)
