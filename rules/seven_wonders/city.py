"""A city: what a player has built and holds, and what follows from it for trade, chains, war and counting."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from rules.saved import Codec
from rules.seven_wonders.boards import Board, Stage, find_board
from rules.seven_wonders.cards import Buildings
from rules.seven_wonders.effects import DEFEAT, STAGE, Colour, Counted, Effect, Side, Special
from rules.seven_wonders.moves import Tokens, tokens_in
from rules.seven_wonders.trade import Shop, Sources

COINS_AT_START = 3


@dataclass(frozen=True)
class City:
    """A city: its board, the cards built in their order, the stages built, coins and tokens.

    ``free_used`` tells whether Olympia's free building was used in this age.
    """

    board: Annotated[Board, Codec(str, find_board)]
    cards: Buildings = ()
    stages: int = 0
    coins: int = COINS_AT_START
    tokens: Annotated[Tokens, Codec(Tokens.to_json, tokens_in)] = field(default_factory=Tokens)
    free_used: bool = False

    @property
    def next_stage(self) -> Stage | None:
        """The stage that would be built next, from left to right (6); ``None`` where all are built."""
        return self.board.stages[self.stages] if self.stages < len(self.board.stages) else None

    @property
    def stages_built(self) -> tuple[Stage, ...]:
        """The stages built so far."""
        return self.board.stages[: self.stages]

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of all cards and stages."""
        return (*(card.effect for card in self.cards), *(stage.effect for stage in self.stages_built))

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the cards built: none is built twice (6)."""
        return frozenset(card.name for card in self.cards)

    @cached_property
    def chained(self) -> frozenset[str]:
        """The ids of cards that are free to this city (5)."""
        return frozenset[str]().union(*(card.free_for for card in self.cards))

    @cached_property
    def for_sale(self) -> Sources:
        """The sources that neighbours can buy from (3)."""
        sources = [source for effect in self.effects if effect.for_sale for source in effect.sources]
        return tuple(sorted([self.board.produces.bit, *sources]))

    @cached_property
    def sources(self) -> Sources:
        """All own sources (3)."""
        kept = [source for effect in self.effects if not effect.for_sale for source in effect.sources]
        return (*self.for_sale, *sorted(kept))

    @cached_property
    def _cheap(self) -> dict[Side, int]:
        cheap = {Side.LEFT: 0, Side.RIGHT: 0}
        for effect in self.effects:
            for side in effect.cheap_from:
                cheap[side] |= effect.cheap
        return cheap

    def open_shop(self, other: City, side: Side) -> Shop:
        """Return what another city, on that side, sells to this one."""
        return Shop(other.for_sale, self._cheap[side])

    @cached_property
    def shields(self) -> int:
        """Its shields in war (10)."""
        return sum(effect.shields for effect in self.effects)

    def has_special(self, special: Special) -> bool:
        """Tell whether a stage that does this is built."""
        return any(stage.effect.special is special for stage in self.stages_built)

    @cached_property
    def _colours(self) -> dict[Colour, int]:
        counts = dict.fromkeys(Colour, 0)
        for card in self.cards:
            counts[card.colour] += 1
        return counts

    def number_of(self, counted: Collection[Counted]) -> int:
        """Count the cards of these colours, stages or defeats that it has."""
        count = 0
        for one in counted:
            if isinstance(one, Colour):
                count += self._colours[one]
            elif one == STAGE:
                count += self.stages
            elif one == DEFEAT:
                count += self.tokens.defeats
        return count
