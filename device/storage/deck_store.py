"""The shelf of enrolled decks in the state folder, one file a deck."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from device.errors import DeviceError, reason_of
from rules.plain import shorten_line
from rules.text import Text
from vision.errors import VisionError
from vision.identify.deck import Deck

Ready = tuple[frozenset[str], Callable[[], Deck]]
"""The names of a deck's faces, and what makes it."""
_NONE: Mapping[str, Ready] = MappingProxyType({})
_NAME = re.compile(r"[\w][\w .-]{0,39}")


class DeckShelf:
    """Decks by name; names are plain words, so that no name leads out of the folder.

    ``ready`` are decks that nobody has to learn, each by its name; it is made when it is first loaded, and lies on the
    shelf from then on.
    """

    def __init__(self, state: Path, ready: Mapping[str, Ready] = _NONE) -> None:
        self._folder = state / "decks"
        self._ready = ready
        self._faces: dict[str, tuple[tuple[int, int], frozenset[str]]] = {}

    @property
    def ready(self) -> tuple[str, ...]:
        """The names of the decks that nobody has to learn."""
        return tuple(self._ready)

    def get_path(self, name: str) -> Path:
        """Return the deck's file.

        Raises:
            DeviceError: the name can't be a deck's.
        """
        if not _NAME.fullmatch(name) or name.endswith((".", " ")):
            raise DeviceError(
                "{name!r} can't be a deck's name: use up to 40 letters, digits, spaces, '.', '-' and '_'.",
                name=shorten_line(name),
            )
        return self._folder / f"{name}.deck"

    def load(self, name: str) -> Deck:
        """Load the deck of that name; make one that is ready where it does not lie there yet.

        Raises:
            DeviceError: the name can't be a deck's, none of that name is enrolled, or the shelf can't be written.
            VisionError: its file is damaged.
        """
        path = self.get_path(name)
        if not path.is_file():
            if name not in self._ready:
                raise self._explain_unknown(name)
            self.save(name, self._ready[name][1]())
        return Deck.load(path)

    def list_faces(self, name: str) -> frozenset[str]:
        """List the names of all faces that a deck was learnt with; none where it can't be loaded."""
        if name in self._ready and not self.get_path(name).is_file():
            return self._ready[name][0]
        try:
            written = self.get_path(name).stat()
            stamp = written.st_mtime_ns, written.st_size
            if self._faces.get(name, (None,))[0] != stamp:
                self._faces[name] = stamp, frozenset(self.load(name).names)
            return self._faces[name][1]
        except (DeviceError, VisionError, OSError):
            return frozenset()

    def _explain_unknown(self, name: str) -> DeviceError:
        if not (known := self.list_names()):
            error = DeviceError("There is no deck {name!r}; enrol it with 'sevenmat enrol --deck {name}'.", name=name)
            return error.told_on_a_phone(Text("There is no deck {name!r}.", name=name))
        told = {"name": name, "known": ", ".join(known)}
        words = Text(
            "There is no deck {name!r}; there are {known}; enrol it with 'sevenmat enrol --deck {name}'.", **told
        )
        return DeviceError(words).told_on_a_phone(Text("There is no deck {name!r}; there are {known}.", **told))

    def save(self, name: str, deck: Deck) -> Path:
        """Put a deck on the shelf; an earlier one of that name stays until the new one is whole.

        Raises:
            DeviceError: the name can't be a deck's, or the state folder can't be written.
        """
        path = self.get_path(name)
        _write(deck, path)
        return path

    def export(self, name: str, out: Path, replace_it: bool) -> None:
        """Write the deck of that name as one file for another table.

        Raises:
            DeviceError: there is no such deck, ``out`` exists and is not to be replaced, or it can't be written.
            VisionError: the deck's file is damaged.
        """
        deck = self.load(name)
        if out.is_dir():
            raise DeviceError(
                "{out} is a folder: name the file to write, such as {out}/{name}.deck.", out=out, name=name
            )
        if out.exists() and not out.is_file():
            raise DeviceError("{out} is no file: name the file to write.", out=out)
        if out.exists() and not replace_it:
            raise DeviceError("{out} exists already: name another file, or say --replace.", out=out)
        _write(deck, out)

    def bring_in(self, file: Path, name: str | None, replace_it: bool) -> str:
        """Put a deck that another table exported on the shelf, under its own name unless another is given.

        Raises:
            DeviceError: the name can't be a deck's or is taken and not to be replaced, or the shelf can't be written.
            VisionError: the file is no deck, damaged, or of a newer version.
        """
        if not file.exists():
            raise DeviceError("There is no file {file}: check the name.", file=file)
        deck = Deck.load(file)
        name = deck.name if name is None else name
        if self.get_path(name).exists() and not replace_it:
            raise DeviceError(
                "There is a deck {name!r} already: give the new one a name with --as, or say --replace.", name=name
            )
        self.save(name, replace(deck, name=name))
        return name

    def delete(self, name: str) -> None:
        """Take the deck of that name off the shelf, damaged or not.

        Raises:
            DeviceError: there is no such deck, or its file can't be removed.
        """
        path = self.get_path(name)
        if not path.is_file():
            raise self._explain_unknown(name)
        try:
            path.unlink()
        except OSError as error:
            raise DeviceError("{path} can't be removed: {reason}.", path=path, reason=reason_of(error)) from error

    def list_names(self) -> list[str]:
        """List the names of all enrolled decks."""
        return sorted(path.stem for path in self._folder.glob("*.deck"))


def _write(deck: Deck, path: Path) -> None:
    try:
        deck.save(path)
    except OSError as error:
        reason = reason_of(error)
        raise DeviceError("The deck can't be written to {path}: {reason}.", path=path, reason=reason) from error
