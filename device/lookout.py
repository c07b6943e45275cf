"""The camera's own loop: it watches for stillness, takes a picture when nothing moves, has it read, and says so.

It runs beside the screen's loop in a thread of its own and never gives up: a camera that fails is closed and opened
again, at first soon, then less often. What it has to say waits in a short queue until the screen's loop comes round.
"""

from __future__ import annotations

import contextlib
import math
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import cv2
import numpy as np

from device.camera import Camera, Picture, Preview
from device.errors import DeviceError
from rules.refusal import Words
from vision.errors import VisionError
from vision.stillness import STILL_S, Motion, State, Stillness

T = TypeVar("T")

LOOKS_A_SECOND = 8.0
"""How often the preview is looked at: often enough for hands, seldom enough for a cool Pi."""
WAITS_S = (1.0, 2.0, 4.0, 8.0, 15.0)
"""How long a failed camera is left alone before it is tried again; the last wait repeats."""
LOOK_AGAIN_S = 3.0
"""A still table that could not be read is read again after this time: a lamp may be on now, a sleeve away."""
_QUEUE = 32
_BLACK = 18
"""A preview whose brightest hundredth stays below this shows nothing: a cap on the lens, or no light at all."""
_THUMB = (64, 48)
_TORN_LEVELS = 40.0
_TORN_SHARE = 0.06
_TRIES = 4


@dataclass(frozen=True, slots=True)
class Opened:
    """The camera gives pictures, at first or again."""


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
    """The table is still, but its picture can't be read, and why; it is read again by itself."""

    why: Words


@dataclass(frozen=True, slots=True)
class Lost:
    """The camera failed, and why; it is being tried again."""

    why: Words


@dataclass(frozen=True, slots=True)
class Unfit:
    """The reader itself can't be had (a deck's or model's file); it is tried again when ``look_again`` asks for it."""

    why: Words


News = Opened | Moving | Reading | Seen[T] | Blind | Lost | Unfit

DARK = Words(
    "The camera's picture is black: take the cap off the lens, or switch the lamp on.",
    "カメラの画像が真っ暗です。レンズのふたを外すか、照明をつけてください。",
)
TORN = Words(
    "The camera's pictures come torn. If this stays so, unplug the camera, push its cable home and plug it in again.",
    "カメラの画像が乱れています。続くときは、カメラのケーブルを抜き、奥まで差し直してください。",
)
UNREADABLE = Words(
    "The picture could not be read, for a reason that was not foreseen; it is tried again by itself.",
    "予期しない理由で画像を読み取れませんでした。自動的にやり直します。",
)
FAILED = Words(
    "The camera gives no pictures. Check its cable; it is tried again by itself.",
    "カメラから画像が来ません。ケーブルを確かめてください。自動的に再接続します。",
)


