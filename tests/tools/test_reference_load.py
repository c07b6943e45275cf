"""The reference load is what its name says."""

from __future__ import annotations

import pytest

from tools.bench.reference_load import make_network


def test_the_reference_load_has_the_weights_and_the_work_of_the_published_network() -> None:
    """Ultralytics gives 3.2 million weights (3,151,904 once folded) and 8.7 thousand million operations at 640 px."""
    _, weights, multiplications = make_network()
    scales_of_resizing = 8
    assert weights == 3_151_904 + scales_of_resizing
    assert 2 * multiplications / 1e9 == pytest.approx(8.7, abs=0.05)
