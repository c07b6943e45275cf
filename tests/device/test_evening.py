"""The players of a simulated evening: they tell, lay, wait and confirm as their game has it, and say what isn't so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import device.session.session as sessions
from device.errors import DeviceError
from device.hardware.camera import Picture, Preview
from device.session.session import Session
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed, Tray
from referee.simulation import Attempt, Simulation
from referee.table import Detections, Sighting
from referee.verdict import Question
from rules.cards import Card
from rules.record import Header
from rules.text import Text
from simulator import players as simulated_players
from simulator.players import Onlooker, PlayersPace, SimulatedPlayers
from simulator.teacher import DisagreementError
from tests.device.test_made_up_game import PLAYERS, Lay, Position, Referee, Screen, Tell

BLUNDER = Text("lays another suit")


class Cards:
    """A camera that only keeps what it was shown."""

    hands = False
    lying: tuple[Placed, ...] = ()

    def show(self, cards: Iterable[Placed], tray: Tray | None = None) -> None:
        self.lying = tuple(cards)

    def take_preview(self) -> Preview:
        return np.zeros((2, 2), np.uint8)

    def take_picture(self) -> Picture:
        return np.zeros((2, 2, 3), np.uint8)


class MadeUp:
    """A game in which suits are told, several cards are laid in one look, and one is of another suit."""

    def __init__(self, told: tuple[str, str] = ("O", "S"), wrong: str = "B9") -> None:
        self.position: Any = Position()
        self.lying: tuple[Placed, ...] = ()
        self.tray = None
        self.told, self.wrong = told, wrong

    def play_game(self) -> Iterator[Attempt]:
        for seat, suit in enumerate(self.told, 1):
            yield self._move(Tell(seat, suit), told=True)
        # The first two are noticed in one look.
        cards = [(1, "O3"), (1, "O7"), (2, "S9"), (1, "O5"), (2, "S8"), (2, "S7")]
        for seat, name in cards[:2]:
            self._lay(name, seat)
        for seat, name in cards[:2]:
            yield self._move(Lay(seat, Card.parse(name)))
        before = self.lying
        self._lay(self.wrong, 2)
        yield Attempt(2, code="wrong_suit", blunder=BLUNDER, unconfirmed=True)
        self.lying = before
        for seat, name in cards[2:]:
            self._lay(name, seat)
            yield self._move(Lay(seat, Card.parse(name)))

    def straighten(self) -> None:
        self.lying = tuple(replace(card, angle=0.0) for card in self.lying)

    def is_same(self, move: Any, other: Any) -> bool:
        return bool(move == other)

    def has_noticed(self, state: Any) -> bool:
        return True

    def _lay(self, name: str, seat: int) -> None:
        x = 100.0 + 80 * len(self.lying)
        self.lying = (*self.lying, Placed(name, x, 700.0 if seat == 1 else 100.0, 4.0))

    def _move(self, move: Any, told: bool = False) -> Attempt:
        self.position = self.position.do(move)
        return Attempt(move.seat, move, unconfirmed=not told, told=move if told else None)


class Log(Onlooker):
    """Keeps what was answered."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.straight = 0
        self.over = False

    def note_question(self, question: Question) -> None:
        raise AssertionError(question)

    def note_straightened(self, words: str) -> None:
        self.straight += 1

    def note_answer(self, attempt: Attempt, text: Text) -> None:
        assert str(text)
        self.heard.append(attempt.move or attempt.code)

    def note_end(self, session: Session) -> None:
        self.over = True


Observe = Callable[[tuple[Placed, ...]], Any]


class Room:
    """Players and session with nothing between them: each look at a still table is seen at once."""

    def __init__(self, game: Simulation, observe: Observe | None = None) -> None:
        self.camera, self.log, self.now = Cards(), Log(), 0.0
        self.referee: Any = Referee()
        layout = self.referee.make_layout(2, REFERENCE_MAT_MM)
        self.session = Session(self.referee, Header("made_up", PLAYERS), layout)
        self.evening = SimulatedPlayers(
            game,
            lambda: self.camera,
            pace=PlayersPace(0.1, 0.1, 0.1),
            clock=lambda: self.now,
            onlooker=self.log,
        )
        self.evening.session = lambda: self.session
        self.observe = observe or self.perfectly

    def perfectly(self, lying: tuple[Placed, ...]) -> Any:
        seen = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in lying)
        return self.referee.observe(Detections(seen, ()), self.session.layout)

    def play(self, rounds: int = 400) -> None:
        seen: tuple[Placed, ...] | None = None
        for _ in range(rounds):
            self.now += 0.1
            self.evening.take_preview()
            if self.camera.hands:
                self.session.note_watching(simulated_players.Mood.HANDS)
                seen = None
            elif seen != self.camera.lying:
                seen = self.camera.lying
                self.session.see(self.observe(seen))
            self.evening.read(self.session.make_screen())
            for press in self.evening.take_presses():
                self.session.press(press.button)
            if self.evening.over:
                return
        raise AssertionError(self.session.make_screen())


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "screen_of", lambda game: Screen())


def test_moves_are_told_chosen_and_what_settles_is_waited_for() -> None:
    room = Room(MadeUp())
    room.play()
    names = ("O3", "O7", "S9", "O5", "S8", "S7")
    laid = [Lay(1 if name[0] == "O" else 2, Card.parse(name)) for name in names]
    assert room.log.heard == [Tell(1, "O"), Tell(2, "S"), *laid[:2], "wrong_suit", *laid[2:]]
    assert room.log.over
    assert room.log.straight == 0


def test_a_fault_that_the_referee_overlooks_is_a_disagreement() -> None:
    with pytest.raises(DisagreementError, match="broken rule wrong_suit, but the referee said: accepted"):
        Room(MadeUp(wrong="S10")).play()


def test_a_move_that_is_misread_is_a_disagreement() -> None:
    def misread(lying: tuple[Placed, ...]) -> Any:
        return room.perfectly(tuple(replace(card, name="O4") if card.name == "O7" else card for card in lying))

    room = Room(MadeUp(), misread)
    with pytest.raises(DisagreementError, match=r"O7.*but the referee said: accepted.*O4"):
        room.play()


def test_what_is_not_noticed_is_laid_more_neatly() -> None:
    def carelessly(lying: tuple[Placed, ...]) -> Any:
        return room.perfectly(tuple(card for card in lying if card.angle == 0.0 or card.name != "S9"))

    room = Room(MadeUp(), carelessly)
    room.play(1000)
    assert room.log.straight == 1


def test_what_is_never_noticed_is_a_disagreement() -> None:
    room = Room(MadeUp(), lambda lying: room.perfectly(lying[:2]))
    with pytest.raises(DisagreementError, match="can't be seen after 6 looks"):
        room.play(1000)


def test_players_who_can_not_get_on_say_what_the_display_shows() -> None:
    room = Room(MadeUp())
    room.evening.session = lambda: None
    with pytest.raises(DeviceError, match=r"can't get on; the display shows: \w+"):
        room.play(7000)


def test_a_result_that_differs_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(MadeUp())
    ends = Position.outcome
    assert isinstance(ends, property)

    def another(position: Position) -> Any:
        outcome = Position._true(position)  # type: ignore[attr-defined]
        return outcome and (replace(outcome, winners=(1,)) if position is room.session.position else outcome)

    monkeypatch.setattr(Position, "_true", ends.fget, raising=False)
    monkeypatch.setattr(Position, "outcome", property(another))
    with pytest.raises(DisagreementError, match="The simulated game ended"):
        room.play()
