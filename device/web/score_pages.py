"""Scoring: a finished table from a phone's pictures, its result, and what is asked about it until it is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from device.app.choices import names_once
from device.enrol.ready_decks import deck_for_game
from device.errors import DeviceError
from device.scoring.table import by_seat
from device.settings.settings_file import load_settings
from device.speech import each_json
from device.web.scorer import ScoredJob
from device.web.site import HELP, Site, as_value, language_of, phone_of, wants_page
from device.web.uploads import Form, form_of
from referee.finished.score import Scoring, parts_of
from referee.game import table_seats
from referee.registry import scorings
from rules.game import GameOption
from rules.plain import are_different, is_name, shortly
from rules.text import Text

_SIZE = re.compile(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)")
_NAMES_OFFERED = 30
_MOST_NAMES = 400
_LONGEST_NAME = 20

CHANGED = Text("Another card was named there meanwhile: look again.")
OPEN = Text("The result is open: it is kept once that is settled.")


def routes(site: Site) -> list[Route]:
    """The addresses below ``/score``."""
    pages = ScorePages(site)
    return [
        Route("/score", pages.ask, methods=["GET"]),
        Route("/score", pages.score, methods=["POST"]),
        Route("/score/{number}.json", pages.result, methods=["GET"]),
        Route("/score/{number}", pages.result, methods=["GET"]),
        Route("/score/{number}", pages.settle, methods=["POST"]),
        Route("/score/{number}/keep", pages.keep, methods=["POST"]),
        Route("/score/{number}/{file}", pages.file, methods=["GET"]),
    ]


class ScorePages:
    """What is answered below ``/score``."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def ask(self, request: Request) -> Response:
        """Choose a game, then what people say of its table."""
        self._site.needs(HELP)
        name = request.query_params.get("game", "")
        games = [{"name": key, "title": one.rules.title} for key, one in scorings().items()]
        if name not in scorings():
            return self._site.render(request, "score", games=games, form=None)
        scoring = scorings()[name]
        seats = list(table_seats(scoring))
        chosen = request.query_params.get("seats", "")
        count = int(chosen) if chosen.isdecimal() and int(chosen) in seats else seats[min(1, len(seats) - 1)]
        form = await run_in_threadpool(self._form, scoring, count)
        return self._site.render(request, "score", games=games, form=form)

    def _form(self, scoring: Scoring, seats: int) -> dict[str, Any]:
        called = by_seat(seats)
        wanted = frozenset(scoring.cards.faces)
        shelf = self._site.shelf
        decks = [name for name in (*shelf.names(), *shelf.ready) if wanted <= shelf.faces(name)]
        usual = ""
        with suppress(DeviceError):
            usual = deck_for_game(shelf, scoring, load_settings(self._site.state).game.deck)
        return {
            "game": scoring.rules.name,
            "title": scoring.rules.title,
            "lay": scoring.lay,
            "seats": list(table_seats(scoring)),
            "count": seats,
            "called": called,
            "parts": list(parts_of(scoring, seats)),
            "decks": decks,
            "deck": usual,
            "names": self._known_names(),
            "asked": [_asked(option, called) for option in scoring.asked],
        }

    def _known_names(self) -> list[str]:
        try:
            lately = self._site.journal().lately(_NAMES_OFFERED)
        except DeviceError:
            lately = ()
        return names_once(lately, load_settings(self._site.state).game.names)

    async def score(self, request: Request) -> Response:
        """Score the table that a phone sends."""
        site = self._site
        site.needs(HELP)
        with site.scorer.place(phone_of(request)):
            async with form_of(request, pictures=True) as form:
                told = {**_told_of(form), "language": language_of(request).code}
                if not form.files:
                    raise DeviceError(Text("Give one picture of the table."))
                number, scored = await site.scorer.score(form.files, told)
        if wants_page(request):
            return RedirectResponse(f"/score/{number}", 303)
        return self._json(request, number, scored)

    def _json(self, request: Request, number: str, scored: ScoredJob) -> Response:
        told = scored.answer["score"][language_of(request).code]
        return JSONResponse(told, headers={"location": f"/score/{number}"})

    async def result(self, request: Request) -> Response:
        """What a table came to, and what is asked about it."""
        number = request.path_params["number"]
        scored = self._site.scorer.job(number)
        if request.url.path.endswith(".json"):
            return self._json(request, number, scored)
        sheet = scored.answer["sheet"]
        names = await run_in_threadpool(_names, scorings()[sheet["game"]])
        return self._site.render(
            request,
            "result",
            number=number,
            sheet=sheet,
            names=names,
            named=[one for part in scored.job["named"] for one in part],
            asked=_asked_again(scored),
            keeps=scored.answer["kept"] is not None,
        )

    async def settle(self, request: Request) -> Response:
        """Score a table once more with what people say of it: cards named, faults let stand, what no camera sees."""
        site, number = self._site, request.path_params["number"]
        site.needs(HELP)
        scored = site.scorer.job(number)
        async with form_of(request) as form:
            named = _named_in(form, scored)
            confirmed = [*scored.job["confirmed"], *form.lists.get("stands", ())][-_MOST_NAMES:]
            told = {
                **scored.job["told"],
                **_told_fields(form, scored.job["game"], len(scored.answer["sheet"]["players"])),
            }
        with site.scorer.place(phone_of(request)):
            await site.scorer.again(
                scored,
                number,
                named=named,
                confirmed=list(dict.fromkeys(confirmed)),
                told=told,
                language=language_of(request).code,
            )
        return RedirectResponse(f"/score/{number}", 303)

    async def keep(self, request: Request) -> Response:
        """Keep a settled result with its picture."""
        site, number = self._site, request.path_params["number"]
        site.needs(HELP)
        scored = site.scorer.job(number)
        kept = scored.answer["kept"]
        if kept is None:
            raise DeviceError(OPEN)
        picture = (scored.path / "kept.jpg").read_bytes()
        # Forgotten first: whoever keeps it at the same moment finds it gone, not kept twice.
        with site.scorer.taken(number):
            place = await run_in_threadpool(site.scored.keep, kept, picture)
        return RedirectResponse(f"/games/s{place}", 303)

    async def file(self, request: Request) -> Response:
        """A picture of a table: what was seen drawn on (``picture.png``), or a close-up."""
        scored = self._site.scorer.job(request.path_params["number"])
        name = request.path_params["file"].replace("picture.png", "picture-0.png")
        known = {*scored.answer["sheet"]["pictures"], *(one["close_up"] for one in scored.answer["sheet"]["unread"])}
        if name not in known:
            return Response(status_code=404)
        return FileResponse(scored.path / name)


