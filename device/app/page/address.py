"""Where the page is reached, and the key that opens it."""

from __future__ import annotations

import array
import errno
import hmac
import ipaddress
import os
import re
import secrets
import socket
import struct
import sys
from pathlib import Path

from device.errors import DeviceError, refused_by_the_system
from device.files import replace_file
from rules.text import Text

FILE = "page-key"
_BYTES = 16
_FORM = re.compile(r"[0-9a-f]{32}")
USUAL = ("0.0.0.0", 7777)
"""Where the page listens where nobody says."""
NO_NETWORK = Text(
    "The service has no network of its own: 'sudo systemctl enable sevenmat.socket', then restart it, and phones "
    "come in."
)
LOOPBACK = "127.0.0.1"
_HANDED_ON = 3
"""The number of the first socket that systemd hands on."""
_SIOCGIFCONF, _IFREQ_BYTES, _MOST_ADDRESSES = 0x8912, 40, 100
"""How Linux is asked for the addresses of a socket's network (netdevice(7))."""


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


def is_handed_on() -> bool:
    """Whether systemd listens for this process (sd_listen_fds(3))."""
    return os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS", "0") != "0"


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes a free one, and one that systemd hands on goes before.

    Raises:
        DeviceError: it is taken, or not allowed.
    """
    if is_handed_on():
        return socket.socket(
            fileno=os.dup(_HANDED_ON)
        )  # what systemd gave stays open, for when the page is opened again
    sock, family = None, socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(128)
    except (OSError, OverflowError) as error:
        if sock is not None:
            sock.close()
        if getattr(error, "errno", None) == errno.EAFNOSUPPORT:
            raise DeviceError(NO_NETWORK) from error
        reason = getattr(error, "strerror", None) or str(error)
        raise DeviceError(
            "The page can't be reached at {host}:{port}: {reason}.", host=host, port=port, reason=reason
        ) from error
    return sock


def address_of(sock: socket.socket, key: str) -> str:
    """The address that a phone in the same network opens, the key in it."""
    host, port = sock.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = own_address(sock)
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/?key={key}"


def own_address(sock: socket.socket) -> str:
    """The address by which this machine is reached in the network of a socket; its own one where it is in none."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: the route alone tells
            return str(probe.getsockname()[0])
    except OSError:
        # No way out, as where the machine has a Wi-Fi of its own, or no network but that of the socket handed on.
        return next(iter(_addresses(sock)), LOOPBACK)


def _addresses(sock: socket.socket) -> list[str]:
    """The addresses of the network that a socket is of, which need not be this process's; a Wi-Fi's first."""
    if sys.platform != "linux":
        return []
    from fcntl import ioctl  # which not every system has

    room = array.array("B", bytes(_IFREQ_BYTES * _MOST_ADDRESSES))
    told = ioctl(sock, _SIOCGIFCONF, struct.pack("iP", len(room), room.buffer_info()[0]))
    found: list[tuple[bool, ipaddress.IPv4Address]] = []
    for at in range(0, struct.unpack_from("i", told)[0], _IFREQ_BYTES):
        name = room[at : at + 16].tobytes().partition(b"\0")[0]
        found.append((name.startswith(b"wl"), ipaddress.IPv4Address(room[at + 20 : at + 24].tobytes())))
    found = [(wifi, address) for wifi, address in found if not address.is_loopback]
    return [str(address) for _, address in sorted(found, key=lambda one: (one[1].is_link_local, not one[0]))]
