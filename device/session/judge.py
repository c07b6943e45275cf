"""One game's table held against what is agreed: what it shows of the next move, and what is answered.

It knows no button, no menu and no screen; whatever changes what is agreed is an ``Entry``, kept before it is shown.

**Out of step.** Where the table differs from what was agreed by more than a move could explain, the screen says so and
shows what to put where. It is entered where ``DISTURBED_AT_REST`` papers or piles that lay there are not as they were;
or where confirm is refused as disturbed with ``DISTURBED_AT_CONFIRM`` of them, or twice over the same table. It ends
by itself as soon as the table lies as agreed or as one move from there, and by a correction by hand.

**Judged from the last look.** What is settled is judged from the look that was seen last, never from an earlier one
that seemed the same. A question stays open over a further look only where judging that look asks the very same.

**Taking back.** After a turn was taken back or put back, nothing is accepted until the table lies as agreed again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from device.session.event_log import EventLog
from device.session.named_cards import NamedCards
from device.session.states import Answer, LastLook
from referee.game import Check, Named
from referee.history import (
    CARD_NAMED,
    CHECKED,
    MOVE,
    NAME_DROPPED,
    NOTICED,
    POSITION_SET,
    REDO,
    UNDO,
    Entry,
    History,
    named_entry,
)
from referee.layout import TableLayout
from referee.state import AgreedState
from referee.verdict import (
    Accepted,
    CantSee,
    Comparison,
    Offer,
    Question,
    Refused,
    Spot,
    Verdict,
    Waiting,
    says_the_same,
)
from rules.refusal import Reason
from rules.text import Text
from ui.screen_state import Mood

T = TypeVar("T")

DISTURBED_AT_REST = 3
"""So many things not as they were, and the table is out of step: nobody's turn touches them."""
DISTURBED_AT_CONFIRM = 2
"""So many, where confirm was pressed and no move explains them."""

PRESSED_TWICE_S = 2.0
"""A press that comes sooner than this after one that was accepted passes for the next player only when asked."""

_MOST_AT_ONCE = 60
"""More moves than one look can show."""


def at_once(before_s: float | None, pressed_s: float | None) -> bool:
    """Whether a press came so soon after another one that it may be the same person's."""
    return before_s is not None and pressed_s is not None and pressed_s - before_s < PRESSED_TWICE_S


class _Once(Generic[T]):
    """An answer kept until it is asked about something else."""

    def __init__(self, ask: Callable[[AgreedState, Any, TableLayout], T]) -> None:
        self._ask = ask
        self._kept: tuple[AgreedState, Any, T] | None = None

    def __call__(self, state: AgreedState, view: Any, layout: TableLayout) -> T:
        if self._kept is None or self._kept[0] is not state or self._kept[1] is not view:
            self._kept = (state, view, self._ask(state, view, layout))
        return self._kept[2]


