"""Scoring: the sheet's seven categories and rulings 10 to 13, by examples and against trying everything."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from rules.seven_wonders.cards import BUILDINGS
from rules.seven_wonders.moves import Round
from rules.seven_wonders.scoring import choose_copied, rank_cities, score_science
from rules.seven_wonders.state import AgePhase
from tests.rules.seven_wonders.games import DISCARD, game, table
from tests.words import en

WAR, TREASURY, WONDER, BLUE, GREEN, YELLOW, PURPLE = range(7)
PLAIN = "giza/a rhodes/a ephesos/a"


def test_the_sheet_counts_one_symbol_as_its_square() -> None:
    assert [score_science(count, 0, 0) for count in range(5)] == [0, 1, 4, 9, 16]


def test_the_sheet_adds_seven_for_each_set_of_three() -> None:
    assert score_science(1, 1, 1) == 3 + 7
    assert score_science(2, 2, 2) == 12 + 14
    assert score_science(3, 3, 3) == 27 + 21


def test_11_a_free_symbol_is_the_one_that_gives_the_best_sum() -> None:
    for symbols in combinations_with_replacement(range(6), 3):
        for free in range(3):
            best = max(
                score_science(symbols[0] + one, symbols[1] + other, symbols[2] + free - one - other)
                for one in range(free + 1)
                for other in range(free + 1 - one)
            )
            assert score_science(*symbols, free) == best


def test_11_free_symbols_of_babylon_and_scientists_count_as_green() -> None:
    position = table("babylon/a rhodes/a ephesos/a", {"cards": "apothecary workshop scientists_guild", "stages": 2})
    assert position.categories[0][GREEN] == score_science(1, 1, 0, 2)
    assert position.categories[0][PURPLE] == 0


def test_11_each_category_by_itself() -> None:
    position = table(
        "giza/b rhodes/a ephesos/a",
        {
            "cards": "altar palace apothecary clay_pool ore_vein loom "
            "haven lighthouse arena chamber_of_commerce tavern",
            "stages": 2,
            "coins": 11,
            "tokens": (1, 2, 1, 2),
        },
    )
    categories = position.categories[0]
    assert categories[WAR] == 1 + 6 + 5 - 2
    assert categories[TREASURY] == 3
    assert categories[WONDER] == 3 + 5
    assert categories[BLUE] == 2 + 8
    assert categories[GREEN] == 1
    assert categories[YELLOW] == 2 + 5 + 2 + 2  # brown cards, yellow cards, stages, twice the grey card
    assert categories[PURPLE] == 0
    assert position.points[0] == sum(categories)


@pytest.mark.parametrize(
    ("guild", "points"),
    [
        ("builders_guild", 1 + 2 + 3),
        ("craftsmens_guild", 2 * 3),
        ("magistrates_guild", 2),
        ("philosophers_guild", 1),
        ("shipowners_guild", 2 + 1 + 1),
        ("spies_guild", 3),
        ("strategists_guild", 4),
        ("traders_guild", 2),
        ("workers_guild", 3),
    ],
)
def test_11_guilds_count_the_cities_that_they_name(guild: str, points: int) -> None:
    position = table(
        "giza/a rhodes/a ephesos/a",
        {"cards": f"{guild} clay_pool ore_vein loom altar", "stages": 1, "tokens": (0, 0, 0, 5)},
        {"cards": "stone_pit loom press altar apothecary barracks tavern", "stages": 2, "tokens": (0, 0, 0, 1)},
        {
            "cards": "stone_pit lumber_yard glassworks theater stockade guard_tower marketplace",
            "stages": 3,
            "tokens": (0, 0, 0, 3),
        },
    )
    assert position.categories[0][PURPLE] == points


def _olympia(left: str, right: str, own: str = "", stages: int = 3) -> tuple[str | None, tuple[int, ...]]:
    position = table(
        "olympia/b rhodes/a ephesos/a", {"cards": own, "stages": stages, "coins": 0}, {"cards": left}, {"cards": right}
    )
    guild = choose_copied(position.cities, 0)
    return None if guild is None else guild.id, position.categories[0]


def test_12_olympia_copies_the_guild_that_brings_most() -> None:
    guild, categories = _olympia("workers_guild clay_pool ore_vein", "spies_guild stockade")
    assert (guild, categories[PURPLE]) == ("workers_guild", 2)


def test_12_of_equals_the_first_in_the_cards_file() -> None:
    guild, categories = _olympia("workers_guild clay_pool ore_vein", "spies_guild stockade barracks")
    assert (guild, categories[PURPLE]) == ("spies_guild", 2)


def test_12_the_copy_counts_by_the_neighbours_of_olympia() -> None:
    """The owner of the workers' guild has no brown neighbour, Olympia has one with three."""
    position = table(
        "olympia/b rhodes/a ephesos/a giza/a",
        {"stages": 3, "coins": 0},
        {"cards": "workers_guild clay_pool ore_vein lumber_yard"},
    )
    assert position.categories[1][PURPLE] == 0
    assert position.categories[0][PURPLE] == 3


