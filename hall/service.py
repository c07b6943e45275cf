"""``sevenmat relay``: sends what the table does to its hall, as a service beside that of the table."""

from __future__ import annotations

import os
from pathlib import Path

from device.errors import DeviceError
from device.settings.settings_file import load_settings
from hall.table_end.folders import PASSWORD, HallFolders
from hall.table_end.place import HallPlace, password_of
from hall.table_end.process import KEPT, relay_command


def send_to_hall(state: Path, hall: str | None, table: str | None) -> int:
    """Become the relay of the table with this state folder; in its place nothing of this command is left.

    What the hall has acknowledged is kept in systemd's state folder for this service, else in the table's.

    Raises:
        DeviceError: the table is in no hall, or the settings can't be.
    """
    settings = load_settings(state).hall
    place = HallPlace.of(hall, table, settings)
    if place is None:
        raise DeviceError(
            "This table is in no hall: set hall.broker, hall.name and hall.table, or say --hall "
            "mqtts://USER@HOST/HALL --table NAME."
        )
    runtime, kept = os.environ.get("RUNTIME_DIRECTORY"), os.environ.get("STATE_DIRECTORY")
    folders = HallFolders(Path(runtime).with_name("sevenmat"), Path(runtime)) if runtime else HallFolders.new()
    command = relay_command(state, Path(kept) if kept else state / KEPT, place, folders, settings)
    password = password_of(settings)
    os.execve(command[0], command, {**os.environ, **({PASSWORD: password} if password is not None else {})})
