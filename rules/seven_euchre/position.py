"""A position of Seven Euchre: what has been dealt, called and played, what is due, and the judgement of any move.

Source: the rule sheet with RULINGS.md and the game's page (the numbers in comments are its numbered rulings). A
position never changes: ``do`` gives a new one. The first deal settles of which of two kinds it is:

* with **full information** the hands, the middle card and the card laid aside are known;
* with **public information** what everybody at the table could know. A card is then refused only where no placing of
  the unseen cards allows it (``rules.seven_euchre.knowledge``).

Seats are numbered from 1, clockwise; sides come in the order seats 1 and 3, seats 2 and 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from rules import refusal as common
from rules.cards import Card, Suit, cards_in
from rules.judged import Ended, Judged, rank_places
from rules.refusal import Reason
from rules.seven_euchre import refusals as because
from rules.seven_euchre.moves import (
    SEATS,
    Annul,
    BackTo,
    Bid,
    Deal,
    Exchange,
    Move,
    Pass,
    Play,
    TurnUp,
    move_from_json,
)
from rules.seven_euchre.round import Contract, DealPhase, DealState, Trick, left_of, side_of
from rules.seven_euchre.trumps import LEAST_TRICKS, TRICKS, Trump, bid_words, suit_of, suit_words
from rules.text import Text

GAME = "seven_euchre"
TARGET = 100
"""The usual target."""

_BIDS = tuple((tricks, trump) for tricks in range(LEAST_TRICKS, TRICKS + 1) for trump in Trump)
_NUMBERS = tuple((tricks, None) for tricks in range(LEAST_TRICKS, TRICKS + 1))

_AT_HOME = {
    DealPhase.DEAL: (Deal,),
    DealPhase.AUCTION: (Bid, Pass),
    DealPhase.TURN_UP: (TurnUp,),
    DealPhase.EXCHANGE: (Exchange,),
    DealPhase.PLAY: (Play, Annul, BackTo),
    DealPhase.OVER: (),
}


class Ending(StrEnum):
    """Why a game ended."""

    TARGET = "target"


@dataclass(frozen=True, slots=True, repr=False)
class Position(Judged[Move]):
    """One moment of a game. Make the first one with ``Position.start``, the others with ``do``."""

    codes = because.CODES
    players: tuple[str, ...]
    first_dealer: int
    target: int
    full: bool | None
    """True with full information, False with public, ``None`` before the first deal."""
    dealer: int
    """The seat that dealt the cards, and that deals next where a deal is due."""
    points: tuple[int, int]
    """The points by side, of the deals that were played out."""
    deals: int
    """How many deals were played out."""
    round: DealState | None
    """The deal that is played or, until the next one, was played out last."""

    @classmethod
    def start(cls, players: Sequence[str], dealer: int = 1, target: int = TARGET) -> Position:
        """Return the position before the first deal.

        Raises:
            ValueError: not four players, no such dealer, or no such target.
        """
        if len(players) != SEATS:
            raise ValueError(f"Seven Euchre is for {SEATS} players, not {len(players)}")
        if not 1 <= dealer <= SEATS:
            raise ValueError(f"there is no seat {dealer} among {SEATS} players")
        if target < 1:
            raise ValueError(f"the target can't be {target}")
        return cls(tuple(players), dealer, target, None, dealer, (0, 0), 0, None)

    # What a position shows

    @property
    def phase(self) -> DealPhase:
        """What is due: ``deal``, ``auction``, ``turn_up``, ``exchange``, ``play``; or ``over``."""
        if self.decided:
            return DealPhase.OVER
        return DealPhase.DEAL if self.round is None else self.round.phase

    @property
    def decided(self) -> bool:
        """Whether a side has reached the target and the other has fewer points (6)."""
        return max(self.points) >= self.target and self.points[0] != self.points[1]

    @property
    def outcome(self) -> Ended | None:
        """The end of the game as a value, ``None`` before it."""
        if not self.decided:
            return None
        places = rank_places([self.points[side_of(seat)] for seat in range(1, len(self.players) + 1)])
        return Ended(Ending.TARGET, places, self.points)

    @property
    def to_move(self) -> int | None:
        """The seat to call, exchange or play; ``None`` where cards are to be dealt or turned up, and after the end."""
        return (
            self.round.seat
            if self.round and self.phase in (DealPhase.AUCTION, DealPhase.EXCHANGE, DealPhase.PLAY)
            else None
        )

    @property
    def turned_up(self) -> Card | None:
        """The middle card turned up after four passes."""
        return self.round.turned_up if self.round else None

    @property
    def second_auction(self) -> bool:
        """Whether an auction runs in which only numbers are bid."""
        return self.phase is DealPhase.AUCTION and self.turned_up is not None

    @property
    def calls(self) -> tuple[Bid | Pass, ...]:
        """Bids and passes of the deal's first auction, or of the second once its card is turned up."""
        calls: list[Bid | Pass] = []
        for move in self.round.moves if self.round else ():
            if isinstance(move, TurnUp):
                calls.clear()
            elif isinstance(move, (Bid, Pass)):
                calls.append(move)
        return tuple(calls)

    @property
    def highest(self) -> Bid | None:
        """The highest bid of the auction."""
        return self.round.highest if self.round else None

    @property
    def bids(self) -> tuple[Bid, ...]:
        """The bids that the seat to call can make, the lowest first; none where no auction runs."""
        if self.round is None or self.phase is not DealPhase.AUCTION:
            return ()
        every = _NUMBERS if self.second_auction else _BIDS
        return tuple([Bid(self.round.seat, *bid) for bid in every if self._is_higher(*bid)])

    @property
    def contract(self) -> Contract | None:
        """What the auction of this deal, or of the last one, came to; ``None`` before its end."""
        return self.round.contract if self.round else None

    @property
    def trump(self) -> Trump | None:
        """The trump of this deal; once the card is turned up it is settled before the contract."""
        return self.round.trump if self.round else None

    @property
    def tricks(self) -> tuple[int, int]:
        """The tricks taken in this deal, or the last one, by side."""
        return self.round.tricks if self.round else (0, 0)

    @property
    def trick_number(self) -> int:
        """The number of the trick that is being played, 1 to 12; 0 where none is."""
        return len(self.round.plays) // SEATS + 1 if self.round and self.phase is DealPhase.PLAY else 0

    @property
    def trick(self) -> tuple[Card | None, ...]:
        """The cards of the trick that is being played, by seat."""
        found: list[Card | None] = [None] * SEATS
        for play in self.round.trick if self.round else ():
            found[play.seat - 1] = play.card
        return tuple(found)

    @property
    def led(self) -> Card | None:
        """The card that was led to the trick that is being played."""
        trick = self.round.trick if self.round else ()
        return trick[0].card if trick else None

    @property
    def led_suit(self) -> Suit | None:
        """The suit to be followed: the trump suit where a 7 was led to it (1)."""
        return suit_of(self.led, self.trump) if self.led is not None and self.trump is not None else None

    @property
    def following(self) -> tuple[Card, ...]:
        """All the cards that follow the led one, it among them; with a trump suit the 7s follow only trumps (1)."""
        return cards_in(self.round.to_follow) if self.round else ()

    @property
    def last_trick(self) -> Trick | None:
        """The last complete trick of this deal, or of the last one: who won it and whose side gathers it."""
        return self.round.last_trick if self.round else None

    @property
    def last_points(self) -> tuple[int, int] | None:
        """The points by side of the deal that was just played out, ``None`` while another is played."""
        return self.round.points if self.round else None

    def hand_size(self, seat: int) -> int:
        """Return the number of cards in that seat's hand; everybody knows it."""
        return self.round.sizes[seat - 1] if self.round else 0

    def get_hand(self, seat: int) -> tuple[Card, ...]:
        """Return the hand itself, with full information only.

        Raises:
            ValueError: the hands are not known, or not dealt.
        """
        if self.round is None or self.round.hands is None:
            raise ValueError("hands are known once dealt, and with full information only")
        return cards_in(self.round.hands[seat - 1])

    def may_hold(self, seat: int, card: Card) -> bool:
        """Tell whether that card can be in that hand: publicly known or, with full information, as it is."""
        return self.round is not None and self.round.may_hold(seat, card)

    def revoked_in(self, seat: int, card: Card) -> tuple[int, ...]:
        """Return the tricks in one of which somebody revoked, where that seat shows this card now (5); mostly none."""
        return self.round.revoked_in(seat, card) if self.round else ()

    # Judging a move

    def _apply_move(self, move: Move) -> Position:
        if isinstance(move, Deal):
            return replace(self, full=move.hands is not None, round=DealState.from_deal(self.dealer, move))
        if self.round is None or isinstance(move, Annul):
            # Without a deal nothing but a deal is legal.
            return replace(self, round=None)
        if isinstance(move, BackTo):
            return replace(self, round=self.round.back_to(move.trick))
        after = self.round.apply_move(move)
        if after.phase is not DealPhase.DEAL:
            return replace(self, round=after)
        points, dealer = after.points, left_of(self.dealer)
        if points is None:
            # Everybody passed twice, and the cards are gathered.
            return replace(self, dealer=dealer, round=None)
        total = (self.points[0] + points[0], self.points[1] + points[1])
        return replace(self, dealer=dealer, round=after, points=total, deals=self.deals + 1)

    def _find_reasons(self, move: Move) -> Sequence[Reason]:
        reasons = [common.bad_record(fault) for fault in self._find_faults(move)]
        phase = self.phase
        if phase is DealPhase.OVER:
            return [*reasons, common.game_over()]
        at_home = isinstance(move, _AT_HOME[phase])
        if not at_home:
            reasons.append(self._report_due(phase))
        seat = self.to_move
        if seat is not None and isinstance(move, (Bid, Pass, Exchange, Play)) and move.seat != seat:
            reasons.append(common.out_of_turn(self.seat_words(move.seat), self.seat_words(seat)))
        if not at_home or self.round is None:
            return reasons
        if isinstance(move, Bid):
            if self.highest is not None and not self._is_higher(move.tricks, move.trump):
                last = bid_words(self.highest.tricks, self.highest.trump)
                reasons.append(because.bid_too_low(bid=bid_words(move.tricks, move.trump), highest=last))
        elif isinstance(move, TurnUp):
            if self.round.middle not in (None, move.card):
                reasons.append(because.not_the_middle_card(card=move.card))
        elif isinstance(move, Exchange):
            if move.lay_aside is not None and self.full and not self._can_lay_aside(move.lay_aside):
                reasons.append(because.not_in_hand(who=self.seat_words(self.round.seat), card=move.lay_aside))
        elif isinstance(move, Play) and 1 <= move.seat <= SEATS:
            self._judge_play(self.round, move, reasons)
        return reasons

    def _find_faults(self, move: Move) -> list[Text]:
        """List what makes the line useless whenever it comes."""
        if isinstance(move, Deal):
            return self._deal_faults(move)
        faults: list[Text] = []
        if isinstance(move, (Bid, Pass, Exchange, Play)) and not 1 <= move.seat <= SEATS:
            faults.append(Text("there is no seat {seat}", seat=move.seat))
        if isinstance(move, Bid):
            if not LEAST_TRICKS <= move.tricks <= TRICKS:
                faults.append(Text("7 to 12 tricks can be bid"))
            if self.phase is DealPhase.AUCTION and self.second_auction is (move.trump is not None):
                faults.append(
                    Text("the second auction is of numbers only")
                    if move.trump is not None
                    else Text("the bid lacks 'trump'")
                )
        elif isinstance(move, Exchange):
            if self.full and move.lay_aside is None:
                faults.append(Text("the line lacks 'lay_aside'"))
            elif self.full is False and move.lay_aside is not None:
                faults.append(Text("with public information nobody knows 'lay_aside'"))
        elif isinstance(move, (Annul, BackTo)):
            if self.full:
                faults.append(Text("with full information no deal is taken back"))
            if isinstance(move, BackTo):
                faults += self._trick_faults(move.trick)
        return faults

    def _trick_faults(self, trick: int) -> list[Text]:
        if not 1 <= trick <= TRICKS:
            return [Text("a deal has tricks 1 to {tricks}", tricks=TRICKS)]
        if self.round is not None and self.phase is DealPhase.PLAY and trick > self.round.begun:
            return [Text("trick {trick} has no card yet", trick=trick)]
        return []

    def _deal_faults(self, move: Deal) -> list[Text]:
        if move.hands is None or move.middle is None:
            if move.hands is not None or move.middle is not None:
                return [Text("'hands' and 'middle' go together")]
            return [Text("it lacks the hands dealt")] if self.full else []
        if self.full is False:
            return [Text("with public information nobody knows the hands")]
        if len(move.hands) != SEATS or any(len(hand) != TRICKS for hand in move.hands):
            return [Text("'hands' must be {seats} hands of {tricks} cards", seats=SEATS, tricks=TRICKS)]
        (card, count), *_ = Counter([card for hand in move.hands for card in hand] + [move.middle]).most_common(1)
        return [Text("{card} is dealt twice", card=card)] if count > 1 else []

    def _report_due(self, phase: DealPhase) -> Reason:
        """Return the reason that names what is due."""
        if phase is DealPhase.TURN_UP:
            return because.turn_up_due()
        if self.round is None or phase is DealPhase.DEAL:
            return because.deal_due(dealer=self.seat_words(self.dealer))
        due = {
            DealPhase.AUCTION: because.auction_due,
            DealPhase.EXCHANGE: because.exchange_due,
            DealPhase.PLAY: because.play_due,
        }
        return due[phase](who=self.seat_words(self.round.seat))

    def _is_higher(self, tricks: int, trump: Trump | None) -> bool:
        """Tell whether a bid is higher than the last one: more tricks, or as many and a later suit (3)."""
        last = self.highest
        if last is None or tricks != last.tricks:
            return last is None or tricks > last.tricks
        return trump is not None and last.trump is not None and trump.place > last.trump.place

    def _can_lay_aside(self, card: Card) -> bool:
        """Tell whether the declarer, whose turn it is, has that card or takes it."""
        return self.round is not None and (card is self.round.middle or self.round.may_hold(self.round.seat, card))

    def _judge_play(self, round: DealState, move: Play, reasons: list[Reason]) -> None:
        """Look whether the card can be in that hand, and whether it follows as it must."""
        who, card, seat = self.seat_words(move.seat), move.card, move.seat
        if not round.may_hold(seat, card):
            reasons.append(self._explain_not_held(round, seat, card))
        follow = round.to_follow
        if follow and seat == round.seat and not follow & card.bit and round.must_follow(seat):
            led, tricks = round.trick[0].card, round.revoked_in(seat, card)
            suit = self._suit_words(led)
            if tricks:
                numbers = because.one_of(tricks)
                reasons.append(because.must_follow_or_revoked(who=who, card=card, led=led, suit=suit, tricks=numbers))
            else:
                reasons.append(because.must_follow(who=who, card=card, led=led, suit=suit))

    def _explain_not_held(self, round: DealState, seat: int, card: Card) -> Reason:
        """Say why this card can't be in that hand."""
        trick, revoked = round.trick_of(card), round.revoked_in(seat, card)
        if trick is not None:
            return because.played_already(card=card, trick=trick)
        if card is round.turned_up:
            return because.out_of_play(card=card)
        if not revoked:
            return because.not_in_hand(who=self.seat_words(seat), card=card)
        if round.not_followed(seat, card) is not None:
            return because.revoke(who=self.seat_words(seat), card=card, suit=self._suit_words(card), trick=revoked[0])
        return because.somebody_revoked(who=self.seat_words(seat), card=card, tricks=because.one_of(revoked))

    def _suit_words(self, card: Card) -> Text:
        return suit_words(card, self.trump) if self.trump is not None else card.suit.text

    # Printing, saving

    def __repr__(self) -> str:
        return f"<Position {self._describe_phase()}, points {list(self.points)}>"

    def _describe_phase(self) -> str:
        phase = self.phase
        if self.round is None or phase in (DealPhase.DEAL, DealPhase.OVER):
            return "the game is over" if phase is DealPhase.OVER else f"{self.get_name(self.dealer)} to deal"
        who, highest = self.get_name(self.round.seat), self.highest
        if phase is DealPhase.TURN_UP:
            return "the middle card to turn up"
        if self.contract is None:
            last = "no bid" if highest is None else bid_words(highest.tricks, highest.trump)
            up = "" if self.turned_up is None else f", {self.turned_up} turned up"
            return f"{who} to call, {last}{up}"
        game = f"{self.contract} by {self.get_name(self.contract.seat)}"
        if phase is DealPhase.EXCHANGE:
            return f"{who} to exchange, {game}"
        lying = " ".join(str(play.card) for play in self.round.trick) or "the lead"
        return f"{who} to play, trick {self.trick_number}: {lying}, {game}, tricks {list(self.tricks)}"

    def to_json(self) -> dict[str, Any]:
        """Return the whole position as JSON-able data; ``Position.from_json`` restores it.

        ``points`` and ``deals`` are those before the deal whose moves follow, ``dealt_by`` is that deal's dealer.
        """
        scored = self.last_points
        before = self.points if scored is None else (self.points[0] - scored[0], self.points[1] - scored[1])
        return {
            "game": GAME,
            "players": list(self.players),
            "dealer": self.first_dealer,
            "target": self.target,
            "full": self.full,
            "points": list(before),
            "deals": self.deals - (scored is not None),
            "dealt_by": self.dealer if self.round is None else self.round.dealer,
            "moves": [move.to_json() for move in self.round.moves] if self.round else [],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Position:
        """Restore what ``to_json`` gave: the moves of the deal are played again.

        Raises:
            ValueError: a value that can't be.
            KeyError: something is missing.
            Illegal: the moves are not by the rules.
        """
        if data["game"] != GAME:
            raise ValueError("the position was saved in another game")
        start = cls.start(data["players"], data["dealer"], data["target"])
        found = replace(
            start,
            full=data["full"],
            dealer=data["dealt_by"],
            points=(data["points"][0], data["points"][1]),
            deals=data["deals"],
        )
        for move in data["moves"]:
            found = found.do(move_from_json(move))
        return found


def seats_of(side: int) -> tuple[int, ...]:
    """Return the seats of a side."""
    return tuple(seat for seat in range(1, SEATS + 1) if side_of(seat) == side)
