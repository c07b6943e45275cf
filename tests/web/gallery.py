"""Every page in both languages and sizes, of fixed games and in the display's own letters: what is approved.

A page is one line of ``PAGES``. ``python -m tests.web`` (``make screens``) takes all of them anew.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from device.app.services.decks import deck_kinds
from device.speech import each_json
from device.storage import journal
from device.storage.deck_store import DeckShelf
from device.storage.opening import Result
from device.storage.scored import ScoredTables
from rules.text import Language
from tests.cli.test_games import PLAYERS, played
from tests.decks import reference_deck
from tests.device.openings import opening
from tests.device.test_score import pictured
from tests.web.moments import reach, tell_phones
from tests.web.test_table_page import Table
from tools.bench.score import a_table
from ui.fonts import Weight, font_file
from ui.screen_state import Mood
from web.guard import COOKIE
from web.table_end.address import PageKey

APPROVED = Path(__file__).with_name("approved")
SIZES = ((360, 640), (1280, 800))
PAGES = {
    "table, question": "/",
    "table, preview": "/",
    "table, accepted": "/",
    "table, refused": "/",
    "table, finished": "/",
    "score": "/score?game=other",
    "score, laminate": "/score?game=laminate",
    "score, seven wonders": "/score?game=seven_wonders&seats=3",
    "score, result": "/score/{result}",
    "games": "/games",
    "game": "/games/1",
    "game, scored": "/games/s1",
    "players": "/players",
    "player": "/players/Banach",
    "settings": "/settings",
    "hall": "/hall",
    "hall, joined": "/hall",
    "start": "/start",
    "start, laminate": "/start?game=laminate",
    "aim": "/aim",
    "learn": "/learn",
    "more": "/more",
    "learn, papers": "/learn/papers",
    "print": "/print",
    "error": "/nothing",
}
"""Addresses by what the page is called; those of a table show what ``TABLES`` says."""
TABLES = {
    "table, question": ("seven_wonders", Mood.QUESTION, 60),
    "table, preview": ("laminate", Mood.PREVIEW, 160),
    "table, accepted": ("seven_minutes", Mood.ACCEPTED, 60),
    "table, refused": ("seven_euchre", Mood.REFUSED, 60),
    "table, finished": ("wild_seven", Mood.FINISHED, 1),
}
"""The game, what its table shows, and after how many looks and presses at least."""
DIFFERS = 40
"""So much may the mean of a square of 16 px differ, of 255: a line moved or a colour changed does by more."""
_HIGHEST = 1600
"""So much of a long page is looked at, px."""
_SHRUNK = 2
_AT = "2026-05-01T18:30:00.000+00:00"
_SEED = 203


def make_state(state: Path) -> None:
    """Games, a scored table and a deck, the same whenever they are made."""
    now, journal._stamp_now = journal._stamp_now, lambda: _AT
    try:
        with journal.Journal.open(state) as games:
            for seed, moves in ((3, None), (5, 9)):
                log = games.begin(opening(PLAYERS, 2, "ours"), Language.EN, played(seed, moves))
                if moves is None:
                    log.end(Result((14, 20, 20), (2,)))
    finally:
        journal._stamp_now = now
    DeckShelf(state).save("reference", reference_deck())
    complete = [
        {"paper": name, "card": card, "points": points, "en": f"{name}: {card}", "ja": f"{name}：{card}"}
        for name, card, points in (("sum100", "H7", 6), ("three", "C9", 1), ("four_pairs", "S10", 5))
    ]
    review = [{"paper": "all_even", "cards": ["T6", "F12"], "points": 0, "en": "All Even", "ja": "オールイーブン"}]
    groups = {"complete": complete, "review": review}
    tallies = [{"seat": seat, "points": 20 - seat, "groups": groups} for seat in (1, 2, 3)]
    data: dict[str, Any] = {"at": _AT[:19], "game": "laminate", "deck": "ours", "tallies": tallies, "winners": [1]}
    data |= {"players": [{"en": name, "ja": name} for name in PLAYERS], "final": [19, 18, 17]}
    ScoredTables(state).keep({**data, "why": {"en": "Hilbert wins.", "ja": "Hilbertの勝ちです。"}}, b"no picture")
    (state / "scored" / "00001.jpg").unlink()


def idle_answers() -> dict[str, Mapping[str, Any]]:
    """Return what a table at its first menu answers, whose camera nobody looks through."""
    return {
        "doing": {
            "game": None,
            "busy": None,
            "contests": True,
            "names": ["Ada", "Emmy"],
            "deck": "reference",
            "teach": False,
        },
        "aim": {"busy": "", "aiming": None, "picture": None},
        "learn": {
            "busy": "",
            "learning": None,
            "picture": None,
            "decks": ["reference"],
            "kinds": [each_json(kind.words) for kind in deck_kinds()],
        },
    }


@contextmanager
def pages_of(state: Path) -> Iterator[PagesShown]:
    """Serve the pages of such a state folder, with a table."""
    make_state(state)
    table = Table(state)
    table.answers = idle_answers()
    try:
        yield PagesShown(table)
    finally:
        table.close()


class PagesShown:
    """A table's page, and one table scored on it."""

    def __init__(self, table: Table) -> None:
        self._table, self._base = table, f"http://127.0.0.1:{table.port}"
        self.entrance = table.entrance

    @cached_property
    def _result(self) -> str:
        """The number of the table that is scored."""
        fields = {"game": "laminate", "deck": "reference", "seats": str(len(a_table(_SEED)[0].players))}
        named = "".join(f'--B\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items())
        file = '--B\r\nContent-Disposition: form-data; name="file"; filename="table.jpg"\r\n\r\n'
        cookie = f"{COOKIE}={PageKey(self._table.state).value()}"
        kind = "multipart/form-data; boundary=B"
        form = f"{named}{file}".encode() + pictured(_SEED) + b"\r\n--B--\r\n"
        sent = Request(f"{self._base}/score", form, {"Origin": self._base, "Cookie": cookie, "Content-Type": kind})
        with urlopen(sent, timeout=120) as answer:
            return str(answer.headers["location"].rpartition("/")[2])

    def address(self, name: str) -> str:
        """Where a page of the gallery is."""
        address = PAGES[name]
        return self._base + (address.format(result=self._result) if "{" in address else address)

    def shot(self, page: Any, name: str, language: Language) -> NDArray[np.uint8]:
        """Take what a phone shows of a page, made smaller; (height, width, 3)."""
        session = reach(*TABLES.get(name, TABLES["table, preview"]))
        told = tell_phones(session, language)
        self._table.page.show(told)
        joined = {"hall": "Café", "table": "T3"} if name == "hall, joined" else None
        self._table.answers["hall"] = {"joined": joined, "trouble": None, "looking": False}
        page.goto(self.address(name))
        if name in TABLES:
            page.locator(f".band.{session.make_screen().mood.value} .who").wait_for()
            page.locator("#felt .stack").first.wait_for()
        page.wait_for_load_state("load")
        page.evaluate("document.fonts.ready")
        whole = Image.open(BytesIO(page.screenshot(full_page=True, animations="disabled", caret="hide"))).convert("RGB")
        seen = whole.crop((0, 0, whole.width, min(whole.height, _HIGHEST)))
        return np.asarray(seen.reduce(_SHRUNK))


@contextmanager
def chromium(folder: Path) -> Iterator[Any]:
    """Open a browser whose only letters are the display's own, so that a page looks alike on every machine."""
    from playwright.sync_api import sync_playwright

    dirs = "".join(f"<dir>{font_file(weight).parent}</dir>" for weight in Weight)
    fonts = folder / "fonts.conf"
    fonts.write_text(f"<fontconfig>{dirs}<cachedir>{folder}</cachedir></fontconfig>")
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as play:
        more = ["--no-sandbox", "--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb"]
        running = play.chromium.launch(executable_path=found, args=more, env={"FONTCONFIG_FILE": str(fonts)})
        yield running
        running.close()


def file_of(name: str, language: Language, size: tuple[int, int]) -> Path:
    """Where the approved picture of a page lies."""
    return APPROVED / f"{size[0]}x{size[1]}" / f"{name.replace(', ', '-').replace(' ', '_')}.{language.code}.png"
