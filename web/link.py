"""The table, at its page's end; ``web.table_end.process`` is the other one."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import os
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import Any

from PIL import Image

from web.table_end.process import Now, as_line

_MOST_LINE = 8 << 20
PATIENCE_S = 3.0
"""So long the page waits for the table to hear a press."""
_MOST_PICTURES = 32
"""So many are kept for phones that are a little behind."""
_JPEG_QUALITY = 85
_MOST_ASKED = 16
"""So much may be asked of the table at a time; fingers ask for less."""


class TooMuchAskedError(Exception):
    """The table has not come to what was asked before."""


class TableLink:
    """The table, at the page's end: what it shows, and how it is asked for things."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._writer: asyncio.StreamWriter | None = None
        self._replies: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._numbers = count(1)
        self._news = asyncio.Event()
        """Set once something was shown after it was made; then there is another one."""
        self._pictures: OrderedDict[str, Mapping[str, Any]] = OrderedDict()
        self.now: Now | None = None
        self.version = 0
        """Counts what the table has shown."""
        self.ended = False
        """Whether nothing more is shown."""

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
        self.now, self.version = told["now"], self.version + 1
        for key, picture in told["now"]["pictures"].items():
            self._pictures[key] = picture
            self._pictures.move_to_end(key)
        while len(self._pictures) > _MOST_PICTURES:
            self._pictures.popitem(last=False)
        self._wake()

    def _wake(self) -> None:
        """Have everybody go on who waits for what is shown."""
        news, self._news = self._news, asyncio.Event()
        news.set()

    def picture(self, key: str) -> bytes | None:
        """Return a picture that is shown now, or was lately, as a JPEG; ``None`` where there is none by that key."""
        if (shown := self._pictures.get(key)) is None:
            return None
        width, height = shown["size"]
        file = io.BytesIO()
        Image.frombytes("RGB", (width, height), base64.b64decode(shown["rgb"])).save(
            file, "JPEG", quality=_JPEG_QUALITY
        )
        return file.getvalue()

    def end(self) -> None:
        """Have everybody who waits for what is shown, or for what was asked, wait no longer."""
        self.ended = True
        self._wake()
        for waiting in self._replies.values():
            if not waiting.done():
                waiting.set_exception(TimeoutError())

    async def wait_for_news(self, version: int, patience_s: float) -> None:
        """Wait until something was shown after that version, at most so long."""
        if not self.ended and self.version <= version:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), patience_s)

    async def ask(self, what: str, data: Mapping[str, Any], patience_s: float = PATIENCE_S) -> Mapping[str, Any]:
        """Ask the table for something, and wait at most so long for what comes of it.

        Raises:
            TooMuchAskedError: others wait for it already.
            TimeoutError: it does not say in time, or the page ends.
        """
        assert self._writer is not None, "the table is followed before phones are answered"
        if self.ended:
            raise TimeoutError
        if len(self._replies) >= _MOST_ASKED:
            raise TooMuchAskedError
        number = next(self._numbers)
        waiting = self._replies[number] = asyncio.get_running_loop().create_future()
        try:
            until = time.monotonic() + patience_s
            self._writer.write(as_line({"id": number, "until": until, "what": what, "data": data}))
            return await asyncio.wait_for(waiting, patience_s)
        finally:
            self._replies.pop(number, None)


def open_inherited(number: int) -> socket.socket:
    """Open a socket that was handed on by its number, and let it be handed on no further."""
    os.set_inheritable(number, False)
    return socket.socket(fileno=number)
