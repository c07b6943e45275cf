"""The journal: what it has taken is there after any stop, and every trouble with it is one clear sentence."""

from __future__ import annotations

import errno
import fcntl
import os
import random
import resource
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from itertools import count
from pathlib import Path

import pytest

import device.storage.journal
from device.speech import Language
from device.storage import game_file
from device.storage.journal import GameLog, Journal, JournalError, Trouble, UnknownGameError
from device.storage.opening import Result
from referee.history import Entry
from tests.device.lives import Say, lived
from tests.device.openings import opening

OPENING = opening(("ヒルベルト", "Banach", "Noether"), 2, "our deck", (1000.0, 700.0), 40.0)


def move(number: int) -> Entry:
    return Entry("move", {"number": number, "text": f"手 {number} " + "·" * (number % 7 * 30)})


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another program changes the journal just now."""
    handle = os.open(path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(handle)


def files_in(state: Path) -> list[Path]:
    return [path for path in state.rglob("*") if path.is_file()]


def append_for_ever(log: GameLog) -> None:
    while True:
        log.append(move(len(log.entries)))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path) as opened:
        yield opened


def trouble(error: pytest.ExceptionInfo[JournalError]) -> Trouble:
    """Return what the error is about; it must be a sentence in both languages."""
    assert str(error.value).endswith(".")
    assert error.value.text.said(Language.JA).endswith("。")
    assert "\n" not in str(error.value) + error.value.text.said(Language.JA)
    return error.value.trouble


def test_a_game_is_there_again_with_all_it_began_with(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        assert journal.list_games() == ()
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
        assert again.entries == journal.read_entries(kept.number) == tuple(move(number) for number in range(6))


def test_a_game_in_a_language_that_is_gone_is_shown_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as while_it_is_spoken:
        while_it_is_spoken.setattr(Language, "_known", dict(Language._known))
        esperanto = Language("eo", NullTranslations())
        with Journal.open(tmp_path) as journal:
            journal.begin(OPENING, esperanto, [move(0)])
            journal.begin(OPENING, Language.JA, [move(0)]).speak(esperanto)
    with Journal.open(tmp_path) as journal:
        assert (journal.set_aside, journal.list_unreadable()) == (None, ())
        assert [kept.language for kept in journal.list_games()] == [Language.EN] * 2
        assert journal.read_entries(1) == journal.read_entries(2) == (move(0),)


def test_closing_twice_is_harmless(journal: Journal) -> None:
    journal.close()
    journal.close()


def test_a_game_ends_and_goes_on_after_an_undo(journal: Journal) -> None:
    log = journal.begin(OPENING, Language.EN)
    log.append(move(0))
    log.end(Result((3, 15, 4), (2,)))
    assert journal.read_game(log.game).result == Result((3, 15, 4), (2,))
    assert journal.read_game(log.game).ended is not None
    assert journal.going_on is None
    log.append(Entry("undo", {}))
    assert (journal.read_game(log.game).result, journal.read_game(log.game).ended) == (None, None)
    assert journal.going_on is not None


def test_the_game_to_go_on_with_is_the_one_begun_resumed_or_chosen_last(journal: Journal) -> None:
    first, second = (journal.begin(OPENING, Language.EN).game for _ in range(2))
    assert journal.going_on == journal.read_game(second)
    journal.go_on_with(first)
    assert journal.going_on == journal.read_game(first)
    journal.resume(second)
    assert journal.going_on == journal.read_game(second)
    journal.delete(second)
    assert journal.going_on is None


def test_a_game_that_is_rewritten_whole(journal: Journal) -> None:
    log = journal.begin(OPENING, Language.EN, [move(0), move(1)])
    log.append(move(2))
    assert journal.read_entries(log.game) == (move(0), move(1), move(2))


@pytest.mark.parametrize("ask", ["read_game", "read_entries", "resume", "delete", "go_on_with"])
def test_an_unknown_game(journal: Journal, ask: str) -> None:
    with pytest.raises(UnknownGameError, match="no game 7"):
        getattr(journal, ask)(7)


def test_games_are_in_order_though_the_clock_jumps(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    log = journal.begin(OPENING, Language.EN)
    for number, clock in enumerate(("2026-11-21T20:00:00", "1970-01-01T00:00:00", "2041-01-01T00:00:00")):
        monkeypatch.setattr(device.storage.journal, "_stamp_now", lambda clock=clock: clock)
        log.append(move(number))
    later = journal.begin(OPENING, Language.EN)
    assert journal.read_entries(log.game) == (move(0), move(1), move(2))
    assert [kept.number for kept in journal.list_games()] == [log.game, later.game]


def test_a_deleted_game_leaves_nothing_behind_and_its_number_is_not_used_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        log = journal.begin(OPENING, Language.EN)
        log.append(Entry("move", {"secret": "Hausdorff" * 999}))
        kept = journal.begin(OPENING, Language.EN)
        kept.append(move(1))
        assert sum(b"Hausdorff" in path.read_bytes() for path in files_in(tmp_path)) == 2
        journal.delete(log.game)
        assert not any(b"Hausdorff" in path.read_bytes() for path in files_in(tmp_path))
        with pytest.raises(JournalError) as caught:
            log.append(move(1))
        assert trouble(caught) is Trouble.TAKEN
        with pytest.raises(JournalError) as caught:
            log.end(Result((0, 0, 0), (1,)))
        assert trouble(caught) is Trouble.TAKEN
        assert journal.read_entries(kept.game) == (move(1),)
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
        assert one.read_entries(mine.game) == (move(0), move(1))


# --- troubles while a game goes on: the entry is not written, and the same one can be tried again


def test_a_locked_journal(tmp_path: Path) -> None:
    with Journal.open(tmp_path, wait_s=0.05) as journal:
        log = journal.begin(OPENING, Language.EN)
        with held(tmp_path / "journal"):
            with pytest.raises(JournalError) as caught:
                log.append(move(0))
            assert trouble(caught) is Trouble.LOCKED
            assert journal.read_entries(log.game) == log.entries == ()
        log.append(move(0))
        assert journal.read_entries(log.game) == (move(0),)


def test_a_full_disk(journal: Journal) -> None:
    """Files may grow no further: the last line that is tried is half written by then."""
    log = journal.begin(OPENING, Language.EN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        with pytest.raises(JournalError) as caught:
            append_for_ever(log)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert trouble(caught) is Trouble.FULL
    written = len(log.entries)
    assert written == len(journal.read_entries(log.game)) > 0
    log.append(move(written))
    assert journal.read_entries(log.game) == tuple(move(number) for number in range(written + 1))


@pytest.mark.parametrize("stop", [1, 2])
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (errno.ENOSPC, Trouble.FULL),
        (errno.EDQUOT, Trouble.FULL),
        (errno.EIO, Trouble.FAILING),
        (errno.EROFS, Trouble.READ_ONLY),
    ],
)
def test_what_the_disk_does_not_take_is_in_neither_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: int, code: int, expected: Trouble
) -> None:
    with Journal.open(tmp_path) as journal:
        log = journal.begin(OPENING, Language.EN, [move(0)])
        before = [path.read_bytes() for path in files_in(tmp_path)]
        flush, calls = os.fsync, count(1)

        def fail(handle: int) -> None:
            if next(calls) == stop:
                raise OSError(code, os.strerror(code))
            flush(handle)

        with monkeypatch.context() as failing:
            failing.setattr(os, "fsync", fail)
            with pytest.raises(JournalError) as caught:
                log.append(move(1))
        assert trouble(caught) is expected
        assert [path.read_bytes() for path in files_in(tmp_path)] == before
        log.append(move(1))
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert journal.read_entries(log.game) == (move(0), move(1))


def test_a_game_that_can_not_be_begun_is_not_there(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    first = journal.begin(OPENING, Language.EN)
    for stop in count(1):
        calls = count(1)

        def fail(path: Path, calls: Iterator[int] = calls, stop: int = stop) -> None:
            if next(calls) == stop:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as failing:
            failing.setattr(game_file, "flush", fail)
            try:
                journal.begin(OPENING, Language.EN, [move(0)])
                break
            except JournalError as error:
                assert error.trouble is Trouble.FULL  # noqa: PT017 - how often it flushes is its own business
        assert [kept.number for kept in journal.list_games()] == [first.game]
        assert journal.going_on == journal.read_game(first.game)
    assert stop > 4


def test_a_journal_that_was_taken_away_is_begun_anew_with_the_game(tmp_path: Path, journal: Journal) -> None:
    journal.begin(OPENING, Language.EN).append(move(7))
    log = journal.begin(OPENING, Language.EN, [move(0)])
    log.speak(Language.JA)
    (tmp_path / "journal").rename(tmp_path / "elsewhere")
    shutil.rmtree(tmp_path / "journal-copy")
    log.append(move(1))
    log.append(move(2))
    assert [kept.number for kept in journal.list_games()] == [log.game]
    assert (journal.read_game(log.game).opening, journal.read_game(log.game).language) == (OPENING, Language.JA)
    assert journal.read_entries(log.game) == log.entries == (move(0), move(1), move(2))
    assert journal.going_on == journal.read_game(log.game)
    with Journal.open(tmp_path) as again:
        assert again.read_entries(log.game) == log.entries


@pytest.mark.parametrize("gone", ["journal", "journal-copy"])
@pytest.mark.parametrize("in_use", [True, False])
def test_one_of_the_two_folders_taken_away_costs_nothing(tmp_path: Path, gone: str, in_use: bool) -> None:
    with Journal.open(tmp_path) as journal:
        other = journal.begin(OPENING, Language.EN, [move(7)])
        log = journal.begin(OPENING, Language.EN, [move(0)])
        if in_use:
            shutil.rmtree(tmp_path / gone)
        log.append(move(1))
    if not in_use:
        shutil.rmtree(tmp_path / gone)
    with Journal.open(tmp_path) as journal:
        assert journal.read_entries(other.game) == (move(7),)
        assert journal.read_entries(log.game) == (move(0), move(1))
        assert journal.going_on == journal.read_game(log.game)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
    assert {path.read_bytes() for path in (tmp_path / "journal").iterdir()} == {
        path.read_bytes() for path in (tmp_path / "journal-copy").iterdir()
    }


def test_a_journal_that_can_not_be_opened_anew_is_tried_again(tmp_path: Path, journal: Journal) -> None:
    log = journal.begin(OPENING, Language.EN, [move(0)])
    for name in ("journal", "journal-copy"):
        shutil.rmtree(tmp_path / name)
    (tmp_path / "journal").touch()
    for _ in range(2):
        with pytest.raises(JournalError) as caught:
            log.append(move(1))
        assert trouble(caught) in (Trouble.READ_ONLY, Trouble.GONE)
        assert log.entries == (move(0),)
    with pytest.raises(JournalError) as caught:
        journal.list_games()
    assert trouble(caught) is Trouble.GONE
    (tmp_path / "journal").unlink()
    log.append(move(1))
    assert journal.read_entries(log.game) == (move(0), move(1))


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
        owners = {path.name: path.stat().st_uid for path in tmp_path.rglob("*") if path.name != "journal.lock"}
        assert owners == dict.fromkeys(("journal", "journal-copy", "00000.jsonl", "00001.jsonl"), 65534)
    for folder in tmp_path.parents:
        if "pytest" in folder.as_posix():
            folder.chmod(0o755)
    os.seteuid(65534)
    try:
        with Journal.open(tmp_path) as journal:
            assert len(journal.list_games()) == 1
            journal.resume(1).append(move(0))
    finally:
        os.seteuid(0)


def test_a_newer_journal_is_left_alone(tmp_path: Path) -> None:
    Journal.open(tmp_path).close()
    game_file.rewrite(tmp_path, 0, [game_file.seal_content(0, [], {"format": 9, "going_on": 0})])
    (tmp_path / "journal" / "00001.jsonl").write_text("what only that one understands")
    before = {path: path.read_bytes() for path in files_in(tmp_path)}
    with pytest.raises(JournalError, match="newer Sevenmat") as caught:
        Journal.open(tmp_path)
    assert trouble(caught) is Trouble.NEWER
    assert {path: path.read_bytes() for path in files_in(tmp_path)} == before


def test_a_journal_that_another_program_keeps_for_itself(tmp_path: Path) -> None:
    Journal.open(tmp_path).close()
    with held(tmp_path / "journal"), pytest.raises(JournalError) as caught:
        Journal.open(tmp_path, wait_s=0.05)
    assert trouble(caught) is Trouble.LOCKED
    Journal.open(tmp_path).close()


def test_opening_waits_for_another_that_is_opening(tmp_path: Path) -> None:
    handle = os.open(tmp_path / "journal.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(handle, fcntl.LOCK_EX)
    began = time.monotonic()
    with pytest.raises(JournalError) as caught:
        Journal.open(tmp_path, wait_s=0.1)
    assert time.monotonic() - began >= 0.1
    assert trouble(caught) is Trouble.LOCKED
    os.close(handle)
    Journal.open(tmp_path).close()


# --- killing


@pytest.mark.slow  # tests/device/test_killing.py kills whole programs
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
            entries = journal.read_entries(game)
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


def test_what_is_written_is_flushed_to_the_disk(
    tmp_path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the journal, then the copy, each with the whole line, before ``append`` returns."""
    log = journal.begin(OPENING, Language.EN)
    flushed = []
    flush = os.fsync

    def watch(handle: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{handle}"))
        flushed.append((path.relative_to(tmp_path).as_posix(), path.read_bytes()))
        flush(handle)

    monkeypatch.setattr(os, "fsync", watch)
    log.append(move(0))
    text = (tmp_path / "journal" / "00001.jsonl").read_bytes()
    assert flushed == [("journal/00001.jsonl", text), ("journal-copy/00001.jsonl", text)]
    assert text.count(b"\n") == 2
