"""When things go wrong at the table: the state is named, the ways out work, and the record says so."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import Entry
from referee.laminate.position_editor import Draft, find_hindrances
from referee.laminate.view.table import TableView
from referee.table import Sighting, Unread
from referee.verdict import Accepted, CantSee, Refused
from rules.cards import DECK, Card
from rules.laminate.moves import Publish, Research, Review
from rules.laminate.position import Phase, Position
from rules.record import check_record
from rules.text import Language
from tests.device.evening import Table, after
from tests.device.openings import header
from tests.device.seeing import perfect_view
from ui.screen_state import Mood, TablePicture, Thumbnail

BACK, CONFIRM, DOWN, UP = Button.BACK, Button.CONFIRM, Button.DOWN, Button.UP


def knocked_over(view: TableView) -> TableView:
    """Every second paper and the draw pile have been swept off their places."""
    swept = view.papers[1::2]
    loose = [
        Sighting(name, paper.x + 70, paper.y + 25 * number, 40.0)
        for paper in swept
        for number, name in enumerate([f"{paper.kind}/review", *map(str, paper.cards)])
    ]
    return replace(view, papers=view.papers[::2], loose=tuple(loose), draw_backs=0)


def may_be_drawn(position: Position) -> Card:
    """Return a card that nobody has seen yet."""
    lying = {card for paper in position.papers for card in paper.cards} | set(position.discards)
    return next(card for card in reversed(DECK) if card not in lying and position.may_be_in_deck(card))


# --- before confirm


def test_the_preview_shows_before_confirm_and_confirm_only_settles_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = after(14)
    judged = []
    asked = table.session.judge._judged
    judge = asked._ask
    monkeypatch.setattr(asked, "_ask", lambda *given: judged.append(given) or judge(*given))
    table.cards.lay_discard(may_be_drawn(table.session.position))
    table.see()
    before = table.session.position
    preview = table.session.make_screen()
    assert preview.mood is Mood.PREVIEW
    assert "discards" in preview.headline
    assert table.session.position is before
    assert isinstance(table.session.press(CONFIRM), Accepted)
    assert table.session.make_screen().headline == preview.headline
    assert len(judged) == 1


def test_an_untouched_table_previews_nothing() -> None:
    table = after(14)
    table.press(BACK)
    table.see()
    assert table.session.make_screen().mood is Mood.WAITING


def test_thanks_that_nobody_has_taken_are_mentioned() -> None:
    table = after(8, thanks=True)
    author = table.session.position.get_name(min(table.session.agreed.thanks))
    wanted = f"{author}, take your thanks"
    assert any(wanted in told for told in table.session.make_screen().details), "with what was accepted"
    table.press(BACK)
    table.see()
    assert table.session.make_screen().mood is Mood.WAITING
    assert any(wanted in told for told in table.session.make_screen().details), "and while they lie there"
    for seat, count in table.cards.count_payments().items():
        table.cards.unpay(seat, count)
    table.see()
    assert not any(wanted in told for told in table.session.make_screen().details)


def test_faults_show_before_confirm_with_a_picture() -> None:
    table = after(14)
    table.cards.lay_paper(table.session.position.to_move or 1, "three", [Card.parse("HA"), Card.parse("O2")], False)
    table.see()
    screen = table.session.make_screen()
    assert screen.mood is Mood.FAULT
    assert isinstance(screen.picture, TablePicture)
    assert len(screen.picture.arrows) == len(screen.put_back) > 0
    assert isinstance(table.confirm(), Refused)
    assert table.session.make_screen().mood is Mood.REFUSED


# --- out of step


def test_a_knocked_over_table_is_out_of_step_until_it_is_mended() -> None:
    table = after(24)
    whole = table.view
    table.session.see(knocked_over(whole))
    screen = table.session.make_screen()
    assert table.session.judge.out_of_step
    assert screen.mood is Mood.OUT_OF_STEP
    assert len(screen.put_back) >= 3
    table.press(DOWN)
    assert table.session.make_screen().page == 1
    assert isinstance(table.session.confirm(knocked_over(whole)), Refused)
    before = table.session.position
    table.session.see(whole)
    assert not table.session.judge.out_of_step
    assert table.session.make_screen().mood is Mood.WAITING
    assert table.session.position is before


def test_a_knocked_over_table_is_out_of_step_though_some_cards_can_not_be_read() -> None:
    table = after(24)
    over = knocked_over(table.view)
    marks = tuple(Unread(300.0 + 90 * number, 700.0, 30.0, "covered") for number in range(2))
    table.session.see(replace(over, unread=marks, loose=over.loose[2:]))
    screen = table.session.make_screen()
    assert screen.mood is Mood.OUT_OF_STEP
    assert any("2 cards can't be read" in told for told in screen.details)


def test_who_insists_on_a_disturbed_table_learns_that_it_is_out_of_step() -> None:
    table = after(14)
    odd = replace(table.view, loose=(Sighting("HA", 600.0, 700.0, 0.0),))
    table.session.confirm(odd)
    assert not table.session.judge.out_of_step
    table.session.confirm(odd)
    assert table.session.judge.out_of_step


def test_the_menu_compares_table_and_record() -> None:
    table = after(14)
    table.see()
    table.open_menu()
    table.choose("Compare")
    assert (table.session.make_screen().mood, table.session.make_screen().put_back) == (Mood.NOTICE, ())
    table.press(CONFIRM)
    assert table.session.make_screen().mood is Mood.ACCEPTED


def test_one_card_on_the_floor_is_only_a_preview_and_two_are_a_fault() -> None:
    table = next(t for t in map(after, range(20, 60)) if any(len(p.cards) > 3 for p in t.session.position.papers))
    paper = next(paper for paper in table.session.position.papers if len(paper.cards) > 3)
    before = table.cards.take_snapshot()
    table.cards.take_from_paper(paper.seat, paper.kind, paper.cards[0])
    table.see()
    assert str(paper.cards[0].text) in table.session.make_screen().headline
    table.cards.take_from_paper(paper.seat, paper.kind, paper.cards[1])
    assert isinstance(table.confirm(), Refused)
    assert any(str(card.text) in step for step in table.session.make_screen().put_back for card in paper.cards[:2])
    table.cards.restore(before)
    table.see()
    assert table.session.make_screen().mood is Mood.WAITING


def test_a_deck_shuffled_too_early_can_be_played_on_from() -> None:
    table = after(14)
    shuffled = replace(table.view, discard_top=None, discard_under=())
    assert isinstance(table.session.confirm(shuffled), Refused)
    table.open_menu()
    table.choose("Set the position")
    table.press(CONFIRM)
    for _ in table.session.position.players:
        table.press(CONFIRM)
    drawn = table.session.position.draw_count + len(table.session.position.discards)
    table.choose("Yes")
    assert table.session.position.discards == ()
    assert table.session.position.draw_count == drawn
    assert table.session.log.entries[-1].kind == "correction"
    table.session.see(shuffled)
    assert table.session.make_screen().mood is Mood.WAITING


# --- two turns


def two_turns_at_once() -> Table:
    """Two players have published, one after the other, and nobody has pressed confirm."""
    table, later = after(37, seed=2), after(39, seed=2)
    assert all(isinstance(move, Publish) for move in later.moves[37:])
    table.cards = later.cards
    return table


def review_and_draw() -> Table:
    """Return a table where a paper lost a card and one was discarded: whose turn was which, nobody can see."""
    for moves in range(10, 60):
        table = after(moves)
        position = table.session.position
        papers = [paper for paper in position.papers if len(paper.cards) > 2]
        if papers and position.phase is Phase.PLAY and position.draw_count > 3 and not table.session.agreed.thanks:
            table.cards.take_from_paper(papers[0].seat, papers[0].kind, papers[0].cards[0])
            table.cards.lay_discard(may_be_drawn(position))
            return table
    raise AssertionError("no paper under review")


def test_two_turns_in_no_certain_order_are_only_refused() -> None:
    table = review_and_draw()
    verdict = table.confirm()
    assert isinstance(verdict, Refused)
    assert "two_actions" in (verdict.refusal.code, *verdict.refusal.also)
    assert table.session.make_screen().choices == ()


def test_two_turns_without_confirm_are_refused_and_then_offered() -> None:
    table = two_turns_at_once()
    position = table.session.position
    verdict = table.confirm()
    assert isinstance(verdict, Refused)
    screen = table.session.make_screen()
    assert screen.mood is Mood.REFUSED
    assert screen.chosen == 0
    assert len(screen.choices) == 2
    assert table.session.position is position
    table.press(DOWN)
    accepted = table.session.press(CONFIRM)
    assert isinstance(accepted, Accepted)
    first, second = table.session.history.moves[-2:]
    assert isinstance(first, Publish)
    assert isinstance(second, Publish)
    assert second.seat == first.seat % 3 + 1
    assert [entry.kind for entry in table.session.log.entries[-2:]] == ["move", "move"]


def test_who_says_that_it_was_one_turn_sees_what_to_put_right() -> None:
    table = two_turns_at_once()
    table.confirm()
    position = table.session.position
    assert isinstance(table.session.press(CONFIRM), Refused)
    screen = table.session.make_screen()
    assert (screen.mood, screen.choices) == (Mood.REFUSED, ())
    assert screen.put_back
    assert table.session.position is position


def test_a_missed_confirm_between_two_draws_is_offered_too() -> None:
    table = after(20)
    for _ in range(2):
        fresh = next(c for c in reversed(DECK) if c != table.view.discard_top and c not in before_cards(table))
        table.cards.lay_discard(fresh)
    assert isinstance(table.session.confirm(perfect_view(table.cards, table.layout)), Refused)
    table.press(DOWN, CONFIRM)
    assert [type(move) for move in table.session.history.moves[-2:]] == [Research, Research]


# --- taking back


def test_undo_and_redo_reach_back_to_the_set_up_and_check_the_table() -> None:
    # How the table lay after every move, once the thanks were taken.
    whole = [replace(after(moves).view, payments={}) for moves in range(1, 16)]
    table = after(15)
    session = table.session
    positions = [step.before.position for step in session.history.past]
    last = session.position
    for left in range(14, -1, -1):
        table.press(BACK, held=True)
        assert session.position == positions[left]
        if left:
            assert session.checking
            assert session.make_screen().put_back
            assert isinstance(session.confirm(whole[left]), Refused), "nothing is accepted before it lies right"
            session.see(whole[left - 1])
            session.press(CONFIRM)
            assert not session.checking
    assert session.position.phase is Phase.SETUP
    assert not session.history.past
    for view in whole:
        session.judge.redo()
        session.see(view)
        session.press(CONFIRM)
        assert not session.checking
    assert session.position == last
    assert not session.history.future


def test_taking_a_turn_back_waits_until_the_table_lies_as_before() -> None:
    table = after(14)
    before = table.cards.take_snapshot()
    table.cards.lay_discard(may_be_drawn(table.session.position))
    table.confirm()
    table.press(BACK, held=True)
    assert table.session.make_screen().mood is Mood.CHECK
    assert isinstance(table.session.confirm(table.view), Refused)
    assert table.session.checking
    table.cards.restore(before)
    table.see()
    assert table.session.checking, "what was drawn goes back unseen, so confirm says that it has"
    assert table.session.press(CONFIRM) is None
    assert not table.session.checking
    assert table.session.make_screen().mood is Mood.WAITING


def test_taking_back_names_no_hidden_card() -> None:
    for language in Language.all():
        table = after(14, language=language)
        shown = may_be_drawn(table.session.position)
        table.cards.lay_discard(shown)
        table.confirm()
        table.press(BACK, held=True)
        screen = table.session.make_screen()
        words = " ".join((screen.headline, *screen.details, *screen.put_back))
        public = {shown, *table.session.agreed.discards}
        for card in DECK:
            name = card.text.said(Language.JA) if language is Language.JA else str(card.text)
            # "star 1" is no card, but "star 1" would be found in "star 10".
            assert card in public or f"{name} " not in f"{words} ".replace(",", " ").replace(".", " ")


def test_putting_a_draw_back_says_what_becomes_of_the_kept_card() -> None:
    table = after(14)
    before = table.cards.take_snapshot()
    shown = may_be_drawn(table.session.position)
    table.cards.lay_discard(shown)
    with_it = table.cards.take_snapshot()
    table.confirm()
    drawn = table.session.position
    table.press(BACK, held=True)
    table.cards.restore(before)
    table.see()
    table.press(CONFIRM)
    table.session.judge.redo()
    table.see()
    steps = table.session.make_screen().put_back
    assert any("takes the card kept" in step and f"picks {shown.text} out" in step for step in steps)
    assert any("on top of the discard pile" in step for step in steps)
    table.cards.restore(with_it)
    table.see()
    assert table.session.checking, "what lies in the hand is confirmed by hand"
    table.press(CONFIRM)
    assert not table.session.checking
    assert table.session.position == drawn


def test_putting_a_publication_back_says_that_the_thanks_are_given_again() -> None:
    table = after(8, thanks=True)
    move = table.session.history.moves[-1]
    assert isinstance(move, Publish)
    table.press(BACK, held=True)
    table.session.judge.redo()
    for language in Language.all():
        table.session.speak(language)
        steps = table.session.make_screen().put_back
        for seat in move.pay:
            author = table.session.position.get_name(seat)
            told = f"{author}さんに渡して" if language is Language.JA else f"gives {author} the thanks again"
            assert any(told in step for step in steps), steps


def test_thanks_already_taken_go_back_when_a_publication_is_taken_back() -> None:
    table = after(8, thanks=True)
    move = table.session.history.moves[-1]
    assert isinstance(move, Publish)
    for seat, count in table.cards.count_payments().items():
        table.cards.unpay(seat, count)
    table.see()
    assert table.session.log.entries[-1].kind == "noticed"
    table.press(BACK, held=True)
    steps = table.session.make_screen().put_back
    authors = [table.session.position.get_name(seat) for seat in move.pay]
    assert all(any(f"{author} gives" in step for step in steps) for author in authors)
    table.session.judge.redo()
    assert table.session.position == table.session.history.past[-1].after.position


def test_a_new_move_after_an_undo_drops_what_was_taken_back() -> None:
    table = after(14)
    before = table.cards.take_snapshot()
    first, other = may_be_drawn(table.session.position), None
    table.cards.lay_discard(first)
    table.confirm()
    table.press(BACK, held=True)
    table.cards.restore(before)
    table.see()
    table.press(CONFIRM)
    other = next(card for card in DECK if card != first and card not in before_cards(table))
    table.cards.lay_discard(other)
    assert isinstance(table.confirm(), Accepted)
    assert not table.session.history.future


def before_cards(table: Table) -> set[Card | None]:
    position = table.session.position
    return {card for paper in position.papers for card in paper.cards} | set(position.discards)


# --- naming by hand


def hidden(view: TableView, names: tuple[str, ...] = ()) -> tuple[TableView, Card]:
    """Make the top discard unreadable."""
    assert view.discard_top is not None
    mark = Unread(642.0, 420.0, 0.0, "glare", names)
    return replace(view, discard_top=None, unread=(mark,)), view.discard_top


def test_a_card_that_can_not_be_read_is_named_by_hand_and_counts_until_it_moves() -> None:
    table = after(14)
    table.cards.lay_discard(may_be_drawn(table.session.position))
    blurred, card = hidden(table.view)
    assert isinstance(table.session.confirm(blurred), CantSee)
    table.open_menu()
    table.choose("Name a card", str(card.suit.text).capitalize(), str(card.text).capitalize())
    assert table.session.log.entries[-1].kind == "named"
    assert table.session.make_screen().mood is Mood.PREVIEW
    verdict = table.session.press(CONFIRM)
    assert isinstance(verdict, Accepted)
    assert verdict.move == Research(verdict.move.seat, "deck", None, card)  # type: ignore[union-attr]
    table.session.see(blurred)
    assert [named.name for named in table.session.history.named] == [str(card)]
    table.cards.take_discard()
    table.see()
    assert table.session.history.named == ()
    marked = [json.loads(line) for line in table.session.history.write_record()]
    assert {"do": "correction", "by_hand": "named", "card": str(card), "place": "discard"} in marked


def test_likely_names_come_first() -> None:
    table = after(14)
    new, lain = may_be_drawn(table.session.position), table.view.discard_top
    elsewhere = str(table.session.position.papers[0].cards[0])
    assert lain is not None
    table.cards.lay_discard(new)
    blurred, _ = hidden(table.view, (elsewhere, str(lain), str(new)))
    table.session.see(blurred)
    table.open_menu()
    table.choose("Name a card")
    shown = table.session.make_screen().choices
    assert shown[:2] == (str(lain.text).capitalize(), str(new.text).capitalize()), (
        "what is agreed to lie there, then the reader's"
    )


def unread_discard() -> tuple[Table, TableView, Card]:
    """Discard a card that can't be read, and let confirm say so."""
    table = after(14)
    table.cards.lay_discard(may_be_drawn(table.session.position))
    blurred, card = hidden(table.view)
    table.session.see(blurred)
    assert isinstance(table.session.press(CONFIRM, pressed_s=10.0), CantSee)
    return table, blurred, card


