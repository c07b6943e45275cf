"""Tables of the game with 78 faces as its players lay them: cities in columns, boards on staged cards, discards."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from PIL import Image

from device.simulated.camera import CardSprites, Lens, SimulatedCamera
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_wonders.cards import CARDS, SIZE_MM
from rules.seven_wonders.cards import building, dealt, of_age
from tests.vision.faces.art import face

BLOCKS = {
    3: ((594, False), (297, True), (892, True)),
    4: ((297, False), (297, True), (892, True), (892, False)),
    5: ((297, False), (198, True), (594, True), (991, True), (892, False)),
}
"""By the number of players each seat's middle line, and whether it sits at the top."""
PILES = {3: (1011, 631), 4: (594, 421), 5: (594, 631)}
STEP_MM, PITCH_MM, HEAD_V = 25.0, 72.0, 410.0
LENSES = (
    Lens(),
    Lens(tilt=-4.0, swing=2.5, roll=-2.0, blur=0.9, noise=4.5, lamp=(0.8, 0.2), fall_off=0.35, warmth=0.12),
    Lens(size=(2304, 1728), blur=0.8, noise=3.5, lamp=(0.5, 0.9), exposure=0.8, warmth=-0.03, quality=85),
)


class Sprites(CardSprites):
    """The cards of an art, and boards by ``board:N``."""

    def __init__(self, art: str, px_per_mm: float) -> None:
        super().__init__(px_per_mm)
        self._art = art

    def face(self, name: str) -> Image.Image:
        if not name.startswith("board"):
            return face(self._art, name, self.px_per_mm)
        rng = np.random.default_rng(int(name[5:]))
        small = Image.fromarray(rng.integers(30, 220, (6, 15, 3), np.uint8))
        return small.resize((round(250 * self.px_per_mm), round(95 * self.px_per_mm)), Image.Resampling.BICUBIC)


def camera(art: str, seed: int, lens: Lens | None = None) -> SimulatedCamera:
    """A camera above cards of an art."""
    return SimulatedCamera(REFERENCE_MAT_MM, seed, lens, lambda px: Sprites(art, px))


def page(name: str, rng: random.Random) -> list[Placed]:
    """An enrolment page as somebody lays it."""
    grid = next(one for one in CARDS.grids if one.name == name)
    spread = rng.uniform
    return [
        Placed(card, x + spread(-2, 2), y + spread(-2, 2), spread(-1.5, 1.5))
        for card, (x, y) in grid.places(REFERENCE_MAT_MM).items()
    ]


@dataclass(frozen=True)
class Slop:
    """How carelessly cards lie: by so many mm and degrees each, and whole columns turned by so many degrees."""

    mm: float = 2.0
    degrees: float = 1.5
    column_degrees: float = 1.5


class _Table:
    def __init__(self, rng: random.Random, slop: Slop) -> None:
        self.cards: list[Placed] = []
        self._rng, self._slop = rng, slop

    def lay(self, name: str, x: float, y: float, angle: float) -> None:
        spread, slop = self._rng.uniform, self._slop
        self.cards.append(
            Placed(
                name,
                x + spread(-slop.mm, slop.mm),
                y + spread(-slop.mm, slop.mm),
                angle + spread(-slop.degrees, slop.degrees),
            )
        )


def table(players: int, rng: random.Random, slop: Slop | None = None, fullness: float = 1.0) -> list[Placed]:
    """A table in the middle of an age, bottom to top; ``fullness`` is the share of 19 cards a city that are built."""
    slop = slop or Slop()
    lying = _Table(rng, slop)
    age = rng.choice((1, 2, 3))
    names = [
        str(card) for each in range(1, age + 1) for card, count in dealt(each, players).items() for _ in range(count)
    ]
    names += [str(card) for card in of_age(3, players) if card.is_guild] if age == 3 else []
    rng.shuffle(names)
    height = REFERENCE_MAT_MM[1]
    for middle, top in BLOCKS[players]:

        def at(u: float, v: float, middle: float = middle, top: bool = top) -> tuple[float, float]:
            return (middle - u, v) if top else (middle + u, height - v)

        turn = 180.0 if top else 0.0
        for n in range(rng.randint(0, 3)):
            out = rng.uniform(30, 45)
            back = f"back{rng.randint(1, age)}"
            lying.lay(back, *at(-72 + 72 * n, 52 - out + SIZE_MM[1] / 2), turn + rng.choice((0, 180)))
        lying.lay(f"board{rng.randint(0, 99)}", *at(0, 100), turn)
        city, built = [], set()
        for _ in range(round(fullness * rng.randint(4, 6 * age + 1))):
            name = names.pop() if names else None
            if name is not None and building(name).name not in built:
                city.append(name)
                built.add(building(name).name)
        columns = (
            [city[n::4] for n in range(4)] if rng.random() < 0.5 else [city[n : n + 5] for n in range(0, len(city), 5)]
        )
        for number, column in enumerate(columns[:4]):
            u0 = -152 + PITCH_MM * number
            lean = rng.uniform(-slop.column_degrees, slop.column_degrees)
            for step, name in enumerate(column[:7]):
                shift = np.sin(np.radians(lean)) * STEP_MM * step
                x, y = at(u0 + shift, HEAD_V - STEP_MM * step - SIZE_MM[1] / 2)
                lying.lay(name, x, y, turn + lean)
        if rng.random() < 0.4:
            lying.lay(f"back{age}", *at(155, 215), turn + rng.choice((0, 180)))
    for _ in range(rng.randint(0, 4)):
        x, y = PILES[players]
        lying.lay(f"back{age}", x, y, rng.choice((0, 180)) + rng.uniform(-4, 4))
    return lying.cards


def visible(cards: list[Placed], number: int) -> float:
    """The share of a card's face that no later card hides, on a lattice of points."""
    card = cards[number]
    us, vs = np.meshgrid(np.linspace(-0.48, 0.48, 14), np.linspace(-0.48, 0.48, 20))
    points = np.stack([us * SIZE_MM[0], vs * SIZE_MM[1]], -1).reshape(-1, 2)
    a = np.radians(card.angle)
    mm = points @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + (card.x, card.y)
    free = np.ones(len(mm), bool)
    for other in cards[number + 1 :]:
        w, h = (250.0, 95.0) if other.name.startswith("board") else SIZE_MM
        b = np.radians(other.angle)
        away = (mm - (other.x, other.y)) @ np.array([[np.cos(b), -np.sin(b)], [np.sin(b), np.cos(b)]])
        free &= ~((np.abs(away[:, 0]) < w / 2) & (np.abs(away[:, 1]) < h / 2))
    return float(free.mean())
