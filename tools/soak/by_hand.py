"""Positions set by hand, as people may answer the menu over any table; each is then played to its end.

What the end has come to is followed here without the rules' own bookkeeping: from the papers on the table, from who
moved and who passed. So a position that loses the end of the game, or that nobody can move in, is found out.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import POSITION_SET, Entry
from referee.laminate.expected_layout import Agreed
from referee.laminate.position_editor import setting_menu
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import PaperSeen, TableView
from referee.menu import Menu
from referee.verdict import Accepted, Question
from rules.cards import DECK, Card
from rules.laminate.ending import find_contradiction
from rules.laminate.game import as_seen
from rules.laminate.knowledge import DRAW, Knowledge
from rules.laminate.moves import EndFlag, Move, Pass
from rules.laminate.papers import END_FLAG, LAMINATE
from rules.laminate.play import deal, random_move
from rules.laminate.position import Phase, Position
from tests.device.openings import header
from tests.referee.play import NAMES, same_position
from tests.referee.tables import show, thanks_of
from tools.soak.any_game import Counts

_TABLES_A_GAME = 8
"""So many positions are set from moments of one game, since following a game takes longer than the rest."""
_PRESSES = 5000
"""More lines of the menu than these are never needed."""
_ENOUGH = 15
_TRIES = 20


@dataclass
class ByHand(Counts):
    """What came of one position set by hand, or of many."""

    positions: int = 0
    in_session: int = 0
    moves: int = 0
    hindered: int = 0
    """Tables from which the menu set no position, and said why."""
    stages: Counter[str] = field(default_factory=Counter)
    """How far the end had come in the positions set, and how the games ended."""


class _FaultError(Exception):
    """A position that can't be played to its end."""


def set_and_play(seed: int, in_session: bool = True) -> ByHand:
    """Set one position by hand over the table of that seed, and play it to its end, in a session or by the rules."""
    rng = random.Random(f"by hand {seed}")
    tally = ByHand(positions=1)
    try:
        agreed = _set_by_hand(seed, rng, tally)
        position = agreed.position
        tally.stages[_stage_of(position)] += 1
        if (why := find_contradiction(position)) is not None:
            raise _FaultError(f"contradiction: {why}")
        if in_session:
            tally.in_session += 1
            outcome = _play_in_session(agreed, rng, tally)
        else:
            outcome = _play_by_the_rules(position, rng, tally)
        tally.stages[outcome] += 1
    except _FaultError as fault:
        tally.faults.append(f"seed {seed}: {fault}")
    return tally


def _stage_of(position: Position) -> str:
    if position.phase is Phase.FLAG:
        return "flag due"
    if position.turns_left is None:
        return "reached by nobody" if max(_count_points(position)) < _ENOUGH else "reached, not met"
    return "countdown without a flag" if position.flag_seat is None else "countdown"


# --- before it is set


@lru_cache(maxsize=2)
def _play_game(number: int) -> tuple[Agreed, ...]:
    """Play a random game: all that is agreed in it, from before its set-up to its end."""
    rng = random.Random(f"game {number}")
    n = rng.choice((3, 3, 4, 5))
    full = public = Position.start(NAMES[:n], rng.randint(1, n))
    move: Move = deal(n, rng)
    agreed = [Agreed(public)]
    while True:
        full, public = full.do(move), public.do(as_seen(move))
        agreed.append(Agreed(public, thanks_of(move)))
        if full.to_move is None:
            return tuple(agreed)
        move = random_move(full, rng)


