"""Records: the shared ones with their verdicts, and lines that no game needs."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from rules.cards import DECK
from rules.record import Header, check_record, header_line, move_line
from rules.seven_minutes.moves import Deal, Flip, Move, Roll, Setup, Stop, move_from_json
from tests.rules.seven_minutes.table import cards

HEADER = header_line(Header("seven_minutes", ("A", "B"), {"first_seat": 1}))
SETUP = '{"do":"setup"}'
FLIP = '{"seat":1,"do":"flip","card":"H3"}'
STOP = '{"seat":1,"do":"stop"}'
LONGEST_TEXT = 500


def test_moves_are_written_as_the_page_says() -> None:
    moves: list[Move] = [Setup(), Flip(1, cards("H7")[0]), Stop(1), Roll(1, (3, 4))]
    assert [json.loads(move_line(move)) for move in moves] == [
        {"do": "setup"},
        {"seat": 1, "do": "flip", "card": "H7"},
        {"seat": 1, "do": "stop"},
        {"seat": 1, "do": "roll", "dice": [3, 4]},
    ]
    assert move_from_json({"do": "deal", "deck": ["H7", "O3"]}) == Deal(cards("H7 O3"))
    assert json.loads(move_line(Deal(DECK)))["deck"][:2] == ["HA", "H2"]


def test_the_game_s_last_line_while_it_is_not_over() -> None:
    *_, final = check_record([HEADER, SETUP, FLIP, STOP, '{"seat":1,"do":"roll","dice":[1,1]}'])
    assert final == {"final": [1, 0], "winners": None, "reason": None}


def refused(*lines: object) -> list[tuple[str, str]]:
    """Code and words of these lines, each refused after the set-up in short sentences and soon."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    began = time.process_time()
    first, *verdicts, flip, _ = check_record([HEADER, SETUP, *texts, FLIP])
    assert time.process_time() - began < 2
    assert (first["verdict"], flip["verdict"]) == ("accepted", "accepted")
    for verdict in verdicts:
        assert verdict["verdict"] == "refused"
        assert max(len(verdict["text"]), len(verdict["text_ja"])) < LONGEST_TEXT
    return [(verdict["code"], verdict["text"]) for verdict in verdicts]


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ({"do": "take", "seat": 1}, "no move 'take'"),
        ({"do": "flip", "seat": 3, "card": "H3"}, "no seat 3"),
        ({"do": "roll", "seat": 1, "dice": 7}, "two numbers from 1 to 6, not 7"),
        ({"do": "roll", "seat": 1, "dice": [7]}, "two numbers"),
        ({"do": "roll", "seat": 1, "dice": [0, 7]}, "two numbers"),
        ({"do": "roll", "seat": 1, "dice": [True, 2]}, "two numbers"),
        ({"do": "roll", "seat": 1, "dice": [1.0, 2]}, "two numbers"),
        ({"do": "roll", "seat": 1, "dice": ["1", "2"]}, "two numbers"),
        ({"do": "roll", "seat": 1, "dice": {"brown": 1, "black": 2}}, "two numbers"),
        ({"do": "roll", "seat": 1, "dice": [3] * 100_000}, "two numbers"),
        ({"do": "deal"}, "lacks 'deck'"),
        ({"do": "deal", "deck": "H3"}, "list of cards"),
        ({"do": "deal", "deck": ["H3"] * 50}, "more cards in 'deck'"),
        ({"do": "deal", "deck": ["H3"] * 100_000}, "more cards in 'deck'"),
        ({"do": "deal", "deck": [*map(str, DECK)]}, "set up already"),
        ({"do": "setup"}, "set up already"),
    ],
    ids=lambda given: json.dumps(given)[:60],
)
def test_a_line_that_no_game_needs_is_a_bad_record(line: Any, cause: str) -> None:
    ((code, text),) = refused(line)
    assert code == "bad_record"
    assert cause in text


@pytest.mark.parametrize("deck", [[], ["H3"], [*map(str, DECK[:-1])], [*map(str, DECK[1:]), "H2"]])
def test_a_deck_that_is_not_the_49_cards_is_a_bad_record(deck: list[str]) -> None:
    bad, flip, good, _ = check_record(
        [HEADER, json.dumps({"do": "deal", "deck": deck}), FLIP, json.dumps({"do": "deal", "deck": [*map(str, DECK)]})]
    )
    assert [bad["code"], flip["code"], good["verdict"]] == ["bad_record", "bad_record", "accepted"]
    assert "all 49 cards" in bad["text"]
    assert "not been set up yet" in flip["text"]


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        ({"players": ["A"]}, "2 to 5 names"),
        ({"players": list("ABCDEF")}, "2 to 5 names"),
        ({"first_seat": 3}, "no seat"),
        ({"first_seat": None}, "no seat"),
        ({"first_seat": True}, "no seat"),
    ],
)
def test_a_header_that_can_t_be_is_refused(changed: dict[str, Any], cause: str) -> None:
    first, *_ = check_record([json.dumps({**json.loads(HEADER), **changed}), SETUP])
    assert (first["line"], first["code"]) == (1, "bad_record")
    assert cause in first["text"]
