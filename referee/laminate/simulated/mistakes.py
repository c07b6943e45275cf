"""The mistakes that people make at the table, each with the rule that it breaks.

A mistake moves cards on the simulated table and says by itself, from what the player did, which refusal codes are
right; it never asks the referee. Where the situation gives no occasion for it, it leaves the table as it was.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

from referee.laminate.simulated.hands import act, draw
from referee.laminate.simulated.lookalikes import citations
from referee.laminate.simulated.table import SimulatedTable
from rules.cards import Card, cards_in, mask_of
from rules.laminate.legal import Way, cheapest_way
from rules.laminate.moves import Move, Publish, Research, Review
from rules.laminate.papers import END_FLAG, PaperKind
from rules.laminate.position import Paper, Phase, Position


@dataclass(frozen=True, slots=True)
class Wrong:
    """The codes that must all be named, and those that do instead where the table can't tell the two apart."""

    codes: frozenset[str]
    instead: frozenset[str] = frozenset()


def wrong(*codes: str, instead: frozenset[str] = frozenset()) -> Wrong:
    """These codes must be named."""
    return Wrong(frozenset(codes), instead)


@dataclass(frozen=True)
class Scene:
    """One turn at the table, before its move: the truth, what everybody knows, and what the player means to do."""

    table: SimulatedTable
    position: Position
    public: Position
    seat: int
    move: Move
    rng: random.Random

    @property
    def hand(self) -> tuple[Card, ...]:
        """The player's hand."""
        return self.position.hand(self.seat)

    @property
    def drafts(self) -> list[Paper]:
        """The papers under review, in a random order."""
        drafts = list(self.position.under_review)
        self.rng.shuffle(drafts)
        return drafts

    @property
    def complete(self) -> list[Paper]:
        """The complete papers, in a random order."""
        complete = [paper for paper in self.position.papers if paper.complete]
        self.rng.shuffle(complete)
        return complete

    @property
    def others(self) -> list[int]:
        """The other seats, in a random order."""
        seats = [seat for seat in range(1, len(self.position.players) + 1) if seat != self.seat]
        self.rng.shuffle(seats)
        return seats

    def act(self) -> None:
        """Do what the player means to do."""
        act(self.table, self.position, self.move)

    def kinds(self, seat: int) -> Iterator[PaperKind]:
        """The kinds that a seat may still publish, in a random order."""
        kinds = [kind for kind in self.position.catalogue.kinds if kind.name != END_FLAG]
        self.rng.shuffle(kinds)
        for kind in kinds:
            if self.position.supply(kind.name) and self.position.paper(seat, kind.name) is None:
                yield kind

    def ways(self, seat: int, hand: int, own: int = 0) -> Iterator[tuple[PaperKind, Way]]:
        """Ways to publish something with these hand cards and cited cards, masks."""
        for kind in self.kinds(seat):
            way = cheapest_way(kind, hand, own)
            if way is not None and way.laid:
                yield kind, way

    def lay(self, seat: int, kind: str, cards: tuple[Card, ...]) -> None:
        """Lay a new paper, on the side that goes with it."""
        self.table.lay_paper(seat, kind, cards, len(cards) == 1)

    def review(self, paper: Paper) -> None:
        """Take a card from a paper, and turn it where it is complete then."""
        act(self.table, self.position, Review(self.seat, paper.seat, paper.kind, self.rng.choice(paper.cards)))


Make = Callable[[Scene], Wrong | None]


@dataclass(frozen=True)
class Mistake:
    """A mistake: what it is called and how it is told, when it is made, and how."""

    name: str
    en: str
    ja: str
    phase: Phase
    make: Make


MISTAKES: dict[str, Mistake] = {}
"""Every mistake by its name."""


def _mistake(en: str, ja: str, phase: Phase = Phase.PLAY) -> Callable[[Make], Make]:
    def enter(make: Make) -> Make:
        name = make.__name__.strip("_")
        MISTAKES[name] = Mistake(name, en, ja, phase, make)
        return make

    return enter


