"""A phone whose upload has stalled sends once more, and need not wait."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.test_table_page import Table
from web.guard import COOKIE
from web.scorer import ONE_AT_A_TIME, REPLACED, Scorer
from web.table_end.address import PageKey

KIND = "multipart/form-data; boundary=B"
BEGUN = b'--B\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n\xff\xd8 half of it'
NO_GAME = b'--B\r\nContent-Disposition: form-data; name="seats"\r\n\r\n3\r\n--B--\r\n'


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def sent(table: Table, body: bytes, length: int) -> http.client.HTTPConnection:
    """Send an upload of which only ``body`` comes."""
    line = http.client.HTTPConnection("127.0.0.1", table.port, timeout=10)
    line.putrequest("POST", "/score")
    own = {"Origin": f"http://127.0.0.1:{table.port}", "Cookie": f"{COOKIE}={PageKey(table.state).value()}"}
    for name, value in {**own, "Content-Type": KIND, "Content-Length": str(length)}.items():
        line.putheader(name, value)
    line.endheaders(body)
    return line


def test_a_newer_upload_takes_the_place_of_a_stalled_one(table: Table) -> None:
    stalled = [sent(table, BEGUN, 1_000_000)]
    assert stalled[0].sock is not None
    for _ in range(5):
        stalled.append(sent(table, BEGUN, 1_000_000))
        answer = stalled[-2].getresponse()
        assert answer.status == 429
        assert json.load(answer)["error"]["en"] == str(REPLACED)
    answer = sent(table, NO_GAME, len(NO_GAME)).getresponse()
    assert answer.status == 400, "it is looked at at once"
    assert "Say which game" in json.load(answer)["error"]["en"]


def test_one_whose_phone_is_gone_holds_up_nobody_either(table: Table) -> None:
    gone = sent(table, BEGUN, 1_000_000)
    assert gone.sock is not None
    gone.sock.shutdown(socket.SHUT_RDWR)
    answer = sent(table, NO_GAME, len(NO_GAME)).getresponse()
    assert answer.status == 400


class _Gone:
    """A request whose phone is there, or gone."""

    def __init__(self, gone: bool) -> None:
        self._gone = gone

    async def is_disconnected(self) -> bool:
        return self._gone


@pytest.mark.parametrize("gone", [False, True])
def test_a_table_being_read_gives_way_only_where_nobody_waits_for_it(gone: bool, tmp_path: Path) -> None:
    scorer = Scorer(tmp_path)

    async def read() -> None:
        with scorer.hold_place("a", _Gone(gone)):  # type: ignore[arg-type]
            async with scorer._turn:
                await scorer.ask({})

    async def ask() -> list[str]:
        async with scorer._turn:
            reading = asyncio.create_task(read())
            await asyncio.sleep(0)
            scorer._phones["a"].arriving = False
            await scorer.let_go("a")
            try:
                with scorer.hold_place("a"):
                    newer = "scored"
            except Exception as error:
                newer = str(error)
            if not gone:
                reading.cancel()
            (older,) = await asyncio.gather(reading, return_exceptions=True)
            return [str(older), newer]

    assert asyncio.run(ask()) == ([str(REPLACED), "scored"] if gone else ["", str(ONE_AT_A_TIME)])
