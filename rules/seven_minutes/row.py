"""The row beside the draw pile: stacks of one rank each, and what a judgement makes of it.

Source: the rule sheet's 《カードをめくる》 and 《カード獲得の判定》, with RULINGS.md. A place is counted from 0,
nearest to the draw pile first; a stack lists its cards from the bottom to the top.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Annotated

from rules.cards import Card
from rules.saved import Codec, codec_of
from rules.seven_minutes.moves import Dice

ACE, SEVEN, KING = 1, 7, 13


def count_worth(card: Card) -> int:
    """Return what a card counts that was taken face up, or less if face down (6)."""
    return 3 if card.rank == SEVEN else 1


@dataclass(frozen=True, slots=True)
class Stack:
    """Cards of one rank on one place of the row, bottom to top; one card at least."""

    cards: tuple[Card, ...]

    @property
    def rank(self) -> int:
        """The rank of its cards."""
        return self.cards[0].rank

    @property
    def top(self) -> Card:
        """The card flipped last."""
        return self.cards[-1]

    def __str__(self) -> str:
        return "+".join(map(str, self.cards))


_AS_NAMES = Codec(lambda stack: [*map(str, stack.cards)], lambda names: Stack(tuple(map(Card.parse, names))))
Stacks = tuple[Annotated[Stack, _AS_NAMES], ...]
"""Stacks, each kept as the names of its cards."""


def cards_of(stacks: Iterable[Stack]) -> tuple[Card, ...]:
    """Return the cards of these stacks, in their order, each from the bottom to the top."""
    return tuple([card for stack in stacks for card in stack.cards])


@dataclass(frozen=True, slots=True)
class Row:
    """The row, the stack nearest to the draw pile first.

    >>> row = Row.from_cards(map(Card.parse, "S9 H3 FK B3 T10".split()))
    >>> print(row)
    S9 H3+B3 FK T10
    >>> row.length, row.rolls
    (4, 2)
    """

    stacks: Stacks = ()

    @classmethod
    def from_cards(cls, cards: Iterable[Card]) -> Row:
        """Build the row that these cards make, flipped one after the other."""
        row = cls()
        for card in cards:
            row = row.flip_card(card)
        return row

    @property
    def length(self) -> int:
        """How many places it has; cards stacked on others do not lengthen it."""
        return len(self.stacks)

    @property
    def cards(self) -> tuple[Card, ...]:
        """All its cards, nearest to the draw pile first, each stack from the bottom to the top."""
        return cards_of(self.stacks)

    def place(self, rank: int) -> int | None:
        """Return the place of that rank's stack, ``None`` where there is none."""
        for place, stack in enumerate(self.stacks):
            if stack.cards[0].rank == rank:
                return place
        return None

    @property
    def has_ace(self) -> bool:
        """Whether the A lies in it: a struck stack then takes what is farther away with it."""
        return self.place(ACE) is not None

    @property
    def rolls(self) -> int:
        """How many rolls a judgement of it has: its length or, where the K lies in it, the places from the K on."""
        return self.length - (self.place(KING) or 0)

    def flip_card(self, card: Card) -> Row:
        """Return the row once this card was flipped: stacked on its rank, or at the end."""
        place = self.place(card.rank)
        if place is None:
            return Row((*self.stacks, Stack((card,))))
        stack = Stack((*self.stacks[place].cards, card))
        return Row((*self.stacks[:place], stack, *self.stacks[place + 1 :]))

    def drop_cards(self, cards: Collection[Card]) -> Row:
        """Return the row as if these cards did not lie in it; places left empty close up."""
        left = (tuple([card for card in stack.cards if card not in cards]) for stack in self.stacks)
        return Row(tuple([Stack(cards) for cards in left if cards]))

    def strike_total(self, total: int) -> tuple[Stacks, Row] | None:
        """Return what a roll of that sum takes and what it leaves; ``None`` where no stack has that rank.

        The struck stack goes with all nearer to the draw pile or, where the A lies in the row, all farther away.
        """
        place = self.place(total)
        if place is None:
            return None
        if self.has_ace:
            return self.stacks[place:], Row(self.stacks[:place])
        return self.stacks[: place + 1], Row(self.stacks[place + 1 :])

    def __str__(self) -> str:
        return " ".join(map(str, self.stacks)) or "empty"


AS_STACKS = Codec(lambda row: codec_of(Stacks).write(row.stacks), lambda data: Row(codec_of(Stacks).read(data)))
"""A row is kept as its stacks."""


@dataclass(frozen=True, slots=True)
class Take:
    """What a judgement's last roll takes: who, with which dice, which stacks of the row, and on which side."""

    seat: int
    dice: Dice
    stacks: Stacks
    face_up: bool

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards taken, in the row's order."""
        return cards_of(self.stacks)

    def __str__(self) -> str:
        side = "up" if self.face_up else "down"
        return f"{self.seat} takes {' '.join(map(str, self.stacks))} face {side}"
