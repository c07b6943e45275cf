"""What can't be read: the agreed position fills in what does not matter, and never what does."""

from __future__ import annotations

from dataclasses import replace

from referee.laminate.judging import forget_taken_thanks
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import PaperSeen, TableView
from referee.table import Sighting, Unread
from referee.verdict import Accepted, CantSee, Question, Refused
from rules.cards import Card
from rules.laminate.moves import Citation, Publish, Research
from rules.text import Language
from tests.referee.tables import cards, judge, show
from tests.referee.test_refusals import (
    _drawn_down,
    after,
    banach_may_cite,
    codes,
    drawn,
    seen,
    thanked,
    under_review,
    with_paper,
)

LAYOUT = layout_for(3)
AREA_1 = (300.0, 700.0)


def mark(at: tuple[float, float], *candidates: str, visible: float = 1.0) -> Unread:
    return Unread(*at, 0.0, "glare", candidates, visible)


def doubtful(view: TableView, seat: int, kind: str, left: str, *marks: Unread) -> TableView:
    """Return the view with a paper in which only the cards left could be named."""
    papers = [p for p in view.papers if (p.seat, p.kind) != (seat, kind)]
    old = next(p for p in view.papers if (p.seat, p.kind) == (seat, kind))
    papers.append(replace(old, cards=cards(left), doubtful=marks))
    return replace(view, papers=tuple(papers), unread=(*view.unread, *marks))


def test_an_unread_card_where_an_agreed_one_lies_does_not_disturb_another_action() -> None:
    agreed = under_review()
    view = show(agreed.position.do(drawn(2, "H5")))
    for candidates in (("S6", "S8"), ("S8", "S6"), ()):
        verdict = judge(agreed, doubtful(view, 1, "three", "C6 T6", mark(AREA_1, *candidates)))
        assert isinstance(verdict, Accepted), candidates
        assert verdict.move == drawn(2, "H5")


def test_an_unread_card_that_can_not_be_the_agreed_one_stops_the_game() -> None:
    agreed = under_review()
    view = show(agreed.position.do(drawn(2, "H5")))
    verdict = judge(agreed, doubtful(view, 1, "three", "C6 T6", mark(AREA_1, "H7", "H8")))
    assert isinstance(verdict, CantSee)
    assert [spot.place for spot in verdict.spots] == ["seat:1/three"]
    assert "Hilbert's Three Cards" in str(verdict.text)
    assert "光の反射で" in verdict.text.said(Language.JA)


def test_which_card_a_review_took_is_never_guessed() -> None:
    agreed = under_review()
    verdict = judge(agreed, doubtful(seen(agreed), 1, "three", "S6", mark(AREA_1, "T6", "C6")))
    assert isinstance(verdict, CantSee)


def test_an_unread_card_in_the_paper_under_review_leaves_its_review_open() -> None:
    agreed = under_review()
    verdict = judge(agreed, doubtful(seen(agreed), 1, "three", "S6", mark(AREA_1, "T6")))
    assert isinstance(verdict, CantSee)


def test_an_unread_card_in_a_new_paper() -> None:
    agreed = under_review()
    view = with_paper(seen(agreed), 2, "three", "B7 O7")
    glare = mark((300.0, 200.0), "H7")
    papers = (*view.papers[:-1], replace(view.papers[-1], doubtful=(glare,)))
    assert isinstance(judge(agreed, replace(view, papers=papers, unread=(glare,))), CantSee)


def test_an_unread_card_in_a_cited_paper() -> None:
    agreed = banach_may_cite()
    view = replace(with_paper(seen(agreed), 2, "three", "B6 O6"), payments={1: 1})
    verdict = judge(agreed, doubtful(view, 1, "three", "", mark(AREA_1, "T6")))
    assert isinstance(verdict, CantSee)


def test_an_unread_card_where_nothing_should_lie() -> None:
    agreed = under_review()
    view = show(agreed.position.do(drawn(2, "H5")))
    assert isinstance(judge(agreed, replace(view, unread=(mark((900.0, 200.0), "B9"),))), CantSee)


def test_clutter_on_no_spot_and_in_no_area_is_passed_over() -> None:
    agreed = under_review()
    view = show(agreed.position.do(drawn(2, "H5")))
    assert isinstance(judge(agreed, replace(view, unread=(mark((1150.0, 420.0)),))), Accepted)


