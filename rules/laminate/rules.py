"""Laminate Rummy as one of the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from rules.game import Options, seat_option
from rules.laminate.brief import brief
from rules.laminate.correction import corrected
from rules.laminate.first_player import MULTIPLYING
from rules.laminate.game import as_seen
from rules.laminate.legal_moves import LegalMoves
from rules.laminate.moves import Move, move_from_json
from rules.laminate.papers import LAMINATE, Papers
from rules.laminate.play import deal, random_move
from rules.laminate.position import Phase, Position
from rules.laminate.refusals import CODES
from rules.text import Text


class LaminateRummy:
    """The game of papers, citations and reviews; with house papers where a catalogue with such is given."""

    name = "laminate"
    title = Text("Laminate Rummy", "ラミネートラミー")
    seats = range(3, 6)
    options = (seat_option("first_seat", Text("Who begins?", "誰から始めますか？"), MULTIPLYING),)
    codes = CODES
    brief = brief()

    def __init__(self, catalogue: Papers = LAMINATE) -> None:
        self.catalogue = catalogue

    def start(self, players: Sequence[str], options: Options) -> Position:
        """The position before the deal."""
        return Position.start(players, options.get("first_seat", 1), self.catalogue)

    def restore(self, data: Mapping[str, Any]) -> Position:
        """The position that ``Position.to_json`` gave."""
        return Position.from_json(data, self.catalogue)

    def corrected(self, saved: object, players: Sequence[str], options: Options) -> Position:
        """The position of a correction by hand."""
        return corrected(saved, players, options.get("first_seat", 1), self.catalogue)

    def read_move(self, data: object) -> Move:
        """The move that its ``to_json`` gave."""
        return move_from_json(data)

    def to_move(self, position: Position) -> frozenset[int]:
        """The seat to move."""
        return frozenset() if position.to_move is None else frozenset({position.to_move})

    def public(self, move: Move) -> Move:
        """The move as everybody at the table sees it."""
        return as_seen(move)

    def random_move(self, position: Position, chance: Random) -> Move:
        """A legal move, the deal included, by the given chance alone."""
        if position.phase is Phase.SETUP:
            return deal(len(position.players), chance)
        return random_move(position, chance)

    def legal_moves(self, position: Position) -> LegalMoves:
        """The legal moves as an object."""
        return LegalMoves(position)

    def result(self, position: Position) -> dict[str, Any]:
        """Final points by seat, the winners and how the game ended."""
        outcome = position.outcome
        if outcome is None:
            return {"final": list(position.points), "winners": None, "end": None}
        return {"final": list(outcome.points), "winners": list(outcome.winners), "end": outcome.reason.value}


RULES = LaminateRummy()
