"""Lines that can't be used: every key missing, misspelt, of a wrong type or huge, each with one clear sentence."""

from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest

from rules.record import check_record
from rules.seven_wonders.cards import BUILDINGS
from rules.seven_wonders.moves import Pay, Round, move_from_json
from tests.rules.seven_wonders.test_records import HEADER

DEAL = '{"do":"deal","age":1}'
BUILD = {"do": "build", "card": "altar"}
DISCARD = {"do": "discard"}
ROUND: dict[str, Any] = {"do": "round", "acts": [BUILD, DISCARD, DISCARD]}


def _with_act(act: Any) -> dict[str, Any]:
    return {"do": "round", "acts": [act, DISCARD, DISCARD]}


def _verdict(line: Any, *before: str, **header: Any) -> dict[str, Any]:
    text = line if isinstance(line, str) else json.dumps(line)
    *_, verdict, _ = check_record([json.dumps(HEADER | header), *before, text])
    return verdict


BAD: list[tuple[Any, str]] = [
    ({"do": "deal", "age": 0}, "'age'"),
    ({"do": "deal", "age": 4}, "'age'"),
    ({"do": "deal", "age": 1, "hands": None}, "'hands' must be a list"),
    ({"do": "deal", "age": 1, "hands": [[]] * 8}, "'hands' must be a list"),
    ({"do": "deal", "age": 1, "hands": [1, 2, 3]}, "'hands' must be a list of cards"),
    ({"do": "deal", "age": 1, "hands": [["altar"]] * 3}, "3 hands of 7"),
    ({"do": "deal", "age": 1, "hands": [["H7"]] * 3}, "no card of the game: 'H7'"),
    ({"do": "deal", "age": 1, "hands": [[7]] * 3}, "no card of the game: 7"),
    ({"do": "round", "acts": None}, "'acts' must be a list"),
    ({"do": "round", "acts": []}, "3 acts"),
    ({"do": "round", "acts": [DISCARD] * 2}, "3 acts"),
    ({"do": "round", "acts": [DISCARD] * 4}, "3 acts"),
    ({"do": "round", "acts": [DISCARD] * 1000}, "'acts' must be a list"),
    (_with_act("pass"), "an act must be an object"),
    (_with_act(None), "an act must be an object"),
    (_with_act({"do": "pass"}), "an act is"),
    (_with_act({"do": ["build"]}), "an act is"),
    (_with_act({"do": "Build", "card": "altar"}), "an act is"),
    (_with_act({"do": "build", "card": None}), "no card of the game: None"),
    (_with_act({"do": "build", "card": "Altar"}), "no card of the game: 'Altar'"),
    (_with_act({"do": "build", "card": ["altar"]}), "no card of the game"),
    (_with_act({"do": "stage", "card": "atlantis"}), "no card of the game: 'atlantis'"),
    (_with_act({"do": "stage", "card": "altar"}), "hidden 'card'"),
    (_with_act({"do": "discard", "card": "altar"}), "hidden 'card'"),
    (_with_act({**BUILD, "pay": None}), "'pay' gives coins"),
    (_with_act({**BUILD, "pay": {"up": 1}}), "'pay' gives coins"),
    (_with_act({**BUILD, "pay": {"left": -1}}), "'left' must be a whole number"),
    (_with_act({**BUILD, "pay": {"right": 1.5}}), "'right' must be a whole number"),
    (_with_act({**DISCARD, "pay": {}}), "'pay' does not go with a discard"),
    (_with_act({**DISCARD, "free": "olympia"}), "'free' does not go with a discard"),
    (_with_act({"do": "stage", "free": "olympia"}), "'free' does not go with a stage"),
    (_with_act({**BUILD, "free": "zeus"}), "'free' is 'olympia'"),
    ({"do": "seventh", "seat": 0, "act": DISCARD}, "no seat: 0"),
    ({"do": "seventh", "seat": 4, "act": DISCARD}, "no seat 4"),
    ({"do": "seventh", "seat": "1", "act": DISCARD}, "no seat: '1'"),
    ({"do": "seventh", "seat": 1, "act": [DISCARD]}, "an act must be an object"),
    ({"do": "from_discard", "seat": True}, "no seat: True"),
    ({"do": "from_discard", "seat": 9}, "no seat 9"),
    ({"do": "from_discard", "seat": 10**30}, "no seat"),
    ({"do": "from_discard", "seat": 1, "card": "atlantis"}, "no card of the game: 'atlantis'"),
    ({"do": "city", "seat": 4, "cards": [], "stages": 0}, "no seat 4"),
    ({"do": "city", "seat": 1, "cards": "altar", "stages": 0}, "list of cards"),
    ({"do": "city", "seat": 1, "cards": ["atlantis"], "stages": 0}, "no card of the game"),
    ({"do": "city", "seat": 1, "cards": [], "stages": -1}, "'stages' must be a whole number"),
    ({"do": "tell", "coins": [0, 0], "tokens": [[0, 0, 0, 0]] * 3}, "'coins' must have 3 entries"),
    ({"do": "tell", "coins": [0, 0, 0], "tokens": [[0, 0, 0, 0]] * 2}, "'tokens' must have 3 entries"),
    ({"do": "tell", "coins": [0] * 9, "tokens": [[0, 0, 0, 0]] * 3}, "'coins' must be a list"),
    ({"do": "tell", "coins": [0, 0, -1], "tokens": [[0, 0, 0, 0]] * 3}, "'coins' must be a whole number"),
    ({"do": "tell", "coins": [0, 0, 0], "tokens": [[0, 0, 0]] * 3}, "three numbers of victories"),
    ({"do": "tell", "coins": [0, 0, 0], "tokens": [[0, 0, 0, 0, 0]] * 3}, "three numbers of victories"),
    ({"do": "tell", "coins": [0, 0, 0], "tokens": [0, 0, 0]}, "three numbers of victories"),
    ({"do": "tell", "coins": [0, 0, 0], "tokens": [[3, 0, 0, 0]] * 3}, "from 0 to 2"),
    ({"do": "tell", "coins": [0, 0, 0], "tokens": [[0, 0, 0, 7]] * 3}, "from 0 to 6"),
    ({"do": "tell", "coins": [0, 0, 0], "tokens": [[0, 0, True, 0]] * 3}, "from 0 to 2"),
]


