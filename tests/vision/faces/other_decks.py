"""How cards of games that are none of the house's are read: other sizes, many copies, several backs, eighty faces.

    python -m tests.vision.faces.other_decks [--decks seven56,gallery65] [--tables 4] [--step 25] [--slop 2,1.5,1.5]

Each deck is only described (``CardSet``) and drawn; it is learnt from its pages as ``sevenmat enrol`` learns it. The
seven decks are SEVEN cards of another size, drawn as the out-of-distribution benchmark's decks are; the galleries are
80 paintings to the edge with a small sign in a corner, of up to three copies, on three pages with a back each.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from unittest import mock

import cv2
import numpy as np
from PIL import Image, ImageDraw

from device.capture.eye import card_reader
from referee import registry
from referee.game import CardSet, GridPage
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from rules.text import Text
from simulator.camera import CardSprites, SimulatedCamera
from tests.vision.faces.art import letters, sign
from tests.vision.faces.bench import add, compared, told
from tests.vision.faces.tables import LENSES, Slop
from tools.benchmark_ood import art as benchmark_art
from vision.enrol import enrol_pages
from vision.identify.deck import Deck
from vision.mat import find_mat
from vision.reader import Reader

Size = tuple[float, float]
SMALL, LARGE = (56.0, 87.0), (65.0, 100.0)
SCALE = 8
PILE = (594.5, 420.5)


@dataclass(frozen=True)
class Game:
    """An invented game's deck: what its description says, and how a card is drawn, at ``SCALE`` px per mm."""

    cards: CardSet
    draw: Callable[[str], Image.Image]


def _page(name: str, faces: Mapping[str, Text], columns: int, rows: int, pitch: Size) -> GridPage:
    return GridPage(name, Text(f"page {name}"), Text(f"page {name}"), faces, columns, rows, pitch)


def _words(names: list[str]) -> dict[str, Text]:
    return {name: Text(name) for name in names}


def seven(size: Size, deck: str) -> Game:
    """SEVEN cards of another size; the pitch is as narrow as their owner lays them."""
    pitch = (size[0] + 24, size[1] + 12)
    pages = (
        _page(f"seven_{deck}", _words(benchmark_art.SEVEN), 7, 7, pitch),
        _page(f"back_{deck}", _words(["back"]), 1, 1, pitch),
    )
    known = next(one for one in benchmark_art.DECKS if one.name == deck)

    def draw(name: str) -> Image.Image:
        whole = Image.fromarray(benchmark_art.draw_face(known, name))
        return whole.resize((round(size[0] * SCALE), round(size[1] * SCALE)), Image.Resampling.LANCZOS)

    names = tuple(page.name for page in pages)
    return Game(CardSet(tuple(benchmark_art.SEVEN), ("back",), names, {"back": 49}, size, grids=pages), draw)


def gallery(size: Size, more: int) -> Game:
    """Eighty paintings to the edge, up to three copies of each, three backs."""
    names = [f"art_{number}" for number in range(80)]
    backs = [f"cover_{number}" for number in range(3)]
    pitch = (size[0] + 24, size[1] + 14)
    parts = (names[:30], names[30:60], names[60:])
    pages = tuple(
        _page(f"gallery_{more}_{k}", _words([*part, back]), 8, 4, pitch)
        for k, (part, back) in enumerate(zip(parts, backs, strict=True))
    )
    copies = {name: 1 + k % 3 for k, name in enumerate(names)} | dict.fromkeys(backs, 80)
    cards = CardSet(tuple(names), tuple(backs), tuple(page.name for page in pages), copies, size, grids=pages)
    return Game(cards, lambda name: _painted(name, size, more))


def _painted(name: str, size: Size, more: int) -> Image.Image:
    number = int(name.rpartition("_")[2])
    back = name.startswith("cover")
    rng = np.random.default_rng((number + 1000 * back, more))
    w, h = round(size[0] * SCALE), round(size[1] * SCALE)
    tones = rng.uniform(20, 235, (5, 3))
    picture = np.zeros((h, w, 3), np.float32)
    for cells, depth in ((2, 1.0), (4, 0.9), (9, 0.5), (22, 0.25)):
        small = rng.standard_normal((cells + 2, cells + 1, 3)).astype(np.float32)
        picture += depth * 45 * cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)
    picture += tones[0]
    image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
    pencil = ImageDraw.Draw(image)
    for _ in range(int(rng.integers(5, 12))):
        x, y, r = rng.uniform(0, w), rng.uniform(0, h), rng.uniform(0.03, 0.3) * w
        colour = tuple(int(v) for v in tones[int(rng.integers(1, 5))])
        if rng.random() < 0.5:
            pencil.ellipse((x - r, y - 0.7 * r, x + r, y + 0.7 * r), fill=colour)
        else:
            turn = rng.uniform(0, math.pi)
            ends = [(x + r * math.cos(turn + a), y + r * math.sin(turn + a)) for a in (0, 0.5, math.pi, math.pi + 0.5)]
            pencil.polygon(ends, fill=colour)
    if back:
        for x, y in ((w / 2, h / 2), (w / 2, 0.1 * h), (w / 2, 0.9 * h)):
            sign(pencil, 3 + number, x / SCALE, y / SCALE, 7, (240, 230, 200))
        return image
    pencil.ellipse((2 * SCALE, 2 * SCALE, 14 * SCALE, 14 * SCALE), fill=(240, 235, 220))
    pencil.text((8 * SCALE, 8 * SCALE), str(number), (20, 20, 20), letters(6), "mm")
    return image


