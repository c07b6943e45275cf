"""Learning a deck on phones: what to lay, what was found, insisting, going back, the cards read back, keeping them."""

from __future__ import annotations

import base64
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from device.app.equipment import Pace
from device.app.plan import Plan
from device.enrol.enrolling import LiveEnrolment, PageVerdict
from device.enrol.fault_marks import fault_marks
from device.enrol.learning import PageLearner, page_learner
from device.errors import DeviceError
from device.hardware.buttons import Button
from device.storage.deck_store import DeckShelf
from rules.text import Text
from simulator.camera import Lens, OnTheMat, SimulatedCamera
from simulator.pages import lay_page
from tests.device.house import with_decks
from tests.device.test_learning import Enrolment, fault
from tests.web.house_page import MAT, HouseOnMat, PagedHouse, may
from tests.web.test_aim_page import fits, in_a_browser
from tests.web.test_browser import SIZES, browser, visit  # noqa: F401 - a fixture
from ui.screen_state import Mood
from vision.enrol import PAGES
from vision.mat import find_mat


class School(PagedHouse):
    """The program with its page at a sketched table, whose pages are judged as the test has it."""

    def __init__(self, state: Path, **wishes: Any) -> None:
        super().__init__(state, **wishes)
        self.enrolment = Enrolment()
        self.kept: list[tuple[str, tuple[str, ...]]] = []

    def open_learner(self, name: str, mat_mm: tuple[float, float], pages: tuple[str, ...]) -> PageLearner:
        self.enrolment.order = pages
        self.kept.append((name, pages))
        return PageLearner(self.enrolment)

    def now(self) -> Any:
        return self.json("/learn.json")["learning"]

    def stage(self, stage: str, words: str = "") -> Any:
        def there(told: Any) -> bool:
            lesson = told["learning"]
            return bool(lesson) and lesson["stage"] == stage and words in lesson["title"]["en"]

        return self.json_until("/learn.json", there)

    def do(self, what: str, **more: Any) -> int:
        return self.post("/learn", do=what, of=self.now()["asked"], **more).status

    def begin(self, name: str = "mine", kind: int = 0) -> None:
        self.mood(Mood.MENU)
        assert self.post("/learn", do="begin", deck="", name=name, kind=str(kind)).status == 200
        self.stage("lay")


