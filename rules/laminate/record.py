"""Records of games as text (FORMATS.md, "Record"): reading, writing and checking them line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rules import refusal as common
from rules.cards import DECK, mask_of
from rules.laminate import refusals as because
from rules.laminate.moves import BadRecordError, Move, is_text, move_from_json, quoted
from rules.laminate.papers import LAMINATE, Papers
from rules.laminate.position import Phase, Position
from rules.plain import is_plain
from rules.refusal import Refusal
from rules.text import Text

GAME = "laminate"
VERSION = 1
CORRECTION = "correction"
"""What the ``do`` of a line says that is no move: players corrected by hand what was agreed.

``by_hand`` says how. With ``position``, a saved position, the game goes on from there; otherwise the line only tells
what was done (a card named, a turn taken back) and changes nothing.
"""

LONGEST_LINE = 1 << 20
"""Letters that a line may have: a position saved by hand late in a game takes some 10,000, a move 200."""

_LONGEST_NAME = 200
_MOST_STEPS = 5_000
"""Steps of public knowledge that a saved position may hold. A game comes to 250, twice as many for each reshuffle that
leaves two histories open."""

_MOST_STEPS_AT_A_STRETCH = 1_000
_DEEPEST = 8
_MOST_PAPERS = 100


@dataclass(frozen=True, slots=True)
class Header:
    """A record's first line: who plays and who starts."""

    players: tuple[str, ...]
    first_seat: int


def header_line(players: Sequence[str], first_seat: int) -> str:
    """The first line of a record."""
    return _line({"game": GAME, "version": VERSION, "players": list(players), "first_seat": first_seat})


def move_line(move: Move) -> str:
    """A move as a line of a record."""
    return _line(move.to_json())


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)


def is_foreign(text: str) -> bool:
    """Whether a line held bytes that are no UTF-8; they are surrogates in it, as ``surrogateescape`` makes them."""
    return any("\udc80" <= letter <= "\udcff" for letter in text)


def read_object(text: str) -> dict[str, Any]:
    """The JSON object that a line holds.

    Raises:
        BadRecordError: it holds none.
    """
    if is_foreign(text):
        raise BadRecordError("it is no UTF-8 text", "UTF-8のテキストではありません")
    if len(text) > LONGEST_LINE:
        raise BadRecordError(
            f"it is longer than {LONGEST_LINE:,} letters", f"1行が{LONGEST_LINE:,}文字より長くなっています"
        )
    if not text.strip():
        raise BadRecordError("it is empty and so no JSON object", "空行なので、JSONオブジェクトではありません")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise BadRecordError("the line is no JSON object", "JSONオブジェクトではありません")
    return data


def read_header(text: str) -> Header:
    """The header that a line holds.

    Raises:
        BadRecordError: it lacks or misspells something.
    """
    data = read_object(text)
    for key in ("game", "version", "players", "first_seat"):
        if key not in data:
            raise BadRecordError(f"the header lacks {key!r}", f"見出しに{key}がありません")
    if data["game"] != GAME:
        told = quoted(data["game"])
        raise BadRecordError(f"'game' must be {GAME!r}, not {told}", f"gameは{GAME}です：{told}")
    if data["version"] != VERSION or isinstance(data["version"], bool):
        raise BadRecordError(f"'version' must be {VERSION}, not {quoted(data['version'])}", f"versionは{VERSION}です")
    players = data["players"]
    if not isinstance(players, list) or not all(isinstance(name, str) and is_text(name) for name in players):
        raise BadRecordError("'players' must be a list of names", "playersは名前の並びです")
    if not all(map(is_plain, players)):
        raise BadRecordError("a name in 'players' holds a control character", "playersの名前に制御文字があります")
    if any(len(name) > _LONGEST_NAME for name in players):
        cause = f"a name in 'players' is longer than {_LONGEST_NAME} letters"
        raise BadRecordError(cause, f"playersに{_LONGEST_NAME}文字より長い名前があります")
    if not 3 <= len(players) <= 5:
        raise BadRecordError(f"'players' must be 3 to 5 names, not {len(players)}", "playersは3人から5人です")
    first = data["first_seat"]
    if not isinstance(first, int) or isinstance(first, bool) or not 1 <= first <= len(players):
        told = quoted(first)
        raise BadRecordError(f"'first_seat' is no seat: {told}", f"first_seatが席番号ではありません：{told}")
    return Header(tuple(players), first)


def read_move(text: str) -> Move:
    """The move that a line holds.

    Raises:
        BadRecordError: it lacks or misspells something.
    """
    return move_from_json(read_object(text))


def read_correction(data: dict[str, Any], header: Header, catalogue: Papers = LAMINATE) -> Position | None:
    """The position that a correction by hand sets, ``None`` for one that sets none.

    Raises:
        BadRecordError: no such position can come up in this game.
    """
    saved = data.get("position")
    if saved is None:
        return None
    try:
        position = Position.from_json(saved, catalogue) if _is_bounded(saved) else None
        sound = position is not None and _is_sound(position, saved, header)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        sound = False
    if not sound:
        raise BadRecordError("'position' is none of this game", "positionがこのゲームの局面ではありません")
    return position


