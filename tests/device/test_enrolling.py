"""Decks on the shelf and how they come there: pages live, single cards anew, and files that go from table to table."""

from __future__ import annotations

import io
import json
import random
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from cli.main import main
from device.capture.eye import card_reader
from device.enrol.enrolling import LiveEnrolment
from device.enrol.laying import PAGE_WORDS
from device.storage.deck_store import DeckShelf
from referee.layout import REFERENCE_MAT_MM as MAT
from referee.placing import Placed
from rules.text import Language, Text
from simulator.camera import SimulatedCamera
from simulator.pages import lay_page
from tests.decks import reference_deck
from tests.vision.enrol.test_page_order import laid
from vision.arrays import Picture
from vision.enrol import PAGES, deck_of, look_alikes, place_cards
from vision.enrol.pages import EnrolError, Page, PageFault
from vision.identify.deck import Deck
from vision.identify.faces import Faces
from vision.reader import Reader


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera(MAT, seed=8)


def seen(camera: SimulatedCamera, cards: list[Placed]) -> Picture:
    camera.show(cards)
    return camera.take_picture()


@pytest.fixture(scope="module")
def pages(camera: SimulatedCamera) -> dict[str, Picture]:
    return {page: seen(camera, lay_page(page, MAT, random.Random(page))) for page in PAGES}


@pytest.fixture(scope="module")
def learnt(pages: dict[str, Picture]) -> LiveEnrolment:
    """Learn a deck live, with everything that can happen on the way."""
    live = LiveEnrolment(card_reader(), "mine", MAT)
    assert live.page == "seven"
    assert live.words == PAGE_WORDS["seven"]
    unlit = live.show(np.zeros_like(pages["seven"]))
    assert not unlit.accepted
    assert not unlit.may_insist
    assert "page of SEVEN cards can't be read" in str(unlit.faults[0].text)
    assert "セブンのカードのページを読み取れません" in unlit.faults[0].text.said(Language.JA)
    assert live.show(pages["seven"]).accepted
    wrong = live.show(pages["seven"])
    assert (wrong.page, live.page) == ("review", "review")
    assert "SEVEN cards" in str(wrong.faults[0].text)
    assert not wrong.may_insist
    assert live.show(pages["review"]).accepted
    same_side = live.show(pages["review"])
    assert "same side" in str(same_side.faults[0].text)
    assert same_side.may_insist
    assert (live.page, live.deck) == ("complete", None)
    assert live.insist().accepted
    assert live.deck is not None
    live.go_back()
    assert (live.page, live.deck) == ("complete", None)
    assert live.show(pages["complete"]).accepted
    assert live.page is None
    assert live.words is None
    with pytest.raises(ValueError, match="learnt already"):
        live.show(pages["complete"])
    return live


@pytest.fixture(scope="module")
def deck() -> Deck:
    return replace(reference_deck(), name="mine")


@pytest.fixture(scope="module")
def filled(deck: Deck, tmp_path_factory: pytest.TempPathFactory) -> DeckShelf:
    shelf = DeckShelf(tmp_path_factory.mktemp("decks"))
    shelf.save("mine", deck)
    return shelf


@pytest.fixture
def shelf(filled: DeckShelf, tmp_path: Path) -> DeckShelf:
    """Copy the shelf with the deck that was learnt for the test's own use."""
    shelf = DeckShelf(tmp_path)
    place = shelf.get_path("mine")
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(filled.get_path("mine"), place)
    return shelf


@pytest.fixture
def live(learnt: LiveEnrolment, monkeypatch: pytest.MonkeyPatch) -> tuple[LiveEnrolment, dict[str, Page]]:
    """Another enrolment, and the pages that it will find, whatever picture it is shown: those learnt already."""
    found = dict(learnt._pages)
    monkeypatch.setattr("device.enrol.enrolling.read_page", lambda reader, page, *_: found[page])
    return LiveEnrolment(learnt._reader, "again", MAT), found


ANY = np.zeros((4, 4, 3), np.uint8)


@pytest.mark.slow  # tests/vision/enrol/test_paper_order.py
def test_papers_swapped_on_both_pages_are_asked_about_until_they_are_said_to_lie_right(
    live: tuple[LiveEnrolment, dict[str, Page]],
) -> None:
    enrolment, found = live
    a, b = 4, 11
    for page in ("review", "complete"):
        found[page] = laid(found[page], {a: b, b: a})
    assert enrolment.show(ANY).accepted
    asked = enrolment.show(ANY)
    assert (asked.page, enrolment.page, asked.may_insist) == ("review", "review", True)
    (doubt,) = asked.faults
    assert "Three Cards and 49" in str(doubt.text)
    assert "「3カード」と「49」" in doubt.text.said(Language.JA)
    assert enrolment.insist().accepted
    assert enrolment.page == "complete"
    assert enrolment.show(ANY).accepted, "what was answered is not asked again"
    assert enrolment.deck is not None


