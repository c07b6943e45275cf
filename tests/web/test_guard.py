"""Nobody comes in without the key, by another name, or from another page; and nothing leaks."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from httpx2 import Cookies
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.web.phone import HOST, phone
from web.guard import MOST_WRONG, WINDOW_S, WrongTries, is_own_host
from web.server import build_page_app
from web.table_end.address import FILE, PageKey
from web.table_end.code import GOOD_S, LENGTH, LETTERS, PageCode

NAMES = {"localhost", "table", "table.local"}
ADDRESSES = (
    "/", "/score", "/score.json", "/games", "/games/1", "/games.json", "/players", "/players/A", "/settings",
    "/settings.json", "/aim", "/aim.json", "/camera.jpg", "/learn", "/learn.json", "/learn/cards.jpg",
    "/static/style.css", "/static/page.js", "/nothing", "/score/x/picture.png",
)  # fmt: skip


@pytest.mark.few(5)
@pytest.mark.parametrize("address", ADDRESSES)
def test_without_the_key_every_address_says_to_scan_the_code(address: str, tmp_path: Path) -> None:
    with TestClient(build_page_app(tmp_path), HOST, follow_redirects=False) as stranger:
        answer = stranger.get(address)
    assert answer.status_code == 401
    assert "Scan the code on the table" in answer.text
    assert PageKey(tmp_path).value() not in answer.text


def test_the_key_opens_and_is_not_shown_again(tmp_path: Path) -> None:
    with phone(tmp_path) as client:
        assert client.cookies["sevenmat_key_80"] == PageKey(tmp_path).value()
        page = client.get("/score")
        assert page.status_code == 200
        assert PageKey(tmp_path).value() not in page.text
        assert "HttpOnly" in client.get(f"/?key={PageKey(tmp_path).value()}").headers["set-cookie"]


def test_the_key_is_128_random_bits_for_the_owner_alone(tmp_path: Path) -> None:
    key = PageKey(tmp_path)
    first, again = key.value(), key.value()
    assert first == again
    assert len(bytes.fromhex(first)) == 16
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    assert key.renew() != first


@pytest.mark.parametrize("held", [b"", b"short\n", b"\xff\xfe", b"0" * 33, b"g" * 32])
def test_a_torn_key_file_is_made_anew(held: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(held)
    assert len(PageKey(tmp_path).value()) == 32


@pytest.mark.parametrize(
    ("method", "address", "came", "marked"),
    [
        ("post", "/score", "", "/score"),
        ("post", "/score", "/score?game=laminate", "/score"),
        ("post", "/players/join", "/players/5eed", "/more"),
        ("post", "/players/join", "", "/more"),
        ("post", "/settings", "", "/more"),
        ("get", "/scores", "", None),
        ("get", "/games-of-old", "/score", None),
        ("get", "/games/77", "/games", "/games"),
        ("get", "/players/nobody", "/games", "/more"),
    ],
)
def test_an_error_marks_the_tab_where_it_is_and_no_other(
    method: str, address: str, came: str, marked: str | None, tmp_path: Path
) -> None:
    with phone(tmp_path) as client:
        told = {"headers": {"referer": HOST + came, "accept": "text/html"} if came else {"accept": "text/html"}}
        page = client.post(address, data={"x": "y"}, **told) if method == "post" else client.get(address, **told)
    assert page.status_code >= 400
    assert re.findall(r'<a href="([^"]*)" aria-current="(?:page|true)"', page.text) == ([marked] if marked else [])


def test_pages_of_one_machine_at_several_ports_keep_their_keys_apart(tmp_path: Path) -> None:
    """A browser keeps cookies by machine, not by port: it sends each page those of all."""
    hosts = {7777: "http://127.0.0.1:7777", 7780: "http://127.0.0.1:7780", 9: "http://[::1]:9", 80: "http://127.0.0.1"}
    clients, jar = {}, Cookies()
    for port, host in hosts.items():
        clients[port] = TestClient(build_page_app(tmp_path / str(port)), host, follow_redirects=False)
        clients[port].cookies = jar
        key = PageKey(tmp_path / str(port)).value()
        (set_,) = clients[port].get(f"/?key={key}").headers.get_list("set-cookie")
        assert set_.startswith(f"sevenmat_key_{port}={key};")
        jar.set(f"sevenmat_key_{port}", key)
    for port, client in clients.items():
        assert client.get("/score").status_code == 200, port


def test_a_phone_that_has_come_in_to_an_older_version_stays(tmp_path: Path) -> None:
    with TestClient(build_page_app(tmp_path), HOST, follow_redirects=False) as client:
        client.cookies.set("sevenmat_key", PageKey(tmp_path).value())
        assert client.get("/score").status_code == 200
        client.cookies.set("sevenmat_key", "0" * 32)
        assert client.get("/score").status_code == 401


def test_a_new_key_shuts_every_phone_out(tmp_path: Path) -> None:
    with phone(tmp_path) as client:
        PageKey(tmp_path).renew()
        assert client.get("/score").status_code == 401
        assert client.get(f"/?key={PageKey(tmp_path).value()}").status_code == 303
        assert client.get("/score").status_code == 200


def test_ten_wrong_keys_wait_a_minute(tmp_path: Path) -> None:
    with TestClient(build_page_app(tmp_path), HOST, follow_redirects=False) as stranger:
        for number in range(MOST_WRONG):
            assert stranger.get(f"/?key={number:032x}").status_code == 401
        assert stranger.get("/?key=0").status_code == 429
        assert stranger.get(f"/?key={PageKey(tmp_path).value()}").status_code == 429


def test_an_old_cookie_counts_once() -> None:
    tries = WrongTries(lambda: 0.0)
    for _ in range(3 * MOST_WRONG):
        tries.add("10.0.0.1", "old", cookie=True)
    assert tries.must_wait_s("10.0.0.1") == 0


def test_the_wait_ends_and_is_of_one_address() -> None:
    now = 0.0
    tries = WrongTries(lambda: now)
    for number in range(MOST_WRONG):
        tries.add("10.0.0.1", str(number), cookie=False)
    assert tries.must_wait_s("10.0.0.1") == WINDOW_S
    assert tries.must_wait_s("10.0.0.2") == 0
    now = WINDOW_S + 1
    assert tries.must_wait_s("10.0.0.1") == 0


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8080", "Table.local:1", "192.168.1.7", "[::1]:80", "10.0.0.1:9"]
)
def test_own_names(host: str) -> None:
    assert is_own_host(host, NAMES)


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "evil.example:80", "localhost.evil.example", "localhost@evil.example", "10.0.0.1/x", "1.2.3"],
)
def test_other_names(host: str, tmp_path: Path) -> None:
    assert not is_own_host(host, NAMES)


def test_a_short_code_lets_in_once_however_it_is_typed(tmp_path: Path) -> None:
    code = PageCode(tmp_path).value()
    with TestClient(build_page_app(tmp_path), HOST, follow_redirects=False) as stranger:
        assert stranger.head(f"/?code={code}").status_code == 401, "whoever only looks uses nothing up"
        assert stranger.get(f"/score?code={code}").status_code == 401
        answer = stranger.get("/", params={"code": f" {code[:3].lower()}-{code[3:]}"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert stranger.cookies["sevenmat_key_80"] == PageKey(tmp_path).value()
        assert stranger.get("/score").status_code == 200
        assert stranger.get("/?code=ABC234").status_code == 303, "who is in stays in"
    with TestClient(build_page_app(tmp_path), HOST, follow_redirects=False) as another:
        page = another.get(f"/?code={code}")
        assert page.status_code == 401
        assert "not the code" in page.text
        assert PageCode(tmp_path).value() not in page.text


def test_ten_wrong_codes_wait_a_minute_wherever_they_come_from(tmp_path: Path) -> None:
    app = build_page_app(tmp_path)
    right = PageCode(tmp_path).value()
    for number in range(MOST_WRONG):
        with TestClient(app, HOST, follow_redirects=False, client=(f"10.0.0.{number}", 1)) as stranger:
            assert stranger.get(f"/?code=AAAA{number}A").status_code == 401
    with TestClient(app, HOST, follow_redirects=False, client=("10.0.1.1", 1)) as another:
        assert another.get(f"/?code={right}").status_code == 429
        assert another.get(f"/?key={PageKey(tmp_path).value()}").status_code == 303, "keys are counted by themselves"


def test_a_code_is_good_for_ten_minutes_and_of_letters_that_differ(tmp_path: Path) -> None:
    now = 1_000_000.0
    code = PageCode(tmp_path, lambda: now)
    first = code.value()
    assert len(first) == LENGTH
    assert len(set(LETTERS)) == 32
    assert set(first) <= set(LETTERS) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") - set("IO01")
    now += GOOD_S - 1
    assert code.value() == first
    now += 1
    assert not code.take(first)
    second = code.value()
    assert second != first
    now -= 100
    assert not code.take(second), "nobody knows how old it is once the clock was put back"
    assert not code.take("")
    assert (tmp_path / "page-code").stat().st_mode & 0o077 == 0


@given(st.text(max_size=20))
def test_no_code_that_was_typed_crashes(typed: str) -> None:
    with TemporaryDirectory() as folder:
        code = PageCode(Path(folder))
        assert code.take(typed) is False
        assert code.value() == code.value()


@given(st.text(max_size=40))
def test_no_host_crashes(host: str) -> None:
    if is_own_host(host, NAMES):
        assert host[:1].isalnum() or host.startswith("[")


def test_a_name_pointed_here_is_refused(tmp_path: Path) -> None:
    with phone(tmp_path) as client:
        assert client.get("/score", headers={"host": "rebound.example"}).status_code == 400


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://localhost", "http://localhost:81", "http://localhost.evil"]
)
def test_forms_of_other_pages_do_nothing(origin: str | None, tmp_path: Path) -> None:
    with phone(tmp_path) as client:
        headers = {} if origin is None else {"origin": origin}
        answer = TestClient.post(client, "/settings", data={"key": "game.hints", "value": "true"}, headers=headers)
        assert answer.status_code == 403
    assert not (tmp_path / "settings.toml").exists()


def test_no_script_but_our_own(tmp_path: Path) -> None:
    with phone(tmp_path) as client:
        for address in ("/score", "/games", "/players", "/settings", "/nothing"):
            page = client.get(address)
            policy = page.headers["content-security-policy"]
            assert "script-src 'self';" in policy
            assert "default-src 'none'" in policy
            assert "<script>" not in page.text
            assert " on" + "click" not in page.text
            assert " style=" not in page.text