@pytest.mark.parametrize(("line", "cause"), BAD, ids=range(len(BAD)))
def test_a_line_that_lacks_or_misspells_something(line: Any, cause: str) -> None:
    verdict = _verdict(line, DEAL)
    assert (verdict["verdict"], verdict["code"]) == ("refused", "bad_record")
    assert cause in verdict["text"]
    assert verdict["text_ja"].endswith("。")
    assert len(verdict["text"]) < 400


@pytest.mark.parametrize(("line", "cause"), BAD[-12:], ids=range(12))
def test_it_is_bad_on_a_score_sheet_too(line: Any, cause: str) -> None:
    verdict = _verdict(line, mode="score")
    assert (verdict["code"], cause in verdict["text"]) == ("bad_record", True)


def test_huge_numbers_and_lists_are_refused_in_short_and_soon() -> None:
    huge = 10**4000
    lines: list[tuple[Any, dict[str, Any]]] = [
        (_with_act({**BUILD, "pay": {"left": huge}}), {}),
        ({"do": "city", "seat": 1, "cards": ["altar"] * 100_000, "stages": huge}, {"mode": "score"}),
        ({"do": "city", "seat": 1, "cards": [card.id for card in BUILDINGS] * 500, "stages": 0}, {"mode": "score"}),
        ({"do": "deal", "age": 1, "hands": [["altar"] * 30_000] * 3}, {}),
    ]
    begun = process_time()
    for line, header in lines:
        verdict = _verdict(line, *([] if header else [DEAL]), **header)
        assert verdict["verdict"] == "refused"
        assert len(verdict["text"]) < 400
        assert len(verdict["cards"]) < 3
    assert process_time() - begun < 2


def test_coins_of_any_size_are_counted() -> None:
    cities = [json.dumps({"seat": seat, "do": "city", "cards": [], "stages": 0}) for seat in (1, 2, 3)]
    tell = json.dumps({"do": "tell", "coins": [10**4200, 0, 0], "tokens": [[0, 0, 0, 0]] * 3})
    *_, final = check_record([json.dumps({**HEADER, "mode": "score"}), *cities, tell])
    assert final["winners"] == [1]
    assert json.dumps(final)


def test_an_empty_payment_is_told_and_nothing() -> None:
    move = move_from_json(_with_act({**BUILD, "pay": {}}))
    assert isinstance(move, Round)
    assert move.acts[0].pay == Pay(0, 0)
    assert move.acts[0].to_json() == {**BUILD, "pay": {}}
    assert str(move) == "round build altar pay nothing | discard | discard"
