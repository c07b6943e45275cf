"""The journal as an outbox, without a broker: whatever ends when, every message comes in order, again at most."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random

import pytest

from device.errors import DeviceError
from device.session.retelling import history_of
from device.speech import Language
from device.storage.game_file import paths_of, seal, text_of
from device.storage.journal import GameLog, Journal
from device.storage.opening import Opening, Result
from hall.acknowledged import Acknowledged
from hall.messages import Event, GameResult, hash_record, make_record
from hall.outbox import Outbox
from referee.history import Entry, Named, named_entry
from rules.registry import load_games
from tests.cli.test_games import OPENING, played

GAME = played(3)


class Hall:
    """Whoever takes each message once, and asserts that it comes in order."""

    def __init__(self) -> None:
        self.lines: dict[str, list[str]] = {}
        self.results: dict[str, GameResult] = {}
        self.again = 0

    def take(self, told: Event | GameResult) -> None:
        if isinstance(told, GameResult):
            known = self.results.get(told.game_id)
            self.again += known == told
            assert not told.withdrawn or (known is not None and not known.withdrawn), "what stands is taken back, once"
            if known is None or told.ended > known.ended:
                self.results[told.game_id] = told
            return
        lines = self.lines.setdefault(told.game_id, [])
        assert told.n <= len(lines), "in order"
        if told.n == len(lines):
            lines.append(told.line)
        else:
            assert lines[told.n] == told.line, "the same number says the same"
            self.again += 1


class Sender:
    """A relay's memory, which may be lost at any moment, over what it keeps on the disk."""

    def __init__(self, state: Path, kept: Path) -> None:
        self._state, self._kept = state, kept
        self.start()

    def start(self) -> None:
        self.acknowledged = Acknowledged(self._kept, "Café")
        self.outbox = Outbox(self._state, self.acknowledged)

    def send(self, hall: Hall, most: int = 10**6, acknowledged: bool = True) -> int:
        sent = 0
        while sent < most and (message := self.outbox.find_next()) is not None:
            hall.take(type(message.told).of_bytes(message.told.to_bytes()))
            sent += 1
            if not acknowledged:
                break
            self.outbox.acknowledge(message)
        return sent


def end(journal: Journal, log: GameLog) -> None:
    outcome = history_of(journal.read_game(log.game), log.entries).now.position.outcome
    assert outcome is not None
    log.end(Result(outcome.points, outcome.winners))


def record(journal: Journal, number: int) -> list[str]:
    return history_of(journal.read_game(number), journal.read_entries(number)).write_record()


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(8))
def test_whatever_ends_at_any_moment_nothing_is_lost(seed: int, tmp_path: Path) -> None:
    chance, hall = Random(seed), Hall()
    with Journal.open(tmp_path / "state") as journal:
        sender = Sender(tmp_path / "state", tmp_path / "kept")
        sender.acknowledged.keep()

        def happens() -> None:
            what = chance.random()
            if what < 0.1:
                sender.start()  # killed: what was not kept is forgotten
            elif what < 0.2:
                sender.acknowledged.keep()
            elif what < 0.3:
                sender.send(hall, 1, acknowledged=False)  # the connection is lost before the broker's word
            elif what < 0.7:
                sender.send(hall, chance.randint(1, 6))

        logs = []
        for _ in range(3):
            log = journal.begin(OPENING, Language.EN)
            logs.append(log)
            for entry in GAME:
                happens()
                log.append(entry)
                if chance.random() < 0.1:
                    for more in (Entry("undo"), Entry("redo"), Entry("checked")):
                        log.append(more)
                        happens()
            end(journal, log)
            happens()
        sender.send(hall)
        records = {log.game: record(journal, log.game) for log in logs}
    assert [make_record(lines) for lines in hall.lines.values()] == list(records.values())
    assert [one.record_sha256 for one in hall.results.values()] == [hash_record(lines) for lines in records.values()]
    assert hall.again > 0, "some came twice, or this shows nothing"
    sender.acknowledged.keep()
    sender.start()
    assert sender.send(hall) == 0, "what is acknowledged and kept is not sent again"


def silenced(hall: Hall) -> dict[str, tuple[int, ...] | None]:
    """Return the points of each game that has a result at the hall, ``None`` where that was taken back."""
    return {game_id: None if one.withdrawn else one.points for game_id, one in hall.results.items()}


