"""The camera's own loop: it watches for stillness, takes a picture when nothing moves, has it read, and says so.

It runs beside the screen's loop in a thread of its own and never gives up; a camera's faults are ``SteadyCamera``'s to
mend, here they are only passed on. What there is to say waits in a short queue until the screen's loop comes round.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

import cv2
import numpy as np

from device.capture.thumbnails import make_thumbnail
from device.errors import DeviceError
from device.hardware.camera import Picture, Preview
from device.hardware.steady import CameraState, CameraTrouble, SteadyCamera
from referee.table import REST, Unread
from rules.text import Text
from ui.screen_state import Mood, Thumbnail
from vision.arrays import Doubles
from vision.errors import LightError, MatSizeError, VisionError
from vision.stillness import STILL_S, Motion, PartsStillness

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


_NOTHING: frozenset[str] = frozenset()
_REST = frozenset({REST})


class StillReader(ABC, Generic[T]):
    """A reader of one game's table, of which some zones may be still apart, each watched for itself."""

    @abstractmethod
    def __call__(self, picture: Picture, moving: frozenset[str] = _NOTHING) -> T:
        """Read what a still picture (h, w, 3) BGR uint8 shows; of the parts ``moving`` what was seen last counts."""

    @abstractmethod
    def straighten_mat(self, picture: Picture, px_per_mm: float) -> Picture | None:
        """Return the mat alone of the picture that was read last, (h, w, 3) BGR; ``None`` before it was seen."""

    @abstractmethod
    def close_up(self, picture: Picture, mark: Unread) -> Picture | None:
        """Return an unread card of that picture and its surroundings, (h, w, 3) BGR; ``None`` before a mat was seen."""

    def outline_zones(self, size: tuple[int, int]) -> Mapping[str, Doubles]:
        """Outlines (n, 2) of the zones in a picture of that width and height, in px; none until the mat was seen."""
        return {}


@dataclass(frozen=True, slots=True)
class Moving:
    """Something moves over the mat, in the parts named."""

    parts: frozenset[str] = _REST


@dataclass(frozen=True, slots=True)
class ReadingStarted:
    """The table is still; its picture is being read."""


@dataclass(frozen=True, slots=True)
class Seen(Generic[T]):
    """What the still picture showed, and in which parts something moved meanwhile."""

    what: T
    moving: frozenset[str] = _NOTHING


@dataclass(frozen=True, slots=True)
class Blind:
    """There is no picture, or the still picture can't be read, and why; it is tried again by itself.

    ``picture`` is the one that can't be read, in small. ``measured`` is the size (whole mm) that the markers show where
    the mat is of another one than is set. ``mood`` is that of the screen: a camera that starts is no fault.
    """

    why: Text
    picture: Thumbnail | None = None
    measured: tuple[int, int] | None = None
    mood: Mood = Mood.BLIND


@dataclass(frozen=True, slots=True)
class Unfit:
    """The reader itself can't be had (a deck's or model's file); it is tried again when ``look_again`` asks for it."""

    why: Text
    mood: Mood = Mood.BLIND


News = Moving | ReadingStarted | Seen[T] | Blind | Unfit

TORN = Text("The camera's pictures come torn. If this stays so, check its cable and its power supply.")
UNREADABLE = Text("The picture could not be read, for a reason that was not foreseen; it is tried again by itself.")


@dataclass(slots=True)
class _Watched:
    """What has been seen of the table: its last preview, the camera's trouble, and where something moves.

    ``due`` are the parts in which something has moved since they were read last, at first all; ``moving`` those in
    which it did so since the last news of it. ``whole`` is whether all of it has been read once. ``locked`` is whether
    the camera's automatics are held; ``blind_since_s`` is when the still table could not be read, infinite where it
    could.
    """

    luma: Preview = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    trouble: CameraTrouble | None = None
    moving: frozenset[str] = _NOTHING
    due: frozenset[str] = _REST
    whole: bool = False
    locked: bool = False
    blind_since_s: float = math.inf
    looked_s: float = -math.inf


