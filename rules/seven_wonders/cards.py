"""The cards: 77 of three ages and ten guilds, with what they cost, do and make free, and how many are in play.

Source: ``games/seven_wonders_cards.json`` (the base game's first edition), in its order. Names are the ids made
readable; the sheet has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Annotated, Any

from rules.saved import Codec
from rules.seven_wonders.effects import (
    ALL_THREE,
    BOTH,
    DEFEAT,
    MADE,
    MANUFACTURED,
    RAW,
    RAW_MATERIALS,
    STAGE,
    Colour,
    Cost,
    Effect,
    Resource,
    Science,
    Side,
    cost,
    each,
    gives,
    one_of,
)
from rules.text import Text, in_context

AGES = (1, 2, 3)
FEWEST, MOST = 3, 7
"""Players."""
HAND = 7
"""Cards of a hand as it is dealt."""


@dataclass(frozen=True, slots=True, eq=False)
class Building:
    """A card of the game by its face. ``str(building)`` is its id; each face is one object, so equal is identical.

    ``copies`` are those in play by the number of players, from three on; a guild has none of its own, see
    ``count_guilds``. ``free_for`` are the ids of cards that it makes free (5). ``place`` is its place in ``BUILDINGS``.
    """

    id: str
    place: int
    age: int
    colour: Colour
    cost: Cost
    effect: Effect
    free_for: frozenset[str]
    copies: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name that no city builds twice: ``glassworks`` of ``glassworks_2`` too (6)."""
        return self.id.removesuffix("_2")

    @property
    def called(self) -> Text:
        """Its name in a sentence: the printed one, which the sheet does not translate."""
        return in_context("building", "{name}", name=self.name.replace("_", " "))

    @property
    def text(self) -> Text:
        """The card in a sentence, with its age where there is one of that name in another age."""
        return self.called if self.name == self.id else Text("{card} (age {age})", card=self.called, age=self.age)

    @property
    def is_guild(self) -> bool:
        """True for the purple cards."""
        return self.colour is Colour.PURPLE

    def in_play(self, players: int) -> int:
        """Return how many copies can be in play: of a guild one, if it is drawn."""
        return 1 if self.is_guild else self.copies[players - FEWEST]

    def __lt__(self, other: Building) -> bool:
        return self.place < other.place

    def __reduce__(self) -> tuple[object, ...]:
        return find_building, (self.id,)

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"building({self.id!r})"


def count_guilds(players: int) -> int:
    """Return how many different guilds are drawn for age 3."""
    return players + 2


FREE = Cost()
CLAY, ORE, STONE, WOOD, CLOTH, GLASS, PAPYRUS = Resource
BROWN, GREY, YELLOW, BLUE, GREEN, RED, PURPLE = Colour

