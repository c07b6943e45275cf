"""A service that finds no display says so on the phone that asks, in every language, and hangs on for nobody."""

from __future__ import annotations

import errno
import os
import socket
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

from cli import run as running
from cli.main import main
from device.errors import DeviceError
from web.table_end import address

SHOWN_S = 1.0


@pytest.fixture
def without_display(monkeypatch: pytest.MonkeyPatch) -> None:
    def found_none(*_: object) -> None:
        raise DeviceError("No display was found: connect one <here>.")

    monkeypatch.setattr(running, "_open_display", found_none)
    monkeypatch.setattr(running, "READABLE_S", SHOWN_S)


class Fenced(socket.socket):
    """What a service without a network may have: a socket of its own only from what listens already."""

    def __init__(self, family: int = -1, type: int = -1, proto: int = -1, fileno: int | None = None) -> None:
        if fileno is None and threading.current_thread() is not threading.main_thread():
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        super().__init__(family, type, proto, fileno)


@pytest.fixture
def sock(monkeypatch: pytest.MonkeyPatch) -> socket.socket:
    """Return a socket of the machine's that systemd hands on; the program may open none itself."""
    listens = socket.create_server(("127.0.0.1", 0))
    monkeypatch.setattr(socket, "socket", Fenced)
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", "1")
    monkeypatch.setattr(address, "_HANDED_ON", listens.fileno())
    return listens


@pytest.mark.usefixtures("without_display")
def test_a_phone_is_told_that_there_is_no_display(
    sock: socket.socket, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "settings.toml").write_text("[camera]\nsauce = 'usb'\n")
    done: list[int] = []
    command = ["run", "--service", "--state", str(tmp_path), "--language", "en"]
    program = threading.Thread(target=lambda: done.append(main(command)))
    program.start()
    silent = socket.create_connection(sock.getsockname())  # whoever says nothing keeps nobody waiting
    for method, where in (("GET", "/"), ("GET", "/?key=0123&next=<script>")):
        line = HTTPConnection(*sock.getsockname(), timeout=10)
        line.request(method, where)
        came = line.getresponse()
        said = came.read().decode()
        assert came.status == 503
        assert came.getheader("Content-Security-Policy") == "default-src 'none'"
        assert "No display was found: connect one &lt;here&gt;." in said
        assert "sauce" in said
        assert "自動" in said, "in Japanese too"
        assert "0123" not in said
    program.join(SHOWN_S + 10)
    silent.close()
    assert done == [2], "then systemd starts it anew"
    assert "No display was found" in capsys.readouterr().err


@pytest.mark.usefixtures("without_display")
def test_where_nobody_listens_it_ends_at_once(tmp_path: Path) -> None:
    began = time.monotonic()
    assert main(["run", "--service", "--state", str(tmp_path), "--language", "en"]) == 2
    assert time.monotonic() - began < SHOWN_S


@pytest.mark.usefixtures("without_display", "sock")
def test_by_hand_the_terminal_says_it_at_once(tmp_path: Path) -> None:
    began = time.monotonic()
    assert main(["run", "--state", str(tmp_path), "--language", "en"]) == 2
    assert time.monotonic() - began < SHOWN_S
