"""Every table code of Wild Seven by an example, with what is said and what is to be put back."""

from __future__ import annotations

import pytest

from device.hardware.buttons import Button
from referee.table import Detections, Unread
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict, Waiting
from referee.wild_seven.referee import REFEREE
from referee.wild_seven.state import WildState
from rules.cards import Card
from rules.text import Language
from rules.wild_seven.moves import Get, Play, Reveal, Setup
from rules.wild_seven.position import Position
from tests.referee.wild_seven.at_the_table import PLAYERS, Table, begun, spoken
from ui.screen_state import Mood


def c(name: str) -> Card:
    return Card.parse(name)


def opened(**more: object) -> Table:
    """Ada (seat 1) has revealed the lowest rank; Ada lays book 6, Emmy star 5, Sofia onion 6."""
    table = begun("C5", "B7", "C9", **more)
    for seat, card in ((1, "B6"), (2, "S5"), (3, "O6")):
        table.lay(f"seat:{seat}", card)
        accepted(table.confirm(), Play(seat, c(card)))
    return table


def accepted(verdict: Verdict, move: object) -> None:
    assert isinstance(verdict, Accepted), verdict
    assert verdict.move == move


def refused(verdict: Verdict, code: str, *also: str) -> Refused:
    assert isinstance(verdict, Refused), verdict
    assert (verdict.refusal.code, verdict.refusal.also) == (code, also), verdict
    return verdict


def steps(verdict: Refused | Waiting) -> list[tuple[str, str, str]]:
    return [(mend.item, mend.source, mend.target) for mend in verdict.mend]


# Set-up and reveal


def test_the_set_up_says_how_many_must_be_left_over() -> None:
    table = Table()
    assert "left over" in table.session.make_screen().details[0]
    table.lay("wanted", "B5", "O8", "S9")
    assert "2 cards" in str(refused(table.confirm(), "bad_record").text)
    table.take("S9")
    accepted(table.confirm(), Setup((c("O8"), c("B5"))))


def test_a_suit_of_the_box_is_refused_at_the_set_up() -> None:
    table = Table()
    table.lay("wanted", "B5", "F8")
    refused(table.confirm(), "bad_record")


def test_a_card_elsewhere_at_the_set_up_is_a_disturbance() -> None:
    table = Table()
    table.lay("wanted", "B5", "O8")
    table.lay("seat:2", "S9")
    verdict = refused(table.confirm(), "table_disturbed")
    assert steps(verdict) == [("S9", "seat:2", "hand:2")]


def test_the_reveal_waits_until_everybody_has_laid_a_card() -> None:
    table = Table()
    table.lay("wanted", "B5", "O8")
    table.confirm()
    table.lay("seat:1", "C5")
    table.see()
    shown = table.session.make_screen()
    assert shown.mood is Mood.WAITING
    assert shown.headline == "Emmy and Sofia have yet to reveal a card."
    refused(table.confirm(), "bad_record", "table_disturbed")
    table.lay("seat:2", "B7")
    table.lay("seat:3", "C9", "T9")
    refused(table.confirm(), "bad_record", "two_actions")
    table.take("T9")
    accepted(table.confirm(), Reveal((c("C5"), c("B7"), c("C9"))))
    assert table.session.make_screen().details[0].startswith("The revealed cards join the wanted")
    assert "Ada starts." in table.session.make_screen().details


def test_a_wanted_card_is_not_revealed() -> None:
    table = Table()
    table.lay("wanted", "B5", "O8")
    table.confirm()
    for seat, card in ((1, "C5"), (2, "B7")):
        table.lay(f"seat:{seat}", card)
    table.move("B5", "seat:3")
    refused(table.confirm(), "card_not_in_hand")


