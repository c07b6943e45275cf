"""What the program works with, and what is asked of it at the start."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from device.app.signals import Signals
from device.app.start import Plan
from device.hardware.backlight import Dimmer
from device.hardware.buttons import Buttons
from device.hardware.camera import Picture
from device.hardware.display import Display
from device.hardware.steady import SteadyCamera
from device.speech import Language
from device.storage.opening import Opening
from device.storage.recorder import Records
from referee.layout import MARKER_MM, REFERENCE_MAT_MM
from rules.text import Text

if TYPE_CHECKING:
    from device.capture.table_reader import CardsSeen
    from device.enrol.learning import Pupil
    from device.scoring.looking import Look as ScoringLook
    from device.scoring.table import Table

Look = Callable[[Picture], Any]
"""A still picture to the game's own view of what lies where; raises ``VisionError`` where the picture can't be read."""
OpenLook = Callable[[Opening], Look]
"""Gets the reader for one game; raises ``DeviceError`` or ``VisionError`` where deck or models can't be had."""

OpenCards = Callable[[str, tuple[float, float], float], Callable[[Picture], "CardsSeen"]]
"""Gets what reads single cards of the deck of that name, on a mat of that size with such markers (mm)."""

OpenPupil = Callable[[str, tuple[float, float], tuple[str, ...]], "Pupil"]
"""Gets what learns a deck of that name on a mat of that size (mm) from such pages.

Raises ``DeviceError`` where models can't be had.
"""

OpenScorer = Callable[["Table", str, tuple[float, float], float], "ScoringLook"]
"""Gets what looks at a finished table, with the deck of that name, on a mat and markers of that size (mm);
raises ``DeviceError`` or ``VisionError`` where deck or models can't be had."""


@dataclass(frozen=True)
class Pace:
    """How often things are looked at, in times a second, and how long the table must lie still, in seconds."""

    rounds: float = 30.0
    looks: float = 8.0
    still_s: float = 1.0


@dataclass(frozen=True)
class Equipment:
    """What the program works with: the devices, and how a game's still pictures are read.

    ``clock`` is what stillness and the time between presses are measured by, in seconds.
    """

    open_camera: Callable[[], SteadyCamera]
    buttons: Buttons
    display: Display
    signals: Signals
    recorder: Records
    open_look: OpenLook
    open_pupil: OpenPupil
    power_off: Callable[[], None]
    dimmer: Dimmer = field(default_factory=Dimmer)
    open_cards: OpenCards | None = None
    open_scorer: OpenScorer | None = None
    """Without it finished tables can't be scored."""
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True)
class Wishes:
    """What was asked for at the start: the mat and markers (mm), names to choose from.

    With ``plan`` a game begins at once, with ``game`` that of the journal goes on, with ``enrol`` a deck of that name
    is learnt first, and nothing else where there is no ``plan``. ``trouble`` is to be said first;
    ``record`` has games recorded from their beginning; ``power_off`` lets the menu switch the machine off;
    with ``hints`` the help in a game gives some.
    """

    language: Language
    mat_mm: tuple[float, float] = REFERENCE_MAT_MM
    marker_mm: float = MARKER_MM
    names: tuple[str, ...] = ()
    deck: str = ""
    plan: Plan | None = None
    game: int | None = None
    enrol: str | None = None
    enrol_pages: tuple[str, ...] = ()
    trouble: Text | None = None
    record: bool = False
    hints: bool = False
    power_off: bool = True
    pace: Pace = field(default_factory=Pace)
