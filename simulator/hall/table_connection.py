"""A table's connection to the broker within asyncio: paho's client, one socket each, no thread that waits for it.

A thousand tables in one process would be a thousand threads with paho's own loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, Final

import paho.mqtt.client as mqtt
from paho.mqtt.reasoncodes import ReasonCode

from hall.broker import Access, Reply
from hall.messages import Online

_KEEPALIVE_S: Final = 20
_LOOK_S: Final = 5.0
"""How often it is looked whether the broker still answers."""


class TableConnection:
    """One connection after the other to the broker, each with its own client, so that nothing is left of the last one.

    ``opened`` and ``lost`` are called as it comes and goes, ``answered`` with the broker's word on each message;
    all in the event loop's thread. ``connecting`` runs what waits for the network.
    """

    def __init__(
        self,
        access: Access,
        name: str,
        online: str,
        connecting: Executor,
        opened: Callable[[], None],
        answered: Callable[[Reply], None],
        lost: Callable[[], None],
    ) -> None:
        self._access, self._name, self._online, self._connecting = access, name, online, connecting
        self._opened, self._answered, self._lost = opened, answered, lost
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        self._client: mqtt.Client | None = None
        self._writing = False
        self.is_open = False
        """Whether the broker has said welcome."""

    def open(self) -> None:
        """Begin to connect; ``opened`` or ``lost`` is called with what comes of it."""
        self._client = client = self._new_client()
        connecting = self._loop.run_in_executor(self._connecting, self._connect, client)
        connecting.add_done_callback(
            lambda done: self._take_refusal(client) if done.exception() else self._look(client)
        )

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> int:
        """Send a message, with ``flush``; returns the number by which ``answered`` is called."""
        assert self._client is not None, "it is open"
        return self._client.publish(topic, payload, 1, retain).mid

    def flush(self) -> None:
        """Write what was published, as far as the network takes it."""
        client = self._client
        if client is None or client.socket() is None:
            return
        client.loop_write()
        sock = client.socket()
        if sock is not None and client.want_write() and not self._writing:
            self._loop.add_writer(sock, self.flush)
            self._writing = True
        elif sock is not None and self._writing and not client.want_write():
            self._loop.remove_writer(sock)
            self._writing = False

    def close(self) -> None:
        """Say good-bye; nothing is called any more."""
        client, self._client, self.is_open = self._client, None, False
        if client is not None:
            client.on_disconnect = None
            client.disconnect()
            client.loop_write()

    def _new_client(self) -> mqtt.Client:
        client = self._access.make_client(self._name)
        client.max_inflight_messages_set(0)  # who publishes counts them
        client.will_set(self._online, Online(False).to_bytes(), 1, retain=True)
        client.on_connect, client.on_disconnect, client.on_publish = (
            self._on_connect,
            self._on_disconnect,
            self._on_publish,
        )
        client.on_socket_open, client.on_socket_close = self._on_socket_open, self._on_socket_close
        client.on_socket_register_write = lambda *_: None  # whoever publishes flushes
        client.suppress_exceptions = False
        return client

    def _connect(self, client: mqtt.Client) -> None:
        """Wait for the network, in another thread."""
        client.connect(self._access.address.host, self._access.address.port, _KEEPALIVE_S, clean_start=True)

    def _take_refusal(self, client: mqtt.Client) -> None:
        if client is self._client:
            self._client = None
            self._lost()

    def _look(self, client: mqtt.Client) -> None:
        """Keep the connection alive, or notice that it is not."""
        if client is self._client:
            client.loop_misc()
            self.flush()
            self._loop.call_later(_LOOK_S, self._look, client)

    def _read(self, client: mqtt.Client) -> None:
        client.loop_read()
        sock = client.socket()
        while sock is not None and hasattr(sock, "pending") and sock.pending():
            client.loop_read()
            sock = client.socket()
        self.flush()

    # What paho calls

    def _on_socket_open(self, client: mqtt.Client, _: Any, sock: Any) -> None:
        """Note the open socket, in another thread or in the event loop's."""
        self._loop.call_soon_threadsafe(self._loop.add_reader, sock, self._read, client)

    def _on_socket_close(self, client: mqtt.Client, _: Any, sock: Any) -> None:
        if threading.get_ident() == self._thread:
            self._loop.remove_reader(sock)
            self._loop.remove_writer(sock)
            self._writing = False

    def _on_connect(self, client: mqtt.Client, _: Any, __: Any, reason: ReasonCode, ___: Any) -> None:
        if client is self._client and not reason.is_failure:
            self.is_open = True
            client.publish(self._online, Online(True).to_bytes(), 1, retain=True)
            self._loop.call_soon(self._tell_opened, client)

    def _on_disconnect(self, client: mqtt.Client, *_: Any) -> None:
        if client is self._client:
            self._client, self.is_open = None, False
            self._lost()

    def _on_publish(self, client: mqtt.Client, _: Any, number: int, reason: ReasonCode, __: Any) -> None:
        self._loop.call_soon(self._tell_answered, client, Reply(number, reason.value))

    # What is told once paho, which holds a lock while it calls, can be called again

    def _tell_opened(self, client: mqtt.Client) -> None:
        if client is self._client:
            self._opened()

    def _tell_answered(self, client: mqtt.Client, reply: Reply) -> None:
        if client is self._client:
            self._answered(reply)
