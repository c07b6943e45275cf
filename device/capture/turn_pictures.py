"""What happened: of each turn of the game in progress the places that changed, as they lay before and after it.

Kept as small pictures of these places, in memory and in the state's folder, so that a game that goes on after a restart
has them still; of the table as a whole nothing is kept but the last looks, in memory, to compare the next one with.
With them are kept the last close-ups of cards that could not be read, as they may be gone when they are asked about.
"""

from __future__ import annotations

import json
import math
import threading
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from device.capture.capture import StillReader, log_fault
from device.capture.phone_picture import PhonePicture, phone_jpeg
from device.capture.thumbnails import are_alike, as_thumbnail
from device.hardware.camera import Picture
from device.storage.turn_files import TurnFiles
from referee.game import Step
from referee.table import NEAR_MM, Unread
from referee.verdict import Spot
from ui.screen_state import PicturePair, Thumbnail
from vision.arrays import Doubles

CloseUps = Sequence[tuple[Unread, Picture]]
"""Unread cards with what is seen of them."""

MOST_BYTES = 20_000_000
"""What the pictures of one game may take; the oldest turns' go first."""
PX_PER_MM = 1.0
_LOOKS = 4
"""So many looks wait to be agreed on: one is on its way to the screen while the next is read."""
_CELL_MM = 12
_CHANGED_LEVELS = 14.0
"""A cell whose mean differs by so much of 255 has changed; less is noise and the lamp's flicker."""
_MOST_CHANGED = 0.4
"""Where more of the table has changed, the light or the camera has: that is no turn."""
_BESIDE_MM, _LEAST_MM = 18.0, 100.0
"""So much is shown round what changed, and no place is shown smaller."""
_PLACES = 4
_QUALITY = 82
_CLOSE_UPS = 12
"""So many places where a card could not be read are kept, and looked at in one look; they take some 200 kB."""
_SAME_MM = 8.0
"""A card that can't be read so near to where one lay is the same one; cards of a column lie further apart."""
_AT = "at"
"""What the name of such a place begins with, among those of the turns."""


