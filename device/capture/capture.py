"""The camera's own loop: it watches for stillness, takes a picture when nothing moves, has it read, and says so.

It runs beside the screen's loop in a thread of its own and never gives up; a camera's faults are ``SteadyCamera``'s to
mend, here they are only passed on. What there is to say waits in a short queue until the screen's loop comes round.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

import cv2
import numpy as np

from device.capture.thumbnails import thumbnail
from device.errors import DeviceError
from device.hardware.camera import Picture, Preview
from device.hardware.steady import CameraState, CameraTrouble, SteadyCamera
from rules.text import Text
from ui.screen_state import Thumbnail
from vision.errors import LightError, MatSizeError, VisionError
from vision.stillness import STILL_S, Motion, State, Stillness

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

LOOKS_A_SECOND = 8.0
"""How often the preview is looked at: often enough for hands, seldom enough for a cool Pi."""
LOOK_AGAIN_S = 3.0
"""A still table that could not be read is read again after this time: a lamp may be on now, a sleeve away."""
_QUEUE = 32
_THUMB = (64, 48)
_TORN_LEVELS = 40.0
_TORN_SHARE = 0.06
_TRIES = 4


@dataclass(frozen=True, slots=True)
class Moving:
    """Something moves over the mat."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The table is still; its picture is being read."""


@dataclass(frozen=True, slots=True)
class Seen(Generic[T]):
    """What the still picture showed."""

    what: T


@dataclass(frozen=True, slots=True)
class Blind:
    """There is no picture, or the still picture can't be read, and why; it is tried again by itself.

    ``picture`` is the one that can't be read, in small. ``measured`` is the size (whole mm) that the markers show where
    the mat is of another one than is set.
    """

    why: Text
    picture: Thumbnail | None = None
    measured: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Unfit:
    """The reader itself can't be had (a deck's or model's file); it is tried again when ``look_again`` asks for it."""

    why: Text


News = Moving | Reading | Seen[T] | Blind | Unfit

TORN = Text(
    "The camera's pictures come torn. If this stays so, check its cable and its power supply.",
    "カメラの画像が乱れています。続くときは、ケーブルと電源を確かめてください。",
)
UNREADABLE = Text(
    "The picture could not be read, for a reason that was not foreseen; it is tried again by itself.",
    "予期しない理由で画像を読み取れませんでした。自動的にやり直します。",
)


@dataclass(slots=True)
class _Watched:
    """What has been seen of the table: its last preview, the camera's trouble, and whether something moves.

    ``locked`` is whether the camera's automatics are held; ``blind_since_s`` is when the still table could not be
    read, infinite where it could.
    """

    luma: Preview = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    trouble: CameraTrouble | None = None
    moving: bool = False
    locked: bool = False
    blind_since_s: float = math.inf


