"""Finished tables that were scored from one look, each with its picture, in the state folder.

``scored/00001.json`` is the first one, with a sum over itself, ``scored/00001.jpg`` its picture. A result is written
whole or not at all, and changed in nothing but names; of the pictures only so many are kept, the newest ones.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from device.errors import DeviceError, reason_of
from device.files import make_folder, read_text, replace_file
from device.json_text import NoObjectError, read_object
from device.speech import Language, each_json, kept_in
from rules.plain import name_key
from rules.text import Text, verbatim

FOLDER = "scored"
MOST_PICTURES_BYTES = 50_000_000
_MOST = 1_000_000
"""Bytes of one result; a long one has a few thousand."""
_LATEST = 50
"""Of so many kept tables the upload is still asked after."""

_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""What formulas begin with; the last four are as wide as Japanese letters."""
COLUMNS = ("seat", "player", "winner", "total", "group", "what", "points")


class DamagedTableError(DeviceError):
    """A scored table's file is not what was written."""


@dataclass(frozen=True, slots=True)
class ScoredTable:
    """A scored table in the journal: its number, what it came to, and its picture where that is still kept."""

    number: int
    data: Mapping[str, Any]
    picture: Path | None


class ScoredTables:
    """The scored tables in a state folder."""

    def __init__(self, state: Path) -> None:
        self._folder = state / FOLDER

    def list_numbers(self) -> tuple[int, ...]:
        """List the numbers of all scored tables, the oldest first."""
        stems = (path.stem for path in self._folder.glob("*.json"))
        return tuple(sorted(int(stem) for stem in stems if stem.isdecimal()))

    def keep(self, data: Mapping[str, Any], jpeg: bytes) -> int:
        """Write a result and its picture to the disk. Returns its number.

        Raises:
            DeviceError: it can't be written.
        """
        make_folder(self._folder)
        number = max(self.list_numbers(), default=0) + 1
        with replace_file(self._get_path(number, "jpg")) as unfinished:
            unfinished.write_bytes(jpeg)
        self._write(number, {"at": datetime.now(UTC).isoformat(timespec="seconds"), **data})
        self._drop_oldest()
        return number

    def _write(self, number: int, content: Mapping[str, Any]) -> None:
        text = json.dumps(content, ensure_ascii=False)
        with replace_file(self._get_path(number, "json")) as unfinished:
            unfinished.write_text(json.dumps({"sum": _hash_text(text), "table": content}, ensure_ascii=False), "utf-8")

    def read_table(self, number: int) -> ScoredTable:
        """Return the scored table of that number.

        Raises:
            DeviceError: there is none.
            DamagedTableError: its file is damaged.
        """
        path, picture = self._get_path(number, "json"), self._get_path(number, "jpg")
        if number not in self.list_numbers():
            error = DeviceError("There is no scored table s{number}; 'sevenmat games' lists them.", number=number)
            raise error.told_on_a_phone(Text("There is no scored table s{number}.", number=number))
        try:
            whole = read_object(read_text(path, _MOST))
            data = whole.get("table")
            sound = isinstance(data, dict) and whole.get("sum") == _hash_text(json.dumps(data, ensure_ascii=False))
        except NoObjectError:
            sound, data = False, None
        if not sound or not isinstance(data, dict):
            raise DamagedTableError(
                Text(
                    "The scored table s{number} is damaged ({path}); 'sevenmat games delete s{number}' removes it.",
                    number=number,
                    path=path,
                )
            )
        return ScoredTable(number, data, picture if picture.is_file() else None)

    def rename(self, name: str, into: str | None) -> None:
        """Have what one name has played count for another; for none, the seat stands in its place.

        A damaged table counts for nobody.

        Raises:
            DeviceError: a table can't be written.
        """
        for number in self.list_numbers():
            try:
                data = self.read_table(number).data
            except DamagedTableError:
                continue
            if any(_is_of(who, name) for who in data["players"]):
                players = [_rename_seat(who, seat, name, into) for seat, who in enumerate(data["players"], 1)]
                self._write(number, {**data, "players": players})

    def name(self, number: int, names: Sequence[str]) -> None:
        """Have the players of a table called so, by seat.

        Raises:
            DeviceError: there is no such table, it is damaged, or it can't be written.
        """
        data = dict(self.read_table(number).data)
        data["players"] = [each_json(verbatim(name)) for name in names]
        # What was kept before it could get names keeps its words.
        if "why_by_seat" in data:
            data["why"] = {code: _insert_names(words, names) for code, words in data["why_by_seat"].items()}
        self._write(number, data)

    def of_upload(self, upload: str) -> int | None:
        """Return the number of the table that was kept of that upload, if it is one of the newest."""
        for number in self.list_numbers()[::-1][:_LATEST]:
            with suppress(DeviceError):
                if self.read_table(number).data.get("upload") == upload:
                    return number
        return None

    def delete(self, number: int) -> None:
        """Delete a scored table and its picture.

        Raises:
            DeviceError: there is none, or it can't be deleted.
        """
        if number not in self.list_numbers():
            self.read_table(number)
        try:
            self._get_path(number, "jpg").unlink(missing_ok=True)
            self._get_path(number, "json").unlink()
        except OSError as error:
            words = Text(
                "The scored table s{number} can't be deleted: {reason}.", number=number, reason=reason_of(error)
            )
            raise DeviceError(words) from error

    def _get_path(self, number: int, ending: str) -> Path:
        return self._folder / f"{number:05d}.{ending}"

    def _drop_oldest(self) -> None:
        """Delete the oldest pictures where all of them take too much room."""
        room = MOST_PICTURES_BYTES
        for path in sorted(self._folder.glob("*.jpg"), reverse=True):
            room -= path.stat().st_size
            if room < 0:
                path.unlink(missing_ok=True)


