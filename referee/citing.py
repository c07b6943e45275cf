"""Which papers a publication cites: the table never says so, it follows from the cards laid and the payments.

Source: RULINGS.md, Laminate Rummy 4 and 6. Only complete papers count; each gives its one card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from rules.cards import DECK, Card
from rules.laminate.moves import Citation
from rules.laminate.papers import PaperKind, Ranks, Run, Sets, Sum
from rules.laminate.position import Paper

Citations = tuple[Citation, ...]


def fitting_citations(
    kind: PaperKind, laid: Sequence[Card], complete: Sequence[Paper], seat: int, paid: Mapping[int, int]
) -> Citations | None:
    """The complete papers that make the laid cards that combination, as near to the payments seen as can be.

    Of several equally near, the one with the fewest citations and the earliest papers; ``None`` where no citing
    makes the combination. ``paid`` counts thank-you cards by seat; citing the publisher's own papers costs nothing.
    """
    best: tuple[int, int, Citations] | None = None
    for cited in _completing(kind, laid, complete):
        citations = tuple(Citation(paper.seat, paper.kind) for paper in cited)
        off = payments_off(citations, seat, paid)
        if best is None or (off, len(cited)) < best[:2]:
            best = (off, len(cited), citations)
    return None if best is None else best[2]


def _completing(kind: PaperKind, laid: Sequence[Card], complete: Sequence[Paper]) -> Iterator[tuple[Paper, ...]]:
    """Every set of complete papers worth looking at that makes the laid cards that combination."""
    combination = kind.combination
    if combination is None:
        return
    if isinstance(combination, Sum):
        yield from _adding_up(combination, laid, complete)
        return
    by_rank: dict[int, list[Paper]] = {}
    for paper in complete:
        by_rank.setdefault(paper.cards[0].rank, []).append(paper)
    for demand in _missing_ranks(combination, laid, by_rank):
        choices = [combinations(by_rank.get(rank, ()), count) for rank, count in sorted(demand.items())]
        for chosen in product(*choices):
            cited = tuple(paper for papers in chosen for paper in papers)
            if kind.accepts((*laid, *(paper.cards[0] for paper in cited))):
                yield cited


def _missing_ranks(
    combination: Run | Sets | Ranks, laid: Sequence[Card], by_rank: Mapping[int, Sequence[Paper]]
) -> Iterator[Counter[int]]:
    """Every way in which the citations can bring what the laid cards lack, as cards by rank."""
    have = Counter(card.rank for card in laid)
    if isinstance(combination, Run):
        for lowest in range(1, 13 - combination.length + 2):
            demand = Counter(range(lowest, lowest + combination.length))
            if have <= demand:
                yield demand - have
    elif isinstance(combination, Ranks):
        demand = Counter(combination.ranks)
        if have <= demand:
            yield demand - have
    else:
        whole = sorted(rank for rank, papers in by_rank.items() if rank not in have and len(papers) >= combination.of)
        more = combination.ranks - len(have)
        if more >= 0:
            for added in combinations(whole, more):
                demand = Counter(dict.fromkeys((*have, *added), combination.of))
                if have <= demand:
                    yield demand - have


def _adding_up(
    combination: Sum, laid: Sequence[Card], complete: Sequence[Paper]
) -> Iterator[tuple[Paper, ...]]:
    """One set of papers for each way to reach the sum that differs in how many of whose papers are cited."""
    authors = sorted({paper.seat for paper in complete})
    start = sum(card.rank for card in laid)
    if combination.at_least:
        start = min(start, combination.total)
    none = (0,) * len(authors)
    reached: dict[tuple[int, tuple[int, ...]], tuple[Paper, ...]] = {(start, none): ()}
    for paper in complete:
        place = authors.index(paper.seat)
        for (total, counts), cited in list(reached.items()):
            more = total + paper.cards[0].rank
            if combination.at_least:
                more = min(more, combination.total)
            if more > combination.total:
                continue
            key = (more, (*counts[:place], counts[place] + 1, *counts[place + 1 :]))
            if key not in reached:
                reached[key] = (*cited, paper)
    for (total, _), cited in reached.items():
        if total == combination.total:
            yield cited


def likeliest_citations(complete: Sequence[Paper], seat: int, paid: Mapping[int, int]) -> Citations:
    """Papers to match the payments where no citing makes the combination: as many of each author as were paid for."""
    left = {author: count for author, count in paid.items() if author != seat}
    cited = []
    for paper in complete:
        if left.get(paper.seat, 0):
            left[paper.seat] -= 1
            cited.append(Citation(paper.seat, paper.kind))
    return tuple(cited)


def citing_under_review(
    kind: PaperKind, laid: Sequence[Card], papers: Sequence[Paper], seat: int, paid: Mapping[int, int]
) -> Citations | None:
    """A citing that would make the combination if one paper under review could be cited, payments and all.

    Source of a refusal only (``not_citable``): people forget that a paper must be complete.
    """
    complete = [paper for paper in papers if paper.complete]
    for paper in papers:
        if paper.complete:
            continue
        due = dict(paid)
        if paper.seat != seat:
            if not due.get(paper.seat):
                continue
            due[paper.seat] -= 1
        for card in paper.cards:
            rest = fitting_citations(kind, (*laid, card), complete, seat, due)
            if rest is not None and not payments_off(rest, seat, due):
                return (*rest, Citation(paper.seat, paper.kind))
    return None


def citing_twice(
    kind: PaperKind, laid: Sequence[Card], complete: Sequence[Paper], seat: int, paid: Mapping[int, int]
) -> Citations | None:
    """A citing that has the right number of cards only if one paper is counted twice (``cited_twice``)."""
    combination = kind.combination
    if combination is None:
        return None
    for twice in complete:
        due = dict(paid)
        if twice.seat != seat:
            if due.get(twice.seat, 0) < 2:
                continue
            due[twice.seat] -= 2
        card = twice.cards[0]
        rest = [paper for paper in complete if paper != twice]
        for other in _same_rank(card, laid):
            found = fitting_citations(kind, (*laid, card, other), rest, seat, due)
            if found is not None and not payments_off(found, seat, due):
                again = Citation(twice.seat, twice.kind)
                return (*found, again, again)
    return None


def _same_rank(card: Card, laid: Sequence[Card]) -> tuple[Card, ...]:
    """A stand-in for counting a card twice: another card of its rank that is not laid already."""
    return tuple(other for other in DECK if other.rank == card.rank and other != card and other not in laid)[:1]


def payments_off(cited: Citations, seat: int, paid: Mapping[int, int]) -> int:
    """How many thank-you cards are missing or too many for these citations by that seat."""
    due = Counter(citation.seat for citation in cited if citation.seat != seat)
    return sum(abs(due[author] - paid.get(author, 0)) for author in due.keys() | paid.keys())
