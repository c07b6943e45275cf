"""The search behind public knowledge: its budget, cards in each other's way, two histories, values and text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

import pytest

from rules.cards import indices_in
from rules.laminate import worlds
from rules.laminate.knowledge import DRAW, Knowledge
from rules.laminate.worlds import SEARCH_BUDGET, _Effort, _OutOfBudgetError, _World
from tests.rules.test_knowledge import _search_from_nothing, _Small

STORIES = [(seed, 4, 600, 20) for seed in range(120)]
STORIES += [(7089, 5, 3000, 6), (7194, 5, 3000, 12), (7015, 5, 3000, 14), (20231, 5, 3000, 15)]
"""A seed, how many seen cards there are at most, how many placings, how many events; the last go back on their way."""


@pytest.mark.few(16)
@pytest.mark.parametrize(("seed", "cards", "placings", "events"), STORIES)
def test_no_two_cards_go_the_way_of_one(
    seed: int, cards: int, placings: int, events: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short stories on small decks, followed with as large a budget as the search likes."""
    monkeypatch.setattr(worlds, "SEARCH_BUDGET", 10**6)
    for small in _story(seed, cards, placings, events):
        small.check()


def _story(seed: int, cards: int, placings: int, events: int) -> Iterator[_Small]:
    """Yield a small deck after each event."""
    chance = Random(seed)
    sizes = ((2, 1, 1), (1, 1, 1, 1), (0, 2, 1, 1), (3, 1, 0, 0), (1, 1, 2), (0, 1, 1, 0, 1), (2, 2, 1), (1, 1, 1, 0))
    small = _Small(chance, chance.choice(sizes))
    for card in range(small.cards, small.cards + chance.randint(2, cards)):
        small.enter(card, chance.randrange(small.places))
    for _ in range(events):
        event = chance.random()
        if event < 0.6 and len(small.placings) < placings:
            small.move()
        elif event < 0.8 or not small.seen:
            small.leave()
        else:
            small.enter(small.seen.pop(chance.randrange(len(small.seen))), chance.randrange(small.places))
        yield small


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("seed", "hints", "branches", "flows"),
    [
        (10, True, 3, 508),
        (12, True, 6, 567),
        (17, True, 44, 610),
        (44, True, 4, 1_104),
        (47, True, 47, 425),
        (12, False, 287, 785),
        (14, False, 151, 638),
        (30, False, 149, 390),
        (40, False, 353, 806),
        (44, False, 602, 1_586),
        (47, False, 790, 905),
        (59, False, 948, 1_035),
        (65, False, 183, 803),
        (80, False, 206, 581),
        (88, False, 1_945, 2_076),
        (104, False, 930, 1_293),
        (110, False, 2_424, 2_395),
    ],
)
def test_little_is_tried(seed: int, hints: bool, branches: int, flows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most is settled by the cards with one way left or with a way that binds nobody, and by what fitted before.

    So in these stories no more branches are tried and flows looked for than this; where it gets better, write less.
    """
    if not hints:
        monkeypatch.setattr(_World, "_fit", _search_from_nothing)
    monkeypatch.setattr(worlds, "SEARCH_BUDGET", 10**6)
    done = Counter[str]()
    flow, spend = _World._find_flow, _Effort.spend

    def counted_flow(world: _World, room: Sequence[int], starts: Sequence[int], sinks: Mapping[int, int]) -> object:
        done["flows"] += 1
        return flow(world, room, starts, sinks)

    def counted_spend(effort: _Effort) -> None:
        done["branches"] += 1
        spend(effort)

    monkeypatch.setattr(_World, "_find_flow", counted_flow)
    monkeypatch.setattr(_Effort, "spend", counted_spend)
    for small in _story(seed, 4, 600, 20):
        for place in range(small.places):
            small.known.find_possible(place)
            for one, other in combinations(sorted(small.truth), 2):
                small.known.can_leave(place, 1 << one | 1 << other)
    assert done["branches"] <= branches
    assert done["flows"] <= flows


def _random_small(seed: int, steps: int) -> _Small:
    chance = Random(seed)
    small = _Small(chance, chance.choice(((2, 1, 1), (1, 1, 1, 1), (3, 1, 0, 0), (0, 1, 1, 0, 1))))
    for card in range(small.cards, small.cards + 4):
        small.enter(card, chance.randrange(small.places))
    for _ in range(steps):
        if chance.random() < 0.7 and len(small.placings) < 3000:
            small.move()
        elif small.seen and chance.random() < 0.5:
            small.enter(small.seen.pop(), chance.randrange(small.places))
        else:
            small.leave()
    return small


@pytest.mark.few(2)
@pytest.mark.parametrize("budget", [0, 1, 2, 5])
def test_where_the_search_gives_up_nobody_is_accused(budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small budget a card may be held possible that is not, but never the other way round."""
    monkeypatch.setattr(_World, "_fit", _search_from_nothing)
    monkeypatch.setattr(worlds, "SEARCH_BUDGET", budget)
    too_many = 0
    for seed in range(25):
        small = _random_small(seed, 20)
        for place in range(small.places):
            possible = {card for placing in small.placings for card, at in placing if at == place}
            answered = set(indices_in(small.known.find_possible(place)))
            assert answered >= possible
            too_many += len(answered - possible)
    assert too_many or budget


def test_the_budget_shrinks_with_the_size_of_the_question() -> None:
    assert [_Effort(edges).left for edges in (0, 99, 100, 101, 200, 400)] == [100, 100, 100, 99, 50, 25]
    effort = _Effort(100)
    for _ in range(SEARCH_BUDGET):
        effort.spend()
    with pytest.raises(_OutOfBudgetError):
        effort.spend()


def test_knowledge_is_a_value() -> None:
    one = Knowledge.start((2, 1), 0b111)
    assert one == Knowledge.start((2, 1), 0b111)
    assert hash(one) == hash(Knowledge.start((2, 1), 0b111))
    assert one != Knowledge.start((1, 2), 0b111)
    assert one != one.move(0, 1, 1)
    assert one != "one"
    assert one.leave(0, 0) is one
    assert one.enter(0, 0) is one


def test_knowledge_that_does_not_add_up() -> None:
    with pytest.raises(ValueError, match="3 unseen cards can't be 4"):
        Knowledge.start((2, 2), 0b111)
    for data in ([], [["move", 0, 1, 1]], [["enter", 0, ["H7"]]]):
        with pytest.raises(ValueError, match="begins with its start"):
            Knowledge.from_json(data)
    assert not Knowledge.start((1, 1), 0b11).move(0, 1, 2).consistent


def test_knowledge_reads_as_places_with_the_cards_that_may_be_there() -> None:
    known = Knowledge.start((1, 0, 1, 1), 0b111).leave(0, 0b1)
    assert repr(known) == "<Knowledge hand 2: H2 H3; unseen discards: H2 H3>"
    assert repr(known.enter(0, 0b1)) == "<Knowledge draw: HA; hand 2: H2 H3; unseen discards: H2 H3>"
    assert repr(known.leave(0, 0b10)) == "<Knowledge >"


def test_what_only_one_of_two_histories_allows_is_possible() -> None:
    """Card 7 may be the last one of the pile. The hand has it where that was kept, and card 9 where that was shown."""
    start = Knowledge.start((1, 1, 1, 2), 0b11111).enter(2, 1 << 7).move(2, DRAW, 1).leave(DRAW, 1 << 1)
    shown_first = start.leave(DRAW, 1 << 0).reshuffle(1 << 9).draw(1, 0, 0)
    kept_first = start.draw(1, 0, 0).reshuffle(1 << 9).leave(DRAW, 1 << 0)
    assert [known.find_possible(1) >> 7 & 1 for known in (shown_first, kept_first)] == [0, 1]
    assert [known.find_possible(1) >> 9 & 1 for known in (shown_first, kept_first)] == [1, 0]
    for known in (Knowledge.join_either(shown_first, kept_first), Knowledge.join_either(kept_first, shown_first)):
        assert known.find_possible(1) >> 7 & 1
        assert known.find_possible(1) >> 9 & 1
        assert not known.can_leave(1, 1 << 7 | 1 << 9)
        assert known.count(1) == 2
        assert Knowledge.from_json(known.to_json()) == known
    nothing = start.leave(DRAW, 1 << 40)
    assert Knowledge.join_either(nothing, kept_first) is kept_first
    assert Knowledge.join_either(kept_first, nothing) is kept_first


def _network(chance: Random, nodes: int, edges: int, most: int) -> _World:
    """Build a network whose edges lead from lower to higher nodes, each with room for a few cards."""
    ways = [sorted(chance.sample(range(nodes), 2)) for _ in range(edges)]
    ways.sort(key=lambda way: way[0])
    out = tuple(tuple(edge for edge, (tail, _) in enumerate(ways) if tail == node) for node in range(nodes))
    inn = tuple(tuple(edge for edge, (_, head) in enumerate(ways) if head == node) for node in range(nodes))
    load = tuple(chance.randint(0, most) for _ in ways)
    head, tail = (tuple(way[end] for way in ways) for end in (1, 0))
    return _World((), (), 0, {}, head, tail, load, out, inn)


@pytest.mark.few(2)
@pytest.mark.parametrize(("first", "cards"), [(0, 4), (100, 5), (200, 6), (2915, 9), (1169, 9), (2604, 9)])
def test_cards_flow_together_exactly_where_no_cut_is_too_narrow(first: int, cards: int) -> None:
    """No set of nodes holds more cards than its places take up and the edges out of it let through.

    In the last few a card gives up a way to another one, and a third one goes there in the end.
    """
    answers = Counter[bool]()
    for seed in range(first, first + 60):
        chance = Random(seed)
        world = _network(chance, 7, 14, 3)
        starts = [chance.randrange(3) for _ in range(9)][:cards]
        sinks = {node: chance.randint(1, 4) for node in chance.sample(range(3, 7), 3)}
        narrow = False
        for size in range(1, 8):
            for within in map(set, combinations(range(7), size)):
                ways = zip(world.tail, world.head, world.load, strict=True)
                through = sum(load for tail, head, load in ways if tail in within and head not in within)
                held = sum(sinks.get(node, 0) for node in within)
                narrow |= sum(start in within for start in starts) > through + held
        flow = world._find_flow(world.load, starts, sinks)
        answers[flow is None] += 1
        assert (flow is None) == narrow
        if flow is not None:
            assert all(0 <= count <= room for count, room in zip(flow, world.load, strict=True))
            for node in range(7):
                come = starts.count(node) + sum(flow[edge] for edge in world.inn[node])
                assert 0 <= come - sum(flow[edge] for edge in world.out[node]) <= sinks.get(node, 0)
    assert set(answers) == {True, False}
