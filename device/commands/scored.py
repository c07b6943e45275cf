"""``sevenmat games`` for scored tables: listed, shown paper by paper, exported as JSON or CSV, deleted."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from device.errors import DeviceError
from device.files import replace_file
from device.speech import Language
from device.storage.scored import ScoredTable, ScoredTables
from rules.plain import plain, shortly
from rules.registry import games
from rules.text import Both, Text, verbatim

COLUMNS = ("seat", "player", "winner", "total", "group", "what", "points")


def list_scored(state: Path, as_json: bool, language: Language) -> int:
    """Print all scored tables, the oldest first. Returns how many there are."""
    kept = ScoredTables(state)
    numbers = kept.numbers()
    for number in numbers:
        try:
            table = kept.table(number)
        except DeviceError as error:
            line: Mapping[str, Any] = {"scored": number, "state": "unreadable", "text": error.en, "text_ja": error.ja}
            print(json.dumps(line, ensure_ascii=False) if as_json else f"{_id(number)}  {error.text.said(language)}")
            continue
        print(json.dumps(_line(table), ensure_ascii=False) if as_json else _plainly(table, language))
    return len(numbers)


def show_scored(state: Path, number: int, as_json: bool, language: Language) -> int:
    """Print a scored table, player by player. Returns the exit code.

    Raises:
        DeviceError: there is none of that number, or its file is damaged.
    """
    table = ScoredTables(state).table(number)
    if as_json:
        print(json.dumps(_line(table) | dict(table.data), ensure_ascii=False))
        return 0
    print(_plainly(table, language))
    for seat, (first, *more) in groupby(_rows(table, language), key=lambda row: row["seat"]):
        total = Text("{first}: {first2}", first=first["player"], first2=first["total"]).said(language)
        print(f"  {total}")
        for row in (first, *more):
            if row["what"]:
                print(f"    {row['points'] or '–':>3}  {row['what']}")
        for words in table.data["tallies"][seat - 1].get("notes", ()):
            print(f"         {_text(words).said(language)}")
    for name in ("by_hand", "confirmed"):
        for one in table.data.get(name, ()):
            print(f"  {_by_hand(one).said(language)}")
    print(f"  {_text(table.data['why']).said(language)}")
    if table.picture is not None:
        print(f"  {plain(str(table.picture))}")
    return 0


def export_scored(state: Path, number: int, out: Path, language: Language) -> int:
    """Write a scored table as JSON or CSV, whichever the file's name ends in. Returns the exit code.

    Raises:
        DeviceError: there is none, its file is damaged, the name ends otherwise, or it can't be written.
    """
    table = ScoredTables(state).table(number)
    ending = out.suffix.lower()
    if ending == ".json":
        text = json.dumps(_line(table) | dict(table.data), ensure_ascii=False, indent=1) + "\n"
    elif ending == ".csv":
        sheet = io.StringIO()
        writer = csv.DictWriter(sheet, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(_rows(table, language))
        text = sheet.getvalue()
    else:
        raise DeviceError(
            Text("{out}: a scored table is exported as .json or .csv.", out=shortly(str(out))),
        )
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


def _id(number: int) -> str:
    return f"s{number}".rjust(4)


def _text(data: Mapping[str, str]) -> Text:
    return Both(data["en"], data["ja"])


def _line(table: ScoredTable) -> dict[str, Any]:
    data = table.data
    return {
        "scored": table.number,
        "state": "scored",
        "at": data["at"],
        "game": data["game"],
        "deck": data["deck"],
        "players": [who["en"] for who in data["players"]],
        "final": data["final"],
        "winners": data["winners"],
        "picture": None if table.picture is None else str(table.picture),
    }


def _plainly(table: ScoredTable, language: Language) -> str:
    data = table.data
    when = f"{datetime.fromisoformat(data['at']).astimezone():%Y-%m-%d %H:%M}"
    scores = [
        f"{_text(who).said(language)} {tally['points']}{'★' if tally['seat'] in data['winners'] else ''}"
        for who, tally in zip(data["players"], data["tallies"], strict=True)
    ]
    names = Both(", ".join(scores), "、".join(scores)).said(language)
    known = games().get(data["game"])
    title = known.title if known is not None else verbatim(data["game"])
    words = Text("scored table ({title})", title=title).said(language)
    return f"{_id(table.number)}  {when}  {names}  {words}"


def _rows(table: ScoredTable, language: Language) -> Iterator[dict[str, Any]]:
    """One row for each thing that lies there, and one for who has nothing."""
    data = table.data
    for who, tally in zip(data["players"], data["tallies"], strict=True):
        row = {
            "seat": tally["seat"],
            "player": _text(who).said(language),
            "winner": int(tally["seat"] in data["winners"]),
            "total": tally["points"],
            "group": "",
            "what": "",
            "points": "",
        }
        items = [(group, item) for group, some in tally["groups"].items() for item in some]
        for group, item in items:
            yield {**row, "group": group, "what": _text(item).said(language), "points": item["points"]}
        if not items:
            yield row


def _by_hand(one: Mapping[str, Any]) -> Text:
    if "code" in one:
        return Both(f"Let stand by hand: {one['en']}", f"手で確認済み：{one['ja']}")
    if one["card"] is None:
        return Text("Told by hand: no card lies there.")
    return Text("Told by hand: {one}.", one=one["card"])
