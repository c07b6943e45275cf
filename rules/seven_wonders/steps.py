"""What accepted moves change: the round all at once, the cards left over, the discards, war and the next age.

Source: rulings 1, 2 and 8 to 10. Nothing is judged here; every function gives a new state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from rules.seven_wonders.cards import AGES, Building
from rules.seven_wonders.city import City
from rules.seven_wonders.effects import Effect, Special
from rules.seven_wonders.moves import Act, Deal, Do, FinishedCity, FromDiscard, Move, Round, Seventh, Tell, Tokens
from rules.seven_wonders.scoring import count_effect, fight_war, left_of, right_of
from rules.seven_wonders.state import ROUNDS, AgePhase, State

S = TypeVar("S", bound=State)

COINS_FOR_DISCARD = 3
PASSED_RIGHT = 2
"""The age in which hands go to the right (1)."""


def apply_move(state: S, move: Move) -> S:
    """Return the state after a move that is legal."""
    if isinstance(move, Deal):
        pile = None if move.hands is None else state.pile or ()
        return replace(state, phase=AgePhase.ROUND, age=move.age, rounds=0, hands=move.hands, pile=pile)
    if isinstance(move, Round):
        played = replace(_act(state, dict(enumerate(move.acts))), rounds=state.rounds + 1)
        if played.rounds < ROUNDS:
            return _begin_digging(played)
        if any(city.has_special(Special.PLAY_SEVENTH_CARD) for city in played.cities):
            return replace(played, phase=AgePhase.SEVENTH)
        return _begin_digging(_discard_hands(played, played.n))
    if isinstance(move, Seventh):
        return _begin_digging(_discard_hands(_act(state, {move.seat - 1: move.act}), state.n - 1))
    if isinstance(move, FromDiscard):
        return _go_on(_build_dug(state, move))
    if isinstance(move, FinishedCity):
        return _enter_city(state, move)
    return _enter_coins(state, move)


def _act(state: S, acts: Mapping[int, Act]) -> S:
    """Carry out all acts at once: paid from the coins held, then everything built, then coins received (2)."""
    n = state.n
    cities, coins = list(state.cities), [city.coins for city in state.cities]
    new: list[tuple[int, Effect]] = []
    discarded: list[Building | None] = []
    digger = state.digger
    for seat, act in acts.items():
        city, price = state.cities[seat], state.find_price(seat, act)
        pay = act.pay if act.pay is not None else state.find_affordable(seat, price)[0]
        coins[seat] -= price.coins + pay.coins
        coins[left_of(seat, n)] += pay.left
        coins[right_of(seat, n)] += pay.right
        if act.do is Do.DISCARD:
            coins[seat] += COINS_FOR_DISCARD
            discarded.append(act.card)
        elif act.do is Do.STAGE:
            effect = city.board.stages[city.stages].effect
            cities[seat] = replace(city, stages=city.stages + 1)
            new.append((seat, effect))
            if effect.special is Special.BUILD_FROM_DISCARD:
                digger = seat
        elif act.card is not None:
            cities[seat] = replace(city, cards=(*city.cards, act.card), free_used=city.free_used or act.free)
            new.append((seat, act.card.effect))
    for seat, effect in new:
        coins[seat] += _count_coins(cities, seat, effect)
    hands = state.hands
    if hands is not None:
        hands = tuple(_drop_card(hand, acts[seat].card) if seat in acts else hand for seat, hand in enumerate(hands))
    return _discard_cards(
        replace(
            state,
            cities=tuple(
                city if city.coins == held else replace(city, coins=held)
                for city, held in zip(cities, coins, strict=True)
            ),
            hands=hands,
            digger=digger,
        ),
        discarded,
    )


def _count_coins(cities: list[City], seat: int, effect: Effect) -> int:
    """Return the coins that something new brings, when everything of the round is built."""
    return effect.coins + (effect.coins_each * count_effect(cities, seat, effect) if effect.coins_each else 0)


def _drop_card(hand: tuple[Building, ...], card: Building | None) -> tuple[Building, ...]:
    """Return the hand without one copy of that card."""
    place = hand.index(card) if card is not None else 0
    return (*hand[:place], *hand[place + 1 :])


def _discard_cards(state: S, cards: list[Building | None]) -> S:
    """Return the state with these cards of the age on the discard pile."""
    if not cards:
        return state
    first, second, third = (
        count + (len(cards) if age == state.age else 0) for age, count in zip(AGES, state.pile_ages, strict=True)
    )
    pile = state.pile
    if pile is not None:
        pile = (*pile, *(card for card in cards if card is not None))
    return replace(state, pile=pile, pile_ages=(first, second, third))


def _discard_hands(state: S, count: int) -> S:
    """Put what is left in the hands, ``count`` cards, on the discard pile (1)."""
    left: list[Building | None] = [None] * count
    if state.hands is not None:
        left = [card for hand in state.hands for card in hand]
        state = replace(state, hands=((),) * state.n)
    return _discard_cards(state, left)


def _begin_digging(state: S) -> S:
    """Begin Halikarnassos' turn at the discard pile where that is due (9), else what comes after it."""
    if state.digger is not None and any(state.pile_ages):
        return replace(state, phase=AgePhase.FROM_DISCARD)
    return _go_on(replace(state, digger=None))


