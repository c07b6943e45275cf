"""A game begun from a phone: game, deck, names, who begins and what else is asked; or one that was left goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import ImmutableMultiDict
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from device.app.choices import CONTEST, asked_options, fitting_decks, known_decks, known_names, papers_to_choose
from device.speech import each_json
from device.storage.journal import Kept
from referee.game import Referee, paper_faces, table_seats
from referee.registry import load_papers, load_referees
from rules.game import GameOption
from rules.text import Language, Text, player
from web.site import HELP, OtherQuestionError, Site, answer_done, as_value, find_language, wants_page
from web.uploads import read_form, read_json_object

_LEFT = 5
"""So many games that were left are offered to be gone on with, the newest first …"""
_LATELY = 20
"""… of so many that were begun last."""
_NAMES = 30

_TURNING, _TURNS_S = 5, 0.2
"""So often and so long later a table is asked again that turns to something else."""

Words = Mapping[str, str]
"""Words by the language's code."""


Fields = Sequence[tuple[str, str]]
"""A form's fields and their values."""


@dataclass(frozen=True)
class Wish:
    """A game as a phone wishes for it; ``players`` are names by seat, empty where they are called by their seats."""

    game: str = ""
    players: tuple[str, ...] = ()
    deck: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    teach: bool | None = None
    """Whether the game teaches itself; ``None`` leaves it as it was the last time."""

    def to_json(self) -> dict[str, Any]:
        """Return the wish as the table takes it, and as ``POST /start`` does."""
        wish = {"game": self.game, "players": list(self.players), "deck": self.deck, "options": dict(self.options)}
        return wish if self.teach is None else {**wish, "teach": self.teach}


def make_routes(site: Site) -> list[Route]:
    """Return the addresses below ``/start``."""
    pages = StartPages(site)
    return [
        Route("/start", pages.choose, methods=["GET"]),
        Route("/start.json", pages.choose, methods=["GET"]),
        Route("/start", pages.start, methods=["POST"]),
    ]


