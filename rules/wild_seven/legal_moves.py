"""The legal moves of a position as an object."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from math import perm, prod

from rules.judged import Legal
from rules.wild_seven.moves import Get, Move, Play, Reveal
from rules.wild_seven.position import Phase, Position


class LegalMoves(Legal[Position, Move]):
    """The legal moves of whoever is to move.

    Iterating gives, with full information, what the hands allow, and with public
    information what some placing of the unseen cards allows. The reveals are counted without being listed: there are
    many. Before the deal nothing is listed.
    """

    @property
    def plays(self) -> tuple[Play, ...]:
        """Every card that can be laid in front now."""
        seat = self.position.to_move
        if seat is None or self.position.in_front(seat) is not None:
            return ()
        return tuple([Play(seat, card) for card in self.position.may_be_in_hand(seat)])

    @property
    def gets(self) -> tuple[Get, ...]:
        """Every card that can be taken now, or the one Get that takes nothing."""
        seat = self.position.to_move
        if seat is None or self.position.in_front(seat) is None:
            return ()
        return tuple([Get(seat, card) for card in self.position.list_takeable(seat)] or [Get(seat)])

    @property
    def reveals(self) -> Iterator[Reveal]:
        """Every way to reveal one card each, one after the other."""
        position = self.position
        if position.phase is not Phase.REVEAL:
            return iter(())
        seats = range(1, len(position.players) + 1)
        if position.full:
            return map(Reveal, product(*map(position.get_hand, seats)))
        return map(Reveal, permutations(position.unseen, len(seats)))

    def __iter__(self) -> Iterator[Move]:
        yield from self.reveals
        yield from self.plays
        yield from self.gets

    def __len__(self) -> int:
        position = self.position
        if position.phase is Phase.REVEAL:
            n = len(position.players)
            if position.full:
                return prod(position.hand_size(seat) for seat in range(1, n + 1))
            return perm(len(position.unseen), n)
        return len(self.plays) + len(self.gets)

    def __repr__(self) -> str:
        position = self.position
        if position.phase is Phase.REVEAL:
            return f"<LegalMoves of all: {len(self)} ways to reveal>"
        if position.to_move is None:
            return "<LegalMoves none>"
        return f"<LegalMoves of {position.get_name(position.to_move)}: {'; '.join(map(str, self))}>"
