"""A camera that is not there: renders what a sensor above the simulated table would give.

The table is painted flat in millimetres, then seen through a slightly tilted, slightly rolled lens with some barrel
distortion, under a warm lamp that stands to one side, with vignetting, blur, noise and JPEG softness.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from device.artwork.faces import CORNER_MM, face_named
from device.artwork.markers import marker_bits
from device.hardware.camera import Picture, Preview
from referee.layout import MARKER_MM
from referee.placing import Placed, Tray
from simulator.dice import EDGE_MM, paint_tray

_SHADOW_MM = 5.0
_BORDER_MM = 9.0
_MARGIN_MM = 90.0
_WOOD = (94, 128, 168)
_BAND_PX = 16
_STEP_PX = 16
"""How finely the picture is searched for what shows a part of the table."""

U8 = npt.NDArray[np.uint8]
F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
Part = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a picture, in px; the last two do not belong to it."""


@dataclass(frozen=True)
class OnTheMat:
    """What lies on the mat: the cards, bottom to top, and the tray with its dice."""

    cards: tuple[Placed, ...] = ()
    tray: Tray | None = None


@dataclass(frozen=True, slots=True)
class Lens:
    """Where the simulated camera hangs and how it sees; lengths in mm, angles in degrees, sigmas in px and levels."""

    size: tuple[int, int] = (2800, 2100)
    tilt: float = 3.5
    swing: float = -1.8
    roll: float = 1.1
    fill: float = 0.93
    distortion: float = -0.014
    blur: float = 0.65
    noise: float = 3.2
    lamp: tuple[float, float] = (0.24, 0.16)
    fall_off: float = 0.22
    warmth: float = 0.07
    exposure: float = 0.94
    quality: int = 92


@dataclass(frozen=True, slots=True)
class Cloth:
    """What the mat is made of: its colour, blue green red, and by how many grey levels patches of so many mm differ."""

    colour: tuple[int, int, int] = (50, 62, 44)
    mottle: float = 0.0
    patch_mm: tuple[float, float] = (20.0, 20.0)


FELT = Cloth()


class CardSprites:
    """The reference deck as premultiplied BGRA pictures with a soft shadow, by the reader's names."""

    def __init__(self, px_per_mm: float) -> None:
        self.px_per_mm = px_per_mm
        self._sprites: dict[str, F32] = {}

    def __getitem__(self, name: str) -> F32:
        if name not in self._sprites:
            self._sprites[name] = self._make(self.draw_face(name))
        return self._sprites[name]

    def draw_board(self, name: str, size_mm: tuple[float, float]) -> F32:
        """Something that is no card: a patch of colours, of that width and height."""
        if name not in self._sprites:
            rng = np.random.default_rng(zlib.crc32(name.encode()))
            patch = Image.fromarray(rng.integers(30, 220, (6, 15, 3), np.uint8))
            size = round(size_mm[0] * self.px_per_mm), round(size_mm[1] * self.px_per_mm)
            self._sprites[name] = self._make(patch.resize(size, Image.Resampling.BICUBIC))
        return self._sprites[name]

    def draw_face(self, name: str) -> Image.Image:
        """Draw one face of the deck, RGB."""
        return face_named(name, self.px_per_mm)

    def _make(self, face: Image.Image) -> F32:
        s = self.px_per_mm
        margin = round(_SHADOW_MM * s)
        w, h = face.size
        r = round(CORNER_MM * s)
        x0, y0, x1, y1 = margin, margin, margin + w - 1, margin + h - 1
        mask = np.zeros((h + 2 * margin, w + 2 * margin), np.uint8)
        cv2.rectangle(mask, (x0 + r, y0), (x1 - r, y1), 255, -1)
        cv2.rectangle(mask, (x0, y0 + r), (x1, y1 - r), 255, -1)
        for cx, cy in ((x0 + r, y0 + r), (x1 - r, y0 + r), (x0 + r, y1 - r), (x1 - r, y1 - r)):
            cv2.circle(mask, (cx, cy), r, 255, -1, cv2.LINE_AA)
        alpha: F32 = mask.astype(np.float32) / np.float32(255)
        moved = cv2.warpAffine(alpha, np.array([[1, 0, 0.6 * s], [0, 1, 0.9 * s]], np.float32), alpha.shape[::-1])
        shadow = 0.45 * cv2.GaussianBlur(moved, (0, 0), 0.9 * s)
        colour = np.zeros((*alpha.shape, 3), np.float32)
        colour[y0 : y1 + 1, x0 : x1 + 1] = np.asarray(face, np.float32)[..., ::-1]
        whole = np.dstack([colour * alpha[..., None], (alpha + (1 - alpha) * shadow) * 255])
        return whole.astype(np.float32)


