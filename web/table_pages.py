"""The table on phones: what the display shows, as it changes, and the four buttons where phones may press them."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from device.app.hall.desk import MOST_WHY
from device.errors import DeviceError
from rules.cards import Card
from rules.plain import is_plain
from rules.text import Language, Text, verbatim
from web.game_pages import drawn_course
from web.guard import has_key
from web.link import TableLink
from web.site import ALL, HELP, NOT_HEARD, WATCH, Site, asked_language, done, language_of
from web.uploads import form_of, json_of

_WORDS = ("button", "headline")
"""What a form sends as it is."""
BUTTONS = ("confirm", "back", "up", "down")
_ALIVE_S = 15.0
"""So often an open stream says that it is still there, and asks whether its key still holds."""
_MAP_HIGH = 100.0
"""How high the table from above is drawn; its width follows from its aspect."""
_SUPPLY, _APART = (-8.5, 50.0), 8.0
"""Where the supply beside the table lies, and how far the numbers of two steps are apart at least."""
_TURNS = 8


def routes(site: Site) -> list[Route]:
    """Return the addresses of the table itself."""
    pages = TablePages(site)
    site.templates.globals |= {"card_words": _card_words, "grid_tile": _grid_tile, "map_steps": _map_steps}
    return [
        Route("/", pages.table, methods=["GET"]),
        Route("/state.json", pages.state, methods=["GET"]),
        Route("/events", pages.events, methods=["GET"]),
        Route("/pictures/{key}.jpg", pages.picture, methods=["GET"]),
        Route("/press", pages.press, methods=["POST"]),
        Route("/answer", pages.answer, methods=["POST"]),
        Route("/call", pages.call, methods=["POST"]),
    ]


class TablePages:
    """What is answered of the table."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._drawn: dict[str, tuple[int, str]] = {}

    @property
    def _table(self) -> TableLink:
        return self._site.linked

    async def table(self, request: Request) -> Response:
        """Show the table as it is now; where there is none, scoring, or the games for whoever may only watch."""
        if self._site.table is None:
            return RedirectResponse("/games" if self._site.may == WATCH else "/score", 303)
        now = await self._newest()
        return self._site.render(request, "table", **self._drawn_of(_said(now, language_of(request))))

    async def state(self, request: Request) -> Response:
        """Send the table as data, in the panel's language or in the one that is asked for."""
        return JSONResponse(_said(await self._newest(), asked_language(request))["state"])

    async def picture(self, request: Request) -> Response:
        """Send a picture of the screen, by its key."""
        found = self._table.picture(request.path_params["key"])
        if found is None:
            raise HTTPException(404)
        return Response(found, media_type="image/jpeg", headers={"cache-control": "private, max-age=600"})

    async def _newest(self) -> Mapping[str, Any]:
        """Return what the table shows.

        Raises:
            DeviceError: it has not said so yet.
        """
        await self._table.after(0, 2.0)
        if self._table.now is None:
            raise DeviceError(NOT_HEARD)
        return self._table.now

    def _drawn_of(self, now: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the template of a screen is filled with."""
        leaf = now["screen"].get("leaf") or {"plot": ()}
        course = list(zip(*(line["points"] for line in leaf["plot"]), strict=True))
        return {
            "now": now,
            "may": self._site.may,
            "scorers": [f"{line['name']} {line['points'][-1]}" for line in leaf["plot"]],
            **drawn_course(course),
        }

    async def events(self, request: Request) -> Response:
        """Send the table whenever it changes: as data, or with ``?html`` drawn for this phone."""
        table, language = self._table, asked_language(request)
        # A script hears of events alone, and finds out by them that the network is gone.
        alive = "event: here\ndata: 1\n\n" if "html" in request.query_params else ": here\n\n"

        async def changes() -> AsyncIterator[str]:
            version = 0
            while not table.ended and has_key(request, self._site.key):
                if table.version > version and table.now is not None:
                    version = table.version
                    yield f"data: {self._told(request, table.now, language)}\n\n"
                else:
                    yield alive
                await table.after(version, _ALIVE_S)

        return StreamingResponse(changes(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    def _told(self, request: Request, now: Mapping[str, Any], language: Language | None) -> str:
        if "html" not in request.query_params:
            return json.dumps(_said(now, language)["state"], ensure_ascii=False)
        language = language or language_of(request)
        code, version = language.code, self._table.version
        if self._drawn.get(code, (0, ""))[0] != version:
            page = self._site.filled("now", language, **self._drawn_of(_said(now, language)))
            self._drawn[code] = version, json.dumps(page, ensure_ascii=False)
        return self._drawn[code][1]

    async def press(self, request: Request) -> Response:
        """Press one of the four buttons; a phone may say what it has seen, and is told where that is otherwise now."""
        self._site.needs(ALL)
        told = await _told_by(request)
        button, long = told.get("button"), told.get("long", False)
        if button not in BUTTONS or not isinstance(long, bool):
            raise DeviceError(Text("A press is of confirm, back, up or down."))
        seen = {name: one for name, one in told.items() if name in ("of", "chosen", "turn")}
        await self._site.ask("press", {"button": button, "long": long, **seen})
        return done(request, "/")

    async def answer(self, request: Request) -> Response:
        """Take one of the answers to the question that is shown."""
        self._site.needs(ALL)
        told = await _told_by(request)
        choice, of, headline = told.get("choice"), told.get("of"), told.get("headline")
        known = type(choice) is int and isinstance(of, list) and 0 <= choice < len(of)
        if not known or not (headline is None or isinstance(headline, str)):
            raise DeviceError(Text("An answer names one of the choices, and all of them as they were shown."))
        await self._site.ask("answer", {"choice": choice, "of": of, "headline": headline})
        return done(request, "/")

    async def call(self, request: Request) -> Response:
        """Call the director of the hall: ``{"call": true, "why": …}``; with false, nobody needs to come."""
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
        return done(request, "/")


def _said(now: Mapping[str, Any], language: Language | None) -> Mapping[str, Any]:
    """Return what the table shows in that language, or in the panel's where it does not speak it or none is given."""
    said = now["said"]
    own = said.get(language.code) if language is not None else None
    return {"called": now.get("called"), **(own or said[now["language"]])}


async def _told_by(request: Request) -> dict[str, Any]:
    """Read what a phone sends, as JSON or as a form's fields.

    Raises:
        DeviceError: it is neither.
    """
    if request.headers.get("content-type", "").startswith("application/json"):
        return await json_of(request)
    async with form_of(request) as form:
        return {key: value if key in _WORDS else form.json(key, None) for key, value in form.fields.items()}


# Parts of a screen as its templates draw them


def _card_words(tile: Mapping[str, Any]) -> Text:
    """Return what a drawn card is called, for whoever has it read aloud."""
    if tile["back"]:
        return Text("the face-down card")
    return Card.parse(tile["name"]).text if tile["suit"] else verbatim(tile["label"] or tile["name"])


def _grid_tile(name: str) -> dict[str, Any]:
    """Return the tile of a card in a grid: a SEVEN card as rank and suit, any other by its name."""
    try:
        card = Card.parse(name)
    except ValueError:
        return {"name": name, "label": name, "suit": "", "back": False}
    return {"name": name, "label": name[1:], "suit": card.suit.letter, "back": False}


def _map_steps(picture: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the steps to put the table right as lines with the places of their numbers, which never cover each other.

    ``turned`` says that the card is turned over where it lies.
    """
    wide = _MAP_HIGH * picture["aspect"]
    taken: list[tuple[float, float]] = []
    for arrow in picture["arrows"]:
        ends = []
        for end in ("start", "end"):
            x, y = arrow[end][0] * wide, arrow[end][1] * _MAP_HIGH
            if arrow["outside"] == end:
                x, y = _SUPPLY
            ends.append((x, y))
        (x1, y1), (x2, y2) = ends
        place = next(
            one
            for one in _around(x1, y1)
            if all(math.dist(one, other) >= _APART for other in taken) and (one == (x1, y1) or 0 <= one[1] <= _MAP_HIGH)
        )
        taken.append(place)
        yield {
            "line": [round(one, 1) for one in (x1, y1, x2, y2)],
            "number": [round(one, 1) for one in place],
            "turned": ends[0] == ends[1],
        }


def _around(x: float, y: float) -> Iterator[tuple[float, float]]:
    """Yield the place itself, then others round it, farther and farther away."""
    yield x, y
    away = _APART
    while True:
        for turn in range(_TURNS):
            angle = turn * math.tau / _TURNS
            yield x + away * math.cos(angle), y + away * math.sin(angle)
        away += _APART
