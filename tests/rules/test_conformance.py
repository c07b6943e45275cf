"""What every registered game must do; a game without a recorded playthrough fails too."""

from __future__ import annotations

import json
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules.cards import DECK
from rules.game import Rules
from rules.refusal import Illegal
from rules.registry import find_game, load_games
from tests.rules.games import play, some_games

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
NAMES = {str(card) for card in DECK}
MOST_LISTED = 300
"""Legal moves looked at in a position: where all seats move at once there can be millions."""

pytestmark = pytest.mark.parametrize("name", list(load_games()))


def test_random_play_comes_to_an_end(name: str) -> None:
    rules = find_game(name)
    for players, seed in some_games(rules):
        _, positions, moves = play(rules, players, seed)
        assert not rules.to_move(positions[-1])
        assert len(positions[-1].outcome.winners) >= 1
        assert positions[-1].outcome.points == positions[-1].points
        assert not list(rules.legal_moves(positions[-1]))
        with pytest.raises(Illegal):
            positions[-1].do(moves[-1])


def test_the_same_seed_gives_the_same_game(name: str) -> None:
    rules = find_game(name)
    for players, seed in some_games(rules):
        assert play(rules, players, seed) == play(rules, players, seed)


def test_positions_are_saved_and_restored(name: str) -> None:
    rules = find_game(name)
    for players, seed in some_games(rules):
        _, positions, moves = play(rules, players, seed)
        for place in range(0, len(moves), 7):
            data = json.loads(json.dumps(positions[place].to_json()))
            restored = rules.restore(data)
            assert restored == positions[place]
            assert hash(restored) == hash(positions[place])
            for move in moves[place : place + 9]:
                restored = restored.do(move)
            assert restored == positions[min(place + 9, len(moves))]


def test_a_move_leaves_the_position_it_was_played_in_as_it_was(name: str) -> None:
    """Undo is going back to the position before."""
    rules = find_game(name)
    _, positions, moves = play(rules, rules.seats[0], 5)
    saved = [position.to_json() for position in positions]
    for position, move in zip(positions, moves, strict=False):
        position.verify(move)
        position.do(move)
    assert [position.to_json() for position in positions] == saved


def test_moves_have_unique_and_readable_names(name: str) -> None:
    rules = find_game(name)
    for players, seed in some_games(rules)[::3]:
        _, positions, _ = play(rules, players, seed)
        for position in positions[1:-1:9]:
            if not rules.to_move(position):
                continue
            legal = rules.legal_moves(position)
            moves = list(islice(legal, MOST_LISTED))
            assert moves
            assert len({str(move) for move in moves}) == len(moves) == min(len(legal), MOST_LISTED)
            for move in moves:
                assert str(move).isprintable()
                assert 0 < len(str(move)) < 400
                assert move in legal
                assert position.is_legal(move)
                assert rules.read_move(json.loads(json.dumps(move.to_json()))) == move


def _words(data: Any) -> set[str]:
    """Every text in it but keys and the names of moves."""
    if isinstance(data, dict):
        return set().union(*(_words(value) for key, value in data.items() if key != "do"))
    if isinstance(data, list):
        return set().union(*map(_words, data))
    return {data} if isinstance(data, str) else set()


def _swapped(data: Any, swap: dict[str, str]) -> Any:
    if isinstance(data, dict):
        return {key: _swapped(value, swap) for key, value in data.items()}
    if isinstance(data, list):
        return [_swapped(value, swap) for value in data]
    return swap.get(data, data) if isinstance(data, str) else data


def _last_deal(moves: list[Any]) -> int:
    """Where the cards were dealt last; what was seen of them before tells nothing any more."""
    return max((place for place, move in enumerate(moves) if move.to_json()["do"] == "deal"), default=0)


def _with_swap(rules: Rules, start: Any, moves: list[Any], since: int, pair: tuple[str, str]) -> list[Any] | None:
    """Swap two cards in the moves from some move on; return ``None`` where one is not legal then."""
    position, swapped = start, []
    for place, move in enumerate(moves):
        swap = dict([pair, pair[::-1]]) if place >= since else {}
        swapped.append(rules.read_move(_swapped(move.to_json(), swap)))
        if not position.is_legal(swapped[-1]):
            return None
        position = position.do(swapped[-1])
    return swapped


def _view(rules: Rules, start: Any, moves: list[Any]) -> tuple[Any, ...]:
    """Return what everybody sees of these moves, and the position that everybody knows after them."""
    position, seen = start, []
    for move in moves:
        seen.append(rules.make_public(move).to_json())
        position = position.do(rules.make_public(move))
    return seen, position.to_json(), repr(position)


def test_nothing_hidden_is_in_the_public_view(name: str) -> None:
    """Two games that differ only in cards nobody has shown look the same to everybody, moves and position."""
    rules = find_game(name)
    for players, seed in some_games(rules):
        _, positions, moves = play(rules, players, seed)
        chance = Random(seed)
        in_play = NAMES & set().union(*(_words(move.to_json()) for move in moves))  # the others may lie in the box
        for last in (2, len(moves) // 8, len(moves) // 4):
            since = _last_deal(moves[:last])
            shown = set().union(*(_words(rules.make_public(move).to_json()) for move in moves[since:last]))
            told = set().union(*(_words(move.to_json()) for move in moves[since:last]))
            hidden = sorted(told - shown) if len(told - shown) > 1 else sorted(in_play - shown)
            pairs = list(combinations(hidden, 2))
            swaps = (
                _with_swap(rules, positions[0], moves[:last], since, pair) for pair in chance.sample(pairs, len(pairs))
            )
            swapped = next((same for same in swaps if same is not None), None)
            if swapped is not None:
                assert _view(rules, positions[0], swapped) == _view(rules, positions[0], moves[:last])


def test_there_is_a_recorded_playthrough(name: str) -> None:
    """One game, move by move with the position after each: what the rules said once they say still."""
    path = PLAYTHROUGHS / f"{name}.jsonl"
    assert path.is_file(), f"record a playthrough of {name} first: python -m tests.rules.playthroughs.record {name}"
    rules = find_game(name)
    head, *steps = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    position = rules.start(head.pop("players"), head)
    for step in steps:
        position = position.do(rules.read_move(step["move"]))
        assert repr(position) == step["position"]
    assert position.outcome is not None
