"""Whole faces of a deck's cards, for decks that are learnt and read by these."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Picture

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")


@dataclass(frozen=True)
class Faces:
    """The faces and backs of a deck, ``pictures`` (n, h, w, 3) BGR uint8 in the order of ``names``, white at 235.

    ``size_mm`` is a card's width and height, ``backs`` the names of those that lie face down. Faces of a group in
    ``alike`` may be printed alike: where they can't be distinguished the first one is named.
    """

    names: tuple[str, ...]
    pictures: Picture
    size_mm: tuple[float, float]
    backs: frozenset[str] = frozenset()
    alike: tuple[tuple[str, ...], ...] = ()

    @property
    def px_per_mm(self) -> float:
        """Their scale."""
        return float(self.pictures.shape[2] / self.size_mm[0])


def stored_faces(faces: Faces) -> dict[str, NDArray[Any]]:
    """Return the faces as a deck file's arrays."""
    groups = json.dumps({"backs": sorted(faces.backs), "alike": faces.alike})
    return {
        "faces": faces.pictures,
        "names": np.array(faces.names),
        "size_mm": np.array(faces.size_mm, np.float64),
        "groups": np.array(groups),
    }


def faces_from(stored: Mapping[str, NDArray[Any]]) -> Faces:
    """Restore the faces from a deck file's arrays.

    Raises:
        ValueError, KeyError, TypeError: these are none.
    """
    pictures, size, groups = stored["faces"], stored["size_mm"], json.loads(str(stored["groups"]))
    names = tuple(str(name) for name in stored["names"])
    backs, alike = frozenset(groups["backs"]), tuple(tuple(group) for group in groups["alike"])
    if not names or len(set(names)) != len(names) or not all(map(_NAME.fullmatch, names)):
        raise ValueError("names")
    if pictures.dtype != np.uint8 or pictures.ndim != 4 or len(pictures) != len(names) or pictures.shape[3] != 3:
        raise ValueError("faces")
    if min(pictures.shape[1:3]) < 16 or size.shape != (2,) or not np.all((size > 10) & (size < 400)):
        raise ValueError("size_mm")
    if not backs <= set(names) or not all(isinstance(name, str) for group in alike for name in group):
        raise ValueError("groups")
    return Faces(names, pictures, (float(size[0]), float(size[1])), backs, alike)
