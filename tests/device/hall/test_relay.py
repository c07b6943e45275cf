"""What the relay sends of a table, with a real broker: every entry, in order, whatever is killed in between."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from device.app.hall.folders import HallFolders
from device.app.hall.place import HallPlace
from device.app.hall.process import relay_arguments
from device.hall.messages import Event, TopicKind, record_of, sum_of
from device.session.retelling import history_of
from device.settings.broker import BrokerAddress
from device.speech import Language
from device.storage.journal import GameLog, Journal
from device.storage.opening import Result
from referee.history import Entry
from tests.device.hall.mosquitto import Listener, Mosquitto, broker, needs_mosquitto, wait_for
from tests.device.test_games import OPENING, played

pytestmark = needs_mosquitto
GAME = played(3)


class Table:
    """A table with its journal, and the relay that sends what is in it."""

    def __init__(self, folder: Path, url: str, name: str = "テーブル七", password: str = "") -> None:
        self.state, self.kept = folder / "state", folder / "kept"
        self.folders = HallFolders(folder / "table", folder / "relay")
        for one in (self.state, self.kept, self.folders.table, self.folders.relay):
            one.mkdir(parents=True, exist_ok=True)
        address = BrokerAddress.of(url)
        assert address is not None
        self._command = relay_arguments(self.state, self.kept, HallPlace(address, "Café", name), self.folders)
        self._environment = {**os.environ, "SEVENMAT_HALL_PASSWORD": password}
        self.log = folder / "relay.log"
        self.journal = Journal.open(self.state)
        self.relay: subprocess.Popen[bytes] | None = None

    def start(self, *more: str) -> None:
        with self.log.open("ab") as log:
            self.relay = subprocess.Popen([*self._command, *more], stderr=log, env=self._environment)
        # Games that had ended when the hall was switched on are none of its.
        wait_for(lambda: bool(list(self.kept.glob("*/since.json"))), "the relay knows where it began")

    def signal(self, number: int) -> None:
        assert self.relay is not None
        self.relay.send_signal(number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        assert self.relay is not None
        self.relay.wait()

    def stop(self) -> int:
        self.signal(signal.SIGTERM)
        assert self.relay is not None
        return self.relay.wait(10)

    def begin(self) -> GameLog:
        return self.journal.begin(OPENING, Language.EN)

    def end(self, log: GameLog) -> None:
        position = history_of(self.journal.game(log.game), log.entries).now.position
        assert position.outcome is not None
        log.end(Result(position.outcome.points, position.outcome.winners))

    def play(self, entries: Sequence[Entry] = GAME) -> GameLog:
        log = self.begin()
        for entry in entries:
            log.append(entry)
        self.end(log)
        return log

    def record(self, game: int) -> list[str]:
        return history_of(self.journal.game(game), self.journal.entries(game)).record()

    def close(self) -> None:
        if self.relay is not None and self.relay.poll() is None:
            self.relay.kill()
            self.relay.wait()
        self.journal.close()


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with broker(tmp_path / "broker") as started:
        yield started


@pytest.fixture
def hall(mosquitto: Mosquitto) -> Iterator[Listener]:
    listener = Listener(mosquitto.port)
    yield listener
    listener.close()


@pytest.fixture
def table(tmp_path: Path, mosquitto: Mosquitto) -> Iterator[Table]:
    made = Table(tmp_path / "table", mosquitto.url)
    yield made
    made.close()


def in_order(events: Sequence[Event]) -> list[Event]:
    """A game's events as a hall takes them, each once; that none came before another that it follows is asserted."""
    taken: dict[int, Event] = {}
    for event in events:
        assert taken.setdefault(event.n, event) == event, "the same number says the same"
        assert event.n == 0 or event.n - 1 in taken, "in order"
    return [taken[n] for n in sorted(taken)]


def games_of(events: Sequence[Event]) -> dict[str, list[Event]]:
    games: dict[str, list[Event]] = {}
    for event in events:
        games.setdefault(event.game_id, []).append(event)
    return {game_id: in_order(of_game) for game_id, of_game in games.items()}


def is_whole(hall: Listener, table: Table, numbers: Sequence[int]) -> bool:
    """Whether all of these games were heard as the journal has them, and how they ended."""
    told = [record_of(event.line for event in events) for events in games_of(hall.of(TopicKind.EVENT)).values()]
    sums = {result.record_sha256 for result in hall.of(TopicKind.RESULT)}
    records = [table.record(number) for number in numbers]
    return told == records and {sum_of(record) for record in records} <= sums


