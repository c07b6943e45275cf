"""Where the page listens: a socket that systemd hands on, what the settings say, and none without its packages."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import pytest

from cli.run import RunOptions, _open_page
from device.settings.values import Settings, WebSettings
from rules.text import Language
from tests.web.test_table_page import until
from web.table_end import process
from web.table_end.address import NO_NETWORK
from web.table_end.process import NO_EXTRA

RUN = [sys.executable, "-u", "-m", "cli.main", "run", "--simulated", "--headless", "--language", "en"]
UNSHARE = shutil.which("unshare")
ISOLATED = [UNSHARE or "", "--net"]
can_isolate = (
    UNSHARE is not None and subprocess.run([*ISOLATED, "true"], capture_output=True, check=False).returncode == 0
)
"""A network of its own, as PrivateNetwork= gives; root may."""


@contextmanager
def handed_on(state: Path, *words: str, before: list[str] | None = None) -> Iterator[tuple[socket.socket, IO[str]]]:
    """Run the program with a listening socket as systemd hands it on; yield the socket, and what the program prints."""
    with socket.create_server(("", 0)) as sock:
        argv = [*(before or []), *RUN, "--state", str(state), *words]
        script = f'exec 3<&{sock.fileno()}; LISTEN_FDS=1 LISTEN_FDNAMES=page LISTEN_PID=$$ exec "$@"'
        running = subprocess.Popen(
            ["bash", "-c", script, "bash", *argv], pass_fds=[sock.fileno()], stdout=subprocess.PIPE, text=True
        )
        assert running.stdout is not None
        try:
            yield sock, running.stdout
        finally:
            running.kill()  # nothing is kept of it, and it may be learning a deck
            running.wait(60)
            running.stdout.close()


def status(port: int, address: str) -> int:
    line = HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", address)
    return line.getresponse().status


@pytest.mark.slow  # tests/systemd/test_service.py, test_phone_menu.py
@pytest.mark.parametrize(
    "before",
    [[], pytest.param(ISOLATED, marks=pytest.mark.skipif(not can_isolate, reason="may make no network of its own"))],
    ids=["shared", "private"],
)
def test_a_socket_that_is_handed_on_is_answered_and_its_network_known(before: list[str], tmp_path: Path) -> None:
    with handed_on(tmp_path, before=before) as (sock, said):
        address = urlsplit(said.readline().removeprefix("page ").strip())
        port = sock.getsockname()[1]
        assert address.port == port
        assert status(port, f"/?{address.query}") == 303
        assert status(port, "/") == 401
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))
                assert address.hostname == probe.getsockname()[0]
            except OSError:
                pytest.skip("this machine is in no network")


@pytest.mark.slow  # test_a_socket_that_is_handed_on_is_answered_and_its_network_known
def test_the_services_own_socket_waits_for_the_menu_or_the_setting(tmp_path: Path) -> None:
    with handed_on(tmp_path, "--service") as (sock, _):
        line = HTTPConnection("127.0.0.1", sock.getsockname()[1], timeout=8)
        line.request("GET", "/")
        with pytest.raises(TimeoutError):
            line.getresponse()
    (tmp_path / "settings.toml").write_text('[web]\nlisten = "7777"\n')
    with handed_on(tmp_path, "--service") as (sock, said):
        assert said.readline().startswith("page http://")
        assert status(sock.getsockname()[1], "/") == 401


def test_a_service_without_its_socket_says_what_brings_phones_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> socket.socket:
        raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")

    monkeypatch.setattr("web.table_end.address.socket.socket", refused)
    page, said = _open_page(options(tmp_path), Settings(web=WebSettings("7777")))
    assert (page.address, said) == (None, NO_NETWORK)


def options(state: Path, web: tuple[str, int] | None = None) -> RunOptions:
    return RunOptions(state, Language.EN, web=web)


def test_a_page_that_cannot_be_opened_as_set_is_told_and_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = "{}:{}".format(*taken.getsockname())
        page, said = _open_page(options(tmp_path), Settings(web=WebSettings(place)))
        assert page.address is None
        assert said is not None
        assert said.said(Language.EN).startswith(f"The page can't be reached at {place}: ")
    monkeypatch.setattr(process, "find_spec", lambda name: None)
    page, said = _open_page(options(tmp_path), Settings(web=WebSettings("127.0.0.1:0")))
    assert (page.address, said) == (None, NO_EXTRA)


def test_a_page_is_off_by_default_and_open_where_the_settings_say(tmp_path: Path) -> None:
    page, said = _open_page(options(tmp_path), Settings())
    assert (page.address, said) == (None, None)
    page, said = _open_page(options(tmp_path), Settings(web=WebSettings("127.0.0.1:0")))
    assert page.address is not None
    until(lambda: status(urlsplit(page.address).port or 0, "/") == 401)  # type: ignore[type-var]
    page.close()


@pytest.mark.slow  # test_hall_command.py: without its packages
@pytest.mark.parametrize(
    "words",
    [("run", "--simulated", "--headless", "--web", "0"), ("demo", "--headless", "--web", "0"), ("web", "0")],
    ids=["run", "demo", "web"],
)
def test_without_the_packages_a_command_says_so_in_one_sentence(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['starlette'] = None\n")
    place = f"{tmp_path}{os.pathsep}{os.getcwd()}"
    argv = [sys.executable, "-m", "cli.main", *words, "--language", "en"]
    argv += ["--state", str(tmp_path / "state")] if words[0] != "demo" else []
    done = subprocess.run(
        argv, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, "PYTHONPATH": place}
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"sevenmat: {NO_EXTRA.said(Language.EN)}\n"
