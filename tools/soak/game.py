"""One simulated game, refereed look by look and held against its own truth."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field, fields, replace
from itertools import product
from typing import Any

from referee.laminate.expected_layout import Agreed
from referee.laminate.judging import forget_taken_thanks
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.simulated.lookalikes import find_lookalike
from referee.laminate.simulated.players import Skill
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import TableView
from referee.simulation import Attempt
from referee.simulation.table import NoRoomError
from referee.table import Unread
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict
from rules.laminate.moves import Research
from rules.laminate.position import Position
from tests.referee.tables import judge
from tools.soak.eyes import Looks, SortingEye
from tools.soak.mending import MendedTable
from tools.soak.telling import verdict_line

NAMES = ("Hilbert", "Banach", "Noether", "Galois", "Gauss")
CARELESSNESS = 0.3
_NOBODY_LOOKED = 0.3
_LOOKS = 5


@dataclass
class Tally:
    """What came of one game, or of many."""

    games: int = 0
    finished: int = 0
    no_room: int = 0
    confirms: int = 0
    legal: int = 0
    asked: int = 0
    cannot_see: int = 0
    unseen: int = 0
    """Confirms answered with can't see although nobody had made a card hard to read."""
    blind: int = 0
    """Confirms answered with can't see although every card was read."""
    mistakes: Counter[str] = field(default_factory=Counter)
    instead: Counter[str] = field(default_factory=Counter)
    lookalikes: Counter[str] = field(default_factory=Counter)
    hidden: int = 0
    """Mistakes that an unread card hid, beside a move that was understood; with that card read they are refused."""
    mended: int = 0
    faults: list[str] = field(default_factory=list)
    judging_s: list[float] = field(default_factory=list)
    """How long each verdict took, and in ``judged_at`` where that was."""
    judged_at: list[str] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)
    """Every verdict as one line (``tools.soak.telling``)."""

    def add(self, other: Tally) -> None:
        """Count another game in."""
        for count in fields(Tally):
            mine, more = getattr(self, count.name), getattr(other, count.name)
            if isinstance(mine, Counter):
                mine.update(more)
            else:
                setattr(self, count.name, mine + more)


class _FaultError(Exception):
    """The referee and the truth differ."""


def new_game(seed: int, carelessness: float = CARELESSNESS) -> SimulatedGame:
    """Start the game of that seed: 3, 4 or 5 players of mixed skill, any first seat."""
    rng = random.Random(f"soak {seed}")
    players = 3 + seed % 3
    skills = [rng.choice(list(Skill)) for _ in range(players)]
    return SimulatedGame(
        NAMES[:players],
        layout_for(players),
        rng,
        blunders=False,
        first_seat=rng.randint(1, players),
        skills=skills,
        carelessness=carelessness,
    )


def referee_game(seed: int, eye: Looks | None = None, game: SimulatedGame | None = None) -> Tally:
    """Play and referee one game from table views."""
    game = game or new_game(seed)
    tally = Tally(games=1)
    refereed = _Refereed(game, eye or SortingEye(game.table.layout, random.Random(seed)), tally, random.Random(-seed))
    try:
        for number, attempt in enumerate(game.play_game()):
            refereed.at = f"seed {seed}, attempt {number}"
            refereed.meet(attempt)
        refereed.end()
        tally.finished += 1
    except NoRoomError:
        tally.no_room += 1
    except _FaultError as fault:
        tally.faults.append(f"{refereed.at}: {fault}")
    tally.lookalikes.update(game.lookalikes)
    return tally


