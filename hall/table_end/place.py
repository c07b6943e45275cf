"""Which hall a table is in, by which name, and how its broker is reached."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from device.addresses import without_password
from device.errors import DeviceError
from device.files import read_text
from device.settings.broker import BrokerAddress
from device.settings.kinds import TopicLevel, WrongValueError
from device.settings.values import HallSettings
from hall.table_end.folders import PASSWORD
from rules.plain import quote_value
from rules.text import Text

NO_EXTRA = Text("The hall needs more packages: 'pip install sevenmat[hall]'. All else works without them.")


def password_of(settings: HallSettings) -> str | None:
    """Return the password for the broker: from the environment, else from the settings or the file that they name.

    Raises:
        DeviceError: that file can't be read.
    """
    found = os.environ.get(PASSWORD) or settings.password
    if not found and settings.password_file:
        found = read_text(Path(settings.password_file), 1000).strip()
    return found or None


@dataclass(frozen=True, slots=True)
class HallPlace:
    """A table's place in a hall."""

    broker: BrokerAddress
    hall: str
    table: str

    @classmethod
    def of(cls, hall: str | None, table: str | None, settings: HallSettings) -> HallPlace | None:
        """Return the place that the command line names, else the settings; ``None`` where none is named.

        Raises:
            DeviceError: it can't be, with what to write instead; or the packages for it are missing.
        """
        place = cls._named(hall, table, settings)
        if place is not None and find_spec("paho") is None:
            raise DeviceError(NO_EXTRA)
        return place

    @classmethod
    def _named(cls, hall: str | None, table: str | None, settings: HallSettings) -> HallPlace | None:
        if hall is not None:
            address = _address(hall)
            name = address.path
            if not name:
                raise DeviceError("--hall names the hall too: write it as mqtts://USER@HOST/HALL.")
        elif settings.broker:
            address, name = _address(settings.broker), settings.name
            if not name:
                raise DeviceError("The setting hall.broker needs hall.name too: how this hall is called.")
        elif table is not None:
            raise DeviceError("--table is a table of a hall: say which one with --hall mqtts://USER@HOST/HALL.")
        else:
            return None
        named = table if table is not None else settings.table
        if not named:
            raise DeviceError("Name this table of the hall with --table NAME, or in the setting hall.table.")
        return cls(address, _name(name), _name(named))


def _address(text: str) -> BrokerAddress:
    if (address := BrokerAddress.parse(text)) is not None:
        return address
    user = text.partition("://")[2].partition("@")[0]
    if "@" in text and ":" in user:
        raise DeviceError(
            "Leave the password out of --hall, where others can read it: put it into the setting hall.password, or "
            "into the environment as SEVENMAT_HALL_PASSWORD."
        )
    raise DeviceError(
        "Write --hall as mqtts://USER@HOST/HALL, or with mqtt:// where the broker has no TLS; {told} is neither.",
        told=quote_value(without_password(text)),
    )


def _name(name: str) -> str:
    try:
        if taken := TopicLevel().read(name):
            return str(taken)
    except WrongValueError:
        pass
    raise DeviceError(
        "A hall or a table can't be called {name}: write 1 to 40 characters, none of them / + #.",
        name=quote_value(name),
    )
