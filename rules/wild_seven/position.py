"""A position of Wild Seven: what lies where, who is to move, and the judgement of any move.

Source: the rule sheet with RULINGS.md; the numbers in comments are the numbered rulings of the game's page. A position
never changes: ``do`` gives a new one. It comes in two kinds, settled by the first move:

* after a ``Deal`` with **full information**: the hands are known;
* after a ``Setup`` with **public information**. Every card in play is either open, captured in the open, or in some
  hand, and nothing ever tells one unseen card from another; so a hand may hold each unseen card, as long as it holds
  any at all. A card is refused only where no placing of the unseen cards allows it.

Seats are numbered from 1, clockwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from rules import refusal as common
from rules.cards import Card, cards_in, mask_of
from rules.judged import Ended, Judged, rank_places, with_seat
from rules.refusal import Reason
from rules.saved import Mask, read_fields, save_fields
from rules.text import Text, join_names, say_number
from rules.wild_seven import refusals as because
from rules.wild_seven.deck import (
    SEATS,
    first_to_act,
    hand_at_start,
    in_play,
    larger_in_suit,
    left_over,
    of_suit,
    score,
    smaller_than,
)
from rules.wild_seven.moves import Deal, Get, Move, Play, Reveal, Setup, Turn, write_names

GAME = "wild_seven"
_NOT_DEALT = Text("the cards have not been dealt yet")
_DEALT = Text("the cards have been dealt already")
_NOT_REVEALED = Text("nobody has revealed a card yet")
_REVEALED = Text("the cards have been revealed already")


class Phase(StrEnum):
    """Where in the game a position stands."""

    SETUP = "setup"
    REVEAL = "reveal"
    PLAY = "play"
    OVER = "over"


class Ending(StrEnum):
    """Why a game ended."""

    NO_CARD_LEFT = "no_card_left"


@dataclass(frozen=True, slots=True, repr=False)
class Position(Judged[Move]):
    """One moment of a game. Make the first one with ``Position.start``, the others with ``do``.

    Fields with an underscore are nobody else's, and by seat where there are several values.
    """

    codes = because.CODES
    players: tuple[str, ...]
    phase: Phase
    _seat: int | None  # whose turn has come, also where that ended the game
    _hands: tuple[Mask, ...] | None  # None with public information
    _sizes: tuple[int, ...]
    _wanted: Mask
    _front: tuple[Card | None, ...]
    _captured: tuple[Mask, ...]

    @classmethod
    def start(cls, players: Sequence[str]) -> Position:
        """Return the position before the deal, for 3 to 5 players.

        Raises:
            ValueError: wrong number of players.
        """
        n = len(players)
        if n not in SEATS:
            raise ValueError(f"Wild Seven is for 3 to 5 players, not {n}")
        none = (0,) * n
        return cls(tuple(players), Phase.SETUP, None, None, none, 0, (None,) * n, none)

    # What a position shows

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is; ``None`` before, at the reveal (all seats then) and after the end."""
        return self._seat if self.phase is Phase.PLAY else None

    @property
    def full(self) -> bool:
        """True with full information: the hands are known."""
        return self._hands is not None

    @property
    def wanted(self) -> tuple[Card, ...]:
        """The wanted, in the order of the deck: they are a set."""
        return cards_in(self._wanted)

    def in_front(self, seat: int) -> Card | None:
        """Return the card in front of that seat, ``None`` where there is none."""
        return self._front[seat - 1]

    def hand_size(self, seat: int) -> int:
        """Return the number of cards in that seat's hand; everybody knows it."""
        return self._sizes[seat - 1]

    def get_hand(self, seat: int) -> tuple[Card, ...]:
        """Return the hand itself, with full information only.

        Raises:
            ValueError: only public information is known.
        """
        if self._hands is None:
            raise ValueError("hands are not known with public information")
        return cards_in(self._hands[seat - 1])

    def captured_count(self, seat: int) -> int:
        """Return how many cards that seat has captured: all that may be shown before the end (5)."""
        return self._captured[seat - 1].bit_count()

    def list_captured(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that seat has captured. Everybody saw them, but they
        are shown to nobody before the end (5).
        """
        return cards_in(self._captured[seat - 1])

    @property
    def points(self) -> tuple[int, ...]:
        """Points of what is captured so far, by seat: for the record, not to be shown before the end (5)."""
        return tuple([score(captured) for captured in self._captured])

    @property
    def seen(self) -> int:
        """The cards that lie open or were captured, as a mask: they are in no hand."""
        seen = self._wanted
        for captured, front in zip(self._captured, self._front, strict=True):
            seen |= captured | _make_bit(front)
        return seen

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards in play that nobody has shown: those in the hands, once they are dealt."""
        return cards_in(in_play(len(self.players)) & ~self.seen)

    def may_be_in_hand(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that hand can hold: publicly known or, with full information, as it is."""
        return cards_in(self._find_possible(seat))

    def may_hold(self, seat: int, card: Card) -> bool:
        """Tell whether that card can be in that hand: publicly known or, with full information, as it is."""
        return bool(self._find_possible(seat) & card.bit)

    def _find_possible(self, seat: int) -> int:
        if self._hands is not None:
            return self._hands[seat - 1]
        return in_play(len(self.players)) & ~self.seen if self._sizes[seat - 1] else 0

    def bumped_by(self, seat: int, card: Card) -> tuple[tuple[int, Card], ...]:
        """Return what that card, laid in front of that seat, bumps: seats with their cards (2)."""
        larger = larger_in_suit(card)
        return tuple(
            [
                (place, other)
                for place, other in enumerate(self._front, 1)
                if other is not None and place != seat and other.bit & larger
            ]
        )

    def list_takeable(self, seat: int) -> tuple[Card, ...]:
        """Return the wanted cards of which that seat's card in front takes one;
        none too where no card lies in front (3).
        """
        own = self._front[seat - 1]
        return () if own is None else cards_in(self._find_takeable(own))

    def _find_takeable(self, own: Card) -> int:
        """Return smaller ranks of any suit; only where there are none, the own suit (3)."""
        return self._wanted & smaller_than(own) or self._wanted & of_suit(own)

    def can_act(self, seat: int) -> bool:
        """Tell whether that seat has a card in front or in hand; if not when its turn comes, the game ends (4)."""
        return self._front[seat - 1] is not None or self._sizes[seat - 1] > 0

    @property
    def outcome(self) -> Ended | None:
        """The end of the game as a value, ``None`` before it; the most points win, ties share."""
        if self.phase is not Phase.OVER:
            return None
        return Ended(Ending.NO_CARD_LEFT, rank_places(self.points), self.points)

    # Judging a move

    def _apply_move(self, move: Move) -> Position:
        if isinstance(move, Play):
            return self._do_play(move)
        if isinstance(move, Get):
            return self._do_get(move)
        if isinstance(move, Reveal):
            return self._do_reveal(move)
        return self._do_deal(move)

    def _find_reasons(self, move: Move) -> list[Reason]:
        if isinstance(move, (Deal, Setup)):
            return self._verify_deal(move)
        if isinstance(move, Reveal):
            return self._verify_reveal(move)
        return self._verify_turn(move)

    def _out_of_place(self, cause: Text) -> list[Reason]:
        """List the reasons for a line that comes too early or too late; after the end it comes too late as well."""
        ended = [common.game_over()] if self.phase is Phase.OVER else []
        return [common.bad_record(cause), *ended]

    def _verify_deal(self, move: Deal | Setup) -> list[Reason]:
        if self.phase is not Phase.SETUP:
            return self._out_of_place(_DEALT)
        n = len(self.players)
        hands = move.hands if isinstance(move, Deal) else ()
        size, count = hand_at_start(n), left_over(n)
        if isinstance(move, Deal) and (len(hands) != n or any(len(hand) != size for hand in hands)):
            return [common.bad_record(Text("'hands' must be {n} hands of {size} cards", n=n, size=size))]
        if len(move.wanted) != count:
            return [common.bad_record(Text("'wanted' must be {cards} with {n} players", cards=say_number(count), n=n))]
        return self._verify_cards([*(card for hand in hands for card in hand), *move.wanted])

    def _verify_cards(self, cards: Sequence[Card | None]) -> list[Reason]:
        """Refuse a line that names a card twice, or one of a suit that stays in the box."""
        reasons = []
        for card, count in Counter(cards).items():
            if card is not None and count > 1:
                reasons.append(common.bad_record(Text("{card} is named twice", card=card)))
            if card is not None and not card.bit & in_play(len(self.players)):
                cause = Text(
                    "every {card.suit} stays in the box with {n} players ({card})", card=card, n=len(self.players)
                )
                reasons.append(common.bad_record(cause))
        return reasons

    def _verify_reveal(self, move: Reveal) -> list[Reason]:
        if self.phase is not Phase.REVEAL:
            return self._out_of_place(_NOT_DEALT if self.phase is Phase.SETUP else _REVEALED)
        n = len(self.players)
        if len(move.cards) != n:
            return [common.bad_record(Text("'cards' must be one card for each of {n} players", n=n))]
        reasons = self._verify_cards(move.cards)
        if reasons:
            return reasons
        wrong = {seat: card for seat, card in enumerate(move.cards, 1) if not self.may_hold(seat, card)}
        faults = [
            Text("{card} can't be in {who}'s hand", card=wrong[seat], who=self.seat_words(seat)) for seat in wrong
        ]
        return [because.revealed_not_in_hand(faults=join_names(faults), cards=[*wrong.values()])] if wrong else []

    def _verify_turn(self, move: Turn) -> list[Reason]:
        if self._seat is None:
            return self._out_of_place(_NOT_DEALT if self.phase is Phase.SETUP else _NOT_REVEALED)
        seat, card = move.seat, move.card
        there = 1 <= seat <= len(self.players)
        reasons = [] if there else [common.no_seat(seat)]
        boxed = self._verify_cards([card])
        reasons += boxed
        if self.phase is Phase.OVER:
            reasons.append(common.game_over())
        elif seat != self._seat:
            reasons.append(common.out_of_turn(self.seat_words(seat), self.seat_words(self._seat)))
        if not there:
            return reasons
        if isinstance(move, Play):
            own = self._front[seat - 1]
            if own is not None:
                reasons.append(because.must_get(who=self.seat_words(seat), own=own))
            if not boxed and not self.may_hold(seat, move.card):
                reasons.append(because.card_not_in_hand(who=self.seat_words(seat), card=move.card))
        else:
            self._verify_get(move, reasons, boxed=bool(boxed))
        return reasons

    def _verify_get(self, move: Get, reasons: list[Reason], boxed: bool) -> None:
        own, card = self._front[move.seat - 1], move.card
        if own is None:
            reasons.append(because.must_play(who=self.seat_words(move.seat)))
        if card is not None:
            if not boxed and not card.bit & self._wanted:
                reasons.append(because.not_wanted(card=card))
            if own is not None and not boxed:
                self._verify_size(card, own, reasons)
        elif own is not None and (takeable := cards_in(self._find_takeable(own))):
            card = takeable[0]
            example = Text("{card}, say", card=card) if len(takeable) > 1 else card
            reasons.append(because.get_compulsory(who=self.seat_words(move.seat), own=own, example=example, card=card))

    def _verify_size(self, card: Card, own: Card, reasons: list[Reason]) -> None:
        if card.rank < own.rank:
            return
        smaller = cards_in(self._wanted & smaller_than(own))
        if smaller:
            reasons.append(because.not_smaller(card=card, own=own, smaller=smaller[0]))
        elif card.suit is not own.suit:
            reasons.append(because.other_suit(card=card, own=own))

    # Playing a move that was verified

    def _do_deal(self, move: Deal | Setup) -> Position:
        n = len(self.players)
        return replace(
            self,
            phase=Phase.REVEAL,
            _hands=tuple(map(mask_of, move.hands)) if isinstance(move, Deal) else None,
            _sizes=(hand_at_start(n),) * n,
            _wanted=mask_of(move.wanted),
        )

    def _do_reveal(self, move: Reveal) -> Position:
        after = self
        for seat, card in enumerate(move.cards, 1):
            after = after._drop_card(seat, card)
        wanted = self._wanted | mask_of(move.cards)
        return replace(after, phase=Phase.PLAY, _seat=first_to_act(move.cards), _wanted=wanted)

    def _do_play(self, move: Play) -> Position:
        bumped = self.bumped_by(move.seat, move.card)
        front = with_seat(self._front, move.seat, move.card)
        for seat, _ in bumped:
            front = with_seat(front, seat, None)
        wanted = self._wanted | mask_of(card for _, card in bumped)
        return replace(self._drop_card(move.seat, move.card), _wanted=wanted, _front=front)._pass_turn(move.seat)

    def _do_get(self, move: Get) -> Position:
        seat, taken = move.seat, _make_bit(move.card)
        own = self._front[seat - 1]
        return replace(
            self,
            _wanted=self._wanted & ~taken | _make_bit(own),
            _front=with_seat(self._front, seat, None),
            _captured=with_seat(self._captured, seat, self._captured[seat - 1] | taken),
        )._pass_turn(seat)

    def _drop_card(self, seat: int, card: Card) -> Position:
        """Return the position once that card has left that hand."""
        hands = self._hands
        if hands is not None:
            hands = with_seat(hands, seat, hands[seat - 1] & ~card.bit)
        return replace(self, _hands=hands, _sizes=with_seat(self._sizes, seat, self._sizes[seat - 1] - 1))

    def _pass_turn(self, seat: int) -> Position:
        """Return the turn after that seat's, or the end where that player has no card left in front or in hand (4)."""
        following = seat % len(self.players) + 1
        return replace(self, _seat=following, phase=Phase.PLAY if self.can_act(following) else Phase.OVER)

    # Printing, saving

    def __repr__(self) -> str:
        turn = str(self.phase) if self.to_move is None else f"{self.get_name(self.to_move)} to move"
        front = " ".join("-" if card is None else str(card) for card in self._front)
        captured = [captured.bit_count() for captured in self._captured]
        wanted = write_names(self.wanted) or "nobody"
        return f"<Position {turn}, in front {front}, hands {[*self._sizes]}, captured {captured}, wanted {wanted}>"

    def to_json(self) -> dict[str, Any]:
        """Return the whole position as JSON-able data; ``Position.from_json`` restores it."""
        return {"game": GAME, **save_fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Position:
        """Restore what ``to_json`` gave.

        Raises:
            ValueError: wrong number of players, or unknown cards.
            KeyError: something is missing.
        """
        return replace(cls.start(data["players"]), **read_fields(cls, data))


def _make_bit(card: Card | None) -> int:
    return 0 if card is None else card.bit
