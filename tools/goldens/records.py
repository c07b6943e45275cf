"""Verdicts of the rules alone: shared records, stored playthroughs, and both of them spoilt in many ways."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.goldens.checkout import Room, SkippedError
from tools.goldens.compare import Harvest, Item

_CARDS = [f"{suit}{rank}" for suit, low in zip("HOBCSTF", range(1, 8), strict=True) for rank in range(low, low + 7)]
_PAPERS = (
    "straight5", "straight7", "straight9", "straight11", "three", "five", "three_pairs", "four_pairs", "triple_threes",
    "straight_flush4", "straight_flush6", "sum49", "sum100", "ace_king", "all_even", "end_flag",
)  # fmt: skip
SPOILT = 240
"""How many spoilt records are judged."""

Lines = list[str]


def shared_records(room: Room) -> Harvest:
    """Each record that lies beside the checkouts, whole, as JSON and in words of both languages."""
    files = record_files(room)
    found: dict[str, Item] = {path.stem: _checked(room, f"shared/records/{path.name}") for path in files}
    for language in ("en", "ja"):
        names = [f"shared/records/{path.name}" for path in files]
        found[f"all, in words, {language}"] = room.sevenmat("check", *names, "--language", language, code=(0, 1)).text
    return found


def record_files(room: Room) -> list[Path]:
    """The shared records.

    Raises:
        SkippedError: there are none.
    """
    files = sorted((room.shared / "records").glob("*.jsonl")) if room.shared is not None else []
    files = [path for path in files if not path.stem.endswith(".expect")]
    if not files:
        raise SkippedError("no shared/records beside the checkout")
    return files


def _checked(room: Room, name: str) -> str:
    return room.sevenmat("check", name, "--json", code=(0, 1)).text


def playthroughs(room: Room) -> Harvest:
    """The games that the older checkout's conformance tests have stored, as records."""
    records = room.given.once("playthroughs", _give_playthroughs)
    return {path.stem: _checked(room, f"given/playthroughs/{path.name}") for path in sorted(records.glob("*.jsonl"))}


def _give_playthroughs(room: Room) -> None:
    stored = sorted((room.checkout.folder / "tests" / "rules" / "playthroughs").glob("*.jsonl"))
    if not stored:
        raise SkippedError("no playthroughs in tests/rules/playthroughs of the older checkout")
    for path in stored:
        first, *others = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        record = [{"game": path.stem, "version": 1, **first}, *(line["move"] for line in others)]
        (room.folder / path.name).write_text("".join(f"{json.dumps(line)}\n" for line in record), encoding="utf-8")


def spoilt_records(room: Room) -> Harvest:
    """Records with lines changed, dropped, doubled and swapped: most refusals there are, many at a time."""
    spoilt = room.given.once("spoilt", _give_spoilt)
    names = sorted(path.name for path in spoilt.glob("*.jsonl"))
    found: dict[str, Item] = {}
    for start in range(0, len(names), 20):
        some = [f"given/spoilt/{name}" for name in names[start : start + 20]]
        found[f"{names[start]} and on"] = room.sevenmat("check", *some, "--json", code=(0, 1)).text
    return found


