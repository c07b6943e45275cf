"""The dice reader: top faces in a picture seen from above, and what each shows.

One network finds the middle of top faces and about how large they are. Another reads a crop round each, turned four
ways: which value it is, where each pip lies, and which way the die stands. The pips are counted without a network too
(``vision.dice.pips``). A value counts only where the reading is sure, the pips found lie as that value's do, nothing
else was counted, and the die stands as one that lies flat. Anything else that is a die is reported with its cause.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort

from vision.arrays import Doubles, Floats, Picture
from vision.config import CONFIG
from vision.dice.colour import body_colour, measure_brightness, name_colour
from vision.dice.faces import CROP_EDGE_PX, CROP_PX, crop_round
from vision.dice.pips import Count, count_pips, do_stand_out, find_lattice, find_pips
from vision.model_files import load_session

_FIND = CONFIG.dice.find
_FACE = CONFIG.dice.face
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


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one find: its place and edge in the region's unit, how likely it is one, and its crop.

    ``odds`` (4, 10) are probabilities of each class in each turn, ``stands`` (2,) is where from the top face's middle
    the bottom face's would show, in edges, and ``lean`` (2,) where it would if the die lay flat, if that is known.
    ``pips`` is how many the network marks, ``marked`` and ``counted`` are what they make with it and without; where
    nothing was counted, ``stand_out`` says that the picture has marks where the network has pips, and none elsewhere.
    """

    x: float
    y: float
    edge: float
    heat: float
    crop: Picture
    odds: Floats
    stands: Doubles
    lean: Doubles | None
    pips: int
    marked: Count | None
    counted: Count | None
    stand_out: bool


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
        """Read the dice in a region seen from above, (h, w, 3) BGR uint8 at 3 px per mm; places in mm from its corner.

        ``lean`` says of a place how far sideways the camera is for each mm up; without it dice that lean a little are
        harder to tell. Darker dice come first, then those farther left.
        """
        return judge_finds(self.gather_evidence(region, lean))

    def gather_evidence(self, region: Picture, lean: Lean | None = None) -> list[Evidence]:
        """Gather what is known of each find in such a region, likeliest first."""
        found = self.find(region)
        if not found:
            return []
        scale = _FACE.px_per_mm
        crops = [crop_round(region, x * scale - 0.5, y * scale - 0.5, edge * scale) for x, y, edge, _ in found]
        known = []
        for find, crop, (odds, stands, map_) in zip(found, crops, self._read_faces(crops), strict=True):
            points = find_pips(map_, CROP_EDGE_PX * map_.shape[0] / CROP_PX)
            towards = lean(find[:2]) if lean is not None else None
            counted = count_pips(crop, CROP_EDGE_PX)
            outstanding = counted is None and do_stand_out(crop, points, CROP_EDGE_PX)
            marked = find_lattice(points)
            known.append(Evidence(*find, crop, odds, stands, towards, len(points), marked, counted, outstanding))
        return known

    def find(self, region: Picture) -> list[tuple[float, float, float, float]]:
        """Find what looks like top faces in such a region, likeliest first: x, y, edge in mm, and how likely."""
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

    def _read_faces(self, crops: list[Picture]) -> list[tuple[Floats, Doubles, Floats]]:
        """Read each crop: probabilities (4, 10), how the die stands (2,), and how likely pips are (40, 40)."""
        turned = np.stack([np.rot90(crop, quarter) for crop in crops for quarter in range(4)])
        outputs, pips = self._faces.run(None, {"crops": turned})
        read = []
        for k in range(0, len(turned), 4):
            powers = np.exp(outputs[k : k + 4, :-2] - outputs[k : k + 4, :-2].max(axis=1, keepdims=True))
            # A quarter turn to the left takes (x, y) to (y, -x).
            ways = (outputs[k : k + 4, -2] + 1j * outputs[k : k + 4, -1]) * np.array([1, 1j, -1, -1j])
            maps = np.stack([np.rot90(pips[k + quarter], -quarter) for quarter in range(4)])
            stands = np.array([ways.mean().real, ways.mean().imag])
            read.append((powers / powers.sum(axis=1, keepdims=True), stands, (1 / (1 + np.exp(-maps))).mean(axis=0)))
        return read


