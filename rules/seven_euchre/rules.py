"""Seven Euchre as one of the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from rules.game import Option, Options, seat_option
from rules.judged import result
from rules.parsing import quoted
from rules.seven_euchre.brief import BRIEF
from rules.seven_euchre.correction import corrected
from rules.seven_euchre.legal import LegalMoves
from rules.seven_euchre.moves import SEATS, Move, as_seen, move_from_json
from rules.seven_euchre.play import random_move
from rules.seven_euchre.position import GAME, TARGET, Position
from rules.seven_euchre.refusals import CODES
from rules.text import Text

TARGETS = (TARGET, 77, 200)
"""The rule sheet's targets, the usual one first; a record may have any other."""
SHORT = 10
"""A target that hardly any deal misses."""


def _targets(_: Sequence[str]) -> Sequence[tuple[int, Text]]:
    return [(target, Text("{target} points", target=target)) for target in TARGETS]


def _target_fault(value: Any, _: Sequence[str]) -> Text | None:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return None
    told = quoted(value)
    return Text("'target' must be a whole number from 1, not {told}", told=told)


class SevenEuchre:
    """The game of an auction for trumps and of twelve tricks, two against two."""

    name = GAME
    title = Text("Seven Euchre")
    seats = range(SEATS, SEATS + 1)
    options = (
        seat_option("dealer", Text("Who deals first?")),
        Option("target", Text("Play to how many points?"), _targets, _target_fault, short=SHORT),
    )
    codes = CODES
    brief = BRIEF

    def start(self, players: Sequence[str], options: Options) -> Position:
        """The position before the first deal."""
        for option in self.options:
            if option.key in options:
                option.check(options[option.key], players)
        return Position.start(players, options.get("dealer", 1), options.get("target", TARGET))

    def restore(self, data: Mapping[str, Any]) -> Position:
        """The position that ``Position.to_json`` gave."""
        return Position.from_json(data)

    def corrected(self, saved: object, players: Sequence[str], options: Options) -> Position:
        """The position of a correction by hand."""
        return corrected(saved, players, options.get("dealer", 1), options.get("target", TARGET))

    def read_move(self, data: object) -> Move:
        """The move that its ``to_json`` gave."""
        return move_from_json(data)

    def to_move(self, position: Position) -> frozenset[int]:
        """The seat to call, exchange or play; none where cards are to be dealt or turned up, and after the end."""
        return frozenset() if position.to_move is None else frozenset({position.to_move})

    def public(self, move: Move) -> Move:
        """The move as everybody at the table sees it."""
        return as_seen(move)

    def random_move(self, position: Position, chance: Random) -> Move:
        """A legal move, the deal included, by the given chance alone."""
        return random_move(position, chance)

    def legal_moves(self, position: Position) -> LegalMoves:
        """The legal moves as an object."""
        return LegalMoves(position)

    def result(self, position: Position) -> dict[str, Any]:
        """Points by side of the deals played out, the seats of the side that won and why the game ended."""
        return result(position)


RULES = SevenEuchre()
