"""One simulated game of any kind, played through a session and held against its own truth.

What a simulation does is seen, entered or confirmed as its attempts say; every verdict must be theirs. Before the
table is seen as it lies it may be seen with one thing wrong: a card gone, moved, turned over, unread or read as
another, or one too many, or one gone while its neighbour is unread. Such a look is only judged. Where it shows a move
that nobody made though what was misread has lain there before, the table could have shown, and that is a fault; but
cards that lie as after a lawful move are one. No confirm is accepted past a card that is gone from where another one
can't be read.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from random import Random
from typing import Any, Self

import numpy as np

from device.hardware.buttons import Button
from device.session.session import Session
from referee.game import ArrowButtons, CardSet, table_seats
from referee.layout import REFERENCE_MAT_MM, TableLayout
from referee.placing import Placed
from referee.registry import load_referees
from referee.simulation import Attempt, SimulationError, is_right, truth_of
from referee.simulation.registry import simulation_of
from referee.table import Detections, Die, Sighting, Unread
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict
from rules.game import GameOption
from rules.record import Header, check_record
from rules.text import Language
from simulator.players import find_line
from simulator.truth import measure_visible_shares
from tests.referee.seven_minutes.restless import restless_minutes
from tools.soak.strewn import SHOWS, Strewn
from tools.soak.telling import verdict_line

NAMES = ("Hilbert", "Banach", "Noether", "Galois", "Gauss", "Ramanujan", "Kowalewskaja")
MISREAD = 0.3
"""How often the table is seen with something wrong before it is seen as it lies."""

_UNREAD = 0.5
"""How often a card too many can't be read."""
_LOOKS = 5
_STREWN = 3
"""How many tables strewn with random cards are judged each time."""
MOST_MS = {50.0: 100.0, 99.0: 100.0, 99.9: 100.0, 100.0: 1000.0}
"""The most that so many of a hundred such judgements may take, in ms."""

_RESTLESS = {"seven_minutes": restless_minutes}
"""Simulations whose players do what nobody at a demonstration does."""

Seen = Callable[[Sequence[Placed]], Any]
"""A look at these cards: the game's own view of them."""


@dataclass
class Counts:
    """What came of one thing that was tried, or of many."""

    faults: list[str] = field(default_factory=list)

    def add(self, other: Self) -> None:
        """Count another one in."""
        for count in fields(self):
            mine, more = getattr(self, count.name), getattr(other, count.name)
            if isinstance(mine, Counter):
                mine.update(more)
            else:
                setattr(self, count.name, mine + more)


@dataclass
class Tally(Counts):
    """What came of one game, or of many."""

    games: int = 0
    attempts: int = 0
    legal: int = 0
    told: int = 0
    asked: int = 0
    cannot_see: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)
    misread: Counter[str] = field(default_factory=Counter)
    """Looks with something wrong, by what came of them."""
    mended: int = 0
    """Refusals whose steps led back to a lawful table, where they were carried out."""
    judging_ms: list[float] = field(default_factory=list)
    """What judging random cards strewn on the table took."""
    verdicts: list[str] = field(default_factory=list)
    """Every verdict as one line (``tools.soak.telling``)."""

    @property
    def took_ms(self) -> dict[float, float]:
        """The most that so many of a hundred strewn tables took."""
        return {share: float(np.percentile(self.judging_ms, share)) for share in MOST_MS if self.judging_ms}

    @property
    def is_slow(self) -> bool:
        """Whether one of them took longer than it may."""
        return any(ms > MOST_MS[share] for share, ms in self.took_ms.items())


class FaultError(Exception):
    """The referee and the truth differ."""


def options_of(name: str, players: Sequence[str], chance: Random) -> dict[str, Any]:
    """Choose by chance from what the menu offers."""
    chosen: dict[str, Any] = {}
    for option in load_referees()[name].rules.options:
        if not option.optional:
            values = [value for value, _ in option.values(players)]
            chosen[option.key] = (
                _by_seat(option, values, players, chance) if option.each_seat else chance.choice(values)
            )
    return chosen


