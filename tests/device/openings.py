"""Openings of games for tests."""

from __future__ import annotations

from collections.abc import Sequence

from device.session.event_log import Keep, keep_nothing
from device.session.session import More, Session
from device.storage.opening import Opening
from referee.layout import MARKER_MM, REFERENCE_MAT_MM, TableLayout
from referee.registry import load_referees
from rules.record import Header
from rules.text import Language


def header(players: Sequence[str], first_seat: int = 1) -> Header:
    """Return the header of a game of Laminate Rummy."""
    return Header("laminate", tuple(players), {"first_seat": first_seat})


def opening(
    players: Sequence[str],
    first_seat: int = 1,
    deck: str | None = None,
    mat_mm: tuple[float, float] = REFERENCE_MAT_MM,
    marker_mm: float = MARKER_MM,
) -> Opening:
    """Return what a game of Laminate Rummy begins with."""
    return Opening("laminate", tuple(players), {"first_seat": first_seat}, deck, mat_mm, marker_mm)


def begun(
    players: Sequence[str],
    first_seat: int,
    layout: TableLayout,
    language: Language = Language.EN,
    keep: Keep = keep_nothing,
    more: More = tuple,
) -> Session:
    """Begin a new game of Laminate Rummy and return its session."""
    return Session(load_referees()["laminate"], header(players, first_seat), layout, language, keep, more)
