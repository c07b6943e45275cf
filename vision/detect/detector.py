"""The detector: card corners in a straightened picture of the mat."""

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
from vision.detect.corners import KINDS, Corner, has_partner
from vision.detect.suppression import list_unsuppressed, suppress_non_maxima
from vision.geometry import DETECTOR_PX_PER_MM, DETECTOR_STRIDE_PX
from vision.model_files import load_session

_DETECTION = CONFIG.detect.detection


@dataclass(frozen=True)
class Detector:
    """The detector in a folder of models, with that many threads; loaded when first used."""

    folder: Path
    threads: int = 2

    @cached_property
    def _session(self) -> ort.InferenceSession:
        return load_session(self.folder / "detector.onnx", self.threads)

    def detect(self, flat: Picture) -> list[Corner]:
        """Detect card corners in a straightened picture of the mat, (h, w, 3) BGR uint8 at 1.25 px per mm; best first.

        Faint corners count where the card's other corner was found: a plain back gives no clearer ones. Suppressed ones
        come last.
        """
        h, w = flat.shape[:2]
        padded = np.asarray(cv2.copyMakeBorder(flat, 0, -h % 16, 0, -w % 16, cv2.BORDER_REPLICATE))
        maps = self._session.run(None, {"picture": padded[None]})[0][0]
        found = _decode(maps)
        clear = list_unsuppressed(found)
        return [
            corner
            for corner in found
            if corner.suppressed or corner.score >= _DETECTION.min_score or has_partner(corner, clear)
        ]


def _decode(maps: Floats) -> list[Corner]:
    heat = 1 / (1 + np.exp(-maps[0]))
    peaks = (heat >= _DETECTION.min_paired_score) & (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    rows, columns = np.nonzero(peaks)
    scale = DETECTOR_STRIDE_PX / DETECTOR_PX_PER_MM
    corners = []
    for r, c in zip(rows, columns, strict=True):
        x = float((c + 0.5 + maps[1, r, c]) * scale)
        y = float((r + 0.5 + maps[2, r, c]) * scale)
        angle = math.degrees(math.atan2(maps[4, r, c], maps[3, r, c])) % 360
        corners.append(Corner(x, y, angle, float(heat[r, c]), KINDS[int(maps[5:8, r, c].argmax())]))
    return suppress_non_maxima(corners)
