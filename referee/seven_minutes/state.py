"""What is agreed in a game of Seven Minutes: the position, what is known of the dice, and what is still to be done."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.arrangement import CardStack, lay_pile
from referee.entry_data import read_coordinate, report_wrong
from referee.layout import TableLayout
from referee.seven_minutes.layout import DRAW, DRAW_X, MIDDLE, ROW, TRAY, row_spot
from referee.table import CAUSES, Die, Unread
from referee.zones import ZoneState
from rules.cards import DECK
from rules.seven_minutes.moves import Dice, Flip, Move, Roll, are_dice
from rules.seven_minutes.position import Phase, Position
from rules.seven_minutes.row import Take

DicePlaces = tuple[tuple[float, float, int | None], ...]
"""Dice where they lie, in mm, each with its face where that was read; ``UNSURE`` where it did not lie flat, or was not
seen since."""

UNSURE = 0

DICE, THROWN, TAKING, TOLD, UNREAD = "dice", "refused", "taking", "told", "unread"
"""What entries call the parts, as they always have."""
UNMOVED_MM = 6.0
"""A die nearer than this to where it lay is taken to lie unmoved: no look measures it worse, and of two thrown dice
hardly ever both come to rest so near."""
_UNREAD_MM = 16.0
"""So near, where its top could not be read: half hidden or leaning it seems to lie up to its own width off."""
_MOST_DICE = 12


@dataclass(frozen=True)
class MinutesState(ZoneState):
    """The position, and what lies on the table beyond it.

    ``dice`` are no roll while they lie there: they were counted or entered, lay there from the beginning, or were
    thrown when no roll was due. ``thrown`` are dice that were seen thrown after those and have counted for nothing:
    they were too early, or can't be read. ``entered`` is a roll that was entered and whose dice have yet to be seen:
    ``thrown`` has those, too, that may be its. ``taking`` says that the judgement has ended and its cards have yet to
    be seen taken. ``unread`` is a card of the row that was flipped and can't be read, with all names that fit its
    place, the likeliest first; or, once it is entered, its name.
    """

    dice: DicePlaces = ()
    thrown: DicePlaces = ()
    taking: bool = False
    entered: Dice | None = None
    unread: Unread | None = None

    @property
    def due(self) -> Take | None:
        """What the last judgement gave, while it has yet to be seen taken."""
        take: Take | None = self.position.taken
        return take if self.taking else None

    @property
    def is_flip_entered(self) -> bool:
        """Whether the flipped card that can't be read was entered, and so lies in the row."""
        names = self.unread.candidates if self.unread is not None else ()
        return any(str(card) in names for card in self.position.row.cards)

    @property
    def settled(self) -> MinutesState:
        """The state where dice thrown before now can be no roll any more."""
        return replace(self, dice=self.thrown or self.dice, thrown=())

    def apply_move(self, move: Move) -> MinutesState:
        """Return the state after a legal move that no camera has seen."""
        position: Position = self.position.do(move)
        if isinstance(move, Roll):
            faces = [face for *_, face in self.thrown if face]
            thrown = self.thrown if may_show(faces, move.dice) else ()
            unsure = not thrown or any(face == UNSURE for *_, face in thrown)
            after = replace(self.settled, position=position, taking=position.phase is not Phase.JUDGEMENT, entered=None)
            return replace(after, thrown=thrown, entered=move.dice) if unsure else after
        if isinstance(move, Flip):
            unread = self.unread and replace(self.unread, candidates=(str(move.card),))
            return replace(self.settled, position=position, unread=unread)
        return replace(self, position=position)

    def is_of_told(self, dice: Sequence[Die]) -> bool:
        """Tell whether these are the dice thrown before a roll was entered, all of them, and they show it after all."""
        faces = [die.value for die in dice if die.value is not None]
        whole = len(faces) == len(dice) == len(self.thrown) and lie_at(dice, self.thrown)
        return whole and self.entered is not None and may_show(faces, self.entered)

    def save_details(self) -> dict[str, Any]:
        """Return what lies beyond the position, as an entry keeps it."""
        mark = self.unread
        return {
            DICE: [list(die) for die in self.dice],
            THROWN: [list(die) for die in self.thrown],
            TAKING: self.taking,
            TOLD: self.entered and list(self.entered),
            UNREAD: mark and {"x": mark.x, "y": mark.y, "cause": mark.cause, "cards": list(mark.candidates)},
        }

    def to_json(self) -> dict[str, Any]:
        """Return the state as JSON-able data."""
        return {**super().to_json(), **self.save_details()}


