"""Records of every game: the shared ones with their verdicts, whole games, lines and headers that no game needs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.record import check_record, header_line, read_header, read_object
from rules.registry import find_game, load_games
from tests.rules.games import Played, played, some_games

SHARED = Path(__file__).resolve().parents[3] / "shared" / "records"
RECORDS = sorted(path for path in SHARED.rglob("*.jsonl") if ".expect" not in path.name)
LONGEST_TEXT = 500
GAMES = pytest.mark.parametrize("name", list(load_games()))


@pytest.mark.few(15)
@pytest.mark.shared
@pytest.mark.skipif(not RECORDS, reason="the shared records are not beside this checkout")
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.stem}-{path.stem}")
def test_shared_records(path: Path) -> None:
    """Every verdict as expected, with the expected code as the first one, and the last line."""
    expect = [json.loads(line) for line in path.with_suffix(".expect.jsonl").read_text().splitlines()]
    *verdicts, final = check_record(path.read_text(encoding="utf-8").splitlines())
    found = {verdict["line"]: verdict for verdict in verdicts}
    for wanted in expect:
        if "final" in wanted:
            assert {key: final[key] for key in wanted} == wanted
        else:
            got = found[wanted["line"]]
            assert (got["verdict"], got.get("code")) == (wanted["verdict"], wanted.get("code")), wanted


@pytest.mark.few(5)
@GAMES
@pytest.mark.parametrize("public", [False, True])
def test_a_game_is_written_and_read_and_checked(name: str, public: bool) -> None:
    rules = find_game(name)
    for players, seed in some_games(rules):
        whole = played(name, players, seed, public)
        first, *lines = whole.lines
        assert read_header(first) == whole.header
        assert [rules.read_move(read_object(line)) for line in lines] == whole.moves
        *verdicts, final = check_record([first, *(line + "\r\n" for line in lines)])
        assert verdicts == [{"line": n, "verdict": "accepted"} for n in range(2, len(lines) + 2)]
        assert final == rules.report_result(whole.positions[-1])
        assert final["winners"] == list(whole.positions[-1].outcome.winners)
        *_, cut = check_record([first, *lines[:-1]])
        assert cut == rules.report_result(whole.positions[-2])
        assert cut["winners"] is None


@GAMES
def test_a_record_goes_on_past_any_damaged_line(name: str) -> None:
    """Lines cut short, misspelt, doubled or none at all are refused, and the game's own still come to its end."""
    rules, chance = find_game(name), Random(name)
    whole = played(name, rules.seats[-1], 1)
    first, *lines = whole.lines
    strange = ["", "nonsense", "null", "7", "[1, 2]", "{}", '{"do":"steal"}', '{"do":["pass"]}', "[" * 100_000]
    strange += ['{"do":7}', '{"seat":' + "9" * 5_000 + "}", '{"seat":1', '"play"']
    mixed: list[str] = []
    for line in lines:
        mixed += [line[: chance.randrange(1, len(line) - 1)], line.replace('"do"', '"od"'), chance.choice(strange)]
        mixed.append(line)
    began = time.process_time()
    *verdicts, final = check_record([first, *mixed])
    assert final == rules.report_result(whole.positions[-1])
    assert [verdict["verdict"] for verdict in verdicts] == [*["refused"] * 3, "accepted"] * len(lines)
    for verdict in verdicts:
        if verdict["verdict"] == "refused":
            assert verdict["code"] == "bad_record"
            for text in (verdict["text"], verdict["text_ja"]):
                assert 0 < len(text) < LONGEST_TEXT
                assert text.isprintable()
    assert time.process_time() - began < 5


@GAMES
def test_keys_that_a_move_does_not_need_are_passed_over(name: str) -> None:
    rules = find_game(name)
    for move in {type(move): move for move in played(name, rules.seats[0], 1).moves}.values():
        assert rules.read_move({**move.to_json(), "t": 3.5, "note": ["brave"]}) == move
    for nothing in (None, [], "play", 7):
        with pytest.raises(ValueError, match="no JSON object"):
            rules.read_move(nothing)


@GAMES
def test_a_header_names_as_many_players_as_the_game_has_and_lacks_nothing(name: str) -> None:
    rules = find_game(name)
    header = json.loads(header_line(played(name, rules.seats[0], 1).header))
    players = header["players"]
    wrong: list[dict[str, Any]] = [{"players": []}, {"players": ["A"] * (rules.seats[0] - 1)}, {"version": 2}]
    wrong += [{"players": ["A"] * (rules.seats[-1] + 1)}, {"players": "abc"}, {"players": [*players[:-1], 3]}]
    wrong += [
        {"players": [*players[:-1], bad]} for bad in ("\udfff", "a\nb", "\x1b[31mred", "a\x7f", "a\x85", "\u202ea")
    ]
    changed = [{**header, **changes} for changes in wrong]
    changed += [{other: value for other, value in header.items() if other != key} for key in header]
    for one in changed:
        verdict, *_ = _judged([json.dumps(one)])
        assert verdict in ("HeaderError", "bad_record"), one


def _judged(lines: list[str]) -> list[str]:
    """Return the codes of a record's lines, or the error of a file that leaves nothing to judge."""
    try:
        return [verdict.get("code", "accepted") for verdict in check_record(lines)]
    except ValueError as error:
        return [type(error).__name__]


def _lines_like(whole: Played) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with a game's own fields, whose values are its own, or anything."""
    values: dict[str, list[Any]] = {}
    for move in whole.moves:
        for key, value in move.to_json().items():
            values.setdefault(key, []).append(value)
    own = st.sampled_from([value for some in values.values() for value in some])
    plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4)
    anything = st.recursive(
        plain | own,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=8,
    )
    return st.fixed_dictionaries({}, optional={key: st.sampled_from(some) | anything for key, some in values.items()})


@GAMES
@settings(max_examples=12)
@given(data=st.data())
def test_any_lines_get_verdicts_and_never_an_error(name: str, data: st.DataObject) -> None:
    rules = find_game(name)
    whole = played(name, rules.seats[0], 1)
    first, *lines = whole.lines
    begun = lines[: data.draw(st.integers(0, min(6, len(lines))))]
    strange = data.draw(st.lists(_lines_like(whole), max_size=6))
    *verdicts, final = check_record([first, *begun, *map(json.dumps, strange)])
    assert len(verdicts) == len(begun) + len(strange)
    assert all(verdict["verdict"] == "accepted" or verdict["code"] in rules.codes for verdict in verdicts)
    assert "final" in final
