"""Finished cities scored on the display: boards, coins and tokens told by the buttons, doubtful cards asked for."""

from __future__ import annotations

import csv
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.scored import export_scored, show_scored
from device.app.scoring import TableScoring
from device.app.services.scores import Scores
from device.capture.capture import Lookout
from device.enrol.ready_decks import PRINTED_DECK
from device.hardware import steady
from device.hardware.buttons import Button, Press
from device.hardware.camera import Picture
from device.hardware.steady import SteadyCamera
from device.scoring.asking import asked_menu
from device.scoring.looking import Look, TableSeen
from device.scoring.table import Table
from device.speech import Language
from device.storage.deck_store import DeckShelf
from device.storage.scored import ScoredTables
from referee.layout import REFERENCE_MAT_MM
from referee.menu import Menu
from referee.registry import load_scorings
from referee.table import Detections, Unread
from rules.seven_wonders.position import Position
from rules.text import Text
from tests.device.at_the_table import SketchCamera
from tests.device.house import House, with_decks
from tests.referee.finished.cities import laid, played, seen, told
from ui.screen_state import CloseUp, Mood, QuestionScreen, ScreenState, Thumbnail

SEED = 3
SCORING = load_scorings()["seven_wonders"]
CONFIRM, DOWN, BACK = Button.CONFIRM, Button.DOWN, Button.BACK


def game() -> Position:
    return played(SEED)


def lying(*unread: tuple[str, Unread]) -> Detections:
    """Its final cities, but for cards by name that can't be read."""
    cards = list(seen(laid(game().cities, Random(SEED))))
    marks = []
    for name, mark in unread:
        card = next(card for card in cards if card.name == name)
        cards.remove(card)
        marks.append(replace(mark, x=card.x, y=card.y, angle=card.angle))
    return Detections(tuple(cards), tuple(dict.fromkeys(marks)))


class Desk:
    """The stage above a table that is seen as the test says."""

    def __init__(
        self,
        seen: Detections,
        what: dict[str, Any],
        language: Language = Language.EN,
        players: tuple[str, ...] | None = None,
    ) -> None:
        self.seen, self.kept, self.camera = seen, list[dict[str, Any]](), SketchCamera()
        table = Table.set_up("seven_wonders", None, players or game().players, REFERENCE_MAT_MM, what)
        self.stage = TableScoring(table, "mine", lambda: self.look, self.lookout, language, self.keep)

    def look(self, picture: Picture) -> TableSeen:
        shown = tuple((mark, Thumbnail((4, 4), bytes(48))) for mark in self.seen.unread)
        return TableSeen(self.seen, REFERENCE_MAT_MM, b"jpeg", shown)

    def lookout(self, open_reader: Callable[[], Look]) -> Lookout[TableSeen]:
        return Lookout(
            SteadyCamera(lambda: self.camera), open_reader, threading.Event(), still_s=0.03, looks_a_second=200
        )

    def keep(self, data: dict[str, Any], jpeg: bytes) -> None:
        self.kept.append(data)

    def mood(self, mood: Mood) -> ScreenState:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            self.stage.run_round()
            if (screen := self.stage.make_screen()).mood is mood:
                return screen
            time.sleep(0.003)
        raise AssertionError(self.stage.make_screen())

    def press(self, *buttons: Button) -> ScreenState:
        for button in buttons:
            self.stage.press(Press(button))
        return self.stage.make_screen()

    def choose(self, words: str) -> ScreenState:
        for _ in range(90):
            screen = self.stage.make_screen()
            if screen.choices[screen.chosen].startswith(words):
                return self.press(CONFIRM)
            self.press(DOWN)
        raise AssertionError((words, self.stage.make_screen().choices))


@pytest.fixture
def desk() -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def opened(*words: Any, **more: Any) -> Desk:
        desks.append(Desk(*words, **more))
        return desks[-1]

    yield opened
    for one in desks:
        one.stage.close()


def test_the_score_sheet_is_the_ranking_and_is_kept(desk: Callable[..., Desk]) -> None:
    position = game()
    here = desk(lying(), told(position))
    here.mood(Mood.PREVIEW)
    page = here.press(DOWN)
    city = position.cities[0]
    assert page.headline == f"{position.players[0]} ({position.points[0]} points)"
    assert "War (9 points)" in page.details
    assert f"{city.board.text}, {city.stages} stages, {city.coins} coins" in page.details
    assert any(line.startswith(f"{len(city.cards)} cards: ") for line in page.details)
    assert page.picture is not None
    assert len(page.picture.papers) == sum(len(city.cards) + city.stages for city in position.cities)
    here.press(Button.UP, CONFIRM)
    ranked = here.mood(Mood.FINISHED)
    notes = {line.name: line.note for line in ranked.ranking}
    for name, points in zip(position.players, position.categories, strict=True):
        assert notes[name] == " ".join(map(str, points)).replace("-", "−")
    assert [line.points for line in ranked.ranking] == sorted(position.points, reverse=True)
    assert ranked.details == ("In the table, from the left: war, treasury, wonder, blue, green, yellow and purple.",)
    (kept,) = here.kept
    assert kept["told"] == told(position)
    assert [tally["categories"] for tally in kept["tallies"]] == [list(points) for points in position.categories]
    assert [tally["facts"]["stages"] for tally in kept["tallies"]] == [city.stages for city in position.cities]


