"""The page's server: every address behind the guard, listening where it is told to."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from device.errors import DeviceError, refused_by_the_system
from rules.text import Language, Text
from web import game_pages, player_pages, score_pages, setting_pages, table_pages
from web.connections import PacedProtocol
from web.guard import Guard
from web.link import TableLink
from web.results import kept_pages
from web.scorer import Scorer
from web.setting_up import aim_pages, hall_pages, house_pages, learn_pages, print_pages
from web.site import LANGUAGE_COOKIE, STATIC, Frame, Site
from web.table import start_pages
from web.table_end.address import PageKey
from web.table_end.code import PageCode
from web.uploads import keep_scratch_folder, read_form

_YEAR_S = 365 * 24 * 3600
_IDLE_S = 20


def build_page_app(state: Path, table: TableLink | None = None, gone: Callable[[], None] = lambda: None) -> Starlette:
    """Build the page of a state folder, and of its table where there is one, behind its guard.

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

    return put_guard_before(
        site,
        site.key,
        [
            *table_pages.make_routes(site),
            *aim_pages.make_routes(site),
            *learn_pages.make_routes(site),
            *house_pages.make_routes(site),
            *print_pages.make_routes(site),
            *hall_pages.make_routes(site),
            Route("/language", speak, methods=["POST"]),
            *start_pages.make_routes(site),
            *score_pages.make_routes(site),
            *kept_pages.make_routes(site),
            *game_pages.make_routes(site),
            *player_pages.make_routes(site),
            *setting_pages.make_routes(site),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        lifespan=lifespan,
        code=PageCode(state),
    )


def put_guard_before(
    frame: Frame,
    key: PageKey,
    routes: Sequence[BaseRoute],
    within: Sequence[Middleware] = (),
    lifespan: Any = None,
    code: PageCode | None = None,
    for_everybody: Collection[str] = (),
) -> Starlette:
    """Put the guard before all of these addresses; why something can't be is said on a page in its frame.

    The ``code`` may be typed in place of the key; what is ``for_everybody`` may be read without one.
    """

    async def refused(request: Request, error: Exception) -> Response:
        return frame.answer_error(request, error)

    return Starlette(
        routes=routes,
        middleware=[
            Middleware(Guard, key=key, refuse=frame.show_shut_out, code=code, for_everybody=for_everybody),
            # Handed over as handlers, those of all exceptions would stand before the guard, without its headers.
            Middleware(ExceptionMiddleware, handlers={Exception: refused}),
            *within,
        ],
        exception_handlers={HTTPException: refused},
        lifespan=lifespan,
    )


async def speak(request: Request) -> Response:
    """Speak the language that was chosen from now on."""
    async with read_form(request) as form:
        code, back = form.fields.get("language"), form.fields.get("back", "/")
    if code not in {language.code for language in Language.all()}:
        raise DeviceError(Text("There is no such language."))
    # Only a path of this page: a name behind two slashes would be another machine's.
    response = RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
    response.set_cookie(LANGUAGE_COOKIE, code or "", max_age=_YEAR_S, httponly=True, samesite="lax")
    return response


class _Server(uvicorn.Server):
    """A server that ends what phones watch before it ends itself."""

    def __init__(self, config: uvicorn.Config, table: TableLink | None) -> None:
        super().__init__(config)
        self._table = table

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let go of the phones."""
        if self._table is not None:
            self._table.end()
        await super().shutdown(sockets)


def serve(state: Path, sock: socket.socket, link: socket.socket | None = None) -> None:
    """Answer phones as the one thing that this process does; its temporary files lie in a folder of their own.

    Raises:
        DeviceError: the state folder can't be used.
    """
    try:
        with keep_scratch_folder():
            answer_phones(state, sock, link)
    except OSError as error:
        raise refused_by_the_system(error) from error


def answer_phones(state: Path, sock: socket.socket, link: socket.socket | None) -> None:
    """Answer phones until told to stop, or until the table at the ``link``'s other end is gone."""
    table = TableLink(link) if link is not None else None

    def gone() -> None:
        server.should_exit = True

    config = uvicorn.Config(
        build_page_app(state, table, gone),
        log_config=None,
        access_log=False,
        server_header=False,
        # Nobody stands between: what claims to have been forwarded would be whoever it likes.
        proxy_headers=False,
        http=PacedProtocol,
        timeout_keep_alive=_IDLE_S,
        timeout_graceful_shutdown=3,
        ws="none",
        lifespan="on",
    )
    # Anybody in the network can send what is no request: that fills no log.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    server = _Server(config, table)
    if threading.current_thread() is threading.main_thread():
        # The server raises once more the signal that has ended it: what lies in the folder is removed then, too.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server.run(sockets=[sock])