class Lookout(Generic[T]):
    """Watches one camera and has its still pictures read.

    ``open_camera`` and ``open_reader`` are called in the lookout's own thread, so that neither a slow camera nor the
    loading of a model holds up the screen. ``beat`` is called at every round, while the camera is being waited for as
    well: it says that the loop lives, not that the camera does. ``told`` is set whenever there is news.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        open_reader: Callable[[], Callable[[Picture], T]],
        told: threading.Event,
        beat: Callable[[], None] = lambda: None,
        *,
        still_s: float = STILL_S,
        looks_a_second: float = LOOKS_A_SECOND,
        waits_s: tuple[float, ...] = WAITS_S,
        look_again_s: float = LOOK_AGAIN_S,
    ) -> None:
        self._open_camera, self._open_reader = open_camera, open_reader
        self._told, self._beat = told, beat
        self._every_s, self._waits_s, self._look_again_s = 1.0 / looks_a_second, waits_s, look_again_s
        self._stillness = Stillness(still_s)
        self._news: deque[News[T]] = deque(maxlen=_QUEUE)
        self._stopping, self._again = threading.Event(), threading.Event()
        self._reader: Callable[[Picture], T] | None = None
        self._luma: Preview = np.zeros((0, 0), np.uint8)
        self._moving, self._blind_since_s = False, math.inf
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

    def stop(self, patience_s: float = 2.0) -> bool:
        """Stop looking and close the camera; False where the camera's driver holds the loop for longer than that."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(patience_s)
        return not self._thread.is_alive()

    # The loop

    def _say(self, news: News[T]) -> None:
        self._news.append(news)
        self._told.set()

    def _run(self) -> None:
        # Models take a moment to load; what can't be had is asked for again at the first still picture.
        self._beat()
        self._open()
        failures = 0
        while not self._stopping.is_set():
            camera: Camera | None = None
            opened_s = time.monotonic()
            try:
                camera = self._open_camera()
                self._watch(camera)
            except DeviceError as error:
                self._say(Lost(Words(error.en, error.ja)))
            except Exception as error:
                # A driver's own exceptions are beyond counting; whichever it is, the camera is opened anew.
                log("the camera failed", error)
                self._say(Lost(FAILED))
            finally:
                if camera is not None:
                    with contextlib.suppress(Exception):
                        camera.close()
            worked = time.monotonic() - opened_s > self._waits_s[-1]
            failures = 1 if worked else failures + 1
            self._rest(self._waits_s[min(failures, len(self._waits_s)) - 1])

    def _rest(self, seconds: float) -> None:
        """Wait, showing life."""
        until = time.monotonic() + seconds
        while not self._stopping.is_set() and (left := until - time.monotonic()) > 0:
            self._beat()
            self._stopping.wait(min(left, 0.5))

    def _watch(self, camera: Camera) -> None:
        """Look until stopped.

        Raises:
            Exception: whatever the camera's driver raises.
        """
        self._stillness.reset()
        self._moving, self._blind_since_s = False, math.inf
        self._look(camera)
        self._say(Opened())
        dark = False
        next_s = time.monotonic()
        while not self._stopping.is_set():
            self._beat()
            state = self._look(camera)
            # Stillness divides out what the light does, so that nothing moves where it goes out altogether.
            was_dark, dark = dark, float(np.percentile(self._luma[::4, ::4], 99)) < _BLACK
            if dark and not was_dark:
                self._say(Blind(DARK))
            wanted = state.fresh or self._moving or was_dark or self._again.is_set()
            if not dark and state.still and (wanted or time.monotonic() - self._blind_since_s >= self._look_again_s):
                self._moving = False
                self._again.clear()
                if wanted:
                    self._say(Reading())
                readable = self._read(camera)
                self._blind_since_s = math.inf if readable else time.monotonic()
            # Looks are due at even times; after a long reading the count begins anew instead of catching up.
            next_s = max(next_s + self._every_s, time.monotonic())
            self._stopping.wait(next_s - time.monotonic())

    def _look(self, camera: Camera) -> State:
        """One look at the preview; says so when something begins to move."""
        self._luma = camera.preview()
        state = self._stillness.update(self._luma, time.monotonic())
        if state.motion is Motion.MOVING:
            if not self._moving:
                self._say(Moving())
            self._moving = True
        return state

    def _read(self, camera: Camera) -> bool:
        """Take the still picture and have it read; False where the same table is worth another try.

        Raises:
            Exception: whatever the camera's driver raises.
        """
        picture = self._whole_picture(camera)
        if picture is None:
            if not self._moving:
                self._say(Blind(TORN))
            return False
        reader = self._reader or self._open()
        if reader is None:
            return True
        self._beat()
        try:
            seen = reader(picture)
        except VisionError as error:
            self._say(Blind(Words(error.en, error.ja)))
            return False
        except Exception as error:
            log("a picture could not be read", error)
            self._say(Blind(UNREADABLE))
            return False
        # Hands that came while it was read may have been in the picture already: what it showed is not said then.
        if self._look(camera).still:
            self._say(Seen(seen))
        return True

    def _open(self) -> Callable[[Picture], T] | None:
        try:
            self._reader = self._open_reader()
        except (DeviceError, VisionError) as error:
            self._say(Unfit(Words(error.en, error.ja)))
        return self._reader

    def _whole_picture(self, camera: Camera) -> Picture | None:
        """The full picture of this moment; None where it is torn, black or of another moment however often taken."""
        for _ in range(_TRIES):
            picture = camera.picture()
            self._look(camera)
            if shows_the_same(self._luma, picture):
                return picture
        return None


def shows_the_same(luma: Preview, picture: Picture) -> bool:
    """Whether a full picture (h, w, 3) BGR shows what the preview (h, w) of the same moment shows.

    A torn, black, half-filled or old picture does not. Brightness may differ as a whole, as it does between a camera's
    two outputs.
    """
    if picture.ndim != 3 or picture.shape[0] < _THUMB[1] or picture.shape[1] < _THUMB[0]:
        return False
    small = cv2.cvtColor(cv2.resize(picture, _THUMB, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    wanted = cv2.resize(luma, _THUMB, interpolation=cv2.INTER_AREA).astype(np.float32) + 4.0
    got = small.astype(np.float32) + 4.0
    gain = float(np.median(wanted / got))
    if not 0.4 < gain < 2.5:
        return False
    return float(np.mean(np.abs(got * gain - wanted) > _TORN_LEVELS)) < _TORN_SHARE


def log(what: str, error: BaseException) -> None:
    """An unforeseen error as one line for the service's log."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" in {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace is not None else ""
    cause = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    print(f"sevenmat: {what} ({cause}{where})", file=sys.stderr, flush=True)
