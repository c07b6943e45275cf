"""A look at a game of Seven Minutes against what is agreed: the row in its order, the piles, the dice.

People lay less neatly than a drawing: the order along x is what counts, and a card that overlaps another by more than
its half width belongs to its stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from referee.layout import CARD_MM, Layout
from referee.seven_minutes.layout import DRAW, ROW
from referee.seven_minutes.state import MinutesState, lie_at
from referee.table import Die, Sighting, Unread
from referee.zones import BACK, ZoneView
from rules.cards import Card
from rules.seven_minutes.position import Position

_HALF_MM = CARD_MM[0] / 2
TWO = 2


@dataclass(frozen=True)
class MinutesView(ZoneView):
    """One still look: the cards by their places, and the dice: those in the tray, and those that lie elsewhere."""

    dice: tuple[Die, ...] = ()
    astray: tuple[Die, ...] = ()


Heap = tuple[Sighting, ...]
"""Cards that lie on one place of the row, the topmost in the picture first: they were laid in that order."""


def heaps_of(cards: Iterable[Sighting]) -> tuple[Heap, ...]:
    """The cards of the row by its places, from the draw pile on."""
    heaps: list[list[Sighting]] = []
    for card in sorted(cards, key=lambda card: card.x):
        if heaps and card.x - heaps[-1][0].x < _HALF_MM:
            heaps[-1].append(card)
        else:
            heaps.append([card])
    return tuple(tuple(sorted(heap, key=lambda card: card.y)) for heap in heaps)


@dataclass(frozen=True)
class Look:
    """What a look shows against a state.

    ``view`` has the unread cards in it that can only be cards which lay there; what is ``unread`` in it still may be
    anything. ``heaps`` are the row's. ``missing`` are cards of the row that are not there, ``new`` cards in it that
    nobody had seen before, ``strays`` any other card that lies where it must not, with its place. ``in_order`` says
    that what is left of the row lies in its order.
    """

    state: MinutesState
    view: MinutesView
    heaps: tuple[Heap, ...]
    missing: tuple[Card, ...]
    new: tuple[Card, ...]
    strays: tuple[tuple[str, str], ...]
    in_order: bool

    @classmethod
    def of(cls, state: MinutesState, view: MinutesView, layout: Layout) -> Look:
        """The look at a table where a game is under way."""
        position: Position = state.position
        view = _with_what_stayed(state, view, layout)
        heaps = heaps_of(seen for seen in view.cards.get(ROW, ()) if seen.name != BACK)
        names = {seen.name for heap in heaps for seen in heap}
        row = position.row.cards
        new = tuple(card for card in position.draw_pile if str(card) in names)
        return cls(
            state,
            view,
            heaps,
            tuple(card for card in row if str(card) not in names),
            new,
            tuple(_strays(state, view, {str(card) for card in (*row, *new)})),
            _in_order(position, heaps),
        )

    @property
    def whole(self) -> bool:
        """Whether the row lies as agreed, whatever was laid to it."""
        return not self.missing and self.in_order and not self.strays

    # Dice

    @property
    def moved_dice(self) -> bool:
        """Whether two dice and no other lie there, and were thrown, or touched, since dice were counted last."""
        return len(self.view.dice) == TWO and not self.view.astray and self.touched_dice

    @property
    def touched_dice(self) -> bool:
        """Whether the dice in the tray, however many, lie otherwise than when they were counted last."""
        return self.state.dice is not None and not lie_at(self.view.dice, self.state.dice)

    @property
    def roll(self) -> tuple[int, int] | None:
        """The faces of both dice where they were thrown and lie flat: brown, black."""
        first, *others = sorted(self.view.dice, key=_die_order) if self.moved_dice else (None,)
        if first is None or first.value is None or others[0].value is None:
            return None
        return first.value, others[0].value

    @property
    def cocked(self) -> bool:
        """Whether the dice were thrown and one of them does not lie flat in the tray."""
        view, agreed = self.view, self.state.dice
        if agreed is None or len(view.dice) + len(view.astray) != TWO or lie_at(view.dice, agreed):
            return False
        return bool(view.astray) or any(die.cause == "cocked" for die in view.dice)

    @property
    def refused_dice(self) -> bool:
        """Whether the dice lie as they did when they were refused."""
        return bool(self.state.refused) and lie_at(self.view.dice, self.state.refused)

    # What was taken

    def shown(self, seat: int) -> set[str]:
        """The face-up cards in a seat's area."""
        return set(self.view.faces(f"seat:{seat}"))

    def backs(self, seat: int) -> int:
        """How many backs show in a seat's area."""
        return self.view.backs(f"seat:{seat}")


