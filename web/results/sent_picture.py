"""A result as one picture to send: who has won, everybody's points, and the cards that lie there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from device.artwork.faces import small_face
from device.artwork.signs import fitted_face
from device.capture.drawing import pack_jpeg
from rules.cards import Card, Suit
from rules.text import Language
from ui.fonts import Weight
from web.words import say

Rgb = tuple[int, int, int]
_WIDE, _MARGIN, _GAP = 1080, 40, 20
_HERO = 424
_CROP = 300
_CARD, _SHOWS, _APART = 92, 44, 18
"""A card's width, how much of one shows beneath the next, and how far apart piles are, px."""
_PAPER_AT = (30, 66)
"""Where on its cards a paper lies, px."""
_PILE, _BARE_PILE, _HEAD, _LINE = 212, 186, 104, 48
"""How high a paper with its cards is, cards with their points, name and points, and a line of words, px."""
_FELT, _FELT_DARK, _AMBER = (24, 74, 58), (14, 46, 38), (244, 185, 66)
_GROUND, _WHITE, _INK, _SOFT = (246, 244, 239), (255, 255, 255), (28, 35, 38), (82, 92, 96)
_MOST_BYTES = 900_000
_LONG = 52
"""A sentence of more letters is written in two lines."""


@dataclass
class _Canvas:
    """A picture that grows downwards."""

    image: Image.Image
    draw: ImageDraw.ImageDraw = field(init=False)

    def __post_init__(self) -> None:
        self.draw = ImageDraw.Draw(self.image)

    def write(
        self, x: float, y: float, words: str, size: int, colour: Rgb, widest: float, anchor: str, bold: bool = True
    ) -> None:
        """Write words, smaller where they would be wider than ``widest`` px."""
        weight = Weight.BOLD if bold else Weight.REGULAR
        self.draw.text((x, y), words, colour, font=fitted_face(words, size, widest, weight), anchor=anchor)

    def paste_card(self, name: str, x: float, y: float, language: Language, width: int = _CARD) -> None:
        """Paste a card with round corners."""
        face = small_face(name, width, language)
        mask = Image.new("L", face.size)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, face.width - 1, face.height - 1), width // 9, 255)
        box = (x - 2, y - 2, x + face.width + 1, y + face.height + 1)
        self.draw.rounded_rectangle(box, width // 9 + 2, (120, 124, 120))
        self.image.paste(face, (round(x), round(y)), mask)


def draw_result(
    title: Any,
    day: str,
    won: Mapping[str, str],
    players: Sequence[Mapping[str, Any]],
    photo: Path | None,
    frames: Mapping[str, Sequence[int]],
    language: Language,
) -> bytes:
    """Draw a result, JPEG of at most 900 kB, ``_WIDE`` px wide.

    ``title`` is the game's name, ``won`` and ``players`` are as ``web.results.cards`` describes them; ``frames`` are
    the parts of the ``photo`` with each player's cards, by seat.
    """
    taken = Image.open(photo).convert("RGB") if photo is not None else None
    rows = [_lay_out_player(one, taken, frames.get(str(one["seat"]))) for one in players]
    high = _HERO + sum(height + _GAP for _, height in rows) + 2 * _MARGIN
    canvas = _Canvas(Image.new("RGB", (_WIDE, high), _GROUND))
    _draw_hero(canvas, say(title, language), day, won, language)
    top = _HERO + _MARGIN
    for (crop, height), one in zip(rows, players, strict=True):
        _draw_player(canvas, top, height, one, crop, language)
        top += height + _GAP
    canvas.write(_WIDE / 2, high - 30, "Sevenmat", 22, _SOFT, 400, "mm")
    return pack_jpeg(canvas.image, _MOST_BYTES)


def _draw_hero(canvas: _Canvas, title: str, day: str, won: Mapping[str, str], language: Language) -> None:
    for y in range(_HERO):
        share = y / _HERO
        shade = tuple(round(a + (b - a) * share) for a, b in zip(_FELT, _FELT_DARK, strict=True))
        canvas.draw.line([(0, y), (_WIDE, y)], shade)
    canvas.write(_MARGIN, 52, title, 36, _WHITE, 640, "lm")
    canvas.write(_WIDE - _MARGIN, 52, day, 30, (200, 216, 206), 320, "rm", bold=False)
    width, pitch = 84, 104
    left = _WIDE / 2 - pitch * (len(Suit) - 1) / 2 - width / 2
    for number, suit in enumerate(Suit):
        name = str(Card(suit, 7))
        canvas.paste_card(name, left + number * pitch, 98 + 9 * abs(number - len(Suit) // 2), language, width)
    canvas.write(_WIDE / 2, 286, won["headline"], 84, _AMBER, _WIDE - 2 * _MARGIN, "mm")
    lines = _break_in_two(won["below"]) if len(won["below"]) > _LONG else [won["below"]]
    for number, words in enumerate(lines):
        line_y = 370 + 40 * (number - (len(lines) - 1) / 2)
        canvas.write(
            _WIDE / 2, line_y, words, 36 if len(lines) == 1 else 31, _WHITE, _WIDE - 2 * _MARGIN, "mm", bold=False
        )


def _break_in_two(words: str) -> list[str]:
    """Break a sentence in two near its middle: at a space, or wherever it has none."""
    middle = len(words) // 2
    spaces = [place for place, letter in enumerate(words) if letter in " 、：。" and place < len(words) - 1]
    at = min(spaces, key=lambda place: abs(place - middle), default=middle) + 1
    return [words[:at].strip(), words[at:].strip()]


def _lay_out_player(
    one: Mapping[str, Any], taken: Image.Image | None, frame: Sequence[int] | None
) -> tuple[Image.Image | None, int]:
    """Return the part of the photograph with a player's cards, and how high the player's card is, px."""
    crop = None
    if taken is not None and frame is not None:
        left, top, width, height = frame
        crop = taken.crop((left, top, left + width, top + height))
        crop.thumbnail((_CROP, 2 * _CROP))
    piles, lines = _list_piles(one), _list_lines(one)
    below = _place_piles(piles, _count_room(crop))[1] * _pile_height(piles) + len(lines) * _LINE + (16 if lines else 0)
    return crop, _HEAD + max(below, crop.height + 12 if crop is not None else 0)


def _list_piles(one: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [item for item in one["items"] if item["paper"] is not None or item["cards"]]


def _list_lines(one: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """List what lies there for a player and is no card."""
    return [item for item in one["items"] if item["paper"] is None and not item["cards"]]


def _pile_height(piles: Sequence[Mapping[str, Any]]) -> int:
    return _PILE if any(pile["paper"] is not None for pile in piles) else _BARE_PILE


def _count_room(crop: Image.Image | None) -> int:
    """Return how much room piles have beside the part of the photograph, px."""
    return _WIDE - 2 * _MARGIN - 48 - (_CROP + 24 if crop is not None else 0)


def _place_piles(piles: Sequence[Mapping[str, Any]], room: int) -> tuple[list[tuple[int, int]], int]:
    """Return where each pile lies, its left edge in px and its row, and the number of rows."""
    places, x, row = [], 0, 0
    for pile in piles:
        wide = max(_SHOWS * max(0, len(pile["cards"]) - 1), _PAPER_AT[0] if pile["paper"] is not None else 0) + _CARD
        if x and x + wide > room:
            x, row = 0, row + 1
        places.append((x, row))
        x += wide + _APART
    return places, row + 1 if places else 0


def _draw_player(
    canvas: _Canvas, top: int, high: int, one: Mapping[str, Any], crop: Image.Image | None, language: Language
) -> None:
    right = _WIDE - _MARGIN
    outline = _AMBER if one["winner"] else (214, 210, 200)
    canvas.draw.rounded_rectangle((_MARGIN, top, right, top + high), 22, _WHITE, outline, 6 if one["winner"] else 2)
    who = f"{one['place']}.  {say(one['name'], language)}"
    canvas.write(_MARGIN + 24, top + 54, who, 42, _INK, 720, "lm")
    canvas.write(right - 28, top + 54, str(one["points"]), 64, _INK, 200, "rm")
    left, upper = _MARGIN + 24, top + _HEAD - 6
    if crop is not None:
        canvas.image.paste(crop, (left, upper))
        left += _CROP + 24
    piles = _list_piles(one)
    places, rows = _place_piles(piles, _count_room(crop))
    for item, (x, row) in zip(piles, places, strict=True):
        _draw_pile(canvas, left + x, upper + row * _pile_height(piles), item, language)
    upper += rows * _pile_height(piles)
    for number, item in enumerate(_list_lines(one)):
        y = upper + (number + 0.5) * _LINE
        canvas.write(left + 60, y, str(item["points"] or "–"), 32, _INK, 60, "rm")
        canvas.write(left + 84, y, say(item["words"], language), 32, _SOFT, right - left - 110, "lm", bold=False)


def _draw_pile(canvas: _Canvas, x: int, y: int, item: Mapping[str, Any], language: Language) -> None:
    """Draw the cards of a pile beside each other, and its paper upon them."""
    for number, card in enumerate(item["cards"]):
        canvas.paste_card(card["name"], x + number * _SHOWS, y, language)
    if item["paper"] is not None:
        canvas.paste_card(item["paper"]["name"], x + _PAPER_AT[0], y + _PAPER_AT[1], language)
    elif item["points"]:
        canvas.write(x + _CARD / 2, y + 152, str(item["points"]), 32, _INK, _CARD, "mm")
