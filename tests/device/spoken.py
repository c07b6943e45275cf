"""The screen of an activity, once it was made in every language."""

from __future__ import annotations

from typing import TypeVar

from device.app.activities import Activity
from rules.text import Language
from ui.screen_state import CameraScreen, ScreenState

S = TypeVar("S", bound=ScreenState)


def in_every_language(activity: Activity, kind: type[S] = ScreenState) -> S:  # type: ignore[assignment]
    """Return the panel's screen; check that each language has one of its kind that offers as much in other words."""
    own = activity.make_screen()
    assert isinstance(own, kind)
    for language in Language.all():
        other = activity.make_screen(language)
        assert (other.language, type(other), other.mood) == (language, type(own), own.mood)
        assert (other == own) is (language is own.language)
        assert (len(other.choices), len(other.details), other.chosen) == (
            len(own.choices),
            len(own.details),
            own.chosen,
        )
        pictures = [screen.view.picture for screen in (own, other) if isinstance(screen, CameraScreen)]
        assert pictures[1:] == pictures[:-1]
    assert activity.make_screen() == own, "who was asked in another language goes on in the panel's"
    return own
