"""Public knowledge against every placing there is, on small decks, and against the truth of whole games."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from rules.cards import DECK, Card, cards_in, indices_in, mask_of
from rules.laminate.game import as_seen
from rules.laminate.knowledge import DRAW, Knowledge
from rules.laminate.moves import Citation, Move, Publish, Research, Review, Setup
from rules.laminate.play import deal, random_move
from rules.laminate.position import Position

Placing = tuple[tuple[int, int], ...]  # (card, place), unseen cards only


def _all_placings(counts: tuple[int, ...], cards: int) -> set[Placing]:
    found = set()
    for places in product(range(len(counts)), repeat=cards):
        if all(places.count(place) == count for place, count in enumerate(counts)):
            found.add(tuple(enumerate(places)))
    return found


def _moved(placings: set[Placing], source: int, target: int, count: int) -> set[Placing]:
    found = set()
    for placing in placings:
        there = [card for card, place in placing if place == source]
        for chosen in combinations(there, count):
            found.add(tuple((card, target if card in chosen else place) for card, place in placing))
    return found


def _left(placings: set[Placing], place: int, cards: set[int]) -> set[Placing]:
    return {
        tuple((card, at) for card, at in placing if card not in cards)
        for placing in placings
        if all((card, place) in placing for card in cards)
    }


@pytest.mark.parametrize("seed", range(40))
def test_exactly_the_placings_that_fit(seed: int) -> None:
    """On decks of up to seven cards the possible places are those of a full enumeration, step after step."""
    chance = Random(seed)
    places = chance.choice((3, 4))
    counts = [chance.randint(1, 3) for _ in range(places)]
    while sum(counts) > 7:
        counts[chance.randrange(places)] = 1
    cards = sum(counts)
    known = Knowledge.start(tuple(counts), (1 << cards) - 1)
    placings = _all_placings(tuple(counts), cards)
    seen: list[int] = []
    for _ in range(12):
        event = chance.choice(("move", "move", "leave", "enter"))
        if event == "move":
            source, target = chance.sample(range(places), 2)
            if not counts[source]:
                continue
            count = chance.randint(1, min(2, counts[source]))
            counts[source] -= count
            counts[target] += count
            known, placings = known.move(source, target, count), _moved(placings, source, target, count)
        elif event == "enter" and seen:
            card, place = seen.pop(chance.randrange(len(seen))), chance.randrange(places)
            counts[place] += 1
            known = known.enter(place, 1 << card)
            placings = {tuple(sorted((*placing, (card, place)))) for placing in placings}
        elif event == "leave":
            truth = chance.choice(sorted(placings))
            place = chance.randrange(places)
            there = [card for card, at in truth if at == place]
            if not there:
                continue
            gone = set(chance.sample(there, chance.randint(1, min(2, len(there)))))
            counts[place] -= len(gone)
            seen += gone
            known, placings = known.leave(place, sum(1 << c for c in gone)), _left(placings, place, gone)
        for place in range(places):
            possible = {card for placing in placings for card, at in placing if at == place}
            assert set(indices_in(known.possible(place))) == possible
            unseen = sorted({card for card, _ in next(iter(placings))})
            for pair in combinations(unseen, 2):
                together = any(all((card, place) in placing for card in pair) for placing in placings)
                assert known.can_leave(place, sum(1 << c for c in pair)) == together
    assert Knowledge.from_json(known.to_json()) == known


def test_two_histories_of_a_draw_across_the_reshuffle() -> None:
    """The shown card may be the old pile's last card or a set-up discard nobody saw: both are kept in mind."""
    cards = 5  # draw 1, hands 1 and 1, unseen discards 2; card 9 is the seen discard
    start = Knowledge.start((1, 1, 1, 2), (1 << cards) - 1)
    shown = 1 << 0
    known = Knowledge.either(
        start.leave(DRAW, shown).reshuffle(1 << 9).draw(1, 0, 0),
        start.draw(1, 0, 0).reshuffle(1 << 9).leave(DRAW, shown),
    )
    assert known.possible(1) >> 9 & 1, "the seen discard may have been drawn second and kept"
    assert known.possible(DRAW) >> 9 & 1
    gone = known.leave(1, 1 << 9)
    assert gone.consistent
    assert not gone.possible(DRAW) >> 9 & 1
    assert Knowledge.from_json(gone.to_json()) == gone


