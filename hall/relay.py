"""Sends what a table does to the hall's broker: a process of its own, so whatever it meets, the table plays on.

``python -m hall.relay``, started by the table or by ``sevenmat relay``. It reads the journal and a small file in
memory that says what the table shows; it writes what the broker has acknowledged, and how it is itself.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import os
import random
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from device.errors import DeviceError
from device.files import read_stamp
from device.settings.broker import BrokerAddress
from device.settings.settings_file import NAME as SETTINGS
from device.settings.settings_file import load_settings
from device.table_state import TableState
from device.typed_json import BadMessageError
from hall.acknowledged import Acknowledged
from hall.broker import Access, BrokerError, Connection, Reply
from hall.messages import NO_CALL, Call, Event, GameResult, Online, Topic, TopicKind
from hall.outbox import Message, Outbox
from hall.table_end.folders import ALIVE_S, PASSWORD, HallFolders, HallTrouble
from rules.text import Text

_LOG = logging.getLogger(__name__)
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
_LOOK_S = 0.2
"""So often the journal and the table are looked at."""
_STATE_S = 0.5
"""The table's state is sent at most so often."""
_HEARD_S = 20.0
"""So often the hall hears of the table at least, though nothing has changed."""
_KEEP_S = 2.0
"""What was acknowledged is written down at most so often: it is the card on which the journal is written too."""
_SURELY_S = 30.0
"""What was acknowledged so lately when a connection is lost is sent again: a broker that is killed takes with it what
it has acknowledged but not yet passed on, and the hall takes everything once."""
_LAST_S = 2.0
"""So long what is left to send may take at the end."""
_WAITS_S = {HallTrouble.UNREACHABLE: (1.0, 10.0), HallTrouble.NOBODY: (1.0, 30.0)}
"""How long to wait before the next try, and at most as tries go on failing; seconds."""
_WAITS_LONG_S = (5.0, 60.0)
"""The same for what only people can mend."""

_SOON_S = 90.0
"""A connection that is lost within this is lost soon."""
_THROWN_OUT = 3
"""Lost soon so often in a row, and had again at once each time: another table of this name takes its place."""


@dataclass(slots=True)
class Retained:
    """What the broker is to have of one topic: what it should, what it has, and what is on its way."""

    pause_s: float = 0.0
    again_s: float = math.inf
    wanted: bytes | None = None
    has: bytes | None = None
    number: int | None = None
    sent: bytes | None = None
    sent_s: float = -math.inf

    def find_due(self, now_s: float) -> bytes | None:
        """Return what is to be sent now, if anything."""
        ago_s = now_s - self.sent_s
        ready = self.number is None and ago_s >= self.pause_s
        return self.wanted if ready and (self.wanted != self.has or ago_s >= self.again_s) else None

    def forget(self) -> None:
        """Another connection begins: what the broker has is not known."""
        self.has, self.number = None, None


@dataclass(slots=True)
class Backoff:
    """A wait after each failure in a row: longer each time, and never for all tables alike."""

    wait_s: float = 0.0
    until_s: float = -math.inf

    @property
    def over(self) -> bool:
        """Whether it may be tried again."""
        return time.monotonic() >= self.until_s

    def wait_longer(self, trouble: HallTrouble) -> None:
        """Wait longer after another failure."""
        least, most = _WAITS_S.get(trouble, _WAITS_LONG_S)
        self.wait_s = min(most, max(least, 2 * self.wait_s))
        self.until_s = time.monotonic() + self.wait_s * random.uniform(0.8, 1.2)


