"""Random games judged from table views: legal moves are understood, people's mistakes are refused for what they are."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from referee.laminate.expected_layout import Agreed
from referee.laminate.judging import forget_taken_thanks
from referee.laminate.view.table import PaperSeen, TableView
from referee.table import Sighting
from referee.verdict import Accepted, Question, Refused, Verdict
from rules.laminate.moves import Move, Pass, Publish, Research, Review
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Phase, Position
from rules.text import Language
from tests.referee.play import NAMES, deal, public, random_move, same_position
from tests.referee.tables import judge, show, thanks_of, tidied

GAMES = range(10)


@dataclass
class Turn:
    """One turn: what is agreed, the true position before and after, the move, and the thanks that then lie there."""

    rng: random.Random
    agreed: Agreed
    before: Position
    after: Position
    move: Move
    thanks: dict[int, int]

    @property
    def view(self) -> TableView:
        return tidied(show(self.after, self.thanks, self.rng.randint(0, 2)), self.rng)


def same_by_ruling_8(turn: Turn, verdict: Accepted) -> bool:
    position = turn.agreed.position
    return (
        position.draw_count == 0
        and len(position.discards) <= 2
        and isinstance(verdict.move, Research)
        and isinstance(turn.move, Research)
        and verdict.move.source == "discard"
    )


def is_right(turn: Turn, verdict: Accepted) -> bool:
    """Return whether a verdict agrees on what was done, and on nothing in the discard pile that does not lie there."""
    after = verdict.after
    if same_by_ruling_8(turn, verdict):
        return True
    pile = turn.after.discards
    if len(after.discards) != len(pile) or not after.peeping <= set(pile):
        return False
    want = Agreed(turn.agreed.position.do(public(turn.move)), {}, after.shown, after.peeping).position
    seen_truly = all(seen in (None, card) for seen, card in zip(after.discards, pile, strict=True))
    return seen_truly and same_position(after.position, want)


def understood(turn: Turn, verdict: Verdict) -> tuple[Agreed, str]:
    """Return what is confirmed after a legal move was judged; a question must have a good cause and a right answer."""
    if isinstance(verdict, Accepted):
        assert is_right(turn, verdict), (turn.move, verdict)
        return verdict.after, "accepted"
    assert isinstance(verdict, Question), (turn.move, verdict)
    position = turn.agreed.position
    cause = (
        (turn.move.seat in turn.thanks or bool(turn.agreed.thanks))
        if isinstance(turn.move, Publish)
        else position.reshuffle_on_draw != "none" or None in position.discards
    )
    assert cause, (turn.move, verdict)
    right = [
        choice.verdict
        for choice in verdict.choices
        if isinstance(choice.verdict, Accepted) and is_right(turn, choice.verdict)
    ]
    assert right, (turn.move, verdict)
    return right[0].after, "asked"


def play(seed: int, look: Callable[[Turn], None] | None = None) -> tuple[Agreed, Position, Counter[str]]:
    """Play a whole random game through the referee; ``look`` sees every turn before it is judged."""
    rng = random.Random(seed)
    players, first = rng.choice((3, 4, 5)), 1 + seed % 3
    full = deal(rng, players, first)
    verdict = judge(Agreed(Position.start(NAMES[:players], first)), show(full, peeping=rng.randint(0, 2)))
    assert isinstance(verdict, Accepted)
    agreed = verdict.after
    tally: Counter[str] = Counter()
    while full.outcome is None:
        move = random_move(full, rng)
        after = full.do(move)
        thanks = thanks_of(move)
        if full.phase is Phase.FLAG:
            thanks = {seat: rng.randint(0, count) for seat, count in agreed.thanks.items()}
        elif rng.random() < 0.7:
            agreed = forget_taken_thanks(agreed, show(full))
        turn = Turn(rng, agreed, full, after, move, thanks)
        if look is not None:
            look(turn)
        agreed, how = understood(turn, judge(agreed, turn.view))
        tally[how] += 1
        full = after
    return agreed, full, tally


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", GAMES)
def test_random_games_are_understood_to_the_end(seed: int) -> None:
    def saved(turn: Turn) -> None:
        assert Agreed.from_json(json.loads(json.dumps(turn.agreed.to_json()))) == turn.agreed

    agreed, full, tally = play(seed, saved)
    assert agreed.position.outcome == full.outcome
    assert agreed.position.points == full.points
    assert tally["accepted"] > 10 * tally["asked"]


# --- mistakes: a view with the codes of which one must be named, or None where the turn gives no occasion for it

Mistake = tuple[TableView, set[str]]


def without(view: TableView, paper: PaperSeen) -> TableView:
    return replace(view, papers=tuple(p for p in view.papers if (p.seat, p.kind) != (paper.seat, paper.kind)))


def holding(view: TableView, paper: PaperSeen, held: tuple[object, ...]) -> TableView:
    new = replace(paper, cards=held, complete_side=len(held) == 1)
    return replace(without(view, paper), papers=(*without(view, paper).papers, new))


def turned(turn: Turn) -> Mistake | None:
    view = turn.view
    if not view.papers or turn.agreed.thanks or isinstance(turn.move, Pass):
        return None
    paper = turn.rng.choice(view.papers)
    flipped = replace(paper, complete_side=not paper.complete_side)
    return replace(without(view, paper), papers=(*without(view, paper).papers, flipped)), {"turn_the_paper"}


def two_cards(turn: Turn) -> Mistake | None:
    if not isinstance(turn.move, Review) or turn.agreed.thanks:
        return None
    view = turn.view
    drafts = [p for p in view.papers if len(p.cards) >= 2]
    if not drafts:
        return None
    paper = turn.rng.choice(drafts)
    return holding(view, paper, paper.cards[1:]), {"took_two_cards"}


def research_too(turn: Turn) -> Mistake | None:
    if not isinstance(turn.move, (Review, Publish)) or turn.after.draw_count < 4 or turn.agreed.thanks:
        return None
    extra = turn.rng.choice(turn.after.draw_pile)
    return replace(turn.view, discard_top=extra, discard_under=()), {"two_actions"}


def review_too(turn: Turn) -> Mistake | None:
    if isinstance(turn.move, (Review, Pass)) or turn.before.phase is Phase.FLAG or turn.agreed.thanks:
        return None
    view = turn.view
    drafts = [p for p in view.papers if len(p.cards) >= 2 and turn.before.find_paper(p.seat, p.kind) is not None]
    was = show(turn.before)
    unseen = (was.discard_top, bool(was.draw_backs)) == (view.discard_top, bool(view.draw_backs))
    if not drafts or (unseen and isinstance(turn.move, Research)):
        return None
    paper = turn.rng.choice(drafts)
    return holding(view, paper, paper.cards[1:]), {"two_actions"}


def thanks_left(turn: Turn) -> Mistake | None:
    left = {seat: count for seat, count in turn.agreed.thanks.items() if count}
    if not left or isinstance(turn.move, (Publish, Pass)) or turn.before.phase is Phase.FLAG:
        return None
    return replace(turn.view, payments=left), {"payment_not_taken"}


def last_card_taken(turn: Turn) -> Mistake | None:
    view = show(turn.before)
    complete = [p for p in view.papers if p.complete_side]
    if not complete or turn.agreed.thanks or turn.before.phase is Phase.FLAG:
        return None
    paper = turn.rng.choice(complete)
    rest = without(view, paper)
    return replace(rest, papers=(*rest.papers, replace(paper, cards=()))), {"not_reviewable"}


def moved(turn: Turn) -> Mistake | None:
    view = show(turn.before)
    drafts = [p for p in view.papers if len(p.cards) > 2]
    if not drafts or len(view.papers) < 2 or turn.agreed.thanks or turn.before.phase is Phase.FLAG:
        return None
    source = turn.rng.choice(drafts)
    target = turn.rng.choice([p for p in view.papers if p is not source])
    view = holding(view, source, source.cards[1:])
    return holding(view, target, (*target.cards, source.cards[0])), {"table_disturbed"}


def head_forgotten(turn: Turn) -> Mistake | None:
    if not isinstance(turn.move, Publish) or turn.agreed.thanks:
        return None
    loose = tuple(Sighting(str(card), 300, 700, 0) for card in turn.move.cards)
    view = turn.view
    paper = next(p for p in view.papers if (p.seat, p.kind) == (turn.move.seat, turn.move.paper))
    return replace(without(view, paper), loose=loose), {"table_disturbed"}


def flag_too_early(turn: Turn) -> Mistake | None:
    seat = turn.before.to_move
    flagged = any(p.kind == END_FLAG for p in turn.before.papers)
    if seat is None or turn.before.phase is Phase.FLAG or not turn.before.hand_size(seat) or flagged:
        return None
    if turn.agreed.thanks:
        return None
    view = show(turn.before)
    flag = PaperSeen(seat, END_FLAG, True, (turn.rng.choice(turn.before.get_hand(seat)),))
    return replace(view, papers=(*view.papers, flag)), {"flag_not_due"}


def in_anothers_area(turn: Turn) -> Mistake | None:
    if not isinstance(turn.move, Publish) or turn.agreed.thanks:
        return None
    seat = turn.move.seat % len(turn.before.players) + 1
    view = turn.view
    paper = next(p for p in view.papers if (p.seat, p.kind) == (turn.move.seat, turn.move.paper))
    return replace(without(view, paper), papers=(*without(view, paper).papers, replace(paper, seat=seat))), {
        "out_of_turn"
    }


def idle(turn: Turn) -> Mistake | None:
    position = turn.before
    if position.pass_allowed or turn.agreed.thanks or position.reshuffle_on_draw != "none":
        return None
    return tidied(show(position), turn.rng), {"flag_due" if position.phase is Phase.FLAG else "pass_not_allowed"}


def unpaid(turn: Turn) -> Mistake | None:
    if not isinstance(turn.move, Publish) or not turn.move.pay or turn.agreed.thanks:
        return None
    paid = dict(turn.thanks)
    seat = turn.rng.choice(sorted(paid))
    paid[seat] -= 1
    return replace(turn.view, payments={s: n for s, n in paid.items() if n}), {"payment_missing"}


def overpaid(turn: Turn) -> Mistake | None:
    if not isinstance(turn.move, Publish) or turn.agreed.thanks or not turn.after.hand_size(turn.move.seat):
        return None
    seat = turn.rng.randint(1, len(turn.before.players))
    paid = {**turn.thanks, seat: turn.thanks.get(seat, 0) + 1}
    return replace(turn.view, payments=paid), {"payment_excess", "payment_missing"}


def wrong_card(turn: Turn) -> Mistake | None:
    if not isinstance(turn.move, Publish) or turn.agreed.thanks or turn.before.phase is not Phase.PLAY:
        return None
    others = [card for card in turn.before.get_hand(turn.move.seat) if card not in turn.move.cards]
    if not others:
        return None
    laid = (*turn.move.cards[1:], turn.rng.choice(others))
    view = turn.view
    paper = next(p for p in view.papers if (p.seat, p.kind) == (turn.move.seat, turn.move.paper))
    # With other citations the cards may make the paper, but then the payments lie wrong.
    return holding(view, paper, laid), {"not_a_meld", "not_citable", "cited_twice", "payment_missing", "payment_excess"}


CERTAIN = (
    turned,
    two_cards,
    research_too,
    review_too,
    thanks_left,
    last_card_taken,
    moved,
    head_forgotten,
    flag_too_early,
    in_anothers_area,
    idle,
)
POSSIBLY_LEGAL = (unpaid, overpaid, wrong_card)


def also_legal(turn: Turn, view: TableView, verdict: Verdict) -> bool:
    """Return whether a mistaken table happens to show another legal publication: with other citations, say."""
    if not isinstance(verdict, Accepted) or not isinstance(verdict.move, Publish):
        return False
    move = verdict.move
    paper = next(p for p in view.papers if (p.seat, p.kind) == (move.seat, move.paper))
    complete = {(p.seat, p.kind): p.cards[0] for p in turn.before.papers if p.complete}
    cited = [complete[citation.seat, citation.paper] for citation in move.cite]
    due = Counter(citation.seat for citation in move.cite if citation.seat != move.seat)
    return (
        turn.agreed.position.is_legal(move)
        and set(move.cards) == set(paper.cards)
        and len(set(move.cite)) == len(move.cite)
        and turn.before.catalogue[move.paper].is_met_by((*paper.cards, *cited))
        and {seat: count for seat, count in view.payments.items() if count} == dict(due)
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", GAMES)
def test_mistakes_are_refused_for_what_they_are(seed: int) -> None:
    made: Counter[str] = Counter()

    def look(turn: Turn) -> None:
        for mistake in turn.rng.sample(CERTAIN + POSSIBLY_LEGAL, 5):
            shown = mistake(turn)
            if shown is None:
                continue
            view, named = shown
            verdict = judge(turn.agreed, view)
            if mistake in POSSIBLY_LEGAL and also_legal(turn, view, verdict):
                continue
            assert isinstance(verdict, Refused), (mistake.__name__, turn.move, view, verdict)
            codes = {verdict.refusal.code, *verdict.refusal.also}
            assert codes & named, (mistake.__name__, turn.move, codes, str(verdict.text))
            assert str(verdict.text)
            assert verdict.text.said(Language.JA)
            made[mistake.__name__] += 1

    play(seed, look)
    assert sum(made.values()) > 60
    assert len(made) > 9
