"""A look at a game of Seven Minutes against what is agreed: the row in its order, the piles, the dice.

People lay less neatly than a drawing: the order along x is what counts, and a card that overlaps another by more than
its half width belongs to its stack.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from referee.layout import CARD_MM, TableLayout
from referee.seven_minutes.layout import DRAW, ROW
from referee.seven_minutes.state import DicePlaces, MinutesState, lie_at, locate_dice, may_show, out_of_sight
from referee.table import Die, Sighting, Unread
from referee.zones import BACK, ZoneView
from rules.cards import Card
from rules.seven_minutes.position import KING_DEMANDS, Phase, Position
from rules.seven_minutes.row import KING

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
    """Return the cards of the row by its places, from the draw pile on."""
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

    ``view`` has the unread cards of ``seen`` in it that can only be cards which lay there; what is ``unread`` in it
    still may be anything. ``heaps`` are the row's. ``missing`` are cards of the row that are not there, ``new`` cards
    in it that nobody had seen before, ``strays`` any other card that lies where it must not, with its place.
    ``in_order`` says that what is left of the row lies in its order.
    """

    state: MinutesState
    seen: MinutesView
    view: MinutesView
    layout: TableLayout
    heaps: tuple[Heap, ...]
    missing: tuple[Card, ...]
    new: tuple[Card, ...]
    strays: tuple[tuple[str, str], ...]
    in_order: bool

    @classmethod
    def from_view(cls, state: MinutesState, seen: MinutesView, layout: TableLayout) -> Look:
        """Observe a table where a game is under way."""
        position: Position = state.position
        view = _with_what_stayed(state, seen, layout)
        heaps = heaps_of(card for card in view.cards.get(ROW, ()) if card.name != BACK)
        names = {card.name for heap in heaps for card in heap}
        row = position.row.cards
        new = tuple(card for card in position.draw_pile if str(card) in names)
        return cls(
            state,
            seen,
            view,
            layout,
            heaps,
            tuple(card for card in row if str(card) not in names),
            new,
            tuple(_find_strays(state, view, {str(card) for card in (*row, *new)})),
            _in_order(position, heaps),
        )

    @property
    def still(self) -> bool:
        """Whether the flipped card that could not be read lies there unread still."""
        return any(_is_the_flip(self.state, mark) for mark in self.seen.unread)

    @property
    def whole(self) -> bool:
        """Whether the row lies as agreed, whatever was laid to it."""
        return not self.missing and self.in_order and not self.strays

    @property
    def marks(self) -> list[Unread]:
        """The unread cards that may have been flipped: those that lie in nobody's area."""
        return [mark for mark in self.view.unread if not self.layout.place_at(mark.x, mark.y).startswith("seat:")]

    @property
    def noted(self) -> MinutesState:
        """What is agreed once no move settles in this look: where dice lie, and which flipped card can't be read."""
        state, dice = replace(self.state, unread=self._unread_flip), self.view.dice
        if self._of_told_roll:
            return replace(state, dice=locate_dice(dice), thrown=(), told=None)
        if state.is_of_told(dice):
            state = replace(state, thrown=(), told=None)
        if not self._all_dice:
            return replace(state, thrown=out_of_sight(state.thrown))
        if lie_at(dice, state.dice):
            return replace(state, dice=_seen_again(state.dice, dice))
        if self.early or self.state.position.phase is Phase.JUDGEMENT or not (self.roll or self.laid):
            return replace(state, thrown=_seen_again(state.thrown, dice))
        return state

    @property
    def laid(self) -> int:
        """How many cards may have been flipped besides those agreed on, whether or not they lie there still."""
        taken = self.state.unread is not None and not (self.still or self.state.flip_told)
        return len(self.new) + len(self.marks) + taken

    @property
    def gone_on(self) -> bool:
        """Whether the players have gone on since a card was flipped that could not be read."""
        if self.still:
            return bool(self.new)
        return bool(self.missing or self.strays) or (self.touched_dice and not self.new)

    @property
    def _unread_flip(self) -> Unread | None:
        """The card that was flipped and can't be read, where it is one alone, with the names that fit its place."""
        before, position = self.state.unread, self.state.position
        if self.still or position.phase is not Phase.FLIP or self.state.taking:
            return before if self.still else None
        match self.marks:
            case [mark] if self.whole and self.layout.place_at(mark.x, mark.y) == ROW and self._comes_first(mark):
                return Unread(mark.x, mark.y, 0.0, mark.cause, tuple(self._names_of(mark)))
        return before if self.gone_on and not self.state.flip_told else None

    def _comes_first(self, mark: Unread) -> bool:
        """Tell whether all other cards that were flipped lie beyond it."""
        return all(
            seen.x > mark.x + _HALF_MM for heap in self.heaps for seen in heap if Card.parse(seen.name) in self.new
        )

    def _names_of(self, mark: Unread) -> Iterable[str]:
        """Return what an unread card may be: what it was nearly read as, then what belongs on its place."""
        near = {Card.parse(seen.name).rank for heap in self.heaps for seen in heap if abs(seen.x - mark.x) < _HALF_MM}
        lying = {card.rank for card in (*self.state.position.row.cards, *self.new)}
        left = self.unseen
        fits = [name for name, card in left.items() if (card.rank in near if near else card.rank not in lying)]
        return dict.fromkeys([*(name for name in mark.candidates if name in left), *fits])

    @property
    def unseen(self) -> dict[str, Card]:
        """The cards of the draw pile that are seen nowhere, by name."""
        seen = {card.name for cards in self.view.cards.values() for card in cards}
        return {str(card): card for card in self.state.position.draw_pile if str(card) not in seen}

    # Dice

    @property
    def touched_dice(self) -> bool:
        """Whether dice, however many, lie otherwise than those that are known to be no roll."""
        return not (lie_at(self._all_dice, self.state.dice) or self._of_told_roll)

    @property
    def _of_told_roll(self) -> bool:
        """Whether the dice of a roll that was entered are seen for the first time."""
        entered, faces = self.state.told, [die.value for die in self._all_dice if die.value is not None]
        seen = bool(self.view.dice) and not lie_at(self._all_dice, self.state.dice)
        return entered is not None and seen and may_show(faces, entered)

    @property
    def _all_dice(self) -> tuple[Die, ...]:
        return (*self.view.dice, *self.view.astray)

    @property
    def roll(self) -> tuple[int, int] | None:
        """The faces of both dice where they were thrown into the tray and lie flat: brown, black."""
        if len(self._all_dice) != TWO or self.view.astray or not self.touched_dice:
            return None
        one, other = (die.value for die in sorted(self.view.dice, key=_die_order))
        return None if one is None or other is None else (one, other)

    @property
    def cocked(self) -> bool:
        """Whether the dice were thrown and one of them does not lie flat in the tray."""
        flat = not self.view.astray and all(die.cause != "cocked" for die in self.view.dice)
        return len(self._all_dice) == TWO and self.touched_dice and not flat

    @property
    def early(self) -> bool:
        """Whether no roll can be due, even if all that may have been flipped rightly was."""
        position: Position = self.state.position
        demanded = KING_DEMANDS + 1 if any(card.rank == KING for card in self.new) else position.flips_left
        return position.phase is Phase.FLIP and demanded > self.laid

    # What was taken

    def list_faces(self, seat: int) -> set[str]:
        """Return the face-up cards in a seat's area."""
        return set(self.view.list_faces(f"seat:{seat}"))

    def count_backs(self, seat: int) -> int:
        """Count the backs that show in a seat's area."""
        return self.view.count_backs(f"seat:{seat}")


