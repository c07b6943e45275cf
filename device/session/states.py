"""The frozen states of a session: what it looks at, what confirm has given, and what lies over the game's screen."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from referee.menu import Menu
from referee.verdict import Offer, Verdict
from rules.text import Text
from ui.screen_state import Mood


@dataclass(frozen=True)
class Look:
    """The last still look: as it was seen, and with the cards named by hand in it; ``None`` before the first.

    ``busy`` says that the eye is (``HANDS``, ``READING``), ``blind`` why the table can't be seen at all, and ``busy``
    then in which mood that is said.
    """

    raw: Any = None
    view: Any = None
    busy: Mood | None = None
    blind: Text | None = None

    @property
    def clear(self) -> bool:
        """Whether the look shows the table as it lies now."""
        return self.view is not None and self.busy is None and self.blind is None


@dataclass(frozen=True)
class Answer:
    """What confirm gave: the verdict that is shown, the judgement that it came from, and how the table lay.

    They differ where a question was answered, or where it was asked whether confirm was pressed twice. ``offer`` are
    several turns in place of one that would explain a refusal.
    """

    shown: Verdict
    judged: Verdict
    lay: Hashable
    offer: Offer | None = None


@dataclass(frozen=True)
class Cursor:
    """Which answer is chosen, and which page is read near by; 0 is the far one.

    ``naming`` says that an unread card's name is asked for because confirm was pressed, at ``naming_s`` (seconds), and
    nothing was chosen since.
    """

    chosen: int = 0
    page: int = 0
    naming: bool = False
    naming_s: float | None = None


@dataclass(frozen=True)
class Paused:
    """Somebody has paused the game; any button ends it."""


Over = Menu | Paused
"""What lies over the game's own screen."""
