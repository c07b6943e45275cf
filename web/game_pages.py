"""Games looked back: all of them, one turn by turn with pictures and the course of points, and files to take along."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from device.capture.turn_pictures import turn_keys
from device.errors import DeviceError
from device.public_state import draw_table
from device.session.retelling import RetoldTurn, has_secret_points, history_of, retell_turns, summarise_game
from device.speech import text_json
from device.storage.journal import Kept, UnknownGameError
from device.storage.scored import ScoredTable, as_csv, scored_line
from device.storage.turn_files import kept_turns
from device.typed_json import make_plain
from referee.history import MOVE
from rules.text import Language, Text, join_with_and, verbatim
from web.results.cards import describe_table
from web.site import STATIC, Site, find_language, make_download

_SHOWN = 200
"""So many games are listed, the newest first."""
_WIDE, _HIGH = 600, 200
"""The drawing of the points' course, px."""
_LEVELS = 5
"""So many lines across it, at most one more."""


def make_routes(site: Site) -> list[Route]:
    """Return the addresses below ``/games``."""
    pages = GamePages(site)
    return [
        Route("/games", pages.show_games),
        Route("/games.json", pages.show_games),
        Route("/games/{number:int}.json", pages.show_game),
        Route("/games/{number:int}.jsonl", pages.send_record),
        Route("/games/{number:int}.csv", pages.send_csv),
        Route("/games/{number:int}.html", pages.send_replay),
        Route("/games/{number:int}/{turn:int}-{place:int}.jpg", pages.send_turn_picture),
        Route("/games/{number:int}/{turn:int}.json", pages.send_turn),
        Route("/games/{number:int}", pages.show_game),
    ]


@dataclass(frozen=True)
class Lookback:
    """A game looked back on: its turns, whose points they tell, and the pictures of a turn by its number."""

    kept: Kept
    turns: tuple[RetoldTurn, ...]
    pictures: dict[int, tuple[bytes, ...]]

    @property
    def title(self) -> Text:
        """The game's name."""
        return self.kept.opening.referee.rules.title

    @property
    def scorers(self) -> tuple[Text, ...]:
        """Whose points are told, by place: each player's, or each side's."""
        players = self.kept.opening.players
        return name_scorers(players, len(self._list_points(self.turns[-1])) if self.turns else len(players))

    def collect_course(self) -> list[tuple[int, ...]]:
        """Return the points after each turn."""
        return [self._list_points(told) for told in self.turns]

    @cached_property
    def _secret(self) -> bool:
        return has_secret_points(self.kept)

    def _list_points(self, told: RetoldTurn) -> tuple[int, ...]:
        """List the points after a turn; none while they are secret."""
        return () if self._secret else tuple(told.after.now.position.points)

    def describe_turn(self, at: int, language: Language, pictures: Sequence[str]) -> dict[str, Any]:
        """Return a turn, from 0, as the player shows it: its words, scores, pictures and the table after it."""
        told = self.turns[at]
        history, points = told.after, self._list_points(told)
        before = history.past[-1].before if history.past else None
        scores = [f"{who.said(language)} {one}" for who, one in zip(self.scorers, points, strict=True)]
        shown = points if len(points) == len(history.header.players) else [""] * len(history.header.players)
        players = zip(history.header.players, shown, strict=True)
        return {
            "number": at + 1,
            "words": told.words.said(language),
            "scores": scores,
            "pictures": list(pictures),
            "players": [{"name": name, "points": one, "to_move": False, "notes": []} for name, one in players],
            "table": make_plain(draw_table(history, history.now, before, language), whole=True),
        }


def name_scorers(players: Sequence[str], count: int) -> tuple[Text, ...]:
    """Return the names of those whose points are shown; with fewer points than players each is that of a side."""
    if count == len(players):
        return tuple(map(verbatim, players))
    return tuple(join_with_and(map(verbatim, players[side::count])) for side in range(count))


