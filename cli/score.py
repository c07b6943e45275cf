"""``sevenmat score``: what a finished table comes to, from one picture and without a record of the game."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

from device.capture.drawing import READING, Drawings
from device.capture.eye import deck_for
from device.capture.mat_finder import MatFinder
from device.errors import DeviceError
from device.files import read_text
from device.hardware.camera import Picture
from device.json_text import NoObjectError, read_object
from device.scoring.looking import picture_reader
from device.scoring.pictures import PictureSeen, picture_drawn, score_of, seen_in
from device.scoring.table import Table
from device.scoring.telling import score_json, write_plainly
from device.speech import Language, say
from device.terminal import show_busy
from referee.finished.score import Score
from rules.plain import escape_line, shorten_sentence
from rules.text import Text, verbatim
from vision.errors import PictureError, VisionError
from vision.identify.deck import Deck
from vision.picture import load_picture
from vision.reader import Reader

_MOST_TOLD = 100_000
"""Bytes of a file that tells what no camera sees."""


def read_entered(path: Path) -> dict[str, Any]:
    """Read from a file what no camera sees.

    Raises:
        DeviceError: it can't be read, or holds no JSON object.
    """
    try:
        return read_object(read_text(path, _MOST_TOLD))
    except NoObjectError as error:
        raise DeviceError("{path}: {error}.", path=escape_line(str(path)), error=error) from error


def _score_pictures(
    images: Sequence[str],
    reader: Reader,
    deck: Deck,
    table: Table,
    find: MatFinder,
    language: Language,
    drawings: Drawings | None,
) -> Score | None:
    """Score the table in these pictures, one for each part; return ``None`` where one can't be read, which is said.

    Raises:
        DeviceError: a drawing can't be written.
    """
    looks: list[tuple[Picture, PictureSeen]] = []
    for part, image in enumerate(images):
        try:
            with show_busy(READING.refill(image=escape_line(image)).said(language)):
                picture = load_picture(Path(image))
                looks.append((picture, seen_in(picture, reader, deck, table, find, part)))
        except (VisionError, DeviceError) as error:
            _complain(image, error, language)
    if len(looks) < len(images):
        return None
    try:
        score = score_of([seen for _, seen in looks], table)
    except DeviceError as error:
        _complain(images[0], error, language)
        return None
    if drawings is not None:
        for part, (image, (picture, seen)) in enumerate(zip(images, looks, strict=True)):
            drawings.write(image, picture_drawn(picture, seen, (), table, score, part, language))
    return score


def _complain(image: str, error: VisionError | DeviceError, language: Language) -> None:
    which = "" if isinstance(error, PictureError) else f"{image}: "
    print(f"sevenmat: {shorten_sentence(which + say(error, language))}", file=sys.stderr)


def _group_by_table(images: Sequence[str], table: Table) -> list[Sequence[str]]:
    """Split the pictures by table, one for each of its parts.

    Raises:
        DeviceError: a table lacks some.
    """
    parts = len(table.parts)
    if len(images) % parts:
        seats = reduce(
            lambda before, part: Text("{before}, then {part}", before=before, part=part), map(_list_seats, table.parts)
        )
        raise DeviceError(
            "With {players} players not all find room at once: give {parts} pictures for each table, of "
            "seats {seats}, each laid as if they alone played.",
            players=len(table.players),
            parts=parts,
            seats=seats,
        )
    return [images[first : first + parts] for first in range(0, len(images), parts)]


def _list_seats(seats: Sequence[int]) -> Text:
    return verbatim(f"{seats[0]}–{seats[-1]}")


def score_pictures(
    images: Sequence[str],
    deck: Deck,
    table: Table,
    find: MatFinder,
    as_json: bool,
    language: Language,
    drawings: Drawings | None = None,
) -> int:
    """Score pictures one after the other; one that can't be read is named on standard error and the rest goes on.

    Returns the exit code: 2 where a picture could not be read, 1 where a result is open, otherwise 0.

    Raises:
        DeviceError: the deck was learnt without some of the game's cards, or a table lacks pictures.
    """
    tables = _group_by_table(images, table)
    reader = picture_reader()
    deck = deck_for(table.scoring, deck, reader)
    code = 0
    for pictures in tables:
        score = _score_pictures(pictures, reader, deck, table, find, language, drawings)
        if score is None:
            code = 2
            continue
        if score.winners is None:
            code = max(code, 1)
        if as_json:
            found = {**score_json(pictures, table, score, language), "deck": deck.name}
            print(json.dumps(found, ensure_ascii=False), flush=True)
        else:
            named = escape_line(", ".join(pictures))
            headed = Text("{images} (deck {name!r})", images=named, name=escape_line(deck.name))
            for line in [headed, *write_plainly(table, score), *_may_be_told(table, score)]:
                print(line.said(language), flush=True)
    return code


def _may_be_told(table: Table, score: Score) -> Iterator[Text]:
    """Of a table that is left open, what players may tell beside the picture."""
    left = [option for option in table.scoring.asked if option.key not in table.told]
    if score.winners is None and left:
        keys = ", ".join(repr(option.key) for option in left)
        yield Text("  What no picture shows may be told in a file by --told FILE: {keys}.", keys=keys)
