"""A turn at the simulated table in which a mistake can be made, and what a mistake is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.laminate.simulated.hands import act
from referee.laminate.simulated.table import SimulatedTable
from rules.cards import Card
from rules.laminate.legal import Way, cheapest_way
from rules.laminate.moves import Move, Publish, Review
from rules.laminate.papers import END_FLAG, PaperKind
from rules.laminate.position import Paper, Phase, Position
from rules.text import Text


@dataclass(frozen=True, slots=True)
class Wrong:
    """The codes that must all be named, and those that do instead where the table can't tell the two apart."""

    codes: frozenset[str]
    instead: frozenset[str] = frozenset()


def wrong(*codes: str, instead: frozenset[str] = frozenset()) -> Wrong:
    """These codes must be named."""
    return Wrong(frozenset(codes), instead)


@dataclass(frozen=True)
class Scene:
    """One turn at the table, before its move: the truth, what everybody knows, and what the player means to do."""

    table: SimulatedTable
    position: Position
    public: Position
    seat: int
    move: Move
    rng: random.Random

    @property
    def hand(self) -> tuple[Card, ...]:
        """The player's hand."""
        return self.position.hand(self.seat)

    @property
    def drafts(self) -> list[Paper]:
        """The papers under review, in a random order."""
        drafts = list(self.position.under_review)
        self.rng.shuffle(drafts)
        return drafts

    @property
    def complete(self) -> list[Paper]:
        """The complete papers, in a random order."""
        complete = [paper for paper in self.position.papers if paper.complete]
        self.rng.shuffle(complete)
        return complete

    @property
    def others(self) -> list[int]:
        """The other seats, in a random order."""
        seats = [seat for seat in range(1, len(self.position.players) + 1) if seat != self.seat]
        self.rng.shuffle(seats)
        return seats

    def act(self) -> None:
        """Do what the player means to do."""
        act(self.table, self.position, self.move)

    def kinds(self, seat: int) -> Iterator[PaperKind]:
        """The kinds that a seat may still publish, in a random order."""
        kinds = [kind for kind in self.position.catalogue.kinds if kind.name != END_FLAG]
        self.rng.shuffle(kinds)
        for kind in kinds:
            if self.position.supply(kind.name) and self.position.paper(seat, kind.name) is None:
                yield kind

    def ways(self, seat: int, hand: int, own: int = 0) -> Iterator[tuple[PaperKind, Way]]:
        """Ways to publish something with these hand cards and cited cards, masks."""
        for kind in self.kinds(seat):
            way = cheapest_way(kind, hand, own)
            if way is not None and way.laid:
                yield kind, way

    def lay(self, seat: int, kind: str, cards: tuple[Card, ...]) -> None:
        """Lay a new paper, on the side that goes with it."""
        self.table.lay_paper(seat, kind, cards, len(cards) == 1)

    def review(self, paper: Paper) -> None:
        """Take a card from a paper, and turn it where it is complete then."""
        act(self.table, self.position, Review(self.seat, paper.seat, paper.kind, self.rng.choice(paper.cards)))


Make = Callable[[Scene], Wrong | None]


@dataclass(frozen=True)
class Mistake:
    """A mistake: what it is called and how it is told, when it is made, and how."""

    name: str
    words: Text
    phase: Phase
    make: Make


Mistakes = dict[str, Mistake]
"""Mistakes by their names."""


def entering(mistakes: Mistakes) -> Callable[..., Callable[[Make], Make]]:
    """What enters a function as a mistake, under its own name."""

    def told(words: Text, phase: Phase = Phase.PLAY) -> Callable[[Make], Make]:
        def enter(make: Make) -> Make:
            name = make.__name__.strip("_")
            mistakes[name] = Mistake(name, words, phase, make)
            return make

        return enter

    return told


def paid_for(move: Publish) -> dict[int, int]:
    """How many thank-you cards a publication gives to whom."""
    return {author: n if isinstance(n, int) else len(n) for author, n in move.pay.items()}
