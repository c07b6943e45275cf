"""Mistakes in publishing: with cards and citations, and with thanks."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement

from referee.laminate.simulated.lookalikes import citations
from referee.laminate.simulated.scene import Mistakes, Scene, Wrong, entering, paid_for, wrong
from rules.cards import Card, cards_in, mask_of
from rules.laminate.legal import cheapest_way
from rules.laminate.moves import Publish
from rules.laminate.papers import PaperKind
from rules.text import Text

PUBLISHING: Mistakes = {}
"""Mistakes in publishing."""

_mistake = entering(PUBLISHING)


# --- publishing: the cards


def _same_but_for_thanks(scene: Scene, kind: PaperKind, laid: tuple[Card, ...], paid: dict[int, int]) -> frozenset[str]:
    """What else is wrong with these cards and thanks, if with other thanks they make the paper.

    Tried are up to two thank-you cards more, up to two less, and one on another spot.
    """
    seats = range(1, len(scene.position.players) + 1)
    changes: list[tuple[int, ...]] = [(seat,) for seat in seats]
    changes += combinations_with_replacement(seats, 2)
    nothing: tuple[int, ...] = ()
    tries = [(change, nothing) for change in changes] + [(nothing, change) for change in changes]
    tries += [((to,), (back,)) for to in seats for back in seats if to != back]
    found: set[str] = set()
    for more, less in tries:
        due = Counter(paid)
        due.update(more)
        due.subtract(less)
        if scene.seat in more or min(due.values()) < 0:
            continue
        if any(citations(kind, laid, scene.position.papers, scene.seat, due)):
            found |= {"payment_missing"} if more else set()
            found |= {"payment_excess"} if less else set()
    return frozenset(found)


def _misbuilt(scene: Scene, laid: tuple[Card, ...]) -> Wrong:
    move = scene.move
    assert isinstance(move, Publish)
    scene.lay(scene.seat, move.paper, laid)
    for author, count in paid_for(move).items():
        scene.table.pay(author, count)
    kind = scene.position.catalogue[move.paper]
    return wrong("not_a_meld", instead=_same_but_for_thanks(scene, kind, laid, paid_for(move)))


@_mistake(Text("lays down a card that is no part of the paper"))
def _one_card_more(scene: Scene) -> Wrong | None:
    move = scene.move
    spare = [card for card in scene.hand if isinstance(move, Publish) and card not in move.cards]
    if not isinstance(move, Publish) or len(spare) <= sum(paid_for(move).values()):
        return None
    return _misbuilt(scene, (*move.cards, scene.rng.choice(spare)))


@_mistake(Text("leaves out a card of the paper"))
def _one_card_less(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Publish) or len(move.cards) < 2:
        return None
    return _misbuilt(scene, tuple(scene.rng.sample(move.cards, len(move.cards) - 1)))


@_mistake(Text("takes a wrong card for the paper"))
def _one_card_wrong(scene: Scene) -> Wrong | None:
    move = scene.move
    spare = [card for card in scene.hand if isinstance(move, Publish) and card not in move.cards]
    if not isinstance(move, Publish) or not spare:
        return None
    return _misbuilt(scene, (*move.cards[1:], scene.rng.choice(spare)))


@_mistake(Text("publishes with citations alone"))
def _nothing_new(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Publish) or not move.cite:
        return None
    scene.table.lay_paper(scene.seat, move.paper, (), True)
    for author, count in paid_for(move).items():
        scene.table.pay(author, count)
    return wrong("nothing_new")


@_mistake(Text("publishes a second paper of a kind"))
def _second_of_a_kind(scene: Scene) -> Wrong | None:
    for paper in scene.position.papers:
        kind = scene.position.catalogue[paper.kind]
        own = paper.seat == scene.seat and scene.position.supply(paper.kind)
        way = cheapest_way(kind, mask_of(scene.hand)) if own else None
        if way is not None:
            scene.lay(scene.seat, paper.kind, cards_in(way.laid))
            return wrong("paper_already_held")
    return None


@_mistake(Text("cites a paper under review"))
def _cites_a_draft(scene: Scene) -> Wrong | None:
    for paper in scene.drafts:
        for card in paper.cards:
            for kind, way in scene.ways(scene.seat, mask_of(scene.hand), card.bit):
                spare = len(scene.hand) - way.laid.bit_count()
                if not way.own or (paper.seat != scene.seat and not spare):
                    continue
                laid = cards_in(way.laid)
                paid = {} if paper.seat == scene.seat else {paper.seat: 1}
                scene.lay(scene.seat, kind.name, laid)
                for author in paid:
                    scene.table.pay(author, 1)
                return wrong("not_citable", instead=_same_but_for_thanks(scene, kind, laid, paid))
    return None


@_mistake(Text("cites the same paper twice"))
def _cites_twice(scene: Scene) -> Wrong | None:
    hand = mask_of(scene.hand)
    for paper in scene.complete:
        card = paper.cards[0]
        likes = [c for c in _of_rank(card.rank) if c != card and not c.bit & hand]
        if paper.seat == scene.seat or not likes:
            continue
        for kind, way in scene.ways(scene.seat, hand, card.bit | likes[0].bit):
            if way.own.bit_count() == 2 and len(scene.hand) >= way.laid.bit_count() + 2:
                laid = cards_in(way.laid)
                scene.lay(scene.seat, kind.name, laid)
                scene.table.pay(paper.seat, 2)
                instead = _same_but_for_thanks(scene, kind, laid, {paper.seat: 2})
                if _one_draft_would_do(scene, kind, laid, paper.seat):
                    instead |= {"not_citable"}
                return wrong("cited_twice", instead=instead)
    return None


def _of_rank(rank: int) -> list[Card]:
    return [card for card in cards_in((1 << 49) - 1) if card.rank == rank]


def _one_draft_would_do(scene: Scene, kind: PaperKind, laid: tuple[Card, ...], author: int) -> bool:
    """Whether the same cards and two thanks make the paper with a paper under review cited once."""
    for draft in scene.position.under_review:
        paid = {author: 2 - (draft.seat == author)}
        for card in draft.cards:
            if any(citations(kind, (*laid, card), scene.position.papers, scene.seat, paid)):
                return draft.seat in (author, scene.seat)
    return False


@_mistake(Text("lays a card that was seen to go to another player"))
def _anothers_card(scene: Scene) -> Wrong | None:
    for other in scene.others:
        for card in scene.position.hand(other):
            if scene.public.may_hold(scene.seat, card):
                continue
            for kind, way in scene.ways(scene.seat, mask_of(scene.hand) | card.bit):
                if way.laid & card.bit:
                    scene.lay(scene.seat, kind.name, cards_in(way.laid))
                    return wrong("card_not_in_hand")
    return None


@_mistake(Text("moves the cited card into the own paper"))
def _moves_the_cited_card(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Publish) or not move.cite:
        return None
    cited = scene.position.paper(move.cite[0].seat, move.cite[0].paper)
    assert cited is not None, "the move is legal"
    scene.table.take_from_paper(cited.seat, cited.kind, cited.cards[0])
    scene.lay(scene.seat, move.paper, (*move.cards, cited.cards[0]))
    for author, count in paid_for(move).items():
        scene.table.pay(author, count)
    return wrong("card_not_in_hand")


# --- publishing: the thanks


def _misspaid(scene: Scene, paid: dict[int, int], *codes: str) -> Wrong | None:
    """Lay the paper that was meant, with these thanks."""
    move = scene.move
    assert isinstance(move, Publish)
    scene.lay(scene.seat, move.paper, tuple(move.cards))
    for author, count in paid.items():
        scene.table.pay(author, count)
    kind = scene.position.catalogue[move.paper]
    return wrong(*codes, instead=_same_but_for_thanks(scene, kind, tuple(move.cards), paid))


@_mistake(Text("pays a thank-you card too little"))
def _pays_too_little(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish) or not scene.move.pay:
        return None
    paid = paid_for(scene.move)
    paid[scene.rng.choice(sorted(paid))] -= 1
    return _misspaid(scene, paid, "payment_missing")


@_mistake(Text("pays no thanks at all"))
def _pays_nothing(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish) or not scene.move.pay:
        return None
    return _misspaid(scene, {}, "payment_missing")


@_mistake(Text("pays a thank-you card too many"))
def _pays_too_much(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Publish) or not scene.position.do(move).hand_size(scene.seat):
        return None
    paid = paid_for(move)
    author = scene.rng.randint(1, len(scene.position.players))
    paid[author] = paid.get(author, 0) + 1
    return _misspaid(scene, paid, "payment_excess")


@_mistake(Text("lays a thank-you card on the wrong payment spot"))
def _pays_the_wrong_author(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish) or not scene.move.pay:
        return None
    paid = paid_for(scene.move)
    short = scene.rng.choice(sorted(paid))
    astray = scene.rng.choice([seat for seat in range(1, len(scene.position.players) + 1) if seat != short])
    paid[short] -= 1
    paid[astray] = paid.get(astray, 0) + 1
    return _misspaid(scene, paid, "payment_missing", "payment_excess")


@_mistake(Text("lays a thank-you card face up"))
def _pays_face_up(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish) or not scene.move.pay:
        return None
    paid = paid_for(scene.move)
    short = min(paid)
    paid[short] -= 1
    given = scene.move.pay[short]
    assert not isinstance(given, int), "a simulated game knows the cards"
    made = _misspaid(scene, paid, "table_disturbed")
    scene.table.pay(short, 1, str(given[0]))
    return made


@_mistake(Text("cites more papers than the hand can pay for"))
def _cannot_pay(scene: Scene) -> Wrong | None:
    complete = scene.complete
    citable = mask_of(paper.cards[0] for paper in complete)
    for kind, way in scene.ways(scene.seat, mask_of(scene.hand), citable):
        laid = cards_in(way.laid)
        left = len(scene.hand) - len(laid)
        due = [p.seat for p in complete if p.cards[0].bit & way.own and p.seat != scene.seat]
        if len(due) <= left or _payable(scene, kind, laid, left):
            continue
        scene.lay(scene.seat, kind.name, laid)
        for author in due[:left]:
            scene.table.pay(author, 1)
        return wrong("cannot_pay")
    return None


def _payable(scene: Scene, kind: PaperKind, laid: tuple[Card, ...], left: int) -> bool:
    """Whether the hand could pay for some citations that make this paper."""
    others = [p.seat for p in scene.complete if p.seat != scene.seat]
    ways = {tuple(sorted(some)) for count in range(left + 1) for some in combinations(others, count)}
    papers = scene.position.papers
    return any(any(citations(kind, laid, papers, scene.seat, Counter(paid))) for paid in ways)