_COLOURS = ("brown", "black")


def _die_order(die: Die) -> int:
    """Sort brown before black; other pairs stay as they were seen, the darker one first."""
    return _COLOURS.index(die.colour) if die.colour in _COLOURS else len(_COLOURS)


def _in_order(position: Position, heaps: Sequence[Heap]) -> bool:
    """Tell whether the cards of each stack that show lie together, apart from others, and the stacks in their order."""
    at: list[int] = []
    for stack in position.row.stacks:
        names = {str(card) for card in stack.cards}
        places = {number for number, heap in enumerate(heaps) if names & {seen.name for seen in heap}}
        if len(places) > 1:
            return False
        at += places
    return at == sorted(set(at))


def _find_strays(state: MinutesState, view: MinutesView, row: set[str]) -> Iterable[tuple[str, str]]:
    """Return cards that lie where they must not: name and place."""
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


def _seen_again(before: DicePlaces, dice: Sequence[Die]) -> DicePlaces:
    """Return where dice lie that were seen before; some may be covered, and others show that were."""
    now = locate_dice(dice)
    return before if not dice or (lie_at(dice, before) and len(now) <= len(before)) else now


# Cards that can't be read


def _with_what_stayed(state: MinutesState, view: MinutesView, layout: TableLayout) -> MinutesView:
    """Return the observation with unread cards taken for those that lay there and are read nowhere, each for one."""
    cards, left = dict(view.cards), []
    seen = {card.name for some in view.cards.values() for card in some}
    gone = [card for card in state.position.row.cards if str(card) not in seen]
    for mark in view.unread:
        place, likely = layout.place_at(mark.x, mark.y), mark.candidates
        if state.unread is not None and state.flip_told and _is_the_flip(state, mark):
            likely = state.unread.candidates
            stands = [str(card) for card in gone if str(card) in likely]
        elif place == ROW:
            stands = [str(card) for card in gone if _lay_there(state, view, mark, card)]
        else:
            here = {one.name for one in cards.get(place, ())}
            only_back = {*mark.candidates} == {BACK}
            stands = [name for tops in _list_piles(state, place) if only_back or not here & {*tops} for name in tops]
        name = next((name for name in stands if not likely or name in likely), None)
        if name is None:
            left.append(mark)
        else:
            cards[place] = (*cards.get(place, ()), Sighting(name, mark.x, mark.y, mark.angle))
            gone = [card for card in gone if str(card) != name]
    return replace(view, cards=cards, unread=tuple(left))


def _list_piles(state: MinutesState, place: str) -> Iterable[tuple[str, ...]]:
    """Return the piles in a place, each by the cards of which one lies on top; not of who has yet to take cards."""
    position: Position = state.position
    spot, _, seat = place.partition(":")
    if spot == DRAW and position.draw_count:
        yield (BACK,)
    elif spot == "seat" and not (state.due is not None and state.due.seat == int(seat)):
        if tops := position.list_tops(int(seat)):
            yield tuple(map(str, tops))
        if position.face_down(int(seat)):
            yield (BACK,)


def _is_the_flip(state: MinutesState, mark: Unread) -> bool:
    """Tell whether an unread card is the flipped one that could not be read before."""
    before = state.unread
    return before is not None and math.dist((mark.x, mark.y), (before.x, before.y)) < _HALF_MM


def _lay_there(state: MinutesState, view: MinutesView, mark: Unread, card: Card) -> bool:
    """Tell whether an unread card lies where that card of the row must lie: on its stack, or between its neighbours."""
    position: Position = state.position
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
    # Beyond the last card that is read a flipped one may lie as well.
    known = after or position.row.length == 1 or (before and position.phase is Phase.JUDGEMENT)
    return bool(known) and all(x + _HALF_MM < mark.x for x in before) and all(mark.x < x - _HALF_MM for x in after)
