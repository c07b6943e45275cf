"""Whoever watches the board: how long after it was made a change is seen there."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse
from urllib.parse import urlsplit

_PATIENCE_S = 60.0
_PART = 1 << 16


@dataclass(frozen=True, slots=True)
class Lags:
    """How long it took, in ms, of how many; ``None`` where there was none."""

    count: int
    p50: float | None
    p99: float | None
    most: float | None

    @classmethod
    def from_lags(cls, lags_s: Sequence[float]) -> Lags:
        """Measure the lags of these, in s."""
        if not lags_s:
            return cls(0, None, None, None)
        order = sorted(lags_s)
        middle, late = (1000 * order[math.ceil(share * len(order)) - 1] for share in (0.5, 0.99))
        return cls(len(order), round(middle, 1), round(late, 1), round(1000 * order[-1], 1))


class Watcher:
    """A page that is open on the board, in a thread of its own.

    It begins to count once asked to; ``drawn`` is what a browser gets, which says no moment, so nothing is counted.
    """

    def __init__(self, page: str, drawn: bool = False) -> None:
        """Open the board's page, whose address has the key in it."""
        self._page, self._drawn = page, drawn
        self.lags_s: list[float] = []
        """Of every change that was seen while it counted: from when it was made until it was seen here, s."""
        self.seen: dict[str, str] = {}
        """The moment of the newest change that was seen, by table."""
        self.counts, self.fault, self.bytes = False, "", 0
        self._closed = False
        self._answer = self._open()
        threading.Thread(target=self._watch, daemon=True).start()

    def close(self) -> None:
        """Look no more."""
        self._closed = True

    def _open(self) -> HTTPResponse:
        place = urlsplit(self._page)
        assert place.hostname is not None, "it is an address"
        connection = HTTPConnection(place.hostname, place.port, timeout=_PATIENCE_S)
        connection.request("GET", f"{place.path}?{place.query}")
        welcome = connection.getresponse()
        welcome.read()
        cookie = (welcome.getheader("set-cookie") or "").partition(";")[0]
        connection.request("GET", "/events?html" if self._drawn else "/events", headers={"cookie": cookie})
        answer = connection.getresponse()
        if answer.status != 200:
            raise HTTPException(f"/events answers {answer.status}")
        return answer

    def _watch(self) -> None:
        line = bytearray()
        with suppress(ValueError):  # it was closed while it read
            try:
                while not self._closed and (part := self._answer.read1(_PART)):
                    self.bytes += len(part)
                    if self._drawn:
                        continue
                    *whole, rest = part.split(b"\n")
                    for one in whole:
                        line += one
                        if line.startswith(b"data: "):
                            self._look(bytes(line[6:]), time.time())
                        line.clear()
                    line += rest
            except (OSError, HTTPException) as error:
                self.fault = str(error)

    def _look(self, data: bytes, now_s: float) -> None:
        for table in json.loads(data)["tables"]:
            at = (table["state"] or {}).get("at")
            if at is None or self.seen.get(table["name"]) == at:
                continue
            self.seen[table["name"]] = at
            if self.counts:
                self.lags_s.append(now_s - datetime.fromisoformat(at).timestamp())
