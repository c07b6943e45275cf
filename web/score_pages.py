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

from device.enrol.ready_decks import deck_for_game
from device.errors import DeviceError
from device.scoring.table import by_seat, list_countable
from device.settings.settings_file import load_settings
from device.speech import each_json
from referee.finished.score import SEATS, Scoring, parts_of
from referee.game import table_seats
from referee.registry import load_scorings
from rules.game import GameOption
from rules.plain import shorten_line
from rules.text import Text
from web.results.cards import describe_players, find_cards_of, name_winners
from web.results.kept_pages import list_names
from web.results.photo import find_frame
from web.scorer import ScoredJob
from web.site import HELP, STATIC, Site, as_value, find_language, find_phone, wants_page
from web.uploads import Form, read_form, read_names

_SIZE = re.compile(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)")
_MOST_NAMES = 400

CHANGED = Text("Another card was named there meanwhile: look again.")
OPEN = Text("The result is open: it is kept once that is settled.")


def make_routes(site: Site) -> list[Route]:
    """Return the addresses below ``/score``."""
    pages = ScorePages(site)
    return [
        Route("/score", pages.ask, methods=["GET"]),
        Route("/score", pages.score, methods=["POST"]),
        Route("/score/progress.json", pages.send_progress, methods=["GET"]),
        Route("/score/{number}.json", pages.show_result, methods=["GET"]),
        Route("/score/{number}", pages.show_result, methods=["GET"]),
        Route("/score/{number}", pages.settle, methods=["POST"]),
        Route("/score/{number}/keep", pages.keep, methods=["POST"]),
        Route("/score/{number}/cards/{card:int}", pages.show_card, methods=["GET"]),
        Route("/score/{number}/cards/{card:int}", pages.correct, methods=["POST"]),
        Route("/score/{number}/{file}", pages.send_file, methods=["GET"]),
    ]


