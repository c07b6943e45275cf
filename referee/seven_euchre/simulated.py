"""A simulated table of Seven Euchre: four people who call and play by chance, with the mistakes that people make.

The simulation knows every hand. A player who does not follow suit although a hand could is only found out later, as at
a real table; the players then take the deal back to that trick or annul it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from referee.layout import TableLayout as AnyLayout
from referee.seven_euchre.layout import ASIDE, MIDDLE, Layout, trick_place
from referee.simulation.game import Attempt, Details, Mistake, Simulation
from referee.simulation.table import SimulationError, Slot
from referee.zones import BACK
from rules.cards import Card
from rules.seven_euchre.moves import SEATS, Annul, BackTo, Bid, Deal, Exchange, Move, Pass, Play, TurnUp
from rules.seven_euchre.play import deal
from rules.seven_euchre.position import Position, seats_of
from rules.seven_euchre.round import DealPhase, side_of
from rules.text import Text

CARELESS = 0.04
"""How often a player makes a mistake, where there is an occasion for one."""

_PACKET_MM, _FROM_SIDE_MM, _FROM_MIDDLE = 25.0, 45.0, 0.35
"""Packets are shifted by so much; the first lies so far from the area's side, and all at that share of its depth."""
_TRICK_MM, _TRICK_DEGREES = 25.0, 10.0
_PASSES, _RAISES = 0.6, 5
_AT_ONCE, _GATHERED_AND_LED, _TURNED_IN_PLACE = 0.25, 0.4, 0.3


