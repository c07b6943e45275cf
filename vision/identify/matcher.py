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
from vision.identify.aligner import cut_under
from vision.model_files import load_session

_MATCHER = CONFIG.identify.matcher

Features = NDArray[np.float16]
"""What the matcher goes by of n crops, (n, 32, 14, 40)."""
Covers = NDArray[np.uint8]
"""How much of each cell of 4 px of n crops is known to lie under something, (n, 14, 40) from 0 to 255."""


@dataclass(frozen=True)
class Matcher:
    """The matcher in a folder of models, with that many threads; loaded when first used."""

    folder: Path
    threads: int = 2

    @cached_property
    def _features(self) -> ort.InferenceSession:
        return load_session(self.folder / "crop_features.onnx", self.threads)

    @cached_property
    def _odds(self) -> ort.InferenceSession:
        return load_session(self.folder / "matcher.onnx", self.threads)

    @cached_property
    def _poses(self) -> ort.InferenceSession:
        return load_session(self.folder / "matcher_pose.onnx", self.threads)

    def look(self, crops: Sequence[Picture]) -> Features:
        """Compute the features of crops, each (56, 160, 3) BGR uint8."""
        soft = [cv2.GaussianBlur(crop, (0, 0), _MATCHER.blur_px) for crop in crops]
        return np.asarray(self._features.run(["features"], {"crops": np.stack(soft)})[0], np.float16)

    def find_poses(self, seen: Features, enrolled: Features, covers: Covers) -> Floats:
        """Find how enrolled crops lie in what is seen, one in each, where they show the same face: (n, 3).

        By how much the middle is shifted (x, y px) and by how much it is turned (degrees anticlockwise). ``covers`` lie
        on what is seen.
        """
        return np.asarray(self._poses.run(["pose"], _name_inputs(seen, enrolled, covers))[0], np.float32)

    def compute_odds(self, seen: Features, enrolled: Features, covers: Covers) -> Floats:
        """Log odds (n) of what is seen, and is laid as it lies, showing the face of the enrolled crop, pair by pair."""
        return np.asarray(self._odds.run(["same"], _name_inputs(seen, enrolled, covers))[0], np.float32)

    def judge_card(
        self,
        kind: str,
        left: float,
        crops: Sequence[Picture],
        masks: Sequence[Picture | None],
        enrolled: tuple[Picture, Picture],
        turned: bool,
    ) -> float:
        """Ask the matcher what a name leaves unexplained of a card, 1 and more where it is another card.

        Args:
            kind: the name's kind of card.
            left: what the open-set verification says; 1 of backs, which it is not asked of: none is compared with them.
            crops: the card's, of one or both of its corners, each (56, 160, 3).
            masks: where (56, 160) they are covered, where they are.
            enrolled: the crops of the card of that name, of which the first one seen is the second if ``turned``.
        """
        looks = [(crop, masks[n], enrolled[(turned + n) % 2]) for n, crop in enumerate(crops)]
        if kind == "back":  # either end may lie there, and the next of a fan on the right half, though nobody found it
            right = np.zeros(CROP_SHAPE[:2], np.uint8)
            right[:, CROP_SHAPE[1] // 2 :] = 255
            halved = [right if mask is None else np.asarray(cv2.max(mask, right), np.uint8) for mask in masks]
            looks = [(crop, m[n], end) for n, crop in enumerate(crops) for m in (masks, halved) for end in enrolled]
        odds = self.compute_best_odds(*zip(*looks, strict=True))
        if odds > (_MATCHER.back_odds if kind == "back" else _MATCHER.sure_odds):
            return 0.0
        least = np.interp(left, (_MATCHER.asked_from, 1.0), (_MATCHER.never_odds, _MATCHER.near_odds))
        return max(left, 1.0) if odds < least else left

    def compute_best_odds(
        self, crops: Sequence[Picture], masks: Sequence[Picture | None], enrolled: Sequence[Picture]
    ) -> float:
        """Log odds of crops showing the face of enrolled ones, one each, by the likeliest pair.

        Where ``masks`` (56, 160) lie on the crops they are covered. It stands what no statistic does: covers that
        nobody found, shine, a blur, a bow.
        """
        return float(self._compute_odds_once_laid(self.look(crops), masks, self.look(enrolled)).max())

    def identify(
        self, crops: Sequence[Picture], masks: Sequence[Picture | None], faces: Sequence[Features]
    ) -> tuple[int, float]:
        """Return the face that a card most likely shows, and its log odds against all others and none together.

        Args:
            crops: the card's, of one or both of its corners, each (56, 160, 3).
            masks: where (56, 160) they are covered, where they are.
            faces: for each of the crops the features of every face there.
        """
        each = zip(self.look(crops), masks, faces, strict=True)
        at_corners = [
            self._compute_odds_once_laid(np.repeat(seen[None], len(known), axis=0), [mask] * len(known), known)
            for seen, mask, known in each
        ]
        odds = np.max(at_corners, axis=0)
        best = int(odds.argmax())
        return best, float(odds[best] - np.logaddexp.reduce([*np.delete(odds, best), 0.0]))

    def _compute_odds_once_laid(self, seen: Features, masks: Sequence[Picture | None], enrolled: Features) -> Floats:
        """Compute the log odds (n) of what is seen, pair by pair, once it is laid as the enrolled crop says."""
        covers = np.stack([_cells_covered(mask) for mask in masks])
        for n, pose in enumerate(self.find_poses(seen, enrolled, covers)):
            seen[n], covers[n] = lay_maps(seen[n], pose), lay_maps(covers[n][None], pose)[0]
        return self.compute_odds(seen, enrolled, covers)


def _name_inputs(seen: Features, enrolled: Features, covers: Covers) -> dict[str, NDArray[Any]]:
    """Return the networks' inputs, by name."""
    return {"covered": covers, "seen": seen, "enrolled": enrolled}


def lay_maps(maps: NDArray[Any], pose: Floats) -> NDArray[Any]:
    """Return maps of what is seen (c, 14, 40) as they lie under an enrolled crop that lies so in it."""
    dx, dy, turn = (pose[0] / 4, pose[1] / 4, math.radians(pose[2]))
    (h, w), c, s = maps.shape[1:], math.cos(turn), math.sin(turn)
    cx, cy = (w - 1) / 2, (h - 1) / 2
    m = np.array([[c, s, cx + dx - c * cx - s * cy], [-s, c, cy + dy + s * cx - c * cy]], np.float32)
    parts = np.ascontiguousarray(maps.transpose(1, 2, 0), np.float32)
    some = [  # four channels at a time are the most that OpenCV takes
        cut_under(parts[..., k : k + 4], m, (w, h), cv2.INTER_LINEAR).reshape(h, w, -1) for k in range(0, len(maps), 4)
    ]
    return np.ascontiguousarray(np.concatenate(some, axis=2).transpose(2, 0, 1)).astype(maps.dtype)


def _cells_covered(mask: Picture | None) -> Picture:
    """Measure how much of each cell of 4 px of a crop (56, 160) is covered, (14, 40), 0 to 255; nothing if unmasked."""
    height, width = CROP_SHAPE[:2]
    cells = (width // 4, height // 4)
    if mask is None:
        return np.zeros(cells[::-1], np.uint8)
    return np.asarray(cv2.resize(mask, cells, interpolation=cv2.INTER_AREA), np.uint8)
