"""Flat tables under what an evening brings: sleeves, bent cards, hands, shadows, and what a person can still name.

Beside the picture a painted table says of each spot which card shows there, how much light arrives and what is
mirrored, so that the truth knows what of a card's index is left (``Table.list_nameable``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import cv2
import numpy as np

from tools.benchmark_ood import flat
from tools.benchmark_ood.art import PAPERS, SEVEN
from tools.benchmark_ood.scene import CARD_H, CARD_W, CORNER, MARKER, Laid, Rng, Scene

Picture = np.ndarray
PX, ROOM, PAPER = flat.PX, flat.ROOM, flat.PAPER
SLEEVE = 1.5
"""Millimetres of clear border round a card in a sleeve."""
END = 20.0
"""Millimetres of a card's end by which it is named: as much as a column leaves of it."""
_FINE = 2.0
"""Pixels per mm at which faces are compared."""
TELLING, LEAST, CONTRAST, SHARE, BACK_SHARE = 25.0, 1.5, 0.2, 0.5, 0.2
"""A spot tells two faces apart where they differ by so many grey levels, an end where such spots are so many mm² large.
It still does where that share of the contrast is left, and ten levels; the end where that share of the spots is. A back
is known by that share of it.
"""
HAND = -2
"""Who shows where a hand lies; the mat is −1."""


@dataclass(frozen=True)
class Lie:
    """How a card lies, and from where it is seen: bowed by ``bow`` mm (its middle up, or its ends where negative).

    ``eye`` is the camera's place over the mat and its height, mm.
    """

    card: Laid
    eye: tuple[float, float, float]
    bow: float = 0.0
    along: bool = False

    def _bend(self, own: Picture) -> tuple[Picture, Picture, Picture]:
        """Bend points as they lie (n, 2): how far along the bow they are (−1 to 1), how high, and how steep it is."""
        half = (CARD_H if self.along else CARD_W) / 2
        t = np.clip(own[:, int(self.along)] / half, -1.05, 1.05)
        rise = self.bow * (1 - t * t) if self.bow >= 0 else -self.bow * t * t
        return t, rise, -2 * self.bow * t / half

    def to_own(self, seen: Picture) -> tuple[Picture, Picture]:
        """Map points seen on the mat (n, 2) to mm from the card's middle on its paper, and how steep the card is."""
        eye, middle = np.array(self.eye[:2], np.float32), np.array([self.card.x, self.card.y], np.float32)
        turn = math.radians(self.card.angle)
        back = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]], np.float32)
        own = (seen - middle) @ back
        if not self.bow:
            return own, np.zeros(len(own), np.float32)
        for _ in range(4):
            t, rise, steep = self._bend(own)
            own = (eye + (seen - eye) * (1 - rise / self.eye[2])[:, None] - middle) @ back
        t, rise, steep = self._bend(own)
        half = (CARD_H if self.along else CARD_W) / 2
        own[:, int(self.along)] *= 1 + 2 / 3 * (self.bow / half * t) ** 2
        return own, steep

    def to_mat(self, own: Picture) -> Picture:
        """Map points of its paper (n, 2), mm from its middle, to the mat's mm where they are seen."""
        eye, middle = np.array(self.eye[:2]), np.array([self.card.x, self.card.y])
        turn = math.radians(self.card.angle)
        flat_own = own.copy()
        half = (CARD_H if self.along else CARD_W) / 2
        axis = int(self.along)
        flat_own[:, axis] /= 1 + 2 / 3 * (self.bow / half) ** 2 * (own[:, axis] / half) ** 2
        _, rise, _ = self._bend(flat_own)
        lies = flat_own @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]) + middle
        return np.asarray(eye + (lies - eye) / (1 - rise / self.eye[2])[:, None])


@dataclass(frozen=True)
class Sleeve:
    """A clear sleeve: how milky it is, how its streaks shine, by how many mm it blurs."""

    milky: float
    streaks: float
    blur: float


def _mask_rounded(own: Picture, width: float, height: float, corner: float) -> Picture:
    """Mask where (n,) a rounded rectangle of this size is, 1 within and 0 outside."""
    dx = np.maximum(np.abs(own[:, 0]) - (width / 2 - corner), 0)
    dy = np.maximum(np.abs(own[:, 1]) - (height / 2 - corner), 0)
    return np.asarray(np.clip((corner - np.hypot(dx, dy)) * PX + 0.5, 0, 1))


