"""A plain set of our own design: each card in signs for cost and effect, its name, and what is free through it.

No art and no words of the game's maker are in it.
"""

from __future__ import annotations

from referee.papers import PrintedFace, Rgb, Sign
from rules.seven_wonders.cards import AGES, BUILDINGS, FEWEST, MOST, Building, find_building
from rules.seven_wonders.effects import STAGE, Colour, Counted, Effect, Resource, Science, Side
from rules.text import Text, join_alternatives

_GROUNDS: dict[Colour, Rgb] = {
    Colour.BROWN: (124, 84, 52),
    Colour.GREY: (126, 130, 136),
    Colour.YELLOW: (222, 172, 36),
    Colour.BLUE: (44, 96, 172),
    Colour.GREEN: (40, 126, 70),
    Colour.RED: (176, 44, 42),
    Colour.PURPLE: (112, 66, 136),
}
_BACKS: dict[int, Rgb] = {1: (150, 92, 46), 2: (52, 104, 150), 3: (118, 56, 92)}
_ROMAN = {1: "I", 2: "II", 3: "III"}
_INK: Rgb = (34, 36, 42)
_GOLD: Rgb = (236, 190, 60)
_PLAIN: Rgb = (244, 240, 228)

_RESOURCES: dict[Resource, Sign] = {
    Resource.CLAY: Sign("bricks", (190, 84, 50)),
    Resource.ORE: Sign("hexagon", (70, 74, 84)),
    Resource.STONE: Sign("block", (164, 164, 158)),
    Resource.WOOD: Sign("logs", (112, 74, 36)),
    Resource.CLOTH: Sign("diamond", (170, 72, 150)),
    Resource.GLASS: Sign("drop", (70, 170, 196)),
    Resource.PAPYRUS: Sign("scroll", (206, 178, 110)),
}
_SCIENCE: dict[Science, Sign] = {
    Science.COMPASS: Sign("compass", _INK),
    Science.GEAR: Sign("gear", _INK),
    Science.TABLET: Sign("tablet", _INK),
}
_OR = Sign("word", _INK, "/")
_ARROWS = {Side.LEFT: Sign("left", _INK), Side.RIGHT: Sign("right", _INK), Side.OWN: Sign("down", _INK)}

_NAMES = {
    "clay_pit": Text("Clay pit"),
    "clay_pool": Text("Clay pool"),
    "excavation": Text("Excavation"),
    "forest_cave": Text("Forest cave"),
    "lumber_yard": Text("Lumber yard"),
    "mine": Text("Mine"),
    "ore_vein": Text("Ore vein"),
    "stone_pit": Text("Stone pit"),
    "timber_yard": Text("Timber yard"),
    "tree_farm": Text("Tree farm"),
    "glassworks": Text("Glassworks"),
    "loom": Text("Loom"),
    "press": Text("Press"),
    "east_trading_post": Text("East trading post"),
    "marketplace": Text("Marketplace"),
    "tavern": Text("Tavern"),
    "west_trading_post": Text("West trading post"),
    "altar": Text("Altar"),
    "baths": Text("Baths"),
    "pawnshop": Text("Pawnshop"),
    "theater": Text("Theater"),
    "apothecary": Text("Apothecary"),
    "scriptorium": Text("Scriptorium"),
    "workshop": Text("Workshop"),
    "barracks": Text("Barracks"),
    "guard_tower": Text("Guard tower"),
    "stockade": Text("Stockade"),
    "brickyard": Text("Brickyard"),
    "foundry": Text("Foundry"),
    "quarry": Text("Quarry"),
    "sawmill": Text("Sawmill"),
    "bazar": Text("Bazar"),
    "caravansery": Text("Caravansery"),
    "forum": Text("Forum"),
    "vineyard": Text("Vineyard"),
    "aqueduct": Text("Aqueduct"),
    "courthouse": Text("Courthouse"),
    "statue": Text("Statue"),
    "temple": Text("Temple"),
    "dispensary": Text("Dispensary"),
    "laboratory": Text("Laboratory"),
    "library": Text("Library"),
    "school": Text("School"),
    "archery_range": Text("Archery range"),
    "stables": Text("Stables"),
    "training_ground": Text("Training ground"),
    "walls": Text("Walls"),
    "arena": Text("Arena"),
    "chamber_of_commerce": Text("Chamber of commerce"),
    "haven": Text("Haven"),
    "lighthouse": Text("Lighthouse"),
    "gardens": Text("Gardens"),
    "palace": Text("Palace"),
    "pantheon": Text("Pantheon"),
    "senate": Text("Senate"),
    "town_hall": Text("Town hall"),
    "academy": Text("Academy"),
    "lodge": Text("Lodge"),
    "observatory": Text("Observatory"),
    "study": Text("Study"),
    "university": Text("University"),
    "arsenal": Text("Arsenal"),
    "circus": Text("Circus"),
    "fortifications": Text("Fortifications"),
    "siege_workshop": Text("Siege workshop"),
    "builders_guild": Text("Builders' guild"),
    "craftsmens_guild": Text("Craftsmen's guild"),
    "magistrates_guild": Text("Magistrates' guild"),
    "philosophers_guild": Text("Philosophers' guild"),
    "scientists_guild": Text("Scientists' guild"),
    "shipowners_guild": Text("Shipowners' guild"),
    "spies_guild": Text("Spies' guild"),
    "strategists_guild": Text("Strategists' guild"),
    "traders_guild": Text("Traders' guild"),
    "workers_guild": Text("Workers' guild"),
}
"""The names printed on this set; the rule sheet has none in Japanese."""


