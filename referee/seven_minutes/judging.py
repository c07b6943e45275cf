"""What a look at a game of Seven Minutes means: flips and rolls that settle, stops, what was taken, faults.

Nothing is accepted while the row does not lie as agreed, but a roll whose cards were taken already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.layout import TableLayout
from referee.seven_minutes.layout import DRAW, MIDDLE, PITCH_MM, ROW
from referee.seven_minutes.look import TWO, Heap, Look, MinutesView
from referee.seven_minutes.state import MinutesState, locate_dice
from referee.seven_minutes.words import (
    flips_due,
    gone_words,
    lay_steps,
    many_dice,
    no_dice,
    one_die,
    rolls_due,
    side_words,
    taken_words,
    to_take,
    unread_die,
)
from referee.verdict import Accepted, Choice, Disturbance, Mend, Question, Reading, Spot, report_faults
from referee.zones import BACK
from rules.cards import Card
from rules.refusal import Reason
from rules.seven_minutes import refusals as because
from rules.seven_minutes.moves import Dice, Flip, Roll, Setup, Stop
from rules.seven_minutes.position import Phase, Position
from rules.seven_minutes.row import Take
from rules.text import Text, player, say_cards

_MOST_TRIED = 2000
"""Orders of cards flipped in one look that are tried at most."""

_LEVEL_MM = 60.0
"""A card that begins a place lies no more above or below the one before it: they overlap in height."""
_NO_PILE = Text("The draw pile is not seen.")
_GAP_MM = 1.7 * PITCH_MM
"""The farthest from one place to the next: with more, a card may lie between them that is not seen."""

Explain = Any
"""The referee's words for cards, places and what can't be seen."""


def reading_of(explain: Explain, state: MinutesState, view: MinutesView, layout: TableLayout) -> Reading:
    """Return the move that was made next, a fault, or what is waited for."""
    if state.position.phase is Phase.SETUP:
        return _judge_setup(explain, state, view)
    return _Judging(explain, state, Look.from_view(state, view, layout)).find_reading()


def _judge_setup(explain: Explain, state: MinutesState, view: MinutesView) -> Reading:
    if view.unread:
        return Reading(unread=view.unread)
    strays = [(card.name, place) for place, cards in view.cards.items() for card in cards if place != DRAW]
    strays += [(name, DRAW) for name in view.list_faces(DRAW)]
    if view.count_backs(DRAW) and not strays:
        return Reading(Setup(), replace(state.apply_move(Setup()), dice=locate_dice(view.dice)))
    return (
        report_faults(explain.report_stray(state, *stray) for stray in strays)
        if strays
        else report_faults([Disturbance.from_words(_NO_PILE)])
    )


@dataclass(frozen=True)
class _Judging:
    """One look judged."""

    explain: Explain
    state: MinutesState
    look: Look

    @property
    def position(self) -> Position:
        return self.state.position  # type: ignore[no-any-return]

    @property
    def who(self) -> Text:
        return player(self.position.get_name(self.position.seat))

    def find_reading(self) -> Reading:
        if self.state.due is not None:
            return self._judge_taking(self.state.due)
        if self.look.whole and not self.look.view.unread and self.look.new:
            return self._judge_flips()
        if (asked := self._which_flip()) is not None:
            return Reading(asked=asked)
        if (thrown := self._judge_throw()) is not None:
            return thrown
        if self.look.view.unread:
            return self._report_unread()
        if not self.look.whole:
            return self._report_disturbed()
        return self._as_agreed()

    # Flips

    def _judge_flips(self) -> Reading:
        """Judge cards laid to the row: the first of them, in the order that the rules allow, or what is wrong."""
        if misplaced := list(self._find_misplaced()):
            mends = (self.explain.mend_place(self.state, card, on) for card, on in misplaced)
            return self._make_refusal((because.wrong_place(card, on) for card, on in misplaced), mends, at_once=True)
        heaps = [[Card.parse(seen.name) for seen in heap if self._is_new(seen.name)] for heap in self._laid_to]
        found = find_orders(self.position, heaps, [self._is_begun(heap) for heap in self._laid_to])
        readings = [self._read_flip(flip) for flip in first_flips(self.position, found)]
        if len(readings) > 1:
            choices = tuple(Choice(one.move.card.text, self._accept_reading(one)) for one in readings)
            return Reading(asked=Question(Text("Which of these cards was flipped first?"), choices))
        if readings:
            return readings[0]
        flip = Flip(self.position.seat, next(cards[0] for cards in heaps if cards))
        mends = (self.explain.mend_new(self.state, card) for card in self.look.new)
        return self._make_refusal(self.position.find_reasons(flip), mends, at_once=True)

    def _read_flip(self, flip: Flip) -> Reading:
        """Return the reading of a flip that is observed; the last one of them says what is observed of dice, too."""
        unread = self.state.unread if self.state.flip_told else None
        after = Look.from_view(replace(self.state.apply_move(flip), unread=unread), self.look.seen, self.look.layout)
        return Reading(flip, after.state if after.new else after.noted, at_once=True)

    def _accept_reading(self, one: Reading) -> Accepted:
        accepted: Accepted = self.explain.accept_reading(self.state, one)
        return accepted

    def _which_flip(self) -> Question | None:
        """Ask which card was flipped, where it could not be read and the players have gone on since."""
        look, mark = self.look, self.state.unread
        if mark is None or self.state.flip_told or self.position.phase is not Phase.FLIP or not look.gone_on:
            return None
        if len(look.marks) > look.still:
            return None
        # One that can be read by now, in the row or taken, is most likely the one.
        left, shown = look.unseen, look.list_faces(self.position.seat)
        read = (card for card in self.position.draw_pile if card in look.new or str(card) in shown)
        likely = (left[name] for name in mark.candidates if name in left)
        cards = dict.fromkeys((*(() if look.still else read), *likely, *left.values()))
        flips = [Reading(Flip(self.position.seat, card), at_once=True) for card in cards]
        choices = [Choice(card.text, self._accept_reading(flip)) for card, flip in zip(cards, flips, strict=True)]
        if not look.still:
            none = Text("No card was flipped.")
            choices.append(Choice(none, Accepted(None, replace(self.state, unread=None), (none,))))
        asked = Text("Which card did {who} flip?", who=self.who)
        return Question(asked, tuple(choices), at_once=True, spot=Spot(mark.x, mark.y, ROW, mark.cause))

    @property
    def _laid_to(self) -> list[Heap]:
        return [heap for heap in self.look.heaps if any(self._is_new(seen.name) for seen in heap)]

    def _is_new(self, name: str) -> bool:
        return any(str(card) == name for card in self.look.new)

    def _is_begun(self, heap: Heap) -> bool:
        """Tell whether the heap is a place that the row has not had."""
        return all(self._is_new(seen.name) for seen in heap)

    def _find_misplaced(self) -> Iterator[tuple[Card, Card | None]]:
        """Yield new cards that do not lie where they belong, each with the card that it belongs on."""
        row = self.position.row
        last_old = max((n for n, heap in enumerate(self.look.heaps) if not self._is_begun(heap)), default=-1)
        begun: dict[int, Card] = {}
        for number, heap in enumerate(self.look.heaps):
            bottom = Card.parse(heap[0].name)
            if self._is_begun(heap) and self._is_off_the_row(number):
                yield bottom, row.stacks[place].top if (place := row.place(bottom.rank)) is not None else None
                continue
            if not self._is_begun(heap):
                bottom = next(Card.parse(seen.name) for seen in heap if not self._is_new(seen.name))
            for seen in heap:
                if not self._is_new(seen.name):
                    continue
                card = Card.parse(seen.name)
                place = row.place(card.rank)
                if place is not None:
                    if self._is_begun(heap) or bottom.rank != card.rank:
                        yield card, row.stacks[place].top
                elif card.rank in begun and begun[card.rank] is not bottom:
                    yield card, begun[card.rank]
                elif number < last_old or bottom.rank != card.rank:
                    yield card, None
                else:
                    begun.setdefault(card.rank, bottom)

    def _is_off_the_row(self, number: int) -> bool:
        """Tell whether a place that a new card begins lies too
        far from the one before: beside the row, or past a gap.
        """
        first = self.look.heaps[number][0]
        if number == 0:
            return abs(first.y - MIDDLE * self.look.layout.mat_mm[1]) > _LEVEL_MM
        before = self.look.heaps[number - 1][0]
        return abs(first.y - before.y) > _LEVEL_MM or first.x - before.x > _GAP_MM

    # Dice

    def _judge_throw(self) -> Reading | None:
        """Judge what the dice say, where they were thrown."""
        look, position = self.look, self.position
        due = position.phase is Phase.JUDGEMENT or position.may_stop
        if look.cocked:
            return self._make_refusal([because.cocked_die()], at_once=True) if due and look.whole else None
        if look.roll is None:
            return None
        if position.phase is Phase.FLIP:
            # An unread card may be one that was flipped: it would count before a stop.
            return None if look.new or (look.marks and not look.early) else self._rolled_first(look.roll)
        roll = Roll(position.seat, look.roll)
        after = replace(self.state.apply_move(roll), dice=locate_dice(look.view.dice), thrown=(), told=None)
        return Reading(roll, after, at_once=True) if self._is_whole_but_for(after.position.taken) else None

    def _rolled_first(self, roll: Dice) -> Reading | None:
        """Judge the first roll: it means the stop, or comes too early."""
        position = self.position
        if position.may_stop:
            stop = Stop(position.seat)
            taken = position.do(stop).do(Roll(position.seat, roll)).taken
            return Reading(stop, at_once=True) if self.look.whole or self._is_whole_but_for(taken) else None
        if not self.look.whole:
            return None
        return self._make_refusal(position.find_reasons(Roll(position.seat, roll)), at_once=True)

    def _is_whole_but_for(self, taken: Take | None) -> bool:
        """Tell whether the row lies as before a roll, but for what that roll lets somebody take."""
        look = self.look
        if not look.in_order or (look.strays and taken is None):
            return False
        return not look.missing or (taken is not None and set(look.missing) <= set(taken.cards))

    # Taking

    def _judge_taking(self, take: Take) -> Reading:
        """Refuse a roll too many, while the cards that the judgement
        gave have yet to be taken; else judge whether they were.
        """
        found = self._yet_to_take(take)
        if found is None:
            found = self._report_unread() if self.look.view.unread else self._judge_taken(take)
        if found.waits is None or self.look.roll is None or not self.look.early:
            return found
        return self._make_refusal([because.too_many_rolls(who=self._name_taker(take))], at_once=True)

    def _name_taker(self, take: Take) -> Text:
        return player(self.position.get_name(take.seat))

    def _find_left(self, take: Take) -> tuple[Card, ...]:
        """Return those of the cards given that lie in the row still."""
        in_row = {seen.name for heap in self.look.heaps for seen in heap}
        return tuple(card for card in take.cards if str(card) in in_row)

    def _list_steps(self, take: Take) -> tuple[Mend, ...]:
        return lay_steps(take, self.position.get_name(take.seat))

    def _yet_to_take(self, take: Take) -> Reading | None:
        """Say that all the cards lie in the row still, where they do."""
        if len(self._find_left(take)) < len(take.cards) or self.look.missing:
            return None
        reasons = [because.wrong_take(self._name_taker(take), take.cards, take.cards)]
        return self._make_refusal(reasons, self._list_steps(take), waits=(to_take(self.position, take),))

    def _judge_taken(self, take: Take) -> Reading:
        """Say what is wrong with what was taken; where nothing is, that it is right."""
        look, left = self.look, self._find_left(take)
        if left or look.missing:
            steps = [*(self._list_steps(take) if left else ())]
            steps += [self.explain.mend_missing(self.state, card) for card in look.missing]
            return self._make_refusal(
                [because.wrong_take(self._name_taker(take), take.cards, (*left, *look.missing))], steps
            )
        names = {str(card) for card in take.cards}
        if strays := [stray for stray in look.strays if stray[0] not in names]:
            return report_faults(self.explain.report_stray(self.state, *stray) for stray in strays)
        return self._laid_wrong(take, names) or self._accept_take(take)

    def _laid_wrong(self, take: Take, names: set[str]) -> Reading | None:
        """Say what is wrong with how cards taken lie, or with the taker's piles."""
        look, who, steps = self.look, self._name_taker(take), self._list_steps(take)
        shown, backs = bool(names & look.list_faces(take.seat)), look.count_backs(take.seat) > 0
        if (backs and not shown) if take.face_up else (shown or _show_elsewhere(look, names, take)):
            return self._make_refusal([because.wrong_side(who, take.cards, take.face_up)], steps)
        if not (shown if take.face_up else backs):
            gone = Text("The cards are not seen in {who}'s area yet.", who=who)
            return report_faults([Disturbance.from_words(gone, *steps)], waits=(to_take(self.position, take),))
        if self._is_covered(take):
            side = side_words(not take.face_up)
            hidden = Text("The {side} pile in {who}'s area does not show any more.", side=side, who=who)
            return report_faults(
                [Disturbance.from_words(hidden, self.explain.mend_pile(self.state, take.seat, not take.face_up))]
            )
        return self._report_disturbed() if any(self.explain.piles_gone(self.state, look)) else None

    def _accept_take(self, take: Take) -> Reading:
        """Say that the cards were taken; where others lie in the row, they may be those taken, and misread."""
        more = () if self.position.outcome is not None else (flips_due(self.position),)
        after = replace(self.state.settled, taking=False)
        right = Reading(None, after, said=(taken_words(self.position, take), *more))
        if not self.look.new:
            return right
        who, cards = self._name_taker(take), say_cards(self.look.new)
        wrong = self._make_refusal([because.wrong_take(who, take.cards, take.cards)], self._list_steps(take))
        words = Text("Has {who} taken the cards, and was {cards} flipped after that?", who=who, cards=cards)
        no = Choice(Text("No."), self.explain.refuse_reading(wrong))
        return Reading(asked=Question(words, (no, Choice(Text("Yes."), self._accept_reading(right)))))

    def _is_covered(self, take: Take) -> bool:
        """Tell whether the taker's pile of the other side, which stays as it was, does not show."""
        if take.face_up:
            return bool(self.position.face_down(take.seat)) and not self.look.count_backs(take.seat)
        tops = {str(card) for card in self.position.list_tops(take.seat)}
        return bool(tops) and not tops & self.look.list_faces(take.seat)

    # Nothing new

    def _as_agreed(self) -> Reading:
        position, trouble = self.position, self._dice_trouble
        if position.phase is Phase.JUDGEMENT:
            none = () if self.look.view.dice or self.look.view.astray else (no_dice(),)
            words = (*(reason.text for reason in trouble), rolls_due(position), *none)
            return self._make_refusal([because.judgement_due(self.who, position.rolls_left), *trouble], waits=words)
        stop = Stop(position.seat)
        if reasons := position.find_reasons(stop):
            return self._make_refusal(reasons, waits=(flips_due(position),) if position.king_left else ())
        if any(self.explain.piles_gone(self.state, self.look)):
            return self._report_disturbed()
        said = self.explain.describe_with_effects(stop, position, position.do(stop))
        more = (reason.text for reason in trouble if self.look.touched_dice)
        return Reading(stop, said=(*said, *more), without_trace=True)

    @property
    def _dice_trouble(self) -> list[Reason]:
        """What keeps the dice from being a roll, where that is for people to mend."""
        view, look = self.look.view, self.look
        count = len(view.dice) + len(view.astray)
        if count > TWO:
            return [Reason("table_disturbed", (), many_dice(count))]
        if count == 1:
            return [Reason("table_disturbed", (), one_die())]
        if look.touched_dice and any(die.value is None for die in view.dice):
            return [Reason("cannot_see", (), unread_die())]
        return []

    def _report_disturbed(self) -> Reading:
        """Refuse cards that are gone, or lie where they must not."""
        state, look, position = self.state, self.look, self.position
        faults = self.explain.describe_faults(state, look)
        if not look.missing or not (position.phase is Phase.JUDGEMENT or position.may_stop):
            return report_faults(faults)
        own = f"seat:{position.seat}"
        taken = {(name, own) for name in (BACK, *map(str, look.missing))}
        others = [self.explain.lies_in(state, *stray) for stray in look.strays if stray not in taken]
        if position.phase is Phase.FLIP or not set(look.strays) & taken:
            others += map(gone_words, look.missing)
        reasons = [because.rolls_missing(self.who, position.rolls_left or position.row.rolls)]
        reasons += [Reason("table_disturbed", (), words) for words in others]
        # A card that goes back into the row is no back in the area any more.
        steps = (mend for fault in faults for mend in fault.mends)
        return self._make_refusal(reasons, (mend for mend in steps if (mend.item, mend.source) != (BACK, own)))

    def _report_unread(self) -> Reading:
        """Say at once where a card of the row can't be read: whoever plays on takes it away."""
        marks, place_at = self.look.view.unread, self.look.layout.place_at
        at_once = not self.state.taking and any(place_at(mark.x, mark.y) == ROW for mark in marks)
        return Reading(unread=marks, at_once=at_once)

    def _make_refusal(self, reasons: Iterable[Reason], mends: Iterable[Mend] = (), **more: Any) -> Reading:
        return Reading(reasons=tuple(reasons), mends=tuple(mends), **more)


