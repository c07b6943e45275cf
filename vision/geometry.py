"""Scales and boxes that networks, deck files and reader share; to change one is to train and to learn decks anew.

An *end* is one of a card's two short sides with its index corner, seen upright from that side.
"""

from __future__ import annotations

DETECTOR_PX_PER_MM = 1.25
CROP_PX_PER_MM = 2.5
CROP_BOX_MM = (-0.5, -1.0, 63.5, 21.4)
"""What the embedder sees of an end: x0, y0, x1, y1 in mm from the end's left corner."""
CROP_SHAPE = (56, 160, 3)
ANCHOR_MM = (9.0, 9.0)
CROP_MARGIN_PX = 5
"""How far round the embedder's window a wide crop reaches; the print is looked for within that."""
