"""Public knowledge is exact: a card is refused only where no placing of the unseen cards allows it.

Two proofs. Whole public games, played with public knowledge alone, are completed to full records that are accepted
line by line: what is accepted can have been. And in small positions every placing of the unseen cards is tried: what
is refused can't be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations, product
from random import Random

import pytest

from rules.seven_wonders.cards import AGES, BUILDINGS, HAND, Building, count_dealt, count_guilds, of_age
from rules.seven_wonders.legal_moves import builds_of
from rules.seven_wonders.moves import Act, Deal, Do, FromDiscard, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.state import ROUNDS, AgePhase
from tests.rules.seven_wonders.games import DISCARD, Game, build, codes, game, stage, table

CARD_CODES = {"card_not_in_deck", "card_not_in_hand", "no_copy_left", "not_in_discard"}
Slot = tuple[int, int, int]
"""An age, a seat, and the round from 0 in which it plays the card; the seventh card is that of round 6."""


def _acts(played: Game) -> dict[Slot, Act]:
    """Every act of a public game by its slot."""
    acts: dict[Slot, Act] = {}
    for position, move in zip(played.positions, played.moves, strict=False):
        if isinstance(move, Round):
            acts |= {(position.age, seat, position.rounds): act for seat, act in enumerate(move.acts)}
        elif isinstance(move, Seventh):
            acts[position.age, move.seat - 1, ROUNDS] = move.act
    return acts


def _placed(played: Game, chance: Random) -> dict[Slot, Building]:
    """Place a card in every slot that fits all that was seen: any card of the age that was not built, anywhere."""
    acts, n = _acts(played), len(played.boards)
    placed = {slot: act.card for slot, act in acts.items() if act.card is not None}
    for position, move in zip(played.positions, played.moves, strict=False):
        if isinstance(move, FromDiscard) and move.card is not None:
            open_slots = [
                slot
                for slot in product((move.card.age,), range(n), range(HAND))
                if slot not in placed and _discarded_before(slot, acts, position)
            ]
            placed[chance.choice(open_slots)] = move.card
    for age in AGES:
        seen = Counter(card for slot, card in placed.items() if slot[0] == age)
        cards = Counter(count_dealt(age, n))
        if age == AGES[-1]:
            drawn = [card for card in seen if card.is_guild]
            others = [card for card in of_age(age, n) if card.is_guild and card not in drawn]
            cards += Counter(drawn + chance.sample(others, count_guilds(n) - len(drawn)))
        unseen = list((cards - seen).elements())
        chance.shuffle(unseen)
        slots = [slot for slot in product((age,), range(n), range(HAND)) if slot not in placed]
        placed |= dict(zip(slots, unseen, strict=True))
    return placed


def _discarded_before(slot: Slot, acts: dict[Slot, Act], position: Position) -> bool:
    """Return whether the card of that slot was discarded, or left over, before this position."""
    age, _, number = slot
    if (age, number) >= (position.age, position.rounds) and position.rounds < ROUNDS:
        return False
    return slot not in acts if number == ROUNDS else acts[slot].do is Do.DISCARD


def _in_full(played: Game, placed: dict[Slot, Building]) -> list[Move]:
    """Return the moves of a public game with full information."""
    n, full = len(played.boards), []
    for position, move in zip(played.positions, played.moves, strict=False):
        if isinstance(move, Deal):
            step = -1 if move.age == 2 else 1
            rounds = [*enumerate(range(ROUNDS)), (ROUNDS - 1, ROUNDS)]  # the seventh card is not passed any more
            hands = tuple(
                tuple(placed[move.age, (origin + step * passed) % n, number] for passed, number in rounds)
                for origin in range(n)
            )
            full.append(Deal(move.age, hands))
        elif isinstance(move, Round):
            full.append(
                Round(
                    tuple(
                        replace(act, card=placed[position.age, seat, position.rounds])
                        for seat, act in enumerate(move.acts)
                    )
                )
            )
        elif isinstance(move, Seventh):
            full.append(Seventh(move.seat, replace(move.act, card=placed[position.age, move.seat - 1, ROUNDS])))
        else:
            full.append(move)
    return full


BOARDS = (
    ("halikarnassos/b", "babylon/b", "olympia/a"),
    ("babylon/b", "giza/a", "halikarnassos/a", "ephesos/b"),
    ("rhodes/b", "halikarnassos/b", "alexandria/a", "babylon/b", "olympia/b"),
    ("babylon/b", "halikarnassos/b", "giza/b", "rhodes/a", "alexandria/b", "ephesos/a", "olympia/a"),
)


@pytest.mark.few(1)
@pytest.mark.parametrize("boards", BOARDS, ids=len)
def test_what_public_knowledge_accepts_can_have_been(boards: tuple[str, ...]) -> None:
    """Every public game can be completed: its unseen cards in any order are a full game with the same cities."""
    kinds: Counter[type] = Counter()
    for seed in range(15):
        played = game(len(boards), seed, public=True, boards=boards)
        placed = _placed(played, Random(seed))
        position = played.positions[0]
        for move, seen in zip(_in_full(played, placed), played.positions[1:], strict=True):
            assert codes(position, move) == [], (seed, str(move))
            position = position.do(move)
            assert (position.cities, position.pile_ages) == (seen.cities, seen.pile_ages)
            kinds[type(move)] += 1
    assert kinds[FromDiscard] + kinds[Seventh] > 8


def _unseen(position: Position, age: int) -> Iterator[list[Building]]:
    """Every choice of cards of that age that may be unseen: guilds are any that were not built."""
    cards = Counter(count_dealt(age, position.n)) - position.built
    if age < AGES[-1]:
        yield list(cards.elements())
        return
    others = [card for card in BUILDINGS if card.is_guild and card not in position.built]
    for drawn in combinations(others, count_guilds(position.n) - position.guilds_built):
        yield [*cards.elements(), *drawn]


def _hands(position: Position) -> Iterator[tuple[tuple[Building, ...], ...]]:
    """Every placing of the unseen cards of the age in the hands; what is over lies elsewhere."""
    n, size = position.n, HAND - position.rounds
    for unseen in _unseen(position, position.age):
        for placing in set(permutations(unseen, n * size)):
            yield tuple(placing[seat * size : (seat + 1) * size] for seat in range(n))


def _builds(position: Position) -> Iterator[tuple[int, int, Building, Building]]:
    for seat, other in permutations(range(position.n), 2):
        for one, two in product(of_age(position.age, position.n), repeat=2):
            yield seat, other, one, two


def _small_round(age: int, hidden: int) -> Position:
    """Set a position before an age's last round in which all cards but some are built, for free and anywhere."""
    position = table("giza/a rhodes/a ephesos/a", age=age, rounds=ROUNDS - 1)
    cards = list(count_dealt(age, 3).elements())
    if age == AGES[-1]:
        cards += [card for card in of_age(age, 3) if card.is_guild][: count_guilds(3) - 1]
        hidden -= 1
    Random(age).shuffle(cards)
    built = cards[hidden + position.n * 2 :]
    cities = tuple(replace(one, cards=tuple(built[seat::3])) for seat, one in enumerate(position.cities))
    return replace(position, cities=cities)


