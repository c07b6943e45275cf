"""Records of Wild Seven: the shared ones with their verdicts, and lines that no game needs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import DECK
from rules.parsing import BadRecordError
from rules.record import Header, check_record, header_line, move_line
from rules.wild_seven.moves import Deal, Get, Move, Play, Reveal, Setup, move_from_json
from rules.wild_seven.rules import RULES
from tests.rules.wild_seven.table import card, cards, get, play, random_game
from tests.words import en

SHARED = Path(__file__).resolve().parents[4] / "shared" / "records" / "wild_seven"
RECORDS = sorted(path for path in SHARED.glob("*.jsonl") if ".expect" not in path.name)

HEADER = header_line(Header("wild_seven", ("A", "B", "C")))
SETUP = '{"do":"setup","wanted":["C9","S5"]}'
REVEAL = '{"do":"reveal","cards":["H5","O2","B9"]}'
PLAY = '{"seat":2,"do":"play","card":"H6"}'
LONGEST_TEXT = 500


@pytest.mark.shared
@pytest.mark.skipif(not RECORDS, reason="the shared records are not beside this checkout")
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_shared_records(path: Path) -> None:
    """Every verdict as expected, with the expected code as the first one, and the final points and winners."""
    expect = [json.loads(line) for line in path.with_suffix(".expect.jsonl").read_text().splitlines()]
    *verdicts, final = list(check_record(path.read_text(encoding="utf-8").splitlines()))
    found = {verdict["line"]: verdict for verdict in verdicts}
    for wanted in expect:
        if "final" in wanted:
            assert {key: final[key] for key in wanted} == wanted
        else:
            got = found[wanted["line"]]
            assert (got["verdict"], got.get("code")) == (wanted["verdict"], wanted.get("code"))


@pytest.mark.parametrize("public", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_a_game_is_written_and_read_and_checked(seed: int, public: bool) -> None:
    steps = random_game(seed, public)
    start, last = steps[0][0], steps[-1][2]
    header = Header("wild_seven", start.players)
    *verdicts, final = check_record([header_line(header), *(move_line(move) for _, move, _ in steps)])
    assert all(verdict == {"line": n, "verdict": "accepted"} for n, verdict in enumerate(verdicts, 2))
    assert final == RULES.result(last)
    assert final["reason"] == "no_card_left"


def test_moves_are_written_as_the_page_says() -> None:
    moves: list[Move] = [Setup(cards("C9 S5")), Reveal(cards("H5 O2 B9")), play(2, "H5"), get(3, "O2"), get(3)]
    assert [json.loads(move_line(move)) for move in moves] == [
        {"do": "setup", "wanted": ["C9", "S5"]},
        {"do": "reveal", "cards": ["H5", "O2", "B9"]},
        {"seat": 2, "do": "play", "card": "H5"},
        {"seat": 3, "do": "get", "card": "O2"},
        {"seat": 3, "do": "get"},
    ]
    dealt = Deal((cards("H7 O3"), cards("B4")), cards("C9"))
    assert dealt.to_json() == {"do": "deal", "hands": [["H7", "O3"], ["B4"]], "wanted": ["C9"]}
    assert move_from_json(dealt.to_json()) == dealt


def test_what_is_no_object_is_no_move() -> None:
    nothings: list[object] = [None, [], "play", 7]
    for line in nothings:
        with pytest.raises(BadRecordError, match="no JSON object"):
            move_from_json(line)


def test_keys_a_move_does_not_need_are_passed_over() -> None:
    assert move_from_json({"seat": 2, "do": "play", "card": "H5", "bumped": ["H6"], "t": 3.5}) == play(2, "H5")


def test_the_last_line_while_the_game_is_not_over() -> None:
    *_, final = check_record([HEADER])
    assert final == {"final": [0, 0, 0], "winners": None, "reason": None}
    lines = [HEADER, SETUP, REVEAL, PLAY, '{"seat":3,"do":"play","card":"B8"}', '{"seat":1,"do":"play","card":"C8"}']
    *verdicts, final = check_record([*lines, '{"seat":2,"do":"get","card":"H5"}'])
    assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}
    assert final == {"final": [0, 5, 0], "winners": None, "reason": None}


def refused(*lines: object) -> list[tuple[str, str]]:
    """Code and words of these lines, each refused after the reveal in short sentences and soon; then play goes on."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    began = time.process_time()
    first, second, *verdicts, last, _ = check_record([HEADER, SETUP, REVEAL, *texts, PLAY])
    assert time.process_time() - began < 2
    assert (first["verdict"], second["verdict"], last["verdict"]) == ("accepted",) * 3
    for verdict in verdicts:
        assert verdict["verdict"] == "refused"
        for text in (verdict["text"], verdict["text_ja"]):
            assert 0 < len(text) < LONGEST_TEXT
            assert text.isprintable()
    return [(verdict["code"], verdict["text"]) for verdict in verdicts]


NONSENSE: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    "",
    "H8",
    "h5",
    [],
    [[]],
    {},
    "x" * 100_000,
    10**400,
    ["C9"] * 5000,
]
DEALT = {"do": "deal", "hands": [["H5"] * 11] * 3, "wanted": ["C9", "S5"]}


def _nested(depth: int) -> Any:
    value: Any = "C9"
    for _ in range(depth):
        value = [value]
    return value


