"""A card that lies upside down on its page, or on which or beside which something lies, is named, and no other one."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from rules.text import Language
from tests.vision.faces.altered import KINDS, Shown, altered, painted, told
from vision.arrays import Floats
from vision.enrol import EnrolError
from vision.enrol.design import blank_share, find_upside_down
from vision.enrol.grid_page import read_grid_page
from vision.mat.light import Light


@cache
def shown(art: str, cloth: str) -> Shown:
    return painted(art, cloth, "guilds")


@pytest.mark.slow  # test_tone.py: and no others
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] if kind not in ("under", "blank") else []) for kind in KINDS]
)
def test_an_altered_card_is_named(kind: str) -> None:
    page = shown("rimmed", "black")
    assert told(page, altered(page, "spies_guild", kind)) == {"spies_guild"}


@pytest.mark.slow
def test_a_card_under_another_is_named_on_a_light_cloth() -> None:
    page = shown("banner", "grey")
    assert told(page, page.picture) == set()
    assert told(page, altered(page, "spies_guild", "under")) == {"spies_guild"}


@pytest.mark.slow  # test_learning.py says it of every cloth
@pytest.mark.parametrize(
    ("kind", "en", "ja", "doubtful"),
    [
        ("turned", "lies upside down, or something lies over it", "上下が逆か", True),
        ("under", "Something lies beside or over spies guild", "横か上に何かあります", False),
    ],
)
def test_it_is_said_what_to_mend(kind: str, en: str, ja: str, doubtful: bool) -> None:
    page = shown("rimmed", "black")
    picture = altered(page, "spies_guild", kind)
    places = page.grid.place_cards(page.mat.size_mm)
    with pytest.raises(EnrolError) as error:
        read_grid_page(page.grid, picture, page.mat, Light.measure(picture, page.mat), places, as_laid=not doubtful)
    (fault,) = error.value.faults
    assert en in fault.text.said(Language.EN)
    assert ja in fault.text.said(Language.JA)
    assert fault.doubtful == doubtful
    if doubtful:
        learnt = read_grid_page(page.grid, picture, page.mat, Light.measure(picture, page.mat), places, as_laid=True)
        assert learnt.names == tuple(places)


def faces(head: float) -> Floats:
    """Edges (8, 50, 32) of faces of one design: something at the foot, as much or another amount at the head."""
    rng = np.random.default_rng(3)
    edges = rng.uniform(8, 12, (8, 50, 32)).astype(np.float32)
    edges[:, :8] += head
    edges[:, -8:] += 40
    return edges


def test_a_design_that_is_as_good_either_way_up_has_nothing_upside_down() -> None:
    edges = faces(head=40.0)
    edges[2] = edges[2, ::-1, ::-1]
    assert not find_upside_down(edges).any()
    edges = faces(head=0.0)
    edges[2] = edges[2, ::-1, ::-1]
    edges[4] = 0.0
    assert np.flatnonzero(find_upside_down(edges)).tolist() == [2]


def test_what_is_blank_on_other_cards_too_is_no_sign_of_a_cover() -> None:
    edges = faces(head=40.0)
    edges[:, 20:30] = 0.5
    assert blank_share(edges).max() == 0.0
    edges[5, :12] = 0.5
    assert np.flatnonzero(blank_share(edges) > 0.1).tolist() == [5]
