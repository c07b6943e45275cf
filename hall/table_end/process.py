"""The relay that sends to the hall, as a child of the table where no service does; the table never waits for it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from device.settings.values import HallSettings
from hall.table_end.folders import HallFolders
from hall.table_end.place import HallPlace

_LOG = logging.getLogger(__name__)
KEPT = "hall"
"""The folder in the state folder for what the hall has acknowledged, where no service has one."""
_AGAIN_S = 2.0
"""A relay that has ended is started again after this."""
_LAST_S = 4.0
"""So long what is left to send may take at the end."""


def relay_command(
    state: Path, kept: Path, place: HallPlace, folders: HallFolders, settings: HallSettings | None = None
) -> list[str]:
    """Return the command of a relay, to be run; the password is not in it, but in the environment.

    ``state`` is the table's folder, which is only read, ``kept`` a folder for what the hall has acknowledged, and
    ``settings`` say how the broker is known.
    """
    command = [sys.executable, "-m", "hall.relay", "--state", str(state), "--kept", str(kept)]
    command += ["--broker", place.broker.url, "--hall", place.hall, "--table", place.table]
    if settings is not None and settings.ca_file:
        command += ["--ca-file", settings.ca_file]
    if settings is not None and settings.certificate:
        command += ["--certificate", settings.certificate]
    return [*command, "--table-folder", str(folders.table), "--relay-folder", str(folders.relay)]


class RelayProcess:
    """A relay that runs as long as the table does. Only ``close`` waits for it, a few seconds at most."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        """Start it; ``environment`` is added to the table's own."""
        self._command = [*command, "--parent", str(os.getpid())]
        self._environment = {**os.environ, **environment}
        self._news, self._ended = threading.Condition(), False
        self._process: subprocess.Popen[bytes] | None = None
        threading.Thread(target=self._run, name="relay", daemon=True).start()

    def close(self) -> None:
        """End it, once it has sent what is left; closing twice does no harm."""
        with self._news:
            self._ended = True
            self._news.notify()
            process = self._process
        if process is not None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LAST_S)
            process.kill()

    def _run(self) -> None:
        while True:
            with self._news:
                if self._ended:
                    return
                # In a session of its own: what stops the table at a terminal leaves it time to send the rest.
                self._process = subprocess.Popen(
                    self._command, stdin=subprocess.DEVNULL, env=self._environment, start_new_session=True
                )
            self._process.wait()
            with self._news:
                if not self._news.wait_for(lambda: self._ended, _AGAIN_S):
                    _LOG.warning("what sends to the hall had ended (%s); it is started again", self._process.returncode)
