"""Where the page is reached, and the key that opens it."""

from __future__ import annotations

import hmac
import os
import re
import secrets
import socket
from pathlib import Path

from device.errors import DeviceError, refused_by_the_system
from device.files import replace_file

FILE = "page-key"
_BYTES = 16
_FORM = re.compile(r"[0-9a-f]{32}")
_HANDED_ON = 3
"""The number of the first socket that systemd hands on (sd_listen_fds(3))."""


class PageKey:
    """The key of a state folder's page: 128 random bits as hexadecimal digits, in a file for its owner alone."""

    def __init__(self, state: Path) -> None:
        self._path = state / FILE

    def value(self) -> str:
        """The key that holds now; one is made where there is none, or where the file holds something else.

        Raises:
            DeviceError: the file can't be read or written.
        """
        return self._kept() or self.renew()

    def _kept(self) -> str:
        """The key in the file; nothing where there is none."""
        try:
            key = self._path.read_bytes()[:100].decode("ascii", "replace").strip()
        except FileNotFoundError:
            key = ""
        except OSError as error:
            raise refused_by_the_system(error) from error
        return key if _FORM.fullmatch(key) else ""

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
        """Whether this is the key that holds now; where there is none, nobody's is, and none is made.

        Raises:
            DeviceError: the file can't be read.
        """
        kept = self._kept()
        return bool(kept) and hmac.compare_digest(key.encode(), kept.encode())


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes a free one, and one that systemd hands on goes before.

    Raises:
        DeviceError: it is taken, or not allowed.
    """
    if os.environ.get("LISTEN_PID") == str(os.getpid()) and int(os.environ.get("LISTEN_FDS") or 0):
        return socket.socket(fileno=_HANDED_ON)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(128)
    except (OSError, OverflowError) as error:
        sock.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise DeviceError(
            "The page can't be reached at {host}:{port}: {reason}.", host=host, port=port, reason=reason
        ) from error
    return sock


def address_of(sock: socket.socket, key: str) -> str:
    """The address that a phone in the same network opens, the key in it."""
    host, port = sock.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = own_address()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/?key={key}"


def own_address() -> str:
    """The address by which this machine is reached in its network; its own one where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: the route alone tells
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
