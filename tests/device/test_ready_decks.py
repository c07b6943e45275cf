"""Which deck a game is played with where nobody names one, and that no deck is made to find out."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.enrol.ready_decks import PRINTED_DECK, deck_for_game, deck_shelf, printed_set_name
from device.errors import DeviceError
from device.storage.deck_store import DeckShelf
from referee.registry import load_referees

SEVEN = [one for one in load_referees().values() if not one.cards.grids]
OWN = [one for one in load_referees().values() if one.cards.printed]


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DeckShelf:
    """Return an empty shelf on which decks named after their pages lie once their files are there."""
    seven = frozenset(face for one in SEVEN for face in one.cards.faces)
    learnt = {"three pages": seven, "two pages": frozenset(SEVEN[-1].cards.faces), "damaged": frozenset()}
    loaded = DeckShelf.list_faces
    monkeypatch.setattr(DeckShelf, "list_faces", lambda self, name: learnt.get(name, loaded(self, name)))
    (tmp_path / "decks").mkdir()
    return deck_shelf(tmp_path)


def lay(shelf: DeckShelf, *names: str) -> None:
    for name in names:
        shelf.get_path(name).write_bytes(b"")


@pytest.mark.parametrize("game", SEVEN, ids=lambda game: game.rules.name)
def test_the_printed_deck_is_played_with_where_none_was_learnt(game: object, shelf: DeckShelf) -> None:
    assert deck_for_game(shelf, game) == PRINTED_DECK
    assert shelf.list_names() == [], "nothing is made"
    lay(shelf, "damaged")
    assert deck_for_game(shelf, game) == PRINTED_DECK


def test_a_game_with_cards_of_its_own_is_played_with_its_printed_set(shelf: DeckShelf) -> None:
    lay(shelf, "three pages")
    assert [deck_for_game(shelf, game) for game in OWN] == [printed_set_name(game) for game in OWN]


def test_the_only_deck_learnt_with_the_cards_is_taken_and_of_several_one_is_to_be_named(shelf: DeckShelf) -> None:
    whole, half = SEVEN[0], SEVEN[-1]
    lay(shelf, "two pages")
    assert deck_for_game(shelf, half) == "two pages"
    assert deck_for_game(shelf, whole) == PRINTED_DECK
    lay(shelf, "three pages", PRINTED_DECK)
    assert deck_for_game(shelf, whole) == "three pages", "the printed deck on the shelf is no second one"
    with pytest.raises(DeviceError, match=r"--deck; known with the cards of .*: 'three pages', 'two pages'"):
        deck_for_game(shelf, half)


def test_the_settings_deck_is_taken_where_it_has_the_cards_or_can_t_be_loaded(shelf: DeckShelf) -> None:
    lay(shelf, "two pages", "three pages", "damaged")
    assert deck_for_game(shelf, SEVEN[-1], "two pages") == "two pages"
    assert deck_for_game(shelf, SEVEN[0], "two pages") == "three pages"
    assert deck_for_game(shelf, SEVEN[0], "damaged") == "damaged", "what is wrong with it is said when it is loaded"
