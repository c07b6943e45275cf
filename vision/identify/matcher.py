"""The matcher: whether what is seen shows the face of an enrolled crop, and how the one lies on the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.geometry import CROP_SHAPE
from vision.model_files import load_session

_MATCHER = CONFIG.identify.matcher

Features = NDArray[np.float16]
"""What the matcher goes by of n crops, (n, 32, 14, 40)."""
Pairs = Sequence[tuple[int, int]]
Covers = NDArray[np.uint8]
"""How much of each cell of 4 px of n crops is known to lie under something, (n, 14, 40) from 0 to 255."""


@dataclass(frozen=True)
class Matcher:
    """The matcher in a folder of models, with that many threads; loaded when first used."""

    folder: Path
    threads: int = 2

    @cached_property
    def _session(self) -> ort.InferenceSession:
        return load_session(self.folder / "matcher.onnx", self.threads)

    @cached_property
    def _looking(self) -> ort.InferenceSession:
        return load_session(self.folder / "crop_features.onnx", self.threads)

    def look(self, crops: Sequence[Picture]) -> Features:
        """The features of crops, each (56, 160, 3) BGR uint8."""
        some = [np.stack(crops[k : k + _MATCHER.batch]) for k in range(0, len(crops), _MATCHER.batch)]
        told = [self._looking.run(["features"], {"crops": each})[0] for each in some]
        return np.concatenate(told) if told else np.zeros((0, 32, 14, 40), np.float16)

    @cached_property
    def _laying(self) -> ort.InferenceSession:
        return load_session(self.folder / "matcher_pose.onnx", self.threads)

    def poses(self, seen: Features, enrolled: Features, which: Pairs, covers: Covers) -> Floats:
        """How enrolled crops lie in what is seen, where they show the same face (n, 3).

        By how much the middle is shifted (x, y px) and by how much it is turned (degrees anticlockwise). The rest is as
        in ``odds``.
        """
        return self._told(self._laying, ["pose"], seen, enrolled, which, covers)[0].reshape(-1, 3)

    def odds(self, seen: Features, enrolled: Features, which: Pairs, covers: Covers) -> Floats:
        """Log odds (n) of crops' showing the face of enrolled ones.

        Args:
            seen: the features of k crops, (k, 32, 14, 40), laid as they lie.
            enrolled: those of the enrolled ones, (m, 32, 14, 40).
            which: n pairs, each by the numbers of what is seen and of the enrolled crop.
            covers: what is known to cover what is seen, (k, 14, 40), laid likewise.
        """
        return self._told(self._session, ["same"], seen, enrolled, which, covers)[0]

    def evidence(self, seen: Features, enrolled: Features, which: Pairs, covers: Covers) -> Floats:
        """What each cell of 8 px of pairs says for or against their showing one face, (n, 7, 20)."""
        return self._told(self._session, ["evidence"], seen, enrolled, which, covers)[0].reshape(-1, 7, 20)

    def surely_same(
        self, crops: Sequence[Picture], masks: Sequence[Picture | None], enrolled: Sequence[Picture]
    ) -> bool:
        """Whether one of a card's crops surely shows the face of the enrolled one of its corner.

        Where ``masks`` (56, 160) lie on the crops they are covered. It stands what no statistic does: covers that
        nobody found, shine, a blur, a bow.
        """
        seen, known = self.look(crops), self.look(enrolled)
        covers = np.stack([_cells_covered(mask) for mask in masks])
        which = [(number, number) for number in range(len(crops))]
        for n, pose in enumerate(self.poses(seen, known, which, covers)):
            seen[n], covers[n] = laid(seen[n], pose), laid(covers[n][None], pose)[0]
        return bool(self.odds(seen, known, which, covers).max() > _MATCHER.sure_odds)

    def _told(
        self,
        session: ort.InferenceSession,
        wanted: Sequence[str],
        seen: Features,
        enrolled: Features,
        which: Pairs,
        covers: Covers,
    ) -> list[Floats]:
        pairs = np.array(which, np.intp).reshape(-1, 2)
        told = []
        for k in range(0, len(pairs), _MATCHER.batch):
            own, other = pairs[k : k + _MATCHER.batch].T
            given = {"covered": covers[own], "seen": seen[own], "enrolled": enrolled[other]}
            told.append(session.run(wanted, given))
        return [np.concatenate(part) for part in zip(*told, strict=True)] or [np.zeros(0, np.float32)] * len(wanted)


def laid(maps: NDArray[Any], pose: Floats) -> NDArray[Any]:
    """Maps of what is seen (c, 14, 40) as they lie under an enrolled crop that lies so in it."""
    dx, dy, turn = (pose[0] / 4, pose[1] / 4, math.radians(pose[2]))
    (h, w), c, s = maps.shape[1:], math.cos(turn), math.sin(turn)
    cx, cy = (w - 1) / 2, (h - 1) / 2
    m = np.array([[c, s, cx + dx - c * cx - s * cy], [-s, c, cy + dy + s * cx - c * cy]], np.float32)
    parts = np.ascontiguousarray(maps.transpose(1, 2, 0), np.float32)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    some = [  # four channels at a time are the most that OpenCV takes
        cv2.warpAffine(parts[..., k : k + 4], m, (w, h), flags=how, borderMode=cv2.BORDER_REPLICATE).reshape(h, w, -1)
        for k in range(0, len(maps), 4)
    ]
    return np.ascontiguousarray(np.concatenate(some, axis=2).transpose(2, 0, 1)).astype(maps.dtype)


def _cells_covered(mask: Picture | None) -> Picture:
    """How much of each cell of 4 px of a crop (56, 160) is covered, (14, 40) from 0 to 255; nothing without a mask."""
    height, width = CROP_SHAPE[:2]
    cells = (width // 4, height // 4)
    if mask is None:
        return np.zeros(cells[::-1], np.uint8)
    return np.asarray(cv2.resize(mask, cells, interpolation=cv2.INTER_AREA), np.uint8)
