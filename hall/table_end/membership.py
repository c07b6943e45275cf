"""The hall that the table is in, if it is in one: joined and left while the program runs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from device.app.menus.start import show_home
from device.app.navigator import NO_HALL, ONE_MOMENT
from device.app.services.services import Services
from device.errors import DeviceError
from device.files import replace_file
from device.outward import Answer
from device.settings.settings_file import change_settings, load_settings
from device.speech import each_json
from hall.invitation import Invitation, clean_code
from hall.table_end.desk import HallDesk, open_desk
from hall.table_end.place import NO_EXTRA, HallPlace
from referee.history import History
from referee.menu import Menu, Option
from referee.state import AgreedState
from rules.text import Text
from ui.screen_state import ScreenState

_LOG = logging.getLogger(__name__)
PASSWORD_FILE = "hall-password"
"""The file in the state folder that holds the broker's password, for its owner alone."""
_NOWHERE = {f"hall.{name}": "" for name in ("broker", "name", "table", "password", "password_file", "ca_file")}
_NOWHERE["hall.certificate"] = ""

JOIN = Text("Join a hall")
LAY = Text("Lay this table's sheet of the hall on the mat, or type its code on a phone.")
JOINED = Text("This table is {table} in the hall {hall} now.", table="", hall="")
IN_HALL = Text("This table is {table} in the hall {hall}.", table="", hall="")
LEAVE = Text("Leave the hall")
UNKNOWN_CODE = Text("The hall knows no such code: look at this table's sheet once more.")