def test_a_doubtful_card_is_asked_for_with_its_picture(desk: Callable[..., Desk]) -> None:
    name = game().cities[0].cards[0].id
    here = desk(lying((name, Unread(0, 0, 0, "doubtful", ("altar", name)))), told(game()))
    screen = here.mood(Mood.QUESTION)
    assert isinstance(screen, QuestionScreen)
    assert isinstance(screen.picture, CloseUp)
    assert screen.picture.seen == Thumbnail((4, 4), bytes(48))
    here.choose(name.replace("_", " ").capitalize())
    assert here.mood(Mood.PREVIEW).players[0].points == game().points[0]


def test_what_looks_like_no_card_may_be_several(desk: Callable[..., Desk]) -> None:
    """All cards of the place are named before it counts as settled."""
    cards = game().cities[1].cards[:2]
    marks = [(card.id, Unread(0, 0, 0, "unknown")) for card in cards]
    both = lying(*marks)
    here = desk(replace(both, unread=both.unread[:1]), told(game()))
    first, second = cards
    here.mood(Mood.QUESTION)
    here.choose(f"Age {first.age}")
    assert here.choose(str(first.text).capitalize()).headline == "Does another card lie there too?"
    assert here.press(DOWN, CONFIRM).headline.startswith("The card at")
    here.choose(f"Age {second.age}")
    here.choose(str(second.text).capitalize())
    here.press(BACK)
    assert here.stage.make_screen().choices[0].startswith("Age 1")
    here.choose(f"Age {second.age}")
    here.choose(str(second.text).capitalize())
    here.press(CONFIRM)
    here.mood(Mood.PREVIEW)
    here.press(CONFIRM)
    assert [one["card"] for one in here.kept[0]["by_hand"]] == [card.id for card in cards]
    assert here.kept[0]["final"] == list(game().points)


def test_tokens_that_do_not_add_up_are_told_again(desk: Callable[..., Desk]) -> None:
    wrong = told(game()) | {"tokens": [[0, 0, 0, 0]] * 3}
    here = desk(lying(), wrong)
    screen = here.mood(Mood.QUESTION)
    assert "victories of age 3, but the shields of the cities give" in screen.headline
    assert screen.choices[0] == "Tell it again"
    here.press(CONFIRM)
    for player, tokens in zip(game().players, told(game())["tokens"], strict=True):
        for part in tokens:
            assert here.stage.make_screen().headline.startswith(f"{player}: how many ")
            here.choose(str(part))
    here.mood(Mood.PREVIEW)
    here.press(CONFIRM)
    assert here.kept[0]["told"] == told(game())
    assert here.kept[0]["confirmed"] == []


def test_told_wrong_once_more_it_is_asked_again(desk: Callable[..., Desk]) -> None:
    here = desk(lying(), told(game()) | {"tokens": [[0, 0, 0, 0]] * 3})
    first = here.mood(Mood.QUESTION)
    here.press(CONFIRM)
    for _ in range(12):
        here.choose("0")
    again = here.stage.make_screen()
    assert (again.headline, again.choices) == (first.headline, first.choices)


def test_six_cities_are_laid_in_two_parts(desk: Callable[..., Desk]) -> None:
    position = played(4, 6)
    parts = [Detections(seen(laid(position.cities[first : first + 3], Random(first)))) for first in (0, 3)]
    named = next(card for card in parts[0].sightings if not card.name.startswith("back"))
    mark = Unread(named.x, named.y, named.angle, "doubtful", (named.name,))
    doubtful = Detections(tuple(card for card in parts[0].sightings if card is not named), (mark,))
    here = desk(doubtful, told(position), players=position.players)
    assert "now Hilbert, Banach and Noether" in here.stage.make_screen().details[0]
    here.mood(Mood.QUESTION)
    here.press(CONFIRM)
    assert here.mood(Mood.PREVIEW).headline == "All is read of Hilbert, Banach and Noether."
    screen = here.press(CONFIRM)
    assert here.kept == []
    assert "now Gauss, Euler and Galois" in screen.details[0]
    here.press(CONFIRM)
    again = here.mood(Mood.BLIND).headline
    assert again.startswith("What lies there was read already. Not all find room at once: now Gauss")
    here.camera.hands = True
    here.mood(Mood.HANDS)
    here.seen = parts[1]
    here.camera.hands = False
    here.mood(Mood.PREVIEW)
    here.press(CONFIRM)
    here.mood(Mood.FINISHED)
    (kept,) = here.kept
    assert kept["final"] == list(position.points)
    assert [one["card"] for one in kept["by_hand"]] == [named.name]


