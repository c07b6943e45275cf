"""A camera watched while it is being set up: a picture now and then, and what it tells, whether or not things move."""

from __future__ import annotations

import threading
from collections.abc import Callable

from device.capture.capture import UNREADABLE, log_fault
from device.capture.survey import Survey, survey
from device.hardware.steady import CameraState, CameraTrouble, SteadyCamera
from rules.text import Text
from vision.mat import Mat

EVERY_S = 0.7
"""From one picture to the next: often enough to turn a lens by, seldom enough for a cool Pi."""


class Live:
    """Looks through a camera in a thread of its own; the newest survey waits until it is asked for.

    ``told`` is set whenever there is something new; ``beat`` is called at every round. What looks like the survey
    before it is not told again.
    """

    def __init__(
        self,
        camera: SteadyCamera,
        marker_mm: float,
        told: threading.Event,
        beat: Callable[[], None] = lambda: None,
        *,
        every_s: float = EVERY_S,
    ) -> None:
        self._camera, self._marker_mm, self._told, self._beat, self._every_s = camera, marker_mm, told, beat, every_s
        self._news: Survey | Text | None = None
        self._last: Survey | Text | None = None
        self._mat: Mat | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def news(self) -> Survey | Text | None:
        """What was seen since the last call, or why there is no picture; ``None`` where nothing is new."""
        news, self._news = self._news, None
        return news

    def stop(self) -> None:
        """Stop looking and close the camera."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()
        self._camera.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            seen = self._camera.picture()
            if not (isinstance(seen, CameraTrouble) and seen.state is CameraState.HANGING):
                self._beat()
            if isinstance(seen, CameraTrouble):
                if seen.state is not CameraState.OPENING:
                    self._tell(seen.text)
            else:
                try:
                    found = survey(seen, self._marker_mm, self._mat)
                except Exception as error:
                    log_fault("a picture could not be surveyed", error)
                    self._tell(UNREADABLE)
                else:
                    self._mat = found.mat
                    self._tell(found)
            del seen  # no full picture is kept while waiting
            self._stopping.wait(self._every_s)

    def _tell(self, news: Survey | Text) -> None:
        last = self._last
        if news == last or (isinstance(news, Survey) and isinstance(last, Survey) and news.like(last)):
            return
        self._last = self._news = news
        self._told.set()
