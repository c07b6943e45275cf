"""Results, and the standings of an evening or a league: as pages, as data, and as sheets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from device.errors import DeviceError
from device.storage.scored import as_csv
from hall.board.table_grid import by_natural_order, find_title, format_moment, result_json
from hall.store.standings import BY, RankedPlayer, rank_players
from hall.store.store import Chosen, HallStore
from rules.plain import shorten_line
from rules.text import Text
from web.site import Frame, make_download

DAY_BEGINS = time(5)
"""A game that ends past midnight belongs to the evening before."""
_SHOWN = 200
"""So many results are listed, the newest first; sheets and data have all."""

NO_DAY = Text("{day!r} is no day such as 2026-11-26.", day="")
NOT_BY = Text("Standings go by wins, places or points.")


@dataclass(frozen=True, slots=True)
class ResultsAsked:
    """Which results somebody wants: days as they were typed, the table, the kind of game."""

    first: date | None = None
    last: date | None = None
    table: str = ""
    kind: str = ""

    @classmethod
    def read_request(cls, asked: QueryParams) -> ResultsAsked:
        """Read what a request asks for.

        Raises:
            DeviceError: a day can't be.
        """
        return cls(
            _read_day(asked.get("from", "")),
            _read_day(asked.get("to", "")),
            asked.get("table", ""),
            asked.get("game", ""),
        )

    @property
    def chosen(self) -> Chosen:
        """The same for the database."""
        return Chosen(
            begin_of(self.first) if self.first else None,
            begin_of(self.last + timedelta(days=1)) if self.last else None,
            self.table or None,
            self.kind or None,
        )


def begin_of(day: date) -> datetime:
    """Return when a day begins by the clock of the hall."""
    return datetime.combine(day, DAY_BEGINS).astimezone(UTC)


def _read_day(text: str) -> date | None:
    if not text.strip():
        return None
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        day = None
    if day is None or not 1980 <= day.year < 3000:
        raise DeviceError(NO_DAY.refill(day=shorten_line(text)))
    return day


def make_routes(frame: Frame, store: HallStore) -> list[Route]:
    """Return the addresses of results and standings."""
    pages = ResultPages(frame, store)
    forms = ("", ".json", ".csv")
    return [
        *(Route(f"/results{form}", pages.show_results, methods=["GET"]) for form in forms),
        *(Route(f"/standings{form}", pages.show_standings, methods=["GET"]) for form in forms),
    ]


class ResultPages:
    """What is answered of results and standings."""

    def __init__(self, frame: Frame, store: HallStore) -> None:
        self._frame, self._store = frame, store

    async def show_results(self, request: Request) -> Response:
        """Show the results, newest first."""
        asked, form = ResultsAsked.read_request(request.query_params), request.url.path.removeprefix("/results")
        found = await run_in_threadpool(self._store.list_results, asked.chosen, None if form else _SHOWN)
        if form == ".json":
            return JSONResponse({"results": [result_json(one) for one in found]})
        if form == ".csv":
            head = ("ended", "began", "table", "game", "game_id", "seat", "player", "points", "place", "record_sha256")
            lines = (
                (*(one[name] for name in head[:5]), seat, *own, one["record_sha256"])
                for one in map(result_json, found)
                for seat, own in enumerate(zip(one["players"], one["points"], one["places"], strict=True), 1)
            )
            return make_download(as_csv(head, lines), "text/csv", "results.csv")
        count = await run_in_threadpool(self._store.count, asked.chosen)
        return await self._render_page(request, "results", asked, games=found, count=count)

    async def show_standings(self, request: Request) -> Response:
        """Show who is ahead in these days."""
        asked, form = ResultsAsked.read_request(request.query_params), request.url.path.removeprefix("/standings")
        by = request.query_params.get("by", "") or BY[0]
        if by not in BY:
            raise DeviceError(NOT_BY)
        lines = rank_players(await run_in_threadpool(self._store.list_totals, asked.chosen), by)
        if form == ".json":
            days = {"from": _format_day(asked.first), "to": _format_day(asked.last)}
            return JSONResponse({"by": by, **days, "standings": [_ranked_json(one) for one in lines]})
        if form == ".csv":
            head = ("rank", "player", "games", "wins", "places", "points")
            return make_download(
                as_csv(head, (_ranked_json(one).values() for one in lines)), "text/csv", "standings.csv"
            )
        return await self._render_page(request, "standings", asked, lines=lines, by=by)

    async def _render_page(self, request: Request, name: str, asked: ResultsAsked, **values: Any) -> Response:
        kinds = await run_in_threadpool(self._store.list_kinds)
        tables = sorted(await run_in_threadpool(self._store.list_tables), key=by_natural_order)
        return self._frame.render(
            request, name, asked=asked, kinds=kinds, tables=tables, query=request.url.query, moment=format_moment,
            title=find_title, today=_find_today().isoformat(), **values,
        )  # fmt: skip


def _find_today() -> date:
    now = datetime.now().astimezone()
    return (now - timedelta(hours=DAY_BEGINS.hour)).date()


def _format_day(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


def _ranked_json(line: RankedPlayer) -> dict[str, Any]:
    own = line.totals
    return {
        "rank": line.rank,
        "player": own.player,
        "games": own.games,
        "wins": own.wins,
        "places": own.place_points,
        "points": own.points,
    }