def locate_dice(dice: Iterable[Die]) -> DicePlaces:
    """Return where dice lie, to a tenth of a mm."""
    return tuple((round(die.x, 1), round(die.y, 1), UNSURE if die.cause == "cocked" else die.value) for die in dice)


def lie_at(dice: Sequence[Die], before: DicePlaces) -> bool:
    """Tell whether these dice are those: as many as can be of them lie where those lay, each at a place of its own."""
    left = list(before)
    for die in dice:
        off = {one: math.dist(one[:2], (die.x, die.y)) for one in left}
        near = [one for one in left if off[one] <= (UNMOVED_MM if one[2] and die.value else _UNREAD_MM)]
        if near:
            left.remove(min(near, key=off.__getitem__))
    return bool(before) and len(before) - len(left) == min(len(dice), len(before))


def out_of_sight(dice: DicePlaces) -> DicePlaces:
    """Return dice that are observed no more: they may have been thrown again."""
    return tuple((x, y, UNSURE) for x, y, _ in dice)


def may_show(faces: Iterable[int], dice: Dice) -> bool:
    """Tell whether dice with these faces on top may be those of a roll."""
    return not Counter(faces) - Counter(dice)


def state_in(position: Position, data: Mapping[str, Any]) -> MinutesState:
    """Read the state from what lies beyond its position in an entry or a saved state; older ones hold less of it.

    Raises:
        EntryError: that is not what it should be.
    """
    dice, entered, taking = data.get(DICE), data.get(TOLD), data.get(TAKING)
    if not isinstance(taking, bool):
        raise report_wrong(TAKING)
    if dice is None:
        # An older version said so of a roll that was entered: the last one.
        take = position.taken
        dice, entered = [], position.rolls[-1] if position.rolls else take and take.dice
    if entered is not None and not are_dice(entered):
        raise report_wrong(TOLD)
    return MinutesState(
        position,
        _read_dice(dice, DICE),
        _read_dice(data.get(THROWN), THROWN),
        taking and position.taken is not None,
        None if entered is None else (entered[0], entered[1]),
        _mark(data.get(UNREAD)),
    )


def _read_dice(data: object, key: str) -> DicePlaces:
    if not isinstance(data, list) or len(data) > _MOST_DICE:
        raise report_wrong(key)
    return tuple(_read_die(die, key) for die in data)


def _read_die(data: object, key: str) -> tuple[float, float, int | None]:
    if not isinstance(data, list) or len(data) not in (2, 3):
        raise report_wrong(key)
    x, y, face = [*data, None][:3]
    if face not in (None, UNSURE) and not are_dice([face, face]):
        raise report_wrong(key)
    return read_coordinate(x, key), read_coordinate(y, key), face


def _mark(data: object) -> Unread | None:
    if data is None:
        return None
    cards = data.get("cards") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(cards, list) or not {*map(str, DECK)}.issuperset(map(str, cards)):
        raise report_wrong(UNREAD)
    cause = data.get("cause")
    if not isinstance(cause, str) or cause not in CAUSES or len(cards) > len(DECK):
        raise report_wrong(UNREAD)
    return Unread(read_coordinate(data.get("x"), "x"), read_coordinate(data.get("y"), "y"), 0.0, cause, tuple(cards))


_ASIDE_MM = 55.0


def arrange_table(state: MinutesState, layout: TableLayout) -> Iterator[CardStack]:
    """Arrange the draw pile, the row's stacks, the cards taken face up and face down, and the dice in the tray.

    Of what a player has taken face up those are drawn of which one lies on top.
    """
    position, (w, h) = state.position, layout.mat_mm
    yield lay_pile(DRAW, (DRAW_X * w, MIDDLE * h), position.draw_count)
    for place, stack in enumerate(position.row.stacks):
        at, below = row_spot(place, 0, layout.mat_mm), row_spot(place, 1, layout.mat_mm)
        yield CardStack(ROW, *at, tuple(map(str, stack.cards)), (0.0, below[1] - at[1]))
    for seat in range(1, len(position.players) + 1):
        x0, y0, x1, y1 = layout.seat_rect(seat)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        up, down, tops = position.face_up(seat), position.face_down(seat), tuple(map(str, position.list_tops(seat)))
        yield CardStack(f"seat:{seat}", x + _ASIDE_MM, y, tops, (2.0, 0.0), len(up))
        yield lay_pile(f"seat:{seat}", (x - _ASIDE_MM, y), len(down))
    for x, y, value in state.dice:
        yield CardStack(TRAY, x, y, (f"die:{value or '?'}",))
