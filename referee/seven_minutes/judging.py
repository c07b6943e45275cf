"""What a look at a game of Seven Minutes means: flips and rolls that settle, stops, what was taken, faults.

Nothing is accepted while the row does not lie as agreed, but a roll whose cards were taken already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.layout import Layout
from referee.seven_minutes.layout import DRAW, MIDDLE, PITCH_MM, ROW
from referee.seven_minutes.look import TWO, Heap, Look, MinutesView
from referee.seven_minutes.state import MinutesState, lying
from referee.seven_minutes.words import (
    flips_due,
    follows,
    gone_words,
    lay_steps,
    many_dice,
    move_words,
    no_dice,
    one_die,
    rolls_due,
    side_words,
    taken_words,
    to_take,
    unread_die,
)
from referee.verdict import Accepted, CantSee, Choice, Mend, Question, Refused, Spot, Verdict, Waiting
from referee.zones import BACK
from rules.cards import Card
from rules.refusal import Reason, game_over
from rules.seven_minutes import refusals as because
from rules.seven_minutes.moves import Dice, Flip, Move, Roll, Setup, Stop
from rules.seven_minutes.position import Phase, Position
from rules.seven_minutes.row import Take
from rules.text import Text, listed, player

_MOST_TRIED = 2000
"""Orders of cards flipped in one look that are tried at most."""

_LEVEL_MM = 60.0
"""A card that begins a place lies no more above or below the one before it: they overlap in height."""
_GAP_MM = 1.7 * PITCH_MM
"""The farthest from one place to the next: with more, a card may lie between them that is not seen."""

Explain = Any
"""The referee's words for cards, places and what can't be seen."""


def judge(explain: Explain, state: MinutesState, view: MinutesView, layout: Layout) -> Verdict:
    """The move that was made next, a fault, or what is waited for."""
    position: Position = state.position
    if position.phase is Phase.SETUP:
        return _setup(explain, state, view, layout)
    return _Judging(explain, state, Look.of(state, view, layout)).verdict()


def accepted(state: MinutesState, move: Move, seen: MinutesState | None = None, at_once: bool = True) -> Accepted:
    """A legal move, and what is agreed after it: what the look has shown, where it shows the move."""
    before, after = state.position, seen or state.after(move)
    return Accepted(move, after, (move_words(move, before), *follows(move, before, after.position)), at_once)


def _setup(explain: Explain, state: MinutesState, view: MinutesView, layout: Layout) -> Verdict:
    strays = [(card.name, place) for place, cards in view.cards.items() for card in cards if place != DRAW]
    strays += [(name, DRAW) for name in view.faces(DRAW)]
    if view.unread:
        return _cannot_see(explain, state, view, layout)
    if view.backs(DRAW) and not strays:
        return accepted(state, Setup(), replace(state.after(Setup()), dice=lying(view.dice)), at_once=False)
    words = [explain.lies_in(state, name, place) for name, place in strays]
    reasons = [Reason("table_disturbed", (), told) for told in words] or [
        Reason("table_disturbed", (), Text("The draw pile is not seen."))
    ]
    return Refused.of(because.CODES, reasons, [explain.mend_stray(state, *stray) for stray in strays])


def _cannot_see(explain: Explain, state: MinutesState, view: MinutesView, layout: Layout) -> CantSee:
    spots = tuple(Spot(mark.x, mark.y, layout.place_at(mark.x, mark.y), mark.cause) for mark in view.unread)
    return CantSee(spots, explain.unseen(state, spots))


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
        return player(self.position.name(self.position.seat))

    def verdict(self) -> Verdict:
        if self.state.due is not None:
            return self._taking(self.state.due)
        if self.position.phase is Phase.OVER:
            return self._refused([game_over()])
        if self.look.whole and not self.look.view.unread and self.look.new:
            return self._flipped()
        if (asked := self._which_flip()) is not None:
            return asked
        if (thrown := self._thrown()) is not None:
            return thrown
        if self.look.view.unread:
            return self._unread()
        if not self.look.whole:
            return self._disturbed()
        return self._as_agreed()

    # Flips

    def _flipped(self) -> Verdict:
        """Cards were laid to the row: the first of them, in the order that the rules allow, or what is wrong."""
        misplaced = list(self._misplaced())
        if misplaced:
            mends = [self.explain.mend_place(self.state, card, on) for card, on in misplaced]
            reasons = [because.wrong_place(card, on) for card, on in misplaced]
            return replace(self._refused(reasons, mends), at_once=True)
        heaps = [[Card.parse(seen.name) for seen in heap if self._is_new(seen.name)] for heap in self._laid_to]
        found = orders(self.position, heaps, [self._begins(heap) for heap in self._laid_to])
        flips = first_flips(self.position, found)
        told = [self._seen(flip) for flip in flips]
        if len(told) > 1:
            asked = Text("Which of these cards was flipped first?")
            return Question(asked, tuple(Choice(flip.card.text, one) for flip, one in zip(flips, told, strict=True)))
        if told:
            return told[0]
        first = next(cards[0] for cards in heaps if cards)
        reasons = list(self.position.reasons(Flip(self.position.seat, first)))
        return replace(
            self._refused(reasons, [self.explain.mend_new(self.state, card) for card in self.look.new]), at_once=True
        )

    def _seen(self, flip: Flip) -> Accepted:
        """A flip that the look shows; the last one of them says what it shows of dice, too."""
        unread = self.state.unread if self.state.flip_told else None
        after = Look.of(replace(self.state.after(flip), unread=unread), self.look.seen, self.look.layout)
        return accepted(self.state, flip, after.state if after.new else after.noted)

    def _which_flip(self) -> Question | None:
        """Which card was flipped, where it could not be read and the players have gone on since."""
        look, mark = self.look, self.state.unread
        if mark is None or self.state.flip_told or self.position.phase is not Phase.FLIP or not look.gone_on:
            return None
        if len(look.marks) > look.still:
            return None
        # One that can be read by now, in the row or taken, is most likely the one.
        left, shown = look.unseen, look.shown(self.position.seat)
        read = (card for card in self.position.draw_pile if card in look.new or str(card) in shown)
        likely = (left[name] for name in mark.candidates if name in left)
        cards = dict.fromkeys((*(() if look.still else read), *likely, *left.values()))
        choices = [Choice(card.text, accepted(self.state, Flip(self.position.seat, card))) for card in cards]
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

    def _begins(self, heap: Heap) -> bool:
        """Whether the heap is a place that the row has not had."""
        return all(self._is_new(seen.name) for seen in heap)

    def _misplaced(self) -> Iterator[tuple[Card, Card | None]]:
        """New cards that do not lie where they belong, each with the card that it belongs on."""
        row = self.position.row
        last_old = max((n for n, heap in enumerate(self.look.heaps) if not self._begins(heap)), default=-1)
        begun: dict[int, Card] = {}
        for number, heap in enumerate(self.look.heaps):
            bottom = Card.parse(heap[0].name)
            if self._begins(heap) and self._is_off_the_row(number):
                yield bottom, row.stacks[place].top if (place := row.place(bottom.rank)) is not None else None
                continue
            if not self._begins(heap):
                bottom = next(Card.parse(seen.name) for seen in heap if not self._is_new(seen.name))
            for seen in heap:
                if not self._is_new(seen.name):
                    continue
                card = Card.parse(seen.name)
                place = row.place(card.rank)
                if place is not None:
                    if self._begins(heap) or bottom.rank != card.rank:
                        yield card, row.stacks[place].top
                elif card.rank in begun and begun[card.rank] is not bottom:
                    yield card, begun[card.rank]
                elif number < last_old or bottom.rank != card.rank:
                    yield card, None
                else:
                    begun.setdefault(card.rank, bottom)

    def _is_off_the_row(self, number: int) -> bool:
        """Whether a place that a new card begins lies too far from the one before: beside the row, or past a gap."""
        first = self.look.heaps[number][0]
        if number == 0:
            return abs(first.y - MIDDLE * self.look.layout.mat_mm[1]) > _LEVEL_MM
        before = self.look.heaps[number - 1][0]
        return abs(first.y - before.y) > _LEVEL_MM or first.x - before.x > _GAP_MM

    # Dice

    def _thrown(self) -> Verdict | None:
        """What the dice say, where they were thrown."""
        look, position = self.look, self.position
        due = position.phase is Phase.JUDGEMENT or position.may_stop
        if look.cocked:
            return replace(self._refused([because.cocked_die()]), at_once=True) if due and look.whole else None
        if look.roll is None:
            return None
        if position.phase is Phase.FLIP:
            # An unread card may be one that was flipped: it would count before a stop.
            return None if look.new or (look.marks and not look.early) else self._rolled_first(look.roll)
        roll = Roll(position.seat, look.roll)
        after = replace(self.state.after(roll), dice=lying(look.view.dice), thrown=(), told=None)
        return accepted(self.state, roll, after) if self._allows(after.position.taken) else None

    def _rolled_first(self, roll: Dice) -> Verdict | None:
        """The first roll: it tells the stop, or comes too early."""
        position = self.position
        if position.may_stop:
            stop = accepted(self.state, Stop(position.seat))
            taken = stop.after.position.do(Roll(position.seat, roll)).taken
            return stop if self.look.whole or self._allows(taken) else None
        if not self.look.whole:
            return None
        return replace(self._refused(list(position.reasons(Roll(position.seat, roll)))), at_once=True)

    def _allows(self, taken: Take | None) -> bool:
        """Whether the row lies as before a roll, but for what that roll lets somebody take."""
        look = self.look
        if not look.in_order or (look.strays and taken is None):
            return False
        return not look.missing or (taken is not None and set(look.missing) <= set(taken.cards))

    # Taking

    def _taking(self, take: Take) -> Verdict:
        """A roll too many, while the cards that the judgement gave have yet to be taken; else whether they were."""
        taken = self._taken(take)
        if self.look.roll is None or not self.look.early or not isinstance(taken, Waiting):
            return taken
        return replace(self._refused([because.too_many_rolls(who=player(self.position.name(take.seat)))]), at_once=True)

    def _taken(self, take: Take) -> Verdict:
        """Whether the cards that the judgement gave were taken, and laid on the right side."""
        look, state = self.look, self.state
        who = player(self.position.name(take.seat))
        names = {str(card) for card in take.cards}
        in_row = {seen.name for heap in look.heaps for seen in heap}
        left = tuple(card for card in take.cards if str(card) in in_row)
        shown = [card for card in take.cards if str(card) in look.shown(take.seat)]
        steps = lay_steps(take, self.position.name(take.seat))
        wrong = (*left, *look.missing) if len(left) < len(take.cards) or look.missing else ()
        if wrong:
            mends = [*(steps if left else ()), *(self.explain.mend_missing(state, card) for card in look.missing)]
            return self._see_or(self._refused([because.wrong_take(who, take.cards, wrong)], mends))
        if left:
            refused = self._refused([because.wrong_take(who, take.cards, left)], steps)
            return Waiting((to_take(self.position, take),), steps, refused)
        strays = [stray for stray in look.strays if stray[0] not in names]
        if strays:
            words = [Reason("table_disturbed", (), self.explain.lies_in(state, *stray)) for stray in strays]
            return self._see_or(self._refused(words, [self.explain.mend_stray(state, *stray) for stray in strays]))
        face_up = bool(shown) or _show_elsewhere(look, names, take)
        wrong_side = not shown and look.backs(take.seat) > 0 if take.face_up else face_up
        if wrong_side:
            return self._see_or(self._refused([because.wrong_side(who, take.cards, take.face_up)], steps))
        there = bool(shown) if take.face_up else look.backs(take.seat) > 0
        if not there:
            gone = Text("The cards are not seen in {who}'s area yet.", who=who)
            refused = self._refused([Reason("table_disturbed", (), gone)], steps)
            return self._see_or(Waiting((to_take(self.position, take),), steps, refused))
        if self._covered(take):
            side = side_words(not take.face_up)
            hidden = Text("The {side} pile in {who}'s area does not show any more.", side=side, who=who)
            mends = [self.explain.mend_pile(state, take.seat, not take.face_up)]
            return self._see_or(self._refused([Reason("table_disturbed", (), hidden)], mends))
        if any(self.explain.piles_gone(state, look)):
            return self._see_or(self._disturbed())
        after = replace(state.settled, taking=False)
        more = () if self.position.outcome is not None else (flips_due(self.position),)
        right = Accepted(None, after, (taken_words(self.position, take), *more))
        if look.new:
            refused = self._refused([because.wrong_take(who, take.cards, take.cards)], steps)
            return self._see_or(_flipped_already(look.new, who, refused, right))
        return self._see_or(right)

    def _covered(self, take: Take) -> bool:
        """Whether the taker's pile of the other side, which stays as it was, does not show."""
        if take.face_up:
            return bool(self.position.face_down(take.seat)) and not self.look.backs(take.seat)
        tops = {str(card) for card in self.position.tops(take.seat)}
        return bool(tops) and not tops & self.look.shown(take.seat)

    def _see_or(self, verdict: Verdict) -> Verdict:
        """The verdict, but that a card can't be seen where one can't."""
        return self._unread() if self.look.view.unread else verdict

    # Nothing new

    def _as_agreed(self) -> Verdict:
        position, trouble = self.position, self._dice_trouble
        if position.phase is Phase.JUDGEMENT:
            none = () if self.look.view.dice or self.look.view.astray else (no_dice(),)
            words = (*(reason.text for reason in trouble), rolls_due(position), *none)
            return Waiting(words, (), self._refused([because.judgement_due(self.who, position.rolls_left), *trouble]))
        stop = Stop(position.seat)
        reasons = list(position.reasons(stop))
        if reasons:
            return Waiting((flips_due(position),) if position.king_left else (), (), self._refused(reasons))
        if any(self.explain.piles_gone(self.state, self.look)):
            return self._disturbed()
        told = accepted(self.state, stop, at_once=False)
        more = (reason.text for reason in trouble if self.look.touched_dice)
        return replace(told, sentences=(*told.sentences, *more), without_trace=True)

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

    def _disturbed(self) -> Refused:
        """Cards are gone, or lie where they must not."""
        state, look, position = self.state, self.look, self.position
        comparison = self.explain.compared(state, look)
        if not look.missing or not (position.phase is Phase.JUDGEMENT or position.may_stop):
            return self._refused([Reason("table_disturbed", (), told) for told in comparison.told], comparison.mends)
        own = f"seat:{position.seat}"
        taken = {(name, own) for name in (BACK, *map(str, look.missing))}
        others = [self.explain.lies_in(state, *stray) for stray in look.strays if stray not in taken]
        if position.phase is Phase.FLIP or not set(look.strays) & taken:
            others += missing_words(look)
        reasons = [because.rolls_missing(self.who, position.rolls_left or position.row.rolls)]
        reasons += [Reason("table_disturbed", (), words) for words in others]
        # A card that goes back into the row is no back in the area any more.
        mends = [mend for mend in comparison.mends if (mend.item, mend.source) != (BACK, own)]
        return self._refused(reasons, mends)

    def _unread(self) -> CantSee:
        """At once where a card of the row can't be read: whoever plays on takes it away."""
        told = _cannot_see(self.explain, self.state, self.look.view, self.look.layout)
        return replace(told, at_once=not self.state.taking and any(spot.place == ROW for spot in told.spots))

    def _refused(self, reasons: Sequence[Reason], mends: Sequence[Mend] = ()) -> Refused:
        return Refused.of(because.CODES, reasons, mends)


