"""Finished tables of random games of Wild Seven: scored as the game scored them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from referee.finished.score import Finished, Score
from referee.registry import load_scorings
from referee.table import Detections, Sighting, Unread
from rules.cards import DECK, Card, Suit
from rules.registry import find_game
from rules.text import Text
from rules.wild_seven.deck import in_play
from rules.wild_seven.position import Position
from tests.referee.finished.lying import columns

SCORING = load_scorings()["wild_seven"]
MAT = (1189.0, 841.0)


@cache
def finished_game(seed: int) -> Position:
    rules, rng = find_game("wild_seven"), random.Random(seed)
    position = rules.start([f"Player {n}" for n in range(1, 4 + seed % 3)], {})
    while position.outcome is None:
        position = position.do(rules.random_move(position, rng))
    assert isinstance(position, Position)
    return position


def shown(position: Position, rng: random.Random) -> list[Sighting]:
    """Everybody's captured cards by suit, and the wanted in the middle."""
    layout = SCORING.make_layout(len(position.players), MAT)
    seen = []
    for seat in range(1, len(position.players) + 1):
        for place, suit in enumerate(Suit):
            own = [str(card) for card in position.list_captured(seat) if card.suit is suit]
            width = layout.seat_rect(seat)[2] - layout.seat_rect(seat)[0]
            pitch = (width - 140) / 6
            seen += columns(own, layout, seat, 70 + place * pitch, 0.0, rng)
    for number, card in enumerate(position.wanted):
        column, place = divmod(number, 6)
        seen.append(Sighting(str(card), 360.0 + 72 * column, 350.0 + 22 * place, 0.0))
    return seen


def in_hand(position: Position) -> int:
    """How many cards are left in hands and in front."""
    players = range(1, len(position.players) + 1)
    lying = sum(len(position.list_captured(seat)) for seat in players) + len(position.wanted)
    return in_play(len(players)).bit_count() - lying


def score(cards: list[Sighting], players: int, unread: tuple[Unread, ...] = (), **told: int) -> Score:
    layout = SCORING.make_layout(players, MAT)
    names = tuple(Text(f"Player {n}") for n in range(1, players + 1))
    view = SCORING.observe(Detections(tuple(cards), unread), layout)
    return SCORING.score(view, Finished(names, layout, told))


def tables(seeds: range) -> Iterator[tuple[Position, list[Sighting]]]:
    for seed in seeds:
        position = finished_game(seed)
        yield position, shown(position, random.Random(seed))


def test_a_finished_table_is_scored_as_the_game_scored_it() -> None:
    for position, cards in tables(range(200)):
        found = score(cards, len(position.players), in_hand=in_hand(position))
        assert [str(fault.reason.text) for fault in found.faults] == []
        assert (found.final, found.places) == (position.outcome.points, position.outcome.places)  # type: ignore[union-attr]


def test_a_covered_card_leaves_the_result_open() -> None:
    for position, cards in tables(range(30)):
        hidden = next(
            number for number, card in enumerate(cards) if position.list_captured(1) and card.y > MAT[1] * 0.66
        )
        (fault,) = score(cards[:hidden] + cards[hidden + 1 :], len(position.players), in_hand=in_hand(position)).faults
        assert fault.reason.code == "cannot_see"
        assert f"{in_hand(position) + 1} card" in str(fault.reason.text)


def test_cards_left_in_hand_lie_in_the_middle_or_are_told() -> None:
    position, cards = next(table for table in tables(range(20)) if in_hand(table[0]))
    players = len(position.players)
    assert score(cards, players).winners is None
    seen = {card.name for card in cards}
    left = [card for card in DECK if card.bit & in_play(players) and str(card) not in seen]
    middle = [Sighting(str(card), 350.0 + 25 * number, 480.0, 0.0) for number, card in enumerate(left)]
    assert score([*cards, *middle], players).winners == position.outcome.winners  # type: ignore[union-attr]


def test_a_wrong_number_of_players_never_gives_a_result() -> None:
    for position, cards in tables(range(90)):
        for players in SCORING.rules.seats:
            if players != len(position.players):
                assert score(cards, players, in_hand=in_hand(position)).winners is None


def test_cards_that_are_not_turned_up_and_suits_in_the_box_are_named() -> None:
    position, cards = next(tables(range(1)))
    at, left = cards[0], in_hand(position)
    (fault,) = score([*cards, Sighting("back", at.x, at.y + 60, 0.0)], 3, in_hand=left).faults
    assert "face down" in str(fault.reason.text)
    faults = score([*cards, Sighting("FK", at.x, at.y + 60, 0.0)], 3, in_hand=left - 1).faults
    assert "Coffin K is not in play with 3 players: check how many play." in {str(one.reason.text) for one in faults}
    seen = {card.name for card in cards}
    hidden = next(name for suit in list(Suit)[:5] for rank in suit.ranks if (name := str(Card(suit, rank))) not in seen)
    (fault,) = score([*cards, Sighting(hidden, 40.0, 420.0, 0.0)], 3, in_hand=left - 1).faults
    assert "lies between Player 2's area and the middle" in str(fault.reason.text)
    glare = (Unread(600.0, 420.0, 0.0, "glare"),)
    assert score(cards, len(position.players), glare, in_hand=left).winners is not None


@pytest.mark.parametrize("players", [4, 5])
def test_a_suit_of_which_nothing_is_seen_has_the_number_of_players_asked_for(players: int) -> None:
    cards = [Sighting("H7", 100.0, 700.0, 0.0)]
    left = in_play(players).bit_count() - 1
    (fault,) = score(cards, players, in_hand=left).faults
    assert fault.reason.code == "cannot_see"
    assert score(cards, players, in_hand=left, seats=players).winners == (1,)