def scored_line(table: ScoredTable) -> dict[str, Any]:
    """Return a kept table as ``sevenmat games --json`` lists it."""
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


def scored_csv(table: ScoredTable, language: Language) -> str:
    """Write a kept table as CSV, a row for each thing that lies there."""
    return as_csv(COLUMNS, ([row[column] for column in COLUMNS] for row in scored_rows(table, language)))


def as_csv(head: Iterable[Any], rows: Iterable[Iterable[Any]]) -> str:
    """Write a sheet as CSV that spreadsheets open by a double click: a mark tells Excel that it is UTF-8."""
    sheet = io.StringIO("\ufeff")
    sheet.seek(0, io.SEEK_END)
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerows([guard_cell(one) if isinstance(one, str) else one for one in row] for row in (head, *rows))
    return sheet.getvalue()


def guard_cell(text: str) -> str:
    """Write a cell that no spreadsheet takes for a formula, in either width of letters.

    >>> guard_cell("=1+1"), guard_cell("\uff1d1"), guard_cell("Ada")
    ("'=1+1", "'\uff1d1", 'Ada')
    """
    return f"'{text}" if text.lstrip()[:1] in _FORMULA else text


def scored_rows(table: ScoredTable, language: Language) -> Iterator[dict[str, Any]]:
    """One row for each thing that lies there, and one for who has nothing."""
    data = table.data
    for who, tally in zip(data["players"], data["tallies"], strict=True):
        row = {
            "seat": tally["seat"],
            "player": kept_in(who, language),
            "winner": int(tally["seat"] in data["winners"]),
            "total": tally["points"],
            "group": "",
            "what": "",
            "points": "",
        }
        items = [(group, item) for group, some in tally["groups"].items() for item in some]
        for group, item in items:
            yield {**row, "group": group, "what": kept_in(item, language), "points": item["points"]}
        if not items:
            yield row


def _insert_names(words: str, names: Sequence[str]) -> str:
    """Words with the names in place of the seats' marks."""
    return re.sub("\u27e6([0-9]+)\u27e7", lambda found: names[int(found[1]) - 1], words)


def _rename_seat(who: Mapping[str, str], seat: int, name: str, into: str | None) -> Mapping[str, str]:
    if not _is_of(who, name):
        return who
    return each_json(Text("Seat {seat}", seat=seat) if into is None else verbatim(into))


def _is_of(who: Mapping[str, str], name: str) -> bool:
    return name_key(name) in map(name_key, who.values())


def _hash_text(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
