"""A deck taught by a phone's own pictures where there is no table: looked at, refused, mended, read back, kept."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from html import unescape
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from device.capture.mat_finder import MatFinder
from device.enrol.enrolling import PageVerdict
from device.enrol.fault_marks import fault_marks
from device.enrol.learning import PageLearner
from device.storage.deck_store import DeckShelf
from rules.text import Text
from tests.decks import page as enrolment_page
from tests.device.house import with_decks
from tests.device.test_learning import Enrolment, fault
from tests.web.phone import Phone, phone
from vision.enrol import PageFault
from web.scorer import Scorer
from web.setting_up import picture_lessons
from web.setting_up.picture_lessons import PictureLessons


@pytest.fixture
def enrolment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Enrolment:
    """Pages that are judged as the test has it, without a worker's process."""
    judged, lessons = Enrolment(), PictureLessons(tmp_path)

    async def ask(self: Scorer, job: Mapping[str, Any]) -> Mapping[str, Any]:
        return lessons.answer(job)

    monkeypatch.setattr(Scorer, "ask", ask)
    monkeypatch.setattr(picture_lessons, "read_sent", lambda *_: np.zeros((30, 40, 3), np.uint8))
    monkeypatch.setattr(picture_lessons, "page_learner", lambda *_: PageLearner(judged))
    monkeypatch.setattr("device.enrol.learning.look_alikes", lambda deck: [])
    monkeypatch.setattr(DeckShelf, "save", lambda shelf, name, deck: with_decks(tmp_path, name))
    return judged


def test_a_lesson_goes_on_in_another_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    async def ask(self: Scorer, job: Mapping[str, Any]) -> Mapping[str, Any]:
        return PictureLessons(tmp_path).answer(job)

    def read_sent(path: Path, name: str) -> Any:
        read.append(name)
        assert path.is_file(), "the pictures of a lesson are kept as long as it lasts"
        return np.zeros((30, 40, 3), np.uint8)

    monkeypatch.setattr(Scorer, "ask", ask)
    monkeypatch.setattr(picture_lessons, "read_sent", read_sent)
    monkeypatch.setattr(picture_lessons, "page_learner", lambda *_: PageLearner(Enrolment()))
    with phone(tmp_path, "application/json") as client:
        for page in ("seven", "review"):
            assert look(client, page).json()["learning"]["stage"] == "lay"
        assert client.get("/learn.json").json()["learning"]["page"] == "complete"
    assert len(read) == 3, "the first picture is looked at again"


def look(client: Phone, page: str) -> Any:
    return client.post("/learn", data={"deck": "Mine", "page": page}, files={"file": ("page.jpg", b"a picture")})


def test_a_deck_is_taught_by_pictures_and_kept(enrolment: Enrolment, tmp_path: Path) -> None:
    enrolment.answers = [fault("seven")]
    with phone(tmp_path, "application/json") as client:
        assert client.get("/learn.json").json()["learning"] is None
        told = look(client, "seven").json()
        assert told["learning"]["stage"] == "faulty"
        assert [words["en"] for words in told["learning"]["words"]] == ["Heart 7 is missing."]
        assert told["picture"].startswith("data:image/jpeg")
        for page in ("seven", "review", "complete"):
            answer = look(client, page)
            assert answer.status_code == 200, answer.text
        told = client.get("/learn.json").json()
        assert told["learning"]["stage"] == "read_back"
        assert sum(len(page["cards"]) for page in told["read_back"]["pages"]) == 82
        assert client.get(told["read_back"]["picture"]).headers["content-type"] == "image/jpeg"
        assert client.post("/learn", data={"do": "keep"}).json()["learning"]["stage"] == "kept"
        assert "Mine" in DeckShelf(tmp_path).list_names()
        assert client.post("/learn", data={"do": "leave"}).json()["learning"] is None


def test_an_empty_folder_leads_to_a_deck(tmp_path: Path) -> None:
    with phone(tmp_path) as client:
        for address in ("/score", "/score?game=laminate"):
            page = client.get(address).text
            assert 'href="/learn"' in page
            assert 'href="/print"' in page
        page = client.get("/learn").text
        assert 'value="My deck"' in page
        assert "There is no table" not in page
        assert client.get("/print/nothing.pdf").status_code == 404
        assert "/print/markers.pdf" in client.get("/print").text
    with_decks(tmp_path, "old")
    with phone(tmp_path) as client:
        assert "Print one" not in client.get("/score").text


def test_another_page_or_deck_is_refused(enrolment: Enrolment, tmp_path: Path) -> None:
    with phone(tmp_path, "application/json") as client:
        assert client.post("/learn", data={"do": "keep"}).status_code == 409
        assert look(client, "nothing").status_code == 400
        assert look(client, "complete").status_code == 400, "the first page comes first"
        assert look(client, "seven").status_code == 200
        assert client.post("/learn", data={"do": "insist"}).status_code == 409
        assert client.post("/learn", data={"do": "back"}).json()["learning"]["page"] == "seven"


