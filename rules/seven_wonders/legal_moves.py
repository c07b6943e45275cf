"""The legal moves as an object, the acts that each seat can choose from, and dealing and playing at random.

Random play is for tests, benchmarks and simulated tables; every chance comes from the given source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import prod
from random import Random

from rules.judged import Legal
from rules.seven_wonders.cards import AGES, BUILDINGS, HAND, Building, count_dealt, count_guilds, of_age
from rules.seven_wonders.judging import most_cards
from rules.seven_wonders.moves import (
    Act,
    Deal,
    Do,
    FinishedCity,
    FromDiscard,
    Move,
    Round,
    Seventh,
    Tell,
    Tokens,
)
from rules.seven_wonders.position import Position
from rules.seven_wonders.scoring import fight_war, left_of
from rules.seven_wonders.state import AgePhase, State
from rules.seven_wonders.trade import record_payment

_BUILDS, _STAGES = 0.8, 0.7
"""How often random play builds where it can, and of the rest builds a stage."""
_MOST_COINS = 30
"""Coins that a random score sheet gives a city."""


def acts_of(state: State, seat: int) -> tuple[Act, ...]:
    """List what that seat, from 0, can do in a round or with the seventh card, taken alone.

    Every way to pay that the coins allow is listed; ``pay`` is given where it is not nothing.
    """
    if state.hands is not None:
        hidden: Sequence[Building | None] = sorted(set(state.hands[seat]))
        cards: Sequence[Building] = sorted(set(state.hands[seat]))
    else:
        hidden, cards = (None,), [card for card in of_age(state.age, state.n) if state.copies_left(card) > 0]
    return (
        *(act for card in cards for act in builds_of(state, seat, card)),
        *stages_of(state, seat, hidden),
        *(Act(Do.DISCARD, card) for card in hidden),
    )


def builds_of(state: State, seat: int, card: Building) -> Iterator[Act]:
    """List every way in which that seat can build the card, which it may have in hand."""
    city = state.cities[seat]
    if card.name in city.names:
        return
    for way in state.find_affordable(seat, state.find_price(seat, Act(Do.BUILD, card))):
        yield Act(Do.BUILD, card, record_payment(way))
    if card.cost and card.id not in city.chained and state.free_building(seat):
        yield Act(Do.BUILD, card, None, True)


def stages_of(state: State, seat: int, cards: Sequence[Building | None]) -> Iterator[Act]:
    """List every way in which that seat can build its next stage with one of these cards, ``None`` for a hidden one."""
    if state.cities[seat].next_stage is not None:
        ways = state.find_affordable(seat, state.find_price(seat, Act(Do.STAGE)))
        for card, way in product(cards, ways):
            yield Act(Do.STAGE, card, record_payment(way))


def from_discard(state: State, seat: int) -> tuple[Building, ...]:
    """Return the cards that may lie in the discard pile and that this seat can build from there."""
    if state.pile is not None:
        cards: Sequence[Building] = sorted(set(state.pile))
    else:
        cards = [
            card
            for age in AGES[: state.age]
            if state.pile_ages[age - 1]
            for card in of_age(age, state.n)
            if state.copies_left(card) > 0
        ]
    return tuple([card for card in cards if card.name not in state.cities[seat].names])


class LegalMoves(Legal[Position, Move]):
    """The legal moves, as an object.

    Iterating gives every legal move of the line that is due, each payment in one
    form (``pay`` where it is not nothing); ``len`` counts these without listing them. Not listed, since they are too
    many, are deals that tell the hands and the lines of a score sheet.
    """

    def list_acts(self, seat: int) -> tuple[Act, ...]:
        """Return the acts that this seat, from 1, can choose from by itself, none where it is not its move."""
        position = self.position
        mine = position.phase is AgePhase.ROUND or (position.phase is AgePhase.SEVENTH and position.seat == seat - 1)
        return acts_of(position, seat - 1) if mine else ()

    def __iter__(self) -> Iterator[Move]:
        position, seat = self.position, self.position.seat
        if position.phase is AgePhase.DEAL and not position.full:
            yield Deal(position.age + 1)
        elif position.phase is AgePhase.ROUND:
            yield from map(Round, self._list_rounds())
        elif position.phase is AgePhase.SEVENTH and seat is not None:
            yield from (Seventh(seat + 1, act) for act in acts_of(position, seat))
        elif position.phase is AgePhase.FROM_DISCARD and seat is not None:
            yield FromDiscard(seat + 1)
            yield from (FromDiscard(seat + 1, card) for card in from_discard(position, seat))

    def __len__(self) -> int:
        if self.position.phase is not AgePhase.ROUND:
            return sum(1 for _ in self)
        acts = self._all_acts()
        if self.position.hands is not None:
            return prod(map(len, acts))
        return _count_together(self.position, acts)

    def __repr__(self) -> str:
        position = self.position
        if position.phase is AgePhase.ROUND:
            counts = ", ".join(
                f"{name} {len(acts)}" for name, acts in zip(position.players, self._all_acts(), strict=True)
            )
            return f"<LegalMoves {len(self)} rounds: acts of {counts}>"
        return f"<LegalMoves {position.phase}: {len(self)}>"

    def _all_acts(self) -> list[tuple[Act, ...]]:
        return [acts_of(self.position, seat) for seat in range(self.position.n)]

    def _list_rounds(self) -> Iterator[tuple[Act, ...]]:
        acts = self._all_acts()
        if self.position.hands is not None:
            return product(*acts)
        return _combine_acts(self.position, acts, ())


def _combine_acts(state: State, acts: Sequence[Sequence[Act]], chosen: tuple[Act, ...]) -> Iterator[tuple[Act, ...]]:
    """Yield, with public information, every choice of acts, after those chosen, of which there are enough copies."""
    if len(chosen) == len(acts):
        yield chosen
        return
    for act in acts[len(chosen)]:
        if is_fitting(state, chosen, act):
            yield from _combine_acts(state, acts, (*chosen, act))


def is_fitting(state: State, chosen: Sequence[Act], act: Act) -> bool:
    """Tell, with public information, whether this act can join those chosen in one round, as far as copies go."""
    card = act.card
    if act.do is not Do.BUILD or card is None:
        return True
    building = [other.card for other in chosen if other.do is Do.BUILD and other.card is not None]
    if building.count(card) >= state.copies_left(card):
        return False
    if not card.is_guild:
        return True
    return state.guilds_built + len({other for other in building if other.is_guild}) < count_guilds(state.n)


def _count_together(state: State, acts: Sequence[Sequence[Act]]) -> int:
    """Count the choices that ``_combine_acts`` gives: card by card, the seats that build it."""
    builds = [Counter(act.card for act in mine if act.do is Do.BUILD and act.card is not None) for mine in acts]
    others = [len(mine) - built.total() for mine, built in zip(acts, builds, strict=True)]
    counts: Counter[tuple[int, int]] = Counter({(0, 0): 1})  # by the seats that build, and the new guilds among it
    room = count_guilds(state.n) - state.guilds_built
    for card in dict.fromkeys(card for built in builds for card in built):
        able = [seat for seat, built in enumerate(builds) if built[card]]
        grown: Counter[tuple[int, int]] = Counter(counts)
        for size in range(1, min(state.copies_left(card), len(able)) + 1):
            for seats in combinations(able, size):
                mask, ways = sum(1 << seat for seat in seats), prod(builds[seat][card] for seat in seats)
                for (taken, new), count in counts.items():
                    if not taken & mask and new + card.is_guild <= room:
                        grown[taken | mask, new + card.is_guild] += count * ways
        counts = grown
    return sum(
        count * prod(other for seat, other in enumerate(others) if not taken >> seat & 1)
        for (taken, _), count in counts.items()
    )


# Playing at random


def deal(age: int, players: int, chance: Random) -> Deal:
    """Draw a deal of that age, the guilds of age 3 included."""
    cards = list(count_dealt(age, players).elements())
    if age == AGES[-1]:
        cards += chance.sample([card for card in of_age(age, players) if card.is_guild], count_guilds(players))
    chance.shuffle(cards)
    return Deal(age, tuple(tuple(cards[seat * HAND : (seat + 1) * HAND]) for seat in range(players)))


def random_move(position: Position, chance: Random) -> Move:
    """Draw a legal move, builds preferred; a deal says the hands unless the game is a public one.

    Raises:
        ValueError: the game is over.
    """
    seat = position.seat
    if position.phase is AgePhase.DEAL:
        age = position.age + 1
        return Deal(age) if position.full is False else deal(age, position.n, chance)
    if position.phase is AgePhase.ROUND:
        chosen: list[Act] = []
        for place in range(position.n):
            chosen.append(_random_act(position, place, chosen, chance))
        return Round(tuple(chosen))
    if position.phase is AgePhase.TELL:
        return _random_tell(position, chance)
    if seat is None:
        raise ValueError("the game is over")
    if position.phase is AgePhase.SEVENTH:
        return Seventh(seat + 1, _random_act(position, seat, (), chance))
    if position.phase is AgePhase.FROM_DISCARD:
        cards = from_discard(position, seat)
        return FromDiscard(seat + 1, chance.choice(cards) if cards else None)
    return _random_city(position, seat, chance)


def _random_act(position: Position, seat: int, chosen: Sequence[Act], chance: Random) -> Act:
    acts = acts_of(position, seat)
    if position.hands is None:
        acts = tuple([act for act in acts if is_fitting(position, chosen, act)])
    by_kind = {do: [act for act in acts if act.do is do] for do in Do}
    if by_kind[Do.BUILD] and chance.random() < _BUILDS:
        return chance.choice(by_kind[Do.BUILD])
    if by_kind[Do.STAGE] and chance.random() < _STAGES:
        return chance.choice(by_kind[Do.STAGE])
    return chance.choice(by_kind[Do.DISCARD])


def _random_city(position: Position, seat: int, chance: Random) -> FinishedCity:
    """Draw a finished city of cards that are still to be had."""
    board = position.cities[seat].board
    stages = chance.randrange(len(board.stages) + 1)
    count = chance.randrange(most_cards(board, stages) - stages + 1)
    cards: list[Building] = []
    new_guilds = 0
    for card in chance.sample(BUILDINGS, len(BUILDINGS)):
        crowded = card.is_guild and position.guilds_built + new_guilds >= count_guilds(position.n)
        new = position.copies_left(card) > 0 and card.name not in {other.name for other in cards}
        if len(cards) < count and new and not crowded:
            cards.append(card)
            new_guilds += card.is_guild
    return FinishedCity(seat + 1, tuple(cards), stages)


def _random_tell(position: Position, chance: Random) -> Tell:
    """Draw coins and tokens that the cities allow: any wars of ages 1 and 2, and that of age 3."""
    n = position.n
    victories = [[0, 0, fight_war(position.cities, seat)[0]] for seat in range(n)]
    defeats = [fight_war(position.cities, seat)[1] for seat in range(n)]
    for age in range(len(AGES) - 1):
        for seat in range(n):
            winner = chance.choice((seat, left_of(seat, n), None))
            if winner is not None:
                victories[winner][age] += 1
                defeats[seat + left_of(seat, n) - winner] += 1
    tokens = tuple(Tokens((one[0], one[1], one[2]), lost) for one, lost in zip(victories, defeats, strict=True))
    return Tell(tuple(chance.randrange(_MOST_COINS) for _ in range(n)), tokens)
