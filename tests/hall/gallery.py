"""A board of made-up tables as a browser sees it, and the pictures of the wall that are approved (``make screens``)."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from device.table_state import StatePlayer
from hall.board.live import LiveTables
from hall.board.server import build_board_app, build_board_server, serve_board
from hall.messages import NO_CALL, Call, Online
from hall.store.store import HallStore
from rules.text import Language
from tests.hall.messages_of import state
from tests.ui.gallery import difference, saved
from tests.web.gallery import DIFFERS, chromium
from web.table_end.address import PageKey, address_of, listening

APPROVED = Path(__file__).with_name("approved")
WALL = (1920, 1080)
WALLS = {6: ("light", "dark"), 60: ("light", "dark")}
"""Schemes of the approved walls, by the number of tables."""
_SHRUNK = 3
_PASSING = "[data-clock], .counts, .off .said"
"""What a minute later is otherwise."""


@dataclass
class Board:
    """A board that runs; ``came`` are the tables to which somebody was sent."""

    address: str
    tables: LiveTables
    came: list[str] = field(default_factory=list)

    @property
    def base(self) -> str:
        return self.address.partition("/?")[0]


@contextmanager
def board_of(folder: Path, tables: LiveTables, store: HallStore, hall: str = "Café") -> Iterator[Board]:
    """Serve the board of these tables."""
    key = PageKey(folder)
    with listening("127.0.0.1", 0) as sock:
        here = Board(address_of(sock, key.value()), tables)

        def somebody_comes(name: str) -> None:
            here.came.append(name)
            tables.hear(name, NO_CALL, False)

        server = build_board_server(build_board_app(hall, key, tables, store, somebody_comes))
        tables.is_over = lambda: server.should_exit
        running = threading.Thread(target=serve_board, args=(server, sock), daemon=True)
        running.start()
        yield here
        server.should_exit = True
        running.join(10)


@contextmanager
def wall_of(folder: Path, count: int) -> Iterator[Board]:
    """Serve a board of so many tables, two of which call; the first has waited for seven minutes."""
    store = HallStore.open(f"sqlite:///{folder}/hall.db", "Café")
    began = datetime.now(UTC) - timedelta(minutes=7)
    tables = LiveTables([], lambda: began)
    moods = ("waiting", "preview", "refused", "cant_see", "finished", "question")
    for number in range(1, count + 1):
        tables.hear(f"T{number}", Online(number % 30 != 4), False)
        names = enumerate(("Ada", "健太", "Hypatia of Alexandria"))
        players = tuple(StatePlayer(who, (7 * number + 5 * n) % 30, n == number % 3, ()) for n, who in names)
        mood = moods[number % len(moods)]
        tables.hear(f"T{number}", state(mood=mood, players=players, over=mood == "finished"), False)
    for number in (5, 17):
        if number <= count:
            tables.hear(f"T{number}", Call(datetime.now(UTC), "Something is wrong at the table"), False)
    with board_of(folder, tables, store) as board:
        yield board
    store.close()


def open_wall(browser: Any, board: Board, language: str = "en", size: tuple[int, int] = WALL, **more: Any) -> Any:
    """Open the wall as a screen of that size sees it; ``said`` of the page is what its console complained of."""
    view = {"width": size[0], "height": size[1]}
    page = browser.new_context(viewport=view, locale=language, **more).new_page()
    page.said = []
    page.on("console", lambda message: page.said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.goto(board.address)
    page.goto(f"{board.base}/wall")
    page.wait_for_selector("#wall[style]")
    return page


def shot(page: Any) -> NDArray[np.uint8]:
    """Take what a wall shows, made smaller; (height, width, 3). What passes with the minutes is covered."""
    page.evaluate("document.fonts.ready")
    masked = [page.locator(_PASSING)]
    page.wait_for_timeout(300)  # the stream's first word
    taken = page.screenshot(animations="disabled", mask=masked, mask_color="#808080")
    return np.asarray(Image.open(BytesIO(taken)).convert("RGB").reduce(_SHRUNK))


def file_of(count: int, scheme: str, language: Language) -> Path:
    """Where the approved picture of a wall lies."""
    return APPROVED / f"wall-{count}-{scheme}.{language.code}.png"


def main() -> int:
    """Take every wall anew and say which ones differ from the approved; the exit code."""
    changed = 0
    for count, schemes in WALLS.items():
        with TemporaryDirectory() as folder, wall_of(Path(folder), count) as board, chromium(Path(folder)) as browser:
            for scheme in schemes:
                for language in Language.all():
                    page = open_wall(browser, board, language.code, color_scheme=scheme)
                    seen, path = shot(page), file_of(count, scheme, language)
                    page.context.close()
                    if path.is_file() and difference(seen, np.asarray(Image.open(path).convert("RGB"))) <= DIFFERS:
                        continue
                    changed += 1
                    print(f"{'changed' if path.is_file() else 'new'}: {path.relative_to(APPROVED)}")
                    saved(seen, path)
    print(f"{len(list(APPROVED.glob('*.png')))} pictures of walls in {APPROVED}, {changed} of them new or changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
