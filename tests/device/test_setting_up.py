"""A first evening with four buttons: names are written, the camera is aimed, a mat is measured, a deck is learnt."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from device.app.equipment import Look, Pace
from device.capture.table_reader import TableReader
from device.enrol.enrolling import LiveEnrolment, PageVerdict
from device.enrol.laying import PagePart
from device.enrol.learning import PageLearner, page_learner
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.hardware.steady import SteadyCamera
from device.settings.settings_file import load_settings
from device.storage.deck_store import DeckShelf
from device.storage.journal import Journal
from device.storage.opening import Opening, Result
from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.view.layouts import layout_for
from referee.placing import Placed
from rules.cards import Card
from rules.text import Language
from simulator.camera import SimulatedCamera
from tests.device.house import House, with_decks
from ui.screen_state import CameraScreen, CardsScreen, Mood, NamePad, PadScreen, ScreenState
from vision.enrol import PAGES, divide_page, place_cards, place_part
from vision.identify.deck import Deck, DeckCard

NEW = ("Mia", "Ken", "Aya")
SMALL_MAT = (900.0, 600.0)
CONFIRM, BACK, UP, DOWN = Button.CONFIRM, Button.BACK, Button.UP, Button.DOWN


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., House]]:
    houses: list[House] = []

    def begin(house: House | None = None, **wishes: object) -> House:
        house = house or House(tmp_path, **wishes)
        houses.append(house)
        house.start()
        return house

    yield begin
    for house in houses:
        house.stop()


def write(house: House, name: str) -> None:
    """Write a name on the pad as a player does who goes the shorter way round, and end it."""
    for letter in name:
        rows = pad_of(house.until(lambda screen: isinstance(screen, PadScreen)))
        wanted = next(number for number, row in enumerate(rows.rows) if number and letter in row)
        turn(house, wanted - rows.row, len(rows.rows))
        house.press(CONFIRM)
        turn(house, rows.rows[wanted].index(letter), len(rows.rows[wanted]))
        house.press(CONFIRM)
        house.until(lambda screen: isinstance(screen, PadScreen) and screen.pad.column is None)
    assert pad_of(house.screens[-1]).typed == name
    house.press(CONFIRM, long=True)


def pad_of(screen: ScreenState) -> NamePad:
    assert isinstance(screen, PadScreen)
    return screen.pad


def turn(house: House, steps: int, of: int) -> None:
    steps %= of
    if steps <= of // 2:
        house.press(*[DOWN] * steps)
    else:
        house.press(*[UP] * (of - steps))


def take(house: House, words: str) -> None:
    """Go to the menu's line with these words the shorter way, and take it."""
    screen = house.until(lambda screen: any(words in line for line in screen.choices))
    wanted = next(number for number, line in enumerate(screen.choices) if words in line)
    turn(house, wanted - screen.chosen, len(screen.choices))
    house.press(CONFIRM)


class Learnt(LiveEnrolment):
    """Takes every page for what it should be."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.deck = None
        self._mat_mm = None

    @property
    def page(self) -> str | None:
        return next((page for page in PAGES if page not in self.seen), None)

    @property
    def part(self) -> PagePart | None:
        return None

    def show(self, picture: Picture) -> PageVerdict:
        page = self.page
        assert page is not None
        self.seen.append(page)
        if self.page is None:
            crop = np.zeros((56, 160, 3), np.uint8)
            names = [name for page in PAGES for name in place_cards(page, (1.0, 1.0))]
            self.deck = Deck("x", tuple(DeckCard(name, (crop, crop)) for name in names), np.zeros(0), "x")  # type: ignore[arg-type]
        return PageVerdict(page, ())


def test_from_power_on_to_the_first_confirm_with_new_players_and_an_unknown_deck(
    begin: Callable[..., House], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Before, 14 presses led there with players called by their seats; names could not be written at all."""
    monkeypatch.setattr("device.enrol.learning.look_alikes", lambda deck: [])
    monkeypatch.setattr(DeckShelf, "save", lambda shelf, name, deck: with_decks(tmp_path, name))
    house = House(tmp_path)
    house.learner = PageLearner(Learnt())
    begin(house)
    take(house, "Learn a deck")
    take(house, "A new deck")
    take(house, "3 pages")
    for number in (1, 2, 3):
        house.says(f"page {number} of 3")
        house.press(CONFIRM)
    house.says("Right?")
    house.press(CONFIRM)
    house.says("is known now")
    house.press(CONFIRM)
    take(house, "New game")
    take(house, "Laminate Rummy")
    take(house, "3 players")
    without_names = house.pressed_so_far
    for name in NEW:
        take(house, "Write a name")
        write(house, name)
    for_names = house.pressed_so_far - without_names
    take(house, "Mia")
    house.go_on()
    house.set_up()
    assert [player.name for player in house.screens[-1].players] == list(NEW)
    assert (house.pressed_so_far, for_names) == (59, 45)


