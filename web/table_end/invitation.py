"""What the terminal says to whoever has a phone: a code to scan, and a short one to type."""

from __future__ import annotations

import io
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path

from device.errors import DeviceError
from rules.text import Language, Text
from web.table_end.address import PageKey, address_of, announce
from web.table_end.code import PageCode

_LOOK_S = 1.0
_TYPED = Text("Scan this with a phone in the same network, or open {address} there and type the code {code}.")
_NEXT = Text("The code is {code} now.")


def invite(sock: socket.socket, state: Path, language: Language) -> None:
    """Print where phones come in, a code to scan and one to type; say the next one whenever that is another.

    Raises:
        DeviceError: the state folder can't be used.
    """
    key, code = PageKey(state).value(), PageCode(state)
    announce(sock, key)
    address, first = address_of(sock, key), code.value()
    shown = _draw_code(address)
    words = _TYPED.refill(address=address.partition("/?")[0], code=first).said(language)
    print("\n".join([*([shown] if shown else []), words]), flush=True)
    threading.Thread(target=_announce_next, args=(code, first, language), name="page-code", daemon=True).start()


def _draw_code(text: str) -> str:
    """Draw the code of a text in letters of the terminal; return nothing where it has no such letters."""
    import segno  # of the extra "web", without which there is no page

    drawn = io.StringIO()
    segno.make_qr(text, error="l").terminal(drawn, border=2, compact=True)
    try:
        drawn.getvalue().encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return drawn.getvalue().rstrip("\n")


def _announce_next(code: PageCode, printed: str, language: Language) -> None:
    """Print every code that follows this one."""
    waiting = threading.Event()
    with suppress(OSError, ValueError, DeviceError):  # the terminal is gone, or the folder
        while not waiting.wait(_LOOK_S):
            if (now := code.value()) != printed:
                printed = now
                print(_NEXT.refill(code=now).said(language), flush=True)
