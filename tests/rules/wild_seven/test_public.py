"""Public knowledge of Wild Seven is exact: held against every placing of the unseen cards, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from rules.cards import DECK, Card
from rules.wild_seven.moves import Deal, Get, Move, Play, Reveal, Setup
from rules.wild_seven.position import Phase, Position
from rules.wild_seven.rules import RULES
from tests.rules.wild_seven.table import random_game
from tests.words import en


def placings(unseen: tuple[Card, ...], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Every way to hold those cards in hands of those sizes."""
    if not sizes:
        yield ()
        return
    for hand in combinations(unseen, sizes[0]):
        left = tuple(card for card in unseen if card not in hand)
        for others in placings(left, sizes[1:]):
            yield hand, *others


def worlds(position: Position, history: list[Move]) -> list[Position]:
    """Every position with full information in which the same game has been played in the open.

    Each placing is dealt, with the cards that each seat has laid since, and the whole game is played in it again.
    """
    n = len(position.players)
    laid: list[list[Card]] = [[] for _ in range(n)]
    setup, *moves = history
    assert isinstance(setup, Setup)
    for move in moves:
        if isinstance(move, Reveal):
            for seat, card in enumerate(move.cards):
                laid[seat].append(card)
        elif isinstance(move, Play):
            laid[move.seat - 1].append(move.card)
    found = []
    for hands in placings(position.unseen, tuple(position.hand_size(seat) for seat in range(1, n + 1))):
        dealt = tuple((*mine, *hand) for mine, hand in zip(laid, hands, strict=True))
        truth = Position.start(position.players).do(Deal(dealt, setup.wanted))
        for move in moves:
            truth = truth.do(move)
        assert [set(truth.get_hand(seat)) for seat in range(1, n + 1)] == [set(hand) for hand in hands]
        found.append(truth)
    return found


def all_turns(players: int) -> list[Move]:
    seats = range(1, players + 1)
    nothing: list[Move] = [Get(seat) for seat in seats]
    return nothing + [kind(seat, card) for seat in seats for card in DECK for kind in (Play, Get)]


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 5))])
def test_a_card_is_refused_only_where_no_placing_of_the_unseen_cards_allows_it(seed: int) -> None:
    """All moves, by all seats, in the late positions of a game: at most six cards are unseen."""
    steps = random_game(seed, public=True)
    history = [move for _, move, _ in steps]
    late = [place for place, (before, _, _) in enumerate(steps) if place > 1 and len(before.unseen) <= 6]
    for place in [*late[::5], len(steps)]:
        position = steps[place][0] if place < len(steps) else steps[-1][2]
        possible = worlds(position, history[:place])
        assert possible
        for move in all_turns(len(position.players)):
            truths = [truth.verify(move) for truth in possible]
            seen = position.verify(move)
            assert (seen is None) is any(truth is None for truth in truths)
            codes = [set() if truth is None else {truth.code, *truth.also} for truth in truths]
            told = set() if seen is None else {seen.code, *seen.also}
            assert told == set.intersection(*codes), "what is broken however the cards lie, and nothing else"


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
def test_what_a_hand_may_hold_is_what_some_placing_puts_there(seed: int) -> None:
    steps = random_game(seed, public=True)
    history = [move for _, move, _ in steps]
    for place in [place for place, (before, _, _) in enumerate(steps) if place > 1 and len(before.unseen) <= 5][::3]:
        position = steps[place][0]
        possible = worlds(position, history[:place])
        for seat in range(1, len(position.players) + 1):
            held = {card for truth in possible for card in truth.get_hand(seat)}
            assert set(position.may_be_in_hand(seat)) == held
            assert {card for card in DECK if position.may_hold(seat, card)} == held


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_reveal_of_different_unseen_cards_is_never_refused_in_public(players: int) -> None:
    """Each such reveal has a deal in which everybody held their card; a card that is wanted has none."""
    (_, setup, position), *_ = random_game(3, public=True, players=players)
    assert isinstance(setup, Setup)
    unseen = position.unseen
    assert len(unseen) == sum(position.hand_size(seat) for seat in range(1, players + 1))
    for start in range(0, len(unseen) - players, 5):
        revealed = unseen[start : start + players][::-1]
        others = [card for card in unseen if card not in revealed]
        size = position.hand_size(1) - 1
        hands = tuple((card, *others[seat * size : (seat + 1) * size]) for seat, card in enumerate(revealed))
        assert Position.start(position.players).do(Deal(hands, setup.wanted)).is_legal(Reveal(revealed))
        assert position.is_legal(Reveal(revealed))
        refusal = position.verify(Reveal((setup.wanted[0], *revealed[1:])))
        assert refusal is not None
        assert refusal.code == "card_not_in_hand"


@pytest.mark.parametrize("seed", range(3))
def test_full_and_public_agree_through_a_whole_game(seed: int) -> None:
    full, public = random_game(seed), random_game(seed, public=True)
    for (_, _, truth), (_, move, seen) in zip(full, public, strict=True):
        assert truth.full
        assert not seen.full
        for name in ("players", "phase", "to_move", "wanted", "points", "outcome", "unseen", "seen"):
            assert getattr(truth, name) == getattr(seen, name)
        for seat in range(1, len(truth.players) + 1):
            assert truth.in_front(seat) == seen.in_front(seat)
            assert truth.hand_size(seat) == seen.hand_size(seat)
            assert truth.list_captured(seat) == seen.list_captured(seat)
            assert set(truth.get_hand(seat)) <= set(seen.may_be_in_hand(seat))
        assert RULES.to_move(truth) == RULES.to_move(seen)
        assert RULES.report_result(truth) == RULES.report_result(seen)
        assert repr(truth) == repr(seen)
        if truth.phase is Phase.PLAY:
            assert set(RULES.legal_moves(truth)) <= set(RULES.legal_moves(seen))
        assert RULES.make_public(move) == move


def test_a_public_position_holds_no_hand() -> None:
    (_, dealt, truth), *_ = random_game(4)
    assert isinstance(dealt, Deal)
    seen = Position.start(truth.players).do(RULES.make_public(dealt))
    named = {str(card) for card in dealt.wanted}
    assert seen.to_json()["hands"] is None
    assert {en(card) for card in DECK if str(card) in str(seen.to_json())} == {en(Card.parse(name)) for name in named}
