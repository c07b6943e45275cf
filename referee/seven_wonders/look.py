"""What a look at a game of Seven Wonders shows: what is new, gone or astray in each city, on the spots, on the pile.

Nothing is judged here. An unread card stands for one that must lie in its zone and is not read there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from referee.layout import TableLayout as AnyLayout
from referee.seven_wonders.cards import BACKS, SIZE_MM, back_of
from referee.seven_wonders.layout import CITY, PILE, SPOT, WONDER, Layout
from referee.seven_wonders.state import Discard, Spot, WondersState
from referee.table import COVERS_MM, Sighting, Unread
from referee.zones import ZoneView
from rules.seven_wonders.cards import BUILDINGS, Building
from rules.seven_wonders.moves import Do
from rules.seven_wonders.position import Position
from rules.seven_wonders.state import AgePhase

UNMOVED_MM, UNMOVED_DEGREES = 2.0, 2.0
"""A card nearer than this to how it lay is taken to lie unmoved: no look measures it worse."""


@dataclass(frozen=True, slots=True)
class Astray:
    """A card where it must not lie; ``home`` is the place where it does belong, if that is known."""

    name: str
    place: str
    x: float
    y: float
    home: str | None = None

    @classmethod
    def from_sighting(cls, seen: Sighting, place: str) -> Astray:
        """Return a card that is seen in that place."""
        return cls(seen.name, place, seen.x, seen.y)


@dataclass(frozen=True, slots=True)
class Laid:
    """One new card of a seat: what is done with it, and its name: of a face, or of a back."""

    do: Do
    name: str
    seen: Sighting


@dataclass(frozen=True)
class CityLook:
    """What is new in one city, and what is not as it was; ``seat`` from 1.

    ``gone`` are built cards that lie nowhere in it, ``unstaged`` the ages of staged cards gone. ``uncollected`` says
    that an earlier discard still lies on its spot, ``doubtful`` that the new one there may be that.
    """

    seat: int
    laid: tuple[Laid, ...] = ()
    gone: tuple[Building, ...] = ()
    unstaged: tuple[int, ...] = ()
    uncollected: bool = False
    doubtful: bool = False
    marks: tuple[Unread, ...] = ()


@dataclass(frozen=True)
class Look:
    """What is new and what is off on the whole table."""

    cities: tuple[CityLook, ...]
    astray: tuple[Astray, ...] = ()
    outside: tuple[Astray, ...] = ()
    pile_at: tuple[Spot, ...] = ()
    """How all that is seen on the pile lies."""
    gathered: bool = False
    """Whether the pile shows all discards that may still have lain on their spots."""
    places: tuple[tuple[Unread, str], ...] = ()
    """Unread cards that may matter, those in a city's zones among them, each with its place."""

    @classmethod
    def from_view(cls, state: WondersState, view: ZoneView, layout: Layout) -> Look:
        """Return what that observation shows beside what is confirmed."""
        return _Reading(state, view, layout).look()

    @property
    def marks(self) -> tuple[Unread, ...]:
        """Unread cards that may matter."""
        return tuple(mark for mark, _ in self.places)

    @property
    def laid(self) -> bool:
        """Whether anybody has laid a card."""
        return any(city.laid for city in self.cities)

    def discards_at(self) -> dict[int, Spot]:
        """Return how new discards lie, by seat."""
        return {city.seat: spot_of(one.seen) for city in self.cities for one in city.laid if one.do is Do.DISCARD}


def spot_of(seen: Sighting | Unread) -> Spot:
    """Return how a card lies, to a tenth."""
    return round(float(seen.x), 1), round(float(seen.y), 1), round(float(seen.angle), 1)


def is_surface(mark: Unread) -> bool:
    """Tell whether what can't be read looks like no card at all."""
    return not mark.candidates and mark.cause in ("unknown", "glare")


def is_on_board(mark: Unread, layout: Layout) -> bool:
    """Tell whether something that looks like no card has its middle where a board lies."""
    return is_surface(mark) and layout.within_board(mark.x, mark.y)


