"""From the cards that were laid to the acts of a round: what may have been meant, and what has to be asked.

Asked is only where there is a choice: how a build or a stage is paid where several ways are within the coins, and
Olympia's free building where paying is possible too and costs coins.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.seven_wonders.look import Laid, faces_named
from referee.seven_wonders.state import WondersState
from rules.refusal import Refusal
from rules.seven_wonders.cards import Building
from rules.seven_wonders.moves import Act, Do, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.state import AgePhase
from rules.seven_wonders.trade import record_payment

NONE = Act(Do.DISCARD)
"""What a seat is taken to have done whose card is not known: no rule forbids it."""


def card_of(name: str, age: int) -> Building:
    """Return the card of that name; of faces that may be alike the one of the age."""
    faces = faces_named(name)
    return next((face for face in faces if face.age == age), faces[0])


def choices_of(state: WondersState, seat: int, laid: Laid) -> tuple[Act, ...]:
    """Return the acts that a card of a seat may be, the likeliest
    first: one, or several between which players choose.
    """
    position: Position = state.position
    if laid.do is Do.DISCARD:
        return (NONE,)
    card = card_of(laid.name, position.age) if laid.do is Do.BUILD else None
    act = Act(laid.do, card)
    entered = state.told_of(seat)
    if entered is not None and not (entered.free and card is None):
        return (Act(laid.do, card, entered.pay, entered.free),)
    if card is not None and card.name in position.cities[seat - 1].names:
        return (act,)
    price = position.find_price(seat - 1, act)
    ways = sorted(position.find_affordable(seat - 1, price), key=lambda way: way.coins)
    paid = tuple(Act(laid.do, card, record_payment(way)) for way in ways)
    if card is None or not _is_free(position, seat, card):
        return paid or (act,)
    free = Act(laid.do, card, None, True)
    if not paid:
        return (free,)
    # The free building is kept where no coins are needed.
    return (*paid, free) if all(way.coins + price.coins for way in ways) else paid


def _is_free(position: Position, seat: int, card: Building) -> bool:
    """Tell whether Olympia may build that card free."""
    chained = card.id in position.cities[seat - 1].chained
    return position.free_building(seat - 1) and bool(card.cost) and not chained


def move_of(position: Position, acts: Mapping[int, Act]) -> Move:
    """Return the move that is due with these acts; seats that are not in it discard."""
    if position.phase is AgePhase.SEVENTH:
        seat = (position.seat or 0) + 1
        return Seventh(seat, acts.get(seat, NONE))
    return Round(tuple(acts.get(seat, NONE) for seat in range(1, position.n + 1)))


def as_recorded(act: Act) -> Act:
    """Return the act as the record has it: a payment only where it is not nothing."""
    return Act(act.do, act.card, record_payment(act.pay), act.free)


def refused_seats(position: Position, acts: Mapping[int, Act], refusal: Refusal) -> tuple[int, ...]:
    """Return the seats whose acts the rules refuse, each for itself or since there are not enough copies for all."""
    alone = [seat for seat, act in acts.items() if not position.is_legal(move_of(position, {seat: act}))]
    if "no_copy_left" in (refusal.code, *refusal.also):
        building = [act.card for act in acts.values() if act.do is Do.BUILD and act.card is not None]
        for seat, act in acts.items():
            card = act.card
            short = card is not None and building.count(card) > position.copies_left(card)
            if card is not None and act.do is Do.BUILD and (short or card.is_guild) and seat not in alone:
                alone.append(seat)
    return tuple(sorted(alone))