def test_revealed_cards_are_waited_for_one_by_one_and_need_no_press() -> None:
    table = Table()
    table.lay("wanted", "B5", "O8")
    table.confirm()
    for seat, card in ((1, "C5"), (2, "B7"), (3, "C9")):
        table.lay(f"seat:{seat}", card)
    table.confirm()
    table.move("B7", "wanted")
    assert table.see() == ()
    shown = table.session.make_screen()
    assert shown.mood is Mood.WAITING
    assert len(shown.put_back) == 2
    assert "book 7" not in spoken(shown)
    assert sorted(table.session.agreed.to_join) == ["C5", "C9"]
    # A power cut in between: they are still waited for.
    again = type(table.session).resume(table.session.history.header, table.kept, table.layout)
    assert again.agreed == table.session.agreed
    table.lay("seat:1", "H4")
    verdict = refused(table.confirm(), "bump_missing")
    assert steps(verdict) == [("C5", "seat:1", "wanted"), ("C9", "seat:3", "wanted")]
    table.move("C5", "wanted")
    table.move("C9", "wanted")
    accepted(table.confirm(), Play(1, c("H4")))


# Turns


def test_a_bumped_card_must_join_the_wanted() -> None:
    table = opened()
    table.take("B5")
    table.lay("seat:1", "back")
    table.move("B6", "wanted")
    accepted(table.confirm(), Get(1, c("B5")))
    table.move("S5", "wanted")
    accepted(table.confirm(), Get(2))
    table.capture("S5", 3)
    table.move("O6", "wanted")
    accepted(table.confirm(), Get(3, c("S5")))
    for seat, card in ((1, "H4"), (2, "O7")):
        table.lay(f"seat:{seat}", card)
        table.confirm()
    table.lay("seat:3", "H3")
    table.see()
    shown = table.session.make_screen()
    assert shown.mood is Mood.WAITING
    assert shown.put_back == ("Put heart 4 from Ada's area to the wanted.",)
    verdict = refused(table.confirm(), "bump_missing")
    assert steps(verdict) == [("H4", "seat:1", "wanted")]
    table.move("H4", "wanted")
    accepted(table.confirm(), Play(3, c("H3")))
    assert "heart 4 of Ada" in spoken(table.session.make_screen()).lower().replace("ada", "Ada")


def test_a_card_that_is_not_bumped_stays() -> None:
    table = begun("C5", "B7", "C9")
    table.lay("seat:1", "B6")
    table.confirm()
    table.lay("seat:2", "S5")
    table.move("B6", "wanted")
    verdict = refused(table.confirm(), "bump_wrong")
    assert steps(verdict) == [("B6", "wanted", "seat:1")]
    table.move("B6", "seat:1")
    accepted(table.confirm(), Play(2, c("S5")))


def test_the_own_card_joins_the_wanted() -> None:
    table = opened()
    table.capture("B5", 1)
    table.see()
    assert table.session.make_screen().mood is Mood.WAITING
    verdict = refused(table.confirm(), "own_card_left")
    assert steps(verdict) == [("B6", "seat:1", "wanted")]
    table.move("B6", "wanted")
    accepted(table.confirm(), Get(1, c("B5")))
    assert "book 5" not in spoken(table.session.make_screen())


def test_play_and_get_in_one_turn() -> None:
    table = opened()
    table.capture("B5", 1)
    table.move("B6", "wanted")
    table.lay("seat:1", "H2")
    verdict = refused(table.confirm(), "two_actions")
    assert steps(verdict) == [("H2", "seat:1", "hand:1")]
    table.take("H2")
    accepted(table.confirm(), Get(1, c("B5")))


def test_get_after_play_in_one_turn() -> None:
    table = begun("C5", "B7", "C9")
    table.lay("seat:1", "B6")
    table.capture("B5", 1)
    refused(table.confirm(), "two_actions")
    table.move("B6", "wanted")
    verdict = table.confirm()
    assert isinstance(verdict, Refused)
    assert "two_actions" in (verdict.refusal.code, *verdict.refusal.also)


