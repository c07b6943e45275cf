"""What a setting may be: each kind reads a TOML value, says in words what it wants, and writes the value back."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rules.text import Text, in_a_row, verbatim
from ui.setting_up.names import name_fault


class WrongValueError(ValueError):
    """A value that is not what the setting wants; ``hint`` names the nearest that would do."""

    def __init__(self, hint: str | None = None) -> None:
        super().__init__(hint)
        self.hint = hint


class Kind(Protocol):
    """A kind of value."""

    @property
    def words(self) -> Text:
        """What the value must be, to follow "must be"."""
        ...

    def read(self, value: Any) -> Any:
        """The value as the program uses it.

        Raises:
            WrongValueError: it is not of this kind.
        """
        ...


@dataclass(frozen=True)
class OneOf:
    """One of a few words or numbers."""

    options: tuple[str | int, ...]

    @property
    def words(self) -> Text:
        """The options."""
        *others, last = map(verbatim, self.options)
        return Text("{options} or {last}", options=in_a_row(others), last=last)

    def read(self, value: Any) -> str | int:
        """One of the options, by value and type."""
        for option in self.options:
            if value == option and type(value) is type(option):
                return option
        raise WrongValueError(_nearest(value, [*map(str, self.options)]))


@dataclass(frozen=True)
class Source:
    """One of a few words, some of them with more behind a colon: ``usb:0``, ``folder:PATH``."""

    forms: tuple[str, ...]

    @property
    def words(self) -> Text:
        """The forms."""
        return OneOf(self.forms).words

    def read(self, value: Any) -> str:
        """A word as it stands, or one with something behind its colon."""
        if isinstance(value, str) and _printable(value):
            head, colon, rest = value.partition(":")
            plain = {form for form in self.forms if ":" not in form}
            with_more = {form.partition(":")[0] for form in self.forms if ":" in form}
            if (not colon and value in plain) or (rest and head in with_more):
                return value
        raise WrongValueError(_nearest(value, self.forms))


@dataclass(frozen=True)
class OneLine:
    """A text of one line, at most so many characters long."""

    most: int
    least: int = 0

    @property
    def words(self) -> Text:
        """How long it may be."""
        return Text("text of {least} to {most} characters", least=self.least, most=self.most)

    def read(self, value: Any) -> str:
        """The text, without blanks around it."""
        if not isinstance(value, str) or not _printable(value) or not self.least <= len(value.strip()) <= self.most:
            raise WrongValueError
        return value.strip()


@dataclass(frozen=True)
class PlayerName:
    """A name that the display can show whole."""

    words = Text("a name that the display can show")

    def read(self, value: Any) -> str:
        """The name, without blanks around it."""
        if not isinstance(value, str) or name_fault(value) is not None:
            raise WrongValueError
        return value.strip()


@dataclass(frozen=True)
class Listen:
    """Where a server listens: a port, or an address of this machine and a port; empty is nowhere."""

    words = Text("PORT, HOST:PORT, or empty")

    def read(self, value: Any) -> str:
        """The place as it is written; a port alone may be a number."""
        text = str(value) if type(value) is int else value.strip() if isinstance(value, str) else None
        if text is None or (text and listen_at(text) is None):
            raise WrongValueError
        return text


def listen_at(text: str) -> tuple[str, int] | None:
    """Host and port of ``[HOST:]PORT``, every address where no host is named; ``None`` where it can't be.

    >>> listen_at("8080"), listen_at("[::1]:0"), listen_at("far")
    (('0.0.0.0', 8080), ('::1', 0), None)
    """
    host, colon, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal() and len(port) < 6 and int(port) < 65536) or (colon and not host):
        return None
    if not all(letter.isalnum() or letter in ".-:[]%_" for letter in host):
        return None
    return host.removeprefix("[").removesuffix("]") or "0.0.0.0", int(port)


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds."""

    least: int
    most: int

    @property
    def words(self) -> Text:
        """Its bounds."""
        return Text("a whole number from {least} to {most}", least=self.least, most=self.most)

    def read(self, value: Any) -> int:
        """The number."""
        if type(value) is not int or not self.least <= value <= self.most:
            raise WrongValueError
        return value


@dataclass(frozen=True)
class Number:
    """A number within bounds."""

    least: float
    most: float

    @property
    def words(self) -> Text:
        """Its bounds."""
        least, most = toml(self.least), toml(self.most)
        return Text("a number from {least} to {most}", least=least, most=most)

    def read(self, value: Any) -> float:
        """The number."""
        if type(value) not in (int, float) or not self.least <= value <= self.most:
            raise WrongValueError
        return float(value)


@dataclass(frozen=True)
class YesNo:
    """``true`` or ``false``."""

    words = Text("true or false")

    def read(self, value: Any) -> bool:
        """The value."""
        if not isinstance(value, bool):
            raise WrongValueError
        return value


@dataclass(frozen=True)
class Several:
    """A list of different or equal things of one kind, so many of them."""

    kind: Kind
    counts: tuple[int, ...]
    names: Text
    different: bool = False

    @property
    def words(self) -> Text:
        """What the list holds."""
        return self.names

    def read(self, value: Any) -> tuple[Any, ...]:
        """The list as a tuple."""
        if not isinstance(value, list) or len(value) not in self.counts:
            raise WrongValueError
        items = tuple(self.kind.read(item) for item in value)
        if self.different and len(set(items)) < len(items):
            raise WrongValueError
        return items


@dataclass(frozen=True)
class PanelSize:
    """A panel's width and height in px, upright or lying, between two sizes given as they lie."""

    smallest: tuple[int, int]
    largest: tuple[int, int]

    @property
    def words(self) -> Text:
        """The sizes."""
        least, most = (f"{width} × {height}" for width, height in (self.smallest, self.largest))
        return Text("[width, height] in px, {least} to {most}", least=least, most=most)

    def read(self, value: Any) -> tuple[int, int]:
        """Width and height."""
        if not isinstance(value, list) or len(value) != 2 or not all(type(side) is int for side in value):
            raise WrongValueError
        width, height = value
        long, short = max(value), min(value)
        if not (self.smallest[0] <= long <= self.largest[0] and self.smallest[1] <= short <= self.largest[1]):
            raise WrongValueError
        return width, height


def toml(value: Any) -> str:
    """A value as TOML writes it; numbers without needless digits."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Sequence):
        return f"[{', '.join(map(toml, value))}]"
    return repr(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else repr(value)


def _nearest(value: Any, options: Sequence[str]) -> str | None:
    """The option that a word or a small number may have meant."""
    written = value[:40] if isinstance(value, str) else str(value) if type(value) is int and abs(value) < 1000 else ""
    near = difflib.get_close_matches(written, options, 1, 0.5)
    return near[0] if near else None


def _printable(text: str) -> bool:
    return all(letter.isprintable() for letter in text)
