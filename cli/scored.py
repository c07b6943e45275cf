"""``sevenmat games`` for scored tables: listed, shown paper by paper, exported as JSON or CSV, deleted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from device.errors import DeviceError
from device.files import replace_file
from device.speech import Language, kept_in, text_json
from device.storage.scored import ScoredTable, ScoredTables, scored_csv, scored_line, scored_rows
from rules.plain import escape_line, shorten_line
from rules.registry import load_games
from rules.text import Text, join_row, verbatim


def list_scored(state: Path, as_json: bool, language: Language) -> int:
    """Print all scored tables, the oldest first. Returns how many there are."""
    kept = ScoredTables(state)
    numbers = kept.list_numbers()
    for number in numbers:
        try:
            table = kept.read_table(number)
        except DeviceError as error:
            line: Mapping[str, Any] = {"scored": number, "state": "unreadable", **text_json(error.text)}
            print(
                json.dumps(line, ensure_ascii=False)
                if as_json
                else f"{_format_id(number)}  {error.text.said(language)}"
            )
            continue
        print(json.dumps(scored_line(table), ensure_ascii=False) if as_json else _format_plainly(table, language))
    return len(numbers)


def show_scored(state: Path, number: int, as_json: bool, language: Language) -> int:
    """Print a scored table, player by player. Returns the exit code.

    Raises:
        DeviceError: there is none of that number, or its file is damaged.
    """
    table = ScoredTables(state).read_table(number)
    if as_json:
        print(json.dumps(scored_line(table) | dict(table.data), ensure_ascii=False))
        return 0
    print(_format_plainly(table, language))
    for seat, (first, *more) in groupby(scored_rows(table, language), key=lambda row: row["seat"]):
        total = Text("{names}: {points}", names=first["player"], points=first["total"])
        print(f"  {total.said(language)}")
        for row in (first, *more):
            if row["what"]:
                print(f"    {row['points'] or '–':>3}  {row['what']}")
        for words in table.data["tallies"][seat - 1].get("notes", ()):
            print(f"         {kept_in(words, language)}")
    for name in ("by_hand", "confirmed"):
        for one in table.data.get(name, ()):
            print(f"  {_describe_by_hand(one, language)}")
    print(f"  {kept_in(table.data['why'], language)}")
    if table.picture is not None:
        print(f"  {escape_line(str(table.picture))}")
    return 0


def export_scored(state: Path, number: int, out: Path, language: Language) -> int:
    """Write a scored table as JSON or CSV, whichever the file's name ends in. Returns the exit code.

    Raises:
        DeviceError: there is none, its file is damaged, the name ends otherwise, or it can't be written.
    """
    table = ScoredTables(state).read_table(number)
    ending = out.suffix.lower()
    if ending == ".json":
        text = json.dumps(scored_line(table) | dict(table.data), ensure_ascii=False, indent=1) + "\n"
    elif ending == ".csv":
        text = scored_csv(table, language)
    else:
        raise DeviceError("{out}: a scored table is exported as .json or .csv.", out=shorten_line(str(out)))
    with replace_file(out) as unfinished:
        unfinished.write_text(text, encoding="utf-8", errors="replace")
    return 0


def delete_scored(state: Path, number: int, sure: Callable[[str], bool], language: Language) -> int:
    """Delete a scored table where ``sure`` says yes to the question it is asked. Returns the exit code.

    Raises:
        DeviceError: there is none, or it could not be deleted.
    """
    question = Text("Delete the scored table s{number} and its picture? [y/N] ", number=number)
    if not sure(question.said(language)):
        return 1
    ScoredTables(state).delete(number)
    return 0


def _format_id(number: int) -> str:
    return f"s{number}".rjust(4)


def _format_plainly(table: ScoredTable, language: Language) -> str:
    data = table.data
    when = f"{datetime.fromisoformat(data['at']).astimezone():%Y-%m-%d %H:%M}"
    scores = [
        f"{kept_in(who, language)} {tally['points']}{'★' if tally['seat'] in data['winners'] else ''}"
        for who, tally in zip(data["players"], data["tallies"], strict=True)
    ]
    names = join_row(map(verbatim, scores)).said(language)
    known = load_games().get(data["game"])
    title = known.title if known is not None else verbatim(data["game"])
    words = Text("scored table ({title})", title=title).said(language)
    return f"{_format_id(table.number)}  {when}  {names}  {words}"


def _describe_by_hand(one: Mapping[str, Any], language: Language) -> str:
    if "code" in one:
        words = Text("Let stand by hand: {fault}", fault=kept_in(one, language))
    elif one["card"] is None:
        words = Text("Told by hand: no card lies there.")
    else:
        words = Text("Told by hand: {card}.", card=one["card"])
    return words.said(language)
