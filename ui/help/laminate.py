"""Laminate Rummy, looked up: every kind of paper beside the rules, and hints on what may be published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.cards import DECK, RANK_NAMES, Card, cards_in, mask_of
from rules.laminate.legal import Way, cheapest_way
from rules.laminate.papers import PaperKind, Ranks, Run, Sets, Sum, ranks_listed
from rules.laminate.position import Paper, Phase, Position
from rules.text import Language, Text, player, plural, say_cards, say_number
from ui.help.leaf import make_leaf
from ui.parts.card_tiles import FLAG, card_tile, card_tiles, group_of, make_backs
from ui.screen_state import CardTile, Leaf, TileGroup, TileRole
from ui.teaching.laminate import FLAG_RULE, TEACHING

_TOP = 13
_CITING = Text("Hint: what can be cited")
_IDEAS = 5
"""At most this many papers are proposed."""


def list_leaves(position: Position, language: Language) -> tuple[Leaf, ...]:
    """List all leaves: the rules part by part, and every kind of paper."""
    kinds = tuple(_explain_kind(position, kind, language) for kind in position.catalogue)
    return (*TEACHING.draw_rules(language), *kinds)


def list_hints(position: Position, language: Language) -> tuple[Leaf, ...]:
    """Suggest what can be cited, and what may be published with it, from what lies openly on the table.

    The cards that a paper lacks are any that can be in that hand for all that everybody knows.
    """
    seat = position.to_move
    if position.phase is not Phase.PLAY or seat is None:
        return ()
    complete = [paper for paper in position.papers if paper.complete]
    return (_list_citable(position, seat, complete, language), *_list_ideas(position, seat, complete, language))


def _list_citable(position: Position, seat: int, complete: Sequence[Paper], language: Language) -> Leaf:
    if not complete:
        return make_leaf(language, _CITING, Text("No paper is complete yet."))
    who = player(position.get_name(seat))
    text = Text("{who} may cite these: own papers freely, each of others for one hand card.", who=who)
    groups = tuple(_show_cited(position, author, complete, language) for author in _list_authors(seat, complete))
    return Leaf(_CITING.said(language), (text.said(language),), groups)


def _list_authors(seat: int, papers: Sequence[Paper]) -> list[int]:
    """List the authors of these papers, whoever cites them first."""
    return sorted({paper.seat for paper in papers}, key=lambda author: (author != seat, author))


def _show_cited(position: Position, author: int, papers: Sequence[Paper], language: Language) -> TileGroup:
    """Show one author's papers by their one card each."""
    cards = [paper.cards[0] for paper in papers if paper.seat == author]
    return group_of(language, TileRole.CITED, player(position.get_name(author)), cards)


def _list_ideas(position: Position, seat: int, complete: Sequence[Paper], language: Language) -> Iterator[Leaf]:
    """List papers that cite something, those first that take fewest cards of the hand."""
    hand = mask_of(card for card in DECK if position.may_hold(seat, card))
    own = mask_of(paper.cards[0] for paper in complete if paper.seat == seat)
    others = mask_of(paper.cards[0] for paper in complete if paper.seat != seat)
    found = []
    for kind in position.catalogue:
        way = cheapest_way(kind, hand, own, others)
        free = position.count_supply(kind.name) and position.find_paper(seat, kind.name) is None
        if way is not None and free and way.own | way.others and way.cost[0] <= position.hand_size(seat):
            found.append((way.cost[0], -kind.points, kind, way))
    for _, _, kind, way in sorted(found, key=lambda one: one[:2])[:_IDEAS]:
        cites = [paper for paper in complete if paper.cards[0].bit & (way.own | way.others)]
        yield _make_idea(position, seat, kind, way, cites, language)


def _make_idea(
    position: Position, seat: int, kind: PaperKind, way: Way, cites: Sequence[Paper], language: Language
) -> Leaf:
    laid, paid = cards_in(way.laid), way.others.bit_count()
    cited = say_cards(paper.cards[0] for paper in cites)
    need, tiles = _list_needed(kind, laid)
    texts = [Text("With {cited} cited, it takes {need} from the hand.", cited=cited, need=need)]
    if paid:
        thanks = say_number(paid)
        texts.append(Text("Thanks to pay: {thanks}.", thanks=thanks))
    worth = plural("{count} point once complete.", "{count} points once complete.", count=kind.points)
    if len(laid) == 1:
        worth = plural("{count} point, complete at once.", "{count} points, complete at once.", count=kind.points)
    hand = Text("from the hand").said(language)
    groups = [_show_cited(position, author, cites, language) for author in _list_authors(seat, cites)]
    groups.append(TileGroup(TileRole.LAID, hand, tiles))
    if paid:
        groups.append(TileGroup(TileRole.PAID, Text("thanks").said(language), make_backs(paid, TileRole.PAID)))
    title = Text("Hint: {kind}", kind=kind)
    return Leaf(title.said(language), tuple(text.said(language) for text in (*texts, worth)), tuple(groups))


