"""What stands before every address of the page: the machine's own names, the page's own forms, and the key."""

from __future__ import annotations

import ipaddress
import secrets
import socket
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rules.text import Text
from web.connections import FULL
from web.table_end.address import PageKey
from web.table_end.code import PageCode

COOKIE = "sevenmat_key"
"""What the key's cookie is called; the port follows, as a browser keeps cookies by machine. Older versions had none."""
_COOKIE_AGE_S = 400 * 24 * 3600
_LOOPBACK = "localhost"
_PORTS = {"http": 80, "https": 443}

SCAN = Text("Scan the code on the table's display to come in.")
CODE_WRONG = Text("That is not the code, or not any more: look which one stands there now.")
CODE_WAIT = Text("Too many wrong codes were typed: wait a minute, then look which one stands there now.")
WAIT = Text("Too many wrong keys came from here: wait a minute, then scan the code on the table's display.")
OTHER_NAME = Text("This page is not known by that name: scan the code on the table's display.")
OTHER_PAGE = Text("That was sent by another page, so nothing was done.")
TOO_MANY = Text("Too many phones are here already: come again in a minute.")
TOO_LONG = Text("There is no address as long as that.")

_LONGEST = 2000
"""Bytes of an address; the longest of the page's own have a name in it."""

MOST_WRONG = 10
"""So many wrong keys from one address within ``WINDOW_S``, and it waits; so many wrong codes, and all do."""
WINDOW_S = 60.0
_ADDRESSES = 1000
"""So many addresses are remembered, those of the last wrong keys."""
_LONGEST_KEY = 64
"""So much of a wrong key is remembered, to tell it from the next; a right one is shorter."""

Refuse = Callable[[Request, int, Text, str], Response]
"""The page that says why nobody comes in: request, status, why, and the nonce that its style sheet has."""


@cache
def list_machine_names() -> frozenset[str]:
    """Return the names of this machine in the network, in lower case."""
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    return frozenset({_LOOPBACK, name, short, f"{short}.local", socket.getfqdn().lower()})


def is_own_host(host: str, names: Collection[str]) -> bool:
    """Return whether a ``Host`` header names this machine: an address, or one of its names; a port may follow.

    Any other name may be one that somebody else's server has pointed here.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
        ipaddress.ip_address(name.split("%")[0])
    except ValueError:
        return bool(host) and not set(host) & set("/\\@?#") and host.rsplit(":", 1)[0].rstrip(".").lower() in names
    return not set(host) & set("/\\@?#")


def key_cookie(request: Request) -> str:
    """Return the name of the key's cookie at the port that was asked."""
    port = request.headers.get("host", "").rpartition(":")[2]
    return f"{COOKIE}_{port if port.isdecimal() else _PORTS.get(request.url.scheme, 80)}"


def keys_in(request: Request) -> list[str]:
    """Return the keys that a browser has for this page."""
    return [request.cookies[name] for name in (key_cookie(request), COOKIE) if name in request.cookies]


def has_key(request: Request, key: PageKey) -> bool:
    """Return whether a browser has the key that holds now.

    Raises:
        DeviceError: the key can't be read.
    """
    return any(map(key.is_known, keys_in(request)))


