"""Cards that the reader can't see and the players name by hand.

A named card counts as seen where it lies until it moves: as long as something unreadable lies within ``NEAR_MM`` of
it, or the reader itself sees that card at the same place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from referee.game import Named, Referee
from referee.layout import Layout
from referee.menu import Menu, Option
from referee.table import CAUSES, Unread
from rules.text import Text

NEAR_MM = 30.0
"""People nudge cards without moving them."""


def with_names(referee: Referee, view: Any, named: Iterable[Named], layout: Layout) -> tuple[Any, tuple[Named, ...]]:
    """The view with the cards named by hand in it, and those names that no longer hold because the card has moved."""
    moved = []
    for name in named:
        mark = _mark_at(name, view)
        seen_at = referee.places(view, layout).get(name.name)
        if mark is not None and seen_at is None:
            view = referee.with_name(view, mark, name.name, layout)
        elif seen_at != name.place:
            moved.append(name)
    return view, tuple(moved)


def _mark_at(name: Named, view: Any) -> Unread | None:
    near: list[Unread] = [mark for mark in view.unread if math.hypot(mark.x - name.x, mark.y - name.y) <= NEAR_MM]
    return min(near, key=lambda mark: math.hypot(mark.x - name.x, mark.y - name.y), default=None)


# --- the menus


def naming_menu(
    referee: Referee,
    state: Any,
    view: Any,
    layout: Layout,
    give: Callable[[Named], None],
    parent: Menu | None = None,
) -> Menu:
    """Ask which unread card it is about, then which card it is; ``give`` gets the answer."""
    marks = sorted(view.unread, key=lambda mark: (mark.y, mark.x))
    title = Text("Which card do you want to name?", "どのカードを教えますか？")
    if not marks:
        none = Text("Every card on the table can be read.", "テーブルのカードはすべて読めています。")
        return Menu(none, (Option(Text("Back", "戻る"), lambda: parent),), parent=parent)
    places = [referee.place_of(mark, view, layout) for mark in marks]
    told = [_mark_words(referee.place_words(state, place), mark) for mark, place in zip(marks, places, strict=True)]
    options = []
    for number, (mark, place, words) in enumerate(zip(marks, places, told, strict=True)):
        if told.count(words) > 1:
            nth = told[:number].count(words) + 1
            words = Text(f"{words.en}, no. {nth}", f"{words.ja}の{nth}枚目")

        def ask(mark: Unread = mark, place: str = place) -> Menu:
            def called(name: str) -> None:
                give(Named(name, place, mark.x, mark.y))

            where = referee.place_words(state, place)
            asked = Text(f"Which card lies here: {where.en}?", f"{where.ja}のカードはどれですか？")
            return _card_menu(referee, state, asked, mark, referee.places(view, layout), called, menu)

        options.append(Option(words, ask))
    menu = Menu(title, tuple(options), parent=parent)
    return menu


def _mark_words(where: Text, mark: Unread) -> Text:
    cause = CAUSES.get(mark.cause, CAUSES["doubtful"])
    return Text(f"{where.en} ({cause.en})", f"{where.ja}（{cause.ja}）")


def _card_menu(
    referee: Referee,
    state: Any,
    title: Text,
    mark: Unread,
    elsewhere: Iterable[str],
    called: Callable[[str], None],
    parent: Menu,
) -> Menu:
    """The likely names first, then all others in their groups; none of a single card that lies elsewhere."""
    groups = referee.name_groups(state)
    words = dict(pair for _, names in groups for pair in names)

    def option(name: str) -> Option:
        return Option(words[name], lambda: called(name))

    gone = {name for name in elsewhere if referee.cards.single(name)}
    likely = [name for name in mark.candidates if name in words and name not in gone]
    options = [option(name) for name in likely]

    def group(title_of: Text, names: Sequence[str]) -> Option:
        def opened() -> Menu:
            return Menu(title, tuple(option(name) for name in names), parent=menu)

        return Option(title_of, opened)

    for heading, pairs in groups:
        names = [name for name, _ in pairs if name not in gone]
        if heading is None:
            options += [option(name) for name in names if name not in likely]
        elif names:
            options.append(group(heading, names))
    menu = Menu(title, tuple(options), parent=parent)
    return menu
