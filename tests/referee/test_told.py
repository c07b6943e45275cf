"""What players read: whole verdicts, word for word, on tables of every sort."""

from __future__ import annotations

import pytest

from tests.referee.told.record import TABLES, recorded, told


@pytest.mark.few(60)
@pytest.mark.parametrize("name", TABLES)
def test_the_referee_says_what_was_recorded(name: str) -> None:
    assert told(name) == recorded()[name]


def test_nothing_is_recorded_of_tables_that_are_gone() -> None:
    assert list(recorded()) == list(TABLES)
