"""A table of Seven Wonders that a test lays card by card, and the session that looks at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from device.session.session import Session
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_wonders.cards import back_of
from referee.seven_wonders.layout import layout_of
from referee.seven_wonders.referee import REFEREE
from referee.seven_wonders.state import WondersState
from referee.table import Detections, Sighting, Unread
from referee.verdict import Accepted, Refused, Verdict
from referee.zones import ZoneView
from rules.record import Header
from rules.seven_wonders.boards import find_board
from rules.seven_wonders.cards import HAND, find_building
from rules.seven_wonders.position import Position
from rules.seven_wonders.state import AgePhase

PLAYERS = ("Hilbert", "Banach", "Noether", "Galois", "Gauss")
BOARDS = ("giza/a", "babylon/b", "halikarnassos/a", "olympia/a", "rhodes/b")


@dataclass
class City:
    """What a test lays in one city: built cards, ages of staged cards, cards on the discard spot by age and shift."""

    built: list[str] = field(default_factory=list)
    staged: list[int] = field(default_factory=list)
    spot: list[tuple[int, float]] = field(default_factory=list)


class Table:
    """Three players, or more, of whom Hilbert sits at the bottom."""

    def __init__(self, boards: Sequence[str] = BOARDS[:3], begun: bool = True) -> None:
        self.n = len(boards)
        self.layout = layout_of(self.n, REFERENCE_MAT_MM)
        self.kept: list[Entry] = []
        header = Header("seven_wonders", PLAYERS[: self.n], {"boards": list(boards)})
        self.session = Session(REFEREE, header, self.layout, keep=self.kept.append)
        self.cities = [City() for _ in boards]
        self.pile: list[tuple[int, float]] = []
        self.extra: list[Placed] = []
        self.unread: tuple[Unread, ...] = ()
        if begun:
            assert isinstance(self.confirm(), Accepted)

    @classmethod
    def at(cls, boards: Sequence[str], age: int, rounds: int, **cities: tuple[int, str, Sequence[int]]) -> Table:
        """Set a table within a game by hand: coins, built cards and ages of staged cards by player's name."""
        table = cls(boards)
        start: Position = Position.start(PLAYERS[: table.n], [find_board(one) for one in boards])
        made = list(start.cities)
        for name, (coins, built, staged) in cities.items():
            seat = PLAYERS.index(name)
            cards = tuple(map(find_building, built.split()))
            made[seat] = replace(made[seat], coins=coins, cards=cards, stages=len(staged))
            table.cities[seat] = City(built.split(), list(staged))
        out = Counter(dict.fromkeys(range(1, age), HAND * table.n)) + Counter({age: rounds * table.n})
        out -= Counter(card.age for city in made for card in city.cards)
        out -= Counter(one for city in table.cities for one in city.staged)
        piles = (out[1], out[2], out[3])
        staged_now = tuple(tuple(city.staged) for city in table.cities)
        position = replace(start, cities=tuple(made), phase=AgePhase.ROUND, age=age, rounds=rounds, pile_ages=piles)
        table.session.judge.set_position(WondersState(position, staged_now))
        table.pile = [(one, 0.0) for one in (1, 2, 3) if out[one]]
        return table

    def cards(self) -> list[Placed]:
        cards = list(self.extra)
        for seat, city in enumerate(self.cities, 1):
            angle = 180.0 if self.layout.faces_down(seat) else 0.0
            for number, name in enumerate(city.built):
                cards.append(Placed(name, *self.layout.city_spot(seat, number // 7, number % 7), angle))
            for number, age in enumerate(city.staged):
                cards.append(Placed(back_of(age), *self.layout.stage_spot(seat, number, 3), angle))
            for age, shift in city.spot:
                x, y = self.layout.discard_spot(seat)
                cards.append(Placed(back_of(age), x, y + shift, angle))
        x, y = self.layout.pile
        cards += [Placed(back_of(age), x + shift, y, 0.0) for age, shift in self.pile]
        return cards

    def view(self) -> ZoneView:
        seen = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in self.cards())
        return REFEREE.observe(Detections(seen, self.unread), self.layout)

    def see(self) -> None:
        assert self.session.see(self.view()) == ()

    def confirm(self) -> Verdict:
        verdict = self.session.confirm(self.view())
        assert verdict is not None, "no menu is open"
        return verdict

    def codes(self) -> tuple[str, ...]:
        """Return the codes with which confirm is refused."""
        verdict = self.confirm()
        assert isinstance(verdict, Refused), verdict
        return (verdict.refusal.code, *verdict.refusal.also)

    def lay(self, seat: int, *built: str) -> None:
        self.cities[seat - 1].built += built

    def stage(self, seat: int, age: int = 1) -> None:
        self.cities[seat - 1].staged.append(age)

    def discard(self, seat: int, age: int = 1, shift: float = 0.0) -> None:
        self.cities[seat - 1].spot.append((age, shift))

    def gather(self) -> None:
        """Move the discards to the pile."""
        for city in self.cities:
            self.pile += [(age, 5.0 * (len(self.pile) + number)) for number, (age, _) in enumerate(city.spot)]
            city.spot.clear()
