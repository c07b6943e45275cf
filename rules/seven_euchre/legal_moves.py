"""The legal moves of a position as an object."""

from __future__ import annotations

from collections.abc import Iterator

from rules.cards import DECK, cards_in
from rules.judged import Legal
from rules.seven_euchre.moves import Annul, BackTo, Bid, Deal, Exchange, Move, Pass, Play, TurnUp
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import DealPhase


class LegalMoves(Legal[Position, Move]):
    """The legal moves of a position.

    Iterating gives: in an auction the pass, then the bids, the lowest first; the
    cards that can be turned up, laid aside or played, every one that may be where only public information is there;
    and with that the ways back while a deal is played. Of deals it gives only the public one, for there are too many
    others.
    """

    @property
    def bids(self) -> tuple[Bid, ...]:
        """The bids, the lowest first."""
        return self.position.bids

    @property
    def plays(self) -> tuple[Play, ...]:
        """The cards that can be played next."""
        round = self.position.round
        if round is None or self.position.phase is not DealPhase.PLAY:
            return ()
        cards = DECK if round.hands is None else cards_in(round.hands[round.seat - 1])
        plays = [Play(round.seat, card) for card in cards]
        return tuple([play for play in plays if self.position.is_legal(play)])

    @property
    def ways_back(self) -> tuple[Annul | BackTo, ...]:
        """The ways out of a revoke, open at any time of a deal that is played with public information."""
        round = self.position.round
        if round is None or self.position.phase is not DealPhase.PLAY or self.position.full:
            return ()
        return (Annul(), *map(BackTo, range(1, round.begun + 1)))

    def __iter__(self) -> Iterator[Move]:
        position, round = self.position, self.position.round
        phase = position.phase
        if phase is DealPhase.DEAL and not position.full:
            yield Deal()
        if round is None:
            return
        if phase is DealPhase.AUCTION:
            yield Pass(round.seat)
            yield from self.bids
        elif phase is DealPhase.TURN_UP:
            yield from map(TurnUp, DECK if round.middle is None else (round.middle,))
        elif phase is DealPhase.EXCHANGE:
            yield from self._list_exchanges(round.seat)
        yield from self.plays
        yield from self.ways_back

    def _list_exchanges(self, seat: int) -> Iterator[Exchange]:
        round = self.position.round
        if round is None or round.hands is None or round.middle is None:
            yield Exchange(seat)
            return
        for card in cards_in(round.hands[seat - 1] | round.middle.bit):
            yield Exchange(seat, card)

    def __repr__(self) -> str:
        position = self.position
        who = "" if position.to_move is None else f" of {position.get_name(position.to_move)}"
        return f"<LegalMoves{who}: {len(self)}, {position.phase.value}>"
