"""Simulated players at a table whose moves are told by buttons or settle by themselves."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from device.errors import DeviceError
from device.session.session import Session
from device.simulated.evening import Evening, Steps
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed, Tray
from referee.registry import referees
from referee.table import Detections, Sighting
from rules.record import Header
from ui.screen_state import Mood

PLAYERS = ("Ada", "Emmy", "Sofia", "Mary")
REFEREE = referees()["seven_euchre"]
LAYOUT = REFEREE.layout(4, REFERENCE_MAT_MM)
HEADER = Header("seven_euchre", PLAYERS, {"dealer": 1, "target": 20})


class NoCamera:
    """Takes what lies there and shows nothing."""

    hands = False

    def show(self, cards: Iterable[Placed], tray: Tray | None = None) -> None:
        self.cards = tuple(cards)


@dataclass
class Room:
    """The program's loop by hand: time goes on by a tenth of a second each round."""

    folder: Path
    seed: int = 4
    kept: list[Entry] = field(default_factory=list)
    now_s: float = 0.0

    def open(self) -> None:
        game = REFEREE.simulation(PLAYERS, HEADER.options, LAYOUT, random.Random(self.seed))
        self.evening = Evening(game, NoCamera, Steps(self.folder / "steps"), clock=lambda: self.now_s)
        self.session = Session.resume(HEADER, list(self.kept), LAYOUT, keep=self.kept.append)
        self.evening.session = lambda: self.session

    def rounds(self, count: int) -> None:
        for _ in range(count):
            self.round()

    def round(self) -> None:
        self.now_s += 0.1
        evening, session = self.evening, self.session
        if evening._mat.hands:
            session.watching(Mood.HANDS)
        else:
            cards = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in evening.game.lying)
            session.see(REFEREE.observe(Detections(cards), LAYOUT))
        for press in evening.pressed():
            session.press(press.button, press.long, press.at_s)
        evening.read(session.screen())


@pytest.mark.parametrize("stopped", [False, True])
def test_a_whole_game_is_told_and_played_by_players_who_read_the_display(stopped: bool, tmp_path: Path) -> None:
    room, chance = Room(tmp_path), random.Random(3)
    room.open()
    rounds = 0
    while not room.evening.over:
        rounds += 1
        assert rounds < 20_000
        room.round()
        if stopped and chance.random() < 0.01:
            room.open()
    assert room.session.over
    assert room.session.position.points == room.evening.game.position.points


def test_a_referee_that_understands_another_card_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(tmp_path)
    room.open()
    honest = REFEREE.observe

    def lies(seen: Detections, layout: object) -> object:
        cards = (one if one.name == "back" else Sighting("H7", one.x, one.y, 0.0) for one in seen.sightings)
        return honest(Detections(tuple(cards)), LAYOUT)

    monkeypatch.setattr(REFEREE, "observe", lies)
    with pytest.raises(DeviceError, match="the referee said"):
        room.rounds(20_000)
