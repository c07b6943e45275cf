"""Laminate Rummy as a member of the registry of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from rules.laminate.game import as_seen
from rules.laminate.legal import LegalMoves
from rules.laminate.moves import Move, move_from_json
from rules.laminate.papers import LAMINATE, Papers
from rules.laminate.play import deal, random_move
from rules.laminate.position import Phase, Position


class LaminateRummy:
    """The game of papers, citations and reviews; with house papers where a catalogue with such is given."""

    name = "laminate"
    en = "Laminate Rummy"
    ja = "ラミネートラミー"
    players = range(3, 6)

    def __init__(self, catalogue: Papers = LAMINATE) -> None:
        self.catalogue = catalogue

    def start(self, names: Sequence[str], first_seat: int = 1) -> Position:
        """The position before the deal."""
        return Position.start(names, first_seat, self.catalogue)

    def restore(self, data: Mapping[str, Any]) -> Position:
        """The position that ``Position.to_json`` gave."""
        return Position.from_json(data, self.catalogue)

    def read_move(self, data: Mapping[str, Any]) -> Move:
        """The move that its ``to_json`` gave."""
        return move_from_json(dict(data))

    def as_seen(self, move: Move) -> Move:
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
