"""What was seen, drawn into the picture: every card outlined and named, what can't be read with its cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from device.errors import refused_by_the_system
from device.files import replace_file
from device.hardware.camera import Picture
from referee.layout import CARD_MM, TableLayout
from referee.registry import referees, scorings
from referee.table import CAUSES, Detections, Sighting, Unread
from rules.text import Language, Text, verbatim
from ui.fonts import Weight, font_file
from ui.screen_state import Point
from vision.arrays import Doubles
from vision.mat import Mat

READING = Text("Reading {image}…", image="")
"""What is said while a picture is read."""

DRAWN_PX = 2000
"""The longer side of the picture that is drawn on."""
Colour = tuple[int, int, int]

_NAMED, _UNREAD, _SEAT = (64, 220, 96), (255, 150, 0), (120, 200, 255)
_DARK, _INK = (0, 0, 0, 190), (255, 255, 255)
_LETTERS = (22, 13)
"""The largest and the smallest height of letters, px."""
_PHONE_LETTERS = (40, 26)
"""The same where a phone shows the picture at a third of its size."""
_PHONE_BYTES = 60_000
_QUALITIES = (80, 65, 50, 35, 20)
_SHARES = (0.0, -0.36, 0.36, -0.2, 0.2)
"""Where on a card its name may stand, in shares of its height below the centre."""
_NEAR_MM = 6.0
"""So far round its point a name reaches."""


@cache
def all_card_words() -> Mapping[str, Text]:
    """What every card that a game knows is called, by the reader's name for it."""
    words: dict[str, Text] = {}
    for game in (*scorings().values(), *referees().values()):
        groups = game.names() if hasattr(game, "names") else ()
        words |= {name: said for _, pairs in groups for name, said in pairs if name not in words}
    return words


class Drawings:
    """A folder that pictures are drawn into, one PNG for each, named as the picture is."""

    def __init__(self, folder: Path) -> None:
        """Make the folder.

        Raises:
            DeviceError: it can't be made.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refused_by_the_system(error) from error
        self._folder, self._names = folder, set[str]()

    def write(self, image: str, drawn: Picture) -> None:
        """Write what was drawn on the picture ``image``, (h, w, 3) BGR uint8; pictures of one name are numbered.

        Raises:
            DeviceError: it can't be written.
        """
        stem, number = Path(image).stem, 1
        name = stem
        while name in self._names:
            number += 1
            name = f"{stem}-{number}"
        self._names.add(name)
        with replace_file(self._folder / f"{name}.png") as unfinished:
            unfinished.write_bytes(as_png(drawn))


def as_png(picture: Picture) -> bytes:
    """A picture (h, w, 3) BGR uint8 as a PNG file."""
    return cv2.imencode(".png", picture, (cv2.IMWRITE_PNG_COMPRESSION, 3))[1].tobytes()


def drawn_size(picture: Picture) -> Picture:
    """A picture (h, w, 3) at most as large as it is drawn on; the picture itself where it is."""
    scale = DRAWN_PX / max(picture.shape[:2])
    if scale >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True)
class SeatLabel:
    """What is written into a seat's area."""

    seat: int
    words: Text


def drawn_on(
    picture: Picture,
    mat: Mat,
    seen: Detections,
    language: Language,
    layout: TableLayout | None = None,
    labels: Sequence[SeatLabel] = (),
) -> Picture:
    """A picture (h, w, 3) BGR uint8 with what was seen drawn on, (h', w', 3) BGR, made smaller where it is large.

    ``seen`` is in mat millimetres; with a ``layout`` the seats' areas are drawn, with their ``labels``.
    """
    small = drawn_size(picture)
    image = Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB))
    pen = _Pen(ImageDraw.Draw(image, "RGBA"), mat, image.width / mat.picture_size[0], language)
    if layout is not None:
        for label in labels:
            pen.area(layout.seat_rect(label.seat), label.words)
    known = all_card_words()
    named = [(card, known.get(card.name, verbatim(card.name)), _NAMED) for card in seen.sightings]
    marks = [(mark, CAUSES.get(mark.cause, CAUSES["doubtful"]), _UNREAD) for mark in seen.unread]
    cards: list[tuple[Sighting | Unread, Text, Colour]] = [*named, *marks]
    for card, _, colour in cards:
        pen.outline(card, colour)
    for number, (card, words, colour) in enumerate(cards):
        others = [other for at, (other, _, _) in enumerate(cards) if at != number]
        pen.name(card, words, colour, others)
    return np.asarray(cv2.cvtColor(np.asarray(image), cv2.COLOR_RGB2BGR), np.uint8)


