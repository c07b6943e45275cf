"""What is asked about a finished table by the buttons: cards that can't be read, and what can't be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from device.scoring.looking import ByHand
from referee.finished.score import Fault, NameGroups
from referee.menu import Menu, Option
from referee.table import Unread
from rules.text import Text

_NONE = Text("No card lies there", "そこにカードはない")
_LOOK = Text("We put it right on the table", "テーブルを直す")
_STANDS = Text("It is right as it lies: count it so", "このままで正しい（このまま数える）")
_MENDING = Text(
    "Put it right and take your hands away; the table is looked at again by itself.",
    "直したら手を離してください。自動的に見直します。",
)


def naming_menu(
    mark: Unread, words: Text, names: NameGroups, gone: Collection[str], give: Callable[[ByHand], None]
) -> Menu:
    """Ask which card an unread one is: the likely ones first, none that lies elsewhere (``gone``)."""
    known = dict(pair for _, pairs in names for pair in pairs)

    def option(name: str | None, said: Text) -> Option:
        return Option(said, lambda: give(ByHand(name, mark.x, mark.y)))

    likely = [name for name in mark.candidates if name in known and name not in gone]
    options = [option(name, known[name]) for name in likely]

    def group(title: Text, pairs: Sequence[tuple[str, Text]]) -> Option:
        return Option(title, lambda: Menu(title, tuple(option(*pair) for pair in pairs), parent=menu))

    alone = []
    for heading, pairs in names:
        left = [(name, said) for name, said in pairs if name not in gone]
        if heading is None:
            alone += [option(name, said) for name, said in left if name not in likely]
        elif left:
            options.append(group(heading, left))
    menu = Menu(words, (*options, *alone, option(None, _NONE)))
    return menu


def fault_menu(fault: Fault, left: int, stands: Callable[[Fault], None]) -> Menu:
    """Ask what is to become of what can't be: put right on the table, or let stand; ``left`` counts what is open."""
    details = (Text(f"1 of {left} things to settle.", f"確認することが{left}つあります。"),) if left > 1 else ()

    def mend() -> Menu:
        return Menu(fault.reason.text, (Option(_STANDS, lambda: stands(fault)),), (_MENDING,), parent=menu)

    menu = Menu(fault.reason.text, (Option(_LOOK, mend), Option(_STANDS, lambda: stands(fault))), details)
    return menu
