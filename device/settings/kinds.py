"""What a setting may be: each kind reads a TOML value, says in words what it wants, and writes the value back."""

from __future__ import annotations

import difflib
import json
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from device.addresses import without_password
from device.settings.broker import BrokerAddress
from rules.plain import name_key
from rules.text import Text, join_row, verbatim
from ui.setting_up.names import name_fault


class WrongValueError(ValueError):
    """A value that is not what the setting wants; ``hint`` names the nearest that would do."""

    def __init__(self, hint: str | None = None) -> None:
        super().__init__(hint)
        self.hint = hint


class Kind(ABC):
    """A kind of value."""

    @abstractmethod
    def _describe(self) -> Text: ...

    @abstractmethod
    def _convert(self, value: Any) -> Any:
        """Convert a value to the form that the program uses, ``None`` where it is not of this kind."""

    def _list_options(self) -> Sequence[str]:
        """List what a word that is not of this kind may have meant."""
        return ()

    @property
    def words(self) -> Text:
        """What the value must be, to follow "must be"."""
        return self._describe()

    def redact(self, value: Any) -> Any:
        """Return a value, right or wrong, as it may be shown, printed, logged and reported."""
        if isinstance(value, (list, tuple)):
            return type(value)(map(self.redact, value))
        return without_password(value) if isinstance(value, str) else value

    def read(self, value: Any) -> Any:
        """Read a value in the form that the program uses.

        Raises:
            WrongValueError: it is not of this kind.
        """
        taken = self._convert(value)
        if taken is None:
            raise WrongValueError(_find_nearest(value, self._list_options()))
        return taken


@dataclass(frozen=True)
class OneOf(Kind):
    """One of a few words or numbers, by value and type."""

    options: tuple[str | int, ...]

    def _describe(self) -> Text:
        *others, last = map(verbatim, self.options)
        return Text("{options} or {last}", options=join_row(others), last=last)

    def _convert(self, value: Any) -> str | int | None:
        return next((option for option in self.options if value == option and type(value) is type(option)), None)

    def _list_options(self) -> Sequence[str]:
        return [*map(str, self.options)]


@dataclass(frozen=True)
class Source(Kind):
    """One of a few words, some of them with more behind a colon: ``usb:0``, ``folder:PATH``."""

    forms: tuple[str, ...]

    def _describe(self) -> Text:
        return OneOf(self.forms).words

    def _convert(self, value: Any) -> str | None:
        if not isinstance(value, str) or not _is_printable(value):
            return None
        head, colon, rest = value.partition(":")
        with_more = {form.partition(":")[0] for form in self.forms if ":" in form}
        known = head in with_more and rest if colon else value in self.forms
        return value if known else None

    def _list_options(self) -> Sequence[str]:
        return self.forms


@dataclass(frozen=True)
class OneLine(Kind):
    """A text of one line, at most so many characters long, without blanks around it."""

    most: int
    least: int = 0

    def _describe(self) -> Text:
        return Text("text of {least} to {most} characters", least=self.least, most=self.most)

    def _convert(self, value: Any) -> str | None:
        right = isinstance(value, str) and _is_printable(value) and self.least <= len(value.strip()) <= self.most
        return value.strip() if right else None


@dataclass(frozen=True)
class Secret(OneLine):
    """A text of one line that is shown to nobody."""

    def redact(self, value: Any) -> str:
        """Say only that there is one."""
        return "…" if value else ""


@dataclass(frozen=True)
class TopicLevel(OneLine):
    """A name that stands between the slashes of an MQTT topic: none of ``/ + #``; empty is none."""

    most: int = 40

    def _describe(self) -> Text:
        return Text("text of up to {most} characters without / + #", most=self.most)

    def _convert(self, value: Any) -> str | None:
        taken = super()._convert(value)
        return unicodedata.normalize("NFC", taken) if taken is not None and not set("/+#") & set(taken) else None


@dataclass(frozen=True)
class Broker(Kind):
    """Where an MQTT broker is and as whom one comes; empty is none."""

    def _describe(self) -> Text:
        return Text("mqtts://USER@HOST, mqtt://USER@HOST, with :PORT where it is not the usual one, or empty")

    def _convert(self, value: Any) -> str | None:
        text = value.strip() if isinstance(value, str) else None
        if not text:
            return text
        address = BrokerAddress.parse(text)
        return text if address is not None and not address.path else None

    def redact(self, value: Any) -> Any:
        """Return the value with its user, where it is right: a right one holds no password."""
        return value if self._convert(value) else super().redact(value)


