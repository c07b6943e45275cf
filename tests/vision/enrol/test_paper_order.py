"""Papers in each other's place on both pages: asked about where their print tells it, never where it does not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np
import pytest

from device.artwork.paper_print import printed_papers
from device.capture.eye import card_reader
from referee.layout import REFERENCE_MAT_MM as MAT
from rules.laminate.papers import LAMINATE
from simulator.camera import Lens, SimulatedCamera
from simulator.pages import lay_page
from tests.words import en, ja
from vision.arrays import Picture
from vision.enrol import read_page
from vision.enrol.paper_names import find_mixed_up
from vision.enrol.paper_order import find_papers_in_doubt
from vision.enrol.paper_points import find_mixed_up_by_points, find_mixed_up_in, groups_by_points
from vision.enrol.paper_print import FACE_SHAPE, faces_of, outlines_of
from vision.identify.deck import PAPER_KINDS

IN_ORDER = tuple(range(16))
POINTS = [LAMINATE[kind].points for kind in PAPER_KINDS]
Faces = dict[str, list[Picture]]


@pytest.fixture(scope="module")
def own() -> Faces:
    """Return the program's own printed papers, as a camera sees both pages and the reader cuts them out."""
    camera, reader = SimulatedCamera(MAT, seed=21, lens=Lens(noise=5.0, blur=0.8)), card_reader()
    faces = {}
    for page in ("review", "complete"):
        camera.show(lay_page(page, MAT, random.Random(page)))
        faces[page] = faces_of(read_page(reader, page, camera.take_picture(), MAT))
    return faces


def laid(faces: Faces, order: Sequence[int]) -> Faces:
    """Return the faces with card ``order[k]`` on place ``k``."""
    return {page: [cards[card] for card in order] for page, cards in faces.items()}


def swapped(*pairs: tuple[int, int]) -> list[int]:
    order = list(IN_ORDER)
    for a, b in pairs:
        order[a], order[b] = order[b], order[a]
    return order


def place(kind: str) -> int:
    return PAPER_KINDS.index(kind)


def scribbled(points: Sequence[str], seed: int, font: int = cv2.FONT_HERSHEY_COMPLEX) -> list[Picture]:
    """Papers of another deck, each with a drawing of its own and these points in a badge at the upper right."""
    rng = np.random.default_rng(seed)
    cards = []
    for text in points:
        face = np.full(FACE_SHAPE, 225, np.uint8)
        ink = [int(part) for part in rng.integers(0, 140, 3)]
        for _ in range(6):
            a, b = ([int(rng.integers(15, 140)), int(rng.integers(60, 200))] for _ in range(2))
            cv2.line(face, a, b, ink, 2, cv2.LINE_AA)
        word = "".join(chr(int(letter)) for letter in rng.integers(97, 123, 5))
        cv2.putText(face, word, (15, 30), font, 0.6, ink, 1, cv2.LINE_AA)
        if text:
            cv2.circle(face, (136, 26), 15, ink, -1, cv2.LINE_AA)
            cv2.putText(face, text, (129, 33), font, 0.65, (235, 235, 235), 1, cv2.LINE_AA)
        noisy = cv2.GaussianBlur(face, (0, 0), 0.6) + rng.normal(0, 4, face.shape)
        cards.append(np.clip(noisy, 0, 255).astype(np.uint8))
    return cards


# --- whole decks


@pytest.mark.slow  # test_other_decks_in_order_are_not_doubted
def test_own_papers_in_order_are_not_doubted(own: Faces) -> None:
    assert find_papers_in_doubt(own, printed_papers()) == []


@pytest.mark.slow  # tests/vision/test_reader.py: pages in the wrong order are noticed
@pytest.mark.parametrize(
    ("page", "on", "on_ja", "a", "b"),
    [
        ("review", "the under-review page", "査読中の面のページで", "three", "five"),
        ("complete", "the complete page", "完成の面のページで", "straight5", "end_flag"),
    ],
)
def test_own_papers_in_each_others_place_are_asked_about(
    own: Faces, page: str, on: str, on_ja: str, a: str, b: str
) -> None:
    (doubt,) = find_papers_in_doubt(laid({page: own[page]}, swapped((place(a), place(b)))), printed_papers())
    assert (doubt.page, doubt.cards) == (page, (a, b))
    assert f"each other's place on {on}: " in en(doubt)
    assert on_ja in ja(doubt)
    assert doubt.doubtful
    for kind in (LAMINATE[a], LAMINATE[b]):
        row, column = divmod(place(kind.name), 4)
        assert f"{en(kind)} " in en(doubt)
        assert f"in row {row + 1}, column {column + 1}" in en(doubt)
        assert f"「{ja(kind)}」" in ja(doubt)
        assert f"上から{row + 1}段目の左から{column + 1}番目" in ja(doubt)
    assert not any(word in PAPER_KINDS for word in en(doubt).replace(",", "").split())


@pytest.mark.slow  # test_own_papers_in_each_others_place_are_asked_about
def test_papers_swapped_on_both_pages_are_one_question(own: Faces) -> None:
    (doubt,) = find_papers_in_doubt(laid(own, swapped((place("straight7"), place("straight11")))), printed_papers())
    assert (doubt.page, doubt.cards) == ("review", ("straight7", "straight11"))
    assert "on both pages" in en(doubt)
    assert "両方のページで" in ja(doubt)


