"""Scales and boxes that networks, deck files and reader share; to change one is to train and to learn decks anew."""

from __future__ import annotations

from typing import NamedTuple

DETECTOR_PX_PER_MM = 1.25
"""Scale of the straightened mat that the detector sees."""
DETECTOR_STRIDE_PX = 4
"""The detector's maps have one cell for this many px each way."""
CROP_PX_PER_MM = 2.5
CROP_BOX_MM = (-0.5, -1.0, 63.5, 21.4)
"""What the embedder sees at a corner: x0, y0, x1, y1 in mm from the card's own corner."""
CROP_SHAPE = (56, 160, 3)
ANCHOR_MM = (9.0, 9.0)
CENTRE_CROP_SHAPE = (120, 136, 3)
"""What is kept of a card between its two crops: the 54.4 × 48 mm in its centre, upright, at the crops' scale."""
CROP_MARGIN_PX = 5
"""How far round the embedder's window a wide crop reaches; the template is searched within that."""


class CropWindow(NamedTuple):
    """What is cut out of a picture at a card: where it begins from the card's corner, its width and height (mm)."""

    origin_mm: tuple[float, float]
    size_mm: tuple[float, float]

    @classmethod
    def with_margin(cls, px: float = 0.0) -> CropWindow:
        """Return the window of a corner's crop with ``px`` more all round."""
        (x0, y0, x1, y1), more = CROP_BOX_MM, px / CROP_PX_PER_MM
        return cls((x0 - more, y0 - more), (x1 - x0 + 2 * more, y1 - y0 + 2 * more))

    @property
    def middle_mm(self) -> tuple[float, float]:
        """Its middle from the card's corner."""
        (x, y), (width, height) = self
        return x + width / 2, y + height / 2

    @property
    def size_px(self) -> tuple[int, int]:
        """Its width and height at the crops' scale."""
        width, height = self.size_mm
        return round(width * CROP_PX_PER_MM), round(height * CROP_PX_PER_MM)
