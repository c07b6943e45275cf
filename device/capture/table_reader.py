"""The reader of one game's still pictures: models checked, deck loaded, table views out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np

from device.capture.capture import StillReader
from device.capture.eye import TableEye, card_reader, deck_for
from device.capture.mat_finder import MatFinder
from device.errors import DeviceError
from device.hardware.camera import Picture
from device.storage.deck_store import DeckShelf
from device.storage.opening import Opening
from models import checksums
from referee.game import Referee
from referee.layout import CARD_MM, MARKER_MM, TableLayout, Zone
from referee.table import REST, Detections, Die, Sighting, Unread
from rules.cards import DECK, Card
from rules.game import Options
from rules.text import Text
from vision.arrays import Doubles
from vision.dice import DiceReader, read_on_mat
from vision.identify.deck import Deck
from vision.mat import Mat
from vision.reader import Reader

_DICE_NEAR_MM = 12.0
"""Dice this near to their zone are seen too: one may lean on the tray's rim."""
_CLOSE_UP_MM = (110.0, 110.0)
"""A card with a finger's width round it, however it lies."""
_CLOSE_UP_PX_PER_MM = 2.0
_DARK, _OUTLINE = (0, 0, 0), (0, 150, 255)
"""The card that is asked for among those round it, BGR."""


def sound_reader(folder: Path = checksums.FOLDER) -> Reader:
    """Load the reader, once its models are found to be those that were measured.

    Raises:
        DeviceError: a model file is missing or altered.
    """
    try:
        altered = checksums.list_altered(folder)
    except (OSError, ValueError):
        altered = [checksums.LIST]
    if altered:
        names = ", ".join(altered)
        raise DeviceError(
            Text(
                "Missing or altered: {names} in the folder models. Install Sevenmat again ('make install'), "
                "then press confirm.",
                names=names,
            )
        )
    return card_reader()


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """The SEVEN cards that lie face up, from left to right, and how many cards could not be read."""

    cards: tuple[Card, ...]
    unread: int


class CardReader:
    """Reads single SEVEN cards that lie anywhere on the mat, beside any game."""

    def __init__(self, reader: Reader, deck: Deck, mat_mm: tuple[float, float], marker_mm: float) -> None:
        self._eye = TableEye(reader, reader.up_to_date(deck), MatFinder(mat_mm, marker_mm))

    def __call__(self, picture: Picture) -> CardsSeen:
        """Find the cards in a picture (h, w, 3) BGR uint8.

        Raises:
            MatError: the mat can't be measured, or has too few pixels to be read.
            LightError: its light can't be measured.
        """
        reading = self._eye.read(picture)
        known = set(map(str, DECK))
        face_up = sorted(
            (sighting for sighting in reading.sightings if sighting.name in known), key=lambda card: card.x
        )
        return CardsSeen(tuple(Card.parse(sighting.name) for sighting in face_up), len(reading.unread))