_COLOURS = ("brown", "black")


def _die_order(die: Die) -> int:
    """Brown before black; other pairs stay as they were seen, the darker one first."""
    return _COLOURS.index(die.colour) if die.colour in _COLOURS else len(_COLOURS)


def _in_order(position: Position, heaps: Sequence[Heap]) -> bool:
    """Whether the cards of each stack that show lie together, apart from others, and the stacks in their order."""
    at: list[int] = []
    for stack in position.row.stacks:
        names = {str(card) for card in stack.cards}
        places = {number for number, heap in enumerate(heaps) if names & {seen.name for seen in heap}}
        if len(places) > 1:
            return False
        at += places
    return at == sorted(set(at))


def _strays(state: MinutesState, view: MinutesView, row: set[str]) -> Iterable[tuple[str, str]]:
    """Cards that lie where they must not: name and place."""
    position: Position = state.position
    due = state.due
    taken = set() if due is None else {str(card) for card in due.cards}
    for place, cards in view.cards.items():
        spot, _, seat = place.partition(":")
        for seen in cards:
            if spot == "seat":
                own = {str(card) for card in position.face_up(int(seat))}
                mover = due is not None and int(seat) == due.seat
                held = bool(position.face_down(int(seat))) or mover
                fits = held if seen.name == BACK else seen.name in own or (mover and seen.name in taken)
            elif spot == ROW:
                fits = seen.name in row or seen.name in taken
            else:
                fits = spot == DRAW and seen.name == BACK and position.draw_count > 0
            if not fits:
                yield seen.name, place


# Cards that can't be read


def _with_what_stayed(state: MinutesState, view: MinutesView, layout: Layout) -> MinutesView:
    """The look with unread cards taken for those that lay there and are read nowhere."""
    if not view.unread:
        return view
    position: Position = state.position
    seen = {card.name for cards in view.cards.values() for card in cards}
    cards = dict(view.cards)
    left: list[Unread] = []
    gone = [card for card in position.row.cards if str(card) not in seen]
    for mark in view.unread:
        place = layout.place_at(mark.x, mark.y)
        name: str | None = None
        if place == ROW:
            card = next((card for card in gone if _may_be(mark, card) and _lay_there(position, view, mark, card)), None)
            if card is not None:
                gone.remove(card)
                name = str(card)
        elif place == DRAW and position.draw_count and (not mark.candidates or BACK in mark.candidates):
            name = BACK
        elif place.startswith("seat:"):
            seat = int(place.partition(":")[2])
            taker = state.due is not None and state.due.seat == seat
            name = None if taker else _of_pile(position, seat, mark)
        if name is None:
            left.append(mark)
        else:
            cards[place] = (*cards.get(place, ()), Sighting(name, mark.x, mark.y, mark.angle))
    return replace(view, cards=cards, unread=tuple(left))


def _may_be(mark: Unread, card: Card) -> bool:
    return not mark.candidates or str(card) in mark.candidates


def _lay_there(position: Position, view: MinutesView, mark: Unread, card: Card) -> bool:
    """Whether an unread card lies where that card of the row must lie: on its stack, or between its neighbours."""
    place = position.row.place(card.rank)
    assert place is not None, "a card of the row has a place in it"
    x_of = {seen.name: seen.x for seen in view.cards.get(ROW, ())}

    def at(number: int) -> list[float]:
        return [x_of[str(one)] for one in position.row.stacks[number].cards if str(one) in x_of]

    own = at(place)
    if own:
        return min(abs(x - mark.x) for x in own) < _HALF_MM
    before = [x for number in range(place) for x in at(number)]
    after = [x for number in range(place + 1, position.row.length) for x in at(number)]
    if not after and not before:
        return position.row.length == 1
    # Beyond the last card that is read a new one may lie as well.
    between = bool(after) and mark.x < min(after) - _HALF_MM
    return between and all(x + _HALF_MM < mark.x for x in before)


def _of_pile(position: Position, seat: int, mark: Unread) -> str | None:
    """What an unread card in an area stands for: the seat's face-up pile, or its face-down one."""
    tops = [str(card) for card in position.tops(seat)]
    if tops and (not mark.candidates or set(mark.candidates) & set(tops)):
        return next((name for name in mark.candidates if name in tops), tops[0])
    if position.face_down(seat) and (not mark.candidates or BACK in mark.candidates):
        return BACK
    return None
