"""Sends what a table does to the hall's broker: a process of its own, so whatever it meets, the table plays on.

``python -m device.hall.relay``, started by the table or by ``sevenmat relay``. It reads the journal and a small file in
memory that says what the table shows; it writes what the broker has acknowledged, and how it is itself.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from device.app.hall.folders import ALIVE_S, HallFolders, HallTrouble
from device.errors import DeviceError
from device.hall.acknowledged import Acknowledged
from device.hall.broker import Access, BrokerError, Connection
from device.hall.messages import NO_CALL, BadMessageError, Call, Event, Online, TableState, Topic, TopicKind
from device.hall.outbox import Message, Outbox
from device.settings.broker import BrokerAddress

PASSWORD = "SEVENMAT_HALL_PASSWORD"
"""The password's name in the environment."""
_LOG = logging.getLogger(__name__)
_LOOK_S = 0.2
"""So often the journal and the table are looked at."""
_STATE_S = 0.5
"""The table's state is sent at most so often."""
_KEEP_S = 2.0
"""What was acknowledged is written down at most so often: it is the card on which the journal is written too."""
_LAST_S = 2.0
"""So long what is left to send may take at the end."""
_WAITS_S = {HallTrouble.UNREACHABLE: (1.0, 10.0), HallTrouble.NOBODY: (1.0, 30.0)}
"""How long to wait before the next try, and at most as tries go on failing; seconds."""
_WAITS_LONG_S = (5.0, 60.0)
"""The same for what only people can mend."""


@dataclass(slots=True)
class Retained:
    """What the broker is to have of one topic: what it should, what it has, and what is on its way."""

    pause_s: float = 0.0
    wanted: bytes | None = None
    has: bytes | None = None
    number: int | None = None
    sent: bytes | None = None
    sent_s: float = -1e9

    def due(self, now_s: float) -> bytes | None:
        """What is to be sent now, if anything."""
        ready = self.number is None and now_s - self.sent_s >= self.pause_s
        return self.wanted if ready and self.wanted != self.has else None

    def forget(self) -> None:
        """Another connection begins: what the broker has is not known."""
        self.has, self.number = None, None


@dataclass(slots=True)
class Backoff:
    """How long to wait after each failure in a row; longer each time, and never for all tables alike."""

    wait_s: float = 0.0

    def longer(self, trouble: HallTrouble) -> float:
        """It failed again: seconds to wait."""
        least, most = _WAITS_S.get(trouble, _WAITS_LONG_S)
        self.wait_s = min(most, max(least, 2 * self.wait_s))
        return self.wait_s * random.uniform(0.8, 1.2)

    def reset(self) -> None:
        """It went well."""
        self.wait_s = 0.0


