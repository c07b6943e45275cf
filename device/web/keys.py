"""Who may come in: whoever has scanned the code on the table's display, and so knows the page's key."""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path

from device.errors import refused_by_the_system
from device.files import replace_file

FILE = "page-key"
_BYTES = 16
_FORM = re.compile(r"[0-9a-f]{32}")

MOST_WRONG = 10
"""So many wrong keys from one address within ``WINDOW_S``, and it waits."""
WINDOW_S = 60.0
_ADDRESSES = 1000
"""So many addresses are remembered, those of the last wrong keys."""


class PageKey:
    """The key of a state folder's page: 128 random bits as hexadecimal digits, in a file for its owner alone."""

    def __init__(self, state: Path) -> None:
        self._path = state / FILE

    def value(self) -> str:
        """The key that holds now; one is made where there is none, or where the file holds something else.

        Raises:
            DeviceError: the file can't be read or written.
        """
        try:
            key = self._path.read_bytes()[:100].decode("ascii", "replace").strip()
        except FileNotFoundError:
            key = ""
        except OSError as error:
            raise refused_by_the_system(error) from error
        return key if _FORM.fullmatch(key) else self.renew()

    def renew(self) -> str:
        """Make a new key: every phone must scan again.

        Raises:
            DeviceError: it can't be written.
        """
        key = secrets.token_hex(_BYTES)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with replace_file(self._path, mode=0o600) as unfinished:
            unfinished.write_text(f"{key}\n", encoding="ascii")
        return key

    def is_known(self, key: str) -> bool:
        """Whether this is the key that holds now.

        Raises:
            DeviceError: the file can't be read.
        """
        return hmac.compare_digest(key.encode(), self.value().encode())


class WrongTries:
    """Counts wrong keys by address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: OrderedDict[str, deque[tuple[float, str]]] = OrderedDict()

    def add(self, address: str, key: str, cookie: bool) -> None:
        """Remember a wrong key; the same old cookie, which a phone sends with everything it asks for, counts once."""
        tries = self._tries.setdefault(address, deque(maxlen=MOST_WRONG))
        self._tries.move_to_end(address)
        if len(self._tries) > _ADDRESSES:
            self._tries.popitem(last=False)
        if not cookie or all(key != other for _, other in tries):
            tries.append((self._clock(), key))

    def must_wait_s(self, address: str) -> float:
        """Seconds until keys from this address are looked at again; 0 where they are."""
        tries = self._tries.get(address)
        if tries is None or len(tries) < MOST_WRONG:
            return 0.0
        return max(0.0, tries[0][0] + WINDOW_S - self._clock())
