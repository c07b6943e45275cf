"""Seven Minutes at the table: what a look means, what the buttons tell, and all words about it.

Flips and rolls settle while the table lies still. Confirm tells that somebody stops, and judges what was taken.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from referee.arrangement import CardStack
from referee.game import Put, Step, Tell
from referee.layout import TableLayout
from referee.menu import Menu, Option
from referee.seven_minutes.editor import open_editor
from referee.seven_minutes.judging import reading_of
from referee.seven_minutes.layout import DRAW, ROW, layout_of
from referee.seven_minutes.look import Look, MinutesView, heaps_of
from referee.seven_minutes.state import DICE, MinutesState, arrange_table, state_in
from referee.seven_minutes.words import (
    describe_effects,
    gone_words,
    lying_words,
    move_words,
    ranks_of,
    side_words,
    to_take,
)
from referee.table import Detections, Unread
from referee.verdict import Accepted, Disturbance, Mend, Reading
from referee.zones import BACK, Expected, ZoneReferee, ZoneState, ZoneView
from rules.cards import Card
from rules.game import Options
from rules.seven_minutes.legal_moves import FACES
from rules.seven_minutes.moves import Roll, Stop
from rules.seven_minutes.position import Phase, Position
from rules.seven_minutes.rules import RULES
from rules.text import Text, verbatim


class SevenMinutesReferee(ZoneReferee):
    """The draw pile, the row beside it, the tray with two dice, and each player's two piles."""

    rules = RULES
    settles = True
    setup = Text(
        "Shuffle all 49 cards and lay them face down at the left edge, in the middle. Put both dice into the "
        "tray at the right edge; nothing else lies on the mat. Then press confirm."
    )

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> TableLayout:
        """Return the seats' areas and the zones between them."""
        return layout_of(players, mat_mm)

    # What is agreed

    def start(self, players: Sequence[str], options: Options) -> MinutesState:
        """Return the state before the set-up."""
        return MinutesState(self.rules.start(players, options))

    def after_move(self, before: Any, move: Any, data: Mapping[str, Any]) -> MinutesState:
        """Return the state that the data give beyond the move's
        position, else what follows where no camera has seen it.
        """
        return state_in(before.position.do(move), data) if DICE in data else before.apply_move(move)

    def save_details(self, state: Any) -> dict[str, Any]:
        """Return dice that are no roll, whether cards are to be taken, and which card can't be read."""
        return dict(state.save_details())

    def read_state(self, data: object, now: Any, options: Options) -> MinutesState:
        """Read a state set by hand."""
        position = super().read_state(data, now, options).position
        return state_in(position, data if isinstance(data, dict) and DICE in data else now.save_details())

    # Looking

    def expect_places(self, state: ZoneState) -> Mapping[str, Expected]:
        """Return the row; how piles lie is looked at as a whole (``compare_table``)."""
        return {ROW: Expected(frozenset(map(str, state.position.row.cards)))}

    def arrange_table(self, state: MinutesState, layout: TableLayout) -> Iterable[CardStack]:
        """Arrange the draw pile, the row, what was taken, and the dice."""
        return arrange_table(state, layout)

    def observe(self, seen: Detections, layout: TableLayout) -> MinutesView:
        """Observe the cards by the places in which their centres lie, and the dice."""
        view: ZoneView = super().observe(seen, layout)
        in_tray = [(zone := layout.zone_at(die.x, die.y)) is not None and zone.dice for die in seen.dice]
        dice = tuple(die for die, inside in zip(seen.dice, in_tray, strict=True) if inside)
        astray = tuple(die for die, inside in zip(seen.dice, in_tray, strict=True) if not inside)
        return MinutesView(view.cards, view.unread, dice, astray)

    def count_spare(self, state: Any, view: Any) -> Mapping[str, int]:
        """Return the draw pile, and what everybody has taken."""
        position: Position = state.position
        piles = {DRAW: position.draw_count}
        for seat in range(1, len(position.players) + 1):
            piles[f"seat:{seat}"] = len(position.face_up(seat)) + len(position.face_down(seat))
        return {place: count - len(view.cards.get(place, ())) for place, count in piles.items()}

    def list_readings(self, state: Any, view: Any, layout: TableLayout) -> Iterable[Reading]:
        """List the move that was made next, a fault, or what is
        waited for; after the end what was taken is looked at.
        """
        if state.position.phase is Phase.OVER and state.due is None:
            return ()
        return (reading_of(self, state, view, layout),)

    def find_passive_changes(self, state: Any, view: Any, layout: TableLayout) -> dict[str, Any] | None:
        """Notice where dice lie that count for nothing, and a
        flipped card that can't be read, where no move says so.
        """
        if state.position.phase is Phase.SETUP:
            return None
        view = self.drop_unread(view, self.find_needless(state, view, layout))
        verdict = self.judge(state, view, layout)
        noted = Look.from_view(state, view, layout).noted
        settles = isinstance(verdict, Accepted) and verdict.at_once
        return None if settles or noted == state else noted.save_details()

    def apply_passive_changes(self, state: Any, data: Mapping[str, Any]) -> MinutesState:
        """Return the state after that, or once what was taken has been confirmed."""
        after = state_in(state.position, data)
        return replace(after, taking=after.taking and state.taking)

    def has_cards_out(self, state: Any) -> bool:
        """Tell whether anything has to lie anywhere: not before the first move, nor after the end."""
        return state.position.phase not in (Phase.SETUP, Phase.OVER)

    def find_misplaced(
        self, state: Any, view: Any, layout: TableLayout
    ) -> tuple[Iterable[Disturbance], Sequence[Unread]]:
        """Return what is not as confirmed."""
        look = Look.from_view(state, view, layout)
        return self.describe_faults(state, look), look.view.unread

    def describe_faults(self, state: MinutesState, look: Look) -> list[Disturbance]:
        """Yield how an observation differs from what is confirmed, in words and steps."""
        position: Position = state.position
        early = position.phase is Phase.JUDGEMENT or position.may_stop
        # A roll that was not seen explains cards taken: that is said, and can be entered.
        explained = early and look.in_order
        found = [
            Disturbance.from_words(gone_words(card), self.mend_missing(state, card), lost=None if explained else card)
            for card in look.missing
        ]
        for card in look.new:
            found.append(
                Disturbance.from_words(Text("{card!c} lies in the row.", card=card), self.mend_new(state, card))
            )
        found += [self.report_stray(state, *stray) for stray in look.strays]
        if not look.in_order:
            words = Text("Lay the row in this order, from the draw pile: {ranks}.", ranks=ranks_of(position.row))
            mend = Mend(str(position.row.cards[0]), ROW, ROW, words)
            found.append(Disturbance.from_words(Text("The row lies in another order."), mend, lost=ROW))
        for seat, face_up in self.piles_gone(state, look):
            side, where = side_words(face_up), self.place_words(state, f"seat:{seat}")
            gone = Text("The {side} pile is gone from {where}.", side=side, where=where)
            # Where its top card lies elsewhere, the step for that card brings the pile back.
            strayed = face_up and {str(card) for card in position.list_tops(seat)} & {name for name, _ in look.strays}
            found.append(Disturbance.from_words(gone, *(() if strayed else (self.mend_pile(state, seat, face_up),))))
        return found

    def report_stray(self, state: MinutesState, name: str, place: str) -> Disturbance:
        """Refuse a card that lies where it must not."""
        return Disturbance.from_words(self.lies_in(state, name, place), self.mend_stray(state, name, place))

    def piles_gone(self, state: MinutesState, look: Look) -> Iterator[tuple[int, bool]]:
        """Yield piles that lay there and don't show, by seat and side; those of who has yet to take cards aside."""
        position: Position = state.position
        taker = position.taken.seat if state.taking and position.taken is not None else None
        for seat in range(1, len(position.players) + 1):
            if seat != taker and position.list_tops(seat) and not look.list_faces(seat):
                yield seat, True
            if seat != taker and position.face_down(seat) and not look.count_backs(seat):
                yield seat, False

    def take_fingerprint(self, view: Any, layout: TableLayout) -> Hashable:
        """Return which cards lie where, in which order the row lies, and what the dice show."""
        row = tuple(tuple(seen.name for seen in heap) for heap in heaps_of(view.cards.get(ROW, ())))
        return super().take_fingerprint(view, layout), row, tuple((die.value, die.cause) for die in view.dice)

    # Buttons

    up_words = Text("Take back")
    down_words = Text("Enter a roll")

    def can_recall(self, step: Step, now: Any, undone: Step | None) -> bool:
        """Recall a roll until its cards have been taken, for a bumped die is none; then the stop that it meant."""
        if isinstance(step.move, Roll):
            return bool(now.taking) or now.position.phase is Phase.JUDGEMENT
        return isinstance(step.move, Stop) and undone is not None and isinstance(undone.move, Roll)

    def unseen_moves(self, state: Any, tell: Tell) -> Menu | None:
        """Ask for a roll that was not seen, its dice one after the other."""
        if state.position.phase is not Phase.JUDGEMENT:
            return None
        return _first_die(state.position.seat, tell)

    def recall_state(self, step: Step, now: Any) -> MinutesState:
        """Return what was confirmed before, with the dice as they lie."""
        roll = isinstance(step.move, Roll)
        # Of a roll that is taken back the dice may be entered again.
        thrown = now.thrown or (now.dice if roll and now.entered is None else ())
        before: MinutesState = step.before
        return replace(before, dice=now.dice, thrown=thrown, entered=None if roll else now.entered)

    def open_editor(self, state: Any, view: Any, layout: TableLayout, put: Put, parent: Menu | None) -> Menu:
        """Take the row as it lies; ask who has what is gone from it and whose turn it is."""
        return open_editor(state, view, layout, put, parent)

    # Words

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
        """Say which cards have yet to be taken."""
        return () if state.due is None else (to_take(state.position, state.due),)

    def lies_in(self, state: Any, name: str, place: str) -> Text:
        """Say that a card lies where it must not."""
        card, where = self.card_words(state, name), self.place_words(state, place)
        return Text("{card!c} lies in {where}.", card=card, where=where)

    def mend_missing(self, state: Any, card: Card) -> Mend:
        """Return the step that puts a card back into the row."""
        return Mend(str(card), "table", ROW, Text("Put {card} back into the row.", card=card), joins=True)

    def mend_new(self, state: Any, card: Card) -> Mend:
        """Return the step that puts a card back that nobody had seen before."""
        words = Text("Put {card} face down on top of the draw pile.", card=card)
        return Mend(str(card), ROW, DRAW, words, joins=True)

    def mend_place(self, state: Any, card: Card, on: Card | None) -> Mend:
        """Return the step that lays a flipped card where it belongs."""
        words = Text("Move {card} to the end of the row.", card=card)
        if on is not None:
            words = Text("Move {card} onto {on}.", card=card, on=on)
        return Mend(str(card), ROW, ROW, words, joins=True)

    def mend_pile(self, state: Any, seat: int, face_up: bool) -> Mend:
        """Return the step that lays a pile of a player back in view."""
        side, where = side_words(face_up), self.place_words(state, f"seat:{seat}")
        tops = state.position.list_tops(seat) if face_up else ()
        words = Text("Lay the {side} pile back in {where}.", side=side, where=where)
        return Mend(str(tops[-1]) if tops else BACK, "table", f"seat:{seat}", words)

    def mend_stray(self, state: Any, name: str, place: str) -> Mend:
        """Return the step for a card that lies where it must not."""
        position: Position = state.position
        card, start = self.card_words(state, name), self.place_words(state, place)
        for seat in range(1, len(position.players) + 1):
            for up, cards in ((True, position.face_up(seat)), (False, position.face_down(seat))):
                if name in map(str, cards):
                    side = lying_words(up)
                    where = self.place_words(state, f"seat:{seat}")
                    words = Text("Put {card} {side} back into {where}.", card=card, side=side, where=where)
                    return Mend(name, place, f"seat:{seat}", words, joins=True)
        if name in map(str, position.row.cards):
            return self.mend_missing(state, Card.parse(name))
        return Mend(name, place, DRAW, Text("Take {card} away from {start}.", card=card, start=start), joins=True)


def _first_die(seat: int, tell: Tell) -> Menu:
    options = tuple(Option(verbatim(value), partial(_second_die, seat, value, tell)) for value in FACES)
    return Menu(
        Text("Enter the roll that was not seen. The brown die?"),
        options,
    )


def _second_die(seat: int, first: int, tell: Tell) -> Menu:
    def take(second: int) -> None:
        tell(Roll(seat, (first, second)).to_json())

    options = tuple(Option(verbatim(value), partial(take, value)) for value in FACES)
    title = Text("Brown {first}. The black die?", first=first)
    return Menu(title, options, parent=_first_die(seat, tell))


REFEREE = SevenMinutesReferee()
