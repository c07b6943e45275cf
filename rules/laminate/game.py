"""A game of Laminate Rummy: the history of positions, and its record."""

from __future__ import annotations

from collections.abc import Sequence

from rules.laminate.moves import Deal, Move, Publish, Research, Setup
from rules.laminate.papers import LAMINATE, Papers
from rules.laminate.position import Position
from rules.record import Header, header_line, move_line


class Game:
    """A game as it goes: ``play`` adds a move. A refused move raises ``rules.refusal.Illegal`` and changes nothing."""

    def __init__(self, players: Sequence[str], first_seat: int = 1, catalogue: Papers = LAMINATE) -> None:
        self._positions = [Position.start(players, first_seat, catalogue)]
        self._moves: list[Move] = []

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played so far."""
        return tuple(self._moves)

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions so far, the one before the set-up first: one more than there are moves."""
        return tuple(self._positions)

    def play(self, move: Move) -> Position:
        """Play a move and return the position after it.

        Raises:
            rules.refusal.Illegal: the move is refused; the game is as it was.
        """
        self._positions.append(self.position.do(move))
        self._moves.append(move)
        return self.position

    def write_record(self) -> list[str]:
        """Return the game so far as the lines of a record."""
        start = self._positions[0]
        return [
            header_line(Header("laminate", start.players, {"first_seat": start.first_seat})),
            *map(move_line, self.moves),
        ]

    def make_public(self) -> Game:
        """Return the same game as everybody at the table saw it: a game with public information."""
        start = self._positions[0]
        game = Game(start.players, start.first_seat, start.catalogue)
        for move in self.moves:
            game.play(as_seen(move))
        return game


def as_seen(move: Move) -> Move:
    """Return the move as everybody at the table sees it: kept cards of draws and paid cards hidden, the deal not."""
    if isinstance(move, Deal):
        return Setup(move.discard[-1])
    if isinstance(move, Research) and move.source == "deck":
        return Research(move.seat, move.source, None, move.discard)
    if isinstance(move, Publish):
        numbers = {seat: given if isinstance(given, int) else len(given) for seat, given in move.pay.items()}
        return Publish(move.seat, move.paper, move.cards, move.cite, numbers)
    return move
