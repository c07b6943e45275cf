"""What the table shows, as JSON for its page on phones: one state, which panel and page both draw."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from hashlib import blake2b
from typing import Any

from referee.history import History
from referee.menu import QrCode
from rules.text import Language, join_sentences
from ui import words
from ui.parts.far import ends_now, is_last_turn, list_titles
from ui.screen_state import Mood, PlayScreen, ScreenState, TableScreen, Thumbnail

_VERDICTS = (Mood.ACCEPTED, Mood.REFUSED)
"""Moods that the band does not name where it names who is next."""


def stamp_moment() -> str:
    """Return this moment as phones and the hall get it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def page_state(screens: Sequence[ScreenState], history: History | None) -> dict[str, Any]:
    """Return the screen of a moment, and what is known of the game that is played, as JSON.

    ``screens`` are the same one in every language, the panel's first. By the language's code, ``state`` is what
    ``/state.json`` answers, ``screen`` the whole screen by its fields, ``kind`` its kind, ``title`` the band's words,
    ``verdict`` a verdict's name beside them, and ``now`` what must be understood at once. ``language`` is the panel's;
    ``pictures`` are those of all screens by their keys, as ``size`` in px and ``rgb`` in base 64.
    """
    at = stamp_moment()
    pictures: dict[str, Any] = {}
    said = {
        screen.language.code: {
            "state": table_state(screen, history, at),
            "kind": type(screen).__name__,
            "title": list_titles(screen)[0],
            "verdict": words.far_titles(screen.language, screen.mood, "", "")[0] if screen.mood in _VERDICTS else "",
            "now": _list_urgent(screen),
            "screen": as_json(screen, pictures),
        }
        for screen in screens
    }
    return {"language": screens[0].language.code, "said": said, "pictures": pictures}


def table_state(screen: ScreenState, history: History | None, at: str) -> dict[str, Any]:
    """Return what ``/state.json`` answers and the hall gets."""
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
        "last": _describe_last(history, screen.language),
        "choices": list(screen.choices),
        "chosen": screen.chosen,
        "ending": {"turns_left": ending.turns_left, "flag_due": ending.flag_due},
        "turn": len(history.past) if history is not None else 0,
        "over": history is not None and history.over,
        "at": at,
    }


def _describe_last(history: History | None, language: Language) -> dict[str, Any] | None:
    """Say who moved last, and what was done; nobody where the position was set by hand."""
    if history is None or not history.past:
        return None
    step = history.past[-1]
    seat = getattr(step.move, "seat", None)
    who = history.header.players[seat - 1] if seat is not None else None
    return {"who": who, "words": join_sentences(history.referee.describe(step)).said(language)}


def _list_urgent(screen: ScreenState) -> list[str]:
    """Say what must be understood at once, beside whose turn it is: as the panel does from afar."""
    language = screen.language
    if ends_now(screen):
        return [words.FLAG_STEP.said(language)]
    said = [words.LAST_TURN_OF_ALL.said(language)] if is_last_turn(screen) else []
    if screen.to_move and (hint := words.far_hint(language, screen.mood)):
        said.append(hint)
    elif isinstance(screen, PlayScreen | TableScreen) and screen.brief:
        said.append(screen.brief)
    if not (said or screen.headline or screen.details) and screen.mood is Mood.WAITING and screen.to_move:
        said.append(words.WAITING_HINT.said(language))
    return said


def as_json(value: Any, pictures: dict[str, Any]) -> Any:
    """Return a screen's fields to JSON; a picture goes to ``pictures``, its key and size stand in its place.

    Codes that let phones in are left out.
    """
    if isinstance(value, QrCode):
        return None
    if isinstance(value, Thumbnail):
        key = blake2b(value.rgb, digest_size=8).hexdigest()
        pictures[key] = {"size": list(value.size), "rgb": b64encode(value.rgb).decode("ascii")}
        return {"key": key, "width": value.size[0], "height": value.size[1]}
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: as_json(getattr(value, one.name), pictures) for one in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Language):
        return value.code
    if isinstance(value, Mapping):
        return {str(key): as_json(one, pictures) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(one, pictures) for one in value]
    return value
