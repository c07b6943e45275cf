"""Players by name: what they have played, won and had on average, and against whom; names joined and deleted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from device.errors import DeviceError
from device.session.retelling import history_of
from device.speech import each_json
from device.storage.journal import Kept
from referee.game import PapersScore
from referee.papers import PaperCard
from referee.registry import load_papers
from rules.plain import name_key, shorten_line
from rules.registry import load_games
from rules.text import Text, verbatim
from web.site import HELP, Site
from web.uploads import read_form

_BEST = 5
"""So many of a player's best papers are told."""
_FOLLOWED = 300
"""So many finished games, the newest, are looked through for papers."""

NOBODY = Text("Nobody of that name has played.")
SAME_GAME = Text("{first} and {second} have played against each other: they are not one person.", first="", second="")


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game or scored table: the game's name, and each player with points and whether they have won.

    ``papers`` are the names of those that scored, by seat; there are none in a game without papers.
    """

    game: str
    players: tuple[str, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]
    papers: tuple[tuple[str, ...], ...] = ()


@dataclass
class PlayerCounts:
    """What one player has come to, in all games or in one."""

    games: int = 0
    wins: int = 0
    points: int = 0

    def add(self, points: int, won: bool) -> None:
        """Count a game."""
        self.games, self.wins, self.points = self.games + 1, self.wins + won, self.points + points

    @property
    def average(self) -> float:
        """Points a game."""
        return round(self.points / self.games, 1) if self.games else 0.0


@dataclass
class PlayerSheet:
    """One player: by game, against each other one how many games were played, won, and lost to them, and by its name
    how often a paper has scored."""

    name: str
    by_game: dict[str, PlayerCounts] = field(default_factory=lambda: defaultdict(PlayerCounts))
    against: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    papers: Counter[str] = field(default_factory=Counter)

    @property
    def key(self) -> str:
        """What stands for the name in an address, which others may see."""
        return key_of(self.name)

    @property
    def games(self) -> int:
        """All games."""
        return sum(one.games for one in self.by_game.values())

    @property
    def wins(self) -> int:
        """All games won."""
        return sum(one.wins for one in self.by_game.values())

    @property
    def best_papers(self) -> list[tuple[PaperCard, int]]:
        """The papers worth most that have scored, each with how often, the best first."""
        known = [(paper, count) for name, count in self.papers.items() if (paper := _find_paper(name)) is not None]
        return sorted(known, key=lambda one: (-one[0].points, -one[1], one[0].name))[:_BEST]


def _find_paper(name: str) -> PaperCard | None:
    """Find the paper of that name; one of another version may be unknown."""
    try:
        return load_papers()[name]
    except KeyError:
        return None


def make_sheets(played: Sequence[Played]) -> dict[str, PlayerSheet]:
    """Return every player's sheet, who has played most first; each is called as they were first."""
    spelt: dict[str, str] = {}
    sheets: dict[str, PlayerSheet] = {}
    for game in played:
        players = [spelt.setdefault(name_key(name), name) for name in game.players]
        for seat, (name, points) in enumerate(zip(players, game.points, strict=True), 1):
            sheet = sheets.setdefault(name, PlayerSheet(name))
            won = seat in game.winners
            sheet.by_game[game.game].add(points, won)
            sheet.papers.update(game.papers[seat - 1] if game.papers else ())
            for other_seat, other in enumerate(players, 1):
                if other != name:
                    lost = not won and other_seat in game.winners
                    ahead = won and other_seat not in game.winners
                    sheet.against[other].update({"games": 1, "wins": int(ahead), "losses": int(lost)})
    return dict(sorted(sheets.items(), key=lambda pair: (-pair[1].games, pair[0])))


def _find_sheet(sheets: Mapping[str, PlayerSheet], asked: str) -> PlayerSheet | None:
    """Find the sheet of that name, however it is written, or of what stands for it in an address."""
    known = {key: sheet for sheet in sheets.values() for key in (sheet.key, name_key(sheet.name))}
    return known.get(name_key(asked))


def key_of(name: str) -> str:
    """Return what stands for a name in an address."""
    return blake2b(name_key(name).encode("utf-8", "replace"), digest_size=8).hexdigest()


def make_routes(site: Site) -> list[Route]:
    """Return the addresses below ``/players``."""
    pages = PlayerPages(site)
    return [
        Route("/players", pages.show_players, methods=["GET"]),
        Route("/players.json", pages.show_players, methods=["GET"]),
        Route("/players/join", pages.join, methods=["POST"]),
        Route("/players/delete", pages.delete, methods=["POST"]),
        Route("/players/{name:path}", pages.show_player, methods=["GET"]),
    ]


