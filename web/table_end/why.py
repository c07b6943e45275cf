"""What a table that has no display says instead on a phone: one sentence, for whoever asks, on systemd's socket."""

from __future__ import annotations

import html
import socket
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import BaseServer, ThreadingMixIn
from typing import Any

from rules.text import Language, Text
from web.table_end.address import USUAL, is_handed_on, listening

_SLOW_S = 5.0
"""A phone that says nothing for so long is hung up on."""
_AGAIN_S = 5
"""So often the phone asks again by itself."""
_LOOK_S = 0.1
"""So often it is looked whether that was long enough."""


class _Sentences(BaseHTTPRequestHandler):
    """Answers every address with the same page; nothing that is sent is looked at."""

    timeout = _SLOW_S
    page = b""

    def do_GET(self) -> None:
        """Answer."""
        self.send_response(HTTPStatus.SERVICE_UNAVAILABLE)
        headers = {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": str(len(self.page)),
            "Content-Security-Policy": "default-src 'none'",
            "Cache-Control": "no-store",
            "Refresh": str(_AGAIN_S),
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, *_: object) -> None:
        """Keep who asks out of the log."""


class _Door(ThreadingMixIn, BaseServer):
    """Answers on a socket that is there already: the service may open none of the network's."""

    daemon_threads = True

    def __init__(self, listens: socket.socket, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(listens.getsockname(), handler)
        self._listens = listens

    def fileno(self) -> int:
        """Return what is waited on."""
        return self._listens.fileno()

    def get_request(self) -> tuple[socket.socket, Any]:
        """Take whoever knocks."""
        return self._listens.accept()

    def close_request(self, request: Any) -> None:
        """Hang up."""
        request.close()


def tell_phones(said: tuple[Text, ...], seconds: float) -> None:
    """Say this for so long to every phone that asks, in every language, where systemd listens for this process."""
    if not is_handed_on():
        return
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sevenmat</title>'
    lines = "".join(
        f'<p lang="{language.code}">{html.escape(" ".join(words.said(language) for words in said))}</p>'
        for language in Language.all()
    )
    page = f"<!doctype html><html><head>{head}</head><body><h1>Sevenmat</h1>{lines}</body></html>"
    with listening(*USUAL) as listens:
        door = _Door(listens, type("Told", (_Sentences,), {"page": page.encode()}))
        threading.Thread(target=door.serve_forever, args=(_LOOK_S,), daemon=True).start()
        time.sleep(seconds)
        door.shutdown()