def _paid(move: Publish) -> dict[int, int]:
    return {author: n if isinstance(n, int) else len(n) for author, n in move.pay.items()}


# --- research


@_mistake("confirms without having moved a card", "何も動かさずに確定を押します")
def _nothing_done(scene: Scene) -> Wrong | None:
    if scene.position.pass_allowed or scene.public.reshuffle_on_draw != "none":
        return None
    return wrong("pass_not_allowed")


@_mistake("draws and forgets to discard", "引いたあと捨て忘れます")
def _no_discard(scene: Scene) -> Wrong | None:
    position, move = scene.position, scene.move
    if not isinstance(move, Research) or move.source != "deck" or position.draw_gives < 2:
        return None
    draw(scene.table, position)
    unchanged = position.reshuffle_on_draw == "none" and position.draw_count > 2
    # Nobody sees how many cards the draw pile has, so the mat may look as if nothing was done.
    return wrong("pass_not_allowed") if unchanged else wrong("wrong_count")


@_mistake("discards the only card that was drawn", "1枚しか引けないのに捨てます")
def _needless_discard(scene: Scene) -> Wrong | None:
    position, move = scene.position, scene.move
    hand = [card for card in scene.hand if card not in position.discards]
    if not isinstance(move, Research) or position.draw_gives != 1 or not position.draw_count or not hand:
        return None
    draw(scene.table, position)
    scene.table.lay_discard(scene.rng.choice(hand))
    return wrong("wrong_count")


@_mistake("discards a card that was in the hand before, as everybody knows", "前から手札にあったカードを捨てます")
def _old_discard(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Research) or scene.position.draw_count < 3:
        return None
    known = [card for card in scene.hand if not scene.public.may_be_in_deck(card)]
    if not known:
        return None
    draw(scene.table, scene.position)
    scene.table.lay_discard(scene.rng.choice(known))
    return wrong("card_not_in_deck")


@_mistake("lays the discard face down", "裏向きに捨てます")
def _discard_face_down(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Research) or move.discard is None or scene.position.draw_count < 3:
        return None
    draw(scene.table, scene.position)
    scene.table.lay_discard(move.discard, face_up=False)
    return wrong("table_disturbed")


@_mistake("lays the discard on the draw pile", "捨てるカードを山札に置きます")
def _discard_on_draw(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Research) or move.discard is None or scene.position.draw_count < 3:
        return None
    draw(scene.table, scene.position)
    scene.table.lay_on_draw(str(move.discard))
    return wrong("table_disturbed")


@_mistake("takes two cards from the discard pile", "捨て札から2枚取ります")
def _two_discards(scene: Scene) -> Wrong | None:
    position = scene.position
    if len(position.discards) < 3 or position.draw_count < 2 or None in scene.public.discards:
        return None
    scene.table.take_discard()
    scene.table.take_discard()
    return wrong("two_actions")


# --- review


@_mistake("takes two cards in one review", "査読で2枚取ります")
def _two_cards(scene: Scene) -> Wrong | None:
    for paper in scene.drafts:
        first, second = scene.rng.sample(paper.cards, 2)
        scene.table.take_from_paper(paper.seat, paper.kind, first)
        scene.table.take_from_paper(paper.seat, paper.kind, second)
        if len(paper.cards) <= 3:
            scene.table.turn_paper(paper.seat, paper.kind)
        return wrong("took_two_cards")
    return None


@_mistake("takes the last card of a complete paper", "完成した論文の最後の1枚を取ります")
def _last_card(scene: Scene) -> Wrong | None:
    for paper in scene.complete:
        scene.table.take_from_paper(paper.seat, paper.kind, paper.cards[0])
        return wrong("not_reviewable")
    return None


@_mistake("forgets to turn the complete paper", "完成した論文を裏返し忘れます")
def _not_turned(scene: Scene) -> Wrong | None:
    for paper in scene.drafts:
        if len(paper.cards) == 2:
            scene.table.take_from_paper(paper.seat, paper.kind, scene.rng.choice(paper.cards))
            return wrong("turn_the_paper")
    return None


