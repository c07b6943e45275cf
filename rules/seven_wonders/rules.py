"""Seven Wonders as one of the games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.game import GameOption, Options, make_section
from rules.judged import UsualRules
from rules.parsing import quote_value
from rules.seven_wonders import legal_moves
from rules.seven_wonders.boards import BOARDS, find_board
from rules.seven_wonders.cards import FEWEST, MOST
from rules.seven_wonders.correction import read_correction
from rules.seven_wonders.legal_moves import LegalMoves
from rules.seven_wonders.moves import as_seen, move_from_json
from rules.seven_wonders.position import NAME, Position
from rules.seven_wonders.refusals import CODES
from rules.seven_wonders.state import AgePhase
from rules.text import Text

SCORE = "score"


def _board_values(players: Sequence[str]) -> Sequence[tuple[str, Text]]:
    """Return all sides, the A sides first: the first ones are a wonder each."""
    sides = sorted(BOARDS, key=lambda side: side.side)
    return [(side.id, side.text) for side in sides]


def _boards_fault(value: Any, players: Sequence[str]) -> Text | None:
    """Say what is wrong with a header's boards."""
    n, known = len(players), {side.id for side in BOARDS}
    if not isinstance(value, list) or len(value) != n:
        return Text("'boards' must be a list of {n} boards, one for each player", n=n)
    for name in value:
        if not isinstance(name, str) or name not in known:
            return Text("there is no board {told} in 'boards'", told=quote_value(name))
    wonders = [name.split("/")[0] for name in value]
    for name, wonder in zip(value, wonders, strict=True):
        if wonders.count(wonder) > 1:
            return Text("'boards' has a wonder twice: {told}", told=name)
    return None


def _is_taken(board_id: Any, before: Sequence[Any]) -> bool:
    """Tell whether another seat has that wonder, on either side."""
    return board_id.split("/")[0] in {other.split("/")[0] for other in before}


def _mode_values(players: Sequence[str]) -> Sequence[tuple[str, Text]]:
    return [(SCORE, Text("Only the score of finished cities"))]


BRIEF = (
    make_section(
        Text("The aim"),
        Text("Build a city and a wonder in three ages of six rounds. Most points win, then most coins."),
    ),
    make_section(
        Text("Set-up"),
        Text(
            "Each player has a board and 3 coins. In each age deal 7 cards to each of those for so many "
            "players; in age 3 with as many guilds, drawn unseen, as players and two more."
        ),
    ),
    make_section(
        Text("A round"),
        Text(
            "Everybody lays one card: face up in the city to build it, face down under the board for the "
            "next stage of the wonder, or face down on the own spot to discard it for 3 coins."
        ),
        Text("Confirm once for all. Then discards go to the pile, and hands to the left; in age 2 to the right."),
        Text("After the sixth round the card left over goes to the pile."),
    ),
    make_section(
        Text("Paying"),
        Text(
            "A card costs coins and resources. What the own city lacks is bought from the two neighbours, for 2 "
            "coins a unit (1 with a trading post or the marketplace), paid at once from the coins held before."
        ),
        Text("Some cards are free to whom has built the one that they follow. No city has two cards of one name."),
    ),
    make_section(
        Text("War"), Text("After each age, with each neighbour: more shields 1, 3, 5 points in ages 1, 2, 3; fewer −1.")
    ),
    make_section(
        Text("Points"),
        Text(
            "War; 1 for 3 coins; stages; blue cards; yellow cards and guilds as they say. Green: each "
            "symbol its number squared, and 7 for each set of three."
        ),
    ),
)
"""The rules in brief, for a page beside the mat."""


class SevenWonders(UsualRules):
    """The game of seven wonders in three ages; with the mode ``score`` only the score sheet of finished cities."""

    name = NAME
    title = Text("Seven Wonders")
    seats = range(FEWEST, MOST + 1)
    options = (
        GameOption("mode", Text("What is played?"), _mode_values, optional=True, decisive=True),
        GameOption(
            "boards", Text("Which board?"), _board_values, _boards_fault, each_seat=True, decisive=True, taken=_is_taken
        ),
    )
    codes = CODES
    brief = BRIEF
    restore = staticmethod(Position.from_json)
    read_move = staticmethod(move_from_json)
    make_public = staticmethod(as_seen)
    random_move = staticmethod(legal_moves.random_move)
    legal_moves = LegalMoves

    def start(self, players: Sequence[str], options: Options) -> Position:
        """Return the position before the deal."""
        usual = [value for value, _ in _board_values(players)][: len(players)]
        boards = options.get("boards", usual)
        fault = _boards_fault(boards, players)
        if fault is not None:
            raise ValueError(str(fault))
        mode = options.get("mode")
        if mode not in (None, SCORE):
            raise ValueError(f"there is no mode {mode!r}")
        return Position.start(players, [find_board(name) for name in boards], mode == SCORE)

    def read_correction(self, saved: object, players: Sequence[str], options: Options) -> Position:
        """Read the position of a correction by hand."""
        return read_correction(saved, self.start(players, options))

    def to_move(self, position: Position) -> frozenset[int]:
        """Return the seats whose move it is: all of them in a round, and where coins and tokens are entered."""
        if position.phase in (AgePhase.ROUND, AgePhase.TELL):
            return frozenset(range(1, position.n + 1))
        return frozenset() if position.seat is None else frozenset({position.seat + 1})

    def report_result(self, position: Position) -> dict[str, Any]:
        """Return the final points and categories by seat, the winners and how the game ended."""
        final = super().report_result(position)
        return {"final": final.pop("final"), "categories": [list(one) for one in position.categories], **final}


RULES = SevenWonders()
