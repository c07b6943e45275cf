"""A table of the load generator: it plays games from records and says so to the broker, over one connection.

What it has made and the broker has not taken is its outbox: it is sent again after an outage, in order, as a real
table's relay does from the journal.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

from hall.broker import Access, Reply
from hall.messages import NO_CALL, Call, Event, GameResult, Online, Topic, TopicKind
from simulator.hall.played_games import PlayedGame
from simulator.hall.table_connection import TableConnection

_WINDOW: Final = 20
"""Messages that may wait for the broker's word at once."""
_AGAIN_S: Final = (0.5, 2.5)
"""How long a table waits before it connects again: any time between, so that not all come at once."""
_SURELY_S: Final = 30.0
"""What the broker took within so long before it was lost is sent again: killed, it may have passed it on to nobody."""
_UNTAKEN_S: Final = 2.0
"""What the broker did not take, though it answered, is sent again after so long."""
_STATE_EVERY_S: Final = 0.5
_HEARD_S: Final = 20.0
"""So often a table is heard at least."""
_CALLS: Final = 1 / 600
"""Of so many changes one is followed by a call of the director, which stands so long:"""
_CALL_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Manner:
    """How a table sends. All but the first two are faults, to see what a hall makes of them.

    ``rate``: changes a second. ``games``: so many are played, without end where ``None``. ``outbox``: what the broker
    has not taken is kept and sent again; without it that is forgotten. ``twice``: each message is sent
    once more, some messages later. ``shuffled``: messages overtake each other. ``clock_off_s``: how many seconds the
    table's clock is ahead; ``clock_set_s``: how many it is put forward in the middle of each game.
    """

    rate: float = 1.0
    games: int | None = None
    outbox: bool = True
    twice: bool = False
    shuffled: bool = False
    clock_off_s: float = 0.0
    clock_set_s: float = 0.0


@dataclass(slots=True)
class Sent:
    """What tables have made and what came of it."""

    result: Callable[[str, GameResult], None]
    """Called with every result that is made, and its table's name."""
    changes: int = 0
    results: int = 0
    taken: int = 0
    """Messages that the broker has taken."""
    untaken: int = 0
    """Messages that it would not take, or had nobody for; they were sent again."""
    connections: int = 0


@dataclass(frozen=True, slots=True)
class _Message:
    kind: TopicKind
    payload: bytes


class MadeMessages:
    """What a table has made, in order, until the broker has surely taken it."""

    def __init__(self, manner: Manner, chance: Random) -> None:
        self._manner, self._chance = manner, chance
        self._waiting: deque[_Message] = deque()
        self._flying: dict[int, _Message] = {}
        self._refused: list[_Message] = []
        self._taken: deque[tuple[float, _Message]] = deque()

    @property
    def all_taken(self) -> bool:
        """Whether the broker has taken everything."""
        return not self._waiting and not self._flying and not self._refused

    def add(self, message: _Message) -> None:
        """Add a message that was made; the table's manner has where it comes."""
        self._waiting.append(message)
        if self._manner.twice:
            self._waiting.insert(self._chance.randint(0, len(self._waiting)), message)
        if self._manner.shuffled:
            self._chance.shuffle(self._waiting)

    def forget(self) -> None:
        """Forget what waits to be sent."""
        self._waiting.clear()

    def take_next(self, held: int) -> _Message | None:
        """Return what is to be sent now; nothing where much is under way, some was refused, or only ``held`` wait."""
        free = len(self._flying) < _WINDOW and not self._refused
        return self._waiting.popleft() if free and len(self._waiting) > held else None

    def note_sent(self, number: int, message: _Message) -> None:
        """Note that a message is under way by that number."""
        self._flying[number] = message

    @property
    def refused(self) -> bool:
        """Whether the broker has not taken something, which waits to be sent ``again``."""
        return bool(self._refused)

    def take_answer(self, number: int, taken: bool, now_s: float) -> bool:
        """Note whether the broker has taken a message; return whether it is one of these."""
        message = self._flying.pop(number, None)
        if message is not None and taken:
            self._taken.append((now_s, message))
            while self._taken[0][0] < now_s - _SURELY_S:
                self._taken.popleft()
        elif message is not None and self._manner.outbox:
            self._refused.append(message)
        return message is not None

    def queue_refused(self) -> None:
        """Queue again what was not taken."""
        self._waiting.extendleft(reversed(self._refused))
        self._refused.clear()

    def queue_lost(self, now_s: float) -> None:
        """Queue again, since the connection is lost, all that has not surely come anywhere."""
        if not self._manner.outbox:
            self._flying.clear()
            return
        taken = [message for when_s, message in self._taken if when_s >= now_s - _SURELY_S]
        self._waiting.extendleft(reversed((*taken, *self._refused, *self._flying.values())))
        self._taken.clear()
        self._refused.clear()
        self._flying.clear()


