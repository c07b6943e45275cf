"""Papers that players made themselves: learnt, chosen, printed, and read in a game."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest

from cli.house_papers import find_papers
from cli.main import main
from device.app.menus.start import show_home, start_rematch
from device.capture.eye import deck_for
from device.capture.table_reader import TableReader, sound_reader
from device.enrol.enrolling import LiveEnrolment
from device.enrol.printed_deck import page_picture
from device.enrol.reading_back import ReadingBack
from device.errors import DeviceError
from device.storage.deck_store import DeckShelf
from device.storage.opening import Opening
from printing.sheets import print_pages, print_papers
from referee.layout import MARKER_MM, REFERENCE_MAT_MM
from referee.menu import Menu
from referee.papers import house_pages
from referee.registry import load_papers, load_referees
from referee.simulation.registry import simulation_of
from referee.verdict import Accepted, Refused
from rules.game import Contest
from rules.laminate.moves import Publish
from rules.text import Language, Text
from simulator.camera import SimulatedCamera
from tests.decks import the_printed_deck
from tests.device.at_the_table import PLAYERS
from tests.device.test_menus import Desk
from vision.enrol import place_cards
from vision.identify.deck import Deck
from vision.identify.faces import Faces

MADE = ("sum21_1p4", "sets2x2_1p4", "sets3x2_3p2", "sets4x1_2p3")
OPTIONS = {"first_seat": 1, "house_papers": list(MADE)}
GAME = "laminate"


@pytest.fixture(scope="module")
def printed() -> Deck:
    return the_printed_deck()


@pytest.fixture(scope="module")
def deck(printed: Deck) -> Deck:
    """Learn the printed deck with papers of the house live."""
    pages = house_pages(MADE)
    learner = LiveEnrolment(sound_reader(), "mine", REFERENCE_MAT_MM, pages, printed)
    for page in pages:
        assert learner.page == page
        assert learner.show(page_picture(page)).accepted
    assert learner.deck is not None
    return learner.deck


@pytest.mark.slow  # tests/vision/enrol/test_paper_order.py reads papers of the house
def test_they_are_learnt_into_a_deck_that_is_known(deck: Deck, printed: Deck, tmp_path: Path) -> None:
    assert set(deck.names) == set(printed.names) | {
        f"{kind}/{side}" for kind in MADE for side in ("review", "complete")
    }
    shelf = DeckShelf(tmp_path)
    shelf.save("mine", deck)
    assert shelf.load("mine").names == deck.names
    assert shelf.list_faces("mine") == frozenset(deck.names)
    assert shelf.list_faces("another") == frozenset()
    back = ReadingBack.from_deck(deck, house_pages(MADE))
    assert back.make_screen(Language.EN).cards[0].name == "21"
    assert {back.turn_cards(by).page for by in range(len(back.pages))} == set(house_pages(MADE))


@pytest.mark.slow  # test_they_are_learnt_into_a_deck_that_is_known
def test_learning_them_again_replaces_them(deck: Deck) -> None:
    pages = house_pages(MADE[:1])
    learner = LiveEnrolment(sound_reader(), "mine", REFERENCE_MAT_MM, pages, deck)
    for page in pages:
        learner.show(page_picture(page))
    assert learner.deck is not None
    assert sorted(learner.deck.names) == sorted(deck.names)


@pytest.mark.slow  # tests/vision/enrol/test_paper_order.py
def test_a_papers_page_that_shows_the_same_side_or_a_built_in_paper_is_doubted(
    printed: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = house_pages(MADE[:1])
    learner = LiveEnrolment(sound_reader(), "mine", REFERENCE_MAT_MM, pages, printed)
    assert learner.show(page_picture(pages[0])).accepted
    verdict = learner.show(page_picture(pages[0]))
    assert [fault.cards for fault in verdict.faults] == [("sum21_1p4/complete",)]
    assert verdict.may_insist
    face = load_papers()["straight7"]
    monkeypatch.setattr("device.artwork.faces.load_papers", lambda: {"sum21_1p4": face})
    learner = LiveEnrolment(sound_reader(), "mine", REFERENCE_MAT_MM, pages, printed)
    for page in pages:
        verdict = learner.show(page_picture(page))
    assert {fault.cards for fault in verdict.faults} == {
        ("sum21_1p4/review", "straight7/review"),
        ("sum21_1p4/complete", "straight7/complete"),
    }
    assert learner.deck is None
    assert learner.page == pages[0]


@pytest.mark.slow  # test_they_are_learnt_into_a_deck_that_is_known
def test_pictures_teach_them_on_the_command_line(
    printed: Deck, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf = DeckShelf(tmp_path)
    shelf.save("mine", printed)
    files = []
    for page, side in zip(house_pages(MADE[:1]), ("review", "complete"), strict=True):
        files += [f"--{side}", str(tmp_path / f"{side}.jpg")]
        cv2.imwrite(files[-1], page_picture(page))
    asked = ["enrol", "--state", str(tmp_path), "--deck", "mine", "--language", "ja", "--house-papers"]
    assert main([*asked, MADE[0], *files]) == 0
    assert "「21」" in capsys.readouterr().out
    assert len(shelf.load("mine").names) == len(printed.names) + 2
    assert main([*asked, "three", *files]) == 2
    assert main([*asked, MADE[0], *files[:2]]) == 2
    assert capsys.readouterr().err.count("\n") == 2
    with pytest.raises(DeviceError):
        find_papers(",".join(f"sum{total}_1p1" for total in range(20, 40)))


def test_a_deck_of_a_game_without_papers_takes_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Return whether the pictures are given or would be taken live; the deck stays as it was."""
    shelf = DeckShelf(tmp_path)
    shelf.save("w", Deck.of_faces("w", Faces(("altar",), np.full((1, 200, 130, 3), 90, np.uint8), (65.0, 100.0))))
    asked = ["enrol", "--state", str(tmp_path), "--deck", "w", "--house-papers", MADE[0]]
    for pictures in ([], ["--review", "review.jpg", "--complete", "complete.jpg"]):
        assert main([*asked, *pictures]) == 2
        assert "'w' is of a game that has no papers" in capsys.readouterr().err
    assert shelf.load("w").names == ("altar",)


