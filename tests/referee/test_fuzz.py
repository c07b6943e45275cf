"""Any view at all gets a verdict, never an exception; and none is accepted that the rules or the table forbid."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import lru_cache

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.laminate.expected_layout import Agreed
from referee.laminate.judging import forget_taken_thanks
from referee.laminate.view.table import PaperSeen, TableView
from referee.table import Sighting, Unread
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict
from rules.cards import DECK, Card
from rules.laminate.moves import EndFlag, Publish, Setup
from rules.laminate.papers import LAMINATE
from rules.laminate.position import Position
from rules.text import Language
from tests.referee.play import NAMES, deal, public, random_move
from tests.referee.tables import judge, show, thanks_of

CARDS = st.sampled_from(DECK)
KINDS = st.sampled_from([*(kind.name for kind in LAMINATE.kinds), "royal_flush"])
NAMES_SEEN = st.one_of(
    CARDS.map(str), st.just("back"), st.builds("{}/{}".format, KINDS, st.sampled_from(["review", "complete"]))
)
X, Y = st.floats(-50, 1250), st.floats(-50, 900)
SIGHTINGS = st.builds(Sighting, NAMES_SEEN, X, Y, st.floats(0, 359))
UNREAD = st.builds(
    Unread,
    X,
    Y,
    st.floats(0, 359),
    st.sampled_from(["glare", "covered", "blurred", "few_pixels", "doubtful", "moving"]),
    st.lists(NAMES_SEEN, max_size=3).map(tuple),
    st.floats(0, 1),
)


@lru_cache(maxsize=64)
def agreed_games(seed: int) -> tuple[tuple[Agreed, Position], ...]:
    """Return what was confirmed before each turn of a random game, with the true position after it."""
    rng = random.Random(seed)
    players = 3 + seed % 3
    full = deal(rng, players)
    start = Agreed(Position.start(NAMES[:players]))
    moments = [(start, full)]
    top = full.discards[-1]
    assert top is not None
    position, thanks = start.position.do(Setup(top)), {}
    while full.outcome is None:
        move = random_move(full, rng)
        full = full.do(move)
        moments.append((Agreed(position, thanks), full))
        position, thanks = position.do(public(move)), thanks_of(move)
    moments.append((Agreed(position), full))
    return tuple(moments)


@st.composite
def changed_views(draw: st.DrawFn, base: TableView, players: int) -> TableView:
    """Change up to five things about a view at random."""
    seats = st.integers(1, players)
    view = base
    for _ in range(draw(st.integers(0, 5))):
        what = draw(st.integers(0, 8))
        papers = list(view.papers)
        if what == 0:
            some = draw(st.lists(CARDS, max_size=6, unique=True).map(tuple))
            marks = draw(st.lists(UNREAD, max_size=2).map(tuple))
            new = PaperSeen(draw(seats), draw(KINDS), draw(st.booleans()), some, draw(X), draw(Y), marks)
            view = replace(view, papers=(*papers, new), unread=(*view.unread, *marks))
        elif what in (1, 2, 3) and papers:
            place = draw(st.integers(0, len(papers) - 1))
            old = papers[place]
            if what == 1:
                papers.pop(place)
            elif what == 2:
                papers[place] = replace(old, complete_side=not old.complete_side)
            else:
                mark = draw(UNREAD)
                hidden = replace(old, cards=old.cards[1:], doubtful=(*old.doubtful, mark))
                papers[place], view = hidden, replace(view, unread=(*view.unread, mark))
            view = replace(view, papers=tuple(papers))
        elif what == 4:
            view = replace(view, discard_top=draw(st.none() | CARDS))
        elif what == 5:
            view = replace(view, discard_under=draw(st.lists(CARDS, max_size=3).map(tuple)))
        elif what == 6:
            view = replace(view, draw_backs=draw(st.integers(0, 3)))
        elif what == 7:
            view = replace(view, payments=draw(st.dictionaries(seats, st.integers(1, 4), max_size=3)))
        else:
            view = replace(view, loose=(*view.loose, draw(SIGHTINGS)))
            view = replace(view, unread=(*view.unread, *draw(st.lists(UNREAD, max_size=2))))
    return view


def accepted_by(verdict: Verdict) -> list[Accepted]:
    if isinstance(verdict, Accepted):
        return [verdict]
    if isinstance(verdict, Question):
        return [choice.verdict for choice in verdict.choices if isinstance(choice.verdict, Accepted)]
    return []


def holds(agreed: Agreed, view: TableView, accepted: Accepted) -> None:
    """Check that the rules allow the move, and what was named lies where it must lie after it."""
    assert agreed.position.verify(accepted.move) is None
    after = accepted.after.position
    unread = len(view.unread)
    must = {(paper.seat, paper.kind): set(paper.cards) for paper in after.papers}
    seen = Counter((paper.seat, paper.kind) for paper in view.papers)
    assert set(seen) <= set(must)
    assert all(count == 1 for count in seen.values())
    missing = sum(1 + len(cards) for key, cards in must.items() if key not in seen)
    for paper in view.papers:
        cards = must[paper.seat, paper.kind]
        assert set(paper.cards) <= cards
        assert paper.complete_side == (len(cards) == 1)
        missing += len(cards) - len(paper.cards)
    loose = [sighting.name for sighting in view.loose]
    if not unread:
        assert missing == 0
        assert not loose
    # A paper whose head can't be read has its cards loose.
    assert missing <= unread + len(loose)
    assert {name for name in loose if "/" in name or name == "back"} == set()
    pay = thanks_of(accepted.move)
    for seat in range(1, len(after.players) + 1):
        there = view.payments.get(seat, 0)
        if isinstance(accepted.move, EndFlag):
            assert there <= agreed.thanks.get(seat, 0)
        else:
            assert pay.get(seat, 0) - unread <= there <= pay.get(seat, 0)
    top = after.discards[-1] if after.discards else None
    if view.discard_top is not None:
        assert after.discards
        assert top is None or view.discard_top == top
    elif after.discards:
        assert unread
    if not view.draw_backs and after.draw_count:
        assert unread
    if view.draw_backs:
        assert after.draw_count


@settings(max_examples=80)
@given(data=st.data(), seed=st.integers(0, 11))
def test_any_view_gets_a_verdict_and_nothing_wrong_is_accepted(data: st.DataObject, seed: int) -> None:
    moments = agreed_games(seed)
    agreed, full = moments[data.draw(st.integers(0, len(moments) - 1))]
    move_view = show(full, agreed.thanks if data.draw(st.booleans()) else {})
    base = data.draw(st.sampled_from([move_view, show(agreed.position), TableView(move_view.mat_mm)]))
    view = data.draw(changed_views(base, len(full.players)))
    verdict = judge(agreed, view)
    assert isinstance(verdict, Accepted | Refused | Question | CantSee)
    assert str(verdict.text)
    assert verdict.text.said(Language.JA)
    for accepted in accepted_by(verdict):
        holds(agreed, view, accepted)
    if isinstance(verdict, Refused):
        assert all(str(mend.text) and mend.text.said(Language.JA) for mend in verdict.mend)
    after = forget_taken_thanks(agreed, view)
    assert all(after.thanks[seat] <= agreed.thanks[seat] for seat in after.thanks)


def test_the_checks_of_this_test_can_fail() -> None:
    """An accepted move is held against the view it came from, not against any."""
    for agreed, full in agreed_games(0)[2:]:
        verdict = judge(agreed, show(full, thanks_of(Publish(1, "three", ()))))
        if isinstance(verdict, Accepted):
            stray = (Card.parse("H7"), Card.parse("O7"))
            spoilt = replace(show(full), papers=(*show(full).papers, PaperSeen(1, "royal_flush", False, stray)))
            try:
                holds(agreed, spoilt, verdict)
            except AssertionError:
                return
            raise AssertionError("a paper too many went unnoticed")
    raise AssertionError("nothing was accepted")
