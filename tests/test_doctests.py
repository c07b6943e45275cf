"""Examples in docstrings do what they show."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

from tools.shape.measure import read_sources

MODULES = [source.module for source in read_sources() if ">>> " in source.text]


@pytest.mark.few(8)
@pytest.mark.parametrize("name", MODULES)
def test_what_a_docstring_shows_comes_out(name: str) -> None:
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