class EuchreSimulation(Simulation):
    """Four people at a table; ``position`` is the public one, which is all that the result follows from."""

    def __init__(self, start: Position, layout: AnyLayout, rng: Random, careless: float = CARELESS) -> None:
        assert isinstance(layout, Layout), "the layout is that of this game"
        super().__init__(start, layout, rng, careless)
        self._layout = layout
        self.hands: list[set[Card]] = []
        """What everybody holds, by seat."""
        self._middle: Card | None = None
        self._gatherers = (1, 2)
        self._revokes: list[int] = []
        self._warned = False

    def play_game(self) -> Iterator[Attempt]:
        """Make one change of the table or one call after the other, to the end of the game."""
        due = {
            DealPhase.DEAL: self._play_deal,
            DealPhase.AUCTION: self._play_calls,
            DealPhase.TURN_UP: self._turns_up,
            DealPhase.EXCHANGE: self._play_exchange,
            DealPhase.PLAY: self._play_cards,
        }
        while self.position.outcome is None:
            phase = self.position.phase
            if phase is not DealPhase.DEAL:
                yield from self._try_mistakes(*MISTAKES[phase])
            yield from due[phase]()

    def has_noticed(self, state: Any) -> bool:
        """Tell whether cards that had to go back to the hands have done so."""
        return state.going_back is None

    # Hands on the table

    def lay(self, place: str, name: str) -> None:
        """Lay a card, or a packet into a seat's area."""
        spot, _, seat = place.partition(":")
        angle, off = self.table.find_upright(int(seat)) if seat else 0.0, (3.0, 4.0)
        if spot == "seat":
            x0, y0, _, y1 = self.table.find_box(place)
            x = x0 + _FROM_SIDE_MM + len(self.table.list_in(place)) * _PACKET_MM
            deep = _FROM_MIDDLE * (y1 - y0)
            y = y1 - deep if self._layout.faces_down(int(seat)) else y0 + deep
        else:
            x, y = self._layout.locate_spot(place)
            off = (_TRICK_MM, _TRICK_DEGREES) if spot == "trick" else off
        self.table.put(name, Slot(place, x, y, angle, *off))

    def gather(self, side: int) -> None:
        """Turn the trick into a packet of that side."""
        self.table.take("trick")
        self.lay(f"seat:{self._gatherers[side]}", BACK)

    def any_of(self, seat: int) -> Card:
        """Return a card of a hand, by chance."""
        return self._rng.choice(sorted(self.hands[seat - 1], key=lambda card: card.index))

    @property
    def mover(self) -> int:
        """The seat to move."""
        seat: int = self.position.to_move
        return seat

    @property
    def trick(self) -> Sequence[Play]:
        """What lies in the trick."""
        return self.position.round.trick if self.position.round is not None else ()

    # A deal, step by step

    def _play_deal(self) -> Iterator[Attempt]:
        dealt = deal(self._rng)
        assert dealt.hands is not None, "with full information the hands are known"
        self.hands, self._middle = [set(hand) for hand in dealt.hands], dealt.middle
        self._gatherers = (self._rng.choice(seats_of(0)), self._rng.choice(seats_of(1)))
        self._revokes = []
        self.table.restore(())
        self.lay(MIDDLE, BACK)
        yield self._do(Deal(), Attempt(None, Deal()))

    def _play_calls(self) -> Iterator[Attempt]:
        seat, bids = self.mover, self.position.bids
        call: Move = Pass(seat)
        if bids and self._rng.random() >= _PASSES:
            call = self._rng.choice(bids[:_RAISES])
        yield self._do(call, Attempt(seat, call, told=call))

    def _turns_up(self) -> Iterator[Attempt]:
        assert self._middle is not None, "the middle card lies there"
        move = TurnUp(self._middle)
        self.table.take(MIDDLE)
        self.lay(MIDDLE if self._rng.random() < _TURNED_IN_PLACE else ASIDE, str(self._middle))
        yield self._do(move, Attempt(None, move, unconfirmed=True))

    def _play_exchange(self) -> Iterator[Attempt]:
        seat = self.mover
        assert self._middle is not None, "the middle card lies there"
        self.hands[seat - 1].add(self._middle)
        self.hands[seat - 1].remove(self.any_of(seat))
        self.table.take(MIDDLE)
        self.lay(ASIDE, BACK)
        yield self._do(Exchange(seat), Attempt(seat, Exchange(seat), unconfirmed=True))

    def _play_cards(self) -> Iterator[Attempt]:
        """Play one card or, where the next player is quick, two at once."""
        position, seat = self.position, self.mover
        plays = [Play(seat, self._choose_card(position, seat))]
        if position.verify(plays[0]) is None and len(self.trick) < SEATS - 1 and self._rng.random() < _AT_ONCE:
            after = position.do(plays[0])
            following = seat % SEATS + 1
            plays.append(Play(following, self._choose_card(after, following)))
        for play in plays:
            self.lay(trick_place(play.seat), str(play.card))
        for play in plays:
            refusal = self.position.verify(play)
            if refusal is not None:
                yield from self._found_out(play, refusal.code)
                return
            if self._revokes_with(play):
                self._revokes.append(self.position.trick_number)
            self.hands[play.seat - 1].discard(play.card)
            yield self._do(play, Attempt(play.seat, play, unconfirmed=True))
        if not self.trick:
            yield from self._gather_trick()

    def _choose_card(self, position: Position, seat: int) -> Card:
        """Choose a card that the rules allow; now and then one that does not follow although the hand could."""
        assert position.round is not None, "cards have been dealt"
        hand = sorted(self.hands[seat - 1], key=lambda card: card.index)
        follow = [card for card in hand if card.bit & position.round.to_follow]
        others = [card for card in hand if card not in follow]
        warned, self._warned = self._warned, False
        if follow and (warned or not (others and self._is_slipping())):
            return self._rng.choice(follow)
        return self._rng.choice(others or hand)

    def _revokes_with(self, play: Play) -> bool:
        """Tell whether a player does not follow although the hand could."""
        assert self.position.round is not None, "cards have been dealt"
        follow = self.position.round.to_follow
        return not play.card.bit & follow and any(card.bit & follow for card in self.hands[play.seat - 1])

    def _gather_trick(self) -> Iterator[Attempt]:
        """Gather the trick into a packet, at times with the wrong side; the next lead may come in the same moment."""
        last = self.position.last_trick
        assert last is not None, "a trick is complete"
        if self.position.phase is not DealPhase.OVER:
            yield from self._try_mistakes(GATHERED_WRONGLY)
        self.gather(last.side)
        if self.position.phase is DealPhase.PLAY and self._rng.random() >= _GATHERED_AND_LED:
            yield Attempt(None, unconfirmed=True)

    def _found_out(self, play: Play, code: str) -> Iterator[Attempt]:
        """Play a card that its player takes back, or one that
        proves an earlier revoke; then the players take a way out.
        """
        tricks, seat = self.position.revoked_in(play.seat, play.card), play.seat
        self._warned = self._revokes_with(play)
        words = Text("Somebody has not followed suit earlier.")
        words = Text("{who} does not follow suit.", who=self.name_player(seat)) if self._warned else words
        yield Attempt(seat, code=code, blunder=words, unconfirmed=True, mistake=code)
        if self._warned:
            self.table.remove(*self.table.list_in(trick_place(seat)))
            return
        trick = next((trick for trick in self._revokes if trick in tricks), None)
        if trick is None:
            raise SimulationError(Text("An honest player is convicted."))
        back = BackTo(trick) if self._rng.random() < 0.5 else None
        if back is None:
            yield self._do(Annul(), Attempt(None, Annul(), told=Annul()))
            return
        self._revokes = [one for one in self._revokes if one < trick]
        plays = self.position.round.plays if self.position.round is not None else ()
        for one in plays[(back.trick - 1) * SEATS :]:
            self.hands[one.seat - 1].add(one.card)
        yield self._do(back, Attempt(None, back, told=back))
        stale = {Card.parse(one.card.name) for one in self.table.list_in("trick")}
        self._put_back()
        lead = self.position.to_move or 1
        # Who lays a card where it lay already must first be seen to have taken it up.
        if self._rng.random() >= _GATHERED_AND_LED or stale & (self.hands[lead - 1] | self.hands[lead % SEATS]):
            yield Attempt(None, unconfirmed=True)

    def _put_back(self) -> None:
        """Put the table back as at the lead to a trick: as many packets as tricks were taken, and an empty middle."""
        self.table.take("trick")
        for side, count in enumerate(self.position.tricks):
            self.table.remove(*self.table.list_in(f"seat:{self._gatherers[side]}")[count:])


