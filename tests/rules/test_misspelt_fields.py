"""Every field of every move of every game: a value of another kind is a bad record, and null is no missing field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from importlib import import_module
from typing import Any, get_args

import pytest

from rules.parsing import BadRecordError
from rules.record import Header, check_record, header_in, header_line
from rules.registry import find_game, load_games
from tests.rules.games import names_of, options_of, play, some_games

WRONG = (None, True, False, 1.0, 1.5, "", "?", [], {}, [None], {"x": None})
NOT_PLAYED: dict[str, list[dict[str, Any]]] = {
    "seven_euchre": [{"do": "annul"}, {"do": "back_to", "trick": 1}],
    "seven_wonders": [
        {"seat": 1, "do": "city", "cards": ["altar"], "stages": 1},
        {"do": "tell", "coins": [1, 1, 1], "tokens": [[0, 0, 0, 1]] * 3},
        {"do": "round", "acts": [{"do": "build", "card": "altar", "free": "olympia"}, {"do": "stage"}]},
    ],
}
"""Lines that no random game writes."""


def _lines(name: str) -> list[dict[str, Any]]:
    """Return a line for each set of fields that the moves of a game may have."""
    rules, found = find_game(name), {}
    for players, seed in some_games(rules):
        for move in play(rules, players, seed).moves:
            for line in (move.to_json(), rules.make_public(move).to_json()):
                found.setdefault(_shape(line), line)
    found.update((_shape(line), line) for line in NOT_PLAYED.get(name, ()))
    return list(found.values())


def _shape(data: Any) -> str:
    """Return the fields of a line, those within its fields too, by which moves are of one kind."""
    if isinstance(data, dict):
        return "{" + ",".join(f"{key}:{_shape(value)}" for key, value in sorted(data.items())) + data.get("do", "}")
    return "[" + "".join(sorted(set(map(_shape, data)))) if isinstance(data, list) else ""


def _misspelt(data: Any, root: Any = None) -> Iterator[Any]:
    """Yield the line with one value in it changed for each wrong one; what move it is stays."""
    root = data if root is None else root
    places = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in list(places):
        if key == "do" and data is root:
            continue
        for wrong in WRONG:
            data[key] = wrong
            yield deepcopy(root)
        data[key] = value
        if isinstance(value, (dict, list)):
            yield from _misspelt(value, root)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", list(load_games()))
def test_a_field_says_what_it_says_or_the_line_is_no_move(name: str) -> None:
    lines, rules = _lines(name), find_game(name)
    assert {line["do"] for line in lines} == {move.do for move in get_args(import_module(f"rules.{name}.moves").Move)}
    for line in lines:
        assert rules.read_move({**line, "why": None}) == rules.read_move(line)
        for changed in _misspelt(deepcopy(line)):
            try:
                read = rules.read_move(changed)
            except BadRecordError:
                continue
            assert json.dumps(read.to_json(), sort_keys=True) == json.dumps(changed, sort_keys=True)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", list(load_games()))
def test_a_field_that_a_move_may_lack_may_not_be_null(name: str) -> None:
    lines, rules = _lines(name), find_game(name)
    keys = {do: {key for line in lines if line["do"] == do for key in line} for do in {line["do"] for line in lines}}
    for line in lines:
        for key in keys[line["do"]] - set(line):
            with pytest.raises(BadRecordError):
                rules.read_move({**line, key: None})


@pytest.mark.parametrize("name", list(load_games()))
def test_a_header_says_what_it_says_or_is_none(name: str) -> None:
    rules = find_game(name)
    players = names_of(rules, rules.seats[0])
    header = json.loads(header_line(Header(name, tuple(players), options_of(rules, players, 1))))
    every = {**header, **{option.key: None for option in rules.options if option.key not in header}}
    for changed in _misspelt(every):
        absent = {key: value for key, value in changed.items() if key in header or value is not None}
        try:
            read = header_in(absent)
        except BadRecordError:
            continue
        assert json.dumps(json.loads(header_line(read)), sort_keys=True) == json.dumps(absent, sort_keys=True)
    for key in every:
        with pytest.raises(BadRecordError):
            header_in({**header, key: None})


def test_a_get_of_null_is_a_bad_record_and_the_game_goes_on() -> None:
    lines = [
        header_line(Header("wild_seven", ("A", "B", "C"))),
        '{"do":"setup","wanted":["B5","O8"]}',
        '{"do":"reveal","cards":["H6","B8","O7"]}',
        '{"seat":1,"do":"play","card":"S9"}',
        '{"seat":2,"do":"play","card":"B3"}',
        '{"seat":3,"do":"play","card":"B6"}',
        '{"seat":1,"do":"get","card":null}',
        '{"seat":1,"do":"get","card":"O7"}',
    ]
    *_, null, right, _ = check_record(lines)
    assert (null["verdict"], null["code"], right["verdict"]) == ("refused", "bad_record", "accepted")
