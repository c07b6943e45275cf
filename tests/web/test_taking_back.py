"""What was said of a table can be taken back: a card, a fault, the number of players, names, before and after keeping.

The reader is left out: what it would see of a table is made up, and scored in this process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from device.capture.drawing import all_card_words, phone_frame
from device.hardware.camera import Picture
from device.scoring.looking import ByHand, with_named
from device.scoring.pictures import PictureSeen
from device.scoring.table import Table
from device.storage.deck_store import DeckShelf
from device.storage.scored import ScoredTables
from referee.table import Detections, Sighting, Unread
from simulator.camera import Lens, SimulatedCamera
from tests.device.seeing import sightings
from tests.referee.finished.finals import MAT
from tests.web.phone import Phone, phone
from tools.bench.score import a_table
from vision.mat import Mat, find_mat
from web import server, worker
from web.scorer import Scorer
from web.worker import PictureScorer, _close_ups, _Look

SEED = 203
POSITION, TABLE = a_table(SEED)
SEATS = len(POSITION.players)
WINNER = POSITION.outcome.winners[0] if POSITION.outcome else 0
FIELDS = {"game": "laminate", "deck": "reference"}


@cache
def mat_seen() -> tuple[Picture, Mat]:
    """Return a picture of the empty mat, and where that lies in it."""
    camera = SimulatedCamera(MAT, SEED, Lens(size=(1000, 750), noise=1.0))
    camera.show(())
    picture = np.asarray(Image.open(BytesIO(camera.jpeg().tobytes())).convert("RGB"), np.uint8)[..., ::-1].copy()
    return picture, find_mat(picture, MAT)


class SeenScorer(PictureScorer):
    """Scores what lies on the table of the seed, whatever the picture; the card at one place can't be read."""

    unreadable = False

    def _read_pictures(
        self, folder: Path, names: Sequence[str], deck: Any, table: Table, mat_mm: Any
    ) -> tuple[_Look, ...]:
        picture, mat = mat_seen()
        cards = tuple(sightings(TABLE, table.lay_out(MAT)))
        unread: tuple[Unread, ...] = ()
        if self.unreadable:
            hidden = next(card for card in cards if card.name == REVIEWED)
            cards = tuple(card for card in cards if card is not hidden)
            unread = (Unread(hidden.x, hidden.y, hidden.angle, "glare"),)
        seen = PictureSeen(Detections(cards, unread), mat)
        return (_Look(seen, picture, tuple(_close_ups(folder, "0", picture, seen)), phone_frame(mat, picture)),)


class HereScorer(Scorer):
    """A scorer whose worker is in this process."""

    async def _answer(self, job: str, found: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(json.dumps(SeenScorer(self._state).answer(json.loads(job))))
        return answer


REVIEWED = str(next(paper for paper in POSITION.papers if paper.complete).cards[0])
"""A card that makes a paper complete."""


class Shelf(DeckShelf):
    """Decks, of which nobody looks into the one that lies there."""

    def load(self, name: str) -> Any:
        return SimpleNamespace(name=name) if name == FIELDS["deck"] else super().load(name)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Phone]:
    monkeypatch.setattr(server, "Scorer", HereScorer)
    monkeypatch.setattr(worker, "deck_shelf", Shelf)
    with phone(tmp_path) as client:
        yield client


def sent(client: Phone, accept: str = "application/json", **fields: str) -> Any:
    data = {**FIELDS, "seats": str(SEATS), **fields}
    return client.post("/score", data=data, files={"file": ("table.jpg", b"a picture")}, headers={"accept": accept})


def final(client: Phone, place: str) -> list[int]:
    answer = client.get(f"{place}.json")
    assert answer.status_code == 200, answer.text
    found: list[int] = answer.json()["final"]
    return found


def card_page(client: Phone, place: str, name: str) -> tuple[str, str]:
    """Return the address of a card that is tapped in the picture, and by what its form names it."""
    number = re.search(rf'/cards/(\d+)" aria-label="{name}', client.get(place).text)
    assert number is not None, "any card of the picture can be tapped"
    page = client.get(f"{place}/cards/{number[1]}")
    assert page.status_code == 200
    at = re.search(r'name="at" value="([^"]*)"', page.text)
    assert at is not None
    return f"{place}/cards/{number[1]}", at[1]


