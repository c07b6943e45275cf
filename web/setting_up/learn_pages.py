"""Learning a deck on phones: what to lay, the picture that was taken and what is wrong with it, the cards read back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import chain, count
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from device.app.choices import find_paper_maker
from device.app.services.decks import deck_kinds
from device.errors import DeviceError
from referee.papers import house_pages
from rules.text import Text
from web.setting_up.aim_pages import NO_SUCH_ACT
from web.setting_up.house_pages import read_papers
from web.setting_up.teachers import AtTheTable, ByPictures, Teacher
from web.site import HELP, NothingThereError, Site, answer_done, find_language, find_phone, wants_page
from web.uploads import Form, read_form

_ACTS = ("look", "insist", "back", "mat", "keep", "anew", "swap", "leave")
NO_CARDS = Text("There are no cards to be read back now.")
NO_NAME = Text("Give the new deck a name.")
_MY_DECK = Text("My deck")


def make_routes(site: Site) -> list[Route]:
    """Return the addresses below ``/learn``."""
    pages = LearnPages(site)
    return [
        Route("/learn", pages.see, methods=["GET"]),
        Route("/learn.json", pages.send_data, methods=["GET"]),
        Route("/learn", pages.act, methods=["POST"]),
        Route("/learn/cards.jpg", pages.send_cards, methods=["GET"]),
    ]


class LearnPages:
    """What is answered below ``/learn``."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._teacher: Teacher = ByPictures(site) if site.table is None else AtTheTable(site)

    async def see(self, request: Request) -> Response:
        """Show what is to be done now, or with ``?part`` only what of it changes."""
        self._site.require(HELP)
        told, picture = await self._teacher.describe_lesson(request)
        name = "learning" if "part" in request.query_params else "learn"
        sheet = await self._read_back(request, told["learning"])
        return self._site.render(
            request,
            name,
            told=told,
            picture=picture,
            sheet=sheet,
            new=self._choose_new_name(request, told["decks"]),
            tapped=request.query_params.get("card", ""),
            makes_papers=self._site.table is None and find_paper_maker() is not None,
        )

    def _choose_new_name(self, request: Request, decks: Sequence[str]) -> str:
        """Return the name that a new deck gets unless somebody writes another."""
        usual = _MY_DECK.said(find_language(request))
        return next(name for name in chain([usual], (f"{usual} {n}" for n in count(2))) if name not in decks)

    async def send_data(self, request: Request) -> Response:
        """Send the same as data; words are in every language."""
        self._site.require(HELP)
        return JSONResponse(await self._describe_lesson(request))

    async def _describe_lesson(self, request: Request) -> dict[str, Any]:
        told, picture = await self._teacher.describe_lesson(request)
        sheet = await self._read_back(request, told["learning"])
        read_back = None if sheet is None else {"picture": sheet["address"], "pages": sheet["pages"]}
        return {**told, "picture": picture, "read_back": read_back}

    async def act(self, request: Request) -> Response:
        """Begin to learn a deck, or do one of the things that the page offers then; a picture is looked at."""
        self._site.require(HELP)
        async with self._read_form(request) as form:
            act = form.fields.get("do", "look" if form.files else "")
            if act == "begin":
                await self._teacher.begin(request, await self._read_chosen(request, form))
            elif act in _ACTS:
                await self._teacher.do(request, act, form)
            else:
                raise DeviceError(NO_SUCH_ACT)
        if wants_page(request) or self._site.table is not None:
            return answer_done(request, "/learn")
        return JSONResponse({"done": True, **await self._describe_lesson(request)}, headers={"location": "/learn"})

    @asynccontextmanager
    async def _read_form(self, request: Request) -> AsyncIterator[Form]:
        """Read what a phone sends; pictures have their place in the queue from the first byte."""
        if self._site.table is not None:
            async with read_form(request) as form:
                yield form
            return
        scorer = self._site.scorer
        await scorer.let_go(find_phone(request))
        with scorer.hold_place(find_phone(request), request):
            async with read_form(request, pictures=True) as form:
                yield form

    async def _read_chosen(self, request: Request, form: Form) -> dict[str, Any]:
        """Read which deck is to be learnt, and for which games."""
        known, new = form.fields.get("deck", ""), form.fields.get("name", "").strip()
        kind, kinds = form.fields.get("kind", "0"), (await self._teacher.describe_lesson(request))[0]["kinds"]
        if not (kind.isascii() and kind.isdecimal() and len(kind) < 3 and int(kind) < len(kinds)):
            raise DeviceError(NO_SUCH_ACT)
        if not known and not new:
            raise DeviceError(NO_NAME)
        papers = read_papers(form.lists.get("paper", ()))
        pages = house_pages(papers) if papers else deck_kinds()[int(kind)].pages
        return {"name": known or new, "new": not known, "kind": int(kind), "pages": pages, "papers": papers}

    async def send_cards(self, request: Request) -> Response:
        """Send all cards that are read back, below each other in one picture."""
        self._site.require(HELP)
        sheet = await self._read_back(request, (await self._teacher.describe_lesson(request))[0]["learning"])
        if sheet is None:
            raise NothingThereError(NO_CARDS)
        # The address is that of these cards and no others.
        return Response(sheet["jpeg"], media_type="image/jpeg", headers={"cache-control": "private, max-age=3600"})

    async def _read_back(self, request: Request, learning: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """Return the cards of a deck that was learnt."""
        if learning is None or learning["stage"] != "read_back":
            return None
        return await self._teacher.fetch_cards(request, learning["asked"])