@_mistake("turns a paper that is still under review", "まだ査読中の論文を裏返します")
def _turned_too_early(scene: Scene) -> Wrong | None:
    for paper in scene.drafts:
        if len(paper.cards) > 2:
            scene.table.take_from_paper(paper.seat, paper.kind, scene.rng.choice(paper.cards))
            scene.table.turn_paper(paper.seat, paper.kind)
            return wrong("turn_the_paper")
    return None


@_mistake("turns somebody's complete paper back", "完成した論文を査読中に戻します")
def _turned_back(scene: Scene) -> Wrong | None:
    for paper in scene.complete:
        scene.act()
        scene.table.turn_paper(paper.seat, paper.kind)
        return wrong("turn_the_paper")
    return None


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
    for author, count in _paid(move).items():
        scene.table.pay(author, count)
    kind = scene.position.catalogue[move.paper]
    return wrong("not_a_meld", instead=_same_but_for_thanks(scene, kind, laid, _paid(move)))


@_mistake("lays down a card that is no part of the paper", "役に関係ないカードを一緒に出します")
def _one_card_more(scene: Scene) -> Wrong | None:
    move = scene.move
    spare = [card for card in scene.hand if isinstance(move, Publish) and card not in move.cards]
    if not isinstance(move, Publish) or len(spare) <= sum(_paid(move).values()):
        return None
    return _misbuilt(scene, (*move.cards, scene.rng.choice(spare)))


@_mistake("leaves out a card of the paper", "必要なカードが1枚足りません")
def _one_card_less(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Publish) or len(move.cards) < 2:
        return None
    return _misbuilt(scene, tuple(scene.rng.sample(move.cards, len(move.cards) - 1)))


@_mistake("takes a wrong card for the paper", "カードを1枚間違えます")
def _one_card_wrong(scene: Scene) -> Wrong | None:
    move = scene.move
    spare = [card for card in scene.hand if isinstance(move, Publish) and card not in move.cards]
    if not isinstance(move, Publish) or not spare:
        return None
    return _misbuilt(scene, (*move.cards[1:], scene.rng.choice(spare)))


@_mistake("publishes with citations alone", "手札を出さず引用だけで発表します")
def _nothing_new(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Publish) or not move.cite:
        return None
    scene.table.lay_paper(scene.seat, move.paper, (), True)
    for author, count in _paid(move).items():
        scene.table.pay(author, count)
    return wrong("nothing_new")


@_mistake("publishes a second paper of a kind", "同じ種類の論文をもう1枚発表します")
def _second_of_a_kind(scene: Scene) -> Wrong | None:
    for paper in scene.position.papers:
        kind = scene.position.catalogue[paper.kind]
        own = paper.seat == scene.seat and scene.position.supply(paper.kind)
        way = cheapest_way(kind, mask_of(scene.hand)) if own else None
        if way is not None:
            scene.lay(scene.seat, paper.kind, cards_in(way.laid))
            return wrong("paper_already_held")
    return None


@_mistake("cites a paper under review", "査読中の論文を引用します")
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


@_mistake("cites the same paper twice", "同じ論文を2回引用します")
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


@_mistake("lays a card that was seen to go to another player", "他の人が取ったカードを出します")
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


@_mistake("moves the cited card into the own paper", "引用したカードを自分の論文に移します")
def _moves_the_cited_card(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Publish) or not move.cite:
        return None
    cited = scene.position.paper(move.cite[0].seat, move.cite[0].paper)
    assert cited is not None, "the move is legal"
    scene.table.take_from_paper(cited.seat, cited.kind, cited.cards[0])
    scene.lay(scene.seat, move.paper, (*move.cards, cited.cards[0]))
    for author, count in _paid(move).items():
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


@_mistake("pays a thank-you card too little", "お礼を1枚払い忘れます")
def _pays_too_little(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish) or not scene.move.pay:
        return None
    paid = _paid(scene.move)
    paid[scene.rng.choice(sorted(paid))] -= 1
    return _misspaid(scene, paid, "payment_missing")