def _agreed_before(seed: int, rng: random.Random) -> Agreed:
    """Choose what was agreed before: any moment of a game, after somebody met the end condition preferred."""
    game = _play_game(seed // _TABLES_A_GAME)
    late = [agreed for agreed in game if agreed.position.met]
    agreed = rng.choice(late if late and rng.random() < 0.4 else game)
    return agreed if rng.random() < 0.5 else replace(agreed, thanks={})


def _make_table(agreed: Agreed, rng: random.Random) -> TableView:
    """Make a table of which a position can be set: as agreed, with something changed, or any other."""
    view = show(agreed.position, agreed.thanks)
    if rng.random() < 0.25:
        return _any_table(len(agreed.position.players), view.mat_mm, rng)
    for _ in range(rng.choice((0, 1, 1, 2, 3, 5))):
        view = _change_view(view, len(agreed.position.players), rng)
    return view


def _change_view(view: TableView, n: int, rng: random.Random) -> TableView:
    papers = list(view.papers)
    lying = {card for paper in papers for card in paper.cards} | {view.discard_top}
    spare = [card for card in DECK if card not in lying]
    rng.shuffle(spare)
    how = rng.choice(("gone", "taken", "complete", "flag", "flag", "new", "top", "piles", "thanks"))
    some = [paper for paper in papers if how == "gone" or len(paper.cards) > 1]
    flags = [paper for paper in papers if paper.kind == END_FLAG]
    if how in ("gone", "taken", "complete") and some:
        paper = rng.choice(some)
        papers.remove(paper)
        if how != "gone":
            papers.append(_lay_paper(paper.seat, paper.kind, paper.cards[1:] if how == "taken" else paper.cards[:1]))
    elif how == "flag" and flags:
        papers.remove(flags[0])
    elif how == "flag" and spare:
        points = [sum(LAMINATE[p.kind].points for p in papers if p.seat == s and p.complete_side) for s in range(n + 1)]
        reached = [seat for seat, count in enumerate(points) if count >= _ENOUGH]
        # Now and then it lies where it can't.
        seats = reached if reached or rng.random() < 0.8 else range(1, n + 1)
        papers += [_lay_paper(rng.choice(seats), END_FLAG, tuple(spare[: 1 + (rng.random() < 0.1)]))] if seats else []
    elif how == "new":
        papers += _new_papers(papers, spare, n, rng.randint(1, 3), rng)
    elif how == "top":
        return replace(view, discard_top=rng.choice((None, *spare[:3])))
    elif how == "piles":
        return replace(view, draw_backs=0) if rng.random() < 0.7 else replace(view, draw_backs=0, discard_top=None)
    elif how == "thanks":
        return replace(view, payments={rng.randint(1, n): rng.randint(1, 2)})
    return replace(view, papers=tuple(papers))


def _any_table(n: int, mat_mm: tuple[float, float], rng: random.Random) -> TableView:
    """Make any table at all, whatever was agreed."""
    spare = rng.sample(DECK, len(DECK))
    papers = _new_papers([], spare, n, rng.randint(0, 18), rng)
    points = [sum(LAMINATE[p.kind].points for p in papers if p.seat == s and p.complete_side) for s in range(n + 1)]
    reached = [seat for seat, count in enumerate(points) if count >= _ENOUGH]
    if reached and rng.random() < 0.5:
        papers.append(_lay_paper(rng.choice(reached), END_FLAG, (spare.pop(),)))
    top = spare.pop() if rng.random() < 0.8 else None
    thanks = {rng.randint(1, n): rng.randint(1, 2)} if rng.random() < 0.2 else {}
    return TableView(mat_mm, tuple(papers), rng.choice((0, 2, 3, 3)), top, (), thanks)


def _new_papers(papers: list[PaperSeen], spare: list[Card], n: int, count: int, rng: random.Random) -> list[PaperSeen]:
    """Choose at most ``count`` new papers, of kinds of which there are cards left, from the spare cards."""
    new: list[PaperSeen] = []
    for _ in range(count):
        there = [*papers, *new]
        seat = rng.randint(1, n)
        kinds = [
            kind
            for kind in LAMINATE.kinds
            if kind.name != END_FLAG
            and all((paper.seat, paper.kind) != (seat, kind.name) for paper in there)
            and sum(paper.kind == kind.name for paper in there) < kind.copies
        ]
        size = rng.choice((1, 1, 1, 2, 3))
        if kinds and len(spare) > size:
            kind = rng.choices(kinds, [kind.points for kind in kinds])[0]
            new.append(_lay_paper(seat, kind.name, tuple(spare.pop() for _ in range(size))))
    return new


def _lay_paper(seat: int, kind: str, cards: tuple[Card, ...]) -> PaperSeen:
    return PaperSeen(seat, kind, len(cards) == 1, cards)


# --- setting it


def _set_by_hand(seed: int, rng: random.Random, tally: ByHand) -> Agreed:
    """Answer the menu over a random table, whatever it offers, until a position is set."""
    agreed = _agreed_before(seed, rng)
    layout = layout_for(len(agreed.position.players))
    while True:
        found: list[Agreed] = []
        view = _make_table(agreed, rng)
        menu = setting_menu(agreed, view, layout, found.append)
        if menu.details:
            tally.hindered += 1
            if len(menu.options) != 1:
                raise _FaultError(f"a hindered table offers {menu.options}")
            continue
        for shown in _walk(menu, rng):
            if shown is None and not found:
                raise _FaultError("the menu closed, and no position was set")
        return found[0]


def _walk(menu: Menu, rng: random.Random) -> Iterator[Menu | None]:
    """Take lines of the menu, the likely ones first of all, until it closes.

    Where numbers don't add up and are counted again, the smallest and the largest do more often than others.
    """
    shown: Menu | None = menu
    again = False
    for _ in range(_PRESSES):
        assert shown is not None
        luck, lines = rng.random(), len(shown.options)
        if luck < 0.05 and shown.parent is not None:
            shown = shown.parent
            continue
        if again:
            line = 0 if luck < 0.5 else lines - 1 if luck < 0.8 else rng.randrange(lines)
        else:
            line = shown.chosen if luck < 0.6 else (shown.chosen + 1) % lines if luck < 0.7 else rng.randrange(lines)
        again |= lines == 1 and shown.parent is not None and "can't be" in str(shown.title)
        shown = shown.move_choice(line - shown.chosen).take_choice()
        yield shown
        if shown is None:
            return
    raise _FaultError("the menu never comes to an end")


# --- playing it


def _count_points(position: Position) -> list[int]:
    """Count points by seat, the End Flag left out, from the papers as they lie."""
    points = [0] * len(position.players)
    for paper in position.papers:
        if len(paper.cards) == 1 and paper.kind != END_FLAG:
            points[paper.seat - 1] += LAMINATE[paper.kind].points
    return points


class _Watch:
    """Follows how far the end has come, from what lies on the table and who does what."""

    def __init__(self, position: Position) -> None:
        self.n = len(position.players)
        self.left = position.turns_left
        self.met = position.phase is Phase.FLAG or self.left is not None
        self.passes = 0
        self.seat = position.to_move or 0
        points = _count_points(position)
        reached = [seat for seat, count in enumerate(points, 1) if count >= _ENOUGH]
        flags = [paper.seat for paper in position.papers if paper.kind == END_FLAG]
        self.expect(bool(self.seat), "somebody is to move")
        self.expect(not self.met or bool(reached), "the end condition is met with nobody at 15 points")
        if position.phase is Phase.FLAG:
            can_take = self.seat in reached and position.hand_size(self.seat) > 0 and not flags
            self.expect(can_take, "the flag is due from a player who can't take it")
        elif self.left is None:
            self.expect(not flags, "a flag and no countdown")
        else:
            starter = (self.seat - 1 + self.left) % self.n + 1
            self.expect(0 < self.left < 2 * self.n, "more or fewer turns than there are")
            self.expect(starter in reached, "the countdown began with a player without 15 points")
            self.expect(not flags or flags == [starter], "the countdown began with somebody else than the flag's owner")

    def expect(self, held: bool, otherwise: str) -> None:
        if not held:
            raise _FaultError(otherwise)

    def check_move(self, move: Move, after: Position) -> None:
        """Hold the position after a move against what the end has come to."""
        mover = self.seat
        self.expect(move.seat == mover, f"{move} out of turn")  # type: ignore[union-attr]
        following = mover % self.n + 1
        due = over = False
        if isinstance(move, EndFlag):
            self.left = 2 * self.n - 1
        else:
            self.passes = self.passes + 1 if isinstance(move, Pass) else 0
            if self.passes == self.n:
                over = True
            elif not self.met and _count_points(after)[mover - 1] >= _ENOUGH:
                self.met = True
                due = after.hand_size(mover) > 0
                self.left = None if due else 2 * self.n - 1
            elif self.left is not None:
                self.left -= 1
                over = not self.left
        self.seat = mover if due else following
        phase = Phase.OVER if over else Phase.FLAG if due else Phase.PLAY
        self.expect(after.phase is phase, f"{after.phase} after {move}, not {phase}")
        self.expect(over or after.to_move == self.seat, f"{after.to_move} is to move after {move}, not {self.seat}")
        self.expect(over or after.turns_left == self.left, f"{after.turns_left} turns left, not {self.left}")


def _choose_truth(position: Position, rng: random.Random) -> Position:
    """Place the hidden cards as everybody's knowledge allows, as a position with full information."""
    data = position.to_json()
    n = len(position.players)
    for _ in range(_TRIES):
        places = _place_hidden(Knowledge.from_json(data["known"]), n, rng)
        if places is not None:
            break
    else:
        raise _FaultError("no placing of the hidden cards fits what is known")
    under = places[n + 1]
    rng.shuffle(under)
    discards = [str(under.pop()) if card is None else str(card) for card in position.discards]
    hands = [[*map(str, places[seat])] for seat in range(1, n + 1)]
    draw = [*map(str, places[DRAW])]
    return Position.from_json({**data, "known": None, "hands": hands, "draw": draw, "discards": discards})


def _place_hidden(known: Knowledge, n: int, rng: random.Random) -> list[list[Card]] | None:
    """Place the hidden cards by place, one after the other laid where it can still be."""
    places: list[list[Card]] = [[] for _ in range(n + 2)]
    for card in rng.sample(DECK, len(DECK)):
        can_be = [place for place in range(n + 2) if known.find_possible(place, card.bit)]
        if can_be:
            place = rng.choices(can_be, [known.count(place) for place in can_be])[0]
            known = known.leave(place, card.bit)
            if not known.consistent:
                return None  # the search for it had run out of its budget
            places[place].append(card)
    return places if not any(known.count(place) for place in range(n + 2)) else None


def _play_by_the_rules(position: Position, rng: random.Random, tally: ByHand) -> str:
    """Play it to its end, each move judged by what everybody can know. Returns how it ended."""
    truth, public, watch = _choose_truth(position, rng), position, _Watch(position)
    while public.outcome is None:
        move = random_move(truth, rng)
        seen = as_seen(move)
        refusal = public.verify(seen)
        if refusal is not None:
            raise _FaultError(f"{move} is refused: {refusal.code} {refusal.also} {refusal.text}")
        truth, public = truth.do(move), public.do(seen)
        watch.check_move(move, public)
        tally.moves += 1
    return f"ended by {public.outcome.reason}"


def _same_but_for_what_showed(agreed: Position, want: Position) -> bool:
    """Tell whether two positions are the same once the second knows of the discards what the look showed of them."""
    if len(agreed.discards) != len(want.discards):
        return False
    showed = {place: card for place, card in enumerate(agreed.discards) if card is not None}
    seen = want.discards_seen(showed, agreed.peeping)
    return seen is not None and same_position(agreed, seen)


def _play_in_session(agreed: Agreed, rng: random.Random, tally: ByHand) -> str:
    """Play it to its end at a table, each move looked at and confirmed. Returns how it ended."""
    position = agreed.position
    begin = header(position.players, position.first_seat)
    session = Session.resume(begin, [Entry(POSITION_SET, {"agreed": agreed.to_json()})])
    truth, watch = _choose_truth(position, rng), _Watch(position)
    thanks: Mapping[int, int] = agreed.thanks
    while session.position.outcome is None:
        move = random_move(truth, rng)
        truth = truth.do(move)
        if not isinstance(move, EndFlag):
            session.see(replace(session.judge.view or show(position), payments={}))
            thanks = thanks_of(move)
        want = session.position.do(as_seen(move))
        verdict = session.confirm(show(truth, thanks))
        if isinstance(verdict, Question):
            right = [
                isinstance(choice.verdict, Accepted) and _same_but_for_what_showed(choice.verdict.after.position, want)
                for choice in verdict.choices
            ]
            if True not in right:
                raise _FaultError(f"no true answer to {verdict.text}: {move}")
            for _ in range(right.index(True)):
                session.press(Button.DOWN)
            verdict = session.confirm(show(truth, thanks))
        if not isinstance(verdict, Accepted):
            raise _FaultError(f"{move} is not accepted: {verdict}")
        watch.check_move(move, session.position)
        tally.moves += 1
    return f"ended by {session.position.outcome.reason}"
