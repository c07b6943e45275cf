"""Recordings: what the camera and the buttons gave, as a folder that can be kept, sent and played again.

The format is that of FORMATS.md: ``recording.json``, ``timeline.jsonl`` and the frames it names. Times are seconds
from the recording's start. A recording that begins within a game has that game's ``entries`` so far in its header, and
a button that was held down for long is ``"held":true``.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.commands.check import read_lines
from device.errors import DeviceError
from device.files import replace_file
from device.hardware.buttons import Button
from referee.history import Entry
from referee.layouts import MARKER_MM, REFERENCE_MAT_MM, Layout, layout_for

HEADER = "recording.json"
TIMELINE = "timeline.jsonl"
GAME = "laminate"


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


Event = FrameShown | ButtonPressed


@dataclass(frozen=True)
class Recording:
    """A recording, checked: its header, and its events in their order.

    ``entries`` is what had happened in the game when the recording began.
    """

    players: tuple[str, ...]
    first_seat: int
    layout: Layout
    events: tuple[Event, ...]
    marker_mm: float = MARKER_MM
    entries: tuple[Entry, ...] = ()

    @classmethod
    def load(cls, folder: Path) -> Recording:
        """Read and check a recording's folder; the frames' files must be there, their contents are not read yet.

        Raises:
            DeviceError: something is missing or can't be understood, with file and line.
        """
        if not folder.is_dir():
            raise DeviceError(f"There is no folder {folder}.", f"{folder}というフォルダがありません。")
        header = folder / HEADER
        data = _object("\n".join(read_lines(header)), f"{header}")
        if data.get("game") != GAME:
            raise _bad(header, f"the game must be {GAME!r}, not {data.get('game')!r}")
        players = data.get("players")
        if not isinstance(players, list) or not all(isinstance(name, str) and name.strip() for name in players):
            raise _bad(header, "'players' must be a list of names")
        if not 3 <= len(players) <= 5 or len(set(players)) != len(players):
            raise _bad(header, "'players' must be three to five different names")
        if data.get("seats", len(players)) != len(players):
            raise _bad(header, f"'seats' is {data['seats']!r}, but there are {len(players)} players")
        first = data.get("first_seat", 1)
        if type(first) is not int or not 1 <= first <= len(players):
            raise _bad(header, f"'first_seat' must be a seat from 1 to {len(players)}, not {first!r}")
        size = data.get("mat_mm", list(REFERENCE_MAT_MM))
        if not isinstance(size, list) or len(size) != 2 or not all(_is_length(side, 300, 3000) for side in size):
            raise _bad(header, "'mat_mm' must be the mat's width and height in mm")
        marker = data.get("marker_mm", MARKER_MM)
        if not _is_length(marker, 10, 200):
            raise _bad(header, "'marker_mm' must be the markers' side in mm")
        layout = layout_for(len(players), (float(size[0]), float(size[1])))
        entries = _read_entries(header, data.get("entries", []))
        return cls(tuple(players), first, layout, _read_timeline(folder), float(marker), entries)


def _read_entries(header: Path, entries: object) -> tuple[Entry, ...]:
    if isinstance(entries, list) and all(
        isinstance(entry, dict) and isinstance(entry.get("kind"), str) and isinstance(entry.get("data"), dict)
        for entry in entries
    ):
        return tuple(map(Entry.from_json, entries))
    raise _bad(header, "'entries' must be a list of what had happened before")


def _read_timeline(folder: Path) -> tuple[Event, ...]:
    path = folder / TIMELINE
    events: list[Event] = []
    lines = read_lines(path)
    if not _is_object(lines[-1]):
        lines.pop()  # the line that was being written when the plug was pulled
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        data = _object(line, where)
        t = data.get("t")
        if not isinstance(t, (int, float)) or isinstance(t, bool):
            raise _bad(where, "'t' must be a time in seconds")
        if events and t < events[-1].t:
            raise _bad(where, "the time runs backwards")
        if "frame" in data:
            events.append(FrameShown(float(t), _frame_file(folder, data["frame"], where)))
        elif "button" in data:
            try:
                button = Button(data["button"])
            except ValueError as error:
                raise _bad(where, f"there is no button {data['button']!r}") from error
            held = data.get("held", False)
            if not isinstance(held, bool):
                raise _bad(where, f"'held' must be true or false, not {held!r}")
            events.append(ButtonPressed(float(t), button, held))
        else:
            raise _bad(where, "a line needs 'frame' or 'button'")
    if not any(isinstance(event, FrameShown) for event in events):
        raise _bad(path, "there is no frame in it")
    return tuple(events)


def _frame_file(folder: Path, name: object, where: str) -> Path:
    if not isinstance(name, str) or not name:
        raise _bad(where, "'frame' must be a file's name")
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise _bad(where, f"the frame {name!r} lies outside the recording")
    if not path.is_file():
        raise _bad(where, f"the frame {name!r} is missing")
    return path


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise _bad(where, "it is no whole JSON object") from error
    if not isinstance(data, dict):
        raise _bad(where, "it is no JSON object")
    return data


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _is_length(value: object, least: float, most: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most


def _bad(where: Path | str, cause: str) -> DeviceError:
    return DeviceError(f"The recording can't be played: {where}: {cause}.", f"録画を再生できません。{where}：{cause}")


class RecordingWriter:
    """Writes a recording as it happens, in place of an earlier one in the same folder.

    Every event is on the disk when its call returns, so that a pulled plug costs the last line at most.
    """

    def __init__(
        self,
        folder: Path,
        players: tuple[str, ...],
        first_seat: int,
        layout: Layout,
        marker_mm: float = MARKER_MM,
        entries: Iterable[Entry] = (),
    ) -> None:
        self._folder = folder
        self.frames = 0
        """How many frames have been written."""
        self.size = 0
        """How many bytes have been written."""
        header: dict[str, Any] = {
            "game": GAME,
            "players": list(players),
            "seats": len(players),
            "first_seat": first_seat,
            "mat_mm": list(layout.mat_mm),
            "marker_mm": marker_mm,
        }
        if before := [entry.to_json() for entry in entries]:
            header["entries"] = before
        try:
            (folder / "frames").mkdir(parents=True, exist_ok=True)
            for old in (folder / "frames").glob("[0-9]*.jpg"):
                old.unlink()
            self._timeline = (folder / TIMELINE).open("wb", buffering=0)
        except OSError as error:
            raise self._cannot_write(error) from error
        text = json.dumps(header, ensure_ascii=False) + "\n"
        try:
            with replace_file(folder / HEADER) as unfinished:
                unfinished.write_text(text, encoding="utf-8")
        except BaseException:
            self.close()
            raise
        self.size += len(text.encode())

    def frame(self, t: float, jpeg: bytes) -> str:
        """The camera sees this picture from ``t`` on; returns the name it has in the timeline."""
        name = f"frames/{self.frames:03d}.jpg"
        self.frames += 1
        self._file(name, jpeg)
        self._line({"t": round(t, 3), "frame": name})
        return name

    def button(self, t: float, button: Button, *, held: bool = False) -> None:
        """A button was pressed at ``t``, or held down for long."""
        self._line({"t": round(t, 3), "button": button.value, **({"held": True} if held else {})})

    def page(self, page: str, jpeg: bytes) -> None:
        """One of the deck's enrolment pages."""
        self._file(f"enrol-{page}.jpg", jpeg)

    def close(self) -> None:
        """Finish the timeline; closing twice does no harm."""
        self._timeline.close()

    def _file(self, name: str, data: bytes) -> None:
        try:
            with (self._folder / name).open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._cannot_write(error) from error
        self.size += len(data)

    def _line(self, data: dict[str, Any]) -> None:
        line = f"{json.dumps(data)}\n".encode()
        try:
            if self._timeline.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._timeline.fileno())
        except OSError as error:
            raise self._cannot_write(error) from error
        self.size += len(line)

    def _cannot_write(self, error: OSError) -> DeviceError:
        reason = error.strerror or str(error)
        return DeviceError(
            f"The recording can't be written to {self._folder}: {reason}.",
            f"録画を{self._folder}に書き込めません（{reason}）。",
        )
