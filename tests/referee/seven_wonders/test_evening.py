"""Simulated players of Seven Wonders who read the display, press the buttons, and answer question after question."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from device.session.session import Session
from device.simulated.evening import Evening, Steps
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed, Tray
from referee.seven_wonders.referee import REFEREE
from referee.table import Detections, Sighting
from rules.record import Header, check_record
from tests.referee.seven_wonders.table import PLAYERS
from ui.screen_state import Mood

BOARDS = ("halikarnassos/b", "babylon/b", "olympia/a")
HEADER = Header("seven_wonders", PLAYERS[:3], {"boards": list(BOARDS)})
LAYOUT = REFEREE.layout(3, REFERENCE_MAT_MM)


class NoCamera:
    """Takes what lies there and shows nothing."""

    hands = False

    def show(self, cards: Iterable[Placed], tray: Tray | None = None) -> None:
        self.cards = tuple(cards)


class Room:
    """The program's loop by hand: time goes on by a tenth of a second each round."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.kept: list[Entry] = []
        self.now_s = 0.0
        self.open()

    def open(self) -> None:
        game = REFEREE.simulation(HEADER.players, HEADER.options, LAYOUT, random.Random(self.seed))
        self.evening = Evening(game, NoCamera, Steps(self.folder / "steps"), clock=lambda: self.now_s)
        self.session = Session.resume(HEADER, list(self.kept), LAYOUT, keep=self.kept.append)
        self.evening.session = lambda: self.session

    def round(self) -> None:
        self.now_s += 0.2
        evening, session = self.evening, self.session
        if evening._mat.hands:
            session.watching(Mood.HANDS)
        else:
            cards = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in evening.game.lying if card.card)
            session.see(REFEREE.observe(Detections(cards), LAYOUT))
        for press in evening.pressed():
            session.press(press.button, press.long, press.at_s)
        evening.read(session.screen())


@pytest.mark.parametrize("stopped", [False, True])
def test_a_whole_game_is_played_by_players_who_read_the_display(stopped: bool, tmp_path: Path) -> None:
    room, chance = Room(tmp_path, 5), random.Random(3)
    rounds = 0
    while not room.evening.over:
        rounds += 1
        assert rounds < 5_000
        room.round()
        if stopped and chance.random() < 0.02:
            room.open()
    *verdicts, final = check_record(room.session.record())
    assert {verdict["verdict"] for verdict in verdicts} == {"accepted"}
    assert final["reason"] == "three_ages"
