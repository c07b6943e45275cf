"""What is known of a hall that was set up here: its tables and their passwords, in a file for root alone."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from device.errors import DeviceError
from device.files import MissingFileError, read_text, replace_file
from device.json_text import NoObjectError, read_object
from hall.invitation import NAME_LENGTH, Invitation, clean_code, make_code
from rules.text import Text
from web.table_end.code import LETTERS

_MOST = 1 << 20
_PASSWORD_LETTERS = 20
"""Of thirty-two: a hundred bits."""

DAMAGED = Text("{path} is damaged: delete it, and set the hall up anew; every table joins once more then.", path="")


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A table: its password at the broker, and the short code by which it joins."""

    password: str = field(repr=False)
    code: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeptHall:
    """A hall that was set up; ``named`` is the address that tables are told, where somebody has said which."""

    hall: str
    port: int
    web: int
    named: str = ""
    user: str = "hall"
    password: str = field(default="", repr=False)
    tables: dict[str, KeptTable] = field(default_factory=dict)

    def invite(self, table: str, host: str, certificate: str) -> Invitation:
        """Return what a table is told; ``certificate`` is the sum of the broker's."""
        return Invitation(host, self.port, self.hall, table, self.tables[table].password, certificate)

    def add_tables(self, names: Sequence[str]) -> KeptHall:
        """Return the same hall with these tables besides; who is there already keeps password and code."""
        tables = dict(self.tables)
        for name in names:
            taken = {clean_code(one.code)[:NAME_LENGTH] for one in tables.values()}
            if name not in tables:
                tables[name] = KeptTable(make_password(), _make_other_code(taken))
        return replace(self, tables=tables)

    def renew(self, name: str) -> KeptHall:
        """Return the same hall with another password and code for a table: its old sheet is good no more.

        Raises:
            DeviceError: there is no such table.
        """
        if name not in self.tables:
            raise DeviceError("There is no table {name} in this hall.", name=name[:100])
        others = {clean_code(one.code)[:NAME_LENGTH] for one in self.tables.values()}
        return replace(self, tables={**self.tables, name: KeptTable(make_password(), _make_other_code(others))})

    def keep(self, path: Path) -> None:
        """Write it down for its owner alone.

        Raises:
            DeviceError: it can't be.
        """
        with replace_file(path, mode=0o600) as unfinished:
            unfinished.write_text(json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> KeptHall | None:
        """Read what is kept; ``None`` where there is nothing.

        Raises:
            DeviceError: it can't be read, or is damaged.
        """
        try:
            told: dict[str, Any] = read_object(read_text(path, _MOST))
        except MissingFileError:
            return None
        except NoObjectError:
            told = {}
        with suppress(TypeError, KeyError, AttributeError):
            tables = {name: KeptTable(one["password"], one["code"]) for name, one in told.pop("tables").items()}
            return cls(**told, tables=tables)
        raise DeviceError(DAMAGED.refill(path=path))


def make_password() -> str:
    """Make a password that nobody has to type."""
    return "".join(secrets.choice(LETTERS) for _ in range(_PASSWORD_LETTERS))


def _make_other_code(taken: set[str]) -> str:
    """Make a code that is known at the board by another name than these."""
    while clean_code(code := make_code())[:NAME_LENGTH] in taken:
        pass
    return code
