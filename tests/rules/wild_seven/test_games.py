"""Whole random games of Wild Seven: held against the sheet written down plainly, and their legal moves."""

from __future__ import annotations

import time
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import DECK, Card
from rules.wild_seven.moves import Deal, Get, Move, Play, Reveal
from rules.wild_seven.position import Phase, Position
from rules.wild_seven.rules import RULES
from tests.rules.wild_seven.table import cards, get, play, random_game, table


class Plain:
    """The sheet as it reads, with sets and loops: slow, and sharing nothing with the rules but the cards."""

    def __init__(self, dealt: Deal, revealed: Reveal) -> None:
        self.hands = [set(hand) - {card} for hand, card in zip(dealt.hands, revealed.cards, strict=True)]
        self.wanted = {*dealt.wanted, *revealed.cards}
        self.front: list[Card | None] = [None] * len(self.hands)
        self.captured: list[set[Card]] = [set() for _ in self.hands]
        lowest = min(card.rank for card in revealed.cards)
        suits = "HOBCSTF"
        ties = [card for card in revealed.cards if card.rank == lowest]
        starter = min(ties, key=lambda card: suits.index(card.suit.letter))
        self.turn = revealed.cards.index(starter)

    def over(self) -> bool:
        return self.front[self.turn] is None and not self.hands[self.turn]

    def legal(self) -> set[Move]:
        if self.over():
            return set()
        own = self.front[self.turn]
        if own is None:
            return {Play(self.turn + 1, card) for card in self.hands[self.turn]}
        smaller = {card for card in self.wanted if card.rank < own.rank}
        same = {card for card in self.wanted if card.suit is own.suit}
        return {Get(self.turn + 1, card) for card in smaller or same} or {Get(self.turn + 1)}

    def do(self, move: Move) -> None:
        own = self.front[self.turn]
        if isinstance(move, Play):
            self.hands[self.turn].remove(move.card)
            for seat, other in enumerate(self.front):
                if other is not None and other.suit is move.card.suit and other.rank > move.card.rank:
                    self.wanted.add(other)
                    self.front[seat] = None
            self.front[self.turn] = move.card
        elif isinstance(move, Get) and own is not None:
            if move.card is not None:
                self.wanted.remove(move.card)
                self.captured[self.turn].add(move.card)
            self.wanted.add(own)
            self.front[self.turn] = None
        self.turn = (self.turn + 1) % len(self.hands)

    def points(self) -> tuple[int, ...]:
        totals = []
        for captured in self.captured:
            total = 0
            for suit in {card.suit for card in captured}:
                ranks = [card.rank for card in captured if card.suit is suit]
                total += max(ranks) + 7 * (len(ranks) - 1)
            totals.append(total)
        return tuple(totals)


def _all_turns(position: Position) -> set[Move]:
    seats = range(1, len(position.players) + 1)
    nothing: set[Move] = {Get(seat) for seat in seats}
    return nothing | {kind(seat, card) for seat in seats for card in DECK for kind in (Play, Get)}


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(9))
def test_a_random_game_goes_as_the_sheet_read_plainly(seed: int) -> None:
    (_, dealt, _), (_, revealed, _), *steps = random_game(seed)
    assert isinstance(dealt, Deal)
    assert isinstance(revealed, Reveal)
    plain = Plain(dealt, revealed)
    over = steps[-1][2]
    for before, move in [*((before, move) for before, move, _ in steps), (over, None)]:
        seats = range(1, len(plain.hands) + 1)
        assert set(before.wanted) == plain.wanted
        assert [before.in_front(seat) for seat in seats] == plain.front
        assert [set(before.get_hand(seat)) for seat in seats] == plain.hands
        assert [before.hand_size(seat) for seat in seats] == [len(hand) for hand in plain.hands]
        assert [set(before.list_captured(seat)) for seat in seats] == plain.captured
        assert before.points == plain.points()
        assert before.to_move == (None if plain.over() else plain.turn + 1)
        legal = RULES.legal_moves(before)
        assert set(legal) == plain.legal() == {one for one in _all_turns(before) if before.is_legal(one)}
        assert len(legal) == len(list(legal))
        if move is None:
            break
        assert move in legal
        plain.do(move)
    final = over.outcome
    assert final is not None
    best = max(plain.points())
    assert final.winners == tuple(seat for seat, points in enumerate(plain.points(), 1) if points == best)


@given(st.integers(0, 2**32), st.integers(3, 5), st.booleans())
@settings(max_examples=40)
def test_every_card_in_play_is_always_in_one_place(seed: int, players: int, public: bool) -> None:
    for _, _, after in random_game(seed, public, players):
        seats = range(1, players + 1)
        shown = [*after.wanted, *(card for seat in seats for card in after.list_captured(seat))]
        shown += [card for seat in seats if (card := after.in_front(seat)) is not None]
        hidden = after.unseen
        assert sorted([*shown, *hidden]) == list(DECK[: 7 * (players + 2)])
        assert len(hidden) == sum(after.hand_size(seat) for seat in seats)
        if after.full:
            assert sorted(card for seat in seats for card in after.get_hand(seat)) == list(hidden)


def test_the_ways_to_reveal_are_counted_and_listed() -> None:
    (_, _, dealt), *_ = random_game(0)
    legal = RULES.legal_moves(dealt)
    assert len(legal) == 11**3
    assert set(legal) == set(map(Reveal, product(*(dealt.get_hand(seat) for seat in (1, 2, 3)))))
    (_, _, seen), *_ = random_game(0, public=True)
    legal = RULES.legal_moves(seen)
    assert len(legal) == 33 * 32 * 31
    listed = list(legal)
    assert len(set(listed)) == len(listed) == len(legal)
    assert all(move in legal for move in listed[::97])


def test_legal_moves_read_well() -> None:
    position = table("C7 - -", wanted="H6 H3 O8", hands=("", "O3", "B4 B5"))
    assert repr(RULES.legal_moves(position)) == "<LegalMoves of P1: 1 get H3; 1 get H6>"
    assert repr(RULES.legal_moves(position.do(get(1, "H6")))) == "<LegalMoves of P2: 2 play O3>"
    (start, _, dealt), *_ = random_game(0)
    assert repr(RULES.legal_moves(start)) == "<LegalMoves none>"
    assert not list(RULES.legal_moves(start))
    assert repr(RULES.legal_moves(dealt)) == "<LegalMoves of all: 1331 ways to reveal>"


def test_a_whole_game_takes_milliseconds_and_a_judgement_microseconds() -> None:
    """Bounds ten times and more above what a small computer needs."""
    began = time.process_time()
    for seed in range(20):
        random_game(seed)
    assert time.process_time() - began < 20 * 0.05
    position = table("C7 - -", wanted="H6 H3 O8", hands=("O2", "O3", "B4 B5"))
    moves: list[Move] = [play(1, "H5"), get(1, "O8"), get(1), get(1, "H6"), Reveal(cards("H5 H4 H2"))]
    began = time.process_time()
    for _ in range(100):
        for move in moves:
            position.verify(move)
    assert time.process_time() - began < 500 * 0.001


def test_positions_never_change() -> None:
    position = table("C7 - -", wanted="H6")
    with pytest.raises(AttributeError):
        position.phase = Phase.OVER  # type: ignore[misc]
