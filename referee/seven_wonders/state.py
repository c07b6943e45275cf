"""What is confirmed in a game of Seven Wonders: the position, staged cards, the last discards, what was entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.entry_data import report_wrong
from referee.zones import ZoneState
from rules.seven_wonders.moves import OLYMPIA, Act, Do, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.trade import Pay

STAGED, DISCARDS, PILE_AT, TOLD = "staged", "discards", "pile", "told"
_FARTHEST_MM = 10_000.0
_MOST_COINS, _MOST_BACKS = 1_000, 200

Spot = tuple[float, float, float]
"""How a card lies: x and y in mm, the angle in degrees."""


@dataclass(frozen=True, slots=True)
class Discard:
    """A discard that may still lie on its spot: whose, and how it lay; ``None`` where no look has shown that.

    ``gathered`` says that its spot has been seen empty since. One of an earlier round, which the pile never showed, is
    ``in_doubt``.
    """

    seat: int
    at: Spot | None = None
    gathered: bool = False

    @property
    def in_doubt(self) -> Discard:
        """The same one, once a look was agreed on in which its spot seemed empty."""
        return Discard(self.seat, None, True)


@dataclass(frozen=True, slots=True)
class EnteredAct:
    """What was entered by the buttons of a seat's act: how it pays its neighbours, or that Olympia builds it."""

    seat: int
    pay: Pay | None = None

    @property
    def free(self) -> bool:
        """Whether it is built free by Olympia."""
        return self.pay is None

    def to_json(self) -> dict[str, Any]:
        """Return it as a recording holds it."""
        how = {"free": OLYMPIA} if self.pay is None else {"pay": self.pay.to_json()}
        return {"seat": self.seat, **how}


@dataclass(frozen=True)
class WondersState(ZoneState):
    """The position, and what lies on the table beyond it; seats from 1.

    ``staged`` are the ages of the cards under each board. ``discards`` are those of the last round, and of the one
    before it those in doubt. ``pile_at`` is how things on the discard pile lay when confirm was pressed last.
    ``entered`` belongs to acts that are not confirmed yet.
    """

    staged: tuple[tuple[int, ...], ...] = ()
    discards: tuple[Discard, ...] = ()
    pile_at: tuple[Spot, ...] = ()
    entered: tuple[EnteredAct, ...] = ()

    def find_entered(self, seat: int) -> EnteredAct | None:
        """Return what was entered of that seat's act."""
        return next((one for one in self.entered if one.seat == seat), None)

    def discard_of(self, seat: int) -> Discard | None:
        """Return that seat's discard that may still lie on its spot."""
        return next((one for one in self.discards if one.seat == seat), None)

    @property
    def ungathered(self) -> tuple[Discard, ...]:
        """Discards that have yet to be seen gathered."""
        return tuple(one for one in self.discards if not one.gathered)

    @property
    def on_pile(self) -> int:
        """How many cards are known to lie on the discard pile."""
        count: int = sum(self.position.pile_ages) - len(self.ungathered)
        return count

    def with_entered(self, entered: EnteredAct) -> WondersState:
        """Return the state with this in place of what was entered of that seat before."""
        others = tuple(one for one in self.entered if one.seat != entered.seat)
        return replace(self, entered=(*others, entered))

    def save_details(self) -> dict[str, Any]:
        """Return what lies beyond the position, as an entry keeps it."""
        return {
            STAGED: [list(ages) for ages in self.staged],
            DISCARDS: [[one.seat, None if one.at is None else list(one.at), one.gathered] for one in self.discards],
            PILE_AT: [list(spot) for spot in self.pile_at],
            TOLD: [one.to_json() for one in self.entered],
        }

    def to_json(self) -> dict[str, Any]:
        """Return the state as JSON-able data."""
        return {**super().to_json(), **self.save_details()}


def acts_in(move: Move) -> dict[int, Act]:
    """Return the acts of a move by seat."""
    if isinstance(move, Round):
        return dict(enumerate(move.acts, 1))
    return {move.seat: move.act} if isinstance(move, Seventh) else {}


