"""Recording while a game goes on: switched on and off at will, bounded in size, and never in the game's way.

Recordings lie in one folder, numbered in their order. A long one is continued in a new folder that begins with what has
happened in the game so far, so that the oldest can be deleted and the rest still be replayed.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from device.errors import DeviceError, reason_of
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.settings.values import RecordingSettings
from device.storage.opening import Opening
from device.storage.recording import RecordingWriter
from referee.history import Entry
from rules.text import Text

_MB = 1_000_000
_QUALITY = 92
_PARTS = 4
"""A recording is continued in a new folder once it takes a quarter of what all of them may."""
_BLOCKS = (160, 120)
_CHANGE = 4.0
"""A picture of which no block (of 255) has changed by more shows the same table as the one before."""
_NAME = re.compile(r"(\d{5,})-.*")

Blocks = NDArray[np.float32]
"""A picture in small, (120, 160), as far as an unchanged table is known by it."""

_NO_ROOM = Text("The disk is nearly full, so recording has stopped; the game goes on.")
_STOPPED = Text("Recording has stopped; the game goes on.")


class Records(Protocol):
    """Anything that records a game; ``Recorder`` does."""

    trouble: Text | None
    """Why recording stopped by itself."""

    def start(self, opening: Opening, entries: Callable[[], Sequence[Entry]]) -> None:
        """Begin to record a game; ``entries`` tells what has happened in it so far."""
        ...

    def stop(self) -> None:
        """End the recording; stopping twice does no harm."""
        ...

    def record_picture(self, picture: Picture) -> None:
        """Record the still picture (h, w, 3) that the reader looks at."""
        ...

    def press(self, button: Button, *, held: bool = False) -> None:
        """Record that a button does what it does now."""
        ...


class _NoRoomError(Exception):
    """There is nothing left to delete."""


class Recorder:
    """Records what the reader sees and what is pressed. Any thread may call.

    Nothing here raises: where recording fails it stops, and ``trouble`` says why.
    """

    def __init__(self, folder: Path, bounds: RecordingSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._bounds, self._clock = folder, bounds, clock
        self._turn = RLock()
        self._writer: RecordingWriter | None = None
        self._began_s = 0.0
        self._sizes: dict[Path, int] = {}
        self._last: Blocks | None = None
        self.trouble: Text | None = None
        """Why recording stopped by itself."""

    @property
    def on(self) -> bool:
        """Whether a recording is being written."""
        return self._writer is not None

    def start(self, opening: Opening, entries: Callable[[], Sequence[Entry]]) -> None:
        """Begin to record a game; ``entries`` tells what has happened in it so far."""
        with self._turn:
            self.stop()
            self._opening, self._entries = opening, entries
            self.trouble = None
            self._run_safely(self._begin)

    def stop(self) -> None:
        """End the recording; stopping twice does no harm."""
        with self._turn:
            if self._writer is not None:
                self._sizes[self._at] = self._writer.size
                self._writer.close()
                self._writer = None

    def record_picture(self, picture: Picture) -> None:
        """Record the still picture (h, w, 3) that the reader looks at; leave out one of an unchanged table."""
        with self._turn:
            if self._writer is None:
                return
            blocks = blocks_of(picture)
            if self._last is not None and lies_the_same(blocks, self._last):
                return
            jpeg = jpeg_of(picture)
            self._run_safely(lambda: self._write_frame(jpeg))
            self._last = blocks

    def press(self, button: Button, *, held: bool = False) -> None:
        """Record that a button does what it does now: after the picture that it is about."""
        with self._turn:
            if self._writer is not None:
                writer, t = self._writer, self._measure_elapsed()
                self._run_safely(lambda: writer.write_button(t, button, held=held))

    def _measure_elapsed(self) -> float:
        return self._clock() - self._began_s

    def _begin(self) -> None:
        self._sizes = {path: _measure_size(path) for path in _list_recordings(self._folder)}
        number = max((int(path.name.partition("-")[0]) for path in self._sizes), default=0) + 1
        self._at = self._folder / f"{number:05d}-{datetime.now(UTC):%Y%m%d-%H%M%S}"
        self._make_room(0)
        opening = self._opening
        self._writer = RecordingWriter(self._at, opening.header, opening.layout, opening.marker_mm, self._entries())
        self._began_s = self._clock()
        self._last = None

    def _write_frame(self, jpeg: bytes) -> None:
        writer = self._writer
        if writer is not None and writer.frames and writer.size + len(jpeg) > self._bounds.most_mb * _MB / _PARTS:
            self.stop()
            self._begin()
        self._make_room(len(jpeg))
        if self._writer is not None:
            self._writer.write_frame(self._measure_elapsed(), jpeg)

    def _make_room(self, more: int) -> None:
        """Delete the oldest recordings until so many bytes more have room.

        Raises:
            _NoRoomError: there is nothing left to delete.
        """
        now = self._writer.size if self._writer is not None else 0
        while True:
            too_much = sum(self._sizes.values()) + now + more > self._bounds.most_mb * _MB
            free = shutil.disk_usage(_find_existing(self._folder)).free - more
            if not too_much and free >= self._bounds.free_mb * _MB:
                return
            if not self._sizes:
                raise _NoRoomError
            oldest = min(self._sizes, key=lambda path: int(path.name.partition("-")[0]))
            shutil.rmtree(oldest)
            del self._sizes[oldest]

    def _run_safely(self, write: Callable[[], object]) -> None:
        try:
            write()
        except _NoRoomError:
            self._give_up(_NO_ROOM)
        except DeviceError as error:
            self._give_up(Text("{error} {stopped}", error=error, stopped=_STOPPED))
        except OSError as error:
            self._give_up(Text("{reason}. {stopped}", reason=reason_of(error), stopped=_STOPPED))

    def _give_up(self, why: Text) -> None:
        self.stop()
        self.trouble = why


def _list_recordings(folder: Path) -> list[Path]:
    """List the recordings in a folder; leave whatever else lies there alone."""
    if not folder.is_dir():
        return []
    return [path for path in folder.iterdir() if _NAME.fullmatch(path.name) and path.is_dir()]


def _measure_size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _find_existing(folder: Path) -> Path:
    """Return the folder itself or the nearest one above it that exists."""
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())


def jpeg_of(picture: Picture) -> bytes:
    """Encode a still picture (h, w, 3) as a recording keeps it."""
    return cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))[1].tobytes()


def lies_the_same(one: Blocks, other: Blocks) -> bool:
    """Whether two pictures show the same table."""
    return float(np.abs(one - other).max()) <= _CHANGE


def blocks_of(picture: Picture) -> Blocks:
    """Reduce a still picture (h, w, 3) to blocks."""
    step = max(1, picture.shape[1] // 1600)  # of a large picture every other px is as good as all
    green = np.ascontiguousarray(picture[::step, ::step, 1])
    return np.asarray(cv2.resize(green, _BLOCKS, interpolation=cv2.INTER_AREA), dtype=np.float32)
