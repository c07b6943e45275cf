"""The table on phones: what the display shows, as it changes, and the four buttons where phones may press them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from device.app.hall.desk import MOST_WHY
from device.errors import DeviceError
from device.web.guard import COOKIE
from device.web.link import TableLink
from device.web.site import ALL, HELP, Site, language_of
from device.web.uploads import form_of, json_of
from rules.plain import is_plain
from rules.text import Text

BUTTONS = ("confirm", "back", "up", "down")
_ALIVE_S = 15.0
"""So often an open stream says that it is still there, and asks whether its key still holds."""
_MOST_STREAMS = 200

TOO_MANY = Text("Too many phones watch already.")


def routes(site: Site) -> list[Route]:
    """The addresses of the table itself."""
    pages = TablePages(site)
    return [
        Route("/", pages.table, methods=["GET"]),
        Route("/state.json", pages.state, methods=["GET"]),
        Route("/events", pages.events, methods=["GET"]),
        Route("/press", pages.press, methods=["POST"]),
        Route("/answer", pages.answer, methods=["POST"]),
        Route("/call", pages.call, methods=["POST"]),
    ]


class TablePages:
    """What is answered of the table."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._streams = 0
        self._drawn: dict[str, tuple[int, str]] = {}

    @property
    def _table(self) -> TableLink:
        return self._site.linked

    async def table(self, request: Request) -> Response:
        """The table as it is now; where there is none, scoring."""
        if self._site.table is None:
            return RedirectResponse("/score", 303)
        await self._table.after(0, 2.0)
        now = self._table.now or {}
        return self._site.render(request, "table", now=now, may=self._site.may)

    async def state(self, _: Request) -> Response:
        """The table as data."""
        await self._table.after(0, 2.0)
        return JSONResponse((self._table.now or {}).get("state"))

    async def events(self, request: Request) -> Response:
        """The table whenever it changes: as data, or with ``?html`` drawn for this phone."""
        table = self._table
        if self._streams >= _MOST_STREAMS:
            raise DeviceError(TOO_MANY)

        async def changes() -> AsyncIterator[str]:
            self._streams += 1
            version = 0
            try:
                while self._site.key.is_known(request.cookies.get(COOKIE, "")):
                    if table.version > version and table.now is not None:
                        version = table.version
                        yield f"data: {self._told(request, table.now)}\n\n"
                    else:
                        yield ": here\n\n"
                    await table.after(version, _ALIVE_S)
            finally:
                self._streams -= 1

        return StreamingResponse(changes(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    def _told(self, request: Request, now: Mapping[str, Any]) -> str:
        if "html" not in request.query_params:
            return json.dumps(now["state"], ensure_ascii=False)
        code, version = language_of(request).code, self._table.version
        if self._drawn.get(code, (0, ""))[0] != version:
            page = bytes(self._site.render(request, "now", now=now, may=self._site.may).body).decode()
            self._drawn[code] = version, json.dumps(page, ensure_ascii=False)
        return self._drawn[code][1]

    async def press(self, request: Request) -> Response:
        """Press one of the four buttons."""
        self._site.needs(ALL)
        told = await _told_by(request)
        button, long = told.get("button"), told.get("long", False)
        if button not in BUTTONS or not isinstance(long, bool):
            raise DeviceError(Text("A press is of confirm, back, up or down."))
        await self._site.ask("press", {"button": button, "long": long})
        return _done(request)

    async def answer(self, request: Request) -> Response:
        """Take one of the answers to the question that is shown."""
        self._site.needs(ALL)
        told = await _told_by(request)
        choice, of = told.get("choice"), told.get("of")
        if type(choice) is not int or not isinstance(of, list) or not 0 <= choice < len(of):
            raise DeviceError(Text("An answer names one of the choices, and all of them as they were shown."))
        await self._site.ask("answer", {"choice": choice, "of": of})
        return _done(request)

    async def call(self, request: Request) -> Response:
        """Call the director of the hall: ``{"call": true, "why": …}``; with false, somebody has come."""
        self._site.needs(HELP)
        if request.headers.get("content-type", "").startswith("application/json"):
            told = await json_of(request)
        else:
            async with form_of(request) as form:
                told = {"call": form.fields.get("call") != "false", "why": form.fields.get("why", "")}
        call, why = told.get("call", True), told.get("why", "")
        if not isinstance(call, bool) or not isinstance(why, str) or len(why) > MOST_WHY or not is_plain(why):
            raise DeviceError(Text("Say why in one line, of {most} characters at most.", most=MOST_WHY))
        await self._site.ask("call", {"call": call, "why": why.strip()})
        return _done(request)


async def _told_by(request: Request) -> dict[str, Any]:
    """What a phone sends, as JSON or as a form's fields.

    Raises:
        DeviceError: it is neither.
    """
    if request.headers.get("content-type", "").startswith("application/json"):
        return await json_of(request)
    async with form_of(request) as form:
        return {key: value if key == "button" else form.json(key, None) for key, value in form.fields.items()}


def _done(request: Request) -> Response:
    if "text/html" in request.headers.get("accept", ""):
        return RedirectResponse("/", 303)
    return JSONResponse({"done": True})