def _but(line: dict[str, Any], key: str) -> list[Any]:
    """The line with that key missing, misspelt and holding what it can't hold."""
    without = {name: value for name, value in line.items() if name != key}
    values = [*NONSENSE, _nested(50)]
    return [without, {**without, f"{key}s_": line[key]}, *({**line, key: value} for value in values)]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (json.loads(PLAY), "seat"),
        (json.loads(PLAY), "do"),
        (json.loads(PLAY), "card"),
        ({"seat": 2, "do": "get", "card": "H5"}, "seat"),
        (json.loads(REVEAL), "do"),
        (json.loads(REVEAL), "cards"),
        (json.loads(SETUP), "wanted"),
        (DEALT, "hands"),
        (DEALT, "wanted"),
    ],
)
def test_a_key_missing_misspelt_or_of_a_wrong_kind_makes_a_bad_record(line: dict[str, Any], key: str) -> None:
    assert {code for code, _ in refused(*_but(line, key))} == {"bad_record"}


def test_a_get_s_card_of_a_wrong_kind_makes_a_bad_record() -> None:
    lines = [{"seat": 2, "do": "get", "card": value} for value in NONSENSE if value is not None]
    assert {code for code, _ in refused(*lines)} == {"bad_record"}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        "[" * 100_000,
        "null",
        "7",
        '"play"',
        "[1, 2]",
        "{}",
        '{"do":"steal"}',
        '{"do":["play"]}',
        '{"seat":4,"do":"play","card":"H4"}',
        '{"seat":2,"do":"play","card":"FK"}',
        '{"seat":2,"do":"play","card":"T7"}',
        '{"seat":2,"do":"get","card":"T7"}',
        json.dumps({"do": "setup", "wanted": [str(one) for one in DECK] * 1000}),
        json.dumps({"do": "deal", "hands": [[str(one) for one in DECK]] * 49, "wanted": []}),
        SETUP,
        REVEAL,
    ],
)
def test_a_line_that_is_none_makes_a_bad_record(line: str) -> None:
    assert {code for code, _ in refused(line)} == {"bad_record"}


def test_the_cause_is_named() -> None:
    told = refused('{"seat":2,"do":"play","card":"T7"}', '{"seat":2,"do":"play"}', SETUP, REVEAL)
    causes = ["every time stays in the box with 3 players", "lacks 'card'", "dealt already", "revealed already"]
    for (_, text), cause in zip(told, causes, strict=True):
        assert cause in text


def test_nothing_but_the_deal_comes_first_and_then_nothing_but_the_reveal() -> None:
    lines = [PLAY, '{"seat":2,"do":"get"}', REVEAL, SETUP, PLAY, '{"seat":2,"do":"get"}', SETUP, REVEAL, PLAY]
    *verdicts, _ = check_record([HEADER, *lines])
    codes = [verdict.get("code", "accepted") for verdict in verdicts]
    assert codes == [*["bad_record"] * 3, "accepted", *["bad_record"] * 3, "accepted", "accepted"]


@pytest.mark.parametrize("players", [0, 1, 2, 6, 100])
def test_a_header_needs_three_to_five_players(players: int) -> None:
    first, *_ = check_record([json.dumps({"game": "wild_seven", "version": 1, "players": ["A"] * players})])
    assert (first["line"], first["code"]) == (1, "bad_record")


def test_what_stays_in_the_box_depends_on_the_players() -> None:
    for players, names in ((3, "T7 F7"), (4, "F7"), (5, "")):
        header = header_line(Header("wild_seven", tuple("ABCDE"[:players])))
        rest = [str(one) for one in DECK if str(one) not in names.split()][: 2 if players < 5 else 4]
        for name in names.split():
            line = json.dumps({"do": "setup", "wanted": [name, *rest[1:]]})
            first, _ = check_record([header, line])
            assert first["code"] == "bad_record"
            assert en(card(name).suit) in first["text"]
        first, _ = check_record([header, json.dumps({"do": "setup", "wanted": rest})])
        assert first["verdict"] == "accepted"


_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=4))
    | st.sampled_from([str(one) for one in DECK]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
_LINES = st.fixed_dictionaries(
    {},
    optional={
        "seat": st.integers(0, 4) | _VALUES,
        "do": st.sampled_from(["deal", "setup", "reveal", "play", "get"]) | _VALUES,
        "card": st.sampled_from([str(one) for one in DECK]) | _VALUES,
        "cards": st.lists(st.sampled_from([str(one) for one in DECK]), max_size=5) | _VALUES,
        "wanted": st.lists(st.sampled_from([str(one) for one in DECK]), max_size=5) | _VALUES,
        "hands": _VALUES,
    },
)


@given(st.lists(_LINES, max_size=8))
@settings(max_examples=80, deadline=None)
def test_any_lines_get_verdicts_and_never_an_error(lines: list[dict[str, Any]]) -> None:
    for opening in ([], [SETUP], [SETUP, REVEAL]):
        *verdicts, final = check_record([HEADER, *opening, *map(json.dumps, lines)])
        assert len(verdicts) == len(opening) + len(lines)
        assert all(verdict["verdict"] == "accepted" or verdict["code"] in RULES.codes for verdict in verdicts)
        assert final["winners"] is None


@given(st.sampled_from(DECK), st.integers(1, 5), st.booleans())
def test_a_move_is_the_one_that_its_line_reads(one: Any, seat: int, takes: bool) -> None:
    for move in (Play(seat, one), Get(seat, one if takes else None)):
        assert move_from_json(json.loads(move_line(move))) == move