def _by_seat(option: GameOption, values: Sequence[Any], players: Sequence[str], chance: Random) -> list[Any]:
    """Choose a value for each seat, none that another seat's has taken."""
    while True:
        drawn = chance.sample(values, len(players))
        if option.taken is None or not any(option.taken(drawn[seat], drawn[:seat]) for seat in range(len(drawn))):
            return drawn


def as_sightings(cards: Sequence[Placed]) -> tuple[Sighting, ...]:
    """Return cards as a perfect reader sees them."""
    return tuple(Sighting(card.name, card.x, card.y, card.angle) for card in cards if card.card)


class Game:
    """A game of that name and seed at a simulated table, seen by ``look``; a perfect reader where it is left out.

    Where the table is ``strewn``, it is judged with what nobody laid there as well (``tools.soak.strewn``).
    """

    def __init__(
        self, name: str, seed: int, look: Seen | None = None, misread: float = MISREAD, strewn: bool = False
    ) -> None:
        self.referee = load_referees()[name]
        self.chance, self.strewing = Random(f"soak {name} {seed}"), Random(f"strewn {name} {seed}")
        seats = table_seats(self.referee)
        self.players = NAMES[: seats[seed % len(seats)]]
        self.options = options_of(name, self.players, self.chance)
        self.layout = self.referee.make_layout(len(self.players), REFERENCE_MAT_MM)
        simulation = _RESTLESS.get(name, partial(simulation_of, self.referee))
        self.simulation = simulation(self.players, self.options, self.layout, Random(seed))
        language = (Language.EN, Language.JA)[seed % 2]
        self.session = Session(self.referee, Header(name, self.players, self.options), self.layout, language)
        self.tally, self.at = Tally(games=1), f"seed {seed}"
        self.look = look or self._see_perfectly
        self._misread, self._strewn = misread, strewn
        self._settled: list[Accepted | Refused] = []
        self._lay_before: tuple[Placed, ...] = ()

    def _see_perfectly(self, cards: Sequence[Placed]) -> Any:
        seen = as_sightings(cards)
        if self.referee.cards.papers:
            # Which card is the top of a pile is known by how much of it shows.
            shares = measure_visible_shares(cards, self.layout.mat_mm, 0.5)
            seen = tuple(replace(one, visible=share) for one, share in zip(seen, shares, strict=True) if share >= SHOWS)
        return self.referee.observe(Detections(seen, (), self.dice), self.layout)

    @property
    def dice(self) -> tuple[Die, ...]:
        """The dice that lie on the table."""
        tray = self.simulation.tray
        return tray.dice if tray is not None else ()

    def play(self, most: int | None = None) -> Tally:
        """Play to the end, or so many attempts."""
        where = self.at
        try:
            for number, attempt in enumerate(self.simulation.play_game()):
                if most is not None and number >= most:
                    return self.tally
                self.at = f"{where}, attempt {number}"
                self.meet(attempt)
            self._end()
        except (FaultError, SimulationError) as fault:
            self.tally.faults.append(f"{self.at}: {fault}")
        return self.tally

    def meet(self, attempt: Attempt) -> None:
        """Meet one change of the table, or one move that is entered."""
        self.tally.attempts += 1
        self.tally.told += attempt.told is not None
        if attempt.code is not None:
            self.tally.mistakes[attempt.mistake or attempt.code] += 1
        self.tally.legal += attempt.move is not None
        if attempt.told is not None:
            # Where arrow buttons tell moves, their menus offer them.
            offered = attempt.code is not None or isinstance(self.referee, ArrowButtons)
            if not offered and find_line(attempt.told, self.session.entered_moves) is None:
                raise FaultError(f"NOT OFFERED: {truth_of(attempt)}; {self.session.make_screen().headline}")
            self._hold(self.session.tell(attempt.told.to_json()), attempt)
            self._speak()
            return
        if not self._settled and self.chance.random() < self._misread:
            self._misjudge(attempt)
            if self._strewn:
                self._strew()
        self._lay_before = self.simulation.lying
        if attempt.unconfirmed:
            self._check_unconfirmed(attempt)
        else:
            self._check_confirmed(attempt)
        self._speak()

    def _see(self) -> Any:
        """Look at the table; what can't be seen is laid more neatly."""
        view = self.look(self.simulation.lying)
        self._hear(self.session.see(view))
        return view

    def _hear(self, settled: Sequence[Accepted | Refused]) -> None:
        """Note what was said without a press."""
        self._settled += settled

    def _check_unconfirmed(self, attempt: Attempt) -> None:
        silent = attempt.move is None and attempt.code is None
        for _ in range(_LOOKS):
            if silent or not self._settled:
                view = self._see()
            done = self.simulation.has_noticed(self.session.agreed) if silent else bool(self._settled)
            if done:
                break
            self.tally.cannot_see += bool(view.unread)
            self.simulation.straighten()
        if silent:
            if not done or self._settled:
                raise FaultError(f"NOT DUE: nothing was done; noticed {done}, said {self._settled}")
        elif not self._settled:
            verdict = self.referee.judge(self.session.agreed, self.session.judge.view, self.layout)
            raise FaultError(f"NEVER SEEN: {truth_of(attempt)}; {describe_verdict(verdict)}")
        else:
            self._hold(self._settled.pop(0), attempt)

    def _check_confirmed(self, attempt: Attempt) -> None:
        for _ in range(_LOOKS):
            view = self._see()
            if self._settled:
                raise FaultError(f"NOT DUE: {truth_of(attempt)}; said before confirm {self._settled}")
            verdict = self.session.confirm(view)
            if not isinstance(verdict, CantSee):
                break
            self.tally.cannot_see += 1
            self.simulation.straighten()
        while isinstance(verdict, Question):
            self.tally.asked += 1
            verdict = self._answer_question(verdict, attempt)
        assert verdict is not None, "confirm was pressed over no menu"
        self._hold(verdict, attempt)

    def _answer_question(self, asked: Question, attempt: Attempt) -> Verdict:
        """Choose the true answer with the buttons."""
        right = [n for n, choice in enumerate(asked.choices) if self._leads_right(choice.verdict, attempt)]
        if not right:
            answers = "; ".join(f"{choice.text}: {describe_verdict(choice.verdict)}" for choice in asked.choices)
            raise FaultError(f"NO TRUE ANSWER: {truth_of(attempt)}; {describe_verdict(asked)} {answers}")
        self._speak()
        for _ in range(right[0]):
            self.session.press(Button.DOWN)
        verdict = self.session.press(Button.CONFIRM)
        assert verdict is not None, "an answer was confirmed"
        return verdict

    def _is_right(self, verdict: Verdict, attempt: Attempt) -> bool:
        return is_right(self.simulation, verdict, attempt)

    def _leads_right(self, verdict: Verdict, attempt: Attempt) -> bool:
        if isinstance(verdict, Question):
            return any(self._leads_right(choice.verdict, attempt) for choice in verdict.choices)
        return self._is_right(verdict, attempt)

    def _hold(self, verdict: Verdict, attempt: Attempt) -> None:
        self.tally.verdicts.append(verdict_line(self.at, verdict))
        if self._is_right(verdict, attempt):
            return
        if isinstance(verdict, Accepted):
            kind = "ILLEGAL ACCEPTED" if attempt.move is None else "WRONGLY UNDERSTOOD"
        elif attempt.move is not None:
            kind = "LEGAL REFUSED"
        else:
            kind = "WRONG CODE"
        raise FaultError(f"{kind}: {truth_of(attempt)} {attempt.told or ''}; {describe_verdict(verdict)}")

    def _speak(self) -> None:
        """Check that the screen of this moment can be made and has players on it."""
        screen = self.session.make_screen()
        if not screen.players:
            raise FaultError("the screen shows no players")

    def _end(self) -> None:
        true, agreed = self.simulation.position.outcome, self.session.position.outcome
        if true is None or agreed is None or (true.points, true.winners) != (agreed.points, agreed.winners):
            raise FaultError(f"WRONG END: {true} but agreed {agreed}")
        *verdicts, final = check_record(self.session.history.write_record())
        if any(verdict["verdict"] != "accepted" for verdict in verdicts) or final["final"] != list(true.points):
            raise FaultError(f"THE RECORD does not stand its check: {final}")

    # Looks with something wrong

    def _misjudge(self, attempt: Attempt) -> None:
        cards = [card for card in self.simulation.lying if card.card]
        if not cards:
            return
        wrong, unread, how, old = meddle(cards, self._lay_before, self.layout, self.referee.cards, self.chance)
        if how == "more" and self.chance.random() < _UNREAD:
            self._more_unread(cards, wrong[-1])
            return
        view = self.referee.observe(Detections(as_sightings(wrong), unread, self.dice), self.layout)
        verdict = self.referee.judge(self.session.agreed, view, self.layout)
        if not isinstance(verdict, Accepted) or (attempt.unconfirmed and not verdict.at_once):
            self.tally.misread[f"{how}: {type(verdict).__name__}"] += 1
        elif how == "hidden" and old and not attempt.unconfirmed:
            self.tally.misread[f"{how}: NOT MISSED"] += 1
            self.tally.faults.append(f"{self.at}: NOT MISSED: {truth_of(attempt)}; {verdict.move}; {unread}")
        elif attempt.code is None and is_right(self.simulation, verdict, attempt):
            self.tally.misread[f"{how}: understood rightly"] += 1
        elif not old or (how == "moved" and self._is_explained(verdict, view)):
            self.tally.misread[f"{how}: another move, as no table can tell"] += 1
        else:
            self.tally.misread[f"{how}: ANOTHER MOVE"] += 1
            self.tally.faults.append(f"{self.at}: MISREAD as {verdict.move}: {truth_of(attempt)}; {how} {unread}")

    def _strew(self) -> None:
        """Judge what nobody laid, beneath and between the cards and anywhere."""
        agreed, lying = self.session.agreed, self.simulation.lying
        strewn = Strewn(self.referee, agreed, self.layout, lying, self._lay_before, self.dice, self.strewing)
        faults = strewn.list_faults()
        self.tally.misread["strewn beneath and between cards" + ": FAULT" * bool(faults)] += 1
        self.tally.faults += [f"{self.at}: {fault}" for fault in faults]
        self.tally.judging_ms += [strewn.took_ms() for _ in range(_STREWN)]

    def _more_unread(self, cards: Sequence[Placed], more: Placed) -> None:
        """Check that confirm accepts past a card too many once it is read what it accepts past it unread."""
        mark = Unread(more.x, more.y, more.angle, "glare", self.chance.choice(((), (more.name,))))
        looks = (
            Detections(as_sightings(cards), (mark,), self.dice),
            Detections(as_sightings([*cards, more]), (), self.dice),
        )
        views = (self.referee.observe(look, self.layout) for look in looks)
        unread, read = (self.referee.judge(self.session.agreed, view, self.layout) for view in views)
        self.tally.misread[f"more, unread: {type(unread).__name__}"] += 1
        if not isinstance(unread, Accepted) or unread.at_once:
            return
        if not isinstance(read, Accepted) or read.move != unread.move:
            self.tally.faults.append(
                f"{self.at}: PAST AN UNREAD CARD {unread.move}: {mark}; read: {describe_verdict(read)}"
            )

    def _is_explained(self, verdict: Verdict, view: Any) -> bool:
        """Tell whether moves explain all that lies there: then a hand that moved the card has made one."""
        state = self.session.agreed
        while isinstance(verdict, Accepted):
            state = verdict.after
            verdict = self.referee.judge(state, view, self.layout)
        return bool(self.referee.compare(state, view, self.layout).agrees)