def _list_needed(kind: PaperKind, laid: Sequence[Card]) -> tuple[Text, tuple[CardTile, ...]]:
    """Return what the hand must give, in words and as cards: by their ranks, where suits don't matter."""
    if kind.one_suit:
        return say_cards(laid), card_tiles(laid, TileRole.LAID)
    if kind.total:
        total, least = sum(card.rank for card in laid), isinstance(kind.combination, Sum) and kind.combination.at_least
        label = f"Σ{total}+" if least else f"Σ{total}"
        words = Text("cards that add to {total}", total=total)
        if least:
            words = Text("cards that add to {total} or more", total=total)
        return words, (card_tile("sum", TileRole.LAID, label),)
    ranks = sorted(card.rank for card in laid)
    words = Text("{ranks} of any suit", ranks=ranks_listed(ranks))
    return words, tuple(card_tile("rank", TileRole.LAID, RANK_NAMES[rank]) for rank in ranks)


def _explain_kind(position: Position, kind: PaperKind, language: Language) -> Leaf:
    """Explain one kind of paper: what it takes, its points and copies, and an example."""
    worth = plural(
        "Worth {count} point; {cards} in all.",
        "Worth {count} points; {cards} in all.",
        count=kind.points,
        cards=say_number(kind.copies),
    )
    if kind.combination is None:
        rule = FLAG_RULE
        flag = card_tile("end_flag/complete", TileRole.SHOWN, FLAG)
        groups: tuple[TileGroup, ...] = (TileGroup(TileRole.SHOWN, kind.text.said(language), (flag,)),)
    else:
        rule = Text("It takes {rule}.", rule=kind.combination.describe_rule())
        words = Text("for example")
        groups = tuple(group_of(language, TileRole.SHOWN, words, cards) for cards in example_of(kind))
    return Leaf(kind.text.said(language), tuple(text.said(language) for text in (rule, worth)), groups)


def example_of(kind: PaperKind) -> Iterator[tuple[Card, ...]]:
    """Choose cards of the deck that make such a paper."""
    match kind.combination:
        case Run(length, one_suit):
            low = _TOP - length if length > 7 else 3
            ranks = tuple(range(max(1, low), max(1, low) + length))
            yield _in_one_suit(ranks) if one_suit else _choose_cards(ranks)
        case Sets(of, ranks):
            yield _choose_cards(tuple(rank for rank in _with_so_many(of, ranks) for _ in range(of)))
        case Ranks(given):
            yield _choose_cards(given)
        case Sum(total):
            yield _adding_to(total)


def _with_so_many(of: int, count: int) -> list[int]:
    """Choose ranks of which the deck has enough cards: every other one, or where that fails the middle ones."""
    enough = [rank for rank in RANK_NAMES if sum(card.rank == rank for card in DECK) >= of]
    usual = [7 + 2 * number - count for number in range(count)]
    if set(usual) <= set(enough):
        return usual
    return sorted(sorted(enough, key=lambda rank: abs(rank - 7))[:count])


def _choose_cards(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    """Choose one card of each rank, of suits that change."""
    chosen: list[Card] = []
    for rank in ranks:
        free = [card for card in DECK if card.rank == rank and card not in chosen]
        used = [card.suit for card in chosen]
        chosen.append(min(free, key=lambda card: (used.count(card.suit), card.index)))
    return tuple(chosen)


def _in_one_suit(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    """Return the first run of these ranks in one suit that the deck has."""
    for card in DECK:
        run = [other for other in DECK if other.suit is card.suit and 0 <= other.rank - card.rank < len(ranks)]
        if len(run) == len(ranks):
            return tuple(run)
    return ()


def _adding_to(total: int) -> tuple[Card, ...]:
    """Choose few cards whose ranks add to exactly that: the highest first, then what is lacking."""
    chosen: list[Card] = []
    left = total
    for card in sorted(DECK, key=lambda card: (-card.rank, card.index)):
        if card.rank <= left and (left - card.rank == 0 or left - card.rank >= min(RANK_NAMES)):
            chosen.append(card)
            left -= card.rank
    return tuple(chosen)
