"""``sevenmat read``: what the reader makes of single pictures, as JSON lines or as words."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from device.capture.drawing import READING, Drawings, drawn_on
from device.capture.eye import TableEye, card_reader
from device.capture.mat_finder import MatFinder
from device.speech import Language, say
from device.terminal import show_busy
from referee.table import CAUSES, Sighting, Unread
from rules.plain import escape_line, shorten_sentence
from rules.text import Text
from vision.errors import LightError, MatError, PictureError
from vision.identify.deck import Deck
from vision.mat import Mat
from vision.picture import load_picture
from vision.reader import Reader


def _place(card: Sighting | Unread) -> dict[str, Any]:
    return {"x": round(card.x, 1), "y": round(card.y, 1), "angle": round(card.angle % 360, 1)}


def _mat_json(mat: Mat) -> dict[str, Any]:
    return {
        "found": True,
        "size_mm": [round(side, 1) for side in mat.size_mm],
        "px_per_mm": round(mat.px_per_mm, 3),
    }


def read_picture(
    image: str, reader: Reader, deck: Deck, find: MatFinder, language: Language, drawings: Drawings | None = None
) -> tuple[dict[str, Any], tuple[Text, ...]]:
    """Read one picture file into the object that ``sevenmat read --json`` prints, and what is to be said of its mat.

    What was seen is drawn, with its words in that language.

    Raises:
        PictureError: the file is no picture.
        MatError: the mat can't be measured.
        LightError: its light can't be measured.
        DeviceError: the drawing can't be written.
    """
    picture = load_picture(Path(image))
    eye = TableEye(reader, deck, find, accept=lambda *_: None)
    reading, mat = eye.read(picture), eye.mat
    assert mat is not None, "it was measured for the cards"
    found = {
        "image": image,
        "mat": _mat_json(mat),
        "cards": [
            {"card": s.name, **_place(s), "confidence": round(s.confidence, 3), "visible": round(s.visible, 3)}
            for s in reading.sightings
        ],
        "unread": [
            {**_place(u), "cause": u.cause, "candidates": list(u.candidates), "visible": round(u.visible, 3)}
            for u in reading.unread
        ],
    }
    if drawings is not None:
        drawings.write(image, drawn_on(picture, mat, reading, language))
    return found, mat.warnings


def read_pictures(
    images: Sequence[str],
    deck: Deck,
    find: MatFinder,
    as_json: bool,
    language: Language,
    drawings: Drawings | None = None,
) -> int:
    """Read pictures one after the other; one that can't be read is named on standard error and the rest goes on.

    Returns the exit code: 2 where a picture could not be read, otherwise 0.
    """
    reader = card_reader()
    deck = reader.up_to_date(deck)
    code = 0
    for image in images:
        try:
            with show_busy(READING.refill(image=escape_line(image)).said(language)):
                found, warnings = read_picture(image, reader, deck, find, language, drawings)
        except (PictureError, MatError, LightError) as error:
            code = 2
            which = "" if isinstance(error, PictureError) else f"{image}: "
            print(f"sevenmat: {shorten_sentence(which + say(error, language))}", file=sys.stderr)
            if as_json and not isinstance(error, PictureError):
                found = {"image": image, "mat": {"found": False}, "cards": [], "unread": []}
            else:
                continue
            warnings = ()
        for warning in warnings:
            print(f"sevenmat: {escape_line(image)}: {warning.said(language)}", file=sys.stderr)
        if as_json:
            print(json.dumps(found, ensure_ascii=False), flush=True)
        else:
            _print_plainly(found, language)
    return code


def _print_plainly(found: dict[str, Any], language: Language) -> None:
    width, height = found["mat"]["size_mm"]
    image, count = escape_line(found["image"]), len(found["cards"])
    size = f"{width:.0f} × {height:.0f} mm"
    print(Text("{image}: {count} cards, mat {size}", image=image, count=count, size=size).said(language))
    for card in found["cards"]:
        print(f"  {card['card']:24} x {card['x']:7.1f}  y {card['y']:6.1f}  {card['angle']:5.1f}°")
    for card in found["unread"]:
        trouble = CAUSES[card["cause"]].said(language)
        likely = "/".join(card["candidates"][:2]) or "?"
        print(f"  ? {likely:22} x {card['x']:7.1f}  y {card['y']:6.1f}  {trouble}", flush=True)
