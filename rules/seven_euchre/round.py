"""One deal of Seven Euchre, from the cards dealt to the last trick: what has happened in it, and what is due.

A ``DealState`` never changes; ``apply_move`` gives the next one and takes the move for legal. Seats are numbered from
1; what is kept by seat or by hand is a tuple from seat 1 on, by side one for seats 1 and 3 and one for seats 2 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from rules.cards import ALL, Card, cards_in, mask_of
from rules.judged import with_seat
from rules.seven_euchre.knowledge import may_hold, must_hold, too_few
from rules.seven_euchre.moves import SEATS, Bid, Deal, Exchange, Move, Pass, Play, TurnUp
from rules.seven_euchre.trumps import LEAST_TRICKS, TRICKS, Trump, bid_words, find_following, find_strongest, trump_of
from rules.text import Text

_NOT_FOLLOWED = (0,) * SEATS


class DealPhase(StrEnum):
    """What is due."""

    DEAL = "deal"
    AUCTION = "auction"
    TURN_UP = "turn_up"
    EXCHANGE = "exchange"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Contract:
    """What the auction came to: the declarer's seat, the tricks bid, and the trump."""

    seat: int
    tricks: int
    trump: Trump

    def __str__(self) -> str:
        return str(self.text)

    @property
    def text(self) -> Text:
        """The contract in words: ``coin 8``."""
        return bid_words(self.tricks, self.trump)


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick of four cards: its cards in the order in which they were played, and the winner's seat."""

    plays: tuple[Play, ...]
    winner: int

    @property
    def side(self) -> int:
        """The side that took it."""
        return side_of(self.winner)


def side_of(seat: int) -> int:
    """Return a seat's side: 0 for seats 1 and 3, 1 for seats 2 and 4."""
    return (seat - 1) % 2


def left_of(seat: int) -> int:
    """Return the next seat clockwise."""
    return seat % SEATS + 1


def points_of(contract: Contract, tricks: tuple[int, int]) -> tuple[int, int]:
    """Return the points of a deal by side, from the tricks by side (ruling 6)."""
    side = side_of(contract.seat)
    points = list(tricks)
    short = contract.tricks - tricks[side]
    if short > 0:
        points[1 - side] += short * tricks[1 - side]
    else:
        points[side] += contract.trump.points + 8 * (contract.tricks - LEAST_TRICKS)
    return points[0], points[1]