def _make_policy(nonce: str) -> str:
    style = f"'self' 'nonce-{nonce}'" if nonce else "'self'"
    return (
        f"default-src 'none'; script-src 'self'; style-src {style}; img-src 'self' blob: data:; connect-src 'self'; "
        "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


class WrongTries:
    """Counts wrong keys by address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: OrderedDict[str, deque[tuple[float, str]]] = OrderedDict()

    def add(self, address: str, key: str, cookie: bool) -> None:
        """Remember a wrong key; the same old cookie, which a phone sends with everything it asks for, counts once."""
        key = key[:_LONGEST_KEY]
        tries = self._tries.setdefault(address, deque(maxlen=MOST_WRONG))
        self._tries.move_to_end(address)
        if len(self._tries) > _ADDRESSES:
            self._tries.popitem(last=False)
        if not cookie or all(key != other for _, other in tries):
            tries.append((self._clock(), key))

    def must_wait_s(self, address: str) -> float:
        """Return the seconds until keys from this address are looked at again; 0 where they are."""
        tries = self._tries.get(address)
        if tries is None or len(tries) < MOST_WRONG:
            return 0.0
        return max(0.0, tries[0][0] + WINDOW_S - self._clock())


@dataclass
class Guard:
    """Lets in what comes by the machine's own name, from the page itself, with the key."""

    app: ASGIApp
    key: PageKey
    refuse: Refuse
    names: Collection[str] = field(default_factory=list_machine_names)
    tries: WrongTries = field(default_factory=WrongTries)
    code: PageCode | None = None
    """The short code that may be typed in place of the key, where there is one."""
    codes: WrongTries = field(default_factory=WrongTries)
    """Wrong codes, wherever they come from: there are but a thousand million of them."""
    for_everybody: Collection[str] = ()
    """Addresses that may be read without a key."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        nonce = ""

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", _make_policy(nonce))
                headers["x-content-type-options"] = "nosniff"
                # With "no-referrer" browsers would not say either which page has sent a form.
                headers["referrer-policy"] = "same-origin"
                headers.setdefault("cache-control", "no-store")
                if message["status"] == 503:
                    headers["connection"] = "close"
            await send(message)

        request = Request(scope)
        answer = self._answer(request)
        if isinstance(answer, tuple):
            nonce = secrets.token_urlsafe(16)
            status, why = answer
            answer = self.refuse(request, status, why, nonce)
        await (answer or self.app)(scope, receive, send_guarded)

    def _answer(self, request: Request) -> Response | tuple[int, Text] | None:
        """Return the answer given before anything is looked at; ``None`` lets the request in."""
        if FULL in request.scope.get("state", {}):
            return 503, TOO_MANY
        if len(request.scope.get("raw_path") or b"") + len(request.scope["query_string"]) > _LONGEST:
            return 414, TOO_LONG
        host = request.headers.get("host", "")
        if not is_own_host(host, self.names):
            return 400, OTHER_NAME
        if request.method not in ("GET", "HEAD") and request.headers.get("origin") != f"{request.url.scheme}://{host}":
            return 403, OTHER_PAGE
        if request.url.path in self.for_everybody and request.method in ("GET", "HEAD"):
            return None
        shown = request.query_params.get("key") if request.url.path == "/" else None
        known = keys_in(request)
        address = request.client.host if request.client else ""
        typed = request.query_params.get("code") if request.url.path == "/" and shown is None else None
        if shown is None and has_key(request, self.key):
            return None if typed is None else RedirectResponse("/", 303)
        if typed is not None and self.code is not None:
            return self._code_typed(request, self.code, typed)
        if shown is None and not known:
            return 401, SCAN
        if self.tries.must_wait_s(address):
            return 429, WAIT
        if shown is not None and self.key.is_known(shown):
            return _let_in(request, shown)
        self.tries.add(address, shown if shown is not None else known[0], cookie=shown is None)
        return 401, SCAN

    def _code_typed(self, request: Request, code: PageCode, typed: str) -> Response | tuple[int, Text]:
        """Let in whoever has typed the short code; wrong ones are counted together, wherever they come from."""
        if self.codes.must_wait_s(""):
            return 429, CODE_WAIT
        if request.method == "GET" and code.take(typed):
            return _let_in(request, self.key.value())
        self.codes.add("", typed, cookie=False)
        return 401, CODE_WRONG


def _let_in(request: Request, key: str) -> Response:
    """Have a browser keep the key."""
    # Links come out of chats too: a stricter cookie would not be sent by the page that is opened then.
    response = RedirectResponse("/", 303)
    response.set_cookie(key_cookie(request), key, max_age=_COOKIE_AGE_S, httponly=True, samesite="lax")
    return response