def meddle(
    cards: Sequence[Placed], before: Sequence[Placed], layout: TableLayout, known: CardSet, chance: Random
) -> tuple[list[Placed], tuple[Unread, ...], str, bool]:
    """Change one thing of the cards: the cards, how, and whether it concerns a card that has lain there so before."""
    cards = list(cards)
    how = chance.choice(("gone", "moved", "other", "turned", "unread", "more", "hidden"))
    number = chance.randrange(len(cards))
    (w, h), card = layout.mat_mm, cards[number]
    others = sorted(set(known.faces) - {seen.name for seen in cards})
    x, y = chance.uniform(70, w - 70), chance.uniform(70, h - 70)
    if how == "more":
        return [*cards, Placed(chance.choice(others), x, y, 0.0)], (), how, False
    del cards[number]
    old = card in before
    if how == "moved":
        cards.append(replace(card, x=x, y=y))
    elif how == "other":
        cards.append(replace(card, name=chance.choice(others)))
    elif how == "turned":
        cards.append(replace(card, name=known.backs[0]))
    elif how == "hidden":
        place = layout.place_at(card.x, card.y)
        beside = [other for other in cards if other in before and layout.place_at(other.x, other.y) == place]
        old = old and card.name not in known.backs and bool(beside)
        for other in beside[:1]:
            cards.remove(other)
            likely: tuple[str, ...] = chance.choice(((), (other.name, card.name)))
            return cards, (Unread(other.x, other.y, other.angle, "glare", likely),), how, old
    elif how == "unread":
        likely = chance.choice(((), (card.name,), (card.name, chance.choice(others))))
        return cards, (Unread(card.x, card.y, card.angle, "glare", likely),), how, old
    return cards, (), how, old


