"""A camera that never holds up the program: it stalls, breaks or lies in a thread of its own and is opened again.

Every call comes back within its time-out, with a picture or with a ``CameraTrouble`` that says in a sentence what is
the matter. One picture is held at most, and at most three threads, however long the camera misbehaves.
"""

from __future__ import annotations

import contextlib
import threading
import time
import zlib
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from queue import SimpleQueue
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from device.errors import DeviceError
from device.hardware.camera import Camera, CameraLock, LockableCamera, Picture, Preview, StreamedCamera
from rules.text import Text
from vision.errors import PictureError

T = TypeVar("T")

_OPENING_S = 15.0
"""A camera that isn't open by then hangs; a Pi that has just started needs several seconds."""
_FROZEN_S = 10.0
"""A picture without any noise for so long is an old one, sent again and again."""
_STALLED_S = 3.0
"""An answer that takes longer than this doesn't come."""
_SETTING_S = 15.0
"""The same where automatics are stopped, for which some cameras need many pictures."""
_FLAWED_S = 5.0
"""Flawed pictures for so long, and the camera is opened again."""
_CALM_S = 20.0
"""After working for so long a camera's next fault is its first."""
_SOONEST_S, _LATEST_S = 1.0, 30.0
"""How long to wait before opening again, the first time and at most; doubled in between."""
_LETTING_GO_S = 10.0
"""A camera is only opened again once it was let go of, or has hung for so long that it never will be."""
_MOST_HANGING = 2
_TRIES = 3


_DARK = 24
"""A picture none of whose px is brighter than this (of 255), but for one in a hundred, shows nothing."""
_TORN_ROWS = 12
"""So many rows exactly alike in a run are no picture: every real sensor has noise."""
_COLUMNS = 256


class Flaw(Enum):
    """Why a picture can't be used."""

    BLACK = "black"
    TORN = "torn"


def flaw_of(picture: npt.NDArray[np.uint8]) -> Flaw | None:
    """Whether a picture (h, w) or (h, w, 3) is black, or torn: cut short and filled up with grey, green or one row.

    Rows that are black or white all over are no sign of a tear; a strong lamp or a dark floor looks like that too.

    >>> import numpy as np
    >>> noise = np.random.default_rng(1).integers(40, 200, (240, 320), dtype=np.uint8)
    >>> flaw_of(noise), flaw_of(noise // 16)
    (None, <Flaw.BLACK: 'black'>)
    >>> noise[200:] = 128
    >>> flaw_of(noise)
    <Flaw.TORN: 'torn'>
    """
    rows = picture[:, :: max(1, picture.shape[1] // _COLUMNS)]
    if float(np.percentile(rows[::4], 99)) <= _DARK:
        return Flaw.BLACK
    rows = rows.reshape(len(rows), -1)
    alike = (rows[1:] == rows[:-1]).all(axis=1)
    alike &= ~((rows[1:] <= 2).all(axis=1) | (rows[1:] >= 253).all(axis=1))
    return Flaw.TORN if _longest_run(alike) >= _TORN_ROWS else None


def _longest_run(marks: npt.NDArray[np.bool_]) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], marks.view(np.int8), [0]))))
    return int((edges[1::2] - edges[::2]).max(initial=0))


class CameraState(Enum):
    """What keeps the camera from giving pictures."""

    OPENING = "opening"
    STALLED = "stalled"
    FAILED = "failed"
    BLACK = "black"
    TORN = "torn"
    SMALLER = "smaller"
    FROZEN = "frozen"
    HANGING = "hanging"
    """Opened and stalled so often that only a restart of the program can help."""


_WORDS = {
    CameraState.OPENING: Text("The camera is starting."),
    CameraState.STALLED: Text("The camera gives no pictures; it is being started again. Check its cable."),
    CameraState.FAILED: Text("The camera has failed; it is being started again. Check its cable."),
    CameraState.BLACK: Text("The camera's picture is black: take the cap off the lens and switch on the light."),
    CameraState.TORN: Text("The camera's pictures arrive incomplete; check its cable and its power supply."),
    CameraState.SMALLER: Text("The camera gives smaller pictures than before; it is being started again."),
    CameraState.FROZEN: Text("The camera sends the same picture again and again; it is being started again."),
    CameraState.HANGING: Text("The camera no longer answers: switch the device off and on."),
}