@dataclass
class Table:
    """A painted table; its maps are (h, w) at ``PX`` px per mm from ``ROOM`` mm round the mat on.

    ``image`` (h, w, 3) is what gives back light, linear RGB, ``owner`` which card shows, ``gain`` what share of the
    light arrives, ``veil`` what light is mirrored on top, ``stops`` how the camera is exposed.
    """

    painter: flat.Painter
    laid: Scene
    lies: tuple[Lie, ...]
    stops: float
    image: Picture = field(repr=False)
    owner: Picture = field(repr=False)
    gain: Picture = field(repr=False)
    veil: Picture = field(repr=False)

    @classmethod
    def paint_bare(
        cls, painter: flat.Painter, laid: Scene, lies: tuple[Lie, ...], mat: str, stops: float, rng: Rng
    ) -> Table:
        """Paint the mat with its markers."""
        image = flat.paint_bare(laid.mat_mm, mat, rng)
        shape = image.shape[:2]
        owner, gain, veil = np.full(shape, -1, np.int16), np.ones(shape, np.float32), np.zeros(shape, np.float32)
        return cls(painter, laid, lies, stops, image, owner, gain, veil)

    def lay(self, number: int, sleeve: Sleeve | None, shiny: float, rng: Rng) -> None:
        """Lay a card, in its sleeve where it has one; bent ones shine by so much where they mirror a lamp."""
        lie = self.lies[number]
        card, reach = lie.card, math.hypot(CARD_W, CARD_H) / 2 + 10
        x0, y0 = (math.floor((ROOM + middle - reach) * PX) for middle in (card.x, card.y))
        side = math.ceil(2 * reach * PX)
        part = slice(y0, y0 + side), slice(x0, x0 + side)
        px = np.mgrid[y0 : y0 + side, x0 : x0 + side].reshape(2, -1)[::-1].T.astype(np.float32)
        own, steep = lie.to_own((px + 0.5) / PX - ROOM)
        shape = _mask_rounded(own, CARD_W, CARD_H, CORNER).reshape(side, side).astype(np.float32)
        outer = shape if sleeve is None else self._paint_sleeve(own, side)
        soft = float(rng.uniform(1.0, 2.5)) + 0.4 * abs(lie.bow)
        dark = float(rng.uniform(0.15, 0.5)) * cv2.GaussianBlur(outer, (0, 0), soft * PX / 2)
        self.image[part] *= (1 - dark * (1 - shape))[..., None]
        face = self.painter.face(card.name)
        if sleeve is not None and sleeve.blur:
            face = cv2.GaussianBlur(face, (0, 0), sleeve.blur * PX)
        at = ((own + np.array([CARD_W / 2, CARD_H / 2])) * PX - 0.5).astype(np.float32).reshape(side, side, 2)
        drawn = cv2.remap(face, at[..., 0], at[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        self.image[part] += (np.clip(drawn, 0, 1) - self.image[part]) * shape[..., None]
        self.owner[part][shape > 0.5] = number
        slope, way = steep.reshape(side, side).astype(np.float32), float(rng.choice([-1, 1]) * rng.uniform(0.2, 0.6))
        self.gain[part] += (1 + way * slope - self.gain[part]) * shape
        mirrored = np.zeros_like(shape)
        if shiny and lie.bow:
            mirrored = shiny * np.exp(-np.square((slope - float(rng.normal(0, 0.25))) / 0.07))
        self.veil[part] += (mirrored - self.veil[part]) * shape
        if sleeve is not None:
            self._cover(part, own, outer, shape, sleeve, rng)

    def _paint_sleeve(self, own: Picture, side: int) -> Picture:
        outer = _mask_rounded(own, CARD_W + 2 * SLEEVE, CARD_H + 2 * SLEEVE, 0.8)
        return outer.reshape(side, side).astype(np.float32)

    def _cover(
        self, part: tuple[slice, slice], own: Picture, outer: Picture, shape: Picture, sleeve: Sleeve, rng: Rng
    ) -> None:
        """Add what a sleeve adds: a milky veil, a bright line along its edges, streaks across it."""
        border = np.clip(outer - shape, 0, 1)
        self.image[part] *= (1 - 0.1 * border)[..., None]
        edge = np.clip(outer - cv2.erode(outer, np.ones((3, 3), np.uint8)), 0, 1)
        more = sleeve.milky * outer + float(rng.uniform(0.03, 0.15)) * edge
        for _ in range(int(rng.integers(0, 3)) if sleeve.streaks else 0):
            turn, wide = rng.uniform(0, math.pi), rng.uniform(1.5, 6)
            away = own @ np.array([math.cos(turn), math.sin(turn)]) - rng.uniform(-35, 35)
            band = np.exp(-np.square(away / wide)).reshape(outer.shape).astype(np.float32)
            more = more + np.float32(sleeve.streaks * rng.uniform(0.15, 1)) * band * outer
        self.veil[part] += more

    def list_nameable(self) -> list[bool]:
        """Tell for each card whether a person could name it by one of its ends; a back by what shows at all."""
        return [self._is_named(number) for number in range(len(self.lies))]

    def list_shown(self) -> list[float]:
        """Measure for each card the share of its face that neither cards nor hands cover."""
        us, vs = np.meshgrid((np.arange(31) + 0.5) * CARD_W / 31, (np.arange(44) + 0.5) * CARD_H / 44)
        own = np.stack([us.ravel() - CARD_W / 2, vs.ravel() - CARD_H / 2], 1)
        shares = [float((self._sample_at(lie, own)[0] == number).mean()) for number, lie in enumerate(self.lies)]
        return [1.0 if share > 0.985 else share for share in shares]

    def _sample_at(self, lie: Lie, own: Picture) -> tuple[Picture, Picture, Picture]:
        """Sample owner, gain and veil where points of a card (n, 2) are seen."""
        x, y = np.round((lie.to_mat(own) + ROOM) * PX - 0.5).astype(int).T
        y, x = y.clip(0, self.owner.shape[0] - 1), x.clip(0, self.owner.shape[1] - 1)
        return self.owner[y, x], self.gain[y, x], self.veil[y, x]

    def _develop(self, light: Picture) -> Picture:
        """Develop linear light to the camera's grey levels (float), white paper being ``PAPER``."""
        linear = np.clip(light * np.float32(0.6 * 2**self.stops / PAPER), 0, 1)
        return _TONE[(linear * (len(_TONE) - 1)).astype(np.int32)]

    def _is_named(self, number: int) -> bool:
        lie = self.lies[number]
        if lie.card.name == "back":
            us, vs = np.meshgrid(np.linspace(-0.48, 0.48, 32), np.linspace(-0.48, 0.48, 44))
            owner, gain, veil = self._sample_at(lie, np.stack([us.ravel() * CARD_W, vs.ravel() * CARD_H], 1))
            left = self._develop(PAPER * gain + veil) - self._develop(0.4 * PAPER * gain + veil)
            return float(((owner == number) & (left > 10)).mean()) >= BACK_SHARE
        return any(self._end_tells(number, low) for low in (False, True))

    def _end_tells(self, number: int, low: bool) -> bool:
        lie, (names, ends) = self.lies[number], _list_ends(self.painter)
        clean = self._clean_ends
        us, vs = np.meshgrid((np.arange(ends.shape[3]) + 0.5) / _FINE, (np.arange(ends.shape[2]) + 0.5) / _FINE)
        own = np.stack([us.ravel() - CARD_W / 2, vs.ravel() - CARD_H / 2], 1)
        owner, gain, veil = self._sample_at(lie, -own if low else own)
        mine = (owner == number).reshape(ends.shape[2:])
        if mine.mean() < 0.05:
            return False
        me = 2 * names.index(lie.card.name) + int(low)
        others = np.array([name != lie.card.name for name in names for _ in (0, 1)])
        apart = _measure_differences(clean, me)
        telling = apart >= TELLING
        left = _measure_differences(self._develop(ends * gain.reshape(mine.shape) + veil.reshape(mine.shape)), me)
        still = telling & mine & (left >= np.maximum(10, CONTRAST * apart))
        areas, stays = telling.sum(axis=(1, 2)) / _FINE**2, still.sum(axis=(1, 2)) / _FINE**2
        return bool(np.all((areas >= LEAST) & (stays >= SHARE * areas) | ~others))

    @cached_property
    def _clean_ends(self) -> Picture:
        return self._develop(_list_ends(self.painter)[1])


@lru_cache(maxsize=1)
def _list_ends(painter: flat.Painter) -> tuple[list[str], Picture]:
    """List all faces' names, and both ends of each (3, 2 n, h, w), the end's edge above, linear."""
    names = [*SEVEN, *(f"{kind}/{side}" for kind in PAPERS for side in ("review", "complete"))]
    size, rows = (round(CARD_W * _FINE), round(CARD_H * _FINE)), round(END * _FINE)
    ends = []
    for name in names:
        face = cv2.resize(painter.face(name), size, interpolation=cv2.INTER_AREA)
        ends += [face[:rows], face[::-1, ::-1][:rows]]
    return names, np.ascontiguousarray(np.moveaxis(np.stack(ends), -1, 0), np.float32)


def _measure_differences(ends: Picture, me: int) -> Picture:
    """Measure by how many grey levels each end differs from one of them, (2 n, h, w)."""
    most = np.zeros(ends.shape[1:], np.float32)
    for channel in ends:
        np.maximum(most, np.abs(channel - channel[me]), out=most)
    return most


def _make_tone() -> Picture:
    curve = np.linspace(0, 1, 4096)
    srgb = np.where(curve < 0.0031308, 12.92 * curve, 1.055 * np.maximum(curve, 1e-6) ** (1 / 2.4) - 0.055)
    return (255 * srgb).astype(np.float32)


_TONE = _make_tone()


# What disturbs


def add_lamps(table: Table, shine: float, rng: Rng) -> None:
    """Add lamps that mirror in the cards' lamination, as ``flat`` has them."""
    h, w = table.gain.shape
    y, x = np.mgrid[0 : h // 8, 0 : w // 8].astype(np.float32) * 8 / PX - ROOM
    veil = np.zeros(x.shape, np.float32)
    for _ in range(int(rng.integers(1, 3))):
        card = table.laid.cards[int(rng.integers(len(table.laid.cards)))]
        spread = rng.uniform(40, 110)
        away = np.square(x - card.x + rng.uniform(-25, 25)) + np.square(y - card.y + rng.uniform(-30, 30))
        veil += np.float32(shine * rng.uniform(0.3, 1)) * np.exp(-away / (2 * spread**2)).astype(np.float32)
    table.veil += cv2.resize(veil, (w, h)) * (table.owner >= 0)


def fall_off(table: Table, rng: Rng) -> None:
    """Light that falls off to one side."""
    h, w = table.gain.shape
    small = np.mgrid[0:1:48j, 0:1:64j]
    way, steep = rng.uniform(0, 2 * math.pi), rng.uniform(0, 0.35)
    light = 1 + steep * ((small[1] - 0.5) * math.cos(way) + (small[0] - 0.5) * math.sin(way))
    table.gain *= cv2.resize(light.astype(np.float32), (w, h))


def shadow_edges(table: Table, rng: Rng) -> None:
    """Cast one or two hard edges of a lamp's shade, or of what stands in its light, across cards."""
    h, w = table.gain.shape
    for _ in range(int(rng.integers(1, 3))):
        card = table.laid.cards[int(rng.integers(len(table.laid.cards)))]
        turn, dark = rng.uniform(0, 2 * math.pi), float(rng.uniform(0.25, 0.55))
        x, y = (ROOM + card.x + rng.uniform(-20, 20)) * PX, (ROOM + card.y + rng.uniform(-30, 30)) * PX
        along, across = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
        far = float(2 * (w + h))
        deep = far if rng.random() < 0.5 else float(rng.uniform(40, 160)) * PX
        ends = ((-1, 0), (1, 0), (1, 1), (-1, 1))
        corners = [np.array([x, y]) + a * along * far + b * across * deep for a, b in ends]
        shade = np.zeros((h // 2, w // 2), np.float32)
        cv2.fillConvexPoly(shade, np.round(np.array(corners) * 8).astype(np.int32), 1.0, cv2.LINE_AA, 4)
        shade = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(0.3, 2.0)) * PX / 2)
        table.gain *= 1 - (1 - dark) * cv2.resize(shade, (w, h))


_SKINS = ((0.55, 0.32, 0.22), (0.34, 0.18, 0.11), (0.12, 0.06, 0.04), (0.64, 0.44, 0.34))
_CLOTHS = ((0.03, 0.04, 0.1), (0.5, 0.48, 0.45), (0.25, 0.04, 0.05), (0.06, 0.06, 0.06), (0.1, 0.2, 0.14))


def rest_hands(table: Table, rng: Rng) -> None:
    """Lay one to three hands with their forearms on the table, over cards but on no marker."""
    for _ in range(int(rng.integers(1, 4))):
        for _ in range(12):
            if _rest_hand(table, rng):
                break


def _rest_hand(table: Table, rng: Rng) -> bool:
    h, w = table.gain.shape
    card = table.laid.cards[int(rng.integers(len(table.laid.cards)))]
    x, y = card.x + rng.uniform(-25, 25), card.y + rng.uniform(-25, 25)
    low = y > table.laid.mat_mm[1] / 2
    turn = math.radians(float(rng.normal(0, 22)) + (0 if low else 180))
    size = rng.uniform(0.85, 1.1)

    def to_hand_px(right: float, down: float) -> tuple[int, int]:
        """Map a point in the hand's own frame, mm, fingers up, to half the scale."""
        px = x + size * (right * math.cos(turn) - down * math.sin(turn))
        py = y + size * (right * math.sin(turn) + down * math.cos(turn))
        return round((ROOM + px) * PX / 2), round((ROOM + py) * PX / 2)

    def to_width_px(mm: float) -> int:
        return max(1, round(size * mm * PX / 2))

    hand, arm = np.zeros((h // 2, w // 2), np.uint8), np.zeros((h // 2, w // 2), np.uint8)
    spread, side = rng.uniform(3, 9), float(rng.choice([-1, 1]))
    for k, long in enumerate((66, 76, 72, 56)):
        lean = math.radians((k - 1.5) * spread)
        root = (side * (k - 1.5) * 20, -32.0)
        tip = (root[0] + side * long * math.sin(lean), root[1] - long * math.cos(lean))
        cv2.line(hand, to_hand_px(*root), to_hand_px(*tip), 255, to_width_px(17), cv2.LINE_AA)
    cv2.line(hand, to_hand_px(-side * 36, 22), to_hand_px(-side * 62, -28), 255, to_width_px(20), cv2.LINE_AA)
    corners = [to_hand_px(*p) for p in ((-38, -34), (38, -34), (36, 30), (27, 52), (-27, 52), (-36, 30))]
    cv2.fillConvexPoly(hand, np.array(corners), 255, cv2.LINE_AA)
    corners = [to_hand_px(*p) for p in ((-28, 46), (28, 46), (55, 700), (-55, 700))]
    cv2.fillConvexPoly(arm, np.array(corners), 255, cv2.LINE_AA)
    both = cv2.max(hand, arm)
    mw, mh = table.laid.mat_mm
    for mx, my in ((0, 0), (mw - MARKER, 0), (mw - MARKER, mh - MARKER), (0, mh - MARKER)):
        a, b = (round((ROOM + v - 14) * PX / 2) for v in (mx, my))
        if both[b : b + round((MARKER + 28) * PX / 2), a : a + round((MARKER + 28) * PX / 2)].any():
            return False
    deep = cv2.distanceTransform((both > 127).astype(np.uint8), cv2.DIST_L2, 3) / (PX / 2)
    shade = cv2.resize((0.5 + 0.5 * np.sqrt(np.clip(deep / 14, 0, 1))).astype(np.float32), (w, h))
    moved = np.array([[1, 0, rng.uniform(-8, 8) * PX / 2], [0, 1, rng.uniform(-8, 8) * PX / 2]])
    dark = cv2.GaussianBlur(cv2.warpAffine(both, moved, both.shape[::-1]), (0, 0), float(rng.uniform(2, 6)) * PX / 2)
    table.gain *= 1 - float(rng.uniform(0.3, 0.6)) * cv2.resize(dark, (w, h)).astype(np.float32) / 255
    skin, cloth = (np.array(each[int(rng.integers(len(each)))], np.float32) for each in (_SKINS, _CLOTHS))
    for mask, colour in ((hand, skin), (arm, cloth if rng.random() < 0.6 else skin)):
        big = cv2.resize(mask, (w, h)).astype(np.float32)[..., None] / 255
        table.image += (colour * shade[..., None] - table.image) * big
    covered = cv2.resize(both, (w, h)) > 127
    table.owner[covered], table.veil[covered], table.gain[covered] = HAND, 0, 1
    return True


def lay_across(laid: Scene, rng: Rng) -> Scene:
    """Lay cards on the scene that lie across two neighbouring columns, askew."""
    free = [name for name in SEVEN if name not in {card.name for card in laid.cards}]
    faces = [card for card in laid.cards if card.name != "back"]
    pairs = [
        (a, b)
        for k, a in enumerate(faces)
        for b in faces[k + 1 :]
        if 60 < math.hypot(a.x - b.x, a.y - b.y) < 140
        and not cv2.intersectConvexConvex(_list_points(a), _list_points(b))[0]
        and not _in_line(a, b)
    ]
    more: list[Laid] = []
    for number in rng.permutation(len(pairs)).tolist():
        a, b = pairs[number]
        if not free or len(more) == 6:
            break
        x, y = (a.x + b.x) / 2 + rng.uniform(-8, 8), (a.y + b.y) / 2 + rng.uniform(-15, 15)
        way = math.degrees(math.atan2(b.y - a.y, b.x - a.x)) + float(rng.choice([-90, 90]) + rng.uniform(-35, 35))
        card = Laid(str(rng.choice(free)), float(x), float(y), way)
        inside = card.outline.min() > 2 and bool(np.all(card.outline < np.array(laid.mat_mm) - 2))
        over = all(cv2.intersectConvexConvex(_list_points(card), _list_points(c))[0] > 50 for c in (a, b))
        apart = all(math.hypot(card.x - c.x, card.y - c.y) > 110 for c in more)
        if inside and over and apart and _clear_of_markers(card, laid):
            more.append(card)
            free.remove(card.name)
    return Scene(laid.mat_mm, laid.seats, (*laid.cards, *more))


def lay_fans(laid: Scene, rng: Rng) -> Scene:
    """Lay hands open on a mat: steps of 10 to 17 mm, turned by up to 12° from card to card, either end on top."""
    free = [str(name) for name in rng.permutation(SEVEN)]
    (w, h) = laid.mat_mm
    hands: list[Laid] = []
    for _ in range(60):
        if len(free) < 3:
            break
        step, angle = float(rng.uniform(10, 17)), float(rng.choice([0, 180]) + rng.normal(0, 8))
        turn = float(rng.uniform(0, 12) if rng.random() < 0.6 else rng.normal(0, 1))
        x, y = float(rng.uniform(60, w - 60)), float(rng.uniform(60, h - 60))
        hand = []
        for name in free[: int(rng.integers(3, 9))]:
            hand.append(Laid(name, x + rng.normal(0, 0.7), y + rng.normal(0, 0.7), angle + rng.normal(0, 0.7)))
            a = math.radians(angle + turn / 2)
            # held by their lower ends, cards turn about a point below them
            x, y, angle = x + step * math.cos(a), y + step * math.sin(a), angle + turn
        if rng.random() < 0.4:
            hand.reverse()
        inside = all(c.outline.min() > 3 and np.all(c.outline < np.array([w, h]) - 3) for c in hand)
        meets = any(cv2.intersectConvexConvex(_list_points(a), _list_points(b))[0] for a in hand for b in hands)
        if inside and not meets and all(_clear_of_markers(card, laid) for card in hand):
            hands += hand
            free = free[len(hand) :]
    return Scene(laid.mat_mm, laid.seats, tuple(hands))


def _in_line(a: Laid, b: Laid) -> bool:
    """Tell whether two cards may be of one column."""
    turn = math.radians(a.angle)
    return abs((b.x - a.x) * math.cos(turn) + (b.y - a.y) * math.sin(turn)) < 45


def _list_points(card: Laid) -> Picture:
    return card.outline.astype(np.float32)


def _clear_of_markers(card: Laid, laid: Scene) -> bool:
    w, h = laid.mat_mm
    edge = MARKER + 12
    near = (min(max(x, 0), w) for x in card.outline[:, 0])
    return not any(
        (x < edge or x > w - edge) and (y < edge or y > h - edge) for x, y in zip(near, card.outline[:, 1], strict=True)
    )