def _is_bounded(saved: dict[str, Any]) -> bool:
    """Whether a saved position is no larger than one of a game, so that reading it takes no longer either."""
    cards = [saved["discards"], *(paper["cards"] for area in saved["areas"] for paper in area)]
    return (
        len(saved["areas"]) <= 5
        and len(cards) <= _MOST_PAPERS
        and all(len(some) <= len(DECK) for some in cards)
        and 0 < _steps(saved["known"]) <= _MOST_STEPS
    )


def _steps(known: Sequence[Any], depth: int = 0) -> int:
    """How many steps saved knowledge holds, those of its two histories included; 0 where it is too long or deep."""
    count = len(known)
    if depth > _DEEPEST or count > _MOST_STEPS_AT_A_STRETCH:
        return 0
    for name, *rest in known:
        for log in rest if name == "either" else ():
            inner = _steps(log, depth + 1)
            if not inner:
                return 0
            count += inner
        if name != "either" and any(len(some) > len(DECK) for some in rest if isinstance(some, list)):
            return 0
    return count


def _is_sound(position: Position, saved: dict[str, Any], header: Header) -> bool:
    """Whether a saved public position holds every card once, with the numbers that go with it."""
    n = len(header.players)
    known = position._known
    cards = [card for paper in position.papers for card in paper.cards]
    cards += [card for card in position.discards if card is not None]
    counts = [position.draw_count, *saved["sizes"], position.discards.count(None)]
    numbers = [*counts, saved["seat"], saved["passes"]]
    numbers += [saved[key] for key in ("turns_left", "flag_seat") if saved[key] is not None]
    kinds = [(paper.seat, paper.kind) for paper in position.papers]
    return (
        (position.players, position.first_seat) == (header.players, header.first_seat)
        and position.phase is not Phase.SETUP
        and not position.full
        and known is not None
        and all(isinstance(number, int) and not isinstance(number, bool) and number >= 0 for number in numbers)
        and isinstance(saved["met"], bool)
        and len(saved["sizes"]) == len(saved["areas"]) == n
        and 1 <= saved["seat"] <= n
        and (saved["flag_seat"] is None or 1 <= saved["flag_seat"] <= n)
        and (position.phase is Phase.OVER) == (position.outcome is not None)
        and len(kinds) == len(set(kinds))
        and all(kind in position.catalogue and position.supply(kind) >= 0 for _, kind in kinds)
        and all(paper.cards for paper in position.papers)
        and known.consistent
        and known.under == n + 1
        and [known.count(place) for place in range(n + 2)] == counts
        and len(set(cards)) == len(cards) == len(DECK) - sum(counts)
        and not any(known.possible(place, mask_of(cards)) for place in range(n + 2))
    )


def refusal_json(refusal: Refusal) -> dict[str, Any]:
    """A refusal as the check prints it: code, other codes, cards and the words in both languages."""
    return {
        "code": refusal.code,
        "also": list(refusal.also),
        "cards": [*map(str, refusal.cards)],
        "text": refusal.text.en,
        "text_ja": refusal.text.ja,
    }


def check_record(lines: Iterable[str], catalogue: Papers = LAMINATE) -> Iterator[dict[str, Any]]:
    """Judge a record line by line, as ``sevenmat check --json`` prints it.

    One object a line of the record from the second on, ``{"line": 2, "verdict": "accepted"}`` or ``refused`` with
    code and words; the header only where it can't be used. A refused move is left out and the check goes on. The
    last object has the final points by seat, the winners and the end's reason, both ``None`` while the game is not
    over; the points too where there is no usable header. Empty lines at the end are no lines.
    """
    texts = [line.rstrip("\r\n") for line in lines]
    while texts and not texts[-1].strip():
        texts.pop()
    position: Position | None = None
    header: Header | None = None
    try:
        header = read_header(texts[0].removeprefix("\ufeff") if texts else "")
        position = Position.start(header.players, header.first_seat, catalogue)
    except BadRecordError as fault:
        yield _refused(1, _bad(fault))
    for number, text in enumerate(texts[1:], 2):
        try:
            data = read_object(text)
            corrects = data.get("do") == CORRECTION
            corrected = read_correction(data, header, catalogue) if corrects and header is not None else None
            move = None if corrects else move_from_json(data)
        except BadRecordError as fault:
            yield _refused(number, _bad(fault))
            continue
        if position is None:
            cause = Text("the record has no usable header", "使える見出しの行がありません")
            yield _refused(number, Refusal.of(because.CODES, common.bad_record(cause)))
            continue
        if move is None:
            position = position if corrected is None else corrected
            yield {"line": number, "verdict": "accepted"}
            continue
        refusal = position.verify(move)
        if refusal is not None:
            yield _refused(number, refusal)
            continue
        position = position.do(move)
        yield {"line": number, "verdict": "accepted"}
    yield _end(position)


def _bad(fault: BadRecordError) -> Refusal:
    return Refusal.of(because.CODES, common.bad_record(Text(fault.en, fault.ja)))


def _refused(number: int, refusal: Refusal) -> dict[str, Any]:
    return {"line": number, "verdict": "refused", **refusal_json(refusal)}


def _end(position: Position | None) -> dict[str, Any]:
    if position is None:
        return {"final": None, "winners": None, "end": None}
    outcome = position.outcome
    if outcome is None:
        return {"final": list(position.points), "winners": None, "end": None}
    return {"final": list(outcome.points), "winners": list(outcome.winners), "end": outcome.reason.value}