class Delivery:
    """The outbox on its way over one connection: one message at a time, so that they come in order."""

    def __init__(self, outbox: Outbox, hall: str, table: str) -> None:
        self._outbox, self._hall, self._table = outbox, hall, table
        self._on_its_way: tuple[int, Message] | None = None
        self._lately: deque[tuple[float, Message]] = deque()
        self._again: deque[Message] = deque()
        # Nobody has heard the next event: somebody may hear a result.
        self._results_only = False
        # Somebody has heard a result, but nobody events.
        self._events_unheard = False

    def begin(self) -> None:
        """Another connection: what was on its way is sent again, and before it what may not have come anywhere."""
        since_s = time.monotonic() - _SURELY_S
        self._again.extendleft(reversed([message for when_s, message in self._lately if when_s >= since_s]))
        self._lately.clear()
        self._on_its_way, self._results_only, self._events_unheard = None, False, False

    @property
    def busy(self) -> bool:
        """Whether something is on its way."""
        return self._on_its_way is not None

    def send(self, connection: Connection) -> HallTrouble | None:
        """Send the next message, if there is one; why not, where nobody would hear it."""
        message = self._find_next()
        if message is None:
            nobody, self._results_only = self._results_only, False
            return HallTrouble.NOBODY if nobody else None
        kind = TopicKind.EVENT if isinstance(message.told, Event) else TopicKind.RESULT
        topic = str(Topic(self._hall, self._table, kind))
        self._on_its_way = connection.publish(topic, message.told.to_bytes(), retain=False), message
        return None

    def _find_next(self) -> Message | None:
        for message in self._again:
            if not self._results_only or isinstance(message.told, GameResult):
                return message
        return self._outbox.find_next(self._results_only)

    def is_reply(self, reply: Reply) -> bool:
        """Return whether the broker's word is on what is on its way."""
        return self._on_its_way is not None and self._on_its_way[0] == reply.number

    def hear(self, reply: Reply) -> HallTrouble | None:
        """Take in the broker's word on what is on its way; why that is to be sent again, if it is.

        What nobody has subscribed to would be lost, so it is sent again later. Whoever listens for results alone gets
        these, and events are then kept for nobody.
        """
        assert self._on_its_way is not None, "this is a reply to it"
        message, self._on_its_way = self._on_its_way[1], None
        if reply.refused:
            return HallTrouble.FORBIDDEN
        is_event = isinstance(message.told, Event)
        if reply.heard_by_nobody and not (is_event and self._events_unheard):
            self._results_only = is_event
            return None if is_event else HallTrouble.NOBODY
        self._events_unheard |= self._results_only
        self._results_only = False
        self._take(message)
        return None

    def _take(self, message: Message) -> None:
        """Note that the broker has this message, and what came before it."""
        if any(one is message for one in self._again):
            while self._again.popleft() is not message:
                pass
        else:
            self._outbox.acknowledge(message)
        now_s = time.monotonic()
        self._lately.append((now_s, message))
        while self._lately[0][0] < now_s - _SURELY_S:
            self._lately.popleft()


class Health:
    """How the relay is: said to the table from time to time, and in the log when that changes."""

    def __init__(self, folders: HallFolders) -> None:
        self._folders = folders
        self._trouble: HallTrouble | None = None
        self._said_s = -math.inf
        self.disk_full = False
        self._answered: str | None = None

    def is_alive(self) -> None:
        """Say it again, if that is due."""
        if time.monotonic() - self._said_s >= ALIVE_S:
            self._tell()

    def say(self, trouble: HallTrouble | None, cause: object = "") -> None:
        """Say what keeps the relay from the hall, if anything does."""
        if trouble is not self._trouble:
            words = Text("in touch with the hall") if trouble is None else trouble.value
            _LOG.warning("%s", f"{words} ({cause})" if cause else words)
            self._trouble = trouble
            self._tell()

    def answer(self, since: str) -> None:
        """Say that the call since that moment was answered in the hall."""
        self._answered = since
        self._tell()

    def is_answered(self, call: object) -> bool:
        """Return whether this call was."""
        return isinstance(call, Mapping) and call.get("since") == self._answered is not None

    def _tell(self) -> None:
        self._said_s = time.monotonic()
        try:
            self._folders.say(self._trouble or (HallTrouble.DISK_FULL if self.disk_full else None), self._answered)
        except OSError as error:
            _LOG.warning("the table can't be told how the hall is: %s", error)