def _list_seats(game: EuchreSimulation, *but: int) -> list[int]:
    """Return seats with cards in their hands, but some of them, in a random order."""
    seats = [seat for seat in range(1, SEATS + 1) if seat not in but and game.hands[seat - 1]]
    return game.shuffle_things(seats)


def _find_next(game: EuchreSimulation) -> list[int]:
    return [game.mover % SEATS + 1]


def _bids_the_same(game: EuchreSimulation, seat: int) -> Details:
    highest = game.position.highest
    return {"told": Bid(seat, highest.tricks, highest.trump)}


def _shows_a_card(game: EuchreSimulation, seat: int) -> None:
    game.lay(trick_place(seat), str(game.any_of(seat)))


_by_itself = partial(Mistake[EuchreSimulation, Any], confirmed=False)
_TOO_EARLY = Text("{who} plays a card too early.")

MISTAKES = {
    DealPhase.AUCTION: (
        _by_itself(
            "out_of_turn", Text("{who} passes out of turn."), _find_next, lambda game, seat: {"told": Pass(seat)}
        ),
        _by_itself(
            "bid_too_low",
            Text("The bid is not higher."),
            lambda game: [game.mover] if game.position.highest else [],
            _bids_the_same,
        ),
        _by_itself("auction_due", _TOO_EARLY, _find_next, _shows_a_card),
    ),
    DealPhase.TURN_UP: (_by_itself("turn_up_due", _TOO_EARLY, _list_seats, _shows_a_card),),
    DealPhase.EXCHANGE: (_by_itself("exchange_due", _TOO_EARLY, lambda game: [game.mover], _shows_a_card),),
    DealPhase.PLAY: (
        _by_itself(
            "out_of_turn",
            Text("{who} plays out of turn."),
            lambda game: _list_seats(game, game.mover, *(play.seat for play in game.trick)),
            _shows_a_card,
        ),
        _by_itself(
            "two_cards",
            Text("{who} plays a second card."),
            lambda game: [play.seat for play in game.trick[-1:] if game.hands[play.seat - 1]],
            _shows_a_card,
        ),
        _by_itself(
            "trick_incomplete",
            Text("The trick is gathered too early."),
            lambda game: [None] if game.trick else [],
            lambda game, _: game.gather(side_of(game.mover)),
        ),
    ),
}
"""The mistakes that are made while something is due, each noticed without a press."""

GATHERED_WRONGLY = _by_itself(
    "trick_not_theirs",
    Text("The wrong side gathers the trick."),
    lambda game: [None],
    lambda game, _: game.gather(1 - game.position.last_trick.side),
)

SIMULATION = EuchreSimulation