def _give_spoilt(room: Room) -> None:
    try:
        files = record_files(room)
    except SkippedError:
        files = []
    files += sorted(room.given.once("playthroughs", _give_playthroughs).glob("*.jsonl"))
    games = [path.read_text(encoding="utf-8").splitlines() for path in files]
    for number, lines in enumerate(spoil(games, SPOILT)):
        (room.folder / f"{number:03d}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def spoil(games: Sequence[Lines], count: int) -> Iterator[Lines]:
    """So many spoilt records, each of one of the games, the same whenever it is asked."""
    for number in range(count):
        chance = random.Random(f"spoilt {number}")
        lines = list(games[number % len(games)])
        for _ in range(chance.choice((1, 1, 2, 3, 8))):
            _SPOIL[chance.randrange(len(_SPOIL))](lines, chance)
        yield lines


def _at(lines: Lines, chance: random.Random) -> int:
    return chance.randrange(1, len(lines)) if len(lines) > 1 else 0


def _drop(lines: Lines, chance: random.Random) -> None:
    if len(lines) > 2:
        del lines[_at(lines, chance)]


def _double(lines: Lines, chance: random.Random) -> None:
    at = _at(lines, chance)
    lines.insert(at, lines[at])


def _swap(lines: Lines, chance: random.Random) -> None:
    a, b = _at(lines, chance), _at(lines, chance)
    lines[a], lines[b] = lines[b], lines[a]


def _cut(lines: Lines, chance: random.Random) -> None:
    del lines[max(2, _at(lines, chance)) :]


def _garble(lines: Lines, chance: random.Random) -> None:
    at = _at(lines, chance)
    lines[at] = chance.choice((lines[at][:-3], "[]", "7", "", "{}", '{"do":"fly"}', "\u00e9\u3042{", lines[at] + "}"))


def _header(lines: Lines, chance: random.Random) -> None:
    header = json.loads(lines[0])
    key = chance.choice(list(header))
    lines[0] = json.dumps({**header, key: chance.choice((None, 0, 9, "x", [], ["A", "A", "B"], ["A"], {}))})


def _change(change: Callable[[dict[str, Any], random.Random], None]) -> Callable[[Lines, random.Random], None]:
    """Change one move of a record, where that is possible."""

    def spoil_one(lines: Lines, chance: random.Random) -> None:
        at = _at(lines, chance)
        try:
            move = json.loads(lines[at])
        except ValueError:
            return
        if isinstance(move, dict) and move:
            change(move, chance)
            lines[at] = json.dumps(move)

    return spoil_one


def _value(move: dict[str, Any], chance: random.Random) -> None:
    move[chance.choice(list(move))] = chance.choice((None, 0, 2, -1, 1.5, "X", "H9", [], ["H1"], {}, True))


def _lacks(move: dict[str, Any], chance: random.Random) -> None:
    del move[chance.choice(list(move))]


def _more(move: dict[str, Any], chance: random.Random) -> None:
    key, value = chance.choice(
        (
            ("keep", chance.choice(_CARDS)),
            ("discard", chance.choice(_CARDS)),
            ("card", "S8"),
            ("why", "so"),
            ("seat", 1),
        )
    )
    move[key] = value


def _seat(move: dict[str, Any], chance: random.Random) -> None:
    move["seat"] = chance.randrange(0, 7)


def _card(move: dict[str, Any], chance: random.Random) -> None:
    for key in ("cards", "keep", "discard", "take", "card"):
        if isinstance(move.get(key), str) and chance.random() < 0.7:
            move[key] = chance.choice(_CARDS)
        elif isinstance(move.get(key), list) and move[key]:
            cards = move[key]
            how = chance.randrange(3)
            if how == 0:
                cards[chance.randrange(len(cards))] = chance.choice(_CARDS)
            elif how == 1:
                cards.append(chance.choice(_CARDS))
            else:
                cards.pop()


def _paper(move: dict[str, Any], chance: random.Random) -> None:
    if "paper" in move:
        move["paper"] = chance.choice(_PAPERS)


def _cite(move: dict[str, Any], chance: random.Random) -> None:
    if move.get("do") == "publish":
        cited = {"seat": chance.randrange(1, 5), "paper": chance.choice(_PAPERS)}
        move["cite"] = chance.choice(
            ([cited], [cited, cited], [*move.get("cite", []), cited], move.get("cite", [])[:-1])
        )


def _pay(move: dict[str, Any], chance: random.Random) -> None:
    if move.get("do") == "publish":
        seat = str(chance.randrange(1, 5))
        move["pay"] = chance.choice(
            ({}, {seat: 1}, {seat: 2}, {seat: [chance.choice(_CARDS)]}, {"9": 1}, {seat: 0}, [])
        )


def _act(move: dict[str, Any], chance: random.Random) -> None:
    seat = move.get("seat", 1)
    another = chance.choice(
        (
            {"do": "pass"},
            {"do": "end_flag", "card": chance.choice(_CARDS)},
            {"do": "research", "source": chance.choice(("deck", "discard", "hand")), "keep": chance.choice(_CARDS)},
            {
                "do": "review",
                "of": chance.randrange(1, 5),
                "paper": chance.choice(_PAPERS),
                "take": chance.choice(_CARDS),
            },
            {"do": "publish", "paper": chance.choice(_PAPERS), "cards": chance.sample(_CARDS, chance.randrange(1, 6))},
            {"do": "setup", "discard": chance.choice(_CARDS)},
        )
    )
    move.clear()
    move.update({"seat": seat, **another})


_SPOIL: tuple[Callable[[Lines, random.Random], None], ...] = (
    _drop, _double, _swap, _cut, _garble, _header,
    *map(_change, (_value, _lacks, _more, _seat, _seat, _card, _card, _card, _paper, _paper, _cite, _cite, _pay, _act)),
)  # fmt: skip
