"""A few damaged files of each kind; ``python -m tools.fuzz`` runs thousands."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from tools.fuzz.fuzzing import KINDS, fuzz
from tools.fuzz.judging import Call, FaultError, judge
from tools.fuzz.mutate import bend_value, damage, lines_mixed, spell_value

pytestmark = pytest.mark.slow

CASES = {"records": 60, "recordings": 25, "settings": 60, "decks": 15, "journals": 8, "pictures": 8}


@pytest.mark.parametrize("kind", KINDS)
def test_no_damaged_file_leads_to_an_unforeseen_fault(kind: str) -> None:
    assert fuzz(kind, 1, range(CASES[kind]), say=False) == []


def test_the_same_seed_gives_the_same_files() -> None:
    data = {"players": ["A", "B"], "t": 1.5, "cards": [{"a": None}]}
    made = [
        (
            damage(bytes(range(100)), chance),
            spell_value(bend_value(data, chance), chance),
            lines_mixed(["a", "b"], chance),
        )
        for chance in (random.Random(n // 2) for n in range(200))
    ]
    assert made[::2] == made[1::2]
    assert len({one[0] for one in made}) > 80
    assert len({one[1] for one in made}) > 60


def raises() -> None:
    raise ZeroDivisionError


def prints_a_control_character() -> None:
    print("\x1b[2J")


def says_nothing() -> int:
    return 2


def says_two_things() -> int:
    print("sevenmat: one\nand another", file=sys.stderr)
    return 2


def says_too_much() -> int:
    print("sevenmat: " + "a" * 5000, file=sys.stderr)
    return 2


def ends_oddly() -> int:
    return 3


@pytest.mark.parametrize(
    "does", [raises, prints_a_control_character, says_nothing, says_two_things, says_too_much, ends_oddly]
)
def test_the_judge_can_condemn(does: object) -> None:
    with pytest.raises(FaultError):
        judge(Call((), does))  # type: ignore[arg-type]


def test_the_judge_holds_json_to_be_json(tmp_path: Path) -> None:
    def prints_nan() -> None:
        print('{"t":NaN}')

    with pytest.raises(FaultError, match="no JSON"):
        judge(Call(("replay", "--json"), prints_nan))
    assert judge(Call(("check", str(tmp_path / "none"))))[0] == 2