def test_two_cards_laid_or_taken() -> None:
    table = begun("C5", "B7", "C9")
    table.lay("seat:1", "B6", "H3")
    verdict = refused(table.confirm(), "two_actions")
    assert sorted(steps(verdict)) == [("B6", "seat:1", "hand:1"), ("H3", "seat:1", "hand:1")]
    table.take("H3")
    table.confirm()
    for seat, card in ((2, "S5"), (3, "O6")):
        table.lay(f"seat:{seat}", card)
        table.confirm()
    table.capture("B5", 1)
    table.capture("C5", 1)
    table.move("B6", "wanted")
    verdict = refused(table.confirm(), "two_actions")
    assert sorted(card for card, _, _ in steps(verdict) if card != "back") == ["B5", "B6", "C5"]


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (lambda table: table.lay("seat:1", "H3"), "must_get"),
        (lambda table: table.lay("seat:2", "H3"), "out_of_turn"),
        (lambda table: table.move("S5", "wanted"), "out_of_turn"),
        (lambda table: (table.capture("O8", 1), table.move("B6", "wanted")), "not_smaller"),
        (lambda table: (table.capture("S5", 1), table.move("B6", "wanted")), "not_wanted"),
        (lambda table: table.move("B6", "wanted"), "get_compulsory"),
    ],
)
def test_what_the_rules_refuse_is_seen_on_the_table(do: object, code: str) -> None:
    table = opened()
    before = {place: list(names) for place, names in table.cards.items()}
    do(table)  # type: ignore[operator]
    verdict = table.confirm()
    assert isinstance(verdict, Refused)
    assert code in (verdict.refusal.code, *verdict.refusal.also), verdict
    assert verdict.mend
    table.cards = before
    table.see()
    assert table.session.make_screen().mood is Mood.WAITING


def test_a_get_without_a_card_in_front() -> None:
    table = begun("C5", "B7", "C9")
    table.capture("B5", 1)
    refused(table.confirm(), "must_play")


def test_a_card_from_the_wanted_is_not_played() -> None:
    table = begun("C5", "B7", "C9")
    table.move("B5", "seat:1")
    refused(table.confirm(), "card_not_in_hand")


def test_a_captured_card_lies_face_down() -> None:
    table = opened()
    table.move("B5", "seat:1")
    table.move("B6", "wanted")
    verdict = refused(table.confirm(), "table_disturbed")
    assert [str(mend.text) for mend in verdict.mend] == ["Lay book 5 face down in Ada's area."]
    table.capture("B5", 1)
    accepted(table.confirm(), Get(1, c("B5")))
    # A card of the pile turned up later is not named.
    table.lay("seat:1", "B5")
    verdict = refused(table.confirm(), "table_disturbed")
    assert "book 5" not in str(verdict.text) + str(verdict.mend[0].text)


@pytest.mark.parametrize(
    ("do", "step"),
    [
        (lambda table: table.move("O8", "table"), ("O8", "table", "wanted")),
        (lambda table: table.lay("seat:3", "back"), ("back", "seat:3", "hand:3")),
        (lambda table: table.move("S5", "table"), ("S5", "table", "seat:2")),
        (lambda table: table.lay("wanted", "H2"), ("H2", "wanted", "hand:1")),
        (lambda table: table.lay("table", "H2"), ("H2", "table", "hand:1")),
    ],
)
def test_what_nobody_may_do_is_a_disturbance(do: object, step: tuple[str, str, str]) -> None:
    table = opened()
    do(table)  # type: ignore[operator]
    assert steps(refused(table.confirm(), "table_disturbed")) == [step]


def test_nothing_done_yet() -> None:
    assert str(refused(opened().confirm(), "table_disturbed").text) == "Nothing has been done yet."


# Cards that can't be read


def unread(table: Table, name: str, *candidates: str) -> Unread:
    """Make the card unreadable where it lies."""
    seen = next(seen for seen in table.sightings() if seen.name == name)
    table.take(name)
    return Unread(seen.x, seen.y, seen.angle, "glare", candidates)


