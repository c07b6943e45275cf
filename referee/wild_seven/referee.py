"""Wild Seven at the table: what a look means, and all words about it.

What was captured is known, but never named on the display before the end: a sentence about a Get says who captured
a card and not which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from referee.game import Check, Step
from referee.layout import SEATS, Area, Layout, Zone
from referee.verdict import (
    Accepted,
    CantSee,
    Choice,
    Comparison,
    Mend,
    Question,
    Refused,
    Spot,
    Verdict,
    Waiting,
)
from referee.wild_seven.laid import WANTED, Difference, Pile, agreed_places, differences, places_of
from referee.wild_seven.reading import Reading, lies_face_up, may_be_taken, readings, taken_by
from referee.wild_seven.state import WildState, joined_in, joining_in
from referee.wild_seven.words import disturbed, mend_of
from referee.zones import BACK, Expected, Off, PlaceAt, ZoneReferee, ZoneState, ZoneView, stood_for
from rules.cards import Card
from rules.game import Options
from rules.refusal import Reason, bad_record, game_over
from rules.text import Text, capitalised, listed, listing, number, player, plural
from rules.wild_seven import refusals as because
from rules.wild_seven.deck import left_over
from rules.wild_seven.moves import Deal, Get, Move, Play, Reveal, Setup, Turn
from rules.wild_seven.position import Phase, Position
from rules.wild_seven.rules import RULES

_WANTED = Zone(WANTED, Area(0.27, 0.73, 0.36, 0.64), Text("the wanted"))


class WildSevenReferee(ZoneReferee):
    """The wanted in the middle; in each area the card in front and the captured pile."""

    rules = RULES
    setup = Text(
        "Deal all cards of the suits in play, lay the cards left over face up in the middle, then press confirm."
    )

    def layout(self, players: int, mat_mm: tuple[float, float]) -> Layout:
        """The seats' areas, and the wanted over them."""
        return Layout(SEATS[players], mat_mm, (_WANTED,))

    # What is agreed

    def start(self, players: Sequence[str], options: Options) -> WildState:
        """The state before the deal."""
        return WildState(self.rules.start(players, options))

    def after_move(self, before: Any, move: Any, data: Mapping[str, Any]) -> WildState:
        """After a reveal its cards have yet to be seen among the wanted; any other move leaves none of them behind."""
        joining = move.cards if isinstance(move, Reveal) else ()
        return WildState(before.position.do(move), tuple(joining))

    def read_state(self, data: object, now: Any, options: Options) -> WildState:
        """A state set by hand."""
        state: WildState = super().read_state(data, now, options)
        saved = data.get("joining", []) if isinstance(data, dict) else []
        return replace(state, joining=joining_in(saved, state.position))

    # Looking

    def expected(self, state: ZoneState) -> Mapping[str, Expected]:
        """The wanted, the cards in front, the captured piles."""
        return places_of(state.position)

    def candidates(self, state: Any, view: ZoneView) -> Iterable[Move]:
        """None: ``judge`` reads a look for itself."""
        return ()

    def judge(self, state: Any, view: Any, layout: Layout) -> Verdict:
        """What was done, by what lies where."""
        phase = state.position.phase
        if phase is Phase.OVER:
            return Refused.of(self.rules.codes, [game_over()], ())
        if phase is Phase.SETUP:
            return self._judge_setup(state, view, layout)
        if phase is Phase.REVEAL:
            return self._judge_reveal(state, view, layout)
        return self._judge_turn(state, view, layout)

    def _judge_setup(self, state: WildState, view: ZoneView, layout: Layout) -> Verdict:
        if view.unread:
            return self._cant_see(state, view, layout)
        cards = tuple(sorted(map(Card.parse, view.faces(WANTED)), key=lambda card: card.index))
        move = Setup(cards)
        n, count = len(state.position.players), left_over(len(state.position.players))
        if len(cards) != count:
            need, there = number(count), number(len(cards))
            words = Text(
                "With {players} players {due} must be left over as the wanted; {there} lie there.",
                players=n,
                due=need,
                there=there,
            )
            return Refused.of(self.rules.codes, [bad_record(words)], ())
        refusal = state.position.verify(move)
        if refusal is not None:
            return self._refused(refusal, ())
        after = self.after_move(state, move, {})
        left = differences(places_of(after.position), view)
        return self._of_table(after, left) if left else self._accepted(move, state, after)

    def _judge_reveal(self, state: WildState, view: ZoneView, layout: Layout) -> Verdict:
        position: Position = state.position
        agreed = places_of(position)
        view = stood_for(view, agreed, self._place_at(view, layout))
        if view.unread:
            return self._cant_see(state, view, layout)
        seats = range(1, len(position.players) + 1)
        laid = {seat: [Card.parse(name) for name in view.faces(f"seat:{seat}")] for seat in seats}
        shown = {card for cards in laid.values() for card in cards}
        left = [
            one
            for one in differences(agreed, view)
            if not (isinstance(one, Off) and Card.parse(one.card) in shown and one.found != WANTED)
        ]
        if left or not shown:
            return self._of_table(state, left)
        mends = self.compare(state, view, layout).mends
        more = [
            because.two_cards(who=player(position.players[seat - 1]), cards=cards)
            for seat, cards in laid.items()
            if cards[1:]
        ]
        if more:
            words = Text("Everybody reveals one card.")
            return Refused.of(self.rules.codes, [bad_record(words), *more], mends)
        if waits := [player(position.players[seat - 1]) for seat, cards in laid.items() if not cards]:
            words = plural(
                "{who} has yet to reveal a card.",
                "{who} have yet to reveal a card.",
                count=len(waits),
                who=listing(waits),
            )
            reasons = [bad_record(words), Reason("table_disturbed", (), words)]
            return Waiting((words,), (), Refused.of(self.rules.codes, reasons, ()))
        move = Reveal(tuple(cards[0] for cards in laid.values()))
        refusal = position.verify(move)
        if refusal is not None:
            return self._refused(refusal, mends)
        return self._accepted(move, state, self.after_move(state, move, {}))

    def _judge_turn(self, state: WildState, view: ZoneView, layout: Layout) -> Verdict:
        place_at = self._place_at(view, layout)
        found = readings(state, view, place_at)
        fits = [one for one in found if not one.cost and not one.view.unread]
        if fits and fits[0].move is None:
            return self._of_table(state, [])
        if len(fits) == 1 and not may_be_taken(fits[0], place_at, view):
            move = fits[0].move
            return self._accepted(move, state, self.after_move(state, move, {}))
        best = found[0]
        if fits or best.view.unread:
            return self._cant_see(state, best.view if best.view.unread else view, layout)
        refused = self._refused_turn(state, best)
        return self._ask_what_was_laid(state, view, layout, refused) or refused

    def _ask_what_was_laid(
        self, state: WildState, view: ZoneView, layout: Layout, refused: Refused | Waiting
    ) -> Question | None:
        """Where the next player has gone on past a card that nobody could read and bumped it: which one was it?"""
        position: Position = state.position
        seat = position.to_move
        assert seat is not None, "somebody is to move"
        choices = []
        for card in (card for card in position.unseen if str(card) in view.faces(WANTED)):
            move = Play(seat, card)
            if position.verify(move) is None:
                after = self.after_move(state, move, {})
                if isinstance(self.judge(after, view, layout), Accepted | Question):
                    choices.append(Choice(capitalised(card.text), self._accepted(move, state, after)))
        if not choices:
            return None
        x0, y0, x1, y1 = layout.seat_rect(seat)
        who, place = player(position.players[seat - 1]), f"seat:{seat}"
        denied = refused.pressed if isinstance(refused, Waiting) else refused
        assert denied is not None, "what is waited for is refused when confirm is pressed"
        return Question(
            Text("Which card did {who} lay in front?", who=who),
            (*choices, Choice(Text("None of these"), denied)),
            spot=Spot((x0 + x1) / 2, (y0 + y1) / 2, place, "doubtful"),
        )

    def _refused_turn(self, state: WildState, best: Reading) -> Refused | Waiting:
        """The best reading has faults: what they are, and what to put where."""
        left, position = list(best.left), state.position
        if best.broken or (best.faults and best.faults[-1].code == "two_actions" and best.faults[-1].cards):
            # What the rules refuse goes back as it was.
            mending = differences(agreed_places(state, best.view), best.view)
        elif best.move is None:
            mending = differences(places_of(position), best.view)
        else:
            face_up = lies_face_up(best.move, best.view)
            mending = [one for one in differences(best.places, best.view) if not (isinstance(one, Pile) and face_up)]
        mover = best.move.seat if best.move is not None else position.to_move
        mends = [mend_of(self, state, one, mover, taken_by(best.move)) for one in mending]
        reasons = [Reason("table_disturbed", (), disturbed(self, state, one, taken_by(best.move))) for one in left]
        refused = Refused.of(self.rules.codes, [*best.broken, *best.faults, *reasons], mends)
        if not best.undone:
            return refused
        started = [] if best.move is not None else [self._starts(position)]
        return Waiting((*started, *(reason.text for reason in refused.reasons)), refused.mend, refused)

    def _of_table(self, state: WildState, left: Sequence[Difference]) -> Refused:
        """Nothing that anybody may do explains the table, or nothing was done."""
        return self._disturbed(self._comparison(state, left, 0, 0))

    def _cant_see(self, state: WildState, view: ZoneView, layout: Layout) -> CantSee:
        spots = tuple(Spot(mark.x, mark.y, layout.place_at(mark.x, mark.y), mark.cause) for mark in view.unread)
        return CantSee(spots, self.unseen(state, spots))

    def _place_at(self, view: ZoneView, layout: Layout) -> PlaceAt:
        return partial(self.place_of, view=view, layout=layout)

    def compare(self, state: Any, view: Any, layout: Layout) -> Comparison:
        """How the table differs; a revealed card that has yet to join the wanted may lie in front or among them."""
        if state.position.phase is Phase.SETUP:
            return Comparison()
        agreed = agreed_places(state, view)
        view = stood_for(view, agreed, self._place_at(view, layout))
        off = sum(not one.faces <= set(view.faces(place)) for place, one in agreed.items())
        return self._comparison(state, differences(agreed, view), len(view.unread), off)

    def _comparison(self, state: WildState, left: Sequence[Difference], unread: int, off: int) -> Comparison:
        told = tuple(dict.fromkeys(disturbed(self, state, one, None) for one in left))
        mover = state.position.to_move
        mends = tuple(dict.fromkeys(mend_of(self, state, one, mover, None) for one in left))
        return Comparison(told, mends, unread, off)

    def noticed(self, state: Any, view: Any, layout: Layout) -> dict[str, Any] | None:
        """Revealed cards that lie among the wanted now."""
        joined = [card for card in state.to_join if card in view.faces(WANTED)]
        return {"joined": joined} if joined else None

    def after_notice(self, state: Any, data: Mapping[str, Any]) -> WildState:
        """Those cards have joined the wanted."""
        joined: WildState = state.joined(joined_in(data.get("joined"), state))
        return joined

    # Words

    def describe_move(self, move: Move, before: Any) -> Text:
        """A move as a sentence; of a Get it does not say what was captured."""
        if isinstance(move, Setup | Deal):
            cards = listed(move.wanted)
            return Text("Wanted from the beginning: {cards}.", cards=cards)
        if isinstance(move, Reveal):
            cards = listed(move.cards)
            return Text("Revealed: {cards}.", cards=cards)
        who = player(before.players[move.seat - 1])
        if isinstance(move, Play):
            return Text("{who} lays {card} in front.", who=who, card=move.card)
        own = before.in_front(move.seat).text
        if move.card is None:
            return Text("{who} can take nothing; {card} joins the wanted.", who=who, card=own)
        return Text("{who} captures a wanted card; {card} joins the wanted.", who=who, card=own)

    def consequences(self, move: Move, before: Any, after: Any) -> Iterator[Text]:
        """Who starts, what was bumped, and that the game is over."""
        if isinstance(move, Reveal):
            yield self._starts(after)
        if isinstance(move, Play):
            for seat, card in before.bumped_by(move.seat, move.card):
                who = player(before.players[seat - 1])
                yield Text("{card!c} of {who} is bumped and joins the wanted.", card=card, who=who)
        if after.outcome is not None:
            who = player(after.players[move.seat % len(after.players)]) if isinstance(move, Turn) else Text()
            yield Text("{who} has no card left, so the game is over.", who=who)

    def _starts(self, position: Position) -> Text:
        who = player(position.players[(position.to_move or 1) - 1])
        return Text("{who} starts.", who=who)

    def next_up(self, state: Any) -> Text | None:
        """Whose turn it is; after the reveal that has been said."""
        return None if state.joining else super().next_up(state)

    def reminders(self, state: Any) -> tuple[Text, ...]:
        """Revealed cards that have yet to join the wanted."""
        if not state.to_join:
            return ()
        cards = listed(map(Card.parse, state.to_join))
        return (Text("The revealed cards join the wanted: put {cards} in the middle.", cards=cards),)

    # Taking back

    def steps(self, check: Check, comparison: Comparison) -> tuple[Mend, ...]:
        """All that hands do; revealed cards go to their own hands, and a captured card is not named."""
        return tuple(self._step(check.step, mend) for mend in comparison.mends)

    def _step(self, step: Step, mend: Mend) -> Mend:
        state, move = step.before, step.move
        if isinstance(move, Reveal) and mend.target.startswith("hand:"):
            seat = next((seat for seat, card in enumerate(move.cards, 1) if str(card) == mend.item), None)
            if seat is not None:
                return self._mend(state, mend.item, mend.source, f"hand:{seat}")
        if isinstance(move, Get) and mend.item == str(move.card) and mend.source == "table":
            who = player(state.position.players[move.seat - 1])
            words = Text("Put the card that {who} captured in that turn back among the wanted.", who=who)
            return Mend(BACK, f"seat:{move.seat}", WANTED, words)
        return mend


REFEREE = WildSevenReferee()
