"""How often the true card is among the guesses for one that can't be named: ``python -m tools.bench guesses``.

Read are the shared tables beside the checkout that have their truth with them, and simulated ones, all spoilt by blur,
noise, shine and fingertips, since else hardly any card stays unread. Printed is by cause: of how many unread marks the
true card is the first guess, is another one, is not among the guesses, and where no card lies at all; and of those
covered by another card likewise.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.capture.eye import card_reader
from referee.layout import REFERENCE_MAT_MM
from referee.table import Detections, Unread
from simulator.camera import SimulatedCamera
from simulator.pages import lay_page
from simulator.truth import measure_visible_shares
from tools.soak.papers import new_game
from vision.enrol import PAGES, enrol_pages
from vision.errors import MatError
from vision.identify.deck import Deck
from vision.mat import find_mat
from vision.reader import Reader

SHARED = Path(__file__).resolve().parents[3] / "shared" / "tables"
_NEAR_MM = 12.0
_WHOLE = 0.9
_SPOILT = 3
"""How often each picture is read, spoilt anew."""

Truth = Mapping[str, Any]
"""A card as a truth file has it."""


def guess_of(mark: Unread, cards: list[Truth]) -> tuple[str, bool]:
    """Judge the guesses for a mark, and tell whether another card covers what lies there."""
    near = [card for card in cards if math.dist((card["x"], card["y"]), (mark.x, mark.y)) <= _NEAR_MM]
    if not near:
        return "no card", mark.visible < _WHOLE
    names = [card["card"] for card in near]
    covered = min(card["visible"] for card in near) < _WHOLE
    if not mark.candidates:
        return "no guess", covered
    if mark.candidates[0] in names:
        return "first", covered
    return "among" if any(name in names for name in mark.candidates) else "NOT AMONG", covered


def read_recorded(chance: random.Random) -> Iterator[tuple[str, Detections, list[Truth]]]:
    """Read the shared tables, spoilt, with their truth."""
    reader = card_reader()
    for folder in sorted(path.parent for path in SHARED.glob("*/truth.jsonl")):
        pages = {
            page: picture for page in PAGES if (picture := _load_picture(folder / f"enrol-{page}.jpg")) is not None
        }
        if len(pages) < len(PAGES):
            continue
        deck = enrol_pages(reader, "guesses", pages, REFERENCE_MAT_MM)
        lines = [json.loads(line) for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
        for line in (line for line in lines if "frame" in line):
            picture = _load_picture(folder / line["frame"])
            for seen in _read_each(reader, picture, deck, chance):
                yield folder.name, seen, line["cards"]


def read_simulated(
    games: int, confirms: int, seed: int, chance: random.Random
) -> Iterator[tuple[str, Detections, list[Truth]]]:
    """Read simulated games of Laminate Rummy, spoilt, with their truth."""
    reader = card_reader()
    for number in range(seed, seed + games):
        game = new_game(number, 0.0)
        mat_mm = game.table.layout.mat_mm
        camera = SimulatedCamera(mat_mm, number)
        deck = _learn_deck(reader, camera, mat_mm, number)
        for _ in zip(range(confirms), game.play_game(), strict=False):
            cards = list(game.table)
            camera.show(cards)
            shares = measure_visible_shares(cards, mat_mm, 1.0)
            truth: list[Truth] = [
                {"card": card.name, "x": card.x, "y": card.y, "visible": share}
                for card, share in zip(cards, shares, strict=True)
            ]
            for seen in _read_each(reader, camera.take_picture(), deck, chance):
                yield "simulated", seen, truth


def _read_each(reader: Reader, picture: Any, deck: Deck, chance: random.Random) -> Iterator[Detections]:
    for _ in range(_SPOILT):
        spoilt = _spoil(picture, chance)
        with suppress(MatError):
            yield reader.read(spoilt, find_mat(spoilt, REFERENCE_MAT_MM), deck)


def _spoil(picture: Any, chance: random.Random) -> Any:
    """Spoil the picture: out of focus, noisy, with shine and fingers on it."""
    h, w = picture.shape[:2]
    blur = chance.uniform(0.3, 1.2) * w / 1189
    spoilt = cv2.GaussianBlur(picture, (0, 0), blur).astype(np.float32)
    shine = np.zeros((h, w), np.float32)
    for _ in range(25):
        at, size = (chance.randrange(w), chance.randrange(h)), chance.uniform(6, 22) * w / 1189
        cv2.circle(shine, at, round(size), chance.uniform(60, 260), -1)
    spoilt += cv2.GaussianBlur(shine, (0, 0), 4 * w / 1189)[..., None]
    spoilt += np.random.default_rng(chance.randrange(1 << 30)).normal(0, chance.uniform(2, 9), (h, w, 1))
    spoilt = np.clip(spoilt, 0, 255).astype(np.uint8)
    for _ in range(25):
        x, y, size = chance.randrange(w), chance.randrange(h), round(chance.uniform(5, 15) * w / 1189)
        cv2.circle(spoilt, (x, y), size, [chance.randrange(60, 220) for _ in range(3)], -1)
    return spoilt


def _learn_deck(reader: Reader, camera: SimulatedCamera, mat_mm: tuple[float, float], seed: int) -> Deck:
    pictures = {}
    for page in PAGES:
        camera.show(lay_page(page, mat_mm, random.Random(f"{seed} {page}")))
        pictures[page] = camera.take_picture()
    return enrol_pages(reader, "guesses", pictures, mat_mm)


def _load_picture(path: Path) -> Any:
    return np.asarray(cv2.imread(str(path)), np.uint8) if path.is_file() else None


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.guesses", description=__doc__)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--confirms", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args([] if arguments is None else arguments)
    found: Counter[tuple[str, str, bool]] = Counter()
    looks = Counter[str]()
    chance = random.Random(chosen.seed)
    for source in (read_recorded(chance), read_simulated(chosen.games, chosen.confirms, chosen.seed, chance)):
        for name, seen, cards in source:
            looks[name] += 1
            for mark in seen.unread:
                found[(mark.cause, *guess_of(mark, cards))] += 1
    print("looks: " + ", ".join(f"{name} {count}" for name, count in looks.items()))
    kinds = ("first", "among", "NOT AMONG", "no guess", "no card")
    for covered in (True, False):
        print("beneath another card:" if covered else "open:")
        for cause in sorted({cause for cause, _, hidden in found if hidden is covered}):
            print(f"  {cause:12}" + ", ".join(f"{kind} {found[(cause, kind, covered)]}" for kind in kinds))


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
