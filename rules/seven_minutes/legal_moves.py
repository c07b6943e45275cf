"""The legal moves of a position as an object."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rules.judged import Legal
from rules.seven_minutes.moves import Flip, Move, Roll, Stop
from rules.seven_minutes.position import Phase, Position

FACES = range(1, 7)


class LegalMoves(Legal[Position, Move]):
    """The legal moves of the seat to move.

    Iterating gives each card that can be flipped next, one with full information
    and every unseen one with public information, and the stop; in judgement the 36 rolls. Before the set-up nothing is
    listed.
    """

    @property
    def flips(self) -> tuple[Flip, ...]:
        """Every card that can be flipped next."""
        position = self.position
        if position.phase is not Phase.FLIP:
            return ()
        cards = position.draw_pile if position.deck is None else position.deck[:1]
        return tuple([Flip(position.seat, card) for card in cards])

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """Every roll of the two dice, brown and black kept apart, while one is due."""
        position = self.position
        if position.phase is not Phase.JUDGEMENT:
            return ()
        return tuple([Roll(position.seat, dice) for dice in product(FACES, FACES)])

    def __iter__(self) -> Iterator[Move]:
        yield from self.flips
        if self.position.may_stop:
            yield Stop(self.position.seat)
        yield from self.rolls

    def __len__(self) -> int:
        return len(self.flips) + self.position.may_stop + len(self.rolls)

    def __repr__(self) -> str:
        if self.position.to_move is None:
            return "<LegalMoves none>"
        who = self.position.get_name(self.position.seat)
        if self.position.phase is Phase.JUDGEMENT:
            return f"<LegalMoves of {who}: roll>"
        return f"<LegalMoves of {who}: flip{' or stop' if self.position.may_stop else ''}>"