class Judge:
    """Judges looks at the table; what it gave last is its ``answer`` while that is shown."""

    def __init__(self, log: EventLog, layout: TableLayout) -> None:
        self.log, self.referee, self.layout = log, log.history.referee, layout
        self._judged: _Once[Verdict] = _Once(self.referee.judge)
        self._compared: _Once[Comparison] = _Once(self.referee.compare)
        self._told: _Once[tuple[tuple[Text, Any], ...]] = _Once(
            lambda state, *_: self.referee.list_enterable_moves(state)
        )
        self._names = NamedCards(self.referee, layout)
        self.look = LastLook()
        self.answer: Answer | None = None
        self.last: Accepted | None = None
        """The move that was made last, unless the game was set otherwise since."""
        self.out_of_step = False
        self.settled: tuple[Accepted | Refused, ...] = ()
        """What settled by itself, or was found wrong, with the last look."""
        self.turn = 0
        """How often the game was brought on, or back."""
        self.given = 0
        """How often something else was given, or what was given taken off."""
        self._accepted_s: float | None = None

    @property
    def history(self) -> History:
        """How the game came here."""
        return self.log.history

    @property
    def view(self) -> Any:
        """The last look, with the cards named by hand in it; ``None`` before the first."""
        return self.look.view

    @property
    def verdict(self) -> Verdict:
        """What the last look is judged as."""
        return self._judged(self.history.now, self.view, self.layout)

    @property
    def comparison(self) -> Comparison:
        """How the table differs from what is agreed."""
        return self._compared(self.history.now, self.view, self.layout)

    @property
    def entered_moves(self) -> tuple[tuple[Text, Any], ...]:
        """The moves that no camera sees and that may be told now, in words."""
        return self._told(self.history.now, self.view, self.layout)

    @property
    def lay(self) -> Hashable:
        """How the table lies: the same for all looks that show the same."""
        return None if self.view is None else self.referee.take_fingerprint(self.view, self.layout)

    @property
    def shown(self) -> Verdict | None:
        """The verdict that is shown."""
        return self.answer.shown if self.answer else None

    @property
    def question(self) -> Question | None:
        """The question that waits for an answer."""
        return self.shown if isinstance(self.shown, Question) else None

    def _commit(self, entry: Entry) -> None:
        """Change the agreed state; where it can't be kept, nothing has changed."""
        self.log.commit(entry)
        if entry.kind in (MOVE, UNDO, REDO, POSITION_SET):
            self.last, self.turn, self.out_of_step = None, self.turn + 1, False
            self._names.turn()
            self.give(None)

    def _accept(self, accepted: Accepted) -> None:
        if accepted.move is None:
            self._commit(Entry(NOTICED, self.referee.save_details(accepted.after)))
        else:
            self._commit(self.history.move_entry(accepted.move, accepted.after))
        self.last = accepted

    def give(self, answer: Answer | None) -> None:
        """Show this answer, or none any more."""
        self.answer, self.given = answer, self.given + 1

    def _show(self, verdict: Verdict, judged: Verdict, offer: Offer | None = None) -> Verdict:
        self.give(Answer(verdict, judged, self.lay, offer))
        return verdict

    # Looking

    def note_busy(self, mood: Mood, why: Text | None) -> None:
        """Note that the eye is busy, or for some reason can't see the table at all; the next look ends it."""
        self.look = replace(self.look, busy=mood, blind=why)
        if mood is Mood.HANDS:
            self._names.touch()

    def see(self, view: Any) -> None:
        """Take what a new still look at the table adds to what is agreed, and judge what lies there at once.

        Raises:
            Exception: whatever keeping an entry raises; then nothing was agreed.
        """
        self.look, self.settled = LastLook(view, self.view), ()
        named, ended = self._names.hold(self.history.now, view, self.history.named)
        for name in ended:
            self._commit(named_entry(NAME_DROPPED, name))
        self.look = LastLook(view, named)
        if self.history.over:
            return
        noticed = self.referee.find_passive_changes(self.history.now, named, self.layout)
        if noticed is not None:
            self._commit(Entry(NOTICED, noticed))
        if self.answer is not None and not self._still_stands(self.answer):
            self.give(None)
        if self.history.check is None:
            self._settle_at_once()
        if not self.history.over:
            self._keep_step()

    def look_again(self) -> None:
        """Judge the last look anew."""
        before = self.look
        if before.raw is not None:
            self.see(before.raw)
            self.look = replace(self.look, busy=before.busy, blind=before.blind)

    def _settle_at_once(self) -> None:
        """Commit what needs no press, move after move; show what is said or asked without a press, once."""
        while not self.history.over and len(self.settled) < _MOST_AT_ONCE:
            verdict = self.verdict
            if isinstance(verdict, Waiting) or not verdict.at_once:
                break
            if isinstance(verdict, Accepted):
                self._accept(verdict)
                # Whoever presses next has seen it: that is no second press.
                self._accepted_s = None
            elif self.answer is not None and says_the_same(self.answer.judged, verdict):
                # A further look at the same leaves what is chosen on the screen as it is.
                break
            self._show(verdict, verdict)
            if isinstance(verdict, Accepted | Refused):
                self.settled = (*self.settled, verdict)
            if not isinstance(verdict, Accepted):
                break

    def _still_stands(self, answer: Answer) -> bool:
        """Whether what confirm gave may stay on the screen over a further look, open questions included."""
        if isinstance(answer.shown, Accepted):
            return answer.lay == self.lay
        if not says_the_same(self.verdict, answer.judged):
            return False
        return answer.offer is None or answer.offer == self._offer()

    def _offer(self) -> Offer | None:
        return self.referee.offer(self.history.now, self.view, self.layout)

    def _keep_step(self) -> None:
        """Find out whether table and agreement are in step."""
        comparison = self.comparison
        if self.history.check is not None:
            # What hands must do unseen is confirmed by hand.
            if comparison.agrees and not self.referee.has_hidden_cards(self.history.check.step):
                self._commit(Entry(CHECKED))
        elif isinstance(self.verdict, Refused | CantSee) and not comparison.agrees:
            self.out_of_step |= comparison.disturbed >= DISTURBED_AT_REST
        else:
            self.out_of_step = False

    # Answering

    def tell(
        self, data: Mapping[str, Any], first: bool = False, pressed_s: float | None = None, now_s: float | None = None
    ) -> Verdict:
        """Judge a move entered with the buttons, as a record's line has it.

        The first one on the screen, confirmed at once after another move was accepted, may be the same person's second
        press: it is asked about before it passes for the next player's.

        Raises:
            Exception: whatever keeping an entry raises; then nothing was agreed.
        """
        verdict = self.referee.judge_entered(self.history.now, data)
        if isinstance(verdict, Accepted):
            if first and at_once(self._accepted_s, pressed_s):
                return self.ask(self.referee.pressed_twice(verdict, self.history.now))
            self._accept(verdict)
            self._accepted_s = now_s or self._accepted_s
        return self._show(verdict, verdict)

    def ask(self, question: Question) -> Verdict:
        """Ask about what is told, whatever the table shows."""
        return self._show(question, question if self.view is None else self.verdict)

    def settle(self, chosen: int, pressed_s: float | None = None, now_s: float | None = None) -> Verdict | None:
        """Settle the last look, or the question with the answer that is chosen.

        Where a turn was taken back and the table lies accordingly, hidden cards are taken to be back in their places
        too, and there is no verdict. ``pressed_s`` is when confirm was pressed, ``now_s`` when it is settled, in
        seconds of any clock.
        """
        if self.history.check is not None:
            self._accepted_s = now_s
            return self._settle_check(self.history.check)
        verdict = self._settle_move(chosen, pressed_s)
        if isinstance(verdict, Accepted):
            self._accepted_s = now_s
        return verdict

    def _settle_move(self, chosen: int, pressed_s: float | None) -> Verdict:
        judged, before, offer = self.verdict, self.answer, None
        if before is not None and before.offer is not None:
            return self._answer_offer(before.offer, before, chosen)
        if self.question is not None:
            verdict: Verdict = self.question.choices[chosen].verdict
        elif isinstance(judged, Accepted) and judged.without_trace and at_once(self._accepted_s, pressed_s):
            verdict = self.referee.pressed_twice(judged, self.history.now)
        elif isinstance(judged, Waiting) and judged.pressed is not None:
            verdict = self._refuse_pressed(judged.pressed)
            judged = self.verdict
        else:
            verdict = judged
        if isinstance(verdict, Accepted):
            self._accept(verdict)
        elif isinstance(verdict, Refused) and not self.history.over:
            insisted = before is not None and (before.shown, before.judged) == (verdict, judged)
            offer = self._offer()
            if "table_disturbed" in (verdict.refusal.code, *verdict.refusal.also):
                disturbed = self.comparison.disturbed
                self.out_of_step |= insisted or disturbed >= DISTURBED_AT_CONFIRM
        self._show(verdict, judged, offer)
        if isinstance(verdict, Accepted) and isinstance(judged, Question) and judged.at_once:
            # What was asked about stood between this look and the moves that need no press.
            self.look_again()
        return verdict

    def _refuse_pressed(self, refused: Refused) -> Refused | CantSee:
        """Refuse what waits, unless that hangs on a name that is not sure."""
        if self._names.doubt_unsure():
            self.look_again()
        return self.verdict if isinstance(self.verdict, CantSee) else refused

    def _answer_offer(self, offer: Offer, before: Answer, chosen: int) -> Verdict:
        """Several turns were offered as the explanation of a refusal; the first answer is that they are none."""
        if chosen == 0:
            return self._show(before.shown, before.judged)
        for turn in offer.turns:
            self._accept(turn)
        return self._show(offer.turns[-1], offer.turns[-1])

    def _settle_check(self, check: Check) -> Verdict | None:
        now, view, referee = self.history.now, self.view, self.referee
        comparison = self.comparison
        if comparison.agrees:
            self._commit(Entry(CHECKED))
            return None
        if not comparison.told:
            spots = [Spot(m.x, m.y, referee.place_of(m, view, self.layout), m.cause) for m in view.unread]
            return CantSee(tuple(spots), referee.explain_unread(now, spots))
        reasons = (Reason("table_disturbed", (), words) for words in comparison.told)
        return Refused.from_reasons(referee.rules.codes, reasons, referee.list_steps(check, comparison))

    # Setting right

    def undo(self, turns: int = 1) -> None:
        """Take the last turns back, as far as there are any; the table is looked at once they all are."""
        undone = self.history.past[-turns:]
        for _ in undone:
            self._commit(Entry(UNDO))
        if undone:
            self.look_again()

    def redo(self) -> None:
        """Put back the turn that was taken back last, where there is one."""
        if self.history.future:
            self._commit(Entry(REDO))
            self.look_again()

    def name_card(self, named: Named) -> None:
        """Name a card by hand that can't be read; it counts as seen there until it moves."""
        shown, spots = self.shown, tuple[Spot, ...]()
        if isinstance(shown, CantSee):
            spots = shown.spots
        elif isinstance(shown, Question) and shown.spot is not None:
            spots = (shown.spot,)
        is_asked = any(spot.place == named.place for spot in spots)
        self._commit(named_entry(CARD_NAMED, named))
        self._names.give(named, is_asked)
        self.answer = None
        self.look_again()

    def set_position(self, agreed: AgreedState) -> None:
        """Set by hand what is agreed."""
        self._commit(Entry(POSITION_SET, {"agreed": agreed.to_json()}))
        self.look_again()