def test_pages_of_two_decks_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["enrol", "--state", str(tmp_path), "--deck", "w", "--seven", "seven.jpg", "--page"]
    assert main([*asked, "age1=age1.jpg"]) == 2
    assert "The page seven is of another deck" in capsys.readouterr().err


@pytest.mark.slow  # tests/web/test_start_page.py: house papers that the deck knows
def test_a_deck_without_them_says_that_they_are_learnt_first(printed: Deck, deck: Deck) -> None:
    reader = sound_reader()
    with pytest.raises(DeviceError, match="Learn these house papers first: 21, Two Pairs, Double Threes, Four Cards"):
        deck_for(load_referees()[GAME], printed, reader, OPTIONS)
    assert deck_for(load_referees()[GAME], deck, reader, OPTIONS).names == deck.names


@pytest.mark.slow  # test_they_are_learnt_into_a_deck_that_is_known; tests/rules/test_paper_examples.py counts them
def test_a_game_with_them_is_read_and_counted(deck: Deck) -> None:
    """Every publication of one, and what follows, as the camera sees it; a paper that is not played is refused."""
    referee = load_referees()[GAME]
    layout = referee.make_layout(len(PLAYERS), REFERENCE_MAT_MM)
    simulation = simulation_of(referee, PLAYERS, OPTIONS, layout, random.Random(1))
    state, camera = referee.start(PLAYERS, OPTIONS), SimulatedCamera(REFERENCE_MAT_MM, 1)
    without = referee.start(PLAYERS, {"first_seat": 1})
    look = TableReader(sound_reader(), deck, referee, layout, MARKER_MM, OPTIONS)
    seen, made = 0, False
    for attempt in simulation.play_game():
        if attempt.move is None or attempt.unconfirmed:
            continue
        made = made or (isinstance(attempt.move, Publish) and attempt.move.paper in MADE)
        if made and seen < 2:
            camera.show(list(simulation.lying))
            view = look(camera.take_picture())
            verdict = referee.judge(state, view, layout)
            assert isinstance(verdict, Accepted)
            assert simulation.is_same(verdict.move, attempt.move)
            if not seen:
                refused = referee.judge(without, view, layout)
                assert isinstance(refused, Refused)
                assert refused.refusal.code == "unknown_paper"
            seen += 1
        elif not made:
            without = referee.after_move(without, attempt.move, referee.save_details(without))
        state = referee.after_move(state, attempt.move, referee.save_details(state))
        if seen == 2:
            break
    assert seen == 2
    assert any(paper.kind in MADE for paper in state.position.papers)