@pytest.mark.slow  # test_enrolling_two_pages.py learns live; test_learning.py insists
def test_what_is_insisted_on_is_the_page_that_was_shown(
    live: tuple[LiveEnrolment, dict[str, Page]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A doubt between the two paper pages may ask for the earlier one; who insists keeps both as they are."""
    enrolment, found = live
    doubt = PageFault("review", ("three", "five"), Text("Are these in order?"), doubtful=True)

    def deck_in_doubt(reader: Reader, name: str, pages: dict[str, Page], as_laid: bool) -> Deck:
        if not as_laid:
            raise EnrolError([doubt])
        return deck_of(reader, name, pages, as_laid)

    monkeypatch.setattr("device.enrol.enrolling.deck_of", deck_in_doubt)
    assert enrolment.show(ANY).accepted
    assert enrolment.show(ANY).accepted
    assert enrolment.show(ANY).faults == (doubt,)
    assert (enrolment.page, enrolment.deck) == ("review", None)
    verdict = enrolment.insist()
    assert (verdict.page, verdict.accepted) == ("complete", True)
    assert enrolment.deck is not None
    shown = {card.name: card for card in enrolment.deck.cards}
    for page in ("review", "complete"):
        assert np.array_equal(shown[f"three/{page}"].crops, found[page].crops[4])


def jpeg(path: Path, picture: Picture) -> str:
    cv2.imwrite(str(path), picture)
    return str(path)


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one sentence on standard error."""
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("sevenmat: ")
    return lines[0]


@pytest.mark.slow  # tests/vision/test_reader.py: the enrolled deck has every card
def test_a_live_deck_has_every_face_and_none_too_alike(learnt: LiveEnrolment) -> None:
    deck = learnt.deck
    assert deck is not None
    assert len(deck.names) == 49 + 32 + 1
    assert look_alikes(deck) == []


@pytest.mark.slow  # tests/vision/faces/test_alike.py
def test_two_faces_of_one_look_are_named(deck: Deck, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = 2 * deck.names.index("S9")
    h5 = deck.cards[deck.names.index("H5")]
    rows = slice(2 * deck.names.index("H5"), 2 * deck.names.index("H5") + 2)
    twins = deck.with_card(
        replace(h5, name="S9"),
        type(deck.embeddings)(deck.embeddings.vectors[rows], deck.embeddings.rank[rows], deck.embeddings.suit[rows]),
    )
    assert np.array_equal(twins.embeddings.vectors[at : at + 2], deck.embeddings.vectors[rows])
    assert look_alikes(twins) == [("H5", "S9")]
    DeckShelf(tmp_path).save("twins", twins)
    assert main(["decks", "show", "twins", "--state", str(tmp_path), "--language", "en"]) == 0
    assert "heart 5 and star 9" in capsys.readouterr().out
    assert main(["decks", "show", "twins", "--state", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["look_alikes"] == [["H5", "S9"]]


def teach(state: Path, *lessons: tuple[str, str]) -> int:
    cards = [part for lesson in lessons for part in ("--card", *lesson)]
    return main(["enrol", "--deck", "mine", *cards, "--state", str(state), "--language", "en", "--mat", "1189x841"])


@pytest.mark.slow  # test_a_card_that_is_another_one_is_not_taught
def test_cards_are_taught_anew_alone_or_on_their_place(
    shelf: DeckShelf, deck: Deck, camera: SimulatedCamera, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = jpeg(tmp_path / "alone.png", seen(camera, [Placed("H7", 300, 600, 4)]))
    page = jpeg(tmp_path / "page.png", seen(camera, lay_page("complete", MAT, random.Random(5))))
    assert teach(tmp_path, ("H7", alone), ("three/complete", page)) == 0
    assert "heart 7, the paper card Three Cards (complete)" in capsys.readouterr().out
    after = shelf.load("mine")
    changed = [
        name
        for name, old, new in zip(deck.names, deck.cards, after.cards, strict=True)
        if not np.array_equal(old.crops, new.crops)
    ]
    assert changed == ["H7", "three/complete"]
    pairs = zip(deck.cards, after.cards, strict=True)
    assert [old.name for old, new in pairs if not np.array_equal(old.centre_crop, new.centre_crop)] == changed
    moved = np.flatnonzero((after.embeddings.vectors != deck.embeddings.vectors).any(axis=1)) // 2
    assert {deck.names[k] for k in moved} == {"H7", "three/complete"}
    own = 2 * deck.names.index("H7")
    assert float(after.embeddings.vectors[own] @ deck.embeddings.vectors[own]) > 0.9


@pytest.mark.slow  # tests/device/test_learning.py
def test_a_card_that_is_another_one_is_not_taught(
    shelf: DeckShelf, camera: SimulatedCamera, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = shelf.get_path("mine").read_bytes()
    b6 = jpeg(tmp_path / "b6.png", seen(camera, [Placed("B6", 500, 400, 0)]))
    assert teach(tmp_path, ("H7", b6)) == 1
    err = capsys.readouterr().err
    assert "looks like book 6, not heart 7" in err
    assert "--as-laid" in err
    paper = jpeg(tmp_path / "paper.png", seen(camera, [Placed("five/complete", 500, 400, 0)]))
    assert teach(tmp_path, ("five/review", paper)) == 1
    assert "its complete side" in capsys.readouterr().err
    nothing = jpeg(tmp_path / "nothing.png", seen(camera, []))
    assert teach(tmp_path, ("H7", nothing)) == 1
    assert "not found" in said(capsys)
    askew = jpeg(tmp_path / "askew.png", seen(camera, [Placed("H7", 500, 400, 50)]))
    assert teach(tmp_path, ("H7", askew)) == 1
    assert "askew" in said(capsys)
    assert teach(tmp_path, ("Z7", b6)) == 2
    assert "no card 'Z7'" in said(capsys)
    assert shelf.get_path("mine").read_bytes() == before


def test_single_cards_and_pages_are_not_taught_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["enrol", "--deck", "mine", "--card", "H7", "x.jpg", "--seven", "y.jpg", "--state", str(tmp_path)]
    assert main(argv) == 2
    assert "not both" in said(capsys)


@pytest.mark.slow  # tests/vision/identify/test_deck.py
def test_a_deck_goes_to_another_table_and_back(
    shelf: DeckShelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = ["--state", str(tmp_path), "--language", "en"], ["--state", str(tmp_path / "b"), "--language", "en"]
    file = tmp_path / "mine.deck"
    assert main(["decks", "export", "mine", str(file), *here]) == 0
    assert main(["decks", "import", str(file), *there]) == 0
    assert main(["decks", "import", str(file), "--as", "guest", *there]) == 0
    capsys.readouterr()
    assert main(["decks", *there]) == 0
    assert capsys.readouterr().out.split("\n")[:2] == [f"{name:20} 82 faces" for name in ("guest", "mine")]
    assert np.array_equal(DeckShelf(tmp_path / "b").load("guest").embeddings.suit, shelf.load("mine").embeddings.suit)
    assert DeckShelf(tmp_path / "b").load("guest").name == "guest"
    for again in (["export", "mine", str(file), *here], ["import", str(file), *there]):
        assert main(["decks", *again]) == 2
        assert "--replace" in said(capsys)
        assert main(["decks", *again, "--replace"]) == 0
        capsys.readouterr()
    assert main(["decks", "delete", "guest", "--yes", *there]) == 0
    assert DeckShelf(tmp_path / "b").list_names() == ["mine"]


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["show"], "decks show NAME"),
        (["show", "none"], "no deck 'none'"),
        (["show", "../mine"], "can't be a deck's name"),
        (["export", "mine"], "decks export NAME FILE"),
        (["export", "mine", "."], "is a folder"),
        (["export", "mine", "/proc/no/such.deck"], "can't be written"),
        (["export", "none", "x.deck"], "no deck 'none'"),
        (["import", "none.deck"], "no file"),
        (["delete", "mine"], "--yes"),
        (["delete", "none"], "no deck 'none'"),
    ],
)
def test_wrong_uses_are_one_sentence(
    argv: list[str], words: str, shelf: DeckShelf, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before = shelf.get_path("mine").read_bytes()
    assert main(["decks", *argv, "--state", str(tmp_path), "--language", "en"]) == 2
    assert words in said(capsys)
    assert shelf.get_path("mine").read_bytes() == before


def bomb() -> bytes:
    """Make an archive that is small and would unpack to far more than any deck."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("strips.npy", bytes(40_000_000))
    return body.getvalue()


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (lambda good: good[: len(good) // 2], "damaged"),
        (lambda good: good[:12], "damaged"),
        (lambda good: good[:-1], "damaged"),
        (lambda good: good[:3000] + bytes([good[3000] ^ 4]) + good[3001:], "damaged"),
        (lambda good: b"", "damaged"),
        (lambda good: b"PK\x03\x04 another archive", "no deck file"),
        (lambda good: b"{}\n" + good, "no deck file"),
        (lambda good: b"[" * 100_000, "no deck file"),
        (lambda good: good.replace(b'"sevenmat_deck": 1', b'"sevenmat_deck": 2', 1), "newer"),
        (lambda good: good + bytes(40_000_000), "no deck file"),
        (lambda good: signed(bomb()), "damaged"),
        (lambda good: signed(b"PK, but not really"), "damaged"),
    ],
    ids=["half", "stub", "short", "bit", "empty", "zip", "json", "deep", "newer", "huge", "bomb", "unpacked"],
)
def test_a_file_that_is_no_good_deck_is_refused(
    content: object, words: str, shelf: DeckShelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(content)
    bad = tmp_path / "bad.deck"
    bad.write_bytes(content(shelf.get_path("mine").read_bytes()))
    state = ["--state", str(tmp_path), "--language", "en"]
    assert main(["decks", "import", str(bad), *state]) == 2
    assert words in said(capsys)
    assert shelf.list_names() == ["mine"]


def signed(data: bytes) -> bytes:
    """Any bytes in a deck file's clothes, with the right checksum."""
    import hashlib

    head = {"sevenmat_deck": 1, "name": "x", "model": "y", "sha256": hashlib.sha256(data).hexdigest()}
    return json.dumps(head).encode() + b"\n" + data


def test_a_folder_is_no_deck(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decks", "import", str(tmp_path), "--state", str(tmp_path), "--language", "en"]) == 2
    assert "no deck file" in said(capsys)


def test_a_damaged_deck_is_listed_as_such_and_can_be_deleted(
    shelf: DeckShelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf.get_path("sick").write_bytes(b"{}")
    state = ["--state", str(tmp_path), "--language", "en"]
    assert main(["decks", "list", "--json", *state]) == 1
    mine, sick = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert mine == {"deck": "mine", "faces": 82}
    assert "no deck file" in sick["fault"]
    assert main(["decks", "delete", "sick", "--yes", *state]) == 0
    assert shelf.list_names() == ["mine"]


@pytest.mark.slow  # test_enrolling_two_pages.py: pages that make no deck are refused
def test_a_glaring_card_is_named_and_faults_come_as_json_too(
    pages: dict[str, Picture], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from vision.mat import find_mat

    picture = pages["seven"].copy()
    mat = find_mat(picture, MAT)
    x, y = (round(float(v)) for v in mat.to_px(place_cards("seven", MAT)["S7"]))
    cv2.circle(picture, (x, y), round(55 * mat.px_per_mm), (255, 255, 255), -1)
    files = {"seven": picture, "review": pages["complete"], "complete": pages["complete"]}
    options = [part for page in PAGES for part in (f"--{page}", jpeg(tmp_path / f"{page}.png", files[page]))]
    argv = ["enrol", "--deck", "new", *options, "--state", str(tmp_path), "--language", "en"]
    assert main([*argv, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(f["page"], f["cards"], f["doubtful"]) for f in found["faults"]] == [("seven", ["S7"], False)]
    assert "Glare lies over star 7" in found["faults"][0]["text"]
    assert DeckShelf(tmp_path).list_names() == []


def test_cards_that_are_learnt_together_are_not_taught_alone(
    shelf: DeckShelf, deck: Deck, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = "straight6_2p3/review"
    shelf.save("mine", replace(deck, cards=(*deck.cards[:-1], replace(deck.cards[-1], name=house))))
    assert teach(tmp_path, (house, "altar.jpg")) == 2
    assert "The house paper straight6_2p3 can't be learnt one side at a time" in said(capsys)
    faces = Faces(("altar",), np.zeros((1, 200, 130, 3), np.uint8), (65.0, 100.0))
    shelf.save("mine", Deck.of_faces("mine", faces))
    assert teach(tmp_path, ("altar", "altar.jpg")) == 2
    assert "can't be learnt one by one: learn its pages again" in said(capsys)


def test_two_cards_are_called_by_each_others_name_and_papers_on_both_sides(learnt: LiveEnrolment) -> None:
    def crops() -> dict[str, Picture]:
        assert learnt.deck is not None
        return {card.name: card.crops[0] for card in learnt.deck.cards}

    before = crops()
    learnt.swap_names("H2", "S7")
    learnt.swap_names("three/complete", "five/complete")
    after = crops()
    pairs = {"H2": "S7", "three/review": "five/review", "three/complete": "five/complete"}
    pairs |= {other: one for one, other in pairs.items()}
    assert all(np.array_equal(after[name], before[pairs.get(name, name)]) for name in before)
    for one, other in (("H2", "three/review"), ("H2", "X9"), ("H2", "H2")):
        with pytest.raises(ValueError, match="no page has both"):
            learnt.swap_names(one, other)
    learnt.swap_names("H2", "S7")
    learnt.swap_names("five/review", "three/review")
    assert all(np.array_equal(crop, before[name]) for name, crop in crops().items())
