"""A card known to lie among the discards is nowhere else: seen through table views, with four and five players."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.laminate.expected_layout import Agreed, DifferenceKind, expect_table, find_differences
from referee.laminate.view.table import PaperSeen, TableView
from referee.table import Sighting
from referee.verdict import Accepted, Question, Refused, Verdict
from rules.cards import DECK, Card
from rules.laminate.moves import EndFlag, Research
from rules.laminate.position import Phase, Position
from tests.referee.play import NAMES
from tests.referee.tables import MAT, cards, judge, show, started
from tests.referee.test_refusals import codes, with_paper

HILBERT, BANACH, NOETHER, GALOIS = 1, 2, 3, 4


def accepted(verdict: Verdict, source: str = "") -> Agreed:
    """Return what is confirmed after a verdict; where it asks whether a card was drawn or taken, after that answer."""
    if isinstance(verdict, Question):
        answers = [choice.verdict for choice in verdict.choices if isinstance(choice.verdict, Accepted)]
        (verdict,) = (one for one in answers if isinstance(one.move, Research) and one.move.source == source)
    assert isinstance(verdict, Accepted), verdict
    return verdict.after


def look(agreed: Agreed, top: str, below: str = "") -> TableView:
    return replace(show(agreed.position), discard_top=Card.parse(top), discard_under=cards(below))


def draws(agreed: Agreed, discard: str, below: str = "") -> Agreed:
    """Whoever is to move draws and discards; ``below`` shows under it."""
    return accepted(judge(agreed, look(agreed, discard, below)), "deck")


def shown_and_covered(players: int = 4) -> Agreed:
    """Hilbert takes the top set-up discard, heart 4 shows, and Banach's discard covers it."""
    agreed = started(players)
    asked = judge(agreed, look(agreed, "H4"))
    assert isinstance(asked, Question), "he may as well have drawn heart 4 and discarded it"
    agreed = accepted(asked, "discard")
    assert agreed.position.hand_size(HILBERT) == 4
    return draws(agreed, "T12")


def set_up(players: int, below: str) -> Agreed:
    """Set up a game with cards showing under the top discard."""
    view = TableView(MAT, draw_backs=3, discard_top=Card.parse("FK"), discard_under=cards(below))
    return accepted(judge(Agreed(Position.start(NAMES[:players])), view))


def laid(agreed: Agreed, seat: int, names: str, kind: str = "three") -> Verdict:
    return judge(agreed, with_paper(show(agreed.position), seat, kind, names))


def due(agreed: Agreed) -> Agreed:
    """Return the same moment, but that whoever is to move has to take the End Flag."""
    position = agreed.position
    data = position.to_json() | {"phase": Phase.FLAG.value, "met": True, "flag_seat": position.to_move}
    return Agreed(Position.from_json(data))


def three(seat: int, names: str) -> PaperSeen:
    held = cards(names)
    return PaperSeen(seat, "three", len(held) == 1, held, 600, 600)


# --- every placing


@pytest.mark.parametrize("players", [4, 5])
def test_a_card_known_to_lie_among_the_discards_is_not_published(players: int) -> None:
    agreed = shown_and_covered(players)
    assert codes(laid(agreed, NOETHER, "H4 O4 B4")) == ("card_not_in_hand",)
    assert isinstance(laid(agreed, NOETHER, "C4 O4 B4"), Accepted), "a card that nobody has seen is"


@pytest.mark.parametrize("players", [4, 5])
def test_a_card_that_peeped_out_at_the_set_up_is_not_published(players: int) -> None:
    agreed = set_up(players, "H4")
    assert codes(laid(agreed, HILBERT, "H4 O4 B4")) == ("card_not_in_hand",)
    later = draws(draws(agreed, "T12"), "T11", "T12")
    assert codes(laid(later, NOETHER, "H4 O4 B4")) == ("card_not_in_hand",)


def test_the_end_flag_gets_no_card_known_to_lie_among_the_discards() -> None:
    agreed = due(shown_and_covered())
    assert codes(laid(agreed, NOETHER, "H4", "end_flag"))[0] == "card_not_in_hand"
    flag = laid(agreed, NOETHER, "C4", "end_flag")
    assert isinstance(flag, Accepted)
    assert flag.move == EndFlag(NOETHER, Card.parse("C4"))


def test_thanks_are_no_card_known_to_lie_among_the_discards() -> None:
    """Galois pays Hilbert, whose only card it then is: Hilbert can't lay heart 4 as what he got."""
    agreed = accepted(laid(set_up(4, "H4"), HILBERT, "B6 C6 T6"))
    for left in ("C6 T6", "T6"):
        agreed = accepted(judge(agreed, replace(show(agreed.position), papers=(three(HILBERT, left),))))
    paid = replace(with_paper(show(agreed.position), GALOIS, "three", "S6 H6"), payments={HILBERT: 1})
    agreed = due(accepted(judge(agreed, paid)))
    assert (agreed.position.to_move, agreed.position.hand_size(HILBERT)) == (HILBERT, 1)
    assert codes(laid(agreed, HILBERT, "H4", "end_flag"))[0] == "card_not_in_hand"
    assert isinstance(laid(agreed, HILBERT, "C4", "end_flag"), Accepted)


