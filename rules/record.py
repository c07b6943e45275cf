"""Records of games as text (FORMATS.md, "Record"): reading, writing and checking them line by line.

A record is JSON Lines: a header, then a move a line, as the header's game writes it. A line whose ``do`` is
``CORRECTION`` is no move: players corrected by hand what was agreed. ``by_hand`` says how. With ``position``, a saved
position, the game goes on from there; otherwise the line only tells what was done (a card named, a turn taken back)
and changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from rules.game import Move, Options, Rules
from rules.parsing import BadRecordError, HeaderError, is_text, key_words, quote_value
from rules.plain import is_plain
from rules.refusal import Illegal, Refusal, bad_record
from rules.registry import load_games
from rules.text import Language, Text, in_context

VERSION = 1
CORRECTION = "correction"

LONGEST_LINE = 1 << 20
"""Letters that a line may have: a position saved by hand late in a game takes some 10,000, a move 200."""

_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Header:
    """A record's first line: which game, who plays, and what else it was begun with."""

    game: str
    players: tuple[str, ...]
    options: Options = field(default_factory=dict)


def header_line(header: Header) -> str:
    """Write the first line of a record."""
    return _write_line({"game": header.game, "version": VERSION, "players": list(header.players), **header.options})


def move_line(move: Move) -> str:
    """Write a move as a line of a record."""
    return _write_line(move.to_json())


def _write_line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)


def is_foreign(text: str) -> bool:
    """Tell whether a line held bytes that are no UTF-8; they are
    surrogates in it, as ``surrogateescape`` makes them.
    """
    return any("\udc80" <= letter <= "\udcff" for letter in text)


def read_object(text: str) -> dict[str, Any]:
    """Read the JSON object that a line holds.

    Raises:
        BadRecordError: it holds none.
    """
    if is_foreign(text):
        raise BadRecordError(Text("it is no UTF-8 text"))
    if len(text) > LONGEST_LINE:
        raise BadRecordError(Text("it is longer than {longest_line:,} letters", longest_line=LONGEST_LINE))
    if not text.strip():
        raise BadRecordError(Text("it is empty and so no JSON object"))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise BadRecordError(Text("the line is no JSON object"))
    return data


def read_header(text: str) -> Header:
    """Read the header that a line holds.

    Raises:
        BadRecordError: it lacks or misspells something.
    """
    return header_in(read_object(text))


def header_in(data: dict[str, Any]) -> Header:
    """Read the header that a line's object stands for.

    Raises:
        BadRecordError: it lacks or misspells something, or there is no such game.
        HeaderError: the same, in a game that has a decisive option.
    """
    rules = _rules_in(data)
    try:
        return _header_of(data, rules)
    except BadRecordError as fault:
        if any(option.decisive for option in rules.options):
            raise HeaderError(fault.text) from None
        raise


def _header_of(data: dict[str, Any], rules: Rules) -> Header:
    """Read the header of a game that is known."""
    needed = [option.key for option in rules.options if not option.optional]
    for key in ("version", "players", *needed):
        _require_key(data, key)
    if type(data["version"]) is not int or data["version"] != VERSION:
        quoted = quote_value(data["version"])
        raise BadRecordError(Text("'version' must be {version}, not {told}", version=VERSION, told=quoted))
    players = players_in(data["players"], rules)
    options = {option.key: data[option.key] for option in rules.options if option.key in data}
    for option in rules.options:
        if option.key in options:
            option.check(options[option.key], players)
    return Header(rules.name, players, options)


def _require_key(data: dict[str, Any], key: str) -> None:
    if key not in data:
        raise BadRecordError(Text("the header lacks {key!r}", key=key))


def _rules_in(data: dict[str, Any]) -> Rules:
    _require_key(data, "game")
    name, known = data["game"], load_games()
    if isinstance(name, str) and name in known:
        return known[name]
    *others, last = map(key_words, known)
    if others:
        names = reduce(lambda row, name: in_context("or", "{names}, {name}", names=row, name=name), others)
        last = Text("{names} or {last}", names=names, last=last)
    raise BadRecordError(Text("'game' must be {names}, not {told}", names=last, told=quote_value(name)))