class GamePages:
    """What is answered below ``/games``."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._seen: Lookback | None = None

    async def show_games(self, request: Request) -> Response:
        """Show all games and scored tables, the newest first."""
        return await run_in_threadpool(self._render_games, request)

    def _render_games(self, request: Request) -> Response:
        journal = self._site.open_journal()
        going_on = journal.going_on
        kept = journal.list_games()[::-1][:_SHOWN]
        lines = [summarise_game(journal, one, going_on is not None and one.number == going_on.number) for one in kept]
        tables = list(self._read_tables())
        if request.url.path.endswith(".json"):
            return JSONResponse({"games": lines, "scored": [scored_line(one) for one in tables]})
        listed = [
            {
                "line": line,
                "title": one.opening.referee.rules.title,
                "when": one.started,
                "standing": _describe_standing(one, line),
            }
            for one, line in zip(kept, lines, strict=True)
        ]
        shown = [describe_table(one) for one in tables]
        return self._site.render(request, "games", games=listed, scored=shown, unreadable=journal.list_unreadable())

    def _read_tables(self) -> Iterator[ScoredTable]:
        """Yield the kept tables that can be read, the newest first."""
        store = self._site.scored
        for number in store.list_numbers()[::-1][:_SHOWN]:
            try:
                yield store.read_table(number)
            except DeviceError:
                continue  # the command line says what is damaged and removes it

    # A game

    def _look_back(self, number: int) -> Lookback:
        if number > _LARGEST:
            raise UnknownGameError(number)
        journal = self._site.open_journal()
        kept = journal.read_game(number)
        if self._seen is not None and kept.ended is not None and self._seen.kept == kept:
            return self._seen  # each of its pictures is asked for by itself
        entries = journal.read_entries(number)
        turns = tuple(retell_turns(kept, entries))
        files = kept_turns(self._site.state, number)
        pictures = {
            told.number: files[key]
            for told in turns
            if files and told.entry.kind == MOVE and (key := turn_keys(told.after.past)[-1]) in files
        }
        self._seen = Lookback(kept, turns, pictures)
        return self._seen

    async def show_game(self, request: Request) -> Response:
        """Show a game turn by turn."""
        return await run_in_threadpool(self._render_game, request)

    def _render_game(self, request: Request) -> Response:
        look = self._look_back(request.path_params["number"])
        journal = self._site.open_journal()
        going_on = journal.going_on
        line = summarise_game(journal, look.kept, going_on is not None and going_on.number == look.kept.number)
        if request.url.path.endswith(".json"):
            return JSONResponse({**line, "turns": [_turn_json(told) for told in look.turns]})
        return self._site.render(
            request,
            "game",
            number=look.kept.number,
            game=look.kept.opening.referee.rules.name,
            title=look.title,
            when=look.kept.started,
            standing=_describe_standing(look.kept, line),
            turns=list(_describe_turns(look)),
            scorers=look.scorers,
            **draw_course(look.collect_course()),
        )

    async def send_record(self, request: Request) -> Response:
        """Send a game as a record."""
        number = request.path_params["number"]

        def lines() -> list[str]:
            journal = self._site.open_journal()
            return history_of(journal.read_game(number), journal.read_entries(number)).write_record()

        text = "".join(f"{line}\n" for line in await run_in_threadpool(lines))
        return make_download(text, "application/jsonl", f"game-{number}.jsonl")

    async def send_csv(self, request: Request) -> Response:
        """Send a game as CSV, a row for each turn."""
        look = await run_in_threadpool(self._look_back, request.path_params["number"])
        language = find_language(request)
        head = ["turn", "seat", "words", *(words.said(language) for words in look.scorers)]
        rows = (
            [told.number, told.entry.data.get("move", {}).get("seat", ""), told.words.said(language), *points]
            for told, points in zip(look.turns, look.collect_course(), strict=True)
        )
        return make_download(as_csv(head, rows), "text/csv", f"game-{look.kept.number}.csv")

    async def send_replay(self, request: Request) -> Response:
        """Send a game as one file, which opens anywhere without a network."""
        look = await run_in_threadpool(self._look_back, request.path_params["number"])
        language = find_language(request)
        turns = [
            look.describe_turn(
                at,
                language,
                [
                    f"data:image/jpeg;base64,{base64.b64encode(one).decode()}"
                    for one in look.pictures.get(told.number, ())
                ],
            )
            for at, told in enumerate(look.turns)
        ]
        page = self._site.render(
            request,
            "replay",
            title=look.title,
            when=look.kept.started,
            turns=turns,
            scorers=look.scorers,
            **draw_course(look.collect_course()),
            script=_join_modules("felt", "player"),
            style=(STATIC / "style.css").read_text(encoding="utf-8"),
        )
        return make_download(bytes(page.body).decode(), "text/html", f"game-{look.kept.number}.html")

    async def send_turn(self, request: Request) -> Response:
        """Send a turn as the player shows it."""
        number, turn = request.path_params["number"], request.path_params["turn"]
        look = await run_in_threadpool(self._look_back, number)
        if not 1 <= turn <= len(look.turns):
            return Response(status_code=404)
        told = look.turns[turn - 1]
        count = len(look.pictures.get(told.number, ()))
        pictures = [f"/games/{number}/{told.number}-{place}.jpg" for place in range(count)]
        return JSONResponse(look.describe_turn(turn - 1, find_language(request), pictures))

    async def send_turn_picture(self, request: Request) -> Response:
        """Send the picture of a place before or after a turn."""
        look = await run_in_threadpool(self._look_back, request.path_params["number"])
        pictures, place = look.pictures.get(request.path_params["turn"], ()), request.path_params["place"]
        if place >= len(pictures):
            return Response(status_code=404)
        return Response(pictures[place], media_type="image/jpeg", headers={"cache-control": "private, max-age=3600"})


_LARGEST = 10**9


def _join_modules(*names: str) -> str:
    """Return our modules as one script, for a page without a network."""
    texts = ((STATIC / f"{name}.js").read_text(encoding="utf-8") for name in names)
    lines = (line.removeprefix("export ") for text in texts for line in text.splitlines())
    return "\n".join(["{", *(line for line in lines if not line.startswith("import ")), "servePlayers();", "}"])


def draw_course(course: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Return the points' course for a drawing ``wide`` by ``high`` px, or nothing where there is none.

    ``lines`` has the corners of a line for each place, ``levels`` points worth a line across, each with its height.
    """
    lines = course_lines(course)
    levels: list[tuple[int, float]] = []
    if lines:
        most, least = _find_bounds(course)
        step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if (most - least) / step <= _LEVELS)
        levels = [
            (level, _HIGH * (most - level) / max(1, most - least))
            for level in range(-(-least // step) * step, most + 1, step)
        ]
    return {"lines": lines, "levels": levels, "wide": _WIDE, "high": _HIGH}


def _find_bounds(course: Sequence[Sequence[int]]) -> tuple[int, int]:
    return max(0, *map(max, course)), min(0, *map(min, course))


def course_lines(course: Sequence[Sequence[int]]) -> list[str]:
    """Return the points' course as the corners of a line for each place, in a drawing ``_WIDE`` by ``_HIGH``."""
    if len(course) < 2 or not course[0]:
        return []
    most, least = _find_bounds(course)
    span = max(1, most - least)
    return [
        " ".join(
            f"{_WIDE * turn / (len(course) - 1):.1f},{_HIGH * (most - points[place]) / span:.1f}"
            for turn, points in enumerate(course)
        )
        for place in range(len(course[0]))
    ]


def _describe_turns(look: Lookback) -> Iterator[dict[str, Any]]:
    """Yield each turn in words, with its pictures, and whose points it has changed, from and to how many."""
    before: Sequence[int] = (0,) * len(look.scorers)
    for told, points in zip(look.turns, look.collect_course(), strict=True):
        yield {
            "number": told.number,
            "words": told.words,
            "changed": [
                (who, was, now) for who, was, now in zip(look.scorers, before, points, strict=True) if was != now
            ],
            "pairs": range(0, len(look.pictures.get(told.number, ())) - 1, 2),
        }
        before = points


def _turn_json(told: RetoldTurn) -> dict[str, Any]:
    line = {"entry": told.number, "kind": told.entry.kind, **text_json(told.words)}
    if told.entry.kind == MOVE:
        line["move"] = told.entry.data["move"]
    return {**line, "points": list(told.after.now.position.points)}


def _describe_standing(kept: Kept, line: dict[str, Any]) -> list[dict[str, Any]]:
    """Return each player with points, where they are known to all, and whether they have won."""
    points = [] if has_secret_points(kept) else line["points"] or []
    sides = max(1, len(points))
    return [
        {
            "name": name,
            "points": points[(seat - 1) % sides] if points else None,
            "winner": seat in (line["winners"] or ()),
            "to_move": line.get("to_move") == seat,
        }
        for seat, name in enumerate(kept.opening.players, 1)
    ]