@_mistake("pays no thanks at all", "お礼をまったく払いません")
def _pays_nothing(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish) or not scene.move.pay:
        return None
    return _misspaid(scene, {}, "payment_missing")


@_mistake("pays a thank-you card too many", "お礼を1枚多く払います")
def _pays_too_much(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Publish) or not scene.position.do(move).hand_size(scene.seat):
        return None
    paid = _paid(move)
    author = scene.rng.randint(1, len(scene.position.players))
    paid[author] = paid.get(author, 0) + 1
    return _misspaid(scene, paid, "payment_excess")


@_mistake("lays a thank-you card on the wrong payment spot", "お礼を違う人のお礼置き場に置きます")
def _pays_the_wrong_author(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish) or not scene.move.pay:
        return None
    paid = _paid(scene.move)
    short = scene.rng.choice(sorted(paid))
    astray = scene.rng.choice([seat for seat in range(1, len(scene.position.players) + 1) if seat != short])
    paid[short] -= 1
    paid[astray] = paid.get(astray, 0) + 1
    return _misspaid(scene, paid, "payment_missing", "payment_excess")


@_mistake("lays a thank-you card face up", "お礼を表向きに置きます")
def _pays_face_up(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish) or not scene.move.pay:
        return None
    paid = _paid(scene.move)
    short = min(paid)
    paid[short] -= 1
    given = scene.move.pay[short]
    assert not isinstance(given, int), "a simulated game knows the cards"
    made = _misspaid(scene, paid, "table_disturbed")
    scene.table.pay(short, 1, str(given[0]))
    return made


@_mistake("cites more papers than the hand can pay for", "お礼の手札が足りないのに引用します")
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


# --- two things at once, and out of turn


@_mistake("researches from the draw pile and reviews too", "研究と査読を両方します")
def _research_and_review(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Research) or scene.position.draw_count < 3:
        return None
    for paper in scene.drafts:
        scene.act()
        scene.review(paper)
        return wrong("two_actions")
    return None


@_mistake("publishes and reviews in one turn", "論文発表と査読を両方します")
def _publish_and_review(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish):
        return None
    for paper in scene.drafts:
        scene.act()
        scene.review(paper)
        return wrong("two_actions")
    return None


@_mistake("takes the top discard and publishes in one turn", "捨て札を取って論文発表もします")
def _take_and_publish(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish) or not scene.position.discards:
        return None
    scene.act()
    scene.table.take_discard()
    return wrong("two_actions")


@_mistake("publishes with a card just taken from the discard pile", "捨て札から取ったカードですぐ論文発表します")
def _publish_with_the_discard(scene: Scene) -> Wrong | None:
    top = scene.position.top_discard
    if top is None:
        return None
    for kind, way in scene.ways(scene.seat, mask_of(scene.hand) | top.bit):
        if way.laid & top.bit:
            scene.table.take_discard()
            scene.lay(scene.seat, kind.name, cards_in(way.laid))
            return wrong("two_actions")
    return None


@_mistake("publishes with a card just taken in review", "査読で取ったカードですぐ論文発表します")
def _publish_with_the_reviewed(scene: Scene) -> Wrong | None:
    for paper in scene.drafts:
        for card in paper.cards:
            for kind, way in scene.ways(scene.seat, mask_of(scene.hand) | card.bit):
                if way.laid & card.bit:
                    act(scene.table, scene.position, Review(scene.seat, paper.seat, paper.kind, card))
                    scene.lay(scene.seat, kind.name, cards_in(way.laid))
                    return wrong("two_actions")
    return None


@_mistake("reviews two papers", "2つの論文を査読します")
def _two_reviews(scene: Scene) -> Wrong | None:
    drafts = scene.drafts
    if len(drafts) < 2:
        return None
    scene.review(drafts[0])
    scene.review(drafts[1])
    return wrong("took_two_cards", "two_actions")


