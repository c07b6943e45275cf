"""``sevenmat check``: records judged by the rules alone, line by line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from device.errors import DeviceError
from device.speech import Language
from rules.laminate.record import check_record, is_foreign


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 text file.

    Raises:
        DeviceError: there is no such file, or it is no UTF-8 text.
    """
    lines = _lines(path)
    if any(map(is_foreign, lines)):
        raise _no_text(path)
    return lines


def _record_lines(path: Path) -> list[str]:
    """The lines of a record; a byte that is no UTF-8 spoils its own line only, and the record's reader says so.

    Raises:
        DeviceError: there is no such file, or nothing in it is UTF-8 text.
    """
    lines = _lines(path)
    if all(is_foreign(line) for line in lines if line):
        raise _no_text(path)
    return lines


def _no_text(path: Path) -> DeviceError:
    return DeviceError(f"{path} is no UTF-8 text.", f"{path}はUTF-8のテキストではありません。")


def _lines(path: Path) -> list[str]:
    try:
        # Not splitlines(): that also splits at marks which JSON allows inside a string.
        return path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    except OSError as error:
        reason = error.strerror or str(error)
        raise DeviceError(f"{path} can't be read: {reason}.", f"{path}が読めません（{reason}）。") from error


def check_records(records: Sequence[str], as_json: bool, language: Language) -> int:
    """Check records one after the other; with several of them each JSON line says which ``record`` it is about.

    Returns the exit code: 1 where a line was refused.

    Raises:
        DeviceError: a record can't be read at all.
    """
    code = 0
    for record in records:
        for verdict in check_record(_record_lines(Path(record))):
            if verdict.get("verdict") == "refused":
                code = 1
            if as_json:
                which = {"record": record} if len(records) > 1 else {}
                print(json.dumps({**which, **verdict}, ensure_ascii=False), flush=True)
            else:
                _print_plainly(record, verdict, language)
    return code


def _print_plainly(record: str, verdict: dict[str, Any], language: Language) -> None:
    if verdict.get("verdict") == "refused":
        text = verdict["text_ja"] if language is Language.JA else verdict["text"]
        print(f"{record}:{verdict['line']}: {verdict['code']}: {text}")
    elif "final" in verdict:
        if language is Language.JA:
            end = f"勝ち：席{_listed(verdict['winners'])}" if verdict["winners"] else "まだ終わっていません"
            print(f"{record}: 得点 {_listed(verdict['final'])}、{end}")
        else:
            end = f"won by seat {_listed(verdict['winners'])}" if verdict["winners"] else "not over"
            print(f"{record}: points {_listed(verdict['final'])}, {end}")


def _listed(numbers: Sequence[int] | None) -> str:
    return ", ".join(map(str, numbers)) if numbers is not None else "–"
