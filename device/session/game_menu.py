"""The menu of a game: what may be done now, taking back, comparing, naming, the position, a pause, the language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from device.session.judge import Judge
from device.session.leaves import Leaves, make_leaves
from device.session.manual_label import Naming
from device.session.screens import Screens
from device.session.states import Comparing, Event, Paused, Speaking
from device.session.turns import POINTS, TITLE, plot_lines, points_menu, turns_menu
from device.speech import in_the_next
from referee.game import Named
from referee.menu import Menu, Option
from referee.state import AgreedState
from rules.text import Language, Text
from ui.help.moods import screen_help
from ui.screen_state import Leaf, Mood
from ui.teaching.lesson import NOW

Find = Callable[[Language], tuple[Leaf, ...]]
"""Finds leaves in a language."""
_HELP = Text("Help")
_CHANGED_MEANWHILE = Text("The table was changed meanwhile, so nothing was set.")


@dataclass(frozen=True)
class GameMenu:
    """What can be done now besides playing on.

    ``mood`` is that of the screen from which it was opened, ``on`` gets what is asked of the session, and ``more``
    gives the last lines.
    """

    judge: Judge
    screens: Screens
    mood: Mood
    on: Callable[[Event], object]
    more: Callable[[], tuple[Option, ...]]

    def make_menu(self) -> Menu:
        """Offer all lines of the menu."""
        judge, history, view, options = self.judge, self.judge.history, self.judge.view, list[Option]()

        def add(words: Text, take: Callable[[], object]) -> None:
            def take_option() -> Menu | None:
                following = take()
                return following if isinstance(following, Menu) else None

            options.append(Option(words, take_option))

        add(Text("Go on"), lambda: None)
        if self._count_leaves(self._find_now):
            add(NOW, lambda: self._offer_leaves(NOW, self._find_now, menu))
        if history.past:
            add(Text("Take the last turn back"), judge.undo)
        if history.future:
            add(Text("Put back the turn taken back"), judge.redo)
        if history.begun:
            add(TITLE, lambda: turns_menu(judge, self.screens, menu))
        if plot_lines(history, self.screens):
            add(POINTS, lambda: points_menu(history, self.screens, menu))
        if self._count_leaves(self._find_help):
            add(_HELP, lambda: self._offer_leaves(_HELP, self._find_help, menu))
        if view is not None:
            add(Text("Compare with the record"), lambda: self.on(Comparing()))
            if view.unread:
                add(
                    Text("Name a card that can't be read"),
                    lambda: self._make_naming(view, judge.name_card).ask_card(menu),
                )
            add(Text("Set the position from the table"), lambda: self._ask_setting(view, menu))
        add(Text("Pause"), lambda: self.on(Paused()))
        language = self.screens.language
        add(in_the_next(language), lambda: self.on(Speaking(language.following)))
        menu = Menu(Text("What do you want to do?"), (*options, *self.more()))
        return menu

    def _find_now(self, language: Language) -> tuple[Leaf, ...]:
        """Find what may be done now, and what might be where hints are asked for."""
        screen, position = self.screens.own, self.judge.history.now.position
        hints = screen.write_hints(position, language) if self.screens.hints else ()
        return (*screen.write_now(position, language), *hints)

    def _find_help(self, language: Language) -> tuple[Leaf, ...]:
        """Find what can be looked up: what may be done now, what the screen says, what else the game has."""
        here = screen_help(language, self.mood)
        own = self.screens.own.write_help(self.judge.history.now.position, language)
        teaching = self.screens.own.teaching
        aim = () if teaching is None else teaching.draw_aim(language)
        return (*self._find_now(language), *((here,) if here is not None else ()), *aim, *own)

    def _count_leaves(self, find: Find) -> int:
        return len(find(self.screens.language))

    def _offer_leaves(self, title: Text, find: Find, parent: Menu) -> Leaves:
        return make_leaves(title, self._count_leaves(find), cache(find), parent)

    def _make_naming(self, view: Any, give: Callable[[Named], Menu | None], others: tuple[Option, ...] = ()) -> Naming:
        return Naming(self.judge.referee, self.judge.history.now, view, self.judge.layout, give, others)

    def _ask_setting(self, view: Any, parent: Menu) -> Menu:
        judge = self.judge

        def put(agreed: AgreedState) -> Menu | None:
            now, layout, lay = judge.view, judge.layout, judge.referee.take_fingerprint
            if now is not None and lay(now, layout) != lay(view, layout):
                start_again = Option(Text("Start again"), lambda: self._ask_setting(now, parent))
                return Menu(_CHANGED_MEANWHILE, (start_again,), parent=parent)
            judge.set_position(agreed)
            return None

        def set_so() -> Menu:
            return judge.referee.open_editor(judge.history.now, view, judge.layout, put, parent)

        def name_card(name: Named) -> Menu:
            judge.name_card(name)
            return self._ask_setting(judge.view, parent)

        unnamed = Option(Text("Go on without naming it"), set_so)
        return self._make_naming(view, name_card, (unnamed,)).ask_card(parent) or set_so()