def after_acts(
    before: WondersState,
    after: Position,
    move: Move,
    lay: Mapping[int, Spot] | None = None,
    pile_at: Sequence[Spot] = (),
    gathered: bool = False,
) -> WondersState:
    """Return the state after a move that leads to the position ``after``; ``lay`` are the places of the new discards.

    ``gathered`` says that the pile shows all discards of the last round. The backs of another age are others.
    """
    acts = acts_in(move)
    staged = tuple(
        (*ages, before.position.age) if seat in acts and acts[seat].do is Do.STAGE else ages
        for seat, ages in enumerate(before.staged, 1)
    )
    places = lay or {}
    new = {seat: Discard(seat, places.get(seat)) for seat, act in acts.items() if act.do is Do.DISCARD}
    if not gathered and after.age == before.position.age:
        new = {one.seat: one.in_doubt for one in before.discards if one.at is not None or not acts} | new
    return WondersState(after, staged, tuple(new.values()), tuple(pile_at))


def state_in(position: Position, data: Mapping[str, Any]) -> WondersState:
    """Read the state of a position with what an entry or a saved state keeps beyond it.

    Raises:
        EntryError: it is not what it should be.
    """
    staged = data.get(STAGED)
    if not isinstance(staged, list) or len(staged) != position.n:
        raise report_wrong(STAGED)
    for ages, city in zip(staged, position.cities, strict=True):
        if not isinstance(ages, list) or len(ages) != city.stages or not all(_is_age(age, position) for age in ages):
            raise report_wrong(STAGED)
    discards = tuple(_discard(one, position) for one in _read_some(data, DISCARDS, position.n))
    entered = tuple(read_entered(one, position.n) for one in _read_some(data, TOLD, position.n))
    pile = tuple(_read_spot(one, PILE_AT) for one in _read_some(data, PILE_AT, _MOST_BACKS))
    return WondersState(position, tuple(map(tuple, staged)), discards, pile, entered)


def read_entered(data: object, players: int) -> EnteredAct:
    """Read what was entered of an act.

    Raises:
        EntryError: it can't be.
    """
    if not isinstance(data, dict) or ("pay" in data) == ("free" in data):
        raise report_wrong(TOLD)
    seat = data.get("seat")
    if type(seat) is not int or not 1 <= seat <= players:
        raise report_wrong("seat")
    if "free" in data:
        if data["free"] != OLYMPIA:
            raise report_wrong("free")
        return EnteredAct(seat)
    return EnteredAct(seat, _pay(data["pay"]))


def _pay(data: object) -> Pay:
    if not isinstance(data, dict) or not set(data) <= {"left", "right"}:
        raise report_wrong("pay")
    coins = [data.get(side, 0) for side in ("left", "right")]
    if not all(type(count) is int and 0 <= count <= _MOST_COINS for count in coins):
        raise report_wrong("pay")
    return Pay(*coins)


def _is_age(age: object, position: Position) -> bool:
    return type(age) is int and 1 <= age <= max(1, position.age)


def _read_some(data: Mapping[str, Any], key: str, most: int) -> list[Any]:
    found = data.get(key)
    if not isinstance(found, list) or len(found) > most:
        raise report_wrong(key)
    return found


def _discard(data: object, position: Position) -> Discard:
    if not isinstance(data, list) or len(data) != 3 or type(data[0]) is not int or not 1 <= data[0] <= position.n:
        raise report_wrong(DISCARDS)
    if type(data[2]) is not bool:
        raise report_wrong(DISCARDS)
    return Discard(data[0], None if data[1] is None else _read_spot(data[1], DISCARDS), data[2])


def _read_spot(data: object, key: str) -> Spot:
    if not isinstance(data, list) or len(data) != 3:
        raise report_wrong(key)
    for value in data:
        if type(value) not in (int, float) or not -_FARTHEST_MM <= value <= _FARTHEST_MM:
            raise report_wrong(key)
    return float(data[0]), float(data[1]), float(data[2])


def staged_like(position: Position, staged: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return ages of staged cards that go with a position's stages, as many of the known ones as fit."""
    return tuple(
        (*known, *[max(1, position.age)] * city.stages)[: city.stages]
        for known, city in zip(staged, position.cities, strict=True)
    )