def test_an_unread_top_discard() -> None:
    agreed = under_review()
    view = replace(seen(agreed), discard_top=None, unread=(mark(LAYOUT.discard, "H5", "H6"),))
    assert isinstance(judge(agreed, view), CantSee)


def test_the_agreed_top_discard_under_glare_does_not_stop_a_review() -> None:
    agreed = under_review()
    paper = PaperSeen(1, "three", False, cards("S6 T6"))
    view = replace(seen(agreed), papers=(paper,), discard_top=None)
    as_agreed = judge(agreed, replace(view, unread=(mark(LAYOUT.discard, "FK", "F12"),)))
    assert isinstance(as_agreed, Accepted)
    otherwise = judge(agreed, replace(view, unread=(mark(LAYOUT.discard, "F12", "FK"),)))
    assert isinstance(otherwise, CantSee)


def test_an_unread_sliver_below_the_discards_matters_only_after_a_reshuffle() -> None:
    agreed = after(under_review(), drawn(2, "H5"))
    view = show(agreed.position.do(drawn(3, "H4")))
    sliver = mark(LAYOUT.discard, "FK", visible=0.05)
    assert isinstance(judge(agreed, replace(view, unread=(sliver,))), Accepted)


def test_a_draw_pile_under_glare() -> None:
    agreed = under_review()
    view = replace(show(agreed.position.do(drawn(2, "H5"))), draw_backs=0)
    assert isinstance(judge(agreed, replace(view, unread=(mark(LAYOUT.draw, "back"),))), Accepted)
    assert isinstance(judge(agreed, replace(view, unread=())), Refused)


def test_a_paper_card_under_glare_does_not_stop_another_action() -> None:
    agreed = under_review()
    view = show(agreed.position.do(drawn(2, "H5")))
    loose = tuple(Sighting(name, 300, 700, 0) for name in ("C6", "S6", "T6"))
    head = mark(AREA_1, "three/review", "three/complete")
    verdict = judge(agreed, replace(view, papers=(), loose=loose, unread=(head,)))
    assert isinstance(verdict, Accepted)
    taken = judge(agreed, replace(seen(agreed), papers=(), loose=loose[1:], unread=(head,)))
    assert isinstance(taken, CantSee)


def test_a_thank_you_card_under_glare() -> None:
    agreed = banach_may_cite()
    view = with_paper(seen(agreed), 2, "three", "B6 O6")
    verdict = judge(agreed, replace(view, unread=(mark(LAYOUT.locate_payment(1), "back"),)))
    assert isinstance(verdict, CantSee)
    assert verdict.spots[0].place == "payment:1"


def test_a_thank_you_card_under_glare_at_the_end_of_a_fan() -> None:
    """Beyond 75 mm it lies on no spot, but the fan of the others reaches there; what lies farther off does not."""
    agreed = after(banach_may_cite(), Publish(2, "three", cards("B6 O6"), (Citation(1, "three"),), {1: 1}))
    view = show(agreed.position, {1: 1})
    x, y = LAYOUT.locate_payment(1)
    for away, answer in ((82.0, CantSee), (150.0, Accepted)):
        table = replace(view, unread=(mark((x - away, y)),))
        assert isinstance(judge(banach_may_cite(), table), answer), away
    assert dict(forget_taken_thanks(agreed, replace(view, payments={}, unread=(mark((x - 82.0, y)),))).thanks) == {1: 1}


def test_hidden_thanks_are_not_taken_to_be_gone() -> None:
    agreed = thanked()
    hidden = forget_taken_thanks(agreed, replace(show(agreed.position), unread=(mark(LAYOUT.locate_payment(1)),)))
    assert dict(hidden.thanks) == {1: 1}
    assert dict(forget_taken_thanks(agreed, show(agreed.position)).thanks) == {}


def test_the_same_card_named_twice_is_a_misread() -> None:
    agreed = under_review()
    view = replace(seen(agreed), discard_top=Card.parse("C6"))
    verdict = judge(agreed, view)
    assert isinstance(verdict, CantSee)
    assert {spot.place for spot in verdict.spots} == {"seat:1/three", "discard"}
    assert all(spot.cause == "twice" for spot in verdict.spots)


def test_glare_far_from_an_unchanged_mat_is_still_a_pass() -> None:
    agreed = under_review()
    assert codes(judge(agreed, doubtful(seen(agreed), 1, "three", "C6 T6", mark(AREA_1, "S6")))) == (
        "pass_not_allowed",
    )
    blind = judge(agreed, doubtful(seen(agreed), 1, "three", "C6 T6", mark(AREA_1)))
    assert isinstance(blind, CantSee)


