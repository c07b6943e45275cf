"""A phone that has scanned the code: what tests ask the page with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from web.server import build_page_app
from web.table_end.address import PageKey

HOST = "http://localhost"


class Phone(TestClient):
    """A client whose forms come from the page itself."""

    def post(self, url: Any, **more: Any) -> Any:
        headers = {"origin": HOST, **more.pop("headers", {})}
        return super().post(url, headers=headers, **more)


@contextmanager
def phone(state: Path, accept: str = "text/html", language: str = "en") -> Iterator[Phone]:
    """Open a phone at the page of that state folder, its key known."""
    headers = {"accept": accept, "accept-language": language}
    with Phone(build_page_app(state), HOST, headers=headers, follow_redirects=False) as client:
        answer = client.get(f"/?key={PageKey(state).value()}")
        assert answer.status_code == 303
        yield client