def test_an_unread_card_that_stayed_matters_to_nobody() -> None:
    table = begun("C5", "B7", "C9")
    mark = unread(table, "O8", "O8", "O7")
    table.see(mark)
    assert table.session.make_screen().mood is Mood.WAITING
    table.lay("seat:1", "B6")
    accepted(table.confirm(mark), Play(1, c("B6")))


def test_the_card_that_was_laid_must_be_read() -> None:
    table = begun("C5", "B7", "C9")
    mark = Unread(550.0, 611.0, 0.0, "glare", ("B6", "B8"))
    verdict = table.confirm(mark)
    assert isinstance(verdict, CantSee)
    assert [(spot.place, spot.cause) for spot in verdict.spots] == [("seat:1", "glare")]
    assert table.session.make_screen().mood is Mood.CANT_SEE


def test_what_was_taken_must_not_be_guessed() -> None:
    table = opened()
    mark = unread(table, "C5", "C5", "B5")
    table.capture("B5", 1)
    table.move("B6", "wanted")
    assert isinstance(table.confirm(mark), CantSee)


def test_an_unread_card_is_named_by_hand() -> None:
    table = begun("C5", "B7", "C9")
    mark = Unread(550.0, 611.0, 0.0, "glare", ("B6", "B8"))
    table.confirm(mark)
    table.watched = False  # the menu of names lists every card there is
    table.session.press(Button.CONFIRM, held=True)
    for words in ("Name", "Book 6"):
        for _ in range(20):
            shown = table.session.make_screen()
            if words in shown.choices[shown.chosen]:
                break
            table.session.press(Button.DOWN)
        assert words in shown.choices[shown.chosen], shown.choices
        table.session.press(Button.CONFIRM)
    table.see(mark)
    assert table.session.make_screen().mood is Mood.PREVIEW
    accepted(table.confirm(mark), Play(1, c("B6")))


# Taking back, words


def test_a_get_is_taken_back_without_naming_the_card() -> None:
    table = opened()
    table.capture("B5", 1)
    table.move("B6", "wanted")
    table.confirm()
    table.session.judge.undo()
    table.see()
    shown = table.session.make_screen()
    assert shown.mood is Mood.CHECK
    assert "Put the card that Ada captured in that turn back among the wanted." in shown.put_back
    assert "book 5" not in spoken(shown)
    table.move("back", "wanted")
    table.take("back")
    table.lay("wanted", "B5")
    table.move("B6", "seat:1")
    table.see()
    assert not table.session.checking
    table.session.judge.redo()
    table.see()
    assert "book 5" not in spoken(table.session.make_screen()).lower()


def test_a_reveal_is_taken_back_to_everybodys_hand() -> None:
    table = begun("C5", "B7", "C9")
    table.session.judge.undo()
    table.see()
    shown = table.session.make_screen()
    assert any("coin 9" in step and "Sofia's hand" in step for step in shown.put_back), shown.put_back
    table.take("C5", "B7", "C9")
    table.see()
    assert not table.session.checking


def test_players_are_shown_with_the_number_of_captured_cards() -> None:
    table = opened(language=Language.JA)
    table.capture("B5", 1)
    table.move("B6", "wanted")
    table.confirm()
    assert [(line.shown, line.to_move) for line in table.session.make_screen().players] == [
        ("獲得1枚", False),
        ("獲得0枚", True),
        ("獲得0枚", False),
    ]


def test_the_wanted_come_before_the_seats() -> None:
    for players in (3, 4, 5):
        layout = REFEREE.make_layout(players, (1189.0, 841.0))
        assert layout.place_at(594, 0.63 * 841) == "wanted"
        assert layout.place_at(300, 0.63 * 841) == "seat:1"


