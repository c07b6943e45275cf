"""A damaged journal: set aside, said so, and whatever can still be believed is in the new one."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.speech import Language
from device.storage.journal import Journal, JournalError, SetAside, Trouble
from device.storage.opening import Result
from referee.history import Entry
from tests.device.openings import opening

OPENING = opening(("Hilbert", "バナッハ", "Noether"), 2, "our deck")
GAMES = 4
ENTRIES = 40
MAIN, COPY = "journal", "journal-copy"
WHOLE = dict.fromkeys(range(1, GAMES + 1), ENTRIES)


def entry(game: int, number: int) -> Entry:
    """Entries of many sizes; some go over several blocks of a disk."""
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
    """Close a journal in order; pulling the plug leaves the same, for nothing is kept back."""
    state = tmp_path_factory.mktemp("closed")
    write(state)
    return state


def copied(source: Path, target: Path) -> Path:
    for name in (MAIN, COPY):
        shutil.copytree(source / name, target / name)
    return target


def files_of(state: Path, game: int) -> tuple[Path, Path]:
    return state / MAIN / f"{game:05d}.jsonl", state / COPY / f"{game:05d}.jsonl"


def recovered(journal: Journal) -> dict[int, int]:
    """How many entries each game has; each must be the beginning of what was written, nothing else."""
    found = {}
    for kept in journal.list_games():
        entries = journal.read_entries(kept.number)
        assert entries == tuple(entry(kept.number, number) for number in range(len(entries)))
        assert kept.opening == OPENING
        found[kept.number] = len(entries)
    return found


def told(journal: Journal) -> SetAside:
    """Return what was set aside; it is said in both languages."""
    aside = journal.set_aside
    assert aside is not None
    assert aside.path.name in str(aside.text)
    assert aside.path.name in aside.text.said(Language.JA)
    return aside


def overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def truncate(path: Path, size: int) -> None:
    os.truncate(path, size)


def place_of(path: Path, text: str) -> int:
    return path.read_bytes().index(text.encode())


def a_bit_of_an_entry(path: Path) -> None:
    overwrite(path, place_of(path, '{"game":2,"number":30') + 8, b"3")


def a_block_of_entries(path: Path) -> None:
    overwrite(path, place_of(path, '{"game":2,"number":30') // 4096 * 4096, bytes(4096))


def a_line_taken_out(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:31] + lines[32:]))


def lines_put_in(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:31], b"garbage\n", lines[3], b"\xff\0\n", *lines[31:]]))


def the_opening(path: Path) -> None:
    overwrite(path, place_of(path, "Hilbert"), b"Gilbert")


def the_first_block(path: Path) -> None:
    overwrite(path, 0, bytes(4096))


def the_end_of_a_game(path: Path) -> None:
    overwrite(path, place_of(path, '{"points":[2,15,0]') + 11, b"9")


def garbage_behind(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"more\nand more\n")


def all_of_it(path: Path) -> None:
    path.write_bytes(b"this is a letter\n" * 999)


def every_byte(path: Path) -> None:
    path.write_bytes(b"")


def cut_at_a_line(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:20]))


DAMAGES = [
    a_bit_of_an_entry,
    a_block_of_entries,
    a_line_taken_out,
    lines_put_in,
    the_opening,
    the_first_block,
    the_end_of_a_game,
    garbage_behind,
    all_of_it,
    every_byte,
    cut_at_a_line,
]


@pytest.mark.few(8)
@pytest.mark.parametrize("which", [0, 1], ids=[MAIN, COPY])
@pytest.mark.parametrize("damage", DAMAGES)
def test_what_one_file_loses_comes_back_from_the_other(
    closed: Path, tmp_path: Path, damage: Callable[[Path], None], which: int
) -> None:
    path = files_of(copied(closed, tmp_path), 2)[which]
    damage(path)
    damaged = path.read_bytes()
    with Journal.open(tmp_path) as journal:
        if which == 1 and damage is the_end_of_a_game:
            assert journal.set_aside is None, "the copy's last line may be one that was being written"
        else:
            aside = told(journal)
            assert (aside.path / path.relative_to(tmp_path)).read_bytes() == damaged
            assert (aside.games, aside.entries, aside.cut_short, aside.lost) == (4, 160, 0, 0)
        assert recovered(journal) == WHOLE
        going_on = journal.going_on
        assert going_on is not None
        assert (going_on.number, going_on.language) == (4, Language.JA)
        assert [kept.result for kept in journal.list_games()[:3]] == [Result((game, 15, 0), (2,)) for game in (1, 2, 3)]
        journal.resume(2).append(entry(2, 40))
        assert journal.begin(OPENING, Language.EN).game == 5
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert len(journal.read_entries(2)) == 41


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("damage", "entries", "cut", "lost"),
    [
        (a_bit_of_an_entry, 30, 1, 0),
        (a_block_of_entries, None, 1, 0),
        (a_line_taken_out, 30, 1, 0),
        (lines_put_in, 40, 0, 0),
        (the_opening, 0, 0, 1),
        (the_first_block, 0, 0, 1),
        (the_end_of_a_game, 40, 1, 0),
        (garbage_behind, 40, 1, 0),
        (all_of_it, 0, 0, 1),
        (every_byte, 0, 0, 1),
    ],
)
def test_damage_to_both_files_costs_that_game_alone_and_no_more_than_its_rest(
    closed: Path, tmp_path: Path, damage: Callable[[Path], None], entries: int | None, cut: int, lost: int
) -> None:
    for path in files_of(copied(closed, tmp_path), 2):
        damage(path)
    with Journal.open(tmp_path) as journal:
        aside = told(journal)
        found = recovered(journal)
        assert (aside.games, aside.entries) == (len(found), sum(found.values()))
        assert (aside.cut_short, aside.lost) == (cut, lost)
        left = found.pop(2, 0)
        assert found == {1: 40, 3: 40, 4: 40}
        assert left == entries if entries is not None else 0 < left <= 30
        assert journal.begin(OPENING, Language.EN).game == 5
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert recovered(journal).get(2, 0) == left


def test_damage_in_different_places_of_both_files_costs_nothing(closed: Path, tmp_path: Path) -> None:
    main, copy = files_of(copied(closed, tmp_path), 2)
    a_bit_of_an_entry(main)
    the_opening(copy)
    the_end_of_a_game(copy)
    with Journal.open(tmp_path) as journal:
        assert told(journal).cut_short == 0
        assert recovered(journal) == WHOLE
        assert journal.read_game(2).result == Result((2, 15, 0), (2,))


def test_files_that_changed_places_are_not_believed(closed: Path, tmp_path: Path) -> None:
    copied(closed, tmp_path)
    for one, other in zip(files_of(tmp_path, 2), files_of(tmp_path, 3), strict=True):
        text = one.read_bytes()
        one.write_bytes(other.read_bytes())
        other.write_bytes(text)
    with Journal.open(tmp_path) as journal:
        assert told(journal).lost == 2
        assert recovered(journal) == {1: 40, 4: 40}


def test_a_deleted_game_does_not_come_back(closed: Path, tmp_path: Path) -> None:
    copied(closed, tmp_path)
    before = [path.read_bytes() for path in files_of(tmp_path, 2)]
    with Journal.open(tmp_path) as journal:
        journal.delete(2)
    the_first_block(files_of(tmp_path, 2)[0])
    with Journal.open(tmp_path) as journal:
        told(journal)
        assert recovered(journal) == {1: 40, 3: 40, 4: 40}
    # Stopped before the copy was deleted too.
    files_of(tmp_path, 2)[1].write_bytes(before[1])
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert recovered(journal) == {1: 40, 3: 40, 4: 40}
    assert b"number" not in files_of(tmp_path, 2)[1].read_bytes()


@pytest.mark.few(6)
@pytest.mark.parametrize("which", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999])
def test_files_cut_off(closed: Path, tmp_path: Path, share: float, which: tuple[int, ...]) -> None:
    copied(closed, tmp_path)
    for place in which:
        path = files_of(tmp_path, 2)[place]
        truncate(path, int(path.stat().st_size * share))
    with Journal.open(tmp_path) as journal:
        found = recovered(journal)
        journal.begin(OPENING, Language.EN).append(Entry("move", {}))
        one_torn_line = share == 0.999 and which == (1,)
        assert (journal.set_aside is None) == one_torn_line
    assert {game: found[game] for game in (1, 3, 4)} == {1: 40, 3: 40, 4: 40}
    assert bool(found.get(2)) == (len(which) < 2 or share >= 0.1)
    assert len(which) == 2 or found[2] == 40


@pytest.mark.parametrize("content", [b"", b"this is a letter\n" * 999, bytes(4096), b"{}\n", b"[" * 9999])
@pytest.mark.parametrize("game", [0, 1])
def test_files_that_are_no_journal(tmp_path: Path, content: bytes, game: int) -> None:
    paths = files_of(tmp_path, game)
    for path in paths:
        path.parent.mkdir()
        path.write_bytes(content)
    with Journal.open(tmp_path) as journal:
        aside = told(journal)
        assert [(aside.path / path.relative_to(tmp_path)).read_bytes() for path in paths] == [content] * 2
        assert journal.list_games() == ()
        assert aside.lost == game
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None


@pytest.mark.parametrize("which", [(0,), (1,), (0, 1)])
def test_damage_to_which_game_goes_on(closed: Path, tmp_path: Path, which: tuple[int, ...]) -> None:
    """Where both files are damaged, the newest game that has not ended is taken."""
    copied(closed, tmp_path)
    with Journal.open(tmp_path) as journal:
        journal.resume(3).append(entry(3, 40))
    for place in which:
        overwrite(files_of(tmp_path, 0)[place], 60, b"##")
    with Journal.open(tmp_path) as journal:
        if 0 in which:
            assert (told(journal).cut_short, told(journal).lost) == (0, 0)
        assert journal.going_on == journal.read_game(4 if len(which) == 2 else 3)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert journal.going_on == journal.read_game(4 if len(which) == 2 else 3)


# --- a pulled plug


def last_line(path: Path) -> int:
    """Where the last line of a file begins."""
    return path.read_bytes().rindex(b"\n", 0, -1) + 1


@pytest.mark.few(1)
@pytest.mark.parametrize("tail", [b"", b"\0" * 300, b"\xff\x00garbage", b'{"sum":"', b"no line\n"])
def test_a_pulled_plug_is_no_damage(closed: Path, tmp_path: Path, tail: bytes) -> None:
    """Pulled at bytes all over the last entry, in the journal or in the copy, whatever the disk made of the rest."""
    main, copy = files_of(copied(closed, tmp_path), 4)
    text, start = main.read_bytes(), last_line(main)
    for at in {*range(start, start + 60, 3), *range(start, len(text), 97), len(text) - 1, len(text)}:
        for main_text, copy_text, entries in (
            (text[:at] + (tail if at < len(text) else b""), text[:start], 39 + (at == len(text))),
            (text, text[:at] + (tail if at < len(text) else b""), 40),
        ):
            main.write_bytes(main_text)
            copy.write_bytes(copy_text)
            with Journal.open(tmp_path) as journal:
                assert journal.set_aside is None, (at, tail)
                assert len(journal.read_entries(4)) == entries
                journal.resume(4).append(entry(4, entries))
            with Journal.open(tmp_path) as journal:
                assert journal.set_aside is None
                assert recovered(journal) == {**WHOLE, 4: entries + 1}
            assert main.read_bytes() == copy.read_bytes()


@pytest.mark.parametrize("which", [0, 1], ids=[MAIN, COPY])
def test_an_entry_torn_while_another_has_the_journal_open(closed: Path, tmp_path: Path, which: int) -> None:
    main, copy = files_of(copied(closed, tmp_path), 4)
    with Journal.open(tmp_path) as one:
        log = one.resume(4)
        start = last_line(main)
        if which == 0:
            main.write_bytes(main.read_bytes() + b'{"sum":"')
        else:
            truncate(copy, start + 9)
        with Journal.open(tmp_path) as other:
            assert other.set_aside is None
            assert recovered(other) == WHOLE
        log.append(entry(4, 40))
        assert one.set_aside is None
        assert one.read_entries(4) == log.entries
    assert main.read_bytes() == copy.read_bytes()


def test_a_copy_that_is_more_than_a_line_behind_or_ahead_is_damage(closed: Path, tmp_path: Path) -> None:
    for which in (0, 1):
        state = tmp_path / str(which)
        path = files_of(copied(closed, state), 4)[which]
        truncate(path, last_line(path))
        if which == 1:
            truncate(path, last_line(path))
        with Journal.open(state) as journal:
            told(journal)
            assert recovered(journal) == WHOLE


def test_what_is_gone_from_both_files_at_the_end_of_a_line_can_not_be_noticed(closed: Path, tmp_path: Path) -> None:
    """Files that end early look like those of a game that was never played further: what is there is taken."""
    for path in files_of(copied(closed, tmp_path), 4):
        truncate(path, last_line(path))
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert recovered(journal) == {**WHOLE, 4: 39}


# --- any damage at all


@pytest.mark.slow  # test_what_one_file_loses_comes_back_from_the_other
def test_one_changed_byte_at_many_places_of_one_file_costs_nothing(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "whole") as journal:
        log = journal.begin(OPENING, Language.JA, [entry(1, 0)])
        log.append(entry(1, 1))
        log.speak(Language.EN)
        log.append(entry(1, 2))
        log.end(Result((1, 15, 0), (2,)))
        kept, size = journal.read_game(1), files_of(tmp_path / "whole", 1)[0].stat().st_size
    chance = random.Random(3)
    for at in sorted(chance.sample(range(size), size // 4)):
        state = tmp_path / str(at)
        path = files_of(copied(tmp_path / "whole", state), 1)[at % 2]
        data = bytearray(path.read_bytes())
        data[at] ^= chance.choice((1, 2, 4, 8, 16, 32, 64, 128))
        path.write_bytes(data)
        with Journal.open(state) as journal:
            in_the_copys_last_line = at % 2 == 1 and at >= last_line(files_of(tmp_path / "whole", 1)[1])
            assert (journal.set_aside is None) == in_the_copys_last_line, "which may be one that was being written"
            assert journal.read_game(1) == kept
            assert recovered(journal) == {1: 3}
        shutil.rmtree(state)


BLOWS = st.lists(
    st.tuples(
        st.sampled_from(["00000", "00001", "00002", "00003", "00004"]),
        st.floats(0, 1, exclude_max=True),
        st.binary(min_size=1, max_size=600),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=40)
@given(BLOWS, st.booleans(), st.booleans())
def test_nothing_is_ever_made_up(
    closed: Path,
    tmp_path_factory: pytest.TempPathFactory,
    blows: list[tuple[str, float, bytes]],
    main: bool,
    both: bool,
) -> None:
    state = copied(closed, tmp_path_factory.mktemp("any"))
    for name in (MAIN, COPY) if both else (MAIN if main else COPY,):
        for stem, share, blow in blows:
            path = state / name / f"{stem}.jsonl"
            overwrite(path, int(path.stat().st_size * share), blow)
    with Journal.open(state) as journal:
        found = recovered(journal)
        assert all(count <= ENTRIES for count in found.values())
        if not both or journal.set_aside is None:
            assert found == WHOLE
        journal.begin(OPENING, Language.EN).append(Entry("move", {}))
    with Journal.open(state) as journal:
        assert journal.set_aside is None
    shutil.rmtree(state)


# --- setting aside


def test_stopped_at_any_step_of_setting_aside(closed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flush = os.fsync
    stop, done = 0, False
    while not done:
        stop += 1
        state = tmp_path / str(stop)
        main, copy = files_of(copied(closed, state), 2)
        a_bit_of_an_entry(main)
        the_opening(copy)
        damaged = main.read_bytes()
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
            assert recovered(journal) == WHOLE, stop
            assert journal.read_game(2).result == Result((2, 15, 0), (2,))
        asides = list(state.glob("journal-damaged-*"))
        assert damaged in [path.read_bytes() for aside in asides for path in (aside / MAIN).glob("00002.jsonl")]
        with Journal.open(state) as journal:
            assert journal.set_aside is None
        assert {path.name for path in (state / MAIN).iterdir()} == {f"{game:05d}.jsonl" for game in range(5)}
        shutil.rmtree(state)
    assert stop > 8


@pytest.mark.parametrize("half", [b"", b'{"sum":"', bytes(300)])
def test_stopped_while_the_first_game_was_made(tmp_path: Path, half: bytes) -> None:
    Journal.open(tmp_path).close()
    (tmp_path / MAIN / ".00001.jsonl").write_bytes(half)
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert journal.list_games() == ()
        assert journal.begin(OPENING, Language.EN).game == 1
    assert not (tmp_path / MAIN / ".00001.jsonl").exists()


def test_a_damaged_journal_in_use_is_left_alone(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        journal.begin(OPENING, Language.EN).append(entry(1, 0))
        main = files_of(tmp_path, 1)[0]
        overwrite(main, place_of(main, '"number":0') + 9, b"7")
        before = main.read_bytes()
        with pytest.raises(JournalError) as caught:
            Journal.open(tmp_path)
        assert caught.value.trouble is Trouble.DAMAGED
        assert main.read_bytes() == before
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is not None
        assert recovered(journal) == {1: 1}


@pytest.mark.few(3)
@pytest.mark.parametrize("left", [0, 200, 4096, 30000])
@pytest.mark.parametrize("which", [(0,), (1,), (0, 1)])
def test_damaged_while_a_game_goes_on(tmp_path: Path, left: int, which: tuple[int, ...]) -> None:
    journal = write(tmp_path, close=False)
    log = journal.resume(4)
    for place in which:
        path = files_of(tmp_path, 4)[place]
        overwrite(path, left, bytes(path.stat().st_size - left))
    log.append(entry(4, ENTRIES))
    assert journal.set_aside is not None
    assert len(log.entries) == ENTRIES + 1
    assert journal.read_entries(log.game) == tuple(entry(4, number) for number in range(ENTRIES + 1))
    journal.close()
    with Journal.open(tmp_path) as journal:
        assert journal.set_aside is None
        assert journal.going_on == journal.read_game(log.game)
        assert journal.going_on.entries == ENTRIES + 1


def test_both_files_of_a_game_removed_while_it_goes_on(tmp_path: Path) -> None:
    with write(tmp_path, close=False) as journal:
        log = journal.resume(4)
        for path in files_of(tmp_path, 4):
            path.unlink()
        log.append(entry(4, ENTRIES))
        assert recovered(journal) == {**WHOLE, 4: ENTRIES + 1}


def test_set_aside_in_one_second_twice(tmp_path: Path) -> None:
    Journal.open(tmp_path).close()
    for _ in range(3):
        (tmp_path / MAIN / "00001.jsonl").write_bytes(b"")
        Journal.open(tmp_path).close()
    assert len(list(tmp_path.glob("journal-damaged-*"))) == 3
