"""Renders a scene with Mitsuba's path tracer: bent cards on a mat, lamps, a coat that shines, a camera."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import mitsuba as mi
import numpy as np

mi.set_variant("llvm_ad_rgb")

from tools.benchmark_ood import ground  # noqa: E402
from tools.benchmark_ood.camera import Camera, Look, to_world  # noqa: E402
from tools.benchmark_ood.scene import CARD_H, CARD_W, CORNER, MARKER, Laid, Scene  # noqa: E402

THICK = 0.32
_GRID = (11, 15)
_ATLAS_COLUMNS = 9
Picture = np.ndarray


# ---- shapes ----------------------------------------------------------------------------------------------------------


@dataclass
class _Soup:
    """Vertices, normals, texture places and triangles of one mesh to be."""

    points: list[np.ndarray]
    normals: list[np.ndarray]
    uvs: list[np.ndarray]
    faces: list[np.ndarray]
    count: int = 0

    @classmethod
    def make_empty(cls) -> _Soup:
        return cls([], [], [], [])

    def add(self, points: np.ndarray, normals: np.ndarray, uvs: np.ndarray, faces: np.ndarray) -> None:
        self.points.append(points)
        self.normals.append(normals)
        self.uvs.append(uvs)
        self.faces.append(faces + self.count)
        self.count += len(points)

    def add_quad(self, corners: np.ndarray, box: tuple[float, float, float, float] = (0, 0, 1, 1)) -> None:
        """Add a flat rectangle given clockwise as seen in the picture, from its top left corner."""
        u0, v0, u1, v1 = box
        uvs = np.array([(u0, v0), (u1, v0), (u1, v1), (u0, v1)])
        self.add(corners, np.tile([0.0, 0, 1], (4, 1)), uvs, np.array([(0, 3, 2), (0, 2, 1)]))

    def make_mesh(self, name: str, bsdf: Any) -> Any:
        props = mi.Properties()
        props["bsdf"] = bsdf
        faces = np.concatenate(self.faces)
        mesh = mi.Mesh(name, self.count, len(faces), props=props, has_vertex_normals=True, has_vertex_texcoords=True)
        params = mi.traverse(mesh)
        params["vertex_positions"] = np.concatenate(self.points).astype(np.float32).ravel()
        params["vertex_normals"] = np.concatenate(self.normals).astype(np.float32).ravel()
        params["vertex_texcoords"] = np.concatenate(self.uvs).astype(np.float32).ravel()
        params["faces"] = faces.astype(np.uint32).ravel()
        params.update()
        return mesh


def _round_grid() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a card's grid about its centre in mm: flat places (ny, nx, 2) for heights, and with round corners.

    The third array has the indices of its outline.
    """
    nx, ny = _GRID

    def list_lines(length: float, n: int) -> np.ndarray:
        inner = np.linspace(-length / 2 + CORNER, length / 2 - CORNER, n - 4)
        edge = CORNER * np.array([1.0, 0.45])
        return np.concatenate([-length / 2 + CORNER - edge, inner, (length / 2 - CORNER + edge)[::-1]])

    gx, gy = np.meshgrid(list_lines(CARD_W, nx), list_lines(CARD_H, ny))
    a = np.maximum(np.abs(gx) - (CARD_W / 2 - CORNER), 0) / CORNER
    b = np.maximum(np.abs(gy) - (CARD_H / 2 - CORNER), 0) / CORNER
    inside = (a > 0) & (b > 0)
    rx = np.where(inside, np.sign(gx) * (CARD_W / 2 - CORNER + CORNER * a * np.sqrt(1 - b * b / 2)), gx)
    ry = np.where(inside, np.sign(gy) * (CARD_H / 2 - CORNER + CORNER * b * np.sqrt(1 - a * a / 2)), gy)
    index = np.arange(nx * ny).reshape(ny, nx)
    outline = np.concatenate([index[0, :-1], index[:-1, -1], index[-1, :0:-1], index[:0:-1, 0]])
    return np.stack([gx, gy], -1), np.stack([rx, ry], -1), outline


