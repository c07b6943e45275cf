"""What stands in a game of Seven Wonders: the cities, whose move it is, hands and discard pile as far as known.

A state comes in two kinds, settled by the first deal: with **full information** hands and discard pile are known; with
**public information** only how many cards of each age lie in the pile. Seats are counted from 0 here and in all that
judges and plays; moves and sentences have them from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Annotated

from rules.judged import Ended
from rules.saved import Codec
from rules.seven_wonders.boards import Board
from rules.seven_wonders.cards import FEWEST, HAND, MOST, Building, Buildings
from rules.seven_wonders.city import COINS_AT_START, City
from rules.seven_wonders.effects import Cost, Side, Special
from rules.seven_wonders.moves import Act, Do
from rules.seven_wonders.scoring import CityScore, left_of, rank_cities, right_of, score
from rules.seven_wonders.trade import NO_COINS, Pay, cheapest_ways
from rules.text import Text, player

ROUNDS = HAND - 1
"""Rounds of an age."""


class AgePhase(StrEnum):
    """What is due; all but ``OVER`` are the ``do`` of the line that must come next."""

    DEAL = "deal"
    ROUND = "round"
    SEVENTH = "seventh"
    FROM_DISCARD = "from_discard"
    CITY = "city"
    TELL = "tell"
    OVER = "over"


class GameEnding(StrEnum):
    """Why a game ended."""

    THREE_AGES = "three_ages"
    SCORE_SHEET = "score_sheet"


@dataclass(frozen=True, slots=True)
class Outcome(Ended):
    """The end of a game, with the points by seat and category too."""

    categories: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Price:
    """What a build or a stage costs a city: coins to the bank, and every cheapest way to pay the neighbours (4)."""

    coins: int
    ways: tuple[Pay, ...]


GRATIS = Price(0, NO_COINS)


@dataclass(frozen=True, repr=False)
class State:
    """What stands at one moment.

    ``age`` is that of the last deal, 0 before the first; ``rounds`` are those played in it. ``hands`` and ``pile`` are
    known with full information only, ``pile_ages`` always: cards of ages 1, 2 and 3 in the discard pile. ``digger`` is
    the seat that builds from the discards at the end of this round (9). ``told`` are the cities entered so far where
    only the score is asked.
    """

    players: tuple[str, ...]
    score_only: bool = False
    phase: AgePhase = AgePhase.DEAL
    age: int = 0
    rounds: int = 0
    cities: tuple[City, ...] = ()
    hands: tuple[Buildings, ...] | None = None
    pile: Buildings | None = None
    pile_ages: tuple[int, int, int] = (0, 0, 0)
    digger: Annotated[int, Codec(lambda seat: seat + 1, lambda seat: seat - 1)] | None = None
    told: int = 0

    @property
    def n(self) -> int:
        """The number of players."""
        return len(self.players)

    @property
    def full(self) -> bool | None:
        """True with full information, false with public, ``None`` where no deal has settled it."""
        return self.hands is not None if self.age else None

    @property
    def seat(self) -> int | None:
        """The one seat whose line is due, from 0; ``None`` where it is nobody's alone."""
        if self.phase is AgePhase.SEVENTH:
            return next(seat for seat, city in enumerate(self.cities) if city.has_special(Special.PLAY_SEVENTH_CARD))
        if self.phase is AgePhase.FROM_DISCARD:
            return self.digger
        return self.told if self.phase is AgePhase.CITY else None

    def name_player(self, seat: int) -> Text:
        """Name the player at that seat, for a sentence."""
        return player(self.players[seat])

    @cached_property
    def built(self) -> Counter[Building]:
        """How many copies of each card are built in all cities. It is shared: don't change it."""
        return Counter(card for city in self.cities for card in city.cards)

    def copies_left(self, card: Building) -> int:
        """Return how many copies of a card could still be built, for all that everybody can know.

        It is exact: with the number of copies and the age alone any unseen card may lie at any unseen place.
        """
        if card.is_guild and card not in self.built and self.guilds_built >= self.n + 2:
            return 0
        return card.in_play(self.n) - self.built[card]

    @property
    def guilds_built(self) -> int:
        """How many different guilds are built in all cities."""
        return sum(card.is_guild for card in self.built)

    def has_card(self, seat: int, card: Building) -> bool:
        """Tell whether that card is in that hand; with public information, whether one of its age could be."""
        return self.hands is None or card in self.hands[seat]

    def in_pile(self, card: Building) -> bool:
        """Tell whether that card lies in the discard pile; with public information, whether one of its age does."""
        return self.pile_ages[card.age - 1] > 0 if self.pile is None else card in self.pile

    def find_ways(self, seat: int, cost: Cost) -> tuple[Pay, ...]:
        """Return every cheapest way in which that seat pays its neighbours for this."""
        if not cost.units:
            return NO_COINS
        city = self.cities[seat]
        left, right = self.cities[left_of(seat, self.n)], self.cities[right_of(seat, self.n)]
        return cheapest_ways(
            cost.bits, city.sources, city.open_shop(left, Side.LEFT), city.open_shop(right, Side.RIGHT)
        )

    def find_price(self, seat: int, act: Act) -> Price:
        """Return what an act costs that seat: nothing by a chain, by Olympia's free building, or for a discard."""
        city = self.cities[seat]
        if act.do is Do.STAGE:
            stage = city.next_stage
            return GRATIS if stage is None else Price(stage.cost.coins, self.find_ways(seat, stage.cost))
        card = act.card
        if act.do is Do.DISCARD or act.free or card is None or card.id in city.chained:
            return GRATIS
        return Price(card.cost.coins, self.find_ways(seat, card.cost))

    def find_affordable(self, seat: int, price: Price) -> tuple[Pay, ...]:
        """Return the ways of a price for which that seat's coins suffice."""
        budget = self.cities[seat].coins - price.coins
        return tuple([way for way in price.ways if way.coins <= budget])

    def free_building(self, seat: int) -> bool:
        """Tell whether that seat may build free now, by the second stage of Olympia A (7)."""
        city = self.cities[seat]
        return city.has_special(Special.BUILD_FREE_ONCE_AN_AGE) and not city.free_used

    # Points

    @cached_property
    def scores(self) -> tuple[CityScore, ...]:
        """The points of each city as it stands, by category."""
        return tuple(score(self.cities, seat) for seat in range(self.n))

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each city as it stands."""
        return tuple(one.total for one in self.scores)

    @property
    def categories(self) -> tuple[tuple[int, ...], ...]:
        """The points of each city by category, in the order of the rule sheet."""
        return self.scores

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game as a value, ``None`` before it (13)."""
        if self.phase is not AgePhase.OVER:
            return None
        reason = GameEnding.SCORE_SHEET if self.score_only else GameEnding.THREE_AGES
        return Outcome(reason, rank_cities(self.cities, self.points), self.points, self.categories)


def at_start(board: Board, score_only: bool) -> City:
    """Return the empty city of a board: with 3 coins (1), or with none where only the score is asked."""
    return City(board, coins=0 if score_only else COINS_AT_START)


def check_start(players: Sequence[str], boards: Sequence[Board]) -> None:
    """Raise ``ValueError`` where so many can't play, or not with these boards."""
    if not FEWEST <= len(players) <= MOST:
        raise ValueError(f"Seven Wonders is for {FEWEST} to {MOST} players, not {len(players)}")
    if len(boards) != len(players) or len({board.wonder for board in boards}) != len(boards):
        raise ValueError("each player needs a board, each wonder once")
