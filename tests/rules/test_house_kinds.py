"""Papers of the house: names that say everything, and a record that knows them without another file."""

from __future__ import annotations

import json

import pytest

from rules.cards import Card
from rules.laminate.house.kinds import FAMILIAR, HOUSE_PAPERS, house_kind, name_of
from rules.laminate.papers import LAMINATE, Ranks, Run, Sets, Sum
from rules.laminate.rules import RULES
from rules.record import check_record, read_header
from tests.words import en, ja

PLAYERS = ("Hilbert", "Banach", "Noether")


def cards(names: str) -> list[Card]:
    return [Card.parse(name) for name in names.split()]


@pytest.mark.parametrize(
    ("name", "combination", "points", "copies", "english", "japanese"),
    [
        ("straight6_2p3", Run(6), 2, 3, "6 Straight", "6ストレート"),
        ("straight_flush3_2p3", Run(3, one_suit=True), 2, 3, "3 Straight Flush", "3ストフラ"),
        ("sets4x1_2p3", Sets(4), 2, 3, "Four Cards", "4カード"),
        ("sets2x5_8p1", Sets(2, 5), 8, 1, "Five Pairs", "ファイブペア"),
        ("sets3x2_3p2", Sets(3, 2), 3, 2, "Double Threes", "ダブルスリー"),
        ("sum21_1p4", Sum(21), 1, 4, "21", "21"),
        ("sum77plus_4p2", Sum(77, at_least=True), 4, 2, "77+", "77+"),
        ("ranks_1_7_13_3p2", Ranks((1, 7, 13)), 3, 2, "A 7 K", "A・7・K"),
    ],
)
def test_a_name_says_everything(
    name: str, combination: object, points: int, copies: int, english: str, japanese: str
) -> None:
    kind = house_kind(name)
    assert (kind.combination, kind.points, kind.copies) == (combination, points, copies)
    assert (en(kind), ja(kind)) == (english, japanese)
    assert kind.combination is not None
    assert name_of(kind.combination, kind.points, kind.copies) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "three",
        "straight5_1p4",  # built in
        "straight14_1p1",
        "straight_flush8_3p1",
        "sets8x1_2p2",
        "sets3x10_2p2",
        "sets1x1_2p2",
        "sets3x0_2p2",
        "straight1_2p2",
        "sum0_1p1",
        "ranks_0_7_1p1",
        "ranks_7_14_1p1",
        "sets2x13_1p1",
        "sum021_1p4",
        "sum49_3p3",
        "sum344_3p3",
        "ranks_3_1_1p1",
        "ranks_1_1_1p1",
        "straight6_0p3",
        "straight6_2p0",
        "straight6_31p3",
        "straight6_2p10",
        "straight6_2p3/review",
        "straight６_2p3",
        "straight" + "6" * 5000 + "_2p3",
    ],
)
def test_a_name_that_can_be_no_paper_is_none(name: str) -> None:
    with pytest.raises(KeyError):
        house_kind(name)


def test_what_is_offered_is_right_and_shows_cards_that_make_it() -> None:
    kinds = [house_kind(name) for name in FAMILIAR]
    assert len({kind.combination for kind in kinds}) == len(kinds)
    assert len({en(kind) for kind in (*kinds, *LAMINATE)}) == len(kinds) + len(LAMINATE)
    assert len({ja(kind) for kind in (*kinds, *LAMINATE)}) == len(kinds) + len(LAMINATE)
    for kind in kinds:
        if not kind.total:
            shown = [rank for row in kind.examples for rank in row if rank != "★"]
            assert len(shown) == sum(kind.groups)
    assert [name for name, _ in HOUSE_PAPERS.values(PLAYERS)] == list(FAMILIAR)


@pytest.mark.parametrize(
    "value",
    [
        "straight6_2p3",
        [],
        [3],
        ["three"],
        ["straight6_2p3"] * 2,
        ["straight6_2p3", "straight6_3p1"],
        {},
        list(FAMILIAR) * 2,
    ],
)
def test_a_header_with_papers_that_cannot_be_is_refused(value: object) -> None:
    header = {"game": "laminate", "version": 1, "players": PLAYERS, "first_seat": 1, "house_papers": value}
    first = next(iter(check_record([json.dumps(header)])))
    assert first["code"] == "bad_record"
    assert "house_papers" in first["text"]
    assert "house_papers" in first["text_ja"]


def test_a_record_with_house_papers_is_checked_by_itself() -> None:
    header = {"game": "laminate", "version": 1, "players": PLAYERS, "first_seat": 1, "house_papers": ["sum21_1p4"]}
    hands = [["H7", "O8", "B6"], ["C4", "S5", "T6"], ["FK", "F7", "T12"]]
    moves = [
        {"do": "deal", "hands": hands, "discard": ["T8"]},
        {"seat": 1, "do": "publish", "paper": "sum21", "cards": ["H7", "O8", "B6"]},
        {"seat": 1, "do": "publish", "paper": "sum21_1p4", "cards": ["H7", "O8"]},
        {"seat": 1, "do": "publish", "paper": "sum21_1p4", "cards": ["H7", "O8", "B6"]},
        {"seat": 2, "do": "review", "of": 1, "paper": "sum21_1p4", "take": "B6"},
        {"seat": 3, "do": "review", "of": 1, "paper": "sum21_1p4", "take": "H7"},
    ]
    lines = [json.dumps(line) for line in (header, *moves)]
    told = list(check_record(lines))
    assert [line.get("code") for line in told[:-1]] == [None, "unknown_paper", "not_a_meld", None, None, None]
    assert told[-1]["final"] == [1, 0, 0]
    without = [json.dumps({key: value for key, value in header.items() if key != "house_papers"}), *lines[1:]]
    assert [line.get("code") for line in check_record(without)][1:3] == ["unknown_paper", "unknown_paper"]


def test_a_position_with_house_papers_is_restored_and_set_by_hand() -> None:
    options = read_header(
        json.dumps(
            {"game": "laminate", "version": 1, "players": PLAYERS, "first_seat": 2, "house_papers": list(FAMILIAR)}
        )
    ).options
    start = RULES.start(PLAYERS, options)
    assert len(start.catalogue) == len(LAMINATE) + len(FAMILIAR)
    assert RULES.restore(start.to_json()).to_json() == start.to_json()
    assert RULES.restore(RULES.start(PLAYERS, {}).to_json()).catalogue == LAMINATE
