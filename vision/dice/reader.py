"""The dice reader: top faces in a picture seen from above, and what each shows.

One network finds the middle of top faces and about how large they are; another reads a crop round each, turned four
ways; and the pips are counted without a network (``vision.dice.pips``). A value counts only where the four agree and
the count does not contradict them; where nothing could be counted the four have to be surer. Anything else that is a
die is told with its cause.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort

from vision.arrays import Doubles, Floats, Picture
from vision.config import CONFIG
from vision.dice.colour import body_colour, brightness, colour_name
from vision.dice.faces import CROP_PX, shown
from vision.dice.pips import count_pips
from vision.model_files import load_session

_FIND = CONFIG.dice.find
_FACE = CONFIG.dice.face
_PIPS = CONFIG.dice.pips
_COLOUR = CONFIG.dice.colour
Lean = Callable[[tuple[float, float]], Doubles]
CAUSES = ("cocked", "emblem", "hidden")
"""Why a die has no value, as the face reader tells them after the six values; then comes that there is none."""


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die: its top face's centre and edge in the unit of the region (mm), the value or else the cause.

    ``colour`` is a plain English word, ``bright`` how bright the body is, from 0 to 1.
    """

    x: float
    y: float
    edge: float
    value: int | None
    cause: str
    confidence: float
    colour: str
    bright: float


@dataclass(frozen=True)
class DiceReader:
    """Reads dice with the networks in ``folder``, loaded when first used."""

    folder: Path
    threads: int = 2

    @cached_property
    def _finder(self) -> ort.InferenceSession:
        return load_session(self.folder / "dice_finder.onnx", self.threads)

    @cached_property
    def _faces(self) -> ort.InferenceSession:
        return load_session(self.folder / "dice_faces.onnx", self.threads)

    def read(self, region: Picture, lean: Lean | None = None) -> tuple[SeenDie, ...]:
        """The dice in a region seen from above, (h, w, 3) BGR uint8 at 3 px per mm; places in mm from its corner.

        ``lean`` says of a place how far sideways the camera is for each mm up; without it dice that lean a little are
        harder to tell. Darker dice come first, then those farther left.
        """
        found = self._find(region)
        if not found:
            return ()
        scale = _FACE.px_per_mm
        crops = [_crop(region, x * scale, y * scale) for x, y, _, _ in found]
        bases = [lean((x, y)) * edge * scale if lean is not None else None for x, y, edge, _ in found]
        odds = self._read_faces([shown(crop, base) for crop, base in zip(crops, bases, strict=True)])
        seen = []
        for (x, y, edge, _), crop, each in zip(found, crops, odds, strict=True):
            die = _judged((x, y, edge), crop, each, straight=lean is not None)
            if die is not None:
                seen.append(die)
        return _in_order(seen)

    def _find(self, region: Picture) -> list[tuple[float, float, float, float]]:
        """Top faces, likeliest first: x, y, edge in mm, and how likely."""
        shrink = _FIND.px_per_mm / _FACE.px_per_mm
        size = tuple(max(16, round(side * shrink)) for side in region.shape[1::-1])
        small = cv2.resize(region, size, interpolation=cv2.INTER_AREA)
        padded = cv2.copyMakeBorder(small, 0, -size[1] % 8, 0, -size[0] % 8, cv2.BORDER_REPLICATE)
        maps = self._finder.run(None, {"picture": padded[None]})[0][0]
        heat = 1 / (1 + np.exp(-maps[0]))
        peaks = (heat >= _FIND.min_score) & (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8)))
        found: list[tuple[float, float, float, float]] = []
        rows, columns = np.nonzero(peaks)
        for k in np.argsort(-heat[rows, columns], kind="stable").tolist():
            row, column = int(rows[k]), int(columns[k])
            x = (column + 0.5 + float(maps[1, row, column])) * _FIND.stride_px / _FIND.px_per_mm
            y = (row + 0.5 + float(maps[2, row, column])) * _FIND.stride_px / _FIND.px_per_mm
            edge = _FIND.edge_px * math.exp(min(2.0, float(maps[3, row, column]))) / _FIND.px_per_mm
            if not _FIND.least_edge_mm <= edge <= _FIND.most_edge_mm:
                continue
            if all(math.dist((x, y), other[:2]) > _FIND.apart_share * other[2] for other in found):
                found.append((x, y, edge, float(heat[row, column])))
        return found[: _FIND.most]

    def _read_faces(self, crops: list[Picture]) -> Floats:
        """Probabilities (n, 4, 10) of what n crops show, each turned four ways."""
        turned = np.stack([np.rot90(crop, quarter) for crop in crops for quarter in range(4)])
        odds = self._faces.run(None, {"crops": turned})[0]
        powers = np.exp(odds - odds.max(axis=1, keepdims=True))
        return np.asarray((powers / powers.sum(axis=1, keepdims=True)).reshape(len(crops), 4, -1), np.float32)