class StartPages:
    """What is answered below ``/start``."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def choose(self, request: Request) -> Response:
        """Show what can be chosen; with a ``game`` the form to begin it, filled in as far as the address says."""
        self._site.require(HELP)
        if request.url.path.endswith(".json"):
            doing = await self._ask_what_is_done()
            return JSONResponse(await run_in_threadpool(self._make_all, request, doing))
        return await self._render_page(request, _read_wish(request.query_params), {})

    async def start(self, request: Request) -> Response:
        """Begin a game, or go on with one; what keeps it from being done is said beside its field.

        Where something is to be changed before, the form is shown with what was chosen so far.
        """
        site = self._site
        site.require(HELP)
        if request.headers.get("content-type", "").startswith("application/json"):
            told = await read_json_object(request)
            wish = Wish()
        else:
            async with read_form(request) as form:
                sent = ImmutableMultiDict([(name, one) for name, many in form.lists.items() for one in many])
            wish = _read_wish(sent)
            if "change" in sent:
                return await self._render_page(request, wish, {}, leave=bool(sent.get("leave")))
            told = {**wish.to_json(), "leave": bool(sent.get("leave")), "resume": _read_choice(sent.get("resume", ""))}
        if told.get("resume") is not None:
            came = await site.ask("resume", {"number": told["resume"], "leave": told.get("leave")})
        else:
            came = await site.ask("begin", told)
        faults = came.get("faults", {})
        if not faults:
            # Who sits where is confirmed beside the camera's picture.
            return answer_done(request, "/aim" if came.get("aiming") else "/")
        if not wants_page(request):
            return JSONResponse({"error": next(iter(faults.values())), "faults": faults}, 400)
        leaving: Fields | None = None
        if list(faults) == ["leave"]:
            resumed = told.get("resume")
            leaving = list(_as_fields(wish)) if resumed is None else [("resume", as_value(resumed))]
        return await self._render_page(request, wish, faults, leaving, leave=bool(told.get("leave")))

    async def _ask_what_is_done(self) -> Mapping[str, Any]:
        """Ask what the table is doing; while it turns to something else, what it does then."""
        for _ in range(_TURNING):
            with suppress(OtherQuestionError):
                return await self._site.ask("doing", {})
            await asyncio.sleep(_TURNS_S)
        return await self._site.ask("doing", {})

    async def _render_page(
        self,
        request: Request,
        wish: Wish,
        faults: Mapping[str, Words],
        leaving: Fields | None = None,
        leave: bool = False,
    ) -> Response:
        doing = await self._ask_what_is_done()
        known = await run_in_threadpool(self._list_known, request, doing)
        form = None
        if wish.game in load_referees():
            form = await run_in_threadpool(
                self._make_form, load_referees()[wish.game], wish, find_language(request), doing
            )
        status = 400 if faults else 200
        values = {**known, "form": form, "faults": faults, "leaving": leaving, "leave": leave}
        return self._site.render(request, "start", status, **values)

    def _list_known(self, request: Request, doing: Mapping[str, Any]) -> dict[str, Any]:
        """Return what there is to go on with, and which games there are."""
        journal, language = self._site.open_journal(), find_language(request)
        lately = journal.list_latest(_LATELY)
        left = [kept for kept in lately if kept.ended is None and kept.number != doing["game"]][:_LEFT]
        last = self._offer_once_more(lately[0], language, doing) if lately else None
        return {
            "busy": doing["busy"],
            "games": [{"name": name, "title": one.rules.title} for name, one in load_referees().items()],
            "going_on": [{"number": kept.number, "title": _make_title(kept), "kept": kept} for kept in left],
            "last": last,
            "names": list(known_names(journal, doing["names"]))[:_NAMES],
        }

    def _offer_once_more(self, kept: Kept, language: Language, doing: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the game that was begun last, as it can be begun once more."""
        wish = _wish_to_repeat(kept)
        decks = self._find_decks(kept.opening.referee, doing)
        if wish.deck not in decks:
            wish = replace(wish, deck=decks[0] if len(decks) == 1 else "")
        form = self._make_form(kept.opening.referee, wish, language, doing)
        chosen = [(one["title"], choice["words"]) for one in form["fields"] for choice in _find_chosen(one)]
        return {"wish": wish, "title": _make_title(kept), "chosen": chosen, "sent": list(_as_fields(wish))}

    # What can be chosen for a game

    def _find_decks(self, referee: Referee, doing: Mapping[str, Any]) -> tuple[str, ...]:
        shelf = self._site.shelf
        return fitting_decks(known_decks(shelf, doing["deck"]), shelf.ready, shelf.list_faces, referee.cards)

    def _make_form(self, referee: Referee, wish: Wish, language: Language, doing: Mapping[str, Any]) -> dict[str, Any]:
        """Return the form of a game: its seats, decks, and a field for each answer, with what was chosen so far."""
        seats = table_seats(referee)
        count = len(wish.players) if len(wish.players) in seats else _choose_usual_seats(seats)
        players = (*wish.players, *[""] * count)[:count]
        decks = self._find_decks(referee, doing)
        deck = wish.deck if wish.deck in decks else decks[0] if len(decks) == 1 else wish.deck
        fields = [
            one
            for option in asked_options(referee.rules)
            for one in self._make_fields(option, players, wish.options.get(option.key), deck, language, doing)
        ]
        return {
            "game": referee.rules.name,
            "title": referee.rules.title,
            "seats": list(seats),
            "count": count,
            "players": players,
            "decks": decks,
            "deck": deck,
            "fields": fields,
            "teach": doing["teach"] if wish.teach is None else wish.teach,
        }

    def _make_fields(
        self,
        option: GameOption,
        players: Sequence[str],
        given: Any,
        deck: str,
        language: Language,
        doing: Mapping[str, Any],
    ) -> Iterator[dict[str, Any]]:
        names = _name_players(players, language)
        base = {"title": option.title, "several": option.several, "seat": None, "field": f"option.{option.key}"}
        if option.several:
            yield {**base, "choices": self._list_papers(option, given if isinstance(given, list) else [], deck)}
            return
        for seat in range(len(players)) if option.each_seat else (None,):
            held = given
            if seat is not None:
                held = given[seat] if isinstance(given, list) and seat < len(given) else None
            choices: list[dict[str, Any]] = []
            for number, (value, words) in enumerate(option.values(names)):
                calls = number < len(names) and words == player(names[number])
                chosen = held is not None and as_value(held) == as_value(value)
                choices.append(
                    {"value": as_value(value), "words": words, "chosen": chosen, "seat": number if calls else None}
                )
            if held is None and seat is None and choices[0]["seat"] is None:
                choices[0]["chosen"] = True  # the usual one, where it is nobody's place
            if option.contest is not None and doing["contests"]:
                words = option.contest.title
                choices.append({"value": CONTEST, "words": words, "chosen": held == CONTEST, "seat": None})
            ending = "" if seat is None else f".{seat}"
            yield {**base, "field": f"{base['field']}{ending}", "seat": seat, "choices": choices}

    def _list_papers(self, option: GameOption, chosen: Sequence[str], deck: str) -> list[dict[str, Any]]:
        """Return the papers of the house, with what the deck knows of them."""
        faces = self._site.shelf.list_faces(deck) if deck else frozenset()
        chosen = [name for name in chosen if _is_paper(name)]
        return [
            {
                "value": name,
                "words": words,
                "chosen": name in chosen,
                "learnt": faces.issuperset(paper_faces(load_papers()[name])),
            }
            for name, words in papers_to_choose(option, faces, chosen)
        ]

    # All of it as data

    def _make_all(self, request: Request, doing: Mapping[str, Any]) -> dict[str, Any]:
        known = self._list_known(request, doing)
        told = _read_wish(request.query_params)
        last = known["last"]
        return {
            "busy": doing["busy"],
            "games": [self._game_json(one, len(told.players), doing) for one in load_referees().values()],
            "names": known["names"],
            "going_on": [
                {
                    "game_id": one["number"],
                    "game": one["kept"].opening.game,
                    "players": list(one["kept"].opening.players),
                    "started": one["kept"].started.isoformat(),
                }
                for one in known["going_on"]
            ],
            "last": last["wish"].to_json() if last is not None else None,
        }

    def _game_json(self, referee: Referee, seats: int, doing: Mapping[str, Any]) -> dict[str, Any]:
        allowed = table_seats(referee)
        count, decks = seats if seats in allowed else _choose_usual_seats(allowed), self._find_decks(referee, doing)
        return {
            "game": referee.rules.name,
            "title": each_json(referee.rules.title),
            "seats": list(allowed),
            "decks": list(decks),
            "options": [self._option_json(one, count, decks, doing) for one in asked_options(referee.rules)],
        }

    def _option_json(
        self, option: GameOption, seats: int, decks: Sequence[str], doing: Mapping[str, Any]
    ) -> dict[str, Any]:
        if option.several:
            faces = {deck: self._site.shelf.list_faces(deck) for deck in decks}
            values = [
                {
                    "value": name,
                    "words": each_json(words),
                    "decks": [deck for deck in decks if faces[deck].issuperset(paper_faces(load_papers()[name]))],
                }
                for name, words in papers_to_choose(option, frozenset().union(*faces.values()), ())
            ]
        else:
            every = {language: option.values(_name_players([""] * seats, language)) for language in Language.all()}
            values = [
                {"value": value, "words": {one.code: every[one][number][1].said(one) for one in every}}
                for number, (value, _) in enumerate(every[Language.EN])
            ]
        contest = option.contest if doing["contests"] else None
        return {
            "key": option.key,
            "title": each_json(option.title),
            "each_seat": option.each_seat,
            "several": option.several,
            "optional": option.optional,
            "values": values,
            "contest": each_json(contest.title) if contest is not None else None,
        }