def with_piles(captured: int) -> Table:
    """Noether's onion 8 lies in front of her pile of so many; Hilbert is to move and lays coin 9."""
    position = Position.from_json(
        {
            "game": "wild_seven",
            "players": list(PLAYERS[:3]),
            "phase": "play",
            "seat": 1,
            "hands": None,
            "sizes": [7, 7, 11 - captured],
            "wanted": ["H2", "H5", "B4", "C7", "S6"],
            "front": [None, None, "O8"],
            "captured": [["H3", "H4"], ["B5", "B6"], ["C5", "C6", "S5", "S7"][:captured]],
        }
    )
    table = Table(watched=False)
    table.session.judge.set_position(WildState(position))
    table.lay("wanted", *position.to_json()["wanted"])
    for seat in (1, 2, 3):
        table.lay(f"seat:{seat}", *["back"] * (2 if seat == 3 and captured > 1 else 1))
    table.lay("seat:3", "O8")
    table.lay("seat:1", "C9")
    return table


@pytest.mark.parametrize(
    ("captured", "gone", "candidates", "answer"),
    [
        (4, "O8", (), CantSee),  # it may be a third back of hers
        (4, "O8", ("O8", "back"), CantSee),
        (4, "O8", ("O8", "H7"), Accepted),
        (4, "O8", ("back",), Refused),
        (1, "O8", (), Accepted),  # her only captured card shows, so it can be nothing else
        (4, "back", (), CantSee),  # her pile shows already
        (4, "back", ("back",), Accepted),
        (1, "back", (), Accepted),
    ],
)
def test_what_can_not_be_read_beside_a_pile_is_counted(
    captured: int, gone: str, candidates: tuple[str, ...], answer: type
) -> None:
    table = with_piles(captured)
    seen = next(one for one in table.sightings() if one.name == gone and one.x > 594 and one.y < 300)
    table.cards["seat:3"].remove(gone)
    mark = Unread(seen.x, seen.y, seen.angle, "glare", candidates)
    assert isinstance(table.confirm(mark), answer)


@pytest.mark.parametrize(
    ("captured", "marks", "visible", "answer"),
    [(4, 1, 0.4, Accepted), (4, 2, 0.4, Accepted), (4, 3, 0.4, CantSee), (4, 1, 1.0, CantSee), (2, 1, 0.4, CantSee)],
)
@pytest.mark.parametrize(("cause", "likely"), [("covered", ("T9",)), ("glare", ()), ("doubtful", ("H6", "S4"))])
def test_what_peeps_out_from_a_captured_pile_is_not_needed(
    captured: int, marks: int, visible: float, answer: type, cause: str, likely: tuple[str, ...]
) -> None:
    table = with_piles(captured)
    seen = next(one for one in table.sightings() if one.name == "back" and one.x > 594 and one.y < 300)
    peeping = [Unread(seen.x + 5.0 + k, seen.y + 7.0, 3.0, cause, likely, visible) for k in range(marks)]
    assert isinstance(table.confirm(*peeping), answer)


@pytest.mark.parametrize(("cause", "answer"), [("foreign", Accepted), ("glare", CantSee), ("covered", CantSee)])
def test_what_is_taken_for_none_of_the_cards_learnt_may_be_any_that_must_lie_there(cause: str, answer: type) -> None:
    table = with_piles(4)
    seen = next(one for one in table.sightings() if one.name == "H5")
    table.cards["wanted"].remove("H5")
    assert isinstance(table.confirm(Unread(seen.x, seen.y, 0.0, cause, ("T9",))), answer)


@pytest.mark.parametrize("captured", [1, 2, 4])
def test_a_card_that_is_gone_is_missed_however_many_backs_can_not_be_read(captured: int) -> None:
    table = with_piles(captured)
    backs = [seen for seen in table.sightings() if seen.name == "back" and seen.y < 300 and seen.x > 594]
    table.take("O8")
    table.cards["seat:3"] = []
    marks = [Unread(seen.x, seen.y, seen.angle, "glare") for seen in backs]
    assert not isinstance(table.confirm(*marks), Accepted)