_FLAT, _ROUND, _OUTLINE = _round_grid()


class _Heap:
    """How high the table already is, so that each card comes to lie on those below it without cutting into them."""

    def __init__(self, mat_mm: tuple[float, float]) -> None:
        self.pad = 130
        self.high = np.full((round(mat_mm[1]) + 260, round(mat_mm[0]) + 260), 0.15, np.float32)

    def lay(self, card: Laid, rng: np.random.Generator) -> np.ndarray:
        """Lay a card on the heap and return the upper side's heights over the card's grid, (ny, nx) mm."""
        turn = math.radians(card.angle)
        cos, sin = math.cos(turn), math.sin(turn)
        x0, y0 = round(card.x + self.pad) - 70, round(card.y + self.pad) - 70
        under = self.high[max(0, y0) : y0 + 140, max(0, x0) : x0 + 140]
        y0, x0 = max(0, y0), max(0, x0)
        wide = cv2.dilate(under, np.ones((9, 9), np.uint8))
        fx, fy = _FLAT[..., 0], _FLAT[..., 1]
        mx = (card.x + self.pad - x0 + fx * cos - fy * sin).astype(np.float32)
        my = (card.y + self.pad - y0 + fx * sin + fy * cos).astype(np.float32)
        floor = cv2.remap(wide, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        z = floor.copy()
        for _ in range(14):  # a stiff sheet: it sags no further than its neighbours let it
            z = np.maximum(floor, cv2.blur(z, (3, 3), borderType=cv2.BORDER_REPLICATE))
        along = fy / (CARD_H / 2) if rng.random() < 0.7 else fx / (CARD_W / 2)
        skew = rng.uniform(-0.4, 0.4)
        z = z + card.curl * np.maximum(along + skew * fx / CARD_W, -1) ** 2 + THICK
        yy, xx = np.mgrid[0 : under.shape[0], 0 : under.shape[1]].astype(np.float32)
        dx, dy = xx - (card.x + self.pad - x0), yy - (card.y + self.pad - y0)
        u, v = dx * cos + dy * sin, -dx * sin + dy * cos
        covered = (np.abs(u) <= CARD_W / 2) & (np.abs(v) <= CARD_H / 2)
        gx = np.interp(u, _FLAT[0, :, 0], np.arange(_GRID[0])).astype(np.float32)
        gy = np.interp(v, _FLAT[:, 0, 1], np.arange(_GRID[1])).astype(np.float32)
        top = cv2.remap(z.astype(np.float32), gx, gy, cv2.INTER_LINEAR)
        under[covered] = np.maximum(under, top)[covered]
        return z


def _add_card(
    soup: _Soup, card: Laid, z: np.ndarray, box: tuple[float, float, float, float], paper_uv: tuple[float, float]
) -> None:
    turn = math.radians(card.angle)
    cos, sin = math.cos(turn), math.sin(turn)
    rx, ry = _ROUND[..., 0], _ROUND[..., 1]
    places = to_world(card.x + rx * cos - ry * sin, card.y + rx * sin + ry * cos, z)
    slope_y, slope_x = np.gradient(z, _FLAT[:, 0, 1], _FLAT[0, :, 0])
    local = np.stack([-slope_x, -slope_y, np.ones_like(z)], -1)
    normals = np.stack(
        [local[..., 0] * cos - local[..., 1] * sin, -(local[..., 0] * sin + local[..., 1] * cos), local[..., 2]], -1
    )
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    u0, v0, u1, v1 = box
    uvs = np.stack([u0 + (u1 - u0) * (rx / CARD_W + 0.5), v0 + (v1 - v0) * (ry / CARD_H + 0.5)], -1)
    nx, ny = _GRID
    index = np.arange(nx * ny).reshape(ny, nx)
    a, b, c, d = index[:-1, :-1].ravel(), index[:-1, 1:].ravel(), index[1:, 1:].ravel(), index[1:, :-1].ravel()
    soup.add(
        places.reshape(-1, 3),
        normals.reshape(-1, 3),
        uvs.reshape(-1, 2),
        np.concatenate([np.stack([a, d, c], 1), np.stack([a, c, b], 1)]),
    )
    rim = places.reshape(-1, 3)[_OUTLINE]
    out = rim - places.reshape(-1, 3).mean(0)
    out[:, 2] = 0
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    n = len(rim)
    k = np.arange(n)
    following = (k + 1) % n
    sides = np.concatenate([np.stack([k, following + n, k + n], 1), np.stack([k, following, following + n], 1)])
    soup.add(
        np.concatenate([rim, rim - (0, 0, THICK)]), np.concatenate([out, out]), np.tile(paper_uv, (2 * n, 1)), sides
    )


# ---- materials and light ---------------------------------------------------------------------------------------------


def _make_texture(linear: np.ndarray) -> dict[str, Any]:
    return {
        "type": "bitmap",
        "bitmap": mi.Bitmap(np.ascontiguousarray(linear.astype(np.float16))),
        "raw": True,
        "format": "auto",
        "wrap_mode": "clamp",
    }


def _make_coated(linear: np.ndarray, alpha: float) -> Any:
    plastic = {"type": "roughplastic", "alpha": alpha, "int_ior": 1.48, "diffuse_reflectance": _make_texture(linear)}
    return mi.load_dict({"type": "twosided", "bsdf": plastic})


def _make_matte(linear: np.ndarray) -> Any:
    return mi.load_dict({"type": "diffuse", "reflectance": _make_texture(linear)})


_SHARES = np.arange(256) / 255
_REFLECTANCE = np.where(_SHARES < 0.04045, _SHARES / 12.92, ((_SHARES + 0.055) / 1.055) ** 2.4) * 0.86 + 0.008
"""What printed sRGB values give back: white paper 87 %, black ink just under 1 %."""
_REFLECTANCE_16 = _REFLECTANCE.astype(np.float16)


def _make_atlas(
    faces: Sequence[np.ndarray],
) -> tuple[np.ndarray, list[tuple[float, float, float, float]], tuple[float, float]]:
    """Join all sides in one picture (linear RGB), each one's place in it as shares, and a white place for edges."""
    h, w = faces[0].shape[:2]
    pad = 6
    rows = math.ceil((len(faces) + 1) / _ATLAS_COLUMNS)
    whole = np.full((rows * (h + 2 * pad), _ATLAS_COLUMNS * (w + 2 * pad), 3), 0.75, np.float16)
    boxes = []
    for k, side in enumerate(faces):
        r, c = divmod(k, _ATLAS_COLUMNS)
        y, x = r * (h + 2 * pad) + pad, c * (w + 2 * pad) + pad
        framed = cv2.copyMakeBorder(side, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
        whole[y - pad : y + h + pad, x - pad : x + w + pad] = _REFLECTANCE_16[framed]
        boxes.append((x / whole.shape[1], y / whole.shape[0], (x + w) / whole.shape[1], (y + h) / whole.shape[0]))
    return whole, boxes, (1 - 8 / whole.shape[1], 1 - 8 / whole.shape[0])


def _flip(linear: np.ndarray) -> np.ndarray:
    """Flip v, which Mitsuba's textures count from below."""
    return linear[::-1]


def _blackbody_colour(warm: float) -> np.ndarray:
    """Return a lamp's colour: −1 blue daylight, 0 white, 1 a warm bulb."""
    return (
        np.array([1 + 0.35 * warm, 1.0, 1 - 0.5 * warm])
        if warm > 0
        else np.array([1 + 0.22 * warm, 1.0, 1 - 0.25 * warm])
    )


def _make_lamp(
    place: np.ndarray, target: np.ndarray, half: tuple[float, float], power: float, colour: np.ndarray
) -> dict[str, Any]:
    """Make a rectangular lamp; ``power`` is about the light that it alone throws on the middle of the mat."""
    distance2 = float(((place - target) ** 2).sum())
    slant = abs(place[2] - target[2]) / math.sqrt(distance2)
    radiance = power * distance2 / (4 * half[0] * half[1] * max(0.15, slant))
    pose = mi.ScalarTransform4f().look_at(origin=list(place), target=list(target), up=[0.01, 1, 0.02])
    return {
        "type": "rectangle",
        "to_world": pose @ mi.ScalarTransform4f().scale([half[0], half[1], 1]),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": [float(radiance * c) for c in colour]}},
    }


def _hangs_into_view(place: np.ndarray, half: float, camera: Camera, mat_mm: tuple[float, float]) -> bool:
    """Tell whether a lamp of that size would hang between the camera and the mat."""
    below = camera.eye[2] - place[2]
    if below < -half:
        return False
    shadow = camera.eye + (place - camera.eye) * camera.eye[2] / max(below, half)
    reach = half * camera.eye[2] / max(below, half) + 60
    away = np.abs(shadow[:2] - to_world(mat_mm[0] / 2, mat_mm[1] / 2)[:2])
    return bool(away[0] < mat_mm[0] / 2 + reach and away[1] < mat_mm[1] / 2 + reach)


def _make_lamps(scene: Scene, look: Look, camera: Camera, rng: np.random.Generator) -> dict[str, Any]:
    w, h = scene.mat_mm
    middle = to_world(w / 2, h / 2)
    lamps: dict[str, Any] = {}
    warm = _blackbody_colour(look.warm)
    other = _blackbody_colour(float(np.clip(look.warm + rng.uniform(-0.9, 0.3), -1, 1)))
    ambient = rng.uniform(0.12, 0.3)
    lamps["sky"] = {
        "type": "constant",
        "radiance": {"type": "rgb", "value": [float(ambient * c) for c in 0.5 * (warm + other)]},
    }
    mirrored = {"none": 0, "some": 1, "strong": 2}[look.glare]
    spread = {"none": 260.0, "some": 150.0, "strong": 70.0}[look.glare]
    for k in range(3):  # always three, so that the tracer's compiled kernel serves every picture
        if k < mirrored:  # where some card mirrors it into the camera
            card = scene.cards[int(rng.integers(len(scene.cards)))]
            at = to_world(card.x + rng.uniform(-15, 15), card.y + rng.uniform(-25, 25))
            ray = at - camera.eye
            up, high = np.array([-ray[0] / ray[2], -ray[1] / ray[2], 1.0]), rng.uniform(1000, 1900)
            half, power = (spread, spread * rng.uniform(0.3, 1)), (0.55, 0.3)[k]
            place = at + up * high
            if _hangs_into_view(place, half[0], camera, scene.mat_mm):
                place = at + up * (camera.eye[2] + half[0])
        else:  # far to the side
            a = rng.uniform(0, 2 * math.pi)
            place = middle + np.array([1700 * math.cos(a), 1700 * math.sin(a), rng.uniform(1000, 1900)])
            half, power = (rng.uniform(250, 500), 300.0), rng.uniform(0.15, 0.5)
        lamps[f"lamp{k}"] = _make_lamp(place, middle, half, power, other if k == 2 else warm)
    return lamps


def _turn_profile(
    soup: _Soup, base: np.ndarray, axis: np.ndarray, profile: Sequence[tuple[float, float]], place: float
) -> None:
    """Turn a profile of (radius, height along the axis) about the axis; ``place`` is its colour's in the palette."""
    axis = axis / np.linalg.norm(axis)
    side = np.cross(axis, (0.0, 1.0, 0.0) if abs(axis[2]) > 0.5 else (0.0, 0.0, 1.0))
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    n = 40
    angles = np.linspace(0, 2 * math.pi, n, endpoint=False)
    round_about = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * other
    line = np.array(profile)
    along = np.gradient(line, axis=0)
    for k in range(len(line) - 1):
        two = line[k : k + 2]
        rings = [base + r * round_about + z * axis for r, z in two]
        # a sharp edge keeps each band's own slope
        slopes = [
            along[m]
            if abs(along[m] @ (two[1] - two[0])) > 0.8 * np.linalg.norm(along[m]) * np.linalg.norm(two[1] - two[0])
            else two[1] - two[0]
            for m in (k, k + 1)
        ]
        normals = [round_about * s[1] - axis * s[0] for s in slopes]
        normals = [m / np.maximum(1e-9, np.linalg.norm(m, axis=1, keepdims=True)) for m in normals]
        i = np.arange(n)
        j = (i + 1) % n
        faces = np.concatenate([np.stack([i, j, j + n], 1), np.stack([i, j + n, i + n], 1)])
        soup.add(np.concatenate(rings), np.concatenate(normals), np.tile((place, 0.5), (2 * n, 1)), faces)


def _make_clutter(scene: Scene, look: Look, rng: np.random.Generator) -> tuple[_Soup, np.ndarray]:
    """Make cups and sleeves on the table beyond the mat: their shapes and a palette of colours."""
    w, h = scene.mat_mm
    palette = rng.uniform(0.05, 0.75, (8, 3))
    palette[7] = (0.12, 0.06, 0.03)  # coffee
    soup = _Soup.make_empty()
    _turn_profile(
        soup, to_world(0, 0, -60), np.array([0.0, 0, 1]), ((5, 0), (5, 5)), 0.5
    )  # under the table: the mesh is never empty
    for k in range(look.clutter):
        side = int(rng.integers(4))
        along = rng.uniform(0.15, 0.85)
        out = rng.uniform(48, 75)
        x, y = ((along * w, -out), (along * w, h + out), (-out, along * h), (w + out, along * h))[side]
        colour = (k + 0.5) / 8
        if rng.random() < 0.6:
            r, tall = rng.uniform(32, 42), rng.uniform(60, 100)
            up = np.array([0.0, 0, 1])
            cup = ((0.75 * r, -2), (0.9 * r, tall * 0.3), (r, tall), (r - 3, tall), (r - 3.5, tall - 12))
            _turn_profile(soup, to_world(x, y), up, cup, colour)
            _turn_profile(soup, to_world(x, y), up, ((r - 3.4, tall - 12), (0.01, tall - 12)), 7.5 / 8)
        else:
            a = math.radians((90.0 if side >= 2 else 0.0) + rng.uniform(-12, 12))
            axis = np.array([math.cos(a), math.sin(a), 0.0])
            half = rng.uniform(40, 80)
            ends = [(30 * math.sin(t), -half - 30 * math.cos(t)) for t in np.linspace(0.02, math.pi / 2, 8)]
            _turn_profile(soup, to_world(x, y, 28), axis, [*ends, *[(r, -z) for r, z in ends[::-1]]], colour)
    return soup, np.repeat(np.repeat(palette[None], 8, axis=0), 8, axis=1)


def trace(
    scene: Scene, faces: dict[str, np.ndarray], look: Look, camera: Camera, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Trace the light that reaches the camera, linear RGB (h, w, 3) float32, and what white paper gives back, (3,)."""
    w, h = scene.mat_mm
    alpha = {"none": rng.uniform(0.3, 0.45), "some": rng.uniform(0.1, 0.16), "strong": rng.uniform(0.045, 0.08)}[
        look.glare
    ]
    names = sorted({card.name for card in scene.cards})
    whole, boxes, paper = _make_atlas([faces[name] for name in names])
    soup = _Soup.make_empty()
    heap = _Heap(scene.mat_mm)
    for card in scene.cards:
        u0, v0, u1, v1 = boxes[names.index(card.name)]
        _add_card(soup, card, heap.lay(card, rng), (u0, 1 - v0, u1, 1 - v1), (paper[0], 1 - paper[1]))
    border = float(rng.uniform(8, 12))
    markers, sheets = _Soup.make_empty(), []
    for number, (x, y) in enumerate(((0, 0), (w - MARKER, 0), (w - MARKER, h - MARKER), (0, h - MARKER))):
        sheets.append(ground.marker_texture(number, border))
        box = (x - border, y - border, x + MARKER + border, y + MARKER + border)
        corners = to_world(np.array([box[0], box[2], box[2], box[0]]), np.array([box[1], box[1], box[3], box[3]]), 0.1)
        markers.add_quad(corners, (number / 4, 1, (number + 1) / 4, 0))
    beyond = float(rng.uniform(14, 60))
    mat, table = _Soup.make_empty(), _Soup.make_empty()
    mat.add_quad(
        to_world(
            np.array([-beyond, w + beyond, w + beyond, -beyond]), np.array([-beyond, -beyond, h + beyond, h + beyond])
        ),
        (0, 1, 1, 0),
    )
    far = 1600.0
    table.add_quad(
        to_world(np.array([-far, w + far, w + far, -far]), np.array([-far, -far, h + far, h + far]), -2.0), (0, 1, 1, 0)
    )
    cloth = ground.mat_texture(look.mat, (w + 2 * beyond, h + 2 * beyond), rng)
    under = (
        ground.make_wood(rng, 1200, 1400)
        if rng.random() < 0.6
        else ground.mat_texture("white", (900, 700), rng) * rng.uniform(0.15, 0.9)
    )
    shiny = look.mat in ("wood", "white") and rng.random() < 0.6
    things, palette = _make_clutter(scene, look, rng)
    contents: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 2},
        "cards": soup.make_mesh("cards", _make_coated(_flip(whole), alpha)),
        "markers": markers.make_mesh("markers", _make_matte(_flip(np.hstack(sheets)))),
        "mat": mat.make_mesh("mat", _make_coated(_flip(cloth), 0.3) if shiny else _make_matte(_flip(cloth))),
        "table": table.make_mesh("table", _make_matte(_flip(np.clip(under, 0, 0.9)))),
        "things": things.make_mesh("things", _make_coated(palette, 0.25)),
        **_make_lamps(scene, look, camera, rng),
    }
    fov = math.degrees(2 * math.atan(camera.size[0] / 2 / camera.focal))
    sensor = mi.load_dict(
        {
            "type": "perspective",
            "fov": fov,
            "fov_axis": "x",
            "to_world": mi.ScalarTransform4f().look_at(
                origin=list(camera.eye), target=list(camera.target), up=list(camera.up)
            ),
            "film": {
                "type": "hdrfilm",
                "width": camera.size[0],
                "height": camera.size[1],
                "rfilter": {"type": "box"},
                "pixel_format": "rgb",
                "component_format": "float32",
            },
            "sampler": {"type": "multijitter", "sample_count": look.samples},
        }
    )
    light = np.array(mi.render(mi.load_dict(contents), sensor=sensor, spp=look.samples, seed=0))
    return light, _measure_white(light, camera, scene.mat_mm, border)


def _measure_white(light: np.ndarray, camera: Camera, mat_mm: tuple[float, float], border: float) -> np.ndarray:
    """Measure what the markers' white borders give back, the median over all four."""
    w, h = mat_mm
    d = border / 2
    xs = np.array([-d, 25, w - 25, w + d, w + d, -d])
    ys = np.array([25, -d, -d, 25, h - 25, h - 25])
    found = []
    for x, y in camera.project_points(to_world(xs, ys, 0.1)):
        c, r = round(x), round(y)
        patch = light[max(0, r - 3) : r + 4, max(0, c - 3) : c + 4]
        if patch.size:
            found.append(patch.reshape(-1, 3).mean(0))
    white: Picture = np.median(np.array(found), axis=0) / 0.82
    return white
