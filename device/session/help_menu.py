"""Help in a game, leaf by leaf: what may be done now, what the screen says, and what else players look up."""

from __future__ import annotations

from typing import Any, Protocol

from device.session.leaves import Leaves, leaves
from device.session.screens import Screens
from referee.history import History
from referee.menu import Menu
from rules.text import Language, Text
from ui.game import help_of, hints_of
from ui.help.moods import screen_help
from ui.registry import screen_of
from ui.screen_state import Mood

TITLE = Text("Help", "ヘルプ")


class Helped(Protocol):
    """What help asks of a session."""

    @property
    def agreed(self) -> Any:
        """What is agreed."""
        ...

    @property
    def history(self) -> History:
        """How the game came here."""
        ...

    @property
    def language(self) -> Language:
        """The language of the screens."""
        ...

    @property
    def screens(self) -> Screens:
        """What makes the screens, and how they are made."""
        ...


def help_menu(session: Helped, mood: Mood, parent: Menu | None) -> Leaves | None:
    """What can be looked up; ``mood`` is that of the screen from which it was asked for."""
    language, game = session.language, session.history.header.game
    screen, position = screen_of(game), session.agreed.position
    own = help_of(screen, position, language)
    hints = hints_of(screen, position, language) if session.screens.hints else ()
    here = screen_help(language, mood)
    found = (*own[:1], *hints, *((here,) if here is not None else ()), *own[1:])
    return leaves(TITLE, found, parent) if found else None
