"""The position of Seven Wonders set by hand: cities and stages as they lie; which round is next and coins are asked.

Whatever lies nowhere counts as discarded, which nobody can see. Victories and defeats stay as they are agreed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from referee.game import Put
from referee.layout import TableLayout
from referee.menu import Menu, Option
from referee.seven_wonders.acts import card_of
from referee.seven_wonders.cards import BACKS
from referee.seven_wonders.layout import CITY, PILE, SPOT, WONDER
from referee.seven_wonders.look import faces_named, lying_in, spot_of
from referee.seven_wonders.state import Discard, WondersState
from referee.zones import ZoneView
from rules.parsing import BadRecordError
from rules.seven_wonders.cards import AGES, HAND, Building
from rules.seven_wonders.position import Position
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.state import ROUNDS, AgePhase
from rules.text import Text, player, verbatim

_FEWER, _MORE = 12, 12
"""This many coins around those confirmed are offered."""


def open_editor(state: WondersState, view: ZoneView, layout: TableLayout, put: Put, parent: Menu | None) -> Menu:
    """Ask what the table does not show; ``put`` gets the state that is to be confirmed."""
    position: Position = state.position
    if position.age == 0 or position.phase is AgePhase.OVER:
        return Menu.dead_end(Text("Begin the first age first."), parent)
    zones = (CITY, WONDER)
    if any(layout.place_at(mark.x, mark.y).partition(":")[0] in zones for mark in view.unread):
        words = Text("A card of a city can't be read: straighten it, or name it in the menu, and start again.")
        return Menu.dead_end(words, parent)
    cities, staged = _read_cities(state, view)
    # What lies on a spot, read or not, was laid before the round that comes next.
    spots = {seat: lying_in(f"{SPOT}:{seat}", view, layout) for seat in range(1, position.n + 1)}
    discards = tuple(Discard(seat, spot_of(some[0])) for seat, some in spots.items() if some)
    pile_at = tuple(map(spot_of, lying_in(PILE, view, layout)))
    lies = replace(state, staged=staged, discards=discards, pile_at=pile_at, told=())
    return _Editor(lies, cities, put).which_round(parent)


def _read_cities(
    state: WondersState, view: ZoneView
) -> tuple[tuple[tuple[Building, ...], ...], tuple[tuple[int, ...], ...]]:
    """Return the built cards and the ages of staged cards of every city as it lies; cards keep their order."""
    cities, staged = [], []
    for seat, city in enumerate(state.position.cities, 1):
        seen = [one.name for one in view.cards.get(f"{CITY}:{seat}", ()) if faces_named(one.name)]
        known = {card.name: card for card in city.cards}
        cards = [known.get(faces_named(name)[0].name, card_of(name, state.position.age)) for name in seen]
        cities.append(tuple(sorted(cards, key=lambda card: _order_key(city.cards, card))))
        ages = sorted(BACKS[one.name] for one in view.cards.get(f"{WONDER}:{seat}", ()) if one.name in BACKS)
        staged.append(tuple(ages))
    return tuple(cities), tuple(staged)


def _order_key(known: Sequence[Building], card: Building) -> int:
    return known.index(card) if card in known else len(known)


@dataclass(frozen=True)
class _Editor:
    """One position being set."""

    state: WondersState
    cards: tuple[tuple[Building, ...], ...]
    put: Put

    @property
    def position(self) -> Position:
        position: Position = self.state.position
        return position

    def which_round(self, parent: Menu | None) -> Menu:
        """Ask which round comes next."""
        options = []
        for age, rounds in self._list_moments():
            set_so = self._set_moment(age, rounds)
            if set_so is not None:
                words = (
                    Text("Age {age}, round {round}", age=age, round=rounds + 1)
                    if rounds < ROUNDS
                    else Text("The beginning of age {age}", age=age + 1)
                )
                options.append(Option(words, partial(self._which_coins, set_so, parent)))
        if not options:
            words = Text("The rules can't lead to this table.")
            return Menu.dead_end(words, parent)
        return Menu(Text("What comes next?"), tuple(options), parent=parent)

    def _list_moments(self) -> Iterator[tuple[int, int]]:
        """Return ages and rounds played, the confirmed one first, then the nearest ones."""
        now = self.position.age * (ROUNDS + 1) + self.position.rounds
        moments = [(age, rounds) for age in AGES for rounds in range(ROUNDS + 1)]
        yield from sorted(moments, key=lambda one: (abs(one[0] * (ROUNDS + 1) + one[1] - now), one))

    def _set_moment(self, age: int, rounds: int) -> Position | None:
        """Return the position at that moment, where the rules can lead there."""
        position, n = self.position, self.position.n
        if rounds == ROUNDS and age == AGES[-1]:
            return None
        out = {one: HAND * n if one < age else 0 for one in AGES}
        out[age] = HAND * n if rounds == ROUNDS else rounds * n
        there = Counter(card.age for cards in self.cards for card in cards)
        there += Counter(one for ages in self.state.staged for one in ages)
        first, second, third = (out[one] - there[one] for one in AGES)
        if min(first, second, third) < 0:
            return None
        cities = tuple(
            replace(city, cards=cards, stages=len(ages), free_used=city.free_used and age == position.age)
            for city, cards, ages in zip(position.cities, self.cards, self.state.staged, strict=True)
        )
        moment = replace(
            position,
            cities=cities,
            phase=AgePhase.ROUND if rounds < ROUNDS else AgePhase.DEAL,
            age=age,
            rounds=rounds,
            pile_ages=(first, second, third),
            digger=None,
        )
        return _check_position(moment)

    def _which_coins(self, position: Position, parent: Menu | None) -> Menu:
        held = ", ".join(f"{name} {city.coins}" for name, city in zip(position.players, position.cities, strict=True))
        title = Text("Coins as agreed? {held}", held=held)
        yes = Option(Text("Yes"), partial(self._set, position))
        tell = Option(Text("No, tell them"), lambda: self._coins_of(position, 0, menu))
        menu = Menu(title, (yes, tell), parent=parent)
        return menu

    def _coins_of(self, position: Position, seat: int, parent: Menu | None) -> Menu | None:
        """Ask for one player's coins, then the next one's."""
        if seat == position.n:
            return self._set(position)
        now = position.cities[seat].coins
        who = player(position.players[seat])
        counts = range(max(0, now - _FEWER), now + _MORE + 1)

        def taken(count: int) -> Menu | None:
            cities = list(position.cities)
            cities[seat] = replace(cities[seat], coins=count)
            return self._coins_of(replace(position, cities=tuple(cities)), seat + 1, parent)

        options = tuple(Option(verbatim(count), partial(taken, count)) for count in counts)
        title = Text("How many coins has {who}?", who=who)
        return Menu(title, options, chosen=counts.index(now), parent=parent)

    def _set(self, position: Position) -> Menu | None:
        return self.put(replace(self.state, position=position))


def _check_position(position: Position) -> Position | None:
    """Return the position as the rules take it, where they can lead there."""
    options = {"boards": [city.board.id for city in position.cities]}
    try:
        return RULES.read_correction(position.to_json(), position.players, options)
    except BadRecordError:
        return None
