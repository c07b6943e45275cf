"""A whole game by random players, agreed move by move in a session, to be looked back at."""

from __future__ import annotations

import random

from device.hardware.buttons import Button
from device.session.session import Session
from referee.laminate.expected_layout import Agreed
from referee.layout import REFERENCE_MAT_MM
from referee.menu import Menu
from referee.registry import load_referees
from rules.laminate.moves import Move, Setup
from rules.record import Header
from rules.text import Language
from tests.referee.play import deal, public, random_move
from tests.referee.tables import thanks_of
from tests.words import en


def played(seed: int, players: int, language: Language = Language.EN, most: int = 400) -> Session:
    """Play a game in a session to its end, or for ``most`` moves after the set-up."""
    rng = random.Random(seed)
    full = deal(rng, players)
    referee = load_referees()["laminate"]
    header = Header("laminate", tuple(full.players), {"first_seat": 1})
    session = Session(referee, header, referee.make_layout(players, REFERENCE_MAT_MM), language)

    def agree(move: Move) -> None:
        session.judge._commit(session.history.move_entry(move, Agreed(session.position.do(move), thanks_of(move))))

    discard = full.discards[-1]
    assert discard is not None
    agree(Setup(discard))
    for _ in range(most):
        if full.outcome is not None:
            break
        move = random_move(full, rng)
        full = full.do(move)
        agree(public(move))
    return session


def choose(session: Session, words: str) -> None:
    """Take the line of the game's menu that begins with these words in English."""
    session.press(Button.CONFIRM, held=True)
    menu = session.over_it
    assert isinstance(menu, Menu)
    (line,) = (number for number, option in enumerate(menu.options) if en(option.words).startswith(words))
    for _ in range(line):
        session.press(Button.DOWN)
    session.press(Button.CONFIRM)
