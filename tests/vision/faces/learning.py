"""How exactly cards are learnt from their pages, on cloths of many colours: ``off`` is learnt wrong without a word.

    python -m tests.vision.faces.learning [--arts rimmed,sable] [--cloths black,green] [--pages age1,guilds]

With ``--pictures FOLDER --others FOLDER`` of the same cards, one picture a page, the faces learnt from both are
compared instead: the others are the truth.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np

from referee.game import GridPage
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_wonders.cards import BACKS, CARDS, SIZE_MM
from tests.vision.faces.held_out import HELD_OUT
from tests.vision.faces.more_art import ARTS
from tests.vision.faces.tables import CLOTHS, camera, page
from vision.arrays import Picture
from vision.enrol.alignment import Lie, align_cards
from vision.mat import Mat, find_mat
from vision.picture import load_picture

MOST_MM, MOST_DEG = 1.0, 0.7
_TURNS = np.arange(-1.5, 1.51, 0.1)
_PX = 4


def lies(grid: GridPage, picture: Picture, mat: Mat) -> dict[str, Lie]:
    """How each card of a page is found to lie, from its place."""
    places = grid.place_cards(mat.size_mm)
    backs = [k for k, name in enumerate(places) if name in BACKS]
    return dict(zip(places, align_cards(picture, mat, list(places.values()), SIZE_MM, backs), strict=True))


def is_off(lie: Lie, place: tuple[float, float], card: Placed) -> bool:
    apart = math.dist((place[0] + lie.right, place[1] + lie.down), (card.x, card.y))
    return apart > MOST_MM or abs(lie.turned - card.angle) > MOST_DEG


def painted(art: str, cloth: str, name: str) -> tuple[int, int, int]:
    """Of how many cards of a page how many are learnt off without being told, and how many are told as unsure."""
    above, laid = camera(art, 7, cloth=cloth), page(name, random.Random(f"{art}{cloth}{name}"))
    above.show(laid)
    picture = above.take_picture()
    grid = next(one for one in CARDS.grids if one.name == name)
    found = lies(grid, picture, find_mat(picture, REFERENCE_MAT_MM))
    off = [card for card in laid if is_off(found[card.name], grid.place_cards(REFERENCE_MAT_MM)[card.name], card)]
    return len(laid), sum(found[card.name].sure for card in off), sum(not lie.sure for lie in found.values())


def faces(folder: Path, grid: GridPage) -> Iterator[tuple[str, Lie, Mapping[float, Picture]]]:
    """Yield the cards of a page in a folder: how each lies, and what shows there at some turns, 3 mm past its face."""
    picture = load_picture(next(folder.glob(f"{grid.name}.*")))
    mat = find_mat(picture, REFERENCE_MAT_MM)
    for name, lie in lies(grid, picture, mat).items():
        x, y = grid.place_cards(mat.size_mm)[name]
        at, size = (x + lie.right, y + lie.down), (SIZE_MM[0] + 6.0, SIZE_MM[1] + 6.0)
        turns = {0.0, *_TURNS.round(2).tolist()}
        yield name, lie, {turn: mat.cut_patch(picture, at, lie.turned + turn, size, _PX) for turn in turns}


def apart(shown: Mapping[float, Picture], other: Mapping[float, Picture]) -> tuple[float, float]:
    """How far (mm, degrees) a face has to be moved to lie on the other one."""
    inner, rim = cv2.cvtColor(other[0.0], cv2.COLOR_BGR2GRAY), 9 * _PX
    best = (-1.0, 0.0, 0.0)
    for turn, patch in shown.items():
        likeness = cv2.matchTemplate(
            cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), inner[rim:-rim, rim:-rim], cv2.TM_CCOEFF_NORMED
        )
        _, like, _, at = cv2.minMaxLoc(likeness)
        best = max(best, (like, math.dist(at, (rim, rim)) / _PX, abs(turn)))
    return best[1], best[2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arts", default=",".join(dict.fromkeys((*ARTS, HELD_OUT))))
    parser.add_argument("--cloths", default=",".join(CLOTHS))
    parser.add_argument("--pages", default="age1,guilds")
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--others", type=Path)
    chosen = parser.parse_args()
    whole = np.zeros(3, int)
    if chosen.pictures and chosen.others:
        for grid in CARDS.grids:
            pairs = zip(faces(chosen.pictures, grid), faces(chosen.others, grid), strict=True)
            for (name, lie, shown), (_, _, other) in pairs:
                mm, degrees = apart(shown, other)
                off = mm > MOST_MM or degrees > MOST_DEG
                whole += (1, off and lie.sure, not lie.sure)
                if off or not lie.sure:
                    print(f"    {name}: {mm:.1f} mm, {degrees:.1f} degrees{'' if lie.sure else ', told as unsure'}")
    else:
        for cloth in chosen.cloths.split(","):
            for art in chosen.arts.split(","):
                count = np.sum([painted(art, cloth, name) for name in chosen.pages.split(",")], axis=0)
                print(f"{cloth:10} {art:12} cards {count[0]}, off {count[1]}, unsure {count[2]}", flush=True)
                whole += count
    print(f"all        cards {whole[0]}, off {whole[1]}, unsure {whole[2]}")


if __name__ == "__main__":
    main()
