"""What every page has: its language, its frame, and the words for what can't be."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from device.capture.capture import log_fault
from device.enrol.ready_decks import deck_shelf
from device.errors import DeviceError, refused_by_the_system
from device.settings.settings_file import load_settings
from device.settings.values import MAY
from device.speech import each_json, own_name
from device.storage.deck_store import DeckShelf
from device.storage.journal import Journal
from device.storage.scored import ScoredTables
from rules.text import Language, SaidError, Text, in_context, plural
from web.link import PATIENCE_S, TableLink, TooMuchAskedError
from web.scorer import BusyError, Scorer, ToldError
from web.table_end.address import PageKey
from web.words import choose_language, say

TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"
LANGUAGE_COOKIE = "sevenmat_language"
PHONE_COOKIE = "sevenmat_phone"
_PHONE_AGE_S = 30 * 24 * 3600
"""So long a phone is known again, and goes on with the deck that it teaches."""

WATCH, HELP, ALL = MAY

NOT_ALLOWED = Text("Phones may only watch here: the setting web.may says so.")
NOT_FOUND = Text("There is no such page.")
UNFORESEEN = Text("Something happened that was not foreseen; nothing is lost. Go back and try again.")
IN_THE_TERMINAL = Text(
    "Without a display, it stands in the terminal in which Sevenmat was started, and under it six characters that may "
    "be typed here instead."
)
ON_THE_DISPLAY = Text(
    "“Phone” in the table's menu shows it, or the terminal in which Sevenmat was started, and six characters that may "
    "be typed here instead."
)
NO_TABLE = Text("There is no table here: this page scores finished tables and looks back on games.")
NOT_HEARD = Text("The table does not answer: try again.")
TOO_MUCH_ASKED = Text("Too much is asked of the table at once: try again.")
OTHERWISE = Text("The question is no longer the same: look again.")


class NotAllowedError(DeviceError):
    """Phones may not do that here."""


class OtherQuestionError(DeviceError):
    """What was answered is not asked any more."""


class NothingThereError(DeviceError):
    """What is asked for is not there now."""


_STATUS = {BusyError: 429, NotAllowedError: 403, OtherQuestionError: 409, NothingThereError: 404}


class Frame:
    """Pages from templates, each in the language of the phone that asks, and what can't be in one sentence."""

    where_the_code_is: Text | None = None
    """Where whoever has no key finds a short code to type; none where none may be typed."""

    def __init__(self, *folders: Path) -> None:
        """Load templates from these folders and from ours; one in an earlier folder may extend ours as ``web/NAME``."""
        ours = FileSystemLoader(TEMPLATES)
        self.templates = Environment(
            loader=ChoiceLoader([FileSystemLoader(folders), ours, PrefixLoader({"web": ours})]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals |= {"Text": Text, "plural": plural, "in_context": in_context}

    def fill_template(self, name: str, language: Language, **values: Any) -> str:
        """Fill a template in that language."""
        template = self.templates.get_template(f"{name}.html")
        return template.render(language=language.code, say=partial(say, language=language), **values)

    def render(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        """Render a page from its template, in the phone's language."""
        language = find_language(request)
        page = self.fill_template(
            name,
            language,
            other=language.following.code,
            other_name=own_name(language.following).said(language),
            path=request.url.path if request.method in ("GET", "HEAD") else _find_way_back(request),
            **values,
        )
        return HTMLResponse(page, status)

    def answer_error(self, request: Request, error: Exception) -> Response:
        """Say in one sentence what can't be; as JSON for whoever does not ask for a page."""
        words, status = _say_error(error)
        if wants_page(request):
            return self.render(request, "error", status, words=words, back=_find_way_back(request))
        return JSONResponse({"error": {"en": words["en"], "ja": words.get("ja", words["en"])}}, status)

    def show_shut_out(self, request: Request, status: int, why: Text, nonce: str) -> Response:
        """Render the page for whoever does not come in."""
        values = {"why": why, "nonce": nonce, "where": self.where_the_code_is if status in (401, 429) else None}
        return HTMLResponse(self.fill_template("scan", find_language(request), **values), status)


class Site(Frame):
    """The page of one state folder."""

    def __init__(self, state: Path, scorer: Scorer, key: PageKey, table: TableLink | None = None) -> None:
        super().__init__()
        self.state, self.scorer, self.key, self.table = state, scorer, key, table
        self.where_the_code_is = IN_THE_TERMINAL if table is None else ON_THE_DISPLAY
        self._journal: Journal | None = None

    @cached_property
    def shelf(self) -> DeckShelf:
        """The decks."""
        return deck_shelf(self.state)

    @property
    def scored(self) -> ScoredTables:
        """The tables that were scored and kept."""
        return ScoredTables(self.state)

    def open_journal(self) -> Journal:
        """Open the journal of the games.

        Raises:
            DeviceError: they can't be read.
        """
        if self._journal is None:
            self._journal = Journal.open(self.state)
        return self._journal

    @property
    def may(self) -> str:
        """What phones may do: one of ``MAY``.

        Raises:
            DeviceError: the settings can't be read.
        """
        return load_settings(self.state).web.may

    def require(self, least: str) -> None:
        """Refuse what phones may not do here.

        Raises:
            NotAllowedError: they may do less.
        """
        if MAY.index(self.may) < MAY.index(least):
            raise NotAllowedError(NOT_ALLOWED)

    @property
    def linked(self) -> TableLink:
        """The table.

        Raises:
            DeviceError: there is none here.
        """
        if self.table is None:
            raise DeviceError(NO_TABLE)
        return self.table

    async def ask(self, what: str, data: Mapping[str, Any], patience_s: float = PATIENCE_S) -> Mapping[str, Any]:
        """Ask the table for something; what it can do is in ``Navigator.answers``.

        Raises:
            DeviceError: there is no table, it does not answer, or it shows something else by now.
            ToldError: the table says why it can't be.
        """
        try:
            came = await self.linked.ask(what, data, patience_s)
        except TooMuchAskedError:
            raise BusyError(TOO_MUCH_ASKED) from None
        except TimeoutError:
            raise DeviceError(NOT_HEARD) from None
        if "error" in came:
            raise ToldError(came["error"])
        if came.get("same") is False:
            raise OtherQuestionError(OTHERWISE)
        return came

    def close(self) -> None:
        """Let go of the journal."""
        if self._journal is not None:
            self._journal.close()

    def _may_help(self) -> bool:
        """Return whether phones may do more than watch."""
        try:
            return self.may != WATCH
        except DeviceError:
            return False  # the page that is asked for says what is wrong with the settings

    def render(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        """Render a page from its template, and let the phone be known again by it."""
        response = super().render(
            request, name, status, has_table=self.table is not None, may_help=self._may_help, **values
        )
        if request.cookies.get(PHONE_COOKIE) is None:
            response.set_cookie(PHONE_COOKIE, make_phone_id(), max_age=_PHONE_AGE_S, httponly=True, samesite="lax")
        return response


def say_error(error: Exception) -> Mapping[str, str]:
    """Return an error's sentence, by the language's code."""
    return _say_error(error)[0]


def _say_error(error: Exception) -> tuple[Mapping[str, str], int]:
    """Return what is said of an error, in each language, and its status."""
    if isinstance(error, ToldError):
        return error.said, 400
    if isinstance(error, HTTPException):
        return each_json(NOT_FOUND), error.status_code
    if isinstance(error, OSError):
        return each_json(refused_by_the_system(error).text), 500
    if isinstance(error, SaidError):
        words = getattr(error, "on_a_phone", None) or error.text
        return each_json(words), next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 400)
    if not isinstance(error, ClientDisconnect):
        log_fault("a phone could not be answered", error)
    return each_json(UNFORESEEN), 500


def _find_way_back(request: Request) -> str:
    """Return the way out of an error: to the page that it came from, else to the first one of its room.

    That may be the page to which something was sent, which is asked for in vain only where it was asked for itself.
    """
    came, asked = urlsplit(request.headers.get("referer", "")), request.method in ("GET", "HEAD")
    in_vain = {request.url.path} if asked else set()
    if came.netloc == request.headers.get("host") and came.path.startswith("/") and came.path not in in_vain:
        return quote(f"/{came.path.lstrip('/')}", safe="/%") + (f"?{came.query}" if came.query else "")
    room = f"/{request.url.path.split('/')[1]}"
    pages = {route.path for route in request.app.routes if isinstance(route, Route) and "GET" in (route.methods or ())}
    return room if room in pages - in_vain else "/"


def make_phone_id() -> str:
    """Make what a phone is known by while its table is scored."""
    return secrets.token_hex(8)


def find_phone(request: Request) -> str:
    """Return which phone asks: by its cookie, else by its address."""
    address = request.client.host if request.client else ""
    return request.cookies.get(PHONE_COOKIE) or address


def find_language(request: Request) -> Language:
    """Return the phone's language."""
    return choose_language(request.headers.get("accept-language", ""), request.cookies.get(LANGUAGE_COOKIE))


def find_asked_language(request: Request) -> Language | None:
    """Return the language that an address itself asks for; none where it does not say.

    Raises:
        DeviceError: it is not spoken here.
    """
    code = request.query_params.get("language")
    spoken = {language.code: language for language in Language.all() if language.can_be_spoken}
    if code is not None and code not in spoken:
        raise DeviceError(Text("There is no such language."))
    return spoken.get(code or "")


def wants_page(request: Request) -> bool:
    """Return whether a person's browser asks for a page, not a program for data."""
    return not request.url.path.endswith(".json") and "text/html" in request.headers.get("accept", "")


def answer_done(request: Request, page: str) -> Response:
    """Answer that something was done: say where to go on, with data for whoever does not ask for a page."""
    if wants_page(request):
        return RedirectResponse(page, 303)
    return JSONResponse({"done": True}, headers={"location": page})


def as_value(value: Any) -> str:
    """Return what a form's choice is sent as."""
    return json.dumps(value, ensure_ascii=False)


def make_download(text: str, kind: str, name: str) -> Response:
    """Return a file to be kept under that name."""
    return Response(
        text.encode("utf-8", "replace"),
        media_type=f"{kind}; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def find_game_picture(game: str) -> str:
    """Return the address of a game's picture; one for all games where it has none of its own."""
    name = f"game-{game}.svg"
    return f"/static/{name if (STATIC / name).is_file() else 'game.svg'}"