def marked(jpeg: bytes, mat: Sequence[Point], marks: Sequence[Mapping[str, Any]]) -> bytes:
    """A phone's picture as JPEG, with the mat's outline and the marks drawn in that ``PhonePicture.as_json`` has."""
    image = Image.open(BytesIO(jpeg)).convert("RGB")
    draw = ImageDraw.Draw(image, "RGBA")

    def outline(corners: Sequence[Point], colour: Colour, width: int) -> list[tuple[float, float]]:
        points = [(x * image.width, y * image.height) for x, y in corners]
        draw.line([*points, points[0]], (0, 0, 0), width + 3, joint="curve")
        draw.line([*points, points[0]], colour, width, joint="curve")
        return points

    if mat:
        outline(mat, _NAMED, 4)
    places = [(mark, outline(mark["corners"], _UNREAD if mark["fault"] else _SEAT, 3)) for mark in marks]
    for mark, points in places:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        # A fault's number stands at its place's upper edge, where it hides the least of what lies there.
        middle = sum(xs) / len(xs), min(ys) if mark["fault"] else sum(ys) / len(ys)
        colour = _UNREAD if mark["fault"] else _SEAT
        _write(draw, mark["words"], middle, max(xs) - min(xs), colour, _PHONE_LETTERS)
    for quality in _QUALITIES:
        image.save(packed := BytesIO(), "JPEG", quality=quality)
        if packed.tell() <= _PHONE_BYTES:
            break
    return packed.getvalue()


@dataclass(frozen=True, slots=True)
class _Pen:
    """Draws in mat millimetres."""

    draw: ImageDraw.ImageDraw
    mat: Mat
    scale: float
    language: Language

    def _px(self, points_mm: Doubles) -> list[tuple[float, float]]:
        return [(float(x), float(y)) for x, y in self.mat.to_px(points_mm) * self.scale]

    def outline(self, card: Sighting | Unread, colour: Colour) -> None:
        """A card's edges."""
        corners = self._px(np.array(list(_corners(card))))
        self.draw.line([*corners, corners[0]], (0, 0, 0), 5, joint="curve")
        self.draw.line([*corners, corners[0]], colour, 3, joint="curve")

    def name(self, card: Sighting | Unread, words: Text, colour: Colour, others: Sequence[Sighting | Unread]) -> None:
        """What a card is called, in its middle or above or below it, where the fewest ``others`` lie."""

        def crowd(share: float) -> tuple[int, float]:
            return sum(_covers(other, _along(card, share)) for other in others), abs(share)

        corners = self._px(np.array(list(_corners(card))))
        width = float(np.hypot(*np.subtract(corners[1], corners[0])))
        ((x, y),) = self._px(np.array([_along(card, min(_SHARES, key=crowd))]))
        _write(self.draw, words.said(self.language), (x, y), 1.1 * width, colour)

    def area(self, rect_mm: tuple[float, float, float, float], words: Text) -> None:
        """A seat's area, and whose it is."""
        x0, y0, x1, y1 = rect_mm
        corners = self._px(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))
        self.draw.line([*corners, corners[0]], _SEAT, 2, joint="curve")
        # In the corner next to the table's middle, where players have laid least.
        inner = y0 if y0 > 0 else y1
        ((x, y),) = self._px(np.array([((x0 + x1) / 2, inner)]))
        _write(self.draw, words.said(self.language), (x, y), abs(corners[1][0] - corners[0][0]), _SEAT)


def _write(
    draw: ImageDraw.ImageDraw,
    words: str,
    at: tuple[float, float],
    most: float,
    colour: Colour,
    sizes: tuple[int, int] = _LETTERS,
) -> None:
    """Words in a dark box about a point (px), at most so many px wide where they can be read then."""
    largest, smallest = sizes
    size = next((n for n in range(largest, smallest, -1) if _font(n).getlength(words) <= most), smallest)
    letters = _font(size)
    while len(words) > 2 and letters.getlength(words) > max(most, 3 * size):
        words = f"{words[:-2]}…"
    box = draw.textbbox(at, words, letters, anchor="mm")
    draw.rounded_rectangle((box[0] - 4, box[1] - 3, box[2] + 4, box[3] + 3), 4, _DARK, colour, 1)
    draw.text(at, words, _INK, letters, anchor="mm")


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(Weight.BOLD)), size)


def _corners(card: Sighting | Unread) -> Iterator[tuple[float, float]]:
    """The corners (mm) of a card, the upper left one as it stands first."""
    turn = np.deg2rad(card.angle)
    width, height = CARD_MM
    for across, down in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
        dx, dy = across * width, down * height
        yield card.x + dx * np.cos(turn) - dy * np.sin(turn), card.y + dx * np.sin(turn) + dy * np.cos(turn)


def _along(card: Sighting | Unread, share: float) -> tuple[float, float]:
    """The point (mm) on a card's upright middle line, so much of its height below its centre."""
    turn, down = np.deg2rad(card.angle), share * CARD_MM[1]
    return card.x - down * np.sin(turn), card.y + down * np.cos(turn)


def _covers(card: Sighting | Unread, point: tuple[float, float]) -> bool:
    """Whether a point (mm) lies on a card, or so near that its name would."""
    outline = np.array(list(_corners(card)), np.float32)
    return cv2.pointPolygonTest(outline, point, True) > -_NEAR_MM
