"""A journal as older versions wrote it: its games are brought over once, and what is damaged of it is said so."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from device.commands.cli import main
from device.commands.doctor import Level, check_journal
from device.speech import Language
from device.storage.journal import Journal, JournalError, Trouble
from device.storage.opening import Result
from referee.history import Entry
from tests.device.old_journals import OPENING, write_old
from tests.device.openings import opening

GAMES, ENTRIES = 4, 30
RESULT = Result((3, 15, 4), (2,))


def entry(game: int, number: int) -> Entry:
    size = 9000 if number % 13 == 5 else number * 5
    return Entry("move", {"game": game, "number": number, "text": "あ" * (size // 3)})


def entries(game: int) -> list[Entry]:
    return [entry(game, number) for number in range(ENTRIES)]


def write(state: Path, *, close: bool = True) -> sqlite3.Connection:
    games = {game: entries(game) for game in range(1, GAMES + 1)}
    return write_old(state, games, results={1: RESULT}, going_on=3, close=close)


def recovered(journal: Journal) -> dict[int, int]:
    found = {}
    for kept in journal.games():
        there = journal.entries(kept.number)
        assert there == tuple(entries(kept.number)[: len(there)])
        assert (kept.opening, kept.language) == (OPENING, Language.JA)
        found[kept.number] = len(there)
    return found


def test_its_games_are_there_and_go_on(tmp_path: Path) -> None:
    write(tmp_path)
    before = (tmp_path / "journal.db").read_bytes()
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert recovered(journal) == dict.fromkeys(range(1, 5), ENTRIES)
        assert (journal.game(1).result, journal.game(2).result) == (RESULT, None)
        assert journal.game(1).ended == journal.game(1).started == journal.game(2).started
        assert journal.going_on == journal.game(3)
        journal.resume(3).append(entry(3, ENTRIES))
        assert journal.begin(OPENING, Language.JA).game == 5
        assert (tmp_path / "journal-old.db").read_bytes() == before
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert journal.game(3).entries == ENTRIES + 1
        journal.delete(2)
    assert not list(tmp_path.glob("*.db*"))


def test_its_log_is_read_too(tmp_path: Path) -> None:
    """As it is on the disk when the plug is pulled: everything is in the write-ahead log."""
    (tmp_path / "running").mkdir()
    database = write(tmp_path / "running", close=False)
    for name in ("journal.db", "journal.db-wal"):
        shutil.copy(tmp_path / "running" / name, tmp_path / name)
    database.close()
    assert (tmp_path / "journal.db").stat().st_size < 10_000
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert recovered(journal) == dict.fromkeys(range(1, 5), ENTRIES)
    assert (tmp_path / "journal-old.db-wal").is_file()


def test_one_of_version_1(tmp_path: Path) -> None:
    write_old(tmp_path, {1: [Entry("move", {"do": "setup", "discard": "T8"})]}, version=1)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert [kept.opening for kept in journal.games()] == [OPENING]
        assert journal.entries(1) == (Entry("move", {"do": "setup", "discard": "T8"}),)
        assert journal.going_on is None
        journal.resume(1).append(entry(1, 1))
    with Journal.open(tmp_path) as journal:
        assert journal.going_on is not None
        assert journal.going_on.language is Language.JA
        assert journal.begin(OPENING, Language.EN).game == 2


VERSION_1_LINK = "3e0257f646707bc1292fcd547d822ec3"


def test_the_sums_are_those_that_version_1_wrote(tmp_path: Path) -> None:
    told = '{"game":"laminate","players":["A","B","C"],"first_seat":3,"deck":null,"mat_mm":[1189.0,841.0],"marker_mm":50.0}'  # noqa: E501 - as it stands in the file
    write_old(tmp_path, {1: []}, version=1, openings={1: told})
    with sqlite3.connect(tmp_path / "journal.db") as database:
        assert database.execute("SELECT seal FROM games").fetchone() == ("ecd2ebaed673cae66c6421aea21ec265",)
        row = (1, 1, "2026-11-21T10:01:00.000+00:00", "move", '{"do":"setup","discard":"T8"}', VERSION_1_LINK)
        database.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", row)
    database.close()
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert journal.game(1).opening == opening(("A", "B", "C"), 3)
        assert journal.entries(1) == (Entry("move", {"do": "setup", "discard": "T8"}),)


def test_a_game_of_another_version_in_it_leaves_the_others_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_old(tmp_path, {1: entries(1), 2: [], 3: []}, openings={2: "[]", 3: "no object\nat all"})
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert recovered(journal) == {1: ENTRIES}
        assert journal.unreadable() == (2, 3)
    assert check_journal(tmp_path).level is Level.WARN
    assert main(["games", "delete", "2", "--yes", "--state", str(tmp_path)]) == 0


@pytest.mark.few(3)
@pytest.mark.parametrize("page", range(8))
def test_a_damaged_one_is_set_aside_and_read_as_far_as_it_can_be(tmp_path: Path, page: int) -> None:
    write(tmp_path)
    path = tmp_path / "journal.db"
    pages = path.stat().st_size // 4096
    data = bytearray(path.read_bytes())
    at = 4096 * (page * pages // 8)
    data[at : at + 4096] = bytes(4096)
    path.write_bytes(data)
    with Journal.open(tmp_path) as journal:
        aside = journal.set_aside
        assert aside is not None
        assert (aside.path / "journal.db").read_bytes() == bytes(data)
        assert aside.path.name in str(aside.text)
        assert aside.path.name in aside.text.said(Language.JA)
        found = recovered(journal)
        assert (aside.games, aside.entries) == (len(found), sum(found.values()))
        assert page < 2 or sum(found.values()) >= ENTRIES, "only the file's first page or a table's costs all of them"
        journal.begin(OPENING, Language.EN).append(entry(1, 0))
    assert not path.exists()
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("change", "games"),
    [
        ("UPDATE entries SET data = '{}' WHERE game = 2 AND number = 11", {1: 30, 2: 10, 3: 30, 4: 30}),
        ("DELETE FROM entries WHERE game = 2 AND number = 11", {1: 30, 2: 10, 3: 30, 4: 30}),
        ("UPDATE games SET ended = NULL WHERE id = 1", {1: 30, 2: 30, 3: 30, 4: 30}),
        ("DELETE FROM games WHERE id = 2", {1: 30, 3: 30, 4: 30}),
        ("UPDATE games SET opening = '{}' WHERE id = 2", {1: 30, 3: 30, 4: 30}),
        ("DROP TABLE games", {}),
        ("DROP TABLE entries", {1: 0, 2: 0, 3: 0, 4: 0}),
        ("PRAGMA application_id = 7", {1: 30, 2: 30, 3: 30, 4: 30}),
        ("PRAGMA user_version = 0", {1: 30, 2: 30, 3: 30, 4: 30}),
        ("PRAGMA user_version = 123456", {1: 30, 2: 30, 3: 30, 4: 30}),
    ],
)
def test_rows_whose_sums_are_wrong_are_not_believed(tmp_path: Path, change: str, games: dict[int, int]) -> None:
    write(tmp_path)
    database = sqlite3.connect(tmp_path / "journal.db")
    with database:
        database.execute(change)
    database.close()
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is not None
        assert journal.set_aside.lost == (1 if "2" in change and 2 not in games else 4 if not games else 0)
        assert recovered(journal) == games


@pytest.mark.parametrize("content", [b"", b"this is a letter\n" * 999, bytes(4096), b"SQLite format 3\0" + bytes(300)])
def test_a_file_that_is_no_journal(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal.db").write_bytes(content)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is not None
        assert (journal.set_aside.path / "journal.db").read_bytes() == content
        assert journal.games() == ()


def test_the_database_of_another_program(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "journal.db") as database:
        database.execute("CREATE TABLE games (id INTEGER PRIMARY KEY, name TEXT)")
        database.execute("INSERT INTO games VALUES (1, 'chess')")
    database.close()
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is not None
        assert journal.games() == ()
    with sqlite3.connect(journal.set_aside.path / "journal.db") as database:
        assert database.execute("SELECT name FROM games").fetchone() == ("chess",)
    database.close()


def test_a_log_whose_database_is_gone_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "journal.db-wal").write_bytes(b"no log" * 99)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is not None
        assert (journal.set_aside.path / "journal.db-wal").read_bytes() == b"no log" * 99


@pytest.mark.slow  # test_app.py: a locked journal accepts nothing
def test_one_that_another_program_keeps_for_itself(tmp_path: Path) -> None:
    write(tmp_path)
    other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(JournalError) as caught:
        Journal.open(tmp_path)
    assert caught.value.trouble is Trouble.LOCKED
    other.close()
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert len(journal.games()) == GAMES


def test_one_that_an_older_sevenmat_has_open_is_not_touched(tmp_path: Path) -> None:
    with Journal.open(tmp_path):
        write(tmp_path)
        before = (tmp_path / "journal.db").read_bytes()
        with pytest.raises(JournalError) as caught:
            Journal.open(tmp_path)
        assert caught.value.trouble is Trouble.LOCKED
        assert (tmp_path / "journal.db").read_bytes() == before


def test_stopped_at_any_step_of_bringing_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flush = os.fsync
    stop, done = 0, False
    while not done:
        stop += 1
        state = tmp_path / str(stop)
        state.mkdir()
        write_old(state, {1: entries(1)[:3], 2: entries(2)[:3]}, results={1: RESULT}, going_on=2)
        steps = iter(range(1, 99))

        def count(handle: int, stop: int = stop, steps: object = steps) -> None:
            if next(steps) == stop:  # type: ignore[call-overload]
                raise KeyboardInterrupt
            flush(handle)

        with monkeypatch.context() as stopping:
            stopping.setattr(os, "fsync", count)
            try:
                Journal.open(state).close()
                done = True
            except KeyboardInterrupt:
                pass
        with Journal.open(state) as journal:
            assert journal.set_aside is None
            assert recovered(journal) == {1: 3, 2: 3}
            assert journal.going_on == journal.game(2)
        assert not (state / "journal.db").exists()
        shutil.rmtree(state)
    assert stop > 8


def test_games_of_an_older_version_that_was_used_again_take_new_numbers(tmp_path: Path) -> None:
    write_old(tmp_path, {1: entries(1)})
    with Journal.open(tmp_path) as journal:
        journal.resume(1).append(entry(1, ENTRIES))
        journal.begin(OPENING, Language.EN, entries(2))
    write_old(tmp_path, {1: entries(1), 2: entries(3)}, going_on=2)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert [kept.entries for kept in journal.games()] == [ENTRIES + 1, ENTRIES, ENTRIES]
        assert journal.entries(3) == tuple(entries(3))
        assert journal.going_on == journal.game(3)