class PlayingTable:
    """Plays one game after the other; all calls are made in the event loop's thread.

    ``connecting`` runs what waits for the network while it connects.
    """

    def __init__(
        self,
        access: Access,
        hall: str,
        name: str,
        games: Iterator[PlayedGame],
        chance: Random,
        manner: Manner,
        sent: Sent,
        connecting: Executor,
    ) -> None:
        self._name, self._sent = name, sent
        self._chance, self._manner = chance, manner
        self._whims = Random(chance.getrandbits(64))  # when people move must not change what they play
        self._topics = {kind: str(Topic(hall, name, kind)) for kind in TopicKind}
        callbacks = self._take_connection, self._take_answer, self._lose_connection
        online = self._topics[TopicKind.ONLINE]
        self._line = TableConnection(access, f"sevenmat/{hall}/{name}", online, connecting, *callbacks)
        self._made = MadeMessages(manner, self._whims)
        self._newest: dict[TopicKind, bytes] = {}
        """What the broker keeps of this table, by kind, as far as it has yet to be sent."""
        self._kept: dict[TopicKind, bytes] = {}
        self._shown_at = 0.0
        self._changes = self._play(games)
        self._playing = True
        self._loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Sit down: connect, and play the first change within a change's time."""
        self._line.open()
        self._loop.call_later(_HEARD_S, self._say_still_there)
        self._loop.call_later(self._whims.uniform(0, 1 / self._manner.rate), self._change)

    def stop(self) -> None:
        """Play no more; what is in the outbox is still sent."""
        self._playing = False
        self._pump()

    @property
    def plays(self) -> bool:
        """Whether there is more to play."""
        return self._playing

    @property
    def done(self) -> bool:
        """Whether it plays no more, and all that it made was taken."""
        return not self._playing and self._made.all_taken

    def leave(self) -> None:
        """Say that the table is gone, and disconnect; what is left in the outbox is lost."""
        self.stop()
        if self._line.is_open:
            self._line.publish(self._topics[TopicKind.ONLINE], Online(False).to_bytes(), retain=True)
        self._line.close()

    def _say_still_there(self) -> None:
        """Say again that the table is there."""
        if self._line.is_open:
            self._line.publish(self._topics[TopicKind.ONLINE], Online(True).to_bytes(), retain=True)
            self._line.flush()
        self._loop.call_later(_HEARD_S, self._say_still_there)

    # Playing

    def _change(self) -> None:
        if not self._playing:
            return
        self._playing = next(self._changes, None) is not None
        self._pump()
        # Any time around a change's: people do not move by the clock, and tables not all at once.
        self._loop.call_later(self._whims.uniform(0.5, 1.5) / self._manner.rate, self._change)

    def _play(self, games: Iterator[PlayedGame]) -> Iterator[bool]:
        """Yield for each change of each game, once it is in the outbox."""
        for number, game in enumerate(games):
            if number == self._manner.games:
                return
            game_id, began = f"{self._chance.getrandbits(128):032x}", self._read_clock(0.0)
            for n, line in enumerate(game.lines):
                ahead = self._manner.clock_set_s if 2 * n > len(game.lines) else 0.0
                self._made.add(_Message(TopicKind.EVENT, Event(game_id, n, line).to_bytes()))
                self._newest[TopicKind.STATE] = game.stamp_state(
                    n, self._read_clock(ahead).isoformat(timespec="milliseconds")
                ).encode()
                self._sent.changes += 1
                if n == len(game.lines) - 1:
                    result = game.make_result(game_id, began, self._read_clock(ahead))
                    self._sent.results += 1
                    self._sent.result(self._name, result)
                    self._made.add(_Message(TopicKind.RESULT, result.to_bytes()))
                if self._whims.random() < _CALLS:
                    self._call()
                yield True

    def _call(self) -> None:
        """Call the director, who comes after a while."""
        self._newest[TopicKind.CALL] = Call(self._read_clock(0.0), "").to_bytes()
        self._loop.call_later(_CALL_S, self._take_call_away)

    def _take_call_away(self) -> None:
        self._newest[TopicKind.CALL] = NO_CALL.to_bytes()
        self._pump()

    def _read_clock(self, ahead_s: float) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self._manner.clock_off_s + ahead_s)

    # Sending

    def _pump(self) -> None:
        """Send what there is, as far as the broker may have it before it answers."""
        if not self._line.is_open:
            if not self._manner.outbox:
                self._made.forget()
            return
        self._show()
        held = _WINDOW if self._manner.shuffled and self._playing else 0
        while (message := self._made.take_next(held)) is not None:
            self._made.note_sent(self._line.publish(self._topics[message.kind], message.payload), message)
        self._line.flush()

    def _show(self) -> None:
        """Have the broker keep the newest state, twice a second at most, and whether somebody is called."""
        for kind, payload in tuple(self._newest.items()):
            wait_s = self._shown_at + _STATE_EVERY_S - self._loop.time() if kind is TopicKind.STATE else 0.0
            if wait_s > 0:
                self._loop.call_later(wait_s, self._pump)
                continue
            self._kept[kind] = self._newest.pop(kind)
            if kind is TopicKind.STATE:
                self._shown_at = self._loop.time()
            self._line.publish(self._topics[kind], payload, retain=True)

    def _take_connection(self) -> None:
        """Send all that was not taken first, in order; the broker may have forgotten what it kept."""
        self._sent.connections += 1
        self._newest = {**self._kept, **self._newest}
        self._pump()

    def _take_answer(self, reply: Reply) -> None:
        refused, taken = self._made.refused, not (reply.refused or reply.heard_by_nobody)
        if not self._made.take_answer(reply.number, taken, self._loop.time()):
            return  # a state, which a newer one follows
        self._sent.taken += taken
        self._sent.untaken += not taken
        if self._made.refused and not refused:
            self._loop.call_later(_UNTAKEN_S, self._send_again)
        self._pump()

    def _send_again(self) -> None:
        self._made.queue_refused()
        self._pump()

    def _lose_connection(self) -> None:
        self._made.queue_lost(self._loop.time())
        self._loop.call_later(self._whims.uniform(*_AGAIN_S), self._line.open)
