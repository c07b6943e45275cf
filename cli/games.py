"""``sevenmat games``: what the journal holds, listed, shown in words, exported as records, deleted, or gone on with."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from cli.scored import delete_scored, export_scored, list_scored, show_scored
from device.errors import DeviceError
from device.files import replace_file
from device.session.retelling import history_of, retell_turns, summarise_game
from device.speech import Language, say, text_json, text_of, yes_or_no
from device.storage.journal import Journal, Kept, UnknownGameError, UnreadableGameError
from device.storage.scored import ScoredTables
from referee.history import MOVE
from rules.plain import escape_line
from rules.record import check_record
from rules.text import Text, join_row, player, verbatim

# --- the command


def list_games(journal: Journal, as_json: bool, language: Language, empty: bool = True) -> int:
    """Print all games, the oldest first; where there are none, that is said if ``empty``. Returns the exit code."""
    going_on = journal.going_on
    games, unreadable = journal.list_games(), journal.list_unreadable()
    for kept in games:
        line = summarise_game(journal, kept, going_on is not None and kept.number == going_on.number)
        print(json.dumps(line, ensure_ascii=False) if as_json else _format_plainly(kept, line, language))
    for number in unreadable:
        error = UnreadableGameError(number)
        line = {"game": number, "state": "unreadable", **text_json(error.text)}
        print(json.dumps(line, ensure_ascii=False) if as_json else f"{number:4d}  {say(error, language)}")
    return 0 if games or unreadable or not empty else _list_none(as_json, language)


def _list_none(as_json: bool, language: Language) -> int:
    if not as_json:
        print(Text("There are no games in the journal.").said(language))
    return 0


def _format_plainly(kept: Kept, line: dict[str, Any], language: Language) -> str:
    players, points = kept.opening.players, line["points"] or []
    by_seat = points if len(points) == len(players) else [None] * len(players)
    scores = [
        f"{name}{'' if count is None else f' {count}'}{'★' if seat in (line['winners'] or ()) else ''}"
        for seat, (name, count) in enumerate(zip(players, by_seat, strict=True), 1)
    ]
    words = _STATES[line["state"]]
    if isinstance(line.get("to_move"), int):
        who = player(players[line["to_move"] - 1])
        words = Text("{who} to move", who=who)
    if line["goes_on"]:
        words = Text("{words} (the game to go on with)", words=words)
    if points and by_seat != points:
        sides = reduce(lambda before, side: Text("{before} : {side}", before=before, side=side), points)
        words = Text("{points}  {words}", points=sides, words=words)
    when = f"{kept.started.astimezone():%Y-%m-%d %H:%M}"
    names = join_row(map(verbatim, scores))
    return f"{kept.number:4d}  {when}  {names.said(language)}  {words.said(language)}"


_STATES = {
    "over": Text("over"),
    "setup": Text("before the set-up"),
    "play": Text("going on"),
    "unreadable": Text("can't be followed"),
}


def show_game(journal: Journal, number: int, as_json: bool, language: Language) -> int:
    """Print a game move by move in words. Returns the exit code.

    Raises:
        DeviceError: there is no such game, or it can't be followed.
    """
    kept, entries = journal.read_game(number), journal.read_entries(number)
    if not as_json:
        goes_on = (going_on := journal.going_on) is not None and going_on.number == number
        print(_format_plainly(kept, summarise_game(journal, kept, goes_on), language))
    for told in retell_turns(kept, entries):
        if as_json:
            line = {"entry": told.number, "kind": told.entry.kind, **text_json(told.words)}
            if told.entry.kind == MOVE:
                line["move"] = told.entry.data["move"]
            print(json.dumps(line, ensure_ascii=False))
        else:
            print(f"{told.number:4d}  {told.words.said(language)}")
    return 0


def export_game(journal: Journal, number: int, out: Path, language: Language) -> int:
    """Write a game as a record and check it by the rules. Returns the exit code: 1 where the rules refuse a line.

    Raises:
        DeviceError: there is no such game, it can't be followed, or the file can't be written.
    """
    lines = history_of(journal.read_game(number), journal.read_entries(number)).write_record()
    with replace_file(out) as unfinished:
        unfinished.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    refused = [verdict for verdict in check_record(lines) if verdict.get("verdict") == "refused"]
    for verdict in refused:
        print(f"{escape_line(str(out))}:{verdict['line']}: {verdict['code']}: {text_of(verdict, language)}")
    return 1 if refused else 0


def delete_game(journal: Journal, number: int, sure: Callable[[str], bool], language: Language) -> int:
    """Delete a game where ``sure`` says yes to the question it is asked. Returns the exit code.

    Raises:
        DeviceError: there is no such game, or it could not be deleted.
    """
    try:
        names = journal.read_game(number).opening.players
    except UnreadableGameError:
        names = ("?",)
    question = Text("Delete game {number} ({names})? [y/N] ", number=number, names=join_row(map(verbatim, names)))
    if not sure(question.said(language)):
        return 1
    journal.delete(number)
    return 0


def resume_game(journal: Journal, number: int, language: Language) -> int:
    """Make a game the one to go on with at the next start. Returns the exit code.

    Raises:
        DeviceError: there is no such game, it can't be followed, or it is over.
    """
    kept = journal.read_game(number)
    if history_of(kept, journal.read_entries(number)).over:
        raise DeviceError("Game {number} is over; 'sevenmat games show {number}' tells how it went.", number=number)
    journal.go_on_with(number)
    goes_on = Text("Game {number} goes on when Sevenmat is started next (sevenmat run).", number=number)
    print(goes_on.said(language))
    return 0


def ask(question: str) -> bool:
    """Ask at the terminal.

    Raises:
        DeviceError: there is nobody to ask.
    """
    if not sys.stdin.isatty():
        raise DeviceError("Deleting asks first, and nobody is there to answer: say --yes.")
    return yes_or_no(input(question)) == "yes"


@dataclass(frozen=True, slots=True)
class Scored:
    """A scored table by its number, as the list names it: ``s1``."""

    number: int


def _handle_scored(
    state: Path,
    what: str,
    number: int,
    out: Path | None,
    as_json: bool,
    sure: Callable[[str], bool],
    language: Language,
) -> int:
    if out is not None:
        return export_scored(state, number, out, language)
    if what == "delete":
        return delete_scored(state, number, sure, language)
    if what == "resume":
        raise DeviceError(
            "s{number} is a scored table, not a game: it can't go on; 'sevenmat games show s{number}' tells it.",
            number=number,
        )
    return show_scored(state, number, as_json, language)


def games_command(
    state: Path,
    what: str,
    number: int | Scored | None,
    out: Path | None,
    as_json: bool,
    sure: Callable[[str], bool],
    language: Language,
) -> int:
    """``sevenmat games``: do ``what`` with the journal and the scored tables in the state folder.

    Returns the exit code.

    Raises:
        DeviceError: it can't be done as asked.
    """
    usage = {"list": "", "export": " ID OUT.jsonl"}.get(what, " ID")
    if (number is not None) + (out is not None) != len(usage.split()):
        raise DeviceError(
            "Write it as 'sevenmat games {what}{usage}'; 'sevenmat games' lists the games there are.",
            what=what,
            usage=usage,
        )
    if isinstance(number, Scored):
        return _handle_scored(state, what, number.number, out, as_json, sure, language)
    if not Journal.has_games(state):
        if number is not None:
            raise UnknownGameError(number)
        return 0 if list_scored(state, as_json, language) else _list_none(as_json, language)
    with Journal.open(state) as journal:
        if journal.set_aside is not None:
            aside = journal.set_aside
            print(f"sevenmat: {aside.text.said(language)}", file=sys.stderr)
        if number is None:
            code = list_games(journal, as_json, language, empty=not ScoredTables(state).list_numbers())
            list_scored(state, as_json, language)
            return code
        if out is not None:
            return export_game(journal, number, out, language)
        if what == "delete":
            return delete_game(journal, number, sure, language)
        if what == "resume":
            return resume_game(journal, number, language)
        return show_game(journal, number, as_json, language)
