"""Seven Wonders at the table: what a look means, what the buttons tell, and all words about it.

Nothing settles without confirm. Hands are never on the mat; coins and tokens lie beside it and are reckoned.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.arrangement import CardStack
from referee.entry_data import EntryError
from referee.game import CardSet, Check, Put, Step
from referee.layout import TableLayout as AnyLayout
from referee.menu import Menu
from referee.seven_wonders.acts import move_of
from referee.seven_wonders.cards import BACKS, CARDS, back_words
from referee.seven_wonders.editor import open_editor
from referee.seven_wonders.faults import find_disturbances, newly_laid
from referee.seven_wonders.judging import reading_of
from referee.seven_wonders.layout import PILE, SPOT, TABLE_SEATS, Layout, arrange_table, layout_of
from referee.seven_wonders.look import Look, discards_now, find_places, is_on_board, may_be_staged
from referee.seven_wonders.state import STAGED, WondersState, after_acts, read_entered, staged_like, state_in
from referee.seven_wonders.taking_back import hidden_steps
from referee.seven_wonders.words import (
    card_words,
    describe_effects,
    entered_words,
    list_reminders,
    move_words,
    place_words,
    to_do,
)
from referee.table import Detections, Unread
from referee.verdict import Accepted, Comparison, Disturbance, Mend, Offer, Reading, Refused, Verdict
from referee.zones import ZoneReferee, ZoneView
from rules.game import Options
from rules.refusal import Reason, bad_record
from rules.seven_wonders.cards import AGES, BUILDINGS
from rules.seven_wonders.moves import Deal
from rules.seven_wonders.position import Position
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.state import AgePhase
from rules.text import Text, capitalise


class SevenWondersReferee(ZoneReferee):
    """A board, a city and a discard spot for each seat, and the discard pile."""

    rules = RULES
    cards: CardSet = CARDS
    seats = range(TABLE_SEATS[0], TABLE_SEATS[-1] + 1)
    setup = Text(
        "Each player's board lies in front of them; everybody takes 3 coins, and coins and tokens stay "
        "beside the mat. Nothing else lies there. Confirm begins the first age."
    )

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> Layout:
        """Return the blocks of the cities, and the discard pile."""
        return layout_of(players, mat_mm)

    # What is agreed

    def start(self, players: Sequence[str], options: Options) -> WondersState:
        """Return the state before the first age."""
        return WondersState(self.rules.start(players, options), ((),) * len(players))

    def after_move(self, before: Any, move: Any, data: Mapping[str, Any]) -> WondersState:
        """Return the state after a move, with what its entry keeps of how cards lay."""
        after = before.position.do(move)
        return state_in(after, data) if STAGED in data else after_acts(before, after, move)

    def save_details(self, state: Any) -> dict[str, Any]:
        """Return staged cards by age, the last discards, and what was entered."""
        return dict(state.save_details())

    def read_state(self, data: object, now: Any, options: Options) -> WondersState:
        """Read a state set by hand."""
        state: WondersState = super().read_state(data, now, options)
        if isinstance(data, dict) and STAGED in data:
            return state_in(state.position, data)
        return replace(state, staged=staged_like(state.position, now.staged), entered=())

    # Looking

    def observe(self, seen: Detections, layout: AnyLayout) -> ZoneView:
        """Sort the cards by the places in which their centres lie; what seems to lie on a board counts for nothing.

        What can't be read there may be a staged card, if one is missed.
        """
        assert isinstance(layout, Layout), "the layout is that of this game"
        bare = self.without_boards(seen, layout)
        staged = (mark for mark in seen.unread if mark not in bare.unread and may_be_staged(mark, layout))
        view: ZoneView = super().observe(replace(bare, unread=(*bare.unread, *staged)), layout)
        return view

    def arrange_table(self, state: Any, layout: AnyLayout) -> Iterator[CardStack]:
        """Arrange the boards, the cities, the discard spots and the pile."""
        assert isinstance(layout, Layout), "the layout is that of this game"
        return arrange_table(state, layout)

    def without_boards(self, seen: Detections, layout: AnyLayout) -> Detections:
        """Return what was seen, but for what seems to lie on a board."""
        assert isinstance(layout, Layout), "the layout is that of this game"
        sightings = tuple(one for one in seen.sightings if not layout.on_board(one.x, one.y))
        unread = tuple(one for one in seen.unread if not _of_board(one, layout))
        return replace(seen, sightings=sightings, unread=unread)

    def count_spare(self, state: Any, view: Any) -> Mapping[str, int]:
        """Return the discard pile."""
        return {PILE: state.on_pile - len(view.cards.get(PILE, ()))}

    def list_readings(self, state: Any, view: Any, layout: AnyLayout) -> Iterable[Reading]:
        """List what was done since the last confirm."""
        return () if state.position.phase is AgePhase.OVER else (reading_of(self, state, view, layout),)

    def offer(self, state: Any, view: Any, layout: AnyLayout) -> Offer | None:
        """Offer an age that was begun and its first round played, without a confirm between them."""
        if state.position.phase is not AgePhase.DEAL:
            return None
        age = state.position.age + 1
        begun = self.accept_reading(state, Reading(Deal(age)))
        played = self.judge(begun.after, view, layout)
        if not isinstance(played, Accepted):
            return None
        return Offer(
            Text("Has age {age} begun, and is this its first round?", age=age),
            Text("No"),
            Text("Yes, both"),
            (begun, played),
        )

    def find_passive_changes(self, state: Any, view: Any, layout: AnyLayout) -> dict[str, Any] | None:
        """Notice discards whose spot is empty, and those in doubt that may lie there again."""
        assert isinstance(layout, Layout), "the layout is that of this game"
        discards = discards_now(state, view, layout)
        if discards == state.discards or state.position.phase is AgePhase.OVER:
            return None
        return dict(replace(state, discards=discards).save_details())

    def apply_passive_changes(self, state: Any, data: Mapping[str, Any]) -> WondersState:
        """Return the state after that, or with what was entered by the buttons."""
        return state_in(state.position, data)

    def has_cards_out(self, state: Any) -> bool:
        """Tell whether anything has to lie anywhere: not at the end."""
        return state.position.phase is not AgePhase.OVER and not state.position.score_only

    def find_misplaced(
        self, state: Any, view: Any, layout: AnyLayout
    ) -> tuple[Iterable[Disturbance], Sequence[Unread]]:
        """Return what is not as confirmed, new cards among it."""
        assert isinstance(layout, Layout), "the layout is that of this game"
        look = Look.from_view(state, view, layout)
        return (*find_disturbances(state, look), *newly_laid(state.position, look)), look.marks

    def take_fingerprint(self, view: Any, layout: AnyLayout) -> Hashable:
        """Return which cards lie where, and how those do that lie face down on spots and on the pile."""
        spots = tuple(
            (place, round(seen.x), round(seen.y))
            for place, some in sorted(view.cards.items())
            if place.partition(":")[0] in ("discard", "pile")
            for seen in some
        )
        return super().take_fingerprint(view, layout), spots

    # Buttons

    def judge_entered(self, state: Any, data: Mapping[str, Any]) -> Verdict:
        """Take in how a seat pays for its act, or that Olympia builds it: judged with the confirm that follows."""
        if "do" in data:
            return super().judge_entered(state, data)
        position: Position = state.position
        try:
            entered = read_entered(dict(data), position.n)
        except EntryError as error:
            return Refused.from_reasons(self.rules.codes, [bad_record(error.text)], ())
        if position.phase not in (AgePhase.ROUND, AgePhase.SEVENTH):
            refusal = position.verify(move_of(position, {}))
            reasons = [] if refusal is None else [Reason(refusal.code, refusal.cards, refusal.text)]
            return Refused.from_reasons(self.rules.codes, reasons, ())
        return Accepted(None, state.with_entered(entered), (entered_words(position, entered.seat, entered.pay),))

    def open_editor(self, state: Any, view: Any, layout: AnyLayout, put: Put, parent: Menu | None) -> Menu:
        """Take the cities as they lie; ask which round comes next and for the coins."""
        return open_editor(state, view, layout, put, parent)

    # Cards named by hand

    def locate_cards(self, view: Any, layout: AnyLayout) -> dict[str, str]:
        """Return where each card lies of which there is one only."""
        return {
            seen.name: place for place, some in view.cards.items() for seen in some if self.cards.is_single(seen.name)
        }

    def name_groups(self, state: Any) -> tuple[tuple[Text | None, tuple[tuple[str, Text], ...]], ...]:
        """Return the faces by age, the guilds, and the backs."""
        ages = [
            (
                Text("Age {age} …", age=age),
                tuple(_name_face(face.id) for face in BUILDINGS if face.age == age and not face.is_guild),
            )
            for age in AGES
        ]
        guilds = (Text("Guilds …"), tuple(_name_face(face.id) for face in BUILDINGS if face.is_guild))
        backs = tuple((name, capitalise(back_words(name))) for name in BACKS)
        return (*ages, guilds, (None, backs))

    # Words

    def card_words(self, state: Any, name: str) -> Text:
        """Name a card within a sentence."""
        return card_words(name)

    def place_words(self, state: Any, place: str) -> Text:
        """Name a place."""
        return place_words(state.position, place)

    def describe_move(self, move: Any, before: Any) -> Text:
        """Describe a move as a sentence."""
        return move_words(move, before)

    def describe_effects(self, move: Any, before: Any, after: Any) -> Iterator[Text]:
        """Yield what follows from it."""
        return describe_effects(move, before, after)

    def next_up(self, state: Any) -> Text | None:
        """Say nothing: what follows from a move says it."""
        return None

    def list_reminders(self, state: Any) -> tuple[Text, ...]:
        """Say which discards and cards left over have yet to go to the pile, and who alone does something."""
        position: Position = state.position
        sentences = list(list_reminders(position, [one.seat for one in state.ungathered]))
        if position.phase in (AgePhase.SEVENTH, AgePhase.FROM_DISCARD):
            sentences += to_do(position)
        return tuple(sentences)

    # Taking back

    def recall_state(self, step: Step, now: Any) -> WondersState:
        """Return what was confirmed before; discards of the round before should have long been gathered."""
        before: WondersState = step.before
        return replace(before, discards=tuple(one.in_doubt for one in before.discards), entered=(), pile_at=())

    def list_steps(self, check: Check, comparison: Comparison) -> tuple[Mend, ...]:
        """List what can be seen, and what hands do unseen with discards and hands."""
        return (*comparison.mends, *hidden_steps(check, comparison))

    def has_hidden_cards(self, step: Step) -> bool:
        """Tell whether hands are passed or cards lie unseen."""
        return step.move is not None


def _of_board(mark: Unread, layout: Layout) -> bool:
    """Tell whether what can't be read is a board's own: of a card under it only what sticks out is a surface by itself.

    What reaches from there to a discard spot is more than the board.
    """
    if any(place.startswith(SPOT) for place in find_places(mark, layout)):
        return False
    return layout.on_board(mark.x, mark.y) or is_on_board(mark, layout)


def _name_face(name: str) -> tuple[str, Text]:
    face = next(face for face in BUILDINGS if face.id == name)
    return name, capitalise(face.text)


REFEREE = SevenWondersReferee()