class PlayerPages:
    """What is answered below ``/players``."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._papers: dict[tuple[int, datetime | None], tuple[tuple[str, ...], ...]] = {}

    def _find_papers(self, kept: Kept) -> tuple[tuple[str, ...], ...]:
        """Return the papers that scored in a finished game, by seat; a game is followed to its end once only."""
        key = kept.number, kept.ended
        referee = kept.opening.referee
        if key not in self._papers and isinstance(referee, PapersScore):
            try:
                history = history_of(kept, self._site.open_journal().read_entries(kept.number))
                self._papers[key] = referee.scoring_papers(history.now)
            except DeviceError:
                self._papers[key] = ()  # its result is kept all the same
        return self._papers.get(key, ())

    def _read_played(self) -> Iterator[Played]:
        finished = [kept for kept in self._site.open_journal().list_games() if kept.result is not None]
        for place, kept in enumerate(reversed(finished)):
            if kept.result is not None:
                scored = self._find_papers(kept) if place < _FOLLOWED else ()
                players, points = kept.opening.players, kept.result.points
                each = tuple(points[seat % len(points)] for seat in range(len(players)))
                yield Played(kept.opening.game, players, each, kept.result.winners, scored)
        store = self._site.scored
        for number in store.list_numbers():
            try:
                data = store.read_table(number).data
            except DeviceError:
                continue
            names = tuple(who["en"] for who in data["players"])
            # Players without names are called by their seats: nobody in particular.
            if all(who["en"] == who["ja"] for who in data["players"]):
                points = tuple(tally["points"] for tally in data["tallies"])
                yield Played(data["game"], names, points, tuple(data["winners"]), _scored_papers(data["tallies"]))

    def _read_sheets(self) -> dict[str, PlayerSheet]:
        return make_sheets(list(self._read_played()))

    async def show_players(self, request: Request) -> Response:
        """Everybody who has played."""
        sheets = await run_in_threadpool(self._read_sheets)
        if request.url.path.endswith(".json"):
            return JSONResponse({"players": [_sheet_json(one) for one in sheets.values()]})
        return self._site.render(request, "players", players=list(sheets.values()))

    async def show_player(self, request: Request) -> Response:
        """Show one player."""
        sheets = await run_in_threadpool(self._read_sheets)
        asked = request.path_params["name"]
        as_json, sheet = False, _find_sheet(sheets, asked)
        if sheet is None:
            as_json, sheet = asked.endswith(".json"), _find_sheet(sheets, asked.removesuffix(".json"))
        if sheet is None:
            raise DeviceError(NOBODY)
        if as_json:
            return JSONResponse(_sheet_json(sheet))
        titles = {key: rules.title for key, rules in load_games().items()}
        shown = {game: titles.get(game, verbatim(game)) for game in sheet.by_game}
        others = [other for other in sheets if other != sheet.name and other not in sheet.against]
        return self._site.render(request, "player", player=sheet, titles=shown, others=others, key_of=key_of)

    async def join(self, request: Request) -> Response:
        """Have what was played under one name count for another."""
        self._site.require(HELP)
        async with read_form(request) as form:
            told = form.fields
        sheets = await run_in_threadpool(self._read_sheets)
        one, other = (_find_sheet(sheets, told.get(field, "")) for field in ("name", "into"))
        if one is None or other is None or one is other:
            raise DeviceError(NOBODY)
        if other.name in one.against:
            raise DeviceError(SAME_GAME.refill(first=shorten_line(one.name), second=shorten_line(other.name)))
        await run_in_threadpool(self._rename, one.name, other.name)
        return RedirectResponse(f"/players/{other.key}", 303)

    async def delete(self, request: Request) -> Response:
        """Take a name out of all games; they stay, with a seat in its place."""
        self._site.require(HELP)
        async with read_form(request) as form:
            name = form.fields.get("name", "")
        sheet = _find_sheet(await run_in_threadpool(self._read_sheets), name)
        if sheet is None:
            raise DeviceError(NOBODY)
        await run_in_threadpool(self._rename, sheet.name, None)
        return RedirectResponse("/players", 303)

    def _rename(self, name: str, into: str | None) -> None:
        self._site.open_journal().rename(name, into)
        self._site.scored.rename(name, into)


def _scored_papers(tallies: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, ...], ...]:
    """Return the papers that scored on a kept table, by seat."""
    items = [[item for group in tally["groups"].values() for item in group] for tally in tallies]
    return tuple(tuple(one["paper"] for one in some if "paper" in one and one["points"] > 0) for some in items)


def _sheet_json(sheet: PlayerSheet) -> dict[str, Any]:
    return {
        "name": sheet.name,
        "games": sheet.games,
        "wins": sheet.wins,
        "by_game": {
            game: {"games": one.games, "wins": one.wins, "average": one.average} for game, one in sheet.by_game.items()
        },
        "best_papers": [
            {"paper": paper.name, "words": each_json(paper.text), "points": paper.points, "count": count}
            for paper, count in sheet.best_papers
        ],
        "against": {
            other: {"games": one["games"], "wins": one["wins"], "losses": one["losses"]}
            for other, one in sheet.against.items()
        },
    }
