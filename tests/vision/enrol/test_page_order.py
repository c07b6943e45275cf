"""Which card lies where on a page: every kind of disorder is told from the right page, and from each other."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from device.capture.eye import card_reader
from referee.layout import REFERENCE_MAT_MM as MAT
from referee.registry import load_papers
from rules.laminate.papers import LAMINATE
from simulator.camera import SimulatedCamera
from simulator.pages import lay_page
from tests.words import en, ja
from vision.enrol import PAGES, Page, read_page
from vision.enrol.page_order import find_papers_out_of_order, find_seven_out_of_order
from vision.identify.embedder import Embeddings

pytestmark = pytest.mark.slow  # test_paper_order.py; tests/device/test_enrolling_two_pages.py refuses pages


@pytest.fixture(scope="module")
def pages() -> dict[str, Page]:
    camera, reader = SimulatedCamera(MAT, seed=12), card_reader()
    learnt = {}
    for page in PAGES:
        camera.show(lay_page(page, MAT, random.Random(page)))
        learnt[page] = read_page(reader, page, camera.take_picture(), MAT)
    return learnt


def laid(page: Page, other: dict[int, int], turned: int | None = None) -> Page:
    """Put other cards on some places of the page: on place ``k`` card ``other[k]``, that on ``turned`` upside down."""
    cards = [other.get(place, place) for place in range(len(page.names))]
    corners = [(1, 0) if place == turned else (0, 1) for place in range(len(cards))]
    crops = tuple((page.crops[card][a], page.crops[card][b]) for card, (a, b) in zip(cards, corners, strict=True))
    rows = [2 * card + corner for card, pair in zip(cards, corners, strict=True) for corner in pair]
    embeddings = Embeddings(page.embeddings.vectors[rows], page.embeddings.rank[rows], page.embeddings.suit[rows])
    return Page(page.page, page.names, crops, embeddings, tuple(page.centre_crops[card] for card in cards))


def place(page: Page, name: str) -> int:
    return page.names.index(name)


@pytest.mark.slow  # tests/device/test_enrolling.py learns right pages
def test_right_pages_are_right(pages: dict[str, Page]) -> None:
    assert find_seven_out_of_order(pages["seven"]) == []
    assert find_papers_out_of_order(pages["review"], pages["complete"], load_papers()) == []


@pytest.mark.slow  # tests/vision/test_reader.py: pages in the wrong order are noticed
@pytest.mark.parametrize(("a", "b"), [("H5", "B5"), ("HA", "FK"), ("C5", "C9"), ("S11", "T11"), ("O2", "O3")])
def test_a_swap_a_second_copy_and_a_stray_card(pages: dict[str, Page], a: str, b: str) -> None:
    seven = pages["seven"]
    i, j = place(seven, a), place(seven, b)
    (swapped,) = find_seven_out_of_order(laid(seven, {i: j, j: i}))
    assert set(swapped.cards) == {a, b}
    assert "swap them" in en(swapped)
    assert "入れ替えて" in ja(swapped)
    (twice,) = find_seven_out_of_order(laid(seven, {i: j}))
    assert twice.cards == (b, a)
    assert "a second" in en(twice)
    k = place(seven, "T9")
    round_and_round = find_seven_out_of_order(laid(seven, {i: j, j: k, k: i}))
    assert {name for fault in round_and_round for name in fault.cards} == {a, b, "T9"}
    assert all(fault.doubtful for fault in (swapped, twice, *round_and_round))


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("way", "words"),
    [
        (lambda column, row: (column, 6 - row), "highest rank down"),
        (lambda column, row: (6 - column, row), "right to left"),
        (lambda column, row: (6 - column, 6 - row), "upside down"),
        (lambda column, row: (row, column), "in a row"),
    ],
)
def test_a_whole_page_laid_another_way_is_one_sentence(pages: dict[str, Page], way: object, words: str) -> None:
    assert callable(way)
    other = {}
    for k in range(49):
        column, row = way(k // 7, k % 7)
        other[k] = 7 * column + row
    (fault,) = find_seven_out_of_order(laid(pages["seven"], other))
    assert words in en(fault)


def test_two_whole_columns_are_one_sentence(pages: dict[str, Page]) -> None:
    other = {7 * column + row: 7 * (3 - column) + row for column in (1, 2) for row in range(7)}
    (fault,) = find_seven_out_of_order(laid(pages["seven"], other))
    assert "onion, book" in en(fault)
    assert len(fault.cards) == 14


@pytest.mark.few(2)
@pytest.mark.parametrize(("a", "b"), [(0, 1), (4, 5), (11, 12), (15, 3)])
def test_papers_swapped_twice_there_or_turned(pages: dict[str, Page], a: int, b: int) -> None:
    review, complete = pages["review"], pages["complete"]
    kinds = [name.split("/")[0] for name in review.names]
    (swapped,) = find_papers_out_of_order(review, laid(complete, {a: b, b: a}), load_papers())
    assert set(swapped.cards) == {kinds[a], kinds[b]}
    for place in (a, b):
        assert f"in row {place // 4 + 1}, column {place % 4 + 1}" in en(swapped)
        assert en(LAMINATE[kinds[place]]) in en(swapped)
        assert ja(LAMINATE[kinds[place]]) in ja(swapped)
    (twice,) = find_papers_out_of_order(laid(review, {a: b}), complete, load_papers())
    assert (twice.page, twice.cards) == ("review", (f"{kinds[b]}/review", f"{kinds[a]}/review"))
    (turned,) = find_papers_out_of_order(laid(review, {}, turned=a), complete, load_papers())
    assert turned.cards == (kinds[a],)
    assert "upside down" in en(turned)


def test_a_paper_on_the_same_side_twice(pages: dict[str, Page]) -> None:
    review, complete = pages["review"], pages["complete"]
    both = Page("complete", complete.names, review.crops, review.embeddings, review.centre_crops)
    (all_of_them,) = find_papers_out_of_order(review, both, load_papers())
    assert "same side of the papers" in en(all_of_them)
    embedding = complete.embeddings.vectors.copy()
    embedding[10:12] = review.embeddings.vectors[10:12]
    one = replace(complete, embeddings=Embeddings(embedding, complete.embeddings.rank, complete.embeddings.suit))
    (fault,) = find_papers_out_of_order(review, one, load_papers())
    assert (fault.page, fault.cards) == ("complete", ("five/complete",))


def test_a_deck_whose_ranks_and_suits_say_nothing_is_not_doubted(pages: dict[str, Page]) -> None:
    """In a deck that the embedder can't read at all, the players' word must do."""
    seven = pages["seven"]
    rng = random.Random(4)
    blind = Embeddings(
        seven.embeddings.vectors, seven.embeddings.rank * 0 - 3, seven.embeddings.suit * 0 + seven.embeddings.suit[:1]
    )
    cards = list(range(49))
    rng.shuffle(cards)
    blank = tuple((pair[0] * 0 + 200, pair[1] * 0 + 200) for pair in seven.crops)
    assert find_seven_out_of_order(laid(replace(seven, crops=blank, embeddings=blind), dict(enumerate(cards)))) == []
