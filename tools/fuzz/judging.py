"""A command run in this process, and what it must hold to whatever it is given."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import re
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from unittest import mock

from cli.main import main
from device.errors import DeviceError
from tests.words import en, ja

MOST_S = 5.0
"""Processor time that one call may take. Whole tables are read in less; a hang is cut at ``_HANGING_S``."""
_HANGING_S = 60.0
_MOST_SAID = 700
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class FaultError(AssertionError):
    """What a command must never do, done."""


class _HangingError(BaseException):
    """The time is up; no ``except Exception`` on the way may swallow it."""


@dataclass(frozen=True)
class Call:
    """One use of the program: the words of a command, or what it calls itself; and how it is named in a report."""

    words: tuple[str, ...] = ()
    does: Callable[[], int | None] | None = None
    name: str = ""

    def __str__(self) -> str:
        return self.name or " ".join(self.words)


def choose_language(chance: random.Random, json_too: bool = False) -> tuple[str, ...]:
    """Choose either language, and at times JSON."""
    as_json = ("--json",) if json_too and chance.random() < 0.7 else ()
    return (*as_json, "--language", chance.choice(("en", "ja")))


def expect_error(act: Callable[[], object]) -> None:
    """Do what may end in an error of ours, which says why in both languages."""
    try:
        act()
    except DeviceError as error:
        if not en(error) or not ja(error):
            raise FaultError("an error without words") from error


def judge(call: Call) -> tuple[int, float]:
    """Run a call; returns its exit code and the processor time it took, s.

    Raises:
        FaultError: it took too long, met something unforeseen, or said something that no command may say.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    began = time.process_time()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.dict(os.environ, SEVENMAT_DEBUG="1"),
        _time_limit(call),
    ):
        try:
            code = main(list(call.words)) if call.does is None else call.does() or 0
        except (Exception, SystemExit) as error:
            raise FaultError(f"{call}: unforeseen {_locate(error)}") from error
    took = time.process_time() - began
    said, complained = _read_text(out), _read_text(err)
    if took > MOST_S:
        raise FaultError(f"{call}: took {took:.1f} s")
    if code not in (0, 1, 2):
        raise FaultError(f"{call}: ended with {code}")
    for text in (said, complained):
        if found := _CONTROL.search(text):
            raise FaultError(f"{call}: printed {found[0]!r}")
    lines = complained.splitlines()
    if (code == 2 and not lines) or any(not line.startswith("sevenmat: ") for line in lines):
        raise FaultError(f"{call}: ended with {code} and said {complained!r}")
    if any(len(line) > _MOST_SAID for line in lines):
        raise FaultError(f"{call}: said {max(map(len, lines))} characters in a line: {complained[:200]!r}")
    if "--json" in call.words:
        for line in said.splitlines():
            json.loads(line, parse_constant=_no_json)
    return code, took


def _no_json(constant: str) -> None:
    raise FaultError(f"printed {constant}, which is no JSON")


def _read_text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue().decode("utf-8")


def _locate(error: BaseException) -> str:
    """Say an exception with the places it came through, the innermost last, as one line."""
    frames = traceback.extract_tb(error.__traceback__)[2:]
    places = [f"{'/'.join(frame.filename.rsplit('/', 2)[-2:])}:{frame.lineno}" for frame in frames]
    cause = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return f"{cause} ({' < '.join(reversed(places[-6:]))})"


@contextlib.contextmanager
def _time_limit(call: Call) -> Iterator[None]:
    def ring_alarm(*_: object) -> None:
        raise _HangingError

    before = signal.signal(signal.SIGALRM, ring_alarm)
    signal.setitimer(signal.ITIMER_REAL, _HANGING_S)
    try:
        yield
    except _HangingError as error:
        raise FaultError(f"{call}: hung for {_HANGING_S:.0f} s {_locate(error)}") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
