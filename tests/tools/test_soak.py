"""A small slice of the soak, and that it would notice a referee's faults."""

from __future__ import annotations

from dataclasses import replace

import pytest

import referee.laminate.expected_layout
import referee.laminate.judging
import tools.soak.papers
from referee.laminate.expected_layout import Agreed
from referee.laminate.referee import LaminateReferee
from referee.laminate.simulated.lookalikes import find_lookalike
from referee.laminate.simulated.mistakes import MISTAKES
from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.table import TableView
from referee.verdict import Verdict
from rules.laminate.refusals import CODES
from rules.text import Language
from tests.referee.tables import judge
from tools.soak.papers import Papers, new_game
from tools.soak.sessions import Watch, watch


def faults_of(seeds: range) -> list[str]:
    return [fault for seed in seeds for fault in Papers("laminate", seed).play().faults]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_a_game_with_mistakes_is_refereed_without_a_fault(seed: int) -> None:
    tally = Papers("laminate", seed).play()
    assert tally.faults == []
    assert tally.mistakes.total() > 20
    assert tally.mended > 20
    assert len(tally.verdicts) > 80


@pytest.mark.slow
def test_a_referee_that_overlooks_the_wrong_side_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def overlooks(_: LaminateReferee, agreed: Agreed, view: TableView, layout: PaperLayout) -> Verdict:
        papers = tuple(replace(paper, complete_side=len(paper.cards) == 1) for paper in view.papers)
        return judge(agreed, replace(view, papers=papers), layout)

    monkeypatch.setattr(LaminateReferee, "judge", overlooks)
    assert any("ILLEGAL ACCEPTED" in fault for fault in faults_of(range(3)))


@pytest.mark.slow
def test_a_referee_that_misnames_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def blind_to_payments(_: LaminateReferee, agreed: Agreed, view: TableView, layout: PaperLayout) -> Verdict:
        return judge(agreed, replace(view, payments={}), layout)

    monkeypatch.setattr(LaminateReferee, "judge", blind_to_payments)
    assert any("LEGAL REFUSED" in fault or "WRONG CODE" in fault for fault in faults_of(range(3)))


@pytest.mark.slow
def test_a_referee_that_takes_old_thanks_for_new_ones_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee.laminate.judging, "_perhaps_old_thanks", lambda agreed, reading: ())
    assert any("ILLEGAL ACCEPTED: broken rule payment_not_taken" in fault for fault in faults_of(range(1, 2)))


@pytest.mark.slow
def test_a_referee_whose_steps_lead_nowhere_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools.soak.papers.MendedTable, "_put", lambda table, mend: None)
    assert any("NOT MENDED" in fault for fault in faults_of(range(1)))


@pytest.mark.slow
def test_a_referee_that_passes_over_what_can_not_be_read_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee.laminate.expected_layout._Covering, "still_open", lambda covering: [])
    assert any("UNREAD OVERLOOKED" in fault for fault in faults_of(range(1)))


def test_every_mistake_says_what_it_is() -> None:
    assert len(MISTAKES) >= 50
    for mistake in MISTAKES.values():
        assert str(mistake.words)
        assert mistake.words.said(Language.JA)
    named = {str(mistake.words) for mistake in MISTAKES.values()}
    assert len(named) == len(MISTAKES)


def test_mistakes_are_mended_and_name_codes_that_there_are() -> None:
    game = new_game(5, 1.0)
    made = 0
    for attempt in game.play_game():
        if attempt.code is not None:
            made += 1
            assert {attempt.code, *attempt.also, *attempt.instead} <= set(CODES)
            assert attempt.move is None
            assert attempt.meant is not None
        elif attempt.move is not None and game.game.moves:
            # What lies there now is what this move leaves, and no other mistake's remains.
            papers = {(p.seat, p.kind) for p in game.position.papers}
            assert papers <= set(game.table.columns)
            assert not game.table.astray
    assert made > 40


def test_a_legal_move_looks_like_itself_and_a_mistake_does_not() -> None:
    game = new_game(4, 0.0)
    public = game.game.positions[0]
    looked = 0
    for attempt in game.play_game():
        if attempt.move is None:
            continue
        if attempt.seat is not None:
            found = find_lookalike(game.table, public)
            assert found is not None, attempt.move
            assert public.is_legal(found)
            looked += 1
            before = game.table.take_snapshot()
            game.table.lay_on_draw("H7")
            assert find_lookalike(game.table, public) is None
            game.table.restore(before)
        public = public.do(attempt.move)
    assert looked > 40


def test_sessions_settle_what_a_fresh_judge_says() -> None:
    whole = Watch()
    for seed in range(1, 5):
        whole.add(watch(seed))
    assert whole.faults == []
    assert whole.settled > 100
    assert whole.accepted > 16
    assert whole.checked


@pytest.mark.slow
def test_a_session_that_keeps_its_verdict_over_looks_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[tuple[object, ...], Verdict] = {}

    def lazy(_: LaminateReferee, agreed: Agreed, view: TableView, layout: PaperLayout) -> Verdict:
        key = (agreed.position, view.discard_top)
        return kept.setdefault(key, judge(agreed, view, layout))

    monkeypatch.setattr(LaminateReferee, "judge", lazy)
    assert any(watch(seed).faults for seed in range(6))
