"""How the simulated players teach a deck: they lay each page that is wanted, and have it looked at."""

from __future__ import annotations

from collections.abc import Callable

from device.errors import DeviceError
from referee.placing import Placed
from rules.text import Text
from simulator.mat import SimulatedMat
from ui.screen_state import Mood

LayPage = Callable[[str], tuple[Placed, ...]]
"""The cards of a page by its name, as the players lay them."""

_CALM_LOOKS = 12
"""After so many looks at a page without hands the camera's loop has taken it for still."""


class DisagreementError(DeviceError):
    """The program says something other than what the players know."""


class PageLayer:
    """Which page lies on the mat, and what confirm was pressed for last."""

    def __init__(self, lay_page: LayPage | None) -> None:
        """``lay_page`` may be left out where no deck is learnt."""
        self._lay_page = lay_page
        self._laid: str | None = None
        self._confirmed: object = None

    def choose_cards(self, page: str) -> tuple[Placed, ...] | None:
        """Return the cards of the page that is wanted; ``None`` where it lies there already."""
        if page == self._laid or self._lay_page is None:
            return None
        self._laid = page
        return self._lay_page(page)

    def forget(self) -> None:
        """Forget the page that was to be laid: nothing came of the last press of confirm."""
        self._confirmed = None

    def should_confirm(self, page: str | None, mood: Mood, headline: str, mat: SimulatedMat) -> bool:
        """Return whether confirm is pressed now: once for each page that lies still, then once for each screen after.

        Raises:
            DisagreementError: a page that lies right is not accepted.
        """
        if page is not None and mood in (Mood.REFUSED, Mood.QUESTION):
            raise DisagreementError(
                Text("The deck's pages lie right, but were not accepted: {headline}", headline=headline),
            )
        wanted = page or ("learnt", headline)
        if mood in (Mood.READING, Mood.BLIND) or wanted == self._confirmed:
            return False
        if page is not None and mat.calm_looks < _CALM_LOOKS:
            return False
        self._confirmed = wanted
        return True
