"""A game that teaches: each thing is explained once, nothing hides a verdict, and a restart remembers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.app.plan import Plan
from device.hardware.buttons import Button
from device.session.lessons import AIM, AimPictures, Lessons, aim_menu
from device.session.session import Session
from device.settings.settings_file import load_settings
from device.settings.values import GameSettings, Settings
from device.storage.journal import Journal
from device.storage.kept import Kept, Taught
from referee.verdict import Verdict
from rules.laminate.moves import Publish, Review
from rules.text import Language
from tests.device.at_the_table import PLAYERS
from tests.device.house import House, with_decks
from tests.ui.played import choose, played
from tests.ui.test_teaching import GAMES, taught
from tools.soak.any_game import Game
from ui.screen_state import LeafScreen, Mood, ScreenState

TEACHING = Settings(game=GameSettings(teach=True))
PLAN = Plan("laminate", PLAYERS, {"first_seat": 1}, "mine")


class Watched(Game):
    """A simulated game that keeps the screens with which its attempts are answered."""

    def __init__(self, name: str, seed: int, teaches: bool) -> None:
        super().__init__(name, seed, misread=0.0)
        self.session.speak(Language.EN)
        self.session.lessons = Lessons(Taught(teaches))
        self.screens: list[ScreenState] = []
        self.explained: list[tuple[int, tuple[str, ...]]] = []

    def _hold(self, verdict: Verdict, attempt: Any) -> None:
        super()._hold(verdict, attempt)
        self.screens.append(self.session.make_screen())
        self.explained.append((self.session.lessons.turns, self.session.lessons.list_new()))


@pytest.mark.parametrize("name", GAMES)
def test_each_thing_is_explained_once_and_no_verdict_is_hidden(name: str) -> None:
    plain, teaching = Watched(name, 3, False), Watched(name, 3, True)
    for game in (plain, teaching):
        assert game.play(60).faults == []
    assert len(plain.screens) == len(teaching.screens) > 20
    more = 0
    for one, other in zip(plain.screens, teaching.screens, strict=True):
        if one.page == other.page:
            assert replace(one, details=()) == replace(other, details=()), "only words are added"
        else:
            assert (other.page, other.headline, other.mood) == (1, one.headline, one.mood), "read below the verdict"
        lost = set(one.details) - set(other.details)
        assert all(" is " in words or " leads." in words for words in lost), "none is lost but who is next"
        if one.mood is Mood.REFUSED:
            assert other.details[: len(one.details)] == one.details, "a rule comes after the reasons"
        more += other.details != one.details
    assert more > 10
    turns = {(key, turn) for turn, keys in teaching.explained for key in keys}
    assert max(Counter(key for key, _ in turns).values()) == 1
    assert len(turns) > 4


def test_what_was_explained_stays_so_when_a_turn_is_taken_back() -> None:
    session = played(3, 4, most=0)
    session.lessons = Lessons(Taught(True), len(session.history.past))
    full = played(3, 4, most=120)
    first = next(step for step in full.history.past if isinstance(step.move, Publish))
    number = full.history.past.index(first)
    session = full
    session.log.history = replace(full.history, past=full.history.past[:number], now=first.before)
    session.lessons = Lessons(Taught(True), number)

    def make(step: Any) -> None:
        session.judge._commit(session.history.move_entry(step.move, step.after))

    make(first)
    assert says(session, "Publish: lay cards")
    session.judge.undo()
    assert not says(session, "Publish: lay cards")
    session.judge.redo()
    session.judge.undo()
    make(first)
    assert not says(session, "Publish: lay cards"), "once is enough"
    assert session.lessons.taught.explained["publish"] == 0


def says(session: Session, words: str) -> bool:
    return any(one.startswith(words) for one in session.make_screen().details)


def test_lessons_taken_up_late_do_not_tell_what_was(tmp_path: Path) -> None:
    session = played(3, 4, most=60)
    assert any(isinstance(step.move, Review) for step in session.history.past)
    session.lessons = session.lessons.switch(True, len(session.history.past))
    session.make_screen()
    assert not session.lessons.taught.explained
    assert any("Publish, where" in words for words in session.make_screen().details), "what may be done is said at once"


@pytest.mark.parametrize("name", GAMES)
def test_the_aim_makes_room_for_the_referee(name: str) -> None:
    game = Watched(name, 2, True)
    game.session.over_it = aim_menu(taught(name))
    titles = []
    for _ in range(3):
        screen = game.session.make_screen()
        assert isinstance(screen, LeafScreen)
        titles.append(screen.headline)
        game.session.press(Button.CONFIRM)
    assert len(set(titles)) == 3
    assert game.session.over_it is None, "the third press leads into the game"
    game.session.over_it = aim_menu(taught(name))
    for attempt in game.simulation.play_game():
        game.session.see(game._see_perfectly(game.simulation.lying))
        assert not isinstance(game.session.over_it, AimPictures), "a game that can begin is shown"
        assert game.session.make_screen().mood in (Mood.PREVIEW, Mood.ACCEPTED), attempt
        break


def test_help_has_the_aim_too() -> None:
    session = played(3, 4, most=3)
    choose(session, "Help")
    titles = set()
    while (title := session.make_screen().headline) not in titles:
        titles.add(title)
        session.press(Button.UP)
    assert {"Publish papers", "Have them reviewed", "What can I do now?"} <= titles


# At the whole program


def teaching_house(state: Path, **wishes: Any) -> House:
    house = House(state, **wishes)
    house.settings = TEACHING
    return house


def kept(state: Path) -> tuple[Kept, ...]:
    with Journal.open(state) as journal:
        return journal.list_games()


def test_a_game_begins_with_its_aim_and_goes_on_teaching_after_a_restart(tmp_path: Path) -> None:
    with_decks(tmp_path, "mine")
    with teaching_house(tmp_path, plan=PLAN) as house:
        house.until(lambda screen: isinstance(screen, LeafScreen) and screen.headline == "Publish papers")
        house.press(Button.CONFIRM, Button.CONFIRM, Button.CONFIRM)
        house.says("3 players draw")
        house.set_up()
        house.says("Research: draw two cards")
    (game,) = kept(tmp_path)
    assert game.taught.on
    assert {AIM, "research", "papers"} <= set(game.taught.explained)
    again = House(tmp_path)
    again.table, again.look = house.table, house.look
    again.camera.show(again.table)
    with again as house:
        house.mood(Mood.MENU)
        house.choose("Go on")
        house.says("Publish, where the hand has the cards")
        house.press(Button.CONFIRM, long=True)
        house.mood(Mood.MENU)
        house.choose("Stop teaching")
        screen = house.mood(Mood.WAITING)
        assert not any("Publish, where" in words for words in screen.details)
        house.press(Button.CONFIRM, long=True)
        house.mood(Mood.MENU)
        house.choose("Teach us this game")
        house.says("Publish, where the hand has the cards")
    assert load_settings(tmp_path).game.teach
    assert kept(tmp_path)[0].taught.on


def test_in_one_evening_a_thing_is_explained_once(tmp_path: Path) -> None:
    with_decks(tmp_path, "mine")
    with teaching_house(tmp_path, plan=PLAN) as house:
        house.until(lambda screen: isinstance(screen, LeafScreen))
        house.press(Button.BACK)
        house.set_up()
    with teaching_house(tmp_path, plan=PLAN) as house:
        house.says("3 players draw")
        house.set_up()
        screen = house.says("Publish, where")
        assert not any("Research: draw two cards" in words for words in screen.details)
    first, second = kept(tmp_path)
    assert set(first.taught.explained) == set(second.taught.explained)


def test_a_game_that_does_not_teach_writes_nothing_of_it(tmp_path: Path) -> None:
    with_decks(tmp_path, "mine")
    with House(tmp_path, plan=PLAN) as house:
        house.mood(Mood.WAITING)
        house.set_up()
    assert kept(tmp_path)[0].taught == Taught()
    assert b"taught" not in (tmp_path / "journal" / "00001.jsonl").read_bytes()


def test_the_menu_before_a_game_asks_and_remembers(tmp_path: Path) -> None:
    with_decks(tmp_path, "mine")
    with House(tmp_path, names=("Ada", "Bo", "Cy")) as house:
        house.mood(Mood.MENU)
        house.choose("New game")
        house.choose("Laminate Rummy")
        house.choose("3 players")
        for name in ("Ada", "Bo", "Cy"):
            house.choose(name)
        house.says("Who begins?")
        house.choose("Teach us this game: off")
        screen = house.says("Teach us this game: on")
        assert "Teach us" in screen.choices[screen.chosen], "one press more turns it off again"
        house.choose("Bo")
        house.go_on()
        house.until(lambda screen: isinstance(screen, LeafScreen) and screen.headline == "Publish papers")
    assert load_settings(tmp_path).game.teach
