"""Recordings: what the camera and the buttons gave, as a folder that can be kept, sent and played again.

The format is that of FORMATS.md: ``recording.json``, ``timeline.jsonl`` and the frames it names. Times are seconds
from the recording's start. A recording that begins within a game has that game's ``entries`` so far in its header, and
a button that was held down for long is ``"held":true``.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, TypeGuard

from device.errors import DeviceError, reason_of
from device.files import read_text, replace_file
from device.hardware.buttons import Button
from device.json_text import NoObjectError, TornError, read_object
from device.speech import from_to
from referee.entry_data import EntryError
from referee.game import table_seats
from referee.history import Entry
from referee.layout import MARKER_MM, REFERENCE_MAT_MM, TableLayout
from referee.registry import load_referees
from rules.game import usual_options
from rules.parsing import BadRecordError
from rules.plain import MOST_NAME, are_different, is_name, is_plain, quote_value
from rules.record import Header, header_in
from rules.text import Text, verbatim

HEADER = "recording.json"
TIMELINE = "timeline.jsonl"
_MOST_HEADER, _MOST_TIMELINE = 8_000_000, 16_000_000
"""Bytes. A whole evening's timeline takes one million, a game's entries less than that."""
_MOST_S = 1e9


@dataclass(frozen=True, slots=True)
class FrameShown:
    """From ``t`` on the camera sees this picture."""

    t: float
    frame: Path


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button was pressed at ``t``, or ``held`` down for long."""

    t: float
    button: Button
    held: bool = False


@dataclass(frozen=True, slots=True)
class MoveTold:
    """A move was told by the buttons at ``t``, as a record's line has it."""

    t: float
    data: dict[str, Any]


Event = FrameShown | ButtonPressed | MoveTold


@dataclass(frozen=True)
class Recording:
    """A recording, checked: its header, and its events in their order.

    ``entries`` is what had happened in the game when the recording began.
    """

    header: Header
    layout: TableLayout
    events: tuple[Event, ...]
    marker_mm: float = MARKER_MM
    entries: tuple[Entry, ...] = ()

    @classmethod
    def load(cls, folder: Path) -> Recording:
        """Read and check a recording's folder; the frames' files must be there, their contents are not read yet.

        Raises:
            DeviceError: something is missing or can't be understood, with file and line.
        """
        if not _is_folder(folder):
            raise DeviceError("There is no folder {folder}.", folder=folder)
        data = _read_object(read_text(folder / HEADER, _MOST_HEADER), place := _place(folder / HEADER))
        header = _header_in(data, place)
        size = data.get("mat_mm", list(REFERENCE_MAT_MM))
        if not isinstance(size, list) or len(size) != 2 or not all(_is_length(side, 300, 3000) for side in size):
            raise _explain_bad(place, Text("'mat_mm' must be the mat's width and height in mm, each from 300 to 3000"))
        marker = data.get("marker_mm", MARKER_MM)
        if not _is_length(marker, 10, 200):
            raise _explain_bad(place, Text("'marker_mm' must be the markers' side in mm, from 10 to 200"))
        layout = load_referees()[header.game].make_layout(len(header.players), (float(size[0]), float(size[1])))
        entries = _read_entries(place, data.get("entries", []))
        return cls(header, layout, _read_timeline(folder), float(marker), entries)


def _header_in(data: dict[str, Any], place: Text) -> Header:
    """Read the game, its players and its options, as a record's header has them."""
    known = load_referees()
    game, players = data.get("game"), data.get("players")
    if not isinstance(game, str) or game not in known:
        names = reduce(
            lambda before, name: Text("{before} or {name}", before=before, name=name),
            (Text("'{name}'", name=name) for name in known),
        )
        raise _explain_bad(place, Text("the game must be {names}, not {game}", names=names, game=quote_value(game)))
    if not isinstance(players, list) or not all(map(is_name, players)):
        raise _explain_bad(
            place,
            Text(
                "'players' must be a list of names: one line each, without control characters, of up to "
                "{most_name} letters",
                most_name=MOST_NAME,
            ),
        )
    seats = table_seats(known[game])
    if len(players) not in seats or not are_different(players):
        raise _explain_bad(
            place, Text("'players' must be {how_many} different names", how_many=from_to(seats[0], seats[-1]))
        )
    if (count := data.get("seats", len(players))) != len(players):
        raise _explain_bad(
            place,
            Text("'seats' is {count}, but there are {players} players", count=quote_value(count), players=len(players)),
        )
    usual = usual_options(known[game].rules.options, players)
    try:
        return header_in({"version": 1, **usual, **data})
    except BadRecordError as error:
        raise _explain_bad(place, error.text) from error


def _is_folder(folder: Path) -> bool:
    try:
        return folder.is_dir()
    except OSError:  # a name that no file can have
        return False


def _read_entries(header: Text, entries: object) -> tuple[Entry, ...]:
    try:
        if isinstance(entries, list):
            return tuple(map(Entry.from_json, entries))
    except EntryError as error:
        raise _explain_bad(header, Text("'entries': {error}", error=error)) from error
    raise _explain_bad(header, Text("'entries' must be a list of what had happened before"))