class TablePainter:
    """Paints the mat, its markers and the cards on it flat, at fixed px/mm, with a margin of table all round."""

    def __init__(
        self,
        mat_mm: tuple[float, float],
        px_per_mm: float,
        rng: np.random.Generator,
        deck: Callable[[float], CardSprites],
        cloth: Cloth,
    ) -> None:
        self.mat_mm = mat_mm
        self.s = px_per_mm
        self.sprites = deck(px_per_mm)
        self._ground = self._paint_ground(rng, cloth)

    def paint(self, lying: OnTheMat, eye: F64, image: U8 | None = None, parts: Iterable[Part] = ()) -> U8:
        """Paint the table with what lies there; dice rise from their tray as seen from ``eye``.

        Where there is an ``image`` of it already, only these parts of it are painted anew.
        """
        bare = self._ground
        if lying.tray is not None:
            bare = bare.copy()
            paint_tray(bare, lying.tray, self._to_px, self.s, eye)
        if image is None:
            image, parts = np.empty_like(bare), (self._clamp_box((0, 0, *bare.shape[1::-1])),)
        for left, top, right, bottom in parts:
            part = slice(top, bottom), slice(left, right)
            image[part] = bare[part]
            for card in lying.cards:
                self._paint_card(image, card, (left, top, right, bottom))
        return image

    def find_changed_parts(self, before: OnTheMat, now: OnTheMat) -> list[Part] | None:
        """Return the parts of the table that look otherwise than before; ``None`` where cards lie in another order."""
        old, new = set(before.cards), set(now.cards)
        if [card for card in before.cards if card in new] != [card for card in now.cards if card in old]:
            return None
        parts = [self._find_place(card, self._pick_sprite(card)) for card in old ^ new]
        if before.tray != now.tray:
            trays = [tray for tray in (before.tray, now.tray) if tray is not None]
            near = [(tray.box, 1.0) for tray in trays]
            near += [((die.x, die.y, die.x, die.y), 2 * EDGE_MM) for tray in trays for die in tray.dice]
            for (x0, y0, x1, y1), more in near:
                parts.append(self._clamp_box([self._to_px(at) for at in (x0 - more, y0 - more, x1 + more, y1 + more)]))
        return parts

    def shine(self, image: U8, x: float, y: float) -> None:
        """Let light shine back from what lies at a point of the mat (mm): a white patch with soft edges."""
        spot = np.zeros(image.shape[:2], np.float32)
        axes = (round(24 * self.s), round(13 * self.s))
        cv2.ellipse(spot, (round(self._to_px(x)), round(self._to_px(y))), axes, 35.0, 0.0, 360.0, 1.0, -1)
        soft = cv2.GaussianBlur(spot, (0, 0), 4 * self.s)[..., None]
        image[:] = (image * (1 - soft) + 255 * soft).astype(np.uint8)

    def _to_px(self, mm: float) -> float:
        return (mm + _MARGIN_MM) * self.s

    def _pick_sprite(self, card: Placed) -> F32:
        return self.sprites[card.name] if card.card else self.sprites.draw_board(card.name, card.size_mm)

    def _find_place(self, card: Placed, sprite: F32) -> Part:
        """Return the part of the table that a card may cover, however it lies."""
        reach = math.hypot(*sprite.shape[:2]) / 2 + 2
        cx, cy = self._to_px(card.x), self._to_px(card.y)
        return self._clamp_box([math.floor(at - reach) for at in (cx, cy)] + [cx + reach, cy + reach])

    def _clamp_box(self, box: Sequence[float]) -> Part:
        """Return a box round something, in px, without what is beyond the table."""
        h, w = self._ground.shape[:2]
        left, top, right, bottom = (
            min(most, max(0, math.ceil(at))) for at, most in zip(box, (w, h, w, h), strict=True)
        )
        return left, top, right, bottom

    def _paint_card(self, image: U8, card: Placed, part: Part) -> None:
        sprite = self._pick_sprite(card)
        x0, y0, x1, y1 = self._find_place(card, sprite)
        left, top, right, bottom = max(x0, part[0]), max(y0, part[1]), min(x1, part[2]), min(y1, part[3])
        if left >= right or top >= bottom:
            return
        h, w = sprite.shape[:2]
        cx, cy = self._to_px(card.x), self._to_px(card.y)
        a = math.radians(card.angle)
        c, s = math.cos(a), math.sin(a)
        tx, ty = cx - x0 - (c * w - s * h) / 2, cy - y0 - (s * w + c * h) / 2
        turned = cv2.warpAffine(sprite, np.array([[c, -s, tx], [s, c, ty]]), (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        turned = turned[top - y0 : bottom - y0, left - x0 : right - x0]
        ground = image[top:bottom, left:right]
        ground[:] = (ground * (1 - turned[..., 3:] / 255) + turned[..., :3]).astype(np.uint8)

    def _paint_ground(self, rng: np.random.Generator, made_of: Cloth) -> U8:
        w, h = (round((side + 2 * _MARGIN_MM) * self.s) for side in self.mat_mm)
        image = np.empty((h, w, 3), np.uint8)
        grain = rng.normal(0, 1, (h // 24, w // 3)).astype(np.float32)
        _colour(image, _WOOD, cv2.resize(grain, (w, h), interpolation=cv2.INTER_CUBIC) * 5)
        lap = round((_MARGIN_MM - 24) * self.s)
        weave = np.empty((h - 2 * lap, w - 2 * lap), np.float32)
        for rows in _split_bands(len(weave)):
            weave[rows] = rng.normal(0, 1, weave[rows].shape)
        cloth = np.asarray(cv2.GaussianBlur(weave, (0, 0), 1.1)) * 9
        if made_of.mottle:
            wide, high = (max(2, round(side / mm)) for side, mm in zip(self.mat_mm, made_of.patch_mm, strict=True))
            patches = rng.normal(0, made_of.mottle, (high, wide)).astype(np.float32)
            cloth = cloth + cv2.resize(patches, cloth.shape[::-1], interpolation=cv2.INTER_CUBIC)
        _colour(image[lap : h - lap, lap : w - lap], made_of.colour, cloth)
        mat_w, mat_h = self.mat_mm
        far_x, far_y = mat_w - MARKER_MM, mat_h - MARKER_MM
        for number, (x, y) in enumerate(((0.0, 0.0), (far_x, 0.0), (far_x, far_y), (0.0, far_y))):
            border = [round(self._to_px(v)) for v in (x - _BORDER_MM, y - _BORDER_MM)]
            end = [round(self._to_px(v + MARKER_MM)) for v in (x + _BORDER_MM, y + _BORDER_MM)]
            image[border[1] : end[1], border[0] : end[0]] = 250
            bits = marker_bits(number)
            for row in range(6):
                for column in range(6):
                    if not bits[row, column]:
                        xs = [round(self._to_px(x + MARKER_MM * n / 6)) for n in (column, column + 1)]
                        ys = [round(self._to_px(y + MARKER_MM * n / 6)) for n in (row, row + 1)]
                        image[ys[0] : ys[1], xs[0] : xs[1]] = 22
        return image


def _split_bands(height: int) -> Iterator[slice]:
    """Yield the rows of a picture a few at a time: what is made of them stays in the processor's cache."""
    return (slice(row, min(row + _BAND_PX, height)) for row in range(0, height, _BAND_PX))


def _colour(image: U8, colour: tuple[int, int, int], lighter: npt.NDArray[np.integer | np.floating]) -> None:
    """Give a picture (height, width, 3) one colour, at each px so many levels ``lighter`` (height, width)."""
    for rows in _split_bands(len(image)):
        image[rows] = np.clip(np.array(colour, np.float32) + lighter[rows, :, None], 0, 255)


class SimulatedCamera:
    """Looks at the cards it is shown; the same interface as a real camera.

    ``show`` puts another table under it; ``hands`` moves arms across the preview, as they do while cards are moved.
    ``glare`` is a point on the mat, in mm, at which the lamp shines back from the cards. ``deck`` gives the cards at a
    scale (px per mm): the reference deck's, or others; ``cloth`` is what it lies on.
    """

    PREVIEW = (320, 240)

    def __init__(
        self,
        mat_mm: tuple[float, float],
        seed: int,
        lens: Lens | None = None,
        deck: Callable[[float], CardSprites] = CardSprites,
        cloth: Cloth = FELT,
    ) -> None:
        self.lens = lens or Lens()
        self._rng = np.random.default_rng(seed)
        self._painter = TablePainter(mat_mm, 2.4, self._rng, deck, cloth)
        self._maps = self._look_through()
        self._light = self._compute_light()
        w, h = self.lens.size
        self._noise = np.empty((h + 64, w + 64, 3), np.uint8)
        for rows in _split_bands(h + 64):
            noise = self._rng.normal(128, self.lens.noise, self._noise[rows].shape)
            self._noise[rows] = np.clip(noise, 0, 255, out=noise)
        self._lying = OnTheMat()
        self._painted: OnTheMat | None = None
        """What the flat table shows, and so all that is made of it; ``None`` where it has to be painted anew."""
        self._flat = np.zeros((0, 0, 3), np.uint8)
        self._lit = self._blurred = np.zeros((h, w, 3), np.uint8)
        self._small: F32 | None = None
        self._glare: tuple[float, float] | None = None
        self.hands = False

    def show(self, cards: Iterable[Placed], tray: Tray | None = None) -> None:
        """Show the camera these cards from now on, bottom to top, and a tray with dice."""
        self._lying = OnTheMat(tuple(cards), tray)
        self._small = None

    @property
    def glare(self) -> tuple[float, float] | None:
        """Where on the mat (mm) the lamp shines back from the cards, ``None`` where it does nowhere."""
        return self._glare

    @glare.setter
    def glare(self, place: tuple[float, float] | None) -> None:
        self._glare = place
        self._painted = self._small = None

    def hang(self, lens: Lens) -> None:
        """Hang a little differently from now on, as after a knock; the picture keeps its size."""
        self.lens = replace(lens, size=self.lens.size)
        self._maps = self._look_through()
        self._painted = self._small = None

    def take_picture(self) -> Picture:
        """Take the full picture, BGR."""
        seen = cv2.imdecode(self.jpeg(), cv2.IMREAD_COLOR)
        assert seen is not None, "OpenCV reads the JPEG that it has just written"
        return seen.astype(np.uint8, copy=False)

    def jpeg(self) -> U8:
        """Take the full picture as the JPEG file that a recording keeps."""
        seen = self._paint_seen()
        dx, dy = (int(n) for n in self._rng.integers(0, 64, 2))
        h, w = seen.shape[:2]
        noisy = cv2.addWeighted(seen, 1.0, self._noise[dy : dy + h, dx : dx + w], 1.0, -128.0)
        done, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, self.lens.quality])
        if not done:
            raise RuntimeError("OpenCV could not encode a JPEG")
        return np.asarray(data, np.uint8)

    def take_preview(self) -> Preview:
        """Take the small luma plane, with an arm across it while ``hands`` is set."""
        if self._small is None:
            grey = cv2.cvtColor(self._paint_seen(), cv2.COLOR_BGR2GRAY)
            self._small = cv2.resize(grey, self.PREVIEW, interpolation=cv2.INTER_AREA).astype(np.float32)
        plane: F32 = np.add(self._small, self._rng.normal(0, 1.0, self._small.shape), dtype=np.float32)
        if self.hands:
            w, h = self.PREVIEW
            tip = (int(self._rng.integers(w // 4, 3 * w // 4)), int(self._rng.integers(h // 3, 2 * h // 3)))
            cv2.line(plane, (int(self._rng.integers(w // 4, 3 * w // 4)), h), tip, 150.0, 26)
        return np.clip(plane, 0, 255).astype(np.uint8)

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    def _paint_seen(self) -> U8:
        """Paint the table through the lens and under the lamp, without the sensor's noise; what is unchanged stays."""
        before, self._painted = self._painted, self._lying
        parts = None if before is None else self._painter.find_changed_parts(before, self._lying)
        if parts is None or (parts and self._glare is not None):
            self._flat = self._painter.paint(self._lying, self.eye)
            if self._glare is not None:
                self._painter.shine(self._flat, *self._glare)
            self._light_up(slice(None), slice(None))
        elif parts:
            self._painter.paint(self._lying, self.eye, self._flat, parts)
            for part in parts:
                self._light_up(*self._find_pixels(part))
        else:
            return self._blurred
        self._blurred = cv2.GaussianBlur(self._lit, (0, 0), self.lens.blur).astype(np.uint8, copy=False)
        return self._blurred

    def _light_up(self, rows: slice, columns: slice) -> None:
        """See these rows and columns of the picture anew."""
        fixed, rest = (each[rows, columns] for each in self._maps)
        seen = cv2.remap(self._flat, fixed, rest, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        self._lit[rows, columns] = cv2.multiply(seen, self._light[rows, columns], scale=1 / 255)

    def _find_pixels(self, part: Part) -> tuple[slice, slice]:
        """Return rows and columns of the picture that show a part of the table, and a little more."""
        coarse = self._maps[0][::_STEP_PX, ::_STEP_PX]
        apart = int(coarse[0, 1, 0] - coarse[0, 0, 0]) + 1
        near = (coarse > np.array(part[:2]) - apart) & (coarse < np.array(part[2:]) + apart)
        rows, columns = np.nonzero(near.all(axis=2))
        if not len(rows):
            return slice(1), slice(1)  # the camera sees nothing of it
        down, across = (
            slice(max(0, (int(at.min()) - 1) * _STEP_PX), (int(at.max()) + 2) * _STEP_PX) for at in (rows, columns)
        )
        return down, across

    def _find_pose(self) -> tuple[F64, float, float]:
        """Return how the camera is turned (3, 3), its distance from the mat's middle in mm, and its focal length in px.

        A point (x, y, z) from the mat's middle, z below the mat, is seen at K (turn · p + (0, 0, distance)).
        """
        lens = self.lens
        w, h = lens.size
        mat_w, mat_h = self._painter.mat_mm
        focal = 1.25 * w
        distance = focal * max(mat_w / (w * lens.fill), (mat_h + 2 * _BORDER_MM) / (h * (lens.fill + 0.03)))
        tilt, swing, roll = (
            cv2.Rodrigues(np.radians(axis))[0] for axis in ([lens.tilt, 0, 0], [0, lens.swing, 0], [0, 0, lens.roll])
        )
        return np.asarray(roll @ swing @ tilt, np.float64), distance, focal

    @property
    def eye(self) -> F64:
        """Where the camera is (3,), in mm: across and down the mat, and above it."""
        turn, distance, _ = self._find_pose()
        x, y, z = -distance * turn[2]
        mat_w, mat_h = self._painter.mat_mm
        return np.array([x + mat_w / 2, y + mat_h / 2, -z])

    def _look_through(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
        """Return the table's px that each px of the picture shows, as fixed-point maps for ``cv2.remap``."""
        lens = self.lens
        w, h = lens.size
        mat_w, mat_h = self._painter.mat_mm
        turn, distance, focal = self._find_pose()
        plane = np.column_stack([turn[:, 0], turn[:, 1], np.array([0.0, 0.0, distance])])
        camera = np.array([[focal, 0, w / 2], [0, focal, h / 2], [0, 0, 1.0]])
        back = np.linalg.inv(camera @ plane)
        fixed, rest, s = np.empty((h, w, 2), np.int16), np.empty((h, w), np.uint16), self._painter.s
        for rows in _split_bands(h):
            v, u = np.mgrid[rows, 0:w].astype(np.float32)
            du, dv = (u - w / 2) / (w / 2), (v - h / 2) / (w / 2)
            stretch = 1 - lens.distortion * (du * du + dv * dv)
            u, v = w / 2 + du * stretch * (w / 2), h / 2 + dv * stretch * (w / 2)
            x, y, z = (back[n, 0] * u + back[n, 1] * v + back[n, 2] for n in range(3))
            map_x = ((x / z + mat_w / 2 + _MARGIN_MM) * s).astype(np.float32)
            map_y = ((y / z + mat_h / 2 + _MARGIN_MM) * s).astype(np.float32)
            fixed[rows], rest[rows] = cv2.convertMaps(map_x, map_y, cv2.CV_16SC2)
        return fixed, rest

    def _compute_light(self) -> U8:
        """Return the light on each px and channel, 255 at full, with the lens's vignette in it."""
        lens = self.lens
        w, h = lens.size
        v, u = np.mgrid[0:h:8, 0:w:8].astype(np.float32)
        away = np.hypot((u - lens.lamp[0] * w) / w, (v - lens.lamp[1] * h) / w)
        vignette = 1 - 0.055 * (np.hypot(u - w / 2, v - h / 2) / (w / 2)) ** 2
        light = lens.exposure * (1 - lens.fall_off * np.clip(away, 0, 1.3)) * vignette
        channels = [light * factor for factor in (1 - 1.6 * lens.warmth, 1 - 0.4 * lens.warmth, 1.0)]
        full = cv2.resize(np.dstack(channels).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
        lit = np.empty(full.shape, np.uint8)
        for rows in _split_bands(h):
            lit[rows] = np.clip(full[rows] * 255, 0, 255)
        return lit
