"""Records: the shared ones with their verdicts, and lines that no game needs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules.cards import DECK
from rules.record import Header, check_record, header_line, move_line
from rules.seven_minutes.moves import Deal, Flip, Move, Roll, Setup, Stop, move_from_json
from rules.seven_minutes.rules import RULES
from tests.rules.seven_minutes.table import cards, random_game

SHARED = Path(__file__).resolve().parents[4] / "shared" / "records" / "seven_minutes"
RECORDS = sorted(path for path in SHARED.glob("*.jsonl") if ".expect" not in path.name)

HEADER = header_line(Header("seven_minutes", ("A", "B"), {"first_seat": 1}))
SETUP = '{"do":"setup"}'
FLIP = '{"seat":1,"do":"flip","card":"H3"}'
STOP = '{"seat":1,"do":"stop"}'
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
    header = Header("seven_minutes", start.players, {"first_seat": start.first_seat})
    *verdicts, final = check_record([header_line(header), *(move_line(move) for _, move, _ in steps)])
    assert all(verdict == {"line": n, "verdict": "accepted"} for n, verdict in enumerate(verdicts, 2))
    assert final == RULES.result(last)
    assert final["reason"] == "deck_empty"


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
        ("", "no JSON object"),
        ("[1]", "no JSON object"),
        ("null", "no JSON object"),
        ('{"seat":1', "no JSON object"),
        ({}, "lacks 'do'"),
        ({"do": 7}, "no move 7"),
        ({"do": "steal", "seat": 1}, "no move 'steal'"),
        ({"do": "take", "seat": 1}, "no move 'take'"),
        ({"do": ["flip"]}, "no move ['flip']"),
        ({"do": "flip", "card": "H3"}, "lacks 'seat'"),
        ({"do": "flip", "seat": 1}, "lacks 'card'"),
        ({"do": "flip", "seat": 1, "Card": "H3"}, "lacks 'card'"),
        ({"do": "flip", "seat": 1, "card": "H8"}, "no SEVEN card: 'H8'"),
        ({"do": "flip", "seat": 1, "card": None}, "no SEVEN card: None"),
        ({"do": "flip", "seat": 1, "card": ["H3"]}, "no SEVEN card: ['H3']"),
        ({"do": "flip", "seat": 1, "card": "H" * 100_000}, "no SEVEN card: 'HHH"),
        ({"do": "flip", "seat": "1", "card": "H3"}, "no seat: '1'"),
        ({"do": "flip", "seat": True, "card": "H3"}, "no seat: True"),
        ({"do": "flip", "seat": 1.0, "card": "H3"}, "no seat: 1.0"),
        ({"do": "flip", "seat": 0, "card": "H3"}, "no seat: 0"),
        ({"do": "flip", "seat": 3, "card": "H3"}, "no seat 3"),
        ({"do": "flip", "seat": 10**4000, "card": "H3"}, "no seat: 1000"),
        ({"do": "stop"}, "lacks 'seat'"),
        ({"do": "stop", "seat": None}, "no seat: None"),
        ({"do": "roll", "dice": [3, 4]}, "lacks 'seat'"),
        ({"do": "roll", "seat": 1}, "lacks 'dice'"),
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


def test_keys_that_a_move_does_not_need_are_passed_over() -> None:
    assert move_from_json({"do": "setup", "deck": 7}) == Setup()
    assert move_from_json({"do": "stop", "seat": 1, "note": "brave"}) == Stop(1)
    with pytest.raises(ValueError, match="no JSON object"):
        move_from_json([])


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


def test_a_header_without_a_first_seat_is_refused() -> None:
    header = json.loads(HEADER)
    del header["first_seat"]
    first, *_ = check_record([json.dumps(header), SETUP])
    assert "lacks 'first_seat'" in first["text"]


@pytest.mark.parametrize("seed", range(4))
def test_a_record_goes_on_past_any_damaged_line(seed: int) -> None:
    """Lines cut short, doubled or with a value changed are judged, and the game's own lines still come to its end."""
    chance = Random(seed)
    steps = random_game(seed, public=False)
    start = steps[0][0]
    lines = [header_line(Header("seven_minutes", start.players, {"first_seat": start.first_seat}))]
    for _, move, _ in steps:
        text = move_line(move)
        if not isinstance(move, Roll):  # a second roll may be right
            lines.append(text[: chance.randrange(1, len(text) - 1)])
            lines.append(text.replace("seat", "saet") if "seat" in text else text.replace("deck", "dekc"))
        lines.append(text)
    *verdicts, final = check_record(lines)
    assert final == RULES.result(steps[-1][2])
    assert sum(verdict["verdict"] == "accepted" for verdict in verdicts) == len(steps)
