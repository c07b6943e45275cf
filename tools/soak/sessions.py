"""Sessions at a restless table: every verdict that confirm settles is the one that a fresh judge gives on that look.

People look again, nudge cards, cover them, choose answers, take turns back, and press confirm at any moment. The fresh
judge knows nothing of earlier looks: it gets what was agreed and the look that confirm froze.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from device.hardware.buttons import Button
from device.session.session import Session
from referee.laminate.expected_layout import Agreed
from referee.laminate.referee import REFEREE
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.two_turns import two_turns
from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.table import TableView
from referee.simulation import Attempt
from referee.simulation.table import NoRoomError
from referee.table import Unread
from referee.verdict import Accepted, Question, Refused
from rules.cards import DECK
from rules.laminate.moves import Publish
from rules.laminate.position import Position
from tests.device.openings import begun
from tests.referee.tables import judge
from tools.soak.any_game import Counts
from tools.soak.eyes import SortingEye
from tools.soak.papers import new_game

_ATTEMPTS = 25
"""So many changes of the table are watched in one session."""
_UNREAD = 0.01
_RESTLESS = 0.35
"""How often a further look shows something else than the one before."""


@dataclass
class Watch(Counts):
    """What came of one session, or of many."""

    sessions: int = 0
    settled: int = 0
    accepted: int = 0
    asked: int = 0
    answered: int = 0
    offered: int = 0
    checked: int = 0


def watch(seed: int) -> Watch:
    """Watch one session of that seed."""
    seen = Watch(sessions=1)
    rng = random.Random(f"session {seed}")
    game = new_game(seed)
    session: Session | None = None
    try:
        for truth, attempt in _list_attempts(rng.randint(0, 60), game):
            if session is None:
                start = truth.position
                session = begun(start.players, start.first_seat, game.table.layout)
            if session.position != truth.position or session.checking:
                session.judge.set_position(truth)
            _Table(seed, game, session, rng, seen).meet(attempt)
    except NoRoomError:
        pass  # there is no room left on the simulated table
    return seen


def _list_attempts(first: int, game: SimulatedGame) -> Iterator[tuple[Agreed, Attempt]]:
    """Yield what is agreed before each of some attempts, and the attempt, as it then lies on the table."""
    start = game.game.positions[0]
    truth = Agreed(Position.start(start.players, start.first_seat))
    for number, attempt in enumerate(game.play_game()):
        if number >= first + _ATTEMPTS:
            return
        if number >= first and not attempt.unconfirmed:
            yield truth, attempt
        if attempt.unconfirmed:
            truth = replace(truth, thanks={})
        elif attempt.move is not None:
            paid = attempt.move.pay if isinstance(attempt.move, Publish) else {}
            thanks = {seat: n if isinstance(n, int) else len(n) for seat, n in paid.items()}
            truth = Agreed(truth.position.do(attempt.move), thanks)


class _Table:
    def __init__(self, seed: int, game: SimulatedGame, session: Session, rng: random.Random, seen: Watch) -> None:
        self.seed, self.game, self.session, self.rng, self.seen = seed, game, session, rng, seen
        self.eye = SortingEye(game.table.layout, rng, _UNREAD)
        self.raw: TableView | None = None

    def meet(self, attempt: Attempt) -> None:
        """Look and press a few times while the attempt lies there, and then once as people should."""
        rng = self.rng
        for _ in range(rng.randint(1, 3)):
            self.look(self.see_restlessly())
            for _ in range(rng.choice((0, 1, 1, 2))):
                self.press()
        self.look(self.eye.look_clearly(self.game.table))
        self.confirm()

    def look(self, view: TableView) -> None:
        self.raw = view
        self.session.see(view)

    def see_restlessly(self) -> TableView:
        """See the table as it is now, at times with something changed that people or light did."""
        rng, view = self.rng, self.eye.look(self.game.table)
        if rng.random() >= _RESTLESS:
            return view
        how = rng.choice(("under", "unread", "candidates", "top", "gone", "thanks"))
        if how == "under":
            under = (*view.discard_under, rng.choice(DECK)) if rng.random() < 0.6 else ()
            return replace(view, discard_under=under)
        if how == "top":
            return replace(view, discard_top=rng.choice((None, rng.choice(DECK))))
        if how == "thanks":
            return replace(view, payments={**view.payments, rng.randint(1, 3): rng.randint(0, 2)})
        if not view.papers:
            return view
        number = rng.randrange(len(view.papers))
        paper = view.papers[number]
        if how == "gone" or not paper.cards:
            return replace(view, papers=view.papers[:number] + view.papers[number + 1 :])
        first, *rest = paper.cards
        names = (str(first), *map(str, rng.sample(DECK, 2)))
        may_be = names if how == "unread" else tuple(map(str, rng.sample(DECK, 2)))
        x, y = (paper.x, paper.y) if rng.random() < 0.8 else (rng.uniform(0, 1100), rng.uniform(0, 800))
        mark = Unread(x, y, 0.0, "glare", may_be)
        spoilt = replace(paper, cards=tuple(rest), doubtful=(*paper.doubtful, mark))
        papers = (*view.papers[:number], spoilt, *view.papers[number + 1 :])
        return replace(view, papers=papers, unread=(*view.unread, mark))

    def press(self) -> None:
        luck = self.rng.random()
        if luck < 0.6:
            self.confirm()
        elif luck < 0.8:
            if self.session.make_screen().choices:
                self.session.press(Button.DOWN)
        elif luck < 0.9:
            self.session.press(Button.BACK)
        else:
            self.session.judge.undo()

    def confirm(self) -> None:
        """Press confirm and hold what it gives against a fresh judge."""
        session, layout = self.session, self.session.layout
        assert self.raw is not None
        assert isinstance(layout, PaperLayout), "the layout is that of this game"
        agreed, checking, question = session.agreed, session.checking, session.judge.question
        screen = session.make_screen()
        offer = bool(screen.choices) and question is None
        chosen = screen.chosen
        view = session.judge.view
        fresh = judge(agreed, view, layout)
        turns = two_turns(REFEREE, agreed, view, layout) if offer else None
        verdict = session.press(Button.CONFIRM)
        seen = self.seen
        seen.settled += 1
        seen.accepted += isinstance(verdict, Accepted)
        if checking:
            seen.checked += 1
            self.expect("a check", verdict is None, REFEREE.compare(agreed, view, layout).agrees)
        elif question is not None:
            seen.answered += 1
            self.expect("a question", question, fresh)
            if isinstance(fresh, Question):
                self.expect("an answer", verdict, fresh.choices[chosen].verdict)
        elif offer:
            seen.offered += 1
            if chosen == 0:
                self.expect("an offer declined", isinstance(verdict, Refused), not isinstance(fresh, Accepted))
            else:
                self.expect("an offer taken", verdict, turns[-1] if turns is not None else None)
                self.expect("what it led to", session.agreed, turns[-1].after if turns is not None else None)
        else:
            seen.asked += isinstance(verdict, Question)
            self.expect("a verdict", verdict, fresh)

    def expect(self, what: str, given: object, fresh: object) -> None:
        if given != fresh:
            self.seen.faults.append(f"seed {self.seed}: {what}: {given} but afresh {fresh}")
