"""Seven Euchre at the table: what a look means, what the buttons tell, and all words about it.

Bids, passes and the two ways out of a revoke are told by the buttons. Everything else is seen, and settles while the
table lies still; only a deal is confirmed. No hand is ever shown or named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from referee.game import Put
from referee.layout import Layout as AnyLayout
from referee.menu import Menu
from referee.seven_euchre.asking import which_card
from referee.seven_euchre.editing import ways_on
from referee.seven_euchre.judging import are_back, found_in, going_back, judged, waiting_in_trick
from referee.seven_euchre.laid import Back, Difference, lying_in
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
from referee.seven_euchre.telling import follows, move_words, next_words, to_do, told_now
from referee.seven_euchre.words import Repair, place_words
from referee.verdict import Accepted, Comparison, Question, Refused, Verdict
from referee.zones import Expected, Off, ZoneReferee, ZoneState, ZoneView
from rules.cards import Card
from rules.game import Options
from rules.refusal import game_over
from rules.seven_euchre.moves import BackTo, Exchange, Move, Play, TurnUp
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import Phase
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

    def layout(self, players: int, mat_mm: tuple[float, float]) -> Layout:
        """The seats' areas, and the spots between them."""
        return layout_of(players, mat_mm)

    # What is agreed

    def start(self, players: Sequence[str], options: Options) -> EuchreState:
        """The state before the first deal."""
        return EuchreState(self.rules.start(players, options))

    def after_move(self, before: Any, move: Any, data: Mapping[str, Any]) -> EuchreState:
        """A revoke that lies proved stays so while others' cards are taken in; after going back all cards go back."""
        after = before.position.do(move)
        if isinstance(move, BackTo):
            revoke = () if before.revoke is None else (before.revoke,)
            return EuchreState(after, None, (*before.position.round.trick, *revoke))
        if not isinstance(move, Play):
            return EuchreState(after)
        return EuchreState(after, before.revoke, trick=tuple(laid for laid in before.trick if laid[0] != move.seat))

    def read_state(self, data: object, now: Any, options: Options) -> EuchreState:
        """A state set by hand."""
        state = super().read_state(data, now, options)
        saved = data if isinstance(data, dict) else {}
        position = state.position
        return EuchreState(position, revoke_in(saved), going_back_in(saved, position), trick_in(saved, position))

    # Looking

    def expected(self, state: ZoneState) -> Mapping[str, Expected]:
        """The single cards; packets, which lie with either partner, are left out."""
        lying = lying_in(state.position.round, ZoneView())
        places = {place: Expected(backs=(count, count)) for place, count in lying.backs.items()}
        for card, place in lying.faces.items():
            places[place] = Expected(frozenset({card}))
        return places

    def candidates(self, state: Any, view: ZoneView) -> Iterable[Move]:
        """None: looks are judged as a whole."""
        return ()

    def judge(self, state: Any, view: Any, layout: AnyLayout) -> Verdict:
        """The move that is done next, a fault, or what is waited for."""
        position: Position = state.position
        if position.phase is Phase.OVER:
            return Refused.of(self.rules.codes, [game_over()], ())
        if state.going_back is not None:
            return going_back(position, view, layout)
        found = self._gathered(state, view, layout) or found_in(position, view, layout)
        return self._accept(state, found) if isinstance(found, Move) else found

    def _accept(self, state: Any, move: Move) -> Accepted:
        accepted = self._accepted(move, state, self.after_move(state, move, {}))
        return replace(accepted, at_once=isinstance(move, Play | Exchange | TurnUp))

    def _gathered(self, state: EuchreState, view: Any, layout: AnyLayout) -> Play | Refused | Question | None:
        """The next card of a trick that was gathered before it could be settled; asked for where it was not read."""
        if not state.trick:
            return None
        look = Look.of(state.position, view, layout)
        if not look.has_gathered(state.trick):
            return None
        (seat, one), *others = state.trick
        if isinstance(one, Card):
            return judged(state.position, Play(seat, one))
        lies = {Card.parse(name) for place in view.cards for name in view.faces(place)}
        elsewhere = lies.union(card for _, card in others if isinstance(card, Card))
        return which_card(state.position, seat, one, elsewhere, partial(self._accept, state))

    def noticed(self, state: Any, view: Any, layout: AnyLayout) -> dict[str, Any] | None:
        """That the cards have gone back, that a card proves a revoke or no more, or what waits in the trick."""
        seen: dict[str, Any] = {}
        if state.going_back is not None:
            if not are_back(state.position, state.going_back, view, layout):
                return None
            seen[BACK_AGAIN] = True
            state = replace(state, going_back=None)
        trick = waiting_in_trick(state.position, state.trick, view, layout)
        revoke = self._revoke(replace(state, trick=trick), view, layout)
        if revoke != state.revoke:
            seen[REVOKE] = None if revoke is None else [revoke.seat, str(revoke.card)]
        if trick != state.trick:
            seen[TRICK] = trick_json(trick)
        return seen or None

    def _revoke(self, state: EuchreState, view: ZoneView, layout: AnyLayout) -> Play | None:
        """The card that proves a revoke, after all that the look shows besides."""
        now: Any = state
        verdict = self.judge(now, view, layout)
        while isinstance(verdict, Accepted):
            now = verdict.after
            verdict = self.judge(now, view, layout)
        if not isinstance(verdict, Refused) or not _PROVES & {verdict.refusal.code, *verdict.refusal.also}:
            return None
        look = Look.of(now.position, view, layout)
        if now.trick and look.has_gathered(now.trick):
            seat, card = now.trick[0]
        else:
            seat, (card, *_) = next(iter(look.laid.items()))
        return Play(seat, card) if now.position.revoked_in(seat, card) else None

    def after_notice(self, state: Any, data: Mapping[str, Any]) -> EuchreState:
        """The state after that."""
        return noticed_in(data, state)

    def compare(self, state: Any, view: Any, layout: AnyLayout) -> Comparison:
        """How the table differs; where cards are to be dealt nothing has to lie anywhere."""
        position: Position = state.position
        if position.phase in (Phase.DEAL, Phase.OVER):
            return Comparison()
        look = Look.of(position, view, layout)
        repair = Repair.of(position, look.off)
        gone = sum(map(_was_touched, look.off)) - (len(look.gone) - 1 if look.picked_up or look.lying.old else 0)
        return Comparison(repair.told, repair.mends, len(look.view.unread), max(0, gone))

    def editor(self, state: Any, view: Any, layout: AnyLayout, put: Put, parent: Menu | None) -> Menu:
        """Ask how the game goes on: deal again, or count the deal."""
        return ways_on(state.position, put, parent)

    def told(self, state: Any) -> tuple[tuple[Text, Any], ...]:
        """Calls, and the ways out of a revoke."""
        return told_now(state, partial(self._accept, state))

    # Words

    def place_words(self, state: Any, place: str) -> Text:
        """A place in words."""
        return place_words(state.position, place)

    def describe_move(self, move: Any, before: Any) -> Text:
        """A move as a sentence."""
        return move_words(move, before)

    def consequences(self, move: Any, before: Any, after: Any) -> Iterator[Text]:
        """What follows from it."""
        return follows(move, before, after)

    def next_up(self, state: Any) -> Text | None:
        """Who does what next."""
        return next_words(state.position)

    def reminders(self, state: Any) -> tuple[Text, ...]:
        """What hands have to do before the next call or card."""
        return tuple(to_do(state.position))


_PROVES = {"revoke", "card_not_in_hand", "must_follow"}
"""Refusals of a card that was played, which may prove that somebody revoked earlier."""


def _was_touched(one: Difference) -> bool:
    """Whether something that lay there is not as it was."""
    return one.home is not None if isinstance(one, Off) else isinstance(one, Back) and one.missing


REFEREE = SevenEuchreReferee()
