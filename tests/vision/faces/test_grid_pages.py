"""Pages of a game's own: what is said of a page that is missing, there twice, or of another deck."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from cli.main import main
from device.capture.eye import card_reader
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_wonders.cards import CARDS
from simulator.camera import CardSprites, SimulatedCamera
from tests.vision.faces.art import face
from tests.vision.faces.tables import camera, page
from tests.words import en
from vision.arrays import Picture
from vision.enrol import EnrolError, Page, deck_of, read_page
from vision.identify.deck import Deck
from vision.identify.faces import Faces
from vision.incremental import IncrementalReader
from vision.mat import find_mat
from vision.reader import Reader


@cache
def above_banners() -> SimulatedCamera:
    return camera("banner", 3)


def picture(name: str, without: int | None = None) -> Picture:
    above = above_banners()
    cards = page(name, random.Random(name))
    above.show([card for n, card in enumerate(cards) if n != without])
    return above.take_picture()


def drawn(art: str, name: str) -> Page:
    """Return an accepted page of an art as it is drawn."""
    names = tuple(next(grid for grid in CARDS.grids if grid.name == name).cards)
    faces = np.stack([np.asarray(face(art, card, 2.0))[..., ::-1] for card in names])
    nothing = Deck.of_faces("none", Faces(("a",), faces[:1], CARDS.size_mm)).embeddings
    return Page(name, names, (), nothing, (), faces)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return card_reader()


def faults(reader: Reader, **pages: str) -> list[tuple[str, str]]:
    with pytest.raises(EnrolError) as told:
        deck_of(reader, "x", {name: drawn(art, shown) for name, (art, shown) in _given(pages).items()})
    return [(fault.page, en(fault)) for fault in told.value.faults]


def _given(pages: dict[str, str]) -> dict[str, tuple[str, str]]:
    """For each page the art and the page that its picture shows: the banner art's own unless another is told."""
    names = [grid.name for grid in CARDS.grids]
    return {name: tuple(pages.get(name, f"banner {name}").split()) for name in names}  # type: ignore[misc]


def test_a_page_lies_where_the_game_says() -> None:
    assert CARDS.pages == ("age1", "age2", "age3", "guilds")
    places = [grid.place_cards((1189.0, 841.0)) for grid in CARDS.grids]
    assert [len(each) for each in places] == [28, 24, 19, 10]
    assert [list(each).index(back) for each, back in zip(places, CARDS.backs, strict=False)] == [27, 23, 18]
    assert places[0]["clay_pit"] == (294.5, 252.5)
    assert places[0]["back1"] == (894.5, 588.5)
    assert len(CARDS.faces) == 78


@pytest.mark.slow  # test_pages_of_one_deck_make_a_deck
def test_a_page_is_read_and_one_without_a_card_names_it(reader: Reader) -> None:
    learnt = read_page(reader, "guilds", picture("guilds"), REFERENCE_MAT_MM)
    assert learnt.names[0] == "builders_guild"
    assert learnt.faces is not None
    assert learnt.faces.shape == (10, 200, 130, 3)
    with pytest.raises(EnrolError) as told:
        read_page(reader, "guilds", picture("guilds", without=3), REFERENCE_MAT_MM)
    assert "Philosophers guild is missing on the page of the guilds" in str(told.value)


def test_a_picture_of_another_page_is_named(reader: Reader) -> None:
    with pytest.raises(EnrolError) as told:
        read_page(reader, "age3", picture("guilds"), REFERENCE_MAT_MM)
    assert "given as the page of age 3 shows the page of the guilds" in str(told.value)


def test_pages_of_one_deck_make_a_deck(reader: Reader, tmp_path: Path) -> None:
    deck = deck_of(reader, "x", {grid.name: drawn("banner", grid.name) for grid in CARDS.grids})
    assert set(deck.names) == {*CARDS.faces, *CARDS.backs}
    deck.save(tmp_path / "x.deck")
    again = Deck.load(tmp_path / "x.deck")
    assert again.names == deck.names
    assert again.faces is not None
    assert deck.faces is not None
    assert np.array_equal(again.faces.pictures, deck.faces.pictures)
    assert again.faces.alike == CARDS.alike


def test_a_page_that_is_there_twice_is_named(reader: Reader) -> None:
    said = faults(reader, age2="banner age1")
    assert said[0][0] == "age2"
    assert "the page of age 1 and of the page of age 2 show the same cards" in said[0][1]


@pytest.mark.parametrize("art", ["dark", "printed"])
def test_a_page_of_another_deck_is_named(reader: Reader, art: str) -> None:
    said = faults(reader, age3=f"{art} age3")
    assert [page for page, _ in said] == ["age3"]
    assert "another deck" in said[0][1]


def test_the_command_names_missing_and_repeated_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin = ["enrol", "--deck", "x", "--state", str(tmp_path), "--language", "en"]
    assert main([*begin, "--page", "age1=a.jpg", "--page", "age2=b.jpg", "--page", "age3=c.jpg"]) == 2
    assert "The page guilds is missing" in capsys.readouterr().err
    assert main([*begin, "--page", "age1=a.jpg", "--page", "age1=b.jpg"]) == 2
    assert "'age1' is named twice" in capsys.readouterr().err


@pytest.mark.slow  # test_reading.py reads a table
def test_a_table_is_read_and_what_changed_is_read_anew(reader: Reader) -> None:
    names = ("altar", "forum", "academy", "walls", "temple", "senate", *CARDS.backs)
    pictures = np.stack([np.asarray(face("printed", name, 2.0))[..., ::-1] for name in names])
    faces = Faces(names, pictures, CARDS.size_mm, frozenset(CARDS.backs), CARDS.alike)
    watching = IncrementalReader(reader, Deck.of_faces("x", faces))
    above = SimulatedCamera(REFERENCE_MAT_MM, 5)
    cards = [
        Placed("altar", 300, 500, 0.5),
        Placed("forum", 301, 524, -1.0),
        Placed("back2", 700, 300, 181.0),
        Placed("academy", 900, 300, 179.0),
    ]
    above.show(cards)
    seen = above.take_picture()
    mat = find_mat(seen, REFERENCE_MAT_MM)
    assert sorted(card.name for card in watching.read(seen, mat).sightings) == ["academy", "altar", "back2", "forum"]
    above.show([*cards, Placed("walls", 299, 549, 0.0)])
    seen = above.take_picture()
    there = {card.name: card for card in watching.read(seen, find_mat(seen, REFERENCE_MAT_MM, mat)).sightings}
    assert sorted(there) == ["academy", "altar", "back2", "forum", "walls"]
    assert there["altar"].visible < 0.4 < there["walls"].visible
    assert abs(there["walls"].x - 299) < 2
    assert abs(there["walls"].y - 549) < 2
    assert watching.detected_share < 0.2


def test_the_printed_set_has_a_face_for_every_card_and_the_camera_draws_it() -> None:
    assert set(CARDS.printed) == {*CARDS.faces, *CARDS.backs}
    assert CardSprites(2.0).draw_face("palace").size == (130, 200)
    assert CARDS.back_of("builders_guild") == "back3"
    assert CARDS.back_of("temple") == "back2"
    assert CARDS.copies_for("tavern", 3) == 0
    assert CARDS.copies_for("tavern") == 3
