"""Between the table and its page: the page is a process of its own, so whatever phones do, the referee goes on.

Both ends speak JSON, a line each. The table tells what it shows, the newest alone; the page asks for presses.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

_LOG = logging.getLogger(__name__)
_AGAIN_S = 2.0
"""A page that has ended is started again after this."""
_MOST_LINE = 8 << 20
_PATIENCE_S = 3.0
"""So long the page waits for the table to hear a press."""

Now = Mapping[str, Any]
"""What the table shows, as JSON; ``device.app.page_state`` makes it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Something that a phone asks of the table: what, and with what; ``reply`` is called once with what came of it."""

    what: str
    data: Mapping[str, Any]
    reply: Callable[[Mapping[str, Any]], None]


class PageProcess:
    """The page of a table, at the table's end. No call waits for the page, whatever state that is in."""

    def __init__(self, state: Path, listening: socket.socket) -> None:
        """Start the page, which answers phones at a socket that listens already."""
        self._state, self._listening = state, listening
        self._asks: SimpleQueue[Ask] = SimpleQueue()
        self._news = threading.Condition()
        self._lines: list[bytes] = []
        self._now: bytes | None = None
        self._ended = False
        self._process: subprocess.Popen[bytes] | None = None
        threading.Thread(target=self._run, name="page", daemon=True).start()

    def show(self, now: Now) -> None:
        """Tell the page what the table shows now."""
        line = _as_line({"now": now})
        with self._news:
            self._now = line
            self._lines = [one for one in self._lines if not one.startswith(b'{"now"')] + [line]
            self._news.notify()

    def asks(self) -> list[Ask]:
        """What phones have asked for since the last call."""
        asked = []
        with suppress(Empty):
            while True:
                asked.append(self._asks.get_nowait())
        return asked

    def close(self) -> None:
        """End the page; closing twice does no harm."""
        with self._news:
            self._ended = True
            self._news.notify()
        if self._process is not None:
            self._process.terminate()

    def _run(self) -> None:
        """Have a page as long as there is a table."""
        while not self._ended:
            ours, theirs = socket.socketpair()
            fds = self._listening.fileno(), theirs.fileno()
            command = [sys.executable, "-m", "device.web.child", str(self._state), *map(str, fds)]
            self._process = subprocess.Popen(command, pass_fds=fds, stdin=subprocess.DEVNULL)
            theirs.close()
            with self._news:
                self._lines = [self._now] if self._now is not None else []
            writer = threading.Thread(target=self._write, args=(ours,), name="page-news", daemon=True)
            writer.start()
            self._read(ours)
            with suppress(OSError):
                ours.shutdown(socket.SHUT_RDWR)
            self._process.wait()
            with self._news:
                self._news.notify()
            writer.join()
            ours.close()
            if not self._ended:
                _LOG.warning("the page has ended (%s) and is started again", self._process.returncode)
                with self._news:
                    self._news.wait_for(lambda: self._ended, _AGAIN_S)

    def _read(self, ours: socket.socket) -> None:
        """Gather what phones ask until the page ends."""
        with suppress(OSError, ValueError), ours.makefile("rb") as lines:
            for line in lines:
                told = json.loads(line)
                self._asks.put(Ask(told["what"], told["data"], self._replying(told["id"])))

    def _replying(self, number: int) -> Callable[[Mapping[str, Any]], None]:
        def reply(data: Mapping[str, Any]) -> None:
            with self._news:
                self._lines.append(_as_line({"reply": number, "data": data}))
                self._news.notify()

        return reply

    def _write(self, ours: socket.socket) -> None:
        """Send what there is to tell; where the page does not take it, only this thread waits."""
        process = self._process
        while True:
            with self._news:
                self._news.wait_for(lambda: self._lines or self._ended or process is None or process.poll() is not None)
                if self._ended or process is None or process.poll() is not None:
                    return
                lines, self._lines = self._lines, []
            try:
                ours.sendall(b"".join(lines))
            except OSError:
                return


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

    async def ask(self, what: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Ask the table for something, and wait for what comes of it.

        Raises:
            TimeoutError: it does not say in time.
        """
        assert self._writer is not None, "the table is followed before phones are answered"
        number = next(self._numbers)
        waiting = self._replies[number] = asyncio.get_running_loop().create_future()
        try:
            self._writer.write(_as_line({"id": number, "what": what, "data": data}))
            return await asyncio.wait_for(waiting, _PATIENCE_S)
        finally:
            self._replies.pop(number, None)


def _as_line(told: Mapping[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def inherited(number: int) -> socket.socket:
    """A socket that was handed on by its number; it is handed on no further."""
    os.set_inheritable(number, False)
    return socket.socket(fileno=number)
