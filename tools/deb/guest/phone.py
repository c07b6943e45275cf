"""A phone that looks on: ``phone.py KEY-FILE``. It comes in by the key, follows the table for a minute, and so on."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

PLACE = "127.0.0.1", 7777
FOLLOWS_S = 60.0


def look_on(key: str) -> None:
    """Look at the table, its games, and all that changes for a minute."""
    line = HTTPConnection(*PLACE, timeout=FOLLOWS_S)
    line.request("GET", f"/?key={key}")
    came = line.getresponse()
    came.read()
    cookie = {"Cookie": (came.getheader("Set-Cookie") or "").partition(";")[0]}
    for where in ("/", "/state.json", "/games", "/games.json"):
        line.request("GET", where, headers=cookie)
        seen = line.getresponse()
        seen.read()
        print(where, seen.status, flush=True)
    line.request("GET", "/events", headers=cookie)
    events, until = line.getresponse(), time.monotonic() + FOLLOWS_S
    while time.monotonic() < until and events.read1(1 << 16):
        pass
    line.close()


if __name__ == "__main__":
    while True:
        with suppress(OSError, HTTPException):
            look_on(Path(sys.argv[1]).read_text().strip())
        time.sleep(2)
