"""A real broker for tests, Debian's Mosquitto, and somebody who listens to all of it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from hall.messages import Topic

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
needs_mosquitto = pytest.mark.skipif(PROGRAM is None, reason="there is no mosquitto here: apt-get install mosquitto")


class Mosquitto:
    """A broker on a port of its own that keeps what it holds over a restart."""

    def __init__(self, folder: Path, more: str = "allow_anonymous true\n") -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._folder, self._more = folder, more
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> None:
        assert PROGRAM is not None
        settings = self._folder / "mosquitto.conf"
        settings.write_text(
            f"listener {self.port} 127.0.0.1\npersistence true\npersistence_location {self._folder}/\n"
            f"autosave_interval 1\nautosave_on_changes true\nmax_queued_messages 1000000\nuser root\n"
            f"log_type all\n{self._more}"
        )
        log = (self._folder / "log").open("ab")
        self._process = subprocess.Popen([PROGRAM, "-c", settings], stdout=log, stderr=log)
        wait_for(self._answers, "the broker answers")

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End it in order, so that it keeps what it holds."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


class Listener:
    """Somebody who takes all that tables say, also what they said while the broker or the listener was away."""

    def __init__(self, port: int, what: str = "sevenmat/#", user: str | None = None, password: str = "") -> None:
        self.heard: list[tuple[Topic, bytes, bool]] = []
        self.messages: list[mqtt.MQTTMessage] = []
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, f"listener-{what}", protocol=mqtt.MQTTv5)
        if user is not None:
            self._client.username_pw_set(user, password)
        self._subscribed = threading.Event()
        self._client.on_message = self._on_message
        self._client.on_connect = lambda client, *_: client.subscribe(what, qos=1)
        self._client.on_subscribe = lambda *_: self._subscribed.set()
        self._client.reconnect_delay_set(1, 1)
        lasting = Properties(PacketTypes.CONNECT)
        lasting.SessionExpiryInterval = 3600
        self._client.connect("127.0.0.1", port, clean_start=False, properties=lasting)
        self._client.loop_start()
        assert self._subscribed.wait(10)

    def _on_message(self, _client: Any, _data: Any, message: mqtt.MQTTMessage) -> None:
        self.messages.append(message)
        self.heard.append((Topic.parse(message.topic), bytes(message.payload), message.retain))

    def of(self, kind: Any) -> list[Any]:
        """Return what was heard of a kind, read by its class."""
        from device.table_state import TableState
        from hall import messages

        classes: dict[str, Any] = {"event": messages.Event, "result": messages.GameResult, "state": TableState}
        known = {**classes, "call": messages.Call, "online": messages.Online}[kind.value]
        return [known.of_bytes(payload) for topic, payload, _ in list(self.heard) if topic.kind is kind]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def wait_for(holds: Callable[[], bool], what: str, most_s: float = 60.0) -> None:
    until = time.monotonic() + most_s
    while not holds():
        assert time.monotonic() < until, f"in vain: {what}"
        time.sleep(0.02)


@contextmanager
def broker(folder: Path, more: str = "allow_anonymous true\n") -> Iterator[Mosquitto]:
    started = Mosquitto(folder, more)
    started.start()
    try:
        yield started
    finally:
        started.stop()
