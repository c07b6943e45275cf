"""Pips counted without a network: every value any way round, and nothing where there is no such face."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice.faces import CROP_PX
from vision.dice.pips import Count, count_pips, do_stand_out, find_lattice, find_pips

EDGE_PX = 48.0
PLACES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)],
}


def face(
    pips: list[tuple[float, float]], degrees: float = 0.0, dark: bool = True, radius: float = 0.1, step: float = 0.25
) -> np.ndarray:
    """Draw a crop with a face whose pips lie at these steps from its middle."""
    ground, body, ink = (
        ((90, 70, 60), (225, 230, 235), (30, 25, 20)) if dark else ((150, 160, 150), (40, 30, 120), (240,) * 3)
    )
    scale, centre = 4, CROP_PX * 2.0
    big = np.full((CROP_PX * scale, CROP_PX * scale, 3), ground, np.uint8)
    edge = EDGE_PX * scale
    box = cv2.boxPoints(((centre, centre), (edge, edge), degrees)).astype(np.int32)
    cv2.fillPoly(big, [box], body)
    turn = np.radians(degrees)
    for x, y in pips:
        at = centre + edge * step * np.array([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)])
        cv2.circle(big, (round(at[0]), round(at[1])), round(radius * edge), ink, -1)
    noisy = cv2.resize(big, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA) + np.random.default_rng(3).normal(
        0, 4, (CROP_PX, CROP_PX, 3)
    )
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.mark.few(12)
@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("degrees", [0, 17, 45, 70])
@pytest.mark.parametrize("value", PLACES)
def test_each_value_is_counted(value: int, degrees: float, dark: bool) -> None:
    for edge in (EDGE_PX, EDGE_PX * 0.93):
        count = count_pips(face(PLACES[value], degrees, dark), edge)
        assert count is not None
        assert count.value == value
        assert count.level > 0.95


def test_a_large_single_pip_is_a_one() -> None:
    assert count_pips(face([(0, 0)], 30, radius=0.19), EDGE_PX) == Count(1)


@pytest.mark.parametrize("value", [4, 5, 6])
def test_pips_that_lie_closer_one_way_are_not_level(value: int) -> None:
    squeezed = [(0.78 * x, y) for x, y in PLACES[value]]
    count = count_pips(face([(x * 1.1, y * 1.1) for x, y in squeezed], 25, radius=0.08), EDGE_PX)
    assert count is not None
    assert count.value == value
    assert count.level == pytest.approx(0.78, abs=0.04)


@pytest.mark.parametrize(
    "pips",
    [
        [],
        [(-1, -1), (1, -1), (-1, 1)],
        [(-1, 0), (1, 0), (0, 0.9), (0, -0.4)],
        [(-1, -1), (0, 0.7), (1, 1)],
        [(0.9, 0.9)],
        [(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)],
    ],
)
def test_blobs_that_make_no_value_are_not_counted(pips: list[tuple[float, float]]) -> None:
    assert count_pips(face(pips, 12), EDGE_PX) is None


def turned(pips: list[tuple[float, float]], degrees: float, step: float = 0.25) -> np.ndarray:
    """Where pips at these steps lie, in edges from the face's middle."""
    return np.array([complex(x, y) for x, y in pips]) * step * np.exp(1j * np.radians(degrees))


@pytest.mark.parametrize("value", PLACES)
def test_pips_where_the_network_has_them_stand_out(value: int) -> None:
    for degrees in (0, 25, 45):
        crop, points = face(PLACES[value], degrees), turned(PLACES[value], degrees)
        assert find_lattice(points) == Count(value, pytest.approx(1.0))
        assert do_stand_out(crop, points, EDGE_PX)
        assert not do_stand_out(crop[:, :, :] // 40 + 90, points, EDGE_PX)


@pytest.mark.parametrize(
    ("lying", "taken"), [(5, 4), (4, 5), (6, 4), (4, 6), (3, 2), (2, 3), (3, 1), (1, 3), (5, 3), (2, 4)]
)
def test_pips_that_the_network_has_too_many_or_misses_do_not(lying: int, taken: int) -> None:
    for degrees in (0, 25):
        assert not do_stand_out(face(PLACES[lying], degrees), turned(PLACES[taken], degrees), EDGE_PX)


def test_likely_places_become_points() -> None:
    likely = np.zeros((40, 40), np.float32)
    y, x = np.mgrid[:40, :40]
    wanted = turned(PLACES[6], 20)
    for point in wanted:
        at = point * 18 + complex(19.5, 19.5)
        likely = np.maximum(likely, 0.9 * np.exp(-((x - at.real) ** 2 + (y - at.imag) ** 2) / 1.5))
    got = find_pips(likely, 18)
    assert len(got) == 6
    assert all(np.abs(got - point).min() < 0.02 for point in wanted)
    assert len(find_pips(likely / 3, 18)) == 0