@pytest.fixture
def school(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[School]:
    monkeypatch.setattr("device.enrol.learning.look_alikes", lambda deck: [])
    monkeypatch.setattr(DeckShelf, "save", lambda shelf, name, deck: with_decks(tmp_path, name))
    school = School(tmp_path)
    with school:
        yield school


def test_a_deck_is_learnt_read_back_and_kept(school: School, tmp_path: Path) -> None:
    school.begin("Grandma")
    assert school.kept == [("Grandma", PAGES)]
    told = school.json("/learn.json")
    rows = told["learning"]["cards"]["rows"]
    assert [len(row) for row in rows] == [7] * 7
    assert rows[0][0] == {
        "words": {"en": "Heart A", "ja": "ハートA"},
        "suit": "H",
        "label": "A",
        "colour": rows[0][0]["colour"],
    }
    assert school.says("page 1 of 3")
    for number in (2, 3):
        assert school.do("look") == 200
        school.stage("lay", f"page {number} of 3")
    assert school.now()["cards"]["face_down"] is True
    assert school.do("look") == 200
    told = school.stage("read_back")
    pages = told["read_back"]["pages"]
    assert [page["page"] for page in pages] == ["review", "complete", "seven"]
    assert sum(len(page["cards"]) for page in pages) == 82
    sheet = school.get(told["read_back"]["picture"])
    picture = cv2.imdecode(np.frombuffer(sheet.read(), np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (82 * 56, 160, 3)
    page = school.get("/learn", "text/html", "ja").read().decode()
    assert page.count("<image ") == 82
    assert school.do("anew", page="complete") == 200
    school.stage("lay", "page 3 of 3")
    assert school.get("/learn/cards.jpg").status == 404
    assert school.do("look") == 200
    school.stage("read_back")
    assert school.do("keep") == 200
    school.stage("kept")
    assert "Grandma" in DeckShelf(tmp_path).list_names()
    assert school.do("leave") == 200
    assert "Grandma" in school.json_until("/learn.json", lambda told: told["learning"] is None)["decks"]
    school.mood(Mood.MENU)


def test_buttons_and_phones_learn_the_same_deck(school: School) -> None:
    school.begin()
    school.press(Button.CONFIRM)
    school.stage("lay", "page 2 of 3")
    assert school.do("back") == 200
    school.says("page 1 of 3")
    assert school.do("back") == 200
    school.mood(Mood.MENU)
    school.choose("Learn a deck")
    school.choose("A new deck")
    school.choose("2 pages")
    told = school.stage("lay", "page 1 of 2")
    assert told["learning"]["first"] is True
    assert school.do("look") == 200
    told = school.stage("lay", "page 2 of 2")
    assert told["learning"]["cards"]["rows"] == []
    assert "face down in the mat" in told["learning"]["lay"][0]["en"]


def test_what_is_wrong_is_said_and_shown_also_while_it_is_mended(school: School) -> None:
    school.enrolment.answers = [fault("seven")]
    school.begin()
    assert school.json("/learn.json")["picture"] is None
    assert school.do("look") == 200
    told = school.stage("faulty")
    assert [words["en"] for words in told["learning"]["words"]] == ["Heart 7 is missing."]
    assert base64.b64decode(told["picture"].partition(",")[2])[:2] == b"\xff\xd8"
    assert "/learn" in school.get("/learn", "text/html").read().decode()
    assert school.do("insist") == 409, "only doubts may be insisted on"
    school.camera.hands = True
    told = school.stage("lay")
    assert len(told["learning"]["words"]) == 1
    page = school.get("/learn", "text/html").read().decode()
    assert "Heart 7 is missing." in page
    assert "<img" in page
    school.camera.hands = False
    assert school.do("look") == 200
    assert school.stage("lay", "page 2 of 3")["learning"]["words"] == []


def test_a_doubt_may_be_insisted_on_by_whoever_has_seen_it(school: School) -> None:
    school.enrolment.answers = [fault("seven", doubtful=True)]
    school.begin()
    before = school.now()["asked"]
    assert school.do("look") == 200
    asked = school.stage("doubtful")["learning"]["asked"]
    assert school.post("/learn", do="insist", of=before).status == 409
    assert school.enrolment.insisted == 0
    assert school.post("/learn", do="insist", of=asked).status == 200
    school.stage("lay", "page 2 of 3")
    assert school.post("/learn", do="insist", of=asked).status == 409
    assert school.enrolment.insisted == 1


def test_a_doubt_about_the_page_before_has_that_one_laid_first(school: School) -> None:
    school.begin()
    for number in (2, 3):
        assert school.do("look") == 200
        school.stage("lay", f"page {number} of 3")
    school.enrolment.answers = [PageVerdict("complete", fault("review", doubtful=True).faults)]
    school.enrolment.sends_back = True
    assert school.do("look") == 200
    assert school.stage("doubtful")["learning"]["sent_back"] is True
    assert b"Lay that page again" in school.get("/learn", "text/html").read()
    assert school.do("look") == 200
    school.stage("lay", "page 2 of 3")
    assert school.enrolment.learnt == ["seven"]


def test_another_mat_is_asked_about_and_taken(school: School) -> None:
    school.enrolment.answers = [PageVerdict("seven", fault("seven").faults, measured=(900, 600))]
    school.begin()
    assert school.do("look") == 200
    told = school.stage("mat")
    assert "Use it?" in told["learning"]["words"][0]["en"]
    assert school.do("mat") == 200
    school.stage("lay", "page 1 of 3")
    assert school.app._settings.mat_mm == (900.0, 600.0)


def test_a_deck_that_can_not_be_kept_is_tried_again(
    school: School, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: object) -> None:
        raise DeviceError(Text("The disk is full."))

    school.begin(kind=1)
    assert school.do("look") == 200
    school.stage("lay", "page 2")
    assert school.do("look") == 200
    school.stage("read_back")
    monkeypatch.setattr(DeckShelf, "save", full)
    assert school.do("keep") == 200
    told = school.json_until("/learn.json", lambda told: told["learning"]["words"])
    assert (told["learning"]["stage"], told["learning"]["words"][0]["en"]) == ("read_back", "The disk is full.")
    monkeypatch.setattr(DeckShelf, "save", lambda shelf, name, deck: with_decks(tmp_path, name))
    assert school.do("keep") == 200
    school.stage("kept")


def test_a_card_that_is_called_wrongly_is_tapped_at_the_table_too(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    swapped: list[tuple[str, str]] = []
    monkeypatch.setattr(Enrolment, "swap_names", lambda self, *names: swapped.append(names), raising=False)
    school.begin(kind=1)
    assert school.do("look") == 200
    school.stage("lay", "page 2")
    assert school.do("look") == 200
    school.stage("read_back")
    page = school.get("/learn?card=S7", "text/html").read().decode()
    assert 'data-poll="/learn?part&amp;card=S7"' in page, "it stays open"
    assert '<option value="S7" selected>Star 7</option>' in page
    assert school.do("swap", card="S7", other="H2") == 200
    school.stage("read_back")
    assert swapped == [("S7", "H2")]


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"deck": "", "name": " "}, "Give the new deck a name"),
        ({"deck": "", "name": "../x"}, "can't be a deck's name"),
        ({"deck": "", "name": "<b>"}, "can't be a deck's name"),
        ({"deck": "", "name": "old"}, "There is a deck 'old' already"),
        ({"deck": "", "name": "Sevenmat printed deck"}, "already"),
        ({"deck": "unknown", "name": ""}, "look again"),
        ({"deck": "", "name": "new", "kind": "99"}, "load it anew"),
        ({"deck": "", "name": "new", "kind": "x"}, "load it anew"),
        ({"do": "burn"}, "load it anew"),
    ],
)
def test_what_can_not_be_is_said(fields: dict[str, str], words: str, school: School, tmp_path: Path) -> None:
    with_decks(tmp_path, "old")
    school.mood(Mood.MENU)
    answer = school.post("/learn", **{"do": "begin", **fields})
    assert answer.status in (400, 409)
    assert words in json.load(answer)["error"]["en"]
    assert school.json("/learn.json")["learning"] is None


