"""The score of a finished table, and what a game offers that can tell it from one look.

A game's folder ``referee/<name>`` may have a module ``scoring`` with the object ``SCORING``; nothing else has to know
of it (``referee.registry``). Seats are numbered from 1; lengths are mat millimetres.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Protocol, runtime_checkable

from referee.game import CardSet
from referee.layout import TableLayout
from referee.table import CAUSES, Detections, Unread
from referee.zones import BACK, NameGroups
from rules.cards import Card
from rules.game import GameOption, Rules
from rules.judged import find_winners, rank_places
from rules.parsing import quote_value
from rules.refusal import Reason, cannot_see, in_order
from rules.text import Text, in_context, join_names, plural, verbatim


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that counts, or will, for a player: in words, its points (0 for none), and as a JSON object."""

    words: Text
    points: int
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's points, and what lies there for them, in groups by the game's own names.

    ``complete_papers`` is ``None`` in a game without papers. ``categories`` are the points by category, in the order of
    ``Score.categories``. ``facts`` is what else there is to tell of the player as JSON, ``notes`` in words;
    ``settles`` is what settles a tie, more being better.
    """

    seat: int
    points: int
    groups: Mapping[str, tuple[Item, ...]]
    complete_papers: int | None = None
    categories: tuple[int, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Text, ...] = ()
    settles: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """What can't be on a finished table: why, and in whose area; ``seat`` is ``None`` where it is nobody's.

    ``told`` is the key of ``Scoring.asked`` whose answer may be the wrong one; empty where it lies on the table alone.
    """

    seat: int | None
    reason: Reason
    told: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """What a finished table comes to, seat by seat.

    ``final`` are the points by seat, or by side where a game has sides. ``winners`` are ``None`` where a fault, or a
    card of ``unread``, leaves the result open; ``unread`` are the cards that matter and can't be named, each with a
    sentence. ``why`` says how the winners were found. ``categories`` name those of a game with a score sheet.
    """

    tallies: tuple[Tally, ...]
    final: tuple[int, ...]
    winners: tuple[int, ...] | None
    why: Text | None
    faults: tuple[Fault, ...] = ()
    unread: tuple[tuple[Unread, Text], ...] = ()
    categories: tuple[Text, ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, shared by those who are level in points and in what settles a tie."""
        return rank_places([(tally.points, tally.settles) for tally in self.tallies])


@dataclass(frozen=True)
class Finished:
    """What people say of a finished table: what each player is called, by seat, and where things lie.

    Where a table is looked at in parts, ``layout`` is that of the first one.

    ``told`` is what no camera sees, by key of ``Scoring.asked``; ``confirmed`` are the faults that the players have
    looked at and let stand.
    """

    players: tuple[Text, ...]
    layout: TableLayout
    told: Mapping[str, Any] = field(default_factory=dict)
    confirmed: Collection[Fault] = frozenset()


class Scoring(Protocol):
    """How one game is scored from a finished table."""

    @property
    def rules(self) -> Rules:
        """The game's rules."""

    @property
    def cards(self) -> CardSet:
        """Its cards."""

    @property
    def asked(self) -> tuple[GameOption, ...]:
        """What no camera sees; what is not ``optional`` has to be entered."""

    @property
    def lay(self) -> Text:
        """How the table has to lie, as a sentence for the players."""

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> TableLayout:
        """Return where things lie for that many players on a mat of that size."""

    def observe(self, seen: Detections, layout: TableLayout) -> Any:
        """Observe what lies where."""

    def score(self, view: Any, finished: Finished) -> Score:
        """Score a view."""

    def list_names(self) -> NameGroups:
        """Return every name that a card may have, with its words,
        in groups; those of the group ``None`` stand alone.
        """


@runtime_checkable
class LeavesOut(Protocol):
    """A scoring of a game on whose mat other things lie than cards."""

    def cards_among(self, seen: Detections, layout: TableLayout) -> Detections:
        """Return what was seen, without what is no card; marks may be cut down to what may be one."""


@runtime_checkable
class InParts(Protocol):
    """A scoring of a game that more can play than find room on the mat.

    Their things are looked at one part after the other, each laid as if they alone played.
    """

    def split_seats(self, players: int) -> tuple[int, ...]:
        """Return how many seats' things lie on the mat each time, in the order of the seats."""

    def join_views(self, views: Sequence[Any]) -> Any:
        """Join what was seen part by part into one view, in their order; the last ones may be missing."""


