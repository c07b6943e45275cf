"""Moments of simulated games, as phones see them."""

from __future__ import annotations

from functools import cache
from typing import Any

from device.public_state import page_state
from device.session.session import Session
from rules.text import Language
from tests.ui.test_all_states import seen_game
from ui.screen_state import Mood


@cache
def reach(game: str, mood: Mood, least: int = 40) -> Session:
    """Play a simulated game until its table shows that, so many looks and presses into the game."""
    played = seen_game(game, 3)
    session, found, heard = played.session, list[Session](), 0

    class Found(Exception):  # noqa: N818
        """It is shown."""

    def listen(told: Any) -> Any:
        def heed(*what: Any, **more: Any) -> Any:
            nonlocal heard
            came, heard = told(*what, **more), heard + 1
            screen = session.make_screen()
            steps = mood is not Mood.REFUSED or screen.put_back
            if heard >= least and screen.mood is mood and steps:
                found.append(session)
                raise Found
            return came

        return heed

    for name in ("see", "press"):
        setattr(session, name, listen(getattr(session, name)))
    try:
        for attempt in played.simulation.play_game():
            played.meet(attempt)
    except Found:
        pass
    assert found, f"{game} never came to {mood}"
    for name in ("see", "press"):
        delattr(session, name)
    return session


def tell_phones(session: Session, first: Language = Language.EN) -> dict[str, Any]:
    """Return what phones hear of a session's moment, the panel's language first."""
    languages = [first, *(one for one in Language.all() if one is not first and one.can_be_spoken)]
    screens = [session.make_screen(language) for language in languages]
    return page_state(screens, session.history, session.previewed if screens[0].mood is Mood.PREVIEW else None)
