"""What the table and its relay tell each other: a small file each, in memory, the newest alone; nobody waits."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from device.files import read_stamp
from device.json_text import read_object
from rules.text import Text

PASSWORD = "SEVENMAT_HALL_PASSWORD"
"""The name of the broker's password in the environment, by which the relay is handed it."""
_MOST = 1 << 20
_STALE_S = 15.0
"""A relay that has said nothing for so long is not there, or does not go on."""
ALIVE_S = 5.0
"""So often the relay says how it is, at least."""


class HallTrouble(Enum):
    """What keeps a table from being in touch with its hall, with the words for it."""

    NO_RELAY = Text("The hall can't be reached: what sends to it does not run.")
    UNREACHABLE = Text("The hall can't be reached: its broker does not answer. It is tried again by itself.")
    REFUSED = Text("The hall's broker does not know this user or password: set hall.broker and hall.password.")
    UNTRUSTED = Text(
        "The hall's broker can't prove who it is: join by the hall's sheet once more, or set hall.ca_file to the "
        "certificate of the hall."
    )
    CLOCK = Text(
        "The certificate of the hall's broker is not valid at the time that this table's clock shows: set the clock, "
        "or have the certificate renewed."
    )
    FORBIDDEN = Text(
        "The hall's broker does not let this table send under its name: whoever runs the hall can mend it."
    )
    NAMESAKE = Text("Another table of this name seems to be in the hall: give each its own, in hall.table.")
    NOBODY = Text("Nobody listens in the hall yet: what is played here is sent as soon as its board runs.")
    DISK_FULL = Text("What the hall has got can't be noted on the disk; all is sent again after a start.")


@dataclass(frozen=True, slots=True)
class HallFolders:
    """The folders of both files, each written by one side alone."""

    table: Path
    relay: Path

    @classmethod
    def of_service(cls, runtime: Path) -> HallFolders:
        """Return those of the services; ``runtime`` is the table's."""
        return cls(runtime, runtime.with_name("sevenmat-hall"))

    @classmethod
    def new(cls) -> HallFolders:
        """Make new ones, in memory where the system has a place for that."""
        memory = next((place for place in ("/dev/shm", "/run/shm") if os.access(place, os.W_OK)), None)
        folder = Path(tempfile.mkdtemp(prefix="sevenmat-hall-", dir=memory))
        return cls(folder, folder)

    def forget(self) -> None:
        """Take new ones away again."""
        shutil.rmtree(self.table, ignore_errors=True)

    # The table's

    def tell(self, state: Any, call: Any) -> None:
        """Say what the table shows, and whether it calls; raises ``OSError``."""
        _put(self.table / "table.json", {"state": state, "call": call})

    def read_told_stamp(self) -> tuple[int, ...]:
        """Return what changes whenever the table says something."""
        return read_stamp(self.table / "table.json")

    def told(self) -> dict[str, Any]:
        """Return what the table has said; nothing where it has said nothing."""
        return _read(self.table / "table.json")

    # The relay's

    def say(self, trouble: HallTrouble | None, answered: str | None = None) -> None:
        """Say whether the hall is reached, and which call was answered there; raises ``OSError``."""
        name = trouble.name if trouble is not None else None
        _put(self.relay / "relay.json", {"trouble": name, "at_s": time.monotonic(), "answered": answered})

    def answered(self) -> object:
        """Return the moment of the call that was answered in the hall."""
        return _read(self.relay / "relay.json").get("answered")

    def said(self) -> HallTrouble | None:
        """Return what keeps the relay from being in touch with the hall, as far as it has said of late."""
        found = _read(self.relay / "relay.json")
        at_s, name = found.get("at_s"), found.get("trouble")
        if not isinstance(at_s, float) or not 0 <= time.monotonic() - at_s <= _STALE_S:
            return HallTrouble.NO_RELAY
        return HallTrouble.__members__.get(str(name))


def _put(path: Path, told: dict[str, Any]) -> None:
    """Write a file that is the old or the new one at any moment; it need not outlast the machine."""
    unfinished = path.with_suffix(".new")
    unfinished.write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8", errors="replace")
    unfinished.replace(path)


def _read(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError), path.open("rb") as file:
        return read_object(file.read(_MOST).decode())
    return {}
