"""Seven Minutes, taught: flipping on or stopping, the K and the 7s, what a roll strikes."""

from __future__ import annotations

from collections.abc import Iterator

from rules.seven_minutes.brief import BRIEF
from rules.seven_minutes.moves import Flip, Move, Roll
from rules.seven_minutes.position import Phase, Position
from rules.seven_minutes.row import ACE, KING, SEVEN, Row
from rules.text import Text, join_numbers, plural, say_number
from ui.screen_state import TileRole
from ui.teaching.lesson import Cards, Lesson, Picture, Possible, Teaching

AIM, SETUP, FLIPPING, JUDGEMENT, END = BRIEF
_TO_ROW, _ONE_AT_LEAST, _AT_SEVEN, _AT_KING = FLIPPING.lines
_ROLLS, _HIT, _STAYS, _CLEAR = JUDGEMENT.lines
_LAST, _SCORE = END.lines

_AIM = (
    Picture(
        Text("Flip cards, or stop"),
        (*AIM.lines, _ONE_AT_LEAST),
        (Cards(Text("draw pile"), ("back",)), Cards(Text("row"), ("S9", "H3", "C10"))),
    ),
    Picture(
        Text("Roll once for each place"),
        (_HIT,),
        (Cards(Text("a roll of 3 takes"), ("S9", "H3"), TileRole.TAKEN), Cards(Text("stays"), ("C10",))),
    ),
    Picture(
        Text("Cards face up are points"),
        (_CLEAR, _SCORE),
        (
            Cards(Text("3 + 1 + 1 points"), ("B7", "H3", "C10"), TileRole.TAKEN),
            Cards(Text("−1 point"), ("back",)),
        ),
    ),
)

_LESSONS = (
    Lesson("flip", (_TO_ROW, _ONE_AT_LEAST), ("must_flip", "card_not_in_deck", "wrong_place")),
    Lesson("seven", (_AT_SEVEN,)),
    Lesson("king", (_AT_KING,), ("must_flip_more",)),
    Lesson("rolls", (_ROLLS,), ("judgement_due", "roll_not_due", "too_many_rolls", "rolls_missing")),
    Lesson("strike", (_HIT,), ("wrong_take",)),
    Lesson("stays", (_STAYS,)),
    Lesson("clear", (_CLEAR,)),
    Lesson("score", (_SCORE,), ("wrong_side",)),
    Lesson("last", (_LAST,)),
)


def _list_possible(position: Position) -> Iterator[Possible]:
    """List what may be done, by the rules and the row that lies open."""
    if position.phase is Phase.SETUP:
        yield Possible("setup", SETUP.lines[0])
    elif position.phase is Phase.FLIP:
        yield from _list_flips(position)
    elif position.phase is Phase.JUDGEMENT:
        left = plural(
            "Roll both dice: {count} roll is left.",
            "Roll both dice: {count} rolls are left.",
            count=position.rolls_left,
        )
        yield Possible("roll", left, _show_row(position.row))
        yield Possible("roll", _say_hits(position.row))


def _list_flips(position: Position) -> Iterator[Possible]:
    shown = _show_row(position.row)
    if position.king_left:
        left = say_number(position.king_left)
        yield Possible("flip", Text("Flip: the K demands {left} more.", left=left), shown)
    elif position.may_stop:
        yield Possible("flip", Text("Flip another card."), shown)
        rolls = position.row.rolls
        yield Possible(
            "stop",
            plural(
                "Or stop: press confirm, or roll; {count} roll is due.",
                "Or stop: press confirm, or roll; {count} rolls are due.",
                count=rolls,
            ),
        )
        yield Possible("stop", _say_hits(position.row))
    else:
        yield Possible("flip", Text("Flip the top card of the draw pile."), shown)


def _say_hits(row: Row) -> Text:
    """Say which sums of two dice strike something."""
    sums = sorted(stack.rank for stack in row.stacks if ACE < stack.rank < KING)
    if not sums:
        return Text("No roll can hit: no sum of two dice lies in the row.")
    return plural("A roll of {sums} hits.", "Rolls of {sums} hit.", count=len(sums), sums=join_numbers(sums))


def _show_row(row: Row) -> tuple[Cards, ...]:
    cards = tuple(str(stack.top) for stack in row.stacks)
    return (Cards(Text("row"), cards),) if cards else ()


def _list_events(move: Move, before: Position, after: Position) -> Iterator[str]:
    match move:
        case Flip(_, card):
            yield "flip"
            yield from {SEVEN: ("seven",), KING: ("king",)}.get(card.rank, ())
        case Roll():
            if after.taken is not None:
                yield "clear" if after.taken.face_up else "stays"
                yield "score"
    if after.phase is Phase.JUDGEMENT and before.phase is not Phase.JUDGEMENT:
        yield "rolls"
        yield "strike"
    if after.last_turn and not before.last_turn:
        yield "last"


TEACHING = Teaching(BRIEF, _AIM, _LESSONS, _list_possible, _list_events)
