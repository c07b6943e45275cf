"""Which papers a publication cites: the table never says so, it follows from the cards laid and the payments.

Source: RULINGS.md, Laminate Rummy 4 and 6. Only complete papers count; each gives its one card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from operator import add

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
    """Return the complete papers that make the laid cards that combination, as near to the payments seen as can be.

    Of several equally near, one with the fewest citations; ``None`` where no citing makes the combination. ``paid``
    counts thank-you cards by seat; citing the publisher's own papers costs nothing. With ``exactly`` only citations
    that fit the payments count, which is quicker.
    """
    budget = _Budget(complete, seat, paid, exactly)
    best: tuple[int, tuple[Paper, ...]] | None = None
    for cited in _find_completing(kind, laid, budget):
        off = budget.count_off(cited)
        if not (exactly and off) and (best is None or off < best[0]):
            best = (off, cited)
    return None if best is None else tuple(Citation(paper.seat, paper.kind) for paper in best[1])


class _Budget:
    """The papers that may be cited, and what was paid to whom."""

    def __init__(self, complete: Sequence[Paper], seat: int, paid: Mapping[int, int], exactly: bool) -> None:
        self.seat = seat
        self.paid = paid
        self.exactly = exactly
        self.papers = [p for p in complete if not exactly or p.seat == seat or paid.get(p.seat, 0)]
        self.others = sorted({paper.seat for paper in complete} - {seat})

    def count_off(self, cited: Iterable[Paper]) -> int:
        """Count the thank-you cards that are missing or too many for these papers."""
        citations = tuple(Citation(paper.seat, paper.kind) for paper in cited)
        return sum(payments_off(citations, self.seat, self.paid))

    def count_by_author(self, cited: Iterable[Paper]) -> tuple[int, ...]:
        """Count these papers by each other author."""
        seats = [paper.seat for paper in cited]
        return tuple(seats.count(other) for other in self.others)

    def can_cite(self, counts: Sequence[int], more_to_come: bool) -> bool:
        """Tell whether that many papers of each other author may be cited."""
        if not self.exactly:
            return True
        due = [self.paid.get(other, 0) for other in self.others]
        return all(n <= d if more_to_come else n == d for n, d in zip(counts, due, strict=True))


def _find_completing(kind: PaperKind, laid: Sequence[Card], budget: _Budget) -> Iterator[tuple[Paper, ...]]:
    """Yield sets of complete papers that make the laid cards that combination.

    Of those that cite equally many papers of each author one is enough: what they come to is the same.
    """
    combination = kind.combination
    if combination is None:
        return
    if isinstance(combination, Sum):
        cited = _adding_up(combination, laid, budget)
        if cited is not None:
            yield cited
        return
    by_rank: dict[int, list[Paper]] = {}
    one_suit = isinstance(combination, Run) and combination.one_suit
    for paper in budget.papers:
        if not one_suit or not laid or paper.cards[0].suit is laid[0].suit:
            by_rank.setdefault(paper.cards[0].rank, []).append(paper)
    for demand in _missing_ranks(combination, laid, by_rank):
        wanted = [(count, by_rank.get(rank, [])) for rank, count in sorted(demand.items())]
        if any(len(papers) < count for count, papers in wanted):
            continue
        for cited in _choose_papers(wanted, budget):
            if kind.is_met_by((*laid, *(paper.cards[0] for paper in cited))):
                yield cited


def _choose_papers(wanted: Sequence[tuple[int, Sequence[Paper]]], budget: _Budget) -> Iterator[tuple[Paper, ...]]:
    """Yield that many papers from each group: one choice for each way to spread them over the authors."""
    reached: dict[tuple[int, ...], tuple[Paper, ...]] = {(0,) * len(budget.others): ()}
    for number, papers in wanted:
        shares: dict[tuple[int, ...], tuple[Paper, ...]] = {}
        for some in combinations(papers, number):
            shares.setdefault(budget.count_by_author(some), some)
        further: dict[tuple[int, ...], tuple[Paper, ...]] = {}
        for counts, cited in reached.items():
            for share, some in shares.items():
                both = tuple(map(add, counts, share))
                if both not in further and budget.can_cite(both, more_to_come=True):
                    further[both] = (*cited, *some)
        reached = further
    for counts, cited in reached.items():
        if budget.can_cite(counts, more_to_come=False):
            yield cited


def _missing_ranks(
    combination: Run | Sets | Ranks, laid: Sequence[Card], by_rank: Mapping[int, Sequence[Paper]]
) -> Iterator[Counter[int]]:
    """Yield every way in which the citations can bring what the laid cards lack, as cards by rank."""
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


def _adding_up(combination: Sum, laid: Sequence[Card], budget: _Budget) -> tuple[Paper, ...] | None:
    """Return the papers that bring the laid cards to the sum and are nearest to the payments; of these the fewest.

    Authors are taken one by one: what is missing or too many for one does not depend on the others.
    """
    most = combination.total if combination.at_least else None
    start = sum(card.rank for card in laid)
    reached: dict[int, tuple[int, int, tuple[Paper, ...]]] = {_clip_total(start, most): (0, 0, ())}
    for author in (budget.seat, *budget.others):
        shares = _choose_shares([paper for paper in budget.papers if paper.seat == author], combination.total)
        further: dict[int, tuple[int, int, tuple[Paper, ...]]] = {}
        for total, (off, number, cited) in reached.items():
            for (count, more), some in shares.items():
                wrong = abs(budget.paid.get(author, 0) - count) if author != budget.seat else 0
                at = _clip_total(total + more, most)
                if at > combination.total or (wrong and budget.exactly):
                    continue
                known = further.get(at)
                if known is None or (off + wrong, number + count) < known[:2]:
                    further[at] = (off + wrong, number + count, (*cited, *some))
        reached = further
    found = reached.get(combination.total)
    return None if found is None else found[2]


def _choose_shares(papers: Sequence[Paper], total: int) -> dict[tuple[int, int], tuple[Paper, ...]]:
    """Return one choice among an author's papers for each number of them and each sum of their cards."""
    shares: dict[tuple[int, int], tuple[Paper, ...]] = {(0, 0): ()}
    for paper in papers:
        for (count, reached), some in list(shares.items()):
            shares.setdefault((count + 1, min(total + 1, reached + paper.cards[0].rank)), (*some, paper))
    return shares


def _clip_total(total: int, most: int | None) -> int:
    return total if most is None else min(total, most)


def likeliest_citations(complete: Sequence[Paper], seat: int, paid: Mapping[int, int]) -> Citations:
    """Return papers to match the payments where no citing makes
    the combination: of each author as many as were paid for.
    """
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
    """Find a citing that would make the combination if one paper under review could be cited, payments and all.

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
    """Find a citing that has the right number of cards only if one paper is counted twice (``cited_twice``)."""
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
    """Return a stand-in for counting a card twice: another card of its rank that is not laid already."""
    return tuple(other for other in DECK if other.rank == card.rank and other != card and other not in laid)[:1]


def payments_off(cited: Citations, seat: int, paid: Mapping[int, int]) -> tuple[int, int]:
    """Return how many thank-you cards are missing and how many too many for these citations by that seat."""
    due = Counter(citation.seat for citation in cited if citation.seat != seat)
    off = [paid.get(author, 0) - due[author] for author in due.keys() | paid.keys()]
    return -sum(n for n in off if n < 0), sum(n for n in off if n > 0)
