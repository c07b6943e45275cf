"""All tables in one grid as they change, calls on top; one table by itself; and the answer to a call."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from device.errors import DeviceError
from device.typed_json import make_plain
from hall.board.live import LiveTable, LiveTables
from hall.store.store import Chosen, DatabaseAwayError, FinishedGame, HallStore
from rules.plain import name_key
from rules.registry import load_games
from rules.text import Language, Text, verbatim
from ui.screen_state import Mood
from ui.words import MOOD_TITLES
from web.guard import has_key
from web.site import Frame, find_asked_language, find_language
from web.table_end.address import PageKey

_TICK_S = 0.25
"""So often a phone is told what has changed; what changes twice in between is told once."""
_ALIVE_S = 15.0
_MOST_STREAMS = 200
_GONE = timedelta(days=7)
"""A table that has not been there for so long is left out."""
_MOST_FIND = 60
SHOWN = ("all", "called", "offline")
_LAST_GAMES = 20

TOO_MANY = Text("Too many phones watch already.")
NO_SUCH_TABLE = Text("There is no such table in this hall.")

_PLAYING = (Mood.WAITING, Mood.HANDS, Mood.READING, Mood.NOTICE, Mood.MENU)
"""What needs no words in a grid: the player whose turn it is says enough."""
_WATCHED = (Mood.CANT_SEE, Mood.OUT_OF_STEP, Mood.BLIND, Mood.CHECK)
"""What may come to nothing, or to a call."""


def find_title(kind: str | None) -> Text:
    """Return a game's name for players, by its name in records; that one where the game is not known here."""
    rules = load_games().get(kind or "")
    return rules.title if rules is not None else verbatim(kind or "")


@dataclass(frozen=True, slots=True)
class TileTemplates:
    """The templates by which tables are drawn: one table, and what stands over all of them."""

    tile: str
    top: str


_GRID, _WALL = TileTemplates("grid_tile", "top"), TileTemplates("wall_tile", "wall_top")


@dataclass(frozen=True, slots=True)
class GridView:
    """Which tables somebody wants to see."""

    find: str = ""
    show: str = "all"

    @classmethod
    def read_request(cls, request: Request) -> GridView:
        """Read what a request asks for."""
        asked = request.query_params
        show = asked.get("show", "all")
        return cls(name_key(asked.get("find", "")[:_MOST_FIND].strip()), show if show in SHOWN else "all")

    def is_wanted(self, table: LiveTable, now: datetime) -> bool:
        """Return whether this table is among them."""
        if self.show == "called" and table.call is None:
            return False
        if self.show == "offline" and table.online:
            return False
        if not table.online and table.call is None and now - table.since > _GONE:
            return False
        return not self.find or any(self.find in name_key(words) for words in _list_findable(table))


def _list_findable(table: LiveTable) -> list[str]:
    if table.state is None:
        return [table.name]
    titles = [find_title(table.state.game).said(language) for language in Language.all()]
    return [table.name, *(one.name for one in table.state.players), *titles]


