"""Every state that sessions of all games reach, drawn: no look and no press makes a screen that can't be."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from device.hardware.buttons import Button
from device.session.session import Session
from referee.registry import load_referees
from referee.simulation.table import NoRoomError
from referee.table import CAUSES, DIE_CAUSES, REST, Detections, Die, Sighting, Unread
from rules.text import Text
from tests.device.seeing import perfect_view
from tests.ui.checks import at_page
from tests.ui.gallery import SIZES
from tools.soak.any_game import Game, as_sightings
from ui.screen import draw
from ui.screen_state import Mood, ScreenState, Thumbnail

_MOST_PLAYED = 60
"""So many changes of the table are seen and confirmed as they should be before people get wild."""
_WILD = 6
"""So many are then met with any looks and presses."""
_LOOKS, _PRESSES = 4, 5
CLOSE_UP = Thumbnail((22, 22), bytes(22 * 22 * 3))


@dataclass
class Wild:
    """A table at which anything is seen and anything is pressed, at any time of a game."""

    game: Game
    chance: Random
    drawn: set[ScreenState] = field(default_factory=set)
    now_s: float = 0.0

    @property
    def session(self) -> Session:
        return self.game.session

    def play(self) -> None:
        self.picture()
        attempts = self.game.simulation.play_game()
        for attempt in islice(attempts, self.chance.randrange(_MOST_PLAYED)):
            self.game.meet(attempt)
            self.draw()
        for _ in islice(attempts, _WILD):
            if self.session.checking:
                self.session.judge.redo()
            for _ in range(self.chance.randint(1, _LOOKS)):
                self.look()
                for _ in range(self.chance.randint(0, _PRESSES)):
                    self.press()
            if self.chance.random() < 0.1:
                self.restart()

    def picture(self) -> None:
        """There is a close-up of every card that can't be read."""
        self.session.screens = replace(self.session.screens, close_up=lambda _: CLOSE_UP)

    def look(self) -> None:
        chance, session = self.chance, self.session
        if chance.random() < 0.1:
            session.note_watching(chance.choice((Mood.HANDS, Mood.READING)))
        elif chance.random() < 0.05:
            session.note_watching(Mood.BLIND, Text("No picture."))
        else:
            self.game.session.see(self.game.referee.observe(self.seen(), self.game.layout))
        self.draw()

    def press(self) -> None:
        chance = self.chance
        self.now_s += chance.choice((0.3, 3.0))
        button = chance.choice((Button.CONFIRM, Button.CONFIRM, *Button))
        self.session.press(button, chance.random() < 0.1, self.now_s, self.now_s)
        self.draw()

    def restart(self) -> None:
        """Start the program again before the same table."""
        session, seen = self.session, self.session.judge.view
        header = session.history.header
        self.game.session = Session.resume(header, session.log.entries, session.layout, session.screens.language)
        self.picture()
        self.draw()
        if seen is not None:
            self.session.see(seen)
            self.draw()

    def draw(self) -> None:
        # What the session makes of a fault is not looked at: there shall be none.
        state = self.session._presenter.make_screen()
        if state in self.drawn:
            return
        self.drawn.add(state)
        drawing = draw(state, SIZES[len(self.drawn) % len(SIZES)])
        if drawing.pages and not state.page:
            draw(at_page(state, 1 + len(self.drawn) % drawing.pages), SIZES[len(self.drawn) % len(SIZES)])

    def seen(self) -> Detections:
        """Return the table as it lies, or with anything else on it, unread, gone, turned over or somewhere else."""
        chance = self.chance
        cards = list(as_sightings(self.game.simulation.lying))
        unread: list[Unread] = []
        if chance.random() < 0.8:
            for _ in range(chance.choice((1, 1, 2, 3))):
                chance.choice((self.add, self.lose, self.turn, self.shift, self.blur))(cards, unread)
        moving = frozenset({REST}) if chance.random() < 0.05 else frozenset[str]()
        return Detections(tuple(cards), tuple(unread), self.dice(), moving)

    def dice(self) -> tuple[Die, ...]:
        chance = self.chance
        if chance.random() < 0.5:
            return self.game.dice
        some = []
        for zone in self.game.layout.zones:
            x0, y0, x1, y1 = self.game.layout.zone_rect(zone)
            if zone.dice:
                for colour in chance.sample(("brown", "black", "red"), chance.randint(0, 3)):
                    value = chance.choice((None, *range(1, 7)))
                    cause = "" if value is not None else chance.choice(list(DIE_CAUSES))
                    some.append(Die(chance.uniform(x0, x1), chance.uniform(y0, y1), value, colour, cause=cause))
        return tuple(some)

    def name(self) -> str:
        cards = self.game.referee.cards
        return self.chance.choice((self.chance.choice(cards.faces), self.chance.choice(cards.backs)))

    def place(self, cards: Sequence[Sighting]) -> tuple[float, float]:
        """Anywhere on the mat, or beside a card."""
        chance, (w, h) = self.chance, self.game.layout.mat_mm
        if not cards or chance.random() < 0.5:
            return chance.uniform(0, w), chance.uniform(0, h)
        beside, turn, away = chance.choice(cards), chance.uniform(0, math.tau), chance.uniform(5, 80)
        return beside.x + away * math.cos(turn), beside.y + away * math.sin(turn)

    def add(self, cards: list[Sighting], unread: list[Unread]) -> None:
        """One or two cards too many in one place."""
        x, y = self.place(cards)
        for number in range(self.chance.choice((1, 2))):
            cards.append(Sighting(self.name(), x + 66 * number, y, self.chance.choice((0.0, 90.0, 180.0))))

    def lose(self, cards: list[Sighting], unread: list[Unread]) -> None:
        if cards:
            cards.pop(self.chance.randrange(len(cards)))

    def turn(self, cards: list[Sighting], unread: list[Unread]) -> None:
        if cards:
            number = self.chance.randrange(len(cards))
            cards[number] = replace(cards[number], name=self.name())

    def shift(self, cards: list[Sighting], unread: list[Unread]) -> None:
        if cards:
            number = self.chance.randrange(len(cards))
            x, y = self.place(cards)
            cards[number] = replace(cards[number], x=x, y=y)

    def blur(self, cards: list[Sighting], unread: list[Unread]) -> None:
        """Make a card that lies there, or one that came, unreadable."""
        if cards and self.chance.random() < 0.6:
            card = cards.pop(self.chance.randrange(len(cards)))
        else:
            card = Sighting(self.name(), *self.place(cards), 0.0)
        likely = [card.name, self.name(), self.name()][: self.chance.randint(0, 3)]
        unread.append(Unread(card.x, card.y, card.angle, self.chance.choice(list(CAUSES)), tuple(likely)))


