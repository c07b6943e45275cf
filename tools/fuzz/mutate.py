"""Damage done at random: to bytes, to JSON-able data, and to what only a text can spell."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

SPELT = {
    "@NaN@": "NaN",
    "@Infinity@": "Infinity",
    "@-Infinity@": "-Infinity",
    "@1e999@": "1e999",
    "@400 zeros@": "1" + "0" * 400,
    "@5000 digits@": "9" * 5000,
    "@lists@": "[" * 3000 + "]" * 3000,
    "@objects@": '{"a":' * 2500 + "1" + "}" * 2500,
    "@list of lists@": "[" * 400 + "]" * 400,
    "@twice@": '{"t":1,"t":2}',
    "@nothing@": "",
    "@half a string@": '"abc',
}
"""What a file can hold and ``json.dumps`` can't write: each stands as this string in the data until it is spelt."""
NASTY: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 50, 255, 2**31, 2**63, -(2**63) - 1, 2**70, 0.0, -0.0, 1.5, 1e300,
    "", " ", "x", "1", "-1", "\0", "a\0b", "\ud800", "x\udcff", "\x1b[31mred", "a\nb", "\u202eabc", "\x7f\x85", "C10",
    "HA", "H8", "back", "three", "three/review", "royal_flush", "seat:1", "a" * 5000, "あ" * 300, "../../etc/passwd",
    "/dev/zero", ".", "frames", [], {}, [[]], [None], [1, [2]], {"": None}, {"1": 1}, {"9": ["C10"]}, {"seat": "1"},
    ["HA", "HA"], ["HA"] * 60, *SPELT,
)  # fmt: skip


def damage(data: bytes, chance: random.Random) -> bytes:
    """Damage the bytes by one to four accidents."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        at = chance.randrange(len(changed) + 1)
        end = min(len(changed), at + chance.choice((1, 1, 2, 8, 100, 5000)))
        match chance.randrange(8):
            case 0 if changed:
                changed[at % len(changed)] ^= 1 << chance.randrange(8)
            case 1:
                del changed[at:]
            case 2:
                del changed[at:end]
            case 3:
                changed[at:at] = changed[at:end]
            case 4:
                changed[at:end] = bytes(end - at)
            case 5:
                changed[at:at] = chance.randbytes(chance.choice((1, 4, 40)))
            case 6:
                changed[at:end] = chance.randbytes(end - at)
            case _:
                other = chance.randrange(len(changed) + 1)
                changed[at:at] = changed[other : other + end - at]
    return bytes(changed)


Step = tuple[Any, Any]
"""Something that holds a value, and the key or number under which it does."""


def _list_steps(value: Any) -> Iterator[Step]:
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _list_steps(value[key])


def bend_value(value: Any, chance: random.Random) -> Any:
    """Bend JSON-able data: one to three of its values changed, gone, doubled, renamed or wrapped."""
    whole = [copy.deepcopy(value)]
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        steps = list(_list_steps(whole))
        holder, key = chance.choice(steps)
        match chance.randrange(8):
            case 0:
                holder[key] = copy.deepcopy(_holder_of(chance.choice(steps)))
            case 1 if isinstance(holder, dict):
                holder[str(chance.choice(NASTY))] = holder.pop(key)
            case 2 if holder is not whole:
                del holder[key]
            case 3 if isinstance(holder, list) and holder is not whole:
                holder[key:key] = [copy.deepcopy(holder[key])] * chance.choice((1, 2, 60))
            case 4:
                holder[key] = chance.choice(([holder[key]], {"a": holder[key]}, str(holder[key])))
            case 5 if isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
                holder[key] += chance.choice((-1, 1, -0.5, 100))
            case 6 if isinstance(holder[key], str):
                text = list(holder[key])
                text[chance.randint(0, len(text)) :] = chance.choice(("\0", "\ud800", "\x1b", "9", "'", '"', "é"))
                holder[key] = "".join(text)
            case _:
                holder[key] = copy.deepcopy(chance.choice(NASTY))
    return whole[0]


def _holder_of(step: Step) -> Any:
    holder, key = step
    return holder[key]


def spell_value(value: Any, chance: random.Random) -> str:
    """Spell such data as JSON text."""
    text = json.dumps(value, ensure_ascii=chance.random() < 0.5)
    for token, spelling in SPELT.items():
        text = text.replace(f'"{token}"', spelling)
    return text


def lines_mixed(lines: list[str], chance: random.Random) -> list[str]:
    """Mix up the lines: one is gone, doubled, moved, cut, joined with the next, or one of nonsense is among them."""
    lines = list(lines)
    at = chance.randrange(len(lines))
    match chance.randrange(6):
        case 0 if len(lines) > 1:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines.insert(chance.randrange(len(lines)), lines.pop(at))
        case 3:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
        case 4:
            lines[at : at + 2] = ["".join(lines[at : at + 2])]
        case _:
            lines.insert(at, spell_value(chance.choice(NASTY), chance))
    return lines
