"""A damaged journal: set aside, said so, and whatever can still be believed is in the new one."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.speech import Language
from device.storage.journal import Journal, JournalError, Trouble
from device.storage.journal_file import VERSION
from device.storage.opening import Result
from device.storage.sqlite_pages import rows_in
from referee.history import Entry
from tests.device.openings import opening

OPENING = opening(("Hilbert", "バナッハ", "Noether"), 2, "our deck")
GAMES = 4
ENTRIES = 40


def entry(game: int, number: int) -> Entry:
    """Entries of many sizes; some go over several pages."""
    size = 9000 if number % 13 == 5 else number * 5
    return Entry("move", {"game": game, "number": number, "text": "あ" * (size // 3)})


def write(state: Path, *, close: bool = True) -> Journal:
    journal = Journal.open(state)
    for game in range(1, GAMES + 1):
        log = journal.begin(OPENING, Language.JA)
        for number in range(ENTRIES):
            log.append(entry(game, number))
        if game < GAMES:
            log.end(Result((game, 15, 0), (2,)))
    if close:
        journal.close()
    return journal


@pytest.fixture(scope="session")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal that was closed in order: all is in the one file."""
    state = tmp_path_factory.mktemp("closed")
    write(state)
    return state


@pytest.fixture(scope="session")
def pulled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal as it is on the disk when the plug is pulled: the last entries are in the write-ahead log."""
    state, copy = tmp_path_factory.mktemp("written"), tmp_path_factory.mktemp("pulled")
    journal = write(state, close=False)
    for name in ("journal.db", "journal.db-wal"):
        shutil.copy(state / name, copy / name)
    journal.close()
    return copy


def copied(source: Path, target: Path) -> Path:
    for path in source.glob("journal.db*"):
        shutil.copy(path, target / path.name)
    return target / "journal.db"


def recovered(journal: Journal) -> dict[int, int]:
    """How many entries each game has; each must be the beginning of what was written, nothing else."""
    found = {}
    for kept in journal.games():
        entries = journal.entries(kept.number)
        assert entries == tuple(entry(kept.number, number) for number in range(len(entries)))
        assert kept.opening == OPENING
        found[kept.number] = len(entries)
    return found


def page_of(path: Path, text: str) -> int:
    """The byte where a text stands in the file, for the first time."""
    return path.read_bytes().index(text.encode())


def overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def a_bit_of_an_entry(path: Path) -> None:
    overwrite(path, page_of(path, '{"game":2,"number":30') + 8, b"3")


def a_page_of_an_entry(path: Path) -> None:
    at = page_of(path, '{"game":2,"number":30') // 4096 * 4096
    overwrite(path, at, bytes(4096))


def the_schema(path: Path) -> None:
    overwrite(path, 100, bytes(3996))


def the_first_page(path: Path) -> None:
    overwrite(path, 0, bytes(4096))


def the_end_of_a_game(path: Path) -> None:
    overwrite(path, page_of(path, '{"points":[1,15,0]') + 11, b"9")


@pytest.mark.parametrize(
    ("damage", "games"),
    [
        (a_bit_of_an_entry, {1: 40, 2: 30, 3: 40, 4: 40}),
        (the_schema, {1: 40, 2: 40, 3: 40, 4: 40}),
        (the_first_page, {1: 40, 2: 40, 3: 40, 4: 40}),
        (the_end_of_a_game, {1: 40, 2: 40, 3: 40, 4: 40}),
    ],
)
def test_what_is_whole_is_recovered(
    closed: Path, tmp_path: Path, damage: Callable[[Path], None], games: dict[int, int]
) -> None:
    path = copied(closed, tmp_path)
    damage(path)
    damaged = path.read_bytes()
    with Journal.open(tmp_path) as journal:
        aside = journal.set_aside
        assert aside is not None
        assert aside.path.read_bytes() == damaged
        assert aside.path.name in aside.en
        assert aside.path.name in aside.ja
        assert recovered(journal) == games
        assert (aside.games, aside.entries) == (4, sum(games.values()))
        assert aside.cut_short == sum(count < 40 for count in games.values())
        assert aside.lost == 0
        going_on = journal.going_on
        assert going_on is not None
        assert (going_on.number, going_on.language) == (4, Language.JA)
        if damage is not the_end_of_a_game:
            assert journal.game(1).result == Result((1, 15, 0), (2,))
        journal.resume(4).append(entry(4, 40))
        assert journal.begin(OPENING, Language.EN).game == 5
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert len(journal.entries(4)) == 41


def test_a_page_of_entries_gone_costs_those_games_no_more_than_their_rest(closed: Path, tmp_path: Path) -> None:
    a_page_of_an_entry(copied(closed, tmp_path))
    with Journal.open(tmp_path) as journal:
        found = recovered(journal)
        assert journal.set_aside is not None
        assert journal.set_aside.cut_short >= 1
    assert found.keys() == {1, 2, 3, 4}
    assert found[2] <= 30
    assert found[1] == found[4] == 40


def test_a_deleted_game_does_not_come_back(closed: Path, tmp_path: Path) -> None:
    path = copied(closed, tmp_path)
    with Journal.open(tmp_path) as journal:
        journal.delete(2)
        the_first_page(path)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is not None
        assert recovered(journal) == {1: 40, 3: 40, 4: 40}


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_file_cut_off(closed: Path, tmp_path: Path, share: float) -> None:
    path = copied(closed, tmp_path)
    with path.open("r+b") as file:
        file.truncate(int(path.stat().st_size * share))
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is not None
        found = recovered(journal)
        journal.begin(OPENING, Language.EN).append(Entry("move", {}))
    assert found.get(1, 0) == 40 or share < 0.5
    assert bool(found) == (share >= 0.1)


@pytest.mark.parametrize("content", [b"", b"this is a letter\n" * 999, bytes(4096)])
def test_a_file_that_is_no_journal(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal.db").write_bytes(content)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is not None
        assert journal.set_aside.path.read_bytes() == content
        assert journal.games() == ()


def test_the_database_of_another_program(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "journal.db") as database:
        database.execute("CREATE TABLE games (id INTEGER PRIMARY KEY, name TEXT)")
        database.execute("INSERT INTO games VALUES (1, 'chess')")
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is not None
        assert journal.games() == ()
    with sqlite3.connect(journal.set_aside.path) as database:
        assert database.execute("SELECT name FROM games").fetchone() == ("chess",)


# --- the write-ahead log


def test_a_pulled_plug_is_no_damage(pulled: Path, tmp_path: Path) -> None:
    copied(pulled, tmp_path)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert recovered(journal) == dict.fromkeys(range(1, 5), 40)


def test_half_a_log(pulled: Path, tmp_path: Path) -> None:
    """A log that simply ends early looks like one that was never written further: what is there is taken."""
    log = copied(pulled, tmp_path).with_name("journal.db-wal")
    with log.open("r+b") as file:
        file.truncate(log.stat().st_size // 2)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        found = recovered(journal)
    assert found[1] == 40
    assert sum(found.values()) < 160


@pytest.mark.parametrize("at", [0, 16, 32 + 8, 32 + 24 + 2000])
def test_damage_in_the_log_does_not_cost_what_stands_behind_it(pulled: Path, tmp_path: Path, at: int) -> None:
    log = copied(pulled, tmp_path).with_name("journal.db-wal")
    overwrite(log, at, b"\xff\xff\xff\xff")
    with Journal.open(tmp_path) as journal:
        aside = journal.set_aside
        assert aside is not None
        assert aside.path.with_name(aside.path.name + "-wal").is_file()
        found = recovered(journal)
    assert found[1] == found[4] == 40


def test_a_log_whose_journal_is_gone(pulled: Path, tmp_path: Path) -> None:
    path = copied(pulled, tmp_path)
    path.unlink()
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is not None
        assert recovered(journal)[4] == 40


@pytest.mark.parametrize("blow", [b"A", b"\x80", b"\x00"])
def test_damage_to_how_the_tables_were_made(closed: Path, tmp_path: Path, blow: bytes) -> None:
    """A column whose name was struck was found out only when asked for; some bytes broke SQLite's own message."""
    page = (closed / "journal.db").read_bytes()[:4096]
    for at in range(page.index(b"CREATE TABLE") - 60, len(page), 7):
        state = tmp_path / str(at)
        state.mkdir()
        overwrite(copied(closed, state), at, blow)
        with Journal.open(state) as journal:
            assert recovered(journal) == dict.fromkeys(range(1, GAMES + 1), ENTRIES), at
            journal.begin(OPENING, Language.EN).append(Entry("move", {}))
        shutil.rmtree(state)


