"""Sort named cards by where they lie: piles, payment spots, and the papers of each seat.

Frame: mat millimetres as in ``referee.layouts``; a card's (x, y) is the centre of the whole card, its covered part
included. People lay sloppily, so nothing here counts on a pitch: a paper is whatever hangs together with its paper
card by overlap and goes on away from it, and the closest ties anywhere on the table are made first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.laminate.view.layouts import SPOT_RADIUS_MM, PaperLayout
from referee.laminate.view.table import PaperSeen, TableView
from referee.layout import CARD_MM
from referee.table import Sighting, Unread
from referee.unread import SAME_SHOWN, WHOLE, is_beneath
from rules.cards import Card

BACK = "back"

_GAP_MM = 25.0
"""So far apart may two neighbours of a column lie where a reviewer took the cards between them."""
_STRAIGHT_MM = 15.0
"""Sideways error allowed across such a gap."""
_BEHIND_MM = 12.0
"""So far may a first card lie behind its paper card's centre (a row laid a little askew)."""
_FAN_STEP_MM = 75.0
"""Longest step between two neighbours of a payment fan."""

Seen = Sighting | Unread
Vector = tuple[float, float]


def table_view(
    sightings: Sequence[Sighting],
    unread: Sequence[Unread],
    layout: PaperLayout,
    card_mm: tuple[float, float] = CARD_MM,
) -> TableView:
    """Return what lies where, from the cards that were named and those that could not be.

    Args:
        sightings: named cards, centres in mat mm, angles in degrees clockwise; ``visible`` tells a pile's top.
        unread: cards seen but not named; they hold columns together and are passed on in the view.
        layout: the seats and spots of this table.
        card_mm: a card's width and height.

    Raises:
        ValueError: a sighting carries a name that is neither a SEVEN card, nor ``back``, nor ``kind/side``.
    """
    papers: list[Sighting] = []
    backs: list[Sighting] = []
    pile: list[Sighting] = []
    faces: list[Sighting] = []
    for seen in sightings:
        if "/" in seen.name:
            papers.append(seen)
        elif seen.name == BACK:
            backs.append(seen)
        else:
            Card.parse(seen.name)
            (pile if layout.spot_at(seen.x, seen.y) == "discard" else faces).append(seen)

    draw, payments, loose_backs = _sort_backs(backs, layout, card_mm)
    top, under, doubt = _discard_pile(pile, unread, layout)
    papers_seen, loose = _hang_cards(papers, faces, unread, layout, card_mm)
    return TableView(
        mat_mm=layout.mat_mm,
        papers=papers_seen,
        draw_backs=draw,
        discard_top=top,
        discard_under=under,
        payments=payments,
        loose=loose + loose_backs,
        unread=(*unread, *doubt),
        beneath=tuple(_find_beneath(unread, {"discard": () if top is None else pile, "draw": backs}, layout, card_mm)),
    )


# --- the common spots


def _sort_backs(
    backs: Sequence[Sighting], layout: PaperLayout, card_mm: tuple[float, float]
) -> tuple[int, dict[int, int], tuple[Sighting, ...]]:
    """Count the backs of the draw pile and of each payment spot; the rest is loose.

    A fan grows from its first card by its shortest steps, so on a small mat a fan that reaches toward the draw pile
    is still one fan.
    """
    spots: list[tuple[Vector, list[Sighting]]] = [(layout.draw, [])]
    spots += [(layout.locate_payment(seat), []) for seat in range(1, len(layout.seats) + 1)]
    left = list(backs)
    while left:
        best: tuple[float, int, Sighting] | None = None
        for back in left:
            for number, (centre, members) in enumerate(spots):
                cost = _tie_to_spot(back, centre, members, fans=number > 0, card_mm=card_mm)
                if cost is not None and (best is None or cost < best[0]):
                    best = (cost, number, back)
        if best is None:
            break
        spots[best[1]][1].append(best[2])
        left.remove(best[2])
    payments = {seat: len(members) for seat, (_, members) in enumerate(spots) if seat and members}
    return len(spots[0][1]), payments, tuple(left)


