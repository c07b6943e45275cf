"""The camera above the table, for whoever looks through it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from device.app.equipment import Equipment, Pace
from device.app.navigator import Navigator
from device.app.services.settings import CurrentSettings
from device.capture.capture import Lookout
from device.hardware.camera import Picture
from referee.menu import Menu
from rules.game import Contest
from rules.text import Text

T = TypeVar("T")


class Sight:
    """Has the table looked at: for a reader, to set up the camera, or for cards that are turned up before a game.

    ``told`` is set whenever there is news; ``beat`` is called at every look.
    """

    def __init__(
        self,
        equipment: Equipment,
        pace: Pace,
        settings: CurrentSettings,
        navigator: Navigator,
        told: threading.Event,
        beat: Callable[[], None],
    ) -> None:
        self._equipment, self._pace, self._settings, self._navigator = equipment, pace, settings, navigator
        self._told, self._beat = told, beat

    def lookout(
        self,
        open_reader: Callable[[], Callable[[Picture], T]],
        before: Callable[[Picture], None] = lambda _: None,
    ) -> Lookout[T]:
        """What watches the table and has it read; whoever starts it stops it."""
        return Lookout(
            self._equipment.open_camera(),
            open_reader,
            self._told,
            self._beat,
            before=before,
            still_s=self._pace.still_s,
            looks_a_second=self._pace.looks,
            clock=self._equipment.clock,
        )

    def aim(self, players: tuple[str, ...] = (), go_on: Callable[[tuple[str, ...]], None] | None = None) -> None:
        """Show what the camera sees; ``go_on`` gets the players as they turned out to sit."""
        from device.app.sighting import Aiming, Purpose  # what looks at pictures is loaded when one is looked at
        from device.capture.live import Live

        settings = self._settings
        live = Live(self._equipment.open_camera(), settings.marker_mm, self._told, self._beat)
        purpose = Purpose(settings.mat_mm, settings.use_mat, self._navigator.home, players, go_on)
        self._navigator.enter(Aiming(live, settings.language, purpose))

    @property
    def can_read_cards(self) -> bool:
        """Whether cards that are turned up before a game can be read."""
        return self._equipment.open_cards is not None

    def hold(self, contest: Contest, deck: str, then: Callable[[Text], Menu], back: Menu) -> None:
        """Hold a contest with cards of this deck; ``then`` gives the menu to go on with once it was called."""
        from device.app.contesting import Contesting  # the reader is loaded when cards are read

        open_cards, settings, show = self._equipment.open_cards, self._settings, self._navigator.show_menu
        assert open_cards is not None, "it is only offered where cards can be read"
        lookout = self.lookout(lambda: open_cards(deck, settings.mat_mm, settings.marker_mm))
        self._navigator.enter(
            Contesting(contest, lookout, settings.language, lambda given: show(then(given)), lambda: show(back))
        )