class _Refereed:
    def __init__(self, game: SimulatedGame, eye: Looks, tally: Tally, rng: random.Random) -> None:
        self.game, self.eye, self.tally, self.rng = game, eye, tally, rng
        self.layout = game.table.layout
        start = game.game.positions[0]
        self.agreed = Agreed(Position.start(start.players, start.first_seat))
        self.public = self.agreed.position
        self.at = ""

    def meet(self, attempt: Attempt) -> None:
        """Meet one change of the table, looked at and judged until there is an answer."""
        if attempt.unconfirmed:
            if self.rng.random() >= _NOBODY_LOOKED:
                self.agreed = forget_taken_thanks(self.agreed, self.eye.look(self.game.table), self.layout)
            return
        view = self.eye.look(self.game.table)
        self._overlook(view, attempt)
        verdict = self._judge(view)
        for _ in range(_LOOKS):
            if not isinstance(verdict, CantSee):
                break
            self.tally.cannot_see += 1
            self.tally.unseen += not self.eye.troubled
            self.tally.blind += not view.unread
            view = self.eye.look_clearly(self.game.table)
            verdict = self._judge(view)
        if isinstance(verdict, Question):
            self.tally.asked += 1
            verdict = self._answer(verdict, attempt)
        if attempt.code is None:
            self._judge_legal(attempt, verdict)
        else:
            self._judge_mistaken(attempt, verdict)

    def _overlook(self, view: TableView, attempt: Attempt) -> None:
        """Check that nothing is accepted while an unread card lies where none has to, beside what is read there."""
        chance, layout = random.Random(f"unread {self.at}"), self.layout
        elsewhere = [str(card) for paper in view.papers for card in paper.cards]
        x0, y0, x1, y1 = layout.seat_rect(chance.randint(1, len(layout.seats)))
        piles: list[tuple[tuple[float, float], tuple[str, ...]]] = [(layout.draw, ())] if view.draw_backs else []
        if view.discard_top is not None and elsewhere:
            piles.append((layout.discard, (chance.choice(elsewhere),)))
        (x, y), candidates = chance.choice([*piles, (((x0 + x1) / 2, (y0 + y1) / 2), ())])
        mark = Unread(x, y, 0.0, "glare", candidates, 0.1)
        if isinstance(judge(self.agreed, replace(view, unread=(*view.unread, mark)), layout), Accepted):
            self.tally.faults.append(f"{self.at}: UNREAD OVERLOOKED: {self._describe_truth(attempt)}; {mark}")

    def _judge(self, view: TableView) -> Verdict:
        self.tally.confirms += 1
        # Processor time: how long it takes on a machine that does nothing else meanwhile.
        began = time.process_time()
        verdict = judge(self.agreed, view, self.layout)
        self.tally.judging_s.append(time.process_time() - began)
        self.tally.judged_at.append(self.at)
        self.tally.verdicts.append(verdict_line(self.at, verdict))
        return verdict

    def _answer(self, question: Question, attempt: Attempt) -> Verdict:
        for choice in question.choices:
            if self._is_right(choice.verdict, attempt):
                return choice.verdict
        answers = "; ".join(str(choice.text) for choice in question.choices)
        raise _FaultError(f"no true answer: {self._describe_truth(attempt)}; asked {question.text} {answers}")

    def _is_right(self, verdict: Verdict, attempt: Attempt) -> bool:
        if attempt.move is not None:
            if not isinstance(verdict, Accepted) or not self._same_research(verdict.move, attempt.move):
                return False
            return _is_same(verdict.after.position, self.public.do(attempt.move)) and self._lies_there(verdict.after)
        if not isinstance(verdict, Refused):
            return False
        named = {verdict.refusal.code, *verdict.refusal.also}
        codes, instead = {attempt.code, *attempt.also}, set(attempt.instead)
        if self.agreed.thanks and ("payment_excess" in codes or self._legal_but_for_old_thanks()):
            # Nobody has seen the thanks of the last turn taken away, so these may be theirs.
            instead.add("payment_not_taken")
        return codes <= named or bool(instead & named)

    def _lies_there(self, agreed: Any) -> bool:
        """Tell whether every discard that is agreed on, beyond what the moves tell, lies in the pile."""
        pile = self.game.table.discards
        placed = all(card is None or str(card) == name for card, name in zip(agreed.discards, pile, strict=True))
        return placed and {str(card) for card in agreed.peeping} <= set(pile)

    def _legal_but_for_old_thanks(self) -> bool:
        """Tell whether the table looks as after a legal move, if thanks of the last turn lie on some spots."""
        table = self.game.table
        lying, before = table.count_payments(), table.take_snapshot()
        old = {seat: min(count, lying.get(seat, 0)) for seat, count in self.agreed.thanks.items()}
        legal = False
        for some in product(*((0, count) for count in old.values())):
            for seat, count in zip(old, some, strict=True):
                table.unpay(seat, count)
            legal |= any(some) and find_lookalike(table, self.public) is not None
            table.restore(before)
        return legal

    def _same_research(self, understood: Any, true: Any) -> bool:
        """Tell whether, if it was research, the card came from the pile it is said to come from, or the same."""
        if not isinstance(understood, Research) or not isinstance(true, Research):
            return type(understood) is type(true)
        ruling_8 = self.public.draw_count == 0 and len(self.public.discards) <= 2
        return understood.source == true.source or (ruling_8 and understood.source == "discard")

    def _describe_truth(self, attempt: Attempt) -> str:
        if attempt.move is not None:
            return f"truth {attempt.move}"
        return f"mistake {attempt.mistake} {attempt.code} {sorted(attempt.also)} by {attempt.seat}"

    def _judge_legal(self, attempt: Attempt, verdict: Verdict) -> None:
        assert attempt.move is not None
        self.tally.legal += 1
        if isinstance(verdict, Refused):
            raise _FaultError(
                f"LEGAL REFUSED: {self._describe_truth(attempt)}; "
                f"{verdict.refusal.code} {verdict.refusal.also} {verdict.text}"
            )
        if not isinstance(verdict, Accepted) or not self._is_right(verdict, attempt):
            raise _FaultError(f"WRONGLY UNDERSTOOD: {self._describe_truth(attempt)}; {verdict}")
        assert isinstance(verdict.after, Agreed)
        self.agreed = verdict.after
        self.public = self.public.do(attempt.move)

    def _judge_mistaken(self, attempt: Attempt, verdict: Verdict) -> None:
        if isinstance(verdict, Accepted) and self._is_hidden(attempt, verdict):
            self.tally.hidden += 1
            return
        self.tally.mistakes[attempt.mistake] += 1
        if isinstance(verdict, Accepted):
            raise _FaultError(f"ILLEGAL ACCEPTED: {self._describe_truth(attempt)}; {verdict.move}")
        if not isinstance(verdict, Refused):
            raise _FaultError(f"NEVER SEEN: {self._describe_truth(attempt)}; {verdict}")
        if not self._is_right(verdict, attempt):
            named = (verdict.refusal.code, *verdict.refusal.also)
            self.tally.faults.append(f"{self.at}: WRONG CODE: {self._describe_truth(attempt)}; {named} {verdict.text}")
            return
        if not {attempt.code, *attempt.also} <= {verdict.refusal.code, *verdict.refusal.also}:
            self.tally.instead[attempt.mistake] += 1
        self._mend(attempt, verdict)

    def _is_hidden(self, attempt: Attempt, accepted: Accepted) -> bool:
        """Tell whether the player's move was understood, and what is wrong elsewhere only hidden by an unread card."""
        if attempt.meant is None or not self.eye.troubled:
            return False
        after = self.public.do(attempt.meant)
        clearly = judge(self.agreed, self.eye.look_clearly(self.game.table), self.layout)
        return _is_same(accepted.after.position, after) and self._is_right(clearly, attempt)

    def _mend(self, attempt: Attempt, refused: Refused) -> None:
        """Check that what the refusal says to put right leads to a table that follows the rules."""
        table = MendedTable.from_table(self.game.table)
        if not table.carry_out(refused.mend):
            return
        again = judge(self.agreed, table.look_at(), self.layout)
        if isinstance(again, Refused) and again.refusal.code not in ("pass_not_allowed", "flag_due"):
            steps = " / ".join(str(mend.text) for mend in refused.mend)
            code = (again.refusal.code, *again.refusal.also)
            self.tally.faults.append(
                f"{self.at}: NOT MENDED: {self._describe_truth(attempt)}; "
                f"{refused.text} STEPS {steps} LEFT {code} {again.text}"
            )
            return
        self.tally.mended += 1

    def end(self) -> None:
        """Check that the game is over with the true ranking."""
        true, agreed = self.game.position.outcome, self.agreed.position.outcome
        if true != agreed:
            raise _FaultError(f"WRONG END: {true} but agreed {agreed}")


def _is_same(a: Position, b: Position) -> bool:
    """Tell whether two public positions agree in everything that lies on the table and in whose turn it is.

    One may know a set-up discard, since the table has shown it, that the other does not.
    """
    piles = zip(a.discards, b.discards, strict=False)
    if any(one is not None and other is not None and one != other for one, other in piles):
        return False

    def take_gist(position: Position) -> tuple[object, ...]:
        seats = range(1, len(position.players) + 1)
        return (
            {(paper.seat, paper.kind): frozenset(paper.cards) for paper in position.papers},
            [position.hand_size(seat) for seat in seats],
            position.draw_count,
            len(position.discards),
            (position.phase, position.to_move, position.turns_left, position.points, position.outcome),
        )

    return take_gist(a) == take_gist(b)
