"""What players of Seven Minutes read and what confirm gives, word for word, on tables of every sort."""

from __future__ import annotations

import pytest

from tests.referee.seven_minutes.scenes import SCENES, recorded, told


@pytest.mark.few(31)
@pytest.mark.parametrize("name", SCENES)
def test_what_is_said_is_what_was_recorded(name: str) -> None:
    assert told(name) == recorded()[name]


def test_nothing_is_recorded_of_tables_that_are_gone() -> None:
    assert list(recorded()) == list(SCENES)
