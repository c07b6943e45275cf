"""What is printed, as PDF for whoever has but a phone: corner marks, pages to lay, a mat, a deck."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from hashlib import blake2b
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from device.errors import DeviceError
from device.settings.settings_file import load_settings
from referee.registry import load_referees
from rules.text import Text, join_row
from web.setting_up.house_pages import read_papers
from web.site import HELP, Site

_PAPERS = ("A4", "A3", "Letter")
_SHEETS = (
    ("markers", Text("Corner marks"), Text("one page: four squares for the corners of your table cloth or mat")),
    ("pages", Text("Pages to lay"), Text("where each card lies when a deck is taught")),
    ("mat", Text("A mat"), Text("in sheets to be glued together, marks and seats on it")),
    ("deck", Text("A deck"), Text("the 49 SEVEN cards; nobody has to teach it")),
    ("papers", Text("Its papers"), None),
)
_MEASURED = ("pages", "mat")
_TILED = ("pages", "mat", "deck", "papers")
_PATIENCE_S = 120.0
_PROGRAM = "import os, sys; os.nice(10); from cli.main import main; sys.exit(main(sys.argv[1:]))"
"""The command, which leaves the machine to whoever plays."""
_LOG = logging.getLogger(__name__)

NOT_DRAWN = Text("That could not be drawn: try again.")


def make_routes(site: Site) -> list[Route]:
    """Return the addresses below ``/print``."""
    pages = PrintPages(site)
    return [
        Route("/print", pages.see, methods=["GET"]),
        Route("/print/{what}.pdf", pages.send_sheet, methods=["GET"]),
    ]


class PrintPages:
    """What is answered below ``/print``; each sheet is drawn once, by ``sevenmat print``."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._turn = asyncio.Lock()
        self._drawn = tempfile.TemporaryDirectory(prefix="sevenmat-", ignore_cleanup_errors=True)

    async def see(self, request: Request) -> Response:
        """Show what can be printed."""
        self._site.require(HELP)
        games = join_row(one.rules.title for one in load_referees().values() if one.cards.papers)
        sheets = [
            {"name": name, "title": title, "about": about or Text("for {games}", games=games)}
            for name, title, about in _SHEETS
        ]
        return self._site.render(request, "print", sheets=sheets, papers=_PAPERS, paper=_choose_paper(request))

    async def send_sheet(self, request: Request) -> Response:
        """Send one of them, for the mat of the settings."""
        self._site.require(HELP)
        what, paper = request.path_params["what"], _choose_paper(request)
        if what not in {name for name, _, _ in _SHEETS}:
            raise HTTPException(404)
        wide, high = load_settings(self._site.state).table.mat_mm
        more: list[Any] = [*(["--paper", paper] if what in _TILED else [])]
        more += ["--mat", f"{wide:g}x{high:g}"] if what in _MEASURED else []
        house = read_papers(request.query_params.get("house", "").split(",")) if what == "papers" else ()
        more += ["--house-papers", ",".join(house)] if house else []
        path = Path(self._drawn.name) / f"{blake2b(' '.join((what, *more)).encode(), digest_size=12).hexdigest()}.pdf"
        async with self._turn:
            if not path.is_file():
                await _draw([what, str(path), *more])
        name = f"sevenmat-{what}.pdf"
        return FileResponse(path, filename=name, media_type="application/pdf", content_disposition_type="inline")


def _choose_paper(request: Request) -> str:
    """Return the paper that is asked for, A4 where none is."""
    paper = request.query_params.get("paper", "")
    return paper if paper in _PAPERS else _PAPERS[0]


async def _draw(asked: list[str]) -> None:
    """Have a sheet drawn by a process of its own.

    Raises:
        DeviceError: it could not be.
    """
    pipe, none = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    command = sys.executable, "-c", _PROGRAM, "print", *asked
    process = await asyncio.create_subprocess_exec(*command, stdin=none, stdout=none, stderr=pipe)
    try:
        _, said = await asyncio.wait_for(process.communicate(), _PATIENCE_S)
    except (TimeoutError, asyncio.CancelledError):
        process.kill()
        await process.wait()
        raise DeviceError(NOT_DRAWN) from None
    if process.returncode:
        _LOG.warning("a sheet could not be drawn: %s", said.decode("utf-8", "replace").strip())
        raise DeviceError(NOT_DRAWN)
