"""A deck taught by a phone's own pictures where there is no table: looked at, refused, mended, read back, kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.enrol.learning import PageLearner
from device.storage.deck_store import DeckShelf
from tests.device.house import with_decks
from tests.device.test_learning import Enrolment, fault
from tests.web.phone import Phone, phone
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
