"""The dice reader: top faces in a picture seen from above, and what each shows.

One network finds the middle of top faces and about how large they are; another reads a crop round each, turned four
ways. A value counts only where all four agree and are sure; anything else that is a die is told with its cause.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.dice.colour import body_colour, brightness, colour_name
from vision.model_files import load_session

_FIND = CONFIG.dice.find
_FACE = CONFIG.dice.face
_COLOUR = CONFIG.dice.colour
_STRIDE_PX = 4
_EDGE_UNIT_PX = 32
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

    def read(self, region: Picture) -> tuple[SeenDie, ...]:
        """The dice in a region seen from above, (h, w, 3) BGR uint8 at 3 px per mm; places in mm from its corner.

        Darker dice come first, then those farther left.
        """
        found = self._find(region)
        if not found:
            return ()
        scale = _FACE.px_per_mm
        crops = [_crop(region, x * scale, y * scale) for x, y, _, _ in found]
        odds = self._read_faces(crops)
        seen = []
        for (x, y, edge, score), crop, each in zip(found, crops, odds, strict=True):
            die = _judged(x, y, edge, score, crop, each)
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
            x = (column + 0.5 + float(maps[1, row, column])) * _STRIDE_PX / _FIND.px_per_mm
            y = (row + 0.5 + float(maps[2, row, column])) * _STRIDE_PX / _FIND.px_per_mm
            edge = _EDGE_UNIT_PX * math.exp(min(2.0, float(maps[3, row, column]))) / _FIND.px_per_mm
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
    move = np.array([[1, 0, _FACE.crop_px / 2 - x], [0, 1, _FACE.crop_px / 2 - y]], np.float64)
    side = (_FACE.crop_px, _FACE.crop_px)
    return np.asarray(
        cv2.warpAffine(region, move, side, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _judged(x: float, y: float, edge: float, score: float, crop: Picture, each: Floats) -> SeenDie | None:
    """What a find is, from the probabilities (4, 10) of its crop; ``None`` where it is no die."""
    mean = each.mean(axis=0)
    if mean[-1] > _FACE.no_die:
        return None
    best = int(mean.argmax())
    sure = best < 6 and mean[best] >= _FACE.sure and float(each[:, best].min()) >= _FACE.sure_each
    if sure:
        value, cause, confidence = best + 1, "", float(mean[best])
    else:
        other = int(mean[6:-1].argmax())
        cause = CAUSES[other] if best >= 6 or mean[6 + other] > 1 - _FACE.sure else "doubtful"
        value, confidence = None, float(mean[best])
    body = body_colour(crop, _COLOUR.body_share * edge * _FACE.px_per_mm)
    return SeenDie(x, y, edge, value, cause, min(confidence, 1.0), colour_name(body), brightness(body))


def _in_order(seen: list[SeenDie]) -> tuple[SeenDie, ...]:
    """Darker dice first; those of one brightness from the left."""
    left: list[SeenDie] = sorted(seen, key=lambda die: die.bright)
    ordered: list[SeenDie] = []
    while left:
        alike = [die for die in left if die.bright <= left[0].bright + _COLOUR.as_dark]
        ordered += sorted(alike, key=lambda die: die.x)
        left = left[len(alike) :]
    return tuple(ordered)
