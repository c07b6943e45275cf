"""What the table shows, as JSON for its page on phones: one state, which panel and page both draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from device.session.session import Session
from referee.history import History
from rules.text import Language, joined
from ui.screen_state import ScreenState, Thumbnail


def page_state(screen: ScreenState, session: Session | None) -> dict[str, Any]:
    """What a screen shows and what is known of the game that is played, as JSON.

    ``state`` is what ``/state.json`` answers, ``screen`` the whole screen by its fields, ``kind`` the kind of screen.
    """
    history = session.history if session is not None else None
    return {"state": table_state(screen, history), "kind": type(screen).__name__, "screen": as_json(screen)}


def table_state(screen: ScreenState, history: History | None) -> dict[str, Any]:
    """What ``/state.json`` answers, and the hall is told."""
    ending = screen.ending
    return {
        "game": history.header.game if history is not None else None,
        "language": screen.language.code,
        "mood": screen.mood.value,
        "headline": screen.headline,
        "details": [*screen.details, *screen.put_back],
        "players": [
            {
                "name": one.name,
                "points": one.points,
                "to_move": one.to_move,
                "notes": [one.shown] if one.shown else [],
            }
            for one in screen.players
        ],
        "last": _last(history, screen.language),
        "choices": list(screen.choices),
        "chosen": screen.chosen,
        "ending": {"turns_left": ending.turns_left, "flag_due": ending.flag_due},
        "turn": len(history.past) if history is not None else 0,
        "over": history is not None and history.over,
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
    }


def _last(history: History | None, language: Language) -> dict[str, Any] | None:
    """Who moved last, and what was done; nobody where the position was set by hand."""
    if history is None or not history.past:
        return None
    step = history.past[-1]
    seat = getattr(step.move, "seat", None)
    who = history.header.players[seat - 1] if seat is not None else None
    return {"who": who, "words": joined(history.referee.describe(step)).said(language)}


def as_json(value: Any) -> Any:
    """A screen's fields as JSON; pictures, which a page gets otherwise, are left out."""
    if isinstance(value, Thumbnail):
        return None
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: as_json(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Language):
        return value.code
    if isinstance(value, Mapping):
        return {str(key): as_json(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(one) for one in value]
    return value
