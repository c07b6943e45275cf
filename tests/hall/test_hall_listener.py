"""A hall at a real broker: what is kept is acknowledged once the database has it, and nothing else is believed."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from hall import clocks
from hall.acl import make_acl_lines
from hall.board.listener import HallListener
from hall.board.live import LiveTables
from hall.messages import NO_CALL, Call, Event, GameResult, Online, Topic, TopicKind
from hall.store.store import Arrival, Chosen, DatabaseAwayError, HallStore, TableNote
from rules.text import Text
from tests.hall.messages_of import EVENING, game_id, result, state
from tests.hall.mosquitto import Mosquitto, broker, needs_mosquitto
from tests.hall.real_servers import NO_DATABASE, POSTGRES, database

pytestmark = needs_mosquitto
HALL = "Café"


@dataclass
class Hall:
    """A hall that listens."""

    store: HallStore
    tables: LiveTables
    listener: HallListener
    told: list[str] = field(default_factory=list)
    stopped: list[Exception] = field(default_factory=list)

    def results(self) -> list[int]:
        return sorted(int(game.game_id, 16) for game in self.store.list_results(Chosen()))


@contextmanager
def hall(
    port: int, folder: Path, user: str = "", store: HallStore | None = None, authority: Path | None = None
) -> Iterator[Hall]:
    store = store or HallStore.open(f"sqlite:///{folder}/hall.db", HALL)
    tables = LiveTables(store.list_notes())
    client = Client(CallbackAPIVersion.VERSION2, f"sevenmat/{HALL}", protocol=MQTTv5, manual_ack=True)
    if user:
        client.username_pw_set(user, "secret")
    if authority is not None:
        client.tls_set(str(authority))
    told: list[str] = []
    stopped: list[Exception] = []
    listener = HallListener(
        client, "localhost", HALL, store, tables, lambda words: told.append(str(words)), stopped.append
    )
    listener.start("127.0.0.1", port)
    running = Hall(store, tables, listener, told, stopped)
    until(lambda: client.is_connected() or bool(told))
    time.sleep(0.3)  # it has subscribed
    try:
        yield running
    finally:
        listener.close()


@pytest.fixture(autouse=True)
def made_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a version that was made days before what is said here, on the day of its release too."""
    monkeypatch.setattr(clocks, "BUILT", datetime.now(UTC) - timedelta(days=30))