def _tie_to_spot(
    back: Sighting, centre: Vector, members: Sequence[Sighting], *, fans: bool, card_mm: tuple[float, float]
) -> float | None:
    """Return how loosely a back is tied to a spot (mm; less is closer), or ``None`` where it does not belong."""
    to_centre = math.hypot(back.x - centre[0], back.y - centre[1])
    costs = [to_centre] if to_centre <= SPOT_RADIUS_MM else []
    for other in members:
        step = math.hypot(back.x - other.x, back.y - other.y)
        if not fans:
            # A pile does not wander: only what lies nearly on it belongs to it.
            if to_centre <= SPOT_RADIUS_MM:
                costs.append(step)
        elif step <= _FAN_STEP_MM and _measure_gap(other, back, card_mm) <= 0:
            # Fans go sideways; what lies above or below is more likely another spot's.
            costs.append(step + abs(back.y - other.y))
    return min(costs, default=None)


def _discard_pile(
    pile: Sequence[Sighting], unread: Sequence[Unread], layout: PaperLayout
) -> tuple[Card | None, tuple[Card, ...], tuple[Unread, ...]]:
    """Return the discard pile's top card, the cards peeping out below, and a doubt where two show alike."""
    hidden = [u for u in unread if layout.spot_at(u.x, u.y) == "discard"]
    order = sorted(pile, key=lambda s: -s.visible)
    if not order:
        return None, (), ()
    top = order[0]
    if hidden and max(u.visible for u in hidden) >= max(top.visible - SAME_SHOWN, WHOLE - SAME_SHOWN):
        # What shows most can't be named: the cards that can are below it, or at best beside it.
        return None, tuple(Card.parse(s.name) for s in order), ()
    alike = [s for s in order if s.visible >= top.visible - SAME_SHOWN]
    if len(alike) > 1:
        doubt = Unread(top.x, top.y, top.angle, "doubtful", tuple(s.name for s in alike), top.visible)
        return None, tuple(Card.parse(s.name) for s in order if s not in alike), (doubt,)
    return Card.parse(top.name), tuple(Card.parse(s.name) for s in order[1:]), ()


def _find_beneath(
    unread: Sequence[Unread], piles: Mapping[str, Sequence[Sighting]], layout: PaperLayout, card_mm: tuple[float, float]
) -> Iterator[tuple[Unread, str]]:
    """Yield the unread cards on which cards of a pile lie that are read, each with the pile."""
    for mark in unread:
        spot = layout.spot_at(mark.x, mark.y)
        if spot is not None and spot in piles and is_beneath(mark, piles[spot], card_mm):
            yield mark, spot


# --- papers


@dataclass
class _Column:
    """A paper card and what hangs on it so far."""

    head: Seen
    toward: Vector
    """The way to the player who faces it."""
    members: list[Seen] = field(default_factory=list)

    @property
    def course(self) -> Vector | None:
        """The direction in which the cards go away from the head; None while there is none."""
        dx = sum(m.x - self.head.x for m in self.members)
        dy = sum(m.y - self.head.y for m in self.members)
        length = math.hypot(dx, dy)
        return (dx / length, dy / length) if length > 1e-6 else None

    def measure_tie(self, card: Seen, card_mm: tuple[float, float]) -> float | None:
        """Return how loosely a card is tied to this column (mm; less is closer), or ``None`` where it can't belong."""
        course = self.course
        costs = [self._tie_to(member, card, card_mm, course) for member in (self.head, *self.members)]
        return min((cost for cost in costs if cost is not None), default=None)

    def _tie_to(self, member: Seen, card: Seen, card_mm: tuple[float, float], course: Vector | None) -> float | None:
        dx, dy = card.x - member.x, card.y - member.y
        if math.hypot(dx, dy) > card_mm[0] + card_mm[1]:
            return None
        if course is None:
            forward = dx * self.toward[0] + dy * self.toward[1]
            sideways = abs(dx * self.toward[1] - dy * self.toward[0])
            if forward < -_BEHIND_MM:
                return None
            if _measure_gap(member, card, card_mm) > 0 and not (
                sideways <= _STRAIGHT_MM and _measure_gap(member, card, card_mm) <= _GAP_MM
            ):
                return None
            return math.hypot(dx, dy) + 0.3 * sideways
        from_head = (card.x - self.head.x) * course[0] + (card.y - self.head.y) * course[1]
        if from_head < 0:
            return None
        step = abs(dx * course[0] + dy * course[1])
        aside = abs(dx * course[1] - dy * course[0])
        apart = _measure_gap(member, card, card_mm)
        if apart > _GAP_MM or (apart > 0 and aside > _STRAIGHT_MM) or aside > 14 + 0.4 * step:
            return None
        return step + 2 * aside

    def cards_in_order(self) -> list[Seen]:
        """Return its cards, nearest to the head first."""
        course = self.course or self.toward
        return sorted(self.members, key=lambda m: (m.x - self.head.x) * course[0] + (m.y - self.head.y) * course[1])