def _build_dug(state: S, move: FromDiscard) -> S:
    """Return the state with the card built that was taken from the discard pile."""
    state = replace(state, digger=None)
    card = move.card
    if card is None:
        return state
    seat = move.seat - 1
    cities = list(state.cities)
    cities[seat] = replace(cities[seat], cards=(*cities[seat].cards, card))
    cities[seat] = replace(cities[seat], coins=cities[seat].coins + _count_coins(cities, seat, card.effect))
    first, second, third = (count - (age == card.age) for age, count in zip(AGES, state.pile_ages, strict=True))
    pile = state.pile if state.pile is None else _drop_card(state.pile, card)
    return replace(state, cities=tuple(cities), pile=pile, pile_ages=(first, second, third))


def _go_on(state: S) -> S:
    """Begin the next round with hands passed, or war and the next age after the sixth."""
    if state.rounds < ROUNDS:
        hands = state.hands
        if hands is not None:
            hands = (*hands[1:], hands[0]) if state.age == PASSED_RIGHT else (hands[-1], *hands[:-1])
        return replace(state, phase=AgePhase.ROUND, hands=hands)
    cities = tuple(_after_war(state, seat) for seat in range(state.n))
    return replace(state, cities=cities, phase=AgePhase.OVER if state.age == AGES[-1] else AgePhase.DEAL)


def _after_war(state: State, seat: int) -> City:
    """Return the city with the tokens of this age's war (10), its free building there again (7)."""
    city = state.cities[seat]
    won, lost = fight_war(state.cities, seat)
    first, second, third = (
        count + (won if age == state.age else 0) for age, count in zip(AGES, city.tokens.victories, strict=True)
    )
    return replace(city, tokens=Tokens((first, second, third), city.tokens.defeats + lost), free_used=False)


def _enter_city(state: S, move: FinishedCity) -> S:
    """Return the state with a finished city entered."""
    cities = list(state.cities)
    seat = move.seat - 1
    cities[seat] = replace(cities[seat], cards=move.cards, stages=move.stages)
    entered = state.told + 1
    return replace(
        state, cities=tuple(cities), told=entered, phase=AgePhase.TELL if entered == state.n else AgePhase.CITY
    )


def _enter_coins(state: S, move: Tell) -> S:
    """Return the state with coins and tokens entered: the end."""
    entered = zip(state.cities, move.coins, move.tokens, strict=True)
    cities = tuple(replace(city, coins=coins, tokens=tokens) for city, coins, tokens in entered)
    return replace(state, cities=cities, phase=AgePhase.OVER)
