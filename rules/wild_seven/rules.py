"""Wild Seven as one of the games."""

from __future__ import annotations

from collections.abc import Sequence

from rules.game import GameOption, Options
from rules.judged import UsualRules
from rules.text import Text
from rules.wild_seven import play
from rules.wild_seven.brief import BRIEF
from rules.wild_seven.correction import read_correction
from rules.wild_seven.deck import SEATS
from rules.wild_seven.legal_moves import LegalMoves
from rules.wild_seven.moves import as_seen, move_from_json
from rules.wild_seven.position import GAME, Phase, Position
from rules.wild_seven.refusals import CODES


class WildSeven(UsualRules):
    """The game of gunmen who capture the wanted, or become wanted themselves."""

    name = GAME
    title = Text("Wild Seven")
    seats = SEATS
    options: tuple[GameOption, ...] = ()
    codes = CODES
    brief = BRIEF
    restore = staticmethod(Position.from_json)
    read_move = staticmethod(move_from_json)
    make_public = staticmethod(as_seen)
    random_move = staticmethod(play.random_move)
    legal_moves = LegalMoves

    def start(self, players: Sequence[str], options: Options) -> Position:
        """Return the position before the deal; no option is asked for."""
        return Position.start(players)

    def read_correction(self, saved: object, players: Sequence[str], options: Options) -> Position:
        """Read the position of a correction by hand."""
        return read_correction(saved, players)

    def to_move(self, position: Position) -> frozenset[int]:
        """Return all seats while they reveal at once, then the one whose turn it is."""
        if position.phase is Phase.REVEAL:
            return frozenset(range(1, len(position.players) + 1))
        return frozenset() if position.to_move is None else frozenset({position.to_move})


RULES = WildSeven()
