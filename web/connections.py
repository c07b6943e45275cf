"""Connections held to a pace and shared out fairly: whoever keeps many of them keeps nobody else out."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from itertools import count
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 400
"""More than the phones of a full room; whoever comes beyond is told to come later."""
_TOLD = 100
"""So many are told at a time; the rest are hung up on."""
HEAD_S = 10.0
"""So long a request's head may take to come, and an answered one's rest to end."""
STALLED_S = 30.0
"""So long a phone may take nothing of what is sent to it; then it is gone."""
FULL = "sevenmat.full"
"""Stands in the state of a request that came by one connection too many."""
_NUMBERS = count()


class PacedProtocol(H11Protocol):
    """A connection that ends where nothing comes, or nothing is taken, for too long.

    Where there are too many, the address with the most of them gives up its oldest for another address's new one.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._number = next(_NUMBERS)
        self._head: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    @property
    def address(self) -> str:
        """Where it comes from."""
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room for it, or have it told that there is none."""
        super().connection_made(transport)
        sock = transport.get_extra_info("socket")
        if sock is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
            # A phone out of reach acknowledges nothing, and too little is sent to it for the buffers to fill.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * STALLED_S))
        self._wait_for_head()
        if len(self.connections) <= MOST:
            return
        there = [one for one in self.connections if isinstance(one, PacedProtocol)]
        held = Counter(one.address for one in there)
        greediest, most = held.most_common(1)[0]
        if most > held[self.address]:
            min((one for one in there if one.address == greediest), key=lambda one: one._number).transport.abort()
        elif len(there) > MOST + _TOLD:
            transport.abort()
        else:
            self.app_state = {**self.app_state, FULL: True}

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        for handle in (self._head, self._stalled):
            if handle is not None:
                handle.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; while nothing is being answered that is a request's head, or the rest of the last one."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._wait_for_head()
        elif self._head is not None:
            self._head.cancel()
            self._head = None

    def _wait_for_head(self) -> None:
        if self._head is None and not self.transport.is_closing():
            self._head = self.loop.call_later(HEAD_S, self.transport.abort)

    def pause_writing(self) -> None:
        """Watch the connection while the phone takes less than is sent to it."""
        super().pause_writing()
        self._watch(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Stop watching the connection once the phone has taken nearly all."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()

    def _watch(self, left: int) -> None:
        def look() -> None:
            now = self.transport.get_write_buffer_size()
            if now >= left:
                self.transport.abort()
            else:
                self._watch(now)

        self._stalled = self.loop.call_later(STALLED_S, look)
