"""Short names: at most six letters or three kanji, and never two alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.parts.names import ROOM, _measure_width, short_names


@given(st.lists(st.text("abAB .東山田", min_size=1, max_size=14).map(str.strip).filter(bool), max_size=5, unique=True))
def test_short_names_fit_and_differ(names: list[str]) -> None:
    short = short_names(names)
    assert all(_measure_width(name) <= ROOM for name in short)
    assert len(set(short)) == len(names)


def test_a_name_that_fits_stays_whole() -> None:
    assert short_names(["Banach", "Banachiewicz", "山田太"]) == ("Banach", "Bana…", "山田太")


def test_the_first_word_where_nobody_else_has_it() -> None:
    assert short_names(["Emmy Noether", "Max Noether"]) == ("Emmy", "Max")
    assert len(set(short_names(["Anna Bee", "Anna Cee", "Anna Dee"]))) == 3
