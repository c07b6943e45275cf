"""What the relay sends of a table, with a real broker: every entry, in order, whatever is killed in between."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from device.session.retelling import history_of
from device.settings.broker import BrokerAddress
from device.settings.settings_file import change_settings
from device.speech import Language
from device.storage.journal import GameLog, Journal
from device.storage.opening import Result
from device.table_state import TableState
from hall.acknowledged import Acknowledged
from hall.board.live import HEARD_FOR
from hall.broker import Reply, read_sent_at
from hall.messages import Event, Topic, TopicKind, hash_record, make_record
from hall.outbox import Outbox
from hall.relay import Delivery, Relay
from hall.store.store import Chosen
from hall.table_end.folders import HallFolders, HallTrouble
from hall.table_end.place import HallPlace
from hall.table_end.process import relay_command
from referee.history import Entry
from tests.cli.test_games import OPENING, played
from tests.hall.mosquitto import Listener, Mosquitto, broker, needs_mosquitto, wait_for
from tests.hall.test_hall_listener import hall as hall_at
from tests.hall.test_messages import STATE

pytestmark = needs_mosquitto
GAME = played(3)


class Table:
    """A table with its journal, and the relay that sends what is in it."""

    def __init__(self, folder: Path, url: str, name: str = "テーブル七", password: str = "") -> None:
        self.state, self.kept = folder / "state", folder / "kept"
        self.folders = HallFolders(folder / "table", folder / "relay")
        for one in (self.state, self.kept, self.folders.table, self.folders.relay):
            one.mkdir(parents=True, exist_ok=True)
        address = BrokerAddress.parse(url)
        assert address is not None
        self.command = relay_command(self.state, self.kept, HallPlace(address, "Café", name), self.folders)
        self._environment = {**os.environ, "SEVENMAT_HALL_PASSWORD": password}
        self.log = folder / "relay.log"
        self.journal = Journal.open(self.state)
        self.relay: subprocess.Popen[bytes] | None = None

    def start(self, *more: str) -> None:
        with self.log.open("ab") as log:
            self.relay = subprocess.Popen([*self.command, *more], stderr=log, env=self._environment)
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
        position = history_of(self.journal.read_game(log.game), log.entries).now.position
        assert position.outcome is not None
        log.end(Result(position.outcome.points, position.outcome.winners))

    def play(self, entries: Sequence[Entry] = GAME) -> GameLog:
        log = self.begin()
        for entry in entries:
            log.append(entry)
        self.end(log)
        return log

    def record(self, game: int) -> list[str]:
        return history_of(self.journal.read_game(game), self.journal.read_entries(game)).write_record()

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
    """Return a game's events as a hall takes them, each once; assert that none came before one that it follows."""
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
    """Return whether all of these games were heard as the journal has them, and how they ended."""
    told = [make_record(event.line for event in events) for events in games_of(hall.of(TopicKind.EVENT)).values()]
    sums = {result.record_sha256 for result in hall.of(TopicKind.RESULT)}
    records = [table.record(number) for number in numbers]
    return told == records and {hash_record(record) for record in records} <= sums


def test_a_game_is_told_entry_by_entry_and_how_it_ended(table: Table, hall: Listener) -> None:
    table.start()
    log = table.begin()
    for n, entry in enumerate(GAME[:5], 1):
        log.append(entry)
        wait_for(lambda n=n: len(hall.of(TopicKind.EVENT)) == n + 1, "the entry is told while the game goes on", 20)
    for entry in GAME[5:]:
        log.append(entry)
    table.end(log)
    wait_for(lambda: is_whole(hall, table, [log.game]), "the whole game is told")
    (result,), (events,) = hall.of(TopicKind.RESULT), games_of(hall.of(TopicKind.EVENT)).values()
    outcome = history_of(table.journal.read_game(log.game), log.entries).now.position.outcome
    assert outcome is not None
    assert (result.game, result.players, result.points) == ("laminate", OPENING.players, outcome.points)
    assert {seat for seat, place in enumerate(result.places, 1) if place == 1} == set(outcome.winners)
    assert result.game_id == events[0].game_id
    assert result.began <= result.ended
    assert len(events) == len(GAME) + 1
    assert [topic.table for topic, _, _ in hall.heard] == ["テーブル七"] * len(hall.heard)
    assert not any(retained for topic, _, retained in hall.heard if not topic.kind.retained)
    assert table.stop() == 0