def parts_of(scoring: Scoring, players: int) -> tuple[int, ...]:
    """Return how many seats' things lie on the mat each time."""
    return scoring.split_seats(players) if isinstance(scoring, InParts) else (players,)


def _seats_fault(value: Any, players: Sequence[str]) -> Text | None:
    if type(value) is int and value == len(players):
        return None
    quoted = quote_value(value)
    return Text("'seats' must be the number of players, {players}, not {told}", players=len(players), told=quoted)


SEATS = GameOption(
    "seats",
    Text("How many play, counted once more"),
    lambda players: [(len(players), in_context("number of players", "{count}", count=len(players)))],
    _seats_fault,
    optional=True,
)
"""The number of players entered once more: then a table that would suit another number as well is no fault."""


def area_words(seat: int | None, players: Sequence[Text]) -> Text:
    """Name a player's area, or the middle of the table."""
    if seat is None:
        return Text("the middle of the table")
    who = players[seat - 1]
    return Text("{who}'s area", who=who)


def unread_words(mark: Unread, where: Text) -> Text:
    """Say that a card at that place can't be read, and why."""
    return cannot_see(where, CAUSES.get(mark.cause, CAUSES["doubtful"])).text


def in_two_places(places: Mapping[str, Sequence[tuple[int | None, Text]]]) -> Iterator[Fault]:
    """Return cards seen in two places or more, of which each
    exists once; a place is a seat's or nobody's, and in words.
    """
    for name, seen in places.items():
        if len(seen) > 1 and name != BACK and "/" not in name:
            card = Card.parse(name)
            where = reduce(_and_in, (place for _, place in seen))
            words = Text("{card!c} exists once, but lies in {where}.", card=card, where=where)
            seat = next((seat for seat, _ in seen if seat is not None), None)
            yield Fault(seat, Reason("table_disturbed", (card,), words))


def _and_in(places: Text, place: Text) -> Text:
    return Text("{places} and in {place}", places=places, place=place)


def open_faults(found: Iterable[Fault], codes: Sequence[str], finished: Finished) -> tuple[Fault, ...]:
    """Return each fault once, in the order of the codes, without those that the players let stand."""
    once = list(dict.fromkeys(found))
    order = in_order(codes, dict.fromkeys(fault.reason for fault in once))
    kept = (fault for fault in once if fault not in finished.confirmed)
    return tuple(sorted(kept, key=lambda fault: order.index(fault.reason)))


def most_points(final: Sequence[int], players: Sequence[Text]) -> tuple[tuple[int, ...], Text]:
    """Return the seats with the most points, and that in words."""
    most, winners = max(final), find_winners(rank_places(final))
    won = join_names(players[seat - 1] for seat in winners)
    if len(winners) == 1:
        return winners, plural("{won} wins with {count} point.", "{won} wins with {count} points.", count=most, won=won)
    return winners, plural(
        "{won} have {count} point each and share the win.",
        "{won} have {count} points each and share the win.",
        count=most,
        won=won,
    )


def with_tie_break(
    final: Sequence[int], settles: Sequence[int], players: Sequence[Text], level: Text, alone: Text
) -> tuple[tuple[int, ...], Text]:
    """Return the seats with the most points, then with the most
    of what settles a tie, then together; and that in words.

    What settles is shown as a number without its sign. ``level`` says who have as many points, and ``alone`` who wins.
    """
    best, why = most_points(final, players)
    if len(best) == 1:
        return best, why
    winners = find_winners(rank_places(list(zip(final, settles, strict=True))))
    who, won = (join_names(players[seat - 1] for seat in seats) for seats in (best, winners))
    counts = in_turn(abs(settles[seat - 1]) for seat in best)
    tied = level.refill(who=who, most=max(final), counts=counts)
    if len(winners) == 1:
        return winners, alone.refill(tied=tied, won=won)
    return winners, Text("{tied}: {won} share the win.", tied=tied, won=won)


def in_turn(counts: Iterable[int]) -> Text:
    """Say what each of some players has, before the things that are counted: ``3 and 2``."""
    return reduce(lambda before, count: Text("{before} and {count}", before=before, count=count), map(verbatim, counts))
