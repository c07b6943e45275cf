"""Every refusal that a table can show, from views built by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from referee.laminate.expected_layout import Agreed
from referee.laminate.judging import forget_taken_thanks
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import PaperSeen, TableView
from referee.table import Sighting
from referee.verdict import Accepted, Question, Refused, Verdict
from rules.cards import DECK, Card
from rules.laminate.moves import Citation, EndFlag, Move, Publish, Research, Review, Setup
from rules.laminate.position import Paper, Phase, Position
from rules.text import Language
from tests.referee.play import NAMES, deal, public, random_move
from tests.referee.tables import cards, judge, show, started, thanks_of

HILBERT, BANACH, NOETHER = 1, 2, 3


def after(agreed: Agreed, *moves: Move) -> Agreed:
    for move in moves:
        agreed = Agreed(agreed.position.do(move), thanks_of(move))
    return agreed


def drawn(seat: int, discard: str) -> Research:
    return Research(seat, "deck", None, Card.parse(discard))


def taken(seat: int, keep: str) -> Research:
    return Research(seat, "discard", Card.parse(keep))


def review(seat: int, of: int, paper: str, take: str) -> Review:
    return Review(seat, of, paper, Card.parse(take))


def codes(verdict: Verdict) -> tuple[str, ...]:
    assert isinstance(verdict, Refused), verdict
    return (verdict.refusal.code, *verdict.refusal.also)


def agreed_of(verdict: Verdict) -> Agreed:
    assert isinstance(verdict, Accepted), verdict
    assert isinstance(verdict.after, Agreed)
    return verdict.after


def seen(agreed: Agreed) -> TableView:
    return show(agreed.position)


def with_paper(view: TableView, seat: int, kind: str, names: str, complete: bool | None = None) -> TableView:
    held = cards(names)
    side = len(held) == 1 if complete is None else complete
    return replace(view, papers=(*view.papers, PaperSeen(seat, kind, side, held, 600, 600)))


def changed(view: TableView, seat: int, kind: str, names: str, complete: bool | None = None) -> TableView:
    """Return the view with that paper holding other cards."""
    left = tuple(paper for paper in view.papers if (paper.seat, paper.kind) != (seat, kind))
    return with_paper(replace(view, papers=left), seat, kind, names, complete)


def under_review() -> Agreed:
    """Hilbert has three sixes under review; Banach is to move."""
    return after(started(), Publish(1, "three", cards("C6 S6 T6")))


def complete() -> Agreed:
    """Hilbert has a complete three with T6 and no hand; Banach holds C6, Noether S6; Hilbert is to move."""
    return after(under_review(), review(2, 1, "three", "C6"), review(3, 1, "three", "S6"))


def banach_may_cite() -> Agreed:
    """As ``complete``, with Banach to move and H4 on the discard pile."""
    return after(complete(), drawn(1, "H4"))


# --- nothing done


def test_papers_shifted_and_cards_reordered_are_no_disturbance() -> None:
    agreed = under_review()
    view = changed(seen(agreed), 1, "three", "T6 C6 S6")
    assert codes(judge(agreed, view)) == ("pass_not_allowed",)


# --- publishing


def _three_rounds(agreed_to: int) -> tuple[Move, ...]:
    """Nine researches, three a player, so that hands are full again and the same seat is to move."""
    names = iter(["HA", "H2", "H3", "O2", "O3", "O4", "B3", "B4", "B5"])
    seats = [(agreed_to - 1 + turn) % 3 + 1 for turn in range(9)]
    return tuple(drawn(seat, next(names)) for seat in seats)


def test_citations_alone_are_no_paper() -> None:
    agreed = banach_may_cite()
    assert codes(judge(agreed, with_paper(seen(agreed), BANACH, "three", "")))[0] == "nothing_new"


def test_a_card_too_many_in_a_paper() -> None:
    agreed = under_review()
    assert codes(judge(agreed, with_paper(seen(agreed), BANACH, "three_pairs", "B7 O7 H6")))[0] == "not_a_meld"


def test_a_citation_nobody_can_pay_for() -> None:
    agreed = after(started(), drawn(1, "H4"), Publish(2, "three", cards("B7 O7 H7")), review(3, 2, "three", "B7"))
    agreed = after(agreed, review(1, 2, "three", "O7"), drawn(2, "H5"), drawn(3, "O5"))
    agreed = after(agreed, Publish(1, "three", cards("C6 S6 T6")), drawn(2, "HA"), drawn(3, "H2"))
    # Hilbert holds O7 and one more card; with both in the paper nothing is left for Banach.
    view = with_paper(seen(agreed), HILBERT, "three_pairs", "O7 F7")
    assert codes(judge(agreed, view))[0] == "not_a_meld"
    agreed = after(agreed, drawn(1, "O2"), drawn(2, "H3"), drawn(3, "O3"), drawn(1, "B3"), drawn(2, "B4"))
    agreed = after(agreed, drawn(3, "B5"))
    assert agreed.position.hand_size(1) == 4
    view = with_paper(seen(agreed), HILBERT, "five", "O7 C7 S7 T7")
    assert codes(judge(agreed, view)) == ("cannot_pay", "payment_missing")


def test_payment_missing_and_payment_on_the_wrong_spot() -> None:
    agreed = banach_may_cite()
    view = with_paper(seen(agreed), BANACH, "three", "B6 O6")
    missing = judge(agreed, view)
    assert codes(missing) == ("payment_missing",)
    assert isinstance(missing, Refused)
    assert [(m.item, m.source, m.target, m.count) for m in missing.mend] == [("back", "hand:2", "payment:1", 1)]
    wrong = judge(agreed, replace(view, payments={3: 1}))
    assert codes(wrong) == ("payment_missing", "payment_excess")


def test_payment_too_much_and_to_oneself() -> None:
    agreed = banach_may_cite()
    view = with_paper(seen(agreed), BANACH, "three", "B6 O6")
    assert codes(judge(agreed, replace(view, payments={1: 2}))) == ("payment_excess",)
    assert codes(judge(agreed, replace(view, payments={1: 1, 2: 1}))) == ("payment_excess",)


def test_the_payments_decide_whose_paper_is_cited() -> None:
    agreed = banach_may_cite()
    view = replace(with_paper(seen(agreed), BANACH, "three", "B6 O6"), payments={1: 1})
    verdict = judge(agreed, view)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Publish(2, "three", cards("B6 O6"), (Citation(1, "three"),), {1: 1})
    assert str(verdict.text).startswith(
        "Banach publishes Three Cards with book 6 and onion 6, cites Hilbert's Three Cards"
    )
    assert "Hilbertさんにお礼1枚" in verdict.text.said(Language.JA)
    assert dict(agreed_of(verdict).thanks) == {1: 1}


def test_a_new_paper_must_show_the_right_side() -> None:
    agreed = banach_may_cite()
    view = replace(with_paper(seen(agreed), BANACH, "three", "B6 O6", complete=True), payments={1: 1})
    verdict = judge(agreed, view)
    assert codes(verdict) == ("turn_the_paper",)
    assert isinstance(verdict, Refused)
    assert [m.item for m in verdict.mend] == ["three/review"]


def test_an_unknown_paper() -> None:
    agreed = under_review()
    assert codes(judge(agreed, with_paper(seen(agreed), BANACH, "royal", "B7 O7")))[0] == "unknown_paper"


# --- research


def _drawn_down(players: int, left: int) -> Agreed:
    """Draw in turn until ``left`` cards remain in the draw pile."""
    agreed = started(players)
    names = iter(card for card in DECK if str(card) != "FK")
    while agreed.position.draw_count > left:
        seat = agreed.position.to_move
        assert seat is not None
        agreed = after(agreed, Research(seat, "deck", None, next(names)))
    assert agreed.position.draw_count == left
    return agreed


@pytest.mark.parametrize("left", [0, 1])
def test_through_a_reshuffle_two_cards_drawn_and_none_discarded(left: int) -> None:
    agreed = _drawn_down(3, 1)
    if not left:
        agreed = _played_down(discards=3)
    verdict = judge(agreed, replace(seen(agreed), discard_top=None, draw_backs=1))
    assert codes(verdict) == ("wrong_count",)


def test_a_big_draw_pile_that_is_gone_was_not_drawn() -> None:
    agreed = under_review()
    assert codes(judge(agreed, replace(seen(agreed), draw_backs=0))) == ("table_disturbed",)


def test_old_discards_still_there_show_that_nothing_was_drawn() -> None:
    agreed = _drawn_down(3, 1)
    view = show(agreed.position, peeping=1)
    assert codes(judge(agreed, view)) == ("pass_not_allowed",)


def test_after_a_reshuffle_a_single_discard_lies_there() -> None:
    agreed = _drawn_down(3, 1)
    low = agreed.position.discards[3]
    view = replace(seen(agreed), discard_top=low)
    verdict = judge(agreed, view)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Research(2, "deck", None, low)
    assert "reshuffle" in str(verdict.text)
    top = agreed.position.discards[-1]
    assert isinstance(top, Card)
    assert codes(judge(agreed, replace(view, discard_under=(top,)))) == ("table_disturbed",)


def test_empty_draw_pile_and_one_discard_is_recorded_as_taking_it() -> None:
    agreed = _played_down(discards=1)
    (only,) = agreed.position.discards
    verdict = judge(agreed, replace(seen(agreed), discard_top=None))
    assert isinstance(verdict, Accepted)
    assert verdict.move == Research(agreed.position.to_move or 0, "discard", only)


def test_empty_draw_pile_and_two_discards() -> None:
    agreed = _played_down(discards=2)
    low, top = agreed.position.discards
    seat = agreed.position.to_move or 0
    lower = judge(agreed, replace(seen(agreed), discard_top=low))
    assert isinstance(lower, Accepted)
    assert lower.move == Research(seat, "discard", top)
    same = judge(agreed, seen(agreed))
    assert isinstance(same, Question)
    assert isinstance(same.choices[0].verdict, Accepted)
    assert same.choices[0].verdict.move == Research(seat, "deck", None, top)


def _played_down(discards: int) -> Agreed:
    """Return a game with an empty draw pile and that many discards, all of them known."""
    agreed = _take_top(_drawn_down(3, 1))
    while agreed.position.draw_count:
        seat = agreed.position.to_move or 0
        draw = next(m for c in DECK if agreed.position.is_legal(m := Research(seat, "deck", None, c)))
        agreed = after(agreed, draw)
    while len(agreed.position.discards) > discards:
        agreed = _take_top(agreed)
    return agreed


def _take_top(agreed: Agreed) -> Agreed:
    return after(agreed, Research(agreed.position.to_move or 0, "discard", agreed.position.discards[-1]))


def _emptied() -> Agreed:
    """Return a game whose players took all there was: both piles are empty and nothing is under review."""
    agreed = _drawn_down(5, 2)
    seat = agreed.position.to_move or 0
    agreed = after(agreed, Research(seat, "deck", None, Card.parse("T12")))
    while agreed.position.discards:
        seat, top = agreed.position.to_move or 0, agreed.position.discards[-1]
        if top is None:
            top = next(c for c in DECK if agreed.position.is_legal(Research(seat, "discard", c)))
        agreed = after(agreed, Research(seat, "discard", top))
    return agreed


def test_the_draw_pile_must_not_vanish() -> None:
    agreed = under_review()
    verdict = judge(agreed, replace(seen(agreed), draw_backs=0, discard_top=Card.parse("H4")))
    assert codes(verdict) == ("table_disturbed",)


# --- review


def test_a_review_is_understood() -> None:
    agreed = under_review()
    verdict = judge(agreed, changed(seen(agreed), 1, "three", "S6 T6"))
    assert isinstance(verdict, Accepted)
    assert verdict.move == review(2, 1, "three", "C6")
    assert str(verdict.text) == "Banach reviews Hilbert's Three Cards and takes coin 6."
    assert verdict.text.said(Language.JA) == "BanachさんがHilbertさんの3カードを査読し、コイン6を取りました。"


def test_a_paper_turned_too_early() -> None:
    agreed = under_review()
    assert codes(judge(agreed, changed(seen(agreed), 1, "three", "S6 T6", complete=True))) == ("turn_the_paper",)


def test_two_reviews_in_a_turn() -> None:
    agreed = after(started(), Publish(1, "three", cards("C6 S6 T6")), Publish(2, "three", cards("B7 O7 H7")))
    view = changed(changed(seen(agreed), 1, "three", "S6 T6"), 2, "three", "O7 H7")
    assert codes(judge(agreed, view)) == ("took_two_cards", "two_actions")


def test_the_next_player_went_on_before_the_confirm() -> None:
    agreed = under_review()
    view = replace(with_paper(seen(agreed), NOETHER, "three", "B7 O7 H7"), discard_top=Card.parse("H4"))
    verdict = judge(agreed, view)
    assert codes(verdict) == ("out_of_turn", "two_actions")
    assert isinstance(verdict, Refused)
    assert {m.item for m in verdict.mend} == {"three/review", "B7", "O7", "H7"}
    assert {m.target for m in verdict.mend} == {"supply", "hand:3"}


def test_publication_and_research_in_a_turn() -> None:
    agreed = under_review()
    view = replace(with_paper(seen(agreed), BANACH, "three", "B7 O7 H7"), discard_top=Card.parse("H4"))
    assert codes(judge(agreed, view)) == ("two_actions",)


def test_two_publications_in_a_turn() -> None:
    agreed = after(started(), *_three_rounds(agreed_to=1))
    view = with_paper(seen(agreed), HILBERT, "three", "B7 O7 H7")
    view = with_paper(view, HILBERT, "straight5", "C4 S5 C6")
    assert "two_actions" in codes(judge(agreed, with_paper(view, HILBERT, "ace_king", "C8 T8")))


# --- thank-you cards


def thanked() -> Agreed:
    """Banach has cited Hilbert's three; Hilbert's thank-you card lies on the spot; Noether is to move."""
    move = Publish(2, "three", cards("B6 O6"), (Citation(1, "three"),), {1: 1})
    return after(banach_may_cite(), move)


def test_thanks_must_be_taken_before_the_next_turn() -> None:
    agreed = thanked()
    view = replace(show(agreed.position.do(drawn(3, "H5"))), payments={1: 1})
    verdict = judge(agreed, view)
    assert codes(verdict) == ("payment_not_taken",)
    assert isinstance(verdict, Refused)
    assert [(m.source, m.target) for m in verdict.mend] == [("payment:1", "hand:1")]
    assert isinstance(judge(agreed, replace(view, payments={})), Accepted)


def test_a_card_on_a_payment_spot_that_nobody_owes() -> None:
    agreed = under_review()
    view = replace(show(agreed.position.do(drawn(2, "H5"))), payments={1: 1})
    assert codes(judge(agreed, view)) == ("payment_excess", "table_disturbed")


def cites_again(agreed: Agreed) -> TableView:
    after_move = agreed.position.do(Publish(3, "three", cards("S6 H6"), (Citation(1, "three"),), {1: 1}))
    return show(after_move, {1: 1})


def test_thanks_seen_to_be_taken_are_no_question() -> None:
    agreed = thanked()
    between = forget_taken_thanks(agreed, show(agreed.position), layout_for(3))
    assert isinstance(judge(between, cites_again(agreed)), Accepted)


# --- disturbances


def test_a_paper_moved_to_another_area() -> None:
    agreed = under_review()
    view = replace(seen(agreed), papers=())
    assert codes(judge(agreed, with_paper(view, BANACH, "three", "C6 S6 T6"))) == ("table_disturbed",)


def test_a_paper_gone() -> None:
    agreed = complete()
    verdict = judge(agreed, replace(seen(agreed), papers=()))
    assert "table_disturbed" in codes(verdict)


def test_a_loose_back() -> None:
    agreed = under_review()
    view = replace(show(agreed.position.do(drawn(2, "H5"))), loose=(Sighting("back", 200, 700, 0),))
    verdict = judge(agreed, view)
    assert codes(verdict) == ("table_disturbed",)
    assert isinstance(verdict, Refused)
    assert "face-down" in str(verdict.text)


def test_a_knocked_over_table_lists_what_is_gone() -> None:
    agreed = thanked()
    verdict = judge(agreed, TableView(seen(agreed).mat_mm))
    assert isinstance(verdict, Refused)
    assert len(verdict.mend) >= 5


# --- set-up


@pytest.mark.parametrize(
    "view",
    [
        TableView((1189.0, 841.0), draw_backs=3),
        TableView((1189.0, 841.0), discard_top=Card.parse("FK")),
        TableView((1189.0, 841.0), draw_backs=1, discard_top=Card.parse("FK"), discard_under=cards("H4")),
        TableView((1189.0, 841.0), draw_backs=1, discard_top=Card.parse("FK"), payments={1: 1}),
        TableView((1189.0, 841.0), (PaperSeen(1, "three", False, cards("B7")),), 1, Card.parse("FK")),
    ],
    ids=["no discard", "no draw pile", "two discards", "thanks", "paper"],
)
def test_a_table_that_is_not_set_up(view: TableView) -> None:
    verdict = judge(Agreed(Position.start(NAMES[:3])), view)
    assert "table_disturbed" in codes(verdict)


def test_four_players_have_a_discard_under_the_top() -> None:
    view = TableView((1189.0, 841.0), draw_backs=1, discard_top=Card.parse("FK"), discard_under=cards("H4"))
    verdict = judge(Agreed(Position.start(NAMES[:4])), view)
    assert agreed_of(verdict).discards == cards("H4 FK")


def test_full_information_is_not_for_the_table() -> None:
    with pytest.raises(ValueError, match="public"):
        judge(Agreed(deal(random.Random(1), 3)), TableView((1189.0, 841.0)))


# --- the End Flag, the end


@cache
def until(phase: Phase, seeds: Sequence[int] = range(40)) -> tuple[Agreed, Position]:
    """Play a random game to the first position of that phase: public and full."""
    for seed in seeds:
        rng = random.Random(seed)
        full = deal(rng, 3)
        top = full.discards[-1]
        assert top is not None
        agreed = Agreed(Position.start(NAMES[:3]).do(Setup(top)))
        for _ in range(300):
            move = random_move(full, rng)
            full = full.do(move)
            agreed = after(agreed, public(move))
            if full.phase is phase:
                return agreed, full
            if full.outcome is not None:
                break
    raise AssertionError(f"no random game came to {phase}")


def test_the_flag_is_asked_for_and_taken() -> None:
    agreed, full = until(Phase.FLAG)
    seat = full.to_move
    assert seat is not None
    waiting = judge(agreed, show(agreed.position, agreed.thanks))
    assert codes(waiting)[0] == "flag_due"
    assert isinstance(waiting, Refused)
    assert [m.target for m in waiting.mend] == [f"seat:{seat}/end_flag"]
    card = full.get_hand(seat)[0]
    flagged = agreed.position.do(EndFlag(seat, card))
    for thanks in ({}, agreed.thanks):
        verdict = judge(agreed, show(flagged, thanks))
        assert isinstance(verdict, Accepted)
        assert verdict.move == EndFlag(seat, card)
        assert dict(agreed_of(verdict).thanks) == dict(thanks)
        assert "5 more turns" in str(verdict.text)


def test_the_flag_laid_together_with_the_move_that_earns_it() -> None:
    agreed = under_review()
    view = with_paper(changed(seen(agreed), 1, "three", "S6 T6"), BANACH, "end_flag", "B7")
    assert codes(judge(agreed, view)) == ("flag_not_due",)


@cache
def flag_due_beside_a_paper_under_review() -> tuple[Agreed, Position, Paper]:
    for seed in range(60):
        try:
            agreed, full = until(Phase.FLAG, (seed,))
        except AssertionError:
            continue
        drafts = [paper for paper in full.papers if not paper.complete]
        if drafts and len(full.discards) > 1:
            return agreed, full, drafts[0]
    raise AssertionError("no game has a paper under review when the flag is due")


def test_the_flag_laid_with_the_move_that_earns_it_comes_after_its_confirm() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        full = deal(rng, 3)
        top = full.discards[-1]
        assert top is not None
        agreed = Agreed(Position.start(NAMES[:3]).do(Setup(top)))
        while full.outcome is None:
            move = random_move(full, rng)
            before, full = agreed, full.do(move)
            agreed = after(agreed, public(move))
            if full.phase is Phase.FLAG and isinstance(move, Publish):
                seat = full.to_move or 0
                card = full.get_hand(seat)[0]
                view = show(agreed.position.do(EndFlag(seat, card)), agreed.thanks)
                verdict = judge(before, view)
                assert codes(verdict) == ("flag_not_due",)
                assert "after this move has been confirmed" in str(verdict.text)
                assert "確定した後" in verdict.text.said(Language.JA)
                return
    raise AssertionError("nobody earned the flag with a publication")


def test_a_card_of_the_table_laid_to_the_flag_is_named() -> None:
    agreed, full, draft = flag_due_beside_a_paper_under_review()
    seat, card = full.to_move or 0, draft.cards[0]
    left = " ".join(map(str, draft.cards[1:]))
    view = changed(show(agreed.position), draft.seat, draft.kind, left, complete=draft.complete)
    verdict = judge(agreed, with_paper(view, seat, "end_flag", str(card)))
    assert isinstance(verdict, Refused)
    assert codes(verdict)[0] == "card_not_in_hand"
    assert verdict.refusal.cards == (card,)
    steps = [(one.item, one.target) for one in verdict.mend]
    assert (str(card), f"seat:{draft.seat}/{draft.kind}") in steps
    assert (str(card), f"hand:{seat}") not in steps, "it goes back where it lay, not into the hand"


def test_the_top_discard_laid_to_the_flag_is_named() -> None:
    agreed, full, _ = flag_due_beside_a_paper_under_review()
    *_, below, top = agreed.position.discards
    assert top is not None
    view = replace(show(agreed.position), discard_top=below)
    verdict = judge(agreed, with_paper(view, full.to_move or 0, "end_flag", str(top)))
    assert isinstance(verdict, Refused)
    assert codes(verdict)[0] == "card_not_in_hand"
    assert [one.target for one in verdict.mend if one.item == str(top)] == ["discard"]


def test_the_flag_that_is_due_takes_one_hand_card() -> None:
    agreed, full, _ = flag_due_beside_a_paper_under_review()
    seat = full.to_move or 0
    for count in (0, 2):
        hand = " ".join(map(str, full.get_hand(seat)[:count]))
        verdict = judge(agreed, with_paper(show(agreed.position), seat, "end_flag", hand))
        assert codes(verdict) == ("flag_due",)
        assert "exactly one hand card" in str(verdict.text)
        assert "not" not in str(verdict.text)


def test_a_card_on_a_payment_spot_at_the_set_up() -> None:
    agreed = Agreed(Position.start(NAMES[:3]))
    verdict = judge(agreed, replace(seen(started()), payments={2: 1}))
    assert codes(verdict) == ("payment_excess", "table_disturbed")
    assert "papers cited" not in str(verdict.text)
    assert "Nobody has cited Banach yet" in str(verdict.text)