@pytest.mark.parametrize("players", [4, 5])
def test_a_card_known_to_lie_among_the_discards_is_not_drawn(players: int) -> None:
    agreed = set_up(players, "H4")
    assert isinstance(judge(agreed, look(agreed, "H4", "FK")), Refused)
    assert not agreed.position.may_be_in_deck(Card.parse("H4"))


def test_what_an_answer_says_of_the_discards_holds_for_every_placing() -> None:
    """A card newly seen under a fresh discard: whoever says that it lay there since the set-up has said so."""
    question = judge(started(4), look(started(4), "T12", "H4"))
    assert isinstance(question, Question)
    agreed = accepted(question, "deck")
    assert agreed.discards == cards("H4 FK T12")
    assert codes(laid(agreed, BANACH, "H4 O4 B4")) == ("card_not_in_hand",)


def test_what_showed_and_was_shuffled_in_may_be_drawn_and_played_again() -> None:
    agreed = shown_and_covered(4)
    later = cards("H4 O4 B4")
    while agreed.position.reshuffle_on_draw == "none":
        assert not agreed.position.may_hold(agreed.position.to_move or 0, later[0])
        agreed = draws(agreed, _drawn(agreed, later))
    agreed = draws(agreed, _drawn(agreed, later))
    assert len(agreed.discards) == 1
    drew = agreed.position.to_move or 0
    for _ in range(4):
        agreed = draws(agreed, _drawn(agreed, later))
    assert agreed.position.to_move == drew
    assert isinstance(laid(agreed, drew, "H4 O4 B4"), Accepted)


def _drawn(agreed: Agreed, never: tuple[Card, ...]) -> str:
    position = agreed.position
    seat = position.to_move or 0
    return next(str(c) for c in DECK if c not in never and position.is_legal(Research(seat, "deck", None, c)))


# --- what shows must be able to lie there


def test_a_card_for_which_there_is_no_place_left_cannot_show_below() -> None:
    agreed = set_up(5, "H4 H5 H6")
    assert agreed.peeping == set(cards("H4 H5 H6"))
    view = with_paper(look(agreed, "FK", "H7"), HILBERT, "three", "C4 O4 B4")
    assert codes(judge(agreed, view)) == ("table_disturbed",)
    assert isinstance(judge(agreed, replace(view, discard_under=cards("H6 H4"))), Accepted)


def test_a_card_in_a_hand_as_everybody_knows_cannot_show_below() -> None:
    agreed = shown_and_covered(5)
    assert agreed.discards == (None, None, *cards("H4 T12"))
    view = with_paper(look(agreed, "T12", "FK"), NOETHER, "three", "C4 O4 B4")
    assert codes(judge(agreed, view)) == ("table_disturbed",)
    assert isinstance(judge(agreed, replace(view, discard_under=cards("F9"))), Accepted)


def test_a_strange_card_below_is_a_difference_where_every_place_there_is_taken() -> None:
    agreed = set_up(5, "H4 H5 H6")
    strange = find_differences(expect_table(agreed), look(agreed, "FK", "H4 H7"))
    assert [(one.what, one.cards) for one in strange] == [(DifferenceKind.UNDER, cards("H7"))]
    assert find_differences(expect_table(agreed), look(agreed, "FK", "H4 H6")) == ()


def test_a_card_in_a_hand_as_everybody_knows_cannot_be_what_a_taken_discard_covered() -> None:
    agreed = started(5)
    agreed = accepted(judge(agreed, look(agreed, "H4")), "discard")
    verdict = judge(agreed, look(agreed, "FK"))
    assert codes(verdict) == ("card_not_in_deck",), "nor can he have drawn it"


def test_a_card_of_the_pile_that_lies_astray_goes_back_to_it() -> None:
    agreed = set_up(5, "H4")
    astray = replace(look(agreed, "FK"), loose=(Sighting("H4", 300, 420, 0),))
    verdict = judge(agreed, astray)
    assert isinstance(verdict, Refused)
    assert [(mend.item, mend.target) for mend in verdict.mend] == [("H4", "discard")]


def test_what_showed_below_does_not_count_against_a_draw_through_a_reshuffle() -> None:
    """Two cards were drawn and none discarded: that alone is wrong."""
    agreed = set_up(5, "H4")
    while (left := agreed.position.draw_count) > 0:
        view = replace(look(agreed, _drawn(agreed, cards("H4"))), draw_backs=left - 2)
        agreed = accepted(judge(agreed, view), "deck")
    assert (agreed.position.draw_count, agreed.peeping) == (0, set(cards("H4")))
    verdict = judge(agreed, replace(show(agreed.position), discard_top=None, draw_backs=1))
    assert codes(verdict) == ("wrong_count",)


def test_what_is_agreed_cannot_be_said_to_show_what_cannot_lie_there() -> None:
    with pytest.raises(ValueError, match="discard pile"):
        Agreed(started(4).position, {}, {}, frozenset(cards("H4 H5")))