class TableReader(StillReader[Any]):
    """Reads the still pictures of one game: its cards, and the dice in its zones."""

    def __init__(
        self,
        reader: Reader,
        deck: Deck,
        referee: Referee,
        layout: TableLayout,
        marker_mm: float = MARKER_MM,
        options: Options = MappingProxyType({}),
    ) -> None:
        """``options`` are what the game was begun with.

        Raises:
            DeviceError: the deck was learnt without some of the game's cards.
        """
        self._referee, self._layout = referee, layout
        self.eye = TableEye(reader, deck_for(referee, deck, reader, options), MatFinder(layout.mat_mm, marker_mm))
        self._cards, self._dice = Detections(), dict[str, tuple[Die, ...]]()

    @classmethod
    def build(cls, shelf: DeckShelf, opening: Opening) -> TableReader:
        """Build the reader for a game.

        Raises:
            DeviceError: there is no such deck, or a model is missing or altered.
            VisionError: the deck's file is damaged.
        """
        deck = shelf.load(opening.deck or "")
        return cls(sound_reader(), deck, opening.referee, opening.layout, opening.marker_mm, opening.options)

    def __call__(self, picture: Picture, moving: frozenset[str] = frozenset()) -> Any:
        """Read what lies where in a picture (h, w, 3) BGR uint8.

        In the parts ``moving``, zones that are still apart or ``REST``, something moves: of these what was seen last
        counts.

        Raises:
            MatError: the mat can't be measured, or has too few pixels to be read.
            LightError: its light can't be measured.
        """
        if REST not in moving:
            self._cards = self.eye.read(picture)
        for zone in self._layout.zones:
            if zone.dice and zone.name not in moving:
                self._dice[zone.name] = self._dice_in(picture, zone)
        dice = tuple(die for some in self._dice.values() for die in some)
        return self._referee.observe(replace(self._cards, dice=dice, moving=moving), self._layout)

    def outline_zones(self, size: tuple[int, int]) -> dict[str, Doubles]:
        """Outlines (4, 2) of the zones that are still apart, in px of a picture of that width and height."""
        mat = self.eye.mat
        if mat is None:
            return {}
        outlines = {}
        for zone in self._layout.zones:
            if zone.still_apart:
                x0, y0, x1, y1 = self._layout.zone_rect(zone)
                corners = mat.to_px([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
                outlines[zone.name] = corners * (np.array(size) / mat.picture_size)
        return outlines

    def straighten_mat(self, picture: Picture, px_per_mm: float) -> Picture | None:
        """Return the mat alone of the picture that was read last, (h, w, 3) BGR; ``None`` before it was seen."""
        mat = self.eye.mat
        if mat is None:
            return None
        width, height = mat.size_mm
        return mat.cut_patch(picture, (width / 2, height / 2), 0.0, (width, height), px_per_mm)

    def close_up(self, picture: Picture, mark: Unread) -> Picture | None:
        """Return an unread card of the picture that was read last, (h, w, 3) BGR; ``None`` before the mat was seen."""
        return None if self.eye.mat is None else close_up(picture, self.eye.mat, mark)

    def _dice_in(self, picture: Picture, zone: Zone) -> tuple[Die, ...]:
        """Find the dice in a zone and close to it, in mat mm."""
        assert self.eye.mat is not None, "the mat was measured for the cards"
        w, h = self._layout.mat_mm
        x0, y0, x1, y1 = self._layout.zone_rect(zone)
        near = (
            max(0.0, x0 - _DICE_NEAR_MM),
            max(0.0, y0 - _DICE_NEAR_MM),
            min(w, x1 + _DICE_NEAR_MM),
            min(h, y1 + _DICE_NEAR_MM),
        )
        seen = read_on_mat(self._dice_reader, picture, self.eye.mat, near)
        return tuple(Die(die.x, die.y, die.value, die.colour, die.confidence, die.cause, die.edge) for die in seen)

    @cached_property
    def _dice_reader(self) -> DiceReader:
        return DiceReader(self.eye.reader.folder, self.eye.reader.threads)


def close_up(picture: Picture, mat: Mat, mark: Sighting | Unread) -> Picture:
    """Cut a card, outlined, and its surroundings out of the picture (h, w, 3) BGR so that it stands upright."""
    patch = mat.cut_patch(picture, (mark.x, mark.y), mark.angle, _CLOSE_UP_MM, _CLOSE_UP_PX_PER_MM).copy()
    x, y = (round((whole - side) / 2 * _CLOSE_UP_PX_PER_MM) for whole, side in zip(_CLOSE_UP_MM, CARD_MM, strict=True))
    corner = patch.shape[1] - x, patch.shape[0] - y
    for colour, width in ((_DARK, 4), (_OUTLINE, 2)):
        cv2.rectangle(patch, (x, y), corner, colour, width, cv2.LINE_AA)
    return patch
