"""The tables of cards and boards: against the shared files, and in themselves."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from rules.seven_wonders.boards import BOARDS, find_board
from rules.seven_wonders.cards import AGES, BUILDINGS, HAND, count_dealt, count_guilds, find_building, of_age
from rules.seven_wonders.effects import MADE, RAW, STAGE, Colour, Cost, Effect, Resource
from tests.rules.seven_wonders.games import SHARED
from tests.words import en, ja

CARDS_FILE = SHARED / "games" / "seven_wonders_cards.json"
BOARDS_FILE = SHARED / "games" / "seven_wonders_boards.json"
PLAYERS = range(3, 8)

shared = pytest.mark.skipif(not CARDS_FILE.is_file(), reason="the shared games are not beside this checkout")


def _cost(cost: Cost) -> dict[str, int]:
    told = {en(unit): cost.units.count(unit) for unit in cost.units}
    return told | ({"coins": cost.coins} if cost.coins else {})


def _effect(effect: Effect) -> dict[str, Any]:
    """Return the effect as the shared files write it."""
    told: dict[str, Any] = {}
    if effect.sources:
        choice = len(effect.sources) == 1 and effect.sources[0].bit_count() > 1
        told["produces"] = sorted(en(unit) for source in effect.sources for unit in Resource if unit.bit & source)
        told |= {"choice": choice} | ({} if effect.for_sale else {"for_sale": False})
    if effect.cheap:
        told["buys_at_1"] = sorted(en(unit) for unit in Resource if unit.bit & effect.cheap)
        told["from"] = [side.value for side in effect.cheap_from]
    if effect.per:
        told["per"] = [en(one) if isinstance(one, Colour) else one for one in effect.per]
        told["in"] = [side.value for side in effect.per_in]
    numbers = ("coins_each", "points_each", "points", "coins", "shields")
    told |= {key: getattr(effect, key) for key in numbers if getattr(effect, key)}
    return told | {key: getattr(effect, key).value for key in ("science", "special") if getattr(effect, key)}


def _sorted(effect: dict[str, Any]) -> dict[str, Any]:
    return {key: sorted(value) if key in ("produces", "buys_at_1") else value for key, value in effect.items()}


@pytest.mark.shared
@shared
def test_the_cards_are_those_of_the_shared_file() -> None:
    told = json.loads(CARDS_FILE.read_text(encoding="utf-8"))["cards"]
    assert [card["id"] for card in told] == [card.id for card in BUILDINGS]
    for row, card in zip(told, BUILDINGS, strict=True):
        assert (row["age"], row["colour"], row["cost"]) == (card.age, en(card.colour), _cost(card.cost))
        assert _sorted(row["effect"]) == _effect(card.effect)
        assert frozenset(row["free_for"]) == card.free_for
        assert row["copies"] == {str(n): card.in_play(n) for n in PLAYERS if not card.is_guild}
        same = [other["id"] for other in told if other["name"] == row["name"]]
        assert same == [other.id for other in BUILDINGS if other.name == card.name]


@pytest.mark.shared
@shared
def test_the_boards_are_those_of_the_shared_file() -> None:
    told = json.loads(BOARDS_FILE.read_text(encoding="utf-8"))["boards"]
    assert [row["id"] for row in told] == [side.id for side in BOARDS]
    for row, side in zip(told, BOARDS, strict=True):
        assert (row["name_ja"], row["side"], row["produces"]) == (ja(side.wonder_text), side.side, en(side.produces))
        stages = [{"cost": _cost(one.cost), "effect": _effect(one.effect)} for one in side.stages]
        assert [{**one, "effect": _sorted(one["effect"])} for one in row["stages"]] == stages


@pytest.mark.parametrize("players", PLAYERS)
def test_each_age_has_seven_cards_for_each_player(players: int) -> None:
    for age in AGES:
        drawn = count_guilds(players) if age == AGES[-1] else 0
        assert count_dealt(age, players).total() + drawn == HAND * players
        assert all(card.in_play(players) for card in of_age(age, players))


def test_chains_lead_to_a_later_age() -> None:
    for card in BUILDINGS:
        assert all(find_building(later).age == card.age + 1 for later in card.free_for)


def test_cards_and_boards_have_words_in_both_languages_and_are_one_object_each() -> None:
    assert en(find_building("glassworks_2")) == "glassworks (age 2)"
    assert find_building("glassworks_2").name == find_building("glassworks").name
    assert len({en(card) for card in BUILDINGS}) == len({ja(card) for card in BUILDINGS}) == len(BUILDINGS)
    assert en(find_board("giza/b")) == "Giza B"
    assert ja(find_board("giza/b")) == "ギザの大ピラミッド（B面）"
    for one in (*BUILDINGS, *BOARDS):
        assert eval(repr(one), {"building": find_building, "board": find_board}) is one
        assert pickle.loads(pickle.dumps(one)) is one


def test_costs_read_as_words() -> None:
    assert en(find_building("town_hall").cost) == "1 ore, 2 stone and 1 glass"
    assert ja(find_building("quarry").cost) == "1コイン"
    assert en(Cost()) == "nothing"
    assert RAW & MADE == 0
    assert (RAW | MADE).bit_count() == len(Resource)
    assert find_building("arena").effect.per == (STAGE,)