class TurnPictures:
    """Looks come from the camera's thread, all else from the screen's.

    A turn is known by what led to it, move by move, which a game that goes on after a restart has as well.
    """

    def __init__(self, files: TurnFiles | None = None, most_bytes: int = MOST_BYTES) -> None:
        """``files`` are what the game's pictures outlast a restart in."""
        self._files, self._most = files, most_bytes
        self._lock = threading.Lock()
        self._looks: deque[tuple[Any, Picture, CloseUps]] = deque(maxlen=_LOOKS)
        self._now: Picture | None = None
        self._phones: tuple[Picture, PhonePicture] | None = None
        self._agreed: Picture | None = None
        # As JPEG by turn, each place before and after it, one after the other; and the last close-ups by place.
        self._kept = OrderedDict(files.read() if files is not None else ())
        self._steps: dict[int, tuple[Step, str]] = {}

    @property
    def size(self) -> int:
        """How many bytes all kept pictures take."""
        return sum(len(one) for kept in self._kept.values() for one in kept)

    def note_table(self, view: Any, table: Picture, close_ups: CloseUps = ()) -> None:
        """Note the table (h, w, 3) BGR in which this was seen; it is kept as it is and must not change.

        ``close_ups`` are of the cards that could not be read.
        """
        with self._lock:
            self._looks.append((view, table, close_ups))

    def get_picture(self) -> PhonePicture | None:
        """Return the mat as it was seen last, for phones; ``None`` before it was."""
        with self._lock:
            table = self._looks[-1][1] if self._looks else None
        if table is not None and (self._phones is None or self._phones[0] is not table):
            self._phones = table, PhonePicture(phone_jpeg(table))
        return self._phones[1] if self._phones is not None else None

    def note_view(self, view: Any) -> None:
        """Note what the game now knows of the table.

        Raises:
            DeviceError: the pictures can't be written; they are kept in memory.
            OSError: likewise.
        """
        with self._lock:
            found = next((look for look in self._looks if look[0] is view), None)
        self._now, close_ups = (found[1], found[2]) if found is not None else (None, ())
        for mark, picture in close_ups:
            same = self._places_near(mark.x, mark.y, _SAME_MM)
            if not any(self._shows_picture(key, picture) for key in same):
                places = [key for key in self._kept if key.startswith(_AT)]
                stale = same or places[: max(0, len(places) + 1 - _CLOSE_UPS)]
                self._keep(f"{_AT}{max(0.0, mark.x):.0f}x{max(0.0, mark.y):.0f}", (_pack_jpeg(picture),), *stale)

    def _places_near(self, x: float, y: float, within_mm: float) -> list[str]:
        """List the kept places within that distance, the nearest first."""
        apart = {key: math.dist(_parse_place(key), (x, y)) for key in self._kept if key.startswith(_AT)}
        return sorted((key for key in apart if apart[key] <= within_mm), key=apart.__getitem__)

    def _shows_picture(self, key: str, picture: Picture) -> bool:
        """Whether what is kept of a place shows the same."""
        kept = self._load_first(key)
        return kept is not None and are_alike(kept, as_thumbnail(picture))

    def _load_first(self, key: str) -> Thumbnail | None:
        return next(map(_decode_thumbnail, self._kept[key]), None)

    def close_up(self, spot: Spot) -> Thumbnail | None:
        """Return the last close-up of a card there that could not be read."""
        return next(map(self._load_first, self._places_near(spot.x, spot.y, NEAR_MM)), None)

    def take_steps(self, past: Sequence[Step], checking: bool = False) -> None:
        """Take over the steps of the game so far; of a new one the places that changed are kept.

        While ``checking``, hands lay the table as it was before or after a turn: no turn changes it then. Where a game
        goes on, the first look shows it as it was agreed.

        Raises:
            DeviceError: the pictures can't be written; they are kept in memory.
            OSError: likewise.
        """
        fresh = self._note(past)
        before, now = self._agreed, self._now
        if now is not None and (fresh or checking or (past and before is None)):
            self._agreed = now
        if fresh and before is not None and now is not None:
            boxes = changed_places(before, now)
            places = tuple(_pack_jpeg(_cut(table, box)) for box in boxes for table in (before, now))
            self._keep(self._steps[id(past[-1])][1], places)

    def _note(self, past: Sequence[Step]) -> bool:
        """Name the steps that are new; whether there are any."""
        fresh, key = False, ""
        for step in past:
            known = self._steps.get(id(step))
            if known is None:
                fresh = True
                known = self._steps[id(step)] = step, _key_after(key, step)
            key = known[1]
        return fresh

    def _keep(self, key: str, pictures: tuple[bytes, ...], *stale: str) -> None:
        dropped = [old for old in (key, *stale) if self._kept.pop(old, None) is not None]
        if pictures:
            self._kept[key] = pictures
        while self.size > self._most:
            dropped.append(self._kept.popitem(last=False)[0])
        if self._files is not None:
            for old in dropped:
                self._files.drop(old)
            if key in self._kept:
                self._files.keep(key, self._kept[key])

    def find_pictures(self, step: Step) -> tuple[PicturePair, ...]:
        """Return what a turn changed, the largest place first; nothing where it was not seen or is kept no more."""
        _, key = self._steps.get(id(step), (None, ""))
        kept = [_decode_thumbnail(packed) for packed in self._kept.get(key, ())]
        pairs = zip(kept[::2], kept[1::2], strict=False)
        return tuple(PicturePair(before, after) for before, after in pairs if before is not None and after is not None)


def _parse_place(key: str) -> tuple[float, float]:
    """Return the place (mm) of a close-up of that name; nowhere where a file on the disk has another one."""
    x, _, y = key.removeprefix(_AT).partition("x")
    return (float(x), float(y)) if x.isdecimal() and y.isdecimal() else (math.inf, math.inf)


def turn_keys(past: Sequence[Step]) -> list[str]:
    """Return the keys under which the pictures of these turns, from the first one on, are kept."""
    return list(accumulate(past, _key_after, initial=""))[1:]


def _key_after(key: str, step: Step) -> str:
    """Return the key of a step that follows the one with this key."""
    done = None if step.move is None else step.move.to_json()
    return blake2b(f"{key}{json.dumps(done, sort_keys=True)}".encode(), digest_size=12).hexdigest()