def test_a_card_that_was_read_wrongly_is_corrected_and_the_correction_taken_back(here: Phone) -> None:
    place = sent(here).headers["location"]
    before = final(here, place)
    assert before == list(POSITION.points)
    card, at = card_page(here, place, str(all_card_words()[REVIEWED]))
    assert Image.open(BytesIO(here.get(_close_up(here, card)).content)).format == "JPEG"
    assert here.post(card, data={"at": at, "card": "none"}).headers["location"] == place
    assert final(here, place) != before
    stale = here.post(card, data={"at": at, "card": "none"})
    assert stale.status_code == 400, "another phone was quicker"
    assert f"{place}/cards/" in here.get(place).text.partition("Change my answers")[2], "what was said is listed"
    assert here.post(card, data={"at": _at(here, card), "card": "read"}).status_code == 303
    assert final(here, place) == before


@pytest.mark.slow  # test_a_card_that_was_read_wrongly_is_corrected_and_the_correction_taken_back
def test_an_unread_card_once_named_can_be_named_otherwise(here: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SeenScorer, "unreadable", True)
    place = sent(here).headers["location"]
    page = here.get(place).text
    at = re.search(r'name="at\.0" value="([^"]+)"', page)
    assert at is not None
    assert here.post(place, data={"at.0": at[1], "card.0": "none"}).status_code == 303
    number = re.search(r'class="button" href="([^"]*/cards/\d+)"', here.get(place).text)
    assert number is not None
    assert final(here, place) != list(POSITION.points)
    assert here.post(number[1], data={"at": _at(here, number[1]), "card": REVIEWED}).status_code == 303
    assert final(here, place) == list(POSITION.points)
    assert here.post(number[1], data={"at": _at(here, number[1]), "card": "read"}).status_code == 303
    assert 'name="at.0"' in here.get(place).text, "it is asked again"


@pytest.mark.slow  # test_no_option_of_the_command_line_is_named_on_a_phone
def test_another_number_of_players_with_the_same_picture(here: Phone) -> None:
    wrong = next(seats for seats in (3, 4, 5) if seats != SEATS)
    answer = sent(here, seats=str(wrong))
    place = answer.headers["location"]
    if answer.status_code == 400:
        assert str(SEATS) in answer.json()["error"]["en"]
    page = here.get(place).text
    assert f"Score as {SEATS} players" in page
    assert here.post(place, data={"seats": str(SEATS)}).headers["location"] == place
    assert final(here, place) == list(POSITION.points)


@pytest.mark.slow  # test_a_card_that_was_read_wrongly_is_corrected_and_the_correction_taken_back
def test_a_fault_let_stand_can_be_taken_back(here: Phone) -> None:
    wrong = next(seats for seats in (3, 4, 5) if seats != SEATS)
    place = sent(here, seats=str(wrong)).headers["location"]
    keys = re.findall(r'name="stands" value="([0-9a-f]+)"', here.get(place).text)
    assert keys
    here.post(place, data={"stands": keys})
    shown = re.findall(r'name="shown" value="([0-9a-f]+)"', here.get(place).text)
    assert set(keys) <= set(shown)
    here.post(place, data={"shown": shown})
    assert not re.findall(r'name="shown"', here.get(place).text)
    assert set(keys) <= set(re.findall(r'name="stands" value="([0-9a-f]+)"', here.get(place).text))


@pytest.mark.slow  # test_score_page.py keeps
def test_back_from_what_is_kept_leads_there_and_names_can_be_added(here: Phone, tmp_path: Path) -> None:
    place = sent(here).headers["location"]
    kept = here.post(f"{place}/keep").headers["location"]
    assert re.fullmatch(r"/games/s\d+", kept)
    for again in (here.get(place), here.post(f"{place}/keep"), here.post(place, data={"seats": "3"})):
        assert again.headers["location"] == kept, "whichever way one comes back"
    names = ["Ada", "Bo", "Cy", "Di", "Ed"][:SEATS]
    assert here.post(kept, data={"player": names[:1]}).status_code == 400
    assert here.post(kept, data={"player": names}).headers["location"] == kept
    table = ScoredTables(tmp_path).read_table(int(kept.rpartition("s")[2])).data
    assert [who["en"] for who in table["players"]] == names
    assert names[WINNER - 1] in table["why"]["en"]
    assert f"{names[WINNER - 1]}さん" in table["why"]["ja"]
    assert "\u27e6" not in json.dumps(table["why"], ensure_ascii=False)


