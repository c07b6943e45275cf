"""What really lies on the simulated table: the truth that the chain under test never sees.

Cards lie as TABLE.md has them, and as sloppily: columns head nearest the middle, 20 mm strips, thank-you cards fanned
on payment spots, an untidy discard pile. Lengths are mm in the mat's frame, angles degrees clockwise.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from referee.laminate.view.layouts import Layout
from referee.layout import CARD_MM, MARKER_MM
from referee.placing import Box, Placed, apart, bounds, tossed
from referee.simulation import SimulationError
from rules.cards import Card
from rules.text import Text

STRIP_MM = 20.0
TITLE_STRIP_MM = 25.0
FAN_MM = 42.0
_GAP_MM = 6.0
_BACKS_SHOWN = 4
_LONG = 9


class NoRoomError(SimulationError):
    """A seat's area can't hold another paper."""

    def __init__(self, seat: int) -> None:
        super().__init__(Text("The simulated table has no room left for another paper at seat {seat}.", seat=seat))


@dataclass
class Column:
    """A paper as it lies: the paper card's name, its SEVEN cards from the head on, and where each of them lies."""

    paper: str
    complete_side: bool
    cards: list[Card]
    head: tuple[float, float]
    angle: float
    placed: list[Placed] = field(default_factory=list)

    @property
    def head_name(self) -> str:
        """The paper card as seen."""
        return f"{self.paper}/{'complete' if self.complete_side else 'review'}"

    def copy(self) -> Column:
        """The same column, to be changed for itself."""
        return replace(self, cards=list(self.cards), placed=list(self.placed))


@dataclass(frozen=True)
class Snapshot:
    """How everything lay at one moment."""

    columns: dict[tuple[int, str], Column]
    discard: list[Placed]
    draw: list[Placed]
    payments: dict[int, list[Placed]]
    loose: list[Placed]


