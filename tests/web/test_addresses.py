"""The address in the code is one that phones reach: that of a cable's or a Wi-Fi's own network."""

from __future__ import annotations

import socket
import subprocess
import sys
from ipaddress import ip_address
from types import SimpleNamespace
from typing import Any

import pytest

from device.settings.kinds import listen_at
from tests.web.test_handed_on import ISOLATED, can_isolate
from web.table_end import address, wifi
from web.table_end.address import LOOPBACK, addresses_of, listening
from web.table_end.phone_menu import phone_menu

ETHERNET, NONE, LOOP = 1, 65534, 772
LAN = "eth0", "192.168.1.5"
WIFI = "wlan0", "192.168.4.1"
DOCKER = "docker0", "172.17.0.1"
VPN = "wg0", "10.8.0.2"


def offered(
    monkeypatch: pytest.MonkeyPatch, *there: tuple[str, str], out: str | None = None, **kinds: tuple[int, int]
) -> list[str]:
    """Return what is offered where these interfaces are, with what is ``out`` of the network, hardware and flags."""

    def ioctl(_: Any, what: int, asked: bytes) -> bytes:
        name = asked.partition(b"\0")[0].decode()
        hardware, flags = kinds.get(name, (ETHERNET, 0x43))
        return bytes(16) + (hardware if what == 0x8927 else flags).to_bytes(2, sys.byteorder) + bytes(22)

    every = [(name, ip_address(own), False) for name, own in there]
    monkeypatch.setattr("fcntl.ioctl", ioctl)
    monkeypatch.setattr(address, "_addresses", lambda _: [one for one in every if one[1].version == 4])
    monkeypatch.setattr(address, "_ipv6_addresses", lambda: [one for one in every if one[1].version == 6])
    monkeypatch.setattr(address, "_address_out", lambda: out)
    with listening("", 0) as sock:
        port = sock.getsockname()[1]
        return [one.removeprefix("http://").removesuffix(f":{port}/?key=k") for one in addresses_of(sock, "k")]


@pytest.mark.skipif(sys.platform != "linux", reason="others tell the way out alone")
def test_a_cable_or_a_wifi_and_never_a_tunnel_or_what_is_within_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for out in (LAN[1], VPN[1], None):
        assert offered(monkeypatch, DOCKER, VPN, LAN, out=out) == [LAN[1]]
    for name in ("tun0", "tailscale0", "br-1f00aa", "virbr0", "ztabc", "ppp0", "veth12", "openvpn1"):
        assert offered(monkeypatch, (name, "10.9.9.9"), out="10.9.9.9") == [LOOPBACK], name
    assert offered(monkeypatch, ("office", "10.9.9.9"), LAN, out="10.9.9.9", office=(NONE, 0x43)) == [LAN[1]]
    assert offered(monkeypatch, ("lo", "127.0.0.1"), ("lo", "10.0.0.7"), lo=(LOOP, 0x49)) == [LOOPBACK]
    assert offered(monkeypatch, ("br0", "192.168.1.9"), DOCKER) == ["192.168.1.9"], "a bridge may be the network"


@pytest.mark.skipif(sys.platform != "linux", reason="others tell the way out alone")
def test_several_are_offered_the_likeliest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert offered(monkeypatch, WIFI, LAN, out=LAN[1]) == [LAN[1], WIFI[1]]
    assert offered(monkeypatch, LAN, WIFI) == [WIFI[1], LAN[1]], "a Wi-Fi of its own, and no way out"
    assert offered(monkeypatch, LAN, WIFI, out=LAN[1], eth0=(ETHERNET, 0x03)) == [WIFI[1], LAN[1]], "no cable is in"
    assert offered(monkeypatch, LAN, WIFI, out=LAN[1], eth0=(ETHERNET, 0x02)) == [WIFI[1]], "it is off"
    assert offered(monkeypatch, ("eth0", "8.8.4.4"), WIFI, out="8.8.4.4")[0] == WIFI[1]
    assert offered(monkeypatch, ("wlan0", "169.254.7.9"), ("wlan0", "fd00::5")) == ["[fd00::5]", "169.254.7.9"]
    assert offered(monkeypatch, ("eth0", "2001:470::5"), ("eth0", "fd00::5"), LAN) == [LAN[1], "[fd00::5]"]


def test_the_display_shows_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    every = [f"http://{own}:7777/?key=k" for own in (LAN[1], WIFI[1])]
    phones: Any = SimpleNamespace(wait=lambda: None, open=lambda: every, renew_key=None, turn_off=None)
    monkeypatch.setattr(wifi, "is_there", lambda: False)
    menu, shown = phone_menu(phones, None), []
    for _ in range(3):
        assert menu.code is not None
        shown.append("".join(menu.code.typed))
        menu = next(one for one in menu.options if str(one.words) == "Another address").take() or menu
    assert shown == [every[0], every[1], every[0]]
    phones.open = lambda: every[:1]
    assert "Another address" not in [str(one.words) for one in phone_menu(phones, None).options]


def test_a_host_that_is_named_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "own_addresses", lambda _: ["192.168.1.5"])
    place = listen_at("127.0.0.1:0")
    assert place is not None
    with listening(*place) as sock:
        assert addresses_of(sock, "k") == [f"http://127.0.0.1:{sock.getsockname()[1]}/?key=k"]


@pytest.mark.parametrize("said", ["0", "[::]:0"])
def test_where_no_host_is_named_phones_come_by_either_kind_of_address(said: str) -> None:
    with listening(*listen_at(said) or ("", -1)) as sock:
        port = sock.getsockname()[1]
        for family, own in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            with socket.socket(family) as phone:
                phone.settimeout(5)
                if family is socket.AF_INET or socket.has_dualstack_ipv6():
                    phone.connect((own, port))


_TOLD = """
import sys; sys.path.insert(0, ".")
from web.table_end.address import announce, listening
announce(listening("", 7799), "k")
"""


@pytest.mark.skipif(not can_isolate, reason="may make no network of its own")
def test_real_interfaces_of_a_network_of_its_own() -> None:
    """A bridge stands for a cable: it has the same hardware type."""
    script = """set -e
    at() { ip link add $1 type bridge; ip addr add $2 dev $1 ${3:-}; ip link set $1 up; }
    ip link set lo up
    at eth0 192.168.1.5/24; at docker0 172.17.0.1/16; ip route add default via 192.168.1.1; "$@"
    at wg0 10.8.0.2/24; ip route add 0.0.0.0/1 dev wg0; ip route add 128.0.0.0/1 dev wg0; "$@"
    ip link del eth0; at wlan0 fd00::5/64 nodad; "$@"
    ip link del wlan0; "$@"
    """
    argv = [*ISOLATED, "bash", "-c", script, "bash", sys.executable, "-c", _TOLD]
    told = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    hosts = ["192.168.1.5", "192.168.1.5", "[fd00::5]", LOOPBACK]
    assert told.stdout.splitlines() == [f"page http://{host}:7799/?key=k" for host in hosts], told.stderr
