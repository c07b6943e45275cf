"""Cards that the reader can't see and the players name by hand: the menus that ask for their names."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.game import Named, Referee
from referee.layout import TableLayout
from referee.menu import Menu, Option
from referee.state import AgreedState
from referee.table import CAUSES, Unread
from referee.verdict import Refused, Spot
from referee.zones import NameGroups
from rules.text import Text

_SAME_MM = 3.0
"""A card that nobody touched is found so near to where the look before found it."""
ELSEWHERE = ("card_not_in_hand", "card_not_in_deck")
"""Refusals of cards that are elsewhere, which games have in common."""


def marks_at(view: Any, spots: Sequence[Spot]) -> list[Unread]:
    """List the cards that can't be read at these spots; none where something else could not be."""
    return [mark for mark in view.unread if any(_measure_apart(mark, spot) <= _SAME_MM for spot in spots)]


def _measure_apart(mark: Unread, place: Spot) -> float:
    return math.hypot(mark.x - place.x, mark.y - place.y)


# --- the menus


def names_left(groups: NameGroups, gone: Collection[str]) -> NameGroups:
    """Drop from the groups the names that can't be."""
    return tuple((heading, tuple(pair for pair in pairs if pair[0] not in gone)) for heading, pairs in groups)


def names_menu(asked: Menu, groups: NameGroups, likely: Sequence[str], take: Callable[[str], Menu | None]) -> Menu:
    """Ask for a name: the likely ones first, then all others in their groups, then what is asked else."""
    words = dict(pair for _, pairs in groups for pair in pairs)

    def make_option(name: str) -> Option:
        return Option(words[name], lambda: take(name))

    def group(heading: Text, pairs: Sequence[tuple[str, Text]]) -> Option:
        def open_group() -> Menu:
            return replace(asked, options=tuple(make_option(name) for name, _ in pairs), parent=menu)

        return Option(heading, open_group)

    alone = [name for heading, pairs in groups if heading is None for name, _ in pairs if name not in likely]
    grouped = [group(heading, pairs) for heading, pairs in groups if heading is not None and pairs]
    menu = replace(asked, options=(*map(make_option, likely), *grouped, *map(make_option, alone), *asked.options))
    return menu


@dataclass(frozen=True)
class Naming:
    """The cards of one look that can't be read, being named; ``give`` gets an answer, and gives the menu to go on with.

    ``others`` are further lines of each menu.
    """

    referee: Referee
    state: AgreedState
    view: Any
    layout: TableLayout
    give: Callable[[Named], Menu | None]
    others: tuple[Option, ...] = ()

    def ask_card(self, parent: Menu | None = None, spots: Sequence[Spot] | None = None) -> Menu | None:
        """Ask which of the cards at these spots it is about, or of all, unless there is one; ``None`` without any."""
        near = self.view.unread if spots is None else marks_at(self.view, spots)
        marks = sorted(near, key=lambda mark: (mark.y, mark.x))
        if len(marks) < 2:
            return self._ask_which(marks[0], parent) if marks else None
        told = [self._describe_mark(mark) for mark in marks]
        options = []
        for number, (mark, words) in enumerate(zip(marks, told, strict=True)):
            if told.count(words) > 1:
                nth = told[:number].count(words) + 1
                words = Text("{words}, no. {nth}", words=words, nth=nth)

            def ask(mark: Unread = mark) -> Menu:
                return self._ask_which(mark, menu)

            options.append(Option(words, ask))
        title = Text("Which card do you want to name?")
        menu = Menu(title, (*options, *self.others), parent=parent)
        return menu

    def _place(self, mark: Unread) -> str:
        return self.referee.place_of(mark, self.view, self.layout)

    def _describe_mark(self, mark: Unread) -> Text:
        where = self.referee.place_words(self.state, self._place(mark))
        cause = CAUSES.get(mark.cause, CAUSES["doubtful"])
        return Text("{where} ({cause})", where=where, cause=cause)

    def _ask_which(self, mark: Unread, parent: Menu | None) -> Menu:
        """Offer the likely names first, then all others in their groups; none of a single card that lies elsewhere."""
        referee, place = self.referee, self._place(mark)
        where = referee.place_words(self.state, place)
        title = Text("Which card lies here: {where}?", where=where)
        spot = Spot(mark.x, mark.y, place, mark.cause)
        gone = set(filter(referee.cards.is_single, referee.locate_cards(self.view, self.layout)))
        groups = names_left(referee.name_groups(self.state), gone)
        known = [name for _, pairs in groups for name, _ in pairs]
        fitting = self._list_fitting(mark, known)

        def take_name(name: str) -> Menu | None:
            if (why := self._cant_be(mark, name, fitting)) is None:
                return self.give(Named(name, place, mark.x, mark.y))
            again = Option(Text("Choose another"), lambda: menu)
            return Menu(why, (again,), parent=menu, spot=spot)

        guessed = [name for name in mark.guesses if name in known]
        may_be = [name for name in guessed if name not in fitting and self._cant_be(mark, name, fitting) is None]
        likely = [*sorted(fitting, key=lambda name: name not in guessed), *may_be]
        menu = names_menu(Menu(title, self.others, parent=parent, spot=spot), groups, likely, take_name)
        return menu

    def _apply_name(self, mark: Unread, name: str) -> Any:
        return self.referee.with_name(self.view, mark, name, self.layout)

    def _list_fitting(self, mark: Unread, names: Collection[str]) -> list[str]:
        """List the names with which no more of the table differs from what is agreed than without any.

        There are none where most do, as then nothing is agreed of that place.
        """
        compare = self.referee.compare
        known = set(compare(self.state, self.view, self.layout).told)
        fitting = [
            name
            for name in names
            if known.issuperset(compare(self.state, self._apply_name(mark, name), self.layout).told)
        ]
        return fitting if 2 * len(fitting) < len(names) else []

    def _cant_be(self, mark: Unread, name: str, fitting: Collection[str]) -> Text | None:
        """Why the card can't be that one: it is elsewhere, or another one is known to lie there."""
        if name in fitting:
            return None
        codes = (*ELSEWHERE, "table_disturbed") if fitting else ELSEWHERE
        verdict = self.referee.judge(self.state, self._apply_name(mark, name), self.layout)
        reasons = verdict.reasons if isinstance(verdict, Refused) else ()
        return next((why.text for why in reasons if why.code in codes and name in map(str, why.cards)), None)
