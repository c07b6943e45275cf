"""Verdicts of the rules alone: shared records, stored playthroughs, and both of them spoilt in many ways."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from tools.fuzz.mutate import lines_mixed
from tools.goldens.checkout import Room, SkippedError
from tools.goldens.compare import Harvest, Item

SPOILT = 240
"""How many spoilt records are judged."""

Lines = list[str]


def shared_records(room: Room) -> Harvest:
    """Check each record that lies beside the checkouts, whole, as JSON and in words of both languages."""
    files = record_files(room)
    found: dict[str, Item] = {path.stem: _check_record(room, f"shared/records/{path.name}") for path in files}
    for language in ("en", "ja"):
        names = [f"shared/records/{path.name}" for path in files]
        found[f"all, in words, {language}"] = room.run_sevenmat(
            "check", *names, "--language", language, code=(0, 1)
        ).text
    return found


def record_files(room: Room) -> list[Path]:
    """List the shared records.

    Raises:
        SkippedError: there are none.
    """
    files = sorted((room.shared / "records").glob("*.jsonl")) if room.shared is not None else []
    files = [path for path in files if not path.stem.endswith(".expect")]
    if not files:
        raise SkippedError("no shared/records beside the checkout")
    return files


def _check_record(room: Room, name: str) -> str:
    return room.run_sevenmat("check", name, "--json", code=(0, 1)).text


def collect_playthroughs(room: Room) -> Harvest:
    """Collect the games that the older checkout's conformance tests have stored, as records."""
    records = room.given.make_once("playthroughs", _give_playthroughs)
    return {
        path.stem: _check_record(room, f"given/playthroughs/{path.name}") for path in sorted(records.glob("*.jsonl"))
    }


def _give_playthroughs(room: Room) -> None:
    stored = sorted((room.checkout.folder / "tests" / "rules" / "playthroughs").glob("*.jsonl"))
    if not stored:
        raise SkippedError("no playthroughs in tests/rules/playthroughs of the older checkout")
    for path in stored:
        first, *others = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        record = [{"game": path.stem, "version": 1, **first}, *(line["move"] for line in others)]
        (room.folder / path.name).write_text("".join(f"{json.dumps(line)}\n" for line in record), encoding="utf-8")


def spoilt_records(room: Room) -> Harvest:
    """Spoil records: lines changed, dropped, doubled and swapped; most refusals there are, many at a time."""
    spoilt = room.given.make_once("spoilt", _give_spoilt)
    names = sorted(path.name for path in spoilt.glob("*.jsonl"))
    found: dict[str, Item] = {}
    for start in range(0, len(names), 20):
        some = [f"given/spoilt/{name}" for name in names[start : start + 20]]
        found[f"{names[start]} and on"] = room.run_sevenmat("check", *some, "--json", code=(0, 1)).text
    return found


def _give_spoilt(room: Room) -> None:
    try:
        files = record_files(room)
    except SkippedError:
        files = []
    files += sorted(room.given.make_once("playthroughs", _give_playthroughs).glob("*.jsonl"))
    games = [path.read_text(encoding="utf-8").splitlines() for path in files]
    for number, lines in enumerate(spoil(games, SPOILT)):
        (room.folder / f"{number:03d}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def spoil(games: Sequence[Lines], count: int) -> Iterator[Lines]:
    """Spoil ``count`` records, each of one of the games, the same whenever it is asked."""
    for number in range(count):
        chance = random.Random(f"spoilt {number}")
        lines = list(games[number % len(games)])
        for _ in range(chance.choice((1, 1, 2, 3, 8))):
            lines = chance.choice((lines_mixed, _exchange_field, _exchange_field))(lines, chance)
        yield lines


def _exchange_field(lines: Lines, chance: random.Random) -> Lines:
    """Exchange a field of one line for what the field of that name holds in another."""
    objects = []
    for at, line in enumerate(lines):
        with suppress(ValueError):
            if isinstance(data := json.loads(line), dict):
                objects.append((at, data))
    (at, one), (_, other) = chance.choice(objects), chance.choice(objects)
    if common := sorted(one.keys() & other.keys()):
        key = chance.choice(common)
        return [*lines[:at], json.dumps({**one, key: other[key]}), *lines[at + 1 :]]
    return lines