class TableHall:
    """Whom the table calls in its hall and what it tells there, as ``HallDesk``; nothing of it while it is in none."""

    def __init__(self, state: Path, runtime: Path | None) -> None:
        """Go to the hall that the settings name, if they do; ``runtime`` is as ``open_desk`` has it.

        Raises:
            DeviceError: the settings name one that can't be.
        """
        self._state, self._runtime = state, runtime
        self._place: HallPlace | None = None
        self._desk: HallDesk | None = None
        self._shown: tuple[ScreenState, History | None, AgreedState | None] | None = None
        self._open()

    def _open(self) -> None:
        settings = load_settings(self._state).hall
        self._place = HallPlace.of(None, None, settings)
        self._desk = None
        if self._place is not None:
            self._desk = open_desk(self._state, self._place, settings, self._runtime)
            if self._shown is not None:
                self._desk.show(*self._shown)

    # Joining and leaving

    def join(self, invitation: Invitation) -> None:
        """Be this table of this hall from now on; another one is left for it.

        Raises:
            DeviceError: it can't be kept, and all stays as it was.
        """
        if find_spec("paho") is None:
            raise DeviceError(NO_EXTRA)
        path = (self._state / PASSWORD_FILE).absolute()
        with replace_file(path, mode=0o600) as unfinished:
            unfinished.write_text(f"{invitation.password}\n", encoding="utf-8")
        told = {"broker": invitation.broker.url, "name": invitation.hall, "table": invitation.table}
        told |= {"password_file": str(path), "certificate": invitation.certificate}
        change_settings(self._state, _NOWHERE | {f"hall.{name}": value for name, value in told.items()})
        self.close()
        self._open()
        _LOG.warning("the table is %s in the hall %s now", invitation.table, invitation.hall)

    def leave(self) -> None:
        """Be in no hall from now on.

        Raises:
            DeviceError: that can't be kept, and all stays as it was.
        """
        change_settings(self._state, _NOWHERE)
        self.take_back()
        self.close()
        self._desk = self._place = None
        (self._state / PASSWORD_FILE).unlink(missing_ok=True)

    def make_option(self, services: Services, back: Callable[[], Menu]) -> Option | None:
        """Make the menu's line by which a hall is joined or left."""
        if (place := self._place) is not None:
            words = Text("Hall: {hall}, {table}", hall=place.hall, table=place.table)
            return Option(words, lambda: self._make_menu(services, back))
        return Option(JOIN, lambda: self._look_for_code(services, back))

    def _look_for_code(self, services: Services, back: Callable[[], Menu]) -> None:
        from device.app.sighting import CodeAsked  # what looks at pictures is loaded when one is looked at

        navigator = services.navigator

        def take(text: str) -> None:
            invitation = Invitation.read_code(text)
            navigator.show_busy(ONE_MOMENT)
            self.join(invitation)
            said = JOINED.refill(table=invitation.table, hall=invitation.hall)
            navigator.say([said], lambda: navigator.show_menu(self._make_menu(services, back)))

        services.sight.read_code(CodeAsked(JOIN, LAY, take, lambda: navigator.show_menu(back())))

    def _make_menu(self, services: Services, back: Callable[[], Menu]) -> Menu:
        """Make the menu of the hall that the table is in: whether it is in touch with it, and the way out."""
        place, trouble = self._place, self.find_trouble()
        if place is None:
            return back()

        def leave() -> Menu:
            services.navigator.show_busy(ONE_MOMENT)
            self.leave()
            return back()

        title = IN_HALL.refill(table=place.table, hall=place.hall)
        lines = Option(Text("Back"), back), Option(LEAVE, leave)
        return Menu(title, lines, (trouble,) if trouble is not None else (), parent=back())

    def make_answers(self, services: Services) -> dict[str, Answer]:
        """Return what phones may ask of the hall that the table is in."""
        navigator = services.navigator

        def look(_: Mapping[str, Any]) -> Mapping[str, Any]:
            if _is_looking(services):
                return {}
            navigator.needs_idle()
            navigator.promise(lambda: self._look_for_code(services, lambda: show_home(services)))
            return {}

        def join(data: Mapping[str, Any]) -> Mapping[str, Any]:
            if not data["sealed"]:
                raise DeviceError(UNKNOWN_CODE)
            self.join(Invitation.unseal(data["sealed"], clean_code(data["code"])))
            if _is_looking(services):
                navigator.promise(navigator.go_home)
            return {}

        def leave(_: Mapping[str, Any]) -> Mapping[str, Any]:
            self.leave()
            return {}

        def describe(_: Mapping[str, Any]) -> Mapping[str, Any]:
            place, trouble = self._place, self.find_trouble()
            hall = None if place is None else {"hall": place.hall, "table": place.table}
            told = each_json(trouble) if trouble is not None else None
            return {"joined": hall, "trouble": told, "looking": _is_looking(services)}

        return {"hall": describe, "hall.look": look, "hall.join": join, "hall.leave": leave}

    # The director of it

    @property
    def joined(self) -> bool:
        """Whether the table is in a hall now."""
        return self._desk is not None

    @property
    def called(self) -> bool:
        """Whether the director has been called, and nobody comes yet."""
        return self._desk is not None and self._desk.called

    @property
    def coming(self) -> bool:
        """Whether somebody in the hall has said of late that they come."""
        return self._desk is not None and self._desk.coming

    def show(self, screen: ScreenState, history: History | None, drawn: AgreedState | None) -> None:
        """Tell the hall what the table shows."""
        self._shown = screen, history, drawn
        if self._desk is not None:
            self._desk.show(screen, history, drawn)

    def call(self, why: str | Text) -> None:
        """Call the director.

        Raises:
            DeviceError: the table is in no hall.
        """
        if self._desk is None:
            raise DeviceError(NO_HALL)
        self._desk.call(why)

    def take_back(self) -> None:
        """Take the call back."""
        if self._desk is not None:
            self._desk.take_back()

    def find_trouble(self) -> Text | None:
        """Return what keeps the table from being in touch with its hall."""
        return self._desk.find_trouble() if self._desk is not None else None

    def close(self) -> None:
        """Tell the hall what is left to tell; closing twice does no harm."""
        if self._desk is not None:
            self._desk.close()


def _is_looking(services: Services) -> bool:
    """Return whether the camera looks for a code now."""
    from device.app.sighting import CodeReading

    return isinstance(services.navigator.activity, CodeReading)