def _flipped_already(new: Sequence[Card], who: Text, refused: Refused, right: Accepted) -> Question:
    """Cards lie in the row that nobody had seen, where those taken might lie still and be misread."""
    cards = listed(new)
    return Question(
        Text("Has {who} taken the cards, and was {cards} flipped after that?", who=who, cards=cards),
        (Choice(Text("No."), refused), Choice(Text("Yes."), right)),
    )


def _show_elsewhere(look: Look, names: set[str], take: Take) -> bool:
    """Whether cards taken show outside the row and the taker's area."""
    places = (place for place in look.view.cards if place not in (ROW, f"seat:{take.seat}"))
    return any(names & set(look.view.faces(place)) for place in places)


def orders(position: Position, heaps: Sequence[Sequence[Card]], begins: Sequence[bool]) -> list[list[Flip]]:
    """Every order in which the most of these flips are legal one after the other, each heap's in their order.

    A heap that ``begins`` a place of the row comes after those before it.
    """
    found: list[list[Flip]] = [[]]
    tried = 0

    def go(now: Position, at: tuple[int, ...], made: list[Flip]) -> None:
        nonlocal found, tried
        tried += 1
        if made and len(made) >= len(found[0]):
            found = [made] if len(made) > len(found[0]) else [*found, made]
        for number, cards in enumerate(heaps):
            if at[number] == len(cards) or tried > _MOST_TRIED:
                continue
            if begins[number] and at[number] == 0 and any(begins[k] and at[k] == 0 for k in range(number)):
                continue
            flip = Flip(now.seat, cards[at[number]])
            if now.phase is Phase.FLIP and now.can(flip):
                go(now.do(flip), (*at[:number], at[number] + 1, *at[number + 1 :]), [*made, flip])

    go(position, (0,) * len(heaps), [])
    return [order for order in found if order]


def first_flips(position: Position, found: Sequence[Sequence[Flip]]) -> list[Flip]:
    """The flips that may have been the first; one alone where all orders lead to the same."""

    def led_to(order: Sequence[Flip]) -> tuple[object, ...]:
        now = position
        for flip in order:
            now = now.do(flip)
        return now.row, now.phase, now.cause, now.king_left

    if len({led_to(order) for order in found}) == 1:
        found = found[:1]
    return list(dict.fromkeys(order[0] for order in found))


def missing_words(look: Look) -> list[Text]:
    """What is gone from the row, in words."""
    return [gone_words(card) for card in look.missing]


def new_words(card: Card) -> Text:
    """A card that nobody had seen before, in words."""
    return Text("{card!c} lies in the row.", card=card)
