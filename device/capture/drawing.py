"""What was seen, drawn into the picture: every card outlined and named, what can't be read with its cause."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from device.errors import refused_by_the_system
from device.files import replace_file
from device.hardware.camera import Picture
from referee.layout import CARD_MM, TableLayout
from referee.registry import load_referees, load_scorings
from referee.table import CAUSES, Detections, Sighting, Unread
from rules.text import Language, Text, verbatim
from ui.fonts import Weight, font_file
from ui.screen_state import Point
from vision.arrays import Doubles, Floats
from vision.mat import Mat

READING = Text("Reading {image}…", image="")
"""What is said while a picture is read."""

DRAWN_PX = 2000
"""The longer side of the picture that is drawn on."""
Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom edge in px."""

_NAMED, _UNREAD, _SEAT = (64, 220, 96), (255, 150, 0), (120, 200, 255)
_DARK, _INK = (0, 0, 0, 190), (255, 255, 255)
_LETTERS = (22, 13)
"""The largest and the smallest height of letters, px."""
_PHONE_LETTERS = (40, 26)
"""The same where a phone shows the picture at a third of its size."""
_AIMING_BYTES = 60_000
PHONE_BYTES = 250_000
_PHONE_PX = 1600
"""The longer side of a phone's picture of a table: a player's part of it fills a phone's width sharply."""
_MARGIN_MM = 25.0
_QUALITIES = (80, 65, 50, 35, 20)
_SPACING = 1
_RULER = ImageDraw.Draw(Image.new("1", (1, 1)))
_PLACES = (
    *((0.0, share) for share in (0.0, -0.36, 0.36, -0.2, 0.2, -0.55, 0.55)),
    *product((-0.8, 0.8), (0.0, -0.36, 0.36)),
)
"""Where a card's name may stand, in shares of its width right of the centre and of its height below it."""
_BREAKS = re.compile(r"（[^）]*）|[^\s（]+\s*|\s+")
"""What stays together in a line of a label."""
_NEAR_MM = 6.0
"""So far round its point a name reaches."""


@cache
def all_card_words() -> Mapping[str, Text]:
    """Return the words for every card that a game knows, by the reader's name for it."""
    words: dict[str, Text] = {}
    for game in (*load_scorings().values(), *load_referees().values()):
        groups = game.list_names() if hasattr(game, "list_names") else ()
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
    """Encode a picture (h, w, 3) BGR uint8 as a PNG file."""
    return cv2.imencode(".png", picture, (cv2.IMWRITE_PNG_COMPRESSION, 3))[1].tobytes()


def drawn_size(picture: Picture) -> Picture:
    """Reduce a picture (h, w, 3) to the largest size that is drawn on; return one that is no larger as it is."""
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
    boxes: list[Box] | None = None,
) -> Picture:
    """Draw what was seen on a picture (h, w, 3) BGR uint8, made smaller where it is large: (h', w', 3) BGR.

    ``seen`` is in mat millimetres; with a ``layout`` the seats' areas are drawn, with their ``labels``. ``boxes`` gets
    where what is written stands, the seats' last.
    """
    small = drawn_size(picture)
    image = Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB))
    pen = _Pen(
        ImageDraw.Draw(image, "RGBA"), mat, image.width / mat.picture_size[0], language, [] if boxes is None else boxes
    )
    if layout is not None:
        for label in labels:
            pen.draw_area(layout.seat_rect(label.seat))
    known = all_card_words()
    named = [(card, known.get(card.name, verbatim(card.name)), _NAMED) for card in seen.sightings]
    marks = [(mark, CAUSES.get(mark.cause, CAUSES["doubtful"]), _UNREAD) for mark in seen.unread]
    cards: list[tuple[Sighting | Unread, Text, Colour]] = [*named, *marks]
    for card, _, colour in cards:
        pen.draw_outline(card, colour)
    outlines = [card_corners(card).astype(np.float32) for card, _, _ in cards]
    for number, (card, words, colour) in enumerate(cards):
        pen.name(card, words, colour, [one for at, one in enumerate(outlines) if at != number])
    if layout is not None:
        for label in labels:
            pen.draw_seat(layout.seat_rect(label.seat), label.words)
    return np.asarray(cv2.cvtColor(np.asarray(image), cv2.COLOR_RGB2BGR), np.uint8)