@pytest.mark.slow  # test_outbox.py
def test_turns_taken_back_and_games_that_go_on_after_their_end(table: Table, hall: Listener) -> None:
    table.start()
    log = table.play()
    wait_for(lambda: is_whole(hall, table, [log.game]), "the game is told")
    for entry in (Entry("undo"), Entry("redo")):
        log.append(entry)
    table.end(log)
    wait_for(lambda: len(hall.of(TopicKind.RESULT)) == 3 and is_whole(hall, table, [log.game]), "told again")
    first, back, second = hall.of(TopicKind.RESULT)
    assert back == replace(first, ended=back.ended, withdrawn=True)
    assert first.game_id == second.game_id
    assert first.ended < back.ended < second.ended
    assert first.record_sha256 != second.record_sha256
    assert not second.withdrawn
    sent = [read_sent_at(message) for message in hall.messages if message.topic.endswith("/result")]
    assert all(when is not None and abs(datetime.now(UTC) - when) < timedelta(minutes=5) for when in sent)


@pytest.mark.slow  # test_outbox.py
def test_results_of_one_game_end_later_each_whatever_the_clock_says(
    table: Table, hall: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.start()
    times = iter(["2026-11-26T20:00:00.000+00:00"] * (len(GAME) + 2) + ["1999-01-01T00:00:00.000+00:00"] * 3)
    monkeypatch.setattr("device.storage.journal._stamp_now", lambda: next(times))
    log = table.play()
    for entry in (Entry("undo"), Entry("redo")):
        log.append(entry)
    table.end(log)
    wait_for(lambda: len(hall.of(TopicKind.RESULT)) == 3, "all are told")
    first, back, second = hall.of(TopicKind.RESULT)
    assert first.began < first.ended < back.ended < second.ended


@pytest.mark.slow  # test_hall_store.py, test_outbox.py
def test_a_table_renamed_in_mid_game_loses_nothing_and_its_result_can_be_taken_back(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    table = Table(tmp_path / "table", mosquitto.url, "T4")
    with hall_at(mosquitto.port, tmp_path) as here:

        def played() -> list[tuple[str, str]]:
            return [(game.table, game.record_sha256) for game in here.store.list_results(Chosen())]

        def entries() -> int:
            with here.store._engine.connect() as connection:
                return int(connection.exec_driver_sql("SELECT COUNT(*) FROM entry").scalar_one())

        try:
            table.start()
            log = table.begin()
            for entry in GAME[:6]:
                log.append(entry)
            wait_for(lambda: entries() == 7, "the hall has the first part")
            table.stop()
            table.command = ["Window" if word == "T4" else word for word in table.command]
            table.start()
            for entry in GAME[6:]:
                log.append(entry)
            table.end(log)
            wait_for(lambda: played() == [("Window", hash_record(table.record(log.game)))], "the game is whole")
            assert entries() == len(GAME) + 1
            log.append(Entry("undo"))
            wait_for(lambda: not played(), "its result is taken back")
            log.append(Entry("redo"))
            table.end(log)
            wait_for(lambda: played() == [("Window", hash_record(table.record(log.game)))], "it has ended after all")
            assert not here.tables.dropped
            assert here.tables.wrong_clocks == {}
        finally:
            table.close()


class QuietBroker:
    """A broker that takes everything at once, and a clock that its client waits for."""

    def __init__(self) -> None:
        self.now_s, self.sent, self._new = 0.0, [], []  # type: ignore[var-annotated]

    def publish(self, topic: str, payload: bytes, retain: bool) -> int:
        assert retain
        self.sent.append((self.now_s, Topic.parse(topic).kind, payload))
        self._new.append(Reply(len(self.sent), 0))
        return len(self.sent)

    def wait_for_replies(self, timeout_s: float) -> list[Reply]:
        self.now_s += timeout_s
        replies, self._new = self._new, []
        return replies

    def take_heard(self) -> list[bytes]:
        return []

    def listen(self, topic: str) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize("shown", [True, False], ids=["a game", "nothing shown"])
def test_a_table_at_rest_is_heard_thrice_before_it_counts_as_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: bool
) -> None:
    there = QuietBroker()
    monkeypatch.setattr("hall.relay.time", SimpleNamespace(monotonic=lambda: there.now_s))
    folders, acknowledged = HallFolders(tmp_path, tmp_path), Acknowledged(tmp_path, "Café")
    if shown:
        folders.tell(json.loads(replace(STATE, at=STATE.at - timedelta(days=3)).to_bytes()), None)
    delivery = Delivery(Outbox(tmp_path, acknowledged), "Café", "T1")
    connect, topic = cast(Any, lambda: there), partial(_topic, "Café", "T1")
    Relay(delivery, acknowledged, folders, topic, connect, lambda: there.now_s > 300).run()
    for kind in [TopicKind.ONLINE, *([TopicKind.STATE] if shown else [])]:
        times = [now_s for now_s, one, _ in there.sent if one is kind]
        assert max(after - before for before, after in pairwise(times)) <= HEARD_FOR.total_seconds() / 3
        assert len(times) < 20
    for state in (TableState.of_bytes(payload) for _, kind, payload in there.sent if kind is TopicKind.STATE):
        assert abs(datetime.now(UTC) - state.at) < timedelta(minutes=5), "it is so now"
        assert replace(state, at=STATE.at) == STATE


def _topic(hall: str, table: str, kind: TopicKind) -> str:
    return str(Topic(hall, table, kind))


@pytest.mark.slow  # test_outbox.py, test_hall_faults.py
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


@pytest.mark.slow  # test_outbox.py ends it at every moment
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 10))])
def test_a_relay_killed_at_any_moment_loses_nothing(table: Table, hall: Listener, seed: int) -> None:
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
    table.stop()  # after a kill what was acknowledged last comes once more, as the broker may be gone with it
    heard = len(hall.of(TopicKind.EVENT))
    table.start()
    wait_for(lambda: hall.of(TopicKind.ONLINE)[-1].online, "the relay is there again")
    time.sleep(1)
    assert len(hall.of(TopicKind.EVENT)) == heard, "what is acknowledged is not sent again"


