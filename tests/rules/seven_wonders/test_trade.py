"""Trade: rulings 3 and 4 by examples, and every cheapest way against trying everything."""

from __future__ import annotations

from itertools import product
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.seven_wonders.cards import BUILDINGS
from rules.seven_wonders.effects import MADE, RAW, Resource
from rules.seven_wonders.trade import NO_COINS, Pay, Shop, Sources, cheapest_ways
from tests.rules.seven_wonders.games import after, alone, build, codes, stage, table

CLAY, ORE, STONE, WOOD, CLOTH, GLASS, PAPYRUS = (resource.bit for resource in Resource)
EMPTY = Shop((), 0)


def _ways(units: Sources, own: Sources, left: Shop, right: Shop) -> list[tuple[int, int]]:
    return [(way.left, way.right) for way in cheapest_ways(units, own, left, right)]


def test_4_a_stone_that_both_sell_has_two_cheapest_ways() -> None:
    assert _ways((STONE,), (), Shop((STONE,), 0), Shop((STONE,), 0)) == [(0, 2), (2, 0)]


def test_4_with_the_west_trading_post_the_left_stone_costs_one() -> None:
    assert _ways((STONE,), (), Shop((STONE,), RAW), Shop((STONE,), 0)) == [(0, 2), (1, 0)]


def test_3_a_source_with_a_choice_gives_one_resource_for_each_build() -> None:
    assert _ways((ORE, CLAY), (ORE | CLAY,), EMPTY, Shop((ORE,), 0)) == [(0, 2)]
    assert _ways((ORE, CLAY), (ORE | CLAY,), EMPTY, EMPTY) == []


def test_3_an_own_choice_is_used_where_it_saves_most() -> None:
    """The own wood or stone gives the wood, since the left one sells stone for one coin."""
    assert _ways((STONE, WOOD), (STONE | WOOD,), Shop((STONE, WOOD, GLASS), STONE), EMPTY) == [(1, 0)]


def test_3_a_double_source_gives_two() -> None:
    assert _ways((CLAY, CLAY, CLAY), (CLAY,), Shop((CLAY, CLAY), 0), EMPTY) == [(4, 0)]


def test_3_what_is_not_for_sale_cannot_be_bought() -> None:
    """Caravansery and Forum serve their owner alone."""
    position = table("giza/a rhodes/a ephesos/a", {"coins": 9}, {"cards": "caravansery forum"}, age=2)
    assert codes(position, alone(position, build("apothecary"))) == ["card_not_in_deck", "cannot_produce"]
    assert not codes(position, alone(position, build("school"), 2))


def test_3_both_neighbours_and_the_owner_may_use_a_source_in_one_round() -> None:
    position = table("giza/a rhodes/a ephesos/a", {}, {"cards": "loom"}, {}, age=1)
    assert not codes(position, alone(position, build("apothecary", 2, 0), 1))
    assert not codes(position, alone(position, build("apothecary"), 2))
    assert not codes(position, alone(position, build("apothecary", 0, 2), 3))


@pytest.mark.parametrize(
    ("discount", "card", "wanted"),
    [
        ("", "baths", [(0, 2), (2, 0)]),
        ("west_trading_post", "baths", [(0, 2), (1, 0)]),
        ("east_trading_post", "baths", [(0, 1), (2, 0)]),
        ("west_trading_post east_trading_post", "baths", [(0, 1), (1, 0)]),
        ("marketplace", "baths", [(0, 2), (2, 0)]),
        ("", "workshop", [(0, 2), (2, 0)]),
        ("marketplace", "workshop", [(0, 1), (1, 0)]),
        ("west_trading_post", "workshop", [(0, 2), (2, 0)]),
    ],
)
def test_3_trading_posts_and_marketplace_make_their_kind_cheap(
    discount: str, card: str, wanted: list[tuple[int, int]]
) -> None:
    sold = {"cards": "stone_pit glassworks"}
    position = table("rhodes/a ephesos/a babylon/a", {"cards": discount}, sold, sold)
    cost = build(card).card
    assert cost is not None
    assert [(way.left, way.right) for way in position.find_ways(0, cost.cost)] == wanted


def test_3_the_first_stage_of_olympia_b_makes_raw_materials_cheap_from_both() -> None:
    sold = {"cards": "stone_pit glassworks"}
    for stages, wanted in ((0, 2), (1, 1)):
        position = table("olympia/b rhodes/a ephesos/a", {"stages": stages}, sold, sold)
        for name, price in (("baths", wanted), ("workshop", 2)):
            card = build(name).card
            assert card is not None
            assert position.find_ways(0, card.cost) == (Pay(0, price), Pay(price, 0))


def test_2_coins_paid_go_to_the_neighbours_and_serve_from_the_next_line_on() -> None:
    position = table("rhodes/a giza/a ephesos/a", {"coins": 2}, {"coins": 0})
    assert codes(position, alone(position, build("scriptorium", 0, 2), 2)) == ["coins_short", "underpaid"]
    one = after(position, build("baths", 2, 0))
    assert [held.coins for held in one.cities] == [0, 5, 6]
    assert not codes(one, alone(one, build("scriptorium"), 2))


def test_left_is_the_next_seat_and_right_the_one_before() -> None:
    position = table("rhodes/a giza/a ephesos/a babylon/a", {"coins": 9})
    paid = after(position, build("baths", 2, 0))
    assert [held.coins - old.coins for held, old in zip(paid.cities, position.cities, strict=True)] == [-2, 5, 3, 3]
    paid = after(position, build("guard_tower", 0, 2))
    assert [held.coins - old.coins for held, old in zip(paid.cities, position.cities, strict=True)] == [-2, 3, 3, 5]
    assert codes(position, alone(position, build("scriptorium"))) == ["cannot_produce"]


