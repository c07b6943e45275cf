"""The program killed at 80 random moments loses nothing that the screen had shown.

``python -m tests.device.killing`` kills more.
"""

from __future__ import annotations

import os

import pytest

from tests.device.killing import kill


@pytest.mark.skipif(not hasattr(os, "fork"), reason="lives are forked")
def test_a_few_kills_lose_nothing() -> None:
    figures = kill(4, seed=3)
    assert figures.kills == 4
    assert len(figures.moods) >= 2


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="lives are forked")
def test_eighty_kills_lose_nothing() -> None:
    figures = kill(80, seed=1)
    assert figures.kills == 80
    assert figures.games >= 1
    assert figures.kept_unseen > 0, "no kill came between the journal and the screen: the moments are badly chosen"
    assert len(figures.moods) >= 6
