"""The table's page on phones, at the table's end: a process of its own, so whatever phones do, the referee goes on.

Both ends speak JSON, a line each. The table tells what it shows, the newest alone; the page asks for presses.
"""

from __future__ import annotations

import json
import logging
import math
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from device.app.page.address import PageKey, address_of, listening
from device.errors import DeviceError
from rules.text import Text

_LOG = logging.getLogger(__name__)
MOST_ASKED = 4
"""So much of what phones ask for is done in one round of the table's, whatever number of them ask."""
_ENDS_S = 5.0
"""So long a page may take to end."""
_AGAIN_S = 2.0
"""A page that has ended is started again after this."""

Now = Mapping[str, Any]
"""What the table shows, as JSON; ``device.app.page.state`` makes it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Something that a phone asks of the table: what, and with what; ``reply`` is called once with what came of it.

    ``until`` is when the phone is told that the table did not hear it, by the machine's clock.
    """

    what: str
    data: Mapping[str, Any]
    reply: Callable[[Mapping[str, Any]], None]
    until: float = math.inf


NO_EXTRA = Text("The page needs more packages: 'pip install sevenmat[web]'. All else works without them.")


def open_page(state: Path, host: str, port: int) -> PageProcess:
    """The page of a table; where phones come in is printed at once.

    Raises:
        DeviceError: its packages are missing, the place is taken, or the state folder can't be written.
    """
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise DeviceError(NO_EXTRA)
    key, sock = PageKey(state).value(), listening(host, port)
    print(f"page {address_of(sock, key)}", flush=True)
    return PageProcess(state, sock)


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
        self._ours: socket.socket | None = None
        self._writing = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()

    def show(self, now: Now) -> None:
        """Tell the page what the table shows now."""
        line = as_line({"now": now})
        with self._news:
            self._now = line
            self._lines = [one for one in self._lines if not one.startswith(b'{"now"')] + [line]
            self._tell()

    def _tell(self) -> None:
        """Send at once what the page takes at once; the thread, which may wait long for its turn, sends the rest."""
        if self._ours is not None and not self._writing:
            told = b"".join(self._lines)
            with suppress(OSError):
                sent = self._ours.send(told, socket.MSG_DONTWAIT)
                self._lines = told[sent:].splitlines(keepends=True)
        self._news.notify()

    def asks(self) -> list[Ask]:
        """The next things that phones have asked for, a few at a time; not what a phone has given up."""
        asked: list[Ask] = []
        with suppress(Empty):
            while len(asked) < MOST_ASKED:
                ask = self._asks.get_nowait()
                if time.monotonic() < ask.until:
                    asked.append(ask)
        return asked

    def close(self) -> None:
        """End the page; closing twice does no harm."""
        with self._news:
            self._ended = True
            self._news.notify()
        if self._process is not None:
            self._process.terminate()
        # The state folder may be gone after this; a page that hangs is not left behind either.
        self._thread.join(_ENDS_S)
        if self._thread.is_alive() and self._process is not None:
            self._process.kill()

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
                self._ours = ours
            writer = threading.Thread(target=self._write, args=(ours,), name="page-news", daemon=True)
            writer.start()
            self._read(ours)
            with suppress(OSError):
                ours.shutdown(socket.SHUT_RDWR)
            self._process.wait()
            with self._news:
                self._ours = None
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
                self._asks.put(Ask(told["what"], told["data"], self._replying(told["id"]), told["until"]))

    def _replying(self, number: int) -> Callable[[Mapping[str, Any]], None]:
        def reply(data: Mapping[str, Any]) -> None:
            with self._news:
                self._lines.append(as_line({"reply": number, "data": data}))
                self._tell()

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
                self._writing = True
            try:
                ours.sendall(b"".join(lines))
            except OSError:
                return
            finally:
                with self._news:
                    self._writing = False


def as_line(told: Mapping[str, Any]) -> bytes:
    """What is told to the other end."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