def test_12_a_copied_scientists_guild_counts_as_green() -> None:
    guild, categories = _olympia("scientists_guild", "spies_guild stockade", "apothecary workshop")
    assert guild == "scientists_guild"
    assert (categories[GREEN], categories[PURPLE]) == (score_science(1, 1, 0, 1), 0)


def test_11_copied_shipowners_count_what_olympia_has_built_and_not_the_copy() -> None:
    guild, categories = _olympia("shipowners_guild", "", "clay_pool loom spies_guild")
    assert (guild, categories[PURPLE]) == ("shipowners_guild", 3)


def test_12_without_the_third_stage_nothing_is_copied() -> None:
    assert _olympia("workers_guild clay_pool", "", stages=2)[0] is None
    assert _olympia("clay_pool", "loom")[0] is None


def test_12_only_neighbours_are_copied() -> None:
    position = table("olympia/b rhodes/a ephesos/a giza/a", {"stages": 3}, {}, {"cards": "spies_guild"})
    assert choose_copied(position.cities, 0) is None


def test_13_most_points_then_most_coins_then_shared() -> None:
    position = table(PLAIN, {"coins": 3}, {"coins": 5}, {"coins": 5})
    assert rank_cities(position.cities, (5, 4, 4)) == (1, 2, 2)
    assert rank_cities(position.cities, (5, 5, 4)) == (2, 1, 3)
    assert rank_cities(position.cities, (5, 5, 5)) == (3, 1, 1)


def test_10_war_gives_victories_by_age_and_a_defeat_each() -> None:
    for age, points in ((1, 1), (2, 3), (3, 5)):
        position = table(PLAIN, {"cards": "barracks stockade"}, {"cards": "guard_tower"}, {}, age=age, rounds=5)
        over = position.do(Round((DISCARD,) * position.n))
        assert [one[WAR] for one in over.categories] == [2 * points, points - 1, -2]
        assert over.phase is (AgePhase.OVER if age == 3 else AgePhase.DEAL)


def test_10_equal_shields_give_nothing() -> None:
    position = table(PLAIN, {"cards": "barracks"}, {"cards": "guard_tower"}, {"cards": "stockade"}, rounds=5)
    assert {one[WAR] for one in position.do(Round((DISCARD,) * 3)).categories} == {0}


def test_10_stages_have_shields_too() -> None:
    position = table("rhodes/b giza/a ephesos/a", {"stages": 2}, rounds=5)
    assert position.cities[0].shields == 2
    assert position.do(Round((DISCARD,) * 3)).cities[0].tokens.victories == (2, 0, 0)


@pytest.mark.parametrize("seed", range(5))
def test_the_points_of_random_games_are_those_of_counting_card_by_card(seed: int) -> None:
    """An account of its own: every category once more, from the cards' facts."""
    last = game(3 + seed, seed).positions[-1]
    n = last.n
    for seat, one in enumerate(last.cities):
        plain = replace(one, stages=min(one.stages, 2)) if one.board.id == "olympia/b" else one
        cities = [plain if place == seat else other for place, other in enumerate(last.cities)]
        position = replace(last, cities=tuple(cities))
        left, right = cities[(seat + 1) % n], cities[(seat - 1) % n]
        points = dict.fromkeys(("blue", "yellow", "purple"), 0)
        for card in plain.cards:
            effect = card.effect
            each = 0
            for side in effect.per_in:
                where = {"left": left, "own": plain, "right": right}[side]
                each += sum(other.colour in effect.per for other in where.cards)
                each += where.stages * ("stage" in effect.per) + where.tokens.defeats * ("defeat" in effect.per)
            if en(card.colour) in points:
                points[en(card.colour)] += effect.points + effect.points_each * each
        categories = position.categories[seat]
        assert (categories[BLUE], categories[YELLOW], categories[PURPLE]) == tuple(points.values())
        assert last.points[seat] >= position.points[seat]
    assert all(card.effect.points_each == 0 for card in BUILDINGS if en(card.colour) not in ("yellow", "purple"))
