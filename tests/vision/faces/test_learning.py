"""Cards are learnt exactly from their pages, or named as unsure, whatever the cloth under them."""

from __future__ import annotations

import random

import pytest

from device.capture.eye import card_reader
from referee.layout import REFERENCE_MAT_MM
from tests.vision.faces.learning import painted
from tests.vision.faces.tables import camera, page
from tests.words import en, ja
from vision.enrol import EnrolError, read_page


@pytest.mark.slow  # test_grid_pages.py learns pages of other decks
@pytest.mark.parametrize(
    ("art", "cloth", "name"),
    [
        ("rimmed", "black", "age1"),
        ("sable", "black", "age1"),
        ("sable", "brown", "guilds"),
        ("painting", "mottled", "age1"),
    ],
)
def test_cards_are_learnt_exactly_on_any_cloth(art: str, cloth: str, name: str) -> None:
    """A frame stands out more than a dark rim on a dark mat, and is turned as the card is, but is no edge."""
    cards, off, unsure = painted(art, cloth, name)
    assert off == 0
    assert unsure <= 0.04 * cards


@pytest.mark.slow
def test_empty_places_on_a_blotched_cloth_hold_no_cards() -> None:
    for cloth in ("mottled", "blotched"):
        above = camera("rimmed", 7, cloth=cloth)
        above.show(page("guilds", random.Random(cloth)))
        assert read_page(card_reader(), "guilds", above.take_picture(), REFERENCE_MAT_MM).faces is not None


@pytest.mark.slow  # test_grid_pages.py: one without a card names it
@pytest.mark.parametrize("as_laid", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_cards_whose_edges_do_not_show_are_named(as_laid: bool) -> None:
    above = camera("hatched", 7, cloth="white")
    above.show(page("guilds", random.Random("hatchedwhiteguilds")))
    with pytest.raises(EnrolError) as told:
        read_page(card_reader(), "guilds", above.take_picture(), REFERENCE_MAT_MM, as_laid)
    (fault,) = told.value.faults
    assert "builders_guild" in fault.cards
    assert "lay them straight, on a cloth of another colour" in en(fault)
    assert "別の色の布" in ja(fault)
    assert not fault.doubtful