def test_a_relay_that_stands_still_keeps_nobody_waiting(table: Table, hall: Listener) -> None:
    table.start()
    log = table.begin()
    wait_for(lambda: len(hall.of(TopicKind.EVENT)) == 1, "the game is told")
    table.signal(signal.SIGSTOP)
    for entry in GAME:
        log.append(entry)
    table.end(log)
    assert len(hall.of(TopicKind.EVENT)) == 1, "the whole game was written down meanwhile"
    table.signal(signal.SIGCONT)
    wait_for(lambda: is_whole(hall, table, [log.game]), "the rest is told once it goes on", 60)


@pytest.mark.slow  # test_outbox.py
def test_games_that_had_ended_before_are_not_told_and_the_one_that_goes_on_is(table: Table, hall: Listener) -> None:
    table.play()
    going_on = table.begin()
    for entry in GAME[:7]:
        going_on.append(entry)
    table.start()
    wait_for(lambda: len(hall.of(TopicKind.EVENT)) == 8, "the game that goes on is told from its beginning")
    for entry in GAME[7:]:
        going_on.append(entry)
    table.end(going_on)
    wait_for(lambda: is_whole(hall, table, [going_on.game]), "that game alone is told")
    table.stop()
    table.journal.resume(1).append(Entry("undo"))
    table.start()
    wait_for(lambda: len(games_of(hall.of(TopicKind.EVENT))) == 2, "so is an old one that goes on now")


@pytest.mark.slow  # test_outbox.py
def test_nothing_more_is_told_of_a_game_that_was_deleted(table: Table, hall: Listener, mosquitto: Mosquitto) -> None:
    table.start()
    mosquitto.kill()
    deleted = table.play()
    table.journal.delete(deleted.game)
    kept = table.play()
    mosquitto.start()
    wait_for(lambda: is_whole(hall, table, [kept.game]), "the other game is told", 60)


@pytest.mark.slow  # test_outbox.py
def test_a_game_with_other_names_is_the_same_game(table: Table, hall: Listener) -> None:
    table.start()
    log = table.play()
    wait_for(lambda: is_whole(hall, table, [log.game]), "the game is told")
    time.sleep(2.5)
    table.stop()
    heard = len(hall.of(TopicKind.EVENT))
    table.journal.rename("Banach", "Stefan")
    table.start()
    later = table.play()
    wait_for(lambda: len(games_of(hall.of(TopicKind.EVENT))) == 2, "the next game is told")
    wait_for(lambda: len(hall.of(TopicKind.RESULT)) == 2, "and how it ended")
    assert len(hall.of(TopicKind.EVENT)) == heard + len(later.entries) + 1


