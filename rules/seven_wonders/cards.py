"""The cards: 77 of three ages and ten guilds, with what they cost, do and make free, and how many are in play.

Source: ``games/seven_wonders_cards.json`` (the base game's first edition), in its order. Names are the ids made
readable; the sheet has none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import count

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

    ``copies`` are those in play by the number of players, from three on; a guild has none of its own, see ``guilds``.
    ``free_for`` are the ids of cards that it makes free (5). ``place`` is its place in ``BUILDINGS``.
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
        """How many copies can be in play: of a guild one, if it is drawn."""
        return 1 if self.is_guild else self.copies[players - FEWEST]

    def __lt__(self, other: Building) -> bool:
        return self.place < other.place

    def __reduce__(self) -> tuple[object, ...]:
        return building, (self.id,)

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"building({self.id!r})"


def guilds(players: int) -> int:
    """How many different guilds are drawn for age 3."""
    return players + 2


FREE = Cost()
_R = Resource
_places = count()


def _card(
    name: str, age: int, colour: Colour, price: Cost, effect: Effect, copies: str = "", free_for: str = ""
) -> Building:
    """A row of the table: ``copies`` a digit for each number of players, ``free_for`` ids with spaces between."""
    chained = frozenset(free_for.split())
    return Building(name, next(_places), age, colour, price, effect, chained, tuple(map(int, copies)))


BUILDINGS: tuple[Building, ...] = (
    _card("clay_pit", 1, Colour.BROWN, cost(coins=1), one_of(_R.ORE, _R.CLAY), "11111"),
    _card("clay_pool", 1, Colour.BROWN, FREE, gives(_R.CLAY), "11222"),
    _card("excavation", 1, Colour.BROWN, cost(coins=1), one_of(_R.STONE, _R.CLAY), "01111"),
    _card("forest_cave", 1, Colour.BROWN, cost(coins=1), one_of(_R.WOOD, _R.ORE), "00111"),
    _card("lumber_yard", 1, Colour.BROWN, FREE, gives(_R.WOOD), "12222"),
    _card("mine", 1, Colour.BROWN, cost(coins=1), one_of(_R.STONE, _R.ORE), "00011"),
    _card("ore_vein", 1, Colour.BROWN, FREE, gives(_R.ORE), "12222"),
    _card("stone_pit", 1, Colour.BROWN, FREE, gives(_R.STONE), "11222"),
    _card("timber_yard", 1, Colour.BROWN, cost(coins=1), one_of(_R.WOOD, _R.STONE), "11111"),
    _card("tree_farm", 1, Colour.BROWN, cost(coins=1), one_of(_R.WOOD, _R.CLAY), "00011"),
    _card("glassworks", 1, Colour.GREY, FREE, gives(_R.GLASS), "11122"),
    _card("loom", 1, Colour.GREY, FREE, gives(_R.CLOTH), "11122"),
    _card("press", 1, Colour.GREY, FREE, gives(_R.PAPYRUS), "11122"),
    _card(
        "east_trading_post",
        1,
        Colour.YELLOW,
        FREE,
        Effect(cheap=RAW, cheap_from=(Side.RIGHT,)),
        "11112",
        free_for="forum",
    ),
    _card("marketplace", 1, Colour.YELLOW, FREE, Effect(cheap=MADE, cheap_from=BOTH), "11122", free_for="caravansery"),
    _card("tavern", 1, Colour.YELLOW, FREE, Effect(coins=5), "01223"),
    _card(
        "west_trading_post",
        1,
        Colour.YELLOW,
        FREE,
        Effect(cheap=RAW, cheap_from=(Side.LEFT,)),
        "11112",
        free_for="forum",
    ),
    _card("altar", 1, Colour.BLUE, FREE, Effect(points=2), "11222", free_for="temple"),
    _card("baths", 1, Colour.BLUE, cost(stone=1), Effect(points=3), "11112", free_for="aqueduct"),
    _card("pawnshop", 1, Colour.BLUE, FREE, Effect(points=3), "01112"),
    _card("theater", 1, Colour.BLUE, FREE, Effect(points=2), "11122", free_for="statue"),
    _card(
        "apothecary",
        1,
        Colour.GREEN,
        cost(cloth=1),
        Effect(science=Science.COMPASS),
        "11222",
        free_for="stables dispensary",
    ),
    _card(
        "scriptorium",
        1,
        Colour.GREEN,
        cost(papyrus=1),
        Effect(science=Science.TABLET),
        "12222",
        free_for="courthouse library",
    ),
    _card(
        "workshop",
        1,
        Colour.GREEN,
        cost(glass=1),
        Effect(science=Science.GEAR),
        "11112",
        free_for="archery_range laboratory",
    ),
    _card("barracks", 1, Colour.RED, cost(ore=1), Effect(shields=1), "11222"),
    _card("guard_tower", 1, Colour.RED, cost(clay=1), Effect(shields=1), "12222"),
    _card("stockade", 1, Colour.RED, cost(wood=1), Effect(shields=1), "11112"),
    _card("brickyard", 2, Colour.BROWN, cost(coins=1), gives(_R.CLAY, _R.CLAY), "12222"),
    _card("foundry", 2, Colour.BROWN, cost(coins=1), gives(_R.ORE, _R.ORE), "12222"),
    _card("quarry", 2, Colour.BROWN, cost(coins=1), gives(_R.STONE, _R.STONE), "12222"),
    _card("sawmill", 2, Colour.BROWN, cost(coins=1), gives(_R.WOOD, _R.WOOD), "12222"),
    _card("glassworks_2", 2, Colour.GREY, FREE, gives(_R.GLASS), "11222"),
    _card("loom_2", 2, Colour.GREY, FREE, gives(_R.CLOTH), "11222"),
    _card("press_2", 2, Colour.GREY, FREE, gives(_R.PAPYRUS), "11222"),
    _card("bazar", 2, Colour.YELLOW, FREE, Effect(per=(Colour.GREY,), per_in=ALL_THREE, coins_each=2), "01112"),
    _card(
        "caravansery",
        2,
        Colour.YELLOW,
        cost(wood=2),
        one_of(*RAW_MATERIALS, for_sale=False),
        "11233",
        free_for="lighthouse",
    ),
    _card("forum", 2, Colour.YELLOW, cost(clay=2), one_of(*MANUFACTURED, for_sale=False), "11123", free_for="haven"),
    _card("vineyard", 2, Colour.YELLOW, FREE, Effect(per=(Colour.BROWN,), per_in=ALL_THREE, coins_each=1), "11122"),
    _card("aqueduct", 2, Colour.BLUE, cost(stone=3), Effect(points=5), "11112"),
    _card("courthouse", 2, Colour.BLUE, cost(clay=2, cloth=1), Effect(points=4), "11222"),
    _card("statue", 2, Colour.BLUE, cost(wood=1, ore=2), Effect(points=4), "11112", free_for="gardens"),
    _card("temple", 2, Colour.BLUE, cost(wood=1, clay=1, glass=1), Effect(points=3), "11122", free_for="pantheon"),
    _card(
        "dispensary",
        2,
        Colour.GREEN,
        cost(ore=2, glass=1),
        Effect(science=Science.COMPASS),
        "12222",
        free_for="arena lodge",
    ),
    _card(
        "laboratory",
        2,
        Colour.GREEN,
        cost(clay=2, papyrus=1),
        Effect(science=Science.GEAR),
        "11222",
        free_for="siege_workshop observatory",
    ),
    _card(
        "library",
        2,
        Colour.GREEN,
        cost(stone=2, cloth=1),
        Effect(science=Science.TABLET),
        "11122",
        free_for="senate university",
    ),
    _card(
        "school",
        2,
        Colour.GREEN,
        cost(wood=1, papyrus=1),
        Effect(science=Science.TABLET),
        "11112",
        free_for="academy study",
    ),
    _card("archery_range", 2, Colour.RED, cost(wood=2, ore=1), Effect(shields=2), "11122"),
    _card("stables", 2, Colour.RED, cost(wood=1, ore=1, clay=1), Effect(shields=2), "11222"),
    _card("training_ground", 2, Colour.RED, cost(wood=1, ore=2), Effect(shields=2), "01123", free_for="circus"),
    _card("walls", 2, Colour.RED, cost(stone=3), Effect(shields=2), "11112", free_for="fortifications"),
    _card(
        "arena",
        3,
        Colour.YELLOW,
        cost(stone=2, ore=1),
        Effect(per=(STAGE,), per_in=(Side.OWN,), coins_each=3, points_each=1),
        "11223",
    ),
    _card(
        "chamber_of_commerce",
        3,
        Colour.YELLOW,
        cost(clay=2, papyrus=1),
        Effect(per=(Colour.GREY,), per_in=(Side.OWN,), coins_each=2, points_each=2),
        "01122",
    ),
    _card(
        "haven",
        3,
        Colour.YELLOW,
        cost(wood=1, ore=1, cloth=1),
        Effect(per=(Colour.BROWN,), per_in=(Side.OWN,), coins_each=1, points_each=1),
        "12222",
    ),
    _card(
        "lighthouse",
        3,
        Colour.YELLOW,
        cost(stone=1, glass=1),
        Effect(per=(Colour.YELLOW,), per_in=(Side.OWN,), coins_each=1, points_each=1),
        "11122",
    ),
    _card("gardens", 3, Colour.BLUE, cost(wood=1, clay=2), Effect(points=5), "12222"),
    _card(
        "palace",
        3,
        Colour.BLUE,
        cost(wood=1, stone=1, ore=1, clay=1, glass=1, papyrus=1, cloth=1),
        Effect(points=8),
        "11112",
    ),
    _card("pantheon", 3, Colour.BLUE, cost(ore=1, clay=2, glass=1, papyrus=1, cloth=1), Effect(points=7), "11122"),
    _card("senate", 3, Colour.BLUE, cost(wood=2, stone=1, ore=1), Effect(points=6), "11222"),
    _card("town_hall", 3, Colour.BLUE, cost(stone=2, ore=1, glass=1), Effect(points=6), "11233"),
    _card("academy", 3, Colour.GREEN, cost(stone=3, glass=1), Effect(science=Science.COMPASS), "11112"),
    _card("lodge", 3, Colour.GREEN, cost(clay=2, papyrus=1, cloth=1), Effect(science=Science.COMPASS), "11122"),
    _card("observatory", 3, Colour.GREEN, cost(ore=2, glass=1, cloth=1), Effect(science=Science.GEAR), "11112"),
    _card("study", 3, Colour.GREEN, cost(wood=1, papyrus=1, cloth=1), Effect(science=Science.GEAR), "11222"),
    _card("university", 3, Colour.GREEN, cost(wood=2, glass=1, papyrus=1), Effect(science=Science.TABLET), "12222"),
    _card("arsenal", 3, Colour.RED, cost(wood=2, ore=1, cloth=1), Effect(shields=3), "12223"),
    _card("circus", 3, Colour.RED, cost(stone=3, ore=1), Effect(shields=3), "01233"),
    _card("fortifications", 3, Colour.RED, cost(stone=1, ore=3), Effect(shields=3), "11112"),
    _card("siege_workshop", 3, Colour.RED, cost(wood=1, clay=3), Effect(shields=3), "11222"),
    _card(
        "builders_guild",
        3,
        Colour.PURPLE,
        cost(stone=2, clay=2, glass=1),
        Effect(per=(STAGE,), per_in=ALL_THREE, points_each=1),
    ),
    _card(
        "craftsmens_guild",
        3,
        Colour.PURPLE,
        cost(stone=2, ore=2),
        Effect(per=(Colour.GREY,), per_in=BOTH, points_each=2),
    ),
    _card(
        "magistrates_guild",
        3,
        Colour.PURPLE,
        cost(wood=3, stone=1, cloth=1),
        Effect(per=(Colour.BLUE,), per_in=BOTH, points_each=1),
    ),
    _card(
        "philosophers_guild",
        3,
        Colour.PURPLE,
        cost(clay=3, papyrus=1, cloth=1),
        Effect(per=(Colour.GREEN,), per_in=BOTH, points_each=1),
    ),
    _card("scientists_guild", 3, Colour.PURPLE, cost(wood=2, ore=2, papyrus=1), Effect(science=Science.ANY)),
    _card(
        "shipowners_guild",
        3,
        Colour.PURPLE,
        cost(wood=3, glass=1, papyrus=1),
        Effect(per=(Colour.BROWN, Colour.GREY, Colour.PURPLE), per_in=(Side.OWN,), points_each=1),
    ),
    _card(
        "spies_guild", 3, Colour.PURPLE, cost(clay=3, glass=1), Effect(per=(Colour.RED,), per_in=BOTH, points_each=1)
    ),
    _card(
        "strategists_guild",
        3,
        Colour.PURPLE,
        cost(stone=1, ore=2, cloth=1),
        Effect(per=(DEFEAT,), per_in=BOTH, points_each=1),
    ),
    _card(
        "traders_guild",
        3,
        Colour.PURPLE,
        cost(glass=1, papyrus=1, cloth=1),
        Effect(per=(Colour.YELLOW,), per_in=BOTH, points_each=1),
    ),
    _card(
        "workers_guild",
        3,
        Colour.PURPLE,
        cost(wood=1, stone=1, ore=2, clay=1),
        Effect(per=(Colour.BROWN,), per_in=BOTH, points_each=1),
    ),
)
_BY_ID = {face.id: face for face in BUILDINGS}


def building(name: str) -> Building:
    """The card of that id.

    Raises:
        KeyError: there is none.
    """
    return _BY_ID[name]


@cache
def of_age(age: int, players: int) -> tuple[Building, ...]:
    """The faces that can be dealt in that age, every guild among them."""
    return tuple(face for face in BUILDINGS if face.age == age and face.in_play(players))


@cache
def dealt(age: int, players: int) -> Counter[Building]:
    """The cards that are dealt in that age, without the guilds. It is shared: don't change it."""
    return Counter({face: face.in_play(players) for face in of_age(age, players) if not face.is_guild})