class Relay:
    """What is sent of a table, over one connection after the other."""

    def __init__(
        self,
        delivery: Delivery,
        acknowledged: Acknowledged,
        folders: HallFolders,
        topic: Callable[[TopicKind], str],
        connect: Callable[[], Connection],
        stopped: Callable[[], bool],
    ) -> None:
        """``connect`` makes a connection, ``topic`` names what the table says there, ``stopped`` says when to end."""
        self._delivery, self._acknowledged, self._folders = delivery, acknowledged, folders
        self._topic, self._connect, self._stopped = topic, connect, stopped
        self._health, self._refused, self._unheard = Health(folders), Backoff(), Backoff()
        self._told: Mapping[str, object] = {}
        self._told_stamp: tuple[int, ...] = ()
        self._kept_s = -math.inf
        self._retained = {
            TopicKind.ONLINE: Retained(again_s=_HEARD_S, wanted=Online(True).to_bytes()),
            TopicKind.STATE: Retained(_STATE_S, _HEARD_S),
            TopicKind.CALL: Retained(wanted=NO_CALL.to_bytes()),
        }

    def run(self) -> None:
        """Send until told to stop."""
        self._keep()
        lost, thrown_out = Backoff(), 0
        while not self._stopped():
            connection, began_s = None, time.monotonic()
            try:
                connection = self._connect()
                self._serve(connection)
                self._leave(connection)
            except BrokerError as error:
                soon = time.monotonic() - began_s < _SOON_S
                thrown_out = thrown_out + 1 if connection is not None and soon else 0
                trouble = HallTrouble.NAMESAKE if thrown_out >= _THROWN_OUT else error.trouble
                lost = lost if soon else Backoff()
                self._wait_for_retry(lost, trouble, error)
        self._keep(older_than_s=0.0)

    def _wait_for_retry(self, lost: Backoff, trouble: HallTrouble, cause: BrokerError) -> None:
        """Say why there is no connection, and wait before the next try."""
        self._health.say(trouble, cause)
        lost.wait_longer(trouble)
        while not self._stopped() and not lost.over:
            time.sleep(_LOOK_S)
            self._health.is_alive()

    def _serve(self, connection: Connection) -> None:
        """Send what there is to send until told to stop."""
        self._delivery.begin()
        for one in self._retained.values():
            one.forget()
        connection.listen(self._topic(TopicKind.CALL))
        while not self._stopped():
            self._round(connection)

    def _leave(self, connection: Connection) -> None:
        """Send the rest, say that the table is gone, and go."""
        until_s = time.monotonic() + _LAST_S
        while self._round(connection) and time.monotonic() < until_s:
            pass
        number = connection.publish(self._topic(TopicKind.ONLINE), Online(False).to_bytes(), retain=True)
        while time.monotonic() < until_s and number not in [
            reply.number for reply in connection.wait_for_replies(_LOOK_S)
        ]:
            pass
        connection.close()

    def _round(self, connection: Connection) -> bool:
        """Send what is due and hear the broker; whether anything was sent or is on its way."""
        self._look_at_the_table()
        if self._refused.over:
            self._send(connection)
        busy = self._delivery.busy or any(one.number is not None for one in self._retained.values())
        for reply in connection.wait_for_replies(_LOOK_S):
            self._hear(reply)
        if NO_CALL.to_bytes() in connection.take_heard():
            self._take_call_away()
        if time.monotonic() - self._kept_s >= _KEEP_S:
            self._keep()
        self._health.is_alive()
        return busy

    def _send(self, connection: Connection) -> None:
        now_s = time.monotonic()
        for kind, one in self._retained.items():
            if (due := one.find_due(now_s)) is not None:
                one.sent, one.sent_s = due, now_s
                payload = _stamp_state(due) if kind is TopicKind.STATE else due
                one.number = connection.publish(self._topic(kind), payload, retain=True)
        if not self._delivery.busy and self._unheard.over:
            self._hold_back(self._delivery.send(connection))

    def _hear(self, reply: Reply) -> None:
        """Take in the broker's word on what was sent."""
        if self._delivery.is_reply(reply):
            self._hold_back(self._delivery.hear(reply))
        else:
            for one in self._retained.values():
                if one.number == reply.number:
                    one.number, one.has = None, one.has if reply.refused else one.sent
                    # The table itself listens to its call: that it is heard says nothing of the hall.
                    if one is self._retained[TopicKind.CALL] and not reply.refused:
                        return
            if reply.refused:
                self._hold_back(HallTrouble.FORBIDDEN)
            elif reply.heard_by_nobody:
                self._health.say(HallTrouble.NOBODY)
        if not reply.refused and not reply.heard_by_nobody:
            self._refused, self._unheard = Backoff(), Backoff()
            self._health.say(None)

    def _take_call_away(self) -> None:
        """Take the call away, as the hall has: somebody comes to the table."""
        call, one = self._told.get("call"), self._retained[TopicKind.CALL]
        if isinstance(call, Mapping) and isinstance(since := call.get("since"), str):
            self._health.answer(since)
            one.wanted = one.has = NO_CALL.to_bytes()

    def _hold_back(self, trouble: HallTrouble | None) -> None:
        """Wait a while, where sending has no use: with all where it is refused, with the outbox where nobody hears."""
        if trouble is not None:
            self._health.say(trouble)
            (self._refused if trouble is HallTrouble.FORBIDDEN else self._unheard).wait_longer(trouble)

    def _look_at_the_table(self) -> None:
        """Note what the table shows now, and whether it calls."""
        stamp = self._folders.read_told_stamp()
        if stamp == self._told_stamp:
            return
        self._told_stamp, told = stamp, self._folders.told()
        if not told or told == self._told:
            return
        self._told = told
        try:
            state = told.get("state")
            if state is not None:
                self._retained[TopicKind.STATE].wanted = TableState.of_bytes(json.dumps(state).encode()).to_bytes()
            call = told.get("call")
            payload = b"" if call is None or self._health.is_answered(call) else json.dumps(call).encode()
            self._retained[TopicKind.CALL].wanted = Call.of_bytes(payload).to_bytes()
        except BadMessageError as error:
            _LOG.warning("what the table shows is not sent: %s", error)

    def _keep(self, older_than_s: float = _SURELY_S) -> None:
        """Write down what was acknowledged so long ago; where that can't be, it is tried again, and all goes on.

        Where the plug of broker and table is pulled, what the broker had taken last may be gone with it.
        """
        self._kept_s = time.monotonic()
        try:
            if self._acknowledged.unwritten:
                self._acknowledged.keep(older_than_s)
            self._health.disk_full = False
        except (DeviceError, OSError) as error:
            if not self._health.disk_full:
                _LOG.warning("%s (%s)", HallTrouble.DISK_FULL.value, error)
            self._health.disk_full = True