def mark_picture(jpeg: bytes, mat: Sequence[Point], marks: Sequence[Mapping[str, Any]]) -> bytes:
    """Mark a phone's picture, as JPEG, with the mat's outline and the marks as ``PhonePicture.as_json`` has them."""
    image = Image.open(BytesIO(jpeg)).convert("RGB")
    draw = ImageDraw.Draw(image, "RGBA")

    def draw_outline(corners: Sequence[Point], colour: Colour, width: int) -> list[tuple[float, float]]:
        points = [(x * image.width, y * image.height) for x, y in corners]
        draw.line([*points, points[0]], (0, 0, 0), width + 3, joint="curve")
        draw.line([*points, points[0]], colour, width, joint="curve")
        return points

    if mat:
        draw_outline(mat, _NAMED, 4)
    places = [(mark, draw_outline(mark["corners"], _UNREAD if mark["fault"] else _SEAT, 3)) for mark in marks]
    for mark, points in places:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        # A fault's number stands at its place's upper edge, where it hides the least of what lies there.
        middle = sum(xs) / len(xs), min(ys) if mark["fault"] else sum(ys) / len(ys)
        colour = _UNREAD if mark["fault"] else _SEAT
        label = _lay_out_labels(mark["words"], int(max(xs) - min(xs)), _PHONE_LETTERS)[0]
        label.move_to(*middle, image.size).draw(draw, colour)
    return pack_jpeg(image, _AIMING_BYTES)


def pack_jpeg(image: Image.Image, most_bytes: int) -> bytes:
    """Encode a picture as a JPEG file of at most ``most_bytes``: less fine, then smaller, until it fits."""
    while True:
        for quality in _QUALITIES:
            image.save(file := BytesIO(), "JPEG", quality=quality, optimize=True)
            if file.tell() <= most_bytes:
                return file.getvalue()
        image = image.reduce(2)


def phone_frame(mat: Mat, drawn: Picture) -> tuple[int, int, int, int]:
    """Return the part of a picture (h, w, 3) that phones show, the mat: its left, top, right and bottom edge in px."""
    high, wide = drawn.shape[:2]
    far_x, far_y = (side + _MARGIN_MM for side in mat.size_mm)
    near = -_MARGIN_MM
    corners = mat.to_px(np.array([(near, near), (far_x, near), (far_x, far_y), (near, far_y)]))
    xs, ys = (corners * (wide / mat.picture_size[0])).T
    left, top = max(0, int(xs.min())), max(0, int(ys.min()))
    return left, top, min(wide, int(xs.max())), min(high, int(ys.max()))


def for_a_phone(drawn: Picture, frame: tuple[int, int, int, int]) -> bytes:
    """Encode a part of a picture (h, w, 3) BGR uint8 as a JPEG file small enough for phones."""
    image = Image.fromarray(cv2.cvtColor(drawn, cv2.COLOR_BGR2RGB)).crop(frame)
    image.thumbnail((_PHONE_PX, _PHONE_PX))
    return pack_jpeg(image, PHONE_BYTES)


@dataclass(frozen=True, slots=True)
class _Label:
    """Words in lines, in letters of that size, in the middle of their box."""

    text: str
    size: int
    box: Box

    @classmethod
    def lay_out(cls, lines: Sequence[str], size: int) -> _Label:
        """Lay out a label about the point (0, 0)."""
        text, letters = "\n".join(lines), _load_font(size)
        left, top, right, bottom = _RULER.multiline_textbbox((0, 0), text, letters, "mm", _SPACING, "center")
        return cls(text, size, (left - 4, top - 3, right + 4, bottom + 3))

    def move_to(self, x: float, y: float, within: tuple[int, int]) -> _Label:
        """Move the label to a point, and into a picture of size ``within`` where it would stand out of it."""
        left, top, right, bottom = self.box
        x += max(0.0, 1 - left - x) - max(0.0, right + x + 1 - within[0])
        y += max(0.0, 1 - top - y) - max(0.0, bottom + y + 1 - within[1])
        return replace(self, box=(left + x, top + y, right + x, bottom + y))

    def draw(self, draw: ImageDraw.ImageDraw, colour: Colour) -> None:
        """Draw it in a dark box."""
        draw.rounded_rectangle(self.box, 4, _DARK, colour, 1)
        zero = _Label.lay_out(self.text.split("\n"), self.size).box
        at = self.box[0] - zero[0], self.box[1] - zero[1]
        draw.multiline_text(at, self.text, _INK, _load_font(self.size), "mm", _SPACING, "center")


@lru_cache(maxsize=2048)
def _lay_out_labels(words: str, most: int, sizes: tuple[int, int]) -> list[_Label]:
    """Words in one line, in two or in three, each as large as they fit into so many px; whole in any case."""
    largest, smallest = sizes
    found: dict[int, _Label] = {}
    for size in range(largest, smallest - 1, -1):
        lines = _wrap_words(words, _load_font(size), most)
        if all(_load_font(size).getlength(line) <= most for line in lines):
            found.setdefault(len(lines), _Label.lay_out(lines, size))
    return list(found.values()) or [_Label.lay_out(_wrap_words(words, _load_font(smallest), most), smallest)]