@pytest.mark.few(2)
@pytest.mark.parametrize(("age", "hidden"), [(1, 0), (2, 0), (3, 0), (1, 1)])
def test_what_public_knowledge_refuses_no_placing_allows(age: int, hidden: int) -> None:
    """Any two builds of a round: refused for a card exactly where no placing has both cards in those hands."""
    position = _small_round(age, hidden)
    allowed: set[tuple[int, int, Building, Building]] = set()
    for hands in _hands(position):
        for seat, other in permutations(range(3), 2):
            allowed |= {(seat, other, one, two) for one in hands[seat] for two in hands[other]}
    refused = 0
    for seat, other, one, two in _builds(position):
        acts = [DISCARD] * 3
        acts[seat], acts[other] = Act(Do.BUILD, one), Act(Do.BUILD, two)
        broken = CARD_CODES & set(codes(position, Round(tuple(acts))))
        assert bool(broken) == ((seat, other, one, two) not in allowed), (one, two)
        refused += bool(broken)
    assert 0 < refused < len(list(_builds(position)))


@pytest.mark.parametrize("pile", [(2, 0, 0), (0, 1, 0), (1, 2, 0)])
def test_a_card_from_the_discards_is_refused_where_no_placing_has_it_there(pile: tuple[int, int, int]) -> None:
    """Every placing of the unseen cards of ages 1 and 2 in the pile and elsewhere."""
    base = table("halikarnassos/b rhodes/a ephesos/a", {"stages": 1}, age=2, rounds=3, pile_ages=pile)
    built = [*list(count_dealt(1, 3))[4:], *list(count_dealt(2, 3))[5:]]
    first, second, third = base.cities
    cities = (first, replace(second, cards=tuple(built[::2])), replace(third, cards=tuple(built[1::2])))
    position = replace(base, cities=cities, phase=AgePhase.FROM_DISCARD, digger=0)
    allowed = {
        card
        for age in (1, 2)
        for unseen in _unseen(position, age)
        for some in combinations(unseen, pile[age - 1])
        for card in some
    }
    for card in BUILDINGS:
        broken = CARD_CODES & set(codes(position, FromDiscard(1, card)))
        assert bool(broken) == (card not in allowed), card


def test_guilds_built_are_at_most_so_many_as_are_drawn() -> None:
    drawn = [card.id for card in BUILDINGS if card.is_guild]
    position = table(
        "olympia/a rhodes/a ephesos/a",
        {"cards": " ".join(drawn[:4]), "stages": 2},
        {"coins": 50},
        {"cards": "loom glassworks press", "coins": 50},
        age=3,
    )
    both = Round((build(drawn[5], free=True), DISCARD, build("traders_guild")))
    assert codes(position, both) == ["no_copy_left"]
    assert codes(position, Round((build(drawn[5], free=True), DISCARD, DISCARD))) == []
    assert codes(position, Round((DISCARD, DISCARD, build("traders_guild")))) == []
    full = table("olympia/a rhodes/a ephesos/a", {"cards": " ".join(drawn[:5]), "stages": 2}, age=3)
    assert codes(full, Round((build(drawn[5], free=True), DISCARD, DISCARD))) == ["no_copy_left"]


def test_all_acts_of_a_round_count_together() -> None:
    position = table("giza/a rhodes/a ephesos/a")
    assert codes(position, Round((build("loom"), build("loom"), DISCARD))) == ["no_copy_left"]
    more = table("giza/a rhodes/a ephesos/a babylon/a", {"cards": "lumber_yard"})
    assert codes(more, Round((DISCARD, build("lumber_yard"), DISCARD, DISCARD))) == []
    assert codes(more, Round((DISCARD, build("lumber_yard"), build("lumber_yard"), DISCARD))) == ["no_copy_left"]


def test_staged_and_discarded_cards_stay_unseen() -> None:
    position = table("giza/a rhodes/a ephesos/a", {"cards": "stone_pit"})
    then = position.do(Round((stage(), DISCARD, DISCARD)))
    for card in of_age(1, 3):
        if card.id != "stone_pit":
            assert "no_copy_left" not in codes(then, Round((Act(Do.BUILD, card), DISCARD, DISCARD)))
    assert all(card.id != "stone_pit" for card in of_age(1, 3) for _ in builds_of(then, 0, card))
