"""Pages on which a card is turned round or something lies over it: it is to be named, or learnt right all the same.

    python -m tests.vision.faces.altered --pictures FOLDER [--pages age1,guilds] [--kinds turned,strip]
    python -m tests.vision.faces.altered --arts rimmed,banner --cloths black,white [--every 3]

Each card is altered alone on its page. ``silent`` is what must not be: learnt off, turned or hidden in part, without a
word. Other cards that are named lie as they should.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2
import numpy as np

from referee.game import GridPage
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_wonders.cards import BACKS, CARDS, SIZE_MM
from tests.vision.faces.learning import is_off, lies
from tests.vision.faces.tables import camera, page
from vision.arrays import Picture
from vision.enrol import EnrolError
from vision.enrol.grid_page import read_grid_page
from vision.mat import Mat, find_mat
from vision.mat.light import Light
from vision.picture import load_picture

OUTCOMES = ("named", "right", "instead", "silent")
KINDS = ("turned", "under", "strip", "head", "sheet", "blank")
_PX = 6


@dataclass(frozen=True)
class Shown:
    """A page as it is seen: its picture, and where its cards lie."""

    grid: GridPage
    picture: Picture
    cards: Mapping[str, Placed]
    mat: Mat


def painted(art: str, cloth: str, name: str) -> Shown:
    """Picture a page of an invented art, as somebody lays it."""
    above, laid = camera(art, 7, cloth=cloth), page(name, random.Random(f"{art}{cloth}{name}"))
    above.show(laid)
    picture = above.take_picture()
    return Shown(_grid(name), picture, {card.name: card for card in laid}, find_mat(picture, REFERENCE_MAT_MM))


def pictured(folder: Path, name: str) -> Shown:
    """Return a page in a folder whose cards are all found as they lie."""
    picture, grid = load_picture(next(folder.glob(f"{name}.*"))), _grid(name)
    mat = find_mat(picture, REFERENCE_MAT_MM)
    places = grid.place_cards(mat.size_mm)
    found = lies(grid, picture, mat).items()
    cards = {card: Placed(card, places[card][0] + k.right, places[card][1] + k.down, k.turned) for card, k in found}
    return Shown(grid, picture, cards, mat)


def _grid(name: str) -> GridPage:
    return next(one for one in CARDS.grids if one.name == name)


def altered(shown: Shown, name: str, kind: str) -> Picture:
    """Picture a page with one of its cards altered."""
    card, rng = shown.cards[name], random.Random(name + kind)
    other = rng.choice([one for one in shown.cards if one != name])
    if kind == "turned":
        return _laid(shown, _cut(shown, name), card, 0.0, 0.0, 180.0)
    if kind == "under":
        side, down = rng.choice((-1, 1)), rng.uniform(-15, 15)
        return _laid(shown, _cut(shown, other), card, side * rng.uniform(22, 27), down, rng.uniform(-3, 3))
    if kind == "head":
        return _laid(shown, _paper((SIZE_MM[0], 25.0), 128.0), card, 0.0, -37.5, 0.0)
    if kind == "strip":
        axis, side, wide = rng.choice((0, 1)), rng.choice((-1, 1)), rng.uniform(6, 10)
        out = side * ((SIZE_MM[axis] + wide) / 2 - rng.uniform(2, 5))
        size = (wide, 106.0) if axis == 0 else (71.0, wide)
        return _laid(shown, _paper(size, 235.0), card, *((out, 0.0) if axis == 0 else (0.0, out)), rng.uniform(-2, 2))
    size = (74.0, 108.0) if kind == "sheet" else SIZE_MM
    return _laid(shown, _paper(size, 235.0), card, rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-3, 3))


def _cut(shown: Shown, name: str) -> Picture:
    card = shown.cards[name]
    return shown.mat.cut_patch(shown.picture, (card.x, card.y), card.angle, SIZE_MM, _PX)


def _paper(size_mm: tuple[float, float], level: float) -> Picture:
    return np.full((round(size_mm[1] * _PX), round(size_mm[0] * _PX), 3), level, np.uint8)


def _laid(shown: Shown, patch: Picture, card: Placed, right: float, down: float, turned: float) -> Picture:
    """Lay something on a picture so far right and down of a card's middle as the card sees it (mm), and turned."""
    picture, (h, w) = shown.picture.copy(), patch.shape[:2]
    along = np.radians(card.angle)
    c, s = np.cos(along), np.sin(along)
    middle = np.array([card.x + right * c - down * s, card.y + right * s + down * c])
    reach = np.hypot(h, w) / (2 * _PX) + 1
    box = shown.mat.to_px(middle + reach * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]))
    (x0, y0), (x1, y1) = np.floor(box.min(axis=0)).astype(int), np.ceil(box.max(axis=0)).astype(int)
    away = shown.mat.to_mm(np.stack(np.meshgrid(np.arange(x0, x1), np.arange(y0, y1)), axis=-1)) - middle
    a = along + np.radians(turned)
    u = (away[..., 0] * np.cos(a) + away[..., 1] * np.sin(a)) * _PX + w / 2 - 0.5
    v = (away[..., 1] * np.cos(a) - away[..., 0] * np.sin(a)) * _PX + h / 2 - 0.5
    at = u.astype(np.float32), v.astype(np.float32)
    seen = cv2.remap(patch, *at, cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    there = cv2.remap(np.full((h, w), 1.0, np.float32), *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    ground = picture[y0:y1, x0:x1]
    ground[:] = (ground * (1 - there[..., None]) + seen * there[..., None]).astype(np.uint8)
    return picture


def told(shown: Shown, picture: Picture) -> set[str]:
    """Return the cards of a page that are named as not lying as they should."""
    light = Light.measure(picture, shown.mat)
    try:
        read_grid_page(shown.grid, picture, shown.mat, light, shown.grid.place_cards(shown.mat.size_mm), False)
    except EnrolError as error:
        return {card for fault in error.faults for card in fault.cards}
    return set()


def outcome(shown: Shown, name: str, kind: str) -> tuple[str, set[str]]:
    """Return the outcome for a card that is altered, and which other cards are named.

    It is ``named``, learnt ``right`` under a strip, or learnt wrong: ``silent``, or later if others are ``instead``.
    """
    picture = altered(shown, name, kind)
    cards = told(shown, picture)
    others = cards - {name}
    if name in cards:
        return "named", others
    if others:
        return "instead", others
    lie = lies(shown.grid, picture, shown.mat)[name] if kind == "strip" else None
    off = lie is None or is_off(lie, shown.grid.place_cards(shown.mat.size_mm)[name], shown.cards[name])
    return "silent" if off else "right", others


def _pages(chosen: argparse.Namespace) -> Iterator[tuple[str, Shown]]:
    for name in chosen.pages.split(","):
        if chosen.pictures:
            yield f"{chosen.pictures.name} {name}", pictured(chosen.pictures, name)
        else:
            for art, cloth in product(chosen.arts.split(","), chosen.cloths.split(",")):
                yield f"{art} {cloth} {name}", painted(art, cloth, name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--arts", default="rimmed,banner")
    parser.add_argument("--cloths", default="black,white")
    parser.add_argument("--pages", default="age1,age3,guilds")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--every", type=int, default=1)
    chosen = parser.parse_args()
    whole = {kind: Counter[str]() for kind in chosen.kinds.split(",")}
    for where, shown in _pages(chosen):
        print(f"{where}: named as it lies {sorted(told(shown, shown.picture))}", flush=True)
        for kind, count in whole.items():
            for name in [name for name in shown.cards if kind == "strip" or name not in BACKS][:: chosen.every]:
                became, others = outcome(shown, name, kind)
                count.update({became: 1, "others": len(others)})
                if became != "named" or others:
                    print(f"    {kind} {name}: {became}, others named {sorted(others)[:3]}", flush=True)
    for kind, count in whole.items():
        print(
            f"{kind:7}",
            ", ".join(f"{became} {count[became]}" for became in OUTCOMES),
            f"others named {count['others']}",
        )


if __name__ == "__main__":
    main()