def players_in(players: object, rules: Rules) -> tuple[str, ...]:
    """Read the names of a game's players.

    Raises:
        BadRecordError: these are no names, or not so many can play.
    """
    if not isinstance(players, list) or not all(isinstance(name, str) and is_text(name) for name in players):
        raise BadRecordError(Text("'players' must be a list of names"))
    if not all(map(is_plain, players)):
        raise BadRecordError(Text("a name in 'players' holds a control character"))
    if any(len(name) > _LONGEST_NAME for name in players):
        raise BadRecordError(Text("a name in 'players' is longer than {most} letters", most=_LONGEST_NAME))
    if len(players) not in rules.seats:
        least, most = rules.seats[0], rules.seats[-1]
        cause = Text("'players' must be {count} names, not {told}", count=most, told=len(players))
        if most > least:
            cause = Text(
                "'players' must be {least} to {most} names, not {told}", least=least, most=most, told=len(players)
            )
        raise BadRecordError(cause)
    return tuple(players)


def refusal_json(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal as the check prints it: code, other codes, cards and the words in both languages."""
    return {
        "code": refusal.code,
        "also": list(refusal.also),
        "cards": [*map(str, refusal.cards)],
        "text": refusal.text.said(Language.EN),
        "text_ja": refusal.text.said(Language.JA),
    }


def check_record(lines: Iterable[str], rules: Rules | None = None) -> Iterator[dict[str, Any]]:
    """Judge a record line by line, as ``sevenmat check --json`` prints it.

    One object a line of the record from the second on, ``{"line": 2, "verdict": "accepted"}`` or ``refused`` with
    code and words; the header only where it can't be used. A refused move is left out and the check goes on. The
    last object has the final points, the winners and the end's reason, both ``None`` while the game is not over; the
    points too where there is no usable header. Empty lines at the end are no lines.

    Args:
        lines: the record's lines, with or without their ends.
        rules: judge by these in place of the game's own, with house papers, say.

    Raises:
        HeaderError: nothing can be judged, by the rules of the header's game.
    """
    texts = [line.rstrip("\r\n") for line in lines]
    while texts and not texts[-1].strip():
        texts.pop()
    header, position = None, None
    try:
        header = read_header(texts[0].removeprefix("\ufeff") if texts else "")
        rules = rules or load_games()[header.game]
        position = rules.start(header.players, header.options)
    except HeaderError:
        raise
    except BadRecordError as fault:
        yield _report_refusal(1, _report_bad(fault.text))
    for number, text in enumerate(texts[1:], 2):
        if header is None or rules is None:
            yield _report_refusal(number, _explain_unreadable(text))
            continue
        try:
            position = _apply_line(position, read_object(text), header, rules)
        except BadRecordError as fault:
            yield _report_refusal(number, _report_bad(fault.text))
        except Illegal as fault:
            yield _report_refusal(number, fault.refusal)
        else:
            yield {"line": number, "verdict": "accepted"}
    yield rules.report_result(position) if rules is not None and header is not None else _NO_RESULT


_NO_RESULT = {"final": None, "winners": None, "end": None}


def _apply_line(position: Any, data: dict[str, Any], header: Header, rules: Rules) -> Any:
    """Return the position after a line of a record."""
    if data.get("do") == CORRECTION:
        saved = data.get("position")
        return position if saved is None else rules.read_correction(saved, header.players, header.options)
    return position.do(rules.read_move(data))


def _explain_unreadable(text: str) -> Refusal:
    """Say why a line of a record without a usable header is refused."""
    try:
        read_object(text)
    except BadRecordError as fault:
        return _report_bad(fault.text)
    return _report_bad(Text("the record has no usable header"))


def _report_bad(cause: Text) -> Refusal:
    return Refusal.from_reasons(("bad_record",), bad_record(cause))


def _report_refusal(number: int, refusal: Refusal) -> dict[str, Any]:
    return {"line": number, "verdict": "refused", **refusal_json(refusal)}
