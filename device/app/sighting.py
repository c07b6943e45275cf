"""What the camera sees, before a game or from the menu: the mat, the seats and their players, scale, light and focus.

Where the markers show a mat of another size than is set, confirm takes the measured one. Up and down turn the players
round the table, so that nobody has to know which seat is the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from device.capture.live import Live
from device.capture.measured import other_size, use_words
from device.capture.survey import Survey, checks, differs
from device.hardware.buttons import Button, Press
from device.speech import Language
from referee.layout import SEATS, TableLayout
from rules.text import Text
from ui.screen_state import ButtonWords, CameraScreen, CameraView, Mood, Point, SeatOutline
from vision.mat import Mat


@dataclass(frozen=True)
class Purpose:
    """What the picture is looked at for: which mat is set, who plays, and what comes after it.

    ``use_mat`` keeps a measured size (mm) and gives the one that holds then. ``go_on`` gets the players as they turned
    out to sit; without it there is nothing to go on to.
    """

    mat_mm: tuple[float, float]
    use_mat: Callable[[tuple[float, float]], tuple[float, float]]
    back: Callable[[], None]
    players: tuple[str, ...] = ()
    go_on: Callable[[tuple[str, ...]], None] | None = None


class Aiming:
    """Hears what is seen and what is pressed, and shows it."""

    def __init__(self, live: Live, language: Language, purpose: Purpose) -> None:
        self._live, self._language, self._purpose = live, language, purpose
        self._players, self._mat_mm = purpose.players, purpose.mat_mm
        self._seen: Survey | Text | None = None
        self._kept = False
        self.done = False
        live.start()

    def round(self) -> None:
        """Take up what was seen."""
        self._seen = self._live.news() or self._seen

    @property
    def _measured(self) -> tuple[int, int] | None:
        """The measured size that is asked about."""
        if self._kept or not isinstance(self._seen, Survey):
            return None
        return differs(self._seen, self._mat_mm)

    def press(self, press: Press) -> None:
        """Confirm takes a measured size or goes on, up and down turn the seats or keep the size, back leaves."""
        measured = self._measured
        match press.button:
            case Button.BACK:
                self._leave(self._purpose.back)
            case Button.CONFIRM if measured is not None:
                self._mat_mm = self._purpose.use_mat((float(measured[0]), float(measured[1])))
            case Button.CONFIRM if self._seen is not None:
                go_on = self._purpose.go_on
                self._leave(self._purpose.back if go_on is None else lambda: go_on(self._players))
            case Button.CONFIRM:
                pass  # nothing has been seen yet that could be confirmed
            case _ if measured is not None:
                self._kept = True
            case _ if self._players:
                by = -1 if press.button is Button.DOWN else 1
                self._players = self._players[by:] + self._players[:by]

    def _leave(self, to: Callable[[], None]) -> None:
        self.done = True
        to()

    def screen(self) -> CameraScreen:
        """The picture and what is to be said of it."""
        seen = self._seen
        forward = _DONE if self._purpose.go_on is None else _GO_ON
        if seen is None:
            view = CameraView(None, checks=((self._said(_OPENING), True),))
            return self._with(view, Mood.NOTICE, ButtonWords(back=self._said(_BACK)))
        if isinstance(seen, Text):
            view = CameraView(None, checks=((self._said(seen), False),))
            return self._with(view, Mood.BLIND, ButtonWords(self._said(forward), back=self._said(_BACK)))
        view = picture_of(seen, self._language, self._seats(seen.mat))
        measured = self._measured
        if measured is not None:
            asked = (self._said(other_size(measured, self._mat_mm)), False)
            buttons = ButtonWords(*map(self._said, (_confirmed(use_words(measured)), _KEEP, _BACK)))
            return self._with(replace(view, checks=(asked,)), Mood.QUESTION, buttons)
        if seen.mat is not None and differs(seen, self._mat_mm) is None:
            view = replace(view, checks=(*view.checks, (self._said(_AS_SET), True)))
        turn = _TURN if self._players and seen.mat is not None else Text()
        buttons = ButtonWords(*map(self._said, (forward, turn, _BACK)))
        return self._with(view, Mood.BLIND if seen.mat is None else Mood.NOTICE, buttons)

    def _with(self, view: CameraView, mood: Mood, buttons: ButtonWords) -> CameraScreen:
        title = _TITLE if mood is not Mood.BLIND else Text()
        return CameraScreen(self._language, mood, self._said(title), buttons=buttons, view=view)

    def _said(self, words: Text) -> str:
        return words.said(self._language)

    def _seats(self, mat: Mat | None) -> tuple[SeatOutline, ...]:
        if mat is None or len(self._players) not in SEATS:
            return ()
        return seats_in(mat, TableLayout(SEATS[len(self._players)], mat.size_mm), self._players)

    def close(self) -> None:
        """Stop looking."""
        self._live.stop()


def picture_of(seen: Survey, language: Language, seats: tuple[SeatOutline, ...] = ()) -> CameraView:
    """A survey as the display shows it."""
    outline = () if seen.mat is None else _shares(seen.mat, seen.mat.corners_px)
    said = tuple((words.said(language), good) for words, good in checks(seen))
    return CameraView(seen.thumbnail, outline, seats, said)


def seats_in(mat: Mat, layout: TableLayout, players: Sequence[str]) -> tuple[SeatOutline, ...]:
    """Where the seats lie in the picture in which the mat was measured, and who sits there."""
    outlines = []
    for seat, name in enumerate(players, 1):
        x0, y0, x1, y1 = layout.seat_rect(seat)
        corners = _shares(mat, mat.to_px([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))
        outlines.append(SeatOutline((corners[0], corners[1], corners[2], corners[3]), name))
    return tuple(outlines)


def _shares(mat: Mat, points_px: np.ndarray) -> tuple[Point, ...]:
    width, height = mat.picture_size
    # whole thousandths: what moves by less than a px of the display is the same screen
    return tuple((round(float(x) / width, 3), round(float(y) / height, 3)) for x, y in points_px)


def _confirmed(words: Text) -> Text:
    return Text("✓ {words}", words=words)


_TITLE = Text("What the camera sees")
_AS_SET = Text("Mat as set")
_OPENING = Text("Looking through the camera…")
_BACK, _KEEP, _TURN = Text("← back"), Text("▲▼ no"), Text("▲▼ seats")
_GO_ON, _DONE = Text("✓ go on"), Text("✓ done")
