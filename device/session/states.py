"""The frozen states of a session, and what happens to it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from device.hardware.buttons import Button
from referee.menu import Menu
from referee.verdict import Offer, Verdict
from rules.text import Language, Text
from ui.screen_state import Mood


@dataclass(frozen=True)
class LastLook:
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

    ``given`` is the number of the judge's answer that it is about, ``lay`` how the table lay that the page is of.
    ``naming`` says that an unread card's name is asked for because confirm was pressed, at ``naming_s`` (seconds), and
    nothing was chosen since.
    """

    given: int = 0
    chosen: int = 0
    page: int = 0
    lay: Hashable = None
    naming: bool = False
    naming_s: float | None = None


@dataclass(frozen=True)
class Looked:
    """A new still look at the table."""

    view: Any


@dataclass(frozen=True)
class Pressed:
    """A button was pressed, or ``held`` down for long.

    ``pressed_s`` is when, in seconds of any clock; without it no press counts as a second one. ``settled_s`` is when it
    is settled, by the same clock, as a confirm may have waited for a look.
    """

    button: Button
    held: bool = False
    pressed_s: float | None = None
    settled_s: float | None = None


@dataclass(frozen=True)
class ToldMove:
    """A move is entered with the buttons, as a record's line has it."""

    data: Mapping[str, Any]


@dataclass(frozen=True)
class Busy:
    """The eye is busy: ``HANDS`` are over the mat, or the picture is ``READING``; the next look ends it.

    ``why`` says that the table can't be seen at all, for want of a picture or of the mat, which is ``BLIND``; a camera
    that starts is no fault, but a ``NOTICE``.
    """

    mood: Mood
    why: Text | None = None


@dataclass(frozen=True)
class Comparing:
    """Somebody wants to see how the table differs from what was agreed, until confirm or back is pressed."""


@dataclass(frozen=True)
class Speaking:
    """Somebody wants another language."""

    language: Language


@dataclass(frozen=True)
class Paused:
    """Somebody has paused the game; any button ends it."""


Event = Looked | Pressed | ToldMove | Busy | Comparing | Speaking | Paused
"""What happens to a session."""
Over = Menu | Paused
"""What lies over the game's own screen."""
