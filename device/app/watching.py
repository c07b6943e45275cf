"""The camera's loop as a game has it: its news, and what the display shows while the mat can't be seen.

Where the markers show a mat of another size than the game's, confirm takes the measured one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device.capture.capture import Blind, Lookout, News, Seen, log_fault
from device.capture.measured import Size, other_size, use_words
from device.capture.phone_picture import PhonePicture
from device.capture.thumbnails import are_alike
from device.capture.turn_pictures import TurnPictures
from device.session.session import Session
from rules.text import Text
from ui.screen_state import ButtonWords, CameraScreen, CameraView, Mood, ScreenState

_MENU = Text("▲ menu")


class Watching:
    """A lookout, and the picture of a table that it could not read."""

    def __init__(
        self,
        lookout: Lookout[Any],
        mat_mm: Size,
        use_mat: Callable[[Size], None],
        pictures: TurnPictures,
    ) -> None:
        """``use_mat`` has the game go on on a mat of that size (mm); ``pictures`` hear what was seen and agreed."""
        self._lookout, self._mat_mm, self._use_mat, self._pictures = lookout, mat_mm, use_mat, pictures
        self._blind: Blind | None = None

    def start(self) -> None:
        """Begin to look."""
        self._lookout.start()

    def stop(self) -> None:
        """Stop looking."""
        self._lookout.stop()

    @property
    def looked_s(self) -> float:
        """When the table was looked at last, on the monotonic clock."""
        return self._lookout.looked_s

    def look_again(self) -> None:
        """Read the table once more as soon as it is still."""
        self._lookout.look_again()

    def take_news(self) -> list[News[Any]]:
        """Return the news since the last call."""
        news = self._lookout.take_news()
        for each in news:
            self._note(each)
        return news

    def get_picture(self) -> PhonePicture | None:
        """Return the mat as it was seen last, for phones."""
        return self._pictures.get_picture()

    def follow(self, session: Session) -> None:
        """Keep pictures of what has changed in a game since the last call; a game goes on without them."""
        try:
            self._pictures.take_steps(session.history.past, session.checking)
        except Exception as error:
            log_fault("a turn's pictures could not be kept", error)

    def _note(self, news: News[Any]) -> None:
        if isinstance(news, Seen):
            try:
                self._pictures.note_view(news.what)
            except Exception as error:
                log_fault("a close-up could not be kept", error)
        if not isinstance(news, Blind):
            self._blind = None
        elif self._blind is None or not _are_same(self._blind, news):  # nothing is drawn where nothing changed
            self._blind = news

    def take_size(self, screen: ScreenState) -> bool:
        """Take a measured mat's size, as confirm does before such a screen; tell whether there was one to take."""
        if screen.mood is not Mood.BLIND or self._blind is None or self._blind.measured is None:
            return False
        width, height = self._blind.measured
        self._use_mat((float(width), float(height)))
        return True

    def add_picture(self, screen: ScreenState) -> ScreenState:
        """Add the picture of a mat that can't be seen to the screen."""
        blind = self._blind
        if screen.mood is not Mood.BLIND or blind is None or blind.picture is None:
            return screen
        why, buttons = blind.why, screen.buttons
        if blind.measured is not None:
            why = other_size(blind.measured, self._mat_mm)
            buttons = ButtonWords(f"✓ {use_words(blind.measured).said(screen.language)}", _MENU.said(screen.language))
        view = CameraView(blind.picture, checks=((why.said(screen.language), False),))
        return screen.turn_into(CameraScreen, buttons=buttons, page=screen.page, view=view)


def _are_same(one: Blind, other: Blind) -> bool:
    if (one.why, one.measured) != (other.why, other.measured):
        return False
    if one.picture is None or other.picture is None:
        return one.picture is other.picture
    return are_alike(one.picture, other.picture)
