"""Whoever means harm: what was tried against the page in an hour, as far as it can be tried again quickly."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from device.storage.journal import Journal
from device.storage.opening import Result
from device.storage.scored import ScoredTables
from rules.text import Language
from tests.cli.test_games import played
from tests.device.openings import opening
from tests.web.phone import HOST, phone
from tests.web.test_table_page import NOW, Table, now, until
from web import connections, scorer, uploads
from web.guard import COOKIE
from web.link import TableLink, TooMuchAskedError
from web.scorer import ANSWERED, UNKNOWN, ScoredJob, Scorer
from web.server import serve
from web.table_end.address import PageKey, listening
from web.table_end.process import MOST_ASKED, Ask, as_line

DEVOURED = 'x"><b id=evil>'
NAMES = (f"</script><img src=x id=evil onerror=alert(1)>{DEVOURED}", "=cmd|' /C calc'!A0", "a/../b")


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a state folder whose players' names are made of markup, of formulas and of paths."""
    state = tmp_path_factory.mktemp("evil")
    with Journal.open(state) as journal:
        log = journal.begin(opening(NAMES, 2, "ours"), Language.EN, played(3))
        log.end(Result((3, 2, 1), (1,)))
    tallies = [{"seat": 1, "points": 1, "groups": {"g": [{"en": "+1", "ja": "+1", "points": 1}]}}]
    data = {"game": "laminate", "players": [{"en": NAMES[1], "ja": NAMES[1]}], "deck": DEVOURED, "tallies": tallies}
    ScoredTables(state).keep({**data, "winners": [1], "final": [1], "why": {"en": DEVOURED, "ja": DEVOURED}}, b"jpeg")
    return state