def printed_faces() -> dict[str, PrintedFace]:
    """Return the printed faces of the set by id, then its backs."""
    faces = {face.id: _print_face(face) for face in BUILDINGS}
    backs = {f"back{age}": PrintedFace(Text("age {age}", age=age), _BACKS[age], _ROMAN[age], back=True) for age in AGES}
    return faces | backs


def _print_face(face: Building) -> PrintedFace:
    cost = [Sign("coin", _GOLD, str(face.cost.coins))] if face.cost.coins else []
    cost += [_RESOURCES[unit] for unit in face.cost.units]
    return PrintedFace(
        _NAMES[face.name],
        _GROUNDS[face.colour],
        _write_corner(face),
        tuple(cost),
        tuple(_write_effect(face.effect)),
        tuple(_write_hints(face)),
    )


def _write_corner(face: Building) -> str:
    """Write the age, and the numbers of players from which a copy more is in play."""
    steps = []
    before = 0
    for players in range(FEWEST, MOST + 1) if not face.is_guild else ():
        steps += [f"{players}+"] * (face.in_play(players) - before)
        before = face.in_play(players)
    return " ".join([_ROMAN[face.age], *steps])


def _write_units(bits: int) -> list[Resource]:
    return [unit for unit in Resource if unit.bit & bits]


def _write_effect(effect: Effect) -> list[Sign]:
    signs: list[Sign] = []
    for bits in effect.sources:
        for number, unit in enumerate(_write_units(bits)):
            signs += [_OR] if number else []
            signs.append(_RESOURCES[unit])
    if effect.cheap:
        signs += [_ARROWS[side] for side in effect.cheap_from if side is Side.LEFT]
        signs += [_RESOURCES[unit] for unit in _write_units(effect.cheap)]
        signs.append(Sign("coin", _GOLD, "1"))
        signs += [_ARROWS[side] for side in effect.cheap_from if side is Side.RIGHT]
    if effect.per:
        signs += [_ARROWS[side] for side in effect.per_in if len(effect.per_in) > 1 or side is Side.OWN]
        signs += [_write_counted(each) for each in effect.per]
        signs += [Sign("coin", _GOLD, str(effect.coins_each))] if effect.coins_each else []
        signs += [Sign("points", _PLAIN, str(effect.points_each))] if effect.points_each else []
    signs += [Sign("points", _PLAIN, str(effect.points))] if effect.points else []
    signs += [Sign("coin", _GOLD, str(effect.coins))] if effect.coins else []
    signs += [Sign("shield", (92, 24, 30))] * effect.shields
    if effect.science is Science.ANY:
        signs += [_SCIENCE[Science.COMPASS], _OR, _SCIENCE[Science.GEAR], _OR, _SCIENCE[Science.TABLET]]
    elif effect.science is not None:
        signs.append(_SCIENCE[effect.science])
    return signs


def _write_counted(each: Counted) -> Sign:
    if isinstance(each, Colour):
        return Sign("card", _GROUNDS[each])
    return Sign("stage", (200, 160, 90)) if each == STAGE else Sign("defeat", (176, 44, 42), "-1")


def _write_hints(face: Building) -> list[Text]:
    by = [other for other in BUILDINGS if face.id in other.free_for]
    hints = []
    if by:
        hints.append(Text("free with {names}", names=join_alternatives(_NAMES[each.name] for each in by)))
    for each in sorted(face.free_for, key=lambda each: find_building(each).place):
        hints.append(Text("then free: {name}", name=_NAMES[find_building(each).name]))
    return hints
