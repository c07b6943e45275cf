"""Which papers a publication cites: the table never says so, it follows from the cards laid and the payments.

Source: RULINGS.md, Laminate Rummy 4 and 6. Only complete papers count; each gives its one card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from rules.cards import DECK, Card
from rules.laminate.moves import Citation
from rules.laminate.papers import PaperKind, Ranks, Run, Sets, Sum
from rules.laminate.position import Paper

Citations = tuple[Citation, ...]


def fitting_citations(
    kind: PaperKind,
    laid: Sequence[Card],
    complete: Sequence[Paper],
    seat: int,
    paid: Mapping[int, int],
    exactly: bool = False,
) -> Citations | None:
    """The complete papers that make the laid cards that combination, as near to the payments seen as can be.

    Of several equally near, one with the fewest citations; ``None`` where no citing makes the combination. ``paid``
    counts thank-you cards by seat; citing the publisher's own papers costs nothing. With ``exactly`` only citations
    that fit the payments count, which is quicker.
    """
    best: tuple[int, int, Citations] | None = None
    for cited in _completing(kind, laid, _Budget(complete, seat, paid if exactly else None)):
        citations = tuple(Citation(paper.seat, paper.kind) for paper in cited)
        off = sum(payments_off(citations, seat, paid))
        if not (exactly and off) and (best is None or (off, len(cited)) < best[:2]):
            best = (off, len(cited), citations)
    return None if best is None else best[2]


class _Budget:
    """The papers that may be cited, and how many of each author's may be, where that is limited."""

    def __init__(self, complete: Sequence[Paper], seat: int, limit: Mapping[int, int] | None) -> None:
        self.papers = [p for p in complete if limit is None or p.seat == seat or limit.get(p.seat, 0)]
        self.others = sorted({paper.seat for paper in complete} - {seat})
        self._limit = limit

    def add(self, counts: tuple[int, ...], paper: Paper) -> tuple[int, ...] | None:
        """How many papers of each other author are cited with one more; None where that is too many."""
        if paper.seat not in self.others:
            return counts
        place = self.others.index(paper.seat)
        if self._limit is not None and counts[place] >= self._limit.get(paper.seat, 0):
            return None
        return (*counts[:place], counts[place] + 1, *counts[place + 1 :])


def _completing(kind: PaperKind, laid: Sequence[Card], budget: _Budget) -> Iterator[tuple[Paper, ...]]:
    """Every set of complete papers worth looking at that makes the laid cards that combination."""
    combination = kind.combination
    if combination is None:
        return
    if isinstance(combination, Sum):
        yield from _adding_up(combination, laid, budget)
        return
    by_rank: dict[int, list[Paper]] = {}
    for paper in budget.papers:
        by_rank.setdefault(paper.cards[0].rank, []).append(paper)
    for demand in _missing_ranks(combination, laid, by_rank):
        wanted = [(count, by_rank.get(rank, [])) for rank, count in sorted(demand.items())]
        if any(len(papers) < count for count, papers in wanted):
            continue
        for cited in _chosen(wanted, budget, (0,) * len(budget.others)):
            if kind.accepts((*laid, *(paper.cards[0] for paper in cited))):
                yield cited


def _chosen(
    wanted: Sequence[tuple[int, Sequence[Paper]]], budget: _Budget, counts: tuple[int, ...]
) -> Iterator[tuple[Paper, ...]]:
    """Every way to choose so many papers from each group within the budget."""
    if not wanted:
        yield ()
        return
    (number, papers), *rest = wanted
    for some in combinations(papers, number):
        with_some: tuple[int, ...] | None = counts
        for paper in some:
            with_some = None if with_some is None else budget.add(with_some, paper)
        if with_some is not None:
            for more in _chosen(rest, budget, with_some):
                yield (*some, *more)


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


def _adding_up(combination: Sum, laid: Sequence[Card], budget: _Budget) -> Iterator[tuple[Paper, ...]]:
    """A smallest set of papers for each way to reach the sum that differs in how many of whose papers are cited."""
    start = sum(card.rank for card in laid)
    if combination.at_least:
        start = min(start, combination.total)
    reached: dict[tuple[int, tuple[int, ...]], tuple[Paper, ...]] = {(start, (0,) * len(budget.others)): ()}
    for paper in budget.papers:
        for (total, counts), cited in list(reached.items()):
            more, with_it = total + paper.cards[0].rank, budget.add(counts, paper)
            if combination.at_least:
                more = min(more, combination.total)
            if with_it is None or more > combination.total:
                continue
            known = reached.get((more, with_it))
            if known is None or len(known) > len(cited) + 1:
                reached[more, with_it] = (*cited, paper)
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
            rest = fitting_citations(kind, (*laid, card), complete, seat, due, exactly=True)
            if rest is not None:
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
            found = fitting_citations(kind, (*laid, card, other), rest, seat, due, exactly=True)
            if found is not None:
                again = Citation(twice.seat, twice.kind)
                return (*found, again, again)
    return None


def _same_rank(card: Card, laid: Sequence[Card]) -> tuple[Card, ...]:
    """A stand-in for counting a card twice: another card of its rank that is not laid already."""
    return tuple(other for other in DECK if other.rank == card.rank and other != card and other not in laid)[:1]


def payments_off(cited: Citations, seat: int, paid: Mapping[int, int]) -> tuple[int, int]:
    """How many thank-you cards are missing and how many too many for these citations by that seat."""
    due = Counter(citation.seat for citation in cited if citation.seat != seat)
    off = [paid.get(author, 0) - due[author] for author in due.keys() | paid.keys()]
    return -sum(n for n in off if n < 0), sum(n for n in off if n > 0)
