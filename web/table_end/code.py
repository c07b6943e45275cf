"""The short code that is typed in place of the page's key: good once, and for ten minutes."""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from device.errors import refused_by_the_system
from device.files import replace_file

FILE = "page-code"
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Thirty-two that can't be confused: I and O look like 1 and 0, which are missing too."""
LENGTH = 6
GOOD_S = 600.0
_KEPT = re.compile(rf"([{LETTERS}]{{{LENGTH}}}) (\d+)")


class PageCode:
    """The code of a state folder's page, in a file for its owner alone, so that every process knows the same one."""

    def __init__(self, state: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = state / FILE, clock

    def value(self) -> str:
        """Return the code that holds now; one is made where there is none.

        Raises:
            DeviceError: the file can't be read or written.
        """
        return self._read_kept() or self.renew()

    def renew(self) -> str:
        """Make another one: the last one is good no more.

        Raises:
            DeviceError: it can't be written.
        """
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with replace_file(self._path, mode=0o600) as unfinished:
                unfinished.write_text(f"{code} {int(self._clock())}\n", encoding="ascii")
        except OSError as error:
            raise refused_by_the_system(error) from error
        return code

    def take(self, typed: str) -> bool:
        """Use the code up if this is the one that holds now, however it was typed; return whether it was.

        Raises:
            DeviceError: the file can't be read or written.
        """
        kept, said = self._read_kept(), re.sub(r"[\s-]", "", typed).upper()
        if not kept or not hmac.compare_digest(said.encode("utf-8", "replace"), kept.encode()):
            return False
        self.renew()
        return True

    def _read_kept(self) -> str:
        """Read the code in the file; return nothing where there is none, or where its time is over."""
        try:
            found = _KEPT.fullmatch(self._path.read_bytes()[:100].decode("ascii", "replace").strip())
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise refused_by_the_system(error) from error
        # One that was made in the future tells that the clock was put back: nobody knows how old it is.
        return found[1] if found and 0 <= self._clock() - int(found[2]) < GOOD_S else ""