def test_a_journal_keeps_them() -> None:
    opening = Opening(GAME, PLAYERS, OPTIONS, "mine")
    assert Opening.from_json(opening.to_json()) == opening
    with pytest.raises(ValueError, match="house_papers"):
        Opening.from_json({**opening.to_json(), "house_papers": ["straight5_1p4"]})
    assert "house_papers" not in Opening(GAME, PLAYERS, {"first_seat": 1}).to_json()


def test_they_are_printed(tmp_path: Path) -> None:
    some = find_papers(",".join(MADE[2:]))
    print_papers(tmp_path / "papers.pdf", house=some)
    print_pages(tmp_path / "pages.pdf", house=some)
    assert (tmp_path / "papers.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "pages.pdf").read_bytes().startswith(b"%PDF")
    assert main(["print", "mat", str(tmp_path / "x.pdf"), "--house-papers", MADE[0]]) == 2
    assert (
        list(place_cards(house_pages(MADE)[0], REFERENCE_MAT_MM).values())
        == list(place_cards("review", REFERENCE_MAT_MM).values())[: len(MADE)]
    )


# The menus


@dataclass
class Table(Desk):
    """A desk with a deck that knows some papers of the house, after a game with two of them."""

    learnt: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def list_faces(self, deck: str) -> frozenset[str]:
        return frozenset(f"{kind}/{side}" for kind in ("three", *MADE[:3]) for side in ("review", "complete"))

    ready: tuple[str, ...] = ()

    def find_last(self) -> Opening:
        return Opening(GAME, PLAYERS, {"first_seat": 2, "house_papers": list(MADE[:2])}, "mine")

    def learn(self, name: str, pages: tuple[str, ...]) -> None:
        self.learnt.append((name, pages))


def taken(menu: Menu | None, words: str) -> Menu | None:
    assert menu is not None
    return next(option for option in menu.options if words in str(option.words)).take()


def test_the_same_players_have_their_papers_again_and_no_press_more() -> None:
    table = Table()
    menu = start_rematch(table, table.find_last())
    assert [str(option.words) for option in menu.options][-1] == "House papers: 21, Two Pairs"
    menu.take_choice()
    assert table.begun[0].options == {"first_seat": 1, "house_papers": list(MADE[:2])}


def test_a_contest_keeps_the_papers_that_were_chosen_before_it() -> None:
    @dataclass
    class Contested(Table):
        can_read_cards = True

        def hold(self, contest: Contest, deck: str, then: Callable[[Text], Menu], back: Menu) -> None:
            self.asked = then(Text("7 × 2 = 14"))

    table = Contested()
    menu = walked(start_rematch(table, table.find_last()), "House papers", "✓ 21", "Done", "Turn 4 cards")
    assert menu is None
    assert [str(option.words) for option in table.asked.options] == list(PLAYERS)
    walked(table.asked, PLAYERS[1])
    assert table.begun[0].options == {"first_seat": 2, "house_papers": ["sets2x2_1p4"]}


def test_papers_are_chosen_before_a_game() -> None:
    table = Table()
    menu = taken(start_rematch(table, table.find_last()), "House papers")
    for words in ("✓ 21", "Two Pairs", "Double Threes"):
        menu = taken(menu, words)
    menu = taken(menu, "Done")
    taken(menu, PLAYERS[2])
    assert table.begun[0].options == {"first_seat": 3, "house_papers": ["sets3x2_3p2"]}
    taken(taken(taken(menu, "House papers"), "✓ Double Threes"), "Done")
    menu = taken(taken(taken(menu, "House papers"), "✓ Double Threes"), "Done")
    taken(menu, PLAYERS[0])
    assert table.begun[1].options == {"first_seat": 1}


def test_a_paper_that_the_deck_does_not_know_is_learnt_first() -> None:
    table = Table()
    menu = taken(taken(start_rematch(table, table.find_last()), "House papers"), "Four Cards")
    assert menu is not None
    assert "learn it first" in str(menu.title)
    assert "自作" not in menu.title.said(Language.JA)
    menu = taken(taken(menu, "Learn it now"), "All Odd")
    assert taken(menu, "Learn 2 papers") is None
    assert table.learnt == [("mine", house_pages(("sets4x1_2p3", "ranks_1_3_5_7_9_11_13_7p1")))]


def walked(menu: Menu | None, *lines: str) -> Menu | None:
    for words in lines:
        menu = taken(menu, words)
    return menu


@pytest.mark.parametrize(
    ("lines", "name", "words"),
    [
        (("Consecutive ranks", "8 cards", "4 points", "2 cards"), "straight8_4p2", "8 Straight (4 p., 2×)"),
        (("one suit", "5 cards", "5 points", "1 card"), "straight_flush5_5p1", "5 Straight Flush (5 p., 1×)"),
        (("Pairs", "2 cards", "6 ranks", "9 points", "1 card"), "sets2x6_9p1", "Six Pairs (9 p., 1×)"),
        (("exactly", "40 …", "42", "2 points", "3 cards"), "sum42_2p3", "42 (2 p., 3×)"),
        (("or more", "70 …", "70", "3 points", "2 cards"), "sum70plus_3p2", "70+ (3 p., 2×)"),
        (
            ("that you choose", "– K", "– 3", "– 7", "✓ 3", "Done", "1 point", "4 cards"),
            "ranks_7_13_1p4",
            "7 K (1 p., 4×)",
        ),
    ],
)
def test_a_paper_is_made_up_by_the_buttons(lines: tuple[str, ...], name: str, words: str) -> None:
    table = Table()
    menu = walked(show_home(table), "Learn a deck", "House papers of mine", "Another one", *lines)
    assert menu is not None
    assert any(str(option.words) == f"✓ {words}" for option in menu.options)
    assert walked(menu, "Learn 1 paper") is None
    assert table.learnt == [("mine", house_pages((name,)))]


def test_what_is_built_in_is_not_made_up_again_and_every_question_leads_back() -> None:
    menu = walked(show_home(Table()), "Learn a deck", "House papers of mine", "Another one", "Consecutive ranks")
    assert menu is not None
    counts = [str(option.words) for option in menu.options]
    assert not {"5 cards", "7 cards", "9 cards", "11 cards"} & set(counts)
    assert "13 cards" in counts
    for line in ("6 cards", "2 points"):
        following = taken(menu, line)
        assert following is not None
        assert following.parent is menu
        menu = following


def test_two_that_take_the_same_are_not_played_together() -> None:
    class Both(Table):
        def list_faces(self, deck: str) -> frozenset[str]:
            made = ("sum21_1p4", "sum21_3p1", "sets2x2_1p4")
            return frozenset(f"{kind}/{side}" for kind in made for side in ("review", "complete"))

    table = Both()
    menu = walked(start_rematch(table, table.find_last()), "House papers", "21 (3 p.", "Done", PLAYERS[0])
    assert menu is None
    assert table.begun[0].options["house_papers"] == ["sets2x2_1p4", "sum21_3p1"]


def test_they_are_learnt_from_the_first_menu() -> None:
    table = Table()
    menu = taken(taken(show_home(table), "Learn a deck"), "House papers of mine")
    assert menu is not None
    assert all("Learn" not in str(option.words) for option in menu.options)
    menu = taken(taken(menu, "Five Pairs"), "Five Pairs")
    menu = taken(menu, "6 Straight")
    assert taken(menu, "Learn 1 paper") is None
    assert table.learnt == [("mine", house_pages(("straight6_2p3",)))]
