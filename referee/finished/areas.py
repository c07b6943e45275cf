"""Finished tables of games whose cards lie openly in their players' areas: what is alike in scoring all of them.

Cards lie singly, in columns or in fans, so that every index shows. A game says what counts
(``AreaScoring.count_tally``) and what else can't be (``AreaScoring.find_faults``). Frame: mat millimetres, as in
``referee.layout``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.finished.score import (
    SEATS,
    Fault,
    Finished,
    Score,
    Tally,
    area_words,
    in_two_places,
    most_points,
    open_faults,
    unread_words,
)
from referee.game import CardSet
from referee.layout import TableLayout
from referee.table import Detections, Sighting, Unread
from referee.zones import BACK, SEVEN, NameGroups, seven_names
from rules.cards import Card
from rules.game import GameOption, Rules
from rules.refusal import PluralSentence, Reason
from rules.text import Text, join_names, say_cards, say_number

_MOST_NAMED = 7
"""A sentence names no more cards than that; of more it gives the number."""


@dataclass(frozen=True)
class AreaView:
    """One look: the cards in each seat's area, those that lie elsewhere by their place, and those without a name.

    ``foreign`` are cards that this game has not.
    """

    areas: Mapping[int, tuple[Sighting, ...]] = field(default_factory=dict)
    elsewhere: Mapping[str, tuple[Sighting, ...]] = field(default_factory=dict)
    unread: tuple[Unread, ...] = ()
    foreign: tuple[Sighting, ...] = ()

    def list_faces(self, seat: int) -> tuple[Card, ...]:
        """Return the face-up cards in an area, in the deck's order."""
        return in_order_of_the_deck(seen.name for seen in self.areas.get(seat, ()) if seen.name != BACK)

    def count_backs(self, seat: int) -> int:
        """Count the backs that show in an area."""
        return sum(seen.name == BACK for seen in self.areas.get(seat, ()))

    def list_cards(self) -> Iterator[tuple[int | None, Sighting]]:
        """List all cards, each with the seat in whose area it lies."""
        for seat, cards in self.areas.items():
            yield from ((seat, seen) for seen in cards)
        for cards in self.elsewhere.values():
            yield from ((None, seen) for seen in cards)


class AreaScoring(ABC):
    """How a game is scored whose cards lie openly in the areas; a game derives from it."""

    rules: Rules
    cards: CardSet = SEVEN
    asked: tuple[GameOption, ...] = (SEATS,)
    lay: Text

    @abstractmethod
    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> TableLayout:
        """Return where things lie for that many players on a mat of that size."""

    @abstractmethod
    def count_tally(self, seat: int, view: AreaView, finished: Finished) -> Tally:
        """Return what lies there for a player."""

    @abstractmethod
    def find_faults(self, view: AreaView, finished: Finished) -> Iterator[Fault]:
        """Yield what can't be, besides a card in two places."""

    @abstractmethod
    def is_common(self, one: Sighting | Unread, view: AreaView, layout: TableLayout) -> bool:
        """Tell whether a card in no area lies where cards lie that are nobody's."""

    def is_decisive(self, mark: Unread, view: AreaView, layout: TableLayout) -> bool:
        """Tell whether a card that can't be named may change the result."""
        in_area = layout.place_at(mark.x, mark.y).startswith("seat:")
        return in_area or not self.is_common(mark, view, layout)

    def observe(self, seen: Detections, layout: TableLayout) -> AreaView:
        """Sort the cards by the places in which their centres lie."""
        areas: dict[int, tuple[Sighting, ...]] = {}
        elsewhere: dict[str, tuple[Sighting, ...]] = {}
        known = {*self.cards.faces, *self.cards.backs}
        for card in (card for card in seen.sightings if card.name in known):
            spot, _, seat = layout.place_at(card.x, card.y).partition(":")
            if seat and spot == "seat":
                areas[int(seat)] = (*areas.get(int(seat), ()), card)
            else:
                elsewhere[spot] = (*elsewhere.get(spot, ()), card)
        foreign = tuple(card for card in seen.sightings if card.name not in known)
        return AreaView(areas, elsewhere, seen.unread, foreign)

    def list_names(self) -> NameGroups:
        """Return SEVEN cards by suit, and a back."""
        return seven_names()

    def score(self, view: AreaView, finished: Finished) -> Score:
        """Score who has how many points, who wins, and what on the table can't be."""
        seats = range(1, len(finished.players) + 1)
        tallies = tuple(self.count_tally(seat, view, finished) for seat in seats)
        unread = tuple(
            (mark, unread_words(mark, area_words(finished.layout.seat_at(mark.x, mark.y), finished.players)))
            for mark in view.unread
            if self.is_decisive(mark, view, finished.layout)
        )
        found = [*self.find_faults(view, finished), *self._find_astray(view, finished), *_find_doubles(view, finished)]
        if view.foreign:
            found.append(Fault(None, other_cards(count=len(view.foreign), game=self.rules.title)))
        faults = open_faults(found, self.rules.codes, finished)
        final = self.add_up_points(tallies)
        winners, why = self.find_winners(tallies, finished)
        if faults or unread:
            return Score(tallies, final, None, None, faults, unread)
        return Score(tallies, final, winners, why)

    def _find_astray(self, view: AreaView, finished: Finished) -> Iterator[Fault]:
        """Yield cards that are neither somebody's nor where cards of nobody's lie, by the area that is nearest."""
        by_seat: dict[int, list[Sighting]] = {}
        for seen in (seen for cards in view.elsewhere.values() for seen in cards):
            if not self.is_common(seen, view, finished.layout):
                by_seat.setdefault(_nearest_seat(seen, finished.layout), []).append(seen)
        for seat, cards in sorted(by_seat.items()):
            yield Fault(seat, half_way(cards, area_words(seat, finished.players)))

    def add_up_points(self, tallies: Sequence[Tally]) -> tuple[int, ...]:
        """Return the points as a record's last line has them: by seat."""
        return tuple(tally.points for tally in tallies)

    def find_winners(self, tallies: Sequence[Tally], finished: Finished) -> tuple[tuple[int, ...], Text]:
        """Return the seats that have won, and how that was found: the most points."""
        return most_points(self.add_up_points(tallies), finished.players)


