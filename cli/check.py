"""``sevenmat check``: records judged by the rules alone, line by line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from device.errors import DeviceError
from device.files import read_bounded
from device.speech import Language, say, text_of
from rules.parsing import HeaderError
from rules.plain import shorten_sentence
from rules.record import check_record, is_foreign
from rules.text import Text

_MOST_BYTES = 16 << 20
_MOST_LINES = 100_000
"""A game has some hundreds of moves."""


def _read_record_lines(path: Path) -> list[str]:
    """Return the lines of a record; a byte that is no UTF-8 spoils its own line only, and the record's reader says so.

    Raises:
        DeviceError: there is no such file, it does not end, nothing is in it, or nothing in it is UTF-8 text.
    """
    lines = _read_lines(path)
    if not any(map(str.strip, lines)):
        raise DeviceError("{path} is empty: there is no record in it.", path=path)
    if len(lines) > _MOST_LINES:
        raise DeviceError(
            "{path} is no record of a game: it has more than {most_lines:,} lines.", path=path, most_lines=_MOST_LINES
        )
    if all(is_foreign(line) for line in lines if line):
        raise _make_no_text_error(path)
    return lines


def _make_no_text_error(path: Path) -> DeviceError:
    return DeviceError("{path} is no UTF-8 text.", path=path)


def _read_lines(path: Path) -> list[str]:
    text = read_bounded(path, _MOST_BYTES).decode("utf-8", "surrogateescape")
    # Not splitlines(): that also splits at marks which JSON allows inside a string.
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def check_records(records: Sequence[str], as_json: bool, language: Language) -> int:
    """Check records one after the other; with several of them each JSON line says which ``record`` it is about.

    One that can't be read or judged is named on standard error and the rest goes on.

    Returns the exit code: 2 where a record could not be judged, 1 where a line was refused, otherwise 0.
    """
    code = 0
    for record in records:
        try:
            for verdict in _judge_record(record):
                if verdict.get("verdict") == "refused":
                    code = max(code, 1)
                if as_json:
                    which = {"record": record} if len(records) > 1 else {}
                    print(json.dumps({**which, **verdict}, ensure_ascii=False), flush=True)
                else:
                    _print_plainly(record, verdict, language)
        except DeviceError as error:
            code = 2
            print(f"sevenmat: {shorten_sentence(say(error, language))}", file=sys.stderr)
    return code


def _judge_record(record: str) -> Iterator[dict[str, Any]]:
    """Yield the verdicts on a record's lines.

    Raises:
        DeviceError: it can't be read, or its header leaves nothing to judge.
    """
    try:
        yield from check_record(_read_record_lines(Path(record)))
    except HeaderError as fault:
        raise DeviceError("{record} can't be judged: {fault}.", record=record, fault=fault) from None


def _print_plainly(record: str, verdict: dict[str, Any], language: Language) -> None:
    if verdict.get("verdict") == "refused":
        print(f"{record}:{verdict['line']}: {verdict['code']}: {text_of(verdict, language)}")
    elif "final" in verdict:
        winners, points = _format_numbers(verdict["winners"]), _format_numbers(verdict["final"])
        end = Text("not over")
        if verdict["winners"]:
            end = Text("won by seat {winners}", winners=winners)
        words = Text("points {points}, {end}", points=points, end=end)
        print(f"{record}: {words.said(language)}")


def _format_numbers(numbers: Sequence[int] | None) -> str:
    return ", ".join(map(str, numbers)) if numbers is not None else "–"