def test_a_card_in_front_that_nobody_could_read_is_asked_for_once_it_was_bumped() -> None:
    table = begun("C5", "B7", "C9")
    mark = Unread(550.0, 611.0, 0.0, "glare", ("B8", "B6"))
    assert isinstance(table.confirm(mark), CantSee)
    # Emmy plays on all the same, and the unread card joins the wanted.
    table.lay("seat:2", "B4")
    table.lay("wanted", "B6")
    asked = table.confirm()
    assert isinstance(asked, Question)
    assert str(asked.text) == "Which card did Ada lay in front?"
    assert [str(choice.text) for choice in asked.choices] == ["Book 6", "None of these"]
    assert asked.spot is not None
    assert asked.spot.place == "seat:1"
    told = table.session.press(Button.CONFIRM)
    assert told is not None
    accepted(told, Play(1, c("B6")))
    accepted(table.confirm(), Play(2, c("B4")))
    table.lay("seat:3", "H3")
    accepted(table.confirm(), Play(3, c("H3")))


@pytest.mark.parametrize(("laid", "asked"), [("B9 B8", "B8 B9"), ("B8 B9", "B8 B9"), ("B9 S8", ""), ("B9 B3", "")])
def test_several_cards_laid_unread_one_after_the_other_are_asked_for_in_any_order(laid: str, asked: str) -> None:
    table = begun("C5", "B7", "C9")
    table.lay("wanted", *laid.split())
    table.lay("seat:3", "B4")
    state, view = table.session.agreed, REFEREE.observe(Detections(tuple(table.sightings())), table.layout)
    verdict = REFEREE.judge(state, view, table.layout)
    choices = verdict.choices[:-1] if isinstance(verdict, Question) else ()
    assert [str(Card.parse(name).text).capitalize() for name in asked.split()] == [str(one.text) for one in choices]
    for one in choices:
        assert isinstance(one.verdict, Accepted)
        again = REFEREE.judge(one.verdict.after, view, table.layout)
        assert isinstance(again, Question)
        assert len(again.choices) == 2
        assert isinstance(again.choices[0].verdict, Accepted)
        last = REFEREE.judge(again.choices[0].verdict.after, view, table.layout)
        accepted(last, Play(3, c("B4")))


@pytest.mark.parametrize("names", ["H4 H5 H6 H7 B8 B9 S5 S6", "B6 B8 B9", "B6 B8 B9 H4 H5 H6 H7 S5 S6 S7"])
def test_cards_that_nobody_has_seen_among_the_wanted_are_judged_soon(names: str) -> None:
    table = begun("C5", "B7", "C9")
    table.lay("wanted", *names.split())
    table.lay("seat:3", "B4")
    view = REFEREE.observe(Detections(tuple(table.sightings())), table.layout)
    judged = []
    judge = REFEREE.judge
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(REFEREE, "judge", lambda *look: (judged.append(look), judge(*look))[1])
        assert isinstance(REFEREE.judge(table.session.agreed, view, table.layout), Refused)
    assert len(judged) <= 1 + 3, "one for each turn that may have been missed"


def test_two_cards_in_front_are_two_turns_of_which_one_goes_back() -> None:
    table = begun("C5", "B7", "C9")
    table.lay("seat:1", "B6")
    table.lay("seat:2", "S5")
    assert steps(refused(table.confirm(), "table_disturbed")) == [("S5", "seat:2", "hand:2")]


def test_nothing_is_asked_where_the_next_turn_was_none() -> None:
    table = begun("C5", "B7", "C9")
    table.lay("seat:2", "S5")
    refused(table.confirm(), "out_of_turn")
    table.lay("seat:1", "B6")
    table.lay("seat:3", "O6", "T9")
    assert isinstance(table.confirm(), Refused)
