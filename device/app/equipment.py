"""What the program works with, and what is asked of it at the start."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from device.app.plan import Plan
from device.app.signals import Signals
from device.hardware.backlight import Dimmer
from device.hardware.buttons import Buttons
from device.hardware.camera import Picture
from device.hardware.display import Display
from device.hardware.steady import SteadyCamera
from device.outward import Director, PhonePage
from device.settings.values import Settings
from device.speech import Language
from device.storage.opening import Opening
from device.storage.recorder import Records
from rules.text import Text
from vision.stillness import STILL_S

if TYPE_CHECKING:
    from device.capture.table_reader import CardsSeen
    from device.enrol.learning import PageLearner
    from device.scoring.looking import Look as ScoringLook
    from device.scoring.table import Table

Look = Callable[[Picture], Any]
"""A still picture to the game's own view of what lies where; raises ``VisionError`` where the picture can't be read."""
OpenLook = Callable[[Opening], Look]
"""Gets the reader for one game; raises ``DeviceError`` or ``VisionError`` where deck or models can't be had."""

OpenCards = Callable[[str, tuple[float, float], float], Callable[[Picture], "CardsSeen"]]
"""Gets what reads single cards of the deck of that name, on a mat of that size with such markers (mm)."""

OpenLearner = Callable[[str, tuple[float, float], tuple[str, ...]], "PageLearner"]
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
    still_s: float = STILL_S


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
    open_learner: OpenLearner
    power_off: Callable[[], None]
    dimmer: Dimmer = field(default_factory=Dimmer)
    open_cards: OpenCards | None = None
    open_scorer: OpenScorer | None = None
    """Without it finished tables can't be scored."""
    page: PhonePage | None = None
    """The page on phones, open or not; without it there is none."""
    hall: Director | None = None
    """The hall that the table is in, if it is in one."""
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True)
class StartOptions:
    """What was asked for at the start, and the settings that hold then.

    With ``plan`` a game begins at once, with ``game`` that of the journal goes on, with ``enrol`` a deck of that name
    is learnt first, and nothing else where there is no ``plan``. ``trouble`` is to be said first.
    """

    language: Language
    settings: Settings = field(default_factory=Settings)
    plan: Plan | None = None
    game: int | None = None
    enrol: str | None = None
    enrol_pages: tuple[str, ...] = ()
    trouble: Text | None = None
    pace: Pace = field(default_factory=Pace)
