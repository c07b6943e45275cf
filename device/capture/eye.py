"""The way from a still picture to a table view, with what it needs to remember: where the mat was last seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from device.errors import DeviceError
from device.hardware.camera import Picture
from referee.finished.score import Scoring
from referee.game import Referee, house_papers, paper_faces
from referee.layout import MARKER_MM, Layout, Zone
from referee.papers import Paper
from referee.registry import papers
from referee.table import REST, Detections, Die
from rules.game import Options
from rules.text import Text, in_a_row
from vision.arrays import Doubles
from vision.config import CONFIG
from vision.dice import DiceReader, read_on_mat
from vision.errors import MatError
from vision.identify.deck import Deck
from vision.incremental import IncrementalReader
from vision.mat import Mat, find_mat
from vision.reader import Reader, Reading

_DICE_NEAR_MM = 12.0
"""Dice this near to their zone are seen too: one may lean on the tray's rim."""


def card_reader() -> Reader:
    """The reader with the models that ship with the program; it knows the games' papers, and their copies."""
    return Reader(Path(str(files("models"))), papers=papers())


def unlearnt(papers: Iterable[Paper], deck: Deck) -> tuple[Paper, ...]:
    """Those of the papers that the deck does not know from both sides."""
    known = set(deck.names)
    return tuple(paper for paper in papers if not known.issuperset(paper_faces(paper)))


def deck_for(game: Referee | Scoring, deck: Deck, reader: Reader, options: Options = MappingProxyType({})) -> Deck:
    """The deck, brought up to date, for a game that is played with it and was begun so.

    Raises:
        DeviceError: it was learnt without some of the game's cards, or without papers of the house that are played.
    """
    if not set(game.cards.faces) <= set(deck.names):
        title = game.rules.title
        raise DeviceError(
            Text(
                "The deck {name!r} was learnt without some of the cards of {title}: learn it again with all its pages.",
                name=deck.name,
                title=title,
            ),
        )
    if lacking := unlearnt(house_papers(game, options), deck):
        papers = in_a_row(paper.text for paper in lacking)
        raise DeviceError(
            Text(
                "Learn these house papers first: {papers}. In the first menu: Learn a deck, House papers.",
                papers=papers,
            ),
        )
    return reader.up_to_date(deck)


def fine_enough(mat: Mat) -> None:
    """Refuse to read where even a clear index would be a guess.

    Raises:
        MatError: too few pixels for each millimetre.
    """
    least = CONFIG.reading.quality.min_px_per_mm
    if mat.px_per_mm < least:
        raise MatError(
            Text(
                "The picture has only {px_per_mm:.1f} pixels a millimetre, {least} are needed: bring the "
                "camera nearer, use a smaller mat, or a camera with more pixels.",
                px_per_mm=mat.px_per_mm,
                least=least,
            ),
        )


class Looks(Protocol):
    """Anything that turns a still picture into a table view; ``Eye`` does."""

    def look(self, picture: Picture) -> Any:
        """What lies where.

        Raises:
            MatError: the mat can't be measured.
            LightError: its light can't be measured.
        """
        ...


@dataclass
class TableEye:
    """Reads still pictures of one table with one deck.

    A marker covered for a while does not lose the mat: what was measured last is handed on to the next look. What
    was read last is kept too, and only what changed since is read anew.
    """

    reader: Reader
    deck: Deck
    mat_mm: tuple[float, float]
    marker_mm: float = MARKER_MM
    mat: Mat | None = field(default=None, init=False)
    _incremental: IncrementalReader = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._incremental = IncrementalReader(self.reader, self.deck)

    def read(self, picture: Picture) -> Reading:
        """Name the cards in a picture (h, w, 3) BGR uint8.

        Raises:
            MatError: the mat can't be measured, or has too few pixels to be read.
            LightError: its light can't be measured.
        """
        self.mat = find_mat(picture, self.mat_mm, self.mat, self.marker_mm)
        fine_enough(self.mat)
        return self._incremental.read(picture, self.mat)


@dataclass
class Eye:
    """Sees one game's table in still pictures."""

    reader: Reader
    deck: Deck
    referee: Referee
    layout: Layout
    marker_mm: float = MARKER_MM
    _cards: Detections = field(default_factory=Detections, init=False, repr=False)
    _dice: dict[str, tuple[Die, ...]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self.table = TableEye(self.reader, self.deck, self.layout.mat_mm, self.marker_mm)

    @property
    def mat(self) -> Mat | None:
        """Where the mat was last seen."""
        return self.table.mat

    def look(self, picture: Picture, moving: frozenset[str] = frozenset()) -> Any:
        """What lies where in a picture (h, w, 3) BGR uint8.

        In the parts ``moving``, zones that are still apart or ``REST``, something moves: of these what was seen last
        counts.

        Raises:
            MatError: the mat can't be measured.
            LightError: its light can't be measured.
        """
        if REST not in moving:
            reading = self.table.read(picture)
            self._cards = Detections(tuple(reading.sightings), tuple(reading.unread))
        for zone in self.layout.zones:
            if zone.dice and zone.name not in moving:
                self._dice[zone.name] = self._dice_in(picture, zone)
        dice = tuple(die for some in self._dice.values() for die in some)
        return self.referee.observe(replace(self._cards, dice=dice, moving=moving), self.layout)

    def zones_apart(self, size: tuple[int, int]) -> dict[str, Doubles]:
        """Outlines (4, 2) of the zones that are still apart, in px of a picture of that width and height.

        There are none until the mat was seen.
        """
        if self.mat is None:
            return {}
        outlines = {}
        for zone in self.layout.zones:
            if zone.still_apart:
                x0, y0, x1, y1 = self.layout.zone_rect(zone)
                corners = self.mat.to_px([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
                outlines[zone.name] = corners * (np.array(size) / self.mat.picture_size)
        return outlines

    def _dice_in(self, picture: Picture, zone: Zone) -> tuple[Die, ...]:
        """The dice in a zone and close to it, in mat mm."""
        assert self.mat is not None, "the mat was measured for the cards"
        w, h = self.layout.mat_mm
        x0, y0, x1, y1 = self.layout.zone_rect(zone)
        near = (
            max(0.0, x0 - _DICE_NEAR_MM),
            max(0.0, y0 - _DICE_NEAR_MM),
            min(w, x1 + _DICE_NEAR_MM),
            min(h, y1 + _DICE_NEAR_MM),
        )
        seen = read_on_mat(self._dice_reader, picture, self.mat, near)
        return tuple(Die(die.x, die.y, die.value, die.colour, die.confidence, die.cause, die.edge) for die in seen)

    @cached_property
    def _dice_reader(self) -> DiceReader:
        return DiceReader(self.reader.folder, self.reader.threads)