@_mistake("publishes two papers", "論文を2つ発表します")
def _two_publications(scene: Scene) -> Wrong | None:
    move = scene.move
    if not isinstance(move, Publish):
        return None
    spare = scene.position.do(move).hand_mask(scene.seat)
    for kind, way in scene.ways(scene.seat, spare):
        if kind.name != move.paper:
            scene.act()
            scene.lay(scene.seat, kind.name, cards_in(way.laid))
            return wrong("two_actions")
    return None


@_mistake("publishes although it is another player's turn", "自分の番ではないのに論文発表します")
def _out_of_turn(scene: Scene) -> Wrong | None:
    for other in scene.others:
        for kind, way in scene.ways(other, mask_of(scene.position.hand(other))):
            scene.lay(other, kind.name, cards_in(way.laid))
            return wrong("out_of_turn")
    return None


@_mistake("goes on before the last turn was confirmed", "前の手番が確定しないうちに次の人が始めます")
def _next_player_went_on(scene: Scene) -> Wrong | None:
    if isinstance(scene.move, Research) and scene.position.draw_count < 3:
        return None
    other = 1 + scene.seat % len(scene.position.players)
    for kind, way in scene.ways(other, mask_of(scene.position.hand(other))):
        if isinstance(scene.move, Publish) and scene.move.paper == kind.name and scene.position.supply(kind.name) < 2:
            continue
        scene.act()
        scene.lay(other, kind.name, cards_in(way.laid))
        return wrong("two_actions")
    return None


# --- the table disturbed


@_mistake("swaps two cards between papers", "2つの論文のカードが入れ替わります")
def _swapped_cards(scene: Scene) -> Wrong | None:
    keys = [key for key, column in scene.table.columns.items() if column.cards]
    if len(keys) < 2:
        return None
    one, other = scene.rng.sample(keys, 2)
    scene.table.swap_cards(one, other)
    return wrong("table_disturbed")


@_mistake("does the turn and swaps two cards of other papers", "手番のあと、他の論文のカードが入れ替わります")
def _turn_and_swapped_cards(scene: Scene) -> Wrong | None:
    touched = set()
    if isinstance(scene.move, Review):
        touched = {(scene.move.of, scene.move.paper)}
    keys = [key for key, column in scene.table.columns.items() if column.cards and key not in touched]
    if len(keys) < 2:
        return None
    one, other = scene.rng.sample(keys, 2)
    scene.act()
    scene.table.swap_cards(one, other)
    return wrong("table_disturbed")


@_mistake("moves a card from one paper to another", "カードが別の論文に移ります")
def _card_to_another_paper(scene: Scene) -> Wrong | None:
    keys = list(scene.table.columns)
    for paper in scene.drafts:
        others = [key for key in keys if key != (paper.seat, paper.kind)]
        if others:
            card = scene.rng.choice(paper.cards)
            scene.table.take_from_paper(paper.seat, paper.kind, card)
            scene.table.add_to_paper(*scene.rng.choice(others), card)
            return wrong("table_disturbed")
    return None


@_mistake("pushes a paper into another player's area", "論文が他の人の場に移ります")
def _paper_to_another_area(scene: Scene) -> Wrong | None:
    papers = [paper for paper in scene.position.papers if paper.kind != END_FLAG]
    for paper in scene.rng.sample(papers, len(papers)):
        for other in range(1, len(scene.position.players) + 1):
            if other != paper.seat and scene.position.paper(other, paper.kind) is None:
                scene.table.move_paper(paper.seat, paper.kind, other)
                return wrong("table_disturbed")
    return None


@_mistake("pushes a card off its paper", "カードが論文から離れます")
def _card_astray(scene: Scene) -> Wrong | None:
    for paper in scene.position.papers:
        card = paper.cards[-1]
        before = scene.table.snapshot()
        scene.table.take_from_paper(paper.seat, paper.kind, card)
        if scene.table.drop(paper.seat, str(card)):
            return wrong("table_disturbed")
        scene.table.restore(before)
    return None


