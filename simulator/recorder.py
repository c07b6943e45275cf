"""A recorder for simulated games: straight into one folder, with the truth about each picture and answer beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

from device.errors import DeviceError, refused_by_the_system
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.storage.opening import Opening
from device.storage.recorder import Blocks, blocks_of, jpeg_of, lies_the_same
from device.storage.recording import RecordingWriter
from referee.history import Entry
from referee.layout import TableLayout
from referee.simulation import Attempt
from rules.record import Header
from rules.text import Text
from simulator.camera import OnTheMat
from simulator.truth import TruthWriter


class TruthfulRecorder:
    """Records one game as the program's own recorder does; any thread may call.

    What can't be written is kept as ``failure`` for whoever drives the game: a recording that lacks something would
    not be one.
    """

    trouble: Text | None = None

    def __init__(
        self,
        folder: Path,
        header: Header,
        layout: TableLayout,
        pictured: Callable[[], OnTheMat],
        clock: Callable[[], float],
    ) -> None:
        """``pictured`` gives what the last full picture shows.

        Raises:
            DeviceError: the folder can't be written.
        """
        self._writer = RecordingWriter(folder, header, layout)
        try:
            self._truth = TruthWriter(folder, layout.mat_mm)
        except OSError as error:
            self._writer.close()
            raise refused_by_the_system(error) from error
        self._pictured, self._clock = pictured, clock
        self._turn = Lock()
        self._began_s: float | None = None
        self._last: Blocks | None = None
        self._frame_t = self._press_t = 0.0
        self.failure: DeviceError | None = None

    def start(self, opening: Opening, entries: Callable[[], Sequence[Entry]]) -> None:
        """Start with the game: from now on there is something to record."""
        self._began_s = self._clock()

    def stop(self) -> None:
        """End the recording; stopping twice does no harm."""
        with self._turn:
            self._began_s = None
            self._writer.close()
            self._truth.close()

    def page(self, page: str, picture: Picture) -> None:
        """Record this still picture (h, w, 3), from which a page of the deck was learnt."""
        self._write(lambda: self._writer.write_page(page, jpeg_of(picture)))

    def record_picture(self, picture: Picture) -> None:
        """Record this still picture (h, w, 3), which the reader looks at; one of an unchanged table is left out."""
        with self._turn:
            blocks = blocks_of(picture)
            if self._began_s is None or (self._last is not None and lies_the_same(blocks, self._last)):
                return
            self._last, self._frame_t = blocks, self._clock() - self._began_s
            self._write(lambda: self._record_frame(self._frame_t, picture))

    def press(self, button: Button, *, held: bool = False) -> None:
        """Record that a button does now what it does."""
        with self._turn:
            if self._began_s is not None:
                self._press_t = self._clock() - self._began_s
                self._write(lambda: self._writer.write_button(self._press_t, button, held=held))

    def record_answer(self, attempt: Attempt) -> None:
        """Record that what lies there, or was entered, has been answered rightly now."""
        by = "told" if attempt.told is not None else "look" if attempt.unconfirmed else "confirm"
        t = self._frame_t if attempt.unconfirmed else self._press_t
        with self._turn:
            self._write(lambda: self._truth.write_expected(t, attempt.move, attempt.code, by))

    def record_end(self, points: Sequence[int], winners: Sequence[int]) -> None:
        """Record that the game has ended so."""
        with self._turn:
            self._write(lambda: self._truth.write_final(self._press_t, points, winners))

    def _record_frame(self, t: float, picture: Picture) -> None:
        name = self._writer.write_frame(t, jpeg_of(picture))
        lying = self._pictured()
        self._truth.write_frame(t, name, lying.cards, lying.tray)

    def _write(self, write: Callable[[], object]) -> None:
        try:
            write()
        except DeviceError as error:
            self.failure = self.failure or error
        except OSError as error:
            self.failure = self.failure or refused_by_the_system(error)
