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

from device.errors import DeviceError
from device.outward import MOST_WHY
from rules.cards import Card
from rules.plain import is_plain
from rules.text import Language, Text, verbatim
from web.game_pages import draw_course
from web.guard import has_key
from web.link import TableLink
from web.site import ALL, HELP, NOT_HEARD, WATCH, Site, answer_done, find_asked_language, find_language
from web.uploads import read_form, read_json_object

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


def make_routes(site: Site) -> list[Route]:
    """Return the addresses of the table itself."""
    pages = TablePages(site)
    site.templates.globals |= {
        "card_words": _name_card,
        "grid_tile": _make_grid_tile,
        "map_steps": _place_steps,
    }
    return [
        Route("/", pages.show_table, methods=["GET"]),
        Route("/more", pages.list_more, methods=["GET"]),
        Route("/state.json", pages.send_state, methods=["GET"]),
        Route("/events", pages.send_events, methods=["GET"]),
        Route("/pictures/{key}.jpg", pages.send_picture, methods=["GET"]),
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

    async def show_table(self, request: Request) -> Response:
        """Show the table as it is now; where there is none, scoring, or the games for whoever may only watch."""
        if self._site.table is None:
            return RedirectResponse("/games" if self._site.may == WATCH else "/score", 303)
        now = await self._wait_for_newest()
        return self._site.render(
            request, "table", **self._make_template_values(_translate_state(now, find_language(request)))
        )

    async def list_more(self, request: Request) -> Response:
        """Show the way to all other pages."""
        return self._site.render(request, "more")

    async def send_state(self, request: Request) -> Response:
        """Send the table as data, in the panel's language or in the one that is asked for."""
        return JSONResponse(_translate_state(await self._wait_for_newest(), find_asked_language(request))["state"])

    async def send_picture(self, request: Request) -> Response:
        """Send a picture of the screen, by its key."""
        found = self._table.picture(request.path_params["key"])
        if found is None:
            raise HTTPException(404)
        return Response(found, media_type="image/jpeg", headers={"cache-control": "private, max-age=600"})

    async def _wait_for_newest(self) -> Mapping[str, Any]:
        """Return what the table shows.

        Raises:
            DeviceError: it has not said so yet.
        """
        await self._table.wait_for_news(0, 2.0)
        if self._table.now is None:
            raise DeviceError(NOT_HEARD)
        return self._table.now

    def _make_template_values(self, now: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the template of a screen is filled with."""
        leaf = now["screen"].get("leaf") or {"plot": ()}
        course = list(zip(*(line["points"] for line in leaf["plot"]), strict=True))
        return {
            "now": now,
            "may": self._site.may,
            "scorers": [f"{line['name']} {line['points'][-1]}" for line in leaf["plot"]],
            **draw_course(course),
        }

    async def send_events(self, request: Request) -> Response:
        """Send the table whenever it changes: as data, or with ``?html`` drawn for this phone."""
        table, language = self._table, find_asked_language(request)
        # A script hears of events alone, and finds out by them that the network is gone.
        alive = "event: here\ndata: 1\n\n" if "html" in request.query_params else ": here\n\n"

        async def changes() -> AsyncIterator[str]:
            version = 0
            while not table.ended and has_key(request, self._site.key):
                if table.version > version and table.now is not None:
                    version = table.version
                    yield f"data: {self._describe_state(request, table.now, language)}\n\n"
                else:
                    yield alive
                await table.wait_for_news(version, _ALIVE_S)

        return StreamingResponse(changes(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    def _describe_state(self, request: Request, now: Mapping[str, Any], language: Language | None) -> str:
        if "html" not in request.query_params:
            return json.dumps(_translate_state(now, language)["state"], ensure_ascii=False)
        language = language or find_language(request)
        code, version = language.code, self._table.version
        if self._drawn.get(code, (0, ""))[0] != version:
            page = self._site.fill_template(
                "now", language, **self._make_template_values(_translate_state(now, language))
            )
            self._drawn[code] = version, json.dumps(page, ensure_ascii=False)
        return self._drawn[code][1]

    async def press(self, request: Request) -> Response:
        """Press one of the four buttons; a phone may say what it has seen, and is told where that is otherwise now."""
        self._site.require(ALL)
        told = await _read_sent(request)
        button, long = told.get("button"), told.get("long", False)
        if button not in BUTTONS or not isinstance(long, bool):
            raise DeviceError(Text("A press is of confirm, back, up or down."))
        seen = {name: one for name, one in told.items() if name in ("of", "chosen", "turn")}
        await self._site.ask("press", {"button": button, "long": long, **seen})
        return answer_done(request, "/")

    async def answer(self, request: Request) -> Response:
        """Take one of the answers to the question that is shown."""
        self._site.require(ALL)
        told = await _read_sent(request)
        choice, of, headline = told.get("choice"), told.get("of"), told.get("headline")
        known = type(choice) is int and isinstance(of, list) and 0 <= choice < len(of)
        if not known or not (headline is None or isinstance(headline, str)):
            raise DeviceError(Text("An answer names one of the choices, and all of them as they were shown."))
        await self._site.ask("answer", {"choice": choice, "of": of, "headline": headline})
        return answer_done(request, "/")

    async def call(self, request: Request) -> Response:
        """Call the director of the hall: ``{"call": true, "why": …}``; with false, nobody needs to come."""
        self._site.require(HELP)
        if request.headers.get("content-type", "").startswith("application/json"):
            told = await read_json_object(request)
        else:
            async with read_form(request) as form:
                told = {"call": form.fields.get("call") != "false", "why": form.fields.get("why", "")}
        call, why = told.get("call", True), told.get("why", "")
        if not isinstance(call, bool) or not isinstance(why, str) or len(why) > MOST_WHY or not is_plain(why):
            raise DeviceError(Text("Say why in one line, of {most} characters at most.", most=MOST_WHY))
        await self._site.ask("call", {"call": call, "why": why.strip()})
        return answer_done(request, "/")


def _translate_state(now: Mapping[str, Any], language: Language | None) -> Mapping[str, Any]:
    """Return what the table shows in that language, or in the panel's where it does not speak it or none is given."""
    said = now["said"]
    own = said.get(language.code) if language is not None else None
    return {"called": now.get("called"), **(own or said[now["language"]])}


async def _read_sent(request: Request) -> dict[str, Any]:
    """Read what a phone sends, as JSON or as a form's fields.

    Raises:
        DeviceError: it is neither.
    """
    if request.headers.get("content-type", "").startswith("application/json"):
        return await read_json_object(request)
    async with read_form(request) as form:
        return {key: value if key in _WORDS else form.read_json(key, None) for key, value in form.fields.items()}


# Parts of a screen as its templates draw them


def _name_card(tile: Mapping[str, Any]) -> Text:
    """Return what a drawn card is called, for whoever has it read aloud."""
    if tile["back"]:
        return Text("the face-down card")
    return Card.parse(tile["name"]).text if tile["suit"] else verbatim(tile["label"] or tile["name"])


def _make_grid_tile(name: str) -> dict[str, Any]:
    """Return the tile of a card in a grid: a SEVEN card as rank and suit, any other by its name."""
    try:
        card = Card.parse(name)
    except ValueError:
        return {"name": name, "label": name, "suit": "", "back": False}
    return {"name": name, "label": name[1:], "suit": card.suit.letter, "back": False}


def _place_steps(picture: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
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
            for one in _spread_around(x1, y1)
            if all(math.dist(one, other) >= _APART for other in taken) and (one == (x1, y1) or 0 <= one[1] <= _MAP_HIGH)
        )
        taken.append(place)
        yield {
            "line": [round(one, 1) for one in (x1, y1, x2, y2)],
            "number": [round(one, 1) for one in place],
            "turned": ends[0] == ends[1],
        }


def _spread_around(x: float, y: float) -> Iterator[tuple[float, float]]:
    """Yield the place itself, then others round it, farther and farther away."""
    yield x, y
    away = _APART
    while True:
        for turn in range(_TURNS):
            angle = turn * math.tau / _TURNS
            yield x + away * math.cos(angle), y + away * math.sin(angle)
        away += _APART
