"""What really lies on the simulated table: the truth that the chain under test never sees.

Cards lie as TABLE.md has them, and as sloppily: columns head nearest the middle, 20 mm strips, thank-you cards fanned
on payment spots, an untidy discard pile. Lengths are mm in the mat's frame, angles degrees clockwise.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from referee.laminate.view.layouts import PaperLayout
from referee.layout import CARD_MM
from referee.placing import Box, Placed, find_bounds, has_gap
from referee.simulation.table import CardTable, InSlot, NoRoomError, Slot
from rules.cards import Card
from rules.laminate.moves import EndFlag, Move, Publish, Research, Review
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Position

STRIP_MM = 20.0
TITLE_STRIP_MM = 25.0
FAN_MM = 42.0
_GAP_MM = 6.0
_BACKS_SHOWN = 4
_LONG = 9
_PAPER, DRAW, _DISCARD, _PAYMENT, _LOOSE = "paper", "draw", "discard", "payment", "loose"


@dataclass(frozen=True)
class Column:
    """A paper as it lies: the paper card, and its SEVEN cards from the head on."""

    lying: tuple[InSlot, ...]

    @property
    def placed(self) -> list[Placed]:
        """Where its cards lie, the paper card first."""
        return [one.card for one in self.lying]

    @property
    def head_name(self) -> str:
        """The paper card as seen."""
        return self.lying[0].card.name

    @property
    def paper(self) -> str:
        """The paper card's kind."""
        return self.head_name.rpartition("/")[0]

    @property
    def complete_side(self) -> bool:
        """Whether its complete side is up."""
        return self.head_name.endswith("/complete")

    @cached_property
    def cards(self) -> list[Card]:
        """The SEVEN cards."""
        return [Card.parse(one.card.name) for one in self.lying[1:]]