def by_natural_order(name: str) -> list[tuple[bool, int, str]]:
    """Return the key of the order that people expect: Table 2 before Table 10."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(False, int(part), part) if part[0] in "0123456789" else (True, 0, part) for part in parts]


def describe_mood(table: LiveTable) -> tuple[str, Text | None]:
    """Return how a table is: a word for its colour, and words where there is something to say."""
    if not table.online:
        return "off", None
    if table.state is None:
        return "idle", Text("no game")
    mood = next((one for one in Mood if one.value == table.state.mood), Mood.NOTICE)
    if mood in _WATCHED:
        return "watch", MOOD_TITLES[mood]
    if table.state.over or mood is Mood.FINISHED:
        return "over", Text("over")
    if table.state.game is None:
        return "idle", Text("no game")
    return "play", None if mood in _PLAYING else MOOD_TITLES[mood]


def make_routes(
    frame: Frame, key: PageKey, tables: LiveTables, store: HallStore, somebody_comes: Callable[[str], None]
) -> list[Route]:
    """Return the addresses of the tables."""
    pages = TableGrid(frame, key, tables, store, somebody_comes)
    return [
        Route("/", pages.show_grid, methods=["GET"]),
        Route("/wall", pages.show_wall, methods=["GET"]),
        Route("/tables.json", pages.send_data, methods=["GET"]),
        Route("/events", pages.send_events, methods=["GET"]),
        Route("/results/events", pages.send_results_come, methods=["GET"]),
        Route("/tables/{name}/events", pages.send_table_events, methods=["GET"]),
        Route("/tables/{name}/come", pages.come, methods=["POST"]),
        Route("/tables/{name}", pages.show_table, methods=["GET"]),
    ]


class TableGrid:
    """What is answered of the tables."""

    def __init__(
        self,
        frame: Frame,
        key: PageKey,
        tables: LiveTables,
        store: HallStore,
        somebody_comes: Callable[[str], None],
    ) -> None:
        self._frame, self._key, self._tables, self._store = frame, key, tables, store
        self._somebody_comes = somebody_comes
        self._streams = 0
        self._drawn: dict[tuple[str, str, str], tuple[int, str]] = {}
        self._tops: dict[tuple[str, str], tuple[int, str]] = {}
        self._data: dict[str, tuple[int, dict[str, Any]]] = {}

    # All of them

    async def show_grid(self, request: Request) -> Response:
        """Show all tables, or those that are asked for."""
        view, language = GridView.read_request(request), find_language(request)
        shown = self._list_wanted(view)
        return self._frame.render(
            request,
            "board",
            view=view,
            find=request.query_params.get("find", "")[:_MOST_FIND],
            query=request.url.query,
            top=self._draw_top_anew(_GRID, language, _count_minutes_waited),
            now=datetime.now(UTC),
            tiles=[(one.name, self._draw_tile(_GRID, one, language)) for one in shown],
        )

    async def show_wall(self, request: Request) -> Response:
        """Show the same on a screen that hangs on a wall: nothing to press, letters as large as there is room for."""
        view, language = GridView.read_request(request), find_asked_language(request) or find_language(request)
        page = self._frame.fill_template(
            "wall",
            language,
            query=request.url.query,
            top=self._draw_top_anew(_WALL, language, _count_minutes_waited),
            now=datetime.now(UTC),
            tiles=[(one.name, self._draw_tile(_WALL, one, language)) for one in self._list_wanted(view)],
        )
        return HTMLResponse(page)

    def _list_wanted(self, view: GridView) -> list[LiveTable]:
        now = datetime.now(UTC)
        wanted = (one for one in self._tables.list_all() if view.is_wanted(one, now))
        return sorted(wanted, key=lambda one: by_natural_order(one.name))

    def _draw_tile(self, drawing: TileTemplates, table: LiveTable, language: Language) -> str:
        """Draw a table in the grid or on the wall, once for all screens of a language."""
        drawn = self._drawn.get((drawing.tile, language.code, table.name))
        if drawn is None or drawn[0] != table.version:
            mood, words = describe_mood(table)
            page = self._frame.fill_template(
                drawing.tile, language, table=table, mood=mood, words=words, title=find_title, moment=format_moment
            )
            drawn = self._drawn[drawing.tile, language.code, table.name] = table.version, page
        return drawn[1]

    def _as_data(self, table: LiveTable) -> dict[str, Any]:
        """Return a table as data, made once for everybody."""
        made = self._data.get(table.name)
        if made is None or made[0] != table.version:
            made = self._data[table.name] = table.version, table_json(table)
        return made[1]

    def _draw_top(self, drawing: TileTemplates, language: Language) -> str:
        """Draw calls, what the hall lacks, and how many tables there are; once for all screens of a language."""
        version = self._tables.version
        drawn = self._tops.get((drawing.top, language.code))
        if drawn is None or drawn[0] != version:
            drawn = self._tops[drawing.top, language.code] = version, self._draw_top_anew(drawing, language)
        return drawn[1]

    def _draw_top_anew(
        self, drawing: TileTemplates, language: Language, minutes: Callable[[LiveTable], int | None] = lambda _: None
    ) -> str:
        """Draw the same, with ``minutes`` that each call has waited, which a browser counts by itself."""
        now, view = datetime.now(UTC), GridView()
        tables = [one for one in self._tables.list_all() if view.is_wanted(one, now)]
        calls = [one for one in tables if one.called_at is not None]
        return self._frame.fill_template(
            drawing.top,
            language,
            calls=sorted(calls, key=lambda one: one.called_at or now),
            count=len(tables),
            online=sum(one.online for one in tables),
            troubles=self._tables.troubles,
            dropped=Counter(self._tables.dropped),
            began=self._tables.began,
            clocks=self._tables.wrong_clocks,
            moment=format_moment,
            minutes=minutes,
        )

    async def send_data(self, request: Request) -> Response:
        """Send all tables as data, or those that are asked for."""
        return JSONResponse(
            {"tables": [self._as_data(one) for one in self._list_wanted(GridView.read_request(request))]}
            | self._describe_status()
        )

    def _describe_status(self) -> dict[str, Any]:
        troubles = [words.said(Language.EN) for words, _ in self._tables.troubles]
        clocks = {name: shown.isoformat(timespec="seconds") for name, shown in self._tables.wrong_clocks.items()}
        return {"troubles": troubles, "dropped": dict(self._tables.dropped), "wrong_clocks": clocks}

    async def send_events(self, request: Request) -> Response:
        """Send what changes: as data, or with ``?html`` drawn for this phone, with ``?html=wall`` for a wall."""
        view, language = GridView.read_request(request), find_asked_language(request) or find_language(request)
        asked = request.query_params.get("html")
        drawing = _WALL if asked == "wall" else _GRID

        known: set[str] = set()
        top = ""

        def told(changed: Sequence[LiveTable], first: bool) -> dict[str, Any]:
            nonlocal top
            now = datetime.now(UTC)
            here = {one.name: one for one in changed if view.is_wanted(one, now)}
            gone = [one.name for one in changed if one.name in known and one.name not in here]
            more = not known.issuperset(here)
            known.difference_update(gone)
            known.update(here)
            if asked is None:
                return {"tables": [self._as_data(one) for one in here.values()], "gone": gone} | self._describe_status()
            tiles = {name: self._draw_tile(drawing, one, language) for name, one in here.items()}
            told: dict[str, Any] = {"tiles": tiles}
            told["gone"] = gone
            if more or first:
                told["order"] = [one.name for one in self._list_wanted(view) if one.name in known]
            before, top = top, self._draw_top(drawing, language)
            return told if top == before else told | {"top": top}

        return await self._send_stream(request, told)

    async def send_results_come(self, request: Request) -> Response:
        """Send how often results have come, whenever some do."""
        return await self._send_stream(request, lambda changed, first: self._tables.results)

    async def _send_stream(self, request: Request, told: Callable[[Sequence[LiveTable], bool], Any]) -> Response:
        """Send what ``told`` makes of the changed tables, and of whether it is the first time; not ``None``."""
        if self._streams >= _MOST_STREAMS:
            raise DeviceError(TOO_MANY)

        async def changes() -> AsyncIterator[str]:
            self._streams += 1
            seen, quiet, before = -1, 0.0, ""
            try:
                while not self._tables.is_over():
                    version = self._tables.version
                    if version > seen or seen < 0:
                        words = told(self._tables.list_changed(seen), seen < 0)
                        line, seen = json.dumps(words, ensure_ascii=False), version
                        if words is not None and line != before:
                            yield f"data: {line}\n\n"
                            before, quiet = line, 0.0
                    if quiet >= _ALIVE_S:
                        if not has_key(request, self._key):
                            return
                        yield "event: here\ndata: 1\n\n"
                        quiet = 0.0
                    await asyncio.sleep(_TICK_S)
                    quiet += _TICK_S
            finally:
                self._streams -= 1

        return StreamingResponse(changes(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    # One of them

    def _find_table(self, request: Request) -> LiveTable:
        table = self._tables.get(request.path_params["name"])
        if table is None:
            raise DeviceError(NO_SUCH_TABLE)
        return table

    async def show_table(self, request: Request) -> Response:
        """Show one table, and its last games."""
        name = request.path_params["name"]
        as_json = name.endswith(".json") and self._tables.get(name) is None
        if as_json:
            request.path_params["name"] = name.removesuffix(".json")
        table = self._find_table(request)
        games: list[FinishedGame] = []
        away = None
        try:
            games = await run_in_threadpool(self._store.list_results, Chosen(table=table.name), _LAST_GAMES)
        except DatabaseAwayError as error:
            away = error.text
        if as_json:
            return JSONResponse({**table_json(table), "games": [result_json(one) for one in games]})
        return self._frame.render(
            request, "card_table", table=table, state=_make_state(table), games=games, away=away, moment=format_moment,
            title=find_title, **self._describe_surroundings(table),
        )  # fmt: skip

    async def send_table_events(self, request: Request) -> Response:
        """Send one table as it changes, drawn for this phone."""
        name, language = self._find_table(request).name, find_asked_language(request) or find_language(request)

        def told(changed: Sequence[LiveTable], _: bool) -> str | None:
            own = next((one for one in changed if one.name == name), None)
            return self._draw_table(own, language) if own is not None else None

        return await self._send_stream(request, told)

    def _draw_table(self, table: LiveTable, language: Language) -> str:
        return self._frame.fill_template(
            "one_table",
            language,
            table=table,
            state=_make_state(table),
            moment=format_moment,
            **self._describe_surroundings(table),
        )

    def _describe_surroundings(self, table: LiveTable) -> dict[str, Any]:
        """Return what is drawn of one table beside itself: minutes waited, a wrong clock's moment, and the hall's."""
        clock = self._tables.wrong_clocks.get(table.name)
        return {"minutes": _count_minutes_waited, "clock": clock, "now": datetime.now(UTC)}

    async def come(self, request: Request) -> Response:
        """Tell a table that somebody comes."""
        table = self._find_table(request)
        if table.call is not None:
            await run_in_threadpool(self._somebody_comes, table.name)
        if "text/html" in request.headers.get("accept", ""):
            return RedirectResponse("/", 303)
        return JSONResponse({"done": True})


def _count_minutes_waited(table: LiveTable) -> int | None:
    """Return how many minutes a table has waited for somebody."""
    return max(0, (datetime.now(UTC) - table.called_at) // timedelta(minutes=1)) if table.called_at else None


def _make_state(table: LiveTable) -> dict[str, Any] | None:
    """Return what a table shows, as it has reported it."""
    state: dict[str, Any] | None = make_plain(table.state, whole=True) if table.state is not None else None
    return state


def format_moment(at: datetime) -> str:
    """Format a moment by the clock on the wall, with its day where that is another one."""
    here = at.astimezone()
    return here.strftime("%H:%M" if here.date() == datetime.now().astimezone().date() else "%Y-%m-%d %H:%M")


def table_json(table: LiveTable) -> dict[str, Any]:
    """Return a table as data."""
    call = table.call
    return {
        "name": table.name,
        "online": table.online,
        "since": table.since.isoformat(),
        "state": json.loads(table.state.to_bytes()) if table.state is not None else None,
        "call": None if call is None or table.called_at is None
        else {"since": table.called_at.isoformat(), "why": call.why},
    }  # fmt: skip


def result_json(game: FinishedGame) -> dict[str, Any]:
    """Return a result as data."""
    return {
        "game_id": game.game_id,
        "game": game.kind,
        "table": game.table,
        "began": game.began.astimezone(UTC).isoformat(),
        "ended": game.ended.astimezone(UTC).isoformat(),
        "players": list(game.players),
        "points": list(game.points),
        "places": list(game.places),
        "record_sha256": game.record_sha256,
    }
