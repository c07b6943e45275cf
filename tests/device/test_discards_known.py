"""What everybody has seen in the discard pile stays known: through taking back, a resume, a position set by hand."""

from __future__ import annotations

import json
from dataclasses import replace

from device.hardware.buttons import Button
from device.session.session import Session
from referee.game import Step
from referee.history import Entry, History
from referee.laminate.expected_layout import Agreed
from referee.laminate.position_editor import Draft
from referee.laminate.referee import REFEREE
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import TableView
from referee.verdict import Accepted, Question, Refused, Verdict
from rules.cards import DECK, Card
from rules.laminate.moves import Pass, Research
from rules.record import check_record
from tests.device.openings import begun, header
from tests.referee.tables import MAT, cards, show, started
from tests.referee.test_refusals import with_paper

NAMES = ("Hilbert", "Banach", "Noether", "Galois", "Gauss")
HEART_4 = Card.parse("H4")


def set_up(players: int = 4, below: str = "") -> Session:
    session = begun(NAMES[:players], 1, layout_for(players))
    view = TableView(MAT, draw_backs=3, discard_top=Card.parse("FK"), discard_under=cards(below))
    assert isinstance(session.confirm(view), Accepted)
    return session


def lying(session: Session) -> TableView:
    """Return the table as it was confirmed, with nothing peeping out below the top discard."""
    return show(session.position, session.agreed.thanks)


def look(session: Session, top: str, below: str = "") -> TableView:
    return replace(lying(session), discard_top=Card.parse(top), discard_under=cards(below))


def settled(session: Session, view: TableView, source: str) -> None:
    """Confirm a research; where it is asked whether the card was drawn or taken, answer that."""
    verdict = session.confirm(view)
    if isinstance(verdict, Question):
        answers = [choice.verdict for choice in verdict.choices]
        right = [isinstance(one, Accepted) and _source(one) == source for one in answers]
        for _ in range(right.index(True)):
            session.press(Button.DOWN)
        verdict = session.press(Button.CONFIRM) or verdict
    assert isinstance(verdict, Accepted), verdict


def _source(verdict: Accepted) -> str:
    return verdict.move.source if isinstance(verdict.move, Research) else ""


def published(session: Session, names: str) -> Verdict:
    return session.confirm(with_paper(lying(session), session.position.to_move or 0, "three", names))


def resumed(session: Session) -> Session:
    """Return the session as it comes back from its journal."""
    entries = [Entry.from_json(json.loads(json.dumps(entry.to_json()))) for entry in session.log.entries]
    return Session.resume(header(session.position.players, 1), entries)


def hidden_from_all(session: Session) -> bool:
    position = session.position
    return not any(position.may_hold(seat, HEART_4) for seat in range(1, len(position.players) + 1))


def test_a_card_that_showed_in_a_turn_taken_back_still_lies_there() -> None:
    """Hilbert takes the top set-up discard, heart 4 shows, he lays it back: nobody has heart 4 in hand."""
    session = set_up()
    settled(session, look(session, "H4"), "discard")
    session.judge.undo()
    assert session.agreed.discards == cards("H4 FK")
    assert hidden_from_all(session)
    again = resumed(session)
    assert again.agreed == session.agreed
    for one in (session, again):
        one.see(lying(one))  # the table lies as before that turn
        refused = published(one, "H4 O4 B4")
        assert isinstance(refused, Refused)
        assert refused.refusal.code == "card_not_in_hand"
        assert isinstance(published(one, "C4 O4 B4"), Accepted)


def test_two_turns_taken_back_and_put_back_keep_what_showed() -> None:
    session = set_up(5, "H4")
    settled(session, look(session, "O5"), "discard")
    settled(session, look(session, "T12", "H4"), "deck")
    after = session.agreed
    session.judge.undo()
    session.judge.undo()
    assert session.agreed.discards == (None, None, *cards("O5 FK"))
    assert session.agreed.peeping == {HEART_4}
    assert hidden_from_all(session)
    session.judge.redo()
    session.judge.redo()
    assert session.agreed == after
    assert resumed(session).agreed == after


def test_what_an_answer_said_of_the_discards_outlives_taking_back() -> None:
    session = set_up(5)
    settled(session, look(session, "T12", "H4"), "deck")
    assert session.agreed.peeping == {HEART_4}
    session.judge.undo()
    assert session.agreed.peeping == {HEART_4}
    assert hidden_from_all(session)


def test_what_can_not_have_shown_was_misread_and_is_forgotten_when_taken_back() -> None:
    """Coffin K is in Hilbert's hand, as everybody has seen, and can't lie below."""
    session = set_up(5)
    settled(session, look(session, "H4"), "discard")
    before = session.agreed
    misread = Agreed(started(5, "H5").position, {}, {0: Card.parse("FK")})
    undone = History(
        REFEREE, header(misread.position.players, 1), misread, (Step(before, misread, Pass(2)),)
    ).apply_entry(Entry("undo"))
    assert undone.now == before


def test_a_draw_through_a_reshuffle_taken_back_leaves_open_what_was_shuffled_in() -> None:
    """Nobody has seen the lowest set-up discard; that the reshuffled pile showed heart 4 says nothing of it."""
    session = set_up()
    while session.position.reshuffle_on_draw == "none":
        shown = next(card for card in reversed(DECK) if card != HEART_4 and _may_draw(session, card))
        settled(session, look(session, str(shown)), "deck")
    settled(session, look(session, "H4"), "deck")
    assert session.agreed.discards == (HEART_4,)
    session.judge.undo()
    assert session.agreed.discards[0] is None
    assert session.position.discards_seen({0: HEART_4}) is not None
    assert not hidden_from_all(session)


def _may_draw(session: Session, card: Card) -> bool:
    return session.position.is_legal(Research(session.position.to_move or 0, "deck", None, card))


def test_a_resumed_session_knows_what_showed() -> None:
    session = set_up(5, "H4")
    settled(session, look(session, "O5"), "discard")
    settled(session, look(session, "T12", "H4"), "deck")
    again = resumed(session)
    assert again.agreed == session.agreed
    assert hidden_from_all(again)
    assert not any(again.position.may_hold(seat, Card.parse("O5")) for seat in range(1, 6))
    assert {v["verdict"] for v in check_record(session.history.write_record()) if "verdict" in v} == {"accepted"}


def test_a_position_set_by_hand_keeps_what_showed_below_unless_it_is_forgotten() -> None:
    session = set_up(5, "H4")
    settled(session, look(session, "O5"), "discard")
    settled(session, look(session, "T12", "H4"), "deck")
    draft = Draft.from_table(session.agreed, lying(session))
    assert draft.to_agreed() == session.agreed
    assert draft.to_agreed(forget=True).position.may_hold(1, HEART_4)


def test_a_card_that_shows_while_the_position_is_set_lies_there() -> None:
    session = set_up(5)
    view = look(session, "FK", "H4")
    for forget in (False, True):
        position = Draft.from_table(session.agreed, view).to_agreed(forget).position
        assert position.peeping == {HEART_4}
        assert not any(position.may_hold(seat, HEART_4) for seat in range(1, 6))
    # By these numbers nothing lies below, so the numbers or the look are wrong, and nothing is concluded.
    told = replace(Draft.from_table(session.agreed, view), discards=1)
    assert told.to_agreed(forget=True).position.may_hold(1, HEART_4)
