"""What lies on a table of finished cities: built cards and stages of each, cards astray, and what can't be read.

Nothing is judged here. Seats are numbered from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.seven_wonders.cards import BACKS, CARDS
from referee.seven_wonders.layout import CITY, PILE, SPOT, WONDER, Layout
from referee.seven_wonders.look import Astray, alike_name, faces_named
from referee.table import COVERS_MM, Unread
from referee.zones import ZoneView
from rules.seven_wonders.cards import Building, find_building

_FARTHEST_V = 385.0
"""The head of a column lies 25 mm nearer to its player; what lies farther off may be of the city opposite."""
_LEAST_SQUARES = 6
"""Of a staged card at least 65 × 20 mm show below the board."""


@dataclass(frozen=True)
class FinishedCities:
    """One look: names of built cards and the number of stages by seat, and all that lies where it does not count.

    ``marks`` are what can't be read and may count, each with its place; ``foreign`` says how many cards are of another
    game. ``seats`` is how many cities have room there.
    """

    seats: int
    built: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    stages: Mapping[int, int] = field(default_factory=dict)
    astray: tuple[Astray, ...] = ()
    marks: tuple[tuple[Unread, str], ...] = ()
    foreign: int = 0

    @classmethod
    def from_view(cls, view: ZoneView, layout: Layout) -> FinishedCities:
        """Return what that view shows; cards face down on discard spots and on the pile count for nothing."""
        known = {*CARDS.faces, *CARDS.backs}
        built: dict[int, tuple[str, ...]] = {}
        stages: Counter[int] = Counter()
        astray: list[Astray] = []
        foreign = 0
        for place, some in view.cards.items():
            kind, _, seat = place.partition(":")
            for seen in some:
                down = seen.name in BACKS
                if kind == CITY and not down and layout.in_block(int(seat), seen.x, seen.y)[1] > _FARTHEST_V:
                    astray.append(Astray.from_sighting(seen, f"seat:{seat}"))
                elif kind == CITY and not down:
                    built[int(seat)] = (*built.get(int(seat), ()), seen.name)
                elif kind == WONDER and down:
                    stages[int(seat)] += 1
                elif kind not in (SPOT, PILE) or not down:
                    astray.append(Astray.from_sighting(seen, place))
        marks = []
        for mark in view.unread:
            place = layout.place_at(mark.x, mark.y)
            kind, _, seat = place.partition(":")
            alike = alike_name(mark)
            if mark.cause == "foreign" and known.isdisjoint(mark.candidates):
                foreign += 1
            elif kind == CITY and alike is not None:
                built[int(seat)] = (*built.get(int(seat), ()), alike)
            elif kind not in (SPOT, PILE):
                marks.append((mark, place))
        return cls(len(layout.seats), built, dict(stages), tuple(astray), tuple(marks), foreign)

    @classmethod
    def join_views(cls, views: Sequence[FinishedCities]) -> FinishedCities:
        """Join cities that were laid one part after the other into one view, each part from seat 1 on."""
        whole = cls(0)
        for view in views:
            first = whole.seats
            whole = cls(
                first + view.seats,
                {**whole.built, **{first + seat: names for seat, names in view.built.items()}},
                {**whole.stages, **{first + seat: count for seat, count in view.stages.items()}},
                (*whole.astray, *(replace(one, place=_shift_place(one.place, first)) for one in view.astray)),
                (*whole.marks, *((mark, _shift_place(place, first)) for mark, place in view.marks)),
                whole.foreign + view.foreign,
            )
        return whole

    def is_bare(self, seat: int) -> bool:
        """Tell whether nothing lies in a city and under its board, not even something that can't be read."""
        marked = {place for _, place in self.marks}
        places = {f"{CITY}:{seat}", f"{WONDER}:{seat}"}
        return not self.built.get(seat) and not self.stages.get(seat) and not marked & places

    def list_cities(self, players: int) -> list[tuple[Building, ...]]:
        """Return the built cards of all cities by seat, in the order of the cards file."""
        names = [self.built.get(seat, ()) for seat in range(1, players + 1)]
        return [tuple(sorted(map(find_building, city))) for city in _with_copies(names, players)]


def parts_beside_boards(mark: Unread, layout: Layout) -> list[Unread]:
    """Return where something that seems to be a board reaches
    beyond it: staged cards side by side that were not read.
    """
    left = {square for square in mark.covers if layout.beside_board(*square)}
    parts = []
    while left:
        part, rim = set[tuple[float, float]](), [left.pop()]
        while rim:
            x, y = rim.pop()
            part.add((x, y))
            near = {(x + dx * COVERS_MM, y + dy * COVERS_MM) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
            rim += near & left
            left -= near
        if len(part) >= _LEAST_SQUARES:
            x, y = (sum(at) / len(part) for at in zip(*part, strict=True))
            parts.append(replace(mark, x=x, y=y, covers=tuple(sorted(part))))
    return parts


def _with_copies(cities: Sequence[Sequence[str]], players: int) -> list[list[str]]:
    """Return the cities with faces that may be alike told apart by their copies.

    All of a name are read by the first one's face; what is more than its copies is the other one.
    """
    left = {name: find_building(name).in_play(players) for name in CARDS.faces}
    cities_named = []
    for city in cities:
        names = []
        for name in city:
            others = (face.id for face in faces_named(name) if left[face.id] > 0)
            chosen = name if left[name] > 0 else next(others, name)
            left[chosen] -= 1
            names.append(chosen)
        cities_named.append(names)
    return cities_named


def _shift_place(place: str, by: int) -> str:
    """Return a place of a part among those of all, that many seats on."""
    kind, colon, seat = place.partition(":")
    return f"{kind}:{int(seat) + by}" if colon else place