@pytest.mark.slow  # test_a_card_that_was_read_wrongly_is_corrected_and_the_correction_taken_back
def test_names_are_added_before_it_is_kept(here: Phone) -> None:
    place = sent(here).headers["location"]
    names = ["Ada", "Bo", "Cy", "Di", "Ed"][:SEATS]
    assert here.post(place, data={"player": names}).status_code == 303
    assert f"{names[WINNER - 1]} wins" in here.get(place).text
    assert here.post(place, data={"player": ["Ada", *[""] * (SEATS - 1)]}).status_code == 400


@pytest.mark.slow  # test_score_page.py has the picture drawn on
def test_phones_get_a_small_picture_and_the_full_one_is_a_link(here: Phone) -> None:
    place = sent(here).headers["location"]
    page = here.get(place).text
    small, full = here.get(f"{place}/picture.jpg"), here.get(f"{place}/picture.png")
    assert Image.open(BytesIO(small.content)).format == "JPEG"
    assert len(small.content) <= 250_000
    assert Image.open(BytesIO(full.content)).format == "PNG"
    assert f'href="{place}/picture-0.png"' in page
    assert ".png" not in page.replace(f'href="{place}/picture-0.png"', ""), "none is loaded with the page"
    kept = here.post(f"{place}/keep").headers["location"]
    assert len(here.get(f"{kept}/picture.jpg").content) <= 250_000


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "seven_wonders", "seats": ""},
        {"players": "A,B"},
        {"deck": "nobody's"},
        {"game": "seven_wonders", "seats": "3"},
        {"game": "seven_wonders", "seats": "3", "deck": ""},
        {"seats": str(3 + (SEATS - 2) % 3)},
    ],
)
def test_no_option_of_the_command_line_is_named_on_a_phone(fields: dict[str, str], here: Phone) -> None:
    answer = sent(here, **fields)
    assert answer.status_code == 400
    for said in answer.json()["error"].values():
        assert not re.search(r"--\w|sevenmat", said), said


def test_a_name_given_by_hand_is_of_one_card() -> None:
    one = Sighting("H7", 100, 100, 0)
    seen = Detections((one, replace(one, x=120), Sighting("H8", 140, 100, 0)), (Unread(110, 100, 0, "glare"),))
    said = with_named(seen, [ByHand("C9", 100, 100, read="H7")])
    assert [(card.name, card.x) for card in said.sightings] == [("H7", 120), ("H8", 140), ("C9", 100)]
    assert said.unread == seen.unread
    gone = with_named(seen, [ByHand(None, 120, 100, read="H7")])
    assert [card.x for card in gone.sightings] == [100, 140]
    assert with_named(seen, [ByHand("C9", 100, 100, read="B2")]) == seen


def _at(client: Phone, card: str) -> str:
    found = re.search(r'name="at" value="([^"]*)"', client.get(card).text)
    assert found is not None
    return found[1]


def _close_up(client: Phone, card: str) -> str:
    found = re.search(r'<img src="([^"]+)"', client.get(card).text)
    assert found is not None
    return found[1]


@pytest.mark.slow  # test_no_option_of_the_command_line_is_named_on_a_phone
def test_what_each_player_has_is_asked_again_for_another_number_of_them(here: Phone) -> None:
    place = sent(here).headers["location"]
    page = here.get(f"/score?game=laminate&seats=4&of={place.rpartition('/')[2]}").text
    assert f'action="{place}"' in page
    assert 'type="file"' not in page, "the picture is there already"
    assert here.get("/score?game=laminate&seats=4&of=nothing").status_code == 400
