"""Wild Seven at the table: what a look means, and all words about it.

What was captured is known, but never named on the display before the end: a sentence about a Get says who captured
a card and not which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from referee.arrangement import CardStack
from referee.game import Check, Step
from referee.layout import SEATS, Area, TableLayout, Zone
from referee.unread import resolve_unread
from referee.verdict import Accepted, Choice, Comparison, Mend, Question, Reading, Spot, report_faults
from referee.wild_seven.laid import WANTED, agreed_places, arrange_table, places_after, places_of
from referee.wild_seven.reading import VisibleChanges, WildHypothesis, starter_words, taken_by
from referee.wild_seven.state import WildState, joined_in, joining_in
from referee.zones import (
    BACK,
    BackCountMismatch,
    Difference,
    Expected,
    MisplacedCard,
    ZoneReferee,
    ZoneState,
    ZoneView,
    find_differences,
)
from rules.cards import Card
from rules.game import Options
from rules.refusal import Reason, bad_record
from rules.text import Text, capitalise, join_names, make_sentence, player, plural, say_cards, say_number
from rules.wild_seven import refusals as because
from rules.wild_seven.deck import larger_in_suit, left_over
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

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> TableLayout:
        """Return the seats' areas, and the wanted over them."""
        return TableLayout(SEATS[players], mat_mm, (_WANTED,))

    # What is agreed

    def start(self, players: Sequence[str], options: Options) -> WildState:
        """Return the state before the deal."""
        return WildState(self.rules.start(players, options))

    def after_move(self, before: Any, move: Any, data: Mapping[str, Any]) -> WildState:
        """Return the state after a move; a reveal's cards have yet
        to be seen among the wanted, any other leaves none behind.
        """
        joining = move.cards if isinstance(move, Reveal) else ()
        return WildState(before.position.do(move), tuple(joining))

    def read_state(self, data: object, now: Any, options: Options) -> WildState:
        """Read a state set by hand."""
        state: WildState = super().read_state(data, now, options)
        saved = data.get("joining", []) if isinstance(data, dict) else []
        return replace(state, joining=joining_in(saved, state.position))

    # Looking

    hypothesis = WildHypothesis

    def expect_places(self, state: ZoneState) -> Mapping[str, Expected]:
        """Return the wanted, the cards in front, the captured piles."""
        return places_of(state.position)

    def arrange_table(self, state: Any, layout: TableLayout) -> Iterable[CardStack]:
        """Arrange the wanted in columns by suit, the cards in front, the captured piles."""
        return arrange_table(state.position, layout)

    def expect_confirmed(self, state: Any, view: ZoneView) -> Mapping[str, Expected]:
        """Allow a revealed card that has yet to join the wanted to lie in front or among them."""
        return agreed_places(state, view)

    def propose_moves(self, state: Any, view: ZoneView) -> Iterable[Turn]:
        """List every move that leaves such traces."""
        return VisibleChanges(state, view).propose_moves()

    def weigh_move(self, move: Any) -> int:
        """Weigh moves: a card laid says most, a card taken least."""
        return (Play, type(None), Get).index(type(move))

    def expect_after(self, state: Any, move: Any) -> Mapping[str, Expected]:
        """Return what would lie where, a card laid beside another one in front with it."""
        return places_after(state.position, move)

    def list_readings(self, state: Any, view: Any, layout: TableLayout) -> Iterable[Reading]:
        """List what may have been done, by what lies where."""
        phase = state.position.phase
        if phase is Phase.OVER:
            return ()
        if phase is Phase.SETUP:
            return (self._set_up(state, view),)
        place_at = partial(self.place_of, view=view, layout=layout)
        if phase is Phase.REVEAL:
            return (self._reveal(state, resolve_unread(view, places_of(state.position), place_at)),)
        found = list(super().list_readings(state, view, layout))
        if not found[0].unread and not any(one.fits for one in found):
            return (replace(found[0], asked=self._what_was_laid(state, view, layout, found[0])),)
        return found

    def _set_up(self, state: WildState, view: ZoneView) -> Reading:
        if view.unread:
            return Reading(unread=view.unread)
        cards = tuple(sorted(map(Card.parse, view.list_faces(WANTED)), key=lambda card: card.index))
        n, move = len(state.position.players), Setup(cards)
        if len(cards) != left_over(n):
            need, there = say_number(left_over(n)), say_number(len(cards))
            words = Text(
                "With {players} players {due} must be left over as the wanted; {there} lie there.",
                players=n,
                due=need,
                there=there,
            )
            return Reading(reasons=(bad_record(words),))
        refusal = state.position.verify(move)
        if refusal is not None:
            return Reading(move, reasons=refusal.reasons)
        after = self.after_move(state, move, {})
        left = [self.describe_fault(after, one) for one in find_differences(places_of(after.position), view)]
        return report_faults(left) if left else Reading(move)

    def _reveal(self, state: WildState, view: ZoneView) -> Reading:
        position: Position = state.position
        if view.unread:
            return Reading(unread=view.unread)
        seats = range(1, len(position.players) + 1)
        laid = {seat: [Card.parse(name) for name in view.list_faces(f"seat:{seat}")] for seat in seats}
        shown = {str(card) for cards in laid.values() for card in cards}
        off = find_differences(places_of(position), view)
        left = [
            one for one in off if not (isinstance(one, MisplacedCard) and one.card in shown and one.found != WANTED)
        ]
        if left or not shown:
            return report_faults(self.describe_fault(state, one) for one in left)
        mends = tuple(self.mend_difference(state, one) for one in off)
        if more := [
            because.two_cards(who=player(position.get_name(seat)), cards=cards)
            for seat, cards in laid.items()
            if cards[1:]
        ]:
            return Reading(reasons=(bad_record(Text("Everybody reveals one card.")), *more), mends=mends)
        if waits := [player(position.get_name(seat)) for seat, cards in laid.items() if not cards]:
            words = plural(
                "{who} has yet to reveal a card.",
                "{who} have yet to reveal a card.",
                count=len(waits),
                who=join_names(waits),
            )
            reasons = (bad_record(words), Reason("table_disturbed", (), words))
            return Reading(reasons=reasons, waits=(words,))
        move = Reveal(tuple(cards[0] for cards in laid.values()))
        refusal = position.verify(move)
        if refusal is not None:
            return Reading(move, reasons=refusal.reasons, mends=mends)
        return Reading(move)

    def _what_was_laid(self, state: WildState, view: ZoneView, layout: TableLayout, best: Reading) -> Question | None:
        """Ask which card was laid where the next player has gone on past one that nobody could read and bumped it."""
        position: Position = state.position
        seat = position.to_move
        assert seat is not None, "somebody is to move"
        cards = [card for card in position.unseen if str(card) in view.list_faces(WANTED)]
        shown = [
            Card.parse(name) for place in view.cards if place.startswith("seat:") for name in view.list_faces(place)
        ]
        # All that were laid so, turn after turn, were bumped by a card that shows, in whichever order they came.
        if not all(any(card.bit & larger_in_suit(front) for front in shown) for card in cards):
            return None
        plays = (Play(seat, card) for card in cards)
        laid = {move.card: self.accept_reading(state, Reading(move)) for move in plays if position.is_legal(move)}
        first = next(iter(laid.values()), None)
        # So the first of them tells for all.
        if first is None or not isinstance(self.judge(first.after, view, layout), Accepted | Question):
            return None
        choices = (Choice(capitalise(card.text), one) for card, one in laid.items())
        x0, y0, x1, y1 = layout.seat_rect(seat)
        who, place = player(position.get_name(seat)), f"seat:{seat}"
        refused = self.refuse_reading(best)
        return Question(
            Text("Which card did {who} lay in front?", who=who),
            (*choices, Choice(Text("None of these"), refused)),
            spot=Spot((x0 + x1) / 2, (y0 + y1) / 2, place, "doubtful"),
        )

    def find_passive_changes(self, state: Any, view: Any, layout: TableLayout) -> dict[str, Any] | None:
        """Return the revealed cards that lie among the wanted now."""
        joined = [card for card in state.to_join if card in view.list_faces(WANTED)]
        return {"joined": joined} if joined else None

    def apply_passive_changes(self, state: Any, data: Mapping[str, Any]) -> WildState:
        """Return the state once those cards have joined the wanted."""
        joined: WildState = state.join_wanted(joined_in(data.get("joined"), state))
        return joined

    # Words

    def describe_difference(self, state: Any, one: Difference, move: Any = None) -> Text:
        """Say what is not as it must be; a captured card is not named."""
        if isinstance(one, BackCountMismatch):
            if not one.missing:
                return super().describe_difference(state, one, move)
            return make_sentence(
                Text("no captured card lies face down in {where}", where=self.place_words(state, one.place))
            )
        if one.found is not None and _find_captor(state.position, one.card) is not None:
            where = self.place_words(state, one.found)
            return make_sentence(Text("a captured card lies face up in {where}", where=where))
        if taken_by(move) == one.card and one.found not in (None, WANTED):
            return make_sentence(Text("{card} was taken and lies face up", card=self.card_words(state, one.card)))
        return super().describe_difference(state, one, move)

    def mend_difference(self, state: Any, one: Difference, move: Any = None) -> Mend:
        """Return the step that puts a difference right; a captured card is not named."""
        if isinstance(one, BackCountMismatch):
            return self._mend_pile(state, one, move)
        if one.found is None or (one.home is not None and one.home != WANTED):
            return super().mend_difference(state, one, move)
        card, start = self.card_words(state, one.card), self.place_words(state, one.found)
        if one.home is not None:
            end = self.place_words(state, one.home)
            words = Text("Put {card} from {start} to {end}.", card=card, start=start, end=end)
            return Mend(one.card, one.found, one.home, words, joins=True)
        captor = _find_captor(state.position, one.card)
        if captor is not None:
            end = self.place_words(state, f"seat:{captor}")
            words = Text("Put the captured card that lies in {start} face down in {end}.", start=start, end=end)
            return Mend(BACK, one.found, f"seat:{captor}", words)
        if one.card == taken_by(move):
            end = self.place_words(state, f"seat:{move.seat}")
            words = Text("Lay {card} face down in {end}.", card=card, end=end)
            return Mend(one.card, one.found, f"seat:{move.seat}", words)
        return super().mend_difference(state, one, move)

    def _mend_pile(self, state: Any, one: BackCountMismatch, move: Any) -> Mend:
        where = self.place_words(state, one.place)
        if one.missing:
            words = Text("Lay the captured cards face down in {where}.", where=where)
            return Mend(BACK, "table", one.place, words, one.count)
        words = Text("Take the card too many that lies face down in {where} away.", where=where)
        return Mend(BACK, one.place, self._find_hand(state, one.place, move), words, one.count)

    def describe_move(self, move: Move, before: Any) -> Text:
        """Describe a move as a sentence; of a Get it does not say what was captured."""
        if isinstance(move, Setup | Deal):
            cards = say_cards(move.wanted)
            return Text("Wanted from the beginning: {cards}.", cards=cards)
        if isinstance(move, Reveal):
            cards = say_cards(move.cards)
            return Text("Revealed: {cards}.", cards=cards)
        who = player(before.players[move.seat - 1])
        if isinstance(move, Play):
            return Text("{who} lays {card} in front.", who=who, card=move.card)
        own = before.in_front(move.seat).text
        if move.card is None:
            return Text("{who} can take nothing; {card} joins the wanted.", who=who, card=own)
        return Text("{who} captures a wanted card; {card} joins the wanted.", who=who, card=own)

    def describe_effects(self, move: Move, before: Any, after: Any) -> Iterator[Text]:
        """Yield who starts, what was bumped, and that the game is over."""
        if isinstance(move, Reveal):
            yield starter_words(after)
        if isinstance(move, Play):
            for seat, card in before.bumped_by(move.seat, move.card):
                who = player(before.players[seat - 1])
                yield Text("{card!c} of {who} is bumped and joins the wanted.", card=card, who=who)
        if after.outcome is not None:
            who = player(after.players[move.seat % len(after.players)]) if isinstance(move, Turn) else Text()
            yield Text("{who} has no card left, so the game is over.", who=who)

    def next_up(self, state: Any) -> Text | None:
        """Say whose turn it is; after the reveal that has been said."""
        return None if state.joining else super().next_up(state)

    def list_reminders(self, state: Any) -> tuple[Text, ...]:
        """Say which revealed cards have yet to join the wanted."""
        if not state.to_join:
            return ()
        cards = say_cards(map(Card.parse, state.to_join))
        return (Text("The revealed cards join the wanted: put {cards} in the middle.", cards=cards),)

    # Taking back

    def list_steps(self, check: Check, comparison: Comparison) -> tuple[Mend, ...]:
        """List all that hands do; revealed cards go to their own hands, and a captured card is not named."""
        return tuple(self._make_step(check.step, mend) for mend in comparison.mends)

    def _make_step(self, step: Step, mend: Mend) -> Mend:
        state, move = step.before, step.move
        if isinstance(move, Reveal) and mend.target.startswith("hand:"):
            seat = next((seat for seat, card in enumerate(move.cards, 1) if str(card) == mend.item), None)
            if seat is not None:
                return self.put(state, mend.item, mend.source, f"hand:{seat}")
        if isinstance(move, Get) and mend.item == str(move.card) and mend.source == "table":
            who = player(state.position.players[move.seat - 1])
            words = Text("Put the card that {who} captured in that turn back among the wanted.", who=who)
            return Mend(BACK, f"seat:{move.seat}", WANTED, words)
        return mend


def _find_captor(position: Position, card: str) -> int | None:
    """Return who has captured that card."""
    seats = range(1, len(position.players) + 1)
    return next((seat for seat in seats if card in map(str, position.list_captured(seat))), None)


REFEREE = WildSevenReferee()