def _stamp_state(state: bytes) -> bytes:
    """Return a table's state as it is at this moment."""
    return replace(TableState.of_bytes(state), at=datetime.now(UTC)).to_bytes()


class SettingsWatch:
    """Tells when a table's settings name another hall than they did."""

    def __init__(self, state: Path) -> None:
        self._state, self._stamp = state, read_stamp(state / SETTINGS)
        self._hall = load_settings(state).hall

    def is_otherwise(self) -> bool:
        """Return whether they do by now; settings that can't be read say nothing."""
        stamp = read_stamp(self._state / SETTINGS)
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        with suppress(DeviceError):
            return load_settings(self._state).hall != self._hall
        return False


def relay(
    state: Path,
    kept: Path,
    access: Access,
    hall: str,
    table: str,
    folders: HallFolders,
    parent: int,
    has_moved: Callable[[], bool] = lambda: False,
) -> None:
    """Send what a table does until told to stop, its parent's process has ended (0: none), or it is in another hall."""
    stop = False

    def told(*_: object) -> None:
        nonlocal stop
        stop = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, told)

    def orphaned() -> bool:
        return parent > 0 and os.getppid() != parent

    def topic(kind: TopicKind) -> str:
        return str(Topic(hall, table, kind))

    def connect() -> Connection:
        return Connection(access, f"sevenmat/{hall}/{table}", (topic(TopicKind.ONLINE), Online(False).to_bytes()))

    acknowledged = Acknowledged(kept, hall)
    delivery = Delivery(Outbox(state, acknowledged), hall, table)
    Relay(delivery, acknowledged, folders, topic, connect, lambda: stop or orphaned() or has_moved()).run()
    if orphaned():
        folders.forget()  # whoever made them was killed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a relay; its arguments are the table's, so wrong ones are a fault of ours."""
    parser = argparse.ArgumentParser("hall.relay")
    for name in ("--state", "--kept", "--table-folder", "--relay-folder"):
        parser.add_argument(name, type=Path, required=True)
    for name in ("--broker", "--hall", "--table"):
        parser.add_argument(name, required=True)
    parser.add_argument("--ca-file")
    parser.add_argument("--certificate")
    parser.add_argument("--parent", type=int, default=0)
    parser.add_argument("--while-set", action="store_true")
    args = parser.parse_args(arguments)
    address = BrokerAddress.parse(args.broker)
    if address is None:
        parser.error("no broker")
    logging.basicConfig(format="sevenmat: %(message)s", level=logging.WARNING)
    access = Access(address, os.environ.get(PASSWORD), args.ca_file, args.certificate)
    folders = HallFolders(args.table_folder, args.relay_folder)
    watch, moved = SettingsWatch(args.state) if args.while_set else None, []

    def has_moved() -> bool:
        if watch is not None and watch.is_otherwise():
            moved.append(True)
        return bool(moved)

    relay(args.state, args.kept, access, args.hall, args.table, folders, args.parent, has_moved)
    if moved:
        # In place of this one comes that of the hall that the table is in now; the password was the old one's.
        from hall.service import send_to_hall

        os.environ.pop(PASSWORD, None)
        try:
            return send_to_hall(args.state, None, None)
        except DeviceError as error:
            _LOG.warning("%s", error)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
