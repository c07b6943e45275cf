"""A simulated table of Seven Euchre: four people who call and play by chance, with the mistakes that people make.

The simulation knows every hand. A player who does not follow suit although a hand could is only found out later, as at
a real table; the players then take the deal back to that trick or annul it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from referee.layout import Layout as AnyLayout
from referee.placing import Placed, tossed
from referee.seven_euchre.layout import ASIDE, MIDDLE, Layout, trick_place
from referee.simulation import Attempt, SimulationError
from referee.zones import BACK
from rules.cards import Card
from rules.seven_euchre.moves import SEATS, Annul, BackTo, Bid, Deal, Exchange, Move, Pass, Play, TurnUp
from rules.seven_euchre.play import deal
from rules.seven_euchre.position import Position, seats_of
from rules.seven_euchre.round import Phase, side_of
from rules.text import Text, player

CARELESS = 0.04
"""How often a player makes a mistake, where there is an occasion for one."""

_PACKET_MM, _FROM_SIDE_MM, _FROM_MIDDLE = 25.0, 45.0, 0.35
"""Packets are shifted by so much; the first lies so far from the area's side, and all at that share of its depth."""
_TRICK_MM, _TRICK_DEGREES = 25.0, 10.0
_PASSES, _RAISES = 0.6, 5
_AT_ONCE, _GATHERED_AND_LED, _TURNED_IN_PLACE = 0.25, 0.4, 0.3


@dataclass(frozen=True)
class _Laid:
    """A card or packet on the table: where it belongs, and how it lies."""

    place: str
    card: Placed