def may_be_staged(mark: Unread, layout: Layout) -> bool:
    """Tell whether what lies on a board may be a staged card:
    it has the middle of one, or covers what sticks out of one.
    """
    if mark.covers:
        return any(layout.below_board(*square) for square in mark.covers)
    return not layout.on_board(mark.x, mark.y)


@cache
def faces_named(name: str) -> tuple[Building, ...]:
    """Return the faces that may be read by that name, those alike among them; none where it is no face of the game."""
    known = next((face.name for face in BUILDINGS if face.id == name), None)
    return tuple(face for face in BUILDINGS if face.name == known)


def name_of(name: str) -> str:
    """Return a face's name, which alike faces share; any other name as it is."""
    faces = faces_named(name)
    return faces[0].name if faces else name


class _Reading:
    """One look being read."""

    def __init__(self, state: WondersState, view: ZoneView, layout: Layout) -> None:
        self.state, self.view, self.layout = state, view, layout
        self.position: Position = state.position
        self.astray: list[Astray] = []
        self.marks: dict[str, list[Unread]] = {}
        shown = any(seen.name in BACKS for seen in view.cards.get(PILE, ()))
        top = state.on_pile > 0 and not shown
        for mark in view.unread:
            place = layout.place_at(mark.x, mark.y)
            # Nobody can count the backs there. Where none shows, one that can't be read is the pile's top; no other is.
            if place == PILE and not self._is_wide(mark, place):
                if BACKS.keys() >= {*mark.candidates} != set():
                    continue
                if top and any(map(mark.could_be, BACKS)):
                    top = False
                    continue
            self.marks.setdefault(place, []).append(mark)

    def look(self) -> Look:
        pile = lying_in(PILE, self.view, self.layout)
        self.astray += [Astray.from_sighting(seen, PILE) for seen in self._list_seen(PILE) if seen.name not in BACKS]
        outside = [
            Astray.from_sighting(seen, place)
            for place in self.view.cards
            if place == "table" or place.startswith("seat:")
            for seen in self._list_seen(place)
        ]
        self.new_on_pile, self.gone_from_pile = self._not_as_before(pile)
        cities = [self._read_city(seat) for seat in range(1, self.position.n + 1)]
        cities, outside = self._find_moved(cities, outside)
        marks = [mark for city in cities for mark in city.marks]
        marks += [mark for place in self.marks if not _of_city(place) for mark in self.marks[place]]
        places = tuple((mark, self.layout.place_at(mark.x, mark.y)) for mark in marks)
        pile_at = tuple(map(spot_of, pile))
        return Look(tuple(cities), tuple(self.astray), tuple(outside), pile_at, self._all_gathered(), places)

    def _list_seen(self, place: str) -> tuple[Sighting, ...]:
        return self.view.cards.get(place, ())

    def _read_city(self, seat: int) -> CityLook:
        built, gone, marks = self._read_built(seat)
        staged, unstaged, hidden = self._read_staged(seat)
        laid = [*built, *staged]
        # The discard spot
        place = f"{SPOT}:{seat}"
        self.astray += [Astray.from_sighting(seen, place) for seen in self._list_seen(place) if seen.name not in BACKS]
        backs = [seen for seen in self._list_seen(place) if seen.name in BACKS]
        old = self.state.discard_of(seat)
        new, uncollected, doubtful = backs, False, False
        if old is not None and backs:
            new, uncollected, doubtful = self._new_discards(old, backs, bool(laid))
        laid += [Laid(Do.DISCARD, seen.name, seen) for seen in new]
        unread = (*marks, *hidden, *self.marks.get(place, ()))
        return CityLook(seat, tuple(laid), gone, unstaged, uncollected, doubtful, unread)

    def _read_built(self, seat: int) -> tuple[list[Laid], tuple[Building, ...], list[Unread]]:
        """Return new cards of a city, built ones that are gone
        from it, and unread ones that are neither for certain.
        """
        city, place = self.position.cities[seat - 1], f"{CITY}:{seat}"
        here = self.marks.get(place, ())
        self.astray += [Astray.from_sighting(seen, place) for seen in self._list_seen(place) if seen.name in BACKS]
        faces = [seen for seen in self._list_seen(place) if seen.name not in BACKS]
        for mark in here:
            if (alike := alike_name(mark)) is not None:
                faces.append(Sighting(alike, mark.x, mark.y, mark.angle))
        laid, left = [], Counter(card.name for card in city.cards)
        for seen in faces:
            name = name_of(seen.name)
            if left[name] > 0:
                left[name] -= 1
            else:
                laid.append(Laid(Do.BUILD, seen.name, seen))
        # A surface that looks like no card may be several, new ones and missing ones.
        surfaces = [mark for mark in here if is_surface(mark)]
        others = [mark for mark in here if alike_name(mark) is None and not is_surface(mark)]
        marks = [over for mark in others for over in self._left_over(mark, left)]
        # Any other card that can't be read may be one that is missed.
        gone = () if surfaces else tuple(card for card in city.cards if left[card.name] > 0)[len(marks) :]
        return laid, gone, [*marks, *surfaces]

    def _read_staged(self, seat: int) -> tuple[list[Laid], tuple[int, ...], list[Unread]]:
        """Return new cards under a board, the ages of staged ones that are gone, and unread ones that are neither."""
        place, laid = f"{WONDER}:{seat}", []
        staged = Counter(self.state.staged[seat - 1])
        for seen in self._list_seen(place):
            age = BACKS.get(seen.name)
            if age is None:
                self.astray.append(Astray.from_sighting(seen, place))
            elif staged[age] > 0:
                staged[age] -= 1
            else:
                laid.append(Laid(Do.STAGE, seen.name, seen))
        here = self.marks.get(place, [])
        if not staged.total():
            # Where no staged card is missed, what lies on a board is its own.
            here = [mark for mark in here if not is_on_board(mark, self.layout)]
        several, marks = [mark for mark in here if self._is_wide(mark, place)], []
        for mark in here:
            may_be = [age for age in staged.elements() if not mark.candidates or back_of(age) in mark.candidates]
            if may_be and mark not in several:
                staged[may_be[0]] -= 1
            else:
                marks.append(mark)
        return laid, () if several else tuple(staged.elements()), marks

    def _is_wide(self, surface: Unread, place: str) -> bool:
        """Tell whether a surface below a board, or on the pile, covers more than one card there: it may hide any."""
        width, height = SIZE_MM
        wide = place != PILE and len(surface.covers) * COVERS_MM**2 > width * height / 2
        return wide or any(map(_of_city, find_places(surface, self.layout) - {place}))

    @staticmethod
    def _left_over(mark: Unread, left: Counter[str]) -> Iterator[Unread]:
        """Yield the mark, unless it stands for a built card that is not read elsewhere."""
        names = list(map(name_of, mark.candidates)) or list(left)
        home = next((name for name in names if left[name] > 0), None)
        if home is None:
            yield mark
        else:
            left[home] -= 1

    def _not_as_before(self, pile: Sequence[Sighting | Unread]) -> tuple[list[Sighting | Unread], list[Spot]]:
        """Return what lies on the pile as nothing did at the last
        press of confirm, and how things lay that do no more.
        """
        left, new = list(self.state.pile_at), []
        for seen in pile:
            same = next((spot for spot in left if _is_unmoved(seen, spot)), None)
            if same is None:
                new.append(seen)
            else:
                left.remove(same)
        return new, left

    def _all_gathered(self) -> bool:
        """Tell whether the pile shows a new back for each card that
        may have gone there since, and was not touched else.

        Where it was hidden when confirm was pressed last, all that lies there would seem new.
        """
        if not self.state.pile_at and sum(self.position.pile_ages) > len(self.state.discards):
            return False
        left_over = self.position.n - 1 if self.position.phase is AgePhase.SEVENTH else 0
        backs = sum(isinstance(seen, Sighting) for seen in self.new_on_pile)
        return not self.gone_from_pile and backs >= len(self.state.discards) + left_over

    def _new_discards(self, old: Discard, backs: list[Sighting], else_laid: bool) -> tuple[list[Sighting], bool, bool]:
        """Return which backs on a spot are new, whether an earlier
        one still lies there, and whether that is in doubt.
        """
        lying = [seen for seen in backs if old.at is not None and _is_unmoved(seen, old.at)]
        if old.at is not None and (old.gathered or not lying) and self._all_gathered():
            return backs, False, False
        if else_laid or len(backs) > 1 or (lying and not old.gathered and not self.new_on_pile):
            same = (lying or backs)[0]
            return [seen for seen in backs if seen is not same], True, False
        return backs, False, True

    def _find_moved(self, cities: Sequence[CityLook], outside: Sequence[Astray]) -> tuple[list[CityLook], list[Astray]]:
        """Take built cards that lie in another city or in no zone as astray, and known to belong to their own city."""
        homes = {card.name: f"{CITY}:{city.seat}" for city in cities for card in city.gone}
        kept: list[CityLook] = []
        for city in cities:
            laid = []
            for one in city.laid:
                name = name_of(one.name)
                home = homes.get(name) if one.do is Do.BUILD and self._is_all(name) else None
                if home is None:
                    laid.append(one)
                else:
                    self.astray.append(replace(Astray.from_sighting(one.seen, f"{CITY}:{city.seat}"), home=home))
            kept.append(replace(city, laid=tuple(laid)))
        return kept, [replace(one, home=homes.get(name_of(one.name))) for one in outside]

    def _is_all(self, name: str) -> bool:
        """Tell whether no more copies of that card can be in play than are built."""
        return all(self.position.copies_left(face) <= 0 for face in faces_named(name))


