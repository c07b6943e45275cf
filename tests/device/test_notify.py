"""What systemd hears: ready once, signs of life only while every loop lives, nothing without a socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.app.notify import Notifier, Watchdog


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[tuple[socket.socket, dict[str, str]]]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ours:
        ours.bind(str(tmp_path / "notify"))
        ours.setblocking(False)
        yield ours, {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "20000000"}


def heard(ours: socket.socket) -> list[str]:
    messages = []
    while True:
        try:
            messages.append(ours.recv(4096).decode())
        except BlockingIOError:
            return messages


def test_what_is_said_arrives_and_the_same_status_once(manager: tuple[socket.socket, dict[str, str]]) -> None:
    ours, environment = manager
    notifier = Notifier(environment)
    notifier.report_status("starting")
    notifier.report_status("starting")
    notifier.report_ready()
    notifier.report_status("two\nlines")
    notifier.report_stopping()
    notifier.close()
    notifier.close()
    notifier.report_ready()
    assert heard(ours) == ["STATUS=starting", "READY=1", "STATUS=two lines", "STOPPING=1"]


def test_abstract_sockets_are_reached() -> None:
    name = f"sevenmat-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ours:
        ours.bind("\0" + name)
        Notifier({"NOTIFY_SOCKET": "@" + name}).report_ready()
        assert ours.recv(100) == b"READY=1"


def test_without_a_socket_nothing_is_sent_and_without_a_listener_nothing_breaks(tmp_path: Path) -> None:
    alone = Notifier({"WATCHDOG_USEC": "20000000"})
    alone.report_ready()
    assert alone.watchdog_s is None
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).report_ready()


def test_another_process_s_watchdog_is_not_ours(manager: tuple[socket.socket, dict[str, str]]) -> None:
    _, environment = manager
    assert Notifier(environment).watchdog_s == 20
    assert Notifier({**environment, "WATCHDOG_PID": "1"}).watchdog_s is None
    assert Notifier({**environment, "WATCHDOG_PID": str(os.getpid())}).watchdog_s == 20


def test_the_watchdog_is_fed_only_while_both_loops_live(manager: tuple[socket.socket, dict[str, str]]) -> None:
    ours, environment = manager
    clock = Clock()
    watchdog = Watchdog(Notifier(environment), {"camera": 15.0, "screen": 3.0}, clock)
    for _ in range(10):
        clock.now += 1
        watchdog.beat("camera")
        watchdog.beat("screen")
        watchdog.feed()
    assert heard(ours) == ["WATCHDOG=1"] * 2
    for _ in range(30):
        clock.now += 1
        watchdog.beat("screen")
        watchdog.feed()
    assert watchdog.list_silent() == ("camera",)
    assert heard(ours) == ["WATCHDOG=1"] * 3
    watchdog.beat("camera")
    watchdog.feed()
    assert heard(ours) == ["WATCHDOG=1"]
    clock.now += 4
    watchdog.feed()
    assert watchdog.list_silent() == ("screen",)
    assert heard(ours) == []
    with pytest.raises(KeyError):
        watchdog.beat("lamps")
