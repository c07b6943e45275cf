"""The legal moves of a position as an object: they can be asked, listed and counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from rules.cards import Card, cards_in, mask_of
from rules.judged import Legal
from rules.laminate.legal import Way, _compile_kinds, _Means, _Search, _Test
from rules.laminate.moves import Citation, EndFlag, Move, Pass, Publish, Research, Review
from rules.laminate.papers import PaperKind
from rules.laminate.position import Phase, Position


@dataclass(frozen=True, slots=True)
class Publication:
    """The cheapest way to publish a paper: hand cards laid, papers cited, thank-you cards due by seat."""

    paper: str
    cards: tuple[Card, ...]
    cite: tuple[Citation, ...]
    pay: tuple[tuple[int, int], ...]

    def make_move(self, seat: int, hand: Sequence[Card]) -> Publish:
        """Return the publication as a move that pays with the lowest ranks left in that hand."""
        pay: dict[int, tuple[Card, ...]] = {}
        if not self.pay:
            return Publish(seat, self.paper, self.cards, self.cite, pay)
        left = sorted((card for card in hand if card not in self.cards), key=lambda card: (card.rank, card.index))
        for author, count in self.pay:
            pay[author], left = tuple(left[:count]), left[count:]
        return Publish(seat, self.paper, self.cards, self.cite, pay)


class LegalMoves(Legal[Position, Move]):
    """The legal moves of the seat to move, as an object.

    Iterating gives every research, every review, the cheapest publication of every
    kind that can be published, pass and End Flag; ``len`` counts these. With public information the hand must be
    given for questions about publications and the End Flag, and draws from the pile are not listed.
    """

    def __init__(self, position: Position, hand: Sequence[Card] | None = None) -> None:
        super().__init__(position)
        self._hand: int | None = None
        if hand is not None:
            self._hand = mask_of(hand)
        elif position.full and position.to_move is not None:
            self._hand = position.hand_mask(position.to_move)
        self._means: _Means | None = None

    def _need_means(self) -> _Means:
        if self._means is None:
            if self._hand is None:
                raise ValueError("the hand is not known with public information; give it")
            done = self.position.areas.done
            own = done[self.position.seat - 1]
            others = 0
            for cards in done:
                others |= cards
            self._means = _Means(self._hand, own, others ^ own)
        return self._means

    def _list_kinds(self) -> tuple[tuple[PaperKind, _Test, _Search], ...]:
        """Return the kinds that the supply and the seat's own papers leave open."""
        position = self.position
        if position.phase is not Phase.PLAY:
            return ()
        areas = position.areas
        return _compile_kinds(position.catalogue, areas.left & ~areas.held[position.seat - 1])

    @property
    def publishable(self) -> tuple[str, ...]:
        """The kinds that can be published now, in their fixed order."""
        means = self._need_means()
        return tuple([kind.name for kind, test, _ in self._list_kinds() if test(means)])

    @property
    def can_publish(self) -> bool:
        """True where some paper can be published."""
        means = self._need_means()
        return any(test(means) for _, test, _ in self._list_kinds())

    def find_cheapest(self, paper: str) -> Publication | None:
        """Return the cheapest way to publish that kind now, ``None`` where there is none."""
        for kind, _, search in self._list_kinds():
            if kind.name == paper:
                way = search(self._need_means())
                return None if way is None else self._make_publication(kind, way)
        return None

    @property
    def publications(self) -> tuple[Publication, ...]:
        """The cheapest way for every kind that can be published now."""
        means = self._need_means()
        return tuple(
            self._make_publication(kind, way)
            for kind, _, search in self._list_kinds()
            if (way := search(means)) is not None
        )

    def _make_publication(self, kind: PaperKind, way: Way) -> Publication:
        cite: list[Citation] = []
        pay: dict[int, int] = {}
        cited = way.own | way.others
        for paper in self.position.papers:
            if paper.complete and paper.cards[0].bit & cited:
                cite.append(Citation(paper.seat, paper.kind))
                if paper.seat != self.position.seat:
                    pay[paper.seat] = pay.get(paper.seat, 0) + 1
        return Publication(kind.name, cards_in(way.laid), tuple(cite), tuple(sorted(pay.items())))

    @property
    def reviews(self) -> tuple[Review, ...]:
        """Every review that is possible now."""
        position = self.position
        if position.phase is not Phase.PLAY:
            return ()
        papers = position.under_review
        return tuple(Review(position.seat, paper.seat, paper.kind, card) for paper in papers for card in paper.cards)

    def list_draws(self) -> Iterator[Research]:
        """List every research from the draw pile, with full information: each card kept and each one discarded."""
        position = self.position
        if not position.full or position.phase is not Phase.PLAY:
            return
        seat = position.seat
        pile, below = position.draw_pile, tuple(card for card in position.discards if card is not None)
        if position.draw_gives == 1:
            yield Research(seat, "deck", (pile + below)[0])
        elif position.draw_count >= 2:
            for keep, discard in permutations(pile, 2):
                yield Research(seat, "deck", keep, discard)
        elif position.draw_count == 1:
            for card in below:
                yield Research(seat, "deck", pile[0], card)
                yield Research(seat, "deck", card, pile[0])
        else:
            for one, other in combinations(below, 2):
                yield Research(seat, "deck", one, other)
                yield Research(seat, "deck", other, one)

    def __iter__(self) -> Iterator[Move]:
        position = self.position
        seat = position.to_move
        if seat is None:
            return
        if position.phase is Phase.FLAG:
            if self._hand is None:
                raise ValueError("the hand is not known with public information; give it")
            for card in cards_in(self._hand):
                yield EndFlag(seat, card)
            return
        if position.top_discard is not None:
            yield Research(seat, "discard", position.top_discard)
        yield from self.list_draws()
        yield from self.reviews
        if self._hand is not None:
            hand = cards_in(self._hand)
            for publication in self.publications:
                yield publication.make_move(seat, hand)
        if position.pass_allowed:
            yield Pass(seat)

    def __repr__(self) -> str:
        position = self.position
        if position.to_move is None:
            return "<LegalMoves none>"
        if position.phase is Phase.FLAG:
            return f"<LegalMoves of {position.get_name(position.to_move)}: End Flag>"
        parts = [f"research ({position.draw_gives} from the draw pile)"] if position.draw_gives else []
        parts += [f"{len(self.reviews)} reviews"] if position.review_possible else []
        if self._hand is not None:
            parts += [f"publish {', '.join(self.publishable)}"] if self.can_publish else []
        parts += ["pass"] if position.pass_allowed else []
        return f"<LegalMoves of {position.get_name(position.to_move)}: {'; '.join(parts)}>"
