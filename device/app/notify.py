"""What the service tells systemd: that it is ready, what it is doing, and that both of its loops still live.

The protocol is sd_notify(3): datagrams to the socket named in ``NOTIFY_SOCKET``. Where there is no such socket (any
start by hand) nothing is sent.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping


class Notifier:
    """Speaks to the service manager that started us, if one did.

    Raises:
        ValueError: ``WATCHDOG_USEC`` is no number.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the zero byte of Linux's abstract sockets.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if address else None
        self._status = ""
        ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        limit = int(environment.get("WATCHDOG_USEC", "0")) / 1e6
        self.watchdog_s: float | None = limit if address and ours and limit > 0 else None
        """How long the service manager waits for a sign of life before it restarts us; None where it does not."""

    def report_ready(self) -> None:
        """Report that the first screen is shown: whoever waits for the service may go on."""
        self._send("READY=1")

    def note_alive(self) -> None:
        """Both loops have shown life since the last time."""
        self._send("WATCHDOG=1")

    def report_status(self, text: str) -> None:
        """One line for ``systemctl status``; the same line is sent once."""
        if text != self._status:
            self._status = text
            self._send("STATUS=" + text.replace("\n", " "))

    def report_stopping(self) -> None:
        """Report that the service ends on purpose."""
        self._send("STOPPING=1")

    def close(self) -> None:
        """Let go of the socket; closing twice does no harm."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, message: str) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError:
            # The service manager is being restarted itself. A lost message must not end the game; a lost sign of
            # life is followed by the next.
            return


class Watchdog:
    """Feeds the service manager's watchdog, but only while every loop it watches has shown life.

    ``beat`` is called by the loops, each with its own name; ``feed`` by whichever loop comes round most often. A loop
    that hangs stops beating, the feeding stops, and the service manager starts us anew.
    """

    def __init__(self, notifier: Notifier, loops: Mapping[str, float], clock: Callable[[], float]) -> None:
        """``loops`` names the loops and for how many seconds each may be silent."""
        self._notifier = notifier
        self._clock = clock
        self._patience = dict(loops)
        self._beats = dict.fromkeys(loops, clock())
        self._fed: float | None = None

    def beat(self, loop: str) -> None:
        """Note that this loop lives."""
        if loop not in self._beats:
            raise KeyError(f"no loop is called {loop!r}")
        self._beats[loop] = self._clock()

    def list_silent(self) -> tuple[str, ...]:
        """List the loops that have been silent for too long."""
        now = self._clock()
        return tuple(loop for loop, patience in self._patience.items() if now - self._beats[loop] > patience)

    def feed(self) -> None:
        """Tell the service manager that all is well, if it is, and as often as it wants to know."""
        every = self._notifier.watchdog_s
        now = self._clock()
        if every is None or (self._fed is not None and now - self._fed < every / 4) or self.list_silent():
            return
        self._fed = now
        self._notifier.note_alive()