def until(done: Callable[[], Any], seconds: float = 15.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


@contextmanager
def table(port: int, name: str = "", client_id: str = "") -> Iterator[Client]:
    client = Client(CallbackAPIVersion.VERSION2, client_id or f"{name}-{time.monotonic_ns()}", protocol=MQTTv5)
    if name:
        client.username_pw_set(name, "secret")
    client.connect("127.0.0.1", port)
    client.loop_start()
    until(client.is_connected)
    try:
        yield client
    finally:
        client.disconnect()
        client.loop_stop()


def say(client: Client, name: str, message: Any, at: str = HALL) -> Any:
    kind = {
        "Online": TopicKind.ONLINE,
        "TableState": TopicKind.STATE,
        "Event": TopicKind.EVENT,
        "GameResult": TopicKind.RESULT,
        "Call": TopicKind.CALL,
    }[type(message).__name__]
    sent = client.publish(str(Topic(at, name, kind)), message.to_bytes(), qos=1, retain=kind.retained)
    sent.wait_for_publish(5)
    return sent


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten how long a hall that is started anew waits for another one."""
    monkeypatch.setattr("hall.board.listener.ALONE_S", 0.2)


@pytest.fixture(scope="module")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with broker(tmp_path_factory.mktemp("broker")) as running:
        yield running


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Mosquitto]:
    """Run a broker that may be stopped."""
    with broker(tmp_path / "broker") as running:
        yield running


def test_what_tables_say_is_shown_and_kept(own: Mosquitto, tmp_path: Path) -> None:
    with table(own.port) as table1:
        say(table1, "T1", Online(True))
        with hall(own.port, tmp_path) as here:
            for message in (state(), Event(game_id(1), 0, ""), result(1), Call(EVENING, "A card is missing.")):
                say(table1, "T1", message)
            until(lambda: here.results() == [1] and here.tables.list_all()[0].call is not None)
            (shown,) = here.tables.list_all()
            assert (shown.name, shown.online, shown.state) == ("T1", True, state())
            here.listener.somebody_comes("T1")
            until(lambda: here.tables.list_all()[0].call is None)
            heard: list[bytes] = []
            table1.on_message = lambda _, __, message: heard.append(message.payload)
            table1.subscribe(str(Topic(HALL, "T1", TopicKind.CALL)), options=SubscribeOptions(qos=1, noLocal=True))
            say(table1, "T1", Call(EVENING, "A card is missing."))  # it was away when somebody said that they come
            until(lambda: heard == [b""])
            assert here.tables.list_all()[0].call is None
            say(table1, "T1", Call(EVENING + timedelta(minutes=1), "One more is missing."))
            until(lambda: here.tables.list_all()[0].call is not None)
            assert not here.tables.dropped
            until(lambda: [one.online for one in here.store.list_notes()] == [True])


def test_what_comes_while_the_hall_is_away_waits_at_the_broker(own: Mosquitto, tmp_path: Path) -> None:
    with hall(own.port, tmp_path):
        pass
    with table(own.port) as table1:
        for number in range(1, 50):
            say(table1, "T1", result(number))
        say(table1, "T1", result(7))
        say(table1, "T1", Call(EVENING - timedelta(days=300), "why"))
    own.stop()
    own.start()
    with hall(own.port, tmp_path) as here:
        until(lambda: here.results() == list(range(1, 50)))
        until(lambda: here.tables.list_all() and here.tables.list_all()[0].called_at == EVENING - timedelta(days=300))


class FlakyStore(HallStore):
    """A database that can be taken away."""

    away = False
    asked = 0

    def take(self, came: Sequence[Arrival], *more: Any) -> int:
        self.asked += 1
        if self.away:
            raise DatabaseAwayError(Text("The database can't be used: gone."))
        return super().take(came, *more)


def test_nothing_is_acknowledged_before_the_database_has_it(own: Mosquitto, tmp_path: Path) -> None:
    store = HallStore.open(f"sqlite:///{tmp_path}/hall.db", HALL)
    store.__class__ = FlakyStore
    assert isinstance(store, FlakyStore)
    with table(own.port) as table1:
        with hall(own.port, tmp_path, store=store) as here:
            store.away = True
            for number in range(1, 4):
                say(table1, "T1", result(number))
            until(lambda: store.asked)
            until(lambda: here.tables.troubles)
            assert "Results wait at the broker" in str(here.tables.troubles[0][0])
            say(table1, "T1", state("still shown"))
            until(lambda: here.tables.list_all() and here.tables.list_all()[0].state is not None)
        assert store.list_results(Chosen()) == []
        with hall(own.port, tmp_path, store=store) as here:
            until(lambda: here.tables.troubles)
            store.away = False
            until(lambda: here.results() == [1, 2, 3])
            until(lambda: not here.tables.troubles)
            assert here.told[-1] == "The database is there again."


@pytest.mark.slow  # test_hall_faults.py has the database away
def test_with_the_database_away_no_more_is_taken_than_may_be_in_flight(
    own: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hall.board.listener.IN_FLIGHT", 20)
    store = HallStore.open(f"sqlite:///{tmp_path}/hall.db", HALL)
    store.__class__ = FlakyStore
    assert isinstance(store, FlakyStore)
    with hall(own.port, tmp_path, store=store) as here, table(own.port) as table1:
        store.away = True
        for number in range(1, 101):
            say(table1, "T1", Event(game_id(1), number, ""))
        until(lambda: here.tables.troubles)
        time.sleep(0.5)
        assert len(here.listener._came) <= 20
        store.away = False
        say(table1, "T1", result(1))
        until(lambda: here.results() == [1])


@pytest.mark.slow  # test_hall_faults.py
@pytest.mark.skipif(POSTGRES is None, reason=NO_DATABASE)
def test_a_real_database_that_is_gone_for_a_while_loses_nothing(own: Mosquitto, tmp_path: Path) -> None:
    with TemporaryDirectory(prefix="sevenmat-postgres-") as folder, database(Path(folder)) as server:
        store = HallStore.open(server.url, HALL)
        with hall(own.port, tmp_path, store=store) as here, table(own.port) as table1:
            say(table1, "T1", result(1))
            until(lambda: here.results() == [1])
            server.stop()
            for number in range(2, 30):
                say(table1, "T1", result(number))
            until(lambda: here.tables.troubles)
            say(table1, "T1", state("still shown"))
            until(lambda: here.tables.list_all() and here.tables.list_all()[0].state is not None)
            server.start()
            until(lambda: not here.tables.troubles)
            until(lambda: here.results() == list(range(1, 30)))


BAD = [
    ("T1/state", b"{"),
    ("T1/state", b"\xff\xfe"),
    ("T1/event", b'{"game_id":"1","n":0,"line":""}'),
    ("T1/event", b'{"game_id":"' + b"0" * 32 + b'","n":-1,"line":""}'),
    ("T1/result", result(5).to_bytes().replace(b"[9,5,5]", b"[9,5,5,1]")),
    ("T1/result", result(5).to_bytes().replace(b"[9,5,5]", b'["9",5,5]')),
    ("T1/call", b"{}"),
    ("T1/online", b"yes"),
    ("\u202eT1/online", b"true"),
    (" /online", b"true"),
]


def test_what_can_not_be_is_dropped_counted_and_holds_nothing_up(mosquitto: Mosquitto, tmp_path: Path) -> None:
    with hall(mosquitto.port, tmp_path) as here, table(mosquitto.port) as table1:
        for topic, payload in BAD:
            table1.publish(f"sevenmat/{HALL}/{topic}", payload, qos=1).wait_for_publish(5)
        say(table1, "T1", Event(game_id(6), 0, ""))
        say(table1, "T2", Event(game_id(6), 0, "{}"))
        say(table1, "T1", result(6))
        until(lambda: here.results() == [6])
        assert here.tables.dropped == {"payload": len(BAD), "other_table": 1}
        assert [one.name for one in here.tables.list_all()] == []


@pytest.mark.slow  # test_relay.py and test_hall_faults.py
def test_a_broker_that_is_gone_is_said_once_and_found_again(own: Mosquitto, tmp_path: Path) -> None:
    with hall(own.port, tmp_path) as here:
        own.stop()
        until(lambda: here.tables.troubles)
        time.sleep(2.5)
        assert "can't be reached" in str(here.tables.troubles[0][0])
        assert len(here.told) <= 2, here.told
        own.start()
        until(lambda: not here.tables.troubles)
        assert here.told[-1] == "The broker localhost is there."
        with table(own.port) as table1:
            say(table1, "T1", result(1))
        until(lambda: here.results() == [1])


def test_a_broker_that_is_not_there_at_the_start_is_said_on_the_board(tmp_path: Path) -> None:
    with hall(9, tmp_path) as here:
        until(lambda: here.tables.troubles)
        assert str(here.tables.troubles[0][0]).startswith("The broker localhost can't be reached: ")
        assert here.told == [str(here.tables.troubles[0][0])]


def test_a_second_hall_takes_nothing_and_says_why_at_once(
    own: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hall.board.listener.ALONE_S", 30.0)
    with hall(own.port, tmp_path) as first, table(own.port) as table1:
        say(table1, "T1", result(1))
        until(lambda: first.results() == [1])
        with hall(own.port, tmp_path / "laptop") as second:
            say(table1, "T1", result(2))
            until(lambda: second.stopped)
            say(table1, "T1", result(3))
            assert str(second.stopped[0]).startswith("Another 'sevenmat hall' runs for this hall at localhost: ")
            until(lambda: first.results() == [1, 2, 3])
            assert second.results() == []
        say(table1, "T1", result(4))
        until(lambda: first.results() == [1, 2, 3, 4])
        assert first.stopped == []
        until(lambda: not first.tables.troubles)


def test_a_call_that_was_taken_back_while_the_hall_was_away_is_gone(
    own: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hall.board.live.CALLS_COME", timedelta(seconds=0.5))
    with table(own.port) as table1:
        with hall(own.port, tmp_path) as here:
            for name in ("T1", "T2"):
                say(table1, name, Call(EVENING, "why"))
            until(lambda: len(here.store.list_notes()) == 2 and all(one.call_why for one in here.store.list_notes()))
            (called_at,) = {one.called_at for one in here.store.list_notes() if one.name == "T2"}
        say(table1, "T1", NO_CALL)
        with hall(own.port, tmp_path) as here:
            assert {one.name for one in here.tables.list_all() if one.call} >= {"T2"}
            until(lambda: [one.name for one in here.tables.list_all() if one.call] == ["T2"])
            until(
                lambda: (
                    [one.call_why for one in sorted(here.store.list_notes(), key=lambda one: one.name)] == [None, "why"]
                )
            )
            assert called_at in {one.called_at for one in here.tables.list_all()}


def test_a_result_counts_for_this_evening_where_its_tables_clock_cant_be_right(own: Mosquitto, tmp_path: Path) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    long_ago, late, future = (timedelta(days=days) for days in (-8000, -1.2, 4000))

    def ended(number: int, at: datetime, sent: datetime | None = None) -> GameResult:
        made = replace(result(number), began=at - timedelta(hours=1), ended=at)
        with_it = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if sent is not None:
            with_it.UserProperty = ("sent", sent.isoformat())
        topic = str(Topic(HALL, f"T{number}", TopicKind.RESULT))
        table1.publish(topic, made.to_bytes(), 1, properties=with_it).wait_for_publish(5)
        return made

    def tonight(here: Hall) -> list[int]:
        return sorted(int(one.game_id, 16) for one in here.store.list_results(Chosen(since=now - timedelta(hours=1))))

    with table(own.port) as table1, hall(own.port, tmp_path) as here:
        ended(1, now)
        for number, away in ((2, long_ago), (3, late), (4, future)):
            ended(number, now + away)
        ended(5, now + late, now)  # a table that could not send for a day
        ended(6, now + late, now + late)  # a table whose clock is behind
        ended(7, now + long_ago, now)  # a table whose clock was set since
        ended(8, now + future, now)
        until(lambda: here.results() == list(range(1, 9)))
        assert tonight(here) == [1, 2, 3, 4, 6, 7, 8]
        assert set(here.tables.wrong_clocks) == {f"T{number}" for number in (2, 3, 4, 6, 7, 8)}
        ended(10, now)
        say(table1, "T2", state())
        until(lambda: "T2" not in here.tables.wrong_clocks)
        say(table1, "T1", replace(state(), at=now + late))
        until(lambda: "T1" in here.tables.wrong_clocks)
        (game,) = here.store.list_results(Chosen(table="T2"))
        assert timedelta(0) <= game.ended - now < timedelta(minutes=5)
        assert game.ended - game.began == timedelta(hours=1)


def test_what_waited_at_the_broker_while_the_hall_was_away_keeps_its_evening(own: Mosquitto, tmp_path: Path) -> None:
    now, away = datetime.now(UTC), timedelta(days=1, hours=12)
    with hall(own.port, tmp_path) as here:
        here.store.keep_notes([TableNote("T1", True, now - away, heard=now - away)])
    with table(own.port) as table1:
        say(table1, "T1", replace(result(1), began=now - away, ended=now - away + timedelta(hours=1)))
        with hall(own.port, tmp_path) as here:
            until(lambda: here.results() == [1])
            assert here.tables.wrong_clocks == {}
            assert here.store.list_results(Chosen())[0].ended < now - timedelta(days=1)


def test_a_table_writes_below_its_own_name_alone(tmp_path: Path) -> None:
    passwd = shutil.which("mosquitto_passwd")
    if passwd is None:
        pytest.skip("no mosquitto_passwd here")
    acl, secrets = tmp_path / "acl", tmp_path / "passwd"
    names = ("T1", "T 2", "卓3")
    acl.write_text("\n".join(make_acl_lines(HALL, names, "hall")) + "\n", encoding="utf-8")
    secrets.touch()
    for name in ("hall", *names):
        subprocess.run([passwd, "-b", str(secrets), name, "secret"], check=True, capture_output=True)
    lines = f"allow_anonymous false\nacl_file {acl}\npassword_file {secrets}\nuse_username_as_clientid true\n"
    with broker(tmp_path / "broker", lines) as running, hall(running.port, tmp_path, "hall") as here:
        for number, name in enumerate(names, 1):
            with table(running.port, name) as own:
                for message in (Online(True), state(), Event(game_id(number), 0, ""), Call(EVENING, "why")):
                    say(own, name, message)
                assert say(own, name, result(number)).rc == 0
        until(lambda: here.results() == [1, 2, 3] and all(one.call for one in here.tables.list_all()))
        heard: list[str] = []
        lies = [("T 2", state("lies")), ("卓3", result(9)), ("T 2", Online(False)), ("T9", result(8))]
        for name, message in lies:
            # The broker drops who tries.
            with table(running.port, "T1") as rogue, suppress(RuntimeError):
                say(rogue, name, message)
        with table(running.port, "T1") as rogue, suppress(RuntimeError):
            say(rogue, "T1", result(10), "another hall")
        with table(running.port, "T1") as rogue, suppress(RuntimeError):
            rogue.publish(f"sevenmat/{HALL}/T1/other", b"x", qos=1).wait_for_publish(5)
        with table(running.port, "T1", client_id=f"sevenmat/{HALL}"):
            pass  # the hall's own session, which the broker does not hand out
        with table(running.port, "T1") as rogue:
            rogue.on_message = lambda _, __, message: heard.append(message.topic)
            rogue.subscribe("#", 1)
            rogue.subscribe(str(Topic(HALL, "T1", TopicKind.CALL)), 1)
            until(lambda: heard)  # the broker has kept its call
            here.listener.somebody_comes("T1")
            say(rogue, "T1", result(11))
            until(lambda: 11 in here.results() and here.tables.get("T1").call is None)  # type: ignore[union-attr]
            time.sleep(0.3)
        assert here.results() == [1, 2, 3, 11]
        assert {one.state for one in here.tables.list_all()} == {state()}
        assert sorted(one.name for one in here.tables.list_all()) == sorted(names)
        assert set(heard) == {f"sevenmat/{HALL}/T1/call"}
        assert not here.tables.dropped
        assert here.told == []


def test_a_hall_that_may_not_read_says_so(tmp_path: Path) -> None:
    acl = tmp_path / "acl"
    acl.write_text("user nobody\ntopic read x\n")
    lines = f"acl_file {acl}\nallow_anonymous false\n"
    with broker(tmp_path / "broker", lines) as running, hall(running.port, tmp_path, "hall") as here:
        until(lambda: here.told)
        assert here.told[0].startswith("The broker localhost refuses the hall: ")
