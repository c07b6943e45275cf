"""Seven Euchre at the table: what a look means, what the buttons tell, and all words about it.

Bids, passes and the two ways out of a revoke are entered by the buttons. Everything else is seen, and settles while the
table lies still; only a deal is confirmed. No hand is ever shown or named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from referee.arrangement import CardStack
from referee.game import Put
from referee.layout import TableLayout as AnyLayout
from referee.menu import Menu
from referee.seven_euchre.asking import which_card
from referee.seven_euchre.editing import ways_on
from referee.seven_euchre.judging import are_back, found_in, going_back, read_play, waiting_in_trick
from referee.seven_euchre.laid import SIDES, area_side, arrange_table, count_by_side, lying_in, side_place
from referee.seven_euchre.layout import Layout, layout_of
from referee.seven_euchre.look import Look
from referee.seven_euchre.state import (
    BACK_AGAIN,
    REVOKE,
    TRICK,
    EuchreState,
    going_back_in,
    noticed_in,
    revoke_in,
    trick_in,
    trick_json,
)
from referee.seven_euchre.telling import describe_effects, list_calls, move_words, next_words, to_do
from referee.seven_euchre.words import describe_faults, place_words
from referee.table import Unread
from referee.verdict import Accepted, Disturbance, Reading, Refused, Spot
from referee.zones import Expected, ZoneReferee, ZoneState, ZoneView
from rules.cards import Card
from rules.game import Options
from rules.seven_euchre.moves import SEATS, BackTo, Move, Play
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import DealPhase
from rules.seven_euchre.rules import RULES
from rules.text import Text


class SevenEuchreReferee(ZoneReferee):
    """The middle card, the trick, and each side's packets."""

    rules = RULES
    settles = True
    setup = Text(
        "Partners sit opposite each other. The dealer shuffles all 49 cards and deals 12 to each, one by one, "
        "clockwise. The last card goes face down in the middle; nothing else lies on the mat. Then press confirm."
    )

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> Layout:
        """Return the seats' areas, and the spots between them."""
        return layout_of(players, mat_mm)

    # What is agreed

    def start(self, players: Sequence[str], options: Options) -> EuchreState:
        """Return the state before the first deal."""
        return EuchreState(self.rules.start(players, options))

    def after_move(self, before: Any, move: Any, data: Mapping[str, Any]) -> EuchreState:
        """Return the state after a move; a proved revoke stays so
        while cards are taken in, going back takes all cards back.
        """
        after = before.position.do(move)
        if isinstance(move, BackTo):
            revoke = () if before.revoke is None else (before.revoke,)
            return EuchreState(after, None, (*before.position.round.trick, *revoke))
        if not isinstance(move, Play):
            return EuchreState(after)
        return EuchreState(after, before.revoke, trick=tuple(laid for laid in before.trick if laid[0] != move.seat))

    def read_state(self, data: object, now: Any, options: Options) -> EuchreState:
        """Read a state set by hand."""
        state = super().read_state(data, now, options)
        saved = data if isinstance(data, dict) else {}
        position = state.position
        return EuchreState(position, revoke_in(saved), going_back_in(saved, position), trick_in(saved, position))

    # Looking

    def expect_places(self, state: ZoneState) -> Mapping[str, Expected]:
        """Return the single cards; packets, which lie with either partner, are left out."""
        places = lying_in(state.position.round, ZoneView()).places
        return {place: one for place, one in places.items() if place not in map(side_place, SIDES)}

    def arrange_table(self, state: Any, layout: AnyLayout) -> Iterable[CardStack]:
        """Arrange the middle card, the trick, and each side's packets before its first partner."""
        assert isinstance(layout, Layout), "the layout is that of this game"
        return arrange_table(state.position.round, layout)

    def find_beneath(self, view: Any, layout: AnyLayout) -> Iterator[tuple[Unread, str]]:
        """Yield the unread cards under packets, which are counted by side."""
        yield from ((mark, area_side(place)) for mark, place in super().find_beneath(view, layout))

    def count_spare(self, state: Any, view: Any) -> Mapping[str, int]:
        """Return all cards of its trick for each packet."""
        tricks, seen = state.position.tricks, count_by_side(view)
        return {side_place(side): SEATS * tricks[side] - seen.count_backs(side_place(side)) for side in SIDES}

    def list_readings(self, state: Any, view: Any, layout: AnyLayout) -> Iterable[Reading]:
        """List the move that is done next, or what speaks against one."""
        position: Position = state.position
        if position.phase is DealPhase.OVER:
            return ()
        if state.going_back is not None:
            return (going_back(position, view, layout),)
        return (self._read_gathered(state, view, layout) or found_in(position, view, layout),)

    def _enter_move(self, state: Any, move: Move) -> Accepted:
        return self.accept_reading(state, Reading(move, at_once=isinstance(move, Play)))

    def _read_gathered(self, state: EuchreState, view: Any, layout: AnyLayout) -> Reading | None:
        """Play the next card of a trick that was gathered before it
        could be settled; ask for it where it was not read.
        """
        if not state.trick:
            return None
        look = Look.from_view(state.position, view, layout)
        if not look.has_gathered(state.trick):
            return None
        (seat, one), *others = state.trick
        if isinstance(one, Card):
            return read_play(state.position, Play(seat, one))
        lies = {Card.parse(name) for place in view.cards for name in view.list_faces(place)}
        elsewhere = lies.union(card for _, card in others if isinstance(card, Card))
        asked = which_card(state.position, seat, one, elsewhere, partial(self._enter_move, state))
        return None if asked is None else Reading(asked=asked)

    def find_passive_changes(self, state: Any, view: Any, layout: AnyLayout) -> dict[str, Any] | None:
        """Notice that the cards have gone back, that a card proves a revoke or no more, or what waits in the trick."""
        seen: dict[str, Any] = {}
        if state.going_back is not None:
            if not are_back(state.position, state.going_back, view, layout):
                return None
            seen[BACK_AGAIN] = True
            state = replace(state, going_back=None)
        trick = waiting_in_trick(state.position, state.trick, view, layout)
        revoke = self._find_revoke(replace(state, trick=trick), view, layout)
        if revoke != state.revoke:
            seen[REVOKE] = None if revoke is None else [revoke.seat, str(revoke.card)]
        if trick != state.trick:
            seen[TRICK] = trick_json(trick)
        return seen or None

    def _find_revoke(self, state: EuchreState, view: ZoneView, layout: AnyLayout) -> Play | None:
        """Return the card that proves a revoke, after all that the observation shows besides."""
        now: Any = state
        verdict = self.judge(now, view, layout)
        while isinstance(verdict, Accepted):
            now = verdict.after
            verdict = self.judge(now, view, layout)
        if not isinstance(verdict, Refused) or not _PROVES & {verdict.refusal.code, *verdict.refusal.also}:
            return None
        look = Look.from_view(now.position, view, layout)
        if now.trick and look.has_gathered(now.trick):
            seat, card = now.trick[0]
        else:
            seat, (card, *_) = next(iter(look.laid.items()))
        return Play(seat, card) if now.position.revoked_in(seat, card) else None

    def apply_passive_changes(self, state: Any, data: Mapping[str, Any]) -> EuchreState:
        """Return the state after that."""
        return noticed_in(data, state)

    def has_cards_out(self, state: Any) -> bool:
        """Tell whether anything has to lie anywhere: not where cards are to be dealt."""
        return state.position.phase not in (DealPhase.DEAL, DealPhase.OVER)

    def find_misplaced(
        self, state: Any, view: Any, layout: AnyLayout
    ) -> tuple[Iterable[Disturbance], Sequence[Unread]]:
        """Return what is not as confirmed; a trick that was taken up is one thing."""
        look = Look.from_view(state.position, view, layout)
        whole = look.gone if look.picked_up or look.lying.old else []
        found = describe_faults(state.position, look.off)
        return [replace(one, lost="trick") if one.lost in whole else one for one in found], look.view.unread

    def open_editor(self, state: Any, view: Any, layout: AnyLayout, put: Put, parent: Menu | None) -> Menu:
        """Ask how the game goes on: deal again, or count the deal."""
        return ways_on(state.position, put, parent)

    def list_enterable_moves(self, state: Any) -> tuple[tuple[Text, Any], ...]:
        """List calls, and the ways out of a revoke."""
        return list_calls(state, partial(self._enter_move, state))

    # Words

    def explain_unread(self, state: Any, spots: Sequence[Spot], at_once: bool = False) -> tuple[Text, ...]:
        """Say which spots can't be read, and why; what is said at once is about the trick."""
        where, what = super().explain_unread(state, spots)
        return (where, Text("Please uncover or straighten it before the trick is gathered.") if at_once else what)

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
        """Say who does what next."""
        return next_words(state.position)

    def list_reminders(self, state: Any) -> tuple[Text, ...]:
        """Say what hands have to do before the next call or card."""
        return tuple(to_do(state.position))


_PROVES = {"revoke", "card_not_in_hand", "must_follow"}
"""Refusals of a card that was played, which may prove that somebody revoked earlier."""


REFEREE = SevenEuchreReferee()
