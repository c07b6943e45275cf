"""Where a phone fetches what its table joins by: sealed, so that it may be read by anybody and opened by the code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from device.errors import DeviceError
from device.files import read_text
from device.json_text import NoObjectError, read_object
from rules.plain import shorten_line
from rules.text import Text

ADDRESS = "/join"
_MOST = 1 << 22
_SEALED = re.compile(r"[A-Za-z0-9_-]{1,2000}")

NO_WAY_BACK = Text("That is no address of a table's page.")


def read_invitations(path: Path) -> dict[str, str]:
    """Read the sealed invitations of a file, by the letters that each is known by.

    Raises:
        DeviceError: it can't be read, or holds something else.
    """
    try:
        told = read_object(read_text(path, _MOST))
        if all(isinstance(one, str) and _SEALED.fullmatch(one) for one in told.values()):
            return told
    except NoObjectError:
        pass
    raise DeviceError("{name} holds no invitations of a hall.", name=shorten_line(str(path), 200))


def make_route(invitations: Mapping[str, str]) -> Route:
    """Return the address that sends a phone back to its table's page, with what that has asked for."""

    async def send_back(request: Request) -> Response:
        """Send what is known by these letters back to the table, or that there is nothing."""
        back = request.query_params.get("back", "")
        sealed = invitations.get(request.query_params.get("name", "").upper(), "")
        return RedirectResponse(f"{_check_way_back(back)}?{urlencode({'sealed': sealed})}", 303)

    return Route(ADDRESS, send_back, methods=["GET"])


def _check_way_back(back: str) -> str:
    """Return the address of a table's page, with nothing besides.

    Raises:
        DeviceError: it is none.
    """
    try:
        parts = urlsplit(back)
        right = parts.scheme == "http" and parts.path == "/hall" and bool(parts.hostname)
    except ValueError:
        right = False
    if not right or parts.query or parts.fragment or "@" in parts.netloc or "\\" in back:
        raise DeviceError(NO_WAY_BACK)
    return back
