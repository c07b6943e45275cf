"""``sevenmat hall`` as people start it: what it prints, how it ends, and what can't be in one sentence."""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.main import main
from hall.hall_server import NO_EXTRA
from tests.hall.messages_of import result, state
from tests.hall.mosquitto import Mosquitto, broker, needs_mosquitto
from tests.hall.test_hall_listener import say, table, until


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with broker(tmp_path / "broker") as running:
        yield running


@contextmanager
def started(port: int, folder: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """Start a hall's process; yield it with its board's address and its key."""
    command = [sys.executable, "-m", "cli.main", "hall", "--broker", f"mqtt://127.0.0.1:{port}/Café"]
    command += ["--state", str(folder), "--web", "127.0.0.1:0", "--language", "en", *more]
    with (folder / "told").open("a") as told:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.fullmatch(r"page http://(127\.0\.0\.1:\d+)/\?key=([0-9a-f]{32})\n", line)
        assert found, line
        yield process, found[1], found[2]
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(10)


def asked(place: str, key: str, address: str) -> str:
    connection = http.client.HTTPConnection(place, timeout=10)
    connection.request("GET", address, headers={"Cookie": f"sevenmat_key={key}"})
    return connection.getresponse().read().decode()


@pytest.mark.slow  # test_hall_faults.py kills it once
@needs_mosquitto
def test_killed_again_and_again_no_result_is_lost_and_none_kept_twice(mosquitto: Mosquitto, tmp_path: Path) -> None:
    with started(mosquitto.port, tmp_path) as (_, place, key):
        until(lambda: '"troubles":[]' in asked(place, key, "/tables.json"))
        time.sleep(0.5)
    number = 0
    with table(mosquitto.port) as table1:
        for _ in range(3):
            with started(mosquitto.port, tmp_path) as (process, _, _):
                for _ in range(200):
                    number += 1
                    say(table1, "T1", result(number))
                process.kill()
        say(table1, "T1", state())
        with started(mosquitto.port, tmp_path) as (_, place, key):
            until(lambda: asked(place, key, "/results.csv").count("\n") == 1 + 3 * number)
            until(lambda: "Ada is to move" in asked(place, key, "/tables.json"))


@pytest.mark.slow  # test_board.py lets go of phones
@needs_mosquitto
def test_it_ends_quietly_with_phones_looking_on(mosquitto: Mosquitto, tmp_path: Path) -> None:
    with started(mosquitto.port, tmp_path) as (process, place, key):
        phone = http.client.HTTPConnection(place, timeout=10)
        phone.request("GET", "/events", headers={"Cookie": f"sevenmat_key={key}"})
        assert phone.getresponse().readline().startswith(b"data: ")
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 2
    assert (tmp_path / "told").read_text() == "sevenmat: stopped.\n"


@needs_mosquitto
def test_a_hall_runs_once(mosquitto: Mosquitto, tmp_path: Path) -> None:
    with started(mosquitto.port, tmp_path):
        again = [sys.executable, "-m", "cli.main", "hall", "--state", str(tmp_path), "--language", "en"]
        again += ["--broker", f"mqtt://127.0.0.1:{mosquitto.port}/Café", "--web", "127.0.0.1:0"]
        done = subprocess.run(again, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "sevenmat: The hall Café runs here already.\n"


@pytest.mark.slow  # test_hall_listener.py
def test_a_broker_that_is_not_there_is_said_on_the_terminal_and_on_the_board(tmp_path: Path) -> None:
    with started(9, tmp_path) as (process, place, key):
        until(lambda: "can't be reached" in (tmp_path / "told").read_text())
        assert "can&#39;t be reached" in asked(place, key, "/")
        time.sleep(1.5)
        assert process.poll() is None
    assert (tmp_path / "told").read_text().count("\n") == 1


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "Name the broker and the hall with --broker"),
        (["--broker", "localhost/Café"], "is no broker with a hall"),
        (["--broker", "mqtt://hall:secret@localhost/Café"], "no password in it"),
        (["--broker", "mqtt://localhost"], "is no broker with a hall"),
        (["--broker", "mqtt://localhost/a/b"], "is no broker with a hall"),
        (["--broker", "mqtt://localhost/%23"], "is no broker with a hall"),
        (["--broker", "mqtt://localhost/Café", "--db", "mysql://there/x"], "is no database"),
        (["--broker", "mqtt://localhost/Café", "--ca", "x"], "A certificate is for mqtts:// alone"),
        (["--broker", "mqtts://localhost/Café", "--ca", "/nowhere/x"], "/nowhere/x can't be used"),
        (["--broker", "mqtts://localhost/Café", "--ca", __file__], "is no certificate in PEM"),
        (["--broker", "mqtt://hall@localhost/Café", "--password-file", "/nowhere/x"], "/nowhere/x can't be used"),
        (["--broker", "mqtt://hall@localhost/Café", "--password-file", "/dev/null"], "holds no password"),
        (["--broker", "mqtt://localhost/Café", "--password-file", __file__], "A password needs a user"),
        (["--broker", "mqtt://localhost/Café", "--web", "high"], "is no port or address"),
        (["acl", "--hall", "Café"], "Name the tables with one of"),
        (["acl", "--hall", "Café", "--count", "2", "--tables", "A"], "Name the tables with one of"),
        (["acl", "--hall", "Café", "--count", "0"], "is no number of tables"),
        (["acl", "--hall", "a#", "--tables", "A,B"], "is no name of a table or a hall"),
        (["acl", "--hall", "Café", "--tables", "A,,B"], "is no name of a table or a hall"),
        (["acl", "--hall", "Café", "--tables", "A,hall"], "is named twice"),
        (["acl", "--hall", "Café", "--tables-file", "/dev/null"], "holds no names of tables"),
        (["acl", "--hall", "Café", "--tables", "A", "--out", "/nowhere/x"], "/nowhere"),
        (["dance"], "invalid choice"),
    ],
)
def test_what_can_not_be_is_one_sentence(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    place = [] if options[:1] in (["acl"], ["dance"]) else ["--state", str(tmp_path), "--web", "127.0.0.1:0"]
    assert main(["--language", "en", "hall", *place, *options]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("sevenmat: ")
    assert words in said.err


def test_a_place_that_is_taken_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from web.table_end.address import listening

    with listening("127.0.0.1", 0) as sock:
        place = f"127.0.0.1:{sock.getsockname()[1]}"
        options = ["--broker", "mqtt://localhost/Café", "--web", place, "--state", str(tmp_path), "--language", "en"]
        assert main(["hall", *options]) == 2
    assert capsys.readouterr().err.startswith(f"sevenmat: The page can't be reached at {place}: ")


def test_without_its_packages_one_sentence_says_which(tmp_path: Path) -> None:
    without = "import sys; sys.modules['paho.mqtt.client'] = None; from cli.main import main; "
    without += "sys.exit(main())"
    options = ["--language", "en", "hall", "--broker", "mqtt://localhost/Café", "--state", str(tmp_path)]
    done = subprocess.run([sys.executable, "-c", without, *options], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"sevenmat: {NO_EXTRA}\n")


def test_who_may_do_what_is_written_to_a_file_and_told_how_to_use(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    names = tmp_path / "names"
    names.write_text("卓 1\n\n 卓 2 \n", encoding="utf-8")
    out = tmp_path / "acl"
    options = ["acl", "--hall", "Café", "--tables-file", str(names), "--out", str(out)]
    assert main(["--language", "en", "hall", *options]) == 0
    said = capsys.readouterr()
    assert said.out == f"acl_file {out}\npassword_file {tmp_path}/sevenmat.passwd\n"
    assert f"mosquitto_passwd {tmp_path}/sevenmat.passwd hall" in said.err
    text = out.read_text(encoding="utf-8")
    assert "user 卓 1\ntopic write sevenmat/Café/卓 1/online\n" in text
    assert text.count("topic readwrite") == 2
    assert main(["hall", "acl", "--hall", "Café", "--count", "200"]) == 0
    assert capsys.readouterr().out.count("\nuser T") == 200
