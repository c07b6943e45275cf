"""The pictures of a game's turns on the disk, so that a game that goes on after a restart has them still.

``turns/00012-00003-KEY.bin`` is the third turn of game 12 of which there are pictures: JPEG files, each after its
length in four bytes. Only the game played last has any.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from device.files import replace_file

FOLDER = "turns"
_LENGTH = struct.Struct(">I")


class TurnFiles:
    """The files of one game in a state folder; those of other games are deleted."""

    def __init__(self, state: Path, game: int) -> None:
        self._folder, self._game = state / FOLDER, game
        for path in _list_files(state):
            if _game_of(path) != game:
                with suppress(OSError):
                    path.unlink()
        self._next = max((int(path.stem.split("-")[1]) for path in self._list_paths()), default=0) + 1

    def _list_paths(self) -> list[Path]:
        return [path for path in _list_files(self._folder.parent) if _game_of(path) == self._game]

    def read(self) -> list[tuple[str, tuple[bytes, ...]]]:
        """Read the key and the pictures of each turn, the oldest first; a damaged file has none."""
        return list(kept_turns(self._folder.parent, self._game).items())

    def keep(self, key: str, pictures: Sequence[bytes]) -> None:
        """Write the pictures of a turn that has none.

        Raises:
            DeviceError: they can't be written.
            OSError: the folder can't be made.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        with replace_file(self._folder / f"{self._game:05d}-{self._next:05d}-{key}.bin") as unfinished:
            unfinished.write_bytes(b"".join(_LENGTH.pack(len(one)) + one for one in pictures))
        self._next += 1

    def drop(self, key: str) -> None:
        """Delete the pictures of a turn, where there are any."""
        for path in self._list_paths():
            if path.stem.endswith(f"-{key}"):
                path.unlink(missing_ok=True)


def kept_turns(state: Path, game: int) -> dict[str, tuple[bytes, ...]]:
    """Return the pictures of a game's turns by the turn's key, JPEG files; a damaged file has none."""
    found = {}
    for path in _list_files(state):
        if _game_of(path) == game:
            with suppress(OSError, struct.error):
                found[path.stem.split("-")[2]] = _split_parts(path.read_bytes())
    return found


def forget_turns(state: Path, game: int) -> None:
    """Delete the pictures of a game's turns.

    Raises:
        OSError: they can't be deleted.
    """
    for path in _list_files(state):
        if _game_of(path) == game:
            path.unlink(missing_ok=True)


def _list_files(state: Path) -> list[Path]:
    """List the files of all turns, in order."""
    paths = sorted((state / FOLDER).glob("[0-9]*-[0-9]*-*.bin"))
    return [path for path in paths if len(named := path.stem.split("-")) == 3 and all(map(str.isdecimal, named[:2]))]


def _game_of(path: Path) -> int:
    return int(path.stem.split("-")[0])


def _split_parts(data: bytes) -> tuple[bytes, ...]:
    """Split a file into the parts that lie in it one after the other.

    Raises:
        struct.error: it ends too soon.
    """
    parts, at = [], 0
    while at < len(data):
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size + length
        if at > len(data):
            raise struct.error("cut short")
        parts.append(data[at - length : at])
    return tuple(parts)
