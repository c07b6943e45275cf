"""The turns so far, to be looked through: who did what with which cards, what it brought, what was put right by hand.

From each of them the game can be taken back to before it, after a question. Beside them, the points over the turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from device.session.judge import Judge
from device.session.leaves import Leaves, make_leaves
from device.session.screens import Screens
from referee.game import Step
from referee.history import History
from referee.menu import Menu, Option
from rules.text import Text, join_row, plural, verbatim
from ui.screen_state import Leaf, Mood, PlotLine

TITLE = Text("Turns so far")
POINTS = Text("Points, turn by turn")
_TAKE_BACK = Text("Take back")
_BY_HAND = Text("The position was set by hand.")
_CAPTIONS = (Text("Before"), Text("After"))
_START = Text("Set-up")
_PLAYED_ON = Text("The game has gone on meanwhile, so nothing was taken back.")
_NO, _LOOK_AGAIN = Text("No, leave it as it is"), Text("Look again")


def turns_menu(judge: Judge, screens: Screens, parent: Menu | None) -> Menu | None:
    """List the turns so far, the last one first in sight; ``None`` before the first."""
    steps = judge.history.past
    if not steps:
        return None
    menu: Leaves

    def ask(number: int) -> Menu:
        return _ask(judge, screens, steps, number, menu, parent)

    def make_option(number: int) -> Option:
        return Option(_TAKE_BACK, lambda: ask(number))

    menu = Leaves(
        TITLE,
        tuple(map(make_option, range(len(steps)))),
        chosen=len(steps) - 1,
        parent=parent,
        draw=lambda number, language: _make_leaf(screens.speak_in(language), steps[number], number, len(steps) - 1),
    )
    return menu


def points_menu(history: History, screens: Screens, parent: Menu | None) -> Menu | None:
    """List the points over the turns; ``None`` where they are secret, or where there are no turns yet."""
    lines = plot_lines(history, screens)
    return (
        make_leaves(POINTS, 1, lambda language: (Leaf(POINTS.said(language), plot=lines),), parent) if lines else None
    )


def plot_lines(history: History, screens: Screens) -> tuple[PlotLine, ...]:
    """Everybody's points before the first turn and after each; none where they are secret, or before the first turn."""
    steps = history.past
    states = [steps[0].before, *(step.after for step in steps)] if len(steps) > 1 else []
    rows = [screens.make_base(state, Mood.WAITING).players for state in states]
    if not rows or any(line.shown for row in rows for line in row):
        return ()
    return tuple(PlotLine(line.name, tuple(row[seat].points for row in rows)) for seat, line in enumerate(rows[0]))


def _make_leaf(screens: Screens, step: Step, number: int, last: int) -> Leaf:
    title = Text("Turn {number} of {last}", number=number, last=last) if number else _START
    told = [_describe_step(screens, step)]
    if (points := _describe_points(screens, step)) is not None:
        told.append(points)
    told += _list_notes(screens, step)
    position, move = step.before.position, step.move
    tiles = () if move is None else screens.own.move_tiles(position, move, screens.language)
    before, after = screens.say(*_CAPTIONS)
    pairs = screens.pictures(step)
    return Leaf(title.said(screens.language), screens.say(*told), tiles, pairs=pairs, captions=(before, after))


def _describe_step(screens: Screens, step: Step) -> Text:
    return _BY_HAND if step.move is None else screens.referee.describe(step)[0]


def _describe_points(screens: Screens, step: Step) -> Text | None:
    """Say what a turn brought everybody; ``None`` where nothing, or where points are secret."""
    players = screens.make_base(step.after, Mood.WAITING).players
    brought = [
        (line, gain) for line, gain in zip(players, screens.count_gains(step.before, step.after), strict=True) if gain
    ]
    if not brought:
        return None
    listed = [f"{line.name} {gain:+d} ({line.points})".replace("-", "−") for line, gain in brought]
    return Text("Points: {players}.", players=join_row(map(verbatim, listed)))


def _list_notes(screens: Screens, step: Step) -> Iterator[Text]:
    """Yield what was put right by hand before a turn."""
    named = [str(note["card"]) for note in step.notes if note.get("by_hand") == "named"]
    for name in dict.fromkeys(named):
        card = screens.referee.card_words(step.before, name)
        yield Text("Named by hand before it: {card}.", card=card)
    back = sum(note.get("by_hand") == "taken_back" for note in step.notes)
    if back:
        yield plural("One turn was taken back before it.", "{count} turns were taken back before it.", count=back)


def _ask(
    judge: Judge, screens: Screens, steps: tuple[Step, ...], number: int, shown: Leaves, parent: Menu | None
) -> Menu:
    """Whether to take back a turn and all after it; nothing is done where the game has gone on since."""
    count = len(steps) - number

    def take_back() -> Menu | None:
        if judge.history.past != steps:
            again = Option(_LOOK_AGAIN, lambda: turns_menu(judge, screens, parent))
            return Menu(_PLAYED_ON, (again,), parent=parent)
        judge.undo(count)
        return None

    here = replace(shown, chosen=number)
    turn = _describe_step(screens, steps[number])
    if count == 1:
        title = Text("Take the last turn back?")
        yes = Text("Yes, take it back")
    else:
        title = Text("Take the last {count} turns back?", count=count)
        yes = Text("Yes, take {count} turns back", count=count)
    first = Text("From here on: {turn}", turn=turn)
    return Menu(title, (Option(_NO, lambda: here), Option(yes, take_back)), (first,), parent=here)
