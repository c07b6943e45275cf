"""Rounds, chains, stages, ages: the sheet and rulings 1, 2 and 5 to 9 by examples."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from rules.refusal import Illegal
from rules.seven_wonders.cards import AGES, HAND, find_building
from rules.seven_wonders.legal_moves import deal
from rules.seven_wonders.moves import Act, Deal, Do, FinishedCity, FromDiscard, Round, Seventh, Tell, Tokens
from rules.seven_wonders.position import Position
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.state import AgePhase
from rules.seven_wonders.trade import Pay
from tests.rules.seven_wonders.games import DISCARD, NAMES, after, alone, build, codes, game, stage, table
from tests.words import en, ja

PLAIN = "giza/a rhodes/a ephesos/a"
EVERYBODY_DISCARDS = Round((DISCARD,) * 3)


def test_1_every_city_begins_with_three_coins() -> None:
    start = RULES.start(NAMES[:3], {})
    assert [held.coins for held in start.cities] == [3, 3, 3]
    assert len({held.board.wonder for held in start.cities}) == 3


def test_the_sheet_gives_three_coins_for_a_discard() -> None:
    position = table(PLAIN)
    assert [held.coins for held in position.do(EVERYBODY_DISCARDS).cities] == [6, 6, 6]


@pytest.mark.parametrize(("age", "step"), [(1, 1), (2, -1), (3, 1)])
def test_1_hands_go_left_in_ages_1_and_3_and_right_in_age_2(age: int, step: int) -> None:
    chance = Random(age)
    position = replace(table(PLAIN), phase=AgePhase.DEAL, age=age - 1, hands=((),) * 3, pile=())
    dealt = position.do(deal(age, 3, chance))
    assert dealt.hands is not None
    left = [hand[1:] for hand in dealt.hands]
    passed = dealt.do(Round(tuple(Act(Do.DISCARD, hand[0]) for hand in dealt.hands)))
    assert passed.hands is not None
    assert [passed.hands[(seat + step) % 3] for seat in range(3)] == left


def test_1_after_the_sixth_round_what_is_left_is_discarded_for_nothing() -> None:
    played = game(3, 1, boards=("giza/a", "rhodes/a", "ephesos/a"))
    sixth = next(place for place, one in enumerate(played.positions) if one.rounds == 6)
    before, then = played.positions[sixth - 1 : sixth + 1]
    assert before.hands is not None
    assert then.phase is AgePhase.DEAL
    assert then.hands == ((), (), ())
    discards = sum(act.do is Do.DISCARD for act in played.moves[sixth - 1].acts)  # type: ignore[union-attr]
    assert sum(then.pile_ages) == sum(before.pile_ages) + discards + 3


def test_2_coins_of_a_round_pay_for_nothing_in_it() -> None:
    position = table(PLAIN, {"coins": 0}, {"coins": 2})
    both = Round((build("clay_pit"), build("baths", 0, 2), DISCARD))
    assert codes(position, both) == ["coins_short"]
    assert position.do(Round((DISCARD, build("baths", 0, 2), DISCARD))).cities[0].coins == 5


def test_2_resources_of_a_round_serve_from_the_next_line_on() -> None:
    position = table("rhodes/a ephesos/a babylon/a")
    both = Round((build("baths"), build("stone_pit"), DISCARD))
    assert codes(position, both) == ["cannot_produce"]
    position = after(position, build("stone_pit"), 2)
    assert after(position, build("baths")).cities[0].coins == position.cities[0].coins - 2


def test_2_discounts_and_chains_of_a_round_serve_from_the_next_line_on() -> None:
    position = table("rhodes/a giza/a ephesos/a", {"coins": 2})
    assert [way.left for way in position.find_ways(0, find_building("baths").cost)] == [2]
    built = after(position, build("west_trading_post"))
    assert [way.left for way in built.find_ways(0, find_building("baths").cost)] == [1]
    assert "forum" in built.cities[0].chained


def test_2_coins_for_cards_count_everything_built_in_the_round() -> None:
    position = table(PLAIN, {"cards": "clay_pool"}, {"cards": "ore_vein stone_pit"}, {}, age=2)
    all_at_once = Round((build("vineyard"), build("quarry"), build("sawmill")))
    assert position.do(all_at_once).cities[0].coins == 3 + 1 + 3 + 1
    bazar = table(f"{PLAIN} babylon/a", {}, {"cards": "loom"}, {"cards": "press"}, {}, age=2)
    all_at_once = Round((build("bazar"), build("press_2"), build("loom_2"), build("glassworks_2")))
    assert bazar.do(all_at_once).cities[0].coins == 3 + 2 * (2 + 1)


def test_2_coins_for_own_cards_count_the_card_itself() -> None:
    position = table(PLAIN, {"cards": "forum caravansery glassworks_2 stone_pit", "stages": 2}, age=3)
    assert after(position, build("lighthouse")).cities[0].coins == 3 + 3
    position = table(PLAIN, {"cards": "stone_pit ore_vein", "stages": 2}, age=3)
    assert after(position, build("arena")).cities[0].coins == 3 + 6


def test_stages_give_coins() -> None:
    position = table("ephesos/a giza/a rhodes/a", {"cards": "sawmill", "stages": 1})
    assert after(position, stage()).cities[0].coins == 3 + 9


def test_5_a_chain_makes_a_card_free() -> None:
    position = table(PLAIN, {"cards": "altar", "coins": 0}, age=2)
    assert not codes(position, alone(position, build("temple")))
    assert not codes(position, alone(position, build("temple", 0, 0)))
    assert codes(position, alone(position, build("temple", 1, 0))) == ["overpaid"]
    assert after(position, build("temple")).cities[0].coins == 0
    assert codes(position, alone(position, build("courthouse"))) == ["cannot_produce"]


def test_6_stages_are_built_from_left_to_right_each_once() -> None:
    position = table(PLAIN, {"cards": "quarry sawmill timber_yard", "stages": 0})
    for built in range(3):
        position = after(position, stage())
        assert position.cities[0].stages == built + 1
    assert codes(position, alone(position, stage())) == ["no_stage_left"]


def test_6_no_city_builds_two_cards_of_one_name() -> None:
    position = table(PLAIN, {"cards": "glassworks"}, age=2)
    assert codes(position, alone(position, build("glassworks_2"))) == ["already_built"]
    assert not codes(position, alone(position, build("glassworks_2"), 2))


OLYMPIA = "olympia/a giza/a rhodes/a"


def test_7_olympia_builds_one_card_in_each_age_without_cost() -> None:
    position = table(OLYMPIA, {"stages": 2, "coins": 0}, age=2)
    free = after(position, build("brickyard", free=True))
    assert (free.cities[0].coins, free.cities[0].free_used) == (0, True)
    assert codes(free, alone(free, build("foundry", free=True))) == ["no_free_build"]
    assert after(position, build("aqueduct", free=True)).cities[0].coins == 0


def test_7_in_the_next_age_it_builds_free_again() -> None:
    position = table(OLYMPIA, {"stages": 2, "coins": 0}, age=1, rounds=5)
    free = after(position, build("clay_pit", free=True))
    assert free.phase is AgePhase.DEAL
    again = free.do(Deal(2))
    assert not codes(again, alone(again, build("brickyard", free=True)))


@pytest.mark.parametrize(
    ("stages", "cards", "act", "wanted"),
    [
        (1, "", build("brickyard", free=True), ["no_free_build"]),
        (2, "", build("press_2", free=True), ["no_free_build"]),
        (2, "altar", build("temple", free=True), ["no_free_build"]),
        (2, "", build("brickyard", 0, 0, free=True), []),
        (2, "", build("brickyard", 1, 0, free=True), ["overpaid"]),
    ],
)
def test_7_only_what_costs_something_is_built_free(stages: int, cards: str, act: Act, wanted: list[str]) -> None:
    position = table(OLYMPIA, {"stages": stages, "cards": cards, "coins": 0}, age=2)
    assert codes(position, alone(position, act)) == wanted


def test_7_the_stage_serves_from_the_line_after_it_in_that_age_too() -> None:
    position = table(OLYMPIA, {"stages": 1, "cards": "quarry"}, age=2)
    built = after(position, stage())
    assert not codes(built, alone(built, build("statue", free=True)))


BABYLON = "babylon/b giza/a rhodes/a"


def _sixth(boards: str, *cities: dict[str, object], age: int = 2) -> Position:
    return table(boards, *cities, age=age, rounds=5)


def test_8_babylon_plays_the_seventh_card_as_a_step_of_its_own() -> None:
    position = _sixth(BABYLON, {"stages": 2}, {"coins": 0}).do(EVERYBODY_DISCARDS)
    assert (position.phase, RULES.to_move(position)) == (AgePhase.SEVENTH, {1})
    assert codes(position, Seventh(2, DISCARD)) == ["out_of_turn"]
    assert codes(position, EVERYBODY_DISCARDS) == ["seventh_due"]
    assert codes(position, Deal(3)) == ["seventh_due"]
    for act, coins in ((DISCARD, 9), (build("press_2"), 6), (stage(), None)):
        if coins is None:
            assert codes(position, Seventh(1, act)) == ["cannot_produce"]
            continue
        over = position.do(Seventh(1, act))
        assert (over.phase, over.cities[0].coins) == (AgePhase.DEAL, coins)
        assert over.pile_ages == (0, 3 + 2 + (act is DISCARD), 0)


def test_8_also_where_the_stage_is_built_in_the_sixth_round() -> None:
    position = _sixth(BABYLON, {"stages": 1, "cards": "sawmill glassworks"})
    assert after(position, stage()).phase is AgePhase.SEVENTH
    assert after(position, DISCARD).phase is AgePhase.DEAL


def test_8_coins_of_the_sixth_round_pay_for_the_seventh_card() -> None:
    position = _sixth(BABYLON, {"stages": 2, "coins": 0}, {"cards": "loom"}, age=1)
    assert codes(position, alone(position, build("apothecary", 2, 0))) == ["coins_short"]
    assert not codes(position.do(EVERYBODY_DISCARDS), Seventh(1, build("apothecary", 2, 0)))


def test_8_the_seventh_card_is_the_one_left_in_the_hand() -> None:
    boards = ("babylon/b", "giza/a", "rhodes/a")
    position = next(
        one for seed in range(200) for one in game(3, seed, boards=boards).positions if one.phase is AgePhase.SEVENTH
    )
    assert position.hands is not None
    (mine,), (other,), _ = position.hands
    assert codes(position, Seventh(1, Act(Do.DISCARD, other)))[0] == "card_not_in_hand"
    over = position.do(Seventh(1, Act(Do.DISCARD, mine)))
    assert over.pile is not None
    assert position.pile is not None
    assert Counter(over.pile) == Counter(position.pile) + Counter(card for hand in position.hands for card in hand)


HALIKARNASSOS = "halikarnassos/b giza/a rhodes/a"


def test_9_halikarnassos_builds_one_of_the_discards_without_cost() -> None:
    position = table(HALIKARNASSOS, {"cards": "foundry", "coins": 0}, age=2, pile_ages=(1, 0, 0))
    due = after(position, stage())
    assert (due.phase, RULES.to_move(due), due.pile_ages) == (AgePhase.FROM_DISCARD, {1}, (1, 2, 0))
    assert codes(due, FromDiscard(2, find_building("altar"))) == ["out_of_turn"]
    assert codes(due, EVERYBODY_DISCARDS) == ["from_discard_due"]
    then = due.do(FromDiscard(1, find_building("aqueduct")))
    assert (then.phase, then.rounds, then.cities[0].coins, then.pile_ages) == (AgePhase.ROUND, 1, 0, (1, 1, 0))
    then = due.do(FromDiscard(1, find_building("altar")))
    assert then.pile_ages == (0, 2, 0)
    assert due.do(FromDiscard(1)).pile_ages == due.pile_ages


def test_9_a_card_from_the_discards_brings_its_coins() -> None:
    position = table(HALIKARNASSOS, {"cards": "foundry", "coins": 0}, {"cards": "clay_pool"}, age=2)
    assert after(position, stage()).do(FromDiscard(1, find_building("vineyard"))).cities[0].coins == 2


def test_9_nothing_is_due_where_no_card_lies_there() -> None:
    position = table(HALIKARNASSOS, {"cards": "foundry"}, {}, {}, age=2)
    built = position.do(Round((stage(), build("quarry"), build("sawmill"))))
    assert (built.phase, built.digger) == (AgePhase.ROUND, None)


def test_9_in_the_sixth_round_after_the_cards_left_over_were_discarded() -> None:
    position = _sixth(HALIKARNASSOS, {"cards": "foundry"})
    built = position.do(Round((stage(), build("quarry"), build("sawmill"))))
    assert (built.phase, built.pile_ages) == (AgePhase.FROM_DISCARD, (0, 3, 0))
    assert built.cities[0].tokens.defeats == 0
    assert built.do(FromDiscard(1, find_building("walls"))).cities[0].tokens.victories == (0, 2, 0)


def test_9_after_the_seventh_card() -> None:
    boards = "halikarnassos/b babylon/b rhodes/a"
    position = _sixth(boards, {"cards": "foundry"}, {"stages": 2}, {})
    built = position.do(Round((stage(), build("quarry"), build("sawmill"))))
    assert built.phase is AgePhase.SEVENTH
    last = built.do(Seventh(2, DISCARD))
    assert (last.phase, last.pile_ages) == (AgePhase.FROM_DISCARD, (0, 3, 0))
    assert last.do(FromDiscard(1)).phase is AgePhase.DEAL


@pytest.mark.parametrize(
    ("card", "wanted"),
    [
        ("palace", ["card_not_in_deck", "not_in_discard"]),
        ("bazar", ["card_not_in_deck", "no_copy_left"]),
        ("stone_pit", ["not_in_discard"]),
        ("foundry", ["no_copy_left", "already_built"]),
        ("quarry", ["no_copy_left"]),
        ("loom_2", ["already_built"]),
        ("sawmill", []),
    ],
)
def test_6_and_9_what_the_discards_do_not_allow(card: str, wanted: list[str]) -> None:
    position = table(HALIKARNASSOS, {"cards": "foundry loom"}, {"cards": "quarry"}, age=2)
    assert codes(after(position, stage()), FromDiscard(1, find_building(card))) == wanted


def test_a_round_is_accepted_whole_or_refused_whole_and_names_every_seat() -> None:
    position = table(PLAIN, {"coins": 0})
    move = Round((build("clay_pit"), build("apothecary"), build("press_2")))
    refusal = position.verify(move)
    assert refusal is not None
    assert (refusal.code, refusal.also) == ("card_not_in_deck", ("cannot_produce", "coins_short"))
    for name in NAMES[:3]:
        assert name in ja(refusal.text)
    assert en(refusal.text) == (
        "Noether can't play press (age 2): it is a card of age 2, and this is age 1. Refused too: Hilbert and Banach."
    )
    with pytest.raises(Illegal):
        position.do(move)


def test_the_lines_of_a_game_come_in_their_order() -> None:
    start = RULES.start(NAMES[:3], {})
    assert codes(start, EVERYBODY_DISCARDS) == ["deal_due"]
    assert codes(start, Seventh(1, DISCARD)) == ["deal_due"]
    assert codes(start, FromDiscard(1)) == ["deal_due"]
    assert codes(start, Deal(2)) == ["deal_due"]
    dealt = start.do(Deal(1))
    assert codes(dealt, Deal(1)) == codes(dealt, Deal(2)) == codes(dealt, FromDiscard(1)) == ["round_due"]
    over = game(3, 1).positions[-1]
    assert codes(over, FromDiscard(1)) == ["game_over"]
    assert codes(over, Round((Act(Do.DISCARD, find_building("altar")),) * 3)) == ["game_over"]


@pytest.mark.few(2)
@pytest.mark.parametrize("players", range(3, 8))
def test_whole_random_games_keep_every_card(players: int) -> None:
    for seed in range(6):
        played = game(players, seed)
        staged: Counter[int] = Counter()
        for before, move in zip(played.positions, played.moves, strict=False):
            acts = move.acts if isinstance(move, Round) else (move.act,) if isinstance(move, Seventh) else ()
            staged[before.age] += sum(act.do is Do.STAGE for act in acts)
        last = played.positions[-1]
        assert last.pile is not None
        for age in AGES:
            built = sum(card.age == age for held in last.cities for card in held.cards)
            assert built + staged[age] + last.pile_ages[age - 1] == HAND * players
            assert last.pile_ages[age - 1] == sum(card.age == age for card in last.pile)
        assert last.outcome is not None
        assert sum(sum(held.tokens.victories) for held in last.cities) == sum(
            held.tokens.defeats for held in last.cities
        )


@pytest.mark.few(2)
@pytest.mark.parametrize("players", range(3, 8))
def test_full_and_public_games_agree(players: int) -> None:
    for seed in range(6):
        played = game(players, seed)
        public = played.positions[0]
        for position, move in zip(played.positions[1:], played.moves, strict=True):
            assert public.is_legal(RULES.make_public(move))
            public = public.do(RULES.make_public(move))
            assert (public.cities, public.pile_ages, public.phase) == (
                position.cities,
                position.pile_ages,
                position.phase,
            )
            assert public.points == position.points


@pytest.mark.parametrize("players", range(3, 8))
def test_no_coins_are_lost_in_trade(players: int) -> None:
    """Without discards, coin effects and coin costs, the coins of all cities together stay as they are."""
    for seed in range(3):
        played = game(players, seed)
        for before, then, move in zip(played.positions, played.positions[1:], played.moves, strict=False):
            if isinstance(move, Round):
                due = 0
                for seat, act in enumerate(move.acts):
                    price = before.find_price(seat, act)
                    due -= price.coins
                    due += 3 * (act.do is Do.DISCARD)
                    if act.do is Do.STAGE:
                        due += before.cities[seat].board.stages[before.cities[seat].stages].effect.coins
                    elif act.do is Do.BUILD and act.card is not None:
                        due += act.card.effect.coins
                        if act.card.effect.coins_each:
                            break
                else:
                    held = [sum(one.coins for one in position.cities) for position in (before, then)]
                    assert held[1] - held[0] == due


def test_positions_and_moves_read_as_text() -> None:
    start = RULES.start(NAMES[:3], {"boards": ["giza/a", "rhodes/b", "ephesos/a"]})
    assert repr(start).startswith(
        "<Position deal of age 1, discards [0, 0, 0]: giza/a 0 stages, 3 coins, 0+0+0 victories"
    )
    dealt = start.do(Deal(1))
    assert "<Position age 1 round 1, public" in repr(dealt)
    told = Round((build("baths", 2, 1), stage(), build("loom", free=True)))
    assert str(told) == "round build baths pay 2 left 1 right | stage | build loom free"
    assert str(Seventh(1, DISCARD)) == "1 seventh discard"
    assert [str(FromDiscard(1)), str(FromDiscard(2, find_building("altar")))] == [
        "1 from_discard nothing",
        "2 from_discard altar",
    ]
    assert str(FinishedCity(1, (find_building("altar"),), 2)) == "1 city altar stages 2"
    assert str(Tell((1, 2, 3), (Tokens((1, 0, 2), 1),) * 3)).startswith("tell coins 1 2 3 tokens 1 0 2 1 | ")
    assert repr(table("babylon/b giza/a rhodes/a", {"stages": 2}, rounds=5).do(EVERYBODY_DISCARDS)).startswith(
        "<Position seventh of Hilbert, public"
    )


@pytest.mark.parametrize("act", [Act(Do.BUILD), Act(Do.DISCARD, None, Pay(1)), Act(Do.STAGE, None, None, True)])
def test_an_act_that_no_record_could_tell_is_bad(act: Act) -> None:
    position = table(PLAIN)
    assert codes(position, alone(position, act)) == ["bad_record"]


def test_no_seat_is_a_bad_record_beside_what_is_due() -> None:
    position = table(PLAIN)
    assert codes(position, FromDiscard(4)) == ["bad_record", "round_due"]
    assert codes(game(3, 1).positions[-1], FromDiscard(4)) == ["bad_record", "game_over"]
    assert codes(position, Deal(4)) == ["bad_record", "round_due"]
