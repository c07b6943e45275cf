"""Joining a hall from a phone: by the code of the hall's sheet, which the table's camera sees or somebody types here.

Whoever types it is sent to the hall's board, which sends the phone back with what the table needs, sealed under that
code: the table may have no network of its own, and opens it itself.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from device.errors import DeviceError
from rules.text import Text
from web.scorer import ToldError
from web.site import ALL, HELP, Site, answer_done, find_phone, say_error, wants_page
from web.uploads import read_form

BOARD_PORT = 7780
_GOOD_S = 600.0
_MOST_TYPED = 100
_NAME_LETTERS = 2
_PLACE = re.compile(r"(?P<host>[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::(?P<port>[0-9]{1,5}))?")
_CODE = re.compile(r"[A-Za-z0-9]{8}")
_PATIENCE_S = 15.0
"""Leaving one hall for another waits until the last of it is sent."""

BAD_ADDRESS = Text("That is no address of a hall: it stands on the table's sheet, such as 192.168.1.5:7780.")
BAD_CODE = Text("That is no code of a hall: it has eight letters and digits.")
TYPE_AGAIN = Text("That came too late, or from another phone: type the code once more.")


def make_routes(site: Site) -> list[Route]:
    """Return the addresses of the hall that the table is in."""
    pages = HallPages(site)
    return [
        Route("/hall", pages.see, methods=["GET"]),
        Route("/hall", pages.act, methods=["POST"]),
    ]


class HallPages:
    """What is answered of the hall that the table is in."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._typed: OrderedDict[str, tuple[float, str]] = OrderedDict()
        """What phones have typed of late, until they come back from the hall's board."""

    async def see(self, request: Request) -> Response:
        """Show which hall the table is in; to a phone that comes back from a board, join that one first."""
        if "sealed" not in request.query_params:
            return await self._render(request)
        self._site.require(HELP)
        try:
            data = {"code": self._take_typed(request), "sealed": request.query_params["sealed"]}
            await self._site.ask("hall.join", data, _PATIENCE_S)
        except (DeviceError, ToldError) as error:
            return await self._render_fault(request, error)
        return RedirectResponse("/hall", 303)

    async def _render(self, request: Request, status: int = 200, **values: Any) -> Response:
        told = await self._site.ask("hall", {})
        shown = {"fault": None, "asking": None, "address": "", "code": "", **values}
        return self._site.render(request, "hall", status, told=told, may=self._site.may, **shown)

    async def _render_fault(self, request: Request, error: Exception, **typed: str) -> Response:
        """Say what is wrong over what was typed."""
        if not wants_page(request):
            raise error
        return await self._render(request, 400, fault=say_error(error), **typed)

    def _take_typed(self, request: Request) -> str:
        """Return the code that this phone has typed.

        Raises:
            DeviceError: none, or too long ago.
        """
        at_s, code = self._typed.pop(find_phone(request), (-_GOOD_S, ""))
        if time.monotonic() - at_s >= _GOOD_S:
            raise DeviceError(TYPE_AGAIN)
        return code

    async def act(self, request: Request) -> Response:
        """Have the camera look for a code, send the phone to a board for what was typed, or leave the hall."""
        self._site.require(HELP)
        async with read_form(request) as form:
            act, address, code = (form.fields.get(name, "").strip() for name in ("do", "address", "code"))
        if act == "type":
            try:
                board = self._note_typed(request, address, code)
            except DeviceError as error:
                return await self._render_fault(request, error, address=address, code=code)
            return await self._render(request, asking=board)
        if act == "leave":
            # Whoever has no sheet brings no table back.
            self._site.require(ALL)
        if act not in ("look", "leave"):
            raise DeviceError(Text("The page does not know how to do that: load it anew."))
        await self._site.ask(f"hall.{act}", {}, _PATIENCE_S)
        return answer_done(request, "/hall")

    def _note_typed(self, request: Request, address: str, code: str) -> str:
        """Remember what a phone has typed; return where at the hall's board it is sent, which sends it back.

        Raises:
            DeviceError: it can't be the address of a hall, or a code.
        """
        place, code = _PLACE.fullmatch(address.removeprefix("http://").rstrip("/")), re.sub(r"[^0-9A-Za-z]", "", code)
        if place is None or not 0 < int(place["port"] or BOARD_PORT) < 65536:
            raise DeviceError(BAD_ADDRESS)
        if not _CODE.fullmatch(code):
            raise DeviceError(BAD_CODE)
        self._typed[find_phone(request)] = time.monotonic(), code
        if len(self._typed) > _MOST_TYPED:
            self._typed.popitem(last=False)
        asked = {"name": code[:_NAME_LETTERS], "back": f"http://{request.headers['host']}/hall"}
        return f"http://{place['host']}:{place['port'] or BOARD_PORT}/join?{urlencode(asked)}"
