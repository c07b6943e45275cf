"""Set-up discards that show under the top one: what everybody then knows, against every placing there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from random import Random

import pytest

from rules.cards import DECK, Card, mask_of
from rules.laminate.knowledge import DRAW, Knowledge
from rules.laminate.moves import Citation, EndFlag, Move, Publish, Research, Review, Setup
from rules.laminate.papers import BUILT_IN, PaperKind, Papers, Sum
from rules.laminate.position import Phase, Position, setup_discards
from rules.text import Text

ANY = Papers((*(PaperKind(f"any{n}", 0, 5, Text(f"Any {n}"), Sum(1, True)) for n in range(30)), BUILT_IN[-1]))
"""Papers that any cards make, so that nothing but a card's place can be wrong with a publication."""

Placing = tuple[tuple[Card, int], ...]


def named(names: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, names.split()))


# --- against every placing


class _Late:
    """A late moment of a game with few hidden cards: the truth, the public position, and every placing that fits."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.n = n = chance.choice((4, 5))
        self.under = n + 1
        unseen = setup_discards(n) - 1
        counts = [chance.randint(1, 3), *(chance.choice((0, 1, 1, 2)) for _ in range(n)), unseen]
        while sum(counts) > 8:
            counts[counts.index(max(counts[:-1]))] -= 1
        cards = chance.sample(DECK, len(DECK))
        self.hidden = {place: [cards.pop() for _ in range(count)] for place, count in enumerate(counts)}
        mask = mask_of(card for there in self.hidden.values() for card in there)
        self.placings = set(_placings(cards_of(self.hidden), counts))
        self.pile: list[Card] = [*self.hidden[self.under], cards.pop()]
        papers = [[cards.pop()] for _ in range(n)]
        papers[0] += cards
        data = Position.start(tuple("ABCDE"[:n]), 1, ANY).to_json() | {
            "phase": Phase.PLAY.value,
            "known": Knowledge.start(tuple(counts), mask).to_json(),
            "sizes": counts[1:-1],
            "draw_count": counts[0],
            "discards": [*[None] * unseen, str(self.pile[-1])],
            "areas": [[{"paper": "any0", "cards": [*map(str, lying)]}] for lying in papers],
        }
        self.position = Position.from_json(data, ANY)

    def look(self) -> None:
        """Show some of the cards under the top discard."""
        below = [card for card in self.pile[:-1] if self.chance.random() < 0.3]
        after = self.position.discards_seen({}, below)
        assert after is not None
        self.position = after
        for card in below:
            if any(there == (card, self.under) for placing in self.placings for there in placing):
                self.placings = {placing for placing in self.placings if (card, self.under) in placing}

    def play(self) -> None:
        """Make a legal move by the truth, as everybody sees it; then look at what shows."""
        seat = self.position.to_move
        assert seat is not None
        options = [self._draw] if self.position.draw_gives else []
        options += [self._take] if self.pile else []
        options += [self._publish] * 2 if self.hidden[seat] else []
        options += [self._review] if self.position.under_review else []
        move = self.chance.choice(options)(seat) if options else None
        if move is None:
            return
        self.position = self.position.do(move)
        if self.pile and self.pile[-1] in self.hidden[self.under]:
            if self.position.top_discard is None:
                after = self.position.discards_seen({len(self.pile) - 1: self.pile[-1]})
                assert after is not None
                self.position = after
            assert self.position.top_discard is self.pile[-1]
            self._came_to_light(self.under, self.pile[-1])
        self.look()

    def _draw(self, seat: int) -> Move:
        left, gives = self.position.draw_count, self.position.draw_gives
        seen = [card for card in self.pile if card not in self.hidden[self.under]]
        drawn = [self._out_of_the_pile() for _ in range(min(left, gives))]
        if left < gives:
            self.hidden[DRAW] += self.pile
            self.hidden[self.under], self.pile = [], []
            drawn += [self._out_of_the_pile() for _ in range(gives - left)]
        self.chance.shuffle(drawn)
        self.hidden[seat].append(drawn[0])
        shown = drawn[1] if gives == 2 else None
        found: set[Placing] = set()
        # The shown card was drawn first or second; it matters where the discards are shuffled in between.
        for order in ((None,),) if shown is None else ((shown, None), (None, shown)):
            placings = self.placings
            for number, card in enumerate(order):
                if number == left:
                    placings = {self._shuffled(placing, seen) for placing in placings}
                if card is None:
                    placings = _moved_one(placings, DRAW, seat)
                else:
                    placings = {_without(placing, card) for placing in placings if (card, DRAW) in placing}
            found |= placings
        self.placings = found
        if shown is not None:
            self.pile.append(shown)
        return Research(seat, "deck", None, shown)

    def _out_of_the_pile(self) -> Card:
        card = self.chance.choice(self.hidden[DRAW])
        self.hidden[DRAW].remove(card)
        return card

    def _shuffled(self, placing: Placing, seen: Iterable[Card]) -> Placing:
        moved = [(card, DRAW if place == self.under else place) for card, place in placing]
        return tuple(sorted([*moved, *((card, DRAW) for card in seen)]))

    def _take(self, seat: int) -> Move:
        top = self.pile.pop()
        self.hidden[seat].append(top)
        self.placings = {tuple(sorted((*placing, (top, seat)))) for placing in self.placings}
        return Research(seat, "discard", top)

    def _publish(self, seat: int) -> Move:
        hand = self.hidden[seat]
        laid = self.chance.sample(hand, self.chance.randint(1, len(hand)))
        cite, pay = self._citation(seat, len(hand) - len(laid))
        for card in laid:
            self._came_to_light(seat, card)
        for author, count in pay.items():
            for card in self.chance.sample(hand, count):
                hand.remove(card)
                self.hidden[author].append(card)
            self.placings = _moved_one(self.placings, seat, author)
        return Publish(seat, self._free_kind(seat), tuple(laid), cite, pay)

    def _citation(self, seat: int, left: int) -> tuple[tuple[Citation, ...], dict[int, int]]:
        others = [paper for paper in self.position.papers if paper.complete and paper.seat != seat]
        if not left or not others:
            return (), {}
        paper = self.chance.choice(others)
        return (Citation(paper.seat, paper.kind),), {paper.seat: 1}

    def _free_kind(self, seat: int) -> str:
        return next(kind.name for kind in ANY.kinds if self.position.find_paper(seat, kind.name) is None)

    def _review(self, seat: int) -> Move:
        paper = self.chance.choice(self.position.under_review)
        card = self.chance.choice(paper.cards)
        self.hidden[seat].append(card)
        self.placings = {tuple(sorted((*placing, (card, seat)))) for placing in self.placings}
        return Review(seat, paper.seat, paper.kind, card)

    def _came_to_light(self, place: int, card: Card) -> None:
        self.hidden[place].remove(card)
        self.placings = {_without(placing, card) for placing in self.placings if (card, place) in placing}

    def check(self) -> None:
        """Every card, alone and two together, wherever a move could place it."""
        position, seat = self.position, self.position.to_move
        assert seat is not None
        assert tuple(sorted((c, p) for p, there in self.hidden.items() for c in there)) in self.placings
        maps = [dict(placing) for placing in self.placings]
        seen = {card for card in position.discards if card is not None}
        for card in DECK:
            places = {where[card] for where in maps if card in where}
            for other in range(1, self.n + 1):
                assert position.may_hold(other, card) == (other in places)
            assert position.may_be_in_deck(card) == (DRAW in places)
            assert self.refused(EndFlag(seat, card), "card_not_in_hand") != (seat in places)
            assert (position.discards_seen({}, [card]) is not None) == (self.under in places or card in seen)
            if position.draw_gives == 2:
                from_pile = position.draw_count < 2 and (self.under in places or card in seen)
                fits = (DRAW in places and position.draw_count > 0) or from_pile
                assert self.refused(Research(seat, "deck", None, card), "card_not_in_deck") != fits
        kind = self._free_kind(seat)
        author = seat % self.n + 1
        cards = sorted({card for where in maps for card in where})
        for one, other in permutations(cards, 2):
            fits = any(where.get(one) == where.get(other) == seat for where in maps)
            assert self.refused(Publish(seat, kind, (one, other)), "card_not_in_hand") != fits
            paid = Publish(seat, kind, (one,), pay={author: (other,)})
            assert self.refused(paid, "card_not_in_hand") != fits

    def refused(self, move: Move, code: str) -> bool:
        return any(reason.code == code for reason in self.position.find_reasons(move))


def cards_of(hidden: dict[int, list[Card]]) -> list[Card]:
    return sorted(card for there in hidden.values() for card in there)


def _placings(cards: list[Card], counts: Iterable[int]) -> Iterator[Placing]:
    if not cards:
        yield ()
        return
    left = list(counts)
    for place, count in enumerate(left):
        if count:
            fewer = [*left[:place], count - 1, *left[place + 1 :]]
            for rest in _placings(cards[1:], fewer):
                yield ((cards[0], place), *rest)


def _without(placing: Placing, card: Card) -> Placing:
    return tuple(there for there in placing if there[0] is not card)


def _moved_one(placings: set[Placing], source: int, target: int) -> set[Placing]:
    return {
        (*placing[:number], (card, target), *placing[number + 1 :])
        for placing in placings
        for number, (card, place) in enumerate(placing)
        if place == source
    }


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(16))
def test_every_placing_sees_what_showed_among_the_discards(seed: int) -> None:
    """Publication, payment, End Flag, draw and discard pile: refused exactly where no placing allows the card."""
    late = _Late(Random(seed))
    late.look()
    late.check()
    for _ in range(9):
        if len(late.placings) > 40_000:
            break
        late.play()
        late.check()
    assert Position.from_json(late.position.to_json(), ANY) == late.position


# --- one by one


def _set_up(players: int, top: str = "FK") -> Position:
    return Position.start(tuple("ABCDE"[:players])).do(Setup(Card.parse(top)))


def _seen(position: Position, shown: dict[int, str], below: str = "") -> Position:
    after = position.discards_seen({place: Card.parse(name) for place, name in shown.items()}, named(below))
    assert after is not None
    return after


def test_with_one_place_left_a_card_seen_below_lies_there() -> None:
    position = _seen(_set_up(4), {}, "H4")
    assert position.discards == named("H4 FK")
    assert position.peeping == frozenset()
    with_two = _seen(_seen(_set_up(5), {}, "H4 H5"), {2: "O5"}, "H4")
    assert with_two.discards == (None, None, *named("O5 FK"))
    assert with_two.peeping == set(named("H4 H5"))
    assert _seen(with_two, {1: "H5"}).discards == named("H4 H5 O5 FK")


def test_what_is_known_already_changes_nothing() -> None:
    position = _seen(_set_up(5), {2: "O5"}, "H4")
    assert _seen(position, {2: "O5", 3: "FK"}, "H4 O5 FK") is position


@pytest.mark.parametrize(
    ("shown", "below"),
    [({3: "H4"}, ""), ({4: "H4"}, ""), ({-1: "H4"}, ""), ({2: "FK"}, ""), ({1: "H4", 2: "H4"}, "")],
    ids=["another top", "no such place", "below the pile", "the top one twice", "one card twice"],
)
def test_cards_that_cannot_lie_there(shown: dict[int, str], below: str) -> None:
    cards = {place: Card.parse(name) for place, name in shown.items()}
    assert _set_up(5).discards_seen(cards, named(below)) is None


def test_more_cards_than_places_cannot_lie_there() -> None:
    assert _set_up(4).discards_seen({}, named("H4 H5")) is None
    assert _set_up(3).discards_seen({}, named("H4")) is None
    assert _set_up(5).discards_seen({}, named("H4 H5 H6 H7")) is None


def test_a_card_known_to_be_in_a_hand_cannot_show_below() -> None:
    position = _set_up(5).do(Research(1, "discard", Card.parse("FK")))
    assert position.discards_seen({}, named("FK")) is None
    assert position.discards_seen({2: Card.parse("FK")}) is None


def test_before_the_set_up_and_with_full_information_nothing_is_learnt() -> None:
    position = Position.start(("A", "B", "C", "D"))
    assert position.discards_seen({}) is position
    assert position.discards_seen({}, named("H4")) is None
    assert position.peeping == frozenset()


def test_what_showed_below_may_be_anywhere_once_the_pile_was_shuffled() -> None:
    position = _seen(_set_up(5), {}, "H4")
    unseen = [card for card in DECK if str(card) not in ("H4", "FK")]
    for turn, shown in enumerate(unseen[:15]):
        assert not any(position.may_hold(seat, Card.parse("H4")) for seat in range(1, 6))
        position = position.do(Research(1 + turn % 5, "deck", None, shown))
    assert (position.draw_count, position.reshuffle_on_draw) == (0, "before")
    shuffled = position.do(Research(1, "deck", None, unseen[0]))
    assert shuffled.peeping == frozenset()
    assert shuffled.may_be_in_deck(Card.parse("H4"))
    assert shuffled.may_hold(1, Card.parse("H4"))
    assert not any(shuffled.may_hold(seat, Card.parse("H4")) for seat in (2, 3, 4, 5))
