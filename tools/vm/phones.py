"""Phones at the table as it is installed: the socket handed on, the page hung and killed, and a Wi-Fi of its own."""

from __future__ import annotations

import json
import time
from base64 import b64encode
from collections.abc import Generator
from io import BytesIO
from typing import Any

import cv2
import numpy as np
from PIL import Image

from tools.vm.machine import Machine
from tools.vm.stages import Check, Stage, press, run_plain, start

_WATCHDOG_S = 30
"""A Pi's own: the page must not hold up the referee even for that long."""
_PHONE_LINE = 4
"""Which line of the first menu is the phone's where no deck is known."""
_PAGE = "journalctl -u sevenmat -o cat --no-pager | grep ^page | tail -1"
_PROCESS = "pgrep -f '[d]evice.web.child'"
_RESTARTS = "systemctl show -p NRestarts --value sevenmat"
_STATUS = "systemctl show -p StatusText --value sevenmat"
_SANDBOX = (
    "-p PrivateNetwork=yes -p ProtectSystem=strict -p ProtectProc=invisible -p NoNewPrivileges=yes "
    "-p CapabilityBoundingSet= -p MemoryDenyWriteExecute=yes -p IPAddressDeny=any -p SystemCallErrorNumber=EPERM "
    "-p 'RestrictAddressFamilies=AF_UNIX AF_NETLINK' -p SystemCallFilter=@system-service "
    "-p 'SystemCallFilter=~@privileged @resources' -p RestrictNamespaces=yes -p PrivateTmp=yes"
)
"""What of the unit's sandbox NetworkManager's own client could stumble over."""
_AT_HOME = "192.168.50.1"


def check_page() -> Generator[Check]:
    """Check the page of the service, which has no network: opened by the menu, hung, killed, open after a restart."""
    with run_plain() as machine:
        machine.wait_until_up()
        machine.write("/etc/systemd/system/sevenmat.service.d/watchdog.conf", f"[Service]\nWatchdogSec={_WATCHDOG_S}\n")
        start(machine)
        machine.run_script(
            f"modprobe dummy numdummies=1; ip address add {_AT_HOME}/24 dev dummy0; ip link set dummy0 up"
        )
        machine.ask_until(_STATUS, "What would you like to do?", 120)
        own = machine.run_script("systemctl show -p PrivateNetwork --value sevenmat").strip()
        asleep = (
            not machine.run_script(_PROCESS, check=False).strip() and not machine.run_script(_PAGE, check=False).strip()
        )
        yield Check(own == "yes" and asleep, f"off by default: no page runs; PrivateNetwork={own}")
        for _ in range(_PHONE_LINE):
            press(machine, "down")
        press(machine, "confirm")
        address = machine.ask_until(_PAGE, "page ", 60).split()[-1]
        yield Check(
            f"//{_AT_HOME}:7777/" in address, f"the menu opens it, and knows the machine's own address: {address}"
        )
        machine.ask_until(_STATUS, "Scan this with a phone", 60)
        time.sleep(1)
        yield Check(_scan_code(machine) == address, "the display's code, read off the scan-out, is that address")
        found = _ask_phone(machine, address)
        yield Check(_lets_in(found), f"with the key and without: {found}")
        _lay_black(machine)
        status, said = _ask_phone(machine, address, "/tmp/black.jpg laminate 4")["score"]
        yield Check(
            status == 400 and "error" in said, f"a picture goes through the worker and its limits: {said[:200]}"
        )
        security = machine.run_script("systemd-analyze security --no-pager sevenmat | tail -1", check=False).split()
        exposure = float(next((word for word in security if word.replace(".", "").isdigit()), "9"))
        yield Check(exposure <= 1.0, f"exposure with the page on: {exposure}")
        yield from _check_troubled(machine, address)
        machine.run_script("rm /etc/systemd/system/sevenmat.service.d/watchdog.conf")


