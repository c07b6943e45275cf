"""A press of confirm and a tray that is still apart: it waits for the cards to lie still, not for the dice."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from device.app.playing import Playing
from device.capture.capture import Moving, ReadingStarted, Seen
from device.hardware.buttons import Button, Press
from device.session.lessons import NO_LESSONS
from device.storage.kept import NOTHING_TAUGHT
from referee.table import REST
from ui.screen_state import Mood


class Told:
    """A session, lookout, recorder and journal that note what they are told."""

    def __init__(self) -> None:
        self.unheard: list[Any] = []
        self.seen: list[Any] = []
        self.pressed: list[Button] = []
        self.moods: list[Mood] = []
        self.looked_s = 0.0
        self.now = 0.0
        self.set_aside = self.trouble = self.over_it = None
        self.over = False
        self.screens = SimpleNamespace(language=None)
        self.choice: Any = None
        self.tells = False
        self.agreed = object()
        self.lessons, self.taught = NO_LESSONS, NOTHING_TAUGHT
        self.referee = SimpleNamespace(repair_state=lambda agreed: agreed)
        self.playing = Playing(self, self, self, self, self.nothing, self.nothing, lambda: self.now)  # type: ignore[arg-type]

    def start(self) -> None: ...

    def nothing(self) -> None: ...

    def follow(self, session: Any) -> None: ...

    def look_again(self) -> None: ...

    def take_size(self, screen: Any) -> bool:
        return False

    def take_news(self) -> list[Any]:
        told, self.unheard = self.unheard, []
        return told

    def make_screen(self) -> Any:
        return SimpleNamespace(mood=Mood.WAITING)

    def see(self, view: Any) -> None:
        self.seen.append(view)

    def note_watching(self, mood: Mood, why: Any = None) -> None:
        self.moods.append(mood)

    def press(self, button: Button, *args: Any, **more: Any) -> None:
        if args:
            self.pressed.append(button)

    def hear(self, *news: Any) -> None:
        """Hear some news, a tenth of a second later."""
        self.now += 0.1
        self.looked_s = self.now
        self.unheard += news
        self.playing.run_round()

    def confirm(self) -> None:
        self.playing.press(Press(Button.CONFIRM))


@pytest.fixture
def told() -> Told:
    told = Told()
    told.hear(ReadingStarted(), Seen("whole"))
    return told


def test_confirm_counts_while_a_hand_plays_with_the_dice(told: Told) -> None:
    told.hear(Moving(frozenset({"tray"})))
    told.confirm()
    told.hear()
    assert told.pressed == [Button.CONFIRM]
    assert told.moods[-1] is Mood.HANDS


def test_confirm_waits_while_hands_are_over_the_cards(told: Told) -> None:
    told.hear(Moving(frozenset({REST, "tray"})))
    told.confirm()
    told.hear(ReadingStarted(), Seen("dice", frozenset({REST})))
    assert told.seen[-1] == "dice"
    assert told.pressed == []
    told.hear(ReadingStarted(), Seen("all"))
    told.hear()
    assert told.pressed == [Button.CONFIRM]


def test_a_press_answers_no_question_that_came_after_it(told: Told) -> None:
    told.hear(Moving(frozenset({REST})))
    told.confirm()
    told.choice = (1, "It was H3.")
    told.hear(ReadingStarted(), Seen("an unread card is gone"))
    told.hear()
    assert told.pressed == []
    told.confirm()
    told.hear(Moving(frozenset({REST})), ReadingStarted(), Seen("the same"))
    told.hear()
    assert told.pressed == [Button.CONFIRM], "a hand on its way to the button hides nothing that was read"
    told.confirm()
    told.choice = None
    told.hear(ReadingStarted(), Seen("it is back, and more besides"))
    told.hear()
    assert told.pressed == [Button.CONFIRM], "an answer settles nothing else that lies there"


def test_the_end_is_written_once_and_again_after_every_entry_that_follows_it(told: Told) -> None:
    ends: list[Any] = []
    told.over, told.end, told.entries = True, ends.append, ("move", "move")  # type: ignore[attr-defined]

    def looks(points: tuple[int, int]) -> None:
        told.position = SimpleNamespace(outcome=SimpleNamespace(points=points, winners=(2,)))  # type: ignore[attr-defined]
        for _ in range(3):
            told.hear(Seen("whole"))

    looks((3, 5))
    assert [one.points for one in ends] == [(3, 5)]
    told.entries = ("move", "move", "position")  # type: ignore[attr-defined]
    looks((4, 5))
    assert [one.points for one in ends] == [(3, 5), (4, 5)]
