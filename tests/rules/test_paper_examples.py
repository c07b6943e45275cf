"""What a paper prints to show its combination."""

from __future__ import annotations

import pytest

from rules.laminate.papers import LAMINATE


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("straight5", (("3", "4", "5", "6", "7"),)),
        ("straight7", (("3", "4", "5", "6"), ("7", "8", "9"))),
        ("straight9", (("3", "4", "5", "6", "7"), ("8", "9", "10", "11"))),
        ("straight11", (("2", "3", "4", "5", "6", "7"), ("8", "9", "10", "11", "12"))),
        ("straight_flush4", (("★",) * 4, ("3", "4", "5", "6"))),
    ],
)
def test_a_run_shows_consecutive_ranks_in_rows_that_fit(kind: str, rows: tuple[tuple[str, ...], ...]) -> None:
    assert LAMINATE[kind].examples == rows
