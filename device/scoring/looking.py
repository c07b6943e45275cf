"""A look at a finished table through the table's camera, and the cards that are told by hand in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
from PIL import Image

from device.capture.drawing import PHONE_BYTES, pack_jpeg
from device.capture.eye import TableEye, card_reader, deck_for
from device.capture.mat_finder import MatFinder
from device.capture.table_reader import close_up, sound_reader
from device.capture.thumbnails import as_thumbnail
from device.hardware.camera import Picture
from device.scoring.table import Table
from device.storage.deck_store import DeckShelf
from referee.table import NEAR_MM, Detections, Sighting, Unread
from rules.text import Text
from ui.screen_state import Thumbnail
from vision.identify.deck import Deck
from vision.reader import Reader

_KEPT_PX = 1600
"""The longer side of the picture that is kept with a result."""
_MOST_CLOSE_UPS = 20
"""A table with more doubts is put right first; so much memory is 3 MB."""


@dataclass(frozen=True, slots=True)
class TableSeen:
    """What one still picture showed: the cards, the mat's size (mm), and the picture itself, made small, as a JPEG.

    ``close_ups`` are the first of the places that can't be read, with what is seen there; ``doubts`` are what is
    doubtful of the mat (English, Japanese).
    """

    seen: Detections
    mat_mm: tuple[float, float]
    jpeg: bytes
    close_ups: tuple[tuple[Unread, Thumbnail], ...] = ()
    doubts: tuple[Text, ...] = ()

    def close_up(self, mark: Unread) -> Thumbnail | None:
        """Show the place of something that can't be read."""
        return next((shown for other, shown in self.close_ups if other == mark), None)


Look = Callable[[Picture], TableSeen]
"""A still picture (h, w, 3) to what it shows; raises ``VisionError`` where it can't be read."""


def all_named(reader: Reader) -> Reader:
    """Make a reader that names a card as often as it sees it: how many there are of it is for the score to judge."""
    return replace(reader, counted=False)


@dataclass
class TableLook:
    """Looks at one table with one deck; what was read last is kept, and only what changed since is read anew."""

    reader: Reader
    deck: Deck
    table: Table
    mat_mm: tuple[float, float]
    marker_mm: float

    def __post_init__(self) -> None:
        self._eye = TableEye(self.reader, self.deck, MatFinder(self.mat_mm, self.marker_mm))

    @classmethod
    def prepare(
        cls, shelf: DeckShelf, table: Table, deck: str, mat_mm: tuple[float, float], marker_mm: float
    ) -> TableLook:
        """Prepare to look at a table, with a deck.

        Raises:
            DeviceError: there is no such deck, it lacks cards of the game, or a model is missing or altered.
            VisionError: the deck's file is damaged.
        """
        learnt = shelf.load(deck)
        reader = all_named(sound_reader())
        return cls(reader, deck_for(table.scoring, learnt, reader), table, mat_mm, marker_mm)

    def __call__(self, picture: Picture) -> TableSeen:
        """Read what lies on the mat in a picture (h, w, 3) BGR uint8.

        Raises:
            MatError: the mat can't be measured, or has too few pixels to be read.
            LightError: its light can't be measured.
        """
        all_seen, mat = self._eye.read(picture), self._eye.mat
        assert mat is not None, "it was measured for the cards"
        # Which part of a table lies there is for the score to say.
        kept = [self.table.cards_among(all_seen, mat.size_mm, part) for part in range(len(self.table.parts))]
        seen = kept[0] if len(kept) == 1 else all_seen
        marks = list(dict.fromkeys(mark for each in kept for mark in each.unread))[:_MOST_CLOSE_UPS]
        close_ups = tuple((mark, as_thumbnail(close_up(picture, mat, mark))) for mark in marks)
        return TableSeen(seen, mat.size_mm, small_jpeg(picture), close_ups, mat.warnings)


def small_jpeg(picture: Picture) -> bytes:
    """Encode a picture (h, w, 3) BGR uint8 as a JPEG of bounded size."""
    scale = min(1.0, _KEPT_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    return pack_jpeg(Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB)), PHONE_BYTES)


@dataclass(frozen=True, slots=True)
class ByHand:
    """A card that the players named: its name, ``None`` where they say that none lies there, and its centre in mm.

    ``more`` are further cards of the same place; ``read`` is what the reader calls it, where it was read, but wrongly.
    """

    name: str | None
    x: float
    y: float
    more: tuple[str, ...] = ()
    read: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """All cards that lie there."""
        return () if self.name is None else (self.name, *self.more)


def with_told(seen: Detections, told: Sequence[ByHand]) -> Detections:
    """Put the cards named by hand in place of what could not be read, or was read wrongly there."""
    read, unread, named = list(seen.sightings), list(seen.unread), list[Sighting]()
    for one in told:
        among = [mark for mark in read if mark.name == one.read] if one.read else unread
        near = [mark for mark in among if _measure_apart(mark, one) <= NEAR_MM]
        if near:
            mark = min(near, key=lambda mark: _measure_apart(mark, one))
            read = [other for other in read if other is not mark]
            unread = [other for other in unread if other is not mark]
            named += [Sighting(name, mark.x, mark.y, mark.angle, visible=mark.visible) for name in one.names]
    return replace(seen, sightings=(*read, *named), unread=tuple(unread))


def still_there(seen: Detections, told: Sequence[ByHand]) -> list[ByHand]:
    """Those cards named by hand of which something unreadable still lies in its place; the others have moved."""
    return [one for one in told if any(_measure_apart(mark, one) <= NEAR_MM for mark in seen.unread)]


def mostly_as(seen: Detections, before: Detections) -> bool:
    """Whether most cards lie as they lay before."""
    same = [
        one
        for one in seen.sightings
        if any(
            one.name == other.name and math.dist((one.x, one.y), (other.x, other.y)) <= NEAR_MM
            for other in before.sightings
        )
    ]
    return 2 * len(same) > len(seen.sightings)


def _measure_apart(mark: Sighting | Unread, told: ByHand) -> float:
    return math.hypot(mark.x - told.x, mark.y - told.y)


def picture_reader() -> Reader:
    """Load the reader for pictures of finished tables."""
    return all_named(card_reader())