GOES_ON = [[Entry("undo")], [Entry("undo")] * 4, [Entry("checked")], [Entry("undo"), Entry("redo")]]


@pytest.mark.few(4)
@pytest.mark.parametrize("lost", [False, True], ids=["", "the relay is killed in between"])
@pytest.mark.parametrize("entries", GOES_ON, ids=lambda entries: " ".join(one.kind for one in entries))
def test_hall_and_journal_say_the_same_of_a_result_that_was_taken_back(
    tmp_path: Path, entries: list[Entry], lost: bool
) -> None:
    hall = Hall()
    with Journal.open(tmp_path / "state") as journal:
        sender = Sender(tmp_path / "state", tmp_path / "kept")
        sender.acknowledged.keep()

        def told() -> tuple[int, ...] | None:
            if lost:
                sender.send(hall, len(GAME) + 3)
                sender.acknowledged.keep()
                sender.start()
            sender.send(hall)
            (points,) = silenced(hall).values()
            result = journal.read_game(log.game).result
            assert points == (result.points if result is not None else None)
            return points

        log = journal.begin(OPENING, Language.EN, GAME)
        end(journal, log)
        before = told()
        assert before is not None
        for entry in entries:
            log.append(entry)
        assert told() is None
        if entries != [Entry("undo")] * 4:
            for entry in [] if entries[-1].kind != "undo" else [Entry("redo")]:
                log.append(entry)
            end(journal, log)
            assert told() == before
        journal.begin(OPENING, Language.EN)
        sender.send(hall)
        assert sender.send(hall) == 0


def test_whoever_takes_what_was_sent_for_acknowledged_loses_some(tmp_path: Path) -> None:
    """The control: a message that the network swallows is not sent again unless the broker's word is waited for."""
    heard = []
    with Journal.open(tmp_path / "state") as journal:
        sender = Sender(tmp_path / "state", tmp_path / "kept")
        journal.begin(OPENING, Language.EN).append(GAME[0])
        while (message := sender.outbox.find_next()) is not None:
            assert isinstance(message.told, Event)
            sender.outbox.acknowledge(message)
            if message.told.n != 0:
                heard.append(message.told.n)
    assert heard == [1]


def test_every_kind_of_entry_has_its_number_and_the_record_is_that_of_the_journal(tmp_path: Path) -> None:
    hall = Hall()
    with Journal.open(tmp_path / "state") as journal:
        sender = Sender(tmp_path / "state", tmp_path / "kept")
        log = journal.begin(OPENING, Language.EN)
        start = GAME[:6]
        for entry in start:
            log.append(entry)
        agreed = history_of(journal.read_game(log.game), log.entries).now.to_json()
        more = [
            named_entry("named", Named("H7", "discard", 600.0, 420.0)),
            named_entry("name_dropped", Named("H7", "discard", 600.0, 420.0)),
            *(Entry("undo"), Entry("checked"), Entry("redo"), Entry("undo")),
            Entry("correction", {"agreed": agreed}),
            Entry("noticed", {"thanks": {}}),
            *(Entry("undo"), Entry("redo")),
        ]
        for entry in more:
            log.append(entry)
        log.speak(Language.JA)
        log.lay((1000.0, 800.0))
        sender.send(hall)
        (lines,) = hall.lines.values()
        assert len(lines) == 1 + len(start) + len(more)
        assert make_record(lines) == record(journal, log.game)
        silent = [entry.kind for entry, line in zip(log.entries, lines[1:], strict=True) if not line]
        assert silent == ["name_dropped", "checked", "noticed"]


@pytest.mark.parametrize("name", load_games())
def test_every_game_is_told_from_its_header(name: str, tmp_path: Path) -> None:
    from simulator.opening import choose_players, make_short_game

    header = make_short_game(choose_players(name), name)
    hall = Hall()
    with Journal.open(tmp_path / "state") as journal:
        sender = Sender(tmp_path / "state", tmp_path / "kept")
        log = journal.begin(Opening(header.game, header.players, header.options), Language.EN)
        assert sender.send(hall) == 1
        ((line,),) = hall.lines.values()
        assert [line] == record(journal, log.game)