def test_a_known_deck_is_learnt_once_more(school: School, tmp_path: Path) -> None:
    with_decks(tmp_path, "old")
    school.mood(Mood.MENU)
    assert school.post("/learn", do="begin", deck="old", name="", kind="1").status == 200
    school.stage("lay", "page 1 of 2")
    assert school.kept == [("old", ("seven", "back"))]


def test_who_may_only_watch_learns_nothing(school: School, tmp_path: Path) -> None:
    may(tmp_path, "watch")
    school.mood(Mood.MENU)
    assert school.get("/learn").status == 403
    assert school.get("/learn.json").status == 403
    assert school.post("/learn", do="begin", deck="", name="x", kind="0").status == 403


def test_while_a_game_is_played_no_deck_is_learnt(tmp_path: Path) -> None:
    with_decks(tmp_path, "mine")
    with School(tmp_path, plan=Plan("laminate", ("A", "B", "C"), {"first_seat": 1}, "mine")) as school:
        school.mood(Mood.WAITING)
        page = school.get("/learn", "text/html").read().decode()
        assert "A game is being played at the table" in page
        assert 'value="begin"' not in page
        answer = school.post("/learn", do="begin", deck="", name="x", kind="0")
        assert answer.status == 400
        assert "A game is being played" in json.load(answer)["error"]["en"]
        assert school.screens[-1].mood is Mood.WAITING


def test_looking_through_the_camera_keeps_nobody_from_learning(school: School) -> None:
    school.mood(Mood.MENU)
    assert school.post("/aim", do="open").status == 200
    assert school.post("/learn", do="begin", deck="", name="mine", kind="0").status == 200
    school.stage("lay")
    answer = school.post("/aim", do="open")
    assert (answer.status, "busy" in json.load(answer)["error"]["en"]) == (400, True)


@pytest.fixture(scope="module")
def missing() -> Any:
    """Return a page on which a card is missing, as the camera sees it."""
    camera = SimulatedCamera(MAT, 3, Lens(size=(2000, 1500)))
    camera.show([card for card in lay_page("seven", MAT, random.Random(1)) if card.name != "B5"])
    return camera.take_picture()


def test_a_fault_is_marked_where_its_card_should_lie(missing: Any) -> None:
    enrolment = LiveEnrolment(cast(Any, None), "mine", MAT)
    verdict = fault("seven")
    (mark,) = fault_marks(enrolment, verdict, missing)
    assert (mark.words, mark.fault) == ("1", True)
    mat = find_mat(missing, MAT)
    middle = np.mean(mark.corners, axis=0) * np.array(mat.picture_size)
    x, y = mat.to_mm(middle)
    assert (x, y) == pytest.approx((MAT[0] / 2 - 300, MAT[1] / 2 + 336), abs=3), "the last of the first column"
    assert fault_marks(enrolment, PageVerdict("seven", ()), missing) == ()
    assert fault_marks(enrolment, verdict, np.zeros((300, 400, 3), np.uint8)) == (), "there is no mat"


