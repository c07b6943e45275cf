"""Learning a deck live: the display says what to lay, confirm has it looked at, and what to mend is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from device.capture.capture import Blind, Lookout, Moving, News, Reading, Seen, Unfit
from device.capture.table_reader import sound_reader
from device.enrol.enrolling import PAGE_WORDS, LiveEnrolment, PageVerdict, alike_words, page_grid
from device.errors import DeviceError
from device.hardware.buttons import Button, Press
from device.hardware.camera import Picture
from device.speech import Language
from rules.text import Text
from ui.screen_state import Mood, ScreenState
from vision.enrol import PAGES, look_alikes
from vision.identify.deck import Deck

_MEND = Text("Mend it, and look again", "直してからもう一度見る")
_INSIST = Text("It does lie right: take it so", "正しく置いてある（このまま登録）")


@dataclass(frozen=True, slots=True)
class Glance:
    """What a still picture gave: the verdict where it was asked for, else nothing."""

    verdict: PageVerdict | None


class Pupil:
    """Looks at pages in the camera's thread, but only when it is asked to: pages take a while to be laid."""

    def __init__(self, enrolment: LiveEnrolment) -> None:
        self.enrolment = enrolment
        self.asked = self.insists = False

    def __call__(self, picture: Picture) -> Glance:
        """Look at this still picture (h, w, 3) if that was asked for."""
        if not self.asked:
            return Glance(None)
        insists, self.asked, self.insists = self.insists, False, False
        return Glance(self.enrolment.insist() if insists else self.enrolment.show(picture))


def pupil(name: str, mat_mm: tuple[float, float]) -> Pupil:
    """What learns a deck of that name from pages on a mat of that size (mm).

    Raises:
        DeviceError: a model is missing or altered.
    """
    return Pupil(LiveEnrolment(sound_reader(), name, mat_mm))


class Learning:
    """Three pages on the mat, one after the other; ``learnt`` gets the deck."""

    def __init__(
        self,
        open_pupil: Callable[[], Pupil],
        lookout_for: Callable[[Callable[[], Callable[[Picture], Glance]]], Lookout[Glance]],
        language: Language,
        learnt: Callable[[Deck], Text],
        left: Callable[[], None],
    ) -> None:
        """``learnt`` keeps the deck and says so; ``left`` is called when the players are done with it."""
        self._open_pupil, self._language, self._learnt, self._left = open_pupil, language, learnt, left
        self._pupil: Pupil | None = None
        self._lookout = lookout_for(self._open)
        self._page = PAGES[0]
        self._verdict: PageVerdict | None = None
        self._busy: Mood | None = None
        self._blind: Text | None = None
        self._end: Text | None = None
        self._insisting = False
        self.done = False
        self._lookout.start()

    def _open(self) -> Pupil:
        self._pupil = self._open_pupil()
        return self._pupil

    def round(self) -> None:
        """Hear what the camera's loop says."""
        for news in self._lookout.news():
            self._hear(news)

    def _hear(self, news: News[Glance]) -> None:
        match news:
            case Moving():
                self._busy = self._blind = None
                self._verdict = None
            case Reading():
                asked = self._pupil is not None and self._pupil.asked
                self._busy = Mood.READING if asked else None
            case Seen(Glance(verdict)):
                self._busy = self._blind = None
                if verdict is not None:
                    self._judged(verdict)
            case Blind(why) | Unfit(why):
                self._busy, self._blind = None, why

    def _judged(self, verdict: PageVerdict) -> None:
        self._verdict, self._insisting = verdict, False
        enrolment = self._pupil.enrolment if self._pupil is not None else None
        if enrolment is None:
            return
        self._page = enrolment.page or self._page
        if enrolment.deck is not None:
            self._keep(enrolment.deck)

    def _keep(self, deck: Deck) -> None:
        alike = look_alikes(deck)
        try:
            kept = self._learnt(deck)
        except DeviceError as error:
            self._blind = Text(error.en, error.ja)
            return
        warning = alike_words(alike) if alike else Text("", "")
        self._end = Text(f"{kept.en} {warning.en}".strip(), kept.ja + warning.ja)

    def press(self, press: Press) -> None:
        """Confirm has the page looked at, back lays the one before again, or leaves."""
        if self._end is not None:
            if press.button is Button.CONFIRM:
                self.done = True
                self._left()
        elif press.button is Button.CONFIRM:
            self._look()
        elif press.button is Button.BACK:
            self._go_back()
        elif self._may_insist:
            self._insisting = not self._insisting

    @property
    def _may_insist(self) -> bool:
        return self._verdict is not None and self._verdict.may_insist

    @property
    def _sent_back(self) -> bool:
        """What was found is to be mended on an earlier page, which has to be laid before it is looked at."""
        verdict = self._verdict
        return verdict is not None and not verdict.accepted and verdict.page != self._page

    def _look(self) -> None:
        if self._pupil is not None:
            if self._pupil.enrolment.deck is not None:
                self._keep(self._pupil.enrolment.deck)
                return
            if self._sent_back and not self._insisting:
                self._verdict = None
                return
            self._pupil.asked, self._pupil.insists = True, self._insisting
        self._busy = Mood.READING
        self._lookout.look_again()

    def _go_back(self) -> None:
        first = self._page == PAGES[0]
        if self._pupil is not None and not first:
            self._pupil.enrolment.back()
            self._page = self._pupil.enrolment.page or self._page
            self._verdict = None
        else:
            self.done = True
            self._left()

    def screen(self) -> ScreenState:
        """What to lay, what to mend, or that the deck is known."""
        if self._end is not None:
            return self._say(Mood.ACCEPTED, self._end)
        number = PAGES.index(self._page) + 1
        title = Text(f"Learning a deck: page {number} of {len(PAGES)}", f"デッキの登録 {number}/{len(PAGES)}")
        if self._blind is not None:
            return self._say(Mood.BLIND, self._blind)
        if self._busy is not None:
            return self._say(self._busy, title)
        if self._verdict is not None and not self._verdict.accepted:
            first, *others = (Text(fault.en, fault.ja) for fault in self._verdict.faults)
            if self._may_insist:
                return self._say(Mood.QUESTION, first, *others, choices=(_MEND, _INSIST))
            return self._say(Mood.REFUSED, first, *others)
        confirm = Text("Then take your hands away and press confirm.", "置いたら手を離し、確定を押してください。")
        laid = self._say(Mood.NOTICE, title, PAGE_WORDS[self._page], confirm)
        return replace(laid, grid=page_grid(self._page, self._language))

    def _say(self, mood: Mood, headline: Text, *details: Text, choices: tuple[Text, ...] = ()) -> ScreenState:
        return ScreenState(
            self._language,
            mood,
            headline=headline.said(self._language),
            details=tuple(words.said(self._language) for words in details),
            choices=tuple(words.said(self._language) for words in choices),
            chosen=int(self._insisting),
        )

    def close(self) -> None:
        """Stop looking."""
        self._lookout.stop()