class ScorePages:
    """What is answered below ``/score``."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def ask(self, request: Request) -> Response:
        """Choose a game, then what people say of its table."""
        self._site.require(HELP)
        name = request.query_params.get("game", "") or await run_in_threadpool(self._usual_game)
        games = [
            {"name": key, "title": one.rules.title, "picture": find_game_picture(key)}
            for key, one in load_scorings().items()
        ]
        if name not in load_scorings():
            return self._site.render(request, "score", games=games, form=None, learnt=self._site.shelf.list_names())
        scoring = load_scorings()[name]
        seats = list(table_seats(scoring))
        chosen = request.query_params.get("seats", "")
        sent = request.query_params.get("of")
        usual = None if list_countable(scoring, 1) and not sent else seats[min(1, len(seats) - 1)]
        count = int(chosen) if chosen.isdecimal() and int(chosen) in seats else usual
        # Where a table was sent before, only what people say of it is asked anew.
        job = self._site.scorer.find_job(sent).job if sent else None
        form = await run_in_threadpool(
            self._make_form, scoring, count, {} if job is None else _keep_for_other_seats(job["told"])
        )
        return self._site.render(
            request, "score", games=games, form=form, of=sent, learnt=self._site.shelf.list_names()
        )

    def _usual_game(self) -> str:
        """Return the game that was scored last, here or in what is kept, or the only one that a deck is learnt for."""
        if last := self._site.scorer.last_game:
            return last
        with suppress(DeviceError, IndexError):
            return str(self._site.scored.read_table(self._site.scored.list_numbers()[-1]).data["game"])
        shelf = self._site.shelf
        decks = [shelf.list_faces(name) for name in shelf.list_names()]
        fitting = [key for key, one in load_scorings().items() if any(set(one.cards.faces) <= deck for deck in decks)]
        return fitting[0] if len(fitting) == 1 else ""

    def _make_form(self, scoring: Scoring, seats: int | None, told: Mapping[str, Any]) -> dict[str, Any]:
        """Say what is asked; without ``seats`` the picture tells how many play, and nothing is asked seat by seat."""
        called = by_seat(seats or 0)
        asked = [one for one in scoring.asked if seats is not None or not (one.each_seat or one.key == SEATS.key)]
        wanted = frozenset(scoring.cards.faces)
        shelf = self._site.shelf
        decks = [name for name in (*shelf.list_names(), *shelf.ready) if wanted <= shelf.list_faces(name)]
        usual = ""
        with suppress(DeviceError):
            usual = deck_for_game(shelf, scoring, load_settings(self._site.state).game.deck)
        return {
            "game": scoring.rules.name,
            "title": scoring.rules.title,
            "lay": scoring.lay,
            "seats": list(table_seats(scoring)),
            "count": seats,
            "counts": bool(list_countable(scoring, 1)),
            "called": called,
            "parts": list(parts_of(scoring, seats)) if seats is not None else [0],
            "decks": decks,
            "deck": usual,
            "names": list_names(self._site),
            "asked": [_make_fields(option, called, told) for option in asked],
        }

    async def score(self, request: Request) -> Response:
        """Score the table that a phone sends."""
        site = self._site
        site.require(HELP)
        await site.scorer.let_go(find_phone(request))
        with site.scorer.hold_place(find_phone(request), request):
            async with read_form(request, pictures=True) as form:
                told = {
                    **_read_entered(form, await run_in_threadpool(self._usual_game)),
                    "language": find_language(request).code,
                }
                if not form.files:
                    raise DeviceError(Text("Give one picture of the table."))
                number, scored = await site.scorer.score(form.files, told)
        if wants_page(request):
            return RedirectResponse(f"/score/{number}", 303)
        if words := scored.answer.get("error"):
            error = {"en": words["en"], "ja": words.get("ja", words["en"])}
            return JSONResponse({"error": error}, 400, headers={"location": f"/score/{number}"})
        return self._answer_as_json(request, number, scored)

    async def send_progress(self, request: Request) -> Response:
        """Send what was found so far in the picture that this phone sent last."""
        self._site.require(HELP)
        return JSONResponse(self._site.scorer.find_progress(find_phone(request)), headers={"cache-control": "no-store"})

    def _answer_as_json(self, request: Request, number: str, scored: ScoredJob) -> Response:
        told = scored.answer["score"][find_language(request).code]
        return JSONResponse(told, headers={"location": f"/score/{number}"})

    async def _redirect_to_kept(self, number: str) -> Response | None:
        """Return the way to what was kept of an upload; none where it is remembered, or nothing was kept."""
        with suppress(DeviceError):
            self._site.scorer.find_job(number)
            return None
        place = await run_in_threadpool(self._site.scored.of_upload, number)
        return RedirectResponse(f"/games/s{place}", 303) if place is not None else None

    async def show_result(self, request: Request) -> Response:
        """Show the result of a table, and what is asked about it."""
        number = request.path_params["number"]
        if kept := await self._redirect_to_kept(number):
            return kept
        scored = self._site.scorer.find_job(number)
        if request.url.path.endswith(".json"):
            return self._answer_as_json(request, number, scored)
        sheet, job = scored.answer["sheet"], scored.job
        scoring = load_scorings()[sheet["game"]]
        names = await run_in_threadpool(_list_names, scoring)
        seats = len(sheet["players"])
        wrong = {fault["told"] for fault in sheet["faults"]} - {""}
        asked = {one.key: _make_fields(one, by_seat(seats), job["told"]) for one in scoring.asked}
        named = bool(job["players"])
        players = describe_players([{**one, "named": named} for one in sheet["players"]], find_cards_of(sheet))
        return self._site.render(
            request,
            "result",
            number=number,
            sheet=sheet,
            names=names,
            by_name={one["name"]: one["words"] for group in names for one in group["names"]},
            asked=[one for key, one in asked.items() if key in wrong],
            told=[one for key, one in asked.items() if key not in wrong],
            called=by_seat(seats),
            given=job["players"],
            players=players,
            won=name_winners(players, sheet["why"], find_language(request)),
            frames={one["seat"]: find_frame(sheet, one["seat"]) for one in players},
            offered=await run_in_threadpool(list_names, self._site),
            others=[count for count in table_seats(scoring) if _as_many_pictures(scoring, seats, count)],
            tells_each=any(one.each_seat and not one.optional for one in scoring.asked),
            keeps=scored.answer["kept"] is not None,
        )

    async def settle(self, request: Request) -> Response:
        """Score a table once more with what people say of it: cards named, faults let stand, what no camera sees."""
        site, number = self._site, request.path_params["number"]
        site.require(HELP)
        if kept := await self._redirect_to_kept(number):
            return kept
        scored = site.scorer.find_job(number)
        async with read_form(request) as form:
            changed = _read_changes(form, scored)
        return await self._score_again(request, scored, changed)

    async def _score_again(self, request: Request, scored: ScoredJob, changed: Mapping[str, Any]) -> Response:
        """Score a table once more."""
        number = request.path_params["number"]
        with self._site.scorer.hold_place(find_phone(request)):
            await self._site.scorer.score_again(scored, number, **changed, language=find_language(request).code)
        return RedirectResponse(f"/score/{number}", 303)

    # One card

    def _find_card(self, request: Request) -> tuple[ScoredJob, Mapping[str, Any]]:
        """Find the card of a table that an address names.

        Raises:
            DeviceError: the table is not remembered, or has no such card.
        """
        scored = self._site.scorer.find_job(request.path_params["number"])
        cards = scored.answer["sheet"]["cards"]
        if request.path_params["card"] >= len(cards):
            raise DeviceError(CHANGED)
        return scored, cards[request.path_params["card"]]

    async def show_card(self, request: Request) -> Response:
        """Show a card of the picture, which may have been read or named wrongly."""
        number = request.path_params["number"]
        if kept := await self._redirect_to_kept(number):
            return kept
        scored, card = self._find_card(request)
        names = await run_in_threadpool(_list_names, load_scorings()[scored.job["game"]])
        card_number = request.path_params["card"]
        return self._site.render(
            request, "card", number=number, card=card, card_number=card_number, names=names, at=_name_field(card)
        )

    async def correct(self, request: Request) -> Response:
        """Say which card it is that lies there, or take back what was said of it."""
        self._site.require(HELP)
        scored, card = self._find_card(request)
        async with read_form(request) as form:
            given = [one for one in form.lists.get("card", ()) if one]
            if form.fields.get("at") != _name_field(card):
                raise DeviceError(CHANGED)
        named = [
            [one for one in part if (one["x"], one["y"], one.get("read", "")) != (card["x"], card["y"], card["read"])]
            for part in _list_named_by_part(scored)
        ]
        if said := [one for one in given if one != "read"]:
            named[card["part"]].append(_read_named_card(scored, card, said))
        return await self._score_again(request, scored, {"named": named})

    async def keep(self, request: Request) -> Response:
        """Keep a settled result with its picture."""
        site, number = self._site, request.path_params["number"]
        site.require(HELP)
        if already := await self._redirect_to_kept(number):
            return already
        scored = site.scorer.find_job(number)
        kept, sheet = scored.answer["kept"], scored.answer["sheet"]
        if kept is None:
            raise DeviceError(OPEN)
        async with read_form(request) as form:
            names = read_names(form)
        frames = {str(one["seat"]): find_frame(sheet, one["seat"]) for one in sheet["players"]}
        kept = {**kept, "upload": number, "photo": {"size": sheet["photo"]["size"], "frames": frames}}
        photo = (scored.path / sheet["photo"]["file"]).read_bytes()
        # Forgotten first: whoever keeps it at the same moment finds it gone, not kept twice.
        with site.scorer.take_out(number):
            place = await run_in_threadpool(site.scored.keep, kept, photo)
        if names:
            await run_in_threadpool(site.scored.name, place, names)
        return RedirectResponse(f"/games/s{place}", 303)

    async def send_file(self, request: Request) -> Response:
        """Send a picture of a table: as it was taken, what was seen drawn on (``picture.png``), or a close-up."""
        scored = self._site.scorer.find_job(request.path_params["number"])
        name = re.sub(r"^picture\.(png|jpg)$", r"picture-0.\1", request.path_params["file"])
        sheet = scored.answer["sheet"]
        known = {
            *sheet["pictures"],
            *(name.replace(".png", ".jpg") for name in sheet["pictures"]),
            sheet["photo"]["file"],
            *(one["close_up"] for one in sheet["cards"]),
        }
        if name not in known:
            return Response(status_code=404)
        return FileResponse(scored.path / name)


def find_game_picture(game: str) -> str:
    """Return the address of a game's picture; one for all games where it has none of its own."""
    name = f"game-{game}.svg"
    return f"/static/{name if (STATIC / name).is_file() else 'game.svg'}"


