"""What is printed holds no control character, whatever the stream can write and whatever is written to it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from device.terminal import PlainStream

ODD = "\x00\x07\t\r\x1b[2J\x7f\x85\x9b\u061c\u200e\u2028\u202e\u2066\ud800é表👍"


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii", "shift_jis"])
def test_a_line_of_json_stays_one_in_every_encoding(encoding: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding)
    print(json.dumps({"name": ODD}, ensure_ascii=False), file=PlainStream(stream), flush=True)
    (line,) = raw.getvalue().decode(encoding).splitlines()
    assert line.isprintable()
    assert json.loads(line) == {"name": ODD.replace("\ud800", "\ufffd")}


def test_lines_end_as_they_did() -> None:
    out = io.StringIO()
    stream = PlainStream(out)
    assert stream.write("one\ntwo\n") == 8
    assert out.getvalue() == "one\ntwo\n"


@pytest.mark.few(1)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_nobody_reads_what_is_said(closed: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m cli.main decks --language en --state {tmp_path} {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_words_in_japanese_do_not_stop_a_terminal_that_has_none(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "cli.main",
        "decks",
        "show",
        "mine",
        "--language",
        "ja",
        "--state",
        str(tmp_path),
    ]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1:strict", "SEVENMAT_DEBUG": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
    assert done.returncode == 2
    assert r"\u30c7\u30c3\u30ad" in done.stderr.decode("latin-1")
