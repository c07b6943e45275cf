"""Seven Euchre as one of the games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.game import GameOption, Options, seat_option
from rules.judged import UsualRules
from rules.parsing import quote_value
from rules.seven_euchre import play
from rules.seven_euchre.brief import BRIEF
from rules.seven_euchre.correction import read_correction
from rules.seven_euchre.legal_moves import LegalMoves
from rules.seven_euchre.moves import SEATS, as_seen, move_from_json
from rules.seven_euchre.position import GAME, TARGET, Position
from rules.seven_euchre.refusals import CODES
from rules.text import Text

TARGETS = (TARGET, 77, 200)
"""The rule sheet's targets, the usual one first; a record may have any other."""
SHORT = 10
"""A target that hardly any deal misses."""


def _list_targets(_: Sequence[str]) -> Sequence[tuple[int, Text]]:
    return [(target, Text("{target} points", target=target)) for target in TARGETS]


def _target_fault(value: Any, _: Sequence[str]) -> Text | None:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return None
    quoted = quote_value(value)
    return Text("'target' must be a whole number from 1, not {told}", told=quoted)


class SevenEuchre(UsualRules):
    """The game of an auction for trumps and of twelve tricks, two against two."""

    name = GAME
    title = Text("Seven Euchre")
    seats = range(SEATS, SEATS + 1)
    options = (
        seat_option("dealer", Text("Who deals first?")),
        GameOption("target", Text("Play to how many points?"), _list_targets, _target_fault, short=SHORT),
    )
    codes = CODES
    brief = BRIEF
    restore = staticmethod(Position.from_json)
    read_move = staticmethod(move_from_json)
    make_public = staticmethod(as_seen)
    random_move = staticmethod(play.random_move)
    legal_moves = LegalMoves

    def start(self, players: Sequence[str], options: Options) -> Position:
        """Return the position before the first deal."""
        for option in self.options:
            if option.key in options:
                option.check(options[option.key], players)
        return Position.start(players, options.get("dealer", 1), options.get("target", TARGET))

    def read_correction(self, saved: object, players: Sequence[str], options: Options) -> Position:
        """Read the position of a correction by hand."""
        return read_correction(saved, players, options.get("dealer", 1), options.get("target", TARGET))


RULES = SevenEuchre()
