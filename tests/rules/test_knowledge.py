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
from rules.laminate.worlds import _World

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


def _search_from_nothing(
    world: _World, closed: tuple[tuple[int, int], ...], starts: tuple[int, ...], ends: list[int]
) -> tuple[tuple[int, ...], ...] | None:
    return world._search(closed, starts, dict(zip(world.now, ends, strict=True)))


class _Small:
    """A small deck in a few places: what is known, every placing that fits, and one of them that is the truth."""

    def __init__(self, chance: Random, fresh: tuple[int, ...]) -> None:
        self.chance = chance
        self.places = len(fresh)
        self.cards = sum(fresh)
        self.known = Knowledge.start(fresh, (1 << self.cards) - 1)
        self.placings = _all_placings(fresh, self.cards)
        self.truth = dict(chance.choice(sorted(self.placings)))
        self.seen: list[int] = []

    def there(self, place: int) -> list[int]:
        return sorted(card for card, at in self.truth.items() if at == place)

    def enter(self, card: int, place: int) -> None:
        self.truth[card] = place
        self.known = self.known.enter(place, 1 << card)
        self.placings = {tuple(sorted((*placing, (card, place)))) for placing in self.placings}

    def move(self) -> None:
        source, target = self.chance.sample(range(self.places), 2)
        there = self.there(source)
        if there:
            gone = self.chance.sample(there, self.chance.choice((1, 1, min(2, len(there)))))
            self.truth.update((card, target) for card in gone)
            self.known = self.known.move(source, target, len(gone))
            self.placings = _moved(self.placings, source, target, len(gone))

    def leave(self) -> None:
        place = self.chance.randrange(self.places)
        there = self.there(place)
        if there:
            gone = set(self.chance.sample(there, self.chance.choice((1, 1, min(2, len(there))))))
            for card in gone:
                del self.truth[card]
            self.seen += sorted(gone)
            self.known = self.known.leave(place, sum(1 << card for card in gone))
            self.placings = _left(self.placings, place, gone)

    def look(self) -> None:
        """Show a card where it lies, and leave it there."""
        if self.truth:
            card = self.chance.choice(sorted(self.truth))
            place = self.truth[card]
            self.known = self.known.see(place, 1 << card)
            assert self.known.seen_at(place) >> card & 1
            self.placings = {placing for placing in self.placings if (card, place) in placing}

    def check(self) -> None:
        unseen = sorted(self.truth)
        for place in range(self.places):
            possible = {card for placing in self.placings for card, at in placing if at == place}
            assert set(indices_in(self.known.find_possible(place))) == possible
            for pair in combinations(unseen, 2):
                together = any(all((card, place) in placing for card in pair) for placing in self.placings)
                assert self.known.can_leave(place, sum(1 << card for card in pair)) == together


