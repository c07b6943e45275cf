"""Wild Seven as one of the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from rules.game import Option, Options
from rules.judged import result
from rules.text import Text
from rules.wild_seven.brief import BRIEF
from rules.wild_seven.correction import corrected
from rules.wild_seven.deck import SEATS
from rules.wild_seven.legal import LegalMoves
from rules.wild_seven.moves import Move, as_seen, move_from_json
from rules.wild_seven.play import random_move
from rules.wild_seven.position import GAME, Phase, Position
from rules.wild_seven.refusals import CODES


class WildSeven:
    """The game of gunmen who capture the wanted, or become wanted themselves."""

    name = GAME
    title = Text("Wild Seven")
    seats = SEATS
    options: tuple[Option, ...] = ()
    codes = CODES
    brief = BRIEF

    def start(self, players: Sequence[str], options: Options) -> Position:
        """The position before the deal; nothing is asked."""
        return Position.start(players)

    def restore(self, data: Mapping[str, Any]) -> Position:
        """The position that ``Position.to_json`` gave."""
        return Position.from_json(data)

    def corrected(self, saved: object, players: Sequence[str], options: Options) -> Position:
        """The position of a correction by hand."""
        return corrected(saved, players)

    def read_move(self, data: object) -> Move:
        """The move that its ``to_json`` gave."""
        return move_from_json(data)

    def to_move(self, position: Position) -> frozenset[int]:
        """All seats while they reveal at once, then the one whose turn it is."""
        if position.phase is Phase.REVEAL:
            return frozenset(range(1, len(position.players) + 1))
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
        """Points by seat of what is captured, the winners and why the game ended."""
        return result(position)


RULES = WildSeven()