class Lookout(Generic[T]):
    """Watches one camera and has its still pictures read.

    ``open_reader`` is called in the lookout's own thread, so that the loading of a model does not hold up the screen.
    ``beat`` is called at every round, while the camera is being waited for as well: it says that the loop lives, not
    that the camera does. ``told`` is set whenever there is news. Stillness is measured by ``clock``, in seconds.
    """

    def __init__(
        self,
        camera: SteadyCamera,
        open_reader: Callable[[], Callable[[Picture], T]],
        told: threading.Event,
        beat: Callable[[], None] = lambda: None,
        *,
        still_s: float = STILL_S,
        looks_a_second: float = LOOKS_A_SECOND,
        look_again_s: float = LOOK_AGAIN_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._camera, self._open_reader = camera, open_reader
        self._told, self._beat, self._clock = told, beat, clock
        self._every_s, self._look_again_s = 1.0 / looks_a_second, look_again_s
        self._stillness = Stillness(still_s)
        self._news: deque[News[T]] = deque(maxlen=_QUEUE)
        self._stopping, self._again = threading.Event(), threading.Event()
        self._reader: Callable[[Picture], T] | None = None
        self._watched = _Watched()
        self.looked_s = -math.inf
        """When the table was looked at last, by the clock."""
        self._thread = threading.Thread(target=self._run, name="lookout", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def news(self) -> list[News[T]]:
        """What there was to say since the last call, oldest first; the oldest is dropped where nobody listened."""
        told = []
        while self._news:
            told.append(self._news.popleft())
        return told

    def look_again(self) -> None:
        """Read the table once more as soon as it is still, though nothing has moved."""
        self._again.set()

    def stop(self) -> None:
        """Stop looking and close the camera; a reading that has begun is waited for."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()
        self._camera.close()

    # The loop

    def _say(self, news: News[T]) -> None:
        self._news.append(news)
        self._told.set()

    def _run(self) -> None:
        # Models take a moment to load; what can't be had is asked for again at the first still picture.
        self._beat()
        self._open()
        next_s = time.monotonic()
        while not self._stopping.is_set():
            state = self._look()
            # A driver that hangs for good is mended by a restart of the program alone: the watchdog shall bite.
            if self._watched.trouble is None or self._watched.trouble.state is not CameraState.HANGING:
                self._beat()
            if state is not None and state.still:
                wanted = state.fresh or self._watched.moving or self._again.is_set()
                if wanted or self._clock() - self._watched.blind_since_s >= self._look_again_s:
                    self._watched.moving = False
                    self._again.clear()
                    if wanted:
                        self._say(Reading())
                    self._watched.blind_since_s = math.inf if self._read() else self._clock()
            # Looks are due at even times; after a long reading the count begins anew instead of catching up.
            next_s = max(next_s + self._every_s, time.monotonic())
            self._stopping.wait(next_s - time.monotonic())

    def _look(self) -> State | None:
        """One look at the preview; says so when something begins to move, or where there is nothing to look at."""
        seen = self._camera.preview()
        if isinstance(seen, CameraTrouble):
            self._fail(seen)
            return None
        if self._watched.trouble is not None:
            self._watched.trouble = None
            self._watched.moving = False
            self._stillness.reset()
        now_s = self._clock()
        self._watched.luma = seen
        state = self._stillness.update(seen, now_s)
        if state.motion is Motion.MOVING:
            if not self._watched.moving:
                self._say(Moving())
            self._watched.moving = True
            self._watched.blind_since_s = math.inf
        self.looked_s = now_s
        return state

    def _fail(self, trouble: CameraTrouble) -> None:
        if self._watched.trouble is None or self._watched.trouble.state is not trouble.state:
            if trouble.cause:
                _LOG.warning("camera %s: %s", trouble.state.value, trouble.cause)
            self._say(Blind(Text(trouble.en, trouble.ja)))
        self._watched.trouble = trouble

    def _read(self) -> bool:
        """Take the still picture and have it read; False where the same table is worth another try."""
        picture = self._whole_picture()
        if picture is None:
            return False
        reader = self._reader or self._open()
        if reader is None:
            return True
        self._beat()
        try:
            seen = reader(picture)
        except VisionError as error:
            self._say(Blind(Text(error.en, error.ja), thumbnail(picture), measured_by(error)))
            if isinstance(error, LightError) and self._watched.locked:
                self._camera.unlock()
                self._watched.locked = False
            return False
        except Exception as error:
            log_fault("a picture could not be read", error)
            self._say(Blind(UNREADABLE))
            return False
        # Hands that came while it was read may have been in the picture already: what it showed is not said then.
        state = self._look()
        if state is not None and state.still:
            self._again.clear()
            self._say(Seen(seen))
            if not self._watched.locked:
                # The mat lies under a light that can be read in: from here on pictures shall be comparable.
                self._camera.lock()
                self._watched.locked = True
        return True

    def _open(self) -> Callable[[Picture], T] | None:
        try:
            self._reader = self._open_reader()
        except (DeviceError, VisionError) as error:
            self._say(Unfit(Text(error.en, error.ja)))
        return self._reader

    def _whole_picture(self) -> Picture | None:
        """The full picture of this moment; None where there is none, or it is torn or of another moment."""
        for _ in range(_TRIES):
            picture = self._camera.picture()
            if isinstance(picture, CameraTrouble):
                self._fail(picture)
                return None
            if self._look() is None:
                return None
            if shows_the_same(self._watched.luma, picture):
                return picture
        if not self._watched.moving:
            self._say(Blind(TORN))
        return None


def measured_by(error: VisionError) -> tuple[int, int] | None:
    """The mat's size in whole mm where it is another one than is set."""
    if not isinstance(error, MatSizeError):
        return None
    width, height = error.measured_mm
    return round(width), round(height)


def shows_the_same(luma: Preview, picture: Picture) -> bool:
    """Whether a full picture (h, w, 3) BGR shows what the preview (h, w) of the same moment shows.

    One put together from two moments, or an old one, does not. Brightness may differ as a whole, as it does between a
    camera's two outputs.
    """
    small = cv2.cvtColor(cv2.resize(picture, _THUMB, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    wanted = cv2.resize(luma, _THUMB, interpolation=cv2.INTER_AREA).astype(np.float32) + 4.0
    got = small.astype(np.float32) + 4.0
    gain = float(np.median(wanted / got))
    if not 0.4 < gain < 2.5:
        return False
    return float(np.mean(np.abs(got * gain - wanted) > _TORN_LEVELS)) < _TORN_SHARE


def log_fault(what: str, error: BaseException) -> None:
    """An unforeseen error as one line for the service's log."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" in {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace is not None else ""
    cause = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    _LOG.error("%s (%s%s)", what, cause, where)
