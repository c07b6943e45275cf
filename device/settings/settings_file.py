"""The settings' file: ``settings.toml`` in the state folder, which people may write by hand.

What is read is checked against the classes of ``device.settings.values``, and a fault is named with its line and the
nearest right key; the file that ``sevenmat settings --write`` makes is printed from the same classes.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import Field, dataclass, fields
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar, cast

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from device.errors import DeviceError
from device.files import MissingFileError, read_text, replace_file
from device.hardware.profiles import PROFILES
from device.settings.kinds import Kind, WrongValueError, to_toml
from device.settings.values import Settings, all_settings, as_shown
from device.speech import Language
from rules.plain import shorten_line
from rules.text import Text, join_row, verbatim

NAME = "settings.toml"
_MOST = 100_000
"""Bytes. All settings with their comments take a tenth of that."""
_MOST_HINTS = 50
"""So many unknown keys are compared with those there are."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SettingsFault:
    """A fault in the file: its line, counted from 1, and what is wrong with it."""

    line: int
    text: Text


class SettingsError(DeviceError):
    """The settings file can't be used. The message has the first fault, ``faults`` has all of them."""

    def __init__(self, path: Path, faults: tuple[SettingsFault, ...]) -> None:
        first, more = faults[0], len(faults) - 1
        words = Text("{path}, line {line}: {fault}", path=path, line=first.line, fault=first.text)
        super().__init__(Text("{words} ({more} more after it)", words=words, more=more) if more else words)
        self.path, self.faults = path, faults


@contextmanager
def fault_alone() -> Iterator[None]:
    """Report faults without the file's name and line, for people who can't look into the file.

    Raises:
        DeviceError: in place of the ``SettingsError``.
    """
    try:
        yield
    except SettingsError as error:
        raise DeviceError(error.faults[0].text) from error


# --- reading


def load_settings(state: Path) -> Settings:
    """Load the settings from the state folder; the defaults where there is no file.

    Raises:
        SettingsError: the file can't be used, with the line of each fault.
        DeviceError: it can't be read.
    """
    path = state / NAME
    return read_settings(_text_of(path), path)


def _text_of(path: Path) -> str:
    """Return what the file holds; nothing where there is none."""
    try:
        return read_text(path, _MOST)
    except MissingFileError:
        return ""