@pytest.mark.slow  # test_outbox.py
def test_a_game_whose_acknowledged_turns_damage_took_goes_on_as_another(table: Table, hall: Listener) -> None:
    table.start()
    log = table.begin()
    for entry in GAME[:12]:
        log.append(entry)
    wait_for(lambda: len(hall.of(TopicKind.EVENT)) == 13, "told")
    time.sleep(2.5)
    table.stop()
    table.journal.close()
    for path in (table.state / folder / "00001.jsonl" for folder in ("journal", "journal-copy")):
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:9]))
    table.journal = Journal.open(table.state)
    table.start()
    again = table.journal.resume(1)
    for entry in GAME[8:]:
        again.append(entry)
    table.end(again)
    wait_for(lambda: bool(hall.of(TopicKind.RESULT)), "its end is told")
    games = games_of(hall.of(TopicKind.EVENT))
    (result,) = hall.of(TopicKind.RESULT)
    assert len(games) == 2
    assert hash_record(make_record(event.line for event in games[result.game_id])) == result.record_sha256


@pytest.mark.slow  # test_outbox.py
def test_what_nobody_hears_is_sent_once_somebody_does(table: Table, mosquitto: Mosquitto) -> None:
    table.start()
    log = table.play()
    wait_for(lambda: table.folders.said() is HallTrouble.NOBODY, "the table knows that nobody listens")
    hall = Listener(mosquitto.port)
    try:
        wait_for(lambda: is_whole(hall, table, [log.game]), "all of it is told", 60)
        wait_for(lambda: table.folders.said() is None, "and the table knows")
    finally:
        hall.close()


@pytest.mark.slow  # test_a_game_is_told_entry_by_entry_and_how_it_ended
def test_whoever_listens_for_results_alone_gets_them(table: Table, mosquitto: Mosquitto) -> None:
    hall = Listener(mosquitto.port, "sevenmat/+/+/result")
    try:
        table.start()
        table.play()
        table.play()
        wait_for(lambda: len(hall.of(TopicKind.RESULT)) == 2, "both results", 60)
    finally:
        hall.close()


@pytest.mark.slow  # test_desk.py
def test_the_state_comes_at_most_twice_a_second_and_the_newest_last(table: Table, hall: Listener) -> None:
    table.start()
    state = json.loads(STATE.to_bytes())
    began = time.monotonic()
    for turn in range(40):
        table.folders.tell({**state, "turn": turn}, {"since": "2026-11-26T20:00:00+00:00", "why": "規則"})
        time.sleep(0.05)
    wait_for(lambda: bool(hall.of(TopicKind.STATE)) and hall.of(TopicKind.STATE)[-1].turn == 39, "the newest")
    assert 3 <= len(hall.of(TopicKind.STATE)) <= 2 * (time.monotonic() - began) + 1
    assert hall.of(TopicKind.CALL)[-1].why == "規則"
    table.folders.tell({**state, "mood": 7}, None)
    wait_for(lambda: "not sent" in table.log.read_text(), "a state that can't be is not sent")
    table.folders.tell(state, None)
    wait_for(lambda: hall.of(TopicKind.CALL)[-1].since is None, "somebody has come")
    table.stop()
    wait_for(lambda: not hall.of(TopicKind.ONLINE)[-1].online, "the table is gone")
    table.start()
    wait_for(lambda: hall.of(TopicKind.ONLINE)[-1].online, "the table is back")
    table.kill()
    wait_for(lambda: not hall.of(TopicKind.ONLINE)[-1].online, "the last will")


def test_a_call_that_the_hall_takes_away_is_answered_at_the_table(table: Table, hall: Listener) -> None:
    first, second = ({"since": f"2026-11-26T20:0{n}:00+00:00", "why": "規則"} for n in "01")

    def calls() -> list[bytes]:
        return [payload for one, payload, _ in list(hall.heard) if one.kind is TopicKind.CALL]

    table.start()
    table.folders.tell(None, first)
    wait_for(lambda: bool(calls()) and b"20:00:00" in calls()[-1], "the table calls")
    (topic, *_), *_ = [one for one in hall.heard if one[0].kind is TopicKind.CALL]
    hall._client.publish(str(topic), b"", qos=1, retain=True)
    wait_for(lambda: table.folders.answered() == first["since"], "the table is told that somebody comes")
    table.folders.tell(None, {**first})
    time.sleep(0.6)
    assert calls()[-1] == b"", "a call that was answered is not made again"
    table.folders.tell(None, second)
    wait_for(lambda: b"20:01:00" in calls()[-1], "another one is")