class SimulatedTable(CardTable):
    """The cards on the mat and the few things that hands do with them; all randomness from ``rng``."""

    layout: PaperLayout

    def __iter__(self) -> Iterator[Placed]:
        """Yield every card on the mat, bottom to top."""
        return (one.card for kind in (_PAPER, DRAW, _DISCARD, _PAYMENT, _LOOSE) for one in self.list_in(kind))

    @property
    def columns(self) -> dict[tuple[int, str], Column]:
        """The papers by seat and kind; a second one of a kind has a prime behind its kind."""
        found = defaultdict[str, list[InSlot]](list)
        for one in self.list_in(_PAPER):
            found[one.slot.place].append(one)
        named = ((place.split(":", 2), cards) for place, cards in found.items())
        return {(int(seat), kind): Column(tuple(cards)) for (_, seat, kind), cards in named}

    @property
    def discards(self) -> tuple[str, ...]:
        """What lies on the discard pile, bottom to top."""
        return tuple(one.card.name for one in self.list_in(_DISCARD))

    @property
    def draw_pile(self) -> tuple[str, ...]:
        """What shows of the draw pile, bottom to top; no more than a few cards of it do."""
        return tuple(one.card.name for one in self.list_in(DRAW))

    @property
    def astray(self) -> tuple[Placed, ...]:
        """Cards that lie in no paper and on no pile, and face-up ones on payment spots."""
        paid = (one.card for one in self.list_in(_PAYMENT) if one.card.name != "back")
        return (*(one.card for one in self.list_in(_LOOSE)), *paid)

    def stack_draw(self, count: int) -> None:
        """Square up the draw pile with that many cards; a few of them peep out."""
        shown = min(count, _BACKS_SHOWN)
        self.remove(*self.list_in(DRAW)[shown:])
        for _ in range(shown - len(self.list_in(DRAW))):
            self.put("back", Slot(DRAW, *self.layout.draw, 0.0, 1.5, 1.5))

    def lay_discard(self, card: Card, face_up: bool = True) -> None:
        """Throw a card on the discard pile."""
        self.put(str(card) if face_up else "back", Slot(_DISCARD, *self.layout.discard, 0.0, 4.0, 5.0))

    def lay_on_draw(self, name: str) -> None:
        """Lay a card, ``back`` or face up, on the draw pile."""
        self.put(name, Slot(DRAW, *self.layout.draw, 0.0, 3.0, 4.0))

    def take_discard(self) -> str:
        """Take the top discard; its name is returned."""
        top = self.list_in(_DISCARD)[-1]
        self.remove(top)
        return top.card.name

    def pay(self, seat: int, count: int, name: str = "back") -> None:
        """Lay thank-you cards on a seat's payment spot, fanned away from the middle of the table."""
        x, y = self.layout.locate_payment(seat)
        step = -FAN_MM if x < self.layout.mat_mm[0] / 2 else FAN_MM
        place = f"{_PAYMENT}:{seat}"
        for _ in range(count):
            self.put(name, Slot(place, x + step * len(self.list_in(place)), y, 0.0, 3.0, 4.0))

    def unpay(self, seat: int, count: int) -> None:
        """Take thank-you cards off a payment spot, the last laid first."""
        fan = self.list_in(f"{_PAYMENT}:{seat}")
        self.remove(*fan[len(fan) - count :])

    def count_payments(self) -> dict[int, int]:
        """Count the face-down thank-you cards on each seat's spot."""
        counts = defaultdict[int, int](int)
        for one in self.list_in(_PAYMENT):
            counts[int(one.slot.place.partition(":")[2])] += one.card.name == "back"
        return {seat: counts[seat] for seat in sorted(counts) if counts[seat]}

    def act(self, position: Position, move: Move) -> None:
        """Do to the cards what the move, legal in ``position``, says.

        Raises:
            NoRoomError: the area can't hold another paper.
        """
        match move:
            case Research(source="discard"):
                self.take_discard()
            case Research(discard=discard):
                self.draw(position)
                if discard is not None:
                    self.lay_discard(discard)
            case Publish(seat=seat, paper=paper, cards=cards, pay=pay):
                self.lay_paper(seat, paper, sorted(cards, key=lambda card: (card.rank, card)), len(cards) == 1)
                for author, given in pay.items():
                    self.pay(author, given if isinstance(given, int) else len(given))
            case Review(of=author, paper=paper, take=take):
                self.take_from_paper(author, paper, take)
                if len(self.columns[author, paper].cards) == 1:
                    self.turn_paper(author, paper)
            case EndFlag(seat=seat, card=card):
                self.lay_paper(seat, END_FLAG, [card], True)
            case _:
                pass

    def draw(self, position: Position) -> None:
        """Draw from the draw pile, through a reshuffle where one is needed, and discard nothing yet."""
        left = position.draw_count - position.draw_gives
        if position.reshuffle_on_draw != "none":
            self.take(_DISCARD)
            left += len(position.discards)
        self.stack_draw(left)

    def lay_paper(self, seat: int, paper: str, cards: Sequence[Card], complete_side: bool) -> None:
        """Lay a paper in a free place of the seat's area; the seat's papers are pushed together where none is free.

        Raises:
            NoRoomError: the area can't hold it.
        """
        place = f"{_PAPER}:{seat}:{paper}"
        place += "'" if self.list_in(place) else ""
        names = [f"{paper}/{'complete' if complete_side else 'review'}", *map(str, cards)]
        if self._find_place(place, names):
            return
        before, own = self.take_snapshot(), {one: column.placed for one, column in self._papers_of(seat)}
        self.take(f"{_PAPER}:{seat}")
        papers = [(one, [card.name for card in placed]) for one, placed in own.items()]
        for one, laid in sorted((*papers, (place, names)), key=lambda paper: -len(paper[1])):
            if not self._find_place(one, laid, gap=3.0, slack=0.2):
                self.restore(before)
                raise NoRoomError(f"seat:{seat}")

    def take_from_paper(self, seat: int, paper: str, card: Card) -> None:
        """Take one SEVEN card out of a paper; the rest is pushed together, or a gap stays as people leave it."""
        column = self.columns[seat, paper]
        self.remove(column.lying[column.cards.index(card) + 1])
        left = self.columns[seat, paper].placed
        spread = [math.hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(left)]
        if max(spread, default=0.0) > 2.2 * STRIP_MM or self._rng.random() < 0.5:
            self._lay_anew(f"{_PAPER}:{seat}:{paper}")

    def add_to_paper(self, seat: int, paper: str, card: Card) -> None:
        """Lay a SEVEN card at the end of a paper."""
        self._lay_anew(f"{_PAPER}:{seat}:{paper}", str(card))

    def swap_cards(self, one: tuple[int, str], other: tuple[int, str]) -> None:
        """Exchange the last cards of two papers, each with its place."""
        a, b = self.columns[one].lying[-1], self.columns[other].lying[-1]
        self.exchange({a: [_rename_card(a, b.card.name)], b: [_rename_card(b, a.card.name)]})

    def drop(self, seat: int, name: str) -> bool:
        """Let a card lie somewhere free in a seat's area, on no paper; return ``False`` where nothing is free."""
        x0, y0, x1, y1 = self.layout.seat_rect(seat)
        taken = list(self._find_taken(seat))
        for _ in range(60):
            x, y = self._rng.uniform(x0 + 45, x1 - 45), self._rng.uniform(y0 + 55, y1 - 55)
            dropped = self._toss(name, Slot(_LOOSE, x, y, self.find_upright(seat), 0.0, 8.0))
            own = find_bounds([dropped.card])
            on_another = any(not has_gap(own, find_bounds([one.card]), _GAP_MM) for one in self.list_in(_LOOSE))
            if not on_another and all(has_gap(own, box, 40.0) for box in taken):
                self.put_back(dropped)
                return True
        return False

    def turn_paper(self, seat: int, paper: str) -> None:
        """Turn the paper card over."""
        column = self.columns[seat, paper]
        head = column.lying[0]
        name = f"{column.paper}/{'review' if column.complete_side else 'complete'}"
        lies = replace(head.slot, x=head.card.x, y=head.card.y, angle=head.card.angle, mm=0.8, degrees=0.6)
        self.exchange({head: [replace(head, card=self._toss(name, lies).card)]})

    def remove_paper(self, seat: int, paper: str) -> None:
        """Take a paper up, card and SEVEN cards."""
        self.take(f"{_PAPER}:{seat}:{paper}")

    def move_paper(self, seat: int, paper: str, to_seat: int) -> None:
        """Lay a whole paper into another seat's area.

        Raises:
            NoRoomError: the area can't hold it.
        """
        column = self.columns[seat, paper]
        self.remove_paper(seat, paper)
        self.lay_paper(to_seat, paper, column.cards, column.complete_side)

    def rearrange(self, seat: int) -> None:
        """Lay a seat's papers, and the cards within them, in another order, as people do between turns."""
        before, own = self.take_snapshot(), list(self._papers_of(seat))
        self.take(f"{_PAPER}:{seat}")
        self._rng.shuffle(own)
        for place, column in own:
            cards = column.cards
            self._rng.shuffle(cards)
            if not self._find_place(place, [column.head_name, *map(str, cards)]):
                self.restore(before)
                return

    def nudge(self) -> None:
        """Straighten every paper and spread it where there is room, as players do when a card can't be seen."""
        for seat, paper in self.columns:
            others = list(self._find_taken(seat, but=paper))
            for spread in (2.5, 0.0):
                own = find_bounds(self._lay_anew(f"{_PAPER}:{seat}:{paper}", spread=spread))
                if self._lies_within(seat, own) and all(has_gap(own, box, 1.0) for box in others):
                    break
        self.tidy(self.list_in(_DISCARD)[-1:], 2.0, 2.0)
        self.tidy(self.list_in(_PAYMENT), 1.0, 1.5)

    def _papers_of(self, seat: int) -> Iterator[tuple[str, Column]]:
        return ((f"{_PAPER}:{of}:{kind}", column) for (of, kind), column in self.columns.items() if of == seat)

    def _lay_anew(self, place: str, *more: str, spread: float = 0.0) -> list[Placed]:
        """Lay a paper's cards, and more, out anew from its head on."""
        lie = self.list_in(place)
        names = [*(one.card.name for one in lie), *more]
        laid = self._laid_out(place, names, (lie[0].slot.x, lie[0].slot.y), lie[0].slot.angle, spread)
        self.exchange({one: laid if one is lie[0] else [] for one in lie})
        return [one.card for one in laid]

    def _laid_out(
        self, place: str, names: Sequence[str], head: tuple[float, float], angle: float, spread: float = 0.0
    ) -> list[InSlot]:
        """Return the head and, strip by strip (``spread`` mm wider than usual) toward the player, a column's cards."""
        step = (STRIP_MM if len(names) <= _LONG + 1 else STRIP_MM - 2.5) + spread
        turn, laid = math.radians(angle), []
        for number, name in enumerate(names):
            down = 0.0 if number == 0 else TITLE_STRIP_MM + step * (number - 1)
            x, y = head[0] - math.sin(turn) * down, head[1] + math.cos(turn) * down
            laid.append(self._toss(name, Slot(place, x, y, angle, 1.2, 1.6)))
        return laid

    def _lies_within(self, seat: int, box: Box) -> bool:
        """Tell whether a column with these bounds stays on the mat and beside its neighbours' areas."""
        x0, _, x1, _ = self.layout.seat_rect(seat)
        w, h = self.layout.mat_mm
        return box[0] >= max(x0, 4) and box[2] <= min(x1, w - 4) and box[1] >= 4 and box[3] <= h - 4

    def _find_taken(self, seat: int, but: str = "") -> Iterator[Box]:
        """Yield what a column must keep clear of: the seat's others, markers and the fans on payment spots."""
        for place, column in self._papers_of(seat):
            if place != f"{_PAPER}:{seat}:{but}":
                yield find_bounds(column.placed)
        yield from self.list_markers()
        for other in range(1, len(self.layout.seats) + 1):
            x, y = self.layout.locate_payment(other)
            fan = -3 * FAN_MM if x < self.layout.mat_mm[0] / 2 else 3 * FAN_MM
            half_w, half_h = CARD_MM[0] / 2 + 5.0, CARD_MM[1] / 2 + 5.0
            yield min(x, x + fan) - half_w, y - half_h, max(x, x + fan) + half_w, y + half_h

    def _find_place(self, place: str, names: Sequence[str], gap: float = _GAP_MM, slack: float = 1.0) -> bool:
        """Find a free place, first near the middle of the table and from the left, and lay a paper there.

        ``gap`` mm stay free round it; ``slack`` scales how carelessly it is laid.
        """
        seat = int(place.split(":")[1])
        x0, y0, x1, y1 = self.layout.seat_rect(seat)
        taken = list(self._find_taken(seat))
        first = 18 if len(names) > _LONG + 1 else 48
        for down in range(first, round(y1 - y0 - CARD_MM[1] / 2), 9):
            y = y1 - down if self.layout.faces_down(seat) else y0 + down
            for x in range(round(x0 + CARD_MM[0] / 2 + 4), round(x1 - CARD_MM[0] / 2 - 4), 5 if slack < 1 else 9):
                head = (x + self._rng.uniform(-2, 2) * slack, y + self._rng.uniform(-2, 2) * slack)
                angle = self._rng.uniform(-3.0, 3.0) * slack + self.find_upright(seat)
                laid = self._laid_out(place, names, head, angle)
                box = find_bounds([one.card for one in laid])
                if self._lies_within(seat, box) and all(has_gap(box, other, gap) for other in taken):
                    self.put_back(*laid)
                    return True
        return False


def _rename_card(one: InSlot, name: str) -> InSlot:
    """Return another card as it lies there."""
    return replace(one, card=replace(one.card, name=name))
