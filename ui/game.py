"""What a game shows of itself: players and points, what presses now, the ranking, and a picture of its table.

A module ``ui/<name>.py`` with the object ``SCREEN`` belongs to the game of that name (``ui.registry``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from referee.layout import Layout
from referee.verdict import Mend, Spot
from rules.text import Language
from ui.screen_state import Mood, RankLine, ScreenState, TablePicture


class GameScreen(Protocol):
    """A game on the display."""

    def base(self, position: Any, language: Language, mood: Mood) -> ScreenState:
        """Players, points and what presses (a countdown, a trump), with nothing said yet."""

    def ranking(self, position: Any) -> tuple[RankLine, ...]:
        """The players of a game that is over, the first one first."""

    def picture(
        self, view: Any, layout: Layout, mends: Sequence[Mend] = (), unseen: Sequence[Spot] = ()
    ) -> TablePicture | None:
        """The table as it was seen, with an arrow for each of the grouped steps to mend."""
