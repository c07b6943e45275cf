"""Learning a deck live: confirm has a page looked at, faults are named, doubts may be insisted on, back goes back."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.capture.capture import Lookout
from device.enrol.enrolling import LiveEnrolment, PageVerdict
from device.enrol.laying import PagePart
from device.enrol.learning import Glance, Learning, LearningPlan, PageLearner, page_learner
from device.errors import DeviceError
from device.hardware.buttons import Button, Press
from device.hardware.camera import Picture
from device.hardware.steady import SteadyCamera
from device.speech import Language
from referee.placing import Placed, Tray
from rules.laminate.papers import LAMINATE
from rules.text import Text
from simulator.camera import OnTheMat, SimulatedCamera
from simulator.mat import SimulatedMat
from simulator.pages import lay_page
from tests.device.at_the_table import SketchCamera
from tests.device.spoken import in_every_language
from ui.screen_state import GridScreen, Mood, NoticeScreen, ScreenState
from vision.enrol import PAGES, PageFault, place_cards
from vision.identify.deck import Deck, DeckCard

LOOKS_UNTIL_STILL = 12
LAID = (Placed("H7", 300, 300, 0.0),)
ORDER = (
    ("straight5", "straight7", "straight9", "straight11"),
    ("three", "five", "three_pairs", "four_pairs"),
    ("triple_threes", "straight_flush4", "straight_flush6", "sum49"),
    ("sum100", "ace_king", "all_even", "end_flag"),
)
"""As FORMATS.md has it."""


class Enrolment(LiveEnrolment):
    """Answers as the test has it, without looking."""

    def __init__(self) -> None:
        self.order = PAGES
        self.answers: list[PageVerdict] = []
        self.learnt: list[str] = []
        self.insisted = 0
        self.sends_back = False
        self.deck = None
        self._mat_mm = None
        self.part_now: PagePart | None = None

    @property
    def page(self) -> str | None:
        return next((page for page in self.order if page not in self.learnt), None)

    @property
    def part(self) -> PagePart | None:
        return self.part_now

    def redo(self, page: str) -> None:
        self.learnt.remove(page)
        self.deck = None

    def show(self, picture: Picture) -> PageVerdict:
        page = self.page
        assert page is not None
        verdict = self.answers.pop(0) if self.answers else PageVerdict(page, ())
        if verdict.accepted:
            self._accept(page)
        elif self.sends_back:
            self.learnt.pop()
        return verdict

    def insist(self) -> PageVerdict:
        self.insisted += 1
        page = self.page
        assert page is not None
        self._accept(page)
        return PageVerdict(page, ())

    def go_back(self) -> None:
        self.learnt.pop()

    def _accept(self, page: str) -> None:
        self.learnt.append(page)
        if self.page is None:
            crop = np.zeros((56, 160, 3), np.uint8)
            cards = tuple(DeckCard(name, (crop, crop)) for page in PAGES for name in place_cards(page, (1.0, 1.0)))
            self.deck = Deck("mine", cards, np.zeros(0), "x")  # type: ignore[arg-type]


class Desk:
    """The stage with its lookout at a sketched table."""

    def __init__(self) -> None:
        self.camera, self.enrolment = SketchCamera(), Enrolment()
        self.kept: list[Deck] = []
        self.full = False
        self.left = 0
        self.mats: list[tuple[float, float]] = []
        self.stage = self.learn(PAGES)

    def learn(self, pages: tuple[str, ...]) -> Learning:
        self.enrolment.order = pages
        lesson = LearningPlan(self.keep, self.leave, (1189.0, 841.0), self.mats.append, pages)
        return Learning(lambda: PageLearner(self.enrolment), self.lookout, Language.EN, lesson)

    def lookout(self, open_reader: Callable[[], Callable[[Picture], Glance]]) -> Lookout[Glance]:
        return Lookout(
            SteadyCamera(lambda: self.camera), open_reader, threading.Event(), still_s=0.03, looks_a_second=200
        )

    def keep(self, deck: Deck) -> Text:
        if self.full:
            raise DeviceError(Text("The disk is full."))
        self.kept.append(deck)
        return Text("It is known now.")

    def leave(self) -> None:
        self.left += 1

    def press(self, button: Button) -> None:
        self.stage.press(Press(button))

    def until(self, wanted: Callable[[ScreenState], bool]) -> ScreenState:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            self.stage.run_round()
            if wanted(screen := in_every_language(self.stage)):
                return screen
            time.sleep(0.003)
        raise AssertionError(self.stage.make_screen())

    def says(self, words: str) -> ScreenState:
        return self.until(lambda screen: words in " ".join((screen.headline, *screen.details)))


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr("device.enrol.learning.look_alikes", lambda deck: [])
    desk = Desk()
    yield desk
    desk.stage.close()


def fault(page: str, doubtful: bool = False) -> PageVerdict:
    return PageVerdict(page, (PageFault(page, ("H7",), Text("Heart 7 is missing."), doubtful),))


def test_three_pages_make_a_deck(desk: Desk) -> None:
    for number in (1, 2, 3):
        desk.says(f"page {number} of 3")
        desk.press(Button.CONFIRM)
    desk.says("Right?")
    assert not desk.kept
    desk.press(Button.CONFIRM)
    assert desk.says("It is known now").mood is Mood.ACCEPTED
    assert len(desk.kept) == 1
    desk.press(Button.CONFIRM)
    assert desk.stage.done
    assert desk.left == 1


def test_a_press_before_the_reader_has_been_loaded_counts(desk: Desk) -> None:
    desk.stage.close()
    loaded = threading.Event()
    lesson = LearningPlan(desk.keep, desk.leave, (1189.0, 841.0), desk.mats.append, PAGES)

    def load() -> PageLearner:
        assert loaded.wait(60)
        return PageLearner(desk.enrolment)

    desk.stage = Learning(load, desk.lookout, Language.EN, lesson)
    desk.says("page 1 of 3")
    desk.press(Button.CONFIRM)
    assert desk.stage.make_screen().mood is Mood.READING
    loaded.set()
    desk.says("page 2 of 3")
    assert desk.enrolment.learnt == ["seven"]


def test_a_press_while_another_look_is_under_way_counts(desk: Desk) -> None:
    desk.stage.close()
    looking, go_on = threading.Event(), threading.Event()

    class Slow(PageLearner):
        def __call__(self, picture: Picture) -> Glance:
            glance = super().__call__(picture)
            looking.set()
            assert go_on.wait(60)
            return glance

    lesson = LearningPlan(desk.keep, desk.leave, (1189.0, 841.0), desk.mats.append, PAGES)
    desk.stage = Learning(lambda: Slow(desk.enrolment), desk.lookout, Language.EN, lesson)
    assert looking.wait(60)
    desk.press(Button.CONFIRM)
    go_on.set()
    desk.says("page 2 of 3")


def test_two_pages_make_a_deck_for_games_without_papers(desk: Desk) -> None:
    desk.stage.close()
    desk.stage = desk.learn(("seven", "back"))
    desk.says("page 1 of 2")
    desk.press(Button.CONFIRM)
    shown = desk.says("page 2 of 2")
    assert isinstance(shown, NoticeScreen)
    assert "face down in the mat's middle" in shown.details[0]
    assert desk.stage.page == "back"
    desk.press(Button.CONFIRM)
    desk.says("Right?")
    assert desk.stage.page is None
    desk.press(Button.CONFIRM)
    desk.says("It is known now")
    assert len(desk.kept) == 1


def test_nothing_is_looked_at_before_confirm(desk: Desk) -> None:
    desk.says("page 1 of 3")
    deadline = time.monotonic() + 0.3
    while time.monotonic() < deadline:
        desk.stage.run_round()
        time.sleep(0.01)
    assert desk.enrolment.learnt == []


def test_faults_are_named_until_hands_mend_them(desk: Desk) -> None:
    desk.enrolment.answers = [fault("seven")]
    desk.says("page 1 of 3")
    desk.press(Button.CONFIRM)
    screen = desk.says("Heart 7 is missing")
    assert (screen.mood, screen.choices) == (Mood.REFUSED, ())
    desk.camera.hands = True
    desk.says("page 1 of 3")
    desk.camera.hands = False
    desk.press(Button.CONFIRM)
    desk.says("page 2 of 3")


def test_a_doubt_may_be_insisted_on(desk: Desk) -> None:
    desk.enrolment.answers = [fault("seven", doubtful=True)]
    desk.press(Button.CONFIRM)
    asked = desk.says("Heart 7 is missing")
    assert (asked.mood, len(asked.choices)) == (Mood.QUESTION, 2)
    desk.press(Button.DOWN)
    assert desk.stage.make_screen().chosen == 1
    desk.press(Button.CONFIRM)
    desk.says("page 2 of 3")
    assert desk.enrolment.insisted == 1


def test_a_doubt_about_the_page_before_has_that_one_laid_before_it_is_looked_at(desk: Desk) -> None:
    for number in (2, 3):
        desk.press(Button.CONFIRM)
        desk.says(f"page {number} of 3")
    desk.enrolment.answers = [PageVerdict("complete", fault("review", doubtful=True).faults)]
    desk.enrolment.sends_back = True
    desk.press(Button.CONFIRM)
    desk.says("Heart 7 is missing")
    desk.press(Button.CONFIRM)
    desk.until(lambda screen: screen.mood is Mood.NOTICE and "page 2 of 3" in screen.headline)
    assert desk.enrolment.learnt == ["seven"]
    desk.press(Button.CONFIRM)
    desk.says("page 3 of 3")


@pytest.mark.parametrize("language", Language.all())
def test_both_paper_pages_show_the_papers_in_their_order(desk: Desk, language: Language) -> None:
    desk.stage._language = language
    page = "{} of 3" if language is Language.EN else "登録 {}/3"
    first = desk.says(page.format(1))
    assert isinstance(first, GridScreen)
    assert first.grid.rows[0] == ("HA", "O2", "B3", "C4", "S5", "T6", "F7")
    assert first.grid.rows[-1][-1] == "FK"
    desk.press(Button.DOWN)
    assert isinstance(desk.stage.make_screen(), NoticeScreen)
    assert len(desk.stage.make_screen().details) == 2
    desk.press(Button.UP)
    for number in (2, 3):
        desk.press(Button.CONFIRM)
        grid = desk.says(page.format(number)).grid
        assert grid is not None
        for row, kinds in zip(grid.rows, ORDER, strict=True):
            names = [LAMINATE[kind] for kind in kinds]
            assert row == tuple(
                name.text.said(Language.JA) if language is Language.JA else str(name.text) for name in names
            )


def test_back_lays_the_page_before_again_and_leaves_from_the_first(desk: Desk) -> None:
    desk.press(Button.CONFIRM)
    desk.says("page 2 of 3")
    desk.press(Button.BACK)
    desk.says("page 1 of 3")
    desk.press(Button.BACK)
    assert desk.stage.done
    assert desk.left == 1


def test_a_deck_that_can_not_be_kept_is_tried_again(desk: Desk) -> None:
    desk.full = True
    for number in (2, 3):
        desk.press(Button.CONFIRM)
        desk.says(f"page {number} of 3")
    desk.press(Button.CONFIRM)
    desk.says("Right?")
    desk.press(Button.CONFIRM)
    desk.says("The disk is full")
    desk.full = False
    desk.press(Button.CONFIRM)
    desk.says("It is known now")


@pytest.mark.slow
def test_the_real_reader_learns_the_reference_deck_live(tmp_path: Path) -> None:
    mat = (1189.0, 841.0)
    table = SimulatedMat(lambda: SimulatedCamera(mat, 3))
    kept: list[Deck] = []

    def lookout(open_reader: Callable[[], Callable[[Picture], Glance]]) -> Lookout[Glance]:
        steady = SteadyCamera(lambda: table, preview_timeout_s=30, picture_timeout_s=30)
        return Lookout(steady, open_reader, threading.Event(), still_s=0.1, looks_a_second=20)

    def keep(deck: Deck) -> Text:
        kept.append(deck)
        return Text("It is known now.")

    desk = Desk.__new__(Desk)
    desk.stage = Learning(
        lambda: page_learner("mine", mat), lookout, Language.EN, LearningPlan(keep, lambda: None, mat, lambda _: None)
    )
    try:
        for number, page in enumerate(PAGES, 1):
            desk.says(f"page {number} of 3")
            table.laid = OnTheMat(tuple(lay_page(page, mat, random.Random(page))))
            while table.calm_looks < LOOKS_UNTIL_STILL or table.lying != table.laid:
                desk.stage.run_round()
                time.sleep(0.02)
            desk.press(Button.CONFIRM)
        desk.says("Right?")
        desk.press(Button.CONFIRM)
        assert desk.says("It is known now").mood is Mood.ACCEPTED
    finally:
        desk.stage.close()
    assert len(kept[0].cards) == 82


def test_a_verdict_that_was_not_heard_is_said_with_the_next_look() -> None:
    """Hands over the page while it was looked at: the look is not said, but the page counts as looked at once."""
    looker = PageLearner(Enrolment())
    picture = np.zeros((8, 8, 3), np.uint8)
    assert looker(picture) == Glance(None)
    looker.asked = True
    first = looker(picture)
    again = looker(picture)
    assert again == Glance(first.verdict)
    assert looker.enrolment.page == PAGES[1]
    assert first.verdict is not None
    looker.note_said(first.verdict)
    assert looker(picture) == Glance(None)


@pytest.mark.parametrize("insists", [False, True])
def test_a_second_confirm_before_the_acceptance_was_heard_looks_at_no_further_page(insists: bool) -> None:
    """The old page still lies there: it is not to be judged as the next one, which was never laid."""
    looker = PageLearner(Enrolment())
    picture = np.zeros((8, 8, 3), np.uint8)
    looker.asked = True
    first = looker(picture).verdict
    looker.asked, looker.insists = True, insists
    assert looker(picture).verdict is first
    assert looker.enrolment.page == PAGES[1]
    assert (looker.asked, looker.insists) == (False, False)
    assert first is not None
    # Pressed after the last look, before the screen had the news.
    looker.asked, looker.insists = True, insists
    looker.note_said(first)
    assert looker(picture) == Glance(None)
    assert looker.enrolment.page == PAGES[1]


def test_a_fault_that_was_not_heard_is_looked_at_again_where_that_is_asked() -> None:
    enrolment = Enrolment()
    enrolment.answers = [fault("seven")]
    looker = PageLearner(enrolment)
    picture = np.zeros((8, 8, 3), np.uint8)
    looker.asked = True
    first = looker(picture).verdict
    assert first is not None
    assert not first.accepted
    looker.asked = True
    looker.note_said(first)
    second = looker(picture).verdict
    assert second is not None
    assert second.accepted


def test_back_forgets_an_acceptance_that_was_not_heard(desk: Desk) -> None:
    desk.press(Button.CONFIRM)
    desk.says("page 2 of 3")
    looker = desk.stage._learner
    assert looker is not None
    looker._unheard = PageVerdict("review", ())
    looker.asked = True
    desk.press(Button.BACK)
    assert looker(np.zeros((8, 8, 3), np.uint8)) == Glance(None)
    desk.press(Button.CONFIRM)
    desk.says("page 2 of 3")
    assert desk.enrolment.learnt == ["seven"]


def test_confirm_pressed_before_anything_can_look_counts() -> None:
    opened = threading.Event()
    looker = PageLearner(Enrolment())

    def open_learner() -> PageLearner:
        assert opened.wait(10)
        return looker

    camera, told = SketchCamera(), threading.Event()

    def lookout(open_reader: Callable[[], Callable[[Picture], Glance]]) -> Lookout[Glance]:
        opening = SteadyCamera(lambda: camera)
        return Lookout(opening, open_reader, told, lambda: None, still_s=0.05, looks_a_second=100)

    lesson = LearningPlan(lambda deck: Text(), lambda: None, (1189.0, 841.0), lambda _: None)
    stage = Learning(open_learner, lookout, Language.EN, lesson)
    try:
        stage.press(Press(Button.CONFIRM, False, 0.0))
        opened.set()
        deadline = time.monotonic() + 10
        while stage.page == PAGES[0]:
            assert time.monotonic() < deadline
            stage.run_round()
            time.sleep(0.01)
    finally:
        opened.set()
        stage.close()


def test_a_page_just_laid_has_not_been_looked_at_whatever_lay_there_before() -> None:
    camera = SimulatedCamera((900.0, 600.0), 3)
    table = SimulatedMat(lambda: camera)
    for _ in range(3):
        table.take_preview()
    assert table.calm_looks == 3
    table.laid = OnTheMat(LAID)
    assert table.calm_looks == 0
    table.take_preview()
    assert table.calm_looks == 1
    table.hands = True
    assert table.calm_looks == 0


class SlowCamera:
    """A camera for one look at a time, which takes as long as ``go`` is not set; it notes what lies there meanwhile."""

    hands = False

    def __init__(self) -> None:
        self.looking, self.go = threading.Event(), threading.Event()
        self.cards: list[int] = []
        self.seen: list[tuple[int, int]] = []

    def show(self, cards: Iterable[Placed], tray: Tray | None = None) -> None:
        self.cards.append(len(tuple(cards)))

    def take_preview(self) -> Any:
        before = self.cards[-1]
        self.looking.set()
        self.go.wait(10)
        self.seen.append((before, self.cards[-1]))
        return np.zeros((240, 320), np.uint8)

    take_picture = take_preview


def test_a_camera_given_up_as_too_slow_sees_no_table_change_while_the_next_one_looks() -> None:
    """On a busy machine a look may take longer than the camera is waited for; then another one looks meanwhile."""
    camera = SlowCamera()
    table = SimulatedMat(lambda: camera)
    given_up, next_one = threading.Thread(target=table.take_preview), threading.Thread(target=table.take_picture)
    given_up.start()
    assert camera.looking.wait(10)
    table.laid = OnTheMat(LAID)
    next_one.start()
    next_one.join(0.2)
    camera.go.set()
    given_up.join()
    next_one.join()
    assert camera.seen == [(0, 0), (len(LAID), len(LAID))]
