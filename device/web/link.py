"""The table, at its page's end; ``device.app.page.process`` is the other one."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import Any

from device.app.page.process import Now, as_line

_MOST_LINE = 8 << 20
PATIENCE_S = 3.0
"""So long the page waits for the table to hear a press."""


class TableLink:
    """The table, at the page's end: what it shows, and how it is asked for things."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._writer: asyncio.StreamWriter | None = None
        self._replies: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._numbers = count(1)
        self._changed = asyncio.Condition()
        self.now: Now | None = None
        self.version = 0
        """Counts what the table has shown."""

    async def follow(self, gone: Callable[[], None]) -> None:
        """Hear the table until it is ``gone``."""
        self._link.setblocking(False)
        reader, self._writer = await asyncio.open_connection(sock=self._link, limit=_MOST_LINE)
        with suppress(ConnectionError, ValueError):
            while line := await reader.readline():
                await self._hear(json.loads(line))
        gone()

    async def _hear(self, told: Mapping[str, Any]) -> None:
        if "reply" in told:
            waiting = self._replies.pop(told["reply"], None)
            if waiting is not None and not waiting.done():
                waiting.set_result(told["data"])
            return
        async with self._changed:
            self.now, self.version = told["now"], self.version + 1
            self._changed.notify_all()

    async def after(self, version: int, patience_s: float) -> None:
        """Wait until something was shown after that version, at most so long."""
        async with self._changed:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait_for(lambda: self.version > version), patience_s)

    async def ask(self, what: str, data: Mapping[str, Any], patience_s: float = PATIENCE_S) -> Mapping[str, Any]:
        """Ask the table for something, and wait at most so long for what comes of it.

        Raises:
            TimeoutError: it does not say in time.
        """
        assert self._writer is not None, "the table is followed before phones are answered"
        number = next(self._numbers)
        waiting = self._replies[number] = asyncio.get_running_loop().create_future()
        try:
            self._writer.write(as_line({"id": number, "what": what, "data": data}))
            return await asyncio.wait_for(waiting, patience_s)
        finally:
            self._replies.pop(number, None)


def inherited(number: int) -> socket.socket:
    """A socket that was handed on by its number; it is handed on no further."""
    os.set_inheritable(number, False)
    return socket.socket(fileno=number)