def test_confirm_at_a_card_that_can_not_be_read_asks_for_its_name_and_shows_it() -> None:
    table, _, card = unread_discard()
    close_up, asked = Thumbnail((2, 1), bytes(6)), []
    seen = replace(table.session.screens, close_up=lambda spot: asked.append(spot.place) or close_up)
    table.session.screens = seen
    assert table.session.make_screen().picture.seen is close_up, "it is seen before it is asked for"
    table.session.press(CONFIRM, pressed_s=13.0)
    shown = table.session.make_screen()
    assert shown.headline == "Which card lies here: the discard pile?"
    assert (shown.picture.seen, asked[-1]) == (close_up, "discard")
    assert len(shown.picture.table.unseen) == 1
    table.choose(str(card.suit.text).capitalize(), str(card.text).capitalize())
    assert isinstance(table.session.press(CONFIRM), Accepted)


def test_a_press_too_many_names_nothing() -> None:
    table, _, _ = unread_discard()
    table.session.press(CONFIRM, pressed_s=10.4)
    asked = table.session.make_screen()
    assert asked.choices
    table.session.press(CONFIRM, pressed_s=11.0, now_s=11.0)
    assert table.session.make_screen() == asked
    table.session.press(DOWN, pressed_s=None, now_s=11.2)
    table.session.press(CONFIRM, pressed_s=None, now_s=11.4)
    assert table.session.make_screen() != asked, "whoever chooses has read"


