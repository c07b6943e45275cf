"""The table's end of the hall: what it shows is told, and the director called; the referee waits for nothing of it."""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device.app.services.services import Services
from device.errors import DeviceError
from device.files import read_text, replace_file
from device.json_text import read_object
from device.outward import Answer
from device.public_state import table_state
from device.settings.values import HallSettings
from device.typed_json import make_plain
from hall.table_end.folders import PASSWORD, HallFolders
from hall.table_end.place import HallPlace, password_of
from hall.table_end.process import KEPT, RelayProcess, relay_command
from referee.history import History
from referee.menu import Menu, Option
from referee.state import AgreedState
from rules.text import Text
from ui.screen_state import ScreenState

_LOG = logging.getLogger(__name__)
_PACE_S = 0.5
"""The hall is told of a change at most so often, in seconds."""
_COMING_S = 300.0
"""So long the players are told that the director is coming: who is at the table by then needs no telling."""
_LAST_S = 2.0
"""So long the last of it may take at the end."""
_FILE = "hall-call.json"
SAID_AT_START = Text("The command line says which hall this table is in: start it without --hall.")


def open_desk(state: Path, place: HallPlace, settings: HallSettings, runtime: Path | None) -> HallDesk:
    """Open the table's end of the hall; ``runtime`` is the service's folder in memory, where another service sends.

    Raises:
        DeviceError: the password can't be read.
    """
    if runtime is not None:
        return HallDesk(state, HallFolders.of_service(runtime))
    folders, password = HallFolders.new(), password_of(settings)
    command = relay_command(state, state / KEPT, place, folders, settings)
    return HallDesk(state, folders, RelayProcess(command, {PASSWORD: password} if password is not None else {}))


class HallDesk:
    """What the table tells its hall, and whom it calls there.

    A thread of its own writes it down, so no call of this waits for a disk. A call outlasts a pulled plug.
    """

    def __init__(
        self,
        state: Path,
        folders: HallFolders,
        relay: RelayProcess | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``relay`` is the table's own, where no service sends; ``clock`` counts seconds."""
        self._clock, self._coming_until_s = clock, -math.inf
        self._path, self._folders, self._relay = state / _FILE, folders, relay
        self._news, self._ended = threading.Condition(), False
        self._shown: tuple[ScreenState, History | None, datetime, AgreedState | None] | None = None
        self._call: Mapping[str, Any] | None = self._kept()
        self._changed = True
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        self._thread.start()

    joined = True
    """Whoever has a desk is in the hall."""

    def make_option(self, services: Services, back: Callable[[], Menu]) -> Option | None:
        """Make no line by which the hall is left: the command line has said which one it is."""
        return None

    def make_answers(self, services: Services) -> dict[str, Answer]:
        """Tell phones that no hall can be joined or left."""

        def refuse(_: Mapping[str, Any]) -> Mapping[str, Any]:
            raise DeviceError(SAID_AT_START)

        return dict.fromkeys(("hall", "hall.look", "hall.join", "hall.leave"), refuse)

    @property
    def called(self) -> bool:
        """Whether the director has been called, and nobody comes yet."""
        return self._call is not None

    @property
    def coming(self) -> bool:
        """Whether somebody in the hall has said of late that they come."""
        return not self.called and self._clock() < self._coming_until_s

    def show(self, screen: ScreenState, history: History | None, drawn: AgreedState | None = None) -> None:
        """Tell the hall what the table shows."""
        with self._news:
            self._shown, self._changed = (screen, history, datetime.now(UTC), drawn), True
            self._news.notify()

    def call(self, why: str | Text) -> None:
        """Call the director; a text is said in the language of what the table shows."""
        shown = self._shown
        if isinstance(why, Text):
            why = why.said(shown[0].language) if shown is not None else str(why)
        self._set({"since": make_plain(datetime.now(UTC)), "why": why})

    def take_back(self) -> None:
        """Take the call back: the director is no longer needed."""
        self._set(None)

    def find_trouble(self) -> Text | None:
        """Return what keeps the table from being in touch with the hall."""
        trouble = self._folders.said()
        return trouble.value if trouble is not None else None

    def close(self) -> None:
        """Tell the hall what is left to tell; closing twice does no harm."""
        with self._news:
            self._ended = True
            self._news.notify()
        self._thread.join(_LAST_S)
        if self._relay is not None:
            self._relay.close()
            self._folders.forget()

    def _set(self, call: Mapping[str, Any] | None) -> None:
        with self._news:
            self._call, self._changed, self._coming_until_s = call, True, -math.inf
            self._news.notify()

    def _run(self) -> None:
        written = self._call
        while True:
            with self._news:
                self._news.wait_for(lambda: self._changed or self._ended, _PACE_S if self._call is not None else None)
                asked = self._call
            if asked is not None and self._folders.answered() == asked.get("since", ""):
                with self._news:
                    if self._call is asked:
                        self._call, self._changed = None, True
                        self._coming_until_s = self._clock() + _COMING_S
            with self._news:
                if not self._changed and self._ended:
                    return
                if not self._changed:
                    continue
                shown, call, self._changed = self._shown, self._call, False
            try:
                self._folders.tell(make_plain(table_state(*shown)) if shown is not None else None, call)
            except OSError as error:
                _LOG.warning("what the table shows can't be told to the hall: %s", error)
            if call is not written:
                written = call
                self._keep(call)
            with self._news:
                self._news.wait_for(lambda: self._ended, _PACE_S)

    def _keep(self, call: Mapping[str, Any] | None) -> None:
        """Have the call outlast a pulled plug, where the disk takes it."""
        try:
            if call is None:
                self._path.unlink(missing_ok=True)
            else:
                with replace_file(self._path) as unfinished:
                    unfinished.write_text(json.dumps(call, ensure_ascii=False), encoding="utf-8", errors="replace")
        except (OSError, DeviceError) as error:
            _LOG.warning("the call for the director is not kept: %s", error)

    def _kept(self) -> Mapping[str, Any] | None:
        with suppress(DeviceError, ValueError):
            return read_object(read_text(self._path, 10_000))
        return None
