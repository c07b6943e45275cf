"""A finished table scored on the display: what is listed and asked, the ranking, and what the journal keeps of it."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from device.app.scoring import TableScoring
from device.capture.capture import Lookout
from device.errors import DeviceError
from device.hardware import steady
from device.hardware.buttons import Button, Press
from device.hardware.camera import Picture
from device.hardware.steady import SteadyCamera
from device.scoring.looking import Look, TableSeen
from device.scoring.table import Table
from device.speech import Language
from device.storage.scored import ScoredTables
from referee.laminate.simulated.table import SimulatedTable
from referee.table import Detections, Sighting, Unread
from rules.laminate.position import Position
from rules.text import Text
from tests.device.at_the_table import SketchCamera
from tests.device.house import House, with_decks
from tests.device.seeing import sightings
from tests.device.spoken import in_every_language
from tests.referee.finished.finals import MAT, NAMES, finished, laid
from ui.screen_state import (
    CloseUp,
    Mood,
    QuestionScreen,
    ScoreScreen,
    ScreenState,
    TablePicture,
    TableScreen,
    Thumbnail,
)

FOUR = 1  # the seed of a game of four players


def a_table(seed: int = FOUR) -> tuple[Position, SimulatedTable]:
    position = finished(seed)
    table = laid(position, random.Random(seed))
    assert table is not None
    return position, table


class Desk:
    """The stage at a sketched table, with a reader that sees what the test says."""

    def __init__(self, seed: int = FOUR, language: Language = Language.EN) -> None:
        self.position, self.table = a_table(seed)
        self.camera = SketchCamera()
        self.seen = Detections(tuple(sightings(self.table, self.table.layout)))
        self.kept: list[dict[str, Any]] = []
        self.full = False
        self.doubts: tuple[Text, ...] = ()
        table = Table.set_up("laminate", len(self.position.players), NAMES[: len(self.position.players)], MAT)
        self.stage = TableScoring(table, "mine", lambda: self.look, self.lookout, language, self.keep)

    def look(self, picture: Picture) -> TableSeen:
        shown = tuple((mark, Thumbnail((4, 4), bytes(48))) for mark in self.seen.unread)
        return TableSeen(self.seen, MAT, b"jpeg", shown, self.doubts)

    def lookout(self, open_reader: Callable[[], Look]) -> Lookout[TableSeen]:
        return Lookout(
            SteadyCamera(lambda: self.camera), open_reader, threading.Event(), still_s=0.03, looks_a_second=200
        )

    def keep(self, data: dict[str, Any], jpeg: bytes) -> None:
        if self.full:
            raise DeviceError(Text("The disk is full."))
        self.kept.append(data)

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.stage.press(Press(button))

    def until(self, wanted: Callable[[ScreenState], bool]) -> ScreenState:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            self.stage.run_round()
            if wanted(screen := in_every_language(self.stage)):
                return screen
            time.sleep(0.003)
        raise AssertionError(self.stage.make_screen())

    def mood(self, mood: Mood) -> ScreenState:
        return self.until(lambda screen: screen.mood is mood)

    def unsee(self, card: str, *candidates: str) -> Sighting:
        """Make a card unreadable."""
        gone = next(seen for seen in self.seen.sightings if seen.name == card)
        rest = tuple(seen for seen in self.seen.sightings if seen is not gone)
        self.seen = Detections(rest, (Unread(gone.x, gone.y, gone.angle, "glare", candidates),))
        return gone

    def choose(self, words: str) -> None:
        for _ in range(40):
            screen = self.stage.make_screen()
            if words in screen.choices[screen.chosen]:
                self.press(Button.CONFIRM)
                return
            self.press(Button.DOWN)
        raise AssertionError(self.stage.make_screen().choices)


@pytest.fixture
def desk() -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def open_desk(**options: Any) -> Desk:
        desks.append(Desk(**options))
        return desks[-1]

    yield open_desk
    for one in desks:
        one.stage.close()


def test_a_doubtful_mat_is_asked_about_before_a_result_is_kept(desk: Callable[..., Desk]) -> None:
    here = desk()
    here.doubts = (Text("The four markers lie askew."),) * 2
    here.until(lambda screen: bool(screen.choices))
    here.press(Button.CONFIRM)
    assert here.kept == []
    asked = here.until(lambda screen: bool(screen.choices))
    assert "The four markers lie askew." in (asked.headline, *asked.details)
    here.choose("It is right as it lies: count it so")
    here.mood(Mood.PREVIEW)
    here.press(Button.CONFIRM)
    here.mood(Mood.FINISHED)
    assert [fault["en"] for fault in here.kept[0]["confirmed"]] == ["The four markers lie askew."]


def test_papers_are_listed_with_their_points_and_drawn_and_confirm_keeps_the_ranking(desk: Callable[..., Desk]) -> None:
    here = desk()
    assert "Score this table" in here.stage.make_screen().headline
    screen = here.mood(Mood.PREVIEW)
    outcome = here.position.outcome
    assert outcome is not None
    assert [line.points for line in screen.players] == list(outcome.points)
    assert isinstance(screen, TableScreen)
    assert isinstance(screen.picture, TablePicture)
    assert len(screen.picture.papers) == len(here.position.papers)
    here.press(Button.DOWN)
    page = here.stage.make_screen()
    assert page.headline == f"Hilbert ({outcome.points[0]} points)"
    assert len(page.details) == sum(paper.seat == 1 for paper in here.position.papers)
    here.press(Button.UP, Button.CONFIRM)
    ranked = here.mood(Mood.FINISHED)
    assert isinstance(ranked, ScoreScreen)
    assert [line.points for line in ranked.ranking] == sorted(outcome.points, reverse=True)
    assert [line.winner for line in ranked.ranking] == [
        NAMES.index(line.name) + 1 in outcome.winners for line in ranked.ranking
    ]
    (kept,) = here.kept
    assert (kept["final"], kept["winners"]) == (list(outcome.points), list(outcome.winners))
    assert (kept["by_hand"], kept["confirmed"]) == ([], [])
    assert not here.stage.done
    here.press(Button.CONFIRM)
    assert here.stage.done


def test_an_unread_card_is_asked_for_and_counts_as_told_by_hand(desk: Callable[..., Desk]) -> None:
    here = desk()
    here.mood(Mood.PREVIEW)
    card = next(str(p.cards[0]) for p in here.position.papers if p.complete)
    other = next(str(p.cards[0]) for p in here.position.papers if p.complete and str(p.cards[0]) != card)
    here.unsee(card, card, other)
    here.stage._lookout.look_again()
    screen = here.mood(Mood.QUESTION)
    assert "can't be read surely (glare)" in screen.headline
    assert len([line for line in screen.choices if line.lower() == here_words(card)]) == 1
    assert not any(line.lower() == here_words(other) for line in screen.choices), "it lies elsewhere"
    assert isinstance(screen, QuestionScreen)
    assert isinstance(screen.picture, CloseUp)
    assert screen.picture.table is not None
    assert len(screen.picture.table.unseen) == 1
    assert screen.picture.seen == Thumbnail((4, 4), bytes(48))
    here.press(Button.CONFIRM)
    read = here.mood(Mood.PREVIEW)
    assert read.players
    assert not isinstance(read.picture, CloseUp)
    here.press(Button.CONFIRM)
    here.mood(Mood.FINISHED)
    assert [one["card"] for one in here.kept[0]["by_hand"]] == [card]
    assert here.kept[0]["final"] == list(here.position.outcome.points)  # type: ignore[union-attr]


def test_a_named_card_that_was_taken_away_is_not_the_next_one_there(desk: Callable[..., Desk]) -> None:
    here = desk()
    here.mood(Mood.PREVIEW)
    whole = here.seen
    card = next(str(p.cards[0]) for p in here.position.papers if p.complete)
    here.unsee(card, card)
    doubtful = here.seen
    here.stage._lookout.look_again()
    here.mood(Mood.QUESTION)
    here.press(Button.CONFIRM)
    here.mood(Mood.PREVIEW)
    here.seen = whole
    here.stage._lookout.look_again()
    here.until(lambda screen: screen.mood is Mood.PREVIEW and not here.stage._answers.named)
    here.seen = doubtful
    here.stage._lookout.look_again()
    here.mood(Mood.QUESTION)


def here_words(card: str) -> str:
    from rules.cards import Card

    return str(Card.parse(card).text)


def test_a_card_is_found_among_all_by_its_suit(desk: Callable[..., Desk]) -> None:
    here = desk()
    here.mood(Mood.PREVIEW)
    card = next(str(p.cards[0]) for p in here.position.papers if p.complete)
    here.unsee(card)
    here.stage._lookout.look_again()
    here.mood(Mood.QUESTION)
    suit, _, rank = here_words(card).partition(" ")
    here.choose(f"{suit.capitalize()} …")
    here.press(Button.BACK)
    here.choose(f"{suit.capitalize()} …")
    here.choose(f"{suit.capitalize()} {rank}")
    here.mood(Mood.PREVIEW)


def test_what_cannot_be_is_mended_on_the_table_or_confirmed_by_hand(desk: Callable[..., Desk]) -> None:
    here = desk()
    here.mood(Mood.PREVIEW)
    sound = here.seen
    column = next(key for key, column in here.table.columns.items() if column.complete_side)
    here.table.turn_paper(*column)
    here.seen = Detections(tuple(sightings(here.table, here.table.layout)))
    here.stage._lookout.look_again()
    screen = here.mood(Mood.QUESTION)
    assert screen.choices == ("We put it right on the table", "It is right as it lies: count it so")
    here.press(Button.CONFIRM)
    assert "looked at again by itself" in here.stage.make_screen().details[0]
    turned, here.seen = here.seen, sound
    here.stage._lookout.look_again()
    here.mood(Mood.PREVIEW)
    here.seen = turned
    here.stage._lookout.look_again()
    here.mood(Mood.QUESTION)
    here.choose("It is right")
    here.mood(Mood.PREVIEW)
    here.press(Button.CONFIRM)
    assert [one["code"] for one in here.kept[0]["confirmed"]] == ["turn_the_paper"]


def test_it_is_asked_whether_the_game_is_over_where_nothing_says_so(desk: Callable[..., Desk]) -> None:
    here = desk()
    cards = []
    for seat, card in enumerate(("H7", "O7", "B7", "C7"), 1):
        x0, y0, x1, y1 = here.table.layout.seat_rect(seat)
        x, y, down = (x0 + x1) / 2, (y0 + y1) / 2, -25 if here.table.layout.faces_down(seat) else 25
        cards += [Sighting("three/complete", x, y, 0.0), Sighting(card, x, y + down, 0.0)]
    here.seen = Detections(tuple(cards))
    assert "the game may not be over" in here.mood(Mood.QUESTION).headline
    here.choose("It is right as it lies")
    here.mood(Mood.PREVIEW)
    here.press(Button.CONFIRM)
    (kept,) = here.kept
    assert (kept["winners"], len(kept["confirmed"])) == ([1, 2, 3, 4], 1)


def test_hands_are_waited_for_and_a_full_disk_is_said(desk: Callable[..., Desk]) -> None:
    here = desk()
    here.mood(Mood.PREVIEW)
    here.camera.hands = True
    here.mood(Mood.HANDS)
    here.press(Button.CONFIRM)
    assert here.kept == []
    here.camera.hands = False
    here.mood(Mood.PREVIEW)
    here.full = True
    here.press(Button.CONFIRM)
    assert "The disk is full." in here.mood(Mood.BLIND).headline
    here.full = False
    here.press(Button.CONFIRM)
    here.mood(Mood.PREVIEW)
    here.press(Button.CONFIRM)
    here.mood(Mood.FINISHED)


def test_an_empty_mat_is_said_and_back_leaves(desk: Callable[..., Desk]) -> None:
    here = desk(language=Language.JA)
    here.seen = Detections()
    here.stage._lookout.look_again()
    assert "カードがありません" in here.until(lambda screen: screen.mood is Mood.BLIND).headline
    here.press(Button.BACK)
    assert here.stage.done


# --- the whole program


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(steady, "_SOONEST_S", 0.1)
    with_decks(tmp_path, "mine")
    house = House(tmp_path)
    _, lying = a_table()
    seen = Detections(tuple(sightings(lying, lying.layout)))

    def scorer(table: Table, deck: str, mat_mm: tuple[float, float], marker_mm: float) -> Look:
        assert deck == "mine"
        return lambda picture: TableSeen(seen, mat_mm, b"jpeg")

    house.scorer = scorer
    house.start()
    yield house
    house.stop()


def test_from_the_first_menu_to_the_ranking_of_four_without_names_takes_six_presses(
    house: House, tmp_path: Path
) -> None:
    presses = 0

    def press(button: Button) -> None:
        nonlocal presses
        presses += 1
        house.press(button)

    house.mood(Mood.MENU)
    press(Button.DOWN)
    assert house.screens[-1].choices[house.screens[-1].chosen] == "Score this table"
    press(Button.CONFIRM)
    house.says("Which game lies there?")
    press(Button.CONFIRM)
    screen = house.says("How many play?")
    assert screen.choices[screen.chosen] == "4 players"
    press(Button.CONFIRM)
    house.says("Shall the players be named?")
    press(Button.CONFIRM)
    house.mood(Mood.PREVIEW)
    press(Button.CONFIRM)
    ranked = house.mood(Mood.FINISHED)
    outcome = finished(FOUR).outcome
    assert outcome is not None
    assert [line.points for line in ranked.ranking] == sorted(outcome.points, reverse=True)
    assert presses <= 6
    kept = ScoredTables(tmp_path)
    assert kept.read_table(1).data["final"] == list(outcome.points)
    house.press(Button.CONFIRM)
    house.says("What would you like to do?")


def test_names_are_asked_for_and_back_leads_back(house: House) -> None:
    house.mood(Mood.MENU)
    house.choose("Score this table")
    house.choose("Laminate Rummy")
    house.press(Button.BACK)
    house.says("Which game lies there?")
    house.choose("Laminate Rummy")
    house.choose("4 players")
    house.choose("With names")
    for seat in range(1, 5):
        house.says(f"seat {seat}")
        house.choose(f"Player {seat}")
    assert [line.name for line in house.mood(Mood.PREVIEW).players] == [f"Player {n}" for n in range(1, 5)]
    house.press(Button.BACK)
    house.says("What would you like to do?")


def test_what_no_camera_sees_is_asked_for(house: House) -> None:
    house.mood(Mood.MENU)
    house.choose("Score this table")
    house.choose("Seven Euchre")
    house.choose("Without names")
    house.says("Who is the declarer?")
    house.choose("Seat 2")
    house.says("Which trump?")
    house.choose("Coin")
    house.says("How many tricks")
    house.choose("8 tricks")
    house.says("packets lie in the areas")