def _choose_usual_seats(seats: Sequence[int]) -> int:
    """Return the number of players where nobody says it."""
    return seats[min(1, len(seats) - 1)]


def _is_paper(name: str) -> bool:
    try:
        return bool(load_papers()[name])
    except KeyError:
        return False


def _name_players(players: Sequence[str], language: Language) -> list[str]:
    """Return the players' names, for those without one the name of their seat."""
    return [name or Text("Player {seat}", seat=seat).said(language) for seat, name in enumerate(players, 1)]


def _make_title(kept: Kept) -> Text:
    return kept.opening.referee.rules.title


def _find_chosen(one: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return (choice for choice in one["choices"] if choice["chosen"])


# --- what a phone sends


def _read_wish(sent: ImmutableMultiDict[str, str]) -> Wish:
    """Read the wish that a form or an address holds: ``player`` for each seat, ``seats``, ``deck``, ``option.KEY``."""
    game = sent.get("game", "")
    players = [name.strip() for name in sent.getlist("player")]
    seats = sent.get("seats", "")
    count = int(seats) if seats.isdecimal() and len(seats) < 3 else len(players)
    players = [*players, *[""] * count][:count]
    options: dict[str, Any] = {}
    for option in asked_options(load_referees()[game].rules) if game in load_referees() else ():
        field = f"option.{option.key}"
        if option.several:
            options[option.key] = sent.getlist(field)
        elif option.each_seat:
            options[option.key] = [_read_choice(sent.get(f"{field}.{seat}", "")) for seat in range(count)]
        else:
            options[option.key] = _read_choice(sent.get(field, ""))
    teach = sent.getlist("teach")
    return Wish(game, tuple(players), sent.get("deck", ""), options, "on" in teach if teach else None)


def _read_choice(text: str) -> Any:
    """Read a form's choice as it is meant; nothing where none was taken."""
    try:
        return json.loads(text) if text.strip() else None
    except (ValueError, RecursionError):
        return text


def _wish_to_repeat(kept: Kept) -> Wish:
    opening = kept.opening
    asked = {option.key for option in asked_options(opening.referee.rules)}
    options = {key: value for key, value in opening.options.items() if key in asked}
    return Wish(opening.game, opening.players, opening.deck or "", options)


def _as_fields(wish: Wish) -> Iterator[tuple[str, str]]:
    """Yield a wish as the fields of a form."""
    yield "game", wish.game
    yield from (("player", name) for name in wish.players)
    yield "deck", wish.deck
    if wish.teach is not None:
        yield "teach", "on" if wish.teach else "off"
    for option in asked_options(load_referees()[wish.game].rules):
        value, name = wish.options.get(option.key), f"option.{option.key}"
        if option.several:
            yield from ((name, one) for one in value or ())
        elif option.each_seat and isinstance(value, list):
            yield from ((f"{name}.{seat}", as_value(one)) for seat, one in enumerate(value))
        elif value is not None:
            yield name, as_value(value)