class _Ids(HTMLParser):
    """The ids of a page's elements, and the addresses that are loaded or led to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str | None] = []
        self.led: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            self.ids += [value] if name == "id" else []
            self.led += [value or ""] if name in ("src", "href", "action") else []
            assert not name.startswith("on"), (tag, attrs)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_names_made_of_markup_stay_names(language: str, evil: Path) -> None:
    with phone(evil, language=language) as client:
        for address in ("/games", "/games/1", "/games/1.html", "/games/s1", "/players", "/score?game=laminate"):
            found = _Ids(client.get(address).text)
            assert "evil" not in found.ids, address
            assert not [led for led in found.led if led.startswith(("http", "//", "javascript"))], address
        for led in _Ids(client.get("/players").text).led:
            if led.startswith("/players/"):
                assert client.get(led).status_code == 200, led


def test_names_made_of_formulas_are_no_formulas(evil: Path) -> None:
    with phone(evil) as client:
        for address in ("/games/1.csv", "/games/s1.csv"):
            text = client.get(address).text
            assert "'=cmd" in text
            assert not re.search(r'(^|,|")[=+@]', text, re.MULTILINE), address


BIG = "9" * 5000
ODD = (
    f"/games/{BIG}", f"/games/s{BIG}", f"/games/{BIG}.csv", f"/games/1/{BIG}-0.jpg", "/games/s" + "9" * 300,
    "/games/99999999999999999999.jsonl", "/games/s99999999999999999999.jpg", f"/score?game=laminate&seats={BIG}",
    "/score?game=laminate&seats=%EF%BC%95", "/score?game=%00", "/games/..%2f..%2fpage-key", "/static/..%2fserver.py",
    "/static/%2e%2e/guard.py", "/static//etc/passwd", "/score/x/..%2f..%2fpage-key", "/players/%ED%A0%80",
    "/players/..%2F..", "/players/" + "x" * 60_000, "/static/%00", "/games/%D9%A1", "/press", "/language", "/%2ex",
)  # fmt: skip


def test_odd_addresses_are_answered_by_pages(evil: Path) -> None:
    with phone(evil) as client:
        for address in ODD:
            answer = client.get(address)
            assert answer.status_code in (200, 400, 404, 405, 414), address
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert answer.status_code == 200 or "<html" in answer.text, address
            assert PageKey(evil).value() not in answer.text


def test_other_methods_are_answered_by_pages_with_a_way_out(evil: Path) -> None:
    with phone(evil) as client:
        for method in ("OPTIONS", "TRACE", "PUT", "DELETE", "PATCH"):
            answer = client.request(method, "/games", headers={"origin": HOST})
            assert (answer.status_code, "/games" in _Ids(answer.text).led) == (405, True)
        refused = client.post("/players/join", data={"name": "x", "into": "y"})
        assert 'class="button" href="/players"' in refused.text
        back = client.post("/settings", data={"key": "x"}, headers={"referer": f"{HOST}//evil.example/x"})
        assert 'class="button" href="/evil.example/x"' in back.text


def test_without_the_key_no_method_and_no_spelling_comes_in(evil: Path) -> None:
    from starlette.testclient import TestClient

    from web.server import build_page_app

    with TestClient(build_page_app(evil), HOST, follow_redirects=False) as stranger:
        for method in ("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "POST", "CONNECT", "PROPFIND"):
            for address in ("//", "/%2e%2e/", "/STATIC/style.css", "/%73core", "/score/", f"/score?key={'0' * 32}"):
                answer = stranger.request(method, address, headers={"origin": HOST})
                assert answer.status_code == 401, (method, address)


@pytest.mark.parametrize(
    "cookie", [b"\xff\xfe", b"\xed\xa0\x80", b'"\\377"', b"", b"a" * 60_000, b"x; " + b"a=b; " * 99]
)
def test_odd_cookies_do_not_come_in(cookie: bytes, tmp_path: Path) -> None:
    with phone(tmp_path) as client:
        client.cookies.clear()
        answer = client.get("/score", headers={b"cookie": COOKIE.encode() + b"=" + cookie})
        assert answer.status_code == 401


@pytest.mark.parametrize(
    "told", ['{"over": "\\ud800"}', '{"\\udfff": 1}', '{"over": NaN}', '{"over": 1e999}', "[" * 9999]
)
def test_told_that_is_no_json_is_said(told: str, tmp_path: Path) -> None:
    with phone(tmp_path, "application/json") as client:
        answer = client.post("/score", data={"game": "laminate", "told": told}, files={"file": ("t.jpg", b"x")})
        assert answer.status_code == 400
        assert "JSON" in answer.json()["error"]["en"]


@pytest.mark.parametrize("charset", ["punycode", "undefined", "unicode_escape", "utf-16", "idna"])
def test_other_letters_are_refused(charset: str, tmp_path: Path) -> None:
    form = b'--utf-8\r\nContent-Disposition: form-data; name="key"\r\n\r\n\\ud800\r\n--utf-8--\r\n'
    with phone(tmp_path) as client:
        kind = {"content-type": f"multipart/form-data; boundary=utf-8; charset={charset}"}
        assert client.post("/settings", content=form, headers=kind).status_code == 400


def parts(*headers: bytes) -> bytes:
    return b"".join(b"--B\r\n" + one + b"\r\n\r\nx\r\n" for one in headers) + b"--B--\r\n"


NAMED = b'Content-Disposition: form-data; name="a"'


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "form",
    [
        parts(*[NAMED] * 1000),
        parts(b'Content-Disposition: form-data; name="' + b"a" * 900_000 + b'"'),
        parts(b"\r\n".join([NAMED, *(b"x-%d: y" % n for n in range(1000))])),
        parts(b"X: y"),
        parts(NAMED)[:-20],
        b"",
    ],
)
def test_forms_made_to_wear_out_are_refused(form: bytes, tmp_path: Path) -> None:
    with phone(tmp_path) as client:
        kind = {"content-type": "multipart/form-data; boundary=B"}
        began = time.process_time()
        assert client.post("/score", content=form, headers=kind).status_code == 400
        assert time.process_time() - began < 2.0


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(uploads, "_save_upload", full)
    with phone(tmp_path, "application/json") as client:
        answer = client.post("/score", data={"game": "laminate"}, files={"file": ("t.jpg", b"x")})
        assert answer.status_code == 500
        assert "No space left on device" in answer.json()["error"]["en"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_what_was_not_foreseen_is_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scorer, "hold_place", lambda *_: 1 / 0)
    with phone(tmp_path) as client:
        answer = client.post("/score", data={"game": "laminate"}, files={"file": ("t.jpg", b"x")})
        assert answer.status_code == 500
        assert "was not foreseen" in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]


# Two people at one result


def _scorer(tmp_path: Path) -> Scorer:
    made = Scorer(tmp_path)
    made._jobs["n"] = ScoredJob({"named": []}, tempfile.TemporaryDirectory(dir=tmp_path), {})
    return made


def test_two_who_keep_a_result_at_once_keep_it_once(tmp_path: Path) -> None:
    made = _scorer(tmp_path)
    with made.take_out("n"), pytest.raises(Exception, match=str(UNKNOWN)), made.take_out("n"):
        pass
    made = _scorer(tmp_path)
    with suppress(ZeroDivisionError), made.take_out("n"):
        raise ZeroDivisionError
    assert made.find_job("n").path.is_dir(), "what could not be kept is still there"


def test_two_who_answer_at_once_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(*_: object) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {}

    monkeypatch.setattr(Scorer, "ask", ask)
    made = _scorer(tmp_path)

    async def both() -> list[Any]:
        before = made.find_job("n")
        answers = (made.score_again(before, "n", named=[who]) for who in ("first", "second"))
        return await asyncio.gather(*answers, return_exceptions=True)

    first, second = asyncio.run(both())
    assert made.find_job("n").job == {"named": ["first"]} == first.job
    assert str(second) == str(ANSWERED)


def test_pictures_of_too_many_bytes_are_forgotten_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scorer, "_KEPT_BYTES", 10)

    async def ask(*_: object) -> dict[str, Any]:
        return {}

    monkeypatch.setattr(Scorer, "ask", ask)
    made = Scorer(tmp_path)

    async def two() -> list[ScoredJob]:
        jobs = []
        for number in range(2):
            (tmp_path / str(number)).write_bytes(b"123456")
            jobs.append((await made.score([("t", tmp_path / str(number))], {}))[1])
        return jobs

    first, second = asyncio.run(two())
    assert (first.path.exists(), second.path.exists()) == (False, True)


# What is left of a page that was killed


def test_what_a_killed_page_has_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, held = tmp_path / "sevenmat-page-left", tmp_path / "sevenmat-page-held"
    for folder in (left, held):
        folder.mkdir()
        (folder / "picture").write_bytes(b"x")
    handle = os.open(held, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with uploads.keep_scratch_folder() as own:
        assert not left.exists()
        assert (held / "picture").exists(), "another page's that runs"
        assert Path(tempfile.mkdtemp()).parent == own
    os.close(handle)
    assert not own.exists()


def test_a_killed_page_takes_its_worker_along(tmp_path: Path) -> None:
    script = (
        "import subprocess, sys, time;"
        f"one = subprocess.Popen([sys.executable, '-m', 'web.worker', {str(tmp_path)!r}], stdin=subprocess.PIPE,"
        " stdout=subprocess.PIPE);"
        "one.stdin.write(b'[]\\n'); one.stdin.flush(); one.stdout.readline();"
        "print(one.pid, flush=True); time.sleep(60)"
    )
    held, kept = os.pipe()
    page = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, pass_fds=[kept])
    assert page.stdout is not None
    worker = int(page.stdout.readline())
    os.kill(page.pid, signal.SIGKILL)
    page.wait()
    os.close(held)
    os.close(kept)

    def gone() -> bool:
        with suppress(OSError):
            return "Z" in Path(f"/proc/{worker}/stat").read_text().rsplit(")", 1)[1][:3]
        return True

    until(gone)


# A server of its own: connections, and what comes slowly


class Server:
    """The page of a folder in this process, and its table's end of the link."""

    def __init__(self, state: Path) -> None:
        self.key = PageKey(state).value()
        self.sock = listening("127.0.0.1", 0)
        self.port = self.sock.getsockname()[1]
        self.link, theirs = socket.socketpair()
        self.link.sendall(as_line({"now": NOW}))
        self.thread = threading.Thread(target=serve, args=(state, self.sock, theirs), daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.link.close()
        self.thread.join(20)
        assert not self.thread.is_alive()
        self.sock.close()

    def line(self, source: str = "127.0.0.1") -> socket.socket:
        made = socket.create_connection(("127.0.0.1", self.port), 10, (source, 0))
        made.settimeout(10)
        return made

    def head(self, method: str, address: str, *more: str, host: str | None = None) -> bytes:
        name = f"127.0.0.1:{self.port}"
        lines = [f"{method} {address} HTTP/1.1", f"Cookie: {COOKIE}={self.key}", f"Origin: http://{name}", *more]
        return "\r\n".join([*lines, *([f"Host: {name}"] if host is None else [host]), "", ""]).encode()

    def get(self, source: str = "127.0.0.1", address: str = "/state.json", *more: str, host: str | None = None) -> int:
        with self.line(source) as line:
            line.sendall(self.head("GET", address, "Connection: close", *more, host=host))
            return status(line)


def status(line: socket.socket) -> int:
    came = line.recv(200)
    return int(came[9:12]) if came else 0


def ended(line: socket.socket) -> bool:
    """Return whether the server has ended it; what it has still sent is read first."""
    try:
        while line.recv(1 << 20):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name, value in {"MOST": 12, "_TOLD": 6, "HEAD_S": 1.0, "STALLED_S": 0.5}.items():
        monkeypatch.setattr(connections, name, value)
    monkeypatch.setattr(uploads, "_PATIENCE_S", 1.5)
    (tmp_path / "settings.toml").write_text('[web]\nmay = "all"\n')
    made = Server(tmp_path)
    assert made.get() == 200
    yield made
    made.close()


def test_who_keeps_all_connections_keeps_nobody_else_out(server: Server) -> None:
    idle = [server.line() for _ in range(17)]
    assert server.get("127.0.0.2") == 200, "another phone comes in at once"
    assert server.get() in (0, 503)
    assert all(map(ended, idle))
    assert server.get() == 200, "and before long that one too"


@pytest.mark.slow  # test_who_keeps_all_connections_keeps_nobody_else_out
def test_a_head_that_comes_for_ever_is_not_waited_for(server: Server) -> None:
    slow = server.line()
    slow.sendall(b"GET / HTTP/1.1\r\nX: ")
    with suppress(OSError):
        for _ in range(40):
            slow.sendall(b"x")
            time.sleep(0.1)
        pytest.fail("it is still there")


@pytest.mark.slow  # test_stalled_upload.py
def test_a_form_that_does_not_come_is_not_waited_for(server: Server) -> None:
    slow = server.line()
    slow.sendall(server.head("POST", "/press", "Content-Length: 100", "Content-Type: application/json"))
    assert status(slow) == 400


@pytest.mark.slow  # test_lost_network.py
def test_a_phone_that_takes_nothing_is_let_go(server: Server) -> None:
    watching = server.line()
    watching.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    watching.sendall(server.head("GET", "/events"))
    with suppress(OSError):
        for number in range(60):
            server.link.sendall(as_line({"now": now(f"{number} " + "x" * 300_000)}))
            time.sleep(0.02)
    time.sleep(2.5)
    watching.settimeout(2)
    assert ended(watching)
    assert server.get() == 200


def test_hosts_and_forwarders_that_are_none(server: Server) -> None:
    name = f"127.0.0.1:{server.port}"
    assert server.get(host="") == 400
    assert server.get(host=f"Host: {name}\r\nHost: evil.example") == 400
    assert server.get(host="Host: evil.example") == 400
    assert server.get("127.0.0.1", "http://evil.example/", host="Host: evil.example") == 400
    assert server.get("127.0.0.1", "/", f"X-Forwarded-Host: {name}", host="Host: evil.example") == 400
    with server.line() as line:
        forged = ("Origin: https://evil.example", "X-Forwarded-Proto: https", "Content-Length: 0", "Connection: close")
        head = server.head("POST", "/settings", *forged)
        line.sendall(head.replace(f"Origin: http://{name}\r\n".encode(), b""))
        assert status(line) == 403
    for number in range(12):
        with server.line() as line:
            forged = (f"X-Forwarded-For: 10.0.0.{number}", "Connection: close")
            line.sendall(server.head("GET", f"/?key={number:032x}", *forged))
            last = status(line)
    assert last == 429, "whoever guesses is known by where it comes from, not by what it says"


@pytest.mark.slow  # test_score_page.py has the queue full
def test_a_place_in_the_queue_is_taken_by_the_first_byte_and_given_back(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "_PATIENCE_S", 20.0)
    kind = "Content-Type: multipart/form-data; boundary=B"

    def sent(who: str) -> socket.socket:
        line = server.line()
        cookie = f"Cookie: sevenmat_phone={who}; {COOKIE}={server.key}"
        line.sendall(
            server.head("POST", "/score", kind, cookie, "Content-Length: 1000").replace(b"Cookie: s", b"X: s", 1)
        )
        return line

    lines = [sent(who) for who in "abc"]
    time.sleep(0.5)
    assert status(sent("d")) == 429
    for line in lines:
        line.close()
    time.sleep(0.5)
    again = sent("d")
    again.settimeout(1.0)
    with pytest.raises(TimeoutError):
        status(again)


# What is asked of the table


def test_the_table_is_asked_for_no_more_than_fingers_ask(tmp_path: Path) -> None:
    async def ask() -> list[Any]:
        ours, theirs = socket.socketpair()
        link = TableLink(theirs)
        following = asyncio.create_task(link.follow(lambda: None))
        await asyncio.sleep(0.1)
        asked = [asyncio.create_task(link.ask("press", {})) for _ in range(100)]
        await asyncio.sleep(0.1)
        refused = [one for one in asked if one.done()]
        for one in (*asked, following):
            one.cancel()
        await asyncio.gather(*asked, following, return_exceptions=True)
        ours.close()
        return [one.exception() for one in refused]

    refused = asyncio.run(ask())
    assert len(refused) == 84
    assert all(isinstance(one, TooMuchAskedError) for one in refused)


def test_what_a_phone_has_given_up_is_not_done_later(tmp_path: Path) -> None:
    table = Table(tmp_path)
    try:
        table._ended = True
        table._thread.join()
        later = time.monotonic() + 60
        for number in range(10):
            table.page._asks.put(Ask("press", {"number": number}, lambda _: None, 0.0 if number < 5 else later))
        rounds = [[ask.data["number"] for ask in table.page.take_asks()] for _ in range(3)]
    finally:
        table.close()
    assert rounds == [[5, 6, 7, 8], [9], []]
    assert len(rounds[0]) == MOST_ASKED
