"""Random players who know all hands, for tests of what the table shows of their moves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from rules.cards import DECK, Card
from rules.laminate.moves import Citation, Deal, EndFlag, Move, Pass, Publish, Research, Review
from rules.laminate.papers import END_FLAG, Ranks, Run, Sets, Sum
from rules.laminate.position import Phase, Position, setup_discards

NAMES = ("Hilbert", "Banach", "Noether", "Galois", "Gauss")


def deal(rng: random.Random, players: int, first_seat: int = 1) -> Position:
    """Deal a game, with full information."""
    deck = rng.sample(DECK, len(DECK))
    hands = tuple(tuple(deck.pop() for _ in range(3)) for _ in range(players))
    discard = tuple(deck.pop() for _ in range(setup_discards(players)))
    return Position.start(NAMES[:players], first_seat).do(Deal(hands, discard))


def public(move: Move) -> Move:
    """Return what the table shows of a move."""
    if isinstance(move, Research) and move.source == "deck":
        return Research(move.seat, "deck", None, move.discard)
    if isinstance(move, Publish):
        pay = {seat: given if isinstance(given, int) else len(given) for seat, given in sorted(move.pay.items())}
        return Publish(move.seat, move.paper, move.cards, move.cite, pay)
    return move


def random_move(full: Position, rng: random.Random) -> Move:
    """Choose a legal move, publications preferred."""
    seat = full.to_move
    assert seat is not None
    if full.phase is Phase.FLAG:
        return EndFlag(seat, rng.choice(full.get_hand(seat)))
    if rng.random() < 0.85 and (publication := find_publication(full, rng)) is not None:
        return publication
    options: list[Move] = []
    if full.discards and rng.random() < 0.5:
        options.append(Research(seat, "discard", full.discards[-1]))
    if drawn := draw(full, rng):
        options.append(drawn)
    reviews = [
        Review(seat, paper.seat, paper.kind, card)
        for paper in full.papers
        if not paper.complete
        for card in paper.cards
    ]
    if reviews:
        options += rng.choices(reviews, k=2)
    return rng.choice(options) if options else Pass(seat)


def draw(full: Position, rng: random.Random) -> Research | None:
    """Research from the draw pile, through a reshuffle where one is needed."""
    seat = full.to_move
    assert seat is not None
    pile = list(full.draw_pile)
    rng.shuffle(pile)
    gives = full.draw_gives
    if not gives:
        return None
    drawn = pile[:gives]
    if len(drawn) < gives:
        discards = [card for card in full.discards if card is not None]
        drawn += rng.sample(discards, gives - len(drawn))
    rng.shuffle(drawn)
    return Research(seat, "deck", drawn[0], drawn[1] if gives == 2 else None)


@dataclass(frozen=True)
class _Source:
    card: Card
    cite: Citation | None = None


def find_publication(full: Position, rng: random.Random) -> Publish | None:
    """Find a legal publication, citations and payments included, or None where the search finds none."""
    seat = full.to_move
    assert seat is not None
    hand = full.get_hand(seat)
    sources = [_Source(card) for card in hand]
    sources += [_Source(p.cards[0], Citation(p.seat, p.kind)) for p in full.papers if p.complete]
    rng.shuffle(sources)
    kinds = [kind for kind in full.catalogue.kinds if kind.name != END_FLAG]
    by_rank: dict[int, list[_Source]] = {}
    for source in sorted(sources, key=lambda s: s.cite is not None):
        by_rank.setdefault(source.card.rank, []).append(source)
    for kind in sorted(kinds, key=lambda k: (-k.points, rng.random())):
        for chosen in _melds(kind.combination, sources, by_rank):
            laid = tuple(source.card for source in chosen if source.cite is None)
            cite = tuple(source.cite for source in chosen if source.cite is not None)
            move = _paying(full, rng, kind.name, laid, cite)
            if move is not None and full.is_legal(move):
                return move
    return None


def _paying(
    full: Position, rng: random.Random, kind: str, laid: tuple[Card, ...], cite: tuple[Citation, ...]
) -> Publish | None:
    seat = full.to_move
    assert seat is not None
    left = [card for card in full.get_hand(seat) if card not in laid]
    rng.shuffle(left)
    pay: dict[int, tuple[Card, ...]] = {}
    for citation in cite:
        if citation.seat != seat:
            if not left:
                return None
            pay[citation.seat] = (*pay.get(citation.seat, ()), left.pop())
    return Publish(seat, kind, laid, cite, pay)


def _melds(combination: object, sources: list[_Source], by_rank: dict[int, list[_Source]]) -> Iterator[list[_Source]]:
    if isinstance(combination, Run):
        suits = {s.card.suit for s in sources} if combination.one_suit else {None}
        for suit in suits:
            for lowest in range(1, 14 - combination.length + 1):
                picks: list[_Source] = []
                for rank in range(lowest, lowest + combination.length):
                    fits = (s for s in by_rank.get(rank, ()) if suit is None or s.card.suit is suit)
                    if (pick := next(fits, None)) is None:
                        break
                    picks.append(pick)
                else:
                    yield picks
    elif isinstance(combination, Sets):
        ranks = [rank for rank, there in by_rank.items() if len(there) >= combination.of]
        for some in list(combinations(ranks, combination.ranks))[:5]:
            yield [source for rank in some for source in by_rank[rank][: combination.of]]
    elif isinstance(combination, Ranks):
        if all(rank in by_rank for rank in combination.ranks):
            yield [by_rank[rank][0] for rank in combination.ranks]
    elif isinstance(combination, Sum):
        ways: dict[int, list[_Source]] = {0: []}
        for source in sources:
            for total, chosen in list(ways.items()):
                more = (
                    min(total + source.card.rank, combination.total)
                    if combination.at_least
                    else (total + source.card.rank)
                )
                if more <= combination.total and more not in ways:
                    ways[more] = [*chosen, source]
        if combination.total in ways:
            yield ways[combination.total]


def same_position(a: Position, b: Position) -> bool:
    """Return whether two positions are the same but for the order in which cards lie within a paper."""
    return _unordered(a) == _unordered(b)


def _unordered(position: Position) -> dict[str, object]:
    data = position.to_json()
    for area in data["areas"]:
        for entry in area:
            entry["cards"].sort()
    return data
