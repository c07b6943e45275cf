"""Screens of real games: every table that the referee is asked about in its own tests, seen and confirmed in a session.

Beside them the moments that no table alone shows: menus, a pause, hands over the mat, a turn taken back, an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from device.hardware.buttons import Button
from device.session.session import Session
from referee.layout import REFERENCE_MAT_MM
from referee.registry import load_referees
from rules.record import Header
from rules.text import Language, Text
from tests.referee.told import record
from tests.referee.told.given import TABLES
from ui.screen_state import Mood, ScreenState

MAT_FAULT = Text(
    "No markers found: lay the four markers at the mat's corners and point the camera so that all are in the picture, "
    "in enough light."
)
"""What ``vision.mat.finding`` says of a picture without a mat."""

assert record.ROOMS, "the tables are there once these modules are"
GAME = "laminate"


def session_at(agreed: Any, language: Language) -> Session:
    """Return a session in which that is confirmed."""
    players = agreed.position.players
    referee = load_referees()[GAME]
    header = Header(GAME, tuple(players), {"first_seat": 1})
    session = Session(referee, header, referee.make_layout(len(players), REFERENCE_MAT_MM), language)
    session.log.history = replace(session.history, now=agreed)
    return session


def _screens(name: str, language: Language) -> Iterator[tuple[str, ScreenState]]:
    agreed, view = TABLES[name]()
    session = session_at(agreed, language)
    session.see(view)
    yield f"{name}, seen", session.make_screen()
    session.press(Button.CONFIRM)
    yield f"{name}, confirmed", session.make_screen()
    session.note_watching(Mood.HANDS)
    yield f"{name}, hands", session.make_screen()
    session.see(view)
    session._turn(-1)
    yield f"{name}, menu", session.make_screen()


@cache
def real_states(language: Language) -> dict[str, ScreenState]:
    """All screens of all tables, by name; those that look the same once."""
    found: dict[str, ScreenState] = {}
    known: set[ScreenState] = set()
    for name in TABLES:
        for title, state in _screens(name, language):
            if state not in known:
                known.add(state)
                found[title] = state
    return found


def blind(language: Language) -> ScreenState:
    """Return the screen of a camera that sees no mat."""
    agreed, _ = TABLES["a_draw_and_a_discard"]()
    session = session_at(agreed, language)
    session.note_watching(Mood.BLIND, MAT_FAULT)
    return session.make_screen()
