"""The camera above the table, for whoever looks through it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import ref

from device.app.equipment import Equipment, Pace
from device.app.navigator import Navigator
from device.app.services.settings import CurrentSettings
from device.capture.capture import Lookout
from device.capture.phone_picture import Pictured
from device.hardware.camera import Picture
from referee.menu import Menu
from rules.game import Contest
from rules.text import Text

if TYPE_CHECKING:
    from device.app.sighting import Aiming, CodeAsked

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
        self._aimed_last: Callable[[], Aiming | None] = lambda: None
        navigator.answers |= {
            "aim": self._describe_aim,
            "aim.open": self._aim_opened,
            "aim.turn": lambda data: self._do_aiming("turn", data, lambda aiming: aiming.turn(int(data["by"]))),
            "aim.take": lambda data: self._do_aiming("take", data, lambda aiming: aiming.take_mat()),
            "aim.keep": lambda data: self._do_aiming("keep", data, lambda aiming: aiming.keep_mat()),
            "aim.on": lambda data: self._do_aiming("on", data, lambda aiming: aiming.go_on()),
            "aim.back": lambda data: self._do_aiming("back", data, lambda aiming: aiming.go_back()),
        }

    def make_lookout(
        self,
        open_reader: Callable[[], Callable[[Picture], T]],
        before: Callable[[Picture], None] = lambda _: None,
    ) -> Lookout[T]:
        """Make what watches the table and has it read; whoever starts it stops it."""
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
        purpose = Purpose(settings.mat_mm, settings.use_mat, self._navigator.go_home, players, go_on)
        aiming = Aiming(live, settings.language, purpose)
        self._aimed_last = ref(aiming)
        self._navigator.enter(aiming)

    def read_code(self, asked: CodeAsked) -> None:
        """Look for a code that somebody lays on the mat."""
        from device.app.sighting import CodeReading
        from device.capture.live import Live

        settings, watch = self._settings, partial(Live, self._equipment.open_camera(), self._settings.marker_mm)
        look = partial(watch, self._told, self._beat)
        self._navigator.enter(CodeReading(lambda inspect: look(inspect=inspect), settings.language, asked, self._told))

    # What phones ask for

    @property
    def _aiming(self) -> Aiming | None:
        aiming = self._aimed_last()
        return aiming if aiming is self._navigator.activity else None

    def _describe_aim(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Tell a phone what the camera sees, its picture too unless that is the one ``known`` by its number."""
        activity, aiming = self._navigator.activity, self._aiming
        picture = activity.get_picture() if isinstance(activity, Pictured) else None
        return {
            "busy": self._navigator.occupied,
            "aiming": aiming.describe_aim() if aiming is not None else None,
            "picture": picture.as_json(data["known"]) if picture is not None else None,
        }

    def _aim_opened(self, _: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._aiming is None:
            self._navigator.needs_idle()
            self.aim()
        return {}

    def _do_aiming(self, what: str, data: Mapping[str, Any], act: Callable[[Aiming], None]) -> Mapping[str, Any]:
        """Have something done about the picture, unless what the phone has seen is otherwise by now.

        Says whether it has led on to a ``game``.
        """
        aiming = self._aiming
        if aiming is None or data["of"] != aiming.asked or what not in aiming.may:
            return {"same": False}
        self._navigator.have_done(lambda: act(aiming))
        return {"game": what == "on" and aiming.leads_on and self._aiming is None}

    @property
    def only_aims(self) -> bool:
        """Whether somebody looks through the camera, and no game begins from there."""
        return (aiming := self._aiming) is not None and not aiming.leads_on

    def leave_aiming(self) -> None:
        """Look no longer through the camera where no game begins from there."""
        if (aiming := self._aiming) is not None and not aiming.leads_on:
            self._navigator.have_done(aiming.go_back)

    @property
    def can_read_cards(self) -> bool:
        """Whether cards that are turned up before a game can be read."""
        return self._equipment.open_cards is not None

    def hold(self, contest: Contest, deck: str, then: Callable[[Text], Menu], back: Menu) -> None:
        """Hold a contest with cards of this deck; ``then`` gives the menu to go on with once it was called."""
        from device.app.contesting import Contesting  # the reader is loaded when cards are read

        open_cards, settings, show = self._equipment.open_cards, self._settings, self._navigator.show_menu
        assert open_cards is not None, "it is only offered where cards can be read"
        lookout = self.make_lookout(lambda: open_cards(deck, settings.mat_mm, settings.marker_mm))
        self._navigator.enter(
            Contesting(contest, lookout, settings.language, lambda given: show(then(given)), lambda: show(back))
        )
