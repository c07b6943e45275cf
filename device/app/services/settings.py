"""What is set now, and what a change of it does at once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from device.app.equipment import Equipment, StartOptions
from device.errors import DeviceError
from device.hardware.display import Turned
from device.settings.settings_file import change_setting, fault_alone, load_settings
from device.settings.values import AT_ONCE, Settings
from device.speech import Language, default_language

_LOG = logging.getLogger(__name__)


class CurrentSettings:
    """What holds until the program ends, be it from the settings, the command line or a menu.

    ``language`` is spoken outside of a game, and in the next one. ``mat_mm`` and ``marker_mm`` are the table's.
    ``hints`` is whether the help in a game gives some, ``teach`` whether a game teaches itself, ``recording`` whether
    games are recorded. ``names`` are those to choose from, ``deck`` is the usual one, empty where it is asked each
    time. ``follow`` is called with the key of what was changed, for a game that is played.
    """

    def __init__(self, state: Path, start: StartOptions, equipment: Equipment) -> None:
        self._state, self._equipment = state, equipment
        self.language, table = start.language, start.settings.table
        self.mat_mm, self.marker_mm = table.mat_mm, table.marker_mm
        self.hints, self.recording = start.settings.game.hints, start.settings.recording.on
        self.teach = start.settings.game.teach
        self.names, self.deck = start.settings.game.names, start.settings.game.deck
        self.follow: Callable[[str], None] = lambda key: None

    def get_all(self) -> Settings:
        """Return every setting as it is kept, and the table as it is."""
        kept = load_settings(self._state)
        return replace(kept, table=replace(kept.table, mat_mm=self.mat_mm, marker_mm=self.marker_mm))

    @property
    def can_shine(self) -> bool:
        """Whether the panel's light can be set."""
        return self._equipment.dimmer.can_shine

    @property
    def can_turn(self) -> bool:
        """Whether screens can be turned and coloured otherwise while they are shown."""
        return isinstance(self._equipment.display, Turned)

    def change(self, key: str, value: Any) -> None:
        """Keep a setting and do as it says.

        Raises:
            DeviceError: it can't be kept; nothing is done then.
        """
        now, display = change_setting(self._state, key, value), self._equipment.display
        if key in ("display.brightness", "display.dim_after_min"):
            self._equipment.dimmer.set(now.display.brightness, now.display.dim_after_min)
        elif isinstance(display, Turned) and key.startswith("display."):
            display.turn(now.display.rotation)
            display.set_panel(now.display.panel)
        self._hold(key, value)

    def set_asked(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Change what a phone asks for, a ``key`` and its ``value``; ``at_once`` is False where it has yet to hold.

        Raises:
            DeviceError: it can't be kept; nothing is done then.
        """
        with fault_alone():
            self.change(data["key"], data["value"])
        return {"at_once": data["key"] in AT_ONCE}

    def keep(self, key: str, value: Any) -> None:
        """Do as a setting says; where it can't be kept, it holds until the next start all the same."""
        try:
            self.change(key, value)
        except DeviceError as error:
            _LOG.error("%s", error)
            self._hold(key, value)

    def use_mat(self, mat_mm: tuple[float, float]) -> tuple[float, float]:
        """Take a measured mat, and say which one holds."""
        self.keep("table.mat_mm", mat_mm)
        return self.mat_mm

    def _hold(self, key: str, value: Any) -> None:
        match key:
            case "language":
                self.language = default_language() if value == "auto" else Language.from_code(value)
            case "game.names":
                self.names = tuple(value)
            case "game.deck":
                self.deck = value
            case "signals.sounds":
                self._equipment.signals.sounds = value
            case "game.hints":
                self.hints = value
            case "game.teach":
                self.teach = value
            case "recording.on":
                self.recording = value
            case "table.mat_mm":
                self.mat_mm = (float(value[0]), float(value[1]))
            case "table.marker_mm":
                self.marker_mm = value
        self.follow(key)
