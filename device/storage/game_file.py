"""A game's lines on the disk: sealed one by one, only ever added to, and kept twice.

``journal/00002.jsonl`` is game 2, ``journal-copy/00002.jsonl`` its second copy. Each line carries its number and a sum
over itself and the sum before it, the first one over the game's number. A line is on the disk in the journal before it
goes to the copy, so a stop at any moment leaves one torn line, or a copy that is one line behind. All else is damage.
Game 0 is no game: its one line names the format and the game to go on with. A deleted game leaves one line saying so.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any

from device.files import flush
from device.json_text import read_object

FOLDER, COPY = "journal", "journal-copy"
FORMAT = 3
"""Formats 1 and 2 were databases."""
_LINE = re.compile(rb'\{"sum":"[0-9a-f]{32}","n":(\d{1,9}),(.*)\}\n?', re.DOTALL)
_MOST = 1 << 28
"""Bytes that are read of a game; a long one has less than one million."""

Lines = list[bytes]


@dataclass(frozen=True, slots=True)
class FoundGame:
    """What the two files of a game hold: its ``lines`` as far as their sums are right, whichever file has them.

    ``whole``: the files are as a stop at any moment may leave them. ``cut``: there was more than these lines.
    """

    lines: Lines
    whole: bool
    cut: bool

    @property
    def deleted(self) -> bool:
        """Whether the game was deleted."""
        return len(self.lines) == 1 and text_of(self.lines[0]).startswith(b'"deleted"')


def paths_of(state: Path, game: int) -> tuple[Path, Path]:
    """Where a game is kept, and where its copy."""
    return state / FOLDER / f"{game:05d}.jsonl", state / COPY / f"{game:05d}.jsonl"


def list_numbers(state: Path) -> list[int]:
    """List the numbers of all games that have a file, in order; 0 and deleted ones among them."""
    stems = {path.stem for folder in (FOLDER, COPY) for path in (state / folder).glob("*.jsonl")}
    return sorted(int(stem) for stem in stems if stem.isdecimal() and stem == f"{int(stem):05d}")


def seal_content(game: int, lines: Lines, content: Mapping[str, Any]) -> bytes:
    """Make the line that follows ``lines`` in a game."""
    return seal(game, lines, json.dumps(content, ensure_ascii=False, separators=(",", ":"))[1:-1].encode())


def sealed_all(game: int, contents: Iterable[Mapping[str, Any]]) -> Lines:
    """All lines of a game that says this."""
    lines: Lines = []
    for content in contents:
        lines.append(seal_content(game, lines, content))
    return lines


def seal(game: int, lines: Lines, text: bytes) -> bytes:
    """Make the line that follows ``lines`` in a game; ``text`` is its JSON without the braces."""
    before, number = lines[-1][8:40] if lines else b"%d" % game, len(lines)
    total = blake2b(b"%b\n%d\n%b" % (before, number, text), digest_size=16).hexdigest().encode()
    return b'{"sum":"%b","n":%d,%b}\n' % (total, number, text)


def text_of(line: bytes) -> bytes:
    """Return the JSON that ``seal`` was given."""
    found = _LINE.fullmatch(line)
    return found[2] if found else b""


def read_content(line: bytes) -> dict[str, Any]:
    """Parse what a line holds.

    Raises:
        ValueError: it is no JSON object.
    """
    return read_object(line.decode())


def find_game(state: Path, game: int) -> FoundGame:
    """Read both files of a game."""
    first, second = map(_read, paths_of(state, game))
    files = [data for data in dict.fromkeys((first, second)) if data is not None]
    pool: dict[int, list[bytes]] = {}
    for line in (line for data in files for line in data.split(b"\n")[:-1]):
        if match := _LINE.fullmatch(line):
            pool.setdefault(int(match[1]), []).append(line + b"\n")
    lines: Lines = []
    while right := [line for line in pool.get(len(lines), ()) if line == seal(game, lines, text_of(line))]:
        lines.append(right[0])
    text, behind = b"".join(lines), b"".join(lines[:-1])
    cut = bool(lines) and (max(pool) >= len(lines) or not any(data.endswith(lines[-1]) for data in files))
    whole = (first == text and (second is None or second == text or _is_torn(second, behind))) or (
        second == text and _is_torn(first, text)
    )
    found = FoundGame(lines, bool(lines) and whole, cut)
    return FoundGame(lines, True, False) if found.deleted and first == text else found


def _is_torn(data: bytes | None, text: bytes) -> bool:
    """Whether a file holds that text and what may be one unfinished line."""
    return data is not None and data.startswith(text) and b"\n" not in data[len(text) : -1]


def _read(path: Path) -> bytes | None:
    """Return what a file holds, ``None`` where there is none."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return file.read(_MOST)


def has_lines(state: Path, game: int, lines: Lines) -> bool:
    """Whether both files hold exactly these lines."""
    text = b"".join(lines)
    return all(_read(path) == text for path in paths_of(state, game))


def rewrite(state: Path, game: int, lines: Lines) -> None:
    """Have both files hold these lines and nothing else; each holds the old or the new ones at any moment."""
    text = b"".join(lines)
    for path in paths_of(state, game):
        if _read(path) != text:
            make_folder(path.parent)
            unfinished = path.with_name(f".{path.name}")
            unfinished.write_bytes(text)
            _settle(unfinished)
            unfinished.replace(path)
            flush(path.parent)


def add(state: Path, game: int, lines: Lines, line: bytes) -> None:
    """Add a line to both files, which hold ``lines``: it is on the disk then, or, after an error, in neither."""
    try:
        for path in paths_of(state, game):
            with path.open("ab", buffering=0) as file:
                if file.write(line) != len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(file.fileno())
    except BaseException:
        for path in paths_of(state, game):
            with suppress(OSError):
                os.truncate(path, sum(map(len, lines)))
        raise


def name_aside(state: Path) -> Path:
    """Name a folder that is not there yet, for what is damaged."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    names = (f"journal-damaged-{stamp}{f'-{number}' if number > 1 else ''}" for number in count(1))
    return next(state / name for name in names if not (state / name).exists())


def keep(state: Path, game: int, aside: Path) -> None:
    """Copy both files of a game, as they are, into the folder for what is damaged."""
    for path in filter(Path.is_file, paths_of(state, game)):
        make_folder(aside)
        make_folder(aside / path.parent.name)
        _settle(Path(shutil.copyfile(path, aside / path.parent.name / path.name)))


def make_folder(folder: Path) -> None:
    """Make a folder where there is none."""
    if not folder.is_dir():
        folder.mkdir()
        _settle(folder)
        flush(folder.parent)


def _settle(path: Path) -> None:
    """Have a new file on the disk; made by the superuser who only looked in, it must still be the service's."""
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid)
    flush(path)
