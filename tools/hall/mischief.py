"""Somebody who means no good: payloads and topics that can't be, and topics that are another table's."""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from device.table_state import TableState
from device.typed_json import MOST_BYTES, BadMessageError
from hall.messages import Call, Event, GameResult, Online, Topic, TopicKind
from simulator.hall.played_games import PlayedGame, play_games
from tools.hall.checking import Kept, held_against
from tools.hall.servers import Hall, Mosquitto, TrialError, wait_for

_READERS: dict[TopicKind, Callable[[bytes], object]] = {
    TopicKind.ONLINE: Online.of_bytes,
    TopicKind.STATE: TableState.of_bytes,
    TopicKind.EVENT: Event.of_bytes,
    TopicKind.RESULT: GameResult.of_bytes,
    TopicKind.CALL: Call.of_bytes,
}
_WILD: Sequence[bytes] = (
    b"\x00",
    b"\xff\xfe",
    b"null",
    b"[]",
    b"{}",
    b'"true"',
    b"TRUE",
    b"1e999",
    b"NaN",
    b"{" * 5000,
    b"[" * 100_000,
    b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    b'{"game_id":"' + b"x" * 3_000_000 + b'"}',
    "\ud800".encode("utf-8", "surrogatepass"),
)
_VALUES: Sequence[Any] = (
    None,
    True,
    -1,
    0,
    1.5,
    10**30,
    "",
    "x" * 100_000,
    "<script>alert(1)</script>",
    [],
    {},
    [[]],
    "\x1b[2J",
)


