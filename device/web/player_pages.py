"""Players by name: what they have played, won and had on average, and against whom; names joined and deleted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from device.errors import DeviceError
from device.web.site import HELP, Site
from device.web.uploads import form_of
from rules.plain import shortly
from rules.registry import games
from rules.text import Text, verbatim

NOBODY = Text("Nobody of that name has played.")
SAME_GAME = Text("{first} and {second} have played against each other: they are not one person.", first="", second="")


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game or scored table: the game's name, and each player with points and whether they have won."""

    game: str
    players: tuple[str, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]


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
    """One player: by game, and against each other one how many games were played, won, and lost to them."""

    name: str
    by_game: dict[str, PlayerCounts] = field(default_factory=lambda: defaultdict(PlayerCounts))
    against: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    @property
    def games(self) -> int:
        """All games."""
        return sum(one.games for one in self.by_game.values())

    @property
    def wins(self) -> int:
        """All games won."""
        return sum(one.wins for one in self.by_game.values())


def sheets_of(played: Sequence[Played]) -> dict[str, PlayerSheet]:
    """Every player's sheet, who has played most first."""
    sheets: dict[str, PlayerSheet] = {}
    for game in played:
        for seat, (name, points) in enumerate(zip(game.players, game.points, strict=True), 1):
            sheet = sheets.setdefault(name, PlayerSheet(name))
            won = seat in game.winners
            sheet.by_game[game.game].add(points, won)
            for other_seat, other in enumerate(game.players, 1):
                if other_seat != seat:
                    lost = not won and other_seat in game.winners
                    ahead = won and other_seat not in game.winners
                    sheet.against[other].update({"games": 1, "wins": int(ahead), "losses": int(lost)})
    return dict(sorted(sheets.items(), key=lambda pair: (-pair[1].games, pair[0])))


def routes(site: Site) -> list[Route]:
    """The addresses below ``/players``."""
    pages = PlayerPages(site)
    return [
        Route("/players", pages.all, methods=["GET"]),
        Route("/players.json", pages.all, methods=["GET"]),
        Route("/players/join", pages.join, methods=["POST"]),
        Route("/players/delete", pages.delete, methods=["POST"]),
        Route("/players/{name:path}", pages.one, methods=["GET"]),
    ]


class PlayerPages:
    """What is answered below ``/players``."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def _played(self) -> Iterator[Played]:
        for kept in self._site.journal().games():
            if kept.result is not None:
                players, points = kept.opening.players, kept.result.points
                each = tuple(points[seat % len(points)] for seat in range(len(players)))
                yield Played(kept.opening.game, players, each, kept.result.winners)
        store = self._site.scored
        for number in store.numbers():
            try:
                data = store.table(number).data
            except DeviceError:
                continue
            names = tuple(who["en"] for who in data["players"])
            # Players without names are called by their seats: nobody in particular.
            if all(who["en"] == who["ja"] for who in data["players"]):
                points = tuple(tally["points"] for tally in data["tallies"])
                yield Played(data["game"], names, points, tuple(data["winners"]))

    def _sheets(self) -> dict[str, PlayerSheet]:
        return sheets_of(list(self._played()))

    async def all(self, request: Request) -> Response:
        """Everybody who has played."""
        sheets = await run_in_threadpool(self._sheets)
        if request.url.path.endswith(".json"):
            return JSONResponse({"players": [_sheet_json(one) for one in sheets.values()]})
        return self._site.render(request, "players", players=list(sheets.values()))

    async def one(self, request: Request) -> Response:
        """One player."""
        sheets = await run_in_threadpool(self._sheets)
        name = request.path_params["name"]
        as_json = request.url.path.endswith(".json") and name not in sheets
        name = name.removesuffix(".json") if as_json else name
        if name not in sheets:
            raise DeviceError(NOBODY)
        if as_json:
            return JSONResponse(_sheet_json(sheets[name]))
        titles = {key: rules.title for key, rules in games().items()}
        shown = {game: titles.get(game, verbatim(game)) for game in sheets[name].by_game}
        others = [other for other in sheets if other != name and other not in sheets[name].against]
        return self._site.render(request, "player", player=sheets[name], titles=shown, others=others)

    async def join(self, request: Request) -> Response:
        """Have what was played under one name count for another."""
        self._site.needs(HELP)
        async with form_of(request) as form:
            name, into = form.fields.get("name", ""), form.fields.get("into", "")
        sheets = await run_in_threadpool(self._sheets)
        if name not in sheets or into not in sheets or name == into:
            raise DeviceError(NOBODY)
        if into in sheets[name].against:
            raise DeviceError(SAME_GAME.refilled(first=shortly(name), second=shortly(into)))
        await run_in_threadpool(self._rename, name, into)
        return RedirectResponse(f"/players/{quote(into, safe='')}", 303)

    async def delete(self, request: Request) -> Response:
        """Take a name out of all games; they stay, with a seat in its place."""
        self._site.needs(HELP)
        async with form_of(request) as form:
            name = form.fields.get("name", "")
        if name not in await run_in_threadpool(self._sheets):
            raise DeviceError(NOBODY)
        await run_in_threadpool(self._rename, name, None)
        return RedirectResponse("/players", 303)

    def _rename(self, name: str, into: str | None) -> None:
        self._site.journal().rename(name, into)
        self._site.scored.rename(name, into)


def _sheet_json(sheet: PlayerSheet) -> dict[str, Any]:
    return {
        "name": sheet.name,
        "games": sheet.games,
        "wins": sheet.wins,
        "by_game": {
            game: {"games": one.games, "wins": one.wins, "average": one.average} for game, one in sheet.by_game.items()
        },
        "against": {
            other: {"games": one["games"], "wins": one["wins"], "losses": one["losses"]}
            for other, one in sheet.against.items()
        },
    }