@pytest.mark.few(4)
@pytest.mark.parametrize("hints", [True, False], ids=["as it is", "searching always"])
@pytest.mark.parametrize("seed", range(20))
def test_exactly_the_placings_that_fit(seed: int, hints: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """On small decks the possible places are those of a full enumeration, step after step.

    Small decks seldom need the search, since the paths found before nearly always do; so it is tried for itself too.
    """
    if not hints:
        monkeypatch.setattr(_World, "_fit", _search_from_nothing)
    chance = Random(seed)
    sizes = ((2, 1, 1), (1, 1, 1, 1), (0, 2, 1, 1), (1, 0, 0, 1), (3, 1, 0, 0), (1, 1, 2), (0, 1, 1, 0, 1))
    small = _Small(chance, chance.choice(sizes))
    for card in range(small.cards, small.cards + chance.randint(2, 5)):
        small.enter(card, chance.randrange(small.places))
    for _ in range(28):
        event = chance.random()
        if event < 0.6 and len(small.placings) < 3000:
            small.move()
        elif event < 0.8 or not small.seen:
            small.leave()
        else:
            small.enter(small.seen.pop(chance.randrange(len(small.seen))), chance.randrange(small.places))
        small.check()
    assert Knowledge.from_json(small.known.to_json()) == small.known


@pytest.mark.few(8)
@pytest.mark.parametrize("seed", range(30))
def test_a_card_that_showed_where_it_lies_is_nowhere_else_until_it_may_have_moved(seed: int) -> None:
    """Exactly the placings that fit, with cards that show where they lie without leaving."""
    chance = Random(1000 + seed)
    small = _Small(chance, chance.choice(((2, 1, 1), (1, 1, 1, 1), (2, 1, 1, 2), (3, 1, 0, 0), (1, 1, 2))))
    for card in range(small.cards, small.cards + chance.randint(1, 3)):
        small.enter(card, chance.randrange(small.places))
    for _ in range(20):
        event = chance.random()
        if event < 0.35:
            small.look()
        elif event < 0.75 and len(small.placings) < 3000:
            small.move()
        elif event < 0.9 or not small.seen:
            small.leave()
        else:
            small.enter(small.seen.pop(chance.randrange(len(small.seen))), chance.randrange(small.places))
        small.check()
    assert Knowledge.from_json(small.known.to_json()) == small.known


def test_where_nothing_fits_nothing_is_known_to_lie_anywhere() -> None:
    known = Knowledge.start((1, 1), 0b11).see(0, 0b01)
    assert (known.seen_at(0), known.seen_at(1)) == (0b01, 0)
    impossible = known.leave(0, 0b10)
    assert not impossible.consistent
    assert impossible.seen_at(0) == 0
    assert not impossible.see(0, 0b01).consistent


def test_two_histories_of_a_draw_across_the_reshuffle() -> None:
    """The shown card may be the old pile's last card or a set-up discard nobody saw: both are kept in mind."""
    cards = 5  # draw 1, hands 1 and 1, unseen discards 2; card 9 is the seen discard
    start = Knowledge.start((1, 1, 1, 2), (1 << cards) - 1)
    shown = 1 << 0
    known = Knowledge.join_either(
        start.leave(DRAW, shown).reshuffle(1 << 9).draw(1, 0, 0),
        start.draw(1, 0, 0).reshuffle(1 << 9).leave(DRAW, shown),
    )
    assert known.find_possible(1) >> 9 & 1, "the seen discard may have been drawn second and kept"
    assert known.find_possible(DRAW) >> 9 & 1
    gone = known.leave(1, 1 << 9)
    assert gone.consistent
    assert not gone.find_possible(DRAW) >> 9 & 1
    assert Knowledge.from_json(gone.to_json()) == gone


def play_through(seed: int) -> list[tuple[Position, Move, Position]]:
    """Play a random full game with its public shadow: truth before each move, the move, public position before it."""
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


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(12))
def test_the_truth_is_always_possible(seed: int) -> None:
    """No true move is refused from public knowledge, and every card may be where it is."""
    for truth, _, public in play_through(seed)[1::3]:
        for seat in range(1, len(truth.players) + 1):
            assert public.hand_size(seat) == len(truth.get_hand(seat))
            for card in truth.get_hand(seat):
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
    assert position.is_legal(Research(2, "discard", Card.parse("FK")))
    refusal = position.verify(Research(2, "discard", Card.parse("H7")))
    assert refusal is not None
    assert refusal.code == "card_not_in_deck"


def test_an_unseen_setup_discard_that_was_taken_is_in_that_hand_and_nowhere_else() -> None:
    position = _setup().do(Research(1, "discard", Card.parse("H7"))).do(Research(2, "discard", Card.parse("FK")))
    king = Card.parse("FK")
    assert [position.may_hold(seat, king) for seat in (1, 2, 3, 4)] == [False, True, False, False]
    assert not position.may_be_in_deck(king)
    assert not position.is_legal(Research(3, "deck", None, king))
    assert position.hand_size(2) == 4


def test_a_shown_card_may_be_the_last_of_the_pile_or_a_setup_discard() -> None:
    """With four players 35 cards lie in the pile: after 17 draws one is left, and one discard was never seen."""
    position = _setup()
    unseen = [card for card in DECK if str(card) != "H7"]
    for turn, shown in enumerate(unseen[:17]):
        position = position.do(Research(1 + turn % 4, "deck", None, shown))
    assert (position.draw_count, position.reshuffle_on_draw) == (1, "between")
    assert position.discards[0] is None
    seen, shown = unseen[0], unseen[17]
    assert not position.may_hold(2, seen)
    position = position.do(Research(2, "deck", None, shown))
    assert position.may_hold(2, seen), "if the shown card was the last of the pile, a discard was drawn second"
    assert position.may_be_in_deck(seen)
    laid = position.do(Research(3, "discard", shown)).do(Research(4, "deck", None, unseen[1]))
    assert laid.may_hold(2, seen)
    for card in unseen[:17]:
        assert not position.may_hold(1, card)
        assert not position.may_hold(3, card)


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
    assert not position.is_legal(Publish(1, "three", (*cards, Card.parse("F7"))))
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


def test_cards_come_in_the_order_of_the_deck() -> None:
    for place, card in enumerate(DECK):
        assert [other < card for other in DECK] == [True] * place + [False] * (len(DECK) - place)