class Client:
    """Somebody at a broker, who hears what it says to each message."""

    def __init__(
        self, broker: Mosquitto, name: str, password: str | None = None, will: str | None = None, more: str = ""
    ) -> None:
        """Come in as a user; ``will`` is the topic of its last will, that it is offline."""
        name_there = f"mischief-{name}{more}"
        self._client = client = mqtt.Client(CallbackAPIVersion.VERSION2, name_there, protocol=mqtt.MQTTv5)
        if password is not None:
            client.username_pw_set(name, password)
        if will is not None:
            client.will_set(will, Online(False).to_bytes(), 1, retain=True)
        self._answers: dict[int, int] = {}
        self._entered: int | None = None
        self._news = threading.Condition()
        client.on_connect, client.on_publish = self._on_connect, self._on_publish
        client.connect("127.0.0.1" if broker.host == "0.0.0.0" else broker.host, broker.port)
        client.loop_start()
        with self._news:
            self._news.wait_for(lambda: self._entered is not None, 10)

    @property
    def is_in(self) -> bool:
        """Whether the broker has let it in."""
        return self._entered == 0

    def send(self, topic: str, payload: bytes, retain: bool = False) -> int:
        """Send a message, and wait for the broker's word on it: MQTT's reason code."""
        number = self._client.publish(topic, payload, 1, retain).mid
        with self._news:
            if not self._news.wait_for(lambda: number in self._answers, 20):
                raise TrialError("the broker does not answer")
        return self._answers.pop(number)

    def drop(self) -> None:
        """Leave without a word, so that the broker gives out the last will."""
        sock = self._client.socket()
        self._client.loop_stop()
        if isinstance(sock, socket.socket):
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Leave."""
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(self, _: Any, __: Any, ___: Any, reason: Any, ____: Any) -> None:
        with self._news:
            self._entered = reason.value
            self._news.notify()

    def _on_publish(self, _: Any, __: Any, number: int, reason: Any, ___: Any) -> None:
        with self._news:
            self._answers[number] = reason.value
            self._news.notify()


def read_board(page: str, address: str = "/tables.json") -> dict[str, Any]:
    """Read what the board says of all tables, or at another address, as data."""
    place = urlsplit(page)
    assert place.hostname is not None, "it is an address"
    connection = HTTPConnection(place.hostname, place.port, timeout=30)
    connection.request("GET", f"/?{place.query}")
    welcome = connection.getresponse()
    welcome.read()
    cookie = (welcome.getheader("set-cookie") or "").partition(";")[0]
    connection.request("GET", address, headers={"cookie": cookie})
    answer: dict[str, Any] = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def send_impossible(broker: Mosquitto, hall: str, page: str, count: int) -> tuple[dict[str, Any], list[str]]:
    """Send so many payloads that can't be, to topics of tables and to such as can't be.

    Returns:
        what to note, and what is wrong: what was shown of it.
    """
    chance = random.Random(7)
    client, games = Client(broker, "Mischief"), play_games(7, 1)
    before = read_board(page)
    sent, held_back = 0, 0
    for kind, payload in islice(_list_impossible(games, chance), count):
        table = chance.choice(("Mischief", "Table 1", "\u30c6\u30fc\u30d6\u30eb"))
        client.send(str(Topic(hall, table, kind)), payload)
        sent += 1
        held_back += len(payload) > MOST_BYTES
    wild = [
        f"sevenmat/{hall}/{name}/{kind.value}"
        for name in ("", " ", "x" * 41, " a", "\u200b", "e\u0301")
        for kind in TopicKind
    ]
    for topic in wild:
        client.send(topic, b"true" if topic.endswith("online") else games[0].stamp_state(0, _write_now()).encode())
    stolen = _make_stolen(games[0])
    thief = str(Topic(hall, "Thief", TopicKind.EVENT)), str(Topic(hall, "Thief", TopicKind.RESULT))
    client.send(str(Topic(hall, "Owner", TopicKind.EVENT)), stolen[0])
    for topic, payload in zip(thief, stolen[1:], strict=True):
        client.send(topic, payload)
    expected = sum(before["dropped"].values()) + sent + len(wild) + len(thief) - held_back
    with suppress(TrialError):
        wait_for(lambda: sum(read_board(page)["dropped"].values()) >= expected, "all of it is counted", 20)
    after = read_board(page)
    client.close()
    shown = {one["name"] for one in after["tables"]} - {one["name"] for one in before["tables"]}
    shown = {name for name in shown if not name.startswith("Table ")}
    dropped = sum(after["dropped"].values())
    wrong = [f"shown: {sorted(shown)!r}"] if shown else []
    wrong += [] if dropped == expected else [f"{dropped} were dropped and counted, not {expected}"]
    notes = {"sent": sent + len(wild) + len(thief), "held_back_by_the_broker": held_back, "dropped": after["dropped"]}
    return notes, wrong


def _list_impossible(games: Sequence[PlayedGame], chance: random.Random) -> Iterator[tuple[TopicKind, bytes]]:
    """List payloads that no table sends, without end; each is refused by whoever reads it right."""
    kinds = list(TopicKind)
    for payload in _WILD:
        for kind in kinds:
            if _is_refused(kind, payload):
                yield kind, payload
    while True:
        kind = chance.choice(kinds)
        good = _make_good(chance.choice(games), kind)
        payload = _spoilt_value(good, chance) if chance.random() < 0.5 else _spoilt_bytes(good, chance)
        if _is_refused(kind, payload):
            yield kind, payload


def _is_refused(kind: TopicKind, payload: bytes) -> bool:
    try:
        _READERS[kind](payload)
    except BadMessageError:
        return True
    return False


def _make_good(game: PlayedGame, kind: TopicKind) -> bytes:
    now = datetime.now(UTC)
    game_id = f"{random.getrandbits(128):032x}"
    return {
        TopicKind.ONLINE: b"true",
        TopicKind.STATE: game.stamp_state(0, _write_now()).encode(),
        TopicKind.EVENT: Event(game_id, 0, game.lines[0]).to_bytes(),
        TopicKind.RESULT: game.make_result(game_id, now, now).to_bytes(),
        TopicKind.CALL: Call(now, "").to_bytes(),
    }[kind]


def _spoilt_value(good: bytes, chance: random.Random) -> bytes:
    payload = json.loads(good)
    if not isinstance(payload, dict):
        return json.dumps(chance.choice(_VALUES)).encode()
    name = chance.choice(list(payload))
    match chance.randrange(3):
        case 0:
            del payload[name]
        case 1:
            payload[f"{name} "] = 1
        case _:
            payload[name] = chance.choice(_VALUES)
    return json.dumps(payload).encode()


def _spoilt_bytes(good: bytes, chance: random.Random) -> bytes:
    data = bytearray(good)
    for _ in range(chance.choice((1, 1, 3, 20))):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data[: chance.randrange(len(data) + 1)] if chance.random() < 0.3 else data)


def _make_stolen(game: PlayedGame) -> tuple[bytes, bytes, bytes]:
    """Make a game's first event, and what somebody says of the same game who does not play it."""
    now, game_id = datetime.now(UTC), f"{random.getrandbits(128):032x}"
    first = Event(game_id, 0, game.lines[0]).to_bytes()
    return first, Event(game_id, 0, "").to_bytes(), game.make_result(game_id, now, now).to_bytes()