# In a browser


@pytest.mark.slow  # test_browser.py holds the frame of all pages
@in_a_browser
def test_every_step_fits_and_is_accessible(school: School, browser: Any) -> None:  # noqa: F811
    pages = [
        (visit(browser, school.address, size, language, scheme, bypass_csp=True), size)
        for size, scheme in zip(SIZES, ("light", "dark"), strict=True)
        for language in ("en", "ja")
    ]
    base = school.address.partition("/?")[0]

    def look() -> None:
        for page, size in pages:
            page.goto(f"{base}/learn")
            fits(page, size)

    school.enrolment.answers = [fault("seven", doubtful=True)]
    school.mood(Mood.MENU)
    look()
    school.begin()
    look()
    school.do("look")
    school.stage("doubtful")
    look()
    school.do("insist")
    school.stage("lay", "page 2")
    look()
    school.do("look")
    school.stage("lay", "page 3")
    school.do("look")
    school.stage("read_back")
    look()
    school.do("keep")
    school.stage("kept")
    look()
    for page, _ in pages:
        assert page.said == []
        page.context.close()


@pytest.mark.slow  # test_a_deck_is_learnt_read_back_and_kept
@in_a_browser
def test_a_deck_is_learnt_by_touch(school: School, browser: Any) -> None:  # noqa: F811
    school.enrolment.answers = [fault("seven", doubtful=True)]
    school.mood(Mood.MENU)
    page = visit(browser, school.address, SIZES[0], "en")
    page.get_by_role("link", name="Decks").tap()
    page.get_by_role("button", name="Begin").tap()
    page.get_by_text("Give the new deck a name.").wait_for()
    page.get_by_label("Name of the new deck").fill("Grandma")
    page.get_by_role("button", name="Begin").tap()
    page.get_by_text("Lay page 1 of 3").wait_for()
    page.get_by_role("button", name="Photograph it").tap()
    page.get_by_text("Heart 7 is missing.").wait_for()
    page.get_by_role("button", name="It does lie right").tap()
    page.get_by_text("Lay page 2 of 3").wait_for()
    page.get_by_role("button", name="Back to the page before").tap()
    page.get_by_text("Lay page 1 of 3").wait_for()
    for number in (2, 3):
        page.get_by_role("button", name="Photograph it").tap()
        page.get_by_text(f"Lay page {number} of 3").wait_for()
    page.get_by_role("button", name="Photograph it").tap()
    page.get_by_text("Is every card called by its name?").wait_for()
    page.get_by_role("button", name="keep the deck").tap()
    page.get_by_text("The deck 'Grandma' is known now.").wait_for()
    page.get_by_role("button", name="Go on").tap()
    page.get_by_text("Grandma once more").wait_for()
    school.mood(Mood.MENU)
    assert [words for words in page.said if "400" not in words] == []
    page.context.close()


@in_a_browser
@pytest.mark.slow
def test_the_real_reader_learns_the_printed_deck_by_touch(tmp_path: Path, browser: Any) -> None:  # noqa: F811
    house = HouseOnMat(tmp_path)
    house.pace = Pace(60, 20, 0.2)
    house.open_learner = page_learner  # type: ignore[method-assign]

    def lay(page: str, without: str = "") -> None:
        cards = lay_page(page, MAT, random.Random(page))
        house.mat.laid = OnTheMat(tuple(card for card in cards if card.name != without))
        while house.mat.calm_looks < 12 or house.mat.lying != house.mat.laid:
            time.sleep(0.05)

    with house:
        house.mood(Mood.MENU)
        page = visit(browser, house.address, SIZES[0], "en")
        page.set_default_timeout(120_000)
        page.goto(f"{house.address.partition('/?')[0]}/learn")
        page.get_by_label("Name of the new deck").fill("Grandma")
        page.get_by_role("button", name="Begin").tap()
        page.get_by_text("page 1 of 3").wait_for()
        lay("seven", without="B5")
        page.get_by_role("button", name="Photograph it").tap()
        page.get_by_text("Book 5 is missing").wait_for()
        for number, laid in enumerate(PAGES, 1):
            page.get_by_text(f"page {number} of 3").wait_for()
            lay(laid)
            page.get_by_role("button", name="Photograph it").tap()
        page.get_by_text("called by its name").wait_for()
        page.get_by_role("button", name="keep the deck").tap()
        page.get_by_text("is known now").wait_for()
        page.context.close()
    assert len(DeckShelf(tmp_path).list_faces("Grandma")) == 82
