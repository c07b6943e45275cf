"""A whole program at a table of the test's own, with its page; a phone asks it as any phone does."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from device.app.page.address import PageKey, address_of, listening
from device.app.page.process import PageProcess
from device.hardware.camera import Picture
from device.web.guard import COOKIE
from tests.device.house import House
from vision.errors import MatError


class HouseWithPage(House):
    """The program in a thread of its own, somebody before it, and its page for phones."""

    def __init__(self, state: Path, may: str = "help", **wishes: object) -> None:
        super().__init__(state, **wishes)  # type: ignore[arg-type]
        (state / "settings.toml").write_text(f'[web]\nmay = "{may}"\n')
        self.sock = listening("127.0.0.1", 0)
        self.port = self.sock.getsockname()[1]
        self.page = PageProcess(state, self.sock)

    @property
    def address(self) -> str:
        """Where phones come in, with the key."""
        return address_of(self.sock, PageKey(self.state).value())

    def stop(self) -> None:
        """End the program and its page."""
        super().stop()
        self.sock.close()

    def begins(self) -> None:
        """Say at the table that all sit right, and wait for the game; its cards are not this house's to lay."""
        self.look = _nothing_there
        self.go_on()
        self.until(lambda _: self.app.session is not None)

    def get(self, address: str, accept: str = "application/json") -> tuple[int, str]:
        """What a phone is answered: status and body."""
        return self._send("GET", address, None, {"Accept": accept})

    def told(self, address: str = "/start.json") -> Any:
        """What an address answers as data."""
        status, body = self.get(address)
        assert status == 200, body
        return json.loads(body)

    def post(self, address: str, told: Any) -> tuple[int, Any]:
        """Send JSON."""
        status, body = self._send("POST", address, json.dumps(told), {"Content-Type": "application/json"})
        return status, json.loads(body)

    def send(self, address: str, *fields: tuple[str, str]) -> tuple[int, str]:
        """Send a form as a browser does."""
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html", "Accept-Language": "en"}
        return self._send("POST", address, urlencode(fields), kind)

    def _send(self, method: str, address: str, body: str | None, headers: dict[str, str]) -> tuple[int, str]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        own = {"Cookie": f"{COOKIE}={PageKey(self.state).value()}", "Origin": f"http://127.0.0.1:{self.port}"}
        line.request(method, address, body, {**own, **headers})
        answer = line.getresponse()
        return answer.status, answer.read().decode()


def _nothing_there(_: Picture) -> object:
    raise MatError("No marker was found.")