def test_with_known_players_four_presses_lead_to_the_first_confirm(begin: Callable[..., House], tmp_path: Path) -> None:
    with_decks(tmp_path, "mine", "yours")
    with Journal.open(tmp_path) as kept:
        kept.begin(Opening("laminate", NEW, {"first_seat": 1}, "yours"), Language.EN).end(Result((15, 3, 2), (1,)))
    house = begin()
    house.mood(Mood.MENU)
    take(house, "New game: Mia, Ken, Aya")
    take(house, "Mia")
    house.go_on()
    house.set_up()
    assert house.pressed_so_far == 4
    with Journal.open(tmp_path) as kept:
        assert kept.list_games()[-1].opening.deck == "yours"


def test_players_of_the_last_games_are_offered_first(begin: Callable[..., House], tmp_path: Path) -> None:
    with_decks(tmp_path, "mine")
    with Journal.open(tmp_path) as kept:
        for players in (("Old", "Older", "Oldest"), NEW):
            kept.begin(Opening("laminate", players, {"first_seat": 1}, "mine"), Language.EN)
    house = begin(names=("Set", "Ken"))
    house.mood(Mood.MENU)
    house.press(DOWN, DOWN)
    house.choose("New game")
    house.choose("Laminate Rummy")
    house.choose("3 players")
    asked = house.says("Who sits at seat 1?")
    assert asked.choices == (*NEW, "Old", "Older", "Oldest", "Set", "Write a name", "Player 1")


def test_a_name_that_is_taken_or_empty_is_refused_with_a_word(begin: Callable[..., House], tmp_path: Path) -> None:
    with_decks(tmp_path, "mine")
    house = begin()
    house.mood(Mood.MENU)
    for line in ("New game", "Laminate Rummy", "3 players", "Write a name"):
        take(house, line)
    house.press(CONFIRM, long=True)
    assert "needs a letter" in fault(house.until(lambda screen: bool(fault(screen))))
    write(house, "Mia")
    take(house, "Write a name")
    write(house, "Mia")
    assert "sits at the table already" in fault(house.until(lambda screen: bool(fault(screen))))
    house.press(BACK, BACK, BACK)
    house.until(lambda screen: isinstance(screen, PadScreen) and not screen.pad.typed)
    house.press(BACK)
    house.says("Who sits at seat 2?")


def fault(screen: ScreenState) -> str:
    return screen.pad.fault if isinstance(screen, PadScreen) else ""


# What the camera sees


def sees(house: House, words: str) -> ScreenState:
    def wanted(screen: ScreenState) -> bool:
        return isinstance(screen, CameraScreen) and any(words in line for line, _ in screen.view.checks)

    return house.until(wanted, 40)


def page_laid(page: str, part: Sequence[str] = (), swapped: tuple[str, str] | None = None) -> list[Placed]:
    """Lay a page, or a part of one, as people do on the small mat; two papers may lie in each other's place."""
    places = dict(place_part(page, part, SMALL_MAT) if part else place_cards(page, SMALL_MAT))
    if swapped is not None:
        one, other = (f"{kind}/{page}" for kind in swapped)
        places[one], places[other] = places[other], places[one]
    rng = random.Random(page)
    return [
        Placed(name, x + rng.uniform(-1.5, 1.5), y + rng.uniform(-1.5, 1.5), rng.uniform(-1, 1))
        for name, (x, y) in places.items()
    ]