def read_settings(text: str, path: Path) -> Settings:
    """Read the settings from a TOML text; ``path`` is only named in faults.

    Raises:
        SettingsError: with the line of each fault.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)\Z", str(error))
        line = int(found[1]) if found and found[1] else len(text.rstrip().splitlines()) or 1
        cause = shorten_line(str(error)[: found.start()] if found else str(error), 100)
        fault = SettingsFault(line, Text("this is not TOML: {cause}.", cause=cause))
        raise SettingsError(path, (fault,)) from error
    except RecursionError as error:
        fault = SettingsFault(_line_of_depth(text), Text("brackets are nested far too deeply."))
        raise SettingsError(path, (fault,)) from error
    except ValueError as error:  # Python reads no number of more than some thousand digits
        fault = SettingsFault(_line_of_digits(text), Text("a number has far too many digits."))
        raise SettingsError(path, (fault,)) from error
    reader = _Reader(text)
    settings = reader.read_table(Settings, data, ())
    if settings is not None:
        reader.check(settings)
    if reader.faults or settings is None:
        raise SettingsError(path, tuple(sorted(reader.faults, key=lambda fault: fault.line)))
    return settings


_DEEP = 100
_DIGITS = re.compile(r"[\d_]{4000}")
"""About as many as Python refuses to read."""


def _line_of_depth(text: str) -> int:
    """Find the first line in which brackets are nested far deeper than settings ever are, as far as brackets tell."""
    depth = 0
    for number, line in enumerate(text.split("\n"), 1):
        for letter in line:
            depth += (letter in "[{") - (letter in "]}")
            if depth > _DEEP:
                return number
    return 1


def _line_of_digits(text: str) -> int:
    found = _DIGITS.search(text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


class _Reader:
    """Reads the file's tables into the settings' classes, collecting faults with the line they stand in."""

    def __init__(self, text: str) -> None:
        self._lines = dict(_lines_of_keys(text))
        self.faults: list[SettingsFault] = []

    def read_table(self, kind: type[_T], data: Mapping[str, Any], at: tuple[str, ...]) -> _T | None:
        """Read one table, ``None`` where something in it is wrong."""
        before = len(self.faults)
        known = {setting.name: setting for setting in fields(cast(Any, kind))}
        values: dict[str, Any] = {}
        for name, value in data.items():
            if name not in known:
                self._report_unknown(at, name, tuple(known))
                continue
            metadata = known[name].metadata
            if "kind" in metadata:
                self._read_value(metadata["kind"], (*at, name), value, values)
            elif isinstance(value, dict):
                values[name] = self.read_table(cast(Any, known[name].default_factory), value, (*at, name))
            else:
                self._add_fault((*at, name), Text("write '{name}' as a table: [{name}].", name=name))
        return kind(**values) if len(self.faults) == before else None

    def _read_value(self, kind: Kind, at: tuple[str, ...], value: Any, values: dict[str, Any]) -> None:
        try:
            values[at[-1]] = kind.read(value)
        except WrongValueError as wrong:
            given, name = _as_written(kind.redact(value)), ".".join(at)
            fault = Text("{name} must be {kind}, not {given}.", name=name, kind=kind.words, given=given)
            if wrong.hint:
                fault = Text(
                    "{name} must be {kind}, not {given}; did you mean '{hint}'?",
                    name=name,
                    kind=kind.words,
                    given=given,
                    hint=wrong.hint,
                )
            self._add_fault(at, fault)

    def _report_unknown(self, at: tuple[str, ...], name: str, known: tuple[str, ...]) -> None:
        where, nearest = shorten_line(".".join((*at, name)), 80), None
        if len(self.faults) < _MOST_HINTS:
            near = difflib.get_close_matches(name[:80], known, 1, 0.5)
            nearest = ".".join((*at, near[0])) if near else _find_elsewhere(name[:80])
        if nearest:
            fault = Text("there is no setting '{name}'; did you mean '{nearest}'?", name=where, nearest=nearest)
        else:
            names = join_row(map(verbatim, known))
            fault = Text("there is no setting '{name}'; there are {names}.", name=where, names=names)
        self._add_fault((*at, name), fault)

    def check(self, settings: Settings) -> None:
        """Check what several settings have to agree on."""
        buttons, signals = settings.buttons, settings.signals
        custom = buttons.profile == "custom"
        if custom and not buttons.pins:
            self._add_fault(("buttons", "profile"), Text("the profile custom needs buttons.pins, four of them."))
        elif buttons.pins and not custom:
            self._add_fault(("buttons", "pins"), Text('buttons.pins are only for buttons.profile = "custom".'))
        used = dict.fromkeys(buttons.pins if custom else PROFILES.get(buttons.profile, ()), "buttons")
        for name, pin in (("lamp_pin", signals.lamp_pin), ("buzzer_pin", signals.buzzer_pin)):
            if pin is None:
                continue
            if pin in used:
                self._add_fault(
                    ("signals", name),
                    Text("pin {pin} of signals.{name} is used by {used} already.", pin=pin, name=name, used=used[pin]),
                )
            used[pin] = f"signals.{name}"
        wanted = {"picamera2": (2, "[1.8, 1.6]"), "usb": (1, "[4600]")}.get(settings.camera.source.partition(":")[0])
        white = settings.camera.white
        if wanted is not None and white is not None and len(white) != wanted[0]:
            self._add_fault(
                ("camera", "white"),
                Text(
                    'with camera.source = "{source}" camera.white is written like {wanted}.',
                    source=settings.camera.source,
                    wanted=wanted[1],
                ),
            )

    def _add_fault(self, at: tuple[str, ...], text: Text) -> None:
        while at and at not in self._lines:
            at = at[:-1]
        self.faults.append(SettingsFault(self._lines.get(at, 1), text))


_HEAD = re.compile(r"\[([\w\-\"'. \t]+)\]\s*(?:#.*)?\Z")
_ASSIGNED = re.compile(r"([\w\-\"'. \t]+)=")


def _lines_of_keys(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Find the line of each table and key of a TOML text, by its whole name."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        if head := _HEAD.match(line.strip()):
            table = _split_name(head[1])
            yield table, number
        elif key := _ASSIGNED.match(line.strip()):
            parts = (*table, *_split_name(key[1]))
            for length in range(len(table) + 1, len(parts) + 1):
                yield parts[:length], number


def _split_name(dotted: str) -> tuple[str, ...]:
    """Split a dotted name into its parts; of one with more than any setting has, the first ones."""
    return tuple(part.strip(" \t\"'") for part in dotted.split(".", 5)[:5])


def _find_elsewhere(name: str) -> str | None:
    """Find the whole name of the one setting in any table that is called so, or nearly so."""
    names = {key.rpartition(".")[2]: key for key in all_settings()}
    near = difflib.get_close_matches(name, names, 1, 0.6)
    return names[near[0]] if near else None


def _as_written(value: Any) -> str:
    value = value[:50] if isinstance(value, str) else value
    try:
        return shorten_line(to_toml(value) if isinstance(value, (str, bool, int, float, list)) else str(value), 40)
    except (RecursionError, ValueError):  # nested too deeply, or a number of more digits than Python writes
        return "…"


# --- writing


def settings_text(settings: Settings, language: Language) -> str:
    """Write the settings as a TOML file with comments; defaults stand there behind a ``#``.

    >>> read_settings(settings_text(Settings(), Language.EN), Path("settings.toml")) == Settings()
    True
    """
    lines = [_HEADING.said(language)]
    tables = []
    for setting in fields(settings):
        value = getattr(settings, setting.name)
        if "kind" in setting.metadata:
            lines += ["", *_lines_of(setting, value, language)]
        else:
            tables += ["", "", *_write_comment(value.about, language), f"[{setting.name}]"]
            for inner in fields(value):
                tables += ["", *_lines_of(inner, getattr(value, inner.name), language)]
    return "\n".join([*lines, *tables]) + "\n"


_HEADING = Text("# The settings of Sevenmat. Take the '#' off a line and change its value.")


def _write_comment(words: Text, language: Language) -> list[str]:
    return [f"# {words.said(language)}"]


def _lines_of(setting: Field[Any], value: Any, language: Language) -> list[str]:
    """Write a setting with its comment: what it is for, what it may be, and its default."""
    kind: Kind = setting.metadata["kind"]
    words, default = setting.metadata["words"], setting.default
    shown = Text("none") if default is None else verbatim(to_toml(default))
    may_be = Text("{words!c}. Default: {shown}.", words=kind.words, shown=shown)
    sign = "#" if value == default else ""
    line = f"{sign}{setting.name} = {'' if value is None else to_toml(value)}".rstrip()
    return [*_write_comment(words, language), *_write_comment(may_be, language), line]


def write_settings(state: Path, language: Language) -> Path:
    """Write the file with all defaults and comments, where there is none yet, and return its path.

    Raises:
        DeviceError: there is one, or the folder can't be written.
    """
    path = state / NAME
    if path.exists():
        raise DeviceError("{path} is there already; 'sevenmat settings --show' prints what it sets.", path=path)
    _put(path, settings_text(Settings(), language))
    return path


def change_setting(state: Path, key: str, value: str | bool | int | float | Sequence[float]) -> Settings:
    """Set one key in the file, as a menu does, and leave every other line as it stands; returns what holds then.

    What is only shown of a value, without the password in it, leaves the value as it is.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as state:
    ...     change_setting(Path(state), "recording.on", True).recording.on
    True

    Raises:
        SettingsError: the file can't be used as it stands, or not with this value.
        DeviceError: it can't be read or written.
    """
    return change_settings(state, {key: value})


def change_settings(state: Path, values: Mapping[str, str | bool | int | float | Sequence[float]]) -> Settings:
    """Set several keys in the file at once, as ``change_setting`` does one.

    Raises:
        SettingsError: the file can't be used as it stands, or not with these values.
        DeviceError: it can't be read or written.
    """
    path = state / NAME
    held = load_settings(state)
    changed = text = _text_of(path)
    for key, value in values.items():
        if value == _get_value(as_shown(held), key) != _get_value(held, key):
            continue
        try:
            changed = _set_key(changed, key, to_toml(value))
        except TOMLKitError as error:
            reason = shorten_line(str(error), 100)
            raise DeviceError("{path} can't be changed: {reason}.", path=path, reason=reason) from error
    if changed == text:
        return held
    settings = read_settings(changed, path)
    _put(path, changed)
    return settings


def _get_value(settings: Settings, key: str) -> Any:
    """Return the value of a setting."""
    return reduce(getattr, key.split("."), cast(Any, settings))


def _set_key(text: str, key: str, value: str) -> str:
    """Set one key in the text: where it stands, or first of its table, or in a new table at the end."""
    *table, name = key.split(".")
    document = tomlkit.parse(text)
    within: TOMLDocument | Table = document
    if table:
        within = cast(Table, document.setdefault(table[0], tomlkit.table()))
        if name not in within and isinstance(within, Table) and not within.is_super_table():
            within = _with_room(document, table[0], within, name)
    elif name not in document:
        within = document = tomlkit.parse(f"{name} = 0\n{text}")
    within[name] = tomlkit.value(value)
    return document.as_string()


def _with_room(document: TOMLDocument, at: str, table: Table, name: str) -> Table:
    """Copy a table with a new key before all others; behind them it may stand below the next table's comment."""
    room = tomlkit.table()
    room.add(name, 0)
    for key, item in table.value.body:
        room.append(key, item)
    room.trivia.comment, room.trivia.comment_ws = table.trivia.comment, table.trivia.comment_ws
    count = len(room.value.body)
    document[at] = room
    del room.value.body[count:]  # a blank line that tomlkit puts before the next table
    return room


def _put(path: Path, text: str) -> None:
    with replace_file(path, parents=True) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def show_settings(state: Path, language: Language) -> None:
    """Print the settings as they hold, with comments and without passwords.

    Raises:
        DeviceError: the file can't be used.
    """
    print(settings_text(as_shown(load_settings(state)), language), end="")
