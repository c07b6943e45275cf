"""Trade: every cheapest way to pay the neighbours for what a card or a stage costs (rulings 3 and 4).

A way is a pair of coins, to the left and to the right. It is found exactly, as a matching of the cost's units to
sources that give one unit each. The units are the bits of a mask; all masks that the sources of a city can cover
together are one int, bit *m* of which stands for the mask *m*. Such a set of masks holds every smaller mask too, and
its largest ones are all of one size, so only the largest that the own sources cover need be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

PRICE = 2
"""Coins for a neighbour's unit."""
CHEAP = 1
"""Coins for it with a trading post, the marketplace or the first stage of Olympia B."""


@dataclass(frozen=True, slots=True, order=True)
class Pay:
    """Coins paid to the left and to the right neighbour."""

    left: int = 0
    right: int = 0

    @property
    def coins(self) -> int:
        """Both together."""
        return self.left + self.right

    def is_covering(self, way: Pay) -> bool:
        """Tell whether that way asks no more of either neighbour."""
        return way.left <= self.left and way.right <= self.right

    def to_json(self) -> dict[str, int]:
        """Return the coins as a record's object, without the side that gets none."""
        return {side: coins for side, coins in (("left", self.left), ("right", self.right)) if coins}

    def __str__(self) -> str:
        return " ".join(f"{coins} {side}" for side, coins in self.to_json().items()) or "nothing"


NOTHING = Pay()
NO_COINS = (NOTHING,)


def record_payment(way: Pay | None) -> Pay | None:
    """Return a payment as a record has it: only where it is not nothing."""
    return None if way == NOTHING else way


Sources = tuple[int, ...]
"""Sources, each the bits of the resources of which it gives one."""


@dataclass(frozen=True, slots=True)
class Shop:
    """What a neighbour sells: its sources, and the resources, as bits, that cost one coin a unit there."""

    sources: Sources
    cheap: int


@lru_cache(maxsize=1 << 13)
def cheapest_ways(units: Sources, own: Sources, left: Shop, right: Shop) -> tuple[Pay, ...]:
    """Return every cheapest way to pay for these units, fewest coins to the left first; none where they can't be had.

    ``units`` has one bit a unit. No way of the result asks no more than another one of both neighbours.
    """
    masks = 1 << len(units)
    mine = _find_coverable(units, own)
    if mine >> (masks - 1) & 1:
        return NO_COINS
    sold_left, sold_right = _find_coverable(units, left.sources), _find_coverable(units, right.sources)
    prices_left, prices_right = _price_masks(units, left.cheap), _price_masks(units, right.cheap)
    least: dict[int, int] = {}
    for bought in _to_buy(units, mine):
        part = bought
        while True:
            rest = bought ^ part
            if sold_left >> part & 1 and sold_right >> rest & 1:
                coins = prices_left[part]
                if prices_right[rest] < least.get(coins, 1 << 30):
                    least[coins] = prices_right[rest]
            if not part:
                break
            part = part - 1 & bought
    ways: list[Pay] = []
    for coins in sorted(least):
        if not ways or least[coins] < ways[-1].right:
            ways.append(Pay(coins, least[coins]))
    return tuple(ways)


def _find_coverable(units: Sources, sources: Sources) -> int:
    """Return all masks of units that the sources can give together, as the bits of an int."""
    lacking = _list_lacking(len(units))
    found = 1
    for source in sources:
        before = found
        for place, unit in enumerate(units):
            if source & unit:
                found |= (before & lacking[place]) << (1 << place)
    return found


@cache
def _list_lacking(count: int) -> tuple[int, ...]:
    """Return, for each of ``count`` units, all masks without it, as the bits of an int."""
    return tuple(sum(1 << mask for mask in range(1 << count) if not mask >> place & 1) for place in range(count))


def _to_buy(units: Sources, mine: int) -> list[int]:
    """Return the masks left to buy where the own sources give as much as they can; of masks of equal units only one."""
    everything = (1 << len(units)) - 1
    most = 0
    found: dict[int, int] = {}
    for mask in range(everything + 1):
        if mine >> mask & 1:
            size = mask.bit_count()
            if size > most:
                most, found = size, {}
            if size == most:
                bought = everything ^ mask
                found[_shape_key(units, bought)] = bought
    return list(found.values())


def _shape_key(units: Sources, mask: int) -> int:
    """Return a number that is the same for masks of equal units: how often each resource is among them, octal."""
    shape = 0
    for place, unit in enumerate(units):
        if mask >> place & 1:
            shape += 1 << 3 * unit.bit_length()
    return shape


def _price_masks(units: Sources, cheap: int) -> list[int]:
    """Return what each mask of units costs at that neighbour's."""
    prices = [0]
    for unit in units:
        price = CHEAP if unit & cheap else PRICE
        prices += [coins + price for coins in prices]
    return prices
