"""What an evening's figures are held to, and that a leak is found in them."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from tools.deb.evening import UNITS, draw_evening, slope_an_hour


def figures(grows_mb_an_hour: float) -> list[dict[str, float]]:
    """Return two hours of looks at a table whose memory goes up and down by 3 MB, and grows."""
    return [
        {"s": 15.0 * n, "state": 900.0}
        | {f"{unit} MB": 200 + 3 * (n % 2) + grows_mb_an_hour * n / 240 for unit in UNITS}
        | {f"{unit} descriptors": 40.0 for unit in UNITS}
        for n in range(480)
    ]


@pytest.mark.parametrize("grows", [0.0, 0.5, 2.0])
def test_how_fast_memory_grows_is_found_through_its_ups_and_downs(grows: float) -> None:
    slope, first, last = slope_an_hour(figures(grows), f"{UNITS[0]} MB")
    assert slope == pytest.approx(grows, abs=0.02)
    assert (first, last) == pytest.approx((201.5, 201.5 + 2 * grows), abs=0.1)


def test_the_drawing_has_a_line_for_each_unit_and_what_is_measured() -> None:
    drawn = ElementTree.fromstring(draw_evening(figures(1.0)))
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polyline"))) == 2 * len(UNITS)
