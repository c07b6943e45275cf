"""Markers, cards, rulers and marks as a printer would put them on paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from cli.main import main
from device.artwork.faces import card_back, paper_face
from printing.cards import Grid, fit_grid
from printing.paper_sizes import A4
from referee.registry import load_papers
from tests.printing.raster import grey, page_count, page_size, raster, ruler, runs

NEAR = 0.2
S = 8.0
A3 = (297.0, 420.0)


def printed(tmp_path: Path, *words: str) -> Path:
    out = tmp_path / "out.pdf"
    assert main(["print", words[0], str(out), *words[1:]]) == 0
    return out


def test_markers_measure_50_mm_and_are_found(tmp_path: Path) -> None:
    picture = raster(printed(tmp_path, "markers"), px_per_mm=S)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(grey(picture))
    assert sorted(np.ravel(ids)) == [0, 1, 2, 3]
    for quad in corners:
        sides = np.linalg.norm(np.diff(np.vstack([quad[0], quad[0][:1]]), axis=0), axis=1) / S
        assert sides == pytest.approx([50.0] * 4, abs=NEAR)


def marks_across(page: np.ndarray, grid: Grid) -> list[float]:
    """Where the crop marks above the cards stand, in mm from the left."""
    row = grey(page)[round((grid.top - grid.bleed - 2.5) * S)]
    return [middle for middle, length in runs(row < 200, S) if length < 0.6]


@pytest.mark.parametrize(
    ("what", "paper", "bleed"), [("papers", A4, 0.0), pytest.param("deck", A3, 3.0, marks=pytest.mark.slow)]
)
def test_cards_have_their_size_and_both_sides_are_in_register(
    tmp_path: Path, what: str, paper: tuple[float, float], bleed: float
) -> None:
    options = ("--paper", f"{paper[0]:g}x{paper[1]:g}", "--bleed", f"{bleed:g}")
    pdf = printed(tmp_path, what, *options)
    grid = fit_grid(paper, (63.0, 88.0), bleed)
    front, back = raster(pdf, 0), raster(pdf, 1)
    marks, behind = marks_across(front, grid), marks_across(back, grid)
    if bleed:
        assert [right - left for left, right in zip(marks[::2], marks[1::2], strict=True)] == pytest.approx(
            [63.0] * grid.columns, abs=NEAR
        )
    else:
        assert np.diff(marks) == pytest.approx([63.0] * grid.columns, abs=NEAR)
    # Turned over the long edge, left becomes right.
    assert sorted(paper[0] - x for x in behind) == pytest.approx(marks, abs=NEAR)
    down = grey(front)[:, round((grid.left - bleed - 2.5) * S)]
    rows = [middle for middle, length in runs(down < 200, S) if length < 0.6]
    assert rows[-1] - rows[0] == pytest.approx(grid.rows * grid.pitch[1] - 2 * bleed, abs=NEAR)
    # What is printed reaches exactly as far as the bleed.
    outer = [marks[0] - bleed, marks[-1] + bleed]
    inked = np.flatnonzero(grey(front)[round((grid.top + 40) * S)] < 246) / S
    within = [x for x in inked if outer[0] - 1 < x < outer[1] + 1]
    assert [min(within), max(within)] == pytest.approx(outer, abs=NEAR)


@pytest.mark.slow
def test_each_paper_has_its_own_other_side_behind_it(tmp_path: Path) -> None:
    pdf = printed(tmp_path, "papers")
    grid = fit_grid(A4, (63.0, 88.0), 0.0)
    kinds = [kind for kind in load_papers().values() for _ in range(kind.copies)]
    faces = {
        (kind.name, complete): np.asarray(paper_face(kind, complete, 2.0))[..., ::-1]
        for kind in load_papers().values()
        for complete in (False, True)
    }
    for first in range(0, len(kinds), grid.each):
        for turned in (False, True):
            page = raster(pdf, 2 * (first // grid.each) + turned)
            for place, kind in enumerate(kinds[first : first + grid.each]):
                corner = grid.find_corner(place, turned)
                nearest = min(faces, key=lambda face: difference(page, corner, faces[face]))
                assert nearest == (kind.name, turned)


def difference(page: np.ndarray, corner: Sequence[float], face: np.ndarray) -> float:
    """How far what is printed at a corner is from a face, in grey levels."""
    x, y = (round(side * S) for side in corner)
    cut = page[y : y + round(88 * S), x : x + round(63 * S)]
    small = cv2.resize(cut, face.shape[1::-1], interpolation=cv2.INTER_AREA)
    return float(np.abs(small.astype(float) - face).mean())


@pytest.mark.slow
def test_other_faces_are_told_apart_by_that_measure(tmp_path: Path) -> None:
    page = raster(printed(tmp_path, "deck"), 1)
    back = np.asarray(card_back(4.0))[..., ::-1]
    corner = fit_grid(A4, (63.0, 88.0), 0.0).find_corner(0, True)
    assert difference(page, corner, back) < 6
    assert difference(page, (corner[0] + 1.0, corner[1]), back) > 6


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("words", "length"),
    [
        (("markers",), 100),
        (("papers",), 100),
        pytest.param(("deck", "--paper", "A3", "--bleed", "3"), 100, marks=pytest.mark.slow),
        (("mat", "--mat", "700x600"), 100),
        (("mat", "--mat", "700x600", "--paper", "A4", "--players", "5"), 100),
        pytest.param(("papers", "--paper", "A5"), 50, marks=pytest.mark.slow),
        (("pages", "--paper", "A3"), 100),
        (("guide", "--game", "wild_seven"), 100),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else None,
)
def test_a_ruler_of_true_length_on_every_page(tmp_path: Path, words: tuple[str, ...], length: float) -> None:
    pdf = printed(tmp_path, *words)
    for page in range(page_count(pdf)):
        width, height = page_size(pdf, page)
        foot = 60.0 if words[0] == "markers" else 9.0
        strip = raster(pdf, page, S, (0, 0, max(0.0, width - 190), height - foot))
        assert ruler(strip, S) == pytest.approx(length, abs=NEAR), page


def test_a_sheet_tells_the_shop_where_it_is_cut(tmp_path: Path) -> None:
    pdf = printed(tmp_path, "mat", "--mat", "700x600", "--bleed", "4")
    width, height = page_size(pdf)
    picture = grey(raster(pdf, px_per_mm=S))
    trim = (22.0, 22.0, width - 22.0, height - 22.0)
    assert (trim[2] - trim[0], trim[3] - trim[1]) == pytest.approx((720, 620), abs=NEAR)
    above = [middle for middle, length in runs(picture[round(14 * S)] < 200, S) if length < 0.6]
    beside = [middle for middle, length in runs(picture[:, round(14 * S)] < 200, S) if length < 0.6]
    assert above == pytest.approx([trim[0], trim[2]], abs=NEAR)
    assert beside == pytest.approx([trim[1], trim[3]], abs=NEAR)
    # The ground goes on past the cut, and no mark reaches into it.
    ground = [middle for middle, _ in runs(picture[round(height / 2 * S)] < 200, S)]
    assert ground == pytest.approx([width / 2], abs=NEAR)
    ((_, reach),) = runs(picture[round(height / 2 * S)] < 200, S)
    assert reach == pytest.approx(728, abs=NEAR)
    boxes = pdf.read_bytes()
    assert b"/TrimBox" in boxes
    assert b"/BleedBox" in boxes
