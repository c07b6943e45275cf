"""A turn at the simulated table, and the occasions that it gives for mistakes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

from referee.laminate.simulated.lookalikes import find_citations
from referee.laminate.simulated.table import SimulatedTable
from rules.cards import DECK, Card, cards_in, mask_of
from rules.laminate.legal import Way, cheapest_way
from rules.laminate.moves import Move, Publish, Research, Review
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Paper, Position

T = TypeVar("T")
Key = tuple[int, str]
"""A paper on the table, by seat and kind."""


@dataclass(frozen=True)
class NewPaper:
    """A paper that is laid, and the thanks for it by author."""

    seat: int
    kind: str
    cards: tuple[Card, ...]
    paid: dict[int, int]

    def with_payments(self, more: Mapping[int, int]) -> NewPaper:
        """Return the same with other thanks, by how many more or fewer."""
        seats = sorted({*self.paid, *more})
        return replace(self, paid={seat: self.paid.get(seat, 0) + more.get(seat, 0) for seat in seats})


@dataclass(frozen=True)
class Turn:
    """One turn at the table, before its move: the truth, what everybody knows, and what the player means to do.

    What comes in several is in a random order.
    """

    table: SimulatedTable
    position: Position
    public: Position
    seat: int
    move: Move
    rng: random.Random

    @property
    def seats(self) -> range:
        """Every seat."""
        return range(1, len(self.position.players) + 1)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The player's hand."""
        return self.position.get_hand(self.seat)

    def can_make(self, new: NewPaper, paid: Mapping[int, int]) -> bool:
        """Tell whether these cards make the paper, with some citations that are paid for so."""
        kind = self.position.catalogue[new.kind]
        return any(find_citations(kind, new.cards, self.position.papers, self.seat, paid))

    def _shuffle_things(self, things: Iterable[T]) -> list[T]:
        listed = list(things)
        self.rng.shuffle(listed)
        return listed

    def _one_of(self, things: Sequence[T]) -> list[T]:
        """Return one of these by chance, if there are any."""
        return [self.rng.choice(things)] if things else []

    # Piles and hands

    def take_always(self) -> list[None]:
        """Take every such turn."""
        return [None]

    def no_pass(self) -> list[None]:
        """Take a turn in which nothing may be left undone."""
        return [] if self.position.pass_allowed or self.public.reshuffle_on_draw != "none" else [None]

    def long_draw_pile(self) -> list[None]:
        """Take a turn with cards enough in the draw pile."""
        return [None] if self.position.draw_count > 2 else []

    def known_discards(self) -> list[None]:
        """Take a turn in which the discards that two would be taken from are known."""
        discards = self.public.discards
        return [None] if len(discards) > 2 and self.position.draw_count > 1 and None not in discards else []

    def find_drawing(self) -> list[Research]:
        """Return research that draws two cards."""
        move, two = self.move, self.position.draw_gives > 1
        return [move] if isinstance(move, Research) and move.source == "deck" and two else []

    def drawing_one(self) -> list[Card]:
        """Return a hand card that might be discarded where only one was drawn."""
        alone = isinstance(self.move, Research) and self.position.draw_gives == 1 and self.position.draw_count
        return self._one_of([card for card in self.hand if alone and card not in self.position.discards])

    def find_held(self) -> list[Card]:
        """Return a hand card of which everybody knows that it was not drawn just now."""
        researches = isinstance(self.move, Research) and self.long_draw_pile()
        return self._one_of([card for card in self.hand if researches and not self.public.may_be_in_deck(card)])

    def find_discarding(self) -> list[Card]:
        """Return the card that is to be discarded."""
        discard = self.move.discard if isinstance(self.move, Research) else None
        return [discard] if discard is not None and self.long_draw_pile() else []

    def hand_card(self) -> list[Card | str]:
        """Return a hand card, face up or face down."""
        return self._one_of([*self.hand, *["back"] * len(self.hand)])

    # Papers that lie there

    def list_papers(self) -> Sequence[Paper]:
        """Return every paper."""
        return self.position.papers

    def list_drafts(self) -> list[Paper]:
        """Return the papers under review."""
        return self._shuffle_things(self.position.under_review)

    def drafts_of_two(self) -> list[Paper]:
        """Return those that a review completes."""
        return [paper for paper in self.list_drafts() if len(paper.cards) == 2]

    def long_drafts(self) -> list[Paper]:
        """Return those that a review does not complete."""
        return [paper for paper in self.list_drafts() if len(paper.cards) > 2]

    def two_drafts(self) -> list[list[Paper]]:
        """Return two papers under review."""
        drafts = self.list_drafts()
        return [drafts[:2]] if len(drafts) > 1 else []

    def after_research(self) -> list[Paper]:
        """Return those that might be reviewed after research."""
        return self.list_drafts() if isinstance(self.move, Research) and self.long_draw_pile() else []

    def after_publishing(self) -> list[Paper]:
        """Return those that might be reviewed after publishing."""
        return self.list_drafts() if self.as_meant() else []

    def complete(self) -> list[Paper]:
        """Return the complete papers."""
        return self._shuffle_things(paper for paper in self.position.papers if paper.complete)

    def two_papers(self, but: Key | None = None) -> list[list[Key]]:
        """Return two papers with cards."""
        keys = [key for key, column in self.table.columns.items() if column.cards and key != but]
        return [self.rng.sample(keys, 2)] if len(keys) > 1 else []

    def two_others(self) -> list[list[Key]]:
        """Return two papers with cards that the move does not touch."""
        return self.two_papers((self.move.of, self.move.paper) if isinstance(self.move, Review) else None)

    def other_areas(self) -> Iterator[tuple[Paper, int]]:
        """Yield papers with an area that they do not lie in and where there is none of their kind."""
        for paper in self._shuffle_things(paper for paper in self.position.papers if paper.kind != END_FLAG):
            for other in self.seats:
                if other != paper.seat and self.position.find_paper(other, paper.kind) is None:
                    yield paper, other

    # The paper that the player means to publish, if any

    def as_meant(self) -> list[NewPaper]:
        """Return it as it is meant."""
        move = self.move
        if not isinstance(move, Publish):
            return []
        paid = {author: n if isinstance(n, int) else len(n) for author, n in move.pay.items()}
        return [NewPaper(self.seat, move.paper, tuple(move.cards), paid)]

    def beside_discards(self) -> list[NewPaper]:
        """Return it as it is meant, while discards lie there."""
        return self.as_meant() if self.position.discards else []

    def with_citations(self) -> list[tuple[Paper, NewPaper]]:
        """Return it with the card of each paper that it cites, and that paper."""
        cited = [self.position.find_paper(one.seat, one.paper) for one in getattr(self.move, "cite", ())]
        papers = [(paper, new) for paper in cited for new in self.as_meant() if paper is not None]
        return [(paper, replace(new, cards=(*new.cards, *paper.cards))) for paper, new in papers]

    def citations_alone(self) -> list[NewPaper]:
        """Return it without cards of its own, where it cites some."""
        return [replace(new, cards=()) for new in self.as_meant() if getattr(self.move, "cite", ())]

    def one_more(self) -> list[NewPaper]:
        """Return it with a card that is no part of it."""
        spare = [(new, card) for new in self.as_meant() for card in self._list_spare(new) if self._can_pay(new, 1)]
        return [replace(new, cards=(*new.cards, card)) for new, card in spare]

    def one_less(self) -> list[NewPaper]:
        """Return it without one of its cards."""
        long = [new for new in self.as_meant() if len(new.cards) > 1]
        return [replace(new, cards=tuple(self.rng.sample(new.cards, len(new.cards) - 1))) for new in long]

    def one_wrong(self) -> list[NewPaper]:
        """Return it with another card in place of one."""
        return [replace(new, cards=(*new.cards[1:], card)) for new in self.as_meant() for card in self._list_spare(new)]

    def paying_less(self) -> list[NewPaper]:
        """Return it with a thank-you card too little."""
        return [new.with_payments({self.rng.choice(sorted(new.paid)): -1}) for new in self.as_meant() if new.paid]

    def paying_nothing(self) -> list[NewPaper]:
        """Return it without thanks."""
        return [replace(new, paid={}) for new in self.as_meant() if new.paid]

    def paying_more(self) -> list[NewPaper]:
        """Return it with a thank-you card too many."""
        return [new.with_payments({self.rng.choice(self.seats): 1}) for new in self.as_meant() if self._can_pay(new, 1)]

    def wrong_author(self) -> Iterator[NewPaper]:
        """Yield it with a thank-you card on a wrong spot."""
        for short, new in [(self.rng.choice(sorted(new.paid)), new) for new in self.as_meant() if new.paid]:
            yield new.with_payments({short: -1, self.rng.choice([seat for seat in self.seats if seat != short]): 1})

    def _list_spare(self, new: NewPaper) -> list[Card]:
        return self._one_of([card for card in self.hand if card not in new.cards])

    def _can_pay(self, new: NewPaper, more: int) -> bool:
        return len(self.hand) >= len(new.cards) + sum(new.paid.values()) + more

    # Papers that somebody could lay

    def find_publications(self, seat: int, hand: int, own: int = 0) -> Iterator[tuple[NewPaper, Way]]:
        """Yield one of each kind, with these hand cards and cited cards, masks."""
        for kind in self._shuffle_things(kind for kind in self.position.catalogue.kinds if kind.name != END_FLAG):
            if self.position.count_supply(kind.name) and self.position.find_paper(seat, kind.name) is None:
                way = cheapest_way(kind, hand, own)
                if way is not None and way.laid:
                    yield NewPaper(seat, kind.name, cards_in(way.laid), {}), way

    def second_of_a_kind(self) -> Iterator[NewPaper]:
        """Yield one of a kind that the player has."""
        for paper in self.position.papers:
            if paper.seat == self.seat and self.position.count_supply(paper.kind):
                way = cheapest_way(self.position.catalogue[paper.kind], mask_of(self.hand))
                if way is not None:
                    yield NewPaper(self.seat, paper.kind, cards_in(way.laid), {})

    def citing_a_draft(self) -> Iterator[NewPaper]:
        """Yield one that cites a paper under review."""
        for paper in self.list_drafts():
            for card in paper.cards:
                for new, way in self.find_publications(self.seat, mask_of(self.hand), card.bit):
                    if way.own and (paper.seat == self.seat or self._can_pay(new, 1)):
                        yield new if paper.seat == self.seat else new.with_payments({paper.seat: 1})

    def citing_twice(self) -> Iterator[NewPaper]:
        """Yield one that cites another player's paper twice."""
        hand = mask_of(self.hand)
        for paper in self.complete():
            (cited,) = paper.cards
            likes = [card for card in DECK if card.rank == cited.rank and card != cited and not card.bit & hand]
            if paper.seat != self.seat and likes:
                for new, way in self.find_publications(self.seat, hand, cited.bit | likes[0].bit):
                    if way.own.bit_count() == 2 and self._can_pay(new, 2):
                        yield new.with_payments({paper.seat: 2})

    def beyond_the_hand(self) -> Iterator[NewPaper]:
        """Yield one that cites more than the hand can pay for, however it is made, with all that it can pay."""
        complete = self.complete()
        others = [paper.seat for paper in complete if paper.seat != self.seat]
        for new, way in self.find_publications(self.seat, mask_of(self.hand), mask_of(p.cards[0] for p in complete)):
            left = len(self.hand) - len(new.cards)
            due = [p.seat for p in complete if p.cards[0].bit & way.own and p.seat != self.seat]
            ways = {tuple(sorted(some)) for count in range(left + 1) for some in combinations(others, count)}
            if len(due) > left and not any(self.can_make(new, Counter(paid)) for paid in ways):
                yield new.with_payments(Counter(due[:left]))

    def _publish_with(self, card: Card) -> Iterator[NewPaper]:
        """Yield one with a card that is not in the hand."""
        return (new for new, _ in self.find_publications(self.seat, mask_of(self.hand) | card.bit) if card in new.cards)

    def with_the_discard(self) -> Iterable[NewPaper]:
        """Return one with the top discard."""
        return self._publish_with(self.position.top_discard) if self.position.top_discard is not None else ()

    def with_the_reviewed(self) -> Iterator[tuple[Paper, NewPaper]]:
        """Yield one with a card of a paper under review."""
        return (
            (paper, new) for paper in self.list_drafts() for card in paper.cards for new in self._publish_with(card)
        )

    def with_anothers(self) -> Iterator[NewPaper]:
        """Yield one with a card that somebody else holds, as everybody knows."""
        cards = (card for other in self._list_others() for card in self.position.get_hand(other))
        return (new for card in cards if not self.public.may_hold(self.seat, card) for new in self._publish_with(card))

    def others_publish(self) -> Iterator[NewPaper]:
        """Yield another player's."""
        return (
            new
            for seat in self._list_others()
            for new, _ in self.find_publications(seat, self.position.hand_mask(seat))
        )

    def publish_twice(self) -> Iterator[NewPaper]:
        """Yield one besides the one that is meant."""
        for meant in self.as_meant():
            spare = self.position.do(self.move).hand_mask(self.seat)
            yield from (new for new, _ in self.find_publications(self.seat, spare) if new.kind != meant.kind)

    def next_player(self) -> Iterator[NewPaper]:
        """Yield the next player's, after the move."""
        if self.long_draw_pile() or not isinstance(self.move, Research):
            seat = 1 + self.seat % len(self.seats)
            taken = {new.kind for new in self.as_meant() if self.position.count_supply(new.kind) < 2}
            found = self.find_publications(seat, self.position.hand_mask(seat))
            yield from (new for new, _ in found if new.kind not in taken)

    def not_publishing(self) -> list[NewPaper]:
        """Return thanks beside a move that owes none."""
        paid = self._one_of(self.seats) if self.hand and isinstance(self.move, Research | Review) else []
        return [NewPaper(self.seat, "", (), {seat: 1}) for seat in paid]

    def _list_others(self) -> list[int]:
        return self._shuffle_things(seat for seat in self.seats if seat != self.seat)

    # The End Flag

    def find_flag(self) -> Iterator[NewPaper]:
        """Yield the player's, if it is still there."""
        return self._find_flags([self.seat] if self.position.count_supply(END_FLAG) else [])

    def flag_of_two(self) -> Iterator[NewPaper]:
        """Yield it with two cards."""
        return self._find_flags([self.seat], 2)

    def flag_alone(self) -> Iterator[NewPaper]:
        """Yield it without a card."""
        return self._find_flags([self.seat], 0)

    def anothers_flag(self) -> Iterator[NewPaper]:
        """Yield another player's."""
        return self._find_flags(self._list_others())

    def _find_flags(self, seats: Sequence[int], count: int = 1) -> Iterator[NewPaper]:
        for seat in seats:
            if self.position.hand_size(seat) >= count:
                yield NewPaper(seat, END_FLAG, tuple(self.rng.sample(self.position.get_hand(seat), count)), {})
