"""The reader of one game's still pictures: models checked, deck loaded, table views out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from device.capture.eye import Eye, TableEye, card_reader, deck_for
from device.errors import DeviceError
from device.hardware.camera import Picture
from device.settings.values import TableSettings
from device.storage.deck_store import DeckShelf
from device.storage.opening import Opening
from models import checksums
from referee.game import Referee
from referee.layout import Layout
from referee.table import Unread
from rules.cards import DECK, Card
from rules.game import Options
from rules.text import Text
from vision.arrays import Doubles
from vision.identify.deck import Deck
from vision.mat import Mat, find_mat, usual_mat
from vision.reader import Reader

_CLOSE_UP_MM = (110.0, 110.0)
"""A card with a finger's width round it, however it lies."""
_CLOSE_UP_PX_PER_MM = 2.0


def sound_reader(folder: Path = checksums.FOLDER) -> Reader:
    """The reader, once its models are found to be those that were measured.

    Raises:
        DeviceError: a model file is missing or altered.
    """
    try:
        altered = checksums.altered(folder)
    except (OSError, ValueError):
        altered = [checksums.LIST]
    if altered:
        names = ", ".join(altered)
        raise DeviceError(
            Text(
                "Missing or altered: {names} in the folder models. Install Sevenmat again ('make install'), "
                "then press confirm.",
                names=names,
            ),
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
        self._eye = TableEye(reader, reader.up_to_date(deck), mat_mm, marker_mm)

    def __call__(self, picture: Picture) -> CardsSeen:
        """The cards in a picture (h, w, 3) BGR uint8.

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


class TableReader:
    """Reads the still pictures of one game."""

    def __init__(
        self,
        reader: Reader,
        deck: Deck,
        referee: Referee,
        layout: Layout,
        marker_mm: float,
        options: Options = MappingProxyType({}),
    ) -> None:
        """``options`` are what the game was begun with."""
        self._eye = Eye(reader, deck_for(referee, deck, reader, options), referee, layout, marker_mm)

    @classmethod
    def of(cls, shelf: DeckShelf, opening: Opening) -> TableReader:
        """The reader for a game.

        Raises:
            DeviceError: there is no such deck, or a model is missing or altered.
            VisionError: the deck's file is damaged.
        """
        deck = shelf.load(opening.deck or "")
        return cls(sound_reader(), deck, opening.referee, opening.layout, opening.marker_mm, opening.options)

    def __call__(self, picture: Picture) -> Any:
        """What lies where in a picture (h, w, 3) BGR uint8.

        Raises:
            MatError: the mat can't be measured, or has too few pixels to be read.
            LightError: its light can't be measured.
        """
        return self.read_parts(picture, frozenset())

    def read_parts(self, picture: Picture, moving: frozenset[str]) -> Any:
        """The same, while something moves in the parts named: of these what was seen last counts.

        Raises:
            MatError: the mat can't be measured, or has too few pixels to be read.
            LightError: its light can't be measured.
        """
        return self._eye.look(picture, moving)

    def straightened(self, picture: Picture, px_per_mm: float) -> Picture | None:
        """The mat alone of the picture that was read last, (h, w, 3) BGR; ``None`` before it was seen."""
        mat = self._eye.mat
        if mat is None:
            return None
        width, height = mat.size_mm
        return mat.patch(picture, (width / 2, height / 2), 0.0, (width, height), px_per_mm)

    def close_up(self, picture: Picture, mark: Unread) -> Picture | None:
        """An unread card of the picture that was read last, (h, w, 3) BGR; ``None`` before the mat was seen."""
        return None if self._eye.mat is None else close_up(picture, self._eye.mat, mark)

    def zones(self, size: tuple[int, int]) -> dict[str, Doubles]:
        """Outlines (4, 2) of the zones that are still apart, in px of a picture of that width and height."""
        return self._eye.zones_apart(size)


def close_up(picture: Picture, mat: Mat, mark: Unread) -> Picture:
    """An unread card and what lies round it, cut out of the picture (h, w, 3) BGR so that the card stands upright."""
    return mat.patch(picture, (mark.x, mark.y), mark.angle, _CLOSE_UP_MM, _CLOSE_UP_PX_PER_MM)


FindMat = Callable[[Picture], Mat]
"""Where the mat lies in a picture; raises ``MatError`` where it can't be measured."""


def mat_finder(table: TableSettings, told_mm: tuple[float, float] | None = None) -> FindMat:
    """What finds the mat of the settings in pictures, or one whose size was told."""

    def find(picture: Picture) -> Mat:
        mat = find_mat(picture, told_mm, marker_mm=table.marker_mm)
        return mat if told_mm is not None else usual_mat(mat, table.mat_mm)

    return find
