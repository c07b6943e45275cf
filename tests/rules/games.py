"""Random games of every registered game, for tests of what all of them must do."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NamedTuple

from rules.game import GameOption, Rules
from rules.parsing import BadRecordError
from rules.record import Header, header_line, move_line
from rules.registry import find_game

LONGEST = 2000


class Played(NamedTuple):
    """A game: what it was begun with, its positions, one more than its moves, and its moves."""

    header: Header
    positions: list[Any]
    moves: list[Any]

    @property
    def lines(self) -> list[str]:
        """Its record."""
        return [header_line(self.header), *map(move_line, self.moves)]


def names_of(rules: Rules, players: int) -> list[str]:
    assert players in rules.seats
    return [f"Player {seat}" for seat in range(1, players + 1)]


def options_of(rules: Rules, players: list[str], seed: int) -> dict[str, Any]:
    """Choose some of what the menu offers; of what is asked for each seat, to everyone another."""
    chosen: dict[str, Any] = {}
    for option in rules.options:
        values = [value for value, _ in option.values(players)]
        if option.each_seat:
            chosen[option.key] = _for_each_seat(option, values, players, seed)
        elif not option.optional:
            chosen[option.key] = values[seed % len(values)]
        if option.key in chosen:
            option.check(chosen[option.key], players)
    return chosen


def _for_each_seat(option: GameOption, values: list[Any], players: list[str], seed: int) -> list[Any]:
    """Choose a value for each seat, all of which go together."""
    chance = Random(seed)
    for _ in range(LONGEST):
        chosen = chance.sample(values, len(players))
        try:
            option.check(chosen, players)
        except BadRecordError:
            continue
        return chosen
    raise AssertionError(f"no values of {option.key!r} go together")


def play(rules: Rules, players: int, seed: int) -> Played:
    """Play a random game from that seed, to its end."""
    chance = Random(seed)
    names = names_of(rules, players)
    options = options_of(rules, names, seed)
    positions = [rules.start(names, options)]
    moves: list[Any] = []
    while positions[-1].outcome is None:
        assert len(moves) < LONGEST, "the game does not end"
        moves.append(rules.random_move(positions[-1], chance))
        positions.append(positions[-1].do(moves[-1]))
    return Played(Header(rules.name, tuple(names), options), positions, moves)


@cache
def played(name: str, players: int, seed: int, public: bool = False) -> Played:
    """``play``, or the same game as everybody sees it; made once."""
    rules = find_game(name)
    full = play(rules, players, seed)
    if not public:
        return full
    moves, positions = [rules.make_public(move) for move in full.moves], full.positions[:1]
    for move in moves:
        positions.append(positions[-1].do(move))
    return Played(full.header, positions, moves)


def some_games(rules: Rules) -> list[tuple[int, int]]:
    """Players and seeds of a few games."""
    return [(players, seed) for players in rules.seats for seed in range(3)]
