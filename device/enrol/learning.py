"""Learning a deck live: the display says what to lay, confirm has it looked at, and what to mend is named.

In the end the cards are read back, a few at a time, and only then is the deck kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from device.capture.capture import Blind, Moving, News, ReadingStarted, Seen, Unfit
from device.capture.measured import other_size, use_words
from device.capture.phone_picture import PhonePicture, phone_jpeg
from device.capture.table_reader import sound_reader
from device.enrol.enrolling import LiveEnrolment, PageVerdict, alike_words
from device.enrol.fault_marks import fault_marks
from device.enrol.laying import PagePart, laying_words, page_cards, page_grid
from device.enrol.reading_back import ReadingBack
from device.errors import DeviceError
from device.hardware.buttons import Button, Press
from device.hardware.camera import Picture
from device.speech import Language, each_json, speak_in
from referee.papers import kinds_on
from rules.text import Text, join_sentences
from ui.screen_state import ButtonWords, GridScreen, Mood, NoticeScreen, QuestionScreen, ScreenState
from vision.enrol import PAGES, PageFault, look_alikes
from vision.identify.deck import Deck

_MEND = Text("Mend it, and look again")
_INSIST = Text("It does lie right: take it so")
_THEN = Text("Then take your hands away and press confirm.")
_LOOK, _BACK = Text("✓ look"), Text("← back")
_AGAIN, _GO_ON, _NOTHING = Text("✓ look again"), Text("✓ go on"), Text()
_WORDS, _PICTURE = Text("▲▼ words"), Text("▲▼ picture")
_MAY = {
    "lay": ("look", "back"),
    "reading": ("back",),
    "faulty": ("look", "back"),
    "doubtful": ("look", "insist", "back"),
    "mat": ("look", "mat", "back"),
    "blind": ("look", "back"),
    "read_back": ("keep", "anew", "swap"),
    "kept": ("leave",),
}
"""What phones may ask for at each stage."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What a still picture gave: the verdict where it was asked for, else the one that nobody has heard yet, if any."""

    verdict: PageVerdict | None


class PageLearner:
    """Looks at pages in the camera's thread, but only when it is asked to: pages take a while to be laid."""

    def __init__(self, enrolment: LiveEnrolment) -> None:
        self.enrolment = enrolment
        self.asked = self.insists = False
        self.taken: PhonePicture | None = None
        """The last picture of a page that was looked at, with its faults marked."""
        self.found: tuple[PageFault, ...] = ()
        """What was to be mended on it, also while it is mended."""
        self._unheard: PageVerdict | None = None
        self._picture: Picture | None = None

    def __call__(self, picture: Picture) -> Glance:
        """Look at this still picture (h, w, 3) if that was asked for."""
        # A hand that comes while a page is looked at keeps the verdict from being said; it stands all the same, and
        # whoever then asks once more asks about the cards that were accepted.
        if self._unheard is not None and self._unheard.accepted:
            self.asked = self.insists = False
        if not self.asked:
            return Glance(self._unheard)
        insists, self.asked, self.insists = self.insists, False, False
        verdict = self._unheard = self.enrolment.insist() if insists else self.enrolment.show(picture)
        # Who insists does so about the picture before.
        shown = self._picture if insists and self._picture is not None else picture
        self._picture, self.found = None if verdict.accepted else shown, verdict.faults
        self.taken = PhonePicture(phone_jpeg(shown), marks=fault_marks(self.enrolment, verdict, shown))
        return Glance(verdict)

    def note_said(self, verdict: PageVerdict) -> None:
        """Note that a verdict was said; where it accepts the page, what was asked before has been answered."""
        if self._unheard is not verdict:
            return
        if verdict.accepted:
            self.asked = self.insists = False
        self._unheard = None

    def forget(self) -> None:
        """Something else is to be laid: what was asked and found of the page before counts no more."""
        self.asked = self.insists = False
        self._unheard, self.found = None, ()


def page_learner(
    name: str,
    mat_mm: tuple[float, float],
    pages: tuple[str, ...] = PAGES,
    known: Callable[[str], Deck] | None = None,
) -> PageLearner:
    """Start learning a deck of that name from such pages on a mat of that size (mm).

    Papers of the house are learnt into the deck that is ``known`` by that name.

    Raises:
        DeviceError: a model is missing or altered, or there is no such deck.
        VisionError: the deck's file is damaged.
    """
    base = known(name) if known is not None and any(map(kinds_on, pages)) else None
    return PageLearner(LiveEnrolment(sound_reader(), name, mat_mm, pages, base))