def seen_game(name: str, seed: int) -> Game:
    """Return a game that a perfect reader sees."""
    game = Game(name, seed, misread=0.0)
    if name == "laminate":
        # Its piles show what peeps out of them, which is told apart from what lies on top.
        layout: Any = game.layout
        game.look = lambda cards: perfect_view(cards, layout, peeping=False)
    return game


def reached(name: str, seeds: range, at: type[Wild] = Wild) -> Iterator[Wild]:
    for seed in seeds:
        wild = at(seen_game(name, seed), Random(f"wild {name} {seed}"))
        try:
            wild.play()
        except NoRoomError:
            pass  # there is no room left on the simulated table
        except Exception as error:
            raise AssertionError(f"{name}, seed {seed}: {error!r}") from error
        yield wild


@pytest.mark.few(1)
@pytest.mark.parametrize("name", sorted(load_referees()))
def test_every_state_that_sessions_reach_can_be_drawn(name: str) -> None:
    moods = Counter(state.mood for wild in reached(name, range(3)) for state in wild.drawn)
    assert moods.keys() >= {Mood.WAITING, Mood.ACCEPTED, Mood.REFUSED, Mood.MENU}
    assert moods.total() > 60


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(load_referees()))
def test_many_more_of_them(name: str) -> None:
    assert sum(len(wild.drawn) for wild in reached(name, range(100, 220))) > 5000