def test_what_is_straightened_is_not_asked_for_any_more() -> None:
    table, blurred, _ = unread_discard()
    table.session.press(CONFIRM, pressed_s=13.0)
    table.session.see(replace(blurred, unread=tuple(replace(mark, x=mark.x + 0.3) for mark in blurred.unread)))
    assert table.session.make_screen().choices, "it lies there still"
    table.see()
    assert table.session.make_screen().mood is Mood.PREVIEW
    assert isinstance(table.session.press(CONFIRM), Accepted)


def test_no_name_is_guessed_of_a_card_that_looks_like_none_of_the_deck() -> None:
    table = after(14)
    seen = Unread(300.0, 420.0, 0.0, "foreign", (str(may_be_drawn(table.session.position)),))
    table.session.see(replace(table.view, unread=(seen,)))
    table.open_menu()
    table.choose("Name a card")
    assert table.session.make_screen().choices[0] == "Heart …"


def test_a_name_that_can_not_be_is_refused() -> None:
    table = after(14)
    below = replace(table.view, unread=(Unread(650.0, 412.0, 0.0, "covered", ("HA",), 0.2),))
    position = table.session.position
    foreign = next(
        card for card in DECK if card not in position.discards and position.may_be_in_deck(card) and card.rank == 9
    )
    known = next(card for card in position.discards[:-1] if card is not None)
    lies = position.papers[0].cards
    table.session.see(below)
    table.open_menu()
    table.choose("Name a card", str(foreign.suit.text).capitalize())
    assert not {str(card.text).capitalize() for card in lies}.intersection(table.session.make_screen().choices)
    table.choose(str(foreign.text).capitalize(), "Choose another")
    assert table.session.history.named == ()
    table.choose(str(known.text).capitalize())
    assert [named.name for named in table.session.history.named] == [str(known)]


