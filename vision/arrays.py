"""Names for the arrays that vision passes about."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""A picture (h, w, 3), blue green red, or (h, w) luma or mask."""
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
