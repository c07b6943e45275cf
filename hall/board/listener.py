"""Hears all tables of a hall over the broker; what is to be kept is acknowledged once the database has it.

Events and results come with QoS 1 into a session that the broker keeps while the hall is away. What tables only show
(``online``, ``state``, ``call``) comes with QoS 0: the broker holds the newest of each and sends it again with every
connection, and it goes on coming while the database is away and nothing is acknowledged.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from device.errors import DeviceError, reason_of
from device.table_state import TableState
from device.typed_json import MOST_BYTES, BadMessageError
from hall.board.live import LiveTables
from hall.broker import is_for_its_dates, read_sent_at
from hall.clocks import BUILT, find_end_heard
from hall.messages import NO_CALL, Call, Event, GameResult, Online, Topic, TopicKind, make_topic_filter
from hall.store.store import Arrival, DatabaseAwayError, HallStore
from rules.plain import shorten_line
from rules.text import Text

BATCH, BATCH_S = 500, 0.05
"""So many messages are committed together, or what has come in this time."""
IN_FLIGHT = 1_000
"""So many are sent by the broker before one has to be acknowledged; what is more waits there."""
SESSION_S = 30 * 24 * 3600
"""So long the broker keeps what comes while the hall is away."""
_AGAIN_S, _SOON_S = 1.0, 0.1
_KEEPALIVE_S = 15
_OVERHEAD = 1_000
_LEAVE_S = 5.0
_BRIEF_S, _OFTEN, _TWICE = 5.0, 3, 2
"""Connections as brief as this, so often in a row: somebody else takes the session, which a hall that is new here sees
from two."""
ALONE_S = 4.0
"""So long a hall waits for whoever else has its session, who comes back within a second, before it takes anything."""

_READERS: dict[TopicKind, Callable[[bytes], Any]] = {
    TopicKind.ONLINE: Online.of_bytes,
    TopicKind.STATE: TableState.of_bytes,
    TopicKind.EVENT: Event.of_bytes,
    TopicKind.RESULT: GameResult.of_bytes,
    TopicKind.CALL: Call.of_bytes,
}
BROKER_AWAY = Text("The broker {broker} can't be reached: {reason}. It is tried again.", broker="", reason="")
REFUSED = Text(
    "The broker {broker} refuses the hall: {reason}. Look at its user and at --password-file; it is tried again.",
    broker="",
    reason="",
)
NO_READING = Text("The broker does not let the hall read its tables: see 'sevenmat hall acl'.")
DROPPED_OFTEN = Text(
    "The broker {broker} drops the hall again and again: does another 'sevenmat hall' run for it?", broker=""
)
ANOTHER = Text(
    "Another 'sevenmat hall' runs for this hall at {broker}: this one has taken nothing, and stops.", broker=""
)
CAME_TOO = Text("Another 'sevenmat hall' was started for this hall; this one goes on.")
TAKEN_OVER = "Session taken over"
DATES = Text(
    "The broker {broker} can't be reached: its certificate is not valid at the time that this machine's clock shows, "
    "{shown}. Set the clock, or renew the certificate; it is tried again.",
    broker="",
    shown="",
)
CLOCK = Text(
    "The clock of this machine is wrong: it shows {shown}. Results count for the wrong day until it is set.", shown=""
)
DATABASE_AWAY = Text("{reason} Results wait at the broker until it is back.", reason="")
NOT_CONNECTED = Text("The broker can't be reached now: try again.")


@dataclass(frozen=True, slots=True)
class _Came:
    """A message to be acknowledged: on which connection, its number there, and what it says unless that can't be."""

    connection: int
    mid: int
    arrival: Arrival | None
    ended: datetime | None = None
    """When the game ended, where its table's clock can't be right."""


@dataclass(slots=True)
class _Line:
    """The connection to the broker: its number, since when it stands, and how many brief ones there were before it.

    ``is_let_in``: the broker has not refused the hall. ``is_alone``: no other hall has the session.
    """

    number: int = 0
    since_s: float = 0.0
    brief: int = 0
    is_let_in: bool = False
    is_alone: bool = False

    @property
    def is_brief(self) -> bool:
        """Whether it is so new that it may be another brief one."""
        return time.monotonic() < self.since_s + _BRIEF_S