def test_setting_the_position_asks_for_what_can_not_be_read_first() -> None:
    table = after(14)
    below = replace(table.view, unread=(Unread(650.0, 412.0, 0.0, "covered", (), 0.2),))
    known = next(card for card in table.session.position.discards[:-1] if card is not None)
    table.session.see(below)
    table.open_menu()
    table.choose("Set the position")
    shown = table.session.make_screen()
    assert shown.headline == "Which card lies here: the discard pile?"
    assert isinstance(shown.picture, TablePicture)
    assert len(shown.picture.unseen) == 1
    table.choose(str(known.text).capitalize())
    assert "discard pile" not in table.session.make_screen().headline
    assert table.session.make_screen().choices, "it goes on with what the table does not show"


def test_a_paper_card_named_by_hand_holds_its_cards_together() -> None:
    table = next(t for t in map(after, range(14, 60)) if any(len(p.cards) > 2 for p in t.session.position.papers))
    view = table.view
    paper = next(paper for paper in view.papers if len(paper.cards) > 2)
    away = 1 if paper.y > 420 else -1
    loose = tuple(
        Sighting(str(card), paper.x, paper.y + away * (25 + 20 * number), 0.0)
        for number, card in enumerate(paper.cards)
    )
    mark = Unread(paper.x, paper.y, 0.0, "glare", (f"{paper.kind}/review",))
    headless = replace(
        view, papers=tuple(other for other in view.papers if other is not paper), loose=loose, unread=(mark,)
    )
    table.session.see(headless)
    table.open_menu()
    table.choose("Name a card", "under review")
    seen = table.session.judge.view
    assert seen is not None
    found = next(other for other in seen.papers if (other.seat, other.kind) == (paper.seat, paper.kind))
    assert set(found.cards) == set(paper.cards)