def _nearest_seat(seen: Sighting, layout: TableLayout) -> int:
    """Return the seat whose area begins nearest to a card's centre."""

    def away(seat: int) -> float:
        x0, y0, x1, y1 = layout.seat_rect(seat)
        return math.hypot(max(x0 - seen.x, 0.0, seen.x - x1), max(y0 - seen.y, 0.0, seen.y - y1))

    return min(range(1, len(layout.seats) + 1), key=away)


def in_order_of_the_deck(names: Iterable[str]) -> tuple[Card, ...]:
    """Return cards by name, in the deck's order; one that lies there twice is there once."""
    return tuple(sorted({Card.parse(name) for name in names}, key=lambda card: card.index))


def name_cards(cards: Sequence[Card]) -> Text:
    """Name a few cards, of more their number."""
    return say_cards(cards) if len(cards) <= _MOST_NAMED else say_number(len(cards))


def _find_doubles(view: AreaView, finished: Finished) -> Iterator[Fault]:
    """Return cards seen in more than one place, whether they were named there or taken for that card."""
    places: dict[str, list[tuple[int | None, Text]]] = {}

    def put(name: str, seat: int | None) -> None:
        places.setdefault(name, []).append((seat, area_words(seat, finished.players)))

    for seat, seen in view.list_cards():
        put(seen.name, seat)
    for mark in view.unread:
        # Of two cards that look the same the reader names neither, and both are left without a likely other name.
        if len(mark.candidates) == 1:
            put(mark.candidates[0], finished.layout.seat_at(mark.x, mark.y))
    yield from in_two_places(places)


face_down = PluralSentence(
    "table_disturbed",
    "{count} card in {who}'s area lies face down: turn everything up that counts.",
    "{count} cards in {who}'s area lie face down: turn everything up that counts.",
)
half_way_between = PluralSentence(
    "table_disturbed",
    "{names!c} lies between {area} and the middle: put it well into one or the other.",
    "{names!c} lie between {area} and the middle: put them well into one or the other.",
    cards=("cards",),
)
face_up = PluralSentence(
    "table_disturbed",
    "{names!c} lies face up in {place}, where no card counts: put it where it belongs.",
    "{names!c} lie face up in {place}, where no card counts: put it where it belongs.",
    cards=("cards",),
)
other_cards = PluralSentence(
    "table_disturbed",
    "{count} card of another game lies on the mat: take them away, or check that this is {game}.",
    "{count} cards of another game lie on the mat: take them away, or check that this is {game}.",
)


def half_way(seen: Sequence[Sighting], area: Text) -> Reason:
    """Yield cards that lie between an area and the middle, so that nobody can tell whose they are."""
    cards = in_order_of_the_deck(one.name for one in seen if one.name != BACK)
    down = say_number(sum(one.name == BACK for one in seen))
    backs = [Text("{cards} face down", cards=down)] if len(cards) < len(seen) else []
    names = join_names([*([name_cards(cards)] if cards else []), *backs])
    return half_way_between(names=names, area=area, count=len(seen), cards=cards)
