"""The reader's numbers: each is said what it does, is used, and can't be changed while the reader runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import vision.config
from vision.config import CONFIG

FOLDER = Path(vision.config.__file__).parent
MODULES = [path for path in FOLDER.parent.rglob("*.py") if FOLDER not in path.parents]


def parts(config: Any) -> Iterator[Any]:
    """Yield the dataclasses that hold numbers."""
    inner = [getattr(config, each.name) for each in fields(config)]
    if any(is_dataclass(each) for each in inner):
        for each in inner:
            yield from parts(each)
    else:
        yield config


def test_every_number_says_what_it_does() -> None:
    silent = []
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.ClassDef) or "default_factory" in ast.unparse(node):
                continue
            for one, following in zip(node.body, [*node.body[1:], ast.Pass()], strict=True):
                if isinstance(one, ast.AnnAssign) and not isinstance(following, ast.Expr):
                    silent.append(f"{path.name}: {node.name}.{ast.unparse(one.target)}")
    assert silent == []


def test_every_number_is_used() -> None:
    used = {
        name for path in [*MODULES, *FOLDER.glob("*.py")] for name in re.findall(r"\.(\w+)", path.read_text("utf-8"))
    }
    assert [each.name for part in parts(CONFIG) for each in fields(part) if each.name not in used] == []


def test_no_number_changes_while_the_reader_runs() -> None:
    for part in parts(CONFIG):
        name = fields(part)[0].name
        with pytest.raises(FrozenInstanceError):
            setattr(part, name, 0)


def test_each_part_is_of_one_kind_and_small_enough_to_be_read() -> None:
    kinds = [type(part) for part in parts(CONFIG)]
    assert len(set(kinds)) == len(kinds)
    assert max(len(fields(part)) for part in parts(CONFIG)) <= 15