def test_what_was_acknowledged_can_not_be_noted_on_a_full_disk(table: Table, hall: Listener) -> None:
    table.kept.rmdir()
    table.kept.symlink_to("/dev/full")
    with table.log.open("ab") as log:
        table.relay = subprocess.Popen(table.command, stderr=log, env=os.environ)
    wait_for(lambda: table.folders.said() is HallTrouble.DISK_FULL, "it is said")
    log_of = table.play()
    wait_for(lambda: is_whole(hall, table, [log_of.game]), "all is sent")
    heard = len(hall.of(TopicKind.EVENT))
    time.sleep(1)
    assert len(hall.of(TopicKind.EVENT)) == heard, "once, as long as the relay runs"
    table.kept.unlink()
    table.kept.mkdir()
    wait_for(lambda: table.folders.said() is None, "it is noted once there is room")


def _users(folder: Path, acl: str) -> str:
    passwords = folder / "passwords"
    for user, new in (("table", ["-c"]), ("board", [])):
        subprocess.run(["mosquitto_passwd", *new, "-b", passwords, user, f"of {user}"], check=True)
    (folder / "acl").write_text(acl)
    return f"allow_anonymous false\npassword_file {passwords}\nacl_file {folder / 'acl'}\n"


ACL = "user table\ntopic write sevenmat/Café/Table 1/#\nuser board\ntopic read sevenmat/#\n"


@pytest.mark.parametrize(
    ("name", "password", "trouble"),
    [
        # test_a_game_is_told_entry_by_entry_and_how_it_ended
        pytest.param("Table 1", "of table", None, marks=pytest.mark.slow),
        ("Table 1", "wrong", HallTrouble.REFUSED),
        ("Table 2", "of table", HallTrouble.FORBIDDEN),
    ],
)
def test_a_broker_that_lets_nobody_in_or_nothing_be_said(
    tmp_path: Path, name: str, password: str, trouble: HallTrouble | None
) -> None:
    (tmp_path / "broker").mkdir()
    with broker(tmp_path / "broker", _users(tmp_path / "broker", ACL)) as started:
        hall = Listener(started.port, user="board", password="of board")
        table = Table(tmp_path / "table", started.url.replace("//", "//table@"), name, password)
        try:
            table.start()
            log = table.play()
            if trouble is None:
                wait_for(lambda: is_whole(hall, table, [log.game]), "the game is told")
                assert table.folders.said() is None
            else:
                wait_for(lambda: table.folders.said() is trouble, "the table knows why")
                time.sleep(1)
                assert [topic for topic, _, _ in hall.heard] == []
                assert table.log.read_text().count(str(trouble.value)) == 1, "once, not at every try"
            arguments = " ".join(Path(f"/proc/{table.relay.pid}/cmdline").read_text().split("\0"))  # type: ignore[union-attr]
            assert password not in arguments
        finally:
            table.close()
            hall.close()


@pytest.mark.slow  # test_place.py
def test_two_tables_of_one_name_are_told_so(tmp_path: Path, table: Table, mosquitto: Mosquitto) -> None:
    other = Table(tmp_path / "other", mosquitto.url)
    try:
        table.start()
        wait_for(lambda: table.folders.said() in (None, HallTrouble.NOBODY), "the first is there")
        other.start()
        wait_for(lambda: table.folders.said() is HallTrouble.NAMESAKE, "the first says that there is another")
    finally:
        other.close()


AUTHORITY = """
[ca]
default_ca = hall
[hall]
database = index
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
"""


