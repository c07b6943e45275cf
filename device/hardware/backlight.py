"""The panel's own light, where the system offers one: how bright it is, and that it is dimmed while nobody plays."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

_LOG = logging.getLogger(__name__)

FOLDER = Path("/sys/class/backlight")
_DIMMED = 0.15
"""Dimmed, the light has this share of what is set."""


class Backlight:
    """One panel's light, from 0 (nothing is seen) to 1."""

    def __init__(self, folder: Path) -> None:
        """``folder`` is the panel's in the system's list, with the files ``brightness`` and ``max_brightness``."""
        self._file = folder / "brightness"
        self._most = int((folder / "max_brightness").read_text())

    def set_brightness(self, share: float) -> None:
        """Set the light; a panel that refuses keeps the one it has, and the log says so."""
        try:
            self._file.write_text(str(max(1, round(share * self._most))))
        except OSError as error:
            _LOG.warning("the panel's light can't be set: %s", error)


def find_backlight(folder: Path = FOLDER) -> Backlight | None:
    """Find the first panel's light; ``None`` where no panel has one that may be set."""
    try:
        panels = sorted(folder.iterdir())
    except OSError:
        return None
    for panel in panels:
        if not os.access(panel / "brightness", os.W_OK):
            continue
        try:
            return Backlight(panel)
        except (OSError, ValueError):
            continue
    return None


class Dimmer:
    """Sets a panel's light, and dims it after minutes without a press or a new screen; 0 minutes: never.

    ``shine`` has the panel's own light, or what is drawn on it, so bright from then on, from 0 to 1.
    """

    def __init__(
        self,
        shine: Callable[[float], None] | None = None,
        percent: int = 100,
        after_min: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._shine, self._clock = shine, clock
        self._percent, self._after_min = percent, after_min
        self._stirred_s = clock()
        self._dimmed = False
        self._set()

    @property
    def can_shine(self) -> bool:
        """Whether there is a light to be set."""
        return self._shine is not None

    def set(self, percent: int, after_min: float) -> None:
        """From now on so bright (in percent), dimmed after so many minutes."""
        self._percent, self._after_min = percent, after_min
        self._set()

    def wake(self) -> None:
        """Somebody is there, or there is something new to see."""
        self._stirred_s = self._clock()
        if self._dimmed:
            self._dimmed = False
            self._set()

    def tick(self) -> None:
        """Dim where it is time."""
        after_s = 60 * self._after_min
        if after_s and not self._dimmed and self._clock() - self._stirred_s >= after_s:
            self._dimmed = True
            self._set()

    def _set(self) -> None:
        if self._shine is not None:
            self._shine(self._percent / 100 * (_DIMMED if self._dimmed else 1.0))