@dataclass
class Relay:
    """What is sent of a table, over one connection after the other.

    ``connect`` makes a connection, ``stopped`` says when to end.
    """

    hall: str
    table: str
    outbox: Outbox
    acknowledged: Acknowledged
    folders: HallFolders
    connect: Callable[[], Connection]
    stopped: Callable[[], bool]
    _retained: Mapping[TopicKind, Retained] = field(init=False)
    _on_its_way: tuple[int, Message] | None = field(default=None, init=False)
    _held_until_s: float = field(default=-1e9, init=False)
    _results_only: bool = field(default=False, init=False)
    """Whether nobody has heard the next event, and somebody may hear a result."""
    _events_unheard: bool = field(default=False, init=False)
    """Whether somebody has heard a result, but nobody events."""
    _told: Mapping[str, object] = field(default_factory=dict, init=False)
    _held: Backoff = field(default_factory=Backoff, init=False)
    _kept_s: float = field(default=-1e9, init=False)
    _said_s: float = field(default=-1e9, init=False)
    _trouble: HallTrouble | None = field(default=None, init=False)
    _disk_full: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._retained = {
            TopicKind.ONLINE: Retained(wanted=Online(True).to_bytes()),
            TopicKind.STATE: Retained(_STATE_S),
            TopicKind.CALL: Retained(wanted=NO_CALL.to_bytes()),
        }

    def run(self) -> None:
        """Send until told to stop."""
        self._keep()
        backoff = Backoff()
        while not self.stopped():
            began_s = time.monotonic()
            try:
                connection = self.connect()
                self._serve(connection)
                self._leave(connection)
            except BrokerError as error:
                self._say(error.trouble, error)
                if time.monotonic() - began_s > _WAITS_LONG_S[1]:
                    backoff.reset()
                self._wait(backoff.longer(error.trouble))
        self._keep()

    def _wait(self, wait_s: float) -> None:
        until_s = time.monotonic() + wait_s
        while not self.stopped() and (left_s := until_s - time.monotonic()) > 0:
            time.sleep(min(_LOOK_S, left_s))
            self._say(self._trouble)

    def _serve(self, connection: Connection) -> None:
        """Send what there is to send until told to stop."""
        self._on_its_way, self._results_only, self._events_unheard = None, False, False
        self._say(None)
        for one in self._retained.values():
            one.forget()
        while not self.stopped():
            self._round(connection)

    def _leave(self, connection: Connection) -> None:
        """Send the rest, say that the table is gone, and go."""
        until_s = time.monotonic() + _LAST_S
        while time.monotonic() < until_s and self._round(connection):
            pass
        online = self._retained[TopicKind.ONLINE]
        online.wanted = Online(False).to_bytes()
        while time.monotonic() < until_s and online.has != online.wanted:
            self._round(connection)
        connection.close()

    def _round(self, connection: Connection) -> bool:
        """Send what is due and hear the broker; whether there was anything to be sent."""
        self._look_at_the_table()
        now_s = time.monotonic()
        busy = self._on_its_way is not None
        for kind, one in self._retained.items():
            if (due := one.due(now_s)) is not None and now_s >= self._held_until_s:
                one.sent, one.sent_s, busy = due, now_s, True
                one.number = connection.publish(self._topic(kind), due, retain=True)
        busy |= self._send_next(connection, now_s)
        for reply in connection.replies(_LOOK_S):
            self._hear(reply.number, reply.refused, reply.heard_by_nobody)
        if time.monotonic() - self._kept_s >= _KEEP_S:
            self._keep()
        self._say(self._trouble)
        return busy

    def _send_next(self, connection: Connection, now_s: float) -> bool:
        """Send the next message of the outbox, one at a time, so that they come in order."""
        if self._on_its_way is not None or now_s < self._held_until_s:
            return False
        message = self.outbox.next(self._results_only)
        if message is None:
            if self._results_only:
                self._hold_back(HallTrouble.NOBODY)
            return False
        kind = TopicKind.EVENT if isinstance(message.told, Event) else TopicKind.RESULT
        number = connection.publish(self._topic(kind), message.told.to_bytes(), retain=False)
        self._on_its_way = number, message
        return True

    def _hear(self, number: int, refused: bool, heard_by_nobody: bool) -> None:
        """Take in the broker's word on what was sent under that number."""
        for one in self._retained.values():
            if one.number == number:
                one.number = None
                if not refused:
                    one.has = one.sent
        if refused:
            self._hold_back(HallTrouble.FORBIDDEN)
        if self._on_its_way is not None and self._on_its_way[0] == number:
            message, self._on_its_way = self._on_its_way[1], None
            if not refused:
                self._taken(message, heard_by_nobody)

    def _taken(self, message: Message, heard_by_nobody: bool) -> None:
        """The broker has taken a message; where nobody has subscribed to it, it is lost unless it is sent again.

        Whoever listens for results alone gets these, and events are no longer kept for anybody.
        """
        is_event = isinstance(message.told, Event)
        if heard_by_nobody and not (is_event and self._events_unheard):
            self._results_only = is_event
            if not is_event:
                self._hold_back(HallTrouble.NOBODY)
            return
        self._events_unheard |= self._results_only
        self._results_only = False
        self.outbox.acknowledge(message)
        self._held.reset()
        self._say(None)

    def _hold_back(self, trouble: HallTrouble) -> None:
        """Try again later."""
        self._results_only = False
        self._held_until_s = time.monotonic() + self._held.longer(trouble)
        self._say(trouble)

    def _look_at_the_table(self) -> None:
        """What the table shows now, and whether it calls."""
        told = self.folders.told()
        if not told or told == self._told:
            return
        self._told = told
        try:
            state = told.get("state")
            if state is not None:
                self._retained[TopicKind.STATE].wanted = TableState.of_bytes(json.dumps(state).encode()).to_bytes()
            call = told.get("call")
            payload = json.dumps(call).encode() if call is not None else b""
            self._retained[TopicKind.CALL].wanted = Call.of_bytes(payload).to_bytes()
        except BadMessageError as error:
            _LOG.warning("what the table shows is not sent: %s", error)

    def _topic(self, kind: TopicKind) -> str:
        return str(Topic(self.hall, self.table, kind))

    def _keep(self) -> None:
        """Write down what was acknowledged; where that can't be, it is tried again, and all goes on."""
        self._kept_s = time.monotonic()
        if not self.acknowledged.unwritten:
            return
        try:
            self.acknowledged.keep()
            full = False
        except (DeviceError, OSError) as error:
            full = True
            if not self._disk_full:
                _LOG.warning("%s (%s)", HallTrouble.DISK_FULL.value, error)
        self._disk_full = full

    def _say(self, trouble: HallTrouble | None, cause: object = "") -> None:
        """Say how it is: to the table from time to time, in the log when that changes."""
        now_s = time.monotonic()
        if trouble is not self._trouble:
            _LOG.warning("%s", f"{trouble.value} ({cause})" if trouble is not None else "in touch with the hall")
        elif now_s - self._said_s < ALIVE_S:
            return
        self._trouble, self._said_s = trouble, now_s
        try:
            self.folders.say(trouble or (HallTrouble.DISK_FULL if self._disk_full else None))
        except OSError as error:
            _LOG.warning("the table can't be told how the hall is: %s", error)


