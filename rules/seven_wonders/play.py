"""Dealing and playing at random: for tests, benchmarks and simulated tables.

Every chance comes from the given source.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rules.seven_wonders.cards import AGES, BUILDINGS, HAND, Building, dealt, guilds, of_age
from rules.seven_wonders.judging import most_cards
from rules.seven_wonders.legal import acts_of, fits, from_discard
from rules.seven_wonders.moves import (
    MOST_VICTORIES,
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
from rules.seven_wonders.scoring import left_of, war
from rules.seven_wonders.state import Phase

_BUILDS, _STAGES = 0.8, 0.7
"""How often a build is taken where one is possible, and of the rest a stage."""
_MOST_COINS = 30


def deal(age: int, players: int, chance: Random) -> Deal:
    """A deal of that age, the guilds of age 3 drawn."""
    cards = list(dealt(age, players).elements())
    if age == AGES[-1]:
        cards += chance.sample([card for card in of_age(age, players) if card.is_guild], guilds(players))
    chance.shuffle(cards)
    return Deal(age, tuple(tuple(cards[seat * HAND : (seat + 1) * HAND]) for seat in range(players)))


def random_move(position: Position, chance: Random) -> Move:
    """A legal move, builds preferred; a deal tells the hands unless the game is a public one.

    Raises:
        ValueError: the game is over.
    """
    seat = position.seat
    if position.phase is Phase.DEAL:
        age = position.age + 1
        return Deal(age) if position.full is False else deal(age, position.n, chance)
    if position.phase is Phase.ROUND:
        chosen: list[Act] = []
        for place in range(position.n):
            chosen.append(_random_act(position, place, chosen, chance))
        return Round(tuple(chosen))
    if position.phase is Phase.TELL:
        return _random_tell(position, chance)
    if seat is None:
        raise ValueError("the game is over")
    if position.phase is Phase.SEVENTH:
        return Seventh(seat + 1, _random_act(position, seat, (), chance))
    if position.phase is Phase.FROM_DISCARD:
        cards = from_discard(position, seat)
        return FromDiscard(seat + 1, chance.choice(cards) if cards else None)
    return _random_city(position, seat, chance)


def _random_act(position: Position, seat: int, chosen: Sequence[Act], chance: Random) -> Act:
    acts = acts_of(position, seat)
    if position.hands is None:
        acts = tuple([act for act in acts if fits(position, chosen, act)])
    by_kind = {do: [act for act in acts if act.do is do] for do in Do}
    if by_kind[Do.BUILD] and chance.random() < _BUILDS:
        return chance.choice(by_kind[Do.BUILD])
    if by_kind[Do.STAGE] and chance.random() < _STAGES:
        return chance.choice(by_kind[Do.STAGE])
    return chance.choice(by_kind[Do.DISCARD])


def _random_city(position: Position, seat: int, chance: Random) -> FinishedCity:
    """A finished city of cards that are still to be had."""
    board = position.cities[seat].board
    stages = chance.randrange(len(board.stages) + 1)
    count = chance.randrange(most_cards(board, stages) - stages + 1)
    cards: list[Building] = []
    new_guilds = 0
    for card in chance.sample(BUILDINGS, len(BUILDINGS)):
        crowded = card.is_guild and position.guilds_built + new_guilds >= guilds(position.n)
        new = position.copies_left(card) > 0 and card.name not in {other.name for other in cards}
        if len(cards) < count and new and not crowded:
            cards.append(card)
            new_guilds += card.is_guild
    return FinishedCity(seat + 1, tuple(cards), stages)


def _random_tell(position: Position, chance: Random) -> Tell:
    """Coins and tokens that the cities allow: any wars of ages 1 and 2, and that of age 3."""
    n = position.n
    victories = [[0, 0, war(position.cities, seat)[0]] for seat in range(n)]
    defeats = [war(position.cities, seat)[1] for seat in range(n)]
    for age in range(MOST_VICTORIES):
        for seat in range(n):
            winner = chance.choice((seat, left_of(seat, n), None))
            if winner is not None:
                victories[winner][age] += 1
                defeats[seat + left_of(seat, n) - winner] += 1
    tokens = tuple(Tokens((one[0], one[1], one[2]), lost) for one, lost in zip(victories, defeats, strict=True))
    return Tell(tuple(chance.randrange(_MOST_COINS) for _ in range(n)), tokens)
