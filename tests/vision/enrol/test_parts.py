"""Pages that are larger than the mat: which cards lie together, where, and how the parts make a page again."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vision.enrol.pages import Page, place_cards
from vision.enrol.parts import divide_page, join_parts, place_part
from vision.errors import MatError
from vision.identify.embedder import Embeddings

CARD = (63.0, 88.0)
MATS = [(1189, 841), (1200, 800), (900, 600), (600, 900), (600, 600), (841, 594), (700, 800), (500, 500)]


@pytest.mark.parametrize("mat", MATS)
@pytest.mark.parametrize("page", ["seven", "review", "complete", "back"])
def test_every_card_lies_in_one_part_on_the_mat_and_clear_of_the_markers(mat: tuple[float, float], page: str) -> None:
    parts = divide_page(page, mat)
    assert sorted(name for part in parts for name in part) == sorted(place_cards(page, mat))
    for part in parts:
        places = place_part(page, part, mat)
        assert list(places) == list(part)
        for x, y in places.values():
            assert CARD[0] / 2 <= x <= mat[0] - CARD[0] / 2
            assert CARD[1] / 2 <= y <= mat[1] - CARD[1] / 2
            aside = min(x, mat[0] - x) - CARD[0] / 2
            above = min(y, mat[1] - y) - CARD[1] / 2
            assert aside > 58 or above > 58, "a card lies on a marker"
        for (x, y), (other_x, other_y) in itertools.combinations(places.values(), 2):
            assert abs(x - other_x) > CARD[0] or abs(y - other_y) > CARD[1]


@pytest.mark.parametrize(
    ("mat", "counts"),
    [((1189, 841), [49]), ((900, 600), [28, 21]), ((600, 900), [28, 21]), ((600, 600), [16, 12, 12, 9])],
)
def test_a_page_is_cut_into_as_few_parts_as_will_do(mat: tuple[float, float], counts: list[int]) -> None:
    assert [len(part) for part in divide_page("seven", mat)] == counts


def test_what_the_table_standard_says_of_large_mats_is_kept() -> None:
    places = place_cards("review", (1189.0, 841.0))
    assert places["back"] == (1189 / 2 + 385, 841 / 2)
    assert divide_page("review", (1189.0, 841.0)) == (tuple(places),)
    assert place_part("review", tuple(places), (1189.0, 841.0)) == places


def test_a_mat_that_is_too_small_is_refused_in_a_sentence() -> None:
    with pytest.raises(MatError, match="300 × 300 mm is too small"):
        divide_page("seven", (300.0, 300.0))


def page(names: tuple[str, ...]) -> Page:
    crop = np.zeros((2, 2, 3), np.uint8)
    marks = np.array([[hash(name) % 1000, corner] for name in names for corner in (0, 1)], np.float32)
    return Page(
        "seven", names, tuple((crop, crop) for _ in names), Embeddings(marks, marks, marks), (crop,) * len(names)
    )


def test_parts_make_the_page_in_its_own_order() -> None:
    parts = divide_page("seven", (600.0, 600.0))
    joined = join_parts("seven", [page(part) for part in reversed(parts)])
    names = tuple(place_cards("seven", (1.0, 1.0)))
    assert joined.names == names
    assert np.array_equal(joined.embeddings.vectors, page(names).embeddings.vectors)
    with pytest.raises(ValueError, match="parts"):
        join_parts("seven", [page(parts[0]), page(parts[0])])
