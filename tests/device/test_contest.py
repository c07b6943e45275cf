"""Who begins, by four cards that are turned up: they are read, somebody calls the product, the buttons say who."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from device.capture.table_reader import CardReader, CardsSeen, sound_reader
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.storage.journal import Journal
from referee.layout import MARKER_MM, REFERENCE_MAT_MM
from referee.placing import Placed
from rules.cards import Card
from rules.laminate.first_player import multiply_ranks
from rules.text import Language, Text
from simulator.camera import SimulatedCamera
from tests.decks import reference_deck
from tests.device.house import House, with_decks
from ui.screen_state import GridScreen, Mood, ScreenState
from vision.errors import MatError

FOUR = tuple(Card.parse(name) for name in ("H7", "O2", "FK", "HA"))


class Table(House):
    """Cards that are read as the test has it."""

    def __init__(self, state: Path) -> None:
        super().__init__(state, names=("Ada", "Emmy", "Sofia"))
        self.seen: CardsSeen | MatError = CardsSeen((), 0)
        self.asked_for: list[str] = []
        self.open_cards = self.read_cards

    def read_cards(self, deck: str, mat_mm: tuple[float, float], marker_mm: float) -> Callable[[Picture], CardsSeen]:
        self.asked_for.append(deck)

        def read(_: Picture) -> CardsSeen:
            if isinstance(self.seen, MatError):
                raise self.seen
            return self.seen

        return read

    def to_the_question(self) -> None:
        self.mood(Mood.MENU)
        for line in ("New game", "Laminate Rummy", "3 players", "Ada", "Emmy", "Sofia"):
            self.choose(line)
        self.says("Who begins?")

    def turn_up(self, seen: CardsSeen | MatError) -> None:
        self.camera.hands = True
        time.sleep(0.05)
        self.seen = seen
        self.camera.hands = False

    def shows(self, words: str) -> ScreenState:
        return self.until(lambda screen: words in " ".join((screen.headline, *screen.details)))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with_decks(tmp_path, "mine")
    table = Table(tmp_path)
    table.start()
    yield table
    table.stop()


def test_who_calls_the_product_first_begins(table: Table, tmp_path: Path) -> None:
    table.to_the_question()
    table.choose("Turn 4 cards up")
    table.shows("0 of 4 cards")
    table.turn_up(CardsSeen(FOUR[:3], 0))
    table.shows("3 of 4 cards")
    table.press(Button.CONFIRM)
    table.turn_up(CardsSeen(FOUR, 0))
    shown = table.until(lambda screen: isinstance(screen, GridScreen))
    assert isinstance(shown, GridScreen)
    assert shown.grid.rows == (("H7", "O2", "FK", "HA"),)
    assert "182" not in " ".join((shown.headline, *shown.details)), "nobody has called it yet"
    table.press(Button.CONFIRM)
    asked = table.shows("Who called it first?")
    assert asked.details == ("7 × 2 × 13 × 1 = 182",)
    assert asked.choices == ("Ada", "Emmy", "Sofia")
    table.choose("Sofia")
    table.go_on()
    table.until(lambda screen: screen.to_move == "Sofia" or screen.mood is Mood.WAITING)
    assert table.asked_for == ["mine"]
    with Journal.open(tmp_path) as kept:
        assert kept.list_games()[0].opening.options == {"first_seat": 3}


def test_what_can_not_be_read_is_said_and_settles_nothing(table: Table) -> None:
    table.to_the_question()
    table.choose("Turn 4 cards up")
    table.shows("0 of 4 cards")
    table.turn_up(CardsSeen(FOUR, 1))
    table.shows("can't be read")
    table.press(Button.CONFIRM)
    table.turn_up(MatError(Text("Marker 0 can't be seen.")))
    table.shows("Marker 0")
    table.press(Button.CONFIRM, Button.BACK)
    assert "Turn 4 cards up and multiply them" in table.says("Who begins?").choices


def test_without_a_reader_nothing_is_offered(tmp_path: Path) -> None:
    with_decks(tmp_path, "mine")
    with House(tmp_path, names=("Ada", "Emmy", "Sofia")) as house:
        house.mood(Mood.MENU)
        for line in ("New game", "Laminate Rummy", "3 players", "Ada", "Emmy", "Sofia"):
            house.choose(line)
        assert house.says("Who begins?").choices == (
            "Ada",
            "Emmy",
            "Sofia",
            "Teach us this game: off",
            "House papers: none",
        )


@pytest.mark.parametrize(
    ("names", "words"), [("HA O2 B3 C4", "1 × 2 × 3 × 4 = 24"), ("FK F7 S5 T6", "13 × 7 × 5 × 6 = 2730")]
)
def test_the_product_is_shown_with_its_factors(names: str, words: str) -> None:
    assert multiply_ranks([Card.parse(name) for name in names.split()]).said(Language.JA) == words


@pytest.mark.slow  # tests/vision/test_reader.py
def test_the_real_reader_reads_four_cards_among_face_down_ones() -> None:
    camera = SimulatedCamera(REFERENCE_MAT_MM, 3)
    read = CardReader(sound_reader(), reference_deck(), REFERENCE_MAT_MM, MARKER_MM)
    backs = [Placed("back", 547 + n * 0.2, 420.0, 0.0) for n in range(5)]
    four = [Placed(name, 300.0 + 130 * n, 250.0 + 20 * n, 7.0 * n) for n, name in enumerate(("H7", "O2", "FK", "HA"))]
    camera.show([*backs, *four])
    assert read(camera.take_picture()) == CardsSeen(FOUR, 0)
    camera.show(four[:3])
    assert read(camera.take_picture()).cards == FOUR[:3]