# What people say


def _make_fields(option: GameOption, called: Sequence[Text], told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what no camera sees as fields of a form, one for each seat and part, with what was ``told`` so far."""
    fields = []
    names = [str(words) for words in called]
    for seat in range(len(called)) if option.each_seat else (None,):
        whose = called[seat] if seat is not None else None
        parts = option.parts or (None,)
        for number, part in enumerate(parts):
            ending = "".join(f".{n}" for n in (seat, number if part is not None else None) if n is not None)
            values = part.values if part is not None else option.values(names)
            said = told.get(option.key)
            for place in (seat, number if part is not None else None):
                said = said[place] if place is not None and isinstance(said, list) and place < len(said) else said
            fields.append(
                {
                    "name": f"told.{option.key}{ending}",
                    "whose": whose,
                    "title": part.title if part is not None else None,
                    "choices": [(as_value(value), words) for value, words in values],
                    "said": as_value(said),
                }
            )
    return {"key": option.key, "title": option.title, "optional": option.optional, "fields": fields}


def _as_many_pictures(scoring: Scoring, seats: int, count: int) -> bool:
    """Return whether another number of players is seen in as many pictures."""
    return count != seats and len(parts_of(scoring, count)) == len(parts_of(scoring, seats))


def _keep_for_other_seats(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was entered about a table, as far as it holds for another number of players."""
    return {key: value for key, value in told.items() if not isinstance(value, list) and key != SEATS.key}


def _read_changes(form: Form, scored: ScoredJob) -> dict[str, Any]:
    """Return what of a job changes by what people now say of its table.

    Raises:
        DeviceError: a field can't be, or is about a place that is settled.
    """
    job, now = scored.job, len(scored.answer["sheet"]["players"])
    seats = _read_seats(form) or now
    shown = {*form.lists.get("shown", ())} if seats == now else {*job["confirmed"]}
    confirmed = [*(key for key in job["confirmed"] if key not in shown), *form.lists.get("stands", ())][-_MOST_NAMES:]
    before = job["told"] if seats == now else _keep_for_other_seats(job["told"])
    anew = {name.split(".")[1] for name in form.fields if name.startswith("told.")}
    told = {key: value for key, value in before.items() if key not in anew}
    names = read_names(form) if "player" in form.lists else job["players"]
    return {
        "seats": seats,
        "players": names if len(names) == seats or "player" in form.lists else [],
        "named": _read_named_cards(form, scored),
        "confirmed": list(dict.fromkeys(confirmed)),
        "told": {**told, **_read_entered_fields(form, job["game"], seats)},
        "deck": form.fields.get("deck", "").strip() or job["deck"],
    }


def _read_entered_fields(form: Form, game: str, seats: int) -> dict[str, Any]:
    """Read what no camera sees from the fields that ``_asked`` makes."""
    told: dict[str, Any] = {}
    for option in load_scorings()[game].asked if game in load_scorings() else ():

        def value(*places: int, key: str = option.key) -> Any:
            return form.read_json(".".join(["told", key, *map(str, places)]), None)

        def whole(*seat: int, parts: int = len(option.parts)) -> Any:
            values = [value(*seat, part) for part in range(parts)]
            return None if None in values else values

        one = whole if option.parts else value
        found = [one(seat) for seat in range(seats)] if option.each_seat else one()
        if found is not None and not (isinstance(found, list) and None in found):
            told[option.key] = found
    return told


def _read_entered(form: Form, usual: str) -> dict[str, Any]:
    """Read what people say of a table, as the worker's job has it; without a game it is the usual one.

    Raises:
        DeviceError: a field can't be.
    """
    game = form.fields.get("game") or usual
    if not game:
        raise DeviceError(Text("Say which game was played: the field 'game'."))
    seats, players = _read_seats(form), read_names(form)
    told = form.read_json("told", {})
    if not isinstance(told, dict):
        raise DeviceError(Text("The field {name!r} is no JSON object.", name="told"))
    mat = form.fields.get("mat", "").strip()
    size = _SIZE.fullmatch(mat)
    if mat and (size is None or not all(300 <= float(side) <= 3000 for side in size.groups())):
        raise DeviceError(
            Text("{text!r} is no mat size from 300x300 to 3000x3000 mm, such as 1189x841.", text=shorten_line(mat))
        )
    return {
        "game": game,
        "seats": seats,
        "players": players,
        "told": {**_read_entered_fields(form, game, seats or len(players)), **told},
        "mat": [float(side) for side in size.groups()] if size else None,
        "deck": form.fields.get("deck", "").strip() or None,
    }


def _read_seats(form: Form) -> int | None:
    """Return the number of players, where a form says it.

    Raises:
        DeviceError: it is no number.
    """
    seats = form.fields.get("seats", "").strip()
    if seats and not (seats.isdecimal() and len(seats) < 3):
        raise DeviceError(Text("The field {name!r} is no number.", name="seats"))
    return int(seats) if seats else None


def _list_names(scoring: Scoring) -> list[dict[str, Any]]:
    """Return every card that one may be, in groups."""
    return [
        {"title": title, "names": [{"name": name, "words": each_json(words)} for name, words in pairs]}
        for title, pairs in scoring.list_names()
    ]


def _read_named_cards(form: Form, scored: ScoredJob) -> list[list[Mapping[str, Any]]]:
    """Return the cards that people name, by part: those named before, and those of this form.

    Raises:
        DeviceError: the form is about a place that is settled, or names no card.
    """
    sheet = scored.answer["sheet"]
    named = _list_named_by_part(scored)
    for place, cards in _read_answers(form):
        if place >= len(sheet["unread"]) or form.fields.get(f"at.{place}") != name_place(sheet["unread"][place]):
            raise DeviceError(CHANGED)
        one = sheet["unread"][place]
        named[one["part"]].append(_read_named_card(scored, one, cards or ["none"]))
    return named


def _list_named_by_part(scored: ScoredJob) -> list[list[Mapping[str, Any]]]:
    """Return the cards that were named before, by part."""
    named: list[list[Mapping[str, Any]]] = [list(part) for part in scored.job["named"]]
    return named + [[] for _ in scored.answer["sheet"]["pictures"][len(named) :]]


def _read_named_card(scored: ScoredJob, one: Mapping[str, Any], given: Sequence[str]) -> dict[str, Any]:
    """Read what people say lies in the place of a card, ``none`` for nothing, as the worker's job has it.

    Raises:
        DeviceError: there is no such card.
    """
    known = {name for _, pairs in load_scorings()[scored.job["game"]].list_names() for name, _ in pairs}
    cards = [card for card in given if card != "none"]
    if not known.issuperset(cards):
        raise DeviceError(Text("There is no card {name}.", name=shorten_line(cards[0])))
    first, more = (cards[0], cards[1:]) if cards else (None, [])
    return {"card": first, "x": one["x"], "y": one["y"], "more": more, "read": one.get("read", "")}


def _name_field(card: Mapping[str, Any]) -> str:
    """Return the field of a form for a seen card, with what is said of it by now."""
    said = [] if card["named"] is None else card["named"] or ["none"]
    return " ".join([name_place(card), card["read"], *said]).strip()


def name_place(unread: Mapping[str, Any]) -> str:
    """Return the field of a form for a place."""
    return f"{unread['part']} {unread['x']:.1f} {unread['y']:.1f}"


def _read_answers(form: Form) -> Iterator[tuple[int, list[str]]]:
    """Yield the answered places of a form, with the cards said to lie there; ``none`` says that there is none."""
    for name, cards in form.lists.items():
        found = re.fullmatch(r"card\.(\d{1,3})", name)
        if found and any(cards):
            yield int(found[1]), [card for card in cards if card and card != "none"]
