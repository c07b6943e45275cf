"""``sevenmat web``: the page for phones without a table: scores finished tables, and looks back on games."""

from __future__ import annotations

from pathlib import Path

from device.errors import DeviceError
from device.settings.kinds import listen_at
from device.settings.settings_file import load_settings
from rules.text import Language
from web.table_end.address import USUAL, listening
from web.table_end.invitation import invite
from web.table_end.process import NO_EXTRA


def serve_page(state: Path, listen: tuple[str, int] | None, language: Language) -> int:
    """Answer phones until told to stop; where they come in is printed first. Returns the exit code.

    Raises:
        DeviceError: the page's packages are missing, the place is taken, or the state folder can't be used.
    """
    try:
        from web.server import serve
    except ImportError as error:
        raise DeviceError(NO_EXTRA) from error
    place = listen or listen_at(load_settings(state).web.listen) or USUAL
    with listening(*place) as sock:
        invite(sock, state, language)
        serve(state, sock)
    return 0