def _wrap_words(words: str, letters: ImageFont.FreeTypeFont, most: float) -> list[str]:
    """Words in lines of at most so many px, as far as they can be broken."""
    lines = [""]
    for piece in _BREAKS.findall(words):
        if lines[-1] and letters.getlength((lines[-1] + piece).rstrip()) > most:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _overlap_area(one: Box, other: Box) -> float:
    """Return the area in which two boxes overlap."""
    wide, high = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)


@dataclass(frozen=True, slots=True)
class _Pen:
    """Draws in mat millimetres; no label covers another where there is room."""

    draw: ImageDraw.ImageDraw
    mat: Mat
    scale: float
    language: Language
    taken: list[Box]

    def _to_px(self, points_mm: Doubles) -> list[tuple[float, float]]:
        return [(float(x), float(y)) for x, y in self.mat.to_px(points_mm) * self.scale]

    def draw_outline(self, card: Sighting | Unread, colour: Colour) -> None:
        """Draw a card's edges."""
        corners = self._to_px(card_corners(card))
        self.draw.line([*corners, corners[0]], (0, 0, 0), 5, joint="curve")
        self.draw.line([*corners, corners[0]], colour, 3, joint="curve")

    def name(self, card: Sighting | Unread, words: Text, colour: Colour, others: Sequence[Floats]) -> None:
        """Write a card's name on it or beside it, where it covers the fewest labels and outlines of ``others``."""
        corners = self._to_px(card_corners(card))
        width = float(np.hypot(*np.subtract(corners[1], corners[0])))
        places = [_locate_on_card(card, *place) for place in _PLACES]
        crowded = [
            0.3 * sum(_covers_point(other, place) for other in others) + abs(across) + 0.2 * abs(down)
            for place, (across, down) in zip(places, _PLACES, strict=True)
        ]
        self._write(words, list(zip(self._to_px(np.array(places)), crowded, strict=True)), 1.15 * width, colour)

    def draw_area(self, rect_mm: tuple[float, float, float, float]) -> None:
        """Draw a seat's area."""
        x0, y0, x1, y1 = rect_mm
        corners = self._to_px(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))
        self.draw.line([*corners, corners[0]], _SEAT, 2, joint="curve")

    def draw_seat(self, rect_mm: tuple[float, float, float, float], words: Text) -> None:
        """Whose a seat's area is."""
        x0, y0, x1, y1 = rect_mm
        # At the edge next to the table's middle, where players have laid least.
        inner, beyond = (y0, -1) if y0 > 0 else (y1, 1)
        across = (0.5, 0.3, 0.7, 0.2, 0.8)
        places = [(x0 + share * (x1 - x0), inner + beyond * mm) for mm in (0, 15, -15, 30) for share in across]
        (left, _), (right, _) = self._to_px(np.array([(x0, inner), (x1, inner)]))
        costs = (0.1 * number for number in range(len(places)))
        self._write(words, list(zip(self._to_px(np.array(places)), costs, strict=True)), abs(right - left), _SEAT)

    def _write(
        self, words: Text, places: Sequence[tuple[tuple[float, float], float]], most: float, colour: Colour
    ) -> None:
        """Words in a dark box about one of these points (px), each with how bad it is, at most so many px wide."""

        def rate_label(one: tuple[_Label, float]) -> float:
            label, cost = one
            left, top, right, bottom = label.box
            covered = sum(_overlap_area(label.box, other) for other in self.taken) / ((right - left) * (bottom - top))
            smaller = 1 - label.size / _LETTERS[0]
            return cost + 20 * covered + smaller + 0.4 * label.text.count("\n")

        size = self.draw.im.size
        labels = _lay_out_labels(words.said(self.language), int(most), _LETTERS)
        choices = [(label.move_to(*at, size), cost) for label in labels for at, cost in places]
        label, _ = min(choices, key=rate_label)
        label.draw(self.draw, colour)
        self.taken.append(label.box)


@cache
def _load_font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(Weight.BOLD)), size)


def card_corners(card: Sighting | Unread) -> Doubles:
    """Return the corners (4, 2) in mm of a card, the upper left one as it stands first."""
    return np.array([_locate_on_card(card, *corner) for corner in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))])


def _locate_on_card(card: Sighting | Unread, across: float, down: float) -> tuple[float, float]:
    """Return the point (mm) so much of a card's width right of its centre and of its height below it, as it stands."""
    turn = np.deg2rad(card.angle)
    dx, dy = across * CARD_MM[0], down * CARD_MM[1]
    return card.x + dx * np.cos(turn) - dy * np.sin(turn), card.y + dx * np.sin(turn) + dy * np.cos(turn)


def _covers_point(outline: Floats, point: tuple[float, float]) -> bool:
    """Whether a point (mm) lies within a card's outline, or so near that its name would."""
    return cv2.pointPolygonTest(outline, point, True) > -_NEAR_MM
