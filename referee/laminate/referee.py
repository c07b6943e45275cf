"""Laminate Rummy at the table, as one of the games."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.arrangement import CardStack
from referee.game import CardSet, Check, Put, Step
from referee.laminate.entry_data import agreed_in, agreed_set_in, thanks_in
from referee.laminate.expected_layout import Agreed
from referee.laminate.explain import card_words, describe, describe_effects, place_words
from referee.laminate.house.making import making_menu
from referee.laminate.judging import forget_taken_thanks, reading_of
from referee.laminate.position_editor import setting_menu
from referee.laminate.table_diff import find_misplaced, take_fingerprint
from referee.laminate.two_turns import two_turns
from referee.laminate.undo import has_hidden_cards, recall_state, steps_again, steps_back
from referee.laminate.view.arranging import arrange_table
from referee.laminate.view.layouts import PaperLayout, layout_for
from referee.laminate.view.naming import card_places, name_groups, place_of, with_name
from referee.laminate.view.observing import BACK, table_view
from referee.laminate.view.table import TableView
from referee.layout import TableLayout as AnyLayout
from referee.menu import Menu
from referee.table import Detections, Unread
from referee.verdict import (
    Accepted,
    Choice,
    Comparison,
    Disturbance,
    Mend,
    Offer,
    Question,
    Reading,
    Refused,
    Spot,
    Verdict,
)
from referee.zones import NameGroups, ZoneReferee
from rules.cards import DECK
from rules.game import Options
from rules.laminate.ending import repair_end
from rules.laminate.house.kinds import KEY, house_kind
from rules.laminate.moves import EndFlag, Move
from rules.laminate.papers import LAMINATE, PaperKind
from rules.laminate.position import Phase, Position
from rules.laminate.refusals import CODES
from rules.laminate.rules import RULES
from rules.refusal import Reason, bad_record
from rules.text import Text, player, say_number

_SIDES = ("review", "complete")
_PAPERS = {f"{kind.name}/{side}": kind.copies for kind in LAMINATE.kinds for side in _SIDES}

_TWO_TURNS = (
    Text("Or were these two turns, without confirm between them?"),
    Text("Yes, these were two turns."),
)
_FLAG_TOO = (
    Text("Or is this the move and then the End Flag, without confirm between them?"),
    Text("Yes, both."),
)


class LaminateReferee(ZoneReferee):
    """What everybody can see of a game of papers, citations and reviews, judged."""

    rules = RULES
    cards = CardSet(
        (*map(str, DECK), *_PAPERS),
        (BACK,),
        ("seven", "review", "complete"),
        {**_PAPERS, BACK: len(DECK)},
        papers=LAMINATE.kinds,
    )
    setup = Text("Lay the draw pile and the discards; when every hand has three cards, press confirm.")

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> PaperLayout:
        """Return seats, piles and payment spots."""
        return layout_for(players, mat_mm)

    house_key = KEY

    def house_paper(self, name: str) -> PaperKind:
        """Return a paper that players made themselves."""
        return house_kind(name)

    def make_paper(self, then: Callable[[str], Menu | None], parent: Menu | None) -> Menu:
        """Ask what a new paper takes, its points and its copies."""
        return making_menu(then, parent)

    def scoring_papers(self, state: Agreed) -> tuple[tuple[str, ...], ...]:
        """Return the complete papers' kinds, by seat."""
        areas = state.position.areas.papers
        return tuple(tuple(paper.kind for paper in area if paper.complete) for area in areas)

    # What is agreed

    def start(self, players: Sequence[str], options: Options) -> Agreed:
        """Return the state before the set-up."""
        return Agreed(RULES.start(players, options))

    def after_move(self, before: Agreed, move: Move, data: Mapping[str, Any]) -> Agreed:
        """Return the state after a legal move, with the thanks and discards that were seen then."""
        return agreed_in(data, before.position.do(move))

    def save_details(self, state: Agreed) -> dict[str, Any]:
        """Return thanks that still lie there, and discards that have shown."""
        data = state.to_json()
        del data["position"]
        return data

    def read_state(self, data: object, now: Agreed, options: Options) -> Agreed:
        """Read a state set by hand."""
        return agreed_set_in(data, now.position)

    def repair_state(self, state: Agreed) -> Agreed:
        """Put a state right whose end of the game could not be."""
        position = repair_end(state.position)
        return state if position is state.position else replace(state, position=position)

    # Looking

    def observe(self, seen: Detections, layout: AnyLayout) -> TableView:
        """Observe papers, piles and thanks."""
        return table_view(seen.sightings, [_clear_guess(mark) for mark in seen.unread], _own_layout(layout))

    def arrange_table(self, state: Agreed, layout: AnyLayout) -> Iterator[CardStack]:
        """Arrange the piles, thanks and papers."""
        return arrange_table(state, _own_layout(layout))

    def find_beneath(self, view: TableView, layout: AnyLayout) -> Iterator[tuple[Unread, str]]:
        """Yield the unread cards that peep out from under a pile of which the top is read."""
        yield from ((mark, pile) for mark, pile in view.beneath if mark in view.unread)

    def count_spare(self, state: Agreed, view: TableView) -> Mapping[str, int]:
        """Return how many discards, and cards to draw, lie there besides those that are read."""
        shown = len(view.discard_under) + (view.discard_top in state.discards)
        return {"discard": len(state.discards) - shown, "draw": state.position.draw_count - view.draw_backs}

    def has_cards_out(self, state: Agreed) -> bool:
        """Tell whether anything has to lie anywhere: not before the set-up."""
        return state.position.phase is not Phase.SETUP

    def list_readings(self, state: Agreed, view: TableView, layout: AnyLayout) -> tuple[Reading, ...]:
        """List what happened since the confirmed state."""
        return () if state.position.phase is Phase.OVER else (reading_of(self, state, view, _own_layout(layout)),)

    def find_misplaced(
        self, state: Agreed, view: TableView, layout: AnyLayout
    ) -> tuple[list[Disturbance], tuple[Unread, ...]]:
        """Return how papers, piles and thanks differ from what must lie there."""
        return find_misplaced(state, view, _own_layout(layout))

    def find_passive_changes(self, state: Agreed, view: TableView, layout: AnyLayout) -> dict[str, Any] | None:
        """Notice thanks that were taken away."""
        thanks = forget_taken_thanks(state, view, _own_layout(layout)).thanks
        if thanks == state.thanks:
            return None
        return {"thanks": {str(seat): count for seat, count in sorted(thanks.items())}}

    def apply_passive_changes(self, state: Agreed, data: Mapping[str, Any]) -> Agreed:
        """Return the state with the thanks that still lie there."""
        return replace(state, thanks=thanks_in(data, len(state.position.players)))

    def offer(self, state: Agreed, view: TableView, layout: AnyLayout) -> Offer | None:
        """Offer two turns, or a turn and the End Flag, without confirm between them."""
        turns = two_turns(self, state, view, _own_layout(layout))
        if turns is None:
            return None
        asked, yes = _FLAG_TOO if isinstance(turns[1].move, EndFlag) else _TWO_TURNS
        return Offer(asked, Text("No, we put it right."), yes, turns)

    def take_fingerprint(self, view: TableView, layout: AnyLayout) -> Hashable:
        """Return all that lies there but where exactly."""
        return take_fingerprint(view, _own_layout(layout))

    def pressed_twice(self, accepted: Accepted, state: Agreed) -> Question:
        """Ask about confirm pressed again at once: by the same hand, or to pass for the next player."""
        position = state.position
        who = player(position.get_name(position.to_move or position.first_seat))
        words = Text("Nobody has passed; it is {who}'s turn.", who=who)
        no = self.refuse_reading(Reading(reasons=(Reason("out_of_turn", (), words),)))
        yes = accepted.text
        return Question(
            Text("Confirm was pressed twice. Does {who} pass?", who=who),
            (
                Choice(Text("No, it is {who}'s turn.", who=who), no),
                Choice(Text("Yes. {yes}", yes=yes), accepted),
            ),
        )

    def judge_entered(self, state: Agreed, data: Mapping[str, Any]) -> Verdict:
        """Enter nothing: this game has no such moves."""
        return Refused.from_reasons(CODES, [bad_record(Text("no move of this game is told"))], ())

    # Cards named by hand

    def place_of(self, mark: Unread, view: TableView, layout: AnyLayout) -> str:
        """Return where an unread card lies."""
        return place_of(mark, view, _own_layout(layout))

    def locate_cards(self, view: TableView, layout: AnyLayout) -> dict[str, str]:
        """Return where each SEVEN card lies."""
        return card_places(view, _own_layout(layout))

    def with_name(self, view: TableView, mark: Unread, name: str, layout: AnyLayout) -> TableView:
        """Return the view with one unread card read as ``name``."""
        return with_name(view, mark, name, _own_layout(layout))

    def name_groups(self, state: Agreed) -> NameGroups:
        """Return SEVEN cards by suit, paper cards by side, a back."""
        return name_groups(state.position.catalogue)

    # Words

    def card_words(self, state: Agreed, name: str) -> Text:
        """Name a SEVEN card, a paper card or a back."""
        return card_words(state.position, name)

    def place_words(self, state: Agreed, place: str) -> Text:
        """Name a place."""
        return place_words(state.position, place)

    def explain_unread(self, state: Agreed, spots: Sequence[Spot], at_once: bool = False) -> tuple[Text, ...]:
        """Say which spots can't be read, and why."""
        where, _ = super().explain_unread(state, spots)
        return where, Text("Please uncover or straighten it and confirm again.")

    def describe_move(self, move: Move, before: Position) -> Text:
        """Describe a move as a sentence."""
        return describe(move, before)

    def describe_effects(self, move: Move, before: Position, after: Position) -> Iterator[Text]:
        """Yield a paper complete, the End Flag, the countdown, the end."""
        return describe_effects(move, before, after)

    def next_up(self, state: Agreed) -> Text | None:
        """Say who is next; the End Flag has been asked for already."""
        return super().next_up(state) if state.position.phase is Phase.PLAY else None

    def list_reminders(self, state: Agreed) -> tuple[Text, ...]:
        """Say which thank-you cards their authors have yet to take."""
        sentences = []
        for seat, count in sorted(state.thanks.items()):
            who, cards = player(state.position.get_name(seat)), say_number(count)
            sentences.append(Text("{who}, take your thanks into your hand: {cards}.", who=who, cards=cards))
        return tuple(sentences)

    # Taking back

    def recall_state(self, step: Step, now: Agreed) -> Agreed:
        """Return what is confirmed before a step that is taken back, with the set-up discards seen since."""
        return recall_state(step, now)

    def list_steps(self, check: Check, comparison: Comparison) -> tuple[Mend, ...]:
        """List all that hands do to take a turn back or to put it back."""
        if check.back:
            return steps_back(check.step, check.then.thanks, comparison.mends)
        return steps_again(check.step, comparison.mends)

    def has_hidden_cards(self, step: Step) -> bool:
        """Tell whether putting that step back moves cards that nobody may see."""
        return has_hidden_cards(step.move)

    # Set by hand

    def open_editor(self, state: Agreed, view: TableView, layout: AnyLayout, put: Put, parent: Menu | None) -> Menu:
        """Ask whose turn it is, for the hands, the discards, the end."""
        return setting_menu(state, view, _own_layout(layout), put, parent)


def _clear_guess(mark: Unread) -> Unread:
    """Take an unread card that may be any of its kind for none of the deck's."""
    head = next(iter(mark.candidates), "").partition("/")[1]
    return mark if head else replace(mark, candidates=mark.guesses)


def _own_layout(layout: AnyLayout) -> PaperLayout:
    assert isinstance(layout, PaperLayout), "the layout is the one that this referee gave"
    return layout


REFEREE = LaminateReferee()
