"""The page's server: every address behind the guard, listening where it is told to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from device.app.page.address import PageKey
from device.errors import DeviceError
from device.web import game_pages, player_pages, score_pages, setting_pages, table_pages
from device.web.guard import Guard
from device.web.link import TableLink
from device.web.scorer import Scorer
from device.web.site import LANGUAGE_COOKIE, NOT_FOUND, STATIC, Errors, Site
from device.web.uploads import form_of
from rules.text import Language, Text

_YEAR_S = 365 * 24 * 3600
_CONNECTIONS = 300
"""More than the phones of a full room; what comes beyond is told to come later."""
_IDLE_S = 20


def page_app(state: Path, table: TableLink | None = None, gone: Callable[[], None] = lambda: None) -> Starlette:
    """The page of a state folder, and of its table where there is one, behind its guard.

    ``gone`` is called when the table is.
    """
    site = Site(state, Scorer(state), PageKey(state), table)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        following = asyncio.create_task(table.follow(gone)) if table is not None else None
        yield
        if following is not None:
            following.cancel()
        await site.scorer.close()
        site.close()

    def refused(request: Request, error: Exception) -> Response:
        return site.refused(request, error)

    def missing(request: Request, _: Exception) -> Response:
        return site.render(request, "error", 404, words=NOT_FOUND)

    handlers: dict[Any, Callable[..., Response]] = {**dict.fromkeys(Errors, refused), 404: missing}

    return Starlette(
        routes=[
            *table_pages.routes(site),
            Route("/language", speak, methods=["POST"]),
            *score_pages.routes(site),
            *game_pages.routes(site),
            *player_pages.routes(site),
            *setting_pages.routes(site),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, key=site.key, refuse=site.shut_out)],
        exception_handlers=handlers,
        lifespan=lifespan,
    )


async def speak(request: Request) -> Response:
    """Speak the language that was chosen from now on."""
    async with form_of(request) as form:
        code, back = form.fields.get("language"), form.fields.get("back", "/")
    if code not in {language.code for language in Language.all()}:
        raise DeviceError(Text("There is no such language."))
    # Only a path of this page: a name behind two slashes would be another machine's.
    response = RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
    response.set_cookie(LANGUAGE_COOKIE, code or "", max_age=_YEAR_S, httponly=True, samesite="lax")
    return response


def serve(state: Path, sock: socket.socket, link: socket.socket | None = None) -> None:
    """Answer phones until told to stop, or until the table at the ``link``'s other end is gone.

    Raises:
        DeviceError: the state folder can't be used.
    """
    table = TableLink(link) if link is not None else None

    def gone() -> None:
        server.should_exit = True

    config = uvicorn.Config(
        page_app(state, table, gone),
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=_IDLE_S,
        timeout_graceful_shutdown=3,
        ws="none",
        lifespan="on",
    )
    server = uvicorn.Server(config)
    server.run(sockets=[sock])