class Lookout(Generic[T]):
    """Watches one camera and has its still pictures read.

    Where a ``StillReader`` reads them, the zones that it names are watched each for itself: what has come to rest is
    read while something moves elsewhere.

    ``open_reader`` is called in the lookout's own thread, so that the loading of a model does not hold up the screen.
    ``beat`` is called at every round, while the camera is being waited for as well: it says that the loop lives, not
    that the camera does. ``before`` gets every picture before it is read. ``told`` is set whenever there is news.
    Stillness is measured by ``clock``, in seconds.
    """

    def __init__(
        self,
        camera: SteadyCamera,
        open_reader: Callable[[], Callable[[Picture], T]],
        told: threading.Event,
        beat: Callable[[], None] = lambda: None,
        *,
        before: Callable[[Picture], None] = lambda _: None,
        still_s: float = STILL_S,
        looks_a_second: float = LOOKS_A_SECOND,
        look_again_s: float = LOOK_AGAIN_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._camera, self._open_reader = camera, open_reader
        self._told, self._beat, self._before, self._clock = told, beat, before, clock
        self._every_s, self._look_again_s = 1.0 / looks_a_second, look_again_s
        self._stillness = PartsStillness(still_s)
        self._news: deque[News[T]] = deque(maxlen=_QUEUE)
        self._stopping, self._again = threading.Event(), threading.Event()
        self._reader: Callable[[Picture], T] | None = None
        self._watched = _Watched()
        self._thread = threading.Thread(target=self._run, name="lookout", daemon=True)

    @property
    def looked_s(self) -> float:
        """When the table was looked at last, by the clock."""
        return self._watched.looked_s

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def take_news(self) -> list[News[T]]:
        """Return the news since the last call, oldest first; the oldest is dropped where nobody listened."""
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
            states = self._watch_motion()
            # A driver that hangs for good is mended by a restart of the program alone: the watchdog shall bite.
            if self._watched.trouble is None or self._watched.trouble.state is not CameraState.HANGING:
                self._beat()
            if states is not None:
                self._read_if_due(states)
            # Looks are due at even times; after a long reading the count begins anew instead of catching up.
            next_s = max(next_s + self._every_s, time.monotonic())
            self._stopping.wait(next_s - time.monotonic())

    def _read_if_due(self, states: Mapping[str, Motion]) -> None:
        """Read what has come to rest; a part alone only when the whole has been read before."""
        watched = self._watched
        still = frozenset(name for name, state in states.items() if state.still)
        if not still or (REST not in still and not watched.whole):
            return
        wanted = bool(still & watched.due) or (REST in still and self._again.is_set())
        if not wanted and self._clock() - watched.blind_since_s < self._look_again_s:
            return
        watched.moving -= still
        watched.due -= still
        if REST in still:
            self._again.clear()
        if wanted:
            self._say(ReadingStarted())
        watched.blind_since_s = math.inf if self._read(still, frozenset(states) - still) else self._clock()

    def _watch_motion(self) -> dict[str, Motion] | None:
        """One look at the preview; says so when something begins to move, or where there is nothing to look at."""
        seen = self._camera.take_preview()
        if isinstance(seen, CameraTrouble):
            self._fail(seen)
            return None
        if self._watched.trouble is not None:
            self._watched.trouble = None
            self._watched.moving, self._watched.due = _NOTHING, _REST
            self._stillness.reset()
        now_s = self._clock()
        self._watched.luma = seen
        zones = self._reader.outline_zones(seen.shape[1::-1]) if isinstance(self._reader, StillReader) else {}
        states = self._stillness.update(seen, now_s, zones)
        moving = frozenset(name for name, state in states.items() if state is Motion.MOVING)
        if moving:
            if not moving <= self._watched.moving:
                self._watched.moving |= moving
                self._say(Moving(self._watched.moving))
            self._watched.due |= moving
            self._watched.blind_since_s = math.inf
        self._watched.looked_s = now_s
        return states

    def _fail(self, trouble: CameraTrouble) -> None:
        if self._watched.trouble is None or self._watched.trouble.state is not trouble.state:
            if trouble.cause:
                _LOG.warning("camera %s: %s", trouble.state.value, trouble.cause)
            mood = Mood.NOTICE if trouble.state is CameraState.OPENING else Mood.BLIND
            self._say(Blind(trouble.text, mood=mood))
        self._watched.trouble = trouble

    def _read(self, still: frozenset[str], moving: frozenset[str]) -> bool:
        """Take the picture and have it read, with these parts still; False where it is worth another try."""
        picture = self._whole_picture()
        if picture is None:
            if moving:
                self._watched.due |= still
            return False
        reader = self._reader or self._open()
        if reader is None:
            return True
        self._beat()
        try:
            self._before(picture)
            seen = reader(picture, moving) if isinstance(reader, StillReader) else reader(picture)
        except VisionError as error:
            self._say(Blind(error.text, make_thumbnail(picture), measured_by(error)))
            if isinstance(error, LightError) and self._watched.locked:
                self._camera.unlock()
                self._watched.locked = False
            return False
        except Exception as error:
            log_fault("a picture could not be read", error)
            self._say(Blind(UNREADABLE))
            return False
        # Hands that came while it was read may have been in the picture already: what it showed is not said then.
        states = self._watch_motion()
        if states is None or not all(states[name].still for name in still):
            self._watched.due |= still
            return True
        if REST in still:
            self._again.clear()
            self._watched.whole = True
        self._say(Seen(seen, moving))
        if not self._watched.locked:
            # The mat lies under a light that can be read in: from here on pictures shall be comparable.
            self._camera.lock()
            self._watched.locked = True
        return True

    def _open(self) -> Callable[[Picture], T] | None:
        try:
            self._reader = self._open_reader()
        except (DeviceError, VisionError) as error:
            self._say(Unfit(error.text))
        return self._reader

    def _whole_picture(self) -> Picture | None:
        """Take the full picture of this moment; None where there is none, or it is torn or of another moment."""
        for _ in range(_TRIES):
            picture = self._camera.take_picture()
            if isinstance(picture, CameraTrouble):
                self._fail(picture)
                return None
            if self._watch_motion() is None:
                return None
            if shows_the_same(self._watched.luma, picture):
                return picture
        if not self._watched.moving:
            self._say(Blind(TORN))
        return None


def measured_by(error: VisionError) -> tuple[int, int] | None:
    """Return the mat's size in whole mm where it differs from the one that is set."""
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
    """Write an unforeseen error as one line to the service's log."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" in {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace is not None else ""
    cause = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    _LOG.error("%s (%s%s)", what, cause, where)
