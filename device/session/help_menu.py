"""Help in a game, leaf by leaf: what may be done now, what the screen says, and what else players look up."""

from __future__ import annotations

from device.session.leaves import Leaves, leaves
from device.session.screens import Screens
from referee.history import History
from referee.menu import Menu
from rules.text import Text
from ui.game import help_of, hints_of
from ui.help.moods import screen_help
from ui.screen_state import Mood

TITLE = Text("Help")


def help_menu(history: History, screens: Screens, mood: Mood, parent: Menu | None) -> Leaves | None:
    """What can be looked up; ``mood`` is that of the screen from which it was asked for."""
    language, screen, position = screens.language, screens.own, history.now.position
    own = help_of(screen, position, language)
    hints = hints_of(screen, position, language) if screens.hints else ()
    here = screen_help(language, mood)
    found = (*own[:1], *hints, *((here,) if here is not None else ()), *own[1:])
    return leaves(TITLE, found, parent) if found else None
