"""The menu of a game: taking back, comparing, naming, setting the position, a pause, the language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from device.session.help_menu import TITLE as HELP
from device.session.help_menu import help_menu
from device.session.manual_label import Naming
from device.session.turns import POINTS, TITLE, Looked, plot_lines, points_menu, turns_menu
from device.speech import in_the_next
from referee.game import Named
from referee.layout import Layout
from referee.menu import Menu, Option
from referee.state import State
from rules.text import Language, Text
from ui.screen_state import ScreenState

_CHANGED_MEANWHILE = Text("The table was changed meanwhile, so nothing was set.")


class Refereed(Looked, Protocol):
    """What the menu asks of a session."""

    layout: Layout
    more: Callable[[], tuple[Option, ...]]

    @property
    def view(self) -> Any:
        """The last look."""
        ...

    def screen(self) -> ScreenState:
        """The screen of this moment."""
        ...

    def redo(self) -> None:
        """Put a turn back."""
        ...

    def show_differences(self) -> None:
        """Show how the table differs from what is agreed."""
        ...

    def name_card(self, named: Named) -> None:
        """Name a card by hand."""
        ...

    def set_position(self, agreed: State) -> None:
        """Set by hand what is agreed."""
        ...

    def pause(self) -> None:
        """Show that the game is paused."""
        ...

    def speak(self, language: Language) -> None:
        """Speak this language."""
        ...


def game_menu(session: Refereed) -> Menu:
    """What can be done now besides playing on; ``session.more`` gives the last lines."""
    options: list[Option] = []

    def add(words: Text, take: Callable[[], Menu | None]) -> None:
        options.append(Option(words, take))

    add(Text("Go on"), lambda: None)
    if session.history.past:
        add(Text("Take the last turn back"), session.undo)
    if session.history.future:
        add(Text("Put back the turn taken back"), session.redo)
    if session.history.begun:
        options.append(Option(TITLE, lambda: turns_menu(session, menu)))
    if plot_lines(session):
        options.append(Option(POINTS, lambda: points_menu(session, menu)))
    mood = session.screen().mood
    options.append(Option(HELP, lambda: help_menu(session.history, session.screens, mood, menu)))
    view = session.view
    if view is not None:
        add(Text("Compare with the record"), session.show_differences)
        if view.unread:
            add(Text("Name a card that can't be read"), lambda: _naming(session, view, menu))
        add(
            Text("Set the position from the table"),
            lambda: _setting(session, view, menu),
        )
    add(Text("Pause"), session.pause)
    language = session.screens.language
    add(in_the_next(language), lambda: session.speak(language.following))
    options += session.more()
    menu = Menu(Text("What do you want to do?"), tuple(options))
    return menu


def _naming(session: Refereed, view: Any, parent: Menu) -> Menu | None:
    return Naming(session.screens.referee, session.history.now, view, session.layout, session.name_card).menu(parent)


def _setting(session: Refereed, view: Any, parent: Menu) -> Menu:
    def put(agreed: State) -> Menu | None:
        now, layout = session.view, session.layout
        lay = session.screens.referee.fingerprint
        if now is not None and lay(now, layout) != lay(view, layout):
            start_again = Option(Text("Start again"), lambda: _setting(session, now, parent))
            return Menu(_CHANGED_MEANWHILE, (start_again,), parent=parent)
        session.set_position(agreed)
        return None

    def set_so() -> Menu:
        return session.screens.referee.editor(session.history.now, view, session.layout, put, parent)

    def named(name: Named) -> Menu:
        session.name_card(name)
        return _setting(session, session.view, parent)

    unnamed = Option(Text("Go on without naming it"), set_so)
    naming = Naming(session.screens.referee, session.history.now, view, session.layout, named, (unnamed,))
    return naming.menu(parent) or set_so()