def _check_troubled(machine: Machine, address: str) -> Generator[Check]:
    before = machine.run_script(_RESTARTS)
    machine.run_script(f"kill -STOP $({_PROCESS})")
    for _ in range(2 * _WATCHDOG_S // 5):
        press(machine, "down", wait_s=0)
        time.sleep(5)
    same = (
        machine.run_script(_RESTARTS) == before
        and machine.run_script("systemctl is-active sevenmat").strip() == "active"
    )
    yield Check(same, f"the page hung for {2 * _WATCHDOG_S} s, the watchdog's {_WATCHDOG_S} s twice: no restart")
    machine.run_script(f"kill -CONT $({_PROCESS})")
    yield Check(_lets_in(_ask_phone(machine, address)), "and answers as soon as it goes on")
    old = machine.run_script(_PROCESS).split()
    machine.run_script(f"kill -KILL {' '.join(old)}")
    back = _has_waited(machine, old)
    yield Check(back and _lets_in(_ask_phone(machine, address)), "killed, it is there again")
    machine.run_script("systemctl kill --kill-whom=main -s KILL sevenmat")
    machine.ask_until(f"{_RESTARTS}; {_STATUS}", "What would you like to do?", 120)
    time.sleep(10)
    yield Check(_lets_in(_ask_phone(machine, address)), "the service killed: open again, with the same key")
    machine.run_script("systemctl restart sevenmat", 300)
    machine.ask_until(_STATUS, "What would you like to do?", 120)
    yield Check(_lets_in(_ask_phone(machine, address)), "and after a restart")
    machine.run_script("systemctl disable --now sevenmat.socket; systemctl restart sevenmat", 300)
    alone = _ask_phone(machine, address)["code"] == "nobody"
    machine.run_script("systemctl enable sevenmat.socket; systemctl restart sevenmat", 300)
    machine.ask_until(_STATUS, "What would you like to do?", 120)
    yield Check(alone and _lets_in(_ask_phone(machine, address)), "without the socket nobody comes in, with it again")
    machine.run_script("systemctl stop sevenmat", 120)
    nobody = _ask_phone(machine, address)["code"] == "nobody"
    active = machine.run_script("systemctl is-active sevenmat", check=False).strip()
    yield Check(nobody and active != "active", f"stopped, no phone starts it: {active}")


def check_wifi() -> Generator[Check]:
    """Check a Wi-Fi of its own by NetworkManager, over two simulated radios: the second one is a phone's."""
    with run_plain() as machine:
        start(machine)
        machine.run_script("modprobe mac80211_hwsim radios=2; systemctl start NetworkManager polkit")
        machine.ask_until("nmcli -g TYPE,STATE device", "wifi:disconnected", 60)
        as_service = f"systemd-run --quiet --wait --pipe -p User=sevenmat {_SANDBOX}"
        code = "from web.table_end import wifi; import sys; "
        python = f"{as_service} /opt/sevenmat/program/bin/python -c"
        may = machine.run_script(
            f"{python} '{code} print(wifi.is_there(), wifi.may_make(), wifi.joined())'", check=False
        ).strip()
        yield Check(may == "True True None", f"the service's user may make one, and is in none: {may}")
        made = machine.run_script(
            f"{python} '{code} wifi.make_own(); print(wifi.is_own(), wifi.joined().code)'", check=False
        )
        yield Check("True WIFI:T:WPA;S:Sevenmat-" in made, f"it makes one: {made.strip()[-300:]}")
        named = made.strip().rpartition("S:")[2].rstrip(";").split(";P:")
        if len(named) != 2:
            return
        radio = machine.run_script(
            "nmcli -g DEVICE,STATE device | grep ^wlan | grep disconnected | cut -d: -f1"
        ).strip()
        join = f"nmcli --wait 60 device wifi connect {named[0]} password {named[1]} ifname {radio}"
        machine.ask_until(f"nmcli device wifi rescan ifname {radio}; nmcli -g SSID device wifi list", named[0], 60, 3)
        joined = machine.run_script(join, 120, check=False)
        yield Check("successfully activated" in joined, f"a phone joins it with its code: {joined.strip()[-200:]}")
        ended = machine.run_script(f"{python} '{code} wifi.end_own(); print(wifi.is_own())'", check=False).strip()
        yield Check(ended == "False", f"and it is ended: {ended}")


def _ask_phone(machine: Machine, address: str, more: str = "") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(machine.run_script(f"python3 /mnt/phone.py '{address}' {more}", 240))
    return found


def _lets_in(found: dict[str, Any]) -> bool:
    return (found["code"], found["in"], found["out"]) == (303, 200, 401)


def _has_waited(machine: Machine, old: list[str]) -> bool:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if set(machine.run_script(_PROCESS, check=False).split()) - set(old):
            return True
        time.sleep(0.5)
    return False


def _scan_code(machine: Machine) -> str:
    """Return what a phone reads off the display."""
    shown = np.asarray(Image.open(machine.save_screen("phone.png")).convert("RGB"))
    return str(cv2.QRCodeDetector().detectAndDecode(np.ascontiguousarray(shown[:, :, ::-1]))[0])


def _lay_black(machine: Machine) -> None:
    """Lay a picture without a table, as a file of the machine."""
    data = BytesIO()
    Image.new("RGB", (1200, 900)).save(data, "JPEG")
    machine.write("/tmp/black.b64", b64encode(data.getvalue()).decode())
    machine.run_script("base64 -d /tmp/black.b64 > /tmp/black.jpg")


PHONES: dict[str, Stage] = {"page": check_page, "wifi": check_wifi}