GAMES: dict[str, Callable[[], Game]] = {
    "seven56": lambda: seven(SMALL, "casino"),
    "seven56b": lambda: seven(SMALL, "badge"),
    "seven65": lambda: seven(LARGE, "engraved"),
    "seven65b": lambda: seven(LARGE, "comic"),
    "gallery56": lambda: gallery(SMALL, 56),
    "gallery65": lambda: gallery(LARGE, 65),
}


class _Sprites(CardSprites):
    def __init__(self, game: Game, px_per_mm: float) -> None:
        super().__init__(px_per_mm)
        self._drawn = cache(game.draw)
        self._size = game.cards.size_mm

    def draw_face(self, name: str) -> Image.Image:
        size = round(self._size[0] * self.px_per_mm), round(self._size[1] * self.px_per_mm)
        return self._drawn(name).resize(size, Image.Resampling.LANCZOS)


@contextmanager
def described(game: Game) -> Iterator[None]:
    """While the house knows this game's cards and no others of its own."""
    with mock.patch.object(registry, "own_card_sets", return_value=(game.cards,)):
        yield


def pages(game: Game, above: SimulatedCamera, rng: random.Random) -> dict[str, np.ndarray]:
    """Picture its pages, as somebody lays them."""
    spread, pictures = rng.uniform, {}
    for grid in game.cards.grids:
        above.show(
            Placed(name, x + spread(-2, 2), y + spread(-2, 2), spread(-1.5, 1.5))
            for name, (x, y) in grid.place_cards(REFERENCE_MAT_MM).items()
        )
        pictures[grid.name] = above.take_picture()
    return pictures


def learnt(game: Game, reader: Reader, name: str) -> Deck:
    """Learn the deck from its pages."""
    above = SimulatedCamera(REFERENCE_MAT_MM, 7, None, partial(_Sprites, game))
    with described(game):
        return enrol_pages(reader, name, pages(game, above, random.Random(name)), REFERENCE_MAT_MM)


def table(game: Game, step_mm: float, rng: random.Random, slop: Slop) -> list[Placed]:
    """Columns on both long sides of the table, single cards and a pile of backs in its middle, bottom to top."""
    cards, (width, height) = game.cards, game.cards.size_mm
    deck = [name for name in cards.faces for _ in range(cards.copies_for(name))]
    rng.shuffle(deck)
    lying: list[Placed] = []

    def lay(name: str, x: float, y: float, angle: float) -> None:
        mm, degrees = slop.mm, slop.degrees
        off = [rng.uniform(-mm, mm), rng.uniform(-mm, mm), rng.uniform(-degrees, degrees)]
        lying.append(Placed(name, x + off[0], y + off[1], angle + off[2]))

    places = np.arange(70 + width / 2, REFERENCE_MAT_MM[0] - 70 - width / 2, width + 18).tolist()
    for down in (1, -1):
        for x in places:
            if rng.random() < 0.35 or not deck:
                continue
            lean = rng.uniform(-slop.column_degrees, slop.column_degrees)
            most = int((REFERENCE_MAT_MM[1] / 2 - height - 60) / step_mm)
            for k in range(rng.randint(1, max(1, most))):
                if deck:
                    y = REFERENCE_MAT_MM[1] / 2 + down * (62 + height / 2 + k * step_mm)
                    shift = -math.sin(math.radians(lean)) * step_mm * k * down
                    lay(deck.pop(), x + shift, y, lean + (0 if down > 0 else 180))
    for n, x in enumerate(np.arange(120 + width / 2, 500, width + 12)):
        if deck:
            lay(deck.pop() if n % 2 else rng.choice(cards.backs), float(x), PILE[1], rng.choice((0, 180)))
    for _ in range(rng.randint(0, 4)):
        lay(rng.choice(cards.backs), *PILE, rng.choice((0, 180)))
    return lying


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decks", default=",".join(GAMES))
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--step", type=float, default=25.0, help="of a column, mm")
    parser.add_argument("--slop", default="2,1.5,1.5", help="mm and degrees of a card, degrees of a column")
    chosen = parser.parse_args()
    reader, slop = card_reader(), Slop(*map(float, chosen.slop.split(",")))
    whole = Counter[str]()
    for key in chosen.decks.split(","):
        game = GAMES[key]()
        deck = learnt(game, reader, key)
        cameras = [SimulatedCamera(REFERENCE_MAT_MM, 1, lens, partial(_Sprites, game)) for lens in LENSES]
        count, spent = Counter[str](), 0.0
        for number in range(chosen.tables):
            above = cameras[number % len(cameras)]
            lying = table(game, chosen.step, random.Random(4_100_000 + number), slop)
            above.show(lying)
            picture = above.take_picture()
            mat = find_mat(picture, REFERENCE_MAT_MM)
            began = time.process_time()
            seen = reader.read(picture, mat, deck)
            spent += time.process_time() - began
            result = compared(lying, seen, PILE, game.cards.size_mm)
            add(count, result, f"{key}, table {number}")
        print(f"{key:10} {told(count)}, {spent / chosen.tables:.1f} s a table", flush=True)
        whole += count
    print(f"{'all':10} {told(whole)}")


if __name__ == "__main__":
    main()