def test_down_turns_to_every_page_and_back_to_the_whole(desk: Callable[..., Desk]) -> None:
    here = desk(lying(), told(game()))
    whole = here.mood(Mood.PREVIEW)
    seen_pages = []
    while (screen := here.press(DOWN)).headline != whole.headline:
        seen_pages.append((screen.headline, screen.page))
    assert len(seen_pages) == len(set(seen_pages)) > 2 * len(game().players)
    assert here.press(Button.UP).headline == seen_pages[-1][0]
    assert (here.stage.make_screen().headline, here.stage.make_screen().page) == seen_pages[-1]
    assert here.press(BACK).headline == whole.headline
    assert not here.stage.done
    here.press(CONFIRM)
    assert [here.press(DOWN).page for _ in range(3)] == [1, 0, 1]
    here.press(BACK)
    assert here.stage.done


def taken(menu: Menu, words: str) -> Menu | None:
    return next(option for option in menu.options if str(option.words).startswith(words)).take()


def test_boards_are_asked_seat_by_seat_each_wonder_once_and_back_leads_back() -> None:
    option = next(option for option in SCORING.asked if option.key == "boards")
    names = ("A", "B", "C")
    got: list[Any] = []
    menu = asked_menu(option, names, [Text(name) for name in names], got.append, None)
    assert str(menu.title) == "A: Which board?"
    second = taken(menu, "Giza B")
    assert second is not None
    assert second.title.said(Language.JA) == "B：どの脅威ボードですか？"
    assert not any(str(line.words).startswith("Giza") for line in second.options)
    assert second.parent is not None
    assert second.parent.title == menu.title
    third = taken(second, "Rhodes A")
    assert third is not None
    taken(third, "Ephesos B")
    assert got == [["giza/b", "rhodes/a", "ephesos/b"]]


def test_many_coins_are_asked_in_tens() -> None:
    option = next(option for option in SCORING.asked if option.key == "coins")
    got: list[Any] = []
    menu: Menu | None = asked_menu(option, ("A", "B"), [Text("A"), Text("B")], got.append, None)
    for tens, ones in (("40 to 49", "47"), ("0 to 9", "5")):
        assert menu is not None
        within = taken(menu, tens)
        assert within is not None
        assert len(within.options) == 10
        assert within.parent is not None
        assert str(within.parent.options[within.parent.chosen].words).startswith(tens)
        menu = taken(within, ones)
    assert got == [[47, 5]]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(steady, "_SOONEST_S", 0.1)
    with_decks(tmp_path, "mine")
    house = House(tmp_path)

    def scorer(table: Table, deck: str, mat_mm: tuple[float, float], marker_mm: float) -> Look:
        return lambda picture: TableSeen(lying(), mat_mm, b"jpeg")

    house.scorer = scorer
    house.start()
    yield house
    house.stop()


def test_from_the_first_menu_to_the_ranking(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    what = told(game())
    house.mood(Mood.MENU)
    house.choose("Score this table")
    house.choose("Seven Wonders")
    house.says("How many play?")
    house.choose("3 players")
    house.choose("Without names")
    for board in what["boards"]:
        house.choose(board.replace("/", " ").title())
    for count in what["coins"]:
        house.choose(f"{count // 10 * 10} to")
        house.choose(str(count))
    for tokens in what["tokens"]:
        for part in tokens:
            house.choose(str(part))
    house.mood(Mood.PREVIEW)
    house.press(CONFIRM)
    assert house.mood(Mood.FINISHED).ranking[0].winner
    data = ScoredTables(tmp_path).read_table(1).data
    assert (data["final"], data["told"]) == (list(game().points), what)
    capsys.readouterr()
    assert show_scored(tmp_path, 1, False, Language.EN) == 0
    shown = capsys.readouterr().out
    for city in game().cities:
        assert f"         {city.board.text}, {city.stages} stage" in shown
    sheet = tmp_path / "sheet.csv"
    assert export_scored(tmp_path, 1, sheet, Language.EN) == 0
    rows = list(csv.DictReader(sheet.read_text("utf-8-sig").splitlines()))
    for seat, (points, categories) in enumerate(zip(game().points, game().categories, strict=True), 1):
        own = [row for row in rows if row["seat"] == str(seat)]
        assert {row["total"] for row in own} == {str(points)}
        assert [int(row["points"]) for row in own] == [count for count in categories if count]


def test_only_decks_with_the_cards_are_offered_the_printed_one_without_learning(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was learnt without them is not, and with a single deck left nobody is asked."""
    loaded, decks = DeckShelf.list_faces, []
    mine = frozenset({"H7"})
    monkeypatch.setattr(DeckShelf, "list_faces", lambda self, name: mine if name == "mine" else loaded(self, name))
    monkeypatch.setattr(Scores, "score", lambda self, plan: decks.append(plan.deck))
    house.mood(Mood.MENU)
    house.choose("Score this table")
    house.choose("Wild Seven")
    house.choose("3 players")
    house.choose("Without names")
    deadline = time.monotonic() + 20
    while not decks and time.monotonic() < deadline:
        time.sleep(0.02)
    assert decks == [PRINTED_DECK]
