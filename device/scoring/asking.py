"""What is asked about a finished table by the buttons: what no camera sees, cards that can't be read, what can't be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from device.scoring.looking import ByHand
from device.session.manual_label import names_left, names_menu
from referee.finished.score import Fault
from referee.menu import Menu, Option
from referee.table import Unread
from referee.zones import NameGroups
from rules.game import GameOption
from rules.text import Text

_NONE = Text("No card lies there")
_LOOK = Text("We put it right on the table")
_STANDS = Text("It is right as it lies: count it so")
_AGAIN = Text("Tell it again")
_MENDING = Text("Put it right and take your hands away; the table is looked at again by itself.")
_MORE_THERE = Text("Does another card lie there too?")
_NO_MORE = Text("No, that is all")
_ONE_MORE = Text("Yes, one more")
_TEN, _MANY = 10, 20
"""A list of more answers is asked in tens."""

Then = Callable[[Any], Menu | None]
"""Gets an answer, and gives the menu to show next."""


def asked_menu(
    option: GameOption, players: Sequence[str], called: Sequence[Text], then: Then, parent: Menu | None
) -> Menu:
    """Ask what no camera sees, seat by seat and part by part where it has such; ``then`` gets the whole value.

    ``players`` are the names that the option's values are for, ``called`` how each player is called.
    """
    return _Asking(option, players, called, then).ask_value((), parent)


@dataclass(frozen=True)
class _Asking:
    """One option being asked."""

    option: GameOption
    players: Sequence[str]
    called: Sequence[Text]
    then: Then

    def ask_value(self, given: tuple[Any, ...], parent: Menu | None) -> Menu:
        """Ask for the value, or for that of the seat after those ``given``."""
        option = self.option

        def answered(value: Any) -> Menu | None:
            every = (*given, value)
            if option.each_seat and len(every) < len(self.called):
                return self.ask_value(every, self.ask_value(given, parent))
            return self.then(list(every) if option.each_seat else value)

        if option.parts:
            return self._ask_part(len(given), (), answered, parent)
        values = option.values(self.players)
        if option.taken is not None:
            taken = option.taken
            values = [pair for pair in values if not taken(pair[0], given)]
        return _make_choice(self._add_player(option.title, len(given)), values, answered, parent)

    def _ask_part(self, seat: int, given: tuple[Any, ...], whole: Then, parent: Menu | None) -> Menu:
        """Ask for the part after those ``given`` of a value; ``whole`` gets all of them."""
        parts = self.option.parts
        part = parts[len(given)]

        def answered(value: Any) -> Menu | None:
            every = (*given, value)
            if len(every) < len(parts):
                return self._ask_part(seat, every, whole, self._ask_part(seat, given, whole, parent))
            return whole(list(every))

        return _make_choice(self._add_player(part.title, seat), part.values, answered, parent)

    def _add_player(self, title: Text, seat: int) -> Text:
        """Add the player's name to the title where each is asked."""
        if not self.option.each_seat:
            return title
        who = self.called[seat]
        return Text("{who}: {title}", who=who, title=title)


def _make_choice(title: Text, values: Sequence[tuple[Any, Text]], take: Then, parent: Menu | None) -> Menu:
    """Make a menu of values; a long one is asked in tens."""
    if len(values) <= _MANY:
        options = tuple(Option(words, partial(take, value)) for value, words in values)
        return Menu(title, options, parent=parent)
    tens = [values[first : first + _TEN] for first in range(0, len(values), _TEN)]
    menu = Menu(title, (), parent=parent)

    def choose_within(number: int) -> Menu:
        options = tuple(Option(words, partial(take, value)) for value, words in tens[number])
        return Menu(title, options, parent=replace(menu, options=lines, chosen=number))

    lines = tuple(Option(_from_to(some), partial(choose_within, number)) for number, some in enumerate(tens))
    return replace(menu, options=lines)


def _from_to(some: Sequence[tuple[Any, Text]]) -> Text:
    (_, first), (_, last) = some[0], some[-1]
    return first if first == last else Text("{first} to {last} …", first=first, last=last)


def naming_menu(
    mark: Unread,
    words: Text,
    names: NameGroups,
    gone: Collection[str],
    give: Callable[[ByHand], None],
    several: bool = False,
) -> Menu:
    """Ask which card an unread one is: the likely ones first, none that lies elsewhere (``gone``).

    Where ``several`` may lie there, that is asked after each.
    """
    return _Naming(mark, words, names, gone, give, several).ask_which(())


@dataclass(frozen=True)
class _Naming:
    """One unread card, or several in one place, being named."""

    mark: Unread
    words: Text
    names: NameGroups
    gone: Collection[str]
    give: Callable[[ByHand], None]
    several: bool

    def ask_which(self, before: tuple[str, ...]) -> Menu:
        """Ask for a card beside those named ``before``."""
        groups = names_left(self.names, {*self.gone, *before})
        known = [name for _, pairs in groups for name, _ in pairs]
        none = Option(_NONE, lambda: self.give(ByHand(None, self.mark.x, self.mark.y)))
        asked = Menu(self.words, () if before else (none,), parent=self._is_all(before) if before else None)
        likely = [name for name in self.mark.guesses if name in known]
        return names_menu(asked, groups, likely, lambda name: self._take_names((*before, name)))

    def _take_names(self, named: tuple[str, ...]) -> Menu | None:
        if self.several:
            return self._is_all(named)
        self._give(named)
        return None

    def _is_all(self, named: tuple[str, ...]) -> Menu:
        lines = (
            Option(_NO_MORE, partial(self._give, named)),
            Option(_ONE_MORE, partial(self.ask_which, named)),
        )
        return Menu(_MORE_THERE, lines, parent=self.ask_which(named[:-1]))

    def _give(self, named: tuple[str, ...]) -> None:
        self.give(ByHand(named[0], self.mark.x, self.mark.y, named[1:]))


def fault_menu(
    fault: Fault, left: int, stands: Callable[[Fault], None], again: Callable[[Menu], Menu] | None = None
) -> Menu:
    """Ask what is to become of what can't be: put right on the table, or let stand; ``left`` counts what is open.

    Where something told may be wrong, ``again`` asks it once more; it gets the menu that back leads to.
    """
    details = (Text("1 of {left} things to settle.", left=left),) if left > 1 else ()

    def ask_correction() -> Menu:
        return Menu(fault.reason.text, (Option(_STANDS, lambda: stands(fault)),), (_MENDING,), parent=menu)

    lines = [Option(_LOOK, ask_correction), Option(_STANDS, lambda: stands(fault))]
    if again is not None:
        lines.insert(0, Option(_AGAIN, lambda: again(menu)))
    menu = Menu(fault.reason.text, tuple(lines), details)
    return menu
