"""The program's loop by hand, for evenings of simulated players: their session and their display, with no camera."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from device.session.session import Session
from referee.game import Referee
from referee.history import Entry
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed, Tray
from referee.simulation.registry import simulation_of
from referee.table import Detections, Sighting
from rules.record import Header
from simulator.course import Progress
from simulator.players import SimulatedPlayers
from ui.screen_state import Mood


class NoCamera:
    """Takes what lies there and shows nothing."""

    hands = False

    def show(self, cards: Iterable[Placed], tray: Tray | None = None) -> None:
        self.cards, self.tray = tuple(cards), tray


@dataclass
class Room:
    """One game at a table: time goes on by ``step_s`` each round, and ``open`` is a start of the program."""

    referee: Referee
    header: Header
    folder: Path
    seed: int
    step_s: float = 0.1
    kept: list[Entry] = field(default_factory=list)
    now_s: float = 0.0

    def __post_init__(self) -> None:
        self.layout = self.referee.make_layout(len(self.header.players), REFERENCE_MAT_MM)
        self.open()

    def open(self) -> None:
        header, layout = self.header, self.layout
        game = simulation_of(self.referee, header.players, header.options, layout, random.Random(self.seed))
        self.evening = SimulatedPlayers(game, NoCamera, Progress(self.folder / "steps"), clock=lambda: self.now_s)  # type: ignore[arg-type]
        self.session = Session.resume(header, list(self.kept), layout, keep=self.kept.append)
        self.evening.session = lambda: self.session

    def rounds(self, count: int) -> None:
        for _ in range(count):
            self.round()

    def round(self) -> None:
        self.now_s += self.step_s
        evening, session = self.evening, self.session
        if evening._mat.hands:
            session.note_watching(Mood.HANDS)
        else:
            lying = [card for card in evening.game.lying if card.card]
            cards = tuple(Sighting(card.name, card.x, card.y, card.angle) for card in lying)
            tray = evening.game.tray
            dice = () if tray is None else tray.dice
            session.see(self.referee.observe(Detections(cards, (), dice), self.layout))
        for press in evening.take_presses():
            session.press(press.button, press.long, press.at_s)
        evening.read(session.make_screen())

    def play(self, most: int, chance: random.Random | None = None, stops: float = 0.0) -> None:
        """To the end of the game, within so many rounds, the program being started anew after some by chance."""
        rounds = 0
        while not self.evening.over:
            rounds += 1
            assert rounds < most, self.session.make_screen()
            self.round()
            if chance is not None and chance.random() < stops:
                self.open()
