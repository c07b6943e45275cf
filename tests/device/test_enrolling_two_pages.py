"""A deck for games without papers: learnt from the 49 cards and a back, and good for a game of Wild Seven."""

from __future__ import annotations

import json
import random
from pathlib import Path

import cv2
import pytest

from cli.main import main
from device.capture.eye import card_reader
from device.capture.table_reader import TableReader
from device.enrol.learning import page_learner
from device.session.session import Session
from device.storage.deck_store import DeckShelf
from referee.layout import REFERENCE_MAT_MM as MAT
from referee.simulation import is_right
from referee.simulation.registry import simulation_of
from referee.wild_seven.referee import REFEREE
from rules.record import Header
from simulator.camera import SimulatedCamera
from simulator.pages import lay_page

PLAYERS = ("Ada", "Emmy", "Sofia")
LOOKS = 12


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera(MAT, seed=8)


@pytest.fixture(scope="module")
def pages(camera: SimulatedCamera, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    for page in ("seven", "back"):
        camera.show(lay_page(page, MAT, random.Random(page)))
        cv2.imwrite(str(folder / f"{page}.png"), camera.take_picture())
    return {page: str(folder / f"{page}.png") for page in ("seven", "back")}


def enrolled(tmp_path: Path, *options: str) -> int:
    return main(["enrol", "--deck", "mine", "--state", str(tmp_path), "--language", "en", *options])


@pytest.mark.slow  # test_two_pages_are_learnt_live
def test_two_pages_teach_what_games_without_papers_need(
    camera: SimulatedCamera, pages: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enrolled(tmp_path, "--seven", pages["seven"], "--back", pages["back"], "--json") == 0
    assert json.loads(capsys.readouterr().out)["faces"] == 50
    reader = card_reader()
    layout = REFEREE.make_layout(3, MAT)
    read = TableReader(reader, DeckShelf(tmp_path).load("mine"), REFEREE, layout)
    session = Session(REFEREE, Header("wild_seven", PLAYERS), layout)
    simulation = simulation_of(REFEREE, PLAYERS, {}, layout, random.Random(5))
    for number, attempt in enumerate(simulation.play_game()):
        camera.show(simulation.lying)
        view = read(camera.take_picture())
        session.see(view)
        if attempt.unconfirmed:
            assert simulation.has_noticed(session.agreed)
        else:
            assert is_right(simulation, session.confirm(view), attempt), attempt
        if number == LOOKS:
            break


@pytest.mark.slow
def test_pages_given_the_wrong_way_round_are_told(
    pages: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enrolled(tmp_path, "--seven", pages["back"], "--back", pages["seven"]) == 1
    said = capsys.readouterr().err
    assert "The page of SEVEN cards is not laid out as it should be" in said
    assert "On the place of the face-down card on the face-down page lies what looks like a SEVEN card face up" in said
    assert not (tmp_path / "decks" / "mine.deck").exists()


@pytest.mark.slow  # test_two_pages_are_learnt_live
def test_pages_are_named_one_by_one_too(
    pages: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = [part for page, file in reversed(pages.items()) for part in ("--page", f"{page}={file}")]
    assert enrolled(tmp_path, *both, "--json") == 0
    assert json.loads(capsys.readouterr().out)["faces"] == 50


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--page", "wonders=PAGE"], "There is no page 'wonders': the pages are seven, review, complete, back, "),
        (["--seven", "PAGE", "--page", "seven=PAGE"], "the page 'seven' is named twice"),
        (["--page", "PAGE"], "is no page with its picture such as seven=page.jpg"),
        (["--page", "seven=PAGE"], "--seven and --back are enough"),
    ],
)
def test_a_page_that_is_not_known_is_one_sentence(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enrolled(tmp_path, *(option.replace("PAGE", "page.png") for option in options)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line


@pytest.mark.slow  # tests/web/test_learn_page.py learns a deck live
def test_two_pages_are_learnt_live(camera: SimulatedCamera) -> None:
    learner = page_learner("mine", MAT, ("seven", "back"))
    for page in ("seven", "back"):
        assert learner.enrolment.page == page
        camera.show(lay_page(page, MAT, random.Random(page)))
        learner.asked = True
        verdict = learner(camera.take_picture()).verdict
        assert verdict is not None
        assert verdict.accepted, verdict.faults
        learner.note_said(verdict)
    deck = learner.enrolment.deck
    assert deck is not None
    assert len(deck.cards) == 50


@pytest.mark.few(1)
@pytest.mark.parametrize("given", [("seven",), ("back",), ("seven", "back", "review")])
def test_pages_that_make_no_deck_are_refused(
    given: tuple[str, ...], pages: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [part for page in given for part in (f"--{page}", pages["seven"])]
    assert enrolled(tmp_path, *options) != 0
    assert "--seven and --back are enough" in capsys.readouterr().err