class RealHouse(House):
    """A mat before the real reader."""

    def __init__(self, state: Path, mat: tuple[float, float]) -> None:
        super().__init__(state)
        self.over = SimulatedCamera(mat, 3)
        self.over.show(())
        self.pace = Pace(rounds=100, looks=20, still_s=0.15)

    def open_camera(self) -> SteadyCamera:
        return SteadyCamera(lambda: self.over, preview_timeout_s=30, picture_timeout_s=30)

    def open_look(self, opening: Opening) -> Look:
        return TableReader.build(DeckShelf(self.state), opening)

    def open_learner(self, name: str, mat_mm: tuple[float, float], pages: tuple[str, ...]) -> PageLearner:
        return page_learner(name, mat_mm, pages)

    def put(self, cards: Iterable[Placed]) -> None:
        """Other cards on the mat; hands bring them, and are seen."""
        cards = tuple(cards)
        before, self.over.hands = self.looked(), True
        self.wait(lambda: self.looked() > before)
        self.over.show(cards)
        self.over.hands = False
        before = self.looked()
        self.wait(lambda: self.looked() > before)
        time.sleep(0.6)

    def looked(self) -> float:
        stage = self.app._navigator.activity
        lookout = getattr(stage, "_lookout", None)
        return lookout.looked_s if lookout is not None else time.monotonic()

    def wait(self, until: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not until():
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def shows(self, words: str) -> ScreenState:
        return self.until(lambda screen: words in " ".join((screen.headline, *screen.details)), 90)


@pytest.mark.slow
def test_a_mat_of_900_by_600_is_measured_and_a_deck_learnt_in_halves_on_it(
    begin: Callable[..., House], tmp_path: Path
) -> None:
    """The settings say A0; two papers lie swapped at first; then the first move of a game is read."""
    house = RealHouse(tmp_path, SMALL_MAT)
    begin(house)
    house.mood(Mood.MENU)
    take(house, "Learn a deck")
    take(house, "A new deck")
    take(house, "3 pages")
    house.shows("page 1 of 3")
    house.press(CONFIRM)
    asked = house.shows("Measured")
    assert "not 1189" in asked.headline.replace("\u00a0", " ")
    house.press(CONFIRM)
    halves = divide_page("seven", SMALL_MAT)
    assert [len(half) for half in halves] == [28, 21]
    for number, half in enumerate(halves):
        house.shows(f"page 1 of 3, part {number + 1} of 2")
        house.put(page_laid("seven", half))
        house.press(CONFIRM)
    house.shows("page 2 of 3")
    house.put(page_laid("review", swapped=("three", "five")))
    house.press(CONFIRM)
    doubt = house.shows("Three Cards")
    assert doubt.mood is Mood.QUESTION
    assert "belongs in row 2" in doubt.headline
    assert len(doubt.choices) == 2
    for page, number in (("review", 2), ("complete", 3)):
        house.put(page_laid(page))
        house.shows(f"page {number} of 3")
        house.press(CONFIRM)
        house.shows(f"page {number + 1} of 3" if number < 3 else "Right?")
    first = house.screens[-1]
    assert isinstance(first, CardsScreen)
    assert [card.name for card in first.cards] == ["5 Straight", "7 Straight", "9 Straight", "11 Straight"]
    house.press(CONFIRM)
    house.shows("is known now")
    house.press(CONFIRM)
    assert len(DeckShelf(tmp_path).load("deck 1").cards) == 82
    measured = load_settings(tmp_path).table.mat_mm
    assert measured == pytest.approx(SMALL_MAT, rel=0.01)
    house.over.show(())
    for line in ("New game", "Laminate Rummy", "3 players", "Player 1", "Player 2", "Player 3", "Player 1"):
        take(house, line)
    seen = sees(house, "Mat as set")
    assert isinstance(seen, CameraScreen)
    assert [seat.name for seat in seen.view.seats] == ["Player 1", "Player 2", "Player 3"]
    assert all(good for _, good in seen.view.checks)
    house.press(CONFIRM)
    house.mood(Mood.WAITING)
    table = SimulatedTable(layout_for(3, SMALL_MAT), random.Random(1))
    table.stack_draw(39)
    table.lay_discard(Card.parse("T8"))
    house.put(table)
    house.until(lambda screen: screen.mood is Mood.PREVIEW, 60)
    house.press(CONFIRM)
    house.until(lambda screen: screen.mood is Mood.ACCEPTED, 60)
    assert house.moves() == 1
