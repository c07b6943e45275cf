"""A mat as tiles: cut and laid together by their marks they are the mat that one sheet shows."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from printing.paper_sizes import A4
from printing.posters import Tile, Tiling, plan_tiles
from printing.sheets import print_mat
from tests.printing.raster import grey, page_count, raster, runs
from vision.mat.finding import find_mat

S = 4.0
SIZE = (900.0, 650.0)
TRIM = (SIZE[0] + 20, SIZE[1] + 20)
SLUG = 22.0
A3 = (297.0, 420.0)


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("tiles")
    print_mat(folder / "one.pdf", SIZE, 5)
    print_mat(folder / "A4.pdf", SIZE, 5, paper=A4)
    print_mat(folder / "A3.pdf", SIZE, 5, paper=A3, overlap=15)
    return {path.stem: path for path in folder.iterdir()}


def shown(page: np.ndarray) -> tuple[float, float, float, float]:
    """Return what a tile's marks enclose: x0, y0, x1, y1 in px, from the marks alone."""
    picture = grey(page)[: -round(18 * S)]
    above = [S * middle for middle, length in runs(picture[round(6 * S)] < 200, S) if length < 1]
    beside = [S * middle for middle, length in runs(picture[:, round(above[0] - 4 * S)] < 200, S) if length < 1]
    (x0, x1), (y0, y1) = above, beside
    return x0, y0, x1, y1


def laid_together(pdf: Path, plan: Tiling, slip: dict[str, float]) -> np.ndarray:
    """Join the tiles to a mat as somebody does; ``slip`` lays some of them some mm too far right."""
    mat = np.zeros((round(TRIM[1] * S), round(TRIM[0] * S), 3), np.uint8)
    for number, tile in enumerate(plan.tiles, 1):
        page = raster(pdf, number, S)
        x0, y0, x1, y1 = shown(page)
        assert (x1 - x0) / S == pytest.approx(tile.size[0], abs=0.3)
        assert (y1 - y0) / S == pytest.approx(tile.size[1], abs=0.3)
        cut = page[round(y0) : round(y1), round(x0) : round(x1)]
        x, y = round((tile.x + slip.get(tile.name, 0.0)) * S), round(tile.y * S)
        part = mat[y : y + cut.shape[0], x : x + cut.shape[1]]
        part[:] = cut[: part.shape[0], : part.shape[1]]
    return mat


def apart(mat: np.ndarray, whole: np.ndarray, plan: Tiling) -> int:
    """How many points differ from the sheet by more than half a mm, the strokes at the joins aside."""
    near = np.ones((5, 5), np.uint8)  # half a mm each way
    darkest, lightest = cv2.erode(mat, near), cv2.dilate(mat, near)
    best = np.maximum(cv2.subtract(darkest, whole), cv2.subtract(whole, lightest)).max(axis=2)
    for tile in plan.tiles:
        _forget(best, tile)
    return int((best > 40).sum())


def _forget(best: np.ndarray, tile: Tile) -> None:
    """Blank the strokes across a tile's left and top edge, and its neighbours' line beside them."""
    width, height = tile.size
    for share in (0.25, 0.5, 0.75):
        for x, y in ((tile.x, tile.y + share * height), (tile.x + share * width, tile.y)):
            px, py, near = round(x * S), round(y * S), round(5 * S)
            best[max(0, py - near) : py + near, max(0, px - near) : px + near] = 0
    best[:, max(0, round(tile.x * S) - 3) : round(tile.x * S) + 3] = 0
    best[max(0, round(tile.y * S) - 3) : round(tile.y * S) + 3] = 0


@pytest.mark.slow  # tests/printing/test_true_size.py
@pytest.mark.parametrize(("name", "paper", "overlap"), [("A4", A4, 10.0), ("A3", A3, 15.0)])
def test_joined_tiles_are_the_sheet_to_half_a_mm(
    sheets: dict[str, Path], name: str, paper: tuple[float, float], overlap: float
) -> None:
    plan = plan_tiles(TRIM, paper, overlap)
    assert page_count(sheets[name]) == len(plan.tiles) + 1
    whole = raster(sheets["one"], 0, S)
    edge = round(SLUG * S)
    whole = whole[edge : edge + round(TRIM[1] * S), edge : edge + round(TRIM[0] * S)]
    mat = laid_together(sheets[name], plan, {})
    assert apart(mat, whole, plan) == 0
    slipped = laid_together(sheets[name], plan, {"1-2": 1.5})
    assert apart(slipped, whole, plan) > 50
    measured = find_mat(np.pad(mat, ((80, 80), (80, 80), (0, 0)), constant_values=120), SIZE)
    width, height = (side * S for side in SIZE)
    first = 80 + 10 * S
    corners = [(first, first), (first + width, first), (first + width, first + height), (first, first + height)]
    assert np.abs(measured.corners_px - np.array(corners)).max() < 0.5 * S


def test_a_plan_covers_the_poster_with_as_few_tiles_as_will_do() -> None:
    for poster in (TRIM, (1209.0, 861.0), (150.0, 100.0)):
        for paper in (A4, A3, (148.0, 210.0)):
            plan = plan_tiles(poster, paper, 10.0)
            last = plan.tiles[-1]
            assert (last.x + last.size[0], last.y + last.size[1]) == pytest.approx(poster)
            assert last.size[0] <= plan.page[0] - 20
            assert last.size[1] <= plan.page[1] - 30
            for tile in plan.tiles[: plan.columns - 1]:
                assert plan.tiles[tile.column + 1].x == pytest.approx(tile.x + tile.size[0] - 10)
    assert len(plan_tiles((150.0, 100.0), A4).tiles) == 1