@dataclass(frozen=True)
class PlayerName(Kind):
    """A name that the display can show whole, without blanks around it."""

    def _describe(self) -> Text:
        return Text("a name that the display can show")

    def _convert(self, value: Any) -> str | None:
        return value.strip() if isinstance(value, str) and name_fault(value) is None else None


@dataclass(frozen=True)
class Listen(Kind):
    """Where a server listens: a port, or an address of this machine and a port; empty is nowhere."""

    def _describe(self) -> Text:
        return Text("PORT, HOST:PORT, or empty")

    def _convert(self, value: Any) -> str | None:
        """Return the place as it is written; a port alone may be a number."""
        text = str(value) if type(value) is int else value.strip() if isinstance(value, str) else None
        return text if text is not None and (not text or listen_at(text) is not None) else None


def listen_at(text: str) -> tuple[str, int] | None:
    """Host and port of ``[HOST:]PORT``, no host for every address; ``None`` where it can't be.

    >>> listen_at("8080"), listen_at("[::1]:0"), listen_at("far")
    (('', 8080), ('::1', 0), None)
    """
    host, colon, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal() and len(port) < 6 and int(port) < 65536) or (colon and not host):
        return None
    if not all(letter.isalnum() or letter in ".-:[]%_" for letter in host):
        return None
    return host.removeprefix("[").removesuffix("]"), int(port)


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number within bounds."""

    least: int
    most: int

    def _describe(self) -> Text:
        return Text("a whole number from {least} to {most}", least=self.least, most=self.most)

    def _convert(self, value: Any) -> int | None:
        return value if type(value) is int and self.least <= value <= self.most else None


@dataclass(frozen=True)
class Number(Kind):
    """A number within bounds."""

    least: float
    most: float

    def _describe(self) -> Text:
        return Text("a number from {least} to {most}", least=to_toml(self.least), most=to_toml(self.most))

    def _convert(self, value: Any) -> float | None:
        return float(value) if type(value) in (int, float) and self.least <= value <= self.most else None


@dataclass(frozen=True)
class YesNo(Kind):
    """``true`` or ``false``."""

    def _describe(self) -> Text:
        return Text("true or false")

    def _convert(self, value: Any) -> bool | None:
        return value if isinstance(value, bool) else None


@dataclass(frozen=True)
class Several(Kind):
    """A list of different or equal things of one kind, so many of them, as a tuple."""

    kind: Kind
    counts: tuple[int, ...]
    names: Text
    different: bool = False

    def _describe(self) -> Text:
        return self.names

    def _convert(self, value: Any) -> tuple[Any, ...] | None:
        if not isinstance(value, list) or len(value) not in self.counts:
            return None
        items = tuple(map(self.kind.read, value))
        compared = {name_key(item) if isinstance(item, str) else item for item in items}
        return None if self.different and len(compared) < len(items) else items


@dataclass(frozen=True)
class PanelSize(Kind):
    """A panel's width and height in px, upright or lying, between two sizes given as they lie."""

    smallest: tuple[int, int]
    largest: tuple[int, int]

    def _describe(self) -> Text:
        least, most = (f"{width} × {height}" for width, height in (self.smallest, self.largest))
        return Text("[width, height] in px, {least} to {most}", least=least, most=most)

    def _convert(self, value: Any) -> tuple[int, ...] | None:
        if not isinstance(value, list) or len(value) != 2 or not all(type(side) is int for side in value):
            return None
        bounds = zip(self.smallest, sorted(value, reverse=True), self.largest, strict=True)
        return tuple(value) if all(least <= side <= most for least, side, most in bounds) else None


def to_toml(value: Any) -> str:
    """Write a value as TOML does; numbers without needless digits."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Sequence):
        return f"[{', '.join(map(to_toml, value))}]"
    return repr(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else repr(value)


def _find_nearest(value: Any, options: Sequence[str]) -> str | None:
    """Return the option that a word or a small number may have meant."""
    written = value[:40] if isinstance(value, str) else str(value) if type(value) is int and abs(value) < 1000 else ""
    near = difflib.get_close_matches(written, options, 1, 0.5)
    return near[0] if near else None


def _is_printable(text: str) -> bool:
    return all(letter.isprintable() for letter in text)
