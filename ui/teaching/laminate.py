"""Laminate Rummy, taught: research, papers and reviews, citations and their thanks, the End Flag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.cards import mask_of
from rules.laminate.legal import cheapest_way
from rules.laminate.moves import EndFlag, Move, Pass, Publish, Research, Setup
from rules.laminate.papers import PaperKind
from rules.laminate.position import Paper, Phase, Position
from rules.laminate.rules import BRIEF
from rules.text import Text, join_alternatives, join_numbers, join_row, player, say_cards
from ui.screen_state import TileRole
from ui.teaching.lesson import Cards, Lesson, Picture, Possible, Teaching

AIM, SETUP, TURN, CITING, END, _ = BRIEF
RESEARCH, PUBLISH, REVIEW, PASS = TURN.lines
CITED, THANKS = CITING.lines
FLAG_RULE, WINNING = END.lines
_DRAWN = (3, 3, 4, 4, 5)
"""How many cards are drawn in the set-up, from the first player on."""
_COMPLETE = Text("A complete paper scores, and from now on whoever publishes may cite it.")
_PAPERS = Text("What each paper takes is in the menu, under Help.")
_NO_FLAG = Text("Without a hand card nobody takes the End Flag; the last turns begin all the same.")
_THANKED = Text("The author takes these thanks into the hand.")
_REFILL = Text("An empty draw pile is refilled only when somebody draws: the discards are shuffled.")

_AIM = (
    Picture(Text("Publish papers"), AIM.lines, (Cards(Text("three of a rank"), ("H7", "B7", "C7"), TileRole.LAID),)),
    Picture(
        Text("Have them reviewed"),
        (REVIEW, _COMPLETE),
        (Cards(Text("taken into the hand"), ("H7", "B7"), TileRole.TAKEN), Cards(Text("complete"), ("C7",))),
    ),
    Picture(
        Text("Cite, and have most points"),
        (CITED, WINNING),
        (
            Cards(Text("cited"), ("C7",), TileRole.CITED),
            Cards(Text("from the hand"), ("O7", "S7"), TileRole.LAID),
            Cards(Text("thanks"), ("back",), TileRole.PAID),
        ),
    ),
)

_LESSONS = (
    Lesson("papers", (_PAPERS,)),
    Lesson("research", (RESEARCH,), ("wrong_count", "card_not_in_deck", "discard_empty", "research_impossible")),
    Lesson("refill", (_REFILL,)),
    Lesson("publish", (PUBLISH,), ("not_a_meld", "paper_already_held", "supply_exhausted", "unknown_paper")),
    Lesson("review", (REVIEW,), ("not_reviewable", "took_two_cards", "turn_the_paper")),
    Lesson("complete", (_COMPLETE,)),
    Lesson("cite", (CITED,), ("nothing_new", "cited_twice", "not_citable")),
    Lesson("thanks", (THANKS, _THANKED), ("cannot_pay", "payment_missing", "payment_excess", "payment_not_taken")),
    Lesson("pass", (PASS,), ("pass_not_allowed",)),
    Lesson("flag", (FLAG_RULE,), ("flag_due", "flag_not_due")),
    Lesson("no_flag", (_NO_FLAG,)),
)


def _list_possible(position: Position) -> Iterator[Possible]:
    """List what the player to move may do, by the rules and what everybody knows."""
    if position.phase is Phase.SETUP:
        count = len(position.players)
        drawn = Text(
            "{players} players draw, from the first player on: {counts} cards.",
            players=count,
            counts=join_numbers(_DRAWN[:count]),
        )
        yield from (Possible("setup", line) for line in (drawn, *SETUP.lines[1:]))
    seat = position.to_move
    if seat is None:
        return
    who = player(position.get_name(seat))
    if position.phase is Phase.FLAG:
        yield Possible(
            "end_flag", Text("{who} takes the End Flag, lays it complete side up and one hand card with it.", who=who)
        )
        return
    yield from _list_research(position)
    if position.under_review:
        yield _show_reviews(position)
    yield from _list_publications(position, seat)
    if position.pass_allowed:
        yield Possible("pass", PASS)


def _list_research(position: Position) -> Iterator[Possible]:
    gives, top = position.draw_gives, position.top_discard
    if gives == 2 and top is not None:
        shown = Cards(Text("top discard"), (str(top),), TileRole.TAKEN)
        yield Possible("research", Text("Research: two cards from the draw pile, or {card}.", card=top), (shown,))
    elif gives == 2 and position.discards:
        yield Possible("research", Text("Research: two cards from the draw pile, or the top discard."))
    elif gives == 2:
        yield Possible("research", Text("Research: two cards from the draw pile; there are no discards."))
    elif gives == 1:
        yield Possible("research", Text("Research: the one card that is left in both piles together."))


def _show_reviews(position: Position) -> Possible:
    papers = {paper: _name_paper(position, paper) for paper in position.under_review}
    shown = (Cards(words, tuple(map(str, paper.cards))) for paper, words in papers.items())
    return Possible(
        "review", Text("Review: take one card of {papers}.", papers=join_alternatives(papers.values())), (*shown,)
    )


def _name_paper(position: Position, paper: Paper) -> Text:
    author, kind = player(position.get_name(paper.seat)), position.catalogue[paper.kind]
    return Text("{author}'s {paper}", author=author, paper=kind)


def _list_publications(position: Position, seat: int) -> Iterator[Possible]:
    found = list_publishable(position)
    plain = [kind.text for kind, cited in found if not cited]
    citing = [(kind, cited) for kind, cited in found if cited]
    if plain:
        yield Possible("publish", Text("Publish, where the hand has the cards: {kinds}.", kinds=join_row(plain)))
    if citing:
        ways = [
            Text("{kind} with {cards}", kind=kind, cards=say_cards(paper.cards[0] for paper in cited))
            for kind, cited in citing
        ]
        yield Possible("publish", Text("With citations, for example: {kinds}.", kinds=join_row(ways)))
    complete = [paper for paper in position.papers if paper.complete] if found else []
    own = [paper for paper in complete if paper.seat == seat]
    others = [paper for paper in complete if paper.seat != seat]
    if own:
        cards = say_cards(paper.cards[0] for paper in own)
        shown = (_show_cited(position, seat, own),)
        yield Possible("publish", Text("Own papers are cited freely: {cards}.", cards=cards), shown)
    if others:
        cards = say_cards(paper.cards[0] for paper in others)
        authors = sorted({paper.seat for paper in others})
        words = Text("Those of others are cited for one hand card each: {cards}.", cards=cards)
        yield Possible("publish", words, tuple(_show_cited(position, author, others) for author in authors))


def _show_cited(position: Position, author: int, complete: Sequence[Paper]) -> Cards:
    cards = tuple(str(paper.cards[0]) for paper in complete if paper.seat == author)
    return Cards(player(position.get_name(author)), cards, TileRole.CITED)


def list_publishable(position: Position) -> list[tuple[PaperKind, tuple[Paper, ...]]]:
    """List the kinds of paper that the player to move may publish where the hand has the cards for it.

    Left out are those that no hand of that size makes of cards that it can hold. With each comes what has to be cited,
    in the cheapest way: nothing where the hand alone may do.
    """
    seat = position.to_move
    if position.phase is not Phase.PLAY or seat is None:
        return []
    hand, size = position.may_be_held(seat), position.hand_size(seat)
    complete = [paper for paper in position.papers if paper.complete]
    own = mask_of(paper.cards[0] for paper in complete if paper.seat == seat)
    others = mask_of(paper.cards[0] for paper in complete if paper.seat != seat)
    found = []
    for kind in position.catalogue:
        if not position.count_supply(kind.name) or position.find_paper(seat, kind.name) is not None:
            continue
        ways = (cheapest_way(kind, hand, *citable) for citable in ((), (own, others)))
        way = next((way for way in ways if way is not None and way.cost[0] <= size), None)
        if way is not None:
            found.append((kind, tuple(paper for paper in complete if paper.cards[0].bit & (way.own | way.others))))
    return found


def _list_events(move: Move, before: Position, after: Position) -> Iterator[str]:
    match move:
        case Setup():
            yield from ("research", "papers")
        case Research(_, source):
            if source == "deck" and before.reshuffle_on_draw != "none":
                yield "refill"
        case Publish():
            yield "publish"
            if move.cite:
                yield "cite"
            if any(move.pay.values()):
                yield "thanks"
        case Pass():
            yield "pass"
    if sum(after.complete_papers) > sum(before.complete_papers):
        yield "complete"
    if after.review_possible:
        yield "review"
    if after.phase is Phase.FLAG:
        yield "flag"
    elif after.turns_left is not None and before.turns_left is None and not isinstance(move, EndFlag):
        yield from ("flag", "no_flag")


TEACHING = Teaching(BRIEF[:-1], _AIM, _LESSONS, _list_possible, _list_events)
