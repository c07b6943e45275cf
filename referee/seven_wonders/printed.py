"""A plain set of our own design: each card in signs for cost and effect, its name, and what is free through it.

No art and no words of the game's maker are in it.
"""

from __future__ import annotations

from referee.papers import PrintedFace, Rgb, Sign
from rules.seven_wonders.cards import AGES, BUILDINGS, FEWEST, MOST, Building, building
from rules.seven_wonders.effects import STAGE, Colour, Counted, Effect, Resource, Science, Side
from rules.text import Both, Text, alternatives, sentence_case

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

_JA = {
    "clay_pit": "粘土穴",
    "clay_pool": "粘土沼",
    "excavation": "発掘場",
    "forest_cave": "森の洞穴",
    "lumber_yard": "材木置場",
    "mine": "鉱山",
    "ore_vein": "鉱脈",
    "stone_pit": "石切り穴",
    "timber_yard": "木材倉",
    "tree_farm": "植林地",
    "glassworks": "ガラス工房",
    "loom": "織機",
    "press": "製紙場",
    "east_trading_post": "東の交易所",
    "marketplace": "市の広場",
    "tavern": "酒場",
    "west_trading_post": "西の交易所",
    "altar": "祭壇",
    "baths": "浴場",
    "pawnshop": "質屋",
    "theater": "芝居小屋",
    "apothecary": "薬屋",
    "scriptorium": "写字室",
    "workshop": "作業場",
    "barracks": "兵舎",
    "guard_tower": "見張り塔",
    "stockade": "木柵",
    "brickyard": "れんが場",
    "foundry": "鋳物場",
    "quarry": "採石場",
    "sawmill": "製材所",
    "bazar": "バザール",
    "caravansery": "隊商宿",
    "forum": "公共広場",
    "vineyard": "ぶどう園",
    "aqueduct": "水道橋",
    "courthouse": "裁きの館",
    "statue": "像",
    "temple": "神殿",
    "dispensary": "施薬所",
    "laboratory": "実験室",
    "library": "図書館",
    "school": "学校",
    "archery_range": "弓場",
    "stables": "馬屋",
    "training_ground": "練兵場",
    "walls": "城壁",
    "arena": "闘技場",
    "chamber_of_commerce": "商業会館",
    "haven": "港",
    "lighthouse": "灯台",
    "gardens": "庭園",
    "palace": "宮殿",
    "pantheon": "万神殿",
    "senate": "元老院",
    "town_hall": "市役所",
    "academy": "学院",
    "lodge": "集会所",
    "observatory": "天文台",
    "study": "書斎",
    "university": "大学",
    "arsenal": "武器庫",
    "circus": "競技場",
    "fortifications": "要塞",
    "siege_workshop": "攻城工房",
    "builders_guild": "大工の組合",
    "craftsmens_guild": "職人の組合",
    "magistrates_guild": "役人の組合",
    "philosophers_guild": "哲学者の組合",
    "scientists_guild": "科学者の組合",
    "shipowners_guild": "船主の組合",
    "spies_guild": "密偵の組合",
    "strategists_guild": "戦略家の組合",
    "traders_guild": "商人の組合",
    "workers_guild": "労働者の組合",
}
"""Japanese names of this set: the rule sheet has none."""


def printed_faces() -> dict[str, PrintedFace]:
    """The faces of the set by id, then its backs."""
    faces = {face.id: _face(face) for face in BUILDINGS}
    backs = {f"back{age}": PrintedFace(Text("age {age}", age=age), _BACKS[age], _ROMAN[age], back=True) for age in AGES}
    return faces | backs


def _name(face: Building) -> Text:
    words = face.name.replace("_", " ")
    if face.is_guild:
        who = words.removesuffix(" guild")
        words = f"{who.removesuffix('s')}'s guild" if who.endswith("mens") else f"{who}' guild"
    return Both(sentence_case(words), _JA[face.name])


def _face(face: Building) -> PrintedFace:
    cost = [Sign("coin", _GOLD, str(face.cost.coins))] if face.cost.coins else []
    cost += [_RESOURCES[unit] for unit in face.cost.units]
    return PrintedFace(
        _name(face), _GROUNDS[face.colour], _corner(face), tuple(cost), tuple(_effect(face.effect)), tuple(_hints(face))
    )


def _corner(face: Building) -> str:
    """Age, and the numbers of players from which a copy more is in play."""
    steps = []
    before = 0
    for players in range(FEWEST, MOST + 1) if not face.is_guild else ():
        steps += [f"{players}+"] * (face.in_play(players) - before)
        before = face.in_play(players)
    return " ".join([_ROMAN[face.age], *steps])


def _units(bits: int) -> list[Resource]:
    return [unit for unit in Resource if unit.bit & bits]


def _effect(effect: Effect) -> list[Sign]:
    signs: list[Sign] = []
    for bits in effect.sources:
        for number, unit in enumerate(_units(bits)):
            signs += [_OR] if number else []
            signs.append(_RESOURCES[unit])
    if effect.cheap:
        signs += [_ARROWS[side] for side in effect.cheap_from if side is Side.LEFT]
        signs += [_RESOURCES[unit] for unit in _units(effect.cheap)]
        signs.append(Sign("coin", _GOLD, "1"))
        signs += [_ARROWS[side] for side in effect.cheap_from if side is Side.RIGHT]
    if effect.per:
        signs += [_ARROWS[side] for side in effect.per_in if len(effect.per_in) > 1 or side is Side.OWN]
        signs += [_counted(each) for each in effect.per]
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


def _counted(each: Counted) -> Sign:
    if isinstance(each, Colour):
        return Sign("card", _GROUNDS[each])
    return Sign("stage", (200, 160, 90)) if each == STAGE else Sign("defeat", (176, 44, 42), "-1")


def _hints(face: Building) -> list[Text]:
    by = [other for other in BUILDINGS if face.id in other.free_for]
    hints = []
    if by:
        hints.append(Text("free with {names}", names=alternatives(_name(each) for each in by)))
    for each in sorted(face.free_for, key=lambda each: building(each).place):
        name = _name(building(each))
        hints.append(Text("then free: {name}", name=name))
    return hints
