"""A position of Seven Minutes: what lies where, who is to move, and the judgement of any move.

Source: the rule sheet with RULINGS.md; the numbers in comments are the numbered rulings of the game's page. A position
never changes: ``do`` gives a new one. It comes in two kinds, settled by the first move:

* after a ``Deal`` with **full information**: the draw pile's order is known;
* after a ``Setup`` with **public information**. Every card is flipped in the open and no card comes back into the draw
  pile, so everybody knows exactly which cards are still in it, in any order whatever.

Seats are numbered from 1, clockwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any

from rules import refusal as common
from rules.cards import ALL, DECK, Card, cards_in, mask_of
from rules.judged import Ended, Judged, rank_places, with_seat
from rules.refusal import Reason
from rules.saved import FOLLOWS, read_fields, save_fields
from rules.seven_minutes import refusals as because
from rules.seven_minutes.moves import Deal, Dice, Flip, Move, Roll, Setup, are_dice, is_deck
from rules.seven_minutes.row import AS_STACKS, KING, SEVEN, Row, Take, count_worth
from rules.text import Text, say_number

GAME = "seven_minutes"
MOST_PLAYERS = 5
KING_DEMANDS = 3

Pile = tuple[tuple[Card, ...], ...]
"""What lies in one pile in front of a player: the cards of each take, the last one on top."""


class Phase(StrEnum):
    """Where in the game a position stands."""

    SETUP = "setup"
    FLIP = "flip"
    JUDGEMENT = "judgement"
    OVER = "over"


class Cause(StrEnum):
    """Why a judgement began: the player stopped, a 7, a 7 among the K's three, or no card was left.

    Where the last card of all is a 7 that ends the flipping in itself, the 7 is the cause.
    """

    STOP = "stop"
    SEVEN = "seven"
    KING_SEVEN = "king_seven"
    DECK_EMPTY = "deck_empty"


class Ending(StrEnum):
    """Why a game ended."""

    DECK_EMPTY = "deck_empty"


@dataclass(frozen=True, slots=True, repr=False)
class Position(Judged[Move]):
    """One moment of a game. Make the first one with ``Position.start``, the others with ``do``.

    Attributes:
        players: the names by seat.
        first_seat: who began.
        phase: ``setup``, ``flip``, ``judgement`` or ``over``; equal to these strings.
        seat: whose turn it is; after the end, whose turn was the last.
        deck: the draw pile, the next card first; ``None`` with public information.
        unseen: the cards that nobody has seen, as a mask: those of the draw pile, with either information.
        row: the row beside the draw pile.
        flips: the cards flipped in this turn, in their order.
        cause: why judgement began, ``None`` outside of it.
        rolls: the rolls of this judgement so far; none of them struck, or it would have ended.
        up: by seat, the pile taken face up.
        down: by seat, the pile taken face down. Everybody could know its cards too, as all were flipped in the open.
        taken: what the judgement before took, until the next card is flipped; ``None`` where that is not known.
    """

    codes = because.CODES
    players: tuple[str, ...]
    first_seat: int
    phase: Phase
    seat: int
    deck: tuple[Card, ...] | None
    unseen: Annotated[int, FOLLOWS]
    row: Annotated[Row, AS_STACKS]
    flips: tuple[Card, ...]
    cause: Cause | None
    rolls: tuple[Dice, ...]
    up: tuple[Pile, ...]
    down: tuple[Pile, ...]
    taken: Take | None

    @classmethod
    def start(cls, players: Sequence[str], first_seat: int = 1) -> Position:
        """Return the position before the set-up, for 2 to 5 players.

        Raises:
            ValueError: wrong number of players, or no such first seat.
        """
        n = len(players)
        if not 2 <= n <= MOST_PLAYERS:
            raise ValueError(f"Seven Minutes is for 2 to {MOST_PLAYERS} players, not {n}")
        if not 1 <= first_seat <= n:
            raise ValueError(f"there is no seat {first_seat} among {n} players")
        none: tuple[Pile, ...] = ((),) * n
        return cls(
            tuple(players), first_seat, Phase.SETUP, first_seat, None, ALL, Row(), (), None, (), none, none, None
        )

    # What a position shows

    @property
    def to_move(self) -> int | None:
        """The seat to move, ``None`` before the set-up and after the end."""
        return self.seat if self.phase in (Phase.FLIP, Phase.JUDGEMENT) else None

    @property
    def full(self) -> bool:
        """True with full information: the draw pile's order is known."""
        return self.deck is not None

    @property
    def draw_count(self) -> int:
        """The number of cards in the draw pile."""
        return self.unseen.bit_count()

    @property
    def draw_pile(self) -> tuple[Card, ...]:
        """The cards of the draw pile in the order of ``DECK``, which tells nothing of theirs; everybody knows them."""
        return cards_in(self.unseen)

    def may_be_next(self, card: Card) -> bool:
        """Tell whether that card can be flipped next: publicly known or, with full information, as it is."""
        if self.deck is not None:
            return self.deck[:1] == (card,)
        return bool(self.unseen & card.bit)

    @property
    def king_left(self) -> int:
        """How many of the K's three cards must still be flipped in this turn (2)."""
        if self.phase is not Phase.FLIP:
            return 0
        since = self._since_the_king
        return 0 if since is None else max(0, KING_DEMANDS - len(since))

    @property
    def _since_the_king(self) -> tuple[Card, ...] | None:
        """The cards flipped in this turn after the K, ``None`` where it was not flipped in this turn."""
        for place, card in enumerate(self.flips):
            if card.rank == KING:
                return self.flips[place + 1 :]
        return None

    @property
    def flips_left(self) -> int:
        """How many cards must still be flipped in this turn: one at least (1), and those that the K demands."""
        return self.king_left if self.flips or self.phase is not Phase.FLIP else 1

    @property
    def may_stop(self) -> bool:
        """Whether the player may stop now: a card was flipped, and the K demands none."""
        return self.phase is Phase.FLIP and not self.flips_left

    @property
    def last_turn(self) -> bool:
        """Whether the draw pile has run out, so that the game ends with this turn (6)."""
        return not self.unseen

    @property
    def rolls_due(self) -> int:
        """How many rolls this judgement has in all, those made included; 0 outside of one (3)."""
        return self.row.rolls if self.phase is Phase.JUDGEMENT else 0

    @property
    def rolls_left(self) -> int:
        """How many rolls are still due in this judgement; 0 outside of one."""
        return self.rolls_due - len(self.rolls)

    def face_up(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that seat has taken face up, in the order of taking."""
        return tuple([card for taken in self.up[seat - 1] for card in taken])

    def face_down(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that seat has taken face down, in the order of taking."""
        return tuple([card for taken in self.down[seat - 1] for card in taken])

    def list_tops(self, seat: int) -> tuple[Card, ...]:
        """Return the cards one of which lies on top of that seat's face-up
        pile: those taken last; none without a pile.
        """
        pile = self.up[seat - 1]
        return pile[-1] if pile else ()

    @property
    def points(self) -> tuple[int, ...]:
        """Points by seat of what was taken so far: cards face up less cards face down (6)."""
        return tuple([_count_worth(up) - _count_worth(down) for up, down in zip(self.up, self.down, strict=True)])

    @property
    def outcome(self) -> Ended | None:
        """The end of the game as a value, ``None`` before it; who are level share the win."""
        if self.phase is not Phase.OVER:
            return None
        return Ended(Ending.DECK_EMPTY, rank_places(self.points), self.points)

    # Judging a move

    def _find_reasons(self, move: Move) -> Sequence[Reason]:
        if isinstance(move, (Deal, Setup)):
            return tuple(self._reasons_of_setup(move))
        if self.phase is Phase.SETUP:
            return (common.bad_record(Text("the draw pile has not been set up yet")),)
        reasons = self._reasons_of_turn(move.seat)
        if isinstance(move, Flip):
            if self.phase is Phase.JUDGEMENT:
                reasons.append(because.judgement_due(self._who, self.rolls_left))
            if not self.unseen & move.card.bit:
                reasons.append(because.seen_before(card=move.card))
            elif not self.may_be_next(move.card):
                reasons.append(because.not_the_next_card(card=move.card))
        elif isinstance(move, Roll):
            if not are_dice(move.dice):
                reasons.append(common.bad_record(_NO_DICE))
            if self.phase is Phase.FLIP:
                reasons += [*self._reasons_to_flip(), because.roll_not_due(who=self._who)]
        elif self.phase is Phase.JUDGEMENT:
            reasons.append(because.judgement_due(self._who, self.rolls_left))
        else:
            reasons += self._reasons_to_flip()
        return tuple(reasons)

    @property
    def _who(self) -> Text:
        return self.seat_words(self.seat)

    def _reasons_of_setup(self, move: Deal | Setup) -> list[Reason]:
        if self.phase is not Phase.SETUP:
            return [common.bad_record(Text("the draw pile has been set up already"))]
        if isinstance(move, Deal) and not is_deck(move.deck):
            return [common.bad_record(Text("'deck' must be all {count} cards, each once", count=len(DECK)))]
        return []

    def _reasons_of_turn(self, seat: int) -> list[Reason]:
        """List what is wrong with that seat moving now."""
        reasons: list[Reason] = []
        if not 1 <= seat <= len(self.players):
            reasons.append(common.no_seat(seat))
        if self.phase is Phase.OVER:
            reasons.append(common.game_over())
        elif seat != self.seat:
            reasons.append(common.out_of_turn(self.seat_words(seat), self._who))
        return reasons

    def _reasons_to_flip(self) -> list[Reason]:
        """List why the flipping can't be left now (1, 2)."""
        if self.phase is not Phase.FLIP or self.may_stop:
            return []
        if not self.flips:
            return [because.must_flip(who=self._who)]
        king = next(card for card in self.flips if card.rank == KING)
        return [because.must_flip_more(who=self._who, king=king, left=say_number(self.king_left))]

    # Playing a move

    def _apply_move(self, move: Move) -> Position:
        if isinstance(move, Flip):
            return self._do_flip(move.card)
        if isinstance(move, Roll):
            return self._do_roll(move)
        if isinstance(move, Deal):
            return replace(self, phase=Phase.FLIP, deck=move.deck)
        if isinstance(move, Setup):
            return replace(self, phase=Phase.FLIP)
        return replace(self, phase=Phase.JUDGEMENT, cause=Cause.STOP)

    def _do_flip(self, card: Card) -> Position:
        after = replace(
            self,
            deck=None if self.deck is None else self.deck[1:],
            unseen=self.unseen & ~card.bit,
            row=self.row.flip_card(card),
            flips=(*self.flips, card),
            taken=None,
        )
        cause = after._judged_because
        return after if cause is None else replace(after, phase=Phase.JUDGEMENT, cause=cause)

    @property
    def _judged_because(self) -> Cause | None:
        """Why judgement begins by itself after the card flipped last, ``None`` where it does not (2)."""
        since = self._since_the_king
        if since and len(since) <= KING_DEMANDS:
            if len(since) == KING_DEMANDS and any(card.rank == SEVEN for card in since):
                return Cause.KING_SEVEN
        elif self.flips[-1].rank == SEVEN:
            return Cause.SEVEN
        return None if self.unseen else Cause.DECK_EMPTY

    def _do_roll(self, roll: Roll) -> Position:
        struck = self.row.strike_total(roll.total)
        if struck is not None:  # (4)
            stacks, left = struck
            return self._after_take(Take(self.seat, roll.dice, stacks, face_up=False), left)
        if self.rolls_left > 1:
            return replace(self, rolls=(*self.rolls, roll.dice))
        return self._after_take(Take(self.seat, roll.dice, self.row.stacks, face_up=True), Row())  # (5)

    def _after_take(self, take: Take, left: Row) -> Position:
        """Return the position after a judgement: the next seat's turn or, without a draw pile, the end (6)."""
        up, down = self.up, self.down
        if take.face_up:
            up = with_seat(up, take.seat, (*up[take.seat - 1], take.cards))
        else:
            down = with_seat(down, take.seat, (*down[take.seat - 1], take.cards))
        over = self.last_turn
        return replace(
            self,
            phase=Phase.OVER if over else Phase.FLIP,
            seat=self.seat if over else self.seat % len(self.players) + 1,
            row=left,
            flips=(),
            cause=None,
            rolls=(),
            up=up,
            down=down,
            taken=take,
        )

    # Printing and saving

    def __repr__(self) -> str:
        if self.phase is Phase.SETUP:
            return f"<Position setup, {len(self.players)} players, {self.get_name(self.seat)} begins>"
        turn = {
            Phase.FLIP: f"{self.get_name(self.seat)} to flip" + (f" {self.king_left} more" if self.king_left else ""),
            Phase.JUDGEMENT: f"{self.get_name(self.seat)} to roll {len(self.rolls) + 1} of {self.rolls_due}"
            f" ({self.cause})",
            Phase.OVER: "over",
        }[self.phase]
        took = "" if self.taken is None else f", seat {self.taken}"
        return f"<Position {turn}, row {self.row}, draw {self.draw_count}, points {list(self.points)}{took}>"

    def to_json(self) -> dict[str, Any]:
        """Return the whole position as JSON-able data; ``Position.from_json`` restores it."""
        return {"game": GAME, **save_fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Position:
        """Restore what ``to_json`` gave.

        Raises:
            ValueError: unknown cards, or values that can't be.
            KeyError: something is missing.
        """
        found = replace(cls.start(data["players"], data["first_seat"]), **read_fields(cls, data))
        taken = [card for pile in (*found.up, *found.down) for cards in pile for card in cards]
        return replace(found, unseen=ALL & ~mask_of([*found.row.cards, *taken]))


_NO_DICE = Text("the dice must be two numbers from 1 to 6")


def _count_worth(pile: Pile) -> int:
    return sum([count_worth(card) for taken in pile for card in taken])