def play_through(seed: int) -> list[tuple[Position, Move, Position]]:
    """A random full game with its public shadow: truth before each move, the move, public position before it."""
    chance = Random(seed)
    players = tuple("ABCDE"[: 3 + seed % 3])
    truth = Position.start(players, 1 + chance.randrange(len(players)))
    public = truth
    steps: list[tuple[Position, Move, Position]] = []
    move: Move = deal(len(players), chance)
    while True:
        steps.append((truth, move, public))
        truth, public = truth.do(move), public.do(as_seen(move))
        if truth.to_move is None:
            return steps
        move = random_move(truth, chance)


@pytest.mark.parametrize("seed", range(12))
def test_the_truth_is_always_possible(seed: int) -> None:
    """No true move is refused from public knowledge, and every card may be where it is."""
    for truth, _, public in play_through(seed)[1:]:
        for seat in range(1, len(truth.players) + 1):
            assert public.hand_size(seat) == len(truth.hand(seat))
            for card in truth.hand(seat):
                assert public.may_hold(seat, card)
        for card in truth.draw_pile:
            assert public.may_be_in_deck(card)
        assert public.draw_count == truth.draw_count
        for seen, card in zip(public.discards, truth.discards, strict=True):
            assert seen is None or seen == card


def _setup() -> Position:
    return Position.start(("A", "B", "C", "D")).do(Setup(Card.parse("H7")))


def test_a_taken_discard_is_known_to_be_in_that_hand() -> None:
    position = _setup().do(Research(1, "discard", Card.parse("H7")))
    assert position.may_hold(1, Card.parse("H7"))
    assert not any(position.may_hold(seat, Card.parse("H7")) for seat in (2, 3, 4))
    assert not position.may_be_in_deck(Card.parse("H7"))


def test_a_taken_discard_uncovers_one_of_the_unseen_setup_discards() -> None:
    """With four players the card under the top is unseen: any unseen card may show, a seen one may not."""
    position = _setup().do(Research(1, "discard", Card.parse("H7")))
    assert position.discards == (None,)
    assert position.can(Research(2, "discard", Card.parse("FK")))
    refusal = position.verify(Research(2, "discard", Card.parse("H7")))
    assert refusal is not None
    assert refusal.code == "card_not_in_deck"


def test_a_hand_full_of_known_cards_holds_no_other() -> None:
    """The first hand takes seen cards and lays its three unknown ones: nothing else can be in it."""
    position = Position.start(("A", "B", "C")).do(Setup(Card.parse("H7")))
    position = position.do(Research(1, "discard", Card.parse("H7")))
    position = position.do(Research(2, "deck", None, Card.parse("O7")))
    position = position.do(Research(3, "deck", None, Card.parse("B7")))
    position = position.do(Research(1, "discard", Card.parse("B7")))
    position = position.do(Research(2, "deck", None, Card.parse("F9")))
    position = position.do(Research(3, "deck", None, Card.parse("F8")))
    cards = tuple(map(Card.parse, ("C7", "S7", "T7")))
    assert not position.can(Publish(1, "three", (*cards, Card.parse("F7"))))
    position = position.do(Publish(1, "three", cards))
    assert {card for card in DECK if position.may_hold(1, card)} == {Card.parse("H7"), Card.parse("B7")}


def _paid_once() -> Position:
    """C cites A's complete paper and pays A one unseen card; C was known to hold O7."""
    position = Position.start(("A", "B", "C")).do(Setup(Card.parse("H7")))
    for move in (
        Publish(1, "three", tuple(map(Card.parse, ("H5", "O5", "B5")))),
        Review(2, 1, "three", Card.parse("O5")),
        Research(3, "discard", Card.parse("H7")),
        Research(1, "deck", None, Card.parse("FK")),
        Review(2, 1, "three", Card.parse("B5")),
        Publish(3, "three", tuple(map(Card.parse, ("S5", "C5"))), (Citation(1, "three"),), {1: 1}),
    ):
        position = position.do(move)
    return position


def test_a_known_card_may_have_been_paid_away() -> None:
    position = _paid_once()
    heart = Card.parse("H7")
    assert position.may_hold(3, heart)
    assert position.may_hold(1, heart)
    assert not position.may_hold(2, heart)


def test_a_payment_of_one_card_gives_one_card_only() -> None:
    """Together: what A shows later says what C paid."""
    position = _paid_once()
    assert position.hand_size(3) == 1
    assert position.hand_size(1) == 2
    # A's unseen card came from the pile; if A has H7 it was paid, so C's last card was never seen.
    had_it = position.do(Research(1, "deck", None, Card.parse("T12")))
    assert had_it.may_hold(3, Card.parse("H7"))
    assert had_it.may_hold(1, Card.parse("H7"))
    assert had_it.may_hold(3, Card.parse("S9"))


def test_card_masks_round_trip() -> None:
    assert mask_of(cards_in(0b1011)) == 0b1011