# What people say


def _asked(option: GameOption, called: Sequence[Text]) -> dict[str, Any]:
    """What no camera sees, as fields of a form: one for each seat and part, with its choices."""
    fields = []
    names = [str(words) for words in called]
    for seat in range(len(called)) if option.each_seat else (None,):
        whose = called[seat] if seat is not None else None
        parts = option.parts or (None,)
        for number, part in enumerate(parts):
            ending = "".join(f".{n}" for n in (seat, number if part is not None else None) if n is not None)
            values = part.values if part is not None else option.values(names)
            fields.append(
                {
                    "name": f"told.{option.key}{ending}",
                    "whose": whose,
                    "title": part.title if part is not None else None,
                    "choices": [(as_value(value), words) for value, words in values],
                }
            )
    return {"key": option.key, "title": option.title, "optional": option.optional, "fields": fields}


def _asked_again(scored: ScoredJob) -> list[dict[str, Any]]:
    """Those questions of which an answer may be wrong."""
    wrong = {fault["told"] for fault in scored.answer["sheet"]["faults"]} - {""}
    called = by_seat(len(scored.answer["sheet"]["players"]))
    return [_asked(one, called) for one in scorings()[scored.job["game"]].asked if one.key in wrong]


def _told_fields(form: Form, game: str, seats: int) -> dict[str, Any]:
    """What no camera sees, of the fields that ``_asked`` makes."""
    told: dict[str, Any] = {}
    for option in scorings()[game].asked if game in scorings() else ():

        def value(*places: int, key: str = option.key) -> Any:
            return form.json(".".join(["told", key, *map(str, places)]), None)

        def whole(*seat: int, parts: int = len(option.parts)) -> Any:
            values = [value(*seat, part) for part in range(parts)]
            return None if None in values else values

        one = whole if option.parts else value
        found = [one(seat) for seat in range(seats)] if option.each_seat else one()
        if found is not None and not (isinstance(found, list) and None in found):
            told[option.key] = found
    return told