def test_a_lesson_goes_on_when_the_page_was_started_anew(
    enrolment: Enrolment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with phone(tmp_path, "application/json") as client:
        assert look(client, "seven").json()["learning"]["page"] == "review"
        before = client.get("/learn.json").json()
    (tmp_path / "lessons" / "damaged").mkdir()
    (tmp_path / "lessons" / "damaged" / "lesson.json").write_text("[")
    lessons = PictureLessons(tmp_path)

    async def ask(self: Scorer, job: Mapping[str, Any]) -> Mapping[str, Any]:
        return lessons.answer(job)

    enrolment.learnt.clear()
    monkeypatch.setattr(Scorer, "ask", ask)
    with phone(tmp_path, "application/json") as client:
        assert client.get("/learn.json").json() == before
        for page in ("review", "complete"):
            assert look(client, page).status_code == 200
        assert client.post("/learn", data={"do": "keep"}).json()["learning"]["stage"] == "kept"
    assert list((tmp_path / "lessons").iterdir()) == [], "nothing is left of what is learnt"


def test_a_phones_own_name_leads_out_of_no_folder(enrolment: Enrolment, tmp_path: Path) -> None:
    with phone(tmp_path, "application/json") as client:
        client.cookies.set("sevenmat_phone", "../../decks")
        assert look(client, "seven").status_code == 200
    (folder,) = (tmp_path / "lessons").iterdir()
    assert re.fullmatch("[0-9a-f]{24}", folder.name)


def test_a_card_that_is_called_wrongly_is_tapped(
    enrolment: Enrolment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swapped: list[tuple[str, str]] = []
    monkeypatch.setattr(Enrolment, "swap_names", lambda self, *names: swapped.append(names), raising=False)
    with phone(tmp_path, "application/json") as client:
        client.get("/learn", headers={"accept": "text/html"})  # from now on it is known by its cookie
        for page in ("seven", "review", "complete"):
            look(client, page)
        shown = client.get("/learn", headers={"accept": "text/html"}).text
        card = next(name for name in re.findall(r'href="/learn\?card=([^"]+)"', shown) if name == "S7")
        page = client.get(f"/learn?card={card}", headers={"accept": "text/html"}).text
        form = page[page.index('class="card renamed"') :].partition("</form>")[0]
        of = re.search(r'name="of" value="([^"]+)"', form)
        assert of is not None
        assert '<option value="S7" selected>Star 7</option>' in form
        assert len(re.findall("<option", form)) == 49, "any card of its page"
        answer = client.post("/learn", data={"do": "swap", "of": unescape(of[1]), "card": card, "other": "H2"})
        assert answer.json()["learning"]["stage"] == "read_back"
    assert swapped == [("S7", "H2")]


def test_corner_marks_that_were_found_are_marked_where_the_mat_was_not() -> None:
    picture = enrolment_page("seven").copy()
    wide = picture.shape[1]
    picture[:, wide * 3 // 4 :] = 60
    enrolment: Any = SimpleNamespace(mat_in=MatFinder())
    verdict = PageVerdict("seven", (PageFault("seven", (), Text("Markers 1 and 2 can't be seen.")),))
    marks = fault_marks(enrolment, verdict, picture)
    assert [(mark.words, mark.fault) for mark in marks] == [("✓", False)] * 2
    assert all(x < 0.25 for mark in marks for x, _ in mark.corners)


def test_house_papers_are_made_up_printed_and_taught(enrolment: Enrolment, tmp_path: Path) -> None:
    with_decks(tmp_path, "ours")
    with phone(tmp_path) as client:
        assert 'href="/learn/papers"' in client.get("/learn").text
        address = "/learn/papers?deck=ours&paper=sum21_1p4&make="
        for answer in ("Consecutive ranks", "6 cards", "2 points", "3 cards"):
            page = client.get(address).text
            links = {words: unescape(one) for one, words in re.findall(r'href="([^"]+)">([^<]+)</a></li>', page)}
            address = links[answer]
        made = client.get(address)
        assert made.headers["location"] == "/learn/papers?deck=ours&paper=sum21_1p4&paper=straight6_2p3"
        page = client.get(made.headers["location"]).text
        assert "Teach 2 papers: two pictures" in page
        assert "/print/papers.pdf?house=sum21_1p4%2Cstraight6_2p3" in page
        papers = {"deck": "ours", "paper": ["sum21_1p4", "straight6_2p3"], "do": "begin"}
        assert client.post("/learn", data=papers).headers["location"] == "/learn"
        told = client.get("/learn.json").json()["learning"]
        assert told["page"] in ("seven", "review:sum21_1p4+straight6_2p3")
        for wrong in ("../x", "three", "straight6_99p3", "--out"):
            assert client.post("/learn", data={**papers, "paper": wrong}).status_code == 400
            assert client.get(f"/print/papers.pdf?house={wrong}").status_code == 400
        assert client.get("/learn/papers?make=99").status_code == 404


PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos" / "wood"


@pytest.mark.shared
@pytest.mark.slow  # tests/web/test_learn_page.py and tests/vision/enrol read rendered pages
@pytest.mark.skipif(not PHOTOS.is_dir(), reason="the shared photographs are not beside this checkout")
def test_a_real_photograph_of_a_page_is_looked_at_and_doubted_on_itself(tmp_path: Path) -> None:
    picture = (PHOTOS / "enrol-seven.jpg").read_bytes()
    with phone(tmp_path, "application/json") as client:
        answer = client.post("/learn", data={"deck": "Mine", "page": "seven"}, files={"file": ("page.jpg", picture)})
        told = answer.json()
        # Its time 6 stands for a card that looks like a paper's.
        assert told["learning"]["stage"] == "doubtful", told
        assert "time 6" in told["learning"]["words"][0]["en"]
        drawn = Image.open(BytesIO(base64.b64decode(told["picture"].partition(",")[2])))
        orange = np.all(np.abs(np.asarray(drawn).astype(int) - (255, 150, 0)) < 40, axis=2)
        assert orange.any(), "the card is marked in the picture"
        assert sorted(client.get("/score/progress.json").json()["markers"]) == ["0", "1", "2", "3"]
        assert client.post("/learn", data={"do": "insist"}).json()["learning"]["page"] == "review"
