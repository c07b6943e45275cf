"""What cards and stages of wonders cost and do: resources, colours, costs and effects as values.

Source: the rule sheet (the list of signs on the cards) and ``games/seven_wonders.md``. Resources travel through trade
as bits of an int, ``Resource.bit``; a source is the bits of what it gives, one of them for each build.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from rules.parsing import quote_value
from rules.text import Text, join_names, plural


class Resource(Enum):
    """A resource and its names, raw materials first."""

    CLAY = (1, Text("clay"))
    ORE = (2, Text("ore"))
    STONE = (4, Text("stone"))
    WOOD = (8, Text("wood"))
    CLOTH = (16, Text("cloth"))
    GLASS = (32, Text("glass"))
    PAPYRUS = (64, Text("papyrus"))

    def __init__(self, bit: int, text: Text) -> None:
        self.bit = bit
        self.text = text


RAW_MATERIALS = (Resource.CLAY, Resource.ORE, Resource.STONE, Resource.WOOD)
"""What brown cards produce."""
MANUFACTURED = (Resource.CLOTH, Resource.GLASS, Resource.PAPYRUS)
"""What grey cards produce."""
RAW = sum(resource.bit for resource in RAW_MATERIALS)
MADE = sum(resource.bit for resource in MANUFACTURED)


class Colour(Enum):
    """The colour of a card and its names."""

    BROWN = Text("brown")
    GREY = Text("grey")
    YELLOW = Text("yellow")
    BLUE = Text("blue")
    GREEN = Text("green")
    RED = Text("red")
    PURPLE = Text("purple")

    def __init__(self, text: Text) -> None:
        self.text = text


class Side(StrEnum):
    """A city as another one sees it: the next seat is on the left, the seat before on the right."""

    LEFT = "left"
    OWN = "own"
    RIGHT = "right"


BOTH = (Side.LEFT, Side.RIGHT)
ALL_THREE = (Side.LEFT, Side.OWN, Side.RIGHT)


class Science(StrEnum):
    """A symbol of science; ``ANY`` is the one that gives the best sum (11)."""

    COMPASS = "compass"
    GEAR = "gear"
    TABLET = "tablet"
    ANY = "any"


class Special(StrEnum):
    """What only stages of wonders do."""

    PLAY_SEVENTH_CARD = "play_seventh_card"
    BUILD_FROM_DISCARD = "build_from_discard"
    BUILD_FREE_ONCE_AN_AGE = "build_free_once_an_age"
    COPY_GUILD = "copy_guild"


STAGE = "stage"
DEFEAT = "defeat"
Counted = Colour | str
"""What some cards count: cards of a colour, built stages (``STAGE``) or defeats (``DEFEAT``)."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a card or a stage gives to its city.

    ``sources`` gives resources, each the bits of which one comes for each build; ``for_sale`` tells whether neighbours
    can buy it. What is in ``cheap`` costs 1 coin a unit from the sides ``cheap_from``. For each of ``per`` in the
    cities ``per_in`` come ``coins_each`` once, when it is built, and ``points_each`` at the end.
    """

    sources: tuple[int, ...] = ()
    for_sale: bool = True
    cheap: int = 0
    cheap_from: tuple[Side, ...] = ()
    per: tuple[Counted, ...] = ()
    per_in: tuple[Side, ...] = ()
    coins_each: int = 0
    points_each: int = 0
    points: int = 0
    coins: int = 0
    shields: int = 0
    science: Science | None = None
    special: Special | None = None


def say_coins(count: int) -> Text:
    """Say a number of coins."""
    return plural("{told} coin", "{told} coins", count=count, told=quote_value(count))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a card or a stage costs: coins, and units of resources in the order of ``Resource``."""

    coins: int = 0
    units: tuple[Resource, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.coins or self.units)

    @property
    def bits(self) -> tuple[int, ...]:
        """The units as bits."""
        return tuple([unit.bit for unit in self.units])

    @property
    def text(self) -> Text:
        """The cost in words: ``2 stone and 1 glass``."""
        parts = [say_coins(self.coins)] if self.coins else []
        for unit in dict.fromkeys(self.units):
            count = self.units.count(unit)
            parts.append(Text("{count} {unit}", count=count, unit=unit))
        return join_names(parts) if parts else Text("nothing")


def cost(coins: int = 0, **units: int) -> Cost:
    """Make a cost by the names of its resources.

    >>> print(cost(stone=2, glass=1).text)
    2 stone and 1 glass
    """
    return Cost(coins, tuple(resource for resource in Resource for _ in range(units.get(resource.name.lower(), 0))))


def gives(*units: Resource) -> Effect:
    """Make an effect that produces these units, each a source of its own."""
    return Effect(sources=tuple(unit.bit for unit in units))


def one_of(*choice: Resource, for_sale: bool = True) -> Effect:
    """Make an effect that produces one of these for each build."""
    return Effect(sources=(sum(unit.bit for unit in choice),), for_sale=for_sale)


def each(*what: Counted, within: tuple[Side, ...] = (Side.OWN,), coins: int = 0, points: int = 0) -> Effect:
    """Make an effect that gives coins, and points at the end, for each of these in the cities ``within``."""
    return Effect(per=what, per_in=within, coins_each=coins, points_each=points)