# --- any damage at all


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=600)), min_size=1, max_size=3),
    st.booleans(),
)
def test_nothing_is_ever_made_up(
    closed: Path, pulled: Path, tmp_path_factory: pytest.TempPathFactory, blows: list[tuple[float, bytes]], plug: bool
) -> None:
    state = tmp_path_factory.mktemp("any")
    path = copied(pulled if plug else closed, state)
    target = path.with_name("journal.db-wal") if plug else path
    for share, blow in blows:
        overwrite(target, int(target.stat().st_size * share), blow)
    try:
        with Journal.open(state) as journal:
            found = recovered(journal)
            assert all(count <= ENTRIES for count in found.values())
            if journal.set_aside is None and not plug:
                assert found == dict.fromkeys(range(1, 5), 40)
            journal.begin(OPENING, Language.EN).append(Entry("move", {}))
    except JournalError as error:
        assert error.trouble is Trouble.NEWER  # noqa: PT017 - a blow may hit the version and nothing else
    shutil.rmtree(state)


# --- setting aside


def test_stopped_at_any_step_of_setting_aside(closed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.replace
    for stop in range(1, 4):
        state = tmp_path / str(stop)
        state.mkdir()
        path = copied(closed, state)
        path.with_name("journal.db-wal").write_bytes(b"no log" * 99)
        the_first_page(path)
        damaged = path.read_bytes()
        steps = iter(range(1, 99))

        def replace(source: Path, target: Path, stop: int = stop, steps: object = steps) -> Path:
            if next(steps) == stop:  # type: ignore[call-overload]
                raise KeyboardInterrupt
            return rename(source, target)

        monkeypatch.setattr(Path, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            Journal.open(state)
        monkeypatch.setattr(Path, "replace", rename)
        with Journal.open(state) as journal:
            assert journal.set_aside is not None
            assert journal.set_aside.path.read_bytes() == damaged
            assert journal.set_aside.path.with_name(journal.set_aside.path.name + "-wal").is_file()
            assert recovered(journal) == dict.fromkeys(range(1, 5), 40)
        assert len(list(state.glob("journal-damaged-*"))) == 2
        assert not (state / "journal.db.new").exists()


@pytest.mark.parametrize("half", [b"", b"SQLite format 3\0" + bytes(300), bytes(1)])
def test_stopped_while_the_first_journal_was_made(tmp_path: Path, half: bytes) -> None:
    Journal.open(tmp_path / "other").close()
    whole = tmp_path / "other" / "journal.db"
    (tmp_path / "journal.db.new").write_bytes(half or whole.read_bytes())
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert journal.games() == ()
    assert not (tmp_path / "journal.db.new").exists()


def test_a_damaged_journal_in_use_is_left_alone(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        journal.begin(OPENING, Language.EN).append(entry(1, 0))
        with sqlite3.connect(tmp_path / "journal.db") as database:
            database.execute("UPDATE entries SET data = '{}'")
        with pytest.raises(JournalError) as caught:
            Journal.open(tmp_path)
        assert caught.value.trouble is Trouble.DAMAGED
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is not None
        assert recovered(journal) == {1: 1}  # as it stood before, further up in the log


@pytest.mark.parametrize("left", [4096, 40960])
def test_damaged_while_a_game_goes_on(tmp_path: Path, left: int) -> None:
    journal = write(tmp_path, close=False)
    log = journal.resume(4)
    with sqlite3.connect(tmp_path / "journal.db") as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path = tmp_path / "journal.db"
    overwrite(path, left, bytes(path.stat().st_size - left))
    journal._file.database.execute("PRAGMA shrink_memory")
    log.append(entry(4, ENTRIES))
    assert journal.set_aside is not None
    assert len(log.entries) == ENTRIES + 1
    assert journal.entries(log.game) == tuple(entry(4, number) for number in range(ENTRIES + 1))
    journal.close()
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert journal.going_on == journal.game(log.game)
        assert journal.going_on.entries == ENTRIES + 1


def test_set_aside_in_one_second_twice(tmp_path: Path) -> None:
    for _ in range(3):
        (tmp_path / "journal.db").write_bytes(b"")
        Journal.open(tmp_path).close()
    assert len(list(tmp_path.glob("journal-damaged-*.db"))) == 3


def test_pages_read_alone_hold_what_sqlite_says(closed: Path) -> None:
    with sqlite3.connect(closed / "journal.db") as database:
        expected = set(database.execute("SELECT rowid, * FROM entries"))
        assert database.execute("PRAGMA user_version").fetchone() == (VERSION,)
    found = {(rowid, *columns) for rowid, columns in rows_in(closed / "journal.db", closed / "none")}
    assert expected <= found
