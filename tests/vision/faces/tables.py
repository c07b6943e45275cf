"""Tables of the game with 78 faces as its players lay them: cities in columns, boards on staged cards, discards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from referee.seven_wonders.cards import CARDS, SIZE_MM
from referee.seven_wonders.layout import BOARD_MM, BOARD_V_MM, COLUMNS, IN_COLUMN, STEP_MM, Layout, layout_of
from rules.seven_wonders.cards import count_dealt, find_building, of_age
from simulator.camera import FELT, CardSprites, Cloth, Lens, SimulatedCamera
from tests.vision.faces.art import face
from tests.words import en

LENSES = (
    Lens(),
    Lens(tilt=-4.0, swing=2.5, roll=-2.0, blur=0.9, noise=4.5, lamp=(0.8, 0.2), fall_off=0.35, warmth=0.12),
    Lens(size=(2304, 1728), blur=0.8, noise=3.5, lamp=(0.5, 0.9), exposure=0.8, warmth=-0.03, quality=85),
)
CLOTHS = {
    "felt": FELT,
    "black": Cloth((27, 25, 24)),
    "green": Cloth((48, 92, 32), 3.0),
    "navy": Cloth((78, 42, 28), 3.0),
    "brown": Cloth((44, 62, 88), 4.0),
    "mottled": Cloth((128, 128, 128), 16.0, (12.0, 12.0)),
    "blotched": Cloth((150, 150, 150), 14.0, (70.0, 70.0)),
    "wood": Cloth((94, 128, 168), 9.0, (160.0, 5.0)),
    "grey": Cloth((150, 152, 150), 2.0),
    "white": Cloth((216, 222, 226), 3.0, (90.0, 90.0)),
}


class Sprites(CardSprites):
    """The cards of an art, and boards by ``board:N``."""

    def __init__(self, art: str, px_per_mm: float) -> None:
        super().__init__(px_per_mm)
        self._art = art

    def draw_face(self, name: str) -> Image.Image:
        if not name.startswith("board"):
            return face(self._art, name, self.px_per_mm)
        rng = np.random.default_rng(int(name[5:]))
        small = Image.fromarray(rng.integers(30, 220, (6, 15, 3), np.uint8))
        return small.resize(
            (round(BOARD_MM[0] * self.px_per_mm), round(BOARD_MM[1] * self.px_per_mm)), Image.Resampling.BICUBIC
        )


def camera(art: str, seed: int, lens: Lens | None = None, cloth: str = "felt") -> SimulatedCamera:
    """Return a camera above cards of an art on a cloth."""
    return SimulatedCamera(REFERENCE_MAT_MM, seed, lens, lambda px: Sprites(art, px), CLOTHS[cloth])


def page(name: str, rng: random.Random) -> list[Placed]:
    """Lay an enrolment page as somebody does."""
    grid = next(one for one in CARDS.grids if one.name == name)
    spread = rng.uniform
    return [
        Placed(card, x + spread(-2, 2), y + spread(-2, 2), spread(-1.5, 1.5))
        for card, (x, y) in grid.place_cards(REFERENCE_MAT_MM).items()
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
        self.rng, self.slop = rng, slop

    def lay(self, name: str, x: float, y: float, angle: float) -> None:
        spread, slop = self.rng.uniform, self.slop
        self.cards.append(
            Placed(
                name,
                x + spread(-slop.mm, slop.mm),
                y + spread(-slop.mm, slop.mm),
                angle + spread(-slop.degrees, slop.degrees),
            )
        )


def table(players: int, rng: random.Random, slop: Slop | None = None) -> list[Placed]:
    """Lay a table in the middle of an age, bottom to top."""
    slop = slop or Slop()
    layout, lying, age = layout_of(players), _Table(rng, slop), rng.choice((1, 2, 3))
    names = _in_play(players, age, rng)
    for seat in range(1, players + 1):
        turn = 180.0 if layout.faces_down(seat) else 0.0
        for n in range(rng.randint(0, 3)):
            x, y = layout.stage_spot(seat, n, 3)
            out = rng.uniform(-2, 13) * (1 if turn else -1)
            lying.lay(f"back{rng.randint(1, age)}", x, y - out, turn + rng.choice((0, 180)))
        lying.lay(f"board{rng.randint(0, 99)}", *layout.locate_point(seat, 0, BOARD_V_MM), turn)
        city = _city(names, rng.randint(4, 6 * age + 1))
        by_four, by_five = [city[n::4] for n in range(4)], [city[n : n + 5] for n in range(0, len(city), 5)]
        _lay_city(lying, layout, seat, by_four if rng.random() < 0.5 else by_five[:4])
        if rng.random() < 0.4:
            lying.lay(f"back{age}", *layout.discard_spot(seat), turn + rng.choice((0, 180)))
    for _ in range(rng.randint(0, 4)):
        lying.lay(f"back{age}", *layout.pile, rng.choice((0, 180)) + rng.uniform(-4, 4))
    return lying.cards


def finished(players: int, rng: random.Random, slop: Slop | None = None) -> list[Placed]:
    """Lay the cities of a game that has ended, in columns by colour, bottom to top."""
    layout, lying = layout_of(players), _Table(rng, slop or Slop())
    names = _in_play(players, 3, rng)
    for seat in range(1, players + 1):
        turn = 180.0 if layout.faces_down(seat) else 0.0
        for n in range(rng.randint(0, 3)):
            x, y = layout.stage_spot(seat, n, 3)
            lying.lay(f"back{rng.randint(1, 3)}", x, y, turn + rng.choice((0, 180)))
        lying.lay(f"board{rng.randint(0, 99)}", *layout.locate_point(seat, 0, BOARD_V_MM), turn)
        columns: list[list[str]] = [[] for _ in range(COLUMNS)]
        for name in sorted(_city(names, rng.randint(14, 19)), key=lambda name: en(find_building(name).colour)):
            column = min(columns, key=lambda column: (len(column) >= 5, columns.index(column)))
            column.append(name)
        _lay_city(lying, layout, seat, columns)
    return lying.cards


def _in_play(players: int, last_age: int, rng: random.Random) -> list[str]:
    """Return the cards dealt up to an age, mixed."""
    ages = range(1, last_age + 1)
    names = [str(card) for age in ages for card, count in count_dealt(age, players).items() for _ in range(count)]
    names += [str(card) for card in of_age(3, players) if card.is_guild] if last_age == 3 else []
    rng.shuffle(names)
    return names


def _city(names: list[str], count: int) -> list[str]:
    """So many cards taken off the pile, but none of a name twice."""
    city: dict[str, str] = {}
    for _ in range(count):
        if names:
            name = names.pop()
            city.setdefault(find_building(name).name, name)
    return list(city.values())


def _lay_city(lying: _Table, layout: Layout, seat: int, columns: Sequence[Sequence[str]]) -> None:
    turn, slop = 180.0 if layout.faces_down(seat) else 0.0, lying.slop
    for number, column in enumerate(columns):
        lean = lying.rng.uniform(-slop.column_degrees, slop.column_degrees)
        for step, name in enumerate(column[:IN_COLUMN]):
            x, y = layout.city_spot(seat, number, step)
            shift = np.sin(np.radians(lean)) * STEP_MM * step * (1 if turn else -1)
            lying.lay(name, x + shift, y, turn + lean)


def visible(cards: list[Placed], number: int, size_mm: tuple[float, float] = SIZE_MM) -> float:
    """Return the share of a card's face that no later card hides, on a lattice of points."""
    card = cards[number]
    us, vs = np.meshgrid(np.linspace(-0.48, 0.48, 14), np.linspace(-0.48, 0.48, 20))
    points = np.stack([us * size_mm[0], vs * size_mm[1]], -1).reshape(-1, 2)
    a = np.radians(card.angle)
    mm = points @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + (card.x, card.y)
    free = np.ones(len(mm), bool)
    for other in cards[number + 1 :]:
        w, h = BOARD_MM if other.name.startswith("board") else size_mm
        b = np.radians(other.angle)
        away = (mm - (other.x, other.y)) @ np.array([[np.cos(b), -np.sin(b)], [np.sin(b), np.cos(b)]])
        free &= ~((np.abs(away[:, 0]) < w / 2) & (np.abs(away[:, 1]) < h / 2))
    return float(free.mean())