def _read_timeline(folder: Path) -> tuple[Event, ...]:
    path = folder / TIMELINE
    events: list[Event] = []
    lines = read_text(path, _MOST_TIMELINE).split("\n")
    if _is_torn(lines[-1]):
        lines.pop()  # the line that was being written when the plug was pulled
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = Text("{path}, line {number}", path=path, number=number)
        data = _read_object(line, where)
        t = data.get("t")
        if not _is_length(t, 0, _MOST_S):
            raise _explain_bad(where, Text("'t' must be a time in seconds from the beginning"))
        if events and t < events[-1].t:
            raise _explain_bad(where, Text("the time runs backwards"))
        if "frame" in data:
            events.append(FrameShown(float(t), _frame_file(folder, data["frame"], where)))
        elif "told" in data:
            if not isinstance(data["told"], dict):
                raise _explain_bad(where, Text("'told' must be a move as a record has it"))
            events.append(MoveTold(float(t), data["told"]))
        elif "button" in data:
            button = next((button for button in Button if button.value == data["button"]), None)
            held, said = data.get("held", False), quote_value(data["button"])
            if button is None:
                raise _explain_bad(where, Text("there is no button {said}", said=said))
            if not isinstance(held, bool):
                raise _explain_bad(where, Text("'held' must be true or false, not {held}", held=quote_value(held)))
            events.append(ButtonPressed(float(t), button, held))
        else:
            raise _explain_bad(where, Text("a line needs 'frame', 'button' or 'told'"))
    if not any(isinstance(event, FrameShown) for event in events):
        raise _explain_bad(_place(path), Text("there is no frame in it"))
    return tuple(events)


def _frame_file(folder: Path, name: object, where: Text) -> Path:
    if not isinstance(name, str) or not name or not is_plain(name):
        raise _explain_bad(where, Text("'frame' must be a file's name"))
    said = quote_value(name)
    path = folder / name
    try:
        inside, there = path.resolve().is_relative_to(folder.resolve()), path.is_file()
    except (OSError, RuntimeError):  # a name too long for any file, links that lead in a circle
        inside, there = True, False
    if not inside:
        raise _explain_bad(where, Text("the frame {said} lies outside the recording", said=said))
    if not there:
        raise _explain_bad(where, Text("the frame {said} is missing", said=said))
    return path


def _read_object(text: str, where: Text) -> dict[str, Any]:
    try:
        return read_object(text)
    except NoObjectError as error:
        raise _explain_bad(where, error.text) from error


def _is_torn(text: str) -> bool:
    try:
        read_object(text)
    except NoObjectError as error:
        return isinstance(error, TornError)
    return False


def _is_length(value: object, least: float, most: float) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most


def _place(path: Path) -> Text:
    return verbatim(path)


def _explain_bad(where: Text, cause: Text) -> DeviceError:
    return DeviceError("The recording can't be played: {where}: {cause}.", where=where, cause=cause)


class RecordingWriter:
    """Writes a recording as it happens, in place of an earlier one in the same folder.

    Every event is on the disk when its call returns, so that a pulled plug costs the last line at most.
    """

    def __init__(
        self,
        folder: Path,
        header: Header,
        layout: TableLayout,
        marker_mm: float = MARKER_MM,
        entries: Iterable[Entry] = (),
    ) -> None:
        self._folder = folder
        self.frames = 0
        """How many frames have been written."""
        self.size = 0
        """How many bytes have been written."""
        whole: dict[str, Any] = {
            "game": header.game,
            "players": list(header.players),
            "seats": len(header.players),
            **header.options,
            "mat_mm": list(layout.mat_mm),
            "marker_mm": marker_mm,
        }
        if before := [entry.to_json() for entry in entries]:
            whole["entries"] = before
        try:
            (folder / "frames").mkdir(parents=True, exist_ok=True)
            for old in (folder / "frames").glob("[0-9]*.jpg"):
                old.unlink()
            self._timeline = (folder / TIMELINE).open("wb", buffering=0)
        except OSError as error:
            raise self._cannot_write(error) from error
        text = json.dumps(whole, ensure_ascii=False) + "\n"
        try:
            with replace_file(folder / HEADER) as unfinished:
                unfinished.write_text(text, encoding="utf-8")
        except BaseException:
            self.close()
            raise
        self.size += len(text.encode())

    def write_frame(self, t: float, jpeg: bytes) -> str:
        """Write the picture that the camera sees from ``t`` on; return the name it has in the timeline."""
        name = f"frames/{self.frames:03d}.jpg"
        self.frames += 1
        self._write_file(name, jpeg)
        self._write_line({"t": round(t, 3), "frame": name})
        return name

    def write_button(self, t: float, button: Button, *, held: bool = False) -> None:
        """Write that a button was pressed at ``t``, or held down for long."""
        self._write_line({"t": round(t, 3), "button": button.value, **({"held": True} if held else {})})

    def write_entered(self, t: float, data: Mapping[str, Any]) -> None:
        """Write that a move was entered with the buttons at ``t``, as a record's line has it."""
        self._write_line({"t": round(t, 3), "told": dict(data)})

    def write_page(self, page: str, jpeg: bytes) -> None:
        """One of the deck's enrolment pages."""
        self._write_file(f"enrol-{page}.jpg", jpeg)

    def close(self) -> None:
        """Finish the timeline; closing twice does no harm."""
        self._timeline.close()

    def _write_file(self, name: str, data: bytes) -> None:
        try:
            with (self._folder / name).open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._cannot_write(error) from error
        self.size += len(data)

    def _write_line(self, data: dict[str, Any]) -> None:
        line = f"{json.dumps(data)}\n".encode()
        try:
            if self._timeline.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._timeline.fileno())
        except OSError as error:
            raise self._cannot_write(error) from error
        self.size += len(line)

    def _cannot_write(self, error: OSError) -> DeviceError:
        folder, reason = self._folder, reason_of(error)
        return DeviceError("The recording can't be written to {folder}: {reason}.", folder=folder, reason=reason)