def test_a_game_of_an_older_version_has_an_identity_that_stays(tmp_path: Path) -> None:
    state, hall = tmp_path / "state", Hall()
    with Journal.open(state) as journal:
        sender = Sender(state, tmp_path / "kept")
        log = journal.begin(OPENING, Language.EN, GAME)
    for path in paths_of(state, log.game):
        lines: list[bytes] = []
        for line in path.read_bytes().splitlines(keepends=True):
            told = json.loads(b"{" + text_of(line) + b"}")
            told.pop("id", None)
            lines.append(seal(log.game, lines, json.dumps(told, separators=(",", ":"))[1:-1].encode()))
        path.write_bytes(b"".join(lines))
    with Journal.open(state) as journal:
        assert journal.set_aside is None
        sender.start()
        sender.send(hall)
        end(journal, journal.resume(log.game))
        journal.rename("Banach", None)
        sender.send(hall)
    assert len(hall.lines) == len(hall.results) == 1
    assert hall.lines.keys() == hall.results.keys()


def test_copies_of_a_card_tell_their_games_apart_and_the_same_game_once(tmp_path: Path) -> None:
    hall = Hall()
    with Journal.open(tmp_path / "one") as journal:
        sender = Sender(tmp_path / "one", tmp_path / "kept one")
        journal.begin(OPENING, Language.EN)
        sender.acknowledged.keep()
    for folder in ("", "kept "):
        shutil.copytree(tmp_path / f"{folder}one", tmp_path / f"{folder}two")
    for table in ("one", "two"):
        with Journal.open(tmp_path / table) as journal:
            journal.begin(OPENING, Language.EN)
        Sender(tmp_path / table, tmp_path / f"kept {table}").send(hall)
    assert len(hall.lines) == 3


def test_a_torn_line_and_a_game_of_another_version_keep_nobody_waiting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    state, hall = tmp_path / "state", Hall()
    with Journal.open(state) as journal:
        sender = Sender(state, tmp_path / "kept")
        for strange in (Entry("invented", {}), Entry("redo", {})):
            log = journal.begin(OPENING, Language.EN)
            log.append(strange)
        log = journal.begin(OPENING, Language.EN)
        for entry in GAME[:4]:
            log.append(entry)
        copy = paths_of(state, log.game)[1]
        whole = copy.read_bytes()
        copy.write_bytes(whole[:-7])
        sender.send(hall)
        (lines,) = hall.lines.values()
        assert len(lines) == 4, "as far as it is whole"
        copy.write_bytes(whole)
        sender.send(hall)
        assert len(lines) == 5
        assert caplog.text.count("is not told to the hall") == 2


def _damage(path: Path, how: str) -> None:
    whole = path.read_bytes()
    path.unlink()
    if how == "folder":
        path.mkdir()
    elif how != "missing":
        first = whole.index(b"\n") + 1
        cuts = {"empty": 0, "torn at once": 9, "torn": first - 1, "first line": first, "torn later": len(whole) - 5}
        path.write_bytes(b"\xff" * 500 if how == "rubbish" else whole[: cuts[how]])


@pytest.mark.few(6)
@pytest.mark.parametrize("which", ["0", "going on", "ended"])
@pytest.mark.parametrize(
    "how", ["missing", "empty", "torn at once", "torn", "first line", "torn later", "rubbish", "folder"]
)
def test_a_copy_that_is_torn_or_gone_ends_nothing_and_is_told_once_it_is_whole(
    tmp_path: Path, how: str, which: str
) -> None:
    state, hall = tmp_path / "state", Hall()
    with Journal.open(state) as journal:
        sender = Sender(state, tmp_path / "kept")
        ended = journal.begin(OPENING, Language.EN, GAME)
        end(journal, ended)
        going_on = journal.begin(OPENING, Language.EN, GAME[:2])
        sender.send(hall, 5)
        copies = {number: paths_of(state, number)[1] for number in (0, ended.game, going_on.game)}
        whole = {path: path.read_bytes() for path in copies.values()}
        _damage(copies[{"0": 0, "ended": ended.game, "going on": going_on.game}[which]], how)
        sender.send(hall)
        sender.acknowledged.keep()
        sender.start()
        sender.send(hall)
        for path, data in whole.items():
            if path.is_dir():
                path.rmdir()
            path.with_name("new").write_bytes(data)
            path.with_name("new").replace(path)
        sender.send(hall)
        records = [record(journal, log.game) for log in (ended, going_on)]
    assert [make_record(lines) for lines in hall.lines.values()] == records
    assert len(hall.results) == 1