def _told_of(form: Form) -> dict[str, Any]:
    """What people say of a table, as the worker's job has it.

    Raises:
        DeviceError: a field can't be.
    """
    game, seats = form.fields.get("game", ""), form.fields.get("seats", "").strip()
    if not game:
        raise DeviceError(Text("Say which game was played: the field 'game'."))
    if seats and not (seats.isdecimal() and len(seats) < 3):
        raise DeviceError(Text("The field {name!r} is no number.", name="seats"))
    players = [name.strip() for name in form.fields.get("players", "").split(",") if name.strip()]
    if not players and (each := [name.strip() for name in form.lists.get("player", ())]) and any(each):
        if not all(each):
            raise DeviceError(Text("Name all players, or none."))
        players = each
    if not all(is_name(name) and len(name) <= _LONGEST_NAME for name in players) or not are_different(players):
        raise DeviceError(Text("Names are different, of one line, and of up to {count} letters.", count=_LONGEST_NAME))
    told = form.json("told", {})
    if not isinstance(told, dict):
        raise DeviceError(Text("The field {name!r} is no JSON object.", name="told"))
    mat = form.fields.get("mat", "").strip()
    size = _SIZE.fullmatch(mat)
    if mat and (size is None or not all(300 <= float(side) <= 3000 for side in size.groups())):
        raise DeviceError(
            Text("{text!r} is no mat size from 300x300 to 3000x3000 mm, such as 1189x841.", text=shortly(mat))
        )
    return {
        "game": game,
        "seats": int(seats) if seats else None,
        "players": players,
        "told": {**_told_fields(form, game, int(seats) if seats else len(players)), **told},
        "mat": [float(side) for side in size.groups()] if size else None,
        "deck": form.fields.get("deck", "").strip() or None,
    }


def _names(scoring: Scoring) -> list[dict[str, Any]]:
    """Every card that one may be, in groups."""
    return [
        {"title": title, "names": [{"name": name, "words": each_json(words)} for name, words in pairs]}
        for title, pairs in scoring.names()
    ]


def _named_in(form: Form, scored: ScoredJob) -> list[list[Mapping[str, Any]]]:
    """The cards that people name, by part: those named before, and those of this form.

    Raises:
        DeviceError: the form is about a place that is settled, or names no card.
    """
    sheet = scored.answer["sheet"]
    known = {name for _, pairs in scorings()[sheet["game"]].names() for name, _ in pairs}
    named: list[list[Mapping[str, Any]]] = [list(part) for part in scored.job["named"]]
    named += [[] for _ in sheet["pictures"][len(named) :]]
    for place, cards in _answers(form):
        if place >= len(sheet["unread"]) or form.fields.get(f"at.{place}") != at(sheet["unread"][place]):
            raise DeviceError(CHANGED)
        if not set(cards) <= {*known, ""}:
            raise DeviceError(Text("There is no card {name}.", name=shortly(cards[0])))
        chosen = [card for card in cards if card]
        one = sheet["unread"][place]
        first = chosen[0] if chosen else None
        named[one["part"]].append({"card": first, "x": one["x"], "y": one["y"], "more": chosen[1:]})
    return named


def at(unread: Mapping[str, Any]) -> str:
    """By what a form names a place."""
    return f"{unread['part']} {unread['x']:.1f} {unread['y']:.1f}"


def _answers(form: Form) -> Iterator[tuple[int, list[str]]]:
    """The places of a form that are answered, with the cards said to lie there; ``none`` says that there is none."""
    for name, cards in form.lists.items():
        found = re.fullmatch(r"card\.(\d{1,3})", name)
        if found and any(cards):
            yield int(found[1]), [card for card in cards if card and card != "none"]
