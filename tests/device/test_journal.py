"""The journal: what it has taken is there after any stop, and every trouble with it is one clear sentence."""

from __future__ import annotations

import doctest
import os
import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

import device.storage.journal
from device.speech import Language
from device.storage.journal import GameLog, Journal, JournalError, Trouble, UnknownGameError
from device.storage.opening import Result
from referee.history import Entry
from tests.device.lives import Say, lived
from tests.device.openings import opening

OPENING = opening(("ヒルベルト", "Banach", "Noether"), 2, "our deck", (1000.0, 700.0), 40.0)


def move(number: int) -> Entry:
    return Entry("move", {"number": number, "text": f"手 {number} " + "·" * (number % 7 * 30)})


def append_for_ever(log: GameLog) -> None:
    while True:
        log.append(move(len(log.entries)))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path) as opened:
        yield opened


def trouble(error: pytest.ExceptionInfo[JournalError]) -> Trouble:
    """What the error is about; it must be a sentence in both languages."""
    assert error.value.en.endswith(".")
    assert error.value.ja.endswith("。")
    assert "\n" not in error.value.en + error.value.ja
    return error.value.trouble


def test_doctests() -> None:
    assert doctest.testmod(device.storage.journal).failed == 0


def test_a_game_is_there_again_with_all_it_began_with(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        assert journal.games() == ()
        assert journal.going_on is None
        log = journal.begin(OPENING, Language.JA)
        for number in range(5):
            log.append(move(number))
        log.speak(Language.EN)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        kept = journal.going_on
        assert kept is not None
        assert (kept.number, kept.opening, kept.language, kept.entries) == (log.game, OPENING, Language.EN, 5)
        again = journal.resume(kept.number)
        again.append(move(5))
        assert again.entries == journal.entries(kept.number) == tuple(move(number) for number in range(6))


def test_closing_twice_is_harmless(journal: Journal) -> None:
    journal.close()
    journal.close()


def test_a_game_ends_and_goes_on_after_an_undo(journal: Journal) -> None:
    log = journal.begin(OPENING, Language.EN)
    log.append(move(0))
    log.end(Result((3, 15, 4), (2,)))
    assert journal.game(log.game).result == Result((3, 15, 4), (2,))
    assert journal.game(log.game).ended is not None
    assert journal.going_on is None
    log.append(Entry("undo", {}))
    assert (journal.game(log.game).result, journal.game(log.game).ended) == (None, None)
    assert journal.going_on is not None


def test_the_game_to_go_on_with_is_the_one_begun_resumed_or_chosen_last(journal: Journal) -> None:
    first, second = (journal.begin(OPENING, Language.EN).game for _ in range(2))
    assert journal.going_on == journal.game(second)
    journal.go_on_with(first)
    assert journal.going_on == journal.game(first)
    journal.resume(second)
    assert journal.going_on == journal.game(second)
    journal.delete(second)
    assert journal.going_on is None


def test_a_game_that_is_rewritten_whole(journal: Journal) -> None:
    log = journal.begin(OPENING, Language.EN, [move(0), move(1)])
    log.append(move(2))
    assert journal.entries(log.game) == (move(0), move(1), move(2))


@pytest.mark.parametrize("ask", ["game", "entries", "resume", "delete", "go_on_with"])
def test_an_unknown_game(journal: Journal, ask: str) -> None:
    with pytest.raises(UnknownGameError, match="no game 7"):
        getattr(journal, ask)(7)


def test_games_are_in_order_though_the_clock_jumps(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    log = journal.begin(OPENING, Language.EN)
    for number, clock in enumerate(("2026-11-21T20:00:00", "1970-01-01T00:00:00", "2041-01-01T00:00:00")):
        monkeypatch.setattr(device.storage.journal, "_now", lambda clock=clock: clock)
        log.append(move(number))
    later = journal.begin(OPENING, Language.EN)
    assert journal.entries(log.game) == (move(0), move(1), move(2))
    assert [kept.number for kept in journal.games()] == [log.game, later.game]


def test_a_deleted_game_leaves_nothing_behind_and_its_number_is_not_used_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        log = journal.begin(OPENING, Language.EN)
        log.append(Entry("move", {"secret": "Hausdorff" * 999}))
        kept = journal.begin(OPENING, Language.EN)
        kept.append(move(1))
        assert any(b"Hausdorff" in path.read_bytes() for path in tmp_path.iterdir())
        journal.delete(log.game)
        assert not any(b"Hausdorff" in path.read_bytes() for path in tmp_path.iterdir())
        with pytest.raises(JournalError) as caught:
            log.append(move(1))
        assert trouble(caught) is Trouble.TAKEN
        with pytest.raises(JournalError) as caught:
            log.end(Result((0, 0, 0), (1,)))
        assert trouble(caught) is Trouble.TAKEN
        assert journal.entries(kept.game) == (move(1),)
        journal.delete(kept.game)
        assert journal.begin(OPENING, Language.EN).game > kept.game


def test_two_programs_may_write_two_games_but_not_one(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as one, Journal.open(tmp_path) as other:
        mine, yours = one.begin(OPENING, Language.EN), other.begin(OPENING, Language.JA)
        mine.append(move(0))
        yours.append(move(0))
        same = other.resume(mine.game)
        same.append(move(1))
        with pytest.raises(JournalError) as caught:
            mine.append(move(1))
        assert trouble(caught) is Trouble.TAKEN
        assert one.entries(mine.game) == (move(0), move(1))


# --- troubles while a game goes on: the entry is not written, and the same one can be tried again


def test_a_locked_journal(tmp_path: Path) -> None:
    with Journal.open(tmp_path, wait_s=0.05) as journal:
        log = journal.begin(OPENING, Language.EN)
        other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError) as caught:
            log.append(move(0))
        assert trouble(caught) is Trouble.LOCKED
        assert journal.entries(log.game) == log.entries == ()
        other.close()
        log.append(move(0))
        assert journal.entries(log.game) == (move(0),)


def test_a_full_disk(journal: Journal) -> None:
    log = journal.begin(OPENING, Language.EN)
    (pages,) = journal._file.database.execute("PRAGMA page_count").fetchone()
    journal._file.database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalError) as caught:
        append_for_ever(log)
    assert trouble(caught) is Trouble.FULL
    written = len(log.entries)
    assert written == len(journal.entries(log.game)) > 0
    journal._file.database.execute("PRAGMA max_page_count = 100000")
    log.append(move(written))
    assert journal.entries(log.game) == tuple(move(number) for number in range(written + 1))


def test_a_journal_that_was_taken_away_is_begun_anew_with_the_game(tmp_path: Path, journal: Journal) -> None:
    journal.begin(OPENING, Language.EN).append(move(7))
    log = journal.begin(OPENING, Language.EN, [move(0)])
    log.speak(Language.JA)
    (tmp_path / "journal.db").rename(tmp_path / "elsewhere")
    (tmp_path / "journal.db-wal").unlink()
    log.append(move(1))
    log.append(move(2))
    assert [kept.number for kept in journal.games()] == [log.game]
    assert (journal.game(log.game).opening, journal.game(log.game).language) == (OPENING, Language.JA)
    assert journal.entries(log.game) == log.entries == (move(0), move(1), move(2))
    assert journal.going_on == journal.game(log.game)
    with Journal.open(tmp_path) as again:
        assert again.entries(log.game) == log.entries


def test_a_journal_that_can_not_be_opened_anew_is_tried_again(
    tmp_path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = journal.begin(OPENING, Language.EN, [move(0)])
    for name in ("journal.db", "journal.db-wal", "journal.db-shm"):
        (tmp_path / name).unlink()
    (tmp_path / "journal.db").mkdir()
    for _ in range(2):
        with pytest.raises(JournalError) as caught:
            log.append(move(1))
        assert trouble(caught) in (Trouble.READ_ONLY, Trouble.GONE)
        assert log.entries == (move(0),)
    with pytest.raises(JournalError) as caught:
        journal.games()
    assert trouble(caught) is Trouble.GONE
    (tmp_path / "journal.db").rmdir()
    log.append(move(1))
    assert journal.entries(log.game) == (move(0), move(1))


def test_a_closed_journal_is_not_opened_by_itself(journal: Journal) -> None:
    log = journal.begin(OPENING, Language.EN)
    journal.close()
    with pytest.raises(JournalError) as caught:
        log.append(move(0))
    assert trouble(caught) is Trouble.GONE


# --- troubles on opening


@pytest.fixture
def nobody(tmp_path: Path) -> Iterator[None]:
    """Somebody who may write nothing in the state folder: the superuser may write everywhere."""
    superuser = os.geteuid() == 0
    for folder in [tmp_path, *tmp_path.parents]:
        if superuser and folder.stat().st_uid == 0 and folder != Path("/") and "pytest" in folder.as_posix():
            folder.chmod(0o755)
    tmp_path.chmod(0o555)
    if superuser:
        os.seteuid(65534)
    yield
    if superuser:
        os.seteuid(0)
    tmp_path.chmod(0o755)


def test_a_folder_that_can_not_be_written(tmp_path: Path, nobody: None) -> None:
    with pytest.raises(JournalError) as caught:
        Journal.open(tmp_path / "state")
    assert trouble(caught) is Trouble.READ_ONLY


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can make files for others")
def test_what_the_superuser_makes_is_the_services_to_write(tmp_path: Path) -> None:
    os.chown(tmp_path, 65534, 65534)
    with Journal.open(tmp_path) as journal:
        journal.begin(OPENING, Language.EN)
        owners = {path.name: path.stat().st_uid for path in tmp_path.iterdir() if path.name != "journal.lock"}
        assert owners == dict.fromkeys(("journal.db", "journal.db-wal", "journal.db-shm"), 65534)
    for folder in tmp_path.parents:
        if "pytest" in folder.as_posix():
            folder.chmod(0o755)
    os.seteuid(65534)
    try:
        with Journal.open(tmp_path) as journal:
            assert len(journal.games()) == 1
            journal.resume(1).append(move(0))
    finally:
        os.seteuid(0)


def test_a_newer_journal_is_left_alone(tmp_path: Path) -> None:
    Journal.open(tmp_path).close()
    with sqlite3.connect(tmp_path / "journal.db") as database:
        database.execute("PRAGMA user_version = 9")
    before = (tmp_path / "journal.db").read_bytes()
    with pytest.raises(JournalError, match="newer Sevenmat") as caught:
        Journal.open(tmp_path)
    assert trouble(caught) is Trouble.NEWER
    assert (tmp_path / "journal.db").read_bytes() == before


def test_a_journal_that_another_program_keeps_for_itself(tmp_path: Path) -> None:
    Journal.open(tmp_path).close()
    other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(JournalError) as caught:
        Journal.open(tmp_path, wait_s=0.05)
    assert trouble(caught) is Trouble.LOCKED
    other.close()
    Journal.open(tmp_path).close()


def test_opening_waits_for_another_that_is_opening(tmp_path: Path) -> None:
    import fcntl

    handle = os.open(tmp_path / "journal.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(handle, fcntl.LOCK_EX)
    began = time.monotonic()
    with pytest.raises(JournalError) as caught:
        Journal.open(tmp_path, wait_s=0.1)
    assert time.monotonic() - began >= 0.1
    assert trouble(caught) is Trouble.LOCKED
    os.close(handle)
    Journal.open(tmp_path).close()


VERSION_1 = """
PRAGMA application_id = 1398164820;
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT, opening TEXT NOT NULL, started TEXT NOT NULL,
    language TEXT NOT NULL, ended TEXT, result TEXT, seal TEXT NOT NULL
);
CREATE TABLE entries (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE, number INTEGER NOT NULL, at TEXT NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, link TEXT NOT NULL, PRIMARY KEY (game, number)
);
INSERT INTO games VALUES (
    1, '{"game":"laminate","players":["A","B","C"],"first_seat":3,"deck":null,"mat_mm":[1189.0,841.0],"marker_mm":50.0}',
    '2026-11-21T10:00:00.000+00:00', 'ja', NULL, NULL, 'SEAL'
);
INSERT INTO entries VALUES (
    1, 1, '2026-11-21T10:01:00.000+00:00', 'move', '{"do":"setup","discard":"T8"}', 'LINK'
);
PRAGMA user_version = 1;
"""  # noqa: E501 - the opening as it stands in the file


def test_a_journal_of_version_1_is_brought_up_to_date(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "journal.db")
    database.executescript(
        VERSION_1.replace("SEAL", "ecd2ebaed673cae66c6421aea21ec265").replace(
            "LINK", "3e0257f646707bc1292fcd547d822ec3"
        )
    )
    database.close()
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert [kept.opening for kept in journal.games()] == [opening(("A", "B", "C"), 3)]
        assert journal.entries(1) == (Entry("move", {"do": "setup", "discard": "T8"}),)
        assert journal.going_on is None
        journal.resume(1).append(move(1))
    with Journal.open(tmp_path) as journal:
        assert journal.going_on is not None
        assert journal.going_on.language is Language.JA
        assert journal.begin(OPENING, Language.EN).game == 2


# --- killing


def test_what_was_taken_is_there_after_a_kill_at_any_moment(tmp_path: Path) -> None:
    """SIGKILL, 60 times: every entry whose append returned is there, and at most the one after it."""
    chance = random.Random(6)
    with Journal.open(tmp_path) as journal:
        game = journal.begin(OPENING, Language.EN).game

    def write(say: Say) -> None:
        with Journal.open(tmp_path, wait_s=10.0) as journal:
            log = journal.resume(game)
            say(len(log.entries))
            for number in count(len(log.entries)):
                log.append(move(number))
                say(number + 1)

    for _ in range(60):
        taken = lived(write, chance.uniform(0.0, 0.04))
        with Journal.open(tmp_path) as journal:
            assert journal.set_aside is None
            entries = journal.entries(game)
        assert taken <= len(entries) <= taken + 1
        assert entries == tuple(map(move, range(len(entries))))
    assert len(entries) > 60


def test_looking_in_while_another_writes_is_no_damage(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        done = threading.Event()

        def play() -> None:
            while not done.is_set():
                journal.begin(OPENING, Language.EN, [move(0), move(1)]).append(move(2))

        player = threading.Thread(target=play)
        player.start()
        try:
            for _ in range(25):
                Journal.open(tmp_path, wait_s=10.0).close()
        finally:
            done.set()
            player.join()


def test_what_is_written_is_flushed_to_the_disk(journal: Journal) -> None:
    ask = journal._file.database.execute
    assert ask("PRAGMA journal_mode").fetchone() == ("wal",)
    assert ask("PRAGMA synchronous").fetchone() == (2,)
