"""Scored tables that were kept: their result, names, photograph, and what is sent of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from device.app.choices import names_once
from device.errors import DeviceError
from device.settings.settings_file import load_settings
from device.storage.journal import Kept
from device.storage.scored import ScoredTable, ScoredTables, scored_csv, scored_line
from rules.text import Text
from web.results.cards import describe_table, name_winners
from web.results.sent_picture import draw_result
from web.site import HELP, Site, answer_done, find_language, make_download
from web.uploads import read_form, read_names
from web.words import say

_NAMES_OFFERED = 30
_TABLES = 20
"""Of so many kept tables the names are offered."""


def make_routes(site: Site) -> list[Route]:
    """Return the addresses of kept tables, below ``/games``."""
    pages = KeptPages(site)
    return [
        Route("/games/s{number:int}.jpg", pages.send_photo),
        Route("/games/s{number:int}/picture.jpg", pages.send_photo),
        Route("/games/s{number:int}/result.jpg", pages.send_picture),
        Route("/games/s{number:int}.csv", pages.send_csv),
        Route("/games/s{number:int}.json", pages.show),
        Route("/games/s{number:int}", pages.show, methods=["GET"]),
        Route("/games/s{number:int}", pages.name, methods=["POST"]),
    ]


def list_names(site: Site) -> list[str]:
    """List the names of those who have played lately, at a table or in what was scored, then those of the settings."""
    lately: Sequence[Kept] = ()
    with suppress(DeviceError):
        lately = site.open_journal().list_latest(_NAMES_OFFERED)
    return names_once(lately, [*_list_scored(site.scored), *load_settings(site.state).game.names])


def _list_scored(store: ScoredTables) -> Iterator[str]:
    """Yield the names of those whose tables were scored lately."""
    for number in store.list_numbers()[::-1][:_TABLES]:
        with suppress(DeviceError):
            yield from (
                one["name"]["en"] for one in describe_table(store.read_table(number))["players"] if one["named"]
            )


class KeptPages:
    """What is answered of kept tables."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def _read_table(self, request: Request) -> ScoredTable:
        return await run_in_threadpool(self._site.scored.read_table, request.path_params["number"])

    async def show(self, request: Request) -> Response:
        """Show a table that was scored and kept."""
        table = await self._read_table(request)
        if request.url.path.endswith(".json"):
            return JSONResponse({**scored_line(table), **table.data})
        described, language = describe_table(table), find_language(request)
        photo = table.data.get("photo") if table.picture is not None else None
        return self._site.render(
            request,
            "scored",
            table=described,
            won=name_winners(described["players"], table.data["why"], language),
            photo=photo,
            names_given=[
                say(one["name"], language) if one["named"] else ""
                for one in sorted(described["players"], key=lambda one: one["seat"])
            ],
            offered=await run_in_threadpool(list_names, self._site),
        )

    async def name(self, request: Request) -> Response:
        """Give the players of a kept table their names, which their games then count for."""
        site, number = self._site, request.path_params["number"]
        site.require(HELP)
        table = await self._read_table(request)
        async with read_form(request) as form:
            names = read_names(form)
        if len(names) != len(table.data["players"]):
            raise DeviceError(Text("Name all players."))
        await run_in_threadpool(site.scored.name, number, names)
        return answer_done(request, f"/games/s{number}")

    async def send_photo(self, request: Request) -> Response:
        """Send the photograph of a kept table."""
        table = await self._read_table(request)
        return FileResponse(table.picture) if table.picture is not None else Response(status_code=404)

    async def send_picture(self, request: Request) -> Response:
        """Send a kept table as one picture: who has won, points and cards."""
        table, language = await self._read_table(request), find_language(request)

        def draw() -> bytes:
            described = describe_table(table)
            won = name_winners(described["players"], table.data["why"], language)
            assert won is not None, "what is kept is settled"
            frames = table.data.get("photo", {}).get("frames", {})
            day = table.data["at"][:10]
            return draw_result(described["title"], day, won, described["players"], table.picture, frames, language)

        return Response(await run_in_threadpool(draw), media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def send_csv(self, request: Request) -> Response:
        """Send a kept table as CSV."""
        table = await self._read_table(request)
        return make_download(scored_csv(table, find_language(request)), "text/csv", f"s{table.number}.csv")
