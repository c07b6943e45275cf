"""The board's server: its pages behind the same guard as a table's page, listening where it is told to."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from hall.board import join_page, result_pages, table_grid
from hall.board.live import LiveTables
from hall.store.store import HallStore
from rules.text import Text
from web.guard import OTHER_NAME, SCAN, WAIT
from web.server import put_guard_before, speak
from web.site import STATIC, Frame
from web.table_end.address import PageKey
from web.table_end.code import PageCode

HERE = Path(__file__).parent
_CONNECTIONS = 500
_IDLE_S = 20
_SMALLEST_TO_PRESS = 2_000

_OPEN = Text("Open the address that 'sevenmat hall' has printed, with its key, to come in.")
_AT_THE_DOOR = {
    SCAN: _OPEN,
    WAIT: Text("Too many wrong keys came from here: wait a minute, then open the address with its key."),
    OTHER_NAME: Text("This board is not known by that name: open the address that 'sevenmat hall' has printed."),
}
"""What is said here in place of what a table says, which has a display to scan from."""
_WHERE_THE_CODE_IS = Text(
    "It stands where 'sevenmat hall' was started, or 'sudo sevenmat hall sheet' prints it, and beside it six "
    "characters that may be typed here instead."
)


class BoardFrame(Frame):
    """The board's pages in their frame, which names the hall."""

    def __init__(self, hall: str, code: PageCode | None) -> None:
        super().__init__(HERE / "templates")
        self.where_the_code_is = _WHERE_THE_CODE_IS if code is not None else None
        self.templates.globals["hall"] = hall

    def show_shut_out(self, request: Request, status: int, why: Text, nonce: str) -> Response:
        """Render the page for whoever does not come in."""
        return super().show_shut_out(request, status, _AT_THE_DOOR.get(why, why), nonce)


def build_board_app(
    hall: str,
    key: PageKey,
    tables: LiveTables,
    store: HallStore,
    somebody_comes: Callable[[str], None],
    code: PageCode | None = None,
    invitations: Mapping[str, str] | None = None,
) -> Starlette:
    """Build the board of a hall.

    ``somebody_comes`` takes a table's call away, ``code`` may be typed for the key; ``invitations`` are those of
    tables, sealed, by the letters that each is known by.
    """
    frame = BoardFrame(hall, code)

    return put_guard_before(
        frame,
        key,
        [
            *table_grid.make_routes(frame, key, tables, store, somebody_comes),
            *result_pages.make_routes(frame, store),
            join_page.make_route(invitations or {}),
            Route("/language", speak, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
            Mount("/board", StaticFiles(directory=HERE / "static")),
        ],
        [Middleware(GZipMiddleware, minimum_size=_SMALLEST_TO_PRESS)],
        code=code,
        for_everybody=(join_page.ADDRESS,),
    )


def build_board_server(app: Starlette) -> uvicorn.Server:
    """Build the server of the board, which runs until its ``should_exit`` is set."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            limit_concurrency=_CONNECTIONS,
            timeout_keep_alive=_IDLE_S,
            timeout_graceful_shutdown=2,
            ws="none",
        )
    )


def serve_board(server: uvicorn.Server, sock: socket.socket) -> None:
    """Answer at a socket that listens already, until told to stop."""
    server.run(sockets=[sock])
