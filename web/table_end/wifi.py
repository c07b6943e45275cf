"""The machine's Wi-Fi, where NetworkManager has it in hand: the one it is in, and one of its own."""

from __future__ import annotations

import os
import secrets
import subprocess
from dataclasses import dataclass

from device.errors import DeviceError

_OWN = "sevenmat"
"""NetworkManager's name for the table's own Wi-Fi."""
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that looks like another one."""
_PASSWORD_LETTERS = 10
_ANSWER_S, _CHANGE_S = 8, 15
"""So long NetworkManager may take to answer, and to change something: the screen stands still meanwhile."""


@dataclass(frozen=True)
class Wifi:
    """A Wi-Fi by its name; the password is empty where it is open to everybody."""

    name: str
    password: str

    @property
    def code(self) -> str:
        """What a phone reads from a QR code to join it.

        >>> Wifi("Café; 2", 'a:"b"').code
        'WIFI:T:WPA;S:Café\\\\; 2;P:a\\\\:\\\\"b\\\\";;'
        """
        name, password = (
            "".join(f"\\{letter}" if letter in '\\;,:"' else letter for letter in text)
            for text in (self.name, self.password)
        )
        return f"WIFI:T:WPA;S:{name};P:{password};;" if password else f"WIFI:T:nopass;S:{name};;"


def joined() -> Wifi | None:
    """Return the Wi-Fi that the machine is in or gives; ``None`` where there is none, or nobody may know how to
    join."""
    try:
        told = _nmcli("device", "wifi", "show-password")
    except DeviceError:
        return None
    lines = dict(line.partition(": ")[::2] for line in told.split("\n\n")[0].splitlines())
    password = lines.get("Password", "")
    known = "SSID" in lines and (password or lines.get("Security") in ("None", "OWE"))
    return Wifi(lines["SSID"], password) if known else None


def is_there() -> bool:
    """Return whether the machine has a Wi-Fi device that NetworkManager has in hand."""
    try:
        return "wifi" in _nmcli("-g", "TYPE", "device").split()
    except DeviceError:
        return False


def may_make() -> bool:
    """Return whether this user may make a Wi-Fi."""
    try:
        may = _nmcli("-g", "PERMISSION,VALUE", "general", "permissions")
    except DeviceError:
        return False
    return "org.freedesktop.NetworkManager.wifi.share.protected:yes" in may.split()


def is_own() -> bool:
    """Return whether the Wi-Fi is the table's own."""
    try:
        return _OWN in _nmcli("-g", "NAME", "connection", "show", "--active").splitlines()
    except DeviceError:
        return False


def make_own() -> None:
    """Give a Wi-Fi in place of being in one, until the machine is switched off; its name and password stay.

    Raises:
        DeviceError: it can't be made.
    """
    if _OWN in _nmcli("-g", "NAME", "connection", "show").splitlines():
        _nmcli("connection", "up", "id", _OWN, patience_s=_CHANGE_S)
        return
    password = "".join(secrets.choice(_LETTERS) for _ in range(_PASSWORD_LETTERS))
    new = ("con-name", _OWN, "ssid", f"Sevenmat-{secrets.token_hex(2)}", "password", password)
    _nmcli("device", "wifi", "hotspot", *new, patience_s=_CHANGE_S)


def end_own() -> None:
    """Take the table's own Wi-Fi away; NetworkManager joins one that it knows.

    Raises:
        DeviceError: it can't be ended.
    """
    _nmcli("connection", "down", "id", _OWN, patience_s=_CHANGE_S)


def _nmcli(*words: str, patience_s: int = _ANSWER_S) -> str:
    """Return what NetworkManager says.

    Raises:
        DeviceError: it is not there, or refuses.
    """
    command = ["nmcli", "--wait", str(patience_s), *words]
    english = {**os.environ, "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience_s + 1, check=False, env=english)
        cause = (done.stderr.strip().removeprefix("Error: ") or str(done.returncode)) if done.returncode else ""
    except (OSError, UnicodeDecodeError, subprocess.TimeoutExpired) as error:
        cause = getattr(error, "strerror", None) or "NetworkManager does not answer"
    if cause:
        raise DeviceError("The Wi-Fi can't be changed: {cause}", cause=cause.splitlines()[0])
    return done.stdout
