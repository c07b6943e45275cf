"""Records of Wild Seven: the shared ones with their verdicts, and lines that no game needs."""

from __future__ import annotations

import json
import time

import pytest

from rules.cards import DECK
from rules.record import Header, check_record, header_line, move_line
from rules.wild_seven.moves import Deal, Move, Reveal, Setup, move_from_json
from tests.rules.wild_seven.table import card, cards, get, play
from tests.words import en

HEADER = header_line(Header("wild_seven", ("A", "B", "C")))
SETUP = '{"do":"setup","wanted":["C9","S5"]}'
REVEAL = '{"do":"reveal","cards":["H5","O2","B9"]}'
PLAY = '{"seat":2,"do":"play","card":"H6"}'
LONGEST_TEXT = 500


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


@pytest.mark.parametrize(
    "line",
    [
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
