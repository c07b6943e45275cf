"""A whole program with its page on phones: somebody's hands before it, and requests with its key."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from device.hardware.camera import Picture
from device.hardware.steady import SteadyCamera
from simulator.camera import Lens, SimulatedCamera
from simulator.mat import SimulatedMat
from tests.device.house import House
from vision.errors import MatError
from web.guard import COOKIE
from web.server import answer_phones
from web.table_end.address import PageKey, address_of, listening
from web.table_end.page import TablePage

MAT = (1189.0, 841.0)
_FORM = "application/x-www-form-urlencoded"


class PageThread:
    """The page as a thread of this process, which begins at once: a process loads its packages for a second."""

    returncode = 0

    def __init__(self, state: Path, listening: socket.socket, link: socket.socket) -> None:
        self._link = link.dup()
        self._thread = threading.Thread(target=answer_phones, args=(state, listening.dup(), link.dup()), daemon=True)
        self._thread.start()

    def poll(self) -> int | None:
        return None if self._thread.is_alive() else self.returncode

    def wait(self) -> int:
        self._thread.join()
        self._link.close()
        return self.returncode

    def terminate(self) -> None:
        with suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)

    kill = terminate


class ThreadedPage(TablePage):
    """The page of a table, in such a thread."""

    def _start(self, listening: socket.socket, link: socket.socket) -> Any:
        return PageThread(self.state, listening, link)


class PagedHouse(House):
    """The program with its page."""

    def __init__(self, state: Path, **wishes: Any) -> None:
        super().__init__(state, **wishes)
        self.sock = listening("127.0.0.1", 0)
        self.port = self.sock.getsockname()[1]
        self.page = ThreadedPage(state, self.sock)

    @property
    def address(self) -> str:
        """Where a phone comes in."""
        return address_of(self.sock, PageKey(self.state).value())

    def stop(self) -> None:
        super().stop()
        self.sock.close()

    def begins(self) -> None:
        """Say at the table that all sit right, and wait for the game; its cards are not this house's to lay."""
        self.look = _nothing_there
        self.go_on()
        self.until(lambda _: self.app.session is not None)

    def get(self, address: str, accept: str = "application/json", language: str = "en") -> http.client.HTTPResponse:
        return self._send("GET", address, None, {"Accept": accept, "Accept-Language": language})

    def post(self, address: str, **fields: Any) -> http.client.HTTPResponse:
        told = {key: value if isinstance(value, str) else json.dumps(value) for key, value in fields.items()}
        headers = {"Accept": "application/json", "Content-Type": _FORM}
        return self._send("POST", address, urlencode(told), headers)

    def shown(self, address: str) -> tuple[int, str]:
        """Return the status and the page that a browser gets."""
        answer = self.get(address, "text/html")
        return answer.status, answer.read().decode()

    def send(self, address: str, *fields: tuple[str, str]) -> tuple[int, str]:
        """Send a form as a browser does; the status and the page."""
        kind = {"Content-Type": _FORM, "Accept": "text/html", "Accept-Language": "en"}
        answer = self._send("POST", address, urlencode(fields), kind)
        return answer.status, answer.read().decode()

    def post_json(self, address: str, told: Any) -> tuple[int, Any]:
        """Send JSON; the status, and what comes of it as data."""
        kind = {"Content-Type": "application/json", "Accept": "application/json"}
        answer = self._send("POST", address, json.dumps(told), kind)
        return answer.status, json.load(answer)

    def json(self, address: str) -> Any:
        answer = self.get(address)
        told = json.load(answer)
        assert answer.status == 200, told
        return told

    def json_until(self, address: str, wanted: Callable[[Any], bool], seconds: float = 60.0) -> Any:
        end = time.monotonic() + seconds
        while not wanted(told := self.json(address)):
            assert time.monotonic() < end, str(told)[:1000]
            time.sleep(0.05)
        return told

    def _send(self, method: str, address: str, body: str | None, headers: dict[str, str]) -> http.client.HTTPResponse:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        host = f"127.0.0.1:{self.port}"
        key = f"{COOKIE}_{self.port}={PageKey(self.state).value()}"
        line.request(method, address, body, {"Cookie": key, "Origin": f"http://{host}", **headers})
        return line.getresponse()


class HouseOnMat(PagedHouse):
    """Such a house whose camera sees a mat; ``mat`` is what lies before it."""

    def __init__(self, state: Path, mat_mm: tuple[float, float] = MAT, lens: Lens | None = None, **wishes: Any) -> None:
        super().__init__(state, **wishes)
        self.mat = SimulatedMat(lambda: SimulatedCamera(mat_mm, 3, lens or Lens()))

    def open_camera(self) -> SteadyCamera:
        return SteadyCamera(lambda: self.mat, preview_timeout_s=30, picture_timeout_s=30)


def _nothing_there(_: Picture) -> object:
    raise MatError("No marker was found.")


def may(state: Path, what: str) -> None:
    """Set what phones may do."""
    (state / "settings.toml").write_text(f'[web]\nmay = "{what}"\n')
