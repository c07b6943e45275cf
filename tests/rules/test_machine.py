"""Random legal and illegal play, step by step, with everything that must always hold looked at after each step."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules.cards import DECK, Card
from rules.laminate.game import Game, as_seen
from rules.laminate.legal_moves import LegalMoves
from rules.laminate.moves import Citation, EndFlag, Move, Pass, Publish, Research, Review
from rules.laminate.papers import BUILT_IN
from rules.laminate.play import deal, random_move
from rules.laminate.position import Position
from rules.laminate.refusals import CODES
from rules.refusal import Illegal

CARDS = st.sampled_from(DECK)
SEATS = st.integers(1, 5)
KINDS = st.sampled_from([kind.name for kind in BUILT_IN] + ["royal_flush"])
CITATIONS = st.lists(st.builds(Citation, SEATS, KINDS), max_size=3).map(tuple)
PAYMENTS = st.dictionaries(SEATS, st.lists(CARDS, max_size=2).map(tuple), max_size=2)
OPTIONAL = st.none() | CARDS
ANY_MOVE: st.SearchStrategy[Move] = st.one_of(
    st.builds(Research, SEATS, st.sampled_from(["deck", "discard"]), OPTIONAL, OPTIONAL),
    st.builds(Publish, SEATS, KINDS, st.lists(CARDS, max_size=5).map(tuple), CITATIONS, PAYMENTS),
    st.builds(Review, SEATS, SEATS, KINDS, CARDS),
    st.builds(Pass, SEATS),
    st.builds(EndFlag, SEATS, CARDS),
)


class LaminateMachine(RuleBasedStateMachine):
    """A full game, and beside it the same game as everybody sees it."""

    @initialize(players=st.integers(3, 5), seed=st.integers(0, 1 << 30), first=st.integers(0, 4))
    def start(self, players: int, seed: int, first: int) -> None:
        self.chance = Random(seed)
        names = tuple("ABCDE"[:players])
        self.game = Game(names, 1 + first % players)
        self.public = [Position.start(names, 1 + first % players)]
        self._play(deal(players, self.chance))

    def _play(self, move: Move) -> None:
        refusal = self.public[-1].verify(as_seen(move))
        assert refusal is None, f"public knowledge refuses the true move {move}: {refusal}"
        self.game.play(move)
        self.public.append(self.public[-1].do(as_seen(move)))

    @precondition(lambda self: self.game.position.to_move is not None)
    @rule(count=st.integers(1, 40))
    def play_on(self, count: int) -> None:
        for _ in range(count):
            if self.game.position.to_move is not None:
                self._play(random_move(self.game.position, self.chance))

    @rule(move=ANY_MOVE)
    def try_anything(self, move: Move) -> None:
        """Check that a refused move changes nothing, and an accepted one is accepted from public knowledge too."""
        position, before = self.game.position, self.game.position.to_json()
        refusal = position.verify(move)
        if refusal is None:
            assert move in LegalMoves(position)
            self._play(move)
            return
        assert refusal.code in CODES
        assert [*map(CODES.index, (refusal.code, *refusal.also))] == sorted(
            {*map(CODES.index, (refusal.code, *refusal.also))}
        )
        with pytest.raises(Illegal) as illegal:
            self.game.play(move)
        assert illegal.value.refusal == refusal
        assert self.game.position is position
        assert position.to_json() == before

    @rule(data=st.data())
    def spoil_a_legal_move(self, data: st.DataObject) -> None:
        """One thing about a legal move is changed: it is legal still or refused with a reason, and nothing moves."""
        position = self.game.position
        if position.to_move is None:
            return
        move = random_move(position, self.chance)
        if isinstance(move, Publish):
            kind, cards = data.draw(KINDS), data.draw(st.lists(CARDS, max_size=3).map(tuple))
            move = data.draw(
                st.sampled_from([
                    Publish(move.seat, kind, move.cards, move.cite, move.pay),
                    Publish(move.seat, move.paper, move.cards + cards, move.cite, move.pay),
                    Publish(move.seat, move.paper, move.cards[1:], move.cite, move.pay),
                    Publish(move.seat, move.paper, move.cards, move.cite[1:], move.pay),
                    Publish(move.seat, move.paper, move.cards, move.cite, {}),
                ])
            )  # fmt: skip
        elif isinstance(move, Research):
            move = Research(move.seat, move.source, move.keep, data.draw(OPTIONAL))
        self.try_anything(move)

    @invariant()
    def all_cards_are_there(self) -> None:
        """49 cards, each once, in hands, piles and papers."""
        position = self.game.position
        places: list[Card | None] = [*position.draw_pile, *position.discards]
        for seat in range(1, len(position.players) + 1):
            places += position.get_hand(seat)
            assert position.hand_size(seat) == len(position.get_hand(seat))
        for paper in position.papers:
            assert paper.cards
            places += paper.cards
        assert len(places) == len(DECK)
        assert set(places) == set(DECK)

    @invariant()
    def paper_cards_are_there(self) -> None:
        """Supply and papers on the table make the printed number, one of a kind each, and points are counted."""
        position = self.game.position
        for kind in BUILT_IN:
            lying = [paper.seat for paper in position.papers if paper.kind == kind.name]
            assert position.count_supply(kind.name) >= 0
            assert position.count_supply(kind.name) + len(lying) == kind.copies
            assert len(set(lying)) == len(lying)
        for seat, points in enumerate(position.points, 1):
            complete = [paper for paper in position.papers if paper.seat == seat and paper.complete]
            assert points == sum(position.catalogue[paper.kind].points for paper in complete)
            assert position.complete_papers[seat - 1] == len(complete)

    @invariant()
    def public_knowledge_holds_the_truth(self) -> None:
        truth, public = self.game.position, self.public[-1]
        assert public.papers == truth.papers
        assert (public.to_move, public.phase, public.points) == (truth.to_move, truth.phase, truth.points)
        for seat in range(1, len(truth.players) + 1):
            assert all(public.may_hold(seat, card) for card in truth.get_hand(seat))
            assert public.hand_size(seat) == truth.hand_size(seat)
        assert all(public.may_be_in_deck(card) for card in truth.draw_pile)
        assert len(public.discards) == len(truth.discards)

    @invariant()
    def countdown_and_flag(self) -> None:
        position = self.game.position
        n = len(position.players)
        if position.turns_left is None:
            assert position.phase == "flag" or max(position.points) < 15 or position.outcome is None
        else:
            assert 0 <= position.turns_left <= 2 * n - 1
        if position.phase == "flag":
            assert position.to_move == position.flag_seat
        assert (position.outcome is None) == (position.to_move is not None)


TestLaminate = LaminateMachine.TestCase
TestLaminate.settings = settings(max_examples=20, stateful_step_count=30, derandomize=True)