def describe_verdict(verdict: Verdict) -> str:
    if isinstance(verdict, Accepted):
        return f"accepted {json.dumps(verdict.move.to_json() if verdict.move is not None else None)}"
    code = f"{verdict.refusal.code} {verdict.refusal.also} " if isinstance(verdict, Refused) else ""
    return f"{type(verdict).__name__} {code}{verdict.text}"


def report(name: str, tally: Tally) -> None:
    """Print what came of the games."""
    print(f"\n{name}: {tally.games} games, {tally.attempts} changes of the table and calls")
    print(f"  legal moves {tally.legal}, of all told by buttons {tally.told}, questions {tally.asked}")
    print(f"  mistakes {tally.mistakes.total()}: " + ", ".join(f"{c} {n}" for c, n in sorted(tally.mistakes.items())))
    print(f"  refusals whose steps led back to a lawful table {tally.mended}")
    print(f"  looks at which a card could not be read {tally.cannot_see}")
    print(f"  looks with something wrong {tally.misread.total()}:")
    for how, count in sorted(tally.misread.items()):
        print(f"    {how}: {count}")
    if tally.judging_ms:
        words = ", ".join(f"{share:g} % {ms:.1f}" for share, ms in tally.took_ms.items())
        print(f"  judging {len(tally.judging_ms)} strewn tables, ms: {words}{' TOO SLOW' * tally.is_slow}")
    kinds = Counter(fault.partition(": ")[2].partition(":")[0] for fault in tally.faults)
    for kind in ("ILLEGAL ACCEPTED", "LEGAL REFUSED", "WRONG CODE", "WRONGLY UNDERSTOOD", "NEVER SEEN", "NOT DUE"):
        print(f"  {kind.lower()}: {kinds.pop(kind, 0)}")
    print(f"  other faults: {sum(kinds.values())}")