def _write_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def try_forbidden(folder: Path, times: int) -> tuple[dict[str, Any], list[str], Kept]:
    """Try to write into another table's topics; the broker has the file that ``hall acl`` writes.

    Returns:
        what to note, what is wrong, and what the hall has kept of the table that plays honestly.
    """
    folder.mkdir(parents=True)
    acl, passwords = folder / "sevenmat.acl", folder / "sevenmat.passwd"
    acl_command = [sys.executable, "-m", "cli.main", "hall", "acl", "--hall", "Hall"]
    written = subprocess.run(
        [*acl_command, "--tables", "Honest,Other", "--out", str(acl)], stdout=subprocess.PIPE, text=True, check=True
    )
    passwords.touch(0o600)
    for user in ("hall", "Honest", "Other"):
        subprocess.run(["mosquitto_passwd", "-b", str(passwords), user, f"of {user}"], check=True)
    (folder / "hall-password").write_text("of hall\n", encoding="utf-8")
    broker = Mosquitto(folder / "broker", more=f"allow_anonymous false\n{written.stdout}")
    url = f"sqlite:///{folder / 'hall.db'}"
    hall = Hall(folder / "hall", broker.make_url("Hall", "hall"), url, "--password-file", str(folder / "hall-password"))
    try:
        broker.start()
        hall.start()
        wait_for(lambda: not read_board(hall.page)["troubles"], "the hall listens")
        notes, wrong, made = _try_forbidden(broker, hall.page, times)
        wait_for(lambda: not held_against(made, url).lost, "the honest table's results")
        return notes, wrong, held_against(made, url)
    finally:
        hall.stop()
        broker.stop()


def _try_forbidden(broker: Mosquitto, page: str, times: int) -> tuple[dict[str, Any], list[str], list[dict[str, Any]]]:
    stranger = Client(broker, "Other", "of Honest")
    if stranger.is_in:
        return {}, ["somebody came in with another's password"], []
    stranger.close()
    own = {kind: str(Topic("Hall", "Honest", kind)) for kind in TopicKind}
    honest, other = Client(broker, "Honest", "of Honest"), Client(broker, "Other", "of Other")
    honest.send(own[TopicKind.ONLINE], Online(True).to_bytes(), True)
    made, taken, games = [], 0, play_games(3, 1)
    for number in range(times):
        game, game_id, now = games[number % len(games)], f"{random.getrandbits(128):032x}", datetime.now(UTC)
        for n, line in enumerate(game.lines):
            honest.send(own[TopicKind.EVENT], Event(game_id, n, line).to_bytes())
        result = game.make_result(game_id, now, now)
        forged = game.make_result(f"{random.getrandbits(128):032x}", now, now).to_bytes()
        for kind, payload in (
            (TopicKind.RESULT, forged),
            (TopicKind.RESULT, result.to_bytes().replace(b'"places":[', b'"places":[1,')),
            (TopicKind.EVENT, Event(game_id, len(game.lines), '{"do": "pass"}').to_bytes()),
            (TopicKind.STATE, game.stamp_state(0, _write_now()).encode()),
            (TopicKind.CALL, Call(now, "").to_bytes()),
            (TopicKind.ONLINE, Online(False).to_bytes()),
        ):
            taken += other.send(own[kind], payload, kind.retained) < 0x80
        honest.send(own[TopicKind.RESULT], result.to_bytes())
        made.append({"table": "Honest", **json.loads(result.to_bytes())})
        Client(broker, "Other", "of Other", own[TopicKind.ONLINE], "-will").drop()
    other.close()
    wait_for(
        lambda: any(one["name"] == "Honest" for one in read_board(page)["tables"]), "the honest table is on the board"
    )
    table = next(one for one in read_board(page)["tables"] if one["name"] == "Honest")
    honest.close()
    wrong = [f"the broker has taken {taken} messages"] if taken else []
    wrong += ["what was written into its topics is shown"] if table["state"] or table["call"] else []
    wrong += [] if table["online"] else ["another table's last will has it offline"]
    return {"tried": 6 * times}, wrong, made