class PageLookout(Protocol):
    """What has pages looked at: a ``Lookout`` before a camera, or pictures that somebody sends."""

    def start(self) -> None:
        """Begin to look."""

    def stop(self) -> None:
        """Look no more."""

    def look_again(self) -> None:
        """Have looked at what lies there."""

    def take_news(self) -> Iterable[News[Glance]]:
        """Return the news since the last call."""


@dataclass(frozen=True)
class LearningPlan:
    """What becomes of a deck that is being learnt: ``keep`` keeps it and says so, ``left`` comes after it.

    ``use_mat`` begins anew on a mat of another size than ``mat_mm``, once the markers have shown it.
    """

    keep: Callable[[Deck], Text]
    left: Callable[[], None]
    mat_mm: tuple[float, float]
    use_mat: Callable[[tuple[float, float]], None]
    pages: tuple[str, ...] = PAGES


class Learning:
    """Pages on the mat, one after the other; then the cards are read back, and confirm keeps them."""

    def __init__(
        self,
        open_learner: Callable[[], PageLearner],
        lookout_for: Callable[[Callable[[], Callable[[Picture], Glance]]], PageLookout],
        language: Language,
        plan: LearningPlan,
    ) -> None:
        self._open_learner, self._language, self._plan = open_learner, language, plan
        self._learner: PageLearner | None = None
        self._asked = False
        self._lookout = lookout_for(self._open)
        self._page = plan.pages[0]
        self._part: PagePart | None = None
        self._verdict: PageVerdict | None = None
        self._busy: Mood | None = None
        self._blind: Text | None = None
        self._over: ReadingBack | Text | None = None
        """What comes after the pages: the cards to be looked through, then that they are kept."""
        self._chosen = 0
        self._in_words = False
        self.done = False
        self._lookout.start()

    def _open(self) -> PageLearner:
        learner = self._learner = self._open_learner()
        self._part = learner.enrolment.part
        if self._asked:  # before there was a learner; both threads write first and look then, so that no press is lost
            learner.asked = True
        return learner

    @property
    def page(self) -> str | None:
        """The page to lay now; ``None`` once the deck is learnt."""
        return self._page if self._over is None else None

    def run_round(self) -> None:
        """Hear what the camera's loop says."""
        for news in self._lookout.take_news():
            self._hear(news)

    def _hear(self, news: News[Glance]) -> None:
        match news:
            case Moving():
                self._busy = self._blind = None
                self._verdict = None
            case ReadingStarted():
                if self._learner is not None:
                    self._busy = Mood.READING if self._learner.asked else None
            case Seen(Glance(None)) if self._learner is not None and self._learner.asked:
                self._lookout.look_again()  # it was asked for while something else was looked at
            case Seen(Glance(verdict)):
                self._busy = self._blind = None
                if verdict is not None and verdict is not self._verdict:
                    self._take_verdict(verdict)
            case Blind(mood=Mood.NOTICE):
                pass  # the camera is starting
            case Blind(why) | Unfit(why):
                self._busy, self._blind = None, why

    def _take_verdict(self, verdict: PageVerdict) -> None:
        self._verdict, self._chosen = verdict, 0
        if self._learner is None:
            return
        self._learner.note_said(verdict)
        enrolment = self._learner.enrolment
        self._turn_to(enrolment)
        if enrolment.deck is not None:
            self._over = ReadingBack.from_deck(enrolment.deck, self._plan.pages)

    def _turn_to(self, enrolment: LiveEnrolment) -> None:
        """Turn to the page, or the part of it, that is to be laid now."""
        self._page, self._part = enrolment.page or self._page, enrolment.part

    def _keep(self, deck: Deck) -> None:
        try:
            kept = self._plan.keep(deck)
        except DeviceError as error:
            self._blind = error.text
            return
        alike = look_alikes(deck)
        self._blind = None
        self._over = join_sentences((kept, alike_words(alike))) if alike else kept

    def press(self, press: Press) -> None:
        """Confirm has the page looked at, back lays the one before again, or leaves."""
        if self._over is not None:
            self._press_after(self._over, press)
        elif press.button is Button.CONFIRM:
            self._confirm()
        elif press.button is Button.BACK:
            self.go_back()
        elif not self._choices:
            self._in_words = not self._in_words
        else:
            self._chosen = (self._chosen + 1) % len(self._choices)

    def _press_after(self, over: ReadingBack | Text, press: Press) -> None:
        """Confirm keeps what was learnt, back has the page anew whose cards are shown."""
        learner = self._learner
        if isinstance(over, Text) or learner is None or (deck := learner.enrolment.deck) is None:
            if press.button is Button.CONFIRM:
                self.leave()
        elif press.button is Button.CONFIRM:
            self._keep(deck)
        elif press.button is Button.BACK:
            self.learn_anew(over.page)
        else:
            self._over = over.turn_cards(1 if press.button is Button.DOWN else -1)

    @property
    def _measured(self) -> tuple[int, int] | None:
        """The mat's size where the markers show another one than is set."""
        return self._verdict.measured if self._verdict is not None else None

    @property
    def _choices(self) -> tuple[Text, ...]:
        """What up and down choose among."""
        if self._measured is not None:
            words = use_words(self._measured)
            return Text("Use {words}", words=words), _MEND
        return (_MEND, _INSIST) if self._verdict is not None and self._verdict.may_insist else ()

    @property
    def _insisting(self) -> bool:
        return self._measured is None and self._chosen == 1

    @property
    def _sent_back(self) -> bool:
        """What was found is to be mended on an earlier page, which has to be laid before it is looked at."""
        verdict = self._verdict
        if verdict is None or verdict.accepted:
            return False
        return (verdict.page, verdict.part) != (self._page, self._part.number if self._part is not None else 0)

    def _confirm(self) -> None:
        if self._measured is not None and self._chosen == 0:
            self.take_mat()
        elif self._insisting:
            self.insist()
        else:
            self.look_again()

    # What buttons and phones have done

    def look_again(self) -> None:
        """Have what lies there looked at; what is to be mended on an earlier page has to be laid first."""
        if self._sent_back:
            self._verdict = None
        else:
            self._have_looked(insists=False)

    def insist(self) -> None:
        """Accept the page as it lies: drop what was only doubted."""
        self._have_looked(insists=True)

    def _have_looked(self, insists: bool) -> None:
        self._asked = True
        if self._learner is not None:
            self._learner.asked, self._learner.insists = True, insists
        self._busy = Mood.READING
        self._lookout.look_again()

    def take_mat(self) -> None:
        """Begin anew on a mat of the size that was measured."""
        if (measured := self._measured) is not None:
            self._plan.use_mat((float(measured[0]), float(measured[1])))

    def go_back(self) -> None:
        """Lay what was laid before again; from the first page leave."""
        if self._learner is not None and not self._on_first:
            self._learner.enrolment.go_back()
            self._learner.forget()
            self._turn_to(self._learner.enrolment)
            self._verdict = None
        else:
            self.leave()

    def leave(self) -> None:
        """Learn no further."""
        self.done = True
        self._plan.left()

    def keep(self) -> None:
        """Keep the deck that was read back."""
        if self._learner is not None and (deck := self._learner.enrolment.deck) is not None:
            self._keep(deck)

    def learn_anew(self, page: str) -> None:
        """Lay a page anew of the deck that was read back."""
        if (learner := self._learner) is None:
            return
        self._over = self._verdict = self._blind = None
        learner.enrolment.redo(page)
        learner.forget()
        self._turn_to(learner.enrolment)

    def swap_names(self, one: str, other: str) -> None:
        """Call two cards that were read back by each other's name.

        Raises:
            DeviceError: no page has both.
        """
        if (learner := self._learner) is None or self.read_back is None:
            return
        try:
            learner.enrolment.swap_names(one, other)
        except ValueError as error:
            raise DeviceError(Text("These two cards do not lie on one page.")) from error
        assert learner.enrolment.deck is not None, "it was learnt before"
        self._over = ReadingBack.from_deck(learner.enrolment.deck, self._plan.pages)

    @property
    def _on_first(self) -> bool:
        return self._page == self._plan.pages[0] and (self._part is None or self._part.number == 0)

    # What phones get

    @property
    def read_back(self) -> ReadingBack | None:
        """The deck to be looked through, once it is learnt and before it is kept."""
        return self._over if isinstance(self._over, ReadingBack) else None

    def get_picture(self) -> PhonePicture | None:
        """Return the picture that was looked at last, its faults marked; for phones."""
        return self._learner.taken if self._learner is not None else None

    @property
    def asked(self) -> list[Any]:
        """What is to be done now: the stage, the page, its part, and the picture that it is about."""
        picture = self.get_picture()
        return [self._stage, self._page, self._part.number if self._part else 0, picture.number if picture else 0]

    @property
    def _stage(self) -> str:
        """One of ``lay``, ``reading``, ``faulty``, ``doubtful``, ``mat``, ``blind``, ``read_back``, ``kept``."""
        if isinstance(self._over, Text):
            return "kept"
        if self._over is not None:
            return "read_back"
        if self._blind is not None:
            return "blind"
        if self._busy is not None:
            return "reading"
        if self._verdict is None or self._verdict.accepted:
            return "lay"
        if self._measured is not None:
            return "mat"
        return "doubtful" if self._verdict.may_insist else "faulty"

    def describe_lesson(self) -> dict[str, Any]:
        """Describe as JSON what is to be laid, what was found and what may be done; its words are in every language."""
        stage, words = self._stage, list[Text]()
        if isinstance(self._over, Text):
            words = [self._over]
        elif self._blind is not None:
            words = [self._blind]
        elif (measured := self._measured) is not None:
            words = [other_size(measured, self._plan.mat_mm)]
        elif self._learner is not None:
            words = [fault.text for fault in self._learner.found]
        return {
            "stage": stage,
            "asked": self.asked,
            "title": each_json(self._title),
            "lay": [each_json(text) for text in laying_words(self._page, self._part)],
            "cards": page_cards(self._page, self._part),
            "words": [each_json(text) for text in words],
            "use": each_json(self._choices[0]) if self._measured is not None else None,
            "sent_back": self._sent_back,
            "first": self._on_first,
            "may": _MAY[stage],
        }

    def is_allowed(self, what: str) -> bool:
        """Tell whether this may be done now: ``look``, ``insist``, ``mat``, ``back``, ``keep``, ``anew``, ``swap``,
        ``leave``."""
        return what in _MAY[self._stage]

    def make_screen(self, language: Language | None = None) -> ScreenState:
        """Show what to lay, what to correct, the cards to look through, or that the deck is known."""
        return speak_in(self, language)._make_screen()

    def _make_screen(self) -> ScreenState:
        if isinstance(self._over, Text):
            return self._say(Mood.ACCEPTED, self._over, buttons=(_GO_ON, _NOTHING, _NOTHING))
        if self._blind is not None:
            return self._say(Mood.BLIND, self._blind, buttons=(_AGAIN, _NOTHING, _BACK))
        if self._over is not None:
            return self._over.make_screen(self._language)
        if self._busy is not None:
            return self._say(self._busy, self._title, buttons=(_NOTHING, _NOTHING, _BACK))
        if self._verdict is not None and not self._verdict.accepted:
            return self._show_faults(self._verdict)
        return self._to_lay()

    def _to_lay(self) -> ScreenState:
        """Show what to lay now: as a picture, or in words."""
        grid = page_grid(self._page, self._language, self._part)
        if self._in_words or grid is None:
            words, other = laying_words(self._page, self._part), _PICTURE if grid is not None else _NOTHING
            return self._say(Mood.NOTICE, self._title, *words, _THEN, buttons=(_LOOK, other, _BACK))
        title, buttons = self._title.said(self._language), self._label_buttons(_LOOK, _WORDS, _BACK)
        return GridScreen(self._language, Mood.NOTICE, title, buttons=buttons, grid=grid)

    def _show_faults(self, verdict: PageVerdict) -> ScreenState:
        if verdict.measured is not None:
            asked = other_size(verdict.measured, self._plan.mat_mm)
            return self._ask(asked)
        first, *others = (fault.text for fault in verdict.faults)
        if self._choices:
            return self._ask(first, *others)
        return self._say(Mood.REFUSED, first, *others, buttons=(_AGAIN, _NOTHING, _BACK))

    @property
    def _title(self) -> Text:
        number, count = self._plan.pages.index(self._page) + 1, len(self._plan.pages)
        if self._part is None:
            return Text("Lay page {page} of {pages}", page=number, pages=count)
        return Text(
            "Lay page {page} of {pages}, part {part} of {parts}",
            page=number,
            pages=count,
            part=self._part.number + 1,
            parts=self._part.count,
        )

    def _say(self, mood: Mood, headline: Text, *details: Text, buttons: tuple[Text, Text, Text]) -> NoticeScreen:
        first, *others = self._say_all(headline, *details)
        return NoticeScreen(self._language, mood, first, tuple(others), buttons=self._label_buttons(*buttons))

    def _ask(self, headline: Text, *details: Text) -> QuestionScreen:
        asked, *others = self._say_all(headline, *details)
        choices = self._say_all(*self._choices)
        return QuestionScreen(self._language, Mood.QUESTION, asked, tuple(others), choices=choices, chosen=self._chosen)

    def _label_buttons(self, *words: Text) -> ButtonWords:
        return ButtonWords(*self._say_all(*words))

    def _say_all(self, *words: Text) -> tuple[str, ...]:
        return tuple(text.said(self._language) for text in words)

    def close(self) -> None:
        """Stop looking."""
        self._lookout.stop()
