"""What comes of the readings of a look, whatever the game, and how what is off is counted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from referee.layout import REFERENCE_MAT_MM, SEATS, TableLayout
from referee.table import Unread
from referee.verdict import (
    Accepted,
    CantSee,
    Choice,
    Disturbance,
    Mend,
    Question,
    Reading,
    Refused,
    Spot,
    Verdict,
    Waiting,
)
from referee.zones import (
    BackCountMismatch,
    Expected,
    MisplacedCard,
    ZoneReferee,
    ZoneState,
    ZoneView,
    find_differences,
    keep_common,
)
from rules.refusal import Reason
from rules.text import Text
from rules.wild_seven.rules import RULES

LAYOUT = TableLayout(SEATS[2], REFERENCE_MAT_MM)
STATE = ZoneState(SimpleNamespace(phase=None, outcome=None, to_move=1, players=("Ada", "Emmy")))
MARK, SEEN = Unread(600.0, 700.0, 0.0, "glare"), Spot(600.0, 700.0, "seat:1", "glare")
WRONG, GONE = (Reason("table_disturbed", (), Text(words)) for words in ("Wrong.", "Gone."))
STEP, MORE = (Mend(item, "table", "seat:1", Text(f"Put {item} back.")) for item in ("H1", "H2"))


class Game(ZoneReferee):
    """A game with these readings of any look; a move is a word, and what is agreed after it is that word."""

    rules = RULES

    def __init__(self, *readings: Reading, off: tuple[Disturbance, ...] = ()) -> None:
        self._readings, self._off = readings, off

    def list_readings(self, *_: Any) -> tuple[Reading, ...]:
        return self._readings

    def find_misplaced(
        self, state: Any, view: Any, layout: TableLayout
    ) -> tuple[tuple[Disturbance, ...], tuple[Unread, ...]]:
        return self._off, view.unread

    def after_move(self, before: Any, move: Any, data: Any) -> ZoneState:
        return ZoneState(move.lower())

    def describe_move(self, move: Any, before: Any) -> Text:
        return Text(move)


def judged(*readings: Reading, unread: tuple[Unread, ...] = ()) -> Verdict:
    return Game(*readings).judge(STATE, ZoneView({}, unread), LAYOUT)


def test_what_has_nothing_against_it_is_accepted_over_what_is_cheaper() -> None:
    said = Text("They are taken."), Text("A")
    wrong, taken = Reading("B", reasons=(WRONG,), cost=-1), Reading(None, ZoneState("a"), said=said[:1])
    assert judged(wrong, Reading("A", at_once=True)) == Accepted("A", ZoneState("a"), said[1:], at_once=True)
    assert judged(taken, Reading("A")) == Accepted(None, ZoneState("a"), said[:1])


def test_readings_that_come_to_different_ends_are_asked_unless_something_is_not_read() -> None:
    verdict = judged(Reading("A"), Reading("B"), Reading("a"))
    assert isinstance(verdict, Question)
    assert [str(choice.text) for choice in verdict.choices] == ["A", "B"]
    verdict = judged(Reading("A"), Reading("B"), unread=(MARK,))
    assert isinstance(verdict, CantSee)
    assert verdict.spots == (SEEN,)
    assert isinstance(judged(Reading("A"), unread=(MARK,)), Accepted)
    assert isinstance(judged(Reading("A", depends_on_unread=(MARK,)), unread=(MARK,)), CantSee)


def test_the_cheapest_reading_is_the_refusal_or_what_is_waited_for() -> None:
    dear = Reading("A", reasons=(WRONG,), mends=(STEP,), cost=2)
    verdict = judged(dear, Reading(reasons=(GONE,), mends=(MORE,), cost=1, at_once=True))
    assert isinstance(verdict, Refused)
    assert (verdict.reasons, verdict.mend, verdict.at_once) == ((GONE,), (MORE,), True)
    words = (Text("Lay it there."),)
    assert judged(Reading(reasons=(GONE,), mends=(MORE,), waits=words)) == Waiting(
        words, (MORE,), Refused.from_reasons(RULES.codes, (GONE,), (MORE,))
    )


def test_what_is_not_read_or_has_to_be_asked_comes_before_what_is_wrong() -> None:
    other = Spot(1.0, 2.0, "seat:2", "covered")
    verdict = judged(Reading("A", unread=(MARK, other), reasons=(WRONG,), at_once=True), Reading("B", reasons=(WRONG,)))
    assert isinstance(verdict, CantSee)
    assert (verdict.spots, verdict.at_once) == ((SEEN, other), True)
    question = Question(Text("Which?"), (Choice(Text("This"), Refused.from_reasons(RULES.codes, (WRONG,), ())),))
    assert judged(Reading("A", asked=question)) is question


def test_an_untouched_table_says_that_nothing_was_done_and_no_reading_that_the_game_is_over() -> None:
    assert str(judged(Reading(), Reading("A")).text) == "Nothing has been done yet."
    assert str(judged().text) == "The game has ended; no more moves."


def test_what_is_lost_by_one_name_counts_once_and_is_told_once() -> None:
    more = Disturbance(GONE, (STEP, MORE), lost="row"), Disturbance(WRONG), Disturbance(GONE, lost="pile")
    game = Game(off=(Disturbance(GONE, (STEP,), lost="row"), *more))
    found = game.compare(STATE, ZoneView({}, (MARK,)), LAYOUT)
    assert (found.told, found.mends) == ((GONE.text, WRONG.text), (STEP, MORE))
    assert (found.disturbed, found.unread, found.agrees) == (2, 1, False)
    undealt = ZoneState(SimpleNamespace(phase=None, outcome=None, to_move=None))
    assert game.compare(undealt, ZoneView(), LAYOUT).agrees


def test_face_down_cards_are_counted_between_their_bounds() -> None:
    places = {"draw": Expected(frozenset({"H1"}), (1, 3)), "seat:1": Expected()}
    assert find_differences(places, ZoneView()) == [MisplacedCard("H1", None, "draw"), BackCountMismatch("draw", 0, 1)]
    stays = keep_common(places, {"draw": Expected(frozenset({"H1", "H2"}), (0, 5))})
    assert stays == {"draw": Expected(frozenset({"H1"}), (0, 3)), "seat:1": Expected()}
    assert [(one.missing, one.count) for one in (BackCountMismatch("draw", 0, 2), BackCountMismatch("draw", 4, 3))] == [
        (True, 2),
        (False, 1),
    ]
