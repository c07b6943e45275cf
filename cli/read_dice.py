"""``sevenmat read --dice``: the dice in pictures, one after the other."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from device.capture.mat_finder import MatFinder
from device.errors import DeviceError
from device.speech import Language
from referee.table import DIE_CAUSES
from rules.plain import escape_line, shorten_sentence
from rules.text import Text, plural
from vision.dice import DiceReader, SeenDie, read_in_picture, read_on_mat
from vision.errors import MatError, PictureError
from vision.picture import load_picture

_LEAST_PX_PER_MM, _MOST_PX_PER_MM = 1.2, 60.0
_LEAST_SIDE_PX = 32
_MOST_MM2 = 4e6
_LEAST_EDGE_MM, _MOST_EDGE_MM = 5.0, 50.0


def make_dice_reader() -> DiceReader:
    """Make the dice reader with the networks that ship with the program."""
    return DiceReader(Path(str(files("models"))))


def read_dice(
    images: Sequence[str],
    find: MatFinder,
    px_per_mm: float | None,
    edge_mm: float,
    as_json: bool,
    language: Language,
) -> int:
    """Read the dice in picture files; one that can't be read is named on standard error and the rest goes on.

    Returns the exit code: 2 where a picture could not be read, otherwise 0.

    Raises:
        DeviceError: the scale or the dice's edge can't be.
    """
    if px_per_mm is not None and not _LEAST_PX_PER_MM <= px_per_mm <= _MOST_PX_PER_MM:
        raise DeviceError(
            "--px-per-mm must be from {least_px_per_mm} to {most_px_per_mm:.0f}: give the pixels that "
            "one millimetre of the table takes.",
            least_px_per_mm=_LEAST_PX_PER_MM,
            most_px_per_mm=_MOST_PX_PER_MM,
        )
    if not _LEAST_EDGE_MM <= edge_mm <= _MOST_EDGE_MM:
        raise DeviceError(
            "--dice-mm must be from {least_edge_mm:.0f} to {most_edge_mm:.0f}: give a die's edge in millimetres.",
            least_edge_mm=_LEAST_EDGE_MM,
            most_edge_mm=_MOST_EDGE_MM,
        )
    reader, code = make_dice_reader(), 0
    for image in images:
        try:
            dice = _dice_in(image, reader, find, px_per_mm, edge_mm)
        except (PictureError, MatError) as error:
            code = 2
            print(f"sevenmat: {shorten_sentence(_describe_fault(image, error).said(language))}", file=sys.stderr)
            continue
        if as_json:
            print(json.dumps(_make_line(image, dice), ensure_ascii=False), flush=True)
        else:
            _print_plainly(image, dice, language)
    return code


def _describe_fault(image: str, error: PictureError | MatError) -> Text:
    """Describe what is wrong with a picture, and what to do."""
    if isinstance(error, PictureError):
        return error.text
    return Text(
        "{image}: {error} For a photograph without markers give its scale with --px-per-mm.", image=image, error=error
    )


def _dice_in(
    image: str, reader: DiceReader, find: MatFinder, px_per_mm: float | None, edge_mm: float
) -> tuple[SeenDie, ...]:
    if px_per_mm is not None:
        loose = load_picture(Path(image), min_side_px=_LEAST_SIDE_PX)
        if math.prod(loose.shape[:2]) * (16.0 / (edge_mm * px_per_mm)) ** 2 > _MOST_MM2:
            raise PictureError(
                Text(
                    "{image} would show over four square metres of table at {px_per_mm:g} px per mm; check "
                    "--px-per-mm.",
                    image=image,
                    px_per_mm=px_per_mm,
                ),
            )
        return read_in_picture(reader, loose, px_per_mm, edge_mm)
    picture = load_picture(Path(image))
    mat = find(picture)
    width, height = mat.size_mm
    return read_on_mat(reader, picture, mat, (0.0, 0.0, width, height))


def _make_line(image: str, dice: Sequence[SeenDie]) -> dict[str, Any]:
    """Return the object that ``--json`` prints."""
    return {
        "image": image,
        "dice": [
            {"x": round(die.x, 1), "y": round(die.y, 1), "value": die.value, "confidence": round(die.confidence, 3)}
            for die in dice
            if die.value is not None
        ],
        "unread": [
            {"x": round(die.x, 1), "y": round(die.y, 1), "cause": die.cause} for die in dice if die.value is None
        ],
    }


def _print_plainly(image: str, dice: Sequence[SeenDie], language: Language) -> None:
    headed = plural("{image}: {count} die", "{image}: {count} dice", count=len(dice), image=escape_line(image))
    print(headed.said(language))
    for die in dice:
        shown = str(die.value) if die.value is not None else f"? {DIE_CAUSES[die.cause].said(language)}"
        print(f"  {shown:24} x {die.x:7.1f}  y {die.y:7.1f}", flush=True)