def relay(state: Path, kept: Path, access: Access, hall: str, table: str, folders: HallFolders, parent: int) -> None:
    """Send what a table does until told to stop, or until the process that is its parent ends (0: none)."""
    stop = False

    def told(*_: object) -> None:
        nonlocal stop
        stop = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, told)

    def stopped() -> bool:
        return stop or (parent > 0 and os.getppid() != parent)

    will = str(Topic(hall, table, TopicKind.ONLINE)), Online(False).to_bytes()

    def connect() -> Connection:
        return Connection(access, f"sevenmat/{hall}/{table}", will)

    acknowledged = Acknowledged(kept, hall)
    outbox = Outbox(state, acknowledged)
    Relay(hall, table, outbox, acknowledged, folders, connect, stopped).run()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a relay; its arguments are the table's, so wrong ones are a fault of ours."""
    parser = argparse.ArgumentParser("device.hall.relay")
    for name in ("--state", "--kept", "--table-folder", "--relay-folder"):
        parser.add_argument(name, type=Path, required=True)
    for name in ("--broker", "--hall", "--table"):
        parser.add_argument(name, required=True)
    parser.add_argument("--ca-file")
    parser.add_argument("--parent", type=int, default=0)
    args = parser.parse_args(arguments)
    address = BrokerAddress.of(args.broker)
    if address is None:
        parser.error("no broker")
    logging.basicConfig(format="sevenmat: %(message)s", level=logging.WARNING)
    access = Access(address, os.environ.get(PASSWORD), args.ca_file)
    folders = HallFolders(args.table_folder, args.relay_folder)
    relay(args.state, args.kept, access, args.hall, args.table, folders, args.parent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
