"""A camera watched while it is being set up: a picture now and then, and what it tells, whether or not things move."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from device.capture.capture import UNREADABLE, log_fault
from device.capture.phone_picture import PhonePicture, phone_jpeg
from device.capture.survey import Survey, survey_picture
from device.hardware.camera import Picture
from device.hardware.steady import CameraState, CameraTrouble, SteadyCamera
from rules.text import Text
from vision.mat import Mat

EVERY_S = 0.7
"""From one picture to the next: often enough to turn a lens by, seldom enough for a cool Pi."""
FOR_PHONES_S = 0.4
"""From the beginning of one picture to that of the next while a phone looks on."""
_WISHED_S = 1.5
"""So long after it has asked a phone is taken to look on."""


class Live:
    """Looks through a camera in a thread of its own; the newest survey waits until it is asked for.

    ``told`` is set whenever there is something new; ``beat`` is called at every round. What looks like the survey
    before it is not reported again. ``inspect`` gets every picture, for whoever looks for something else in it.
    """

    def __init__(
        self,
        camera: SteadyCamera,
        marker_mm: float,
        told: threading.Event,
        beat: Callable[[], None] = lambda: None,
        *,
        every_s: float = EVERY_S,
        inspect: Callable[[Picture], None] = lambda _: None,
    ) -> None:
        self._inspect = inspect
        self._camera, self._marker_mm, self._told, self._beat, self._every_s = camera, marker_mm, told, beat, every_s
        self._news: Survey | Text | None = None
        self._last: Survey | Text | None = None
        self._mat: Mat | None = None
        self._wished_s = -_WISHED_S
        self._picture: PhonePicture | None = None
        self._stopping, self._wake = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def take_news(self) -> Survey | Text | None:
        """Return what was seen since the last call, or why there is no picture; ``None`` where nothing is new."""
        news, self._news = self._news, None
        return news

    def get_picture(self) -> PhonePicture | None:
        """Return the newest picture for phones, made only while this is called; ``None`` where there is none yet."""
        looked_on, self._wished_s = self._looks_on, time.monotonic()
        if not looked_on:
            self._wake.set()
        return self._picture

    @property
    def _looks_on(self) -> bool:
        """Whether a phone has asked lately."""
        return time.monotonic() - self._wished_s < _WISHED_S

    def stop(self) -> None:
        """Stop looking and close the camera."""
        self._stopping.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()
        self._camera.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            began_s, looked_on = time.monotonic(), self._looks_on
            seen = self._camera.take_picture()
            if not (isinstance(seen, CameraTrouble) and seen.state is CameraState.HANGING):
                self._beat()
            if isinstance(seen, CameraTrouble):
                self._picture = None
                if seen.state is not CameraState.OPENING:
                    self._tell(seen.text)
            else:
                try:
                    self._picture = PhonePicture(phone_jpeg(seen)) if looked_on else None
                    found = survey_picture(seen, self._marker_mm, self._mat)
                    self._inspect(seen)
                except Exception as error:
                    log_fault("a picture could not be surveyed", error)
                    self._tell(UNREADABLE)
                else:
                    self._mat = found.mat
                    self._tell(found)
            del seen  # no full picture is kept while waiting
            self._wake.wait(max(0.0, began_s + FOR_PHONES_S - time.monotonic()) if looked_on else self._every_s)
            self._wake.clear()

    def _tell(self, news: Survey | Text) -> None:
        last = self._last
        if news == last or (isinstance(news, Survey) and isinstance(last, Survey) and news.is_like(last)):
            return
        self._last = self._news = news
        self._told.set()
