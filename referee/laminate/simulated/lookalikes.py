"""Whether a table with a mistake on it looks just as a legal move would leave it, so that no referee can know better.

This is part of the truth that a referee is held to, so it shares nothing with the referee: it tries every legal move
that could have come to the papers, piles and payments which lie there, citations by plain enumeration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product

from referee.laminate.simulated.table import SimulatedTable
from rules.cards import Card, mask_of
from rules.laminate.moves import Citation, EndFlag, Move, Pass, Publish, Research, Review
from rules.laminate.papers import END_FLAG, PaperKind
from rules.laminate.position import Paper, Position

Papers = dict[tuple[int, str], tuple[bool, frozenset[Card]]]


def find_lookalike(table: SimulatedTable, public: Position) -> Move | None:
    """Return a legal move, as everybody sees it, that leaves exactly this table; ``None`` where none does.

    ``public`` is the position before it with public information, and no thank-you cards lay there.
    """
    if table.astray or "back" in table.discards or set(table.draw_pile) - {"back"}:
        return None
    if any(kind.endswith("'") for _, kind in table.columns):
        return None
    for move in _find_moves(table, public):
        if public.is_legal(move) and _look_at(table, public, move):
            return move
    return None


def _look_at(table: SimulatedTable, public: Position, move: Move) -> bool:
    after = public.do(move)
    expected: Papers = {(p.seat, p.kind): (p.complete, frozenset(p.cards)) for p in after.papers}
    if expected != _list_papers(table) or bool(table.draw_pile) != bool(after.draw_count):
        return False
    pay = move.pay if isinstance(move, Publish) else {}
    due = {seat: n if isinstance(n, int) else len(n) for seat, n in pay.items()}
    if {seat: count for seat, count in due.items() if count} != table.count_payments():
        return False
    if not table.discards or not after.discards:
        return not table.discards and not after.discards
    return after.discards[-1] is None or str(after.discards[-1]) == table.discards[-1]


def _list_papers(table: SimulatedTable) -> Papers:
    return {key: (column.complete_side, frozenset(column.cards)) for key, column in table.columns.items()}


def _find_moves(table: SimulatedTable, public: Position) -> Iterator[Move]:
    seat = public.to_move
    if seat is None:
        return
    yield Pass(seat)
    top = public.top_discard
    if top is not None:
        yield Research(seat, "discard", top)
    yield Research(seat, "deck", None, Card.parse(table.discards[-1]) if table.discards else None)
    for paper in public.under_review:
        lying = table.columns.get((paper.seat, paper.kind))
        gone = set(paper.cards) - set(lying.cards if lying is not None else ())
        if len(gone) == 1:
            yield Review(seat, paper.seat, paper.kind, gone.pop())
    new = [key for key in table.columns if public.find_paper(*key) is None]
    if len(new) == 1 and new[0][0] == seat and table.columns[new[0]].cards:
        kind, cards = new[0][1], tuple(table.columns[new[0]].cards)
        if kind == END_FLAG:
            yield EndFlag(seat, cards[0])
            return
        paid = table.count_payments()
        for cite in find_citations(public.catalogue[kind], cards, public.papers, seat, paid):
            yield Publish(seat, kind, cards, cite, paid)


def find_citations(
    kind: PaperKind, laid: Sequence[Card], papers: Sequence[Paper], seat: int, paid: Mapping[int, int]
) -> Iterator[tuple[Citation, ...]]:
    """Yield every way to cite complete papers, each author's as many as were paid for, that makes the combination."""
    complete = [paper for paper in papers if paper.complete]
    own = [paper for paper in complete if paper.seat == seat]
    groups = [list(chain.from_iterable(combinations(own, count) for count in range(len(own) + 1)))]
    for author, count in sorted(paid.items()):
        groups.append(list(combinations([p for p in complete if p.seat == author and author != seat], count)))
    down, combination = mask_of(laid), kind.combination
    if combination is None or down.bit_count() != len(laid):
        return
    masked = [[(sum(paper.cards[0].bit for paper in some), some) for some in group] for group in groups]
    for chosen in product(*masked):
        cited = sum(mask for mask, _ in chosen)
        if not cited & down and combination.is_met_by(cited | down):
            yield tuple(Citation(paper.seat, paper.kind) for _, some in chosen for paper in some)