@dataclass(frozen=True, slots=True)
class CameraTrouble:
    """Why there is no picture just now; ``cause`` is what the driver said, for the log."""

    state: CameraState
    text: Text
    cause: str = ""

    @classmethod
    def from_cause(cls, state: CameraState, cause: BaseException | str = "") -> CameraTrouble:
        """Describe the trouble in the words for this state, or in the cause's own where it has some for players."""
        if isinstance(cause, DeviceError):
            return cls(state, cause.text, str(cause))
        told = f"{type(cause).__name__}: {cause}" if isinstance(cause, BaseException) else cause
        return cls(state, _WORDS[state], told)


_OF_FLAWS = {Flaw.BLACK: CameraState.BLACK, Flaw.TORN: CameraState.TORN}


class _Worker:
    """Opens a camera and asks it for things, in a thread that may hang without harm to anybody else."""

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        self._jobs: SimpleQueue[tuple[Callable[[Camera], Any], Future[Any]] | None] = SimpleQueue()
        self.opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(open_camera,), name="camera", daemon=True)
        self._thread.start()

    def ask(self, call: Callable[[Camera], T]) -> Future[T]:
        """Have this done with the camera; the answer may never come."""
        answer: Future[T] = Future()
        self._jobs.put((call, answer))
        return answer

    def leave(self) -> None:
        """Close the camera once it has answered, if it ever does."""
        self._jobs.put(None)

    def has_ended(self, within_s: float = 0.0) -> bool:
        """Whether the camera has been let go of."""
        self._thread.join(within_s)
        return not self._thread.is_alive()

    def _run(self, open_camera: Callable[[], Camera]) -> None:
        try:
            camera = open_camera()
        except Exception as error:
            self.opened.set_exception(error)
            return
        self.opened.set_result(None)
        while (job := self._jobs.get()) is not None:
            call, answer = job
            try:
                answer.set_result(call(camera))
            except Exception as error:
                answer.set_exception(error)
            del job, call, answer  # or the last picture would be held until the next is asked for
        with contextlib.suppress(Exception):  # a driver that can't even close has nothing more to tell
            camera.close()


@dataclass(frozen=True, slots=True)
class _Pending:
    """Something that the worker was asked for and hasn't answered yet."""

    answer: Future[Any]
    since_s: float
    patience_s: float


@dataclass(slots=True)
class _Stream:
    """What has been seen of the previews, or of the pictures: since when they are flawed, and their px at most.

    ``checksum`` is the last one's; those since ``alike_since_s`` have the same.
    """

    flawed_since_s: float | None = None
    pixels: int = 0
    checksum: int | None = None
    alike_since_s: float = 0.0

    def is_frozen(self, picture: npt.NDArray[np.uint8], now_s: float) -> bool:
        """Whether the same picture has come for long; if it still does once the camera was opened again, it is."""
        checksum = zlib.crc32(np.ascontiguousarray(picture).data)
        if checksum != self.checksum:
            self.checksum, self.alike_since_s = checksum, now_s
        return now_s - self.alike_since_s >= _FROZEN_S


@dataclass(slots=True)
class _BackOff:
    """When a camera that was given up may be opened again: later each time, until it has worked for a while."""

    next_start_s: float
    calm_since_s: float
    gave_up_s: float
    wait_s: float = _SOONEST_S

    def note_working(self, now_s: float) -> None:
        """Note that a good picture arrived."""
        if now_s - self.calm_since_s >= _CALM_S:
            self.wait_s = _SOONEST_S

    def give_up(self, now_s: float) -> None:
        """Give the camera up."""
        self.gave_up_s = now_s
        self.next_start_s = now_s + self.wait_s
        self.wait_s = min(2 * self.wait_s, _LATEST_S)


