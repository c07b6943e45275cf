"""A whole game from switching on to its last screen, by the four buttons alone: menus, camera, every move."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from device.app.app import App
from device.app.equipment import Equipment, Look, StartOptions
from device.app.notify import Notifier
from device.app.signals import Signals
from device.hardware.buttons import Button, Press
from device.hardware.steady import SteadyCamera
from device.settings.values import GameSettings, RecordingSettings, Settings, SignalSettings
from device.speech import Language
from device.storage.journal import Journal
from device.storage.opening import Opening
from device.storage.recorder import Recorder
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.view.layouts import PaperLayout
from simulator.players import PlayersPace, SimulatedPlayers
from tests.device.at_the_table import LAYOUT, PLAYERS, QUICK, Buttons, SketchCamera, Watched, view_of
from tests.device.house import with_decks

LINES = ("New game", "Laminate Rummy", "3 players", *PLAYERS, PLAYERS[0])
"""The menus' lines on the way to the game."""


class Fingers(Buttons):
    """Presses the way through the menus; once the game has begun, the players press."""

    def __init__(self, evening: SimulatedPlayers, display: Watched) -> None:
        super().__init__(evening)
        self.display, self.lines, self.read = display, list(LINES), 0
        self.count = 0

    def take_presses(self) -> list[Press]:
        presses = self.evening.take_presses() if self.evening.session() is not None else self.in_the_menus()
        self.count += len(presses)
        return presses

    def in_the_menus(self) -> list[Press]:
        if len(self.display.shown) == self.read:
            return []
        self.read = len(self.display.shown)
        screen = self.display.shown[-1]
        if screen.buttons is not None and not screen.choices:
            return [Press(Button.CONFIRM)] if "go on" in screen.buttons.confirm else []
        if not screen.choices or not self.lines:
            return []
        if self.lines[0] not in screen.choices[screen.chosen]:
            return [Press(Button.DOWN)]
        self.lines.pop(0)
        return [Press(Button.CONFIRM)]


@pytest.mark.slow  # test_evening_told.py plays a whole game by the display
def test_a_whole_game_from_switching_on_with_four_buttons(tmp_path: Path) -> None:
    with_decks(tmp_path, "mine")
    evening = SimulatedPlayers(
        SimulatedGame(PLAYERS, LAYOUT, random.Random(2)), SketchCamera, None, PlayersPace(0.0, 0.0)
    )
    display = Watched(evening)
    fingers = Fingers(evening, display)

    def perfect(opening: Opening) -> Look:
        layout = opening.layout
        assert isinstance(layout, PaperLayout)
        return lambda picture: view_of(evening.lying, layout)

    def never(*_: object) -> Any:
        raise AssertionError("nobody asked for that")

    equipment = Equipment(
        lambda: SteadyCamera(lambda: evening),
        fingers,
        display,
        Signals(SignalSettings(), never),
        Recorder(tmp_path / "recordings", RecordingSettings()),
        perfect,
        never,
        never,
    )
    app = App(
        equipment, tmp_path, StartOptions(Language.EN, Settings(game=GameSettings(PLAYERS)), pace=QUICK), Notifier({})
    )
    evening.session = lambda: app.session
    app.run()
    assert fingers.lines == []
    with Journal.open(tmp_path) as kept:
        (game,) = kept.list_games()
        assert game.ended is not None
        assert game.opening.players == PLAYERS
        moves = game.entries
    assert fingers.count > moves > 20