def test_a_game_is_told_entry_by_entry_and_how_it_ended(table: Table, hall: Listener) -> None:
    table.start()
    log = table.begin()
    for n, entry in enumerate(GAME[:5], 1):
        log.append(entry)
        wait_for(lambda n=n: len(hall.of(TopicKind.EVENT)) == n + 1, "the entry is told while the game goes on", 5)
    for entry in GAME[5:]:
        log.append(entry)
    table.end(log)
    wait_for(lambda: is_whole(hall, table, [log.game]), "the whole game is told")
    (result,), (events,) = hall.of(TopicKind.RESULT), games_of(hall.of(TopicKind.EVENT)).values()
    outcome = history_of(table.journal.game(log.game), log.entries).now.position.outcome
    assert outcome is not None
    assert (result.game, result.players, result.points) == ("laminate", OPENING.players, outcome.points)
    assert {seat for seat, place in enumerate(result.places, 1) if place == 1} == set(outcome.winners)
    assert result.game_id == events[0].game_id
    assert result.began <= result.ended
    assert len(events) == len(GAME) + 1
    assert [topic.table for topic, _, _ in hall.heard] == ["テーブル七"] * len(hall.heard)
    assert not any(retained for topic, _, retained in hall.heard if not topic.kind.retained)
    assert table.stop() == 0


def test_turns_taken_back_and_games_that_go_on_after_their_end(table: Table, hall: Listener) -> None:
    table.start()
    log = table.play()
    wait_for(lambda: is_whole(hall, table, [log.game]), "the game is told")
    for entry in (Entry("undo"), Entry("redo")):
        log.append(entry)
    table.end(log)
    wait_for(lambda: len(hall.of(TopicKind.RESULT)) == 2 and is_whole(hall, table, [log.game]), "told again")
    first, second = hall.of(TopicKind.RESULT)
    assert first.game_id == second.game_id
    assert first.ended < second.ended
    assert first.record_sha256 != second.record_sha256


def test_results_of_one_game_end_later_each_whatever_the_clock_says(
    table: Table, hall: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.start()
    times = iter(["2026-11-26T20:00:00.000+00:00"] * (len(GAME) + 2) + ["1999-01-01T00:00:00.000+00:00"] * 3)
    monkeypatch.setattr("device.storage.journal._now", lambda: next(times))
    log = table.play()
    for entry in (Entry("undo"), Entry("redo")):
        log.append(entry)
    table.end(log)
    wait_for(lambda: len(hall.of(TopicKind.RESULT)) == 2, "both are told")
    first, second = hall.of(TopicKind.RESULT)
    assert first.began < first.ended < second.ended


def test_what_the_broker_missed_is_sent_when_it_is_back(table: Table, hall: Listener, mosquitto: Mosquitto) -> None:
    table.start()
    wait_for(lambda: bool(hall.of(TopicKind.ONLINE)), "the table is there")
    log = table.begin()
    for at, entry in enumerate(GAME):
        if at % 9 == 3:
            mosquitto.kill()
        log.append(entry)
        if at % 9 == 8:
            mosquitto.start()
            time.sleep(0.3)
    if len(GAME) % 9 in range(4, 9):
        mosquitto.start()
    table.end(log)
    wait_for(lambda: is_whole(hall, table, [log.game]), "the whole game is told", 60)


@pytest.mark.parametrize("seed", range(4))
def test_a_relay_killed_at_any_moment_loses_nothing(table: Table, hall: Listener, seed: int) -> None:
    from random import Random

    chance = Random(seed)
    table.start()
    numbers = []
    for _ in range(2):
        log = table.begin()
        numbers.append(log.game)
        for entry in GAME:
            log.append(entry)
            if chance.random() < 0.12:
                time.sleep(chance.uniform(0, 0.5))
                table.kill()
                table.start()
        table.end(log)
    wait_for(lambda: is_whole(hall, table, numbers), "both games are told", 60)
    time.sleep(2.5)
    table.kill()
    heard = len(hall.of(TopicKind.EVENT))
    table.start()
    wait_for(lambda: hall.of(TopicKind.ONLINE)[-1].online, "the relay is there again")
    time.sleep(1)
    assert len(hall.of(TopicKind.EVENT)) == heard, "what is acknowledged is not sent again"
