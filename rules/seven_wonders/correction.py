"""Positions set by hand, read from a file that may hold anything."""

from __future__ import annotations

from typing import Any

from rules.judged import set_by_hand
from rules.seven_wonders.cards import AGES, BUILDINGS, HAND, count_guilds
from rules.seven_wonders.effects import Special
from rules.seven_wonders.judging import most_cards
from rules.seven_wonders.moves import MOST_VICTORIES
from rules.seven_wonders.position import Position
from rules.seven_wonders.state import ROUNDS, AgePhase

_MOST_COINS = 1_000
"""Far more than a city can come to."""

_ROUNDS_PLAYED = {
    AgePhase.DEAL: range(ROUNDS, ROUNDS + 1),
    AgePhase.ROUND: range(ROUNDS),
    AgePhase.SEVENTH: range(ROUNDS, ROUNDS + 1),
    AgePhase.FROM_DISCARD: range(1, ROUNDS + 1),
    AgePhase.OVER: range(ROUNDS, ROUNDS + 1),
}


@set_by_hand
def read_correction(saved: Any, start: Position) -> Position | None:
    """Read the position that a correction by hand sets in the game that began with ``start``.

    It is one of public information, as everybody at the table sees it, or one of a score sheet.

    Raises:
        BadRecordError: no such position can come up in this game.
    """
    if not _is_bounded(saved, start.n):
        return None
    position = Position.from_json(saved)
    return position if _is_sound(position, saved, start) else None


def _is_bounded(saved: Any, players: int) -> bool:
    """Tell whether a saved position is no larger than one of a game, so that reading it takes no longer either."""
    cities = saved["cities"]
    return (
        saved["hands"] is None
        and saved["pile"] is None
        and len(saved["players"]) == len(cities) == players
        and all(len(city["cards"]) <= len(BUILDINGS) for city in cities)
    )


def _is_sound(position: Position, saved: dict[str, Any], start: Position) -> bool:
    """Tell whether a saved position is of this game, with numbers that go together."""
    numbers = [saved["age"], saved["rounds"], saved["told"], *saved["pile_ages"]]
    numbers += [number for city in saved["cities"] for number in (city["stages"], city["coins"])]
    flags = [saved["score_only"], *(city["free_used"] for city in saved["cities"])]
    return (
        all(type(number) is int and number >= 0 for number in numbers)
        and all(type(flag) is bool for flag in flags)
        and (saved["digger"] is None or type(saved["digger"]) is int)
        and position.players == start.players
        and position.score_only == start.score_only
        and [city.board for city in position.cities] == [city.board for city in start.cities]
        and _are_cities(position)
        and (_is_score_sheet(position) if position.score_only else _is_game(position))
    )


def _are_cities(position: Position) -> bool:
    """Tell whether the cities can stand together: copies, names, stages, coins."""
    built = position.built
    return (
        all(count <= card.in_play(position.n) for card, count in built.items())
        and position.guilds_built <= count_guilds(position.n)
        and all(
            len(city.names) == len(city.cards)
            and city.stages <= len(city.board.stages)
            and len(city.cards) + city.stages <= most_cards(city.board, city.stages)
            for city in position.cities
        )
    )


def _is_score_sheet(position: Position) -> bool:
    n, over = position.n, position.phase is AgePhase.OVER
    untold = position.cities[position.told :]
    return (
        position.phase in (AgePhase.CITY, AgePhase.TELL, AgePhase.OVER)
        and (position.told < n if position.phase is AgePhase.CITY else position.told == n)
        and (position.age, position.rounds, position.pile_ages, position.digger) == (0, 0, (0, 0, 0), None)
        and not any(city.cards or city.stages for city in untold)
        and not any(city.free_used for city in position.cities)
        and (
            over or not any(city.coins or city.tokens.defeats or any(city.tokens.victories) for city in position.cities)
        )
        and _are_even(position)
    )


def _are_even(position: Position) -> bool:
    """Tell whether there are as many victories as defeats."""
    tokens = [city.tokens for city in position.cities]
    return sum(sum(one.victories) for one in tokens) == sum(one.defeats for one in tokens)


def _is_game(position: Position) -> bool:
    """Tell whether a position of a game has cards, tokens and what is due as its age and round allow."""
    age, phase = position.age, position.phase
    if phase not in _ROUNDS_PLAYED or position.rounds not in _ROUNDS_PLAYED[phase] or age not in AGES:
        return False
    last = age == AGES[-1]
    wars = age if phase in (AgePhase.DEAL, AgePhase.OVER) else age - 1
    return (
        not (phase is AgePhase.DEAL and last)
        and (last or phase is not AgePhase.OVER)
        and position.told == 0
        and all(city.coins <= _MOST_COINS for city in position.cities)
        and all(
            not any(city.tokens.victories[wars:])
            and sum(city.tokens.victories) + city.tokens.defeats <= MOST_VICTORIES * wars
            for city in position.cities
        )
        and _are_even(position)
        and _is_digger(position)
        and _is_seventh(position)
        and all(
            not city.free_used
            or (
                city.has_special(Special.BUILD_FREE_ONCE_AN_AGE)
                and phase in (AgePhase.ROUND, AgePhase.SEVENTH, AgePhase.FROM_DISCARD)
            )
            for city in position.cities
        )
        and _are_acts(position)
        and _are_cards(position)
    )


def _is_digger(position: Position) -> bool:
    """Tell whether the seat that is to build from the discards, if there is one, may do so."""
    seat, phase = position.digger, position.phase
    if seat is None:
        return phase is not AgePhase.FROM_DISCARD
    if not 0 <= seat < position.n or phase not in (AgePhase.SEVENTH, AgePhase.FROM_DISCARD):
        return False
    city = position.cities[seat]
    built = city.stages > 0 and city.board.stages[city.stages - 1].effect.special is Special.BUILD_FROM_DISCARD
    return built and (any(position.pile_ages) or phase is AgePhase.SEVENTH)


def _is_seventh(position: Position) -> bool:
    """Tell whether somebody has a seventh card to play, where that is due."""
    return position.phase is not AgePhase.SEVENTH or any(
        city.has_special(Special.PLAY_SEVENTH_CARD) for city in position.cities
    )


def _are_acts(position: Position) -> bool:
    """Tell whether no city has more cards and stages than it had acts."""
    for city in position.cities:
        acts = ROUNDS * (position.age - 1) + position.rounds
        if city.has_special(Special.PLAY_SEVENTH_CARD):
            acts += position.age
        acts += sum(stage.effect.special is Special.BUILD_FROM_DISCARD for stage in city.stages_built)
        if len(city.cards) + city.stages > acts:
            return False
    return True


def _are_cards(position: Position) -> bool:
    """Tell whether the cards of each age that are out lie in cities, under wonders or in the discard pile."""
    staged = 0
    for age in AGES:
        out = _cards_out(position, age)
        there = sum(card.age == age for city in position.cities for card in city.cards) + position.pile_ages[age - 1]
        if there > out:
            return False
        staged += out - there
    return staged == sum(city.stages for city in position.cities)


def _cards_out(position: Position, age: int) -> int:
    """Count the cards of that age that have left the hands."""
    n = position.n
    if age != position.age:
        return HAND * n if age < position.age else 0
    if position.rounds == ROUNDS and position.phase is not AgePhase.SEVENTH:
        return HAND * n
    return position.rounds * n