@pytest.mark.slow  # test_own_papers_in_each_others_place_are_asked_about
def test_a_page_laid_column_by_column_is_told_the_order(own: Faces) -> None:
    columns = [4 * (k % 4) + k // 4 for k in IN_ORDER]
    (doubt,) = find_papers_in_doubt(laid({"complete": own["complete"]}, columns), printed_papers())
    names = ("5 Straight, 7 Straight", "in row 1", "Three Cards", "49 in row 3", "End Flag in row 4")
    at = [en(doubt).index(name) for name in names]
    assert at == sorted(at)
    assert ja(doubt).index("11ストレート") < ja(doubt).index("2段目は3カード") < ja(doubt).index("エンドフラグ")


@pytest.mark.slow  # test_own_papers_in_each_others_place_are_asked_about
@pytest.mark.parametrize(
    "points",
    [
        pytest.param([str(p) for p in POINTS], id="true points"),
        pytest.param(["1"] * 16, id="one for all", marks=pytest.mark.slow),
        pytest.param([""] * 16, id="none", marks=pytest.mark.slow),
        pytest.param([str(n % 10) for n in IN_ORDER], id="numbers of its own"),
    ],
)
def test_other_decks_in_order_are_not_doubted(points: list[str]) -> None:
    assert find_papers_in_doubt({"review": scribbled(points, seed=len(set(points)))}, printed_papers()) == []


@pytest.mark.slow  # test_other_decks_in_order_are_not_doubted
def test_blank_papers_are_not_doubted() -> None:
    blank = [np.full(FACE_SHAPE, 200, np.uint8)] * len(PAPER_KINDS)
    assert find_papers_in_doubt({"review": blank}, printed_papers()) == []


@pytest.mark.slow  # test_blank_papers_are_not_doubted
def test_a_deck_that_prints_nothing_of_it_is_believed_in_any_order() -> None:
    order = list(IN_ORDER)
    random.Random(3).shuffle(order)
    assert find_papers_in_doubt(laid({"review": scribbled([""] * 16, seed=5)}, order), printed_papers()) == []


# --- points


@pytest.mark.slow  # test_own_papers_in_each_others_place_are_asked_about
@pytest.mark.parametrize(
    "font", [cv2.FONT_HERSHEY_SCRIPT_COMPLEX, pytest.param(cv2.FONT_HERSHEY_PLAIN, marks=pytest.mark.slow)]
)
def test_points_in_any_font_contradict_places(font: int) -> None:
    cards = scribbled([str(p) for p in POINTS], seed=font, font=font)
    assert find_mixed_up_by_points(outlines_of(cards), POINTS) == ()
    assert find_mixed_up_by_points(outlines_of([cards[card] for card in swapped((0, 6))]), POINTS) == ((0, 6),)


def found(order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return find_mixed_up_in({groups_by_points(order, POINTS): 5.0}, POINTS)


def test_every_pair_of_different_points_is_found_by_them() -> None:
    """Nothing tells which of two groups of two has which points: then another pair may explain the same."""
    for a, b in combinations(IN_ORDER, 2):
        mixed = found(swapped((a, b)))
        counts = sorted(POINTS.count(POINTS[place]) for place in (a, b))
        if POINTS[a] == POINTS[b] or counts == [1, 1]:
            assert mixed == ()
        elif counts == [2, 2]:
            mates = {place for place in IN_ORDER if POINTS[place] in (POINTS[a], POINTS[b])}
            assert mixed == (tuple(sorted(mates)),)
        else:
            assert mixed == ((a, b),)


def test_two_pairs_and_three_in_a_ring_are_found_by_points() -> None:
    assert found(swapped((0, 1), (6, 5))) == ((0, 1), (5, 6))
    assert found(swapped((0, 1), (1, 6))) == ((0, 1, 6),)


def test_a_page_laid_in_another_way_is_told_from_chance_by_points() -> None:
    grid = np.arange(16).reshape(4, 4)
    for other in (grid.T, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]):
        assert found([int(card) for card in other.ravel()]) == (IN_ORDER,)
    order = list(IN_ORDER)
    random.Random(9).shuffle(order)
    assert found(order) == ()


def test_points_that_stand_out_less_than_those_in_order_prove_nothing() -> None:
    wrong, right = groups_by_points(swapped((0, 6)), POINTS), groups_by_points(IN_ORDER, POINTS)
    assert find_mixed_up_in({wrong: 0.4}, POINTS) == ()
    assert find_mixed_up_in({wrong: 2.0, right: 1.0}, POINTS) == ()
    assert find_mixed_up_in({wrong: 4.0, right: 1.0}, POINTS) == ((0, 6),)


# --- similarity


def test_likeness_is_believed_only_where_the_whole_set_is_known() -> None:
    rng = np.random.default_rng(2)
    noise = rng.normal(0, 0.03, (16, 16))
    known = noise + 0.3 * np.eye(16)
    assert find_mixed_up(known, 0.2, 0.2) == ()
    assert find_mixed_up(known[swapped((2, 9))], 0.2, 0.2) == ((2, 9),)
    assert find_mixed_up(known[swapped((2, 9), (9, 12))], 0.2, 0.2) == ((2, 9, 12),)
    assert find_mixed_up(noise, 0.2, 0.2) == ()
    two = noise.copy()
    two[[3, 4], [4, 3]] += 0.6
    assert find_mixed_up(np.full((16, 16), np.nan), 0.2, 0.2) == (), "blank papers"
    assert find_mixed_up(two, 0.2, 0.2) == (), "two that look like each other's kinds in a deck that is not known"