@dataclass(frozen=True, slots=True)
class DealState:
    """A deal as far as it has come; ``phase`` is ``DEAL`` once it is over and the next one is due."""

    dealer: int
    moves: tuple[Move, ...]  # all of them, the deal first; what was taken back is not among them
    phase: DealPhase
    seat: int  # to call, to exchange or to play
    highest: Bid | None = None  # of the auction that runs or ran last
    passes: int = 0  # in a row
    turned_up: Card | None = None
    contract: Contract | None = None
    hands: tuple[int, ...] | None = None  # masks, with full information
    middle: Card | None = None  # with full information, until it is taken or turned up
    aside: Card | None = None  # with full information
    plays: tuple[Play, ...] = ()
    barred: tuple[int, ...] = _NOT_FOLLOWED  # masks: the suits that a hand did not follow
    tricks: tuple[int, int] = (0, 0)

    @classmethod
    def from_deal(cls, dealer: int, move: Deal) -> DealState:
        """Begin a deal: the seat on the dealer's left opens the auction."""
        hands = None if move.hands is None else tuple(map(mask_of, move.hands))
        return cls(dealer, (move,), DealPhase.AUCTION, left_of(dealer), hands=hands, middle=move.middle)

    @classmethod
    def from_moves(cls, dealer: int, moves: Iterable[Move]) -> DealState:
        """Return the deal after these legal moves, the first of which deals."""
        first, *others = moves
        if not isinstance(first, Deal):
            raise ValueError(f"no deal begins with {first}")
        found = cls.from_deal(dealer, first)
        for move in others:
            found = found.apply_move(move)
        return found

    # What is seen

    @property
    def trick(self) -> tuple[Play, ...]:
        """The cards that lie in the trick that is being played, in their order."""
        return self.plays[len(self.plays) // SEATS * SEATS :]

    @property
    def yet_to_play(self) -> tuple[int, ...]:
        """The seats that have yet to play to the trick that is being played, in their order."""
        seats = [(self.seat - 1 + turn) % SEATS + 1 for turn in range(SEATS)]
        return tuple(seats[: SEATS - len(self.trick)])

    @property
    def trump(self) -> Trump | None:
        """The trump: settled by the card turned up or else by the contract."""
        if self.turned_up is not None:
            return trump_of(self.turned_up)
        return self.contract.trump if self.contract is not None else None

    @property
    def last_trick(self) -> Trick | None:
        """The last trick of four cards."""
        end = len(self.plays) // SEATS * SEATS
        if not end or self.contract is None:
            return None
        plays = self.plays[end - SEATS : end]
        return Trick(plays, _find_winner(plays, self.contract.trump))

    @property
    def begun(self) -> int:
        """How many tricks have a card."""
        return -(-len(self.plays) // SEATS)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cards by hand, once dealt; everybody knows it."""
        sizes = [TRICKS - len(self.plays) // SEATS] * SEATS
        for play in self.trick:
            sizes[play.seat - 1] -= 1
        return tuple(sizes)

    @property
    def unseen(self) -> int:
        """The cards that nobody has seen lie open in this deal, as a mask."""
        seen = mask_of(play.card for play in self.plays)
        return ALL & ~seen if self.turned_up is None else ALL & ~seen & ~self.turned_up.bit

    @property
    def to_follow(self) -> int:
        """The cards that follow the led one, as a mask; none before the lead."""
        trick = self.trick
        return find_following(trick[0].card, self.contract.trump) if trick and self.contract is not None else 0

    @property
    def points(self) -> tuple[int, int] | None:
        """The points by side of a deal that was played out, ``None`` before, and where everybody passed."""
        if self.contract is None or self.phase is not DealPhase.DEAL:
            return None
        return points_of(self.contract, self.tricks)

    def trick_of(self, card: Card) -> int | None:
        """Return the number of the trick in which the card was played."""
        return next((place // SEATS + 1 for place, play in enumerate(self.plays) if play.card is card), None)

    def not_followed(self, seat: int, card: Card) -> int | None:
        """Return the number of the first trick in which that seat did not follow when this card would have followed."""
        if self.contract is None:
            return None
        for place, play in enumerate(self.plays):
            follow = find_following(self.plays[place // SEATS * SEATS].card, self.contract.trump)
            if play.seat == seat and card.bit & follow and not play.card.bit & follow:
                return place // SEATS + 1
        return None

    def revoked_in(self, seat: int, card: Card) -> tuple[int, ...]:
        """Return the tricks in one of which somebody revoked, where that seat shows this card and can't follow with it.

        None where the card explains itself, where it lay open before, or where nobody but that seat can be at fault,
        and that with this very card. A card of a suit that the seat itself did not follow tells the trick; else it is
        one in which a hand of those that have too few cards did not follow one that it may hold.
        """
        if self.hands is not None or not card.bit & self.unseen:
            return ()
        own = self.not_followed(seat, card)
        if own is not None:
            return (own,)
        follow = self.to_follow if seat == self.seat and not card.bit & self.to_follow else 0
        barred = with_seat(self.barred, seat, self.barred[seat - 1] | follow)
        sizes = with_seat(self.sizes, seat, self.sizes[seat - 1] - 1)
        found = []
        for group, cards in too_few(self.unseen & ~card.bit, sizes, barred):
            tricks = {
                self.not_followed(hand + 1, one)
                for hand in group
                for one in cards_in(cards & ~follow if hand == seat - 1 else cards)
            }
            found.append(tuple(sorted(trick for trick in tricks if trick is not None)))
        return min(found, key=len, default=())

    def may_hold(self, seat: int, card: Card) -> bool:
        """Tell whether that card can be in that hand: publicly known or, with full information, as it is."""
        if self.hands is not None:
            return bool(self.hands[seat - 1] & card.bit)
        return may_hold(self.unseen, self.sizes, self.barred, seat - 1, card.bit)

    def must_follow(self, seat: int) -> bool:
        """Tell whether that hand holds a card that follows: surely so or, with full information, as it is."""
        if self.hands is not None:
            return bool(self.hands[seat - 1] & self.to_follow)
        return must_hold(self.unseen, self.sizes, self.barred, seat - 1, self.to_follow)

    # What happens

    def apply_move(self, move: Move) -> DealState:
        """Return the deal after a legal move of an auction or of the play."""
        if isinstance(move, Play):
            return self._apply_play(move)
        if isinstance(move, Exchange):
            return self._apply_exchange(move)
        if isinstance(move, TurnUp):
            return self._turned_up(move)
        if isinstance(move, (Bid, Pass)):
            return self._apply_call(move)
        raise ValueError(f"not within a deal: {move}")

    def back_to(self, trick: int) -> DealState:
        """Return the deal as it was at the lead to that trick."""
        before = len(self.moves) - len(self.plays)
        return DealState.from_moves(self.dealer, self.moves[: before + (trick - 1) * SEATS])

    def _apply_call(self, move: Bid | Pass) -> DealState:
        highest, passes = (move, 0) if isinstance(move, Bid) else (self.highest, self.passes + 1)
        called = replace(self, moves=(*self.moves, move), highest=highest, passes=passes, seat=left_of(self.seat))
        if highest is None:
            # Four passes before any bid: the middle card is turned up, and after that nobody plays this deal.
            due = DealPhase.DEAL if self.turned_up is not None else DealPhase.TURN_UP
            return replace(called, phase=due) if passes == SEATS else called
        if passes < SEATS - 1 and not (highest.tricks == TRICKS and highest.trump in (None, Trump.NO_TRUMP)):
            return called
        trump = highest.trump or self.trump
        if trump is None:
            raise ValueError("a bid of the first auction names its trump")
        due = DealPhase.EXCHANGE if self.turned_up is None else DealPhase.PLAY
        return replace(called, phase=due, seat=highest.seat, contract=Contract(highest.seat, highest.tricks, trump))

    def _turned_up(self, move: TurnUp) -> DealState:
        return replace(
            self,
            moves=(*self.moves, move),
            phase=DealPhase.AUCTION,
            seat=left_of(self.dealer),
            passes=0,
            turned_up=move.card,
            middle=None,
        )

    def _apply_exchange(self, move: Exchange) -> DealState:
        taken = replace(self, moves=(*self.moves, move), phase=DealPhase.PLAY)
        if self.hands is None or self.middle is None or move.lay_aside is None:
            return taken
        hand = (self.hands[self.seat - 1] | self.middle.bit) & ~move.lay_aside.bit
        return replace(taken, hands=with_seat(self.hands, self.seat, hand), middle=None, aside=move.lay_aside)

    def _apply_play(self, move: Play) -> DealState:
        if self.contract is None:
            raise ValueError("no card is played before the auction has ended")
        seat, hands, barred, tricks, phase = left_of(move.seat), self.hands, self.barred, self.tricks, self.phase
        follow, plays = self.to_follow, (*self.plays, move)
        if follow and not follow & move.card.bit:
            barred = with_seat(barred, move.seat, barred[move.seat - 1] | follow)
        if hands is not None:
            hands = with_seat(hands, move.seat, hands[move.seat - 1] & ~move.card.bit)
        if not len(plays) % SEATS:
            seat = _find_winner(plays[-SEATS:], self.contract.trump)
            tricks = (tricks[0] + 1, tricks[1]) if side_of(seat) == 0 else (tricks[0], tricks[1] + 1)
            phase = DealPhase.PLAY if len(plays) < SEATS * TRICKS else DealPhase.DEAL
        moves = (*self.moves, move)
        return replace(
            self, moves=moves, phase=phase, seat=seat, hands=hands, plays=plays, barred=barred, tricks=tricks
        )


def _find_winner(plays: tuple[Play, ...], trump: Trump) -> int:
    return plays[find_strongest([play.card for play in plays], trump)].seat