def _crop(region: Picture, x: float, y: float) -> Picture:
    """The crop round a point (px), with its edge repeated beyond the region."""
    move = np.array([[1, 0, CROP_PX / 2 - x], [0, 1, CROP_PX / 2 - y]], np.float64)
    side = (CROP_PX, CROP_PX)
    return np.asarray(
        cv2.warpAffine(region, move, side, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _judged(place: tuple[float, float, float], crop: Picture, each: Floats, straight: bool) -> SeenDie | None:
    """What a find at x, y of that edge is, from the probabilities (4, 10) of its crop; ``None`` where it is no die.

    ``straight`` says that the picture is straightened, so that level faces are square in it.
    """
    x, y, edge = place
    mean = each.mean(axis=0)
    if mean[-1] > _FACE.no_die:
        return None
    best, other = int(mean[:6].argmax()), int(mean[6:-1].argmax())
    counted = count_pips(crop, edge * _FACE.px_per_mm)
    value: int | None = best + 1
    cause = ""
    agrees = counted is None or counted.value == value
    if agrees and counted is not None and straight and counted.level < CONFIG.dice.lattice.min_level:
        value, cause = None, CAUSES[0]
    elif not (agrees and _is_sure(best, mean, each, counted is not None)):
        value, cause = None, CAUSES[other] if mean[6 + other] > max(_FACE.other, mean[best] / 2) else "doubtful"
    confidence = float(mean[best] if value is not None else mean.max())
    body = body_colour(crop, _COLOUR.body_share * edge * _FACE.px_per_mm)
    return SeenDie(x, y, edge, value, cause, min(confidence, 1.0), colour_name(body), brightness(body))


def _is_sure(best: int, mean: Floats, each: Floats, counted: bool) -> bool:
    """Whether a face shows its likeliest value surely; ``counted`` where its pips were counted to be as many."""
    if not counted:
        return float(mean[best]) >= _FACE.sure_alone and float(each[:, best].min()) >= _FACE.sure_alone_each
    if float(mean[best]) >= _FACE.sure and float(each[:, best].min()) >= _FACE.sure_each:
        return True
    hidden = float(mean[6 + CAUSES.index("hidden")])
    odd = float(mean[6:].sum()) - hidden
    share = float(mean[best] / mean[:6].sum())
    return hidden <= _FACE.max_hidden and odd <= _FACE.max_odd and share >= _FACE.sure_of_six


def _in_order(seen: list[SeenDie]) -> tuple[SeenDie, ...]:
    """Darker dice first; those of one brightness from the left."""
    left: list[SeenDie] = sorted(seen, key=lambda die: die.bright)
    ordered: list[SeenDie] = []
    while left:
        alike = [die for die in left if die.bright <= left[0].bright + _COLOUR.as_dark]
        ordered += sorted(alike, key=lambda die: die.x)
        left = left[len(alike) :]
    return tuple(ordered)