def _show_elsewhere(look: Look, names: set[str], take: Take) -> bool:
    """Tell whether cards taken show outside the row and the taker's area."""
    places = (place for place in look.view.cards if place not in (ROW, f"seat:{take.seat}"))
    return any(names & set(look.view.list_faces(place)) for place in places)


def find_orders(position: Position, heaps: Sequence[Sequence[Card]], begins: Sequence[bool]) -> list[list[Flip]]:
    """Yield orders in which the most of these flips are legal one after the other, each heap's in their order.

    A heap that ``begins`` a place of the row comes after those before it. Of orders that begin alike and have led to
    the same, one goes on.
    """
    found: list[list[Flip]] = [[]]
    been: set[tuple[object, ...]] = set()

    def go(now: Position, at: tuple[int, ...], made: list[Flip]) -> None:
        nonlocal found
        lead = (at, now.phase, now.cause, now.king_left, *made[:1])
        if lead in been:
            return
        been.add(lead)
        if made and len(made) >= len(found[0]):
            found = [made] if len(made) > len(found[0]) else [*found, made]
        for number, cards in enumerate(heaps):
            if at[number] == len(cards) or len(been) > _MOST_TRIED:
                continue
            if begins[number] and at[number] == 0 and any(begins[k] and at[k] == 0 for k in range(number)):
                continue
            flip = Flip(now.seat, cards[at[number]])
            if now.phase is Phase.FLIP and now.is_legal(flip):
                go(now.do(flip), (*at[:number], at[number] + 1, *at[number + 1 :]), [*made, flip])

    go(position, (0,) * len(heaps), [])
    return [order for order in found if order]


def first_flips(position: Position, found: Sequence[Sequence[Flip]]) -> list[Flip]:
    """Return the flips that may have been the first; one alone where all orders lead to the same."""

    def led_to(order: Sequence[Flip]) -> tuple[object, ...]:
        now = position
        for flip in order:
            now = now.do(flip)
        return now.row, now.phase, now.cause, now.king_left

    if len({led_to(order) for order in found}) == 1:
        found = found[:1]
    return list(dict.fromkeys(order[0] for order in found))