class HallListener:
    """The hall's end of the broker."""

    def __init__(
        self,
        client: Client,
        broker: str,
        hall: str,
        store: HallStore,
        tables: LiveTables,
        tell: Callable[[Text], None],
        stop: Callable[[DeviceError], None],
    ) -> None:
        """``tell`` says what is wrong and what is well again; ``stop`` is called once the hall can't go on."""
        self._client, self._broker, self._hall = client, broker, hall
        self._store, self._tables, self._tell, self._stop = store, tables, tell, stop
        self._line, self._waited_since = _Line(), tables.heard
        self._answered: dict[str, Call | None] = {}
        self._came: deque[_Came] = deque()
        self._news = threading.Condition()
        self._closing = False
        self._keeper = threading.Thread(target=self._keep, name="hall-keeper", daemon=True)
        client.on_connect, client.on_connect_fail = self._take_connection, self._not_reached
        client.on_disconnect, client.on_subscribe = self._take_disconnection, self._take_subscription
        client.on_message = self._take_message

    def start(self, host: str, port: int) -> None:
        """Listen from now on, and try again whenever the broker is gone."""
        wanted = Properties(PacketTypes.CONNECT)
        wanted.SessionExpiryInterval = SESSION_S
        wanted.ReceiveMaximum = IN_FLIGHT
        wanted.MaximumPacketSize = MOST_BYTES + _OVERHEAD
        self._client.reconnect_delay_set(1, 5)
        self._client.connect_async(host, port, _KEEPALIVE_S, clean_start=False, properties=wanted)
        self._keeper.start()
        self._client.loop_start()

    def close(self) -> None:
        """Keep what has come, and leave; the broker goes on collecting."""
        with self._news:
            self._closing = True
            self._news.notify()
        self._keeper.join(_LEAVE_S)
        self._client.disconnect()
        self._client.loop_stop()

    def somebody_comes(self, table: str) -> None:
        """Take a table's call away, so that it knows that somebody comes.

        Raises:
            DeviceError: the broker can't be reached now.
        """
        if not self._client.is_connected():
            raise DeviceError(NOT_CONNECTED)
        there = self._tables.get(table)
        self._answered[table] = there.call if there is not None else None
        self._take_call_away(table)

    def _take_call_away(self, table: str) -> None:
        topic = Topic(self._hall, table, TopicKind.CALL)
        self._client.publish(str(topic), NO_CALL.to_bytes(), qos=1, retain=True)

    # What the client calls, in its own thread

    def _take_connection(self, client: Client, _: Any, flags: Any, reason: Any, __: Any) -> None:
        self._line.is_let_in = not reason.is_failure
        if reason.is_failure:
            self._say_trouble(REFUSED.refill(broker=self._broker, reason=str(reason)))
            return
        self._line.since_s = time.monotonic()
        waits = datetime.now(UTC) - timedelta(seconds=SESSION_S) if flags.session_present else None
        self._waited_since = self._waited_since or self._tables.heard or waits
        self._tables.ask_anew()
        with self._news:
            self._line.number += 1
            if flags.session_present:
                # What has not been acknowledged on an earlier connection comes again on this one.
                self._came.clear()
            else:
                self._line.is_alone = True  # whoever else had been here would have left a session
        kept = {TopicKind.EVENT, TopicKind.RESULT}
        client.subscribe(
            [
                (make_topic_filter(self._hall, kind), SubscribeOptions(qos=1 if kind in kept else 0))
                for kind in TopicKind
            ]
        )

    def _take_subscription(self, _: Any, __: Any, ___: int, reasons: Sequence[Any], ____: Any) -> None:
        if any(reason.is_failure for reason in reasons):
            self._say_trouble(NO_READING)
            return
        self._tables.note_answering()
        if self._line.brief < _OFTEN:
            self._broker_is_well()

    def _broker_is_well(self) -> None:
        if self._tables.note_well("broker"):
            self._tell(Text("The broker {broker} is there.", broker=self._broker))

    def _not_reached(self, _: Any, __: Any) -> None:
        error = sys.exc_info()[1]
        if is_for_its_dates(error):
            self._say_trouble(DATES.refill(broker=self._broker, shown=datetime.now().strftime("%Y-%m-%d %H:%M")))
            return
        reason = shorten_line(reason_of(error), 200) if isinstance(error, Exception) else "?"
        self._say_trouble(BROKER_AWAY.refill(broker=self._broker, reason=reason))

    def _take_disconnection(self, _: Any, __: Any, ___: Any, reason: Any, ____: Any) -> None:
        if self._closing or not self._line.is_let_in:
            return  # what a broker does that has refused the hall is no news
        self._line.brief = self._line.brief + 1 if self._line.is_brief else 0
        if not self._line.is_alone and (reason == TAKEN_OVER or self._line.brief >= _TWICE):
            # The one that was here first comes back at once, and has whatever this one has heard and not taken.
            self._client.disconnect()
            self._stop(DeviceError(ANOTHER.refill(broker=self._broker)))
        elif self._line.brief >= _OFTEN:
            self._say_trouble(DROPPED_OFTEN.refill(broker=self._broker))
        elif reason == TAKEN_OVER:
            self._say_trouble(CAME_TOO)
        else:
            self._say_trouble(BROKER_AWAY.refill(broker=self._broker, reason=str(reason)))

    def _say_trouble(self, words: Text) -> None:
        if self._tables.note_trouble("broker", words):
            self._tell(words)

    def _take_message(self, _: Any, __: Any, message: MQTTMessage) -> None:
        arrival, ended = None, None
        try:
            topic = Topic.parse(message.topic)
            said = _READERS[topic.kind](bytes(message.payload))
            if isinstance(said, (Event, GameResult)):
                arrival = topic.table, said
                if isinstance(said, GameResult) and not said.withdrawn:
                    sent = read_sent_at(message)
                    ended = find_end_heard(said, sent, datetime.now(UTC), self._waited_since)
                    self._tables.see_clock(topic.table, sent or said.ended, ended is None)
            elif isinstance(said, Call) and said.since is not None and said == self._answered.get(topic.table):
                self._take_call_away(topic.table)  # the table was away when somebody said that they come
            else:
                self._tables.hear(topic.table, said, message.retain)
        except (BadMessageError, UnicodeDecodeError):
            self._tables.drop("payload")
        if message.qos:
            with self._news:
                self._came.append(_Came(self._line.number, message.mid, arrival, ended))
                self._news.notify()

    # What is kept, in a thread of its own

    def _keep(self) -> None:
        while (batch := self._take_batch()) or not self._closing:
            if self._line.brief >= _OFTEN and self._client.is_connected() and not self._line.is_brief:
                self._line.brief = 0
                self._broker_is_well()
            if not batch and self._line.is_alone and not self._line.is_brief:
                self._waited_since = None  # all that had waited at the broker has come
            self._look_at_the_clock()
            arrivals = [one.arrival for one in batch if one.arrival is not None]
            ended = {one.arrival[1]: one.ended for one in batch if one.arrival is not None and one.ended is not None}
            kept = not arrivals or self._keep_insistently(partial(self._take, arrivals, ended))
            notes = self._tables.take_unkept()
            if notes and not self._keep_insistently(partial(self._store.keep_notes, notes)):
                self._tables.keep_again(notes)
            for one in batch if kept else ():
                # On another connection its number means another message, and it comes again by itself.
                if one.connection == self._line.number and self._client.is_connected():
                    self._client.ack(one.mid, 1)

    def _take_batch(self) -> list[_Came]:
        """Return what has come; nothing once the hall is closing, or where nothing has come for a while."""
        with self._news:
            self._news.wait_for(
                lambda: (self._came and self._line.is_alone) or self._closing,
                _AGAIN_S if self._line.is_alone else _SOON_S,
            )
            if not self._line.is_alone:
                self._line.is_alone = self._client.is_connected() and time.monotonic() > self._line.since_s + ALONE_S
                return []
            some, enough = bool(self._came), len(self._came) >= BATCH
        if some and not enough:
            time.sleep(BATCH_S)
        with self._news:
            batch = list(self._came)
            self._came.clear()
        return batch

    def _keep_insistently(self, keep: Callable[[], None]) -> bool:
        """Keep something, however long the database is away. Returns whether it is kept: not where the hall closes."""
        while True:
            try:
                keep()
            except DatabaseAwayError as error:
                self._waited_since = self._waited_since or self._tables.heard
                words = DATABASE_AWAY.refill(reason=error.text)
                if self._tables.note_trouble("database", words):
                    self._tell(words)
            else:
                if self._tables.note_well("database"):
                    self._tell(Text("The database is there again."))
                return True
            with self._news:
                if self._news.wait_for(lambda: self._closing, _AGAIN_S):
                    return False

    def _look_at_the_clock(self) -> None:
        now = datetime.now(UTC)
        if now >= BUILT:
            self._tables.note_well("clock")
        elif self._tables.note_trouble("clock", words := CLOCK.refill(shown=f"{now.astimezone():%Y-%m-%d}")):
            self._tell(words)

    def _take(self, arrivals: Sequence[Arrival], ended: Mapping[Event | GameResult, datetime]) -> None:
        try:
            others = self._store.take(arrivals, ended)
        except ValueError:
            if len(arrivals) > 1:
                for one in arrivals:
                    self._take([one], ended)
            else:
                self._tables.drop("payload")
            return
        for _ in range(others):
            self._tables.drop("other_table")
        if any(isinstance(told, GameResult) for _, told in arrivals):
            self._tables.note_results()
