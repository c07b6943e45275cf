"""A simulated game taken some way, with its table and its session side by side, for tests of what can go wrong."""

from __future__ import annotations

import random
from dataclasses import dataclass

from device.hardware.buttons import Button
from device.session.session import Session
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.view.layouts import PaperLayout, layout_for
from referee.laminate.view.table import TableView
from referee.verdict import Accepted, Question, Verdict
from rules.laminate.moves import Move
from rules.text import Language
from tests.device.openings import begun
from tests.device.seeing import perfect_view

PLAYERS = ("Hilbert", "Banach", "Noether", "Galois", "Gauss")


@dataclass
class Table:
    """Session and simulated table; ``moves`` were played so far."""

    session: Session
    cards: SimulatedTable
    layout: PaperLayout
    moves: list[Move]

    @property
    def view(self) -> TableView:
        return perfect_view(self.cards, self.layout, peeping=False)

    def confirm(self) -> Verdict:
        verdict = self.session.confirm(self.view)
        assert verdict is not None, "no menu is open"
        return verdict

    def see(self) -> None:
        self.session.see(self.view)

    def press(self, *buttons: Button, held: bool = False) -> None:
        for button in buttons:
            self.session.press(button, held)

    def choose(self, *lines: str) -> None:
        """Take these lines, by a part of their words, in the menus that open one after the other."""
        for line in lines:
            choices = self.session.make_screen().choices
            wanted = next(n for n, choice in enumerate(choices) if line in choice)
            for _ in range((wanted - self.session.make_screen().chosen) % len(choices)):
                self.press(Button.DOWN)
            self.press(Button.CONFIRM)

    def open_menu(self) -> None:
        self.press(Button.CONFIRM, held=True)


def after(
    moves: int, seed: int = 285, players: int = 3, language: Language = Language.EN, thanks: bool = False
) -> Table:
    """Play that many moves; with ``thanks`` stop at the first publication from then on that pays some."""
    layout = layout_for(players)
    game = SimulatedGame(PLAYERS[:players], layout, random.Random(seed), blunders=False)
    session = begun(PLAYERS[:players], 1, layout, language)
    table = Table(session, game.table, layout, [])
    for attempt in game.play_game():
        if attempt.unconfirmed:
            table.see()
            continue
        assert attempt.move is not None
        verdict = table.confirm()
        if isinstance(verdict, Question):
            right = [
                isinstance(choice.verdict, Accepted) and choice.verdict.move == attempt.move
                for choice in verdict.choices
            ]
            table.press(*[Button.DOWN] * right.index(True))
            verdict = table.confirm()
        assert isinstance(verdict, Accepted), verdict
        table.moves.append(attempt.move)
        if len(table.moves) >= moves and (not thanks or session.agreed.thanks):
            return table
    raise AssertionError(f"the game of seed {seed} ends before")
