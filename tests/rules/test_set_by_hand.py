"""Positions set by hand, in every game: what a game comes to is taken, all else is refused at once or can be played."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.game import Rules
from rules.parsing import BadRecordError
from rules.record import Header, check_record, header_line, move_line
from rules.registry import find_game, load_games
from tests.rules.games import LONGEST, Played, played, some_games

SOON = 0.5
"""Seconds of processor time in which a position is refused."""
MOST_PLACES = 15
"""Places within a saved position's values that are tried."""

pytestmark = pytest.mark.parametrize("name", list(load_games()))


def saved(position: Any) -> Any:
    return json.loads(json.dumps(position.to_json()))


def taken(rules: Rules, data: object, header: Header) -> Any:
    """Return the position that a correction of that game sets; ``None`` where it is refused, with cause and soon."""
    found, cause, began = None, "", time.process_time()
    try:
        found = rules.read_correction(data, header.players, header.options)
    except BadRecordError as refused:
        cause = str(refused)
    assert found is not None or cause == "'position' is none of this game"
    assert found is not None or time.process_time() - began < SOON
    return found


def public(name: str, seed: int) -> Played:
    seats = find_game(name).seats
    return played(name, seats[seed % len(seats)], seed, True)


@pytest.mark.few(1)
def test_every_position_of_a_public_game_is_taken(name: str) -> None:
    rules = find_game(name)
    for players, seed in some_games(rules):
        header, positions, _ = played(name, players, seed, True)
        for position in (*positions[1::3], positions[-1]):
            assert taken(rules, saved(position), header) == position


def test_the_game_goes_on_from_the_position_set_by_hand(name: str) -> None:
    header, positions, moves = public(name, 1)
    middle = len(moves) // 2
    line = {"do": "correction", "by_hand": "position", "position": positions[middle].to_json()}
    *verdicts, final = check_record([header_line(header), json.dumps(line), *map(move_line, moves[middle:])])
    assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}
    assert final == find_game(name).report_result(positions[-1])


def test_a_correction_without_a_position_changes_nothing(name: str) -> None:
    first, *lines = public(name, 1).lines
    for line in ({"do": "correction", "by_hand": "named"}, {"do": "correction", "position": None}):
        *verdicts, _ = check_record([first, json.dumps(line), *lines[:3]])
        assert [verdict["verdict"] for verdict in verdicts] == ["accepted"] * 4


def test_one_that_is_refused_leaves_the_game_as_it_was(name: str) -> None:
    first, *lines = public(name, 1).lines
    bad, *verdicts, _ = check_record([first, json.dumps({"do": "correction", "position": {"x": 1}}), *lines[:3]])
    assert (bad["verdict"], bad["code"]) == ("refused", "bad_record")
    assert "none of this game" in bad["text"]
    assert "局面ではありません" in bad["text_ja"]
    assert [verdict["verdict"] for verdict in verdicts] == ["accepted"] * 3


def test_neither_hidden_cards_nor_the_start_are_set_by_hand(name: str) -> None:
    rules = find_game(name)
    header, positions, moves = played(name, rules.seats[0], 1)
    assert taken(rules, saved(positions[0]), header) is None
    if rules.make_public(moves[0]) != moves[0]:
        for position in positions[1:12]:
            assert taken(rules, saved(position), header) is None


def test_other_players_are_refused(name: str) -> None:
    rules = find_game(name)
    header, positions, _ = public(name, 1)
    data = saved(positions[len(positions) // 2])
    for changes in (
        {"players": [*header.players[:-1], "Nobody"]},
        {"players": list(header.players[:-1])},
        {"players": list(header.players[::-1])},
    ):
        assert taken(rules, {**data, **changes}, header) is None


HUGE = ["H3"] * 100_000
DEEP: Any = []
for _ in range(200):
    DEEP = [DEEP]
STRANGE: list[Any] = [None, True, False, 7, -1, 0, 1.0, 0.5, float("nan"), 10**4000, "", "x", "S9", "H" * 100_000]
STRANGE += [[], {}, {"a": 1}, [[]], [["S9"]], [7], ["S9"], [None], HUGE, [[HUGE]], [[[]] * 100_000], DEEP, {1: DEEP}]


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every value of a saved position, as what holds it and where."""
    inner = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    for key, value in inner:
        yield data, key
        yield from places(value)


def can_be_played(rules: Rules, position: Any, chance: Random) -> None:
    """Check that it is saved as it was set, and comes to an end when played by the rules.

    Laminate Rummy's moves come from hands, which nobody knows here; ``tools.soak.by_hand`` places them and plays on.
    """
    assert rules.restore(saved(position)) == position
    for _ in range(LONGEST):
        if position.outcome is not None or rules.name == "laminate":
            return
        position = position.do(rules.random_move(position, chance))
    raise AssertionError("the game does not end")


def middle_of(name: str) -> tuple[Header, list[Any]]:
    """Three positions of a game: soon after its beginning, within it and near its end."""
    header, positions, _ = public(name, 2)
    return header, [positions[len(positions) * part // 16] for part in (1, 8, 14)]


def test_what_is_no_position_is_refused(name: str) -> None:
    header, (position, *_) = middle_of(name)
    for value in [*STRANGE, [saved(position)], {"players": list(header.players)}]:
        assert taken(find_game(name), value, header) is None


def test_every_key_is_needed_and_rightly_spelt(name: str) -> None:
    rules = find_game(name)
    header, positions = middle_of(name)
    for position in positions:
        data = saved(position)
        for holder, key in [place for place in places(data) if isinstance(place[0], dict) and place[1] != "game"]:
            value = holder.pop(key)
            for spelt in ("nothing", key.upper()):
                holder[spelt] = value
                # What is null may as well be absent.
                assert taken(rules, data, header) in ((None, position) if value is None else (None,)), key
                del holder[spelt]
            holder[key] = value
        assert taken(rules, data, header) == position


@pytest.mark.slow  # test_every_key_is_needed_and_rightly_spelt
def test_values_of_any_kind_size_and_depth_are_refused_at_once_or_can_be_played(name: str) -> None:
    rules, chance = find_game(name), Random(1)
    header, positions = middle_of(name)
    refused = tried = 0
    for data in map(saved, positions[1:]):
        inner = [place for place in places(data) if place[0] is not data]
        chosen = [(data, key) for key in data] + chance.sample(inner, min(len(inner), MOST_PLACES))
        for holder, key in chosen:
            value = holder[key]
            for strange in STRANGE:
                if type(strange) is type(value) and strange == value:
                    continue
                holder[key] = strange
                tried += 1
                found = taken(rules, data, header)
                refused += found is None
                if found is not None:
                    can_be_played(rules, found, chance)
            holder[key] = value
    assert refused > 0.9 * tried


@pytest.mark.few(1)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 5), luck=st.integers(0, 10_000))
def test_what_is_taken_with_values_changed_about_can_be_played_to_its_end(name: str, seed: int, luck: int) -> None:
    rules, chance = find_game(name), Random(luck)
    header, positions, _ = public(name, seed)
    data = saved(chance.choice(positions[1:]))
    for _ in range(chance.randint(1, 2)):
        whole = list(places(data))
        (holder, key), (other, other_key) = chance.choice(whole), chance.choice(whole)
        holder[key], other[other_key] = copy.deepcopy(other[other_key]), copy.deepcopy(holder[key])
    if (found := taken(rules, data, header)) is not None:
        can_be_played(rules, found, chance)
