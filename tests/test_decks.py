"""A deck that is kept is what learning it gives, every time anew: this run learns one too."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from device.capture.eye import card_reader
from referee.layout import REFERENCE_MAT_MM
from tests import decks
from vision.enrol import PAGES, enrol_pages
from vision.identify.deck import Deck


def parts_of(deck: Deck) -> list[np.ndarray]:
    """Every array of a deck that is read by its crops."""
    crops = [crop for card in deck.cards for crop in (*card.crops, card.centre_crop) if crop is not None]
    return [*crops, deck.embeddings.vectors, deck.embeddings.rank, deck.embeddings.suit]


@pytest.mark.slow  # tests/vision/test_reader.py learns one
def test_the_reference_deck_is_learnt_anew_and_is_the_one_that_is_kept() -> None:
    pages = {page: decks.page_pictured(page) for page in PAGES}
    learnt, was = enrol_pages(card_reader(), "reference", pages, REFERENCE_MAT_MM), decks.reference_deck()
    assert (learnt.name, learnt.names, learnt.model) == (was.name, was.names, was.model)
    assert len(learnt.names) == 82
    for one, other in zip(parts_of(learnt), parts_of(was), strict=True):
        assert np.array_equal(one, other)


def test_what_is_kept_is_made_once_and_anew_for_another_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decks, "FOLDER", tmp_path / "kept")
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [decks.kept("thing", make) for _ in range(3)] == [1, 1, 1]
    (path,) = (tmp_path / "kept").rglob("thing")
    assert pickle.loads(path.read_bytes()) == 1
    monkeypatch.setattr(decks, "origin", lambda: "another")
    assert decks.kept("thing", make) == 2
    assert not path.exists()