_TABLE: Mapping[tuple[int, Colour], Sequence[tuple[Any, ...]]] = {
    (1, BROWN): (
        ("clay_pit", cost(coins=1), one_of(CLAY, ORE), "11111"),
        ("clay_pool", FREE, gives(CLAY), "11222"),
        ("excavation", cost(coins=1), one_of(CLAY, STONE), "01111"),
        ("forest_cave", cost(coins=1), one_of(ORE, WOOD), "00111"),
        ("lumber_yard", FREE, gives(WOOD), "12222"),
        ("mine", cost(coins=1), one_of(ORE, STONE), "00011"),
        ("ore_vein", FREE, gives(ORE), "12222"),
        ("stone_pit", FREE, gives(STONE), "11222"),
        ("timber_yard", cost(coins=1), one_of(STONE, WOOD), "11111"),
        ("tree_farm", cost(coins=1), one_of(CLAY, WOOD), "00011"),
    ),
    (1, GREY): (
        ("glassworks", FREE, gives(GLASS), "11122"),
        ("loom", FREE, gives(CLOTH), "11122"),
        ("press", FREE, gives(PAPYRUS), "11122"),
    ),
    (1, YELLOW): (
        ("east_trading_post", FREE, Effect(cheap=RAW, cheap_from=(Side.RIGHT,)), "11112", "forum"),
        ("marketplace", FREE, Effect(cheap=MADE, cheap_from=BOTH), "11122", "caravansery"),
        ("tavern", FREE, Effect(coins=5), "01223"),
        ("west_trading_post", FREE, Effect(cheap=RAW, cheap_from=(Side.LEFT,)), "11112", "forum"),
    ),
    (1, BLUE): (
        ("altar", FREE, Effect(points=2), "11222", "temple"),
        ("baths", cost(stone=1), Effect(points=3), "11112", "aqueduct"),
        ("pawnshop", FREE, Effect(points=3), "01112"),
        ("theater", FREE, Effect(points=2), "11122", "statue"),
    ),
    (1, GREEN): (
        ("apothecary", cost(cloth=1), Effect(science=Science.COMPASS), "11222", "stables dispensary"),
        ("scriptorium", cost(papyrus=1), Effect(science=Science.TABLET), "12222", "courthouse library"),
        ("workshop", cost(glass=1), Effect(science=Science.GEAR), "11112", "archery_range laboratory"),
    ),
    (1, RED): (
        ("barracks", cost(ore=1), Effect(shields=1), "11222"),
        ("guard_tower", cost(clay=1), Effect(shields=1), "12222"),
        ("stockade", cost(wood=1), Effect(shields=1), "11112"),
    ),
    (2, BROWN): (
        ("brickyard", cost(coins=1), gives(CLAY, CLAY), "12222"),
        ("foundry", cost(coins=1), gives(ORE, ORE), "12222"),
        ("quarry", cost(coins=1), gives(STONE, STONE), "12222"),
        ("sawmill", cost(coins=1), gives(WOOD, WOOD), "12222"),
    ),
    (2, GREY): (
        ("glassworks_2", FREE, gives(GLASS), "11222"),
        ("loom_2", FREE, gives(CLOTH), "11222"),
        ("press_2", FREE, gives(PAPYRUS), "11222"),
    ),
    (2, YELLOW): (
        ("bazar", FREE, each(GREY, within=ALL_THREE, coins=2), "01112"),
        ("caravansery", cost(wood=2), one_of(*RAW_MATERIALS, for_sale=False), "11233", "lighthouse"),
        ("forum", cost(clay=2), one_of(*MANUFACTURED, for_sale=False), "11123", "haven"),
        ("vineyard", FREE, each(BROWN, within=ALL_THREE, coins=1), "11122"),
    ),
    (2, BLUE): (
        ("aqueduct", cost(stone=3), Effect(points=5), "11112"),
        ("courthouse", cost(clay=2, cloth=1), Effect(points=4), "11222"),
        ("statue", cost(ore=2, wood=1), Effect(points=4), "11112", "gardens"),
        ("temple", cost(clay=1, wood=1, glass=1), Effect(points=3), "11122", "pantheon"),
    ),
    (2, GREEN): (
        ("dispensary", cost(ore=2, glass=1), Effect(science=Science.COMPASS), "12222", "arena lodge"),
        ("laboratory", cost(clay=2, papyrus=1), Effect(science=Science.GEAR), "11222", "siege_workshop observatory"),
        ("library", cost(stone=2, cloth=1), Effect(science=Science.TABLET), "11122", "senate university"),
        ("school", cost(wood=1, papyrus=1), Effect(science=Science.TABLET), "11112", "academy study"),
    ),
    (2, RED): (
        ("archery_range", cost(ore=1, wood=2), Effect(shields=2), "11122"),
        ("stables", cost(clay=1, ore=1, wood=1), Effect(shields=2), "11222"),
        ("training_ground", cost(ore=2, wood=1), Effect(shields=2), "01123", "circus"),
        ("walls", cost(stone=3), Effect(shields=2), "11112", "fortifications"),
    ),
    (3, YELLOW): (
        ("arena", cost(ore=1, stone=2), each(STAGE, coins=3, points=1), "11223"),
        ("chamber_of_commerce", cost(clay=2, papyrus=1), each(GREY, coins=2, points=2), "01122"),
        ("haven", cost(ore=1, wood=1, cloth=1), each(BROWN, coins=1, points=1), "12222"),
        ("lighthouse", cost(stone=1, glass=1), each(YELLOW, coins=1, points=1), "11122"),
    ),
    (3, BLUE): (
        ("gardens", cost(clay=2, wood=1), Effect(points=5), "12222"),
        ("palace", cost(clay=1, ore=1, stone=1, wood=1, cloth=1, glass=1, papyrus=1), Effect(points=8), "11112"),
        ("pantheon", cost(clay=2, ore=1, cloth=1, glass=1, papyrus=1), Effect(points=7), "11122"),
        ("senate", cost(ore=1, stone=1, wood=2), Effect(points=6), "11222"),
        ("town_hall", cost(ore=1, stone=2, glass=1), Effect(points=6), "11233"),
    ),
    (3, GREEN): (
        ("academy", cost(stone=3, glass=1), Effect(science=Science.COMPASS), "11112"),
        ("lodge", cost(clay=2, cloth=1, papyrus=1), Effect(science=Science.COMPASS), "11122"),
        ("observatory", cost(ore=2, cloth=1, glass=1), Effect(science=Science.GEAR), "11112"),
        ("study", cost(wood=1, cloth=1, papyrus=1), Effect(science=Science.GEAR), "11222"),
        ("university", cost(wood=2, glass=1, papyrus=1), Effect(science=Science.TABLET), "12222"),
    ),
    (3, RED): (
        ("arsenal", cost(ore=1, wood=2, cloth=1), Effect(shields=3), "12223"),
        ("circus", cost(ore=1, stone=3), Effect(shields=3), "01233"),
        ("fortifications", cost(ore=3, stone=1), Effect(shields=3), "11112"),
        ("siege_workshop", cost(clay=3, wood=1), Effect(shields=3), "11222"),
    ),
    (3, PURPLE): (
        ("builders_guild", cost(clay=2, stone=2, glass=1), each(STAGE, within=ALL_THREE, points=1)),
        ("craftsmens_guild", cost(ore=2, stone=2), each(GREY, within=BOTH, points=2)),
        ("magistrates_guild", cost(stone=1, wood=3, cloth=1), each(BLUE, within=BOTH, points=1)),
        ("philosophers_guild", cost(clay=3, cloth=1, papyrus=1), each(GREEN, within=BOTH, points=1)),
        ("scientists_guild", cost(ore=2, wood=2, papyrus=1), Effect(science=Science.ANY)),
        ("shipowners_guild", cost(wood=3, glass=1, papyrus=1), each(BROWN, GREY, PURPLE, points=1)),
        ("spies_guild", cost(clay=3, glass=1), each(RED, within=BOTH, points=1)),
        ("strategists_guild", cost(ore=2, stone=1, cloth=1), each(DEFEAT, within=BOTH, points=1)),
        ("traders_guild", cost(cloth=1, glass=1, papyrus=1), each(YELLOW, within=BOTH, points=1)),
        ("workers_guild", cost(clay=1, ore=2, stone=1, wood=1), each(BROWN, within=BOTH, points=1)),
    ),
}
"""By age and colour a row for each card: its id, what it costs and does, its copies, a digit for each number of
players from three on, and the ids of what it makes free."""


def _list_buildings() -> Iterator[Building]:
    places = count()
    for (age, colour), rows in _TABLE.items():
        for name, price, effect, *more in rows:
            copies, free_for = (*more, "", "")[:2]
            chained = frozenset(free_for.split())
            yield Building(name, next(places), age, colour, price, effect, chained, tuple(map(int, copies)))


BUILDINGS: tuple[Building, ...] = tuple(_list_buildings())
_BY_ID = {face.id: face for face in BUILDINGS}


def find_building(name: str) -> Building:
    """Return the card of that id.

    Raises:
        KeyError: there is none.
    """
    return _BY_ID[name]


Buildings = tuple[Annotated[Building, Codec(str, find_building)], ...]
"""Cards, each kept as its id."""


@cache
def of_age(age: int, players: int) -> tuple[Building, ...]:
    """Return the faces that can be dealt in that age, every guild among them."""
    return tuple(face for face in BUILDINGS if face.age == age and face.in_play(players))


@cache
def count_dealt(age: int, players: int) -> Counter[Building]:
    """Count the cards that are dealt in that age, without the guilds. The result is shared: don't change it."""
    return Counter({face: face.in_play(players) for face in of_age(age, players) if not face.is_guild})
