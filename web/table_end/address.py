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
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from device.errors import DeviceError, refused_by_the_system
from device.files import replace_file
from rules.text import Text

FILE = "page-key"
_BYTES = 16
_FORM = re.compile(r"[0-9a-f]{32}")
USUAL = ("", 7777)
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
_SIOCGIF = (0x8927, 0x8913)
"""How it is asked for an interface's hardware type and flags."""
_ETHERNET, _UP, _RUNNING = 1, 0x1, 0x40
"""A cable's or a Wi-Fi's hardware type, and the flags of an interface that is on and has its cable."""
_PASSING, _UNUSABLE = 0x01, 0x68
"""Flags of an IPv6 address: one for a while; one that is not unique, not used any more, or not yet."""
_WITHIN = re.compile(
    r"(docker|podman|br-|virbr|veth|vnet|vmnet|vboxnet|lxc|lxd|cni|flannel|tun|tap|wg|ppp|utun|tailscale|zt|ipsec|"
    r"nordlynx|proton|mullvad|cloudflare|.*vpn)",
    re.IGNORECASE,
)
"""What tunnels, and networks within a machine, are called that look like a cable."""


class PageKey:
    """The key of a state folder's page: 128 random bits as hexadecimal digits, in a file for its owner alone."""

    def __init__(self, state: Path) -> None:
        self._path = state / FILE

    def value(self) -> str:
        """Return the key that holds now; one is made where there is none, or where the file holds something else.

        Raises:
            DeviceError: the file can't be read or written.
        """
        return self._kept() or self.renew()

    def _kept(self) -> str:
        """Read the key in the file; nothing where there is none."""
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
        """Return whether this is the key that holds now; where there is none, nobody's is, and none is made.

        Raises:
            DeviceError: the file can't be read.
        """
        kept = self._kept()
        return bool(kept) and hmac.compare_digest(key.encode(), kept.encode())


def is_handed_on() -> bool:
    """Return whether systemd listens for this process (sd_listen_fds(3))."""
    return os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS", "0") != "0"


def listening(host: str, port: int) -> socket.socket:
    """Open a socket that listens there, at every address where no host is named; port 0 takes a free one.

    One that systemd hands on goes before.

    Raises:
        DeviceError: it is taken, or not allowed.
    """
    if is_handed_on():
        return socket.socket(
            fileno=os.dup(_HANDED_ON)
        )  # what systemd gave stays open, for when the page is opened again
    everywhere = host in ("", "::") and socket.has_dualstack_ipv6()
    sock, family = None, socket.AF_INET6 if everywhere or ":" in host else socket.AF_INET
    try:
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if everywhere:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        sock.bind((host, port))
        sock.listen(128)
    except (OSError, OverflowError) as error:
        if sock is not None:
            sock.close()
        if getattr(error, "errno", None) == errno.EAFNOSUPPORT:
            raise DeviceError(NO_NETWORK) from error
        reason = getattr(error, "strerror", None) or str(error)
        raise DeviceError(
            "The page can't be reached at {host}:{port}: {reason}.", host=host or "0.0.0.0", port=port, reason=reason
        ) from error
    return sock


def announce(sock: socket.socket, key: str) -> None:
    """Print where phones come in, and where else where the machine is in several networks."""
    first, *others = addresses_of(sock, key)
    print("\n".join([f"page {first}", *(f"  or {other}" for other in others)]), flush=True)


def address_of(sock: socket.socket, key: str) -> str:
    """Return the likeliest of the addresses that a phone opens, the key in it."""
    return addresses_of(sock, key)[0]


def addresses_of(sock: socket.socket, key: str) -> list[str]:
    """Return the addresses that a phone in one of the machine's networks opens, the key in them, the likeliest
    first."""
    host, port = sock.getsockname()[:2]
    hosts = own_addresses(sock) if host in ("0.0.0.0", "::") else [host]
    return [f"http://{f'[{one}]' if ':' in one else one}:{port}/?key={key}" for one in hosts]


def own_addresses(sock: socket.socket) -> list[str]:
    """Return the addresses by which phones reach this machine, the likeliest first; its own where it is in no network.

    Those of tunnels and of networks within this machine are left out, even where all else goes that way.
    """
    out = _address_out()
    if sys.platform != "linux":
        return [out or LOOPBACK]
    found: dict[tuple[str, int], _Interface] = {}
    for one in sorted(_interfaces(sock), key=lambda one: one.order(out)):
        found.setdefault((one.name, one.address.version), one)
    return [str(one.address) for one in found.values()] or [LOOPBACK]


def _address_out() -> str | None:
    """Return the address that the machine has on the way out of its network; none where there is no way out."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: the route alone tells
            return str(probe.getsockname()[0])
    except OSError:
        return None


@dataclass(frozen=True, slots=True)
class _Interface:
    """An address of an interface that phones may be behind; ``running`` says that a cable or a Wi-Fi is there."""

    name: str
    address: ipaddress.IPv4Address | ipaddress.IPv6Address
    running: bool
    passing: bool = False
    """Whether it is one of those that a machine changes daily."""

    def order(self, out: str | None) -> tuple[bool, ...]:
        """Return the key that sorts the likeliest first, with the address that the machine has on the ``out`` way."""
        own = self.address
        unlikely = own.is_link_local, own.version == 6, not own.is_private, str(own) != out
        return (not self.running, *unlikely, not self.name.startswith("wl"), self.passing)


def _interfaces(sock: socket.socket) -> Iterator[_Interface]:
    """Yield the interfaces of the network that a socket is of, which need not be this process's."""
    from fcntl import ioctl  # which not every system has

    def kind_of(name: str) -> tuple[int, int]:
        """Hardware type and flags."""
        asked = struct.pack("16s24x", name.encode())
        return tuple(struct.unpack_from("H", ioctl(sock, what, asked), 16)[0] for what in _SIOCGIF)

    for name, address, passing in (*_addresses(sock), *(_ipv6_addresses() if sock.family is socket.AF_INET6 else ())):
        with suppress(OSError):  # of another network than the socket's
            hardware, flags = kind_of(name)
            if hardware == _ETHERNET and flags & _UP and not _WITHIN.match(name):
                yield _Interface(name, address, bool(flags & _RUNNING), passing)


def _addresses(sock: socket.socket) -> Iterator[tuple[str, ipaddress.IPv4Address, bool]]:
    from fcntl import ioctl

    room = array.array("B", bytes(_IFREQ_BYTES * _MOST_ADDRESSES))
    told = ioctl(sock, _SIOCGIFCONF, struct.pack("iP", len(room), room.buffer_info()[0]))
    for at in range(0, struct.unpack_from("i", told)[0], _IFREQ_BYTES):
        name = room[at : at + 16].tobytes().partition(b"\0")[0].decode("utf-8", "replace")
        yield name, ipaddress.IPv4Address(room[at + 20 : at + 24].tobytes()), False


def _ipv6_addresses() -> Iterator[tuple[str, ipaddress.IPv6Address, bool]]:
    """Yield those of this process's network that can be used without naming an interface (proc(5))."""
    with suppress(OSError):
        for line in Path("/proc/net/if_inet6").read_text("ascii").splitlines():
            address, _, _, scope, flags, name = line.split()
            if int(scope, 16) == 0 and not int(flags, 16) & _UNUSABLE:
                yield name, ipaddress.IPv6Address(bytes.fromhex(address)), bool(int(flags, 16) & _PASSING)