# --- setting the position


def test_a_position_set_from_the_untouched_table_is_the_agreed_one() -> None:
    table = after(30, thanks=True)
    agreed = table.session.agreed
    assert find_hindrances(agreed, table.view, table.layout) == ()
    draft = Draft.from_table(agreed, table.view)
    assert draft.adds_up
    assert draft.to_agreed() == agreed
    again = draft.to_agreed(forget=True)
    old, new = agreed.position, again.position
    assert (new.points, new.papers, new.to_move) == (old.points, old.papers, old.to_move)
    assert (new.draw_count, len(new.discards)) == (old.draw_count, len(old.discards))
    assert [new.hand_size(seat) for seat in (1, 2, 3)] == [old.hand_size(seat) for seat in (1, 2, 3)]
    assert again.thanks == agreed.thanks
    looser = 0
    for seat in (1, 2, 3):
        for card in DECK:
            assert new.may_hold(seat, card) >= old.may_hold(seat, card), "nobody is accused who was not before"
            looser += new.may_hold(seat, card) > old.may_hold(seat, card)
    assert looser > 0


def test_what_is_known_is_kept_where_one_hand_alone_has_changed() -> None:
    """Somebody reviewed a paper, and nobody pressed confirm: the position is set with that card in the hand."""
    table = next(t for t in map(after, range(14, 60)) if any(len(p.cards) > 2 for p in t.session.position.papers))
    agreed = table.session.agreed
    position = agreed.position
    seat = position.to_move or 0
    paper = next(paper for paper in position.papers if len(paper.cards) > 2)
    card = paper.cards[0]
    table.cards.take_from_paper(paper.seat, paper.kind, card)
    set_by_hand = Draft.from_table(agreed, table.view).to_agreed().position
    played = position.do(Review(seat, paper.seat, paper.kind, card))
    for player in (1, 2, 3):
        for other in DECK:
            assert set_by_hand.may_hold(player, other) == played.may_hold(player, other)
    assert Draft.from_table(agreed, table.view).known is not None
    # Two hands that have changed say nothing about which card went where.
    hands = list(Draft.from_table(agreed, table.view).hands)
    hands[seat % 3] += 1
    assert replace(Draft.from_table(agreed, table.view), hands=tuple(hands)).known is None