class _Witness(StillReader[Any]):
    """A reader whose looks are handed on with the table that they were of."""

    def __init__(self, reader: StillReader[Any], pictures: TurnPictures) -> None:
        self._reader, self._pictures = reader, pictures

    def outline_zones(self, size: tuple[int, int]) -> Mapping[str, Doubles]:
        return self._reader.outline_zones(size)

    def straighten_mat(self, picture: Picture, px_per_mm: float) -> Picture | None:
        return self._reader.straighten_mat(picture, px_per_mm)

    def close_up(self, picture: Picture, mark: Unread) -> Picture | None:
        return self._reader.close_up(picture, mark)

    def __call__(self, picture: Picture, moving: frozenset[str] = frozenset()) -> Any:
        view = self._reader(picture, moving)
        try:
            table = self._reader.straighten_mat(picture, PX_PER_MM)
            if table is not None:
                marks = getattr(view, "unread", ())[:_CLOSE_UPS]
                seen = [(mark, self._reader.close_up(picture, mark)) for mark in marks]
                self._pictures.note_table(view, table, [(mark, shown) for mark, shown in seen if shown is not None])
        except Exception as error:  # what was read counts, with a picture of it or without
            log_fault("a look's picture could not be kept", error)
        return view


def wrap_reader(reader: Any, pictures: TurnPictures) -> Any:
    """Wrap a game's reader so that it hands on what it looks at, where it can; otherwise return it as it is."""
    return _Witness(reader, pictures) if isinstance(reader, StillReader) else reader


Box = tuple[int, int, int, int]


def changed_places(before: Picture, after: Picture) -> tuple[Box, ...]:
    """Where two tables (h, w, 3) at ``PX_PER_MM`` differ: boxes (x0, y0, x1, y1) px, the largest first."""
    if before.shape != after.shape:
        return ()
    differ = np.abs(_average_cells(before) - _average_cells(after)).max(axis=2) > _CHANGED_LEVELS
    if not differ.any() or differ.mean() > _MOST_CHANGED:
        return ()
    joined = cv2.dilate(differ.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    parts = sorted((tuple(map(int, stats[number])) for number in range(1, count)), key=lambda part: -part[4])
    height, width = before.shape[:2]
    boxes: list[Box] = []
    for x, y, across, down, _ in parts:
        box = _widen_box((x, y, x + across, y + down), (width, height), (differ.shape[1], differ.shape[0]))
        if not any(_is_within(box, other) for other in boxes):
            boxes.append(box)
    return tuple(boxes[:_PLACES])


def _widen_box(cells: Box, size: tuple[int, int], count: tuple[int, int]) -> Box:
    """Turn a box of cells into px, with its surroundings as far as the table reaches."""
    sides: list[tuple[int, int]] = []
    for axis in (0, 1):
        px = size[axis] / count[axis]
        middle = (cells[axis] + cells[axis + 2]) / 2 * px
        half = max(_LEAST_MM * PX_PER_MM / 2, (cells[axis + 2] - cells[axis]) * px / 2 + _BESIDE_MM * PX_PER_MM)
        sides.append((max(0, round(middle - half)), min(size[axis], round(middle + half))))
    (x0, x1), (y0, y1) = sides
    return x0, y0, x1, y1


def _is_within(box: Box, other: Box) -> bool:
    return box[0] >= other[0] and box[1] >= other[1] and box[2] <= other[2] and box[3] <= other[3]


def _average_cells(table: Picture) -> npt.NDArray[np.float32]:
    cell = round(_CELL_MM * PX_PER_MM)
    size = max(1, table.shape[1] // cell), max(1, table.shape[0] // cell)
    return np.asarray(cv2.resize(table, size, interpolation=cv2.INTER_AREA), np.float32)


def _cut(table: Picture, box: Box) -> Picture:
    x0, y0, x1, y1 = box
    return table[y0:y1, x0:x1]


def _pack_jpeg(picture: Picture) -> bytes:
    return cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))[1].tobytes()


@lru_cache(maxsize=2 * _PLACES)
def _decode_thumbnail(packed: bytes) -> Thumbnail | None:
    """Decode a picture for the display; ``None`` where the disk gave back something else."""
    picture = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR) if packed else None
    return None if picture is None else as_thumbnail(np.asarray(picture, np.uint8))
