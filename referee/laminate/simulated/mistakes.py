"""The mistakes that people make at the table, each with the rule that it breaks.

A mistake moves cards on the simulated table and says by itself, from what the player did, which refusal codes are
right; it never asks the referee.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, product
from typing import Any

from referee.laminate.simulated.table import DRAW
from referee.laminate.simulated.turns import NewPaper, Turn
from referee.simulation.game import Details, Mistake
from referee.simulation.table import NoRoomError
from rules.cards import Card
from rules.laminate.moves import Review
from rules.laminate.position import Paper, Phase
from rules.text import Text

# What hands do


def _act(turn: Turn, _: object) -> None:
    turn.table.act(turn.position, turn.move)


def _draw(turn: Turn, _: object) -> None:
    turn.table.draw(turn.position)


def _take_the_draw_pile(turn: Turn, _: object) -> None:
    turn.table.take(DRAW)


def _lay_on_draw(turn: Turn, card: Card) -> None:
    turn.table.lay_on_draw(str(card))


def _discard(turn: Turn, card: Card) -> None:
    turn.table.lay_discard(card)


def _discard_face_down(turn: Turn, card: Card) -> None:
    turn.table.lay_discard(card, face_up=False)


def _take_discard(turn: Turn, _: object) -> None:
    turn.table.take_discard()


def _take(turn: Turn, paper: Paper) -> None:
    turn.table.take_from_paper(paper.seat, paper.kind, turn.rng.choice(paper.cards))


def _take_two(turn: Turn, paper: Paper) -> None:
    for card in turn.rng.sample(paper.cards, 2):
        turn.table.take_from_paper(paper.seat, paper.kind, card)
    if len(paper.cards) <= 3:
        _turn(turn, paper)


def _turn(turn: Turn, paper: Paper | NewPaper) -> None:
    turn.table.turn_paper(paper.seat, paper.kind)


def _review(turn: Turn, paper: Paper) -> None:
    turn.table.act(turn.position, Review(turn.seat, paper.seat, paper.kind, turn.rng.choice(paper.cards)))


def _review_both(turn: Turn, papers: tuple[Paper, Paper]) -> Details:
    for paper in papers:
        _review(turn, paper)
    return {"also": frozenset({"two_actions"})}


def _publish(turn: Turn, new: NewPaper) -> None:
    turn.table.lay_paper(new.seat, new.kind, new.cards, len(new.cards) <= 1)
    _pay(turn, new)


def _pay(turn: Turn, new: NewPaper) -> None:
    for author, count in new.paid.items():
        turn.table.pay(author, count)


def _pay_face_up(turn: Turn, new: NewPaper) -> None:
    """Pay what is lacking, but face up."""
    (meant,) = turn.as_meant()
    short = next(seat for seat, count in meant.paid.items() if new.paid[seat] < count)
    turn.table.pay(short, 1, str(getattr(turn.move, "pay", {})[short][0]))


def _publish_with(turn: Turn, found: tuple[Paper, NewPaper]) -> None:
    """Publish with a card that is taken out of another paper, which is turned where it is complete then."""
    paper, new = found
    card = next(card for card in paper.cards if card in new.cards)
    if paper.complete:
        turn.table.take_from_paper(paper.seat, paper.kind, card)
    else:
        turn.table.act(turn.position, Review(turn.seat, paper.seat, paper.kind, card))
    _publish(turn, new)


def _lay_complete(turn: Turn, new: NewPaper) -> None:
    turn.table.lay_paper(new.seat, new.kind, new.cards, True)


def _lay_under_review(turn: Turn, new: NewPaper) -> None:
    turn.table.lay_paper(new.seat, new.kind, new.cards, False)


def _swap(turn: Turn, keys: Sequence[tuple[int, str]]) -> None:
    turn.table.swap_cards(*keys)


def _to_another_paper(turn: Turn, paper: Paper) -> None:
    card, others = turn.rng.choice(paper.cards), [key for key in turn.table.columns if key != (paper.seat, paper.kind)]
    if not others:
        raise NoRoomError("paper")
    turn.table.take_from_paper(paper.seat, paper.kind, card)
    turn.table.add_to_paper(*turn.rng.choice(others), card)


def _to_another_area(turn: Turn, moved: tuple[Paper, int]) -> None:
    turn.table.move_paper(moved[0].seat, moved[0].kind, moved[1])


def _drop(turn: Turn, card: Card | str, seat: int = 0) -> None:
    if not turn.table.drop(seat or turn.seat, str(card)):
        raise NoRoomError(f"seat:{seat or turn.seat}")


def _off_its_paper(turn: Turn, paper: Paper) -> None:
    turn.table.take_from_paper(paper.seat, paper.kind, paper.cards[-1])
    _drop(turn, paper.cards[-1], paper.seat)


def _without_paper_card(turn: Turn, new: NewPaper) -> None:
    for card in new.cards:
        _drop(turn, card)
    _pay(turn, new)


def _goes_on(turn: Turn, old: dict[int, int]) -> None:
    """Publish so that old thanks pass for new ones, do what was meant, or nothing."""
    for new in turn.as_meant():
        # Other new thanks beside the old ones could be read as one publication that pays wrongly.
        if all(count <= new.paid.get(author, 0) for author, count in old.items()) and turn.rng.random() < 0.5:
            _publish(turn, new.with_payments({author: -count for author, count in old.items()}))
        return
    if turn.rng.random() < 0.5:
        _act(turn, None)


# What else is wrong then, as far as only the occasion tells


def _or_paid_wrongly(turn: Turn, new: NewPaper) -> Details:
    """Find what else other thanks with the same cards could make the paper.

    Tried are up to two thank-you cards more, up to two less, and one on another spot.
    """
    nothing: tuple[int, ...] = ()
    changes = [*((seat,) for seat in turn.seats), *combinations_with_replacement(turn.seats, 2)]
    tries = [*product(changes, [nothing]), *product([nothing], changes), *product(changes[: len(turn.seats)], repeat=2)]
    found: set[str] = set()
    for more, less in tries:
        due = Counter(new.paid)
        due.update(more)
        due.subtract(less)
        if more != less and turn.seat not in more and min(due.values()) >= 0 and turn.can_make(new, due):
            found |= {"payment_missing"} if more else set()
            found |= {"payment_excess"} if less else set()
    return {"instead": frozenset(found)}


def _or_cites_a_draft(turn: Turn, new: NewPaper) -> Details:
    """Find whether the same cards and two thanks make the paper with a paper under review cited once."""
    (author,) = new.paid
    for draft in turn.position.under_review:
        more = (replace(new, cards=(*new.cards, card)) for card in draft.cards)
        due = {author: 2 - (draft.seat == author)}
        if draft.seat in (author, turn.seat) and any(turn.can_make(one, due) for one in more):
            return {"instead": frozenset({"not_citable", *(_or_paid_wrongly(turn, new) or {})["instead"]})}
    return None


def _may_look_unmoved(turn: Turn, _: object) -> Details:
    """Expect a pass, as nobody sees how many cards the draw pile has and the mat may look as if nothing was done."""
    unmoved = turn.position.reshuffle_on_draw == "none" and turn.position.draw_count > 2
    return {"code": "pass_not_allowed"} if unmoved else None


def _also_missing(turn: Turn, _: object) -> Details:
    return {"also": frozenset({"payment_missing"})}


THANKS_LEFT: Mistake[Turn, dict[int, int]] = Mistake(
    "payment_not_taken",
    Text("goes on with thank-you cards still lying there"),
    lambda turn: [turn.table.count_payments()],
    _goes_on,
    name="thanks_left",
)
"""The one mistake that is made before the thank-you cards of the last turn are taken."""

_Table = dict[str, dict[str, tuple[Any, ...]]]
"""By the rule that they break, mistakes by name: their words, the occasions for them, and what hands do."""

_IN_A_TURN: _Table = {
    "pass_not_allowed": {
        "nothing_done": (Text("confirms without having moved a card"), Turn.no_pass),
    },
    "wrong_count": {
        "no_discard": (Text("draws and forgets to discard"), Turn.find_drawing, _draw, _may_look_unmoved),
        "needless_discard": (Text("discards the only card that was drawn"), Turn.drawing_one, _draw, _discard),
    },
    "card_not_in_deck": {
        "old_discard": (
            Text("discards a card that was in the hand before, as everybody knows"),
            Turn.find_held,
            _draw,
            _discard,
        ),
    },
    "two_actions": {
        "two_discards": (
            Text("takes two cards from the discard pile"),
            Turn.known_discards,
            _take_discard,
            _take_discard,
        ),
        "research_and_review": (
            Text("researches from the draw pile and reviews too"),
            Turn.after_research,
            _act,
            _review,
        ),
        "publish_and_review": (Text("publishes and reviews in one turn"), Turn.after_publishing, _act, _review),
        "take_and_publish": (
            Text("takes the top discard and publishes in one turn"),
            Turn.beside_discards,
            _act,
            _take_discard,
        ),
        "publish_with_the_discard": (
            Text("publishes with a card just taken from the discard pile"),
            Turn.with_the_discard,
            _take_discard,
            _publish,
        ),
        "publish_with_the_reviewed": (
            Text("publishes with a card just taken in review"),
            Turn.with_the_reviewed,
            _publish_with,
        ),
        "two_publications": (Text("publishes two papers"), Turn.publish_twice, _act, _publish),
        "next_player_went_on": (Text("goes on before the last turn was confirmed"), Turn.next_player, _act, _publish),
    },
    "took_two_cards": {
        "two_cards": (Text("takes two cards in one review"), Turn.list_drafts, _take_two),
        "two_reviews": (Text("reviews two papers"), Turn.two_drafts, _review_both),
    },
    "not_reviewable": {
        "last_card": (Text("takes the last card of a complete paper"), Turn.complete, _take),
    },
    "turn_the_paper": {
        "not_turned": (Text("forgets to turn the complete paper"), Turn.drafts_of_two, _take),
        "turned_too_early": (Text("turns a paper that is still under review"), Turn.long_drafts, _take, _turn),
        "turned_back": (Text("turns somebody's complete paper back"), Turn.complete, _act, _turn),
        "published_on_the_wrong_side": (
            Text("publishes on the wrong side of the paper card"),
            Turn.as_meant,
            _act,
            _turn,
        ),
    },
    "not_a_meld": {
        "one_card_more": (
            Text("lays down a card that is no part of the paper"),
            Turn.one_more,
            _publish,
            _or_paid_wrongly,
        ),
        "one_card_less": (Text("leaves out a card of the paper"), Turn.one_less, _publish, _or_paid_wrongly),
        "one_card_wrong": (Text("takes a wrong card for the paper"), Turn.one_wrong, _publish, _or_paid_wrongly),
    },
    "nothing_new": {
        "nothing_new": (Text("publishes with citations alone"), Turn.citations_alone, _publish),
    },
    "paper_already_held": {
        "second_of_a_kind": (Text("publishes a second paper of a kind"), Turn.second_of_a_kind, _publish),
    },
    "not_citable": {
        "cites_a_draft": (Text("cites a paper under review"), Turn.citing_a_draft, _publish, _or_paid_wrongly),
    },
    "cited_twice": {
        "cites_twice": (
            Text("cites the same paper twice"),
            Turn.citing_twice,
            _publish,
            _or_paid_wrongly,
            _or_cites_a_draft,
        ),
    },
    "card_not_in_hand": {
        "anothers_card": (Text("lays a card that was seen to go to another player"), Turn.with_anothers, _publish),
        "moves_the_cited_card": (Text("moves the cited card into the own paper"), Turn.with_citations, _publish_with),
    },
    "payment_missing": {
        "pays_too_little": (Text("pays a thank-you card too little"), Turn.paying_less, _publish, _or_paid_wrongly),
        "pays_nothing": (Text("pays no thanks at all"), Turn.paying_nothing, _publish, _or_paid_wrongly),
    },
    "payment_excess": {
        "pays_too_much": (Text("pays a thank-you card too many"), Turn.paying_more, _publish, _or_paid_wrongly),
        "pays_the_wrong_author": (
            Text("lays a thank-you card on the wrong payment spot"),
            Turn.wrong_author,
            _publish,
            _or_paid_wrongly,
            _also_missing,
        ),
        "thanks_for_nothing": (Text("researches and lays a card on a payment spot"), Turn.not_publishing, _act, _pay),
    },
    "cannot_pay": {
        "cannot_pay": (Text("cites more papers than the hand can pay for"), Turn.beyond_the_hand, _publish),
    },
    "out_of_turn": {
        "out_of_turn": (Text("publishes although it is another player's turn"), Turn.others_publish, _publish),
    },
    "flag_not_due": {
        "flag_too_early": (Text("takes the End Flag without cause"), Turn.find_flag, _publish),
    },
    "table_disturbed": {
        "discard_face_down": (Text("lays the discard face down"), Turn.find_discarding, _draw, _discard_face_down),
        "discard_on_draw": (Text("lays the discard on the draw pile"), Turn.find_discarding, _draw, _lay_on_draw),
        "pays_face_up": (
            Text("lays a thank-you card face up"),
            Turn.paying_less,
            _publish,
            _or_paid_wrongly,
            _pay_face_up,
        ),
        "swapped_cards": (Text("swaps two cards between papers"), Turn.two_papers, _swap),
        "turn_and_swapped_cards": (
            Text("does the turn and swaps two cards of other papers"),
            Turn.two_others,
            _act,
            _swap,
        ),
        "card_to_another_paper": (Text("moves a card from one paper to another"), Turn.list_drafts, _to_another_paper),
        "paper_to_another_area": (
            Text("pushes a paper into another player's area"),
            Turn.other_areas,
            _to_another_area,
        ),
        "card_astray": (Text("pushes a card off its paper"), Turn.list_papers, _off_its_paper),
        "hand_card_astray": (Text("lays a hand card down for nothing"), Turn.hand_card, _drop),
        "draw_pile_gone": (Text("takes the draw pile away"), Turn.long_draw_pile, _take_the_draw_pile),
        "no_paper_card": (Text("forgets the paper card"), Turn.as_meant, _without_paper_card),
    },
}
_AT_THE_FLAG: _Table = {
    "flag_due": {
        "flag_forgotten": (Text("forgets the End Flag"), Turn.take_always),
        "flag_passed_over": (Text("goes on instead of taking the End Flag"), Turn.list_drafts, _review),
        "flag_with_two_cards": (Text("lays two cards to the End Flag"), Turn.flag_of_two, _lay_complete),
        "flag_without_a_card": (Text("lays the End Flag without a card"), Turn.flag_alone, _lay_complete),
    },
    "flag_not_due": {
        "flag_to_the_wrong_player": (Text("takes an End Flag that is another player's"), Turn.anothers_flag, _publish),
    },
    "turn_the_paper": {
        "flag_on_the_wrong_side": (Text("lays the End Flag with its other side up"), Turn.find_flag, _lay_under_review),
    },
}


def _list_mistakes(table: _Table) -> tuple[Mistake[Turn, Any], ...]:
    rows = ((code, name, row) for code, named in table.items() for name, row in named.items())
    return tuple(Mistake(code, *row, name=name) for code, name, row in rows)


BY_PHASE = {Phase.PLAY: _list_mistakes(_IN_A_TURN), Phase.FLAG: _list_mistakes(_AT_THE_FLAG)}
"""Mistakes by when they are made."""

MISTAKES = {mistake.name: mistake for mistakes in BY_PHASE.values() for mistake in mistakes}
"""Every mistake by its name."""