def judge_finds(known: list[Evidence]) -> tuple[SeenDie, ...]:
    """Decide which dice these finds are, each die once."""
    seen: list[tuple[Evidence, SeenDie]] = []
    for one in known:
        die = _judge_find(one)
        if die is not None:
            seen.append((one, die))
    # Of two faces of one die the one that can be read is its top, else the likelier; seen alike, it stands on an edge.
    seen.sort(key=lambda pair: (pair[1].value is None, -pair[0].heat))
    kept: list[SeenDie] = []
    for one, die in seen:
        near = [k for k, other in enumerate(kept) if _is_one(die, other)]
        if not near:
            kept.append(die)
        elif one.heat > _FIND.second_face:
            for k in near:
                kept[k] = replace(kept[k], value=None, cause=CAUSES[0]) if kept[k].value else kept[k]
    return _sort_dice(kept)


def _is_one(die: SeenDie, other: SeenDie) -> bool:
    """Tell whether two finds lie so close that they are faces of one die."""
    return math.dist((die.x, die.y), (other.x, other.y)) < _FIND.one_die_share * (die.edge + other.edge) / 2


def _judge_find(one: Evidence) -> SeenDie | None:
    """Decide which die a find is; return ``None`` where it is no die."""
    mean = one.odds.mean(axis=0)
    best, other = int(mean[:6].argmax()), int(mean[6:-1].argmax())
    value: int | None = best + 1
    cause = ""
    if _is_leaning(one):
        value, cause = None, CAUSES[0]
    elif not (_do_pips_agree(one, best + 1) and _is_sure(best, mean, one)):
        value, cause = None, CAUSES[other] if mean[6 + other] > max(_FACE.other, mean[best] / 2) else "doubtful"
    unlikely = mean[-1] > _FACE.no_die or one.heat * float(mean[:-1].max()) < _FACE.some_die
    if value is None and (unlikely or (not one.pips and cause != "emblem")):
        return None  # a die without pips lies with its emblem up; what seems to lean without them is print
    confidence = float(mean[best] if value is not None else mean.max())
    body = body_colour(one.crop, _COLOUR.body_share * CROP_EDGE_PX)
    return SeenDie(
        one.x, one.y, one.edge, value, cause, min(confidence, 1.0), name_colour(body), measure_brightness(body)
    )


def _is_leaning(one: Evidence) -> bool:
    """Tell whether a die stands otherwise than one that lies flat."""
    stands = _FACE.stands_scale * one.stands
    if one.lean is None:
        return float(np.linalg.norm(stands)) > _FACE.most_lean
    counts = [count for count in (one.marked, one.counted) if count is not None]
    level = min([count.level for count in counts], default=1.0)
    # Of few pips only how the die stands can tell.
    few = not counts or min(count.value for count in counts) < 4
    seen = float(one.lean @ one.lean)
    least, most = _FACE.lens
    if one.counted and not few and one.counted.level > _FACE.printed_level and seen > _FACE.printed_lean**2:
        least = 0.0  # a die that leaned so far that no side shows would have its pips closer one way: it is a picture
    share = float(np.clip(stands @ one.lean / max(seen, 1e-9), least, most))
    away = float(np.linalg.norm(stands - share * one.lean))
    return away > (_FACE.off_level_few if few else _FACE.off_level) or level < CONFIG.dice.lattice.min_level


def _do_pips_agree(one: Evidence, value: int) -> bool:
    """Tell whether the pips make that value, with the network and without, and nothing else."""
    marked, counted = one.marked, one.counted
    if counted is None:
        return marked is not None and marked.value == value and one.stand_out
    return counted.value == value and (marked is None or marked.value == value)


def _is_sure(best: int, mean: Floats, one: Evidence) -> bool:
    """Tell whether a face shows its likeliest value surely, from the mean of its probabilities."""
    limits = _FACE.sure if one.counted is not None and one.marked is not None else _FACE.sure_less
    hidden, cocked = (float(mean[6 + CAUSES.index(cause)]) for cause in ("hidden", "cocked"))
    among = float(mean[best] / mean[:6].sum())
    figures = (float(mean[best]), float(one.odds[:, best].min()), among)
    unlikely = hidden <= _FACE.max_hidden and cocked <= _FACE.max_cocked
    return unlikely and all(had >= least for had, least in zip(figures, limits, strict=True))


def _sort_dice(seen: list[SeenDie]) -> tuple[SeenDie, ...]:
    """Sort the dice: darker ones first, those of one brightness from the left."""
    left: list[SeenDie] = sorted(seen, key=lambda die: die.bright)
    ordered: list[SeenDie] = []
    while left:
        alike = [die for die in left if die.bright <= left[0].bright + _COLOUR.as_dark]
        ordered += sorted(alike, key=lambda die: die.x)
        left = left[len(alike) :]
    return tuple(ordered)