class EuchreSimulation:
    """Four people at a table; ``position`` is the public one, which is all that the result follows from."""

    def __init__(self, start: Position, layout: AnyLayout, rng: Random, careless: float = CARELESS) -> None:
        assert isinstance(layout, Layout), "the layout is that of this game"
        self.position = start
        self._layout, self._rng, self._careless = layout, rng, careless
        # A randomness of its own: how cards happen to lie must not change how the game goes.
        self._fingers = Random(rng.getrandbits(64))
        self._laid: list[_Laid] = []
        self._hands: list[set[Card]] = []
        self._middle: Card | None = None
        self._gatherers = (1, 2)
        self._revokes: list[int] = []
        self._warned = False

    @property
    def lying(self) -> tuple[Placed, ...]:
        """Every card on the mat now, bottom to top."""
        return tuple(one.card for one in self._laid)

    def attempts(self) -> Iterator[Attempt]:
        """One change of the table or one call after the other, to the end of the game."""
        while self.position.outcome is None:
            phase = self.position.phase
            if phase is Phase.DEAL:
                yield from self._deals()
            elif phase is Phase.AUCTION:
                yield from self._calls()
            elif phase is Phase.TURN_UP:
                yield from self._turns_up()
            elif phase is Phase.EXCHANGE:
                yield from self._exchanges()
            else:
                yield from self._plays()

    def straighten(self) -> None:
        """Lay every card straight on its place."""
        packets = dict.fromkeys(range(1, SEATS + 1), 0)
        for number, one in enumerate(self._laid):
            spot, _, seat = one.place.partition(":")
            if spot == "seat":
                x, y = self._packet_spot(int(seat), packets[int(seat)])
                packets[int(seat)] += 1
            else:
                x, y = self._layout.spot(one.place)
            angle = self._angle(one.place)
            self._laid[number] = _Laid(one.place, tossed(self._fingers, one.card.name, x, y, angle, 0.5, 0.5))

    def same(self, move: Any, other: Any) -> bool:
        """Whether two moves are equal."""
        return bool(move == other)

    def has_noticed(self, state: Any) -> bool:
        """Whether cards that had to go back to the hands have done so."""
        return state.going_back is None

    # Hands on the table

    def _angle(self, place: str) -> float:
        _, _, seat = place.partition(":")
        return 180.0 if seat and self._layout.faces_down(int(seat)) else 0.0

    def _packet_spot(self, seat: int, number: int) -> tuple[float, float]:
        x0, y0, _, y1 = self._layout.seat_rect(seat)
        deep = _FROM_MIDDLE * (y1 - y0)
        return x0 + _FROM_SIDE_MM + number * _PACKET_MM, y1 - deep if self._layout.faces_down(seat) else y0 + deep

    def _lay(self, place: str, name: str) -> None:
        spot, _, seat = place.partition(":")
        mm, degrees = 3.0, 4.0
        if spot == "seat":
            x, y = self._packet_spot(int(seat), sum(one.place == place for one in self._laid))
        else:
            x, y = self._layout.spot(place)
            if spot == "trick":
                mm, degrees = _TRICK_MM, _TRICK_DEGREES
        self._laid.append(_Laid(place, tossed(self._fingers, name, x, y, self._angle(place), mm, degrees)))

    def _take(self, place: str) -> None:
        self._laid = [one for one in self._laid if one.place != place]

    def _take_trick(self) -> None:
        self._laid = [one for one in self._laid if not one.place.startswith("trick:")]

    def _slips(self) -> bool:
        return self._rng.random() < self._careless

    def _mistake(self, seat: int | None, code: str, words: Text, **more: Any) -> Iterator[Attempt]:
        """A mistake, and its mending: the table lies as before."""
        yield Attempt(seat, code=code, blunder=words, unconfirmed="told" not in more, mistake=code, **more)

    # A deal, step by step

    def _deals(self) -> Iterator[Attempt]:
        dealt = deal(self._rng)
        assert dealt.hands is not None, "with full information the hands are known"
        self._hands, self._middle = [set(hand) for hand in dealt.hands], dealt.middle
        self._gatherers = (self._rng.choice(seats_of(0)), self._rng.choice(seats_of(1)))
        self._laid, self._revokes = [], []
        self._lay(MIDDLE, BACK)
        yield self._do(Deal(), Attempt(None, Deal()))

    def _do(self, move: Move, attempt: Attempt) -> Attempt:
        """The attempt, with its move played."""
        self.position = self.position.do(move)
        return attempt

    def _calls(self) -> Iterator[Attempt]:
        position, seat = self.position, self.position.to_move
        assert seat is not None, "an auction runs"
        if self._slips():
            yield from self._miscalls(seat)
        bids = position.bids
        call: Move = Pass(seat)
        if bids and self._rng.random() >= _PASSES:
            call = self._rng.choice(bids[:_RAISES])
        yield self._do(call, Attempt(seat, call, told=call))

    def _miscalls(self, seat: int) -> Iterator[Attempt]:
        """Somebody calls out of turn or too low, or lays a card already."""
        other = seat % SEATS + 1
        who = player(self.position.name(other))
        how = self._rng.randrange(3)
        highest = self.position.highest
        if how == 0:
            words = Text("{who} passes out of turn.", who=who)
            yield from self._mistake(other, "out_of_turn", words, told=Pass(other))
        elif how == 1 and highest is not None:
            words = Text("The bid is not higher.")
            yield from self._mistake(seat, "bid_too_low", words, told=Bid(seat, highest.tricks, highest.trump))
        else:
            yield from self._too_early(other, "auction_due")

    def _too_early(self, seat: int, code: str) -> Iterator[Attempt]:
        who = player(self.position.name(seat))
        words = Text("{who} plays a card too early.", who=who)
        self._lay(trick_place(seat), str(self._any_of(seat)))
        yield from self._mistake(seat, code, words)
        self._laid.pop()

    def _any_of(self, seat: int) -> Card:
        return self._rng.choice(sorted(self._hands[seat - 1], key=lambda card: card.index))

    def _turns_up(self) -> Iterator[Attempt]:
        if self._slips():
            yield from self._too_early(self._rng.randint(1, SEATS), "turn_up_due")
        assert self._middle is not None, "the middle card lies there"
        move = TurnUp(self._middle)
        self._take(MIDDLE)
        self._lay(MIDDLE if self._rng.random() < _TURNED_IN_PLACE else ASIDE, str(self._middle))
        yield self._do(move, Attempt(None, move, unconfirmed=True))

    def _exchanges(self) -> Iterator[Attempt]:
        seat = self.position.to_move
        assert seat is not None, "the declarer exchanges"
        assert self._middle is not None, "the middle card lies there"
        if self._slips():
            yield from self._too_early(seat, "exchange_due")
        hand = self._hands[seat - 1]
        hand.add(self._middle)
        hand.remove(self._any_of(seat))
        self._take(MIDDLE)
        self._lay(ASIDE, BACK)
        move = Exchange(seat)
        yield self._do(move, Attempt(seat, move, unconfirmed=True))

    def _plays(self) -> Iterator[Attempt]:
        """One card or, where the next player is quick, two at once."""
        position, seat = self.position, self.position.to_move
        assert seat is not None, "somebody is to play"
        if self._slips():
            yield from self._misplays(seat)
        plays = [Play(seat, self._chosen(position, seat))]
        if position.verify(plays[0]) is None and len(self._lying_trick()) < SEATS - 1 and self._rng.random() < _AT_ONCE:
            after = position.do(plays[0])
            following = seat % SEATS + 1
            plays.append(Play(following, self._chosen(after, following)))
        for play in plays:
            self._lay(trick_place(play.seat), str(play.card))
        for play in plays:
            refusal = self.position.verify(play)
            if refusal is not None:
                yield from self._found_out(play, refusal.code)
                return
            if self._revokes_with(play):
                self._revokes.append(self.position.trick_number)
            self._hands[play.seat - 1].discard(play.card)
            yield self._do(play, Attempt(play.seat, play, unconfirmed=True))
        if not self._lying_trick():
            yield from self._gathers()

    def _lying_trick(self) -> Sequence[Play]:
        return self.position.round.trick if self.position.round is not None else ()

    def _chosen(self, position: Position, seat: int) -> Card:
        """A card that the rules allow; now and then one that does not follow although the hand could."""
        assert position.round is not None, "cards have been dealt"
        hand = sorted(self._hands[seat - 1], key=lambda card: card.index)
        follow = [card for card in hand if card.bit & position.round.to_follow]
        astray = [card for card in hand if card not in follow]
        warned, self._warned = self._warned, False
        if follow and (warned or not (astray and self._slips())):
            return self._rng.choice(follow)
        return self._rng.choice(astray or hand)

    def _revokes_with(self, play: Play) -> bool:
        """Whether a player does not follow although the hand could."""
        assert self.position.round is not None, "cards have been dealt"
        follow = self.position.round.to_follow
        return not play.card.bit & follow and any(card.bit & follow for card in self._hands[play.seat - 1])

    def _misplays(self, seat: int) -> Iterator[Attempt]:
        """Somebody plays out of turn, plays a second card, or gathers a trick that is not complete."""
        trick = self._lying_trick()
        played = {play.seat for play in trick}
        how = self._rng.randrange(3)
        others = [one for one in range(1, SEATS + 1) if one != seat and one not in played and self._hands[one - 1]]
        if how == 0 and others:
            other = self._rng.choice(others)
            who = player(self.position.name(other))
            words = Text("{who} plays out of turn.", who=who)
            self._lay(trick_place(other), str(self._any_of(other)))
            yield from self._mistake(other, "out_of_turn", words)
            self._laid.pop()
        elif how == 1 and trick and self._hands[trick[-1].seat - 1]:
            other = trick[-1].seat
            who = player(self.position.name(other))
            words = Text("{who} plays a second card.", who=who)
            self._lay(trick_place(other), str(self._any_of(other)))
            yield from self._mistake(other, "two_cards", words)
            self._laid.pop()
        elif how == 2 and trick:
            before = list(self._laid)
            words = Text("The trick is gathered too early.")
            self._take_trick()
            self._lay(f"seat:{self._gatherers[side_of(seat)]}", BACK)
            yield from self._mistake(None, "trick_incomplete", words)
            self._laid = before

    def _gathers(self) -> Iterator[Attempt]:
        """The trick becomes a packet, at times with the wrong side; the next lead may come in the same moment."""
        last = self.position.last_trick
        assert last is not None, "a trick is complete"
        self._take_trick()
        before = list(self._laid)
        if self._slips() and self.position.phase is not Phase.OVER:
            words = Text("The wrong side gathers the trick.")
            self._lay(f"seat:{self._gatherers[1 - last.side]}", BACK)
            yield from self._mistake(None, "trick_not_theirs", words)
            self._laid = before
        self._lay(f"seat:{self._gatherers[last.side]}", BACK)
        if self.position.phase is Phase.PLAY and self._rng.random() >= _GATHERED_AND_LED:
            yield Attempt(None, unconfirmed=True)

    def _found_out(self, play: Play, code: str) -> Iterator[Attempt]:
        """A card that its player takes back, or one that proves an earlier revoke; then the players take a way out."""
        who, tricks = player(self.position.name(play.seat)), self.position.revoked_in(play.seat, play.card)
        if self._revokes_with(play):
            words = Text("{who} does not follow suit.", who=who)
            yield from self._mistake(play.seat, code, words)
            self._laid.pop()
            self._warned = True
            return
        words = Text("Somebody has not followed suit earlier.")
        yield from self._mistake(play.seat, code, words)
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
            self._hands[one.seat - 1].add(one.card)
        yield self._do(back, Attempt(None, back, told=back))
        stale = {Card.parse(one.name) for one in self._laid_trick}
        self._put_back()
        lead = self.position.to_move or 1
        # Who lays a card where it lay already must first be seen to have taken it up.
        if self._rng.random() >= _GATHERED_AND_LED or stale & (self._hands[lead - 1] | self._hands[lead % SEATS]):
            yield Attempt(None, unconfirmed=True)

    @property
    def _laid_trick(self) -> list[Placed]:
        return [one.card for one in self._laid if one.place.startswith("trick:")]

    def _put_back(self) -> None:
        """The table as at the lead to a trick: as many packets as tricks were taken, and an empty middle."""
        self._take_trick()
        for side, count in enumerate(self.position.tricks):
            place = f"seat:{self._gatherers[side]}"
            extra = [one for one in self._laid if one.place == place][count:]
            self._laid = [one for one in self._laid if one not in extra]
