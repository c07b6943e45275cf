"""How many sit at a finished table, as far as what lies there tells.

A wrong number of seats gives one player's cards to another, and nothing else on the table need look wrong for it. So
what lies there is held against the areas of every number of players. What speaks against a number: an area with
nothing in it, something across the border of two areas, what the rules would not let one player have. Things that lie
close together on both sides of a border are hardly two players', and ones that lie far apart hardly one's.

Frame: mat millimetres, as in ``referee.layout``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, pairwise

from referee.finished.score import Fault
from referee.layout import CARD_MM, TableLayout
from rules.refusal import Reason, Sentence
from rules.text import Text, in_context, join_sentences, verbatim

ACROSS_MM = 10.0
"""What reaches over the border of its area by so much does not lie there by a careless hand alone."""
_CLOSE_MM = 35.0
"""A finger's gap: one player's cards lie so close together, two players' hardly."""
_FAR_MM = 150.0
"""Cards on both sides of such a gap are hardly one player's."""

Point = tuple[float, float]
Contradictions = Callable[[Sequence[int]], int]
"""How often the rules would not let one player have these things, which are given by their numbers."""


@dataclass(frozen=True, slots=True)
class Seating:
    """What speaks against a number of players.

    ``empty`` are seats with nothing, ``across`` the numbers of things that lie in two areas, ``contradicted`` how
    often the rules say no. ``hints`` are the sides of the mat (``True`` for the top) where things of two players look
    like one's, or of one like two's.
    """

    layout: TableLayout
    things: tuple[Point, ...]
    empty: tuple[int, ...]
    across: tuple[int, ...]
    contradicted: int
    hints: frozenset[bool]

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.layout.seats)

    @property
    def objections(self) -> int:
        """How much speaks against it for certain."""
        return len(self.empty) + len(self.across) + self.contradicted

    def find_differing_sides(self, other: Seating) -> frozenset[bool]:
        """Return the sides of the mat where the areas are not those of another number of players."""
        return frozenset(
            top for top in (False, True) if _find_borders(self.layout, top) != _find_borders(other.layout, top)
        )


def compare_seatings(
    things: Sequence[Point], layouts: Sequence[TableLayout], contradictions: Contradictions, together: bool = True
) -> tuple[Seating, ...]:
    """Return what speaks against each layout's number of players; ``things`` are the centres of cards in mm.

    ``together`` says that a player's things lie together, so that a wide gap parts two players.
    """
    borders = [border for layout in layouts for border in (*_find_borders(layout, True), *_find_borders(layout, False))]
    return tuple(_make_seating(things, layout, contradictions, borders if together else ()) for layout in layouts)


def find_possible_players(entered: int, found: Sequence[Seating]) -> tuple[int, ...]:
    """Return the numbers of players, other than the one entered, that the table leaves possible.

    Where a hint speaks against another number and none against the one entered, the other one is out.
    """
    own = next(seating for seating in found if seating.players == entered)
    left = []
    for other in found:
        sides = own.find_differing_sides(other)
        hinted = bool(other.hints & sides) and not own.hints & sides
        if other.players != entered and not other.objections and not hinted:
            left.append(other.players)
    return tuple(left)


def _make_seating(
    things: Sequence[Point], layout: TableLayout, contradictions: Contradictions, borders: Sequence[float]
) -> Seating:
    owners: dict[int, list[int]] = {seat: [] for seat in range(1, len(layout.seats) + 1)}
    for number, thing in enumerate(things):
        seat = layout.seat_at(*thing)
        if seat is not None:
            owners[seat].append(number)
    at = {seat: [things[number] for number in own] for seat, own in owners.items()}
    close = {layout.faces_down(one) for one, _, gap in _gaps_between(at, layout) if gap < _CLOSE_MM}
    split = {layout.faces_down(seat) for seat, own in at.items() if _is_split(own, borders)}
    return Seating(
        layout,
        tuple(things),
        tuple(seat for seat, own in owners.items() if not own),
        tuple(number for number, thing in enumerate(things) if _is_across(thing, layout)),
        sum(contradictions(own) for own in owners.values()),
        frozenset(close | split),
    )


def _find_borders(layout: TableLayout, top: bool) -> tuple[float, ...]:
    """Return where two seats of that side of the mat meet, in mm from the left."""
    sides: Mapping[int, float] = {seat: area.x0 for seat, area in enumerate(layout.seats, 1) if area.x0 > 0}
    return tuple(sorted(x0 * layout.mat_mm[0] for seat, x0 in sides.items() if layout.faces_down(seat) is top))


def _is_across(thing: Point, layout: TableLayout) -> bool:
    if layout.seat_at(*thing) is None:
        return False
    borders = _find_borders(layout, thing[1] < layout.mat_mm[1] / 2)
    return any(abs(thing[0] - border) < CARD_MM[0] / 2 - ACROSS_MM for border in borders)


def _gaps_between(at: Mapping[int, Sequence[Point]], layout: TableLayout) -> Iterator[tuple[int, int, float]]:
    """Return how far apart, from edge to edge, things of neighbours lie that lie side by side."""
    for one, other in combinations(at, 2):
        if layout.faces_down(one) is layout.faces_down(other):
            for a in at[one]:
                for b in at[other]:
                    if abs(a[1] - b[1]) < CARD_MM[1]:
                        yield one, other, abs(a[0] - b[0]) - CARD_MM[0]


def _is_split(own: Sequence[Point], borders: Sequence[float]) -> bool:
    """Tell whether a wide gap parts these things where another number of players has a border."""
    xs = sorted(x for x, _ in own)
    return any(b - a - CARD_MM[0] > _FAR_MM and any(a < border < b for border in borders) for a, b in pairwise(xs))


# --- said as faults


def seat_faults(
    found: Sequence[Seating], players: Sequence[Text], words: Callable[[int], Text], told: bool
) -> Iterator[Fault]:
    """Say why the number of players may be another one: ``words``
    name a thing, ``told`` says that it was entered twice.
    """
    own = next(seating for seating in found if seating.players == len(players))
    for number in own.across:
        yield Fault(own.layout.seat_at(*own.things[number]), _lies_across(thing=words(number)))
    others = find_possible_players(len(players), found)
    if told:
        return
    for seat in own.empty:
        yield Fault(seat, nothing_there(players[seat - 1], others))
    if others and not own.objections:
        yield Fault(None, _other_number(len(players), others))


_lies_across = Sentence(
    "table_disturbed", "{thing!c} lies across the border of two areas: move it to its player, or check how many play."
)


def nothing_there(who: Text, others: Sequence[int]) -> Reason:
    """Return the reason for an area in which nothing lies;
    ``others`` are the numbers of players that are still possible.
    """
    sentences = [Text("Nothing lies in {who}'s area: check how many play.", who=who)]
    if len(others) == 1:
        sentences.append(Text("It looks like a table of {count} players.", count=others[0]))
    return Reason("table_disturbed", (), join_sentences(sentences))


def _other_number(entered: int, others: Sequence[int]) -> Reason:
    *some, last = sorted((entered, *others))
    words = Text(
        "The table could be one of {numbers} or {last} players: say once more how many play, or move everybody's cards "
        "apart.",
        numbers=reduce(_or_one_of, map(verbatim, some)),
        last=last,
    )
    return Reason("cannot_see", (), words)


def _or_one_of(numbers: Text, number: Text) -> Text:
    return in_context("numbers of players", "{numbers}, {number}", numbers=numbers, number=number)
