"""Drawn tables for the tests of mat and light: markers on a mat, seen by a camera that is known exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
CANVAS_PX_PER_MM = 3
_BAND_PX = 32
MARGIN_MM = 80


@dataclass(frozen=True)
class Camera:
    """A camera above the mat; its projection is written out here anew, not taken from the code under test."""

    size: tuple[int, int] = (1640, 1232)
    mat_mm: tuple[float, float] = (620.0, 440.0)
    px_per_mm: float = 2.3
    tilt_deg: float = 5.0
    roll_deg: float = 2.0
    k1: float = 0.0
    shift_px: tuple[float, float] = (7.3, -4.6)

    @property
    def homography(self) -> Floats:
        """Mat mm to ideal px about the picture's centre."""
        w, h = self.mat_mm
        tilt, roll = math.radians(self.tilt_deg), math.radians(self.roll_deg)
        height = 1300.0
        to_centre = np.array([[1, 0, -w / 2], [0, 1, -h / 2], [0, 0, 1.0]])
        turn = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1.0]])
        view = np.array([[1, 0, 0], [0, math.cos(tilt), 0], [0, math.sin(tilt) / height, 1.0]])
        scale = np.diag([self.px_per_mm, self.px_per_mm, 1.0])
        shift = np.array([[1, 0, self.shift_px[0]], [0, 1, self.shift_px[1]], [0, 0, 1.0]])
        homography: Floats = shift @ scale @ view @ turn @ to_centre
        return homography

    def to_px(self, mm: Floats) -> Floats:
        flat = np.concatenate([mm.reshape(-1, 2), np.ones((mm.size // 2, 1))], axis=1) @ self.homography.T
        ideal = flat[:, :2] / flat[:, 2:]
        half = math.hypot(*self.size) / 2
        bent = ideal * (1 + self.k1 * (np.linalg.norm(ideal, axis=1, keepdims=True) / half) ** 2)
        px: Floats = (bent + (np.array(self.size) - 1) / 2).reshape(mm.shape)
        return px

    def to_mm(self, px: Floats) -> Floats:
        half = math.hypot(*self.size) / 2
        bent = px.reshape(-1, 2) - (np.array(self.size) - 1) / 2
        ideal = bent.copy()
        for _ in range(60):
            ideal = bent / (1 + self.k1 * (ideal**2).sum(axis=1, keepdims=True) / half**2)
        flat = np.concatenate([ideal, np.ones((len(ideal), 1))], axis=1) @ np.linalg.inv(self.homography).T
        mm: Floats = (flat[:, :2] / flat[:, 2:]).reshape(px.shape)
        return mm

    def maps(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Canvas px of each picture px, exact every 8 px and linear between."""
        w, h = self.size
        nodes = np.stack(np.meshgrid(np.arange(0, w + 8, 8.0), np.arange(0, h + 8, 8.0)), axis=-1)
        canvas = (self.to_mm(nodes) + MARGIN_MM) * CANVAS_PX_PER_MM - 0.5
        x, y = np.arange(w) / 8, np.arange(h) / 8
        xi, yi = np.minimum(x.astype(int), nodes.shape[1] - 2), np.minimum(y.astype(int), nodes.shape[0] - 2)
        fx, fy = (x - xi)[None, :], (y - yi)[:, None]

        def fine(grid: Floats) -> NDArray[np.float32]:
            top, low = grid[yi], grid[yi + 1]
            rows = top * (1 - fy) + low * fy
            whole: NDArray[np.float32] = (rows[:, xi] * (1 - fx) + rows[:, xi + 1] * fx).astype(np.float32)
            return whole

        return fine(canvas[..., 0]), fine(canvas[..., 1])


MAT_COLOURS = {"dark": (30, 26, 24), "white": (236, 238, 240), "wood": (60, 100, 140), "green": (60, 110, 20)}


@dataclass(frozen=True)
class Marker:
    """A marker on the canvas: where its outer corner lies (mm), and how far it is turned about it."""

    id: int
    at_mm: tuple[float, float]
    turn_deg: float = 0.0


def corner_markers(
    mat_mm: tuple[float, float], askew_deg: tuple[float, float, float, float] = (0, 0, 0, 0)
) -> list[Marker]:
    w, h = mat_mm
    return [Marker(i, at, askew_deg[i]) for i, at in enumerate([(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)])]


def draw_canvas(
    mat_mm: tuple[float, float],
    markers: list[Marker] | None = None,
    mat: str = "dark",
    border_mm: float = 9.0,
    cards: int = 12,
    seed: int = 1,
    marker_mm: float = 50.0,
) -> NDArray[np.uint8]:
    """Draw the table from above at 4 px/mm with a margin of 80 mm, BGR; cards are white with black blots."""
    random = np.random.default_rng(seed)
    s = CANVAS_PX_PER_MM
    w, h = (round((side + 2 * MARGIN_MM) * s) for side in mat_mm)
    canvas = np.empty((h, w, 3), np.uint8)
    canvas[:] = MAT_COLOURS.get(mat, (90, 90, 90))
    if mat == "wood":
        canvas[:] = canvas + (12 * np.sin(np.arange(h) / 23.0)).astype(np.int16)[:, None, None].astype(np.uint8)
    if mat == "print":
        for _ in range(500):
            x, y = random.integers(0, w), random.integers(0, h)
            a, b = random.integers(10, 90, 2)
            cv2.rectangle(canvas, (int(x), int(y)), (int(x + a), int(y + b)), random.integers(0, 256, 3).tolist(), -1)
    for _ in range(cards):
        left = (MARGIN_MM + random.uniform(70, mat_mm[0] - 140)) * s
        top = (MARGIN_MM + random.uniform(70, mat_mm[1] - 170)) * s
        card = (int(left), int(top)), (int(left + 63 * s), int(top + 88 * s))
        sign = (int(left + 20 * s), int(top + 30 * s)), (int(left + 40 * s), int(top + 60 * s))
        cv2.rectangle(canvas, *card, (240, 240, 240), -1)
        cv2.rectangle(canvas, *sign, (20, 20, 20), -1)
    for marker in markers if markers is not None else corner_markers(mat_mm):
        _draw_marker(canvas, marker, border_mm, marker_mm)
    return canvas


def _draw_marker(canvas: NDArray[np.uint8], marker: Marker, border_mm: float, marker_mm: float) -> None:
    s = CANVAS_PX_PER_MM
    side, border = round(marker_mm * s), round(border_mm * s)
    tile = np.full((side + 2 * border,) * 2, 245, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    code = cv2.aruco.generateImageMarker(dictionary, marker.id, side)
    tile[border : border + side, border : border + side] = np.where(code > 127, 245, 18)
    corner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]][marker.id % 4]) * side + border - 0.5
    turn = math.radians(marker.turn_deg)
    linear = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    target = (np.array(marker.at_mm) + MARGIN_MM) * s - 0.5
    reach = 2 * side
    x0, y0 = (max(0, int(v) - reach) for v in target)
    part = canvas[y0 : int(target[1]) + reach, x0 : int(target[0]) + reach]
    move = np.column_stack([linear, target - (x0, y0) - linear @ corner])
    size = (part.shape[1], part.shape[0])
    mask = cv2.warpAffine(np.full(tile.shape, 255, np.uint8), move, size, flags=cv2.INTER_NEAREST)
    drawn = cv2.warpAffine(tile, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    np.copyto(part, drawn[..., None], where=mask[..., None] > 0)


_TO_LIGHT = ((np.arange(256) / 255) ** 2.2).astype(np.float32)


def photograph(
    canvas: NDArray[np.uint8],
    camera: Camera,
    exposure: float = 1.0,
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0),
    falloff: float = 0.0,
    blur_px: float = 0.7,
    noise: float = 0.01,
    seed: int = 2,
) -> NDArray[np.uint8]:
    """Take the camera's picture (h, w, 3) BGR: light, the lens's blur in light, then noise and the sRGB-like curve."""
    linear = cv2.LUT(canvas, _TO_LIGHT)
    spread = 0.5 * CANVAS_PX_PER_MM / camera.px_per_mm  # a sensor pixel's own width
    linear = cv2.GaussianBlur(linear, (0, 0), spread)
    picture = cv2.remap(linear, *camera.maps(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if blur_px:
        picture = cv2.GaussianBlur(picture, (0, 0), blur_px)
    h, w = picture.shape[:2]
    x = np.linspace(-1, 1, w, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, h, dtype=np.float32)[:, None]
    light = exposure * (1 - falloff * (0.5 * (x + 1) * 0.6 + 0.5 * (y + 1) * 0.4))
    taken, random = np.empty(picture.shape, np.uint8), np.random.default_rng(seed)
    for top in range(0, h, _BAND_PX):  # so few rows stay in the processor's cache
        rows = slice(top, top + _BAND_PX)
        lit = picture[rows] * light[rows, :, None] * np.array(tint, np.float32)
        code: NDArray[Any] = cv2.pow(np.clip(lit, 0, 1), 1 / 2.2)
        code += random.standard_normal(code.shape, dtype=np.float32) * noise
        taken[rows] = np.clip(code, 0, 1) * 255 + 0.5
    return taken


def jpeg(picture: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    """Return the picture after JPEG at that quality."""
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    seen = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    assert seen is not None
    return seen.astype(np.uint8, copy=False)