def test_nothing_is_accepted_while_a_card_moves() -> None:
    agreed = under_review()
    move = Publish(2, "three", cards("B7 O7 H7"))
    view = replace(show(agreed.position.do(move)), unread=(Unread(300, 200, 0, "moving"),))
    assert isinstance(judge(agreed, view), CantSee)


def test_a_draw_pile_that_can_not_be_named_is_still_there() -> None:
    agreed = under_review()
    view = replace(show(agreed.position.do(drawn(2, "H5"))), draw_backs=0)
    for candidates in ((), ("back", "H7"), ("H7", "back")):
        verdict = judge(agreed, replace(view, unread=(mark(LAYOUT.draw, *candidates),)))
        assert isinstance(verdict, Accepted), candidates
        assert verdict.move == drawn(2, "H5")
    assert isinstance(judge(agreed, view), Refused)


def test_a_paper_card_taken_for_another_at_first_hides_what_was_taken_from_its_paper() -> None:
    """The unread head may be the paper's own, but not first of all: the review of it is not settled."""
    agreed = under_review()
    loose = tuple(Sighting(name, 300, 700 - 20 * n, 0) for n, name in enumerate(("S6", "T6")))
    head = mark(AREA_1, "five/review", "three/review")
    view = replace(seen(agreed), papers=(), loose=loose, unread=(head,))
    verdict = judge(agreed, view)
    assert isinstance(verdict, CantSee)
    assert [spot.place for spot in verdict.spots] == ["seat:1/three"]
    assert "Three Cards" in str(verdict.text)


def test_an_unread_card_elsewhere_does_not_rule_out_a_reshuffle() -> None:
    agreed = _drawn_down(3, 1)
    agreed = after(agreed, Publish(2, "three", cards("C6 S6 T6")))
    view = doubtful(seen(agreed), 2, "three", "C6 S6", mark((300.0, 200.0), "T6", "T8"))
    verdict = judge(agreed, view)
    assert isinstance(verdict, Question)
    first = verdict.choices[0].verdict
    assert isinstance(first, Accepted)
    assert first.move == Research(3, "deck", None, agreed.position.discards[-1])


def test_a_house_layout_says_where_thanks_lie() -> None:
    """The same mark lies on a payment spot by one layout and in an area by another."""
    house = replace(LAYOUT, payments=((0.9, 0.7), *LAYOUT.payments[1:]))
    glare = mark(house.locate_payment(1), "back")
    assert house.spot_at(glare.x, glare.y) == "payment:1"
    agreed = banach_may_cite()
    view = replace(with_paper(seen(agreed), 2, "three", "B6 O6"), unread=(glare,))
    verdict = judge(agreed, view, house)
    assert isinstance(verdict, CantSee)
    assert [spot.place for spot in verdict.spots] == ["payment:1"]
    usual = judge(agreed, view)
    assert isinstance(usual, CantSee)
    assert [spot.place for spot in usual.spots] == ["seat:1"]
    left = thanked()
    hidden = replace(show(left.position), unread=(glare,))
    assert dict(forget_taken_thanks(left, hidden, house).thanks) == {1: 1}
    assert dict(forget_taken_thanks(left, hidden).thanks) == {}


def test_thanks_seen_to_be_fewer_are_agreed_to_be_fewer() -> None:
    agreed = replace(thanked(), thanks={1: 3, 2: 1})
    assert dict(forget_taken_thanks(agreed, show(agreed.position, {1: 2})).thanks) == {1: 2}
    assert dict(forget_taken_thanks(agreed, show(agreed.position, {1: 5, 2: 1})).thanks) == {1: 3, 2: 1}
    assert forget_taken_thanks(agreed, show(agreed.position, {1: 3, 2: 1})) == agreed


def test_an_unread_mark_is_told_by_the_paper_it_belongs_to_or_that_it_seems_to_head() -> None:
    agreed = under_review()
    view = show(agreed.position.do(drawn(2, "H5")))
    for candidates, place in (
        (("five/review", "H7"), "seat:2/five"),
        (("H7", "five/review"), "seat:2"),
        ((), "seat:2"),
    ):
        verdict = judge(agreed, replace(view, unread=(mark((300.0, 200.0), *candidates),)))
        assert isinstance(verdict, CantSee)
        assert [spot.place for spot in verdict.spots] == [place]
    both = replace(view, unread=(mark((300.0, 200.0)), mark((310.0, 200.0)), mark((300.0, 200.0))))
    verdict = judge(agreed, both)
    assert isinstance(verdict, CantSee)
    assert [(spot.x, spot.place) for spot in verdict.spots] == [(300.0, "seat:2"), (310.0, "seat:2")]
    assert str(verdict.text).count("Banach's area") == 1


