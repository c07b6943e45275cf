"""What has been brought into shape stays so, and what measures it sees what it should."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tools.shape.bounds import BOUNDS, Bound, measure_all
from tools.shape.measure import (
    Source,
    count_attributes,
    import_cycles,
    kinds_of,
    language_branches,
    name_a_game,
    number_constants,
    read_sources,
)


def source(path: str, text: str) -> Source:
    return Source(Path(path), text)


@pytest.fixture(scope="module")
def shape() -> Mapping[str, tuple[int, Sequence[object]]]:
    return measure_all(read_sources())


@pytest.mark.slow  # make shape says the same
@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: bound.name)
def test_what_has_been_brought_into_shape_stays_so(
    bound: Bound, shape: Mapping[str, tuple[int, Sequence[object]]]
) -> None:
    count, places = shape[bound.name]
    assert count <= bound.most, places


def test_a_file_that_names_a_game_outside_its_folders_is_found() -> None:
    own = source("rules/laminate/moves.py", "from rules.laminate.cards import Card\n")
    other = source("device/app.py", "from rules.laminate.moves import Move\n")
    assert name_a_game([own, other, source("ui/laminate.py", "LAMINATE = 1\n")]) == ["device/app.py"]


def test_files_that_import_each_other_are_found() -> None:
    a = source("ui/a.py", "from ui.b import f\n")
    b = source("ui/b.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ui import c\n")
    c = source("ui/c.py", "import ui.a\n")
    assert import_cycles([a, b, c]) == [["ui.a", "ui.b", "ui.c"]]
    assert import_cycles([a, b]) == []


def test_attributes_are_counted_however_they_are_made() -> None:
    text = "class A:\n    x: int\n    def __init__(self):\n        self.x = self.y = 1\n        self.a, self.b = 1, 2\n"
    assert count_attributes([source("ui/a.py", text)]) == {"ui.a.A": 4}


def test_fields_that_a_kind_inherits_are_counted() -> None:
    base = source("ui/a.py", "class A:\n    x: int\n    y: int\n")
    kinds = source("ui/b.py", "class C(B):\n    v: int\nclass B(A):\n    z: int\nclass D:\n    w: int\n")
    assert kinds_of([base, kinds], "A") == {"A": 2, "B": 3, "C": 4}


def test_branches_on_the_language_and_numbers_are_found_by_their_line() -> None:
    branch = source("ui/a.py", "x = 1 if language is Language.JA else 2\ny = Language.JA\n")
    assert language_branches([branch]) == ["ui/a.py:1"]
    numbers = source("vision/a.py", "A = (0.5, 7)\nB = True\ndef f():\n    return 9\n")
    assert number_constants([numbers]) == ["vision/a.py:1", "vision/a.py:1"]
    assert number_constants([source("vision/config/reading.py", "A = 1\n"), source("ui/a.py", "A = 1\n")]) == []