def test_a_discard_that_nobody_confirmed_lies_on_the_known_ones() -> None:
    table = after(20)
    agreed = table.session.agreed
    shown = may_be_drawn(agreed.position)
    table.cards.lay_discard(shown)
    draft = Draft.from_table(agreed, table.view)
    assert draft.to_agreed().position.discards == (*agreed.discards, shown)
    again = Draft.from_table(draft.to_agreed(), replace(table.view, discard_top=agreed.discards[-1], discard_under=()))
    fewer = replace(again, discards=again.discards - 1)
    assert fewer.to_agreed().position.discards == agreed.discards


def test_a_position_is_not_set_from_a_table_with_open_questions() -> None:
    table = after(24)
    told = find_hindrances(table.session.agreed, knocked_over(table.view), table.layout)
    assert len(told) > 2
    table.session.see(knocked_over(table.view))
    table.open_menu()
    table.choose("Set the position")
    assert table.session.make_screen().choices == ("Back",)


def test_numbers_that_do_not_add_up_are_counted_again() -> None:
    table = after(14)
    table.see()
    table.open_menu()
    table.choose("Set the position", "Hilbert's turn", "20", "20")
    table.press(CONFIRM, CONFIRM)
    assert table.session.make_screen().choices == ("Count again",)


def test_a_table_that_changes_while_a_position_is_set_is_asked_about_again() -> None:
    table = after(14)
    table.see()
    table.open_menu()
    table.choose("Set the position")
    table.press(*[CONFIRM] * 5)
    before = table.session.position
    table.cards.lay_discard(may_be_drawn(before))
    table.see()
    table.choose("Yes", "Start again")
    assert table.session.position is before
    table.press(*[CONFIRM] * 5)
    table.choose("Yes")
    assert table.session.position.top_discard == table.view.discard_top
    assert len(table.session.position.discards) == len(before.discards) + 1


