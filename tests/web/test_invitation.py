"""What the terminal shows to whoever has a phone: a code to scan, and the next one to type whenever there is one."""

from __future__ import annotations

import re
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.text import Language
from web.table_end import invitation
from web.table_end.address import PageKey, address_of, listening
from web.table_end.code import PageCode

_SIDES = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
_PX = 6


def scanned(printed: str) -> str:
    """Return what a phone reads off a terminal that is dark."""
    rows = [line for line in printed.splitlines() if line and set(line) <= set(_SIDES)]
    light = np.array([[_SIDES[one][half] for one in row] for row in rows for half in (0, 1)], np.uint8)
    picture = np.pad(light.repeat(_PX, 0).repeat(_PX, 1) * np.uint8(255), 4 * _PX)
    return str(cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0])


def test_the_terminal_shows_a_code_to_scan_and_every_code_to_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitation, "_LOOK_S", 0.01)
    with listening("127.0.0.1", 0) as sock:
        address = address_of(sock, PageKey(tmp_path).value())
        invitation.invite(sock, tmp_path, Language.EN)
    printed = capsys.readouterr().out
    assert printed.startswith(f"page {address}\n")
    assert scanned(printed) == address
    typed = re.search(r"open (\S+) there and type the code (\w{6})\.", printed)
    assert typed is not None
    assert typed.groups() == (address.partition("/?")[0], PageCode(tmp_path).value())
    assert PageCode(tmp_path).take(typed[2])
    end, told = time.monotonic() + 10, ""
    while not told and time.monotonic() < end:
        time.sleep(0.01)
        told = capsys.readouterr().out
    assert told == f"The code is {PageCode(tmp_path).value()} now.\n"
