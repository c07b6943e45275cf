"""Seven Minutes as one of the games."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rules.game import Options, seat_option
from rules.judged import UsualRules
from rules.seven_minutes.brief import BRIEF
from rules.seven_minutes.correction import read_correction
from rules.seven_minutes.legal_moves import LegalMoves
from rules.seven_minutes.moves import Deal, Move, Setup, move_from_json
from rules.seven_minutes.play import deal, random_move
from rules.seven_minutes.position import GAME, MOST_PLAYERS, Phase, Position
from rules.seven_minutes.refusals import CODES
from rules.text import Text


class SevenMinutes(UsualRules):
    """The game of flipping on or stopping, and of two dice."""

    name = GAME
    title = Text("Seven Minutes")
    seats = range(2, MOST_PLAYERS + 1)
    options = (seat_option("first_seat", Text("Who begins?")),)
    codes = CODES
    brief = BRIEF
    restore = staticmethod(Position.from_json)
    read_move = staticmethod(move_from_json)
    legal_moves = LegalMoves

    def start(self, players: Sequence[str], options: Options) -> Position:
        """Return the position before the set-up."""
        for option in self.options:
            if option.key in options:
                option.check(options[option.key], players)
        return Position.start(players, options.get("first_seat", 1))

    def read_correction(self, saved: object, players: Sequence[str], options: Options) -> Position:
        """Read the position of a correction by hand."""
        return read_correction(saved, players, options.get("first_seat", 1))

    def make_public(self, move: Move) -> Move:
        """Return the move as everybody at the table sees it: all but the order of the draw pile."""
        return Setup() if isinstance(move, Deal) else move

    def random_move(self, position: Position, chance: Random) -> Move:
        """Draw a legal move, the deal included, by the given chance alone."""
        if position.phase is Phase.SETUP:
            return deal(chance)
        return random_move(position, chance)


RULES = SevenMinutes()