def test_a_draw_pile_that_can_not_be_read_after_a_reshuffle() -> None:
    """Where the draw pile itself changed, a card there must be read."""
    agreed = _drawn_down(3, 1)
    low = agreed.position.discards[3]
    view = replace(show(agreed.position), discard_top=low, draw_backs=0)
    verdict = judge(agreed, replace(view, unread=(mark(LAYOUT.draw, "back"),)))
    assert isinstance(verdict, CantSee)
    assert [spot.place for spot in verdict.spots] == ["draw"]


def test_a_card_named_in_three_places() -> None:
    agreed = under_review()
    view = replace(seen(agreed), discard_top=Card.parse("C6"), discard_under=cards("C6 S6"))
    loose = (Sighting("C6", 520, 420, 0), Sighting("back", 1, 1, 0), Sighting("back", 2, 2, 0))
    verdict = judge(agreed, replace(view, loose=loose))
    assert isinstance(verdict, CantSee)
    assert {spot.place for spot in verdict.spots} == {"seat:1/three", "discard", "draw"}
    assert {(spot.x, spot.y) for spot in verdict.spots if spot.place != "seat:1/three"} == {LAYOUT.discard, (520, 420)}


def test_a_draw_pile_that_shows_hides_no_card_beside_it() -> None:
    """What can't be read there may be a card laid on the wrong pile; only what can be nothing but a back is one."""
    agreed = under_review()
    view = show(agreed.position.do(drawn(2, "H5")))
    for candidates, answer in (((), CantSee), (("back", "H7"), CantSee), (("back",), Accepted)):
        assert isinstance(judge(agreed, replace(view, unread=(mark(LAYOUT.draw, *candidates),))), answer), candidates
    hidden = replace(view, draw_backs=0, unread=(mark(LAYOUT.draw), mark((LAYOUT.draw[0] + 30, LAYOUT.draw[1]))))
    assert isinstance(judge(agreed, hidden), CantSee)


def test_under_the_discards_no_more_shows_than_lies_there() -> None:
    agreed = after(under_review(), drawn(2, "H5"))
    view = show(agreed.position.do(drawn(3, "H4")))
    covered = [card for card in agreed.position.discards if card is not None]
    assert len(covered) == len(agreed.position.discards) == 2
    slivers = [mark((LAYOUT.discard[0] + n, LAYOUT.discard[1]), visible=0.05) for n in range(3)]
    assert isinstance(judge(agreed, replace(view, unread=tuple(slivers[:2]))), Accepted)
    assert isinstance(judge(agreed, replace(view, unread=tuple(slivers))), CantSee)
    assert isinstance(judge(agreed, replace(view, discard_under=tuple(covered), unread=(slivers[0],))), CantSee)
    for name, answer in ((str(covered[0]), Accepted), ("H9", CantSee)):
        sliver = mark(LAYOUT.discard, name, visible=0.05)
        assert isinstance(judge(agreed, replace(view, unread=(sliver,))), answer), name


def test_cards_that_were_carried_off_are_not_where_their_paper_card_can_not_be_read() -> None:
    agreed = under_review()
    view = show(agreed.position.do(drawn(2, "H5")))
    head = mark(AREA_1, "three/review", "three/complete")
    for y, answer in ((700, Accepted), (200, CantSee)):
        loose = tuple(Sighting(name, 300, y, 0) for name in ("C6", "S6", "T6"))
        verdict = judge(agreed, replace(view, papers=(), loose=loose, unread=(head,)))
        assert isinstance(verdict, answer), y


def test_a_paper_card_that_can_only_lie_wrong_side_up_stands_for_none() -> None:
    agreed = under_review()
    view = show(agreed.position.do(drawn(2, "H5")))
    loose = tuple(Sighting(name, 300, 700, 0) for name in ("C6", "S6", "T6"))
    head = mark(AREA_1, "three/complete")
    assert isinstance(judge(agreed, replace(view, papers=(), loose=loose, unread=(head,))), CantSee)