# --- the journal


def test_an_entry_that_can_not_be_kept_changes_nothing() -> None:
    table = after(14)
    table.cards.lay_discard(may_be_drawn(table.session.position))

    def full(entry: Entry) -> None:
        raise OSError("disk full")

    table.session.log.keep = full
    before = table.session.history
    with pytest.raises(OSError, match="disk full"):
        table.confirm()
    assert table.session.history is before
    table.session.log.keep = lambda entry: None
    assert isinstance(table.session.press(CONFIRM), Accepted)


def test_a_resumed_session_is_the_same_and_still_checks_an_undo() -> None:
    table = after(20)
    table.press(BACK, held=True)
    session = table.session
    again = Session.resume(header(session.position.players, 1), session.log.entries, language=Language.JA)
    assert again.history == session.history
    assert again.checking
    assert again.log.entries == session.log.entries
    again.see(table.view)
    assert again.make_screen().mood is Mood.CHECK


def test_corrections_are_marked_in_the_record_and_the_check_goes_on() -> None:
    table = after(14)
    table.press(BACK, held=True)
    table.session.judge.redo()
    table.see()
    table.open_menu()
    table.choose("Set the position")
    table.press(*[CONFIRM] * 5)
    table.choose("Yes")
    lines = [json.loads(line) for line in table.session.history.write_record()]
    assert [line["by_hand"] for line in lines if line.get("do") == "correction"] == ["taken_back", "position"]
    verdicts = list(check_record(table.session.history.write_record()))
    assert all(line.get("verdict") == "accepted" for line in verdicts[:-1])
    assert verdicts[-1]["final"] == list(table.session.position.points)


@given(st.data())
@settings(max_examples=80)
def test_a_record_with_a_spoilt_position_is_refused_and_never_ends_the_check(data: st.DataObject) -> None:
    saved = json.loads(json.dumps(SAVED))
    spoilt: Any = saved
    while isinstance(spoilt, dict | list) and spoilt:
        keys = sorted(spoilt) if isinstance(spoilt, dict) else range(len(spoilt))
        key = data.draw(st.sampled_from(list(keys)))
        if not isinstance(spoilt[key], dict | list) or data.draw(st.booleans()):
            spoilt[key] = data.draw(st.sampled_from((None, -1, 0, 7, 99, "H7", "x", [], ["HA"], {}, True, 2.5)))
            break
        spoilt = spoilt[key]
    header = json.dumps({"game": "laminate", "version": 1, "players": saved["players"], "first_seat": 1})
    lines = [header, json.dumps({"do": "correction", "position": saved})]
    lines += [json.dumps(move.to_json()) for move in MOVES]
    verdicts = list(check_record(lines))
    assert len(verdicts) >= len(lines)


_SPOILT = after(12)
SAVED = Draft.from_table(_SPOILT.session.agreed, replace(_SPOILT.view, payments={})).to_agreed().position.to_json()
MOVES = [
    Research(seat, source, card, discard)
    for seat in (1, 2, 3)
    for source, card, discard in (("deck", None, Card.parse("FK")), ("discard", Card.parse("T8"), None))
] + [Publish(1, "three", (Card.parse("H7"), Card.parse("O7"), Card.parse("B7")))]


def test_pause_and_language_are_in_the_menu() -> None:
    table = after(14)
    table.open_menu()
    table.choose("Pause")
    assert table.session.make_screen().mood is Mood.PAUSED
    table.press(UP)
    table.open_menu()
    table.choose("日本語")
    assert table.session.make_screen().language is Language.JA