def _certificates(folder: Path, name: str, years: tuple[int, int]) -> str:
    """Make a hall's own authority, ``hall.pem``, and a certificate of its broker for that name and these years."""
    (folder / "authority").write_text(AUTHORITY)
    (folder / "index").touch()
    new = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    authority = [*new, "-x509", "-keyout", "ca.key", "-out", "hall.pem", "-subj", "/CN=Hall", "-days", "2"]
    asked = [*new, "-keyout", "key.pem", "-out", "asked.pem", "-subj", "/CN=Broker"]
    asked += ["-addext", f"subjectAltName={name}"]
    signed = ["openssl", "ca", "-batch", "-config", "authority", "-keyfile", "ca.key", "-cert", "hall.pem", "-notext"]
    signed += ["-in", "asked.pem", "-out", "cert.pem"]
    signed += ["-startdate", f"{years[0]}0101000000Z", "-enddate", f"{years[1]}0101000000Z"]
    for command in (authority, asked, signed):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return f"allow_anonymous true\ncertfile {folder}/cert.pem\nkeyfile {folder}/key.pem\n"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "years", "known", "trouble"),
    [
        ("IP:127.0.0.1", (2020, 2090), True, HallTrouble.NOBODY),
        ("IP:127.0.0.1", (2020, 2090), False, HallTrouble.UNTRUSTED),
        ("DNS:elsewhere", (2020, 2090), True, HallTrouble.UNTRUSTED),
        ("IP:127.0.0.1", (2020, 2021), True, HallTrouble.CLOCK),
        ("IP:127.0.0.1", (2090, 2095), True, HallTrouble.CLOCK),
    ],
)
def test_a_broker_is_held_to_its_certificate(
    tmp_path: Path, name: str, years: tuple[int, int], known: bool, trouble: HallTrouble
) -> None:
    folder = tmp_path / "broker"
    folder.mkdir()
    with broker(folder, _certificates(folder, name, years)) as started:
        table = Table(tmp_path / "table", started.url.replace("mqtt:", "mqtts:"))
        try:
            table.start(*(["--ca-file", str(folder / "hall.pem")] if known else []))
            wait_for(lambda: table.folders.said() is trouble, "it is said")
            if trouble is HallTrouble.CLOCK:
                with hall_at(started.port, tmp_path, authority=folder / "hall.pem") as here:
                    assert "not valid at the time that this machine's clock shows, 2" in here.told[0]
        finally:
            table.close()


def test_a_relay_whose_table_was_killed_says_so_and_ends(tmp_path: Path, table: Table, hall: Listener) -> None:
    """The table is a shell here, which starts the relay and is killed."""
    memory = tmp_path / "memory"
    memory.mkdir()
    command = table.command[: table.command.index("--table-folder")]
    command += ["--table-folder", str(memory), "--relay-folder", str(memory)]
    words = " ".join(f"'{word}'" for word in command)
    with table.log.open("ab") as log:
        shell = subprocess.Popen(["sh", "-c", f"{words} --parent $$ & wait"], stderr=log)
    wait_for(lambda: bool(hall.of(TopicKind.ONLINE)), "the table is there")
    assert hall.of(TopicKind.ONLINE)[-1].online
    shell.kill()
    shell.wait()
    wait_for(lambda: not hall.of(TopicKind.ONLINE)[-1].online, "it is gone")
    wait_for(lambda: not memory.exists(), "nothing is left in memory")


def test_the_service_follows_its_table_from_hall_to_hall(mosquitto: Mosquitto, hall: Listener, tmp_path: Path) -> None:
    state, runtime = tmp_path / "state", tmp_path / "sevenmat-hall"
    for folder in (state, runtime, tmp_path / "sevenmat", tmp_path / "kept"):
        folder.mkdir()

    def join(table: str) -> None:
        told = {"broker": mosquitto.url if table else "", "name": "Café" if table else "", "table": table}
        change_settings(state, {f"hall.{name}": value for name, value in told.items()})

    def is_online(table: str) -> bool | None:
        heard = [payload for topic, payload, _ in list(hall.heard) if topic == Topic("Café", table, TopicKind.ONLINE)]
        return heard[-1] == b"true" if heard else None

    join("One")
    environment = {**os.environ, "RUNTIME_DIRECTORY": str(runtime), "STATE_DIRECTORY": str(tmp_path / "kept")}
    command = [sys.executable, "-m", "cli.main", "--language", "en", "relay", "--state", str(state)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as service:
        wait_for(lambda: is_online("One") is True, "the first hall hears of it", 20)
        change_settings(state, {"signals.sounds": False})
        join("Two")
        wait_for(lambda: is_online("Two") is True, "so does the next", 20)
        assert is_online("One") is False
        join("")
        assert service.wait(20) == 0
        wait_for(lambda: is_online("Two") is False, "nobody is left", 5)
        assert service.stdout is not None
        assert "in no hall yet" in service.stdout.read()