def _hang_cards(
    papers: Sequence[Sighting],
    faces: Sequence[Sighting],
    unread: Sequence[Unread],
    layout: PaperLayout,
    card_mm: tuple[float, float],
) -> tuple[tuple[PaperSeen, ...], tuple[Sighting, ...]]:
    """Hang every face-up SEVEN card on a paper card; what hangs nowhere is loose."""
    heads: list[Seen] = [*papers]
    cards: list[Seen] = [*faces]
    for mark in unread:
        if layout.spot_at(mark.x, mark.y) in ("draw", "discard"):
            continue
        # An unread paper card still holds its own column together; its cards end up loose, not on a neighbour.
        (heads if mark.candidates and "/" in mark.candidates[0] else cards).append(mark)

    columns = [_Column(head, _toward_player(head, layout)) for head in heads]
    ties: list[dict[int, float]] = [{} for _ in columns]

    def measure(number: int) -> None:
        ties[number] = {}
        for index in waiting:
            cost = columns[number].measure_tie(cards[index], card_mm)
            if cost is not None:
                ties[number][index] = cost

    waiting = set(range(len(cards)))
    for number in range(len(columns)):
        measure(number)
    while True:
        closest = min(
            ((cost, number, index) for number, tie in enumerate(ties) for index, cost in tie.items()), default=None
        )
        if closest is None:
            break
        _, number, index = closest
        columns[number].members.append(cards[index])
        waiting.discard(index)
        for tie in ties:
            tie.pop(index, None)
        measure(number)

    seen: list[PaperSeen] = []
    loose = [card for card in (cards[index] for index in sorted(waiting)) if isinstance(card, Sighting)]
    for column in columns:
        named = [card for card in column.cards_in_order() if isinstance(card, Sighting)]
        head = column.head
        seat = _seat_of(head, layout)
        if not isinstance(head, Sighting):
            loose += named
        elif seat is None:
            loose += [head, *named]
        else:
            kind, _, side = head.name.partition("/")
            if side not in ("review", "complete"):
                raise ValueError(f"no such paper card: {head.name!r}")
            seen.append(
                PaperSeen(
                    seat,
                    kind,
                    side == "complete",
                    tuple(Card.parse(card.name) for card in named),
                    head.x,
                    head.y,
                    tuple(card for card in column.cards_in_order() if isinstance(card, Unread)),
                )
            )
    seen.sort(key=lambda paper: (paper.seat, paper.y, paper.x))
    return tuple(seen), tuple(loose)


def _seat_of(head: Seen, layout: PaperLayout) -> int | None:
    """Return the seat whose area holds a paper card's centre."""
    for seat in range(1, len(layout.seats) + 1):
        x0, y0, x1, y1 = layout.seat_rect(seat)
        if x0 <= head.x <= x1 and y0 <= head.y <= y1:
            return seat
    return None


def _toward_player(head: Seen, layout: PaperLayout) -> Vector:
    """Return the way from a paper card to its player, turned
    with the card while it lies roughly as its player sees it.
    """
    sign = -1.0 if head.y < layout.mat_mm[1] / 2 else 1.0
    tilt = (head.angle + 90) % 180 - 90
    if abs(tilt) > 45:
        tilt = 0.0
    t = math.radians(tilt)
    return (-math.sin(t) * sign, math.cos(t) * sign)


def _measure_gap(a: Seen, b: Seen, card_mm: tuple[float, float]) -> float:
    """Return the distance in mm between two cards' outlines
    along the axis that parts them best; 0 or less on overlap.
    """
    half_w, half_h = card_mm[0] / 2, card_mm[1] / 2
    dx, dy = b.x - a.x, b.y - a.y
    axes = []
    for card in (a, b):
        t = math.radians(card.angle)
        axes += [(math.cos(t), math.sin(t)), (-math.sin(t), math.cos(t))]
    parted = -math.inf
    for ux, uy in axes:
        reach = 0.0
        for (wx, wy), (hx, hy) in ((axes[0], axes[1]), (axes[2], axes[3])):
            reach += half_w * abs(ux * wx + uy * wy) + half_h * abs(ux * hx + uy * hy)
        parted = max(parted, abs(dx * ux + dy * uy) - reach)
    return parted
