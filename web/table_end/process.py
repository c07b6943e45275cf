"""The table's page on phones, at the table's end: a process of its own, so whatever phones do, the referee goes on.

Both ends speak JSON, a line each. The table tells what it shows, the newest alone; the page asks for presses.
"""

from __future__ import annotations

import json
import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from device.errors import DeviceError
from device.outward import Ask
from rules.text import Language, Text
from web.table_end.address import PageKey, address_of, addresses_of, announce, listening
from web.table_end.invitation import invite

_LOG = logging.getLogger(__name__)
MOST_ASKED = 4
"""So much of what phones ask for is done in one round of the table's, whatever number of them ask."""
_AGAIN_S = 2.0
"""A page that has ended is started again after this."""
_ENDING_S = 5.0
"""A page that is told to end and has not by then is killed."""

Now = Mapping[str, Any]
"""What the table shows, as JSON; ``device.public_state`` makes it."""


_PACKAGES = ("starlette", "uvicorn", "jinja2", "segno", "python_multipart")
NO_EXTRA = Text("The page needs more packages: 'pip install sevenmat[web]'. All else works without them.")


def open_page(page: PageProcess, host: str, port: int, language: Language | None = None) -> None:
    """Open the page of a table; where phones come in is printed at once, in a language as people read it.

    Raises:
        DeviceError: its packages are missing, the place is taken, or the state folder can't be written.
    """
    if any(find_spec(name) is None for name in _PACKAGES):
        raise DeviceError(NO_EXTRA)
    page.wait()
    key, sock = PageKey(page.state).value(), listening(host, port)
    if language is not None:
        invite(sock, page.state, language)
    else:
        announce(sock, key)
    page.open(sock)


class PageProcess:
    """The page of a table, at the table's end: off until it is opened.

    No call but ``wait`` waits for the page, whatever state that is in.
    """

    def __init__(self, state: Path, listening: socket.socket | None = None) -> None:
        """Make the page of a state folder, open where there is a socket that listens already."""
        self.state = state
        self._asks: SimpleQueue[Ask] = SimpleQueue()
        self._news = threading.Condition()
        self._lines: list[bytes] = []
        self._link: socket.socket | None = None
        self._writing = False
        self._now: bytes | None = None
        self._starting = threading.Lock()
        self._listening: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        if listening is not None:
            self.open(listening)

    def open(self, listening: socket.socket) -> None:
        """Answer phones at a socket that listens already, until the page is closed."""
        self.close()
        self._listening = listening
        self._thread = threading.Thread(target=self._run, args=(listening,), name="page", daemon=True)
        self._thread.start()

    @property
    def addresses(self) -> list[str]:
        """Where phones come in, the key in them, the likeliest first; none while the page is off.

        Raises:
            DeviceError: the key can't be read.
        """
        return addresses_of(self._listening, PageKey(self.state).value()) if self._listening is not None else []

    @property
    def address(self) -> str | None:
        """The likeliest one; ``None`` while the page is off.

        Raises:
            DeviceError: the key can't be read.
        """
        return address_of(self._listening, PageKey(self.state).value()) if self._listening is not None else None

    def show(self, now: Now) -> None:
        """Tell the page what the table shows now."""
        line = as_line({"now": now})
        with self._news:
            self._now = line
            self._lines[:] = [one for one in self._lines if not one.startswith(b'{"now"')] + [line]
            self._tell()

    def _tell(self) -> None:
        """Send at once what the page takes at once; the thread, which may wait long for its turn, sends the rest."""
        if self._link is not None and not self._writing:
            told = b"".join(self._lines)
            with suppress(OSError):
                sent = self._link.send(told, socket.MSG_DONTWAIT)
                self._lines[:] = told[sent:].splitlines(keepends=True)
        self._news.notify_all()

    def take_asks(self) -> list[Ask]:
        """Return the next things that phones have asked for, a few at a time; not what a phone has given up."""
        asked: list[Ask] = []
        with suppress(Empty):
            while len(asked) < MOST_ASKED:
                ask = self._asks.get_nowait()
                if time.monotonic() < ask.until:
                    asked.append(ask)
        return asked

    def close(self) -> None:
        """Turn the page off; closing twice does no harm."""
        with self._starting, self._news:
            listening, self._listening = self._listening, None
            process, self._process = self._process, None
            self._news.notify_all()
        if listening is not None:
            listening.close()
        if process is not None:
            process.terminate()
            patience = threading.Timer(_ENDING_S, process.kill)
            patience.daemon = True
            patience.start()

    def wait(self) -> None:
        """Wait until a page that was turned off no longer listens, some seconds at most."""
        if self._thread is not None and self._listening is None:
            self._thread.join(_ENDING_S + 1)

    def _run(self, listening: socket.socket) -> None:
        """Have a page as long as it is open at this socket."""

        def closed() -> bool:
            return self._listening is not listening

        while True:
            ours, theirs = socket.socketpair()
            with ours:
                with self._starting, theirs:
                    if closed():
                        return
                    self._process = process = self._start(listening, theirs)
                self._talk(ours, process)
            if closed():
                return
            _LOG.warning("the page has ended (%s) and is started again", process.returncode)
            with self._news:
                self._news.wait_for(closed, _AGAIN_S)

    def _start(self, listening: socket.socket, link: socket.socket) -> subprocess.Popen[bytes]:
        """Start the page's process with copies of both sockets."""
        fds = listening.fileno(), link.fileno()
        command = [sys.executable, "-m", "web.child", str(self.state), *map(str, fds)]
        return subprocess.Popen(command, pass_fds=fds, stdin=subprocess.DEVNULL)

    def _talk(self, link: socket.socket, process: subprocess.Popen[bytes]) -> None:
        """Tell the page the news and gather what phones ask, until it has ended."""
        with self._news:
            self._lines = lines = [self._now] if self._now is not None else []
            self._link = link
        writer = threading.Thread(target=self._write, args=(link, process, lines), name="page-news", daemon=True)
        writer.start()
        self._read(link, lines)
        with suppress(OSError):
            link.shutdown(socket.SHUT_RDWR)
        process.wait()
        with self._news:
            self._link = None
            self._news.notify_all()
        writer.join()

    def _read(self, link: socket.socket, lines: list[bytes]) -> None:
        """Gather what phones ask until the page ends."""
        with suppress(OSError, ValueError), link.makefile("rb") as asked:
            for line in asked:
                told = json.loads(line)
                self._asks.put(Ask(told["what"], told["data"], self._replying(told["id"], lines), told["until"]))

    def _replying(self, number: int, lines: list[bytes]) -> Callable[[Mapping[str, Any]], None]:
        def reply(data: Mapping[str, Any]) -> None:
            with self._news:
                lines.append(as_line({"reply": number, "data": data}))
                self._tell()

        return reply

    def _write(self, link: socket.socket, process: subprocess.Popen[bytes], lines: list[bytes]) -> None:
        """Send what there is to tell; where the page does not take it, only this thread waits."""
        while True:
            with self._news:
                self._news.wait_for(lambda: lines or process.poll() is not None)
                if process.poll() is not None:
                    return
                told, self._writing = b"".join(lines), True
                lines.clear()
            try:
                link.sendall(told)
            except OSError:
                return
            finally:
                with self._news:
                    self._writing = False


def as_line(told: Mapping[str, Any]) -> bytes:
    """Encode what is sent to the other end."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
