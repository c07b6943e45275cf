"""Tables of the benchmark painted flat, without a path tracer: cards and mat in one plane, seen by the same camera.

Light falls unevenly and cards shine where they mirror a lamp, but nothing bends or casts a long shadow. A picture takes
a few seconds, so that thousands of cards can be asked what they are not (``tools.benchmark_ood.foreign``).
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from tools.benchmark_ood import ground, plan
from tools.benchmark_ood.art import Deck, draw_face
from tools.benchmark_ood.camera import Look, camera_over, to_world
from tools.benchmark_ood.lens import Lens, photograph, traced_size
from tools.benchmark_ood.scene import CARD_H, CARD_W, CORNER, MARKER, Laid, Rng, Scene

Picture = np.ndarray
PX = 4.0
"""Pixels per mm of what is painted."""
ROOM = 100.0
"""Millimetres of table painted round the mat."""
PAPER = 0.82
"""What white paper gives back of the light."""
SHINE = {"none": 0.0, "some": 0.35, "strong": 1.1}


def _to_linear(srgb: Picture) -> Picture:
    values = srgb.astype(np.float32) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4).astype(np.float32)


def paint_bare(mat_mm: tuple[float, float], mat: str, rng: Rng) -> Picture:
    """Paint a mat with its markers, linear RGB, from ``ROOM`` mm round it on."""
    w, h = mat_mm
    size = (round((w + 2 * ROOM) * PX), round((h + 2 * ROOM) * PX))
    cloth = ground.mat_texture(mat, (w + 2 * ROOM, h + 2 * ROOM), rng).astype(np.float32)
    image = cv2.resize(cloth, size, interpolation=cv2.INTER_LINEAR)
    border = float(rng.uniform(8, 12))
    for number, (x, y) in enumerate(((0, 0), (w - MARKER, 0), (w - MARKER, h - MARKER), (0, h - MARKER))):
        sheet = ground.marker_texture(number, border)
        side = round((MARKER + 2 * border) * PX)
        at = round((ROOM + x - border) * PX), round((ROOM + y - border) * PX)
        image[at[1] : at[1] + side, at[0] : at[0] + side] = cv2.resize(
            sheet, (side, side), interpolation=cv2.INTER_AREA
        )
    return image


class Painter:
    """Paints cards of a deck."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._faces: dict[str, Picture] = {}
        px = np.mgrid[0 : round(CARD_H * PX), 0 : round(CARD_W * PX)].astype(np.float32)
        y, x = (px + 0.5) / PX
        dx = np.maximum(np.abs(x - CARD_W / 2) - (CARD_W / 2 - CORNER), 0)
        dy = np.maximum(np.abs(y - CARD_H / 2) - (CARD_H / 2 - CORNER), 0)
        self._shape = np.clip((CORNER - np.hypot(dx, dy)) * PX + 0.5, 0, 1).astype(np.float32)

    def face(self, name: str) -> Picture:
        """Return a card's face as it is painted, linear RGB (352, 252, 3)."""
        if name not in self._faces:
            size = (round(CARD_W * PX), round(CARD_H * PX))
            drawn = cv2.resize(_to_linear(draw_face(self._deck, name)), size, interpolation=cv2.INTER_AREA)
            self._faces[name] = PAPER * drawn
        return self._faces[name]

    def paint_table(self, laid: Scene, mat: str, rng: Rng) -> tuple[Picture, Picture]:
        """Paint the mat and what lies on it, linear RGB, and where cards lie (1, else 0), from ``ROOM`` mm round it."""
        image = paint_bare(laid.mat_mm, mat, rng)
        cards = np.zeros(image.shape[:2], np.float32)
        for card in laid.cards:
            self._lay(image, cards, card, rng)
        return image, cards

    def _lay(self, image: Picture, cards: Picture, card: Laid, rng: Rng) -> None:
        turn = math.radians(card.angle)
        reach = math.hypot(CARD_W, CARD_H) / 2 + 4
        x0, y0 = (math.floor((ROOM + middle - reach) * PX) for middle in (card.x, card.y))
        side = math.ceil(2 * reach * PX)
        if x0 < 0 or y0 < 0 or x0 + side > image.shape[1] or y0 + side > image.shape[0]:
            raise ValueError(f"{card.name} lies off the table")
        cos, sin = math.cos(turn), math.sin(turn)
        middle = np.array([(ROOM + card.x) * PX - x0, (ROOM + card.y) * PX - y0]) - 0.5
        matrix = np.array([[cos, -sin, 0], [sin, cos, 0]])
        matrix[:, 2] = middle - matrix[:, :2] @ ((np.array([CARD_W, CARD_H]) * PX - 1) / 2)
        shape = cv2.warpAffine(self._shape, matrix, (side, side), flags=cv2.INTER_LINEAR)
        drawn = cv2.warpAffine(
            self.face(card.name), matrix, (side, side), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        part = slice(y0, y0 + side), slice(x0, x0 + side)
        soft = float(rng.uniform(1.0, 2.5))
        shadow = cv2.GaussianBlur(shape, (0, 0), soft * PX / 2)
        image[part] *= (1 - float(rng.uniform(0.15, 0.5)) * shadow)[..., None]
        image[part] += (np.clip(drawn, 0, 1) - image[part]) * shape[..., None]
        cards[part] = np.maximum(cards[part], shape)


def lamp_colour(warm: float) -> Picture:
    """Return a lamp's colour, linear RGB: −1 blue daylight, 0 white, 1 a warm bulb."""
    return np.array([1 + 0.3 * max(warm, 0), 1.0, 1 - 0.45 * max(warm, 0) + 0.2 * max(-warm, 0)], np.float32)


def _light_picture(image: Picture, cards: Picture, look: Look, laid: Scene, rng: Rng) -> Picture:
    """Light the picture as the camera gets it: light that falls off to one side, and what cards mirror of a lamp."""
    h, w = image.shape[:2]
    small = np.mgrid[0:1:48j, 0:1:64j]
    way, steep = rng.uniform(0, 2 * math.pi), rng.uniform(0, 0.35)
    field = 1 + steep * ((small[1] - 0.5) * math.cos(way) + (small[0] - 0.5) * math.sin(way))
    colour, shine = lamp_colour(look.warm), SHINE[look.glare]
    light = cv2.resize(field.astype(np.float32), (w, h))[..., None] * colour
    image *= light
    if shine:
        veil = np.zeros((h // 8, w // 8), np.float32)
        y, x = np.mgrid[0 : h // 8, 0 : w // 8].astype(np.float32) * 8 / PX - ROOM
        for _ in range(int(rng.integers(1, 3))):
            card = laid.cards[int(rng.integers(len(laid.cards)))]
            spread = rng.uniform(40, 110)
            away = np.square(x - card.x + rng.uniform(-25, 25)) + np.square(y - card.y + rng.uniform(-30, 30))
            veil += np.float32(shine * rng.uniform(0.3, 1)) * np.exp(-away / (2 * spread**2)).astype(np.float32)
        image += (cv2.resize(veil, (w, h)) * cards)[..., None] * colour
    return image


def take(painter: Painter, laid: Scene, shot: plan.Shot, rng: Rng) -> Picture:
    """Take the photograph (h, w, 3) BGR uint8 of a table as the shot wants it, before JPEG squeezes it."""
    look, lens = plan.look_for(shot, rng), plan.lens_for(shot, rng)
    image = _light_picture(*painter.paint_table(laid, shot.mat, rng), look, laid, rng)
    return seen_from_above(image, shot, look, lens, rng)


def seen_from_above(image: Picture, shot: plan.Shot, look: Look, lens: Lens, rng: Rng) -> Picture:
    """Photograph a lit table (linear RGB, from ``ROOM`` mm round the mat on) from above; (h, w, 3) BGR uint8."""
    w, h = shot.size_px
    traced = traced_size((w, h))
    camera = camera_over(shot.mat_mm, look, traced, traced[0] / w)
    if shot.px_per_mm < PX:
        image = cv2.GaussianBlur(image, (0, 0), 0.35 * PX / shot.px_per_mm)
    corners = np.array([(0, 0), (shot.mat_mm[0], 0), shot.mat_mm, (0, shot.mat_mm[1])])
    seen = camera.project_points(to_world(corners[:, 0], corners[:, 1])).astype(np.float32)
    painted = ((corners + ROOM) * PX - 0.5).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(painted, seen)
    light = cv2.warpPerspective(image, matrix, traced, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return photograph(light, (w, h), PAPER * lamp_colour(look.warm), lens, rng)
