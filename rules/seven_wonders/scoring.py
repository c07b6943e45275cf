"""What a city is worth: the seven categories of the rule sheet, science at its best, the guild that Olympia copies.

Sources: the sheet ("勝利点の計算") and rulings 11 to 13. Every function takes the cities by seat and a seat from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from rules.judged import rank_places
from rules.seven_wonders.cards import Building
from rules.seven_wonders.city import City
from rules.seven_wonders.effects import Colour, Effect, Science, Side, Special
from rules.text import Text

COINS_A_POINT = 3
SET_OF_THREE = 7

CATEGORY_WORDS: Mapping[str, Text] = MappingProxyType(
    {
        "war": Text("war"),
        "treasury": Text("treasury"),
        "wonder": Text("wonder"),
        "blue": Text("blue"),
        "green": Text("green"),
        "yellow": Text("yellow"),
        "purple": Text("purple"),
    }
)
"""The categories in words."""
CATEGORIES = tuple(CATEGORY_WORDS)
"""The categories in the order of a check's last line."""


class CityScore(NamedTuple):
    """The points of a city by category, in the order of ``CATEGORIES``."""

    war: int
    treasury: int
    wonder: int
    blue: int
    green: int
    yellow: int
    purple: int

    @property
    def total(self) -> int:
        """All points."""
        return sum(self)


def left_of(seat: int, players: int) -> int:
    """Return the left neighbour: the next seat."""
    return (seat + 1) % players


def right_of(seat: int, players: int) -> int:
    """Return the right neighbour: the seat before."""
    return (seat - 1) % players


def count_effect(cities: Sequence[City], seat: int, effect: Effect) -> int:
    """Count what the effect counts in the cities it looks at, as this seat sees them."""
    n = len(cities)
    seats = {Side.LEFT: left_of(seat, n), Side.OWN: seat, Side.RIGHT: right_of(seat, n)}
    return sum(cities[seats[side]].number_of(effect.per) for side in effect.per_in)


@cache
def score_science(compasses: int, gears: int, tablets: int, free: int = 0) -> int:
    """Score science symbols; each of the free ones is the symbol that gives the best sum (11).

    >>> score_science(2, 1, 1), score_science(2, 1, 0, 1), score_science(3, 0, 0, 1)
    (13, 13, 16)
    """
    if free:
        return max(
            score_science(compasses + 1, gears, tablets, free - 1),
            score_science(compasses, gears + 1, tablets, free - 1),
            score_science(compasses, gears, tablets + 1, free - 1),
        )
    symbols = (compasses, gears, tablets)
    return sum(count * count for count in symbols) + SET_OF_THREE * min(symbols)


def score(cities: Sequence[City], seat: int) -> CityScore:
    """Score a city as it stands, with the guild that Olympia B would copy (11, 12)."""
    return _score(cities, seat, choose_copied(cities, seat))


def list_copyable(cities: Sequence[City], seat: int) -> list[Building]:
    """List the guilds that the city may copy, in the order of the cards; none but for the last stage of Olympia B."""
    if not cities[seat].has_special(Special.COPY_GUILD):
        return []
    neighbours = (cities[left_of(seat, len(cities))], cities[right_of(seat, len(cities))])
    return sorted(card for city in neighbours for card in city.cards if card.is_guild)


def choose_copied(cities: Sequence[City], seat: int) -> Building | None:
    """Return the guild that the city copies: the one that brings most, of equals the first of the cards (12)."""
    return max(list_copyable(cities, seat), key=lambda guild: _score(cities, seat, guild).total, default=None)


def _score(cities: Sequence[City], seat: int, copy: Building | None) -> CityScore:
    """Score a city that counts this neighbour's guild as if it had built it."""
    city = cities[seat]
    by_colour = dict.fromkeys(Colour, 0)
    for card in city.cards if copy is None else (*city.cards, copy):
        effect = card.effect
        by_colour[card.colour] += effect.points
        if effect.points_each:
            by_colour[card.colour] += effect.points_each * count_effect(cities, seat, effect)
    symbols = [effect.science for effect in city.effects]
    if copy is not None:
        symbols.append(copy.effect.science)
    return CityScore(
        war=city.tokens.points,
        treasury=city.coins // COINS_A_POINT,
        wonder=sum(stage.effect.points for stage in city.stages_built),
        blue=by_colour[Colour.BLUE],
        green=score_science(*(symbols.count(symbol) for symbol in Science)),
        yellow=by_colour[Colour.YELLOW],
        purple=by_colour[Colour.PURPLE],
    )


def fight_war(cities: Sequence[City], seat: int) -> tuple[int, int]:
    """Return the victories and defeats of a city in one war against both neighbours (10)."""
    n = len(cities)
    mine = cities[seat].shields
    theirs = (cities[left_of(seat, n)].shields, cities[right_of(seat, n)].shields)
    return sum(mine > other for other in theirs), sum(mine < other for other in theirs)


def rank_cities(cities: Sequence[City], points: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each city: most points, then most coins, then together (13)."""
    return rank_places([(total, city.coins) for total, city in zip(points, cities, strict=True)])
