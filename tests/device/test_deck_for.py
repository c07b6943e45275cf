"""A deck is read for a game only where it was learnt with all of the game's cards."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import pytest

from device.capture.eye import deck_for
from device.errors import DeviceError
from referee.registry import load_referees
from rules.text import Language
from tests.vision.identify.test_deck import small_deck


def test_a_deck_without_a_games_cards_is_refused_in_one_sentence() -> None:
    referee = mock.Mock(cards=replace(load_referees()["laminate"].cards, faces=("H7", "three/review")))
    referee.rules.title = load_referees()["laminate"].rules.title
    deck = small_deck()
    assert not {"H7", "three/review"} <= set(deck.names)
    with pytest.raises(DeviceError, match="learnt without some of the cards of Laminate Rummy") as caught:
        deck_for(referee, deck, mock.Mock())
    assert "ラミネートラミー" in caught.value.text.said(Language.JA)


def test_a_deck_with_them_is_brought_up_to_date() -> None:
    deck, reader = small_deck(), mock.Mock()
    referee = mock.Mock(cards=replace(load_referees()["laminate"].cards, faces=deck.names[:1]))
    assert deck_for(referee, deck, reader) is reader.up_to_date.return_value
    reader.up_to_date.assert_called_once_with(deck)
