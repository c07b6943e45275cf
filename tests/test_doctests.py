"""Examples in docstrings do what they show."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

from tests.test_shape import TEXTS

MODULES = [
    ".".join(path.with_suffix("").parts).removesuffix(".__init__") for path, text in TEXTS.items() if ">>> " in text
]


@pytest.mark.few(8)
@pytest.mark.parametrize("name", MODULES)
def test_what_a_docstring_shows_comes_out(name: str) -> None:
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