class SimulatedTable:
    """The cards on the mat and the few things that hands do with them; all randomness from ``rng``."""

    def __init__(self, layout: Layout, rng: random.Random) -> None:
        self.layout = layout
        self._rng = rng
        self._columns: dict[tuple[int, str], Column] = {}
        self._discard: list[Placed] = []
        self._draw: list[Placed] = []
        self._payments: dict[int, list[Placed]] = {seat: [] for seat in range(1, len(layout.seats) + 1)}
        self._loose: list[Placed] = []

    def __iter__(self) -> Iterator[Placed]:
        """Every card on the mat, bottom to top."""
        for column in self._columns.values():
            yield from column.placed
        yield from self._draw
        yield from self._discard
        for fan in self._payments.values():
            yield from fan
        yield from self._loose

    @property
    def columns(self) -> dict[tuple[int, str], Column]:
        """The papers by seat and kind; a second one of a kind has a prime behind its kind."""
        return self._columns

    @property
    def discards(self) -> tuple[str, ...]:
        """What lies on the discard pile, bottom to top."""
        return tuple(card.name for card in self._discard)

    @property
    def draw_pile(self) -> tuple[str, ...]:
        """What shows of the draw pile, bottom to top; no more than a few cards of it do."""
        return tuple(card.name for card in self._draw)

    @property
    def astray(self) -> tuple[Placed, ...]:
        """Cards that lie in no paper and on no pile, and face-up ones on payment spots."""
        return (*self._loose, *(card for fan in self._payments.values() for card in fan if card.name != "back"))

    def snapshot(self) -> Snapshot:
        """Everything that lies here, to be put back by ``restore``."""
        return Snapshot(
            {key: column.copy() for key, column in self._columns.items()},
            list(self._discard),
            list(self._draw),
            {seat: list(fan) for seat, fan in self._payments.items()},
            list(self._loose),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Put everything back as it lay."""
        self._columns = {key: column.copy() for key, column in snapshot.columns.items()}
        self._discard, self._draw = list(snapshot.discard), list(snapshot.draw)
        self._payments = {seat: list(fan) for seat, fan in snapshot.payments.items()}
        self._loose = list(snapshot.loose)

    def stack_draw(self, count: int) -> None:
        """Square up the draw pile with that many cards; a few of them peep out."""
        x, y = self.layout.draw
        while len(self._draw) > min(count, _BACKS_SHOWN):
            self._draw.pop()
        while len(self._draw) < min(count, _BACKS_SHOWN):
            self._draw.append(self._sloppy("back", x, y, 0.0, 1.5, 1.5))

    def lay_discard(self, card: Card, face_up: bool = True) -> None:
        """Throw a card on the discard pile."""
        x, y = self.layout.discard
        self._discard.append(self._sloppy(str(card) if face_up else "back", x, y, 0.0, 4.0, 5.0))

    def lay_on_draw(self, name: str) -> None:
        """Lay a card, ``back`` or face up, on the draw pile."""
        x, y = self.layout.draw
        self._draw.append(self._sloppy(name, x, y, 0.0, 3.0, 4.0))

    def take_discard(self) -> str:
        """Take the top discard; its name is returned."""
        return self._discard.pop().name

    def clear_discard(self) -> None:
        """Take up the whole discard pile, to be shuffled."""
        self._discard.clear()

    def pay(self, seat: int, count: int, name: str = "back") -> None:
        """Lay thank-you cards on a seat's payment spot, fanned away from the middle of the table."""
        x, y = self.layout.payment(seat)
        step = -FAN_MM if x < self.layout.mat_mm[0] / 2 else FAN_MM
        fan = self._payments[seat]
        for _ in range(count):
            fan.append(self._sloppy(name, x + step * len(fan), y, 0.0, 3.0, 4.0))

    def unpay(self, seat: int, count: int) -> None:
        """Take thank-you cards off a payment spot, the last laid first."""
        del self._payments[seat][len(self._payments[seat]) - count :]

    def payments(self) -> dict[int, int]:
        """How many face-down thank-you cards lie on each seat's spot."""
        counts = {seat: sum(card.name == "back" for card in fan) for seat, fan in self._payments.items()}
        return {seat: count for seat, count in counts.items() if count}

    def lay_paper(self, seat: int, paper: str, cards: Sequence[Card], complete_side: bool) -> None:
        """Lay a paper in a free place of the seat's area; the seat's papers are pushed together where none is free.

        Raises:
            NoRoomError: the area can't hold it.
        """
        column = Column(paper, complete_side, list(cards), (0.0, 0.0), 0.0)
        key = (seat, paper if (seat, paper) not in self._columns else f"{paper}'")
        if self._find_place(seat, column, _GAP_MM):
            self._columns[key] = column
        else:
            self._tidy(key, column)

    def take_from_paper(self, seat: int, paper: str, card: Card) -> None:
        """Take one SEVEN card out of a paper; the rest is pushed together, or a gap stays as people leave it."""
        column = self._columns[seat, paper]
        place = column.cards.index(card)
        column.cards.pop(place)
        column.placed.pop(place + 1)
        spread = [math.hypot(b.x - a.x, b.y - a.y) for a, b in zip(column.placed, column.placed[1:], strict=False)]
        if max(spread, default=0.0) > 2.2 * STRIP_MM or self._rng.random() < 0.5:
            self._lay_out(seat, column)

    def add_to_paper(self, seat: int, paper: str, card: Card) -> None:
        """Lay a SEVEN card at the end of a paper."""
        column = self._columns[seat, paper]
        column.cards.append(card)
        self._lay_out(seat, column)

    def swap_cards(self, one: tuple[int, str], other: tuple[int, str]) -> None:
        """Exchange the last cards of two papers, each with its place."""
        a, b = self._columns[one], self._columns[other]
        a.cards[-1], b.cards[-1] = b.cards[-1], a.cards[-1]
        a_last, b_last = a.placed[-1], b.placed[-1]
        a.placed[-1], b.placed[-1] = replace(a_last, name=b_last.name), replace(b_last, name=a_last.name)

    def drop(self, seat: int, name: str) -> bool:
        """Let a card lie somewhere free in a seat's area, on no paper; False where nothing is free."""
        x0, y0, x1, y1 = self.layout.seat_rect(seat)
        taken = list(self._taken(seat))
        for _ in range(60):
            x, y = self._rng.uniform(x0 + 45, x1 - 45), self._rng.uniform(y0 + 55, y1 - 55)
            placed = self._sloppy(name, x, y, 180.0 if self.layout.faces_down(seat) else 0.0, 0.0, 8.0)
            on_another = any(not apart(bounds([placed]), bounds([card]), _GAP_MM) for card in self._loose)
            if not on_another and all(apart(bounds([placed]), box, 40.0) for box in taken):
                self._loose.append(placed)
                return True
        return False

    def turn_paper(self, seat: int, paper: str) -> None:
        """Turn the paper card over."""
        column = self._columns[seat, paper]
        column.complete_side = not column.complete_side
        head = column.placed[0]
        column.placed[0] = self._sloppy(column.head_name, head.x, head.y, head.angle, 0.8, 0.6)

    def remove_paper(self, seat: int, paper: str) -> None:
        """Take a paper up, card and SEVEN cards."""
        del self._columns[seat, paper]

    def move_paper(self, seat: int, paper: str, to_seat: int) -> None:
        """Lay a whole paper into another seat's area.

        Raises:
            NoRoomError: the area can't hold it.
        """
        column = self._columns.pop((seat, paper))
        self.lay_paper(to_seat, paper, column.cards, column.complete_side)

    def clear_draw(self) -> None:
        """Take up the whole draw pile."""
        self._draw.clear()

    def rearrange(self, seat: int) -> None:
        """Lay a seat's papers, and the cards within them, in another order, as people do between turns."""
        before = self.snapshot()
        own = [(key, self._columns.pop(key)) for key in list(self._columns) if key[0] == seat]
        self._rng.shuffle(own)
        for key, column in own:
            self._rng.shuffle(column.cards)
            if not self._find_place(seat, column, _GAP_MM):
                self.restore(before)
                return
            self._columns[key] = column

    def nudge(self) -> None:
        """Straighten every paper and spread it where there is room, as players do when a card can't be seen."""
        for (seat, paper), column in self._columns.items():
            others = list(self._taken(seat, but=paper))
            for spread in (2.5, 0.0):
                self._lay_out(seat, column, spread)
                own = bounds(column.placed)
                if self._lies_within(seat, own) and all(apart(own, box, 1.0) for box in others):
                    break
        if self._discard:
            top = self._discard.pop()
            self._discard.append(self._sloppy(top.name, *self.layout.discard, 0.0, 2.0, 2.0))
        for fan in self._payments.values():
            fan[:] = [self._sloppy(card.name, card.x, card.y, 0.0, 1.0, 1.5) for card in fan]

    def _sloppy(self, name: str, x: float, y: float, angle: float, mm: float, degrees: float) -> Placed:
        return tossed(self._rng, name, x, y, angle, mm, degrees)

    def _lay_out(self, seat: int, column: Column, spread: float = 0.0) -> None:
        """Place the head and, strip by strip (``spread`` mm wider than usual) toward the player, a column's cards."""
        away = 180.0 if self.layout.faces_down(seat) else 0.0
        turn = math.radians(column.angle + away)
        step = (STRIP_MM if len(column.cards) <= _LONG else STRIP_MM - 2.5) + spread
        names = [column.head_name, *map(str, column.cards)]
        column.placed = []
        for number, name in enumerate(names):
            down = 0.0 if number == 0 else TITLE_STRIP_MM + step * (number - 1)
            x, y = column.head[0] - math.sin(turn) * down, column.head[1] + math.cos(turn) * down
            column.placed.append(self._sloppy(name, x, y, column.angle + away, 1.2, 1.6))

    def _lies_within(self, seat: int, box: Box) -> bool:
        """Whether a column with these bounds stays on the mat and beside its neighbours' areas."""
        x0, _, x1, _ = self.layout.seat_rect(seat)
        w, h = self.layout.mat_mm
        return box[0] >= max(x0, 4) and box[2] <= min(x1, w - 4) and box[1] >= 4 and box[3] <= h - 4

    def _taken(self, seat: int, but: str = "") -> Iterator[Box]:
        """What a column must keep clear of: the seat's others, markers and the fans on payment spots."""
        for (owner, paper), column in self._columns.items():
            if owner == seat and paper != but:
                yield bounds(column.placed)
        w, h = self.layout.mat_mm
        side = MARKER_MM + 10.0
        for x in (0.0, w - side):
            for y in (0.0, h - side):
                yield x, y, x + side, y + side
        for other in range(1, len(self.layout.seats) + 1):
            x, y = self.layout.payment(other)
            fan = -3 * FAN_MM if x < w / 2 else 3 * FAN_MM
            half_w, half_h = CARD_MM[0] / 2 + 5.0, CARD_MM[1] / 2 + 5.0
            yield min(x, x + fan) - half_w, y - half_h, max(x, x + fan) + half_w, y + half_h

    def _find_place(self, seat: int, column: Column, gap: float, slack: float = 1.0) -> bool:
        """Find a free place, first near the middle of the table and from the left, and lay the column there.

        ``gap`` mm stay free round it; ``slack`` scales how carelessly it is laid.
        """
        x0, y0, x1, y1 = self.layout.seat_rect(seat)
        top = self.layout.faces_down(seat)
        taken = list(self._taken(seat))
        edge = CARD_MM[1] / 2
        first = 18 if len(column.cards) > _LONG else 48
        for down in range(first, round(y1 - y0 - edge), 9):
            y = y1 - down if top else y0 + down
            for x in range(round(x0 + CARD_MM[0] / 2 + 4), round(x1 - CARD_MM[0] / 2 - 4), 5 if slack < 1 else 9):
                column.head = (x + self._rng.uniform(-2, 2) * slack, y + self._rng.uniform(-2, 2) * slack)
                column.angle = self._rng.uniform(-3.0, 3.0) * slack
                self._lay_out(seat, column)
                box = bounds(column.placed)
                if self._lies_within(seat, box) and all(apart(box, other, gap) for other in taken):
                    return True
        return False

    def _tidy(self, newcomer_key: tuple[int, str], newcomer: Column) -> None:
        """Push a seat's papers together, the longest first, so that one more has room."""
        before = self.snapshot()
        seat, newcomer_kind = newcomer_key
        own = {kind: self._columns.pop((owner, kind)) for owner, kind in list(self._columns) if owner == seat}
        own[newcomer_kind] = newcomer
        for kind, column in sorted(own.items(), key=lambda item: -len(item[1].cards)):
            if not self._find_place(seat, column, 3.0, slack=0.2):
                self.restore(before)
                raise NoRoomError(seat)
            self._columns[seat, kind] = column
