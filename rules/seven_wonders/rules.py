"""Seven Wonders as one of the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from rules.game import Option, Options
from rules.parsing import quoted
from rules.seven_wonders.boards import BOARDS, board
from rules.seven_wonders.cards import FEWEST, MOST
from rules.seven_wonders.correction import corrected
from rules.seven_wonders.legal import LegalMoves, random_move
from rules.seven_wonders.moves import Move, as_seen, move_from_json
from rules.seven_wonders.position import NAME, Position
from rules.seven_wonders.refusals import CODES
from rules.seven_wonders.state import Phase
from rules.text import Text

SCORE = "score"


def _board_values(players: Sequence[str]) -> Sequence[tuple[str, Text]]:
    """All sides, the A sides first: the first ones are a wonder each."""
    sides = sorted(BOARDS, key=lambda side: side.side)
    return [(side.id, Text.of(side)) for side in sides]


def _boards_fault(value: Any, players: Sequence[str]) -> Text | None:
    """What is wrong with a header's boards."""
    n, known = len(players), {side.id for side in BOARDS}
    if not isinstance(value, list) or len(value) != n:
        return Text(f"'boards' must be a list of {n} boards, one for each player", f"boardsは1人に1つ、{n}個の並びです")
    for told in value:
        if not isinstance(told, str) or told not in known:
            return Text(f"there is no board {quoted(told)} in 'boards'", f"boardsにない名前があります：{quoted(told)}")
    wonders = [told.split("/")[0] for told in value]
    for told, wonder in zip(value, wonders, strict=True):
        if wonders.count(wonder) > 1:
            return Text(f"'boards' has a wonder twice: {told}", f"boardsに同じ脅威が2回あります：{told}")
    return None


def _is_taken(board_id: Any, before: Sequence[Any]) -> bool:
    """Whether another seat has that wonder, on either side."""
    return board_id.split("/")[0] in {other.split("/")[0] for other in before}


def _mode_values(players: Sequence[str]) -> Sequence[tuple[str, Text]]:
    return [(SCORE, Text("Only the score of finished cities", "得点計算だけ"))]


class SevenWonders:
    """The game of seven wonders in three ages; with the mode ``score`` only the score sheet of finished cities."""

    name = NAME
    title = Text("Seven Wonders", "世界の七不思議")
    seats = range(FEWEST, MOST + 1)
    options = (
        Option("mode", Text("What is played?", "何をしますか？"), _mode_values, optional=True, decisive=True),
        Option(
            "boards",
            Text("Which board?", "どの脅威ボードですか？"),
            _board_values,
            _boards_fault,
            each_seat=True,
            decisive=True,
            taken=_is_taken,
        ),
    )
    codes = CODES

    def start(self, players: Sequence[str], options: Options) -> Position:
        """The position before the deal."""
        usual = [value for value, _ in _board_values(players)][: len(players)]
        boards = options.get("boards", usual)
        fault = _boards_fault(boards, players)
        if fault is not None:
            raise ValueError(fault.en)
        mode = options.get("mode")
        if mode not in (None, SCORE):
            raise ValueError(f"there is no mode {mode!r}")
        return Position.start(players, [board(told) for told in boards], mode == SCORE)

    def restore(self, data: Mapping[str, Any]) -> Position:
        """The position that ``Position.to_json`` gave."""
        return Position.from_json(data)

    def corrected(self, saved: object, players: Sequence[str], options: Options) -> Position:
        """The position of a correction by hand."""
        return corrected(saved, self.start(players, options))

    def read_move(self, data: object) -> Move:
        """The move that its ``to_json`` gave."""
        return move_from_json(data)

    def to_move(self, position: Position) -> frozenset[int]:
        """The seats whose move it is: all of them in a round, and where coins and tokens are told."""
        if position.phase in (Phase.ROUND, Phase.TELL):
            return frozenset(range(1, position.n + 1))
        return frozenset() if position.seat is None else frozenset({position.seat + 1})

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
        """Final points and categories by seat, the winners and how the game ended."""
        outcome = position.outcome
        return {
            "final": list(position.points),
            "categories": [list(one) for one in position.categories],
            "winners": None if outcome is None else list(outcome.winners),
            "reason": None if outcome is None else outcome.reason.value,
        }


RULES = SevenWonders()