def test_a_line_is_told_only_once_it_is_on_the_disk(tmp_path: Path) -> None:
    """The journal has it first, and its copy only then: what the copy lacks a pulled plug may still take."""
    state, hall = tmp_path / "state", Hall()
    with Journal.open(state) as journal:
        sender = Sender(state, tmp_path / "kept")
        log = journal.begin(OPENING, Language.EN)
        log.append(GAME[0])
        copy = paths_of(state, log.game)[1]
        whole = copy.read_bytes()
        copy.write_bytes(b"".join(whole.splitlines(keepends=True)[:1]))
        assert sender.send(hall) == 1


@pytest.mark.few(2)
@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"first":-1,"also":[]}', b'{"lines":"x"}', b"\xff" * 20_000])
def test_what_was_kept_and_is_damaged_costs_a_second_time_and_nothing_else(damage: bytes, tmp_path: Path) -> None:
    state, hall = tmp_path / "state", Hall()
    with Journal.open(state) as journal:
        sender = Sender(state, tmp_path / "kept")
        log = journal.begin(OPENING, Language.EN)
        for entry in GAME[:4]:
            log.append(entry)
        sender.send(hall)
        sender.acknowledged.keep()
        for path in (tmp_path / "kept" / "hall-Caf%C3%A9").iterdir():
            path.write_bytes(damage)
        sender.start()
        assert sender.send(hall) == 5
        assert hall.again == 5


def test_each_hall_has_its_own(tmp_path: Path) -> None:
    for hall in ("..", ".", "a b", "囲碁会"):
        acknowledged = Acknowledged(tmp_path / "kept", hall)
        acknowledged.begin(7)
        acknowledged.keep()
        assert Acknowledged(tmp_path / "kept", hall).is_told_of(8)
        assert not Acknowledged(tmp_path / "kept", hall).is_told_of(7)
    assert len(list((tmp_path / "kept").iterdir())) == 4
    assert list(tmp_path.iterdir()) == [tmp_path / "kept"]
    (tmp_path / "file").touch()
    nowhere = Acknowledged(tmp_path / "file", "a")
    nowhere.begin(1)
    with pytest.raises(DeviceError):
        nowhere.keep()
    assert nowhere.unwritten


def test_a_change_has_its_own_lines_hashed_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[int] = []

    def count(game: int, lines: list[bytes], text: bytes) -> bytes:
        hashed.append(len(lines))
        return seal(game, lines, text)

    hall, sender = Hall(), Sender(tmp_path, tmp_path / "kept")
    with Journal.open(tmp_path) as journal:
        log = journal.begin(OPENING, Language.EN)
        log.append(GAME[0])
        sender.send(hall)
        monkeypatch.setattr("hall.outbox.seal", count)
        for number, entry in enumerate(GAME[1:], 3):
            hashed.clear()
            log.append(entry)
            sender.send(hall)
            # One line of the game before it is told, and the file of all games whose folder has changed, if it has.
            assert [n for n in hashed if n] == [n for n in hashed if n >= number - 1][:1], "no line that was known"
        record = history_of(journal.read_game(log.game), log.entries).write_record()
    (lines,) = hall.lines.values()
    assert make_record(lines) == record


def test_a_line_that_is_another_by_now_has_the_game_read_anew(tmp_path: Path) -> None:
    hall, sender = Hall(), Sender(tmp_path, tmp_path / "kept")
    with Journal.open(tmp_path) as journal:
        log = journal.begin(OPENING, Language.EN)
        for entry in GAME[:5]:
            log.append(entry)
    sender.send(hall)
    path = paths_of(tmp_path, 1)[1]
    lines = path.read_bytes().splitlines(keepends=True)
    # Written into the same file: shorter, with another last line.
    with path.open("r+b") as file:
        file.write(b"".join(lines[:4]))
        file.truncate()
    sender.send(hall)
    assert len(hall.lines) == 1, "nothing was added"
    with Journal.open(tmp_path) as journal:
        log = journal.resume(1)
        for entry in GAME[5:8]:
            log.append(entry)
        sender.send(hall)
        assert len(log.entries) == 8