class SteadyCamera:
    """Watches over a camera: gives its pictures or says what is the matter, and opens it again with a back-off.

    ``rotation`` turns pictures clockwise by 0, 90, 180 or 270 degrees. A lock outlives a restart of the camera;
    ``fixed`` are values that are held from the first picture on and never let go.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        rotation: int = 0,
        fixed: CameraLock | None = None,
        *,
        preview_timeout_s: float = 0.5,
        picture_timeout_s: float = 3.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if rotation not in (0, 90, 180, 270):
            raise ValueError(f"a picture is turned by 0, 90, 180 or 270 degrees, not {rotation}")
        self._open_camera, self._turns = open_camera, rotation // 90
        self._preview_s, self._picture_s = preview_timeout_s, picture_timeout_s
        self._clock = clock
        self._worker: _Worker | None = None
        self._hanging: list[_Worker] = []
        self._pending: _Pending | None = None
        self._fixed = self._lock = fixed
        now = clock()
        self._back_off = _BackOff(now, now, now)
        self._previews, self._pictures = _Stream(), _Stream()
        self._closed = False
        self.trouble: CameraTrouble | None = CameraTrouble.from_cause(CameraState.OPENING)
        """What the last look met; ``None`` while all is well."""
        self.restarts = 0
        """How often the camera was opened again."""

    def take_preview(self) -> Preview | CameraTrouble:
        """Take the small luma plane of this moment, within the preview's time-out."""
        return self._take_frame(lambda camera: camera.take_preview(), self._clock() + self._preview_s, self._previews)

    def take_picture(self) -> Picture | CameraTrouble:
        """Take the full picture of this moment, within the picture's time-out; retake one that is torn."""
        deadline = self._clock() + self._picture_s
        for _ in range(_TRIES):
            seen = self._take_frame(lambda camera: camera.take_picture(), deadline, self._pictures)
            if not isinstance(seen, CameraTrouble) or seen.state is not CameraState.TORN or self._clock() >= deadline:
                break
        return seen

    def lock(self) -> CameraLock | CameraTrouble | None:
        """Hold exposure, white balance and focus as they are now; ``None`` where the camera has no automatics."""
        return self._ask(self._hold, self._clock() + self._picture_s, _SETTING_S)

    def unlock(self) -> CameraTrouble | None:
        """Let the automatics run again, as for another light or height."""
        self._lock = fixed = self._fixed

        def release(camera: Camera) -> None:
            if isinstance(camera, LockableCamera):
                camera.unlock()
                if fixed is not None:
                    camera.lock(fixed)

        return self._ask(release, self._clock() + self._picture_s, _SETTING_S)

    def close(self) -> None:
        """Let go of the camera, waiting a moment for it and for those given up; closing twice does no harm."""
        self._closed = True
        if self._worker is not None:
            self._worker.leave()
            self._hanging.append(self._worker)
            self._worker = self._pending = None
        deadline = time.monotonic() + self._picture_s
        self._hanging = [one for one in self._hanging if not one.has_ended(max(0.0, deadline - time.monotonic()))]

    # One question at a time

    def _take_frame(
        self, call: Callable[[Camera], npt.NDArray[np.uint8]], deadline: float, stream: _Stream
    ) -> npt.NDArray[np.uint8] | CameraTrouble:
        def ask_frame(camera: Camera) -> tuple[npt.NDArray[np.uint8], tuple[int, int] | None]:
            return call(camera), camera.get_frame_size() if isinstance(camera, StreamedCamera) else None

        answer = self._ask(ask_frame, deadline)
        if isinstance(answer, CameraTrouble):
            return self._bear_flaw(answer, stream) if answer.state is CameraState.TORN else answer
        seen, sent = answer
        flaw = flaw_of(seen)
        if flaw is not None:
            return self._bear_flaw(CameraTrouble.from_cause(_OF_FLAWS[flaw]), stream)
        width, height = sent or seen.shape[1::-1]
        if height * width < stream.pixels:
            return self._bear_flaw(CameraTrouble.from_cause(CameraState.SMALLER, f"{width} × {height}"), stream)
        if sent and stream.is_frozen(seen, self._clock()):
            return self._give_up(CameraTrouble.from_cause(CameraState.FROZEN))
        stream.pixels = height * width
        stream.flawed_since_s = self.trouble = None
        self._back_off.note_working(self._clock())
        return np.ascontiguousarray(np.rot90(seen, -self._turns)) if self._turns else seen

    def _bear_flaw(self, trouble: CameraTrouble, stream: _Stream) -> CameraTrouble:
        """Bear with a flawed picture for a while, then open the camera again."""
        now = self._clock()
        if stream.flawed_since_s is None:
            stream.flawed_since_s = now
        elif now - stream.flawed_since_s >= _FLAWED_S and self._worker is not None:
            if trouble.state is CameraState.SMALLER:  # another camera, perhaps: what it gives once opened again counts
                self._previews.pixels = self._pictures.pixels = 0
            return self._give_up(trouble)
        self.trouble = trouble
        return trouble

    def _ask(self, call: Callable[[Camera], T], deadline: float, patience_s: float = _STALLED_S) -> T | CameraTrouble:
        if self._worker is None:
            trouble = self._start()
            if trouble is not None:
                return trouble
        if self._pending is not None:
            late = self._settle(self._pending, deadline)
            if isinstance(late, CameraTrouble):
                return late
        worker = self._worker
        assert worker is not None, "only a trouble ends a worker, and that was returned"
        self._pending = _Pending(worker.ask(call), self._clock(), patience_s)
        answer: T | CameraTrouble = self._settle(self._pending, deadline)
        return answer

    def _settle(self, pending: _Pending, deadline: float) -> Any:
        """Wait for the answer, no longer than until the deadline; given up after the patience there is with it."""
        try:
            answer = pending.answer.result(max(0.0, deadline - self._clock()))
        except PictureError as error:
            self._pending = None
            return CameraTrouble.from_cause(CameraState.TORN, error)
        except Exception as error:
            if pending.answer.done():
                state = CameraState.STALLED if isinstance(error, TimeoutError) else CameraState.FAILED
                return self._give_up(CameraTrouble.from_cause(state, error))
            stalled = CameraTrouble.from_cause(CameraState.STALLED)
            if self._clock() - pending.since_s >= pending.patience_s:
                return self._give_up(stalled)
            # Until its first picture a camera that was opened is starting still.
            if self.trouble is None:
                self.trouble = stalled
            return self.trouble
        self._pending = None
        return answer

    # Opening, and opening again

    def _start(self) -> CameraTrouble | None:
        """Open the camera, unless it is too early for that."""
        if self._closed:
            raise DeviceError("The camera was closed.")
        self._hanging = [worker for worker in self._hanging if not worker.has_ended()]
        if len(self._hanging) >= _MOST_HANGING:
            self.trouble = CameraTrouble.from_cause(CameraState.HANGING)
            return self.trouble
        now = self._clock()
        if now < self._back_off.next_start_s or (self._hanging and now < self._back_off.gave_up_s + _LETTING_GO_S):
            assert self.trouble is not None, "a camera that waits to be opened again was given up"
            return self.trouble
        self._worker = _Worker(self._open)
        self._pending = _Pending(self._worker.opened, now, _OPENING_S)
        self._back_off.calm_since_s = now
        self._previews.flawed_since_s = self._pictures.flawed_since_s = None
        return None

    def _open(self) -> Camera:
        camera = self._open_camera()
        lock = self._lock
        if lock is not None and isinstance(camera, LockableCamera):
            try:
                camera.lock(lock)
            except Exception:
                camera.close()
                raise
        return camera

    def _hold(self, camera: Camera) -> CameraLock | None:
        """In the worker's thread: a lock is kept even where nobody has waited for it long enough."""
        if not isinstance(camera, LockableCamera):
            return None
        lock = camera.read_settled()
        camera.lock(lock)
        self._lock = lock
        return lock

    def _give_up(self, trouble: CameraTrouble) -> CameraTrouble:
        worker, self._worker, self._pending = self._worker, None, None
        assert worker is not None, "only a camera that was being asked is given up"
        worker.leave()
        self._hanging.append(worker)
        self._back_off.give_up(self._clock())
        self.restarts += 1
        self.trouble = trouble
        return trouble