def _of_city(place: str) -> bool:
    return place.partition(":")[0] in (WONDER, CITY, SPOT)


def alike_name(mark: Unread) -> str | None:
    """Return the name of an unread card of which only alike faces come into question."""
    names = {name_of(name) for name in mark.candidates}
    return names.pop() if len(mark.candidates) > 1 and len(names) == 1 else None


def _is_unmoved(seen: Sighting | Unread, spot: Spot) -> bool:
    turned = abs((seen.angle - spot[2] + 180.0) % 360.0 - 180.0)
    return math.dist((seen.x, seen.y), spot[:2]) <= UNMOVED_MM and turned <= UNMOVED_DEGREES


def discards_now(state: WondersState, view: ZoneView, layout: Layout) -> tuple[Discard, ...]:
    """Return the discards that may still lie on their spots, with what is now observed of each."""
    cards = [seen for some in view.cards.values() for seen in some]
    found = []
    for one in state.discards:
        backs = [seen for seen in view.cards.get(f"{SPOT}:{one.seat}", ()) if seen.name in BACKS]
        if one.gathered and one.at is None and backs:
            one = replace(one, at=spot_of(backs[0]))
        elif not one.gathered:
            one = replace(one, gathered=not _is_hidden(one, (*cards, *view.unread), layout))
        found.append(one)
    return tuple(found)


def _is_hidden(old: Discard, lying: Sequence[Sighting | Unread], layout: Layout) -> bool:
    """Tell whether that discard may lie where it lay, as itself or below something else."""
    spot = f"{SPOT}:{old.seat}"
    middle = layout.discard_spot(old.seat) if old.at is None else old.at[:2]
    return any(math.dist((one.x, one.y), middle) < min(SIZE_MM) or spot in find_places(one, layout) for one in lying)


def lying_in(place: str, view: ZoneView, layout: AnyLayout) -> list[Sighting | Unread]:
    """Return what lies in a place, read or not."""
    marks = (mark for mark in view.unread if layout.place_at(mark.x, mark.y) == place)
    return [*view.cards.get(place, ()), *marks]


def find_places(one: Sighting | Unread, layout: Layout) -> set[str]:
    """Return the places on which a thing lies: the one of its
    middle, and those of the squares that a surface covers.
    """
    squares = one.covers if isinstance(one, Unread) else ()
    return {layout.place_at(*point) for point in ((one.x, one.y), *squares)}
