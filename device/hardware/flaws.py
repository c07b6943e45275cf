"""What can be wrong with a camera's picture as such, before anybody looks for cards in it."""

from __future__ import annotations

from enum import Enum

import numpy as np
import numpy.typing as npt

_DARK = 24
"""A picture none of whose px is brighter than this (of 255), but for one in a hundred, shows nothing."""
_TORN_ROWS = 12
"""So many rows exactly alike in a run are no picture: every real sensor has noise."""
_COLUMNS = 256


class Flaw(Enum):
    """Why a picture can't be used."""

    BLACK = "black"
    TORN = "torn"


def flaw_of(picture: npt.NDArray[np.uint8]) -> Flaw | None:
    """Whether a picture (h, w) or (h, w, 3) is black, or torn: cut short and filled up with grey, green or one row.

    Rows that are black or white all over are no sign of a tear; a strong lamp or a dark floor looks like that too.

    >>> import numpy as np
    >>> noise = np.random.default_rng(1).integers(40, 200, (240, 320), dtype=np.uint8)
    >>> flaw_of(noise), flaw_of(noise // 16)
    (None, <Flaw.BLACK: 'black'>)
    >>> noise[200:] = 128
    >>> flaw_of(noise)
    <Flaw.TORN: 'torn'>
    """
    rows = picture[:, :: max(1, picture.shape[1] // _COLUMNS)]
    if float(np.percentile(rows[::4], 99)) <= _DARK:
        return Flaw.BLACK
    rows = rows.reshape(len(rows), -1)
    alike = (rows[1:] == rows[:-1]).all(axis=1)
    alike &= ~((rows[1:] <= 2).all(axis=1) | (rows[1:] >= 253).all(axis=1))
    return Flaw.TORN if _longest_run(alike) >= _TORN_ROWS else None


def _longest_run(marks: npt.NDArray[np.bool_]) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], marks.view(np.int8), [0]))))
    return int((edges[1::2] - edges[::2]).max(initial=0))
