"""What the camera sees, before a game or from the menu: the mat, the seats and their players, scale, light and focus.

Where the markers show a mat of another size than is set, confirm takes the measured one. Up and down turn the players
round the table, so that nobody has to know which seat is the first. The same picture is shown while a code is looked
for that somebody lays on the mat.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from device.capture.live import Live
from device.capture.measured import other_size, use_words
from device.capture.phone_picture import PhonePicture, PictureMark, to_shares
from device.capture.qr_reader import read_qr_code
from device.capture.survey import Survey, find_other_size, list_checks
from device.errors import DeviceError
from device.hardware.buttons import Button, Press
from device.hardware.camera import Picture
from device.speech import Language, each_json, speak_in
from referee.layout import SEATS, TableLayout
from rules.text import Text
from ui.screen_state import ButtonWords, CameraScreen, CameraView, Mood, SeatOutline
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

    def run_round(self) -> None:
        """Take up what was seen."""
        self._seen = self._live.take_news() or self._seen

    @property
    def _measured(self) -> tuple[int, int] | None:
        """The measured size that is asked about."""
        if self._kept or not isinstance(self._seen, Survey):
            return None
        return find_other_size(self._seen, self._mat_mm)

    def press(self, press: Press) -> None:
        """Confirm takes a measured size or goes on, up and down turn the seats or keep the size, back leaves."""
        measured = self._measured
        match press.button:
            case Button.BACK:
                self.go_back()
            case Button.CONFIRM if measured is not None:
                self.take_mat()
            case Button.CONFIRM:
                self.go_on()
            case _ if measured is not None:
                self.keep_mat()
            case _:
                self.turn(-1 if press.button is Button.DOWN else 1)

    # What buttons and phones have done

    def go_back(self) -> None:
        """Leave for where this came from."""
        self._leave(self._purpose.back)

    def go_on(self) -> None:
        """Go on to the game, or leave where there is none; before anything was seen nothing happens."""
        go_on = self._purpose.go_on
        if self._seen is not None:
            self._leave(self._purpose.back if go_on is None else lambda: go_on(self._players))

    def turn(self, by: int) -> None:
        """Turn the players round the table by so many seats."""
        self._players = self._players[by:] + self._players[:by]

    def take_mat(self) -> None:
        """Take the measured size that is asked about."""
        if (measured := self._measured) is not None:
            self._mat_mm = self._purpose.use_mat((float(measured[0]), float(measured[1])))

    def keep_mat(self) -> None:
        """Keep the size that is set, whatever is measured."""
        self._kept = True

    @property
    def leads_on(self) -> bool:
        """Whether a game begins from here."""
        return self._purpose.go_on is not None

    @property
    def asked(self) -> list[Any]:
        """What is asked now: who sits where, and which size of the mat (whole mm), if any."""
        return [list(self._players), list(self._measured or ())]

    def describe_aim(self) -> dict[str, Any]:
        """Describe as JSON what is seen and what may be done about it; its words are in every language."""
        measured, seen = self._measured, self._seen
        return {
            "checks": [{"words": each_json(words), "good": good} for words, good in self._said_of(seen)],
            "asked": self.asked,
            "use": None if measured is None else each_json(Text("Use {words}", words=use_words(measured))),
            "players": self._players,
            "leads_on": self.leads_on,
            "may": self.may,
        }

    @property
    def may(self) -> list[str]:
        """What may be done now: some of ``take`` or ``keep`` a size, ``turn`` the seats, go ``on``, and go ``back``."""
        if self._measured is not None:
            return ["take", "keep", "back"]
        seen = self._seen
        turns = self._players and isinstance(seen, Survey) and seen.mat is not None
        return [*(["turn"] if turns else []), *(["on"] if seen is not None else []), "back"]

    def _said_of(self, seen: Survey | Text | None) -> list[tuple[Text, bool]]:
        if seen is None:
            return [(_OPENING, True)]
        if isinstance(seen, Text):
            return [(seen, False)]
        if (measured := self._measured) is not None:
            return [(other_size(measured, self._mat_mm), False)]
        as_set = seen.mat is not None and find_other_size(seen, self._mat_mm) is None
        return [*list_checks(seen), (_AS_SET, True)] if as_set else list_checks(seen)

    def get_picture(self) -> PhonePicture | None:
        """Return the newest picture for phones, mat and seats marked in it."""
        picture, seen = self._live.get_picture(), self._seen
        mat = seen.mat if isinstance(seen, Survey) else None
        if picture is None or mat is None:
            return picture
        seats = tuple(PictureMark(seat.corners, seat.name) for seat in self._outline_seats(mat))
        return replace(picture, mat=to_shares(mat.corners_px, mat.picture_size), marks=seats)

    def _leave(self, to: Callable[[], None]) -> None:
        self.done = True
        to()

    def make_screen(self, language: Language | None = None) -> CameraScreen:
        """Show the picture and the remarks on it."""
        return speak_in(self, language)._make_screen()

    def _make_screen(self) -> CameraScreen:
        seen = self._seen
        forward = _DONE if self._purpose.go_on is None else _GO_ON
        if seen is None:
            view = CameraView(None, checks=((self._say(_OPENING), True),))
            return self._make_view(view, Mood.NOTICE, ButtonWords(back=self._say(_BACK)))
        if isinstance(seen, Text):
            view = CameraView(None, checks=((self._say(seen), False),))
            return self._make_view(view, Mood.BLIND, ButtonWords(self._say(forward), back=self._say(_BACK)))
        view = picture_of(seen, self._language, self._outline_seats(seen.mat))
        measured = self._measured
        if measured is not None:
            asked = (self._say(other_size(measured, self._mat_mm)), False)
            buttons = ButtonWords(*map(self._say, (_label_confirm(use_words(measured)), _KEEP, _BACK)))
            return self._make_view(replace(view, checks=(asked,)), Mood.QUESTION, buttons)
        if seen.mat is not None and find_other_size(seen, self._mat_mm) is None:
            view = replace(view, checks=(*view.checks, (self._say(_AS_SET), True)))
        turn = _TURN if self._players and seen.mat is not None else Text()
        buttons = ButtonWords(*map(self._say, (forward, turn, _BACK)))
        return self._make_view(view, Mood.BLIND if seen.mat is None else Mood.NOTICE, buttons)

    def _make_view(self, view: CameraView, mood: Mood, buttons: ButtonWords) -> CameraScreen:
        title = _TITLE if mood is not Mood.BLIND else Text()
        return CameraScreen(self._language, mood, self._say(title), buttons=buttons, view=view)

    def _say(self, words: Text) -> str:
        return words.said(self._language)

    def _outline_seats(self, mat: Mat | None) -> tuple[SeatOutline, ...]:
        if mat is None or len(self._players) not in SEATS:
            return ()
        return seats_in(mat, TableLayout(SEATS[len(self._players)], mat.size_mm), self._players)

    def close(self) -> None:
        """Stop looking."""
        self._live.stop()


@dataclass(frozen=True)
class CodeAsked:
    """What is looked for: words over the picture and beside it, and where a code leads.

    ``take`` gets what it says and raises ``DeviceError`` where it is none of those that are looked for; ``back`` is
    where the back button leads.
    """

    title: Text
    hint: Text
    take: Callable[[str], None]
    back: Callable[[], None]


class CodeReading:
    """Shows what the camera sees until it sees a code that is taken."""

    def __init__(
        self,
        watch: Callable[[Callable[[Picture], None]], Live],
        language: Language,
        asked: CodeAsked,
        told: threading.Event,
    ) -> None:
        """``watch`` makes what looks through the camera and hands on its pictures; ``told`` is set when one is read."""
        self._language, self._asked, self._told = language, asked, told
        self._seen: Survey | Text | None = None
        self._read, self._refused = "", ""
        self._fault: Text | None = None
        self.done = False
        self._live = watch(self._inspect)
        self._live.start()

    def _inspect(self, picture: Picture) -> None:
        """Look for a code, in the thread that looks through the camera."""
        if text := read_qr_code(picture):
            self._read = text
            self._told.set()

    def run_round(self) -> None:
        """Take up what was seen; a code that is refused is said, and another one looked for."""
        self._seen = self._live.take_news() or self._seen
        text, self._read = self._read, ""
        if not text or text == self._refused:
            return
        try:
            self.done = True
            self._asked.take(text)
        except DeviceError as error:
            self.done, self._refused, self._fault = False, text, error.text

    def press(self, press: Press) -> None:
        """Back leaves."""
        if press.button is Button.BACK:
            self.done = True
            self._asked.back()

    def get_picture(self) -> PhonePicture | None:
        """Return the newest picture for phones."""
        return self._live.get_picture()

    def make_screen(self, language: Language | None = None) -> CameraScreen:
        """Show the picture and what is to be laid there."""
        return speak_in(self, language)._make_screen()

    def _make_screen(self) -> CameraScreen:
        seen, words = self._seen, self._asked.hint if self._fault is None else self._fault
        said = ((words.said(self._language), self._fault is None),)
        view = CameraView(None, checks=said)
        if isinstance(seen, Text):
            view = CameraView(None, checks=((seen.said(self._language), False),))
        elif seen is not None:
            view = CameraView(picture_of(seen, self._language).picture, checks=said)
        mood = Mood.BLIND if isinstance(seen, Text) else Mood.NOTICE
        title = self._asked.title.said(self._language)
        return CameraScreen(
            self._language, mood, title, buttons=ButtonWords(back=_BACK.said(self._language)), view=view
        )

    def close(self) -> None:
        """Stop looking."""
        self._live.stop()


def picture_of(seen: Survey, language: Language, seats: tuple[SeatOutline, ...] = ()) -> CameraView:
    """Turn a survey into what the display shows of it."""
    outline = () if seen.mat is None else to_shares(seen.mat.corners_px, seen.mat.picture_size)
    said = tuple((words.said(language), good) for words, good in list_checks(seen))
    return CameraView(seen.thumbnail, outline, seats, said)


def seats_in(mat: Mat, layout: TableLayout, players: Sequence[str]) -> tuple[SeatOutline, ...]:
    """Find where the seats lie in the picture in which the mat was measured, and who sits there."""
    outlines = []
    for seat, name in enumerate(players, 1):
        x0, y0, x1, y1 = layout.seat_rect(seat)
        corners = to_shares(mat.to_px([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), mat.picture_size)
        outlines.append(SeatOutline((corners[0], corners[1], corners[2], corners[3]), name))
    return tuple(outlines)


def _label_confirm(words: Text) -> Text:
    return Text("✓ {words}", words=words)


_TITLE = Text("What the camera sees")
_AS_SET = Text("Mat as set")
_OPENING = Text("Looking through the camera…")
_BACK, _KEEP, _TURN = Text("← back"), Text("▲▼ no"), Text("▲▼ seats")
_GO_ON, _DONE = Text("✓ go on"), Text("✓ done")
