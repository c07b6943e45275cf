"""Learning a deck on phones: what to lay, the picture that was taken and what is wrong with it, the cards read back."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from device.errors import DeviceError
from device.web.setting_up.aim_pages import NO_SUCH_ACT
from device.web.setting_up.shared_asks import BUSY_S, SharedAsk
from device.web.site import HELP, NothingThereError, Site, done
from device.web.uploads import Form, form_of
from rules.text import Text

_ACTS = ("look", "insist", "back", "mat", "keep", "anew", "leave")
NO_CARDS = Text("There are no cards to be read back now.")
NO_NAME = Text("Give the new deck a name.")


def routes(site: Site) -> list[Route]:
    """The addresses below ``/learn``."""
    pages = LearnPages(site)
    return [
        Route("/learn", pages.see, methods=["GET"]),
        Route("/learn.json", pages.data, methods=["GET"]),
        Route("/learn", pages.act, methods=["POST"]),
        Route("/learn/cards.jpg", pages.cards, methods=["GET"]),
    ]


class LearnPages:
    """What is answered below ``/learn``."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._learn = SharedAsk(site, "learn")
        self._sheet: tuple[Any, Mapping[str, Any]] | None = None

    async def see(self, request: Request) -> Response:
        """What is to be done now, or with ``?part`` only what of it changes."""
        self._site.needs(HELP)
        answered = await self._learn.now()
        name = "learning" if "part" in request.query_params else "learn"
        sheet = await self._read_back(answered.told["learning"])
        return self._site.render(request, name, told=answered.told, picture=answered.picture, sheet=sheet)

    async def data(self, _: Request) -> Response:
        """The same as data; words are in every language."""
        self._site.needs(HELP)
        answered = await self._learn.now()
        sheet = await self._read_back(answered.told["learning"])
        read_back = None if sheet is None else {"picture": sheet["address"], "pages": sheet["pages"]}
        return JSONResponse({**answered.told, "picture": answered.picture, "read_back": read_back})

    async def act(self, request: Request) -> Response:
        """Begin to learn a deck, or do one of the things that the page offers then."""
        self._site.needs(HELP)
        async with form_of(request) as form:
            act = form.fields.get("do", "")
            if act == "begin":
                await self._learn.do("learn.begin", await self._chosen(form))
            elif act in _ACTS:
                told = {"of": form.json("of", None), "page": form.fields.get("page", "")}
                await self._learn.do(f"learn.{act}", told)
            else:
                raise DeviceError(NO_SUCH_ACT)
        return done(request, "/learn")

    async def _chosen(self, form: Form) -> dict[str, Any]:
        """Which deck is to be learnt, and for which games."""
        known, new = form.fields.get("deck", ""), form.fields.get("name", "").strip()
        kind, kinds = form.fields.get("kind", "0"), (await self._learn.now()).told["kinds"]
        if not (kind.isascii() and kind.isdecimal() and len(kind) < 3 and int(kind) < len(kinds)):
            raise DeviceError(NO_SUCH_ACT)
        if not known and not new:
            raise DeviceError(NO_NAME)
        return {"name": known or new, "new": not known, "kind": int(kind)}

    async def cards(self, _: Request) -> Response:
        """All cards that are read back, below each other in one picture."""
        self._site.needs(HELP)
        sheet = await self._read_back((await self._learn.now()).told["learning"])
        if sheet is None:
            raise NothingThereError(NO_CARDS)
        # The address is that of these cards and no others.
        return Response(sheet["jpeg"], media_type="image/jpeg", headers={"cache-control": "private, max-age=3600"})

    async def _read_back(self, learning: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """The cards of a deck that was learnt, asked for once."""
        if learning is None or learning["stage"] != "read_back":
            self._sheet = None
            return None
        asked = learning["asked"]
        if self._sheet is None or self._sheet[0] != asked:
            told = await self._site.ask("learn.cards", {"of": asked}, BUSY_S)
            jpeg = base64.b64decode(told["jpeg"])
            address = f"/learn/cards.jpg?{blake2b(jpeg, digest_size=8).hexdigest()}"
            self._sheet = asked, {**told, "jpeg": jpeg, "address": address}
        return self._sheet[1]