@_mistake("lays a hand card down for nothing", "手札を1枚置きます")
def _hand_card_astray(scene: Scene) -> Wrong | None:
    name = str(scene.rng.choice(scene.hand)) if scene.hand and scene.rng.random() < 0.5 else "back"
    if not scene.hand or not scene.table.drop(scene.seat, name):
        return None
    return wrong("table_disturbed")


@_mistake("takes the draw pile away", "山札がなくなります")
def _draw_pile_gone(scene: Scene) -> Wrong | None:
    if scene.position.draw_count < 3:
        return None
    scene.table.clear_draw()
    return wrong("table_disturbed")


@_mistake("researches and lays a card on a payment spot", "引用していないのにお礼を置きます")
def _thanks_for_nothing(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Research | Review) or not scene.hand:
        return None
    scene.act()
    scene.table.pay(scene.rng.randint(1, len(scene.position.players)), 1)
    return wrong("payment_excess")


@_mistake("forgets the paper card", "論文カードを置き忘れます")
def _no_paper_card(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish):
        return None
    before = scene.table.snapshot()
    for card in scene.move.cards:
        if not scene.table.drop(scene.seat, str(card)):
            scene.table.restore(before)
            return None
    for author, count in _paid(scene.move).items():
        scene.table.pay(author, count)
    return wrong("table_disturbed")


@_mistake("publishes on the wrong side of the paper card", "論文カードの面を間違えて発表します")
def _published_on_the_wrong_side(scene: Scene) -> Wrong | None:
    if not isinstance(scene.move, Publish):
        return None
    scene.act()
    scene.table.turn_paper(scene.seat, scene.move.paper)
    return wrong("turn_the_paper")


# --- the End Flag


@_mistake("takes the End Flag without cause", "条件を満たさないのにエンドフラグを取ります")
def _flag_too_early(scene: Scene) -> Wrong | None:
    if not scene.hand or not scene.position.supply(END_FLAG):
        return None
    scene.lay(scene.seat, END_FLAG, (scene.rng.choice(scene.hand),))
    return wrong("flag_not_due")


@_mistake("forgets the End Flag", "エンドフラグを忘れます", Phase.FLAG)
def _flag_forgotten(scene: Scene) -> Wrong | None:
    return wrong("flag_due")


@_mistake("goes on instead of taking the End Flag", "エンドフラグを取らずに先へ進みます", Phase.FLAG)
def _flag_passed_over(scene: Scene) -> Wrong | None:
    for paper in scene.drafts:
        scene.review(paper)
        return wrong("flag_due")
    return None


@_mistake("takes an End Flag that is another player's", "他の人のエンドフラグを取ります", Phase.FLAG)
def _flag_to_the_wrong_player(scene: Scene) -> Wrong | None:
    for other in scene.others:
        if scene.position.hand_size(other):
            scene.lay(other, END_FLAG, (scene.rng.choice(scene.position.hand(other)),))
            return wrong("flag_not_due")
    return None


@_mistake("lays two cards to the End Flag", "エンドフラグに手札を2枚置きます", Phase.FLAG)
def _flag_with_two_cards(scene: Scene) -> Wrong | None:
    if len(scene.hand) < 2:
        return None
    scene.table.lay_paper(scene.seat, END_FLAG, scene.rng.sample(scene.hand, 2), True)
    return wrong("flag_due")


@_mistake("lays the End Flag without a card", "エンドフラグに手札を置き忘れます", Phase.FLAG)
def _flag_without_a_card(scene: Scene) -> Wrong | None:
    scene.table.lay_paper(scene.seat, END_FLAG, (), True)
    return wrong("flag_due")


@_mistake("lays the End Flag with its other side up", "エンドフラグの面を間違えます", Phase.FLAG)
def _flag_on_the_wrong_side(scene: Scene) -> Wrong | None:
    scene.table.lay_paper(scene.seat, END_FLAG, (scene.rng.choice(scene.hand),), False)
    return wrong("turn_the_paper")
