"""``sevenmat relay``: sends what the table does to its hall, as a service beside that of the table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

from device.errors import DeviceError
from device.settings.settings_file import load_settings
from device.settings.values import HallSettings
from hall.table_end.folders import PASSWORD, HallFolders
from hall.table_end.place import HallPlace, password_of
from hall.table_end.process import KEPT, relay_command
from rules.text import Language, Text

_RUNTIME, _STATE = "RUNTIME_DIRECTORY", "STATE_DIRECTORY"
"""Where systemd says which folders it has made for a service."""
_NO_HALL_YET = Text("sevenmat: this table is in no hall yet.")


def send_to_hall(state: Path, hall: str | None, table: str | None, language: Language = Language.EN) -> int:
    """Become the relay of the table with this state folder; in its place nothing of this command is left.

    A service of a table that is in no hall ends well, with 0: systemd starts it anew when the settings have changed.

    Raises:
        DeviceError: the table is in no hall, or the settings can't be.
    """
    settings = load_settings(state).hall
    place = HallPlace.of(hall, table, settings)
    if place is not None:
        _become_relay(state, place, settings, follows=(hall, table) == (None, None))
    if _RUNTIME not in os.environ:
        raise DeviceError(
            "This table is in no hall: set hall.broker, hall.name and hall.table, or say --hall "
            "mqtts://USER@HOST/HALL --table NAME."
        )
    print(_NO_HALL_YET.said(language), flush=True)
    return 0


def _become_relay(state: Path, place: HallPlace, settings: HallSettings, follows: bool) -> NoReturn:
    """Become the relay; ``follows``: where the settings come to name another hall, that of the next one takes over.

    What the hall has acknowledged is kept in systemd's state folder for this service, else in the table's.
    """
    runtime, kept = os.environ.get(_RUNTIME), os.environ.get(_STATE)
    folders = HallFolders(Path(runtime).with_name("sevenmat"), Path(runtime)) if runtime else HallFolders.new()
    command = relay_command(state, Path(kept) if kept else state / KEPT, place, folders, settings)
    command += ["--while-set"] if follows else []
    password = password_of(settings)
    os.execve(command[0], command, {**os.environ, **({PASSWORD: password} if password is not None else {})})
