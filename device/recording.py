"""Recordings: what the camera and the buttons gave, as a folder that can be kept, sent and played again.

The format is that of FORMATS.md: ``recording.json``, ``timeline.jsonl`` and the frames it names. Times are seconds
from the recording's start.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.buttons import Button
from device.checking import read_lines
from device.errors import DeviceError
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
    """A button went down at ``t``."""

    t: float
    button: Button


Event = FrameShown | ButtonPressed


@dataclass(frozen=True)
class Recording:
    """A recording, checked: its header, and its events in their order."""

    players: tuple[str, ...]
    first_seat: int
    layout: Layout
    events: tuple[Event, ...]
    marker_mm: float = MARKER_MM

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
        return cls(tuple(players), first, layout, _read_timeline(folder), float(marker))


def _read_timeline(folder: Path) -> tuple[Event, ...]:
    path = folder / TIMELINE
    events: list[Event] = []
    for number, line in enumerate(read_lines(path), 1):
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
                events.append(ButtonPressed(float(t), Button(data["button"])))
            except ValueError as error:
                raise _bad(where, f"there is no button {data['button']!r}") from error
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


def _is_length(value: object, least: float, most: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most


def _bad(where: Path | str, cause: str) -> DeviceError:
    return DeviceError(f"The recording can't be played: {where}: {cause}.", f"録画を再生できません。{where}：{cause}")


class RecordingWriter:
    """Writes a recording as it happens, in place of an earlier one in the same folder."""

    def __init__(self, folder: Path, players: tuple[str, ...], first_seat: int, layout: Layout) -> None:
        self._folder = folder
        self._count = 0
        header = {
            "game": GAME,
            "players": list(players),
            "seats": len(players),
            "first_seat": first_seat,
            "mat_mm": list(layout.mat_mm),
            "marker_mm": MARKER_MM,
        }
        try:
            (folder / "frames").mkdir(parents=True, exist_ok=True)
            for old in (folder / "frames").glob("[0-9]*.jpg"):
                old.unlink()
            (folder / HEADER).write_text(json.dumps(header, ensure_ascii=False) + "\n", encoding="utf-8")
            self._timeline = (folder / TIMELINE).open("w", encoding="utf-8")
        except OSError as error:
            raise self._cannot_write(error) from error

    def frame(self, t: float, jpeg: bytes) -> str:
        """The camera sees this picture from ``t`` on; returns the name it has in the timeline."""
        name = f"frames/{self._count:03d}.jpg"
        self._count += 1
        try:
            (self._folder / name).write_bytes(jpeg)
        except OSError as error:
            raise self._cannot_write(error) from error
        self._line({"t": round(t, 3), "frame": name})
        return name

    def button(self, t: float, button: Button) -> None:
        """A button went down at ``t``."""
        self._line({"t": round(t, 3), "button": button.value})

    def page(self, page: str, jpeg: bytes) -> None:
        """One of the deck's enrolment pages."""
        try:
            (self._folder / f"enrol-{page}.jpg").write_bytes(jpeg)
        except OSError as error:
            raise self._cannot_write(error) from error

    def close(self) -> None:
        """Finish the timeline; closing twice does no harm."""
        self._timeline.close()

    def _line(self, data: dict[str, Any]) -> None:
        try:
            self._timeline.write(json.dumps(data) + "\n")
            self._timeline.flush()
        except OSError as error:
            raise self._cannot_write(error) from error

    def _cannot_write(self, error: OSError) -> DeviceError:
        reason = error.strerror or str(error)
        return DeviceError(
            f"The recording can't be written to {self._folder}: {reason}.",
            f"録画を{self._folder}に書き込めません（{reason}）。",
        )
