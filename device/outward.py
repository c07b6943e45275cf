"""What the appliance asks of those who show it elsewhere: the page on phones, and the director of a hall.

Both are made by whoever starts the program and come with its equipment; without them there is a table all the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from referee.history import History
from referee.menu import Menu, Option
from referee.state import AgreedState
from rules.text import Text
from ui.screen_state import ScreenState

MOST_WHY = 200
"""Letters of why somebody is called."""

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Answers something that a phone asks; raises ``DeviceError`` with what to tell it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Something that a phone asks of the table: what, and with what; ``reply`` is called once with what came of it.

    ``until`` is when the phone is told that the table did not hear it, by the machine's clock.
    """

    what: str
    data: Mapping[str, Any]
    reply: Callable[[Mapping[str, Any]], None]
    until: float = math.inf


class PhonePage(Protocol):
    """The page on phones, open or not; none of this waits for it but ``wait``."""

    def show(self, now: Mapping[str, Any]) -> None:
        """Tell the page what the table shows now, as ``device.public_state`` makes it."""

    def take_asks(self) -> Sequence[Ask]:
        """Take the next things that phones have asked for, a few at a time."""

    def make_answers(self, services: Any) -> dict[str, Answer]:
        """Return what is answered besides presses, by what a phone asks for."""

    def open_menu(self, settings: Any, navigator: Any, parent: Menu | None) -> Menu:
        """Open the menu that lets phones in."""

    def close(self) -> None:
        """Turn the page off; closing twice does no harm."""

    def wait(self) -> None:
        """Wait until a page that was turned off no longer listens, some seconds at most."""


class Director(Protocol):
    """The director of the hall that the table is in, if it is in one; none of this waits for the hall."""

    @property
    def joined(self) -> bool:
        """Whether the table is in a hall now; where it is in none, nobody can be called."""

    def make_option(self, services: Any, back: Callable[[], Menu]) -> Option | None:
        """Make the menu's line by which a hall is joined or left; none where the command line says which one."""

    def make_answers(self, services: Any) -> dict[str, Answer]:
        """Return what is answered besides a call, by what a phone asks for."""

    @property
    def called(self) -> bool:
        """Whether the director has been called, and nobody comes yet."""

    @property
    def coming(self) -> bool:
        """Whether somebody in the hall has said of late that they come."""

    def show(self, screen: ScreenState, history: History | None, drawn: AgreedState | None) -> None:
        """Tell the hall what the table shows, with the state as in ``device.public_state``."""

    def call(self, why: str | Text) -> None:
        """Call the director; a text is said in the language of what the table shows."""

    def take_back(self) -> None:
        """Say that the director is no longer needed."""

    def find_trouble(self) -> Text | None:
        """Return what keeps the table from being in touch with the hall."""

    def close(self) -> None:
        """Tell the hall what is left to tell; closing twice does no harm."""