TWO_STONES = {"cards": "stone_pit"}


@pytest.mark.parametrize(
    ("coins", "pay", "wanted"),
    [
        (3, (2, 0), []),
        (3, (0, 2), []),
        (3, None, ["pay_unclear"]),
        (1, None, ["coins_short"]),
        (1, (2, 0), ["coins_short"]),
        (1, (9, 0), ["coins_short", "overpaid"]),
        (3, (2, 2), ["overpaid"]),
        (3, (9, 9), ["overpaid"]),
        (3, (1, 1), ["underpaid"]),
        (3, (1, 0), ["underpaid"]),
        (3, (0, 0), ["underpaid"]),
    ],
)
def test_4_only_a_cheapest_way_that_the_coins_allow(coins: int, pay: tuple[int, int] | None, wanted: list[str]) -> None:
    position = table("rhodes/a ephesos/a babylon/a", {"coins": coins}, TWO_STONES, TWO_STONES)
    act = build("baths") if pay is None else build("baths", *pay)
    assert codes(position, alone(position, act)) == wanted


def test_4_pay_may_be_left_out_where_the_coins_suffice_for_one_way_only() -> None:
    position = table("rhodes/a ephesos/a babylon/a", {"cards": "west_trading_post", "coins": 1}, TWO_STONES, TWO_STONES)
    assert after(position, build("baths")).cities[0].coins == 0
    assert codes(position, alone(position, build("baths", 0, 2))) == ["coins_short"]


def test_4_the_coins_of_the_card_come_first() -> None:
    position = table("rhodes/a ephesos/a babylon/a", {"coins": 0})
    assert codes(position, alone(position, build("clay_pit"))) == ["coins_short"]
    position = table("rhodes/a ephesos/a babylon/a", {"coins": 1})
    assert after(position, build("clay_pit")).cities[0].coins == 0
    assert codes(position, alone(position, build("clay_pit", 1, 0))) == ["overpaid"]


def test_4_stages_are_paid_alike() -> None:
    position = table("giza/a rhodes/a ephesos/a", {"coins": 2}, {"cards": "stone_pit"})
    assert codes(position, alone(position, stage())) == []
    assert after(position, stage()).cities[0].coins == 0


def _everything(units: Sources, own: Sources, left: Shop, right: Shop) -> list[tuple[int, int]]:
    """Every cheapest way, by trying every source for every unit."""
    offers = [(source, 0, 0) for source in own]
    offers += [(source, 1, left.cheap) for source in left.sources] + [
        (source, 2, right.cheap) for source in right.sources
    ]
    found: set[tuple[int, int]] = set()
    for chosen in product(range(len(offers)), repeat=len(units)):
        if len(set(chosen)) == len(chosen) and all(offers[k][0] & unit for k, unit in zip(chosen, units, strict=True)):
            coins = [0, 0, 0]
            for k, unit in zip(chosen, units, strict=True):
                coins[offers[k][1]] += 1 if unit & offers[k][2] else 2
            found.add((coins[1], coins[2]))
    return sorted(
        way for way in found if not any(other != way and other[0] <= way[0] and other[1] <= way[1] for other in found)
    )


_bits = [resource.bit for resource in Resource]
_source = st.lists(st.sampled_from(_bits), min_size=1, max_size=4).map(lambda some: sum(set(some)))
_sources = st.lists(_source, max_size=3).map(tuple)
_cheap = st.sampled_from((0, RAW, MADE, RAW | MADE))
_shop = st.builds(Shop, _sources, _cheap)


@pytest.mark.slow  # test_the_cheapest_ways_of_few_resources
@settings(max_examples=400)
@given(st.lists(st.sampled_from(_bits), min_size=1, max_size=4).map(sorted).map(tuple), _sources, _shop, _shop)
def test_the_cheapest_ways_are_those_of_trying_everything(
    units: Sources, own: Sources, left: Shop, right: Shop
) -> None:
    assert _ways(units, own, left, right) == _everything(units, own, left, right)


_few = st.sampled_from(_bits[:3])


@settings(max_examples=200)
@given(
    st.lists(_few, min_size=2, max_size=4).map(sorted).map(tuple),
    st.lists(st.lists(_few, min_size=1, max_size=3).map(lambda some: sum(set(some))), max_size=3).map(tuple),
    st.builds(Shop, st.lists(_few, max_size=3).map(tuple), _cheap),
    st.builds(Shop, st.lists(_few, max_size=3).map(tuple), _cheap),
)
def test_the_cheapest_ways_of_few_resources(units: Sources, own: Sources, left: Shop, right: Shop) -> None:
    assert _ways(units, own, left, right) == _everything(units, own, left, right)


def test_no_cost_takes_longer_than_some_milliseconds_however_much_is_sold() -> None:
    everything = tuple(
        source for _ in range(3) for source in (RAW, MADE, CLAY | ORE, STONE | WOOD, GLASS, CLOTH, PAPYRUS)
    )
    slowest = 0.0
    for card in BUILDINGS:
        begun = perf_counter()
        ways = cheapest_ways.__wrapped__(card.cost.bits, (), Shop(everything, RAW), Shop(everything, MADE))
        slowest = max(slowest, perf_counter() - begun)
        assert ways
        assert (ways == NO_COINS) == (not card.cost.units)
    assert slowest < 0.05
